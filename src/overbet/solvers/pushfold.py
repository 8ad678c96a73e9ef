"""Heads-up push or fold, solved: both charts, their values, and what a best response would gain.

The game is a matrix game over 169 + 169 decisions (`games.pushfold`), so an iteration of CFR is two
matrix-vector products and an exact best response is a maximum a hand. A rule of `solvers.rules` (PDCFR+
unless told otherwise) settles nearly every class on all or nothing within some hundred iterations, and
`solvers.support` finishes the few that mix exactly. Where it cannot yet, the rule goes on.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from overbet.cards.combos import CLASSES, class_name, combos_of_class
from overbet.cards.grid import Grid, grid_html
from overbet.cards.range import Range
from overbet.errors import ConfigError
from overbet.games.pushfold import PushFoldGame
from overbet.kernels.tabular.pushfold import PushFoldPayoffs, PushFoldTables, iterate_pushfold
from overbet.solvers.rules import Rule, make_rule
from overbet.solvers.support import finish_exactly

if TYPE_CHECKING:
    import polars

Floats = npt.NDArray[np.float64]
Progress = Callable[[int, float], None]

TOLERANCE_BB = 1e-12
MAX_ITERATIONS = 200_000
_CHUNK = 250  # iterations before the first look at the exploitability; twice as many before each next


@dataclass(frozen=True, eq=False)
class PushFold:
    """An equilibrium of push or fold; arrays are [169] float64 in grid order, amounts in big blinds."""

    game: PushFoldGame
    push: Floats  # how often the small blind pushes each class
    call: Floats  # how often the big blind calls a push with each class
    push_ev_bb: Floats  # what the small blind gets for pushing each class
    call_ev_bb: Floats  # what the big blind gets for calling with each class, once pushed into
    value_bb: float  # what the small blind gets a hand; the big blind gets the opposite
    exploitability_bb: float  # mean of what the two best responses gain; never negative
    iterations: int

    @property
    def fold_ev_bb(self) -> tuple[float, float]:
        """What small and big blind get for folding."""
        return self.game.small_blind_fold_bb, self.game.big_blind_fold_bb

    @property
    def push_range(self) -> Range:
        """The small blind's pushes."""
        return Range.from_classes(self.push)

    @property
    def call_range(self) -> Range:
        """The big blind's calls."""
        return Range.from_classes(self.call)

    @property
    def push_share(self) -> float:
        """The part of all 1,326 combos that is pushed."""
        return _share(self.push)

    @property
    def call_share(self) -> float:
        """The part of all 1,326 combos that calls."""
        return _share(self.call)

    def grids(self) -> list[Grid]:
        """Return the two charts."""
        push = np.stack([1.0 - self.push, self.push], axis=1)
        call = np.stack([1.0 - self.call, self.call], axis=1)
        return [
            Grid(("fold", "push"), push, title=f"Small blind pushes {self.push_share:.1%}"),
            Grid(("fold", "call"), call, title=f"Big blind calls {self.call_share:.1%}"),
        ]

    def to_polars(self) -> polars.DataFrame:
        """Return one row a class: frequencies, and the EV of each choice in big blinds."""
        import polars

        small, big = self.fold_ev_bb
        return polars.DataFrame(
            {
                "hand": [class_name(index) for index in range(CLASSES)],
                "combos": _sizes().astype(np.int64),
                "push": self.push,
                "push_ev_bb": self.push_ev_bb,
                "sb_fold_ev_bb": np.full(CLASSES, small),
                "call": self.call,
                "call_ev_bb": self.call_ev_bb,
                "bb_fold_ev_bb": np.full(CLASSES, big),
            }
        )

    def summary(self) -> str:
        """Return the value and the exploitability in one line."""
        ante = f", ante {self.game.ante_bb:g} bb each" if self.game.ante_bb else ""
        return (
            f"stack {self.game.stack_bb:g} bb{ante}: the small blind's value is {self.value_bb:+.5f} bb "
            f"a hand (exploitability {self.exploitability_bb:.1e} bb)"
        )

    def __repr__(self) -> str:
        return f"PushFold({self.summary()})"

    def _repr_html_(self) -> str:
        return "".join(grid_html(grid) for grid in self.grids()) + f"<div>{self.summary()}</div>"


def solve_pushfold(
    stack_bb: float,
    ante_bb: float = 0.0,
    *,
    rule: Rule | str = "pdcfr+",
    tolerance_bb: float = TOLERANCE_BB,
    max_iterations: int = MAX_ITERATIONS,
    progress: Progress | None = None,
) -> PushFold:
    """Solve push or fold at a stack (before posting) and an ante that each player posts, in big blinds.

    Stops when the exploitability is at most `tolerance_bb`, or after `max_iterations`; the result says how
    far it got. `progress` is called with the iterations done and the exploitability.
    """
    game = PushFoldGame(float(stack_bb), float(ante_bb))
    chosen = make_rule(rule) if isinstance(rule, str) else rule
    if not tolerance_bb >= 0 or max_iterations < 1:
        raise ConfigError("the tolerance must not be negative and the number of iterations at least 1")
    payoffs = PushFoldPayoffs(game.gain, game.matrix, np.ascontiguousarray(game.matrix.T))
    tables = PushFoldTables(np.zeros((2, CLASSES, 2)), np.zeros((2, CLASSES, 2)), np.full((2, CLASSES), 0.5))
    done = 0
    while True:
        count = min(max(_CHUNK, done), max_iterations - done)
        iterate_pushfold(payoffs, chosen.steps(done + 1, count), tables)
        done += count
        average = tables.average[:, :, 1] / tables.average.sum(2)
        found = _evaluate(game, average[0], average[1], done)
        exact = finish_exactly(game.gain, game.matrix, average[0], average[1], tolerance_bb)
        if exact is not None:
            found = _evaluate(game, exact[0], exact[1], done)
        if progress is not None:
            progress(done, found.exploitability_bb)
        if found.exploitability_bb <= tolerance_bb or done >= max_iterations:
            return found


def evaluate_pushfold(game: PushFoldGame, push: npt.ArrayLike, call: npt.ArrayLike) -> PushFold:
    """Return the values of any two charts, [169] in 0..1, with the exact gain of best responses to them."""
    charts = [np.asarray(chart, np.float64) for chart in (push, call)]
    for chart in charts:
        if chart.shape != (CLASSES,) or not ((chart >= 0) & (chart <= 1)).all():
            raise ConfigError(f"a chart is {CLASSES} frequencies from 0 to 1, one for each class")
    return _evaluate(game, charts[0], charts[1], 0)


def _evaluate(game: PushFoldGame, push: Floats, call: Floats, iterations: int) -> PushFold:
    """Work out everything about two charts. This shares no code with the iterations."""
    deals, small, big = game.deals, game.small_blind_fold_bb, game.big_blind_fold_bb
    dealt = deals.sum(1)
    pushed = (deals * ((1.0 - call) * -big + call * game.called_bb)).sum(1)  # [169], times the deal
    against = push @ deals  # [169] how often each class of the big blind is pushed into
    called = -(push @ (deals * game.called_bb))  # [169], times the deal
    value = float(((1.0 - push) * dealt * small + push * pushed).sum())
    small_best = float(np.maximum(dealt * small, pushed).sum())
    unpushed = float(((1.0 - push) * dealt).sum())
    big_best = unpushed * -small + float(np.maximum(against * big, called).sum())
    # Both gains are sums of terms that are not negative; rounding may leave -1e-17.
    gain = max(small_best - value, 0.0) + max(big_best + value, 0.0)
    nowhere = np.full(CLASSES, np.nan)
    return PushFold(
        game=game,
        push=push,
        call=call,
        push_ev_bb=pushed / dealt,
        call_ev_bb=np.divide(called, against, out=nowhere, where=against > 0),
        value_bb=value,
        exploitability_bb=gain / 2.0,
        iterations=iterations,
    )


def _sizes() -> Floats:
    return np.array([len(combos_of_class(index)) for index in range(CLASSES)], np.float64)


def _share(chart: Floats) -> float:
    return float(chart @ _sizes() / _sizes().sum())
