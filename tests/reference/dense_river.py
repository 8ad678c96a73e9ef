"""CFR on a river as the published experiments computed it, down to the order in which floats are added.

The curves that come with DDCFR (Xu et al., ICLR 2024) were made by the authors' program (`rpSebastian/DDCFR`,
MIT licence): all 1,326 hands in their order, folds and showdowns as float32 products of a [1326, 1326] matrix
of 0 and +-1 with the other player's reach, regrets and values in float32, sums of the average in float64.
Where regrets tie, the last bit of such a product decides what is played, so to find their late rows one has
to add in their order. Written anew from what that program does; nothing is copied from it.

The order is that of OpenBLAS's matrix-vector product (AVX2 and AVX-512 alike): see `product`. Rows are taken
by fours, and a pair of rows that is left over is added differently. On one thread that is the last two of
1,326, and so it was in the published runs of CFR and DCFR. In that of CFR+ no pair was left over, as where
the rows are shared among 6, 10, 22, 36 or 64 threads; which it was, the curve does not tell.

Tables by the line that leads to a decision: regret [hand, action] float32, average [hand, action] float64,
strategy [hand, action] float32 (the very first one float64). Hands a player never holds keep zeros.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
from numba import njit

from overbet.cards.cards import card
from overbet.cards.combos import combo_index
from overbet.cards.evaluator import evaluate_batch
from overbet.tree.spot import Spot
from tests.reference.postflop import FOLD, Point, betting

Floats = npt.NDArray[np.float32]
Doubles = npt.NDArray[np.float64]
Signs = npt.NDArray[np.int8]
Rows = npt.NDArray[np.int64]

HANDS = 1326
NARROW = {
    "CFR": 2,
    "CFR+": 0,
    "DCFR": 2,
}  # the last rows of a product that are added in four lanes, not eight
CARDS = [card(rank + suit) for rank in "23456789TJQKA" for suit in "hdsc"]
PAIRS = [(CARDS[i], CARDS[j]) for i in range(52) for j in range(i + 1, 52)]  # their order of hands
COMBO_OF = np.array([combo_index(*pair) for pair in PAIRS])  # [1326] int64, our number of each of their hands

# Their table that names a card by (rank, suit) is also filled by (suit, rank): six cards are read as others.
MISREAD = {"3h": "2d", "4h": "2s", "4d": "3s", "5h": "2c", "5d": "3c", "5s": "4c"}


def misread(seven: Signs) -> npt.NDArray[np.int32]:
    """Rank hands as their program does where no flush can be. seven: [n, 7] int8, two hole cards first."""
    wrong = {card(there): card(here) for there, here in MISREAD.items()}
    rows = []
    for row in seven.tolist():
        used = row[2:]
        for one in row[:2]:
            read = wrong.get(one, one)
            same_rank = [read, *range(read // 4 * 4, read // 4 * 4 + 4)]
            used.append(next(other for other in same_rank if other not in used))
        rows.append(used)
    return np.asarray(evaluate_batch(np.array(rows, np.int8)), np.int32)


def product(signs: Any, reach: Any, rows: Any, columns: Any, wide: int) -> Any:
    """Return signs @ reach in float32, each sum in the order of their program: [hand, leaf] float32.

    signs: [hand, hand] int8. reach: [hand, leaf] float32. rows, columns: the hands whose sum is wanted, and
    those whose reach may not be 0 (adding a zero changes nothing, so the rest is left out).
    """
    hands, leaves = len(reach), -(-reach.shape[1] // 8) * 8
    padded = np.zeros((hands, leaves), np.float32)  # whole vectors: the rest of one costs as much as three
    padded[:, : reach.shape[1]] = reach
    found = np.zeros((hands, leaves), np.float32)
    lanes = np.zeros((9, leaves), np.float32)  # the ninth: the last two terms
    _add_up(signs, padded, rows, columns, wide, lanes, found)
    return found[:, : reach.shape[1]]


@njit
def _add_up(signs: Any, padded: Any, rows: Any, columns: Any, wide: int, lanes: Any, found: Any) -> None:
    """Fill `found`, with room for sums in `lanes`. Plain loops: numba compiles slices four times as long.

    Of 1326 = 4 + 8 * 165 + 2 terms the first four go into lanes 0 to 3, the next ones by eights into lanes 0
    to 7, and the last two are added up apart. Rows from `wide` on have four lanes only.
    """
    hands, leaves = padded.shape
    most = hands - hands % 4
    for row in rows:
        for place in range(9):
            for leaf in range(leaves):
                lanes[place, leaf] = 0
        for column in columns:
            sign = signs[row, column]
            if sign == 0:
                continue
            if column >= most:
                place = 8
            else:
                place = column % 4 if row >= wide or column < 4 else (column + 4) % 8
            if sign > 0:
                for leaf in range(leaves):
                    lanes[place, leaf] += padded[column, leaf]
            else:
                for leaf in range(leaves):
                    lanes[place, leaf] -= padded[column, leaf]
        for leaf in range(leaves):
            one, two = lanes[0, leaf] + lanes[4, leaf], lanes[1, leaf] + lanes[5, leaf]
            three, four = lanes[2, leaf] + lanes[6, leaf], lanes[3, leaf] + lanes[7, leaf]
            found[row, leaf] = ((one + two) + (three + four)) + lanes[8, leaf]


class DenseRiver:
    """CFR, CFR+ or DCFR on a river spot. Player 0 acts first; player 1 is updated first, as it was there.

    range: [2, 1326] float32, what each player holds at the root, in shares of 1, in their order of hands.
    """

    def __init__(self, spot: Spot, rule: str) -> None:
        self.rule, self.pot, self.big_blind = rule, spot.pot, spot.big_blind
        self.wide = HANDS - NARROW[rule]
        self.iteration = 0
        self.root = betting(spot)
        points = list(self.root.walk())
        self.decisions = [point for point in points if isinstance(point.what, int)]
        leaves = [point for point in points if not isinstance(point.what, int)]
        live = np.array([not set(pair) & set(spot.cards) for pair in PAIRS])
        strength = np.zeros(HANDS, np.int32)
        strength[live] = misread(
            np.array([[*pair, *spot.cards] for pair, on in zip(PAIRS, live) if on], np.int8)
        )
        pairs = np.array(PAIRS)
        shared = (pairs[:, None, :, None] == pairs[None, :, None, :]).any((2, 3))
        apart = live[:, None] & live[None, :] & ~shared
        signs = np.sign(strength[:, None] - strength[None, :]) * apart
        # a matrix and the leaves it values: folds, showdowns
        self.ends = [
            (apart.astype(np.int8), [leaf for leaf in leaves if leaf.what == FOLD]),
            (signs.astype(np.int8), [leaf for leaf in leaves if leaf.what != FOLD]),
        ]
        given = np.stack([spot.range_of(player).weights[COMBO_OF] for player in (0, 1)]).astype(np.float32)
        self.range: Floats = given / given.sum(1, keepdims=True)
        self.held: list[Rows] = [np.flatnonzero(own) for own in self.range]
        self.regret: dict[str, Floats] = {}
        self.average: dict[str, Doubles] = {}
        self.strategy: dict[str, npt.NDArray[Any]] = {}
        for point in self.decisions:
            shape = HANDS, len(point.after)
            self.regret[point.line] = np.zeros(shape, np.float32)
            self.average[point.line] = np.zeros(shape)
            self.strategy[point.line] = np.full(shape, 1 / shape[1])

    def iterate(self) -> None:
        """Update player 1, then player 0."""
        self.iteration += 1
        for me in (1, 0):
            reach = self._reach(self.strategy)
            values = self._values(self.strategy, reach, me, best=False)
            for point in self.decisions:
                if point.what == me:
                    each = np.stack([values[child.line] for child in point.after.values()], 1)
                    self._learn(point.line, each - values[point.line][:, None], reach[point.line][me])

    def _learn(self, line: str, instant: Floats, reach: Floats) -> None:
        """Update the tables of a decision. instant: [hand, action] float32, reach: [hand] float32."""
        t, regret = self.iteration, self.regret[line]
        share = self.strategy[line] * reach[:, None]
        if self.rule == "DCFR":
            power = float(t - 1) ** 1.5
            down = (regret <= 0).astype(np.float32)
            up = np.float32(1) - down
            kept = up * regret * np.float32(power) / np.float32(power + 1) + down * regret / np.float32(2)
            regret = kept + instant
            self.average[line] = self.average[line] * ((t - 1) / t) ** 2 + share
        else:
            regret = regret + instant
            if self.rule == "CFR+":
                regret = np.maximum(regret, 0)
                share = share * share.dtype.type(t)
            self.average[line] = self.average[line] + share
        self.regret[line] = regret
        self.strategy[line] = _normalised(np.maximum(regret, 0)).astype(np.float32)

    def exploitability(self) -> float:
        """Return half of what both could gain by best responses to the averages, in big blinds."""
        played = {line: _normalised(average) for line, average in self.average.items()}
        reach, gain = self._reach(played), 0.0
        for me in (0, 1):
            best, own = (self._values(played, reach, me, best=best)[""] for best in (True, False))
            gain += float((best * self.range[me] - own * self.range[me]).sum())
        return gain / 2 / self.big_blind

    def _reach(self, strategy: dict[str, npt.NDArray[Any]]) -> dict[str, list[Floats]]:
        """Return both players' reach at every point: by line, two of [hand] float32."""
        found = {"": [self.range[0], self.range[1]]}
        for point in self.decisions:  # parents come before their children
            assert isinstance(point.what, int)
            for action, child in enumerate(point.after.values()):
                after = list(found[point.line])
                after[point.what] = (strategy[point.line][:, action] * after[point.what]).astype(np.float32)
                found[child.line] = after
        return found

    def _values(
        self, strategy: dict[str, npt.NDArray[Any]], reach: dict[str, list[Floats]], me: int, best: bool
    ) -> dict[str, Floats]:
        """Return the values of `me` at every point, by its strategy or by best response: [hand] float32."""
        found: dict[str, Floats] = {}
        for signs, leaves in self.ends:
            other = np.stack([reach[leaf.line][1 - me] for leaf in leaves], 1)
            sums = product(signs, other, self.held[me], self.held[1 - me], self.wide)
            for leaf, one in zip(leaves, sums.T):
                won = -one if leaf.folder == me else one
                found[leaf.line] = won * np.float32(self.pot + 2 * min(leaf.put)) / np.float32(2)
        self._value(self.root, strategy, me, best, found)
        return found

    def _value(
        self,
        point: Point,
        strategy: dict[str, npt.NDArray[Any]],
        me: int,
        best: bool,
        found: dict[str, Floats],
    ) -> Floats:
        if not isinstance(point.what, int):
            return found[point.line]
        each = np.stack([self._value(child, strategy, me, best, found) for child in point.after.values()])
        if point.what != me:
            value = each.sum(0)
        else:
            value = each.max(0) if best else (strategy[point.line].T * each).sum(0)
        found[point.line] = value.astype(np.float32)
        return found[point.line]


def _normalised(weights: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """Return [hand, action] weights as shares of 1, all alike where there are none."""
    total = weights.sum(1, keepdims=True)
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.where(total > 0, weights / total, weights.dtype.type(1 / weights.shape[1]))
