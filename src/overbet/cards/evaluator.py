"""Hand ranks: the strength of 5 to 7 cards as an int 1..7462, larger is better.

There are 7,462 distinguishable poker hands; their number in order of strength is the rank (7-5-4-3-2 of
mixed suits is 1, a royal flush 7462; other people's tables often count the other way: 7463 - rank). The
tables behind the kernel (`overbet.kernels.cards.evaluator`) are built here with numpy on first use, in well
under a second, and stay in the process.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache

import numpy as np
import numpy.typing as npt

from overbet.cards.cards import cards as parse_cards
from overbet.cards.cards import cards_name
from overbet.errors import CardError
from overbet.kernels.cards import evaluator as kernels
from overbet.kernels.cards.evaluator import EvaluatorTables

RANKS_OF_HANDS = 7462
CATEGORIES = (
    "high card",
    "pair",
    "two pair",
    "three of a kind",
    "straight",
    "flush",
    "full house",
    "four of a kind",
    "straight flush",
)

# A number per rank, the smallest of each whose sums tell apart all multisets of up to seven cards with at
# most four of a rank (found by trying numbers upwards).
_SUMMANDS = (1, 5, 24, 112, 521, 2247, 9244)
_LOW, _HIGH = 7, 6  # how many ranks are summed in the low and in the high part


def evaluate(cards: str | Iterable[int]) -> int:
    """Return the rank of 5 to 7 cards, given as text or as card numbers."""
    found = parse_cards(cards)
    if not 5 <= len(found) <= 7:
        raise CardError(f"a hand to rank has 5 to 7 cards; {cards_name(found)!r} has {len(found)}")
    return int(evaluate_batch(np.array([found], np.int8))[0])


def evaluate_batch(hands: npt.ArrayLike, *, parallel: bool = False) -> npt.NDArray[np.int32]:
    """Return the ranks of many hands: [n] int32.

    hands: [n, 5..7] card numbers (int8 is read without a copy), or [n] uint64 masks of 5 to 7 card bits.
    """
    given = np.asarray(hands)
    out = np.zeros(len(given) if given.ndim else 0, np.int32)
    if given.ndim == 1 and given.dtype == np.uint64:
        masks = np.ascontiguousarray(given)
        (kernels.rank_masks_parallel if parallel else kernels.rank_masks)(masks, tables(), out)
        if not out.all():
            row = int(np.argmin(out))
            raise CardError(f"mask {row} does not hold 5 to 7 cards: {int(masks[row]):#x}")
        return out
    if given.ndim != 2 or not 5 <= given.shape[1] <= 7 or not np.issubdtype(given.dtype, np.integer):
        raise CardError(
            f"hands to rank are card numbers of shape [n, 5..7] or uint64 masks of shape [n], "
            f"not {given.dtype} of shape {list(given.shape)}"
        )
    if given.size and not 0 <= int(given.min()) <= int(given.max()) < 52:
        row = int(np.argmax(((given < 0) | (given > 51)).any(1)))
        raise CardError(f"hand {row} has a card outside 0 (2c) to 51 (As): {given[row].tolist()}")
    rows = np.ascontiguousarray(given, np.int8)
    (kernels.rank_batch_parallel if parallel else kernels.rank_batch)(rows, tables(), out)
    if not out.all():
        row = int(np.argmin(out))
        raise CardError(f"hand {row} repeats a card: {cards_name(rows[row].tolist())}")
    return out


def category(rank: int) -> int:
    """Return the category of a rank: 0 high card to 8 straight flush, the index in `CATEGORIES`."""
    if not 1 <= rank <= RANKS_OF_HANDS:
        raise CardError(f"{rank} is not a hand rank; ranks are 1 to {RANKS_OF_HANDS}")
    return int(kernels.category(rank))


def category_name(rank: int) -> str:
    """Return the name of a rank's category, such as `full house`."""
    return CATEGORIES[category(rank)]


@cache
def tables() -> EvaluatorTables:
    """Return the evaluator's tables, built on first use."""
    summands = np.array([*_SUMMANDS, *_SUMMANDS[:_HIGH]], np.uint64)
    shifts = np.array([0] * _LOW + [16] * _HIGH, np.uint64)
    cards = np.arange(52, dtype=np.uint64)
    rank_parts = (summands << shifts)[cards >> np.uint64(2)]
    card_keys = rank_parts + (np.uint64(1) << (np.uint64(32) + np.uint64(4) * (cards & np.uint64(3))))

    chunks = np.arange(8192, dtype=np.uint64)
    chunk_keys = np.zeros((4, 8192), np.uint64)
    for bit in range(13):
        held = (chunks >> np.uint64(bit)) & np.uint64(1)
        for chunk in range(4):
            chunk_keys[chunk] += held * card_keys[13 * chunk + bit]

    low, low_sums = _multisets(_LOW)
    high, high_sums = _multisets(_HIGH)
    low_numbers = np.full(int(low_sums.max()) + 1, -1, np.int16)
    low_numbers[low_sums] = np.arange(len(low))

    # the low parts that complete high part i to 5..7 cards are numbers first[i] .. first[i] + many[i] - 1
    low_sizes, high_sizes = low.sum(1), high.sum(1)
    first = np.searchsorted(low_sizes, 5 - high_sizes, "left")
    many = np.searchsorted(low_sizes, 7 - high_sizes, "right") - first
    starts = np.concatenate(([0], np.cumsum(many)))
    high_starts = np.full(int(high_sums.max()) + 1, -1, np.int32)
    high_starts[high_sums] = starts[:-1] - first

    of_high = np.repeat(np.arange(len(high)), many)
    of_low = np.arange(starts[-1]) - (starts[:-1] - first)[of_high]
    counts = np.concatenate((low[of_low], high[of_high]), axis=1)
    scores = _scores(counts)
    suits = np.arange(8192)
    suited = ((suits[:, None] >> np.arange(13)) & 1).astype(np.int64)
    flush_scores = np.where(suited.sum(1) >= 5, _flush_scores(suited), 0)
    known = np.unique(np.concatenate((scores[counts.sum(1) == 5], flush_scores[suited.sum(1) == 5])))
    ranks = np.searchsorted(known, scores) + 1
    flush_ranks = np.where(flush_scores > 0, np.searchsorted(known, flush_scores) + 1, 0)
    return EvaluatorTables(
        card_keys,
        chunk_keys,
        low_numbers,
        high_starts,
        ranks.astype(np.int16),
        flush_ranks.astype(np.int16),
    )


def _multisets(ranks: int) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
    """Return all counts 0..4 of `ranks` ranks with at most 7 cards, fewest first, and their sums."""
    counts = np.indices((5,) * ranks).reshape(ranks, -1).T
    counts = counts[counts.sum(1) <= 7]
    counts = counts[np.argsort(counts.sum(1), kind="stable")]
    return counts, counts @ np.array(_SUMMANDS[:ranks])


def _scores(counts: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
    """Return a number that orders rank counts: [n, 13] by their best five cards, suits apart.

    category << 21 | first rank << 17 | second rank << 13 | kicker bits.
    """
    bits = 1 << np.arange(13)
    present, pairs = (counts >= 1) @ bits, (counts >= 2) @ bits
    trips, quads = (counts >= 3) @ bits, (counts >= 4) @ bits
    quad, trip, pair = _top(quads), _top(trips), _top(pairs)
    under_trip = _top(pairs & ~_bit(trip))
    second_pair = _top(pairs & ~_bit(pair))
    straight = _straight_top(present)
    return np.select(
        [quad >= 0, (trip >= 0) & (under_trip >= 0), straight >= 0, trip >= 0, second_pair >= 0, pair >= 0],
        [
            7 << 21 | quad << 17 | _highest(present & ~_bit(quad), 1),
            6 << 21 | trip << 17 | under_trip << 13,
            4 << 21 | straight << 17,
            3 << 21 | trip << 17 | _highest(present & ~_bit(trip), 2),
            2 << 21
            | pair << 17
            | second_pair << 13
            | _highest(present & ~_bit(pair) & ~_bit(second_pair), 1),
            1 << 21 | pair << 17 | _highest(present & ~_bit(pair), 3),
        ],
        _highest(present, 5),
    )


def _flush_scores(suited: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
    """Return the scores of the cards of one suit: [n, 13] bits, five or more."""
    present = suited @ (1 << np.arange(13))
    straight = _straight_top(present)
    return np.where(straight >= 0, 8 << 21 | straight << 17, 5 << 21 | _highest(present, 5))


def _bit(rank: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
    return np.where(rank >= 0, 1 << np.maximum(rank, 0), 0)


def _top(bits: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
    """Return the highest set bit's number, or -1."""
    return np.frexp(bits.astype(np.float64))[1].astype(np.int64) - 1


def _highest(bits: npt.NDArray[np.int64], keep: int) -> npt.NDArray[np.int64]:
    """Return the `keep` highest of the at most seven set bits."""
    kept = np.zeros_like(bits)
    for _ in range(keep):
        kept |= _bit(_top(bits & ~kept))
    return kept


def _straight_top(present: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
    """Return the rank that tops the best straight, or -1; the ace also plays below the deuce."""
    wheel = present << 1 | present >> 12
    runs = wheel & wheel >> 1 & wheel >> 2 & wheel >> 3 & wheel >> 4
    return np.where(runs > 0, _top(runs) + 3, -1)
