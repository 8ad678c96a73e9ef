"""The hands and boards of a spot: who can hold what, which cards can come, which boards mirror each other.

Two suits are interchangeable on a board when the board holds the same ranks of both, on every street so
far, and both ranges give equal weight to hands that differ by swapping them. Cards that such a swap maps
onto each other are dealt once; the others are its mirrors, and the values of a mirror are the values of
the board kept with the hands' suits swapped. (Only swaps that already held on the street before count:
the betting there has seen the earlier board.)
"""

from __future__ import annotations

from functools import cache
from itertools import combinations
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from overbet.cards.combos import COMBOS, combo_index, combo_name, combo_table, live_combos
from overbet.cards.evaluator import tables
from overbet.errors import RangeError
from overbet.kernels.cards.showdown_orders import order_hands
from overbet.threads import in_parts
from overbet.tree.spot import IP, OOP, Spot

SWAPS = tuple(combinations(range(4), 2))  # the six swaps of two suits; swap number 0 below is "none"
DEAD = -1
_BOARDS_OF_A_THREAD = 64  # at least: starting a thread takes as long as a few boards


class RangeHands(NamedTuple):
    """The combos of one player's range that the first board leaves, H of them, in combo order.

    combos: [H] int16. cards: [H, 2] uint8. weights: [H] float32. swapped: [7, H] int16, the hand with two
    suits swapped (row 0: itself; row k: SWAPS[k - 1]), DEAD where the range does not hold it.
    same: [H] int16, the opponent's hand of the same two cards, or DEAD.
    """

    combos: npt.NDArray[np.int16]
    cards: npt.NDArray[np.uint8]
    weights: npt.NDArray[np.float32]
    swapped: npt.NDArray[np.int16]
    same: npt.NDArray[np.int16]

    @property
    def size(self) -> int:
        """Number of hands."""
        return len(self.combos)

    def names(self) -> list[str]:
        """Return the combos' texts."""
        return [combo_name(int(combo)) for combo in self.combos]


class Boards(NamedTuple):
    """The boards of one street, B of them, grouped by the board of the street before.

    cards: [B, 3..5] uint8. parent: [B] int32. child_start: [parents + 1] int32.
    mirror_start: [B + 1] int32 into mirrors: [.] int32, the swap numbers whose mirror boards this one stands
    for, 0 (itself) first. fixing: for each board the swaps that leave it, and all before it, as they are.
    """

    cards: npt.NDArray[np.uint8]
    parent: npt.NDArray[np.int32]
    child_start: npt.NDArray[np.int32]
    mirror_start: npt.NDArray[np.int32]
    mirrors: npt.NDArray[np.int32]
    fixing: tuple[tuple[int, ...], ...] = ()

    @property
    def size(self) -> int:
        """Number of boards kept."""
        return len(self.cards)


class Showdowns(NamedTuple):
    """One player's live hands on every river board, weakest first; R boards, H hands.

    alive: [R] int32, live hands. hand: [R, H] int16, the hand at each place, live ones first.
    strength: [R, H] int16. cards: [R, H, 2] uint8. same: [R, H] int16, the place of the opponent's hand of
    the same two cards in the opponent's order, or DEAD. place: [R, H] int16, where a hand is, or DEAD.
    """

    alive: npt.NDArray[np.int32]
    hand: npt.NDArray[np.int16]
    strength: npt.NDArray[np.int16]
    cards: npt.NDArray[np.uint8]
    same: npt.NDArray[np.int16]
    place: npt.NDArray[np.int16]


def hands_of(spot: Spot) -> tuple[RangeHands, RangeHands]:
    """Return both players' hands; a range with nothing left on the board is an error."""
    weights = []
    for player, name in ((OOP, "oop"), (IP, "ip")):
        left = np.where(live_combos(spot.cards), spot.range_of(player).weights, 0).astype(np.float32)
        if not left.any():
            raise RangeError(
                f"the {name} range has no hand left on {spot.board}; widen it or change the board"
            )
        weights.append(left)
    found = [np.flatnonzero(w).astype(np.int16) for w in weights]
    table = combo_table()
    held = [(np.uint64(1) << table[own].astype(np.uint64)).sum(1, dtype=np.uint64) for own in found]
    if all((hand & held[1]).all() for hand in held[0]):  # the first hand mostly meets somebody
        raise RangeError("the two ranges block each other out: every pair of hands shares a card")
    hands = []
    for player in (OOP, IP):
        own, other = found[player], found[1 - player]
        place = np.full(COMBOS, DEAD, np.int16)
        place[own] = np.arange(len(own))
        other_place = np.full(COMBOS, DEAD, np.int16)
        other_place[other] = np.arange(len(other))
        swapped = np.stack([place[swapped_combos(k)[own]] for k in range(7)])
        cards = table[own].astype(np.uint8)
        hands.append(RangeHands(own, cards, weights[player][own], swapped, other_place[own]))
    return hands[0], hands[1]


def boards_of(spot: Spot, hands: tuple[RangeHands, RangeHands], last_street: int = 2) -> list[Boards]:
    """Return the boards of the first street (one board) and of every later one up to the last."""
    first = np.array([spot.cards], np.uint8)
    zero = np.zeros(1, np.int32)
    allowed = [k for k in range(1, 7) if spot.isomorphism and _keeps_ranges(hands, k)]
    fixing = tuple(k for k in allowed if _keeps_board(spot.cards, k))
    one = np.array([0, 1], np.int32)
    streets = [Boards(first, zero - 1, one, one, zero, (fixing,))]
    while streets[-1].cards.shape[1] < 3 + last_street:
        previous = streets[-1]
        cards, parent, child_start, mirror_start, mirrors = [], [], [0], [0], []
        after: list[tuple[int, ...]] = []
        for number, dealt in enumerate(previous.cards.tolist()):
            for card in range(52):
                if card in dealt:
                    continue
                images = {_swap_card(card, k): k for k in previous.fixing[number]}
                if any(image < card for image in images):
                    continue  # the mirror of a card already dealt
                cards.append([*dealt, card])
                parent.append(number)
                mirrors.extend([0, *(k for image, k in sorted(images.items()) if image != card)])
                mirror_start.append(len(mirrors))
                after.append(tuple(k for k in previous.fixing[number] if _swap_card(card, k) == card))
            child_start.append(len(cards))
        streets.append(
            Boards(
                np.array(cards, np.uint8),
                np.array(parent, np.int32),
                np.array(child_start, np.int32),
                np.array(mirror_start, np.int32),
                np.array(mirrors, np.int32),
                tuple(after),
            )
        )
    return streets


def showdowns_of(
    rivers: Boards, hands: tuple[RangeHands, RangeHands], threads: int = 1
) -> tuple[Showdowns, Showdowns]:
    """Rank and order both players' hands on every river board; what is alike for both is there once."""
    if np.array_equal(hands[OOP].combos, hands[IP].combos):
        alive, order, strength, place, cards = _ordered(rivers.cards, hands[OOP], threads)
        own = np.arange(hands[OOP].size, dtype=np.int16)
        same = np.where(own < alive[:, None], own, np.int16(DEAD))
        one = Showdowns(alive, order, strength, cards, same, place)
        return one, one
    ordered = [_ordered(rivers.cards, hand, threads) for hand in hands]
    found = []
    for player in (OOP, IP):
        alive, order, strength, place, cards = ordered[player]
        same_hand = hands[player].same[order]
        other_place = ordered[1 - player][3]
        same = np.where(same_hand >= 0, np.take_along_axis(other_place, np.maximum(same_hand, 0), 1), DEAD)
        found.append(Showdowns(alive, order, strength, cards, same.astype(np.int16), place))
    return found[0], found[1]


def no_showdowns(alive: npt.NDArray[np.int32] | None = None) -> Showdowns:
    """Return showdowns without orders, for trees that end before the river or are only measured.

    alive: [R] int32, live hands on every river, where they matter.
    """
    none = np.zeros((1, 1), np.int16)
    count = np.zeros(0, np.int32) if alive is None else alive
    return Showdowns(count, none, none, np.zeros((1, 1, 2), np.uint8), none, none)


def _ordered(boards: npt.NDArray[np.uint8], hands: RangeHands, threads: int) -> tuple[npt.NDArray[Any], ...]:
    """Return live hands [R] int32, hand, strength, place [R, H] int16 and cards [R, H, 2] uint8 of one player
    on all boards."""
    alive = np.empty(len(boards), np.int32)
    found: list[npt.NDArray[Any]] = [np.empty((len(boards), hands.size), np.int16) for _ in range(3)]
    found.append(np.empty((len(boards), hands.size, 2), np.uint8))

    def fill(part: slice) -> None:
        order_hands(
            np.ascontiguousarray(boards[part]), hands.cards, tables(), alive[part], *(x[part] for x in found)
        )

    in_parts(fill, len(boards), threads, _BOARDS_OF_A_THREAD)
    return alive, *found


def orbits_on(boards: Boards, hands: RangeHands) -> npt.NDArray[np.uint16]:
    """Return for each hand the first of those that a board's symmetries make of it: [B, H] uint16."""
    found = np.tile(np.arange(hands.size, dtype=np.uint16), (boards.size, 1))
    for board, swaps in enumerate(boards.fixing):
        for _ in swaps:  # as many rounds as swaps reach every hand of an orbit
            for swap in swaps:
                found[board] = np.minimum(found[board], found[board][hands.swapped[swap]])
    return found


def live_on(boards: Boards, hands: RangeHands) -> npt.NDArray[np.float32]:
    """Return 1 where a hand shares no card with a board, else 0: [B, H] float32."""
    shares = (hands.cards[None, :, :, None] == boards.cards[:, None, None, :]).any((2, 3))
    live: npt.NDArray[np.float32] = (~shares).astype(np.float32)
    return live


def live_count(boards: Boards, hands: RangeHands) -> npt.NDArray[np.int32]:
    """Return the number of hands each board leaves: [B] int32, by the cards alone."""
    pairs = np.zeros((52, 52), np.int32)
    np.add.at(pairs, (hands.cards[:, 0], hands.cards[:, 1]), 1)
    pairs = pairs + pairs.T
    single, cards = pairs.sum(1), boards.cards.astype(np.int64)
    dead = single[cards].sum(1)
    for one, two in combinations(range(cards.shape[1]), 2):  # a hand of two of its cards was counted twice
        dead -= pairs[cards[:, one], cards[:, two]]
    left: npt.NDArray[np.int32] = (hands.size - dead).astype(np.int32)
    return left


def _swap_card(card: int, swap: int) -> int:
    if swap:
        a, b = SWAPS[swap - 1]
        if card & 3 in (a, b):
            return card ^ (a ^ b)
    return card


def board_swaps(cards: tuple[int, ...]) -> tuple[int, ...]:
    """Return the numbers of the swaps of two suits that leave a board as it is."""
    return tuple(k for k in range(1, len(SWAPS) + 1) if _keeps_board(cards, k))


@cache
def swapped_combos(swap: int) -> npt.NDArray[np.int16]:
    """Return the combo each combo becomes when two suits are swapped: [1326] int16."""
    if swap == 0:
        return np.arange(COMBOS, dtype=np.int16)
    image = [combo_index(_swap_card(int(a), swap), _swap_card(int(b), swap)) for a, b in combo_table()]
    return np.array(image, np.int16)


def _keeps_ranges(hands: tuple[RangeHands, RangeHands], swap: int) -> bool:
    for hand in hands:
        image = hand.swapped[swap]
        if (image == DEAD).any() or not np.array_equal(hand.weights[image], hand.weights):
            return False
    return True


def _keeps_board(cards: tuple[int, ...], swap: int) -> bool:
    return {_swap_card(card, swap) for card in cards} == set(cards)
