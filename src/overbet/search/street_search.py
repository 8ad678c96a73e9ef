"""One search: the subgame of a street solved until its budget is spent, and what it says."""

from __future__ import annotations

import time
from collections.abc import Callable, Container
from functools import cached_property
from math import isnan, log
from typing import Literal, NoReturn

import numpy as np
import numpy.typing as npt

from overbet.cards.cards import cards_name
from overbet.cards.combos import COMBOS
from overbet.errors import ConfigError
from overbet.games import lines
from overbet.kernels.vector.response import FOLLOW
from overbet.search.depth_limit import Limit, LimitLeaves
from overbet.search.gadgets import Promise, gadget_root
from overbet.search.question import Frozen
from overbet.search.settings import SearchSettings
from overbet.search.street_answer import Cost, StreetAnswer
from overbet.search.street_start import StreetStart, tokens_of
from overbet.search.street_strategy import node_after, street_strategy
from overbet.search.subgame import SubgameTree, subgame_tree
from overbet.solvers.rules import dcfr
from overbet.solvers.vector.anchor import Anchor
from overbet.solvers.vector.devices import Engine, engine_for, has_gpu
from overbet.solvers.vector.engine import VectorEngine
from overbet.solvers.vector.reader import TreeReader
from overbet.solvers.vector.sampling import BoardBuckets, BoardSampling
from overbet.solvers.vector.settings import SolveSettings
from overbet.solvers.vector.solution import Solution
from overbet.solvers.vector.solver import Progress
from overbet.solvers.vector.subgame import Root, compatible
from overbet.solvers.vector.tables import SolvedTables
from overbet.solvers.vector.warm import warm_start
from overbet.tree.betting import DepthLimit
from overbet.tree.public import PublicTree
from overbet.tree.spot import OOP, STREETS

Floats = npt.NDArray[np.float64]
Watch = Callable[[Progress], None]  # is told of every look as it is taken
_RULE = dcfr(gamma=4.0)
FLOP, RIVER = 0, 2
_LEAST_CHANCE = 1e-3  # that an anchor leaves every action: what it never played can still be found
_SMALL = 1 << 20  # bytes of a search that hardly has tables
_FIRST_LOOK, _LEAST_BETWEEN, _MOST_BETWEEN = 20, 6, 40  # iterations before the first look, and between two
_POWER, _POWERS = (
    1.5,
    (0.8, 2.5),
)  # by which power of the iterations exploitability falls: at first, and limits


class StreetSearch(StreetAnswer):
    """A search that was made: its answer, and the solved subgame with it."""

    def __init__(
        self,
        start: StreetStart,
        subgame: SubgameTree,
        engine: Engine,
        history: list[Progress],
        note: str = "",
    ) -> None:
        """Take a solved subgame. note: a line to show where another device served than was asked for."""
        self.note, self.as_asked = note, True  # as_asked: found by the very settings that were given
        self.tree, self.engine, self.history = subgame.tree, engine, history
        first = subgame.tree.spot.first_street
        reader = TreeReader(subgame.tree, engine.layout, engine.first_averages(), last=first)
        strategy = street_strategy(reader)
        last = history[-1]
        judged = None if isnan(last.exploitability) else last.exploitability
        cost = Cost(last.iteration, last.seconds, judged)
        whole = self.tree.is_ordered and not self.tree.is_cut
        super().__init__(start, subgame.ranges, strategy, cost, _itself, whole)

    @property
    def nbytes(self) -> int:
        """About how much memory it holds: tables, and half as much again for orders of hands and work."""
        tables = 2 * 4 * sum(self.engine.layout.table_size)  # regrets and averages of both
        return 3 * tables // 2 + _SMALL

    @property
    def values_are_known(self) -> bool:
        return self.opens

    @cached_property
    def solution(self) -> Solution:
        """The subgame as a solution that can be walked and saved; it shares the tables."""
        if self.tree.is_cut:
            board = cards_name(self.start.board)
            raise ConfigError(
                f"the subgame on {board} was searched to the end of the flop: it cannot be opened"
            )
        settings = SolveSettings(target=0, iterations=max(self.engine.iteration, 1), device="cpu")
        tables = SolvedTables.of(self.engine)
        return Solution(self.tree, settings, tables, self.history, layout=self.engine.layout)

    def action_values(self, edges: tuple[int, ...]) -> Floats | None:
        """Return what each action is worth to each hand that acts after some actions of the street.

        [1326, action] float64, chips from there on, NaN for hands that cannot be held or meet nobody; None
        where boards were drawn.
        """
        node, betting = self.strategy.node(edges), self.tree.betting
        assert node is not None
        player = int(betting.kind[node])
        found = np.full((COMBOS, int(betting.num_children[node])), np.nan)
        if self.tree.is_cut:
            hands, other = self.tree.hands[player], self.tree.hands[1 - player]
            met = compatible(self.tree, player, self.reach(edges)[1 - player][other.combos])
            values = self.engine.judge.value(player, FOLLOW).flop
            assert values is not None
            there = values[list(betting.children(node))].T + betting.put[node, player] * met[:, None]
            found[hands.combos] = np.divide(
                there, met[:, None], out=np.full_like(there, np.nan), where=met[:, None] > 0
            )
        elif self.tree.is_ordered:
            here = self.solution.node(lines.text(tokens_of(edges)))
            seat = here.oop if player == OOP else here.ip
            assert seat.action_ev_chips is not None
            found[seat.combos] = seat.action_ev_chips
        else:
            return None
        return found

    def values_after(self, player: int, edges: tuple[int, ...], card: int) -> Floats:
        """Return what each hand of a player can get once a card has come after some actions of the street.

        [1326] float64, chips from there on by its best response: that is what may be promised to it, since
        the strategy of the other player which gives it no more is known. 0 where the other player cannot be
        there or the hand is dead.
        """
        line = lines.text([*tokens_of(edges), lines.Token(lines.CARDS, cards=(card,))])
        best = self.solution.best_response(player, line)
        found = np.zeros(COMBOS)
        found[best.combos] = np.nan_to_num(best.best_ev_chips)
        return found

    def gifts(self, player: int, edges: tuple[int, ...]) -> Floats:
        """Return what each hand of a player gave away by its actions of the street: [1326] float64, chips.

        At each of its decisions: what its best action is worth against the strategy here, less what the one
        taken is worth, both followed by best responses.
        """
        found = np.zeros(COMBOS)
        for place, edge in enumerate(edges):
            node = self.strategy.node(edges[:place])
            assert node is not None
            if self.strategy.kind[node] == player:
                best = self.solution.best_response(player, lines.text(tokens_of(edges[:place])))
                assert best.action_ev_chips is not None
                taken = [int(self.strategy.edge[child]) for child in self.strategy.children(node)].index(edge)
                worth = np.nan_to_num(best.action_ev_chips)
                found[best.combos] += worth.max(1) - worth[:, taken]
        return found


def _itself() -> NoReturn:
    """Stand for the search in an answer that is one: a reference to itself would keep its tables until the
    garbage collector comes by."""
    raise AssertionError("a search answers all questions itself")


def search_street(
    start: StreetStart,
    ranges: Floats,
    played: tuple[int, ...],
    frozen: tuple[Frozen, ...],
    safe: Promise | None,
    buckets: BoardBuckets | None,
    limit: Limit | None,
    anchor: tuple[Frozen, ...],
    warm: tuple[Frozen, ...],
    settings: SearchSettings,
    begun: float | None = None,
    watch: Watch | None = None,
    beside: tuple[int, ...] = (),
) -> StreetSearch:
    """Solve the subgame of a street.

    ranges: [2, 1326] float64; played: actions of the street that must be in the tree; frozen: decisions of
    the searcher on the way, with the strategies they were made by; safe: what the opponent is promised, for
    the gadget of the settings; buckets: hands that share rows where boards are drawn; limit: where the search
    ends with the street; anchor, warm: strategies to stay near, and to begin with; begun: when the clock
    of the budget started; watch: is told of every look; beside: bets that may follow what was played.
    """
    clock = time.perf_counter() if begun is None else begun
    depth = None if limit is None else DepthLimit(FLOP, settings.flop.continuations, limit.chooser)
    subgame = subgame_tree(start, ranges, played, settings, depth, beside)
    threads = settings.worker_count() if start.street < RIVER else 1
    leaves = None if limit is None else LimitLeaves(subgame.tree, limit, settings.flop.boards, threads)

    def solved(root: Root, seconds: float | None, clock: float) -> StreetSearch:
        near, note = _anchor(subgame, start, settings, anchor, frozen) if anchor else None, ""
        if leaves is not None:
            # one board: threads would only wait for each other; the leaves have their own
            engine: Engine = VectorEngine(subgame.tree, _RULE, root=root, leaves=leaves, anchor=near)
        else:
            engine, note = _engine(subgame, start.street, settings, root, buckets, near, warm=bool(warm))
        for decision in frozen:
            _freeze(engine, decision)
        if warm and not anchor:  # an anchor begins with itself
            assert isinstance(engine, VectorEngine)
            warm_start(engine, _by_node(subgame.tree, warm), settings.on(start.street).warm)
        budget = settings.model_copy(update={"seconds": seconds})
        return StreetSearch(start, subgame, engine, _run(engine, start, budget, clock, watch), note)

    if safe is None:
        return solved(Root(), settings.seconds, clock)
    seconds = settings.seconds
    if settings.gadget == "reach-estimates" and subgame.tree.is_ordered:
        seconds = None if seconds is None else seconds / 2  # for the estimate, and as much for the search
        expected = solved(Root(), seconds, clock).engine.judge.value(safe.player, FOLLOW)
        hands = subgame.tree.hands
        met = compatible(subgame.tree, safe.player, hands[1 - safe.player].weights)
        values = np.zeros(COMBOS)
        values[hands[safe.player].combos] = np.divide(
            expected.root, met, out=np.zeros_like(met), where=met > 0
        )
        safe, clock = safe._replace(values=values), time.perf_counter()
    return solved(gadget_root(subgame.tree, safe, settings.gadget), seconds, clock)


def _engine(
    subgame: SubgameTree,
    street: int,
    settings: SearchSettings,
    root: Root,
    buckets: BoardBuckets | None,
    anchor: Anchor | None,
    warm: bool,
) -> tuple[Engine, str]:
    """Return the engine of a subgame, and a line where it is not on the device asked for.

    With all boards any device will do; drawn ones, an anchor and a warm start are the CPU's.
    """
    threads, drawn = settings.worker_count() if street < RIVER else 1, settings.on(street).drawn
    whole = not drawn or street == RIVER
    if whole and not (anchor or warm):
        solving = SolveSettings(rule=_RULE, threads=threads, device=_device(settings, street))
        engine, note = engine_for(subgame.tree, solving, root=root)
        return engine, note.replace("device cuda:", f"device {settings.device}:")
    note = ""
    if settings.device == "cuda":
        what = "an anchor is" if anchor else "a warm start is" if warm else "drawn boards are"
        note = f"device cuda: {what} searched on the CPU; the CPU serves"
    if whole:
        return VectorEngine(subgame.tree, _RULE, threads, root=root, anchor=anchor), note
    if buckets is None:
        raise ConfigError(f"{STREETS[street]}.drawn={drawn}: drawing boards needs a blueprint's buckets")
    later = buckets._replace(counts={k: count for k, count in buckets.counts.items() if k > street})
    assert drawn is not None
    sampling = BoardSampling(drawn, 1) if street == FLOP else BoardSampling(1, drawn)
    engine = VectorEngine(
        subgame.tree, _RULE, threads, root=root, buckets=later, sampling=sampling, anchor=anchor
    )
    return engine, note


def _device(settings: SearchSettings, street: int) -> Literal["auto", "cpu", "cuda"]:
    """Return the device of a search with all boards.

    `auto` leaves rivers to the CPU, which is as quick there. A flop with all boards would take it minutes:
    where one does not fit the GPU it is an error, and the searcher draws boards instead.
    """
    if settings.device != "auto":
        return settings.device
    return "cpu" if street == RIVER else "cuda" if street == FLOP and has_gpu() else "auto"


def _anchor(
    subgame: SubgameTree,
    start: StreetStart,
    settings: SearchSettings,
    given: tuple[Frozen, ...],
    frozen: tuple[Frozen, ...],
) -> Anchor:
    """Return the anchor of a search: decisions that have been made are left out, nothing has no chance."""
    made = {decision.edges for decision in frozen}
    near = {
        node: np.maximum(shares, _LEAST_CHANCE)
        for node, shares in _by_node(subgame.tree, given, made).items()
    }
    strength = settings.on(start.street).anchor / 100 * start.pot
    return Anchor(strength, {node: shares / shares.sum(0) for node, shares in near.items()})


def _by_node(
    tree: PublicTree, given: tuple[Frozen, ...], without: Container[tuple[int, ...]] = ()
) -> dict[int, Floats]:
    """Return strategies by node of the tree: [action, H] float64 each."""
    found = {}
    for decision in given:
        node = node_after(tree.betting, decision.edges)
        if node is None or tree.betting.num_children[node] != decision.shares.shape[1]:
            raise AssertionError("a strategy that is to be followed is not in the tree")
        if decision.edges not in without:
            hands = tree.hands[int(tree.betting.kind[node])]
            found[node] = decision.shares[hands.combos].T
    return found


def _freeze(engine: Engine, decision: Frozen) -> None:
    """Fix a decision that has been made."""
    betting = engine.tree.betting
    node = node_after(betting, decision.edges)
    if node is None or betting.num_children[node] != decision.shares.shape[1]:
        raise AssertionError("a frozen decision is not in the tree")
    hands = engine.tree.hands[int(betting.kind[node])]
    strategy = decision.shares[hands.combos].T.astype(np.float32)
    engine.lock(node, 0, strategy, np.ones(hands.size, np.bool_))


def _until_next_look(looks: list[tuple[int, float]], target: float) -> int:
    """Return how many iterations to make before the next look, by when the target is likely to be met.

    looks: (iterations, exploitability). It falls as a power of the iterations, of which the last two looks
    tell the exponent; a look costs as much as a few iterations.
    """
    if not looks or isnan(looks[-1][1]) or target <= 0.0:
        return _MOST_BETWEEN
    made, share = looks[-1]
    power = _POWER
    if len(looks) > 1 and 0.0 < share < looks[-2][1]:
        power = log(looks[-2][1] / share) / log(made / looks[-2][0])
    power = min(max(power, _POWERS[0]), _POWERS[1])
    expected = made * ((share / target) ** (1 / power) - 1)
    return int(min(max(expected, _LEAST_BETWEEN), _MOST_BETWEEN))


def _run(
    engine: Engine, start: StreetStart, settings: SearchSettings, clock: float, watch: Watch | None
) -> list[Progress]:
    """Iterate until the target, the iterations or the time is used up; return all looks."""
    budget, history = settings.on(start.street), list[Progress]()
    left = settings.seconds or float("inf")
    stretch = _FIRST_LOOK if settings.seconds is None else 1  # then as many as there is time for
    while True:
        begun = time.perf_counter()
        stretch = min(stretch, budget.iterations - engine.iteration)
        engine.run(stretch)
        now = time.perf_counter()
        each = (now - begun) / stretch
        over = now - clock + each >= left or engine.iteration >= budget.iterations
        if over or engine.iteration >= _FIRST_LOOK:
            share = 100 * engine.exploitability() / start.pot if engine.tree.is_ordered else float("nan")
            seconds = time.perf_counter() - clock
            history.append(Progress(engine.iteration, share, seconds, engine.iteration / seconds, None))
            if watch is not None:
                watch(history[-1])
            if over or share <= budget.target:
                return history
        stretch = _until_next_look([(look.iteration, look.exploitability) for look in history], budget.target)
        if settings.seconds is not None:
            stretch = max(1, int(min(stretch, (left - time.perf_counter() + clock) / each)))
