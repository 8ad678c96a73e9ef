"""Hands, boards, mirrors and the order of hands at showdown."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from overbet.cards.cards import cards_name
from overbet.cards.combos import combo_cards
from overbet.errors import RangeError
from overbet.tree.boards import DEAD, SWAPS, Boards, boards_of, hands_of, live_on, showdowns_of
from overbet.tree.spot import Spot
from tests.reference.evaluator import strength

PLAIN: dict[str, Any] = {
    "board": "KsTh7s",
    "pot": 100,
    "stacks": 500,
    "ranges": {"oop": "AA,KQs,76o:0.5", "ip": "QQ,AKs,T9s"},
    "bets": {"every": {"bet": "75%"}},
}


def spot(**changes: Any) -> Spot:
    return Spot.parse(PLAIN | changes)


def boards(made: Spot) -> list[Boards]:
    return boards_of(made, hands_of(made))


def swapped(card: int, swap: int) -> int:
    if swap:
        a, b = SWAPS[swap - 1]
        suit = {a: b, b: a}.get(card % 4, card % 4)
        return card - card % 4 + suit
    return card


def test_hands_are_what_the_board_leaves() -> None:
    made = spot(ranges={"oop": "AKs:0.5,77", "ip": "QQ,AhKh"})
    oop, ip = hands_of(made)
    assert sorted(oop.names()) == sorted(["AhKh", "AdKd", "AcKc", "7h7d", "7h7c", "7d7c"])
    assert [combo_cards(int(c)) for c in oop.combos] == [tuple(row) for row in oop.cards.tolist()]
    weights = dict(zip(oop.names(), oop.weights.tolist()))
    assert weights["AhKh"] == 0.5
    assert weights["7h7d"] == 1.0
    for own, other in ((oop, ip), (ip, oop)):
        for name, same in zip(own.names(), own.same):
            assert (same == DEAD) == (name not in other.names())
            assert same == DEAD or other.names()[same] == name
    for swap in range(7):
        for hand, image in zip(oop.cards.tolist(), oop.swapped[swap]):
            wanted = sorted(swapped(card, swap) for card in hand)
            held = [sorted(other) for other in oop.cards.tolist()]
            assert (held.index(wanted) if wanted in held else DEAD) == image


def test_ranges_that_cannot_be_played() -> None:
    with pytest.raises(RangeError, match="oop range has no hand left on KsTh7s"):
        hands_of(spot(ranges={"oop": "KsTh,KsKc", "ip": "QQ"}))
    with pytest.raises(RangeError, match="ip range has no hand left"):
        hands_of(spot(ranges={"oop": "QQ", "ip": "Th7s"}))
    with pytest.raises(RangeError, match="block each other out"):
        hands_of(spot(ranges={"oop": "AsAh", "ip": "AsAd,AhAc"}))


def real_boards(made: Spot) -> list[Counter[tuple[int, ...]]]:
    """Return, by street from the second, how often each real board is stood for."""
    found = []
    above = [[(0, 1, 2, 3)]]
    for street in boards(made)[1:]:
        counts: Counter[tuple[int, ...]] = Counter()
        here = []
        for number, cards in enumerate(street.cards.tolist()):
            own = street.mirrors[street.mirror_start[number] : street.mirror_start[number + 1]]
            assert own[0] == 0
            suits = [[swapped(s, int(k)) for s in range(4)] for k in own]
            here.append([tuple(o[s] for s in one) for one in suits for o in above[street.parent[number]]])
            for renaming in here[-1]:
                counts[tuple(c - c % 4 + renaming[c % 4] for c in cards)] += 1
        above = here
        found.append(counts)
    return found


@pytest.mark.parametrize("board", ["KsTh7s", "Ts7s4s", "8d8h3c", "Kc9c9d", "5s5h5d", "AsKhQd", "Ts7s4s2h"])
@pytest.mark.parametrize("isomorphism", [True, False])
def test_every_real_board_is_stood_for_once(board: str, isomorphism: bool) -> None:
    """As sets of cards: a mirror may rename a flop that holds a pair of both suits."""
    made = spot(board=board, isomorphism=isomorphism)
    known = made.cards
    for number, counts in enumerate(real_boards(made)):
        left = 52 - len(known)
        assert len(counts) == sum(counts.values()) == (left if number == 0 else left * (left - 1))
        later = {cards[len(known) :] for cards in counts}
        assert len(later) == len(counts)
        assert all(set(cards[: len(known)]) == set(known) for cards in counts)


@pytest.mark.parametrize(
    ("board", "turns"),
    # with both ranges blind to suits: the suits that look alike share their 13 ranks (or what is left)
    [("Ts7s4s", 10 + 13), ("KsTh7s", 11 + 12 + 13), ("AsKhQd", 49), ("8d8h3c", 12 + 12 + 13), ("5s5h5d", 25)],
)
def test_turns_up_to_suits(board: str, turns: int) -> None:
    assert boards(spot(board=board))[1].size == turns
    assert boards(spot(board=board, isomorphism=False))[1].size == 49


def test_suits_differ_when_a_range_says_so() -> None:
    lopsided = spot(board="Ts7s4s", ranges={"oop": "AA,KhQh", "ip": "QQ"})
    assert boards(lopsided)[1].size == 10 + 13 + 13  # hearts apart, clubs and diamonds alike
    weights = spot(board="Ts7s4s", ranges={"oop": "AA,KhQh:0.4,KdQd:0.4,KcQc:0.5", "ip": "QQ"})
    assert boards(weights)[1].size == 10 + 13 + 13  # clubs apart


def test_boards_hang_together() -> None:
    flop, turn, river = boards(spot())
    assert flop.size == 1
    for before, after in ((flop, turn), (turn, river)):
        assert len(after.child_start) == before.size + 1
        for number in range(before.size):
            for child in range(after.child_start[number], after.child_start[number + 1]):
                assert after.parent[child] == number
                assert after.cards[child, :-1].tolist() == before.cards[number].tolist()
        assert after.child_start[-1] == after.size
        for number in range(after.size):
            for swap in after.fixing[number]:
                assert {swapped(c, swap) for c in after.cards[number].tolist()} == set(
                    after.cards[number].tolist()
                )


@settings(max_examples=10, deadline=None)
@given(st.lists(st.integers(0, 51), min_size=5, max_size=5, unique=True))
def test_showdowns_are_in_the_evaluators_order(cards: list[int]) -> None:
    made = spot(board=cards_name(cards), ranges={"oop": "99+,A9s+,76s,T9o", "ip": "22+,AKo,J8s+,54s:0.3,32o"})
    hands = hands_of(made)
    found = showdowns_of(boards(made)[0], hands)
    for player in (0, 1):
        own, there = found[player], hands[player]
        count = own.alive[0]
        assert count == there.size  # hands dead on the first board do not exist
        assert sorted(own.hand[0].tolist()) == list(range(there.size))
        assert (np.diff(own.strength[0]) >= 0).all()
        real = [strength((*there.cards[h].tolist(), *cards)) for h in own.hand[0]]
        assert real == sorted(real)
        ties = np.array([a == b for a, b in pairwise(real)], bool)
        assert np.array_equal(np.diff(own.strength[0]) == 0, ties)
        assert np.array_equal(own.cards[0], there.cards[own.hand[0]])
        assert np.array_equal(own.place[0, own.hand[0]], np.arange(there.size))
        for place, hand in enumerate(own.hand[0]):
            same = there.same[hand]
            assert own.same[0, place] == (DEAD if same == DEAD else found[1 - player].place[0, same])
    first, second = (
        {tuple(h): s for h, s in zip(hands[p].cards[found[p].hand[0]].tolist(), found[p].strength[0])}
        for p in (0, 1)
    )
    assert all(first[hand] == second[hand] for hand in first.keys() & second.keys())


def test_hands_the_river_kills() -> None:
    made = spot(board="KsTh7s4d", ranges={"oop": "AA,22", "ip": "22,QQ"})
    hands = hands_of(made)
    river = boards(made)[1]
    found = showdowns_of(river, hands)
    for player in (0, 1):
        live = live_on(river, hands[player]) > 0
        assert np.array_equal(found[player].alive, live.sum(1))
        for board in range(river.size):
            dead = np.flatnonzero(~live[board])
            assert (found[player].place[board, dead] == DEAD).all()
            count = found[player].alive[board]
            assert set(found[player].hand[board, :count].tolist()) == set(
                np.flatnonzero(live[board]).tolist()
            )
