"""The hand evaluator: 5 to 7 cards to a rank 1..7462, larger is better.

The idea: every card has a 64-bit key, and the key of a hand is the sum of its cards' keys plus `START`.
Bits 0..15 sum a number per rank for the seven low ranks (2..8), bits 16..31 for the six high ranks (9..A),
chosen so that every multiset of ranks has its own sum; bits 32..47 count the four suits from a bias of
three, so that a nibble's top bit says "five or more". Low multisets are numbered by size, so the low parts
that complete a given high part to 5, 6 or 7 cards are neighbours and `ranks[high_start + low_number]` is a
table without holes (73,775 entries) and without hashing. A flush beats every other thing seven cards can
hold beside it (they cannot hold a full house or quads too), so it is looked up by its 13-bit suit mask.

Entries for other kernels (`tables` comes from `overbet.cards.evaluator.tables()`):

    rank_mask(mask: uint64, tables: EvaluatorTables) -> int32        5 to 7 card bits, any of them
    rank_key(key: uint64, mask: uint64, tables) -> int32             where the caller keeps the sum itself:
        key = START + tables.card_keys[a] + tables.card_keys[b] + ..., mask = the same cards' bits
    rank_batch(cards: [n, k] int8, tables, out: [n] int32)           rank 0 where a card appears twice
    rank_masks(masks: [n] uint64, tables, out: [n] int32)            rank 0 where it is not 5 to 7 cards
    category(rank) -> int                                            0 high card .. 8 straight flush

A card is 4 * rank + suit and its bit in a mask is `1 << card`.
"""

from __future__ import annotations

from typing import NamedTuple

import numba
import numpy as np
import numpy.typing as npt

from overbet.kernels.jit import kernel, lean_inlined, parallel_kernel

U64 = np.uint64

START = U64(0x3333_0000_0000)  # the key of no cards: each suit counts from three
_FLUSH = U64(0x8888_0000_0000)
_HIGH_SHIFT, _LOW_MASK = U64(16), U64(0xFFFF)
_CHUNK_MASK, _CHUNK1, _CHUNK2, _CHUNK3 = U64(0x1FFF), U64(13), U64(26), U64(39)
_SUIT1, _SUIT2, _SUIT3 = U64(1 << 39), U64(1 << 43), U64(1 << 47)
_NIBBLES = U64(0x1_1111_1111_1111)
_GATHER2, _GATHER4 = U64(0x0003_0303_0303_0303), U64(0x000F_000F_000F_000F)
_GATHER8, _GATHER16 = U64(0x0000_00FF_0000_00FF), U64(0x1FFF)
_DECK_END, _ONE, _ZERO = U64(52), U64(1), U64(0)
_POP1, _POP2, _POP4 = U64(0x5555555555555555), U64(0x3333333333333333), U64(0x0F0F0F0F0F0F0F0F)
_POP_SUM, _POP_SHIFT = U64(0x0101010101010101), U64(56)
_S2, _S3, _S4, _S6, _S12, _S24 = U64(2), U64(3), U64(4), U64(6), U64(12), U64(24)

# the last rank of each category below straight flush, from high card up
_LAST_OF = (1277, 4137, 4995, 5853, 5863, 7140, 7296, 7452)


class EvaluatorTables(NamedTuple):
    """What the evaluator looks up.

    card_keys: [52] uint64; chunk_keys: [4, 8192] uint64, the key sum of 13 mask bits at a time;
    low_numbers: [low sums] int16; high_starts: [high sums] int32; ranks: [73775] int16;
    flush_ranks: [8192] int16, by suit mask (0 below five cards).
    """

    card_keys: npt.NDArray[np.uint64]
    chunk_keys: npt.NDArray[np.uint64]
    low_numbers: npt.NDArray[np.int16]
    high_starts: npt.NDArray[np.int32]
    ranks: npt.NDArray[np.int16]
    flush_ranks: npt.NDArray[np.int16]


@lean_inlined
def suit_mask(mask: np.uint64, suit: np.uint64) -> np.uint64:
    """Return the 13 rank bits that `mask` holds in `suit`."""
    bits = (mask >> suit) & _NIBBLES
    bits = (bits | (bits >> _S3)) & _GATHER2
    bits = (bits | (bits >> _S6)) & _GATHER4
    bits = (bits | (bits >> _S12)) & _GATHER8
    return (bits | (bits >> _S24)) & _GATHER16


@lean_inlined
def popcount(mask: np.uint64) -> np.int64:
    """Return the number of set bits."""
    mask = mask - ((mask >> _ONE) & _POP1)
    mask = (mask & _POP2) + ((mask >> _S2) & _POP2)
    mask = (mask + (mask >> _S4)) & _POP4
    return np.int64((mask * _POP_SUM) >> _POP_SHIFT)


@lean_inlined
def mask_key(mask: np.uint64, tables: EvaluatorTables) -> np.uint64:
    """Return `START` plus the keys of the cards in `mask`."""
    chunks = tables.chunk_keys
    key: np.uint64 = START + chunks[0, mask & _CHUNK_MASK] + chunks[1, (mask >> _CHUNK1) & _CHUNK_MASK]
    key += chunks[2, (mask >> _CHUNK2) & _CHUNK_MASK] + chunks[3, mask >> _CHUNK3]
    return key


@lean_inlined
def rank_key(key: np.uint64, mask: np.uint64, tables: EvaluatorTables) -> np.int32:
    """Return the rank of the hand with this key; `mask` is read for flushes only."""
    flush = key & _FLUSH
    if flush != _ZERO:
        suit = U64(flush >= _SUIT1) + U64(flush >= _SUIT2) + U64(flush >= _SUIT3)
        return np.int32(tables.flush_ranks[suit_mask(mask, suit)])
    start = tables.high_starts[(key >> _HIGH_SHIFT) & _LOW_MASK]
    return np.int32(tables.ranks[start + np.int32(tables.low_numbers[key & _LOW_MASK])])


@lean_inlined
def rank_mask(mask: np.uint64, tables: EvaluatorTables) -> np.int32:
    """Return the rank 1..7462 of the 5 to 7 cards in `mask`."""
    return rank_key(mask_key(mask, tables), mask, tables)


@lean_inlined
def category(rank: int) -> int:
    """Return 0 high card, 1 pair, 2 two pair, 3 trips, 4 straight, 5 flush, 6 full house, 7 quads, 8 straight
    flush.
    """
    number = 0
    for last in _LAST_OF:
        number += rank > last
    return number


@lean_inlined
def _rank_row(cards: npt.NDArray[np.int8], row: int, held: int, tables: EvaluatorTables) -> np.int32:
    """Return the rank of one row of `held` cards, or 0 where a card appears twice."""
    key, mask, twice = START, _ZERO, _ZERO
    for column in range(held):
        card = U64(cards[row, column])
        bit = _ONE << card
        twice |= mask & bit
        mask |= bit
        key += tables.card_keys[card]
    if twice != _ZERO:
        return np.int32(0)
    return rank_key(key, mask, tables)


@lean_inlined
def _rank_checked(mask: np.uint64, tables: EvaluatorTables) -> np.int32:
    """Return the rank of a mask, or 0 where it does not hold 5 to 7 cards."""
    held = popcount(mask)
    if mask >> _DECK_END != _ZERO or held < 5 or held > 7:
        return np.int32(0)
    return rank_mask(mask, tables)


@kernel
def rank_batch(cards: npt.NDArray[np.int8], tables: EvaluatorTables, out: npt.NDArray[np.int32]) -> None:
    """Write the rank of every row of cards: [n, 5..7] int8, each 0..51, into out: [n] int32.

    The rank of a row with a card twice is 0. The number of cards is spelled so that the loops unroll.
    """
    if cards.shape[1] == 7:
        for row in range(cards.shape[0]):
            out[row] = _rank_row(cards, row, 7, tables)
    elif cards.shape[1] == 6:
        for row in range(cards.shape[0]):
            out[row] = _rank_row(cards, row, 6, tables)
    else:
        for row in range(cards.shape[0]):
            out[row] = _rank_row(cards, row, 5, tables)


@kernel
def rank_masks(masks: npt.NDArray[np.uint64], tables: EvaluatorTables, out: npt.NDArray[np.int32]) -> None:
    """Write the rank of every mask: [n] uint64 into out: [n] int32; 0 where it does not hold 5 to 7 cards."""
    for row in range(masks.shape[0]):
        out[row] = _rank_checked(masks[row], tables)


@parallel_kernel
def rank_batch_parallel(
    cards: npt.NDArray[np.int8], tables: EvaluatorTables, out: npt.NDArray[np.int32]
) -> None:
    """Do `rank_batch` on all threads."""
    for row in numba.prange(cards.shape[0]):
        out[row] = _rank_row(cards, row, cards.shape[1], tables)


@parallel_kernel
def rank_masks_parallel(
    masks: npt.NDArray[np.uint64], tables: EvaluatorTables, out: npt.NDArray[np.int32]
) -> None:
    """Do `rank_masks` on all threads."""
    for row in numba.prange(masks.shape[0]):
        out[row] = _rank_checked(masks[row], tables)


@kernel
def count_ranks(held: int, tables: EvaluatorTables, first: int, counts: npt.NDArray[np.int64]) -> None:
    """Add the ranks of all hands of `held` cards with highest card `first` to counts: [7463] int64."""
    picked = np.empty(8, np.int64)
    keys, masks = np.empty(8, np.uint64), np.empty(8, np.uint64)
    keys[0] = START + tables.card_keys[first]
    masks[0] = _ONE << U64(first)
    depth, picked[0], picked[1] = 1, first, first
    while depth > 0:
        picked[depth] -= 1
        if picked[depth] < held - 1 - depth:
            depth -= 1
            continue
        card = picked[depth]
        key = keys[depth - 1] + tables.card_keys[card]
        mask = masks[depth - 1] | (_ONE << U64(card))
        if depth == held - 1:
            counts[rank_key(key, mask, tables)] += 1
        else:
            keys[depth], masks[depth] = key, mask
            depth += 1
            picked[depth] = card
