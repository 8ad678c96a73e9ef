"""A dense index of hole cards and board up to a renaming of suits, both ways.

After Waugh, "A fast and optimal hand isomorphism algorithm" (2013), for one set of hole cards and one set
of board cards. A suit holds ranks `a` (hole) and `b` (board). Its *shape* is (|a|, |b|); among the suits
of one shape, its *place* is the colex rank of `a` in 13 ranks, and of `b` in the ranks that `a` leaves:

    place = rank(a) + C(13, |a|) * rank(b without the ranks of a)

Sort the four suits by (shape, place). The four shapes are the hand's *configuration*; suits of one shape
form a multiset of places, ranked like a combination with repetition; the ranks of the up to four
multisets are digits of a mixed-radix number inside the configuration's block of indices.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from overbet.kernels.jit import inlined, kernel, lean_inlined

SHAPES = 18  # |a| in 0..2, |b| in 0..5; shape = 6 * |a| + |b|
RANK_SETS = 8192
MULTISET_PLACES = 1024  # suits that share a shape have fewer places than this (the most: 13 * 66 = 858)

_SUIT_BITS, _PLACE_BITS = 2, 16  # a suit's key, from the top: shape, place, suit
_SHAPE_SHIFT = _SUIT_BITS + _PLACE_BITS
_PLACE_MASK = (1 << _PLACE_BITS) - 1
_COLEX_MASK = (1 << 11) - 1
_ALL_RANKS = RANK_SETS - 1


class SuitTables(NamedTuple):
    """What the index of one street needs; a few ten kilobytes."""

    rank_sets: npt.NDArray[np.int32]  # [8192]: colex rank, size << 11, highest << 15, lowest << 19
    rank_set_of: npt.NDArray[np.int16]  # [6, 1287]: the rank set of a size and a colex rank
    hole_places: npt.NDArray[np.int64]  # [3]: C(13, |a|)
    multisets: npt.NDArray[np.int64]  # [5, 1024]: multisets of r places below x, C(x + r - 1, r)
    configuration: npt.NDArray[np.int16]  # [18 ** 3]: configuration of the first three shapes, or -1
    offsets: npt.NDArray[np.int64]  # [configuration + 1]: first index of each block, then the size
    shapes: npt.NDArray[np.int8]  # [configuration, 4]: shapes, descending
    radixes: npt.NDArray[np.int64]  # [configuration, 4]: what one step of the multiset's rank is worth
    remaining: npt.NDArray[np.int8]  # [configuration, 4]: suits of this shape from here on


@lean_inlined
def _without(ranks: Any, place: Any) -> Any:
    """Close the gap of one rank: bits above `place` move down by one. Place 13 changes nothing."""
    return (ranks & ((1 << place) - 1)) | ((ranks >> (place + 1)) << place)


@lean_inlined
def _with_gap(ranks: Any, place: Any) -> Any:
    """Undo `_without`."""
    return (ranks & ((1 << place) - 1)) | ((ranks >> place) << (place + 1))


@lean_inlined
def _suit_key(hole: Any, board: Any, suit: int, tables: SuitTables) -> Any:
    """Return the sort key of a suit from its two rank sets."""
    a = np.int64(tables.rank_sets[hole])
    rest = _without(_without(np.int64(board), (a >> 15) & 15), (a >> 19) & 15)
    b = np.int64(tables.rank_sets[rest])
    hole_size = (a >> 11) & 15
    place = (a & _COLEX_MASK) + tables.hole_places[hole_size] * (b & _COLEX_MASK)
    shape = 6 * hole_size + ((b >> 11) & 15)
    return shape << _SHAPE_SHIFT | place << _SUIT_BITS | suit


@lean_inlined
def _sorted_keys(k0: Any, k1: Any, k2: Any, k3: Any) -> Any:
    """Return four keys in descending order."""
    k0, k1 = max(k0, k1), min(k0, k1)
    k2, k3 = max(k2, k3), min(k2, k3)
    k0, k2 = max(k0, k2), min(k0, k2)
    k1, k3 = max(k1, k3), min(k1, k3)
    k1, k2 = max(k1, k2), min(k1, k2)
    return k0, k1, k2, k3


@lean_inlined
def _digit(key: Any, configuration: Any, order: int, tables: SuitTables) -> Any:
    place = (key >> _SUIT_BITS) & _PLACE_MASK
    remaining = tables.remaining[configuration, order]
    if remaining > 1:
        place = tables.multisets[remaining, place]
    return tables.radixes[configuration, order] * place


@lean_inlined
def index_of_keys(keys: Any, tables: SuitTables) -> Any:
    """Return the index of four keys in descending order."""
    k0, k1, k2, k3 = keys
    first = ((k0 >> _SHAPE_SHIFT) * SHAPES + (k1 >> _SHAPE_SHIFT)) * SHAPES + (k2 >> _SHAPE_SHIFT)
    configuration = np.int64(tables.configuration[first])
    index = tables.offsets[configuration]
    index += _digit(k0, configuration, 0, tables) + _digit(k1, configuration, 1, tables)
    index += _digit(k2, configuration, 2, tables) + _digit(k3, configuration, 3, tables)
    return index


@lean_inlined
def _rank_sets_of(cards: Any) -> Any:
    """Return the rank set of each suit."""
    packed = np.int64(0)  # four lanes of 16 bits: no branch on the suit
    for card in cards:
        packed |= np.int64(1) << (16 * (np.int64(card) & 3) + (np.int64(card) >> 2))
    return packed & _ALL_RANKS, packed >> 16 & _ALL_RANKS, packed >> 32 & _ALL_RANKS, packed >> 48


@lean_inlined
def keys_of(hole: Any, board: Any, tables: SuitTables) -> Any:
    """Return the sorted keys of the rank sets of hole cards and board, each a tuple over suits."""
    return _sorted_keys(
        _suit_key(hole[0], board[0], 0, tables),
        _suit_key(hole[1], board[1], 1, tables),
        _suit_key(hole[2], board[2], 2, tables),
        _suit_key(hole[3], board[3], 3, tables),
    )


@lean_inlined
def situation_index(hole: Any, board: Any, tables: SuitTables) -> Any:
    """Return the index of `hole`: [0 or 2] int8 and `board`: [0, 3, 4 or 5] int8, for use inside kernels."""
    return index_of_keys(keys_of(_rank_sets_of(hole), _rank_sets_of(board), tables), tables)


@kernel
def index_situations(
    holes: npt.NDArray[np.int8], boards: npt.NDArray[np.int8], tables: SuitTables
) -> npt.NDArray[np.int64]:
    """Return the index of each row of `holes`: [n, 0 or 2] int8 and `boards`: [n, 0, 3, 4 or 5] int8."""
    found = np.empty(len(boards), np.int64)
    for i in range(len(boards)):
        found[i] = situation_index(holes[i], boards[i], tables)
    return found


@kernel
def index_hands_of_board(
    combos: npt.NDArray[np.int8],
    board: npt.NDArray[np.int8],
    tables: SuitTables,
    found: npt.NDArray[np.int64],
) -> None:
    """Fill `found`: [hand] int64 for `combos`: [hand, 2] int8 on one board; -1 where a card is blocked."""
    boards = _rank_sets_of(board)
    blocked = np.int64(0)
    for card in board:
        blocked |= np.int64(1) << np.int64(card)
    for i in range(len(combos)):
        bits = (np.int64(1) << np.int64(combos[i, 0])) | (np.int64(1) << np.int64(combos[i, 1]))
        if bits & blocked:
            found[i] = -1
        else:
            found[i] = index_of_keys(keys_of(_rank_sets_of(combos[i]), boards, tables), tables)


@inlined
def _write_cards(ranks: Any, suit: int, cards: Any, count: Any, tables: SuitTables) -> Any:
    """Append the cards of a suit to `cards`; return the new count."""
    while ranks:
        highest = np.int64(tables.rank_sets[ranks]) >> 15 & 15
        cards[count] = 4 * highest + suit
        ranks ^= np.int64(1) << highest
        count += 1
    return count


@inlined
def _sort_descending(cards: Any) -> None:
    for i in range(1, len(cards)):
        card = cards[i]
        j = i - 1
        while j >= 0 and cards[j] < card:
            cards[j + 1] = cards[j]
            j -= 1
        cards[j + 1] = card


@inlined
def _write_suit(key: Any, suit: int, hole: Any, board: Any, counts: Any, tables: SuitTables) -> Any:
    """Append the cards that a key (shape and place) stands for, in `suit`, to hole cards and board."""
    shape, place = key >> _SHAPE_SHIFT, (key >> _SUIT_BITS) & _PLACE_MASK
    places = tables.hole_places[shape // 6]
    a = np.int64(tables.rank_set_of[shape // 6, place % places])
    facts = np.int64(tables.rank_sets[a])
    b = np.int64(tables.rank_set_of[shape % 6, place // places])
    b = _with_gap(_with_gap(b, (facts >> 19) & 15), (facts >> 15) & 15) & _ALL_RANKS
    count = _write_cards(a, suit, hole, counts[0], tables)
    return count, _write_cards(b, suit, board, counts[1], tables)


@inlined
def _write_representative(keys: Any, hole: Any, board: Any, tables: SuitTables) -> None:
    """Write the representative of four sorted keys: suits s, h, d, c in that order, cards descending."""
    counts = (np.int64(0), np.int64(0))
    counts = _write_suit(keys[0], 3, hole, board, counts, tables)
    counts = _write_suit(keys[1], 2, hole, board, counts, tables)
    counts = _write_suit(keys[2], 1, hole, board, counts, tables)
    counts = _write_suit(keys[3], 0, hole, board, counts, tables)
    _sort_descending(hole)
    _sort_descending(board)


@kernel
def canonical_situations(
    holes: npt.NDArray[np.int8], boards: npt.NDArray[np.int8], tables: SuitTables
) -> tuple[npt.NDArray[np.int8], npt.NDArray[np.int8]]:
    """Return each row's representative, in the shapes of `holes` and `boards`."""
    new_holes, new_boards = np.empty_like(holes), np.empty_like(boards)
    for i in range(len(boards)):
        keys = keys_of(_rank_sets_of(holes[i]), _rank_sets_of(boards[i]), tables)
        _write_representative(keys, new_holes[i], new_boards[i], tables)
    return new_holes, new_boards


@inlined
def _place_of_digit(digit: Any, remaining: Any, tables: SuitTables) -> Any:
    """Return the largest place whose multiset rank is not above `digit`, by bisection."""
    low, high = np.int64(0), np.int64(MULTISET_PLACES)
    while high - low > 1:
        middle = (low + high) // 2
        if tables.multisets[remaining, middle] <= digit:
            low = middle
        else:
            high = middle
    return low


@kernel
def represent_situations(
    indices: npt.NDArray[np.int64],
    holes: npt.NDArray[np.int8],
    boards: npt.NDArray[np.int8],
    tables: SuitTables,
) -> None:
    """Write the representative of each index into `holes`: [n, 0 or 2] int8 and `boards`: [n, cards] int8."""
    keys = np.empty(4, np.int64)
    for i in range(len(indices)):
        configuration = np.searchsorted(tables.offsets, indices[i], side="right") - 1
        left = indices[i] - tables.offsets[configuration]
        order = 0
        while order < 4:
            size = int(tables.remaining[configuration, order])
            radix = tables.radixes[configuration, order]
            end = order + size
            digit = left // radix
            if end < 4:
                digit %= tables.radixes[configuration, end] // radix
            for member in range(order, end):
                remaining = end - member
                place = digit
                if remaining > 1:
                    place = _place_of_digit(digit, remaining, tables)
                    digit -= tables.multisets[remaining, place]
                shape = np.int64(tables.shapes[configuration, member])
                keys[member] = shape << _SHAPE_SHIFT | place << _SUIT_BITS
            order = end
        _write_representative((keys[0], keys[1], keys[2], keys[3]), holes[i], boards[i], tables)


@kernel
def count_situations(
    holes: npt.NDArray[np.int8], boards: npt.NDArray[np.int8], tables: SuitTables
) -> npt.NDArray[np.int8]:
    """Return how many situations are each row up to a renaming of suits: [n] int8, 24 over its symmetries."""
    found = np.empty(len(boards), np.int8)
    for i in range(len(boards)):
        k0, k1, k2, k3 = keys_of(_rank_sets_of(holes[i]), _rank_sets_of(boards[i]), tables)
        k0, k1, k2, k3 = k0 >> _SUIT_BITS, k1 >> _SUIT_BITS, k2 >> _SUIT_BITS, k3 >> _SUIT_BITS
        symmetries, run = 1, 1
        for same in (k0 == k1, k1 == k2, k2 == k3):
            run = run + 1 if same else 1
            symmetries *= run
        found[i] = 24 // symmetries
    return found
