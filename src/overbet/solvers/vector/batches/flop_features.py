"""What a flop is to ranges: the numbers by which flops are compared when a few must stand for all.

For pairs of ranges that meet in practice (an opener and the big blind, three-bets and calls, blind against
blind) each flop is described by the equities of both players' hands: the mean, and how much of either range
is far behind, behind, even, ahead, far ahead; and, so that ranges of any shape are served, by the equity of
each of the 169 classes against a few of them. They are exact: every hand against every opponent over all
1,176 run-outs, sixteen opponents in one sweep (`kernels.cards.range_equity`). What equity does not tell, the
texture adds: suits, pairs, ranks, straights.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from math import comb
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from overbet import machine
from overbet.cards.combos import (
    CLASSES,
    COMBOS,
    class_of_combos,
    combo_masks,
    combo_table,
    live_combos,
)
from overbet.cards.equity_engines import hands_of
from overbet.cards.evaluator import tables
from overbet.cards.isomorphism import canonical_boards
from overbet.cards.range import Range
from overbet.kernels.cards.equity import complete_boards
from overbet.kernels.cards.range_equity import RANGES, add_shares

Doubles = npt.NDArray[np.float64]
Progress = Callable[[int, int], None]

_RUNOUTS = comb(45, 2)  # of two given hands and a flop
EDGES = (0.2, 0.4, 0.6, 0.8)  # between far behind, behind, even, ahead, far ahead

# typical ranges, 100 big blinds deep, six-handed unless named otherwise; written for this purpose
TYPICAL = {
    "under the gun": "66+,A3s+,K9s+,QTs+,JTs,T9s,98s,ATo+,KJo+",
    "cutoff": "33+,A2s+,K6s+,Q8s+,J8s+,T8s+,97s+,87s,76s,A9o+,KTo+,QTo+,JTo",
    "button": "22+,A2s+,K2s+,Q4s+,J6s+,T6s+,96s+,85s+,75s+,64s+,54s,A4o+,K9o+,Q9o+,J9o+,T9o",
    "big blind against under the gun": (
        "JJ-22,AQs-A2s,K9s+,Q9s+,J9s+,T8s+,97s+,86s+,76s,65s,54s,AQo-AJo,KQo"
    ),
    "big blind against the button": (
        "99-22,AJs-A2s,K2s+,Q3s+,J5s+,T6s+,96s+,85s+,74s+,64s+,53s+,43s,AJo-A2o,K8o+,Q9o+,J9o+,T8o+,98o"
    ),
    "small blind": "22+,A2s+,K2s+,Q3s+,J5s+,T6s+,96s+,85s+,75s+,64s+,54s,A2o+,K7o+,Q9o+,J9o+,T9o",
    "big blind against the small blind": (
        "88-22,A9s-A2s,KJs-K2s,QTs-Q2s,J9s-J4s,T9s-T5s,97s-95s,86s-84s,75s-74s,64s-63s,53s-52s,43s,"
        "A9o-A2o,KTo-K4o,QTo-Q6o,J7o+,T7o+,97o+,87o,76o"
    ),
    "three-bet": "TT+,AQs+,A5s-A4s,KQs,K9s:0.5,QJs:0.5,76s:0.5,AKo,AQo:0.5",
    "call of a three-bet": "TT-66,AQs-ATs,KTs+,QTs+,JTs,T9s,98s,87s,AQo:0.5,JJ:0.6,AKs:0.2",
    "any two": "any",
}

# never used in the choice of flops: what the choice is measured by
HELD_OUT = {
    "tight heads-up opener": "22+,A2s+,K5s+,Q7s+,J8s+,T8s+,97s+,86s+,75s+,65s,A2o+,K8o+,Q9o+,JTo",
    "wide heads-up defender": (
        "88-22,A8s-A2s,K9s-K2s,Q9s-Q2s,J2s+,T3s+,94s+,84s+,73s+,63s+,52s+,42s+,32s,"
        "A9o-A2o,KTo-K2o,QTo-Q4o,J6o+,T6o+,96o+,86o+,75o+,65o,54o"
    ),
    "squeeze": "99+,AJs+,KQs,A5s,AQo+",
    "cold call": "JJ-22,AQs-ATs,KJs+,QTs+,JTs,T9s,98s,87s,76s,65s,AQo:0.5,KQo:0.3",
    "limp": "66-22,A9s-A2s,K9s-K6s,Q9s-Q8s,J9s-J8s,T8s,97s,86s,75s,64s,54s,A9o-A5o,KTo-K9o,QTo,JTo",
    "four-bet": "QQ+,AKs,AKo:0.7,A5s:0.6,JJ:0.3",
}

PAIRS = (
    ("under the gun", "big blind against under the gun"),
    ("cutoff", "big blind against the button"),
    ("button", "big blind against the button"),
    ("small blind", "big blind against the small blind"),
    ("three-bet", "call of a three-bet"),
    ("three-bet", "button"),
    ("under the gun", "call of a three-bet"),
    ("any two", "button"),
)
CLASS_OPPONENTS = ("button", "big blind against the button", "three-bet", "any two")
HELD_OUT_PAIRS = (
    ("tight heads-up opener", "wide heads-up defender"),
    ("squeeze", "cold call"),
    ("cold call", "limp"),
    ("four-bet", "squeeze"),
    ("limp", "wide heads-up defender"),
    ("tight heads-up opener", "limp"),
)


class FlopEquities(NamedTuple):
    """All flops up to suits, F = 1,755 of them, and the equity of all hands against the ranges, R of them.

    boards: [F, 3] int8. weights: [F] float64, shares of all 22,100 flops, sum 1. ranges: names. held:
    [R, 1326] float64, weights of the ranges. equity: [F, 1326, R] float32, NaN for hands the flop holds or
    that leave an opponent nothing.
    """

    boards: npt.NDArray[np.int8]
    weights: Doubles
    ranges: tuple[str, ...]
    held: Doubles
    equity: npt.NDArray[np.float32]


def flop_equities(progress: Progress | None = None, threads: int = 0) -> FlopEquities:
    """Compute all equities: about four minutes of one core."""
    named = TYPICAL | HELD_OUT
    assert len(named) <= RANGES
    held = np.stack([Range.parse(text).weights.astype(np.float64) for text in named.values()])
    boards, counts = canonical_boards(3)
    equity = np.full((len(boards), COMBOS, len(named)), np.nan, np.float32)

    def one(number: int) -> None:
        equity[number] = equities_on(boards[number], held)

    with ThreadPoolExecutor(threads or machine.core_count()) as pool:
        for done, _ in enumerate(pool.map(one, range(len(boards)))):
            if progress is not None:
                progress(done + 1, len(boards))
    shares = counts / counts.sum(dtype=np.float64)
    return FlopEquities(boards, shares, tuple(named), held, equity)


def equities_on(flop: npt.NDArray[np.int8], held: Doubles) -> npt.NDArray[np.float32]:
    """Return every hand's equity against ranges on one flop: [1326, R] float32. held: [R, 1326] float64."""
    deck = np.array([card for card in range(52) if card not in flop], np.int8)
    live = live_combos(flop.tolist())
    combos = np.flatnonzero(live)
    weights = np.zeros((len(combos), RANGES), np.float32)
    weights[:, : len(held)] = held[:, combos].T
    won = np.zeros((len(combos), RANGES))
    hands, evaluator = hands_of(combos), tables()
    for outer in range(1, len(deck)):
        add_shares(complete_boards(flop, deck, outer, evaluator), hands, weights, evaluator, won)
    met = _met(np.where(live, held, 0.0))[:, combos].T
    found = np.full((COMBOS, len(held)), np.nan, np.float32)
    found[combos] = won[:, : len(held)] / np.where(met > 1e-9, met * _RUNOUTS, np.nan)
    return found


def _met(held: Doubles) -> Doubles:
    """Return the weight of each range that shares no card with each combo: [R, 1326]."""
    cards = combo_table()
    by_card = np.zeros((len(held), 52))
    for place in (0, 1):
        np.add.at(by_card.T, cards[:, place], held.T)
    total = held.sum(1, keepdims=True)
    met: Doubles = total - by_card[:, cards[:, 0]] - by_card[:, cards[:, 1]] + held
    return met


def pair_features(data: FlopEquities, pairs: Sequence[tuple[str, str]]) -> Doubles:
    """Return what pairs of ranges are on every flop: [F, pairs, 11] float64.

    For each pair: the first range's equity, then the shares of its hands and of the other's in the five bands
    of `EDGES`. Hands are weighted by how often they are dealt against the other range.
    """
    place = {name: number for number, name in enumerate(data.ranges)}
    found = np.zeros((len(data.boards), len(pairs), 1 + 2 * (len(EDGES) + 1)))
    masks = combo_masks()
    for flop, cards in enumerate(data.boards.tolist()):
        gone = np.uint64(sum(1 << card for card in cards))
        held = np.where((masks & gone) == 0, data.held, 0.0)
        met = _met(held)
        for number, pair in enumerate(pairs):
            first, second = place[pair[0]], place[pair[1]]
            row = []
            for own, other in ((first, second), (second, first)):
                dealt = held[own] * met[other]
                dealt /= dealt.sum()
                equity = np.nan_to_num(data.equity[flop, :, other].astype(np.float64))
                if own == first:
                    row.append(float(dealt @ equity))
                band = np.searchsorted(EDGES, equity)
                row += np.bincount(band, dealt, len(EDGES) + 1).tolist()
            found[flop, number] = row
    return found


def class_features(data: FlopEquities) -> Doubles:
    """Return every class's equity against `CLASS_OPPONENTS` on every flop: [F, 169 * opponents] float64.

    A class the flop leaves no combo of gets its mean over the other flops.
    """
    classes = class_of_combos()
    found = []
    for name in CLASS_OPPONENTS:
        equity = data.equity[:, :, data.ranges.index(name)].astype(np.float64)
        known = np.isfinite(equity)
        sums, counts = np.zeros((2, len(equity), CLASSES))
        np.add.at(sums.T, classes, np.where(known, equity, 0.0).T)
        np.add.at(counts.T, classes, known.T)
        mean = sums / np.maximum(counts, 1)
        over_flops = data.weights @ mean / (data.weights @ (counts > 0))
        found.append(np.where(counts > 0, mean, over_flops))
    return np.concatenate(found, axis=1)


def textures(boards: npt.NDArray[np.int8]) -> Doubles:
    """Return the look of every flop: [F, 51] float64.

    One column for each: three suits, two, one; no pair, a pair, three of a kind; the highest rank (13); ranks
    by their mean and lowest; straights that two cards more can make; cards next to each other; broadways and
    low cards; how often each rank is there (13), and whether it is (13).
    """
    ranks = np.sort(boards >> 2, axis=1)[:, ::-1].astype(np.int64)
    suits = boards & 3
    number_of_suits = np.array([len(set(row)) for row in suits.tolist()])
    number_of_ranks = np.array([len(set(row)) for row in ranks.tolist()])
    columns = [number_of_suits == n for n in (3, 2, 1)] + [number_of_ranks == n for n in (3, 2, 1)]
    columns += [ranks[:, 0] == rank for rank in range(13)]
    straights = np.zeros(len(boards))
    for low in range(-1, 9):  # -1: the wheel
        window = {rank % 13 for rank in range(low, low + 5)}
        straights += [len(window & set(row)) == 3 for row in ranks.tolist()]
    near = [sum(abs(a - b) == 1 for a, b in zip(sorted(set(r)), sorted(set(r))[1:])) for r in ranks.tolist()]
    columns += [
        ranks.mean(1),
        ranks[:, 2],
        straights,
        np.array(near),
        (ranks >= 8).sum(1),
        (ranks <= 4).sum(1),
    ]
    columns += [(ranks == rank).sum(1) for rank in range(13)] + [(ranks == rank).any(1) for rank in range(13)]
    return np.stack([np.asarray(column, np.float64) for column in columns], axis=1)
