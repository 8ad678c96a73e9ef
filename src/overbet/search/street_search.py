"""One search: the subgame of a street solved until its budget is spent, and what it says."""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import cached_property
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from overbet.cards.combos import COMBOS
from overbet.games import lines
from overbet.search.gadgets import Promise, gadget_root
from overbet.search.settings import SearchSettings
from overbet.search.street_start import StreetStart
from overbet.search.street_strategy import StreetStrategy, street_strategy
from overbet.search.subgame import SubgameTree, node_after, subgame_tree
from overbet.solvers.rules import dcfr
from overbet.solvers.vector.devices import Engine, engine_for
from overbet.solvers.vector.reader import TreeReader
from overbet.solvers.vector.settings import SolveSettings
from overbet.solvers.vector.solution import Solution
from overbet.solvers.vector.solver import Progress
from overbet.solvers.vector.subgame import Root
from overbet.solvers.vector.tables import SolvedTables

Floats = npt.NDArray[np.float64]
Watch = Callable[[Progress], None]  # is told of every look as it is taken
_RULE = dcfr(gamma=4.0)
_FIRST_LOOK, _MOST_BETWEEN = 20, 40  # iterations before the first look, and the most between two


class Frozen(NamedTuple):
    """A decision that has been made already, and by which strategy: [1326, action] float64."""

    edges: tuple[int, ...]
    shares: Floats


class Cost(NamedTuple):
    """What a search took. exploitability: of its answer, in % of the pot at the beginning of the street."""

    iterations: int
    seconds: float
    exploitability: float


class StreetSearch:
    """The answer of a search. start: where it began; ranges: [2, 1326] float64, those of OOP and IP there."""

    def __init__(
        self, start: StreetStart, subgame: SubgameTree, engine: Engine, history: list[Progress]
    ) -> None:
        self.start, self.tree, self.ranges = start, subgame.tree, subgame.ranges
        self.engine, self.history = engine, history

    @property
    def cost(self) -> Cost:
        """Iterations, seconds and exploitability."""
        last = self.history[-1]
        return Cost(last.iteration, last.seconds, last.exploitability)

    @cached_property
    def strategy(self) -> StreetStrategy:
        """The strategies of the street."""
        return street_strategy(TreeReader(self.tree, self.engine.layout, self.engine.average))

    def reach(self, edges: tuple[int, ...]) -> Floats:
        """Return both players' ranges after some actions of the street: [2, 1326] float64."""
        return self.strategy.reach(self.ranges, edges)

    @cached_property
    def solution(self) -> Solution:
        """The subgame as a solution that can be walked and saved; it shares the tables."""
        settings = SolveSettings(target=0, iterations=max(self.engine.iteration, 1), device="cpu")
        tables = SolvedTables.of(self.engine)
        return Solution(self.tree, settings, tables, self.history, layout=self.engine.layout)

    def values_after(self, player: int, edges: tuple[int, ...], card: int) -> Floats:
        """Return what each hand of a player can get once a card has come after some actions of the street.

        [1326] float64, chips from there on by its best response: that is what may be promised to it, since
        the strategy of the other player which gives it no more is known. 0 where the other player cannot be
        there or the hand is dead.
        """
        tokens = [lines.Token(lines.BET, edge) if edge > 0 else lines.Token(lines.CALL) for edge in edges]
        line = lines.text([*tokens, lines.Token(lines.CARDS, cards=(card,))])
        best = self.solution.best_response(player, line)
        found = np.zeros(COMBOS)
        found[best.combos] = np.nan_to_num(best.best_ev_chips)
        return found


def search_street(
    start: StreetStart,
    ranges: Floats,
    played: tuple[int, ...],
    settings: SearchSettings,
    frozen: tuple[Frozen, ...] = (),
    safe: Promise | None = None,
    begun: float | None = None,
    watch: Watch | None = None,
) -> StreetSearch:
    """Solve the subgame of a street.

    ranges: [2, 1326] float64; played: actions of the street that must be in the tree; frozen: decisions of
    the searcher on the way, with the strategies they were made by; safe: what the opponent is promised, for
    the gadget of the settings; begun: when the clock of the budget started; watch: is told of every look.
    """
    clock = time.perf_counter() if begun is None else begun
    subgame = subgame_tree(start, ranges, played, settings)
    threads = settings.worker_count() if start.street < 2 else 1
    solving = SolveSettings(rule=_RULE, threads=threads, device=settings.device)
    root = Root() if safe is None else gadget_root(subgame.tree, safe, settings.gadget)
    engine, _ = engine_for(subgame.tree, solving, root=root)
    for decision in frozen:
        _freeze(engine, decision)
    return StreetSearch(start, subgame, engine, _run(engine, start, settings, clock, watch))


def _freeze(engine: Engine, decision: Frozen) -> None:
    """Fix a decision that has been made."""
    betting = engine.tree.betting
    node = node_after(betting, decision.edges)
    if node is None or betting.num_children[node] != decision.shares.shape[1]:
        raise AssertionError("a frozen decision is not in the tree")
    hands = engine.tree.hands[int(betting.kind[node])]
    strategy = decision.shares[hands.combos].T.astype(np.float32)
    engine.lock(node, 0, strategy, np.ones(hands.size, np.bool_))


def _run(
    engine: Engine, start: StreetStart, settings: SearchSettings, clock: float, watch: Watch | None
) -> list[Progress]:
    """Iterate until the target, the iterations or the time is used up; return all looks."""
    budget, history = settings.on(start.street), list[Progress]()
    stretch = _FIRST_LOOK
    while True:
        engine.run(min(stretch, budget.iterations - engine.iteration))
        seconds = time.perf_counter() - clock
        late = settings.seconds is not None and seconds >= settings.seconds
        share = 100 * engine.exploitability() / start.pot
        seconds = time.perf_counter() - clock
        history.append(Progress(engine.iteration, share, seconds, engine.iteration / seconds, None))
        if watch is not None:
            watch(history[-1])
        if late or share <= budget.target or engine.iteration >= budget.iterations:
            return history
        stretch = min(_MOST_BETWEEN, max(10, engine.iteration // 3 // 10 * 10))
        if settings.seconds is not None:
            each = seconds / engine.iteration
            stretch = max(1, int(min(stretch, (settings.seconds - seconds) / each)))
