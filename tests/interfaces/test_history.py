"""PHH: reading, replaying and writing; a bad hand is named with its line and the others go on."""

from __future__ import annotations

import datetime
import tarfile
from dataclasses import replace
from decimal import Decimal
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from overbet.errors import ArtefactError, RulesError
from overbet.games.holdem import HoldemGame
from overbet.interfaces.history.phh import read_text
from overbet.interfaces.history.phh_writer import record_of, write_hand, write_hands
from overbet.interfaces.history.record import HandFault, HandRecord, HistoryError
from overbet.interfaces.history.replay import Replay, replay, replay_all, states
from overbet.interfaces.history.sources import read_hands

HAND = """\
# a hand
variant = 'NT'
ante_trimming_status = true
antes = [0, 0, 0]
blinds_or_straddles = [50, 100, 0]
min_bet = 100
starting_stacks = [1000, 2000, 3000]
actions = [
  # before the flop: ]
  'd dh p1 AhKh', "d dh p2 ????", 'd dh p3 7c2d',
  'p3 f',  # the button
  'p1 cbr 300 # a raise',
  'p2 cc',
  '',
  '# thinking',
  'd db Td6h3s',
  'p1 cc',
  'p2 cbr 1700',
  'p1 cc',
  'p1 sm AhKh',
  'p2 sm QsQd',
  'd db Jc',
  'd db 2h',
]
players = ['Ann', 'Ben', 'Cy']
time = 12:34:56
_note = "it's \\"odd\\""
finishing_stacks = [0, 3000, 3000]
"""


def one(text: str) -> HandRecord | HandFault:
    (hand,) = read_text(text, "hands.phh")
    return hand


def record(text: str = HAND) -> HandRecord:
    hand = one(text)
    assert isinstance(hand, HandRecord), hand
    return hand


def fault(text: str) -> HandFault:
    """Return why a text cannot be read or replayed."""
    (result,) = replay_all(read_text(text, "hands.phh"))
    assert isinstance(result, HandFault), result
    return result


def test_a_hand_is_read_and_ends_as_recorded():
    hand = record()
    assert hand.players == ("Ann", "Ben", "Cy")
    assert hand.other["time"] == datetime.time(12, 34, 56)
    done = replay(hand)
    assert done.agrees is True
    assert done.stacks == (0, 3000, 3000)
    assert done.final.line == "r:0:f:b300:c:Td6h3s:c:b2000:c:Jc:2h"
    assert [state.street for state in states(hand)][-1] == "river"


def test_other_stacks_than_recorded_are_seen():
    done = replay(record(HAND.replace("[0, 3000, 3000]", "[1, 2999, 3000]")))
    assert done.agrees is False
    assert replay(record("\n".join(HAND.splitlines()[:-1]))).agrees is None


def test_a_mucked_hand_cannot_win():
    assert replay(record(HAND.replace("'p2 sm QsQd',", "'p2 sm',"))).stacks == (2000, 1000, 3000)


def test_forced_checks_may_be_left_out():
    # the big blind has 30 of 100; the button folds and the small blind's check is not written down
    text = """\
variant = "NT"
ante_trimming_status = true
antes = [0, 0, 0]
blinds_or_straddles = [50, 100, 0]
min_bet = 100
starting_stacks = [1000, 30, 1000]
actions = ["d dh p1 AhAd", "d dh p2 7c2d", "d dh p3 8c3d", "p3 f", "d db KsQs9h", "d db 8s", "d db 3c"]
finishing_stacks = [1030, 0, 1000]
"""
    assert replay(record(text)).agrees is True


def test_money_with_decimals_becomes_whole_chips():
    text = (
        HAND.replace("[50, 100, 0]", "[0.25, 0.5, 0]")
        .replace("min_bet = 100", "min_bet = 0.5")
        .replace("[1000, 2000, 3000]", "[5, 10.0, 15.00]")
        .replace("cbr 300", "cbr 1.5")
        .replace("cbr 1700", "cbr 8.5")
        .replace("[0, 3000, 3000]", "[0, 15, 15.00]")
    )
    hand = record(text)
    assert (hand.unit, hand.starting_stacks, hand.blinds) == (100, (500, 1000, 1500), (25, 50, 0))
    assert hand.amount(25) == Decimal("0.25")
    assert replay(hand).agrees is True
    assert record(write_hand(hand)) == hand


def test_heads_up_blinds_and_antes_are_reversed():
    text = """\
variant = "NT"
antes = [0, 100]
blinds_or_straddles = [50, 100]
min_bet = 100
starting_stacks = [1000, 2000]
actions = ["d dh p1 AhAd", "d dh p2 7c2d", "p2 cbr 300", "p1 f"]
finishing_stacks = [800, 2200]
"""
    assert replay(record(text)).agrees is True


@pytest.mark.parametrize(
    ("old", "new", "line", "reason"),
    [
        ("'p3 f',  # the button", "'p2 f',", 11, "'p2 f': p2 acts while p3 is to act: fold, call 100"),
        ("'p1 cbr 300 # a raise'", "'p1 cbr 150'", 12, "legal: fold, call 50, raise to 200-1000"),
        ("'p1 cbr 300 # a raise'", "'p1 raises'", 12, "is not an action of no-limit hold'em"),
        ("'p1 cbr 300 # a raise'", "'p7 cc'", 12, "there is no p7"),
        ("'d db Td6h3s'", "'d db AhTd3s'", 16, "Ah has been dealt already"),
        ("'d db Td6h3s'", "'d db Tx6h3s'", 16, "'Tx' is not a card"),
        ("'d db Td6h3s'", "'d db Td6h'", 17, "the board has to be dealt first"),
        ("'d dh p3 7c2d'", "'d dh p3 7cAh'", 10, "Ah appears twice"),
        ("  'd db 2h',\n", "", 22, "the record ends before the hand does"),
        ("'p2 sm QsQd',", "'p2 sm ????',", 23, "the cards of p2 at the showdown are not recorded"),
        ("'d db 2h',", "'d db 2h', 'p1 cc'", 23, "the hand is over"),
        ("'p1 cbr 300 # a raise'", "'p1 cbr 300", 12, "invalid character"),
        ("min_bet = 100\n", "", 1, "min_bet: is missing"),
        ("min_bet = 100", "min_bet = 'much'", 6, "min_bet: 'much' is not a number"),
        ("[1000, 2000, 3000]", "[1000, inf, 3000]", 7, "unknown stacks"),
        ("[1000, 2000, 3000]", "[1000, 2000, 0]", 1, "player 2 has no chips"),
        ("[1000, 2000, 3000]", "[1000, 2000]", 4, "3 values for 2 starting stacks"),
        ("[50, 100, 0]", "[-50, 100, 0]", 1, "-50 chips is less than nothing"),
        ("min_bet = 100", "min_bet = 0.00001", 6, "more than 4 decimals"),
        ("'NT'", "'XX'", 2, "'XX' is no variant of PHH"),
        ("= true", "= 'yes'", 3, "neither true nor false"),
        ("'p2 cc',", "5,", 8, "actions: is not a list of texts"),
    ],
)
def test_a_bad_hand_is_named_with_its_line(old, new, line, reason):
    assert old in HAND
    found = fault(HAND.replace(old, new, 1))
    assert reason in found.reason
    assert found.place.line == line
    assert not found.unsupported
    assert str(found).startswith(f"hands.phh, line {line}: ")


def test_another_game_is_named():
    found = fault(HAND.replace("'NT'", "'PO'"))
    assert found.unsupported
    assert found.reason == "pot-limit Omaha (PO) is not no-limit hold'em (NT)"


@pytest.mark.parametrize("cut", range(60, len(HAND) - 40, 37))
def test_a_truncated_file_is_a_fault_and_never_an_exception(cut):
    (result,) = replay_all(read_text(HAND[:cut], "hands.phh"))
    lines = HAND[:cut].count("\n") + 1
    if isinstance(result, HandFault):
        assert 1 <= result.place.line <= lines
    else:
        assert cut > HAND.index("players")  # everything that matters was there


def test_a_file_of_many_hands_goes_on_after_bad_ones():
    good, broken = write_hand(record()), HAND.replace("'p2 cc',", "'p2 cc,")
    text = f"[1]\n{good}\n[2]\n{broken}\n[3]\n{HAND.replace('p3 f', 'p3 ff')}\n['last'] # one more\n{good}"
    first, second, third, last = replay_all(read_text(text, "many.phhs"))
    assert isinstance(first, Replay)
    assert isinstance(last, Replay)
    assert last.record.place.hand == "last"
    assert isinstance(second, HandFault)
    assert isinstance(third, HandFault)
    assert (second.place.hand, third.place.hand) == ("2", "3")
    lines = text.split("\n")
    assert "'p2 cc," in lines[second.place.line - 1]
    assert "p3 ff" in lines[third.place.line - 1]
    with pytest.raises(HistoryError, match=r"many.phhs, hand 3, line \d+: 'p3 ff' is not an action"):
        replay([hand for hand in read_text(text, "many.phhs") if isinstance(hand, HandRecord)][1])


def test_a_table_of_the_users_own_is_a_field_and_not_a_hand():
    hand = record(HAND + "[_shop]\nname = 'x'\n")
    assert hand.other["_shop"] == {"name": "x"}
    assert record(write_hand(hand)) == hand


def test_many_hands_round_trip():
    hands = [
        record(),
        replace(record(), other={"hand": 7, "a key": {"x": [1.5, True]}}, finishing_stacks=None),
    ]
    again = list(read_text(write_hands(hands), "again.phhs"))
    assert again == hands
    assert [hand.place.hand for hand in again] == ["1", "2"]


def test_files_folders_and_archives(tmp_path: Path):
    folder = tmp_path / "hands"
    (folder / "deep").mkdir(parents=True)
    for number in (10, 9, 1):
        (folder / f"{number}.phh").write_text(HAND)
    (folder / "deep" / "all.phhs").write_text(write_hands([record(), record()]))
    (folder / "notes.txt").write_text("not a hand")
    (folder / "binary.phh").write_bytes(b"variant = 'NT'\n\xff\xfe")
    found = list(read_hands(folder))
    assert [hand.place.source for hand in found] == [
        "1.phh",
        "9.phh",
        "10.phh",
        "binary.phh",
        "deep/all.phhs",
        "deep/all.phhs",
    ]
    assert isinstance(found[3], HandFault)
    assert found[3].place.line == 2
    archive = tmp_path / "hands.tar.gz"
    with tarfile.open(archive, "w:gz") as tar:
        tar.add(folder, "hands")
    assert sum(isinstance(hand, HandRecord) for hand in read_hands(archive)) == 5
    content = archive.read_bytes()
    archive.write_bytes(content[: len(content) * 2 // 3])
    *_, last = read_hands(archive)
    assert isinstance(last, HandFault)
    assert "the archive is damaged" in last.reason


def test_nothing_to_read(tmp_path: Path):
    with pytest.raises(ArtefactError, match="does not exist"):
        list(read_hands(tmp_path / "none.phh"))
    with pytest.raises(ArtefactError, match="holds no"):
        list(read_hands(tmp_path))
    (tmp_path / "hands.csv").write_text("")
    with pytest.raises(ArtefactError, match=r"is not a \.phh"):
        list(read_hands(tmp_path / "hands.csv"))
    (empty,) = read_text("", "empty.phh")
    assert isinstance(empty, HandFault)
    assert "variant: is missing" in empty.reason


@given(
    st.integers(2, 9),
    st.integers(0, 2**31),
    st.sampled_from((0, 5, 30)),
    st.booleans(),
    st.lists(st.integers(0, 5), max_size=40),
)
@settings(max_examples=100, deadline=None)
def test_a_hand_played_here_is_written_and_replays_to_the_same_end(players, seed, ante, dead, choices):
    game = HoldemGame(players, [150 + 90 * p for p in range(players)], ante=ante, dead_antes=dead)
    state = game.deal(seed)
    for choice in (*choices, *(1,) * 60):
        if state.is_terminal():
            break
        legal = state.legal_actions()
        state = state.apply(legal[min(choice, len(legal) - 1)])
    while not state.is_terminal():
        state = state.apply(0)
    written = record_of(state, {"players": [f"n°{p}" for p in range(players)]})
    text = write_hand(written)
    hand = record(text)
    assert hand == written
    done = replay(hand)
    assert done.agrees is True
    assert done.final.line == state.line


def test_a_raked_hand_is_not_written():
    with pytest.raises(RulesError, match="no field for rake"):
        record_of(HoldemGame(rake=0.05).deal(1).apply(-1))
