"""Counterfactual regret minimisation on a whole small game, exactly: any rule, any number of players.

    solver = TabularSolver("leduc", "dcfr")
    solver.run(1000)
    solver.exploitability()     # NashConv / number of players

Strategies are [slot] float64 arrays over the slots of `solver.flat` (see `overbet.tree.flat`). With three
or more players, or with payoffs that do not sum to zero, no equilibrium is promised: NashConv then says how
far the average is from one, and it need not go to zero.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

import numpy as np
import numpy.typing as npt

from overbet.errors import ConfigError, RulesError
from overbet.games.protocol import Game
from overbet.games.registry import make_game
from overbet.kernels.tabular.best_response import ResponseWork, best_responses
from overbet.kernels.tabular.cfr import CfrTables, iterate
from overbet.solvers.rules import Rule, make_rule
from overbet.tree.flat import FlatGame, flatten
from overbet.tree.passes import build_passes

if TYPE_CHECKING:
    from overbet.solvers.policy import TabularPolicy

Floats = npt.NDArray[np.float64]
Progress = Callable[[int], None]
Updates = Literal["alternating", "simultaneous"]
_CHUNK_SECONDS = 0.05  # between two looks at the clock: Ctrl-C and the progress bar wait no longer


@dataclass(frozen=True, eq=False)
class TabularBestResponse:
    """What best responses to a strategy earn.

    values: [player] float64, what each player wins when all keep to the strategy
    gains: [player] float64, how much more a best response wins; never negative
    strategy: [slot] float64, the best responses themselves, pure
    """

    values: Floats
    gains: Floats
    strategy: Floats

    @property
    def nash_conv(self) -> float:
        """The sum of the players' gains: 0 at a Nash equilibrium, positive elsewhere."""
        return float(self.gains.sum())

    @property
    def exploitability(self) -> float:
        """NashConv divided by the number of players."""
        return self.nash_conv / len(self.gains)


def best_response(flat: FlatGame, strategy: Floats) -> TabularBestResponse:
    """Return exact best responses of every player to `strategy: [slot] float64`."""
    if not flat.perfect_recall:
        raise RulesError(f"{flat.name} has imperfect recall, and an exact best response needs perfect recall")
    if strategy.shape != (flat.num_slots,):
        raise ConfigError(f"a strategy of {flat.name} has {flat.num_slots} entries, not {strategy.shape}")
    nodes, slots, players = flat.num_nodes, flat.num_slots, flat.num_players
    work = ResponseWork(
        reach=np.empty(nodes),
        worth=np.empty(nodes),
        action=np.empty(slots),
        gain=np.empty(slots),
        response=np.empty(slots),
        values=np.empty(players),
        gains=np.empty(players),
    )
    own = np.require(strategy, np.float64, ["C", "W"])  # a frozen array is another type, compiled once more
    best_responses(flat.tree, own, work)
    return TabularBestResponse(work.values, work.gains, work.response)


def checked_updates(text: str) -> Updates:
    """Return `text` if it names an order of updates, else raise `ConfigError`."""
    if text == "alternating":
        return "alternating"
    if text == "simultaneous":
        return "simultaneous"
    raise ConfigError(f"updates are alternating or simultaneous, not {text!r}")


class TabularSolver:
    """CFR over every information set of a small game."""

    def __init__(
        self,
        game: Game | FlatGame | str,
        rule: Rule | str = "dcfr",
        updates: Updates = "alternating",
    ) -> None:
        if isinstance(game, str):
            game = make_game(game)
        self.flat = game if isinstance(game, FlatGame) else flatten(game)
        self.rule = make_rule(rule) if isinstance(rule, str) else rule
        self.updates = checked_updates(updates)
        self._passes, factors, value = build_passes(self.flat)
        slots = self.flat.num_slots
        self.tables = CfrTables(
            regret=np.zeros(slots),
            average=np.zeros(slots),
            factors=factors,
            instant=np.zeros(slots + int(self._passes.group_choices.max(initial=0))),
            own_reach=np.ones(slots + 1),
            reach=np.ones(len(self._passes.node_parent)),
            value=value,
            done=np.zeros(1, dtype=np.int64),
        )
        self._iterate(self.rule.steps(1, 0))  # loads the kernel, or compiles it the first time on a machine

    @property
    def iterations(self) -> int:
        """The number of iterations done."""
        return int(self.tables.done[0])

    def run(self, iterations: int, progress: Progress | None = None) -> None:
        """Run that many further iterations; `progress` is called now and then with the number done in all.

        The loop over iterations is inside the kernel. It returns to Python every few hundredths of a second,
        and an exception there (Ctrl-C, or one raised by `progress`) leaves whole iterations behind.
        """
        if iterations < 0:
            raise ConfigError(f"the number of iterations cannot be negative: {iterations}")
        end = self.iterations + iterations
        chunk = 1
        while self.iterations < end:
            count = min(chunk, end - self.iterations)
            steps = self.rule.steps(self.iterations + 1, count)
            started = time.perf_counter()
            self._iterate(steps)
            if time.perf_counter() - started < _CHUNK_SECONDS / 2:
                chunk = count * 2
            if progress is not None:
                progress(self.iterations)

    def _iterate(self, steps: Floats) -> None:
        iterate(self._passes, self.tables, steps, self.updates == "alternating")

    def current_strategy(self) -> Floats:
        """Return the strategy the next iteration will play, [slot] float64."""
        return self.tables.factors[: self.flat.num_slots].copy()

    def average_strategy(self) -> Floats:
        """Return the average strategy, [slot] float64; uniform in sets that were never reached."""
        return self.flat.normalise(self.tables.average)

    def policy(self) -> TabularPolicy:
        """Return the average strategy as a policy, which can be saved, shown and handed to OpenSpiel."""
        from overbet.solvers.policy import TabularPolicy

        origin: dict[str, str | int | float | bool | None] = {
            "solver": "tabular",
            "rule": self.rule.name,
            "rule_digest": self.rule.digest(),
            "updates": self.updates,
            "iterations": self.iterations,
            "exploitability": self.exploitability(),
        }
        return TabularPolicy(self.flat, self.average_strategy(), origin)

    def best_response(self) -> TabularBestResponse:
        """Return the best responses to the average strategy."""
        return best_response(self.flat, self.average_strategy())

    def nash_conv(self) -> float:
        """Return the sum over players of what a best response to the average gains; never negative."""
        return self.best_response().nash_conv

    def exploitability(self) -> float:
        """Return NashConv divided by the number of players."""
        return self.best_response().exploitability

    def values(self) -> Floats:
        """Return what each player wins when all play the average strategy, [player] float64."""
        return self.best_response().values
