"""Features of a hand: what a 3-bet, a c-bet and a decision are, by hands written out and by an oracle."""

from __future__ import annotations

import re
from itertools import islice

import pytest

from overbet.interfaces.hands.features import features
from overbet.interfaces.hands.reading import read_played
from overbet.interfaces.hands.words import ACTIONS, FACING, FLAGS
from overbet.interfaces.history.played_hand import PlayedHand
from overbet.interfaces.history.record import HistoryError
from tests.interfaces.hands.corpus import features_of, random_records, words, written
from tests.shared_data import shared

DEAL = "d dh p1 AsAd, d dh p2 KsKd, d dh p3 QsQd, d dh p4 7c2d, "


def test_three_bet_pot_with_a_continuation_bet() -> None:
    found = features_of(
        written(DEAL + "p3 cbr 25, p4 f, p1 cbr 90, p2 f, p3 cc, d db 9s8s2s, p1 cbr 95, p3 f")
    )
    assert words(found, 0) == {"vpip", "pfr", "3bet", "cbetchance", "cbet", "sawflop"}
    assert words(found, 2) == {
        *("vpip", "pfr", "open", "faced3bet", "facedcbet", "foldcbet", "sawflop"),
    }
    assert words(found, 3) == words(found, 1) == set()
    assert [FACING[row.facing] for row in found.decisions] == [
        *(
            "unopened",
            "facing open",
            "facing open",
            "facing 3bet",
            "facing 3bet",
            "first to act",
            "facing bet",
        ),
    ]
    assert [ACTIONS[row.action] for row in found.decisions] == [
        *("raise", "fold", "raise", "fold", "call", "bet", "fold"),
    ]
    bet = found.decisions[5]
    assert (bet.pot, bet.to_call, bet.added, bet.stack, bet.players) == (190, 0, 95, 910, 2)
    assert (bet.initiative, bet.in_position, bet.preflop_raises, bet.raises) == (1, 0, 2, 0)
    assert (found.board, found.flop_players, found.preflop_raises) == ("9s8s2s", 2, 2)
    assert [seat.net for seat in found.seats] == [100, -10, -90, 0]


def test_limps_squeezes_and_walks() -> None:
    limped = features_of(
        written(DEAL + "p3 cc, p4 cbr 40, p1 f, p2 f, p3 f"),
    )
    assert words(limped, 2) == {"vpip", "limp"}
    assert words(limped, 3) == {"vpip", "pfr", "iso"}
    assert FACING[limped.decisions[1].facing] == "facing limp"
    squeezed = features_of(written(DEAL + "p3 cbr 25, p4 cc, p1 cbr 120, p2 f, p3 f, p4 f"))
    assert words(squeezed, 0) == {"vpip", "pfr", "3bet", "squeeze"}
    assert words(squeezed, 2) == {"vpip", "pfr", "open", "faced3bet", "fold3bet"}
    assert words(squeezed, 3) == {"vpip", "flat"}
    walk = features_of(written(DEAL + "p3 f, p4 f, p1 f"))
    assert words(walk, 1) == {"walk"}
    assert [seat.net for seat in walk.seats] == [-5, 5, 0, 0]


def test_donk_check_raise_and_all_in_with_uneven_stacks() -> None:
    found = features_of(
        written(
            DEAL + "p3 cbr 30, p4 f, p1 f, p2 cc, d db AhKc4d, p2 cbr 30, p3 cc, d db 4c, p2 cc, p3 cbr 60, "
            "p2 cbr 160, p3 cc, d db 5c",
            (1000, 220, 1000, 1000),
        )
    )
    assert {"donk", "checkraise", "allin", "showdown"} <= words(found, 1)
    assert "cbetchance" not in words(found, 2)
    assert found.seats[2].depth == 1000
    assert found.seats[1].depth == 220
    raise_ = next(row for row in found.decisions if row.all_in)
    assert (raise_.added, raise_.to_call, raise_.pot, raise_.stack) == (160, 60, 185, 160)
    last = found.decisions[-1]
    assert (last.to_call, last.stack, FACING[last.facing]) == (100, 100, "facing raise")
    assert sum(seat.net for seat in found.seats) == 0


def test_a_check_that_is_forced_is_no_decision() -> None:
    record = written(
        "d dh p1 AsAd, d dh p2 KsKd, p2 cbr 100, p1 cc, d db 9s8s2s, d db 3c, d db 4c", (100, 1000)
    )
    found = features_of(record)
    assert len(found.decisions) == 2
    assert {"sawriver", "showdown"} <= words(found, 0) & words(found, 1)


def test_a_record_that_breaks_off_is_named() -> None:
    with pytest.raises(HistoryError, match="ends before the hand does"):
        features_of(written(DEAL + "p3 cbr 25, p4 f"))


def test_chips_of_random_hands_add_up() -> None:
    for record in random_records(60):
        found = features_of(record)
        assert sum(seat.net for seat in found.seats) == 0
        put_in = [seat.put_in for seat in found.seats]
        assert sum(put_in) == found.pot
        for before, after in zip(found.decisions, found.decisions[1:]):
            if before.street == after.street:
                assert after.pot == before.pot + before.added
            assert 0 <= before.added <= max(record.starting_stacks)
        assert found.decisions[0].pot == 15


def test_hands_of_pluribus_by_their_text() -> None:
    """An oracle that knows the text alone: the order of raises before the flop, and the recorded stacks."""
    found = read_played(shared("pluribus-hands.tar.gz"))
    hands = [hand for hand in islice(found, 400) if isinstance(hand, PlayedHand)]
    assert len(hands) > 390
    for hand in hands:
        got = features(hand)
        text = ",".join(hand.record.actions).partition("d db")[0]
        raisers = [int(player) - 1 for player in re.findall(r"p(\d) cbr", text)]
        for place, word in enumerate(("open", "3bet", "4bet")):
            have = [
                seat.player for seat in got.seats if seat.flags & (FLAGS[word] | (FLAGS["iso"] * (not place)))
            ]
            assert have == raisers[place : place + 1]
        assert got.preflop_raises == len(raisers)
        before, after = hand.record.starting_stacks, hand.record.finishing_stacks
        assert after is not None
        assert [seat.net for seat in got.seats] == [b - a for a, b in zip(before, after)]
        betting = re.findall(r"p\d (?:f|cc|cbr \d+)", ",".join(hand.record.actions))
        assert len(got.decisions) == len(betting)
