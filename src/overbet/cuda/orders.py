"""The order of hands on every board as the GPU's terminal evaluation wants it; made on the CPU, once.

For a hand (a, b) the opponent's compatible reach needs sums over the opponent's hands that hold card a, up to
the hand's own strength. A block makes all of them at once: every card is given to one of 32 or 64 threads
(lanes), and a lane walks through the hands of its cards, weakest first, writing the running sum for each.
What is made here is the walk (`sequence`), and for every own hand the places where its sums will stand.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from overbet.kernels.jit import kernel
from overbet.threads import in_parts

_FIRST = 0x8000  # flag in a code of `sequence`: a card begins here
_STEP = 4  # codes in one word of `sequence`
_BOARDS_OF_A_THREAD = 32  # at least


class RankedHands(NamedTuple):
    """One player's hands on B boards, weakest first. alive: [B] int32; cards: [B, H, 2] uint8; strength:
    [B, H] int16; same: [B, H] int16, place of the opponent's hand of the same cards, or negative.
    """

    alive: npt.NDArray[np.int32]
    cards: npt.NDArray[np.uint8]
    strength: npt.NDArray[np.int16]
    same: npt.NDArray[np.int16]


class OrderWalk(NamedTuple):
    """Where a board's walk stands. lane: [52] int64, of each card; begin: [52] int64, where its hands begin
    in the lane; length: [52] int64, hands of the card seen so far.
    """

    lanes: int
    lane: npt.NDArray[np.int64]
    begin: npt.NDArray[np.int64]
    length: npt.NDArray[np.int64]


class Made(NamedTuple):
    """See `arrays.LeafOrder`. steps: of the longest walk; sequence: [B, steps * lanes] uint64; words: the
    same, flat, with room for the step that is read beyond the last."""

    steps: int
    sequence: npt.NDArray[np.uint64]
    place: npt.NDArray[np.uint32]
    words: npt.NDArray[np.uint64]


class Lanes(NamedTuple):
    """Which lane adds up a card: lane: [52] int64; most: hands that a lane adds up at most."""

    lane: npt.NDArray[np.int64]
    most: int


def even_lanes(deck: npt.NDArray[np.integer], lanes: int) -> Lanes:
    """Return lanes that serve every river of a deck, all hands in play: the cards dealt out in turn."""
    lane = np.zeros(52, np.int64)
    lane[deck] = np.arange(len(deck)) % lanes
    return Lanes(lane, -(-len(deck) // lanes) * (len(deck) - 6))


def make_order(
    own: RankedHands, opp: RankedHands, lanes: int, workers: int = 1, given: Lanes | None = None
) -> Made:
    """Return the walks over `opp`'s hands and the places of `own`'s sums, for every board.

    workers: threads that share the boards. given: lanes that fit all boards, where no board has all hands.
    """
    lane, most = _lanes(opp, lanes) if given is None else given
    boards, hands = own.strength.shape
    steps = -(-most // _STEP)
    flat = np.zeros((boards * steps + 1) * _STEP * lanes, np.uint16)
    codes = flat[: -_STEP * lanes].reshape(boards, steps * _STEP * lanes)
    place = np.zeros((boards, 5, hands), np.uint32)

    def fill(part: slice) -> None:
        _fill(_of_boards(own, part), _of_boards(opp, part), lanes, lane, codes[part], place[part])

    in_parts(fill, boards, workers, _BOARDS_OF_A_THREAD)
    words = flat.astype("<u2", copy=False).view("<u8").astype(np.uint64, copy=False)  # four make a word
    return Made(steps, words[:-lanes].reshape(boards, steps * lanes), place, words)


def weights_in_order(
    weights: npt.NDArray[np.float32],
    hand: npt.NDArray[np.integer],
    out: npt.NDArray[np.float32],
    workers: int,
) -> None:
    """Write each board's weights in the order of its hands: hand and out are [B, H]."""
    in_parts(lambda part: _take(weights, hand[part], out[part]), len(hand), workers, _BOARDS_OF_A_THREAD)


@kernel
def _take(
    weights: npt.NDArray[np.float32], hand: npt.NDArray[np.integer], out: npt.NDArray[np.float32]
) -> None:
    for board in range(len(hand)):
        for place in range(hand.shape[1]):
            out[board, place] = weights[hand[board, place]]


def _of_boards(hands: RankedHands, part: slice) -> RankedHands:
    return RankedHands(hands.alive[part], hands.cards[part], hands.strength[part], hands.same[part])


def _lanes(opp: RankedHands, lanes: int) -> Lanes:
    """Give every card a lane, longest list first to the emptiest."""
    board = int(np.argmax(opp.alive))  # before the river all hands are there, and no other board has more
    counts = np.bincount(opp.cards[board, : opp.alive[board]].ravel(), minlength=52)
    lane, load = np.zeros(52, np.int64), np.zeros(lanes, np.int64)
    for card in np.argsort(-counts, kind="stable"):
        lane[card] = np.argmin(load)
        load[lane[card]] += counts[card]
    return Lanes(lane, max(int(load.max()), 1))


@kernel
def _fill(
    own: RankedHands,
    opp: RankedHands,
    lanes: int,
    lane: npt.NDArray[np.int64],
    sequence: npt.NDArray[np.uint16],
    place: npt.NDArray[np.uint32],
) -> None:
    """Fill sequence: [B, steps * 4 * lanes] uint16 and place: [B, 5, H] uint32."""
    begin, length, load = np.zeros(52, np.int64), np.zeros(52, np.int64), np.zeros(lanes, np.int64)
    walk = OrderWalk(lanes, lane, begin, length)
    for board in range(len(place)):
        n, m = own.alive[board], opp.alive[board]
        length[:] = 0
        load[:] = 0
        for j in range(m):
            length[opp.cards[board, j, 0]] += 1
            length[opp.cards[board, j, 1]] += 1
        for card in range(52):
            begin[card] = load[lane[card]]
            load[lane[card]] += length[card]
        length[:] = 0
        seen, i = 0, 0
        while i < n:
            strength = own.strength[board, i]
            last = i
            while last < n and own.strength[board, last] == strength:
                last += 1
            seen = _walk(opp, board, seen, m, strength - 1, walk, sequence)
            for h in range(i, last):
                place[board, 0, h] = seen
                place[board, 1, h] = _sums(own.cards[board, h], walk)
            seen = _walk(opp, board, seen, m, strength, walk, sequence)
            for h in range(i, last):
                place[board, 0, h] |= seen << 16
                place[board, 2, h] = _sums(own.cards[board, h], walk)
            i = last
        _walk(opp, board, seen, m, 32767, walk, sequence)
        for h in range(n):
            place[board, 3, h] = _sums(own.cards[board, h], walk)
            twin = own.same[board, h]
            place[board, 4, h] = twin if twin >= 0 else m


@kernel
def _walk(
    opp: RankedHands,
    board: int,
    seen: int,
    m: int,
    strength: int,
    walk: OrderWalk,
    sequence: npt.NDArray[np.uint16],
) -> Any:
    """Append the opponent's hands from `seen` on that are not over a strength; return the next one."""
    while seen < m and opp.strength[board, seen] <= strength:
        for k in range(2):
            card = opp.cards[board, seen, k]
            number = walk.begin[card] + walk.length[card]
            at = (number // _STEP * walk.lanes + walk.lane[card]) * _STEP + number % _STEP
            sequence[board, at] = seen + 1 + (_FIRST if walk.length[card] == 0 else 0)
            walk.length[card] += 1
        seen += 1
    return seen


@kernel
def _sums(cards: npt.NDArray[np.uint8], walk: OrderWalk) -> Any:
    """Return where the two cards' sums stand now, packed: 0 (an empty sum), or 1 + number * lanes + lane."""
    packed = 0
    for k in range(2):
        card = cards[k]
        if walk.length[card] > 0:
            last = walk.begin[card] + walk.length[card] - 1
            packed |= (1 + last * walk.lanes + walk.lane[card]) << (16 * k)
    return packed
