"""Real hands: all of Pluribus's end with the recorded stacks; the televised one as pokerkit has it."""

from __future__ import annotations

import tarfile

import pytest
from pokerkit import HandHistory

from overbet.interfaces.history.phh import read_text
from overbet.interfaces.history.phh_writer import write_hands
from overbet.interfaces.history.record import HandFault, HandRecord
from overbet.interfaces.history.replay import Replay, replay_all
from overbet.interfaces.history.sources import read_hands
from tests.shared_data import shared


@pytest.fixture(scope="module")
def hands() -> list[HandRecord | HandFault]:
    return list(read_hands(shared("pluribus-hands.tar.gz")))


def test_every_pluribus_hand_ends_with_the_recorded_stacks(hands):
    results = list(replay_all(hands))
    replays = [result for result in results if isinstance(result, Replay)]
    assert sum(replay.agrees is True for replay in replays) == 6844
    assert [replay.record.place.source for replay in replays if replay.agrees is not True] == [
        "dwan-ivey-2009.phh"
    ]
    faults = [result for result in results if isinstance(result, HandFault)]
    assert all(fault.unsupported for fault in faults)
    assert sorted(fault.reason.split("(")[1][: -len(") is not no-limit hold'em ")] for fault in faults) == [
        "F2L3D",
        "FB",
        "NS",
        "PO",
    ]


def test_the_televised_hand_ends_as_in_pokerkit(hands):
    (hand,) = (one for one in hands if one.place.source == "dwan-ivey-2009.phh")
    (ours,) = replay_all([hand])
    assert isinstance(ours, Replay)
    with tarfile.open(shared("pluribus-hands.tar.gz")) as archive:
        file = archive.extractfile("dwan-ivey-2009.phh")
        assert file is not None
        *_, theirs = HandHistory.loads(file.read().decode())
    assert list(ours.stacks) == theirs.stacks
    assert ours.stacks == (572_100, 1_997_500, 1_109_500)  # the first televised million-dollar pot


def test_all_hands_round_trip_through_our_writer(hands):
    records = [hand for hand in hands if isinstance(hand, HandRecord)]
    assert list(read_text(write_hands(records), "all.phhs")) == records


def test_pokerkit_reads_what_we_write(hands):
    records = [hand for hand in hands if isinstance(hand, HandRecord)][::1000]
    theirs = list(HandHistory.loads_all(write_hands(records)))
    assert len(theirs) == len(records) == 7
    for record, history in zip(records, theirs, strict=True):
        *_, state = history
        assert tuple(state.stacks) == record.finishing_stacks
