"""Exact preflop equities: every hand against every other over all 1,712,304 boards, shipped as counts.

Renaming the suits changes nothing before the flop, so the 1,326 x 1,225 ordered match-ups fall into 93,769
kinds, and into 47,008 when the two hands may change places. The package holds the wins and ties of those
as exact integers (built by `overbet preflop-table`, see `preflop_build`); the 1,326 x 1,326 and 169 x 169
tables are read off them. Nothing here samples or rounds before the last division.
"""

from __future__ import annotations

import itertools
from functools import cache
from importlib import resources
from pathlib import Path
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from overbet.cards.combos import CLASSES, COMBOS, class_of_combos, combo, combo_masks, combo_table
from overbet.errors import ArtefactError, CardError

BOARDS = 1_712_304  # boards of five from the 48 cards that two hands leave
MATCHUPS = 47_008  # kinds of two hands, suits renamed and places exchanged
_FILE = "preflop.npz"


class Matchup(NamedTuple):
    """The boards on which the first hand wins, ties and loses; they add up to 1,712,304."""

    wins: int
    ties: int
    losses: int

    @property
    def equity(self) -> float:
        """The first hand's share of the pot, ties split."""
        return (self.wins + self.ties / 2) / BOARDS


class Matchups(NamedTuple):
    """Counts of boards for combo against combo: wins, ties: [1326, 1326] int32, zero where they conflict."""

    wins: npt.NDArray[np.int32]
    ties: npt.NDArray[np.int32]


class Kinds(NamedTuple):
    """Which kind of match-up two hands are.

    of_class: [169, 1326] int32, the kind of a class's first combo against a combo, -1 where they conflict;
    exchanged: [169, 1326] bool, whether the kind counts the second hand's wins;
    first, second: [47008] int16, the combos that stand for each kind.
    """

    of_class: npt.NDArray[np.int32]
    exchanged: npt.NDArray[np.bool_]
    first: npt.NDArray[np.int16]
    second: npt.NDArray[np.int16]


def matchup(first: str | int, second: str | int) -> Matchup:
    """Return the exact counts of one combo against another, such as `matchup("AhKh", "QsQd")`."""
    row, column = (combo(hand) if isinstance(hand, str) else hand for hand in (first, second))
    for index in (row, column):
        if not 0 <= index < COMBOS:
            raise CardError(f"{index} is not a combo; combos are 0 to {COMBOS - 1}")
    masks = combo_masks()
    if masks[row] & masks[column]:
        raise CardError(f"the hands {first} and {second} share a card")
    wins, ties = (int(table[row, column]) for table in matchups())
    return Matchup(wins, ties, BOARDS - wins - ties)


def equity_169() -> npt.NDArray[np.float64]:
    """Return the equity of row class against column class: [169, 169] float64, in grid order; read only.

    It is the mean over the pairs of combos that share no card; ties count half.
    """
    return _class_equity()


def pair_counts_169() -> npt.NDArray[np.int64]:
    """Return the number of pairs of combos of two classes that share no card: [169, 169] int64."""
    return _class_sums().pairs


def wins_169() -> npt.NDArray[np.int64]:
    """Return the boards won by the row class, summed over the pairs: [169, 169] int64."""
    return _class_sums().wins


def ties_169() -> npt.NDArray[np.int64]:
    """Return the boards tied, summed over the pairs: [169, 169] int64."""
    return _class_sums().ties


def hand_equities(weights: npt.ArrayLike) -> npt.NDArray[np.float64]:
    """Return every combo's equity against a range: [1326] float64, NaN where the range is blocked out.

    weights: [1326] float; how often the opponent holds each combo.
    """
    opponent = np.asarray(weights, np.float64)
    held = np.flatnonzero(opponent)
    table = matchups()
    won = (table.wins[:, held] + 0.5 * table.ties[:, held]) @ opponent[held]
    equities = np.full(COMBOS, np.nan)
    np.divide(won, BOARDS * unblocked(opponent), out=equities, where=leaves_some(opponent))
    return equities


def range_counts(first: npt.ArrayLike, second: npt.ArrayLike) -> tuple[float, float, float]:
    """Return the weight of boards won and tied by `first`, and of all, for two ranges: [1326] float each."""
    own, opponent = np.asarray(first, np.float64), np.asarray(second, np.float64)
    rows, columns = np.flatnonzero(own), np.flatnonzero(opponent)
    table, here = matchups(), np.ix_(rows, columns)
    won = own[rows] @ table.wins[here] @ opponent[columns]
    tied = own[rows] @ table.ties[here] @ opponent[columns]
    pairs = float(own[rows] @ unblocked(opponent)[rows]) if leaves_some(opponent)[rows].any() else 0.0
    return float(won), float(tied), pairs * BOARDS


@cache
def matchups() -> Matchups:
    """Return the counts of every combo against every combo; read only."""
    renamed = renamed_combos()
    by_class = _class_rows()
    classes = class_of_combos()
    # a renaming that takes each combo to the first of its class, and with it every opponent
    to_first = np.argmax(renamed == _first_combos()[classes], axis=0)
    opponents = renamed[to_first]
    tables = Matchups(*(table[classes[:, None], opponents] for table in by_class))
    for table in tables:
        table.setflags(write=False)
    return tables


class _ClassSums(NamedTuple):
    wins: npt.NDArray[np.int64]
    ties: npt.NDArray[np.int64]
    pairs: npt.NDArray[np.int64]


@cache
def _class_sums() -> _ClassSums:
    classes = class_of_combos()
    sizes = np.bincount(classes, minlength=CLASSES)
    order = np.argsort(classes, kind="stable")
    starts = np.concatenate(([0], np.cumsum(sizes)[:-1]))

    def summed(table: npt.NDArray[np.int32]) -> npt.NDArray[np.int64]:
        by_class = np.add.reduceat(table[:, order].astype(np.int64), starts, axis=1)
        total: npt.NDArray[np.int64] = by_class * sizes[:, None]
        total.setflags(write=False)
        return total

    rows = _class_rows()
    disjoint = (kinds().of_class >= 0).astype(np.int32)
    return _ClassSums(summed(rows.wins), summed(rows.ties), summed(disjoint))


@cache
def _class_equity() -> npt.NDArray[np.float64]:
    sums = _class_sums()
    table: npt.NDArray[np.float64] = (sums.wins + sums.ties / 2) / (sums.pairs * float(BOARDS))
    table.setflags(write=False)
    return table


@cache
def _class_rows() -> Matchups:
    """Return the counts of each class's first combo against every combo: [169, 1326] int32 each."""
    wins, ties = shipped_counts()
    of = kinds()
    kind = np.maximum(of.of_class, 0)
    won = np.where(of.exchanged, BOARDS - wins[kind] - ties[kind], wins[kind])
    conflict = of.of_class < 0
    won[conflict] = 0
    return Matchups(won.astype(np.int32), np.where(conflict, 0, ties[kind]).astype(np.int32))


def read_counts(path: Path) -> tuple[npt.NDArray[np.int32], npt.NDArray[np.int32]]:
    """Return the wins and ties of every kind from a file of `overbet preflop-table`: [47008] int32 each."""
    try:
        with np.load(path, allow_pickle=False) as stored:
            wins, ties = stored["wins"], stored["ties"]
    except Exception as error:  # a damaged array can make numpy's reader raise anything
        raise ArtefactError(
            f"the preflop table {path} cannot be read; write it anew with: overbet preflop-table --out {path}"
        ) from error
    whole = wins.dtype.kind == ties.dtype.kind == "i" and wins.shape == ties.shape == (MATCHUPS,)
    if not whole or min(wins.min(), ties.min()) < 0 or (wins.astype(np.int64) + ties).max() > BOARDS:
        raise ArtefactError(f"{path} is not a preflop table of {MATCHUPS} match-ups")
    return wins.astype(np.int32), ties.astype(np.int32)


@cache
def shipped_counts() -> tuple[npt.NDArray[np.int32], npt.NDArray[np.int32]]:
    """Return the wins and ties of every kind that the package holds: [47008] int32 each."""
    with resources.as_file(resources.files("overbet.cards") / "data" / _FILE) as path:
        return read_counts(path)


@cache
def kinds() -> Kinds:
    """Return the kinds of match-ups, numbered by the smallest `1326 * first + second` among the alike."""
    renamed = renamed_combos().astype(np.int32)
    firsts = renamed[:, _first_combos()]
    straight = np.full((CLASSES, COMBOS), COMBOS * COMBOS, np.int32)
    exchanged = straight.copy()
    for own, others in zip(firsts, renamed):
        np.minimum(straight, COMBOS * own[:, None] + others, out=straight)
        np.minimum(exchanged, COMBOS * others + own[:, None], out=exchanged)
    masks = combo_masks()
    disjoint = (masks[_first_combos()][:, None] & masks) == 0
    smallest = np.minimum(straight, exchanged)
    numbers, inverse = np.unique(smallest[disjoint], return_inverse=True)
    of_class = np.full((CLASSES, COMBOS), -1, np.int32)
    of_class[disjoint] = inverse
    first, second = np.divmod(numbers, COMBOS)
    return Kinds(of_class, exchanged < straight, first.astype(np.int16), second.astype(np.int16))


@cache
def renamings() -> npt.NDArray[np.int8]:
    """Return the card that each card becomes under each renaming of the suits: [24, 52] int8."""
    suits = np.array(list(itertools.permutations(range(4))), np.int8)
    cards = np.arange(52, dtype=np.int8)
    return (cards & ~np.int8(3)) | suits[:, cards & 3]


@cache
def renamed_combos() -> npt.NDArray[np.int16]:
    """Return the combo that each combo becomes under each renaming: [24, 1326] int16."""
    cards = renamings()[:, combo_table()].astype(np.int16)
    high, low = cards.max(2), cards.min(2)
    combos: npt.NDArray[np.int16] = high * (high - 1) // 2 + low
    return combos


@cache
def _first_combos() -> npt.NDArray[np.int16]:
    """Return the first combo of each class: [169] int16."""
    return np.unique(class_of_combos(), return_index=True)[1].astype(np.int16)


def unblocked(weights: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """Return the weight of a range that shares no card with each combo: [1326] float64."""
    cards = combo_table()
    by_card = np.bincount(cards[:, 0], weights, 52) + np.bincount(cards[:, 1], weights, 52)
    total: npt.NDArray[np.float64] = weights.sum() - by_card[cards[:, 0]] - by_card[cards[:, 1]] + weights
    return total


def leaves_some(weights: npt.NDArray[np.float64]) -> npt.NDArray[np.bool_]:
    """Return which combos leave a range a hand to hold: [1326] bool; counted, so that nothing is rounded."""
    return unblocked((weights > 0).astype(np.float64)) > 0.5
