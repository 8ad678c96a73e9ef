"""The engine on the CPU: tables, threads over boards, iterations."""

from __future__ import annotations

import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from overbet.errors import ConfigError
from overbet.kernels.memory import zeros
from overbet.kernels.regret import RuleStep
from overbet.kernels.vector.bundles import RIVER
from overbet.kernels.vector.walk import Store
from overbet.solvers.rules import Rule
from overbet.solvers.vector.anchor import Anchor, AnchoredRows
from overbet.solvers.vector.cut import CutStreet
from overbet.solvers.vector.gadget import choice_of
from overbet.solvers.vector.layout import layout_of, rows_of
from overbet.solvers.vector.packed import PackedTable, Table, copy_table, write_lock
from overbet.solvers.vector.response import Judge
from overbet.solvers.vector.runner import Runner, store_of
from overbet.solvers.vector.sampling import BoardBuckets, BoardSampling
from overbet.solvers.vector.sharing import HandBuckets
from overbet.solvers.vector.subgame import AS_GIVEN, BucketMaps, Leaves, Root, compatible
from overbet.tree.public import PublicTree
from overbet.tree.spot import IP, OOP

Floats = npt.NDArray[np.float32]
Mask = npt.NDArray[np.uint8]
_TRACE = np.float32(1e-30)
_BURST = 0.1  # seconds


class VectorEngine:
    """CFR on a public tree with tables in memory.

    regret, average: one flat float32 table a player, laid out as `layout` says, or a `PackedTable`; float64,
    and all arithmetic with them, if `double`, for research on small trees. locked:
    None, or one uint8 mask a player of the same size. order: who is updated first within an iteration.

    root: other ranges, and a gadget before the root. leaves: what a tree with a depth limit is worth there.
    buckets: hands that share rows; tables of such a street are [bucket, action row], and `hand_tables`
    spreads them out again. sampling: every iteration plays some boards of the later streets, on which hands
    must share rows; the tree may then be one without orders (`public_tree(spot, orders=False)`). anchor:
    strategies of the first street that both players stay near.
    """

    def __init__(
        self,
        tree: PublicTree,
        rule: Rule,
        threads: int = 1,
        order: tuple[int, int] = (OOP, IP),
        packed: bool = False,
        *,
        double: bool = False,
        root: Root = AS_GIVEN,
        leaves: Leaves | None = None,
        buckets: BucketMaps | BoardBuckets | None = None,
        sampling: BoardSampling | None = None,
        anchor: Anchor | None = None,
    ) -> None:
        if packed and rule.prediction:
            raise ConfigError(f"rule {rule.name} predicts and needs precision float32; use dcfr with int16")
        if tree.is_cut != (leaves is not None):
            raise ConfigError(
                "a tree with a depth limit needs leaves that value its end, and only such a tree takes them"
            )
        if packed and (buckets or double):
            raise ConfigError("buckets and float64 do not go with packed tables; use precision float32")
        self.tree, self.rule, self.order = root.tree(tree), rule, order
        tree = self.tree
        self.leaves, self.buckets = leaves, HandBuckets(tree, buckets) if buckets else None
        _check_sampling(tree, self.buckets, sampling)
        self.gadget = choice_of(tree, root.gadget) if root.gadget else None
        self.iteration = self.ahead = 0  # ahead: iterations that a warm start stands for
        self._begun = False  # the first player's average holds its share of the next iteration already
        self.dtype: Any = np.float64 if double else np.float32
        self.layout = layout_of(tree, buckets=self.buckets.counts if self.buckets else None)
        self.regret = [self._new_table(p, packed) for p in (OOP, IP)]
        self.average = [self._new_table(p, packed) for p in (OOP, IP)]
        self.play = [self._new_table(p, packed) for p in (OOP, IP)] if rule.prediction else self.regret
        self.packed = packed
        self.locked: list[Mask] | None = None
        self._judge: Judge | None = None
        self.first, self.threads = tree.spot.first_street, threads
        self._pool = ThreadPoolExecutor(threads) if threads > 1 else None
        self._burst = 1
        self._runner = Runner(tree, self.layout, self.dtype, threads, packed, self.buckets, sampling)
        self._cut = CutStreet(self._runner, leaves) if leaves else None
        if self.gadget:
            self._runner.ask_root()
        if anchor and (packed or rule.prediction or (self.buckets and self.first in self.buckets.counts)):
            raise ConfigError("an anchor needs float32 tables, a rule without prediction and no shared rows")
        self._anchor = AnchoredRows(tree, self.layout, anchor) if anchor else None
        if self._anchor:
            self._anchor.begin(self.regret)

    def run(self, iterations: int) -> None:
        """Run some iterations; within each, the players in `order`.

        In bursts of about a tenth of a second, so that Ctrl-C is heard between them. Between bursts the first
        player's average is one iteration ahead; Ctrl-C runs that iteration before it is passed on.
        """
        end = self.iteration + iterations
        try:
            while self.iteration < end:
                self._run_burst(end)
        except BaseException:
            if self._begun:
                self._run_burst(self.iteration + 1)
            raise

    def _run_burst(self, end: int) -> None:
        """Run some iterations, no further than to `end`."""
        apart = self.gadget is not None or self._cut is not None or self._anchor is not None
        count = 1 if apart else min(self._burst, end - self.iteration)
        ends = apart or self.buckets is not None or self.iteration + count == end
        steps = self.rule.steps(self.ahead + self.iteration + 1, count + (not ends)).astype(self.dtype)
        tables, started = self.stores(), time.perf_counter()
        try:
            if apart:
                for player in self.order:
                    self._update(player, RuleStep(*steps[0]))
            else:
                begun = {"begun": self._begun, "ends": ends}
                self._runner.run(tables, self.order, steps, self._pool, self.iteration + 1, **begun)
        finally:  # Ctrl-C is heard when the kernel is done: its iterations count
            self.iteration += count
            self._begun = not ends
        each = (time.perf_counter() - started) / count
        self._burst = max(1, min(2 * count, int(_BURST / max(each, 1e-6))))

    def first_averages(self) -> list[Any]:
        """Return tables that hold the averages of the first street, where they lie."""
        return list(self.average)

    def stores(self) -> list[Store]:
        """Return both players' tables as the kernels read them."""
        return [
            store_of(self.regret[p], self.play[p], self.average[p], self.locked[p] if self.locked else None)
            for p in (OOP, IP)
        ]

    def exploitability(self) -> float:
        """Return half of what both players could gain by best responses to the averages, in chips.

        Where nothing out of the ordinary is asked for, this engine's own passes find it, in its precision
        and in
        less than the time of an iteration; `judged_exploitability` shares no code with them.
        """
        odd = self.gadget or self.locked or self.packed or self.tree.spot.rake.share
        if odd or self.buckets or self.leaves:
            return self.judged_exploitability()
        tables, gain = self.stores(), 0.0
        for player, hands in enumerate(self.tree.hands):
            values = self._runner.best_values(tables, player, self._pool).astype(np.float64)
            gain += float(hands.weights.astype(np.float64) @ values)
        return gain / 2 / self._pair_weight

    @cached_property
    def _pair_weight(self) -> float:
        """The weight of all pairs of hands that share no card."""
        met = compatible(self.tree, OOP, self.tree.hands[IP].weights)
        return float(self.tree.hands[OOP].weights.astype(np.float64) @ met)

    def judged_exploitability(self) -> float:
        """Return the exploitability as the judge finds it, in float64."""
        return self.judge.exploitability(self._pool)

    @property
    def judge(self) -> Judge:
        """The judge of the averages as they are now.

        Buckets are the player's own business: it judges what each hand plays, in the game with all hands.
        """
        for average, regret, mask in zip(self.average, self.regret, self.locked or ()):
            fixed = np.flatnonzero(mask)  # the average holds nothing of a locked hand that is never here
            average[fixed] = np.maximum(average[fixed], _TRACE * regret[fixed])
        if not self.tree.is_ordered:
            raise ConfigError("the judge needs the orders of hands on all rivers; build the tree with orders")
        if self.buckets:
            layout = layout_of(self.tree)
            return Judge(self.tree, layout, self.hand_tables(self.average), None, self.leaves, self.gadget)
        if self.dtype is np.float64:  # the judge reads float32
            return Judge(self.tree, self.layout, self.average, self.locked, self.leaves, self.gadget)
        if self._judge is None:
            self._judge = Judge(self.tree, self.layout, self.average, self.locked, self.leaves, self.gadget)
        return self._judge

    def hand_tables(self, tables: Sequence[Floats]) -> list[Floats]:
        """Return tables with a row entry for each hand, laid out by `layout_of(tree)`, from this engine's."""
        if not self.buckets:
            return list(tables)
        layout, betting = layout_of(self.tree), self.tree.betting
        found = [np.zeros(size, np.float32) for size in layout.table_size]
        for node in np.flatnonzero(betting.kind <= IP):
            player = int(betting.kind[node])
            for board in range(self.tree.board_count(int(betting.street[node]))):
                to, place = rows_of(self.tree, layout, int(node), board)
                rows, bucket = self.rows_of(int(node), board)
                live = place >= 0
                found[player][to[:, None] + place[live]] = tables[player][rows[:, None] + bucket[live]]
        return found

    def restore(
        self,
        iteration: int,
        regret: Sequence[Table],
        average: Sequence[Table],
        play: Sequence[Table] | None = None,
        locked: Sequence[Mask] | None = None,
    ) -> None:
        """Copy in tables of the same layout and precision, as if `iteration` iterations had been run here."""
        pairs = [*zip(regret, self.regret), *zip(average, self.average)]
        if self.play is not self.regret:
            pairs += zip(play or regret, self.play)
        for given, own in pairs:
            copy_table(given, own)
        if locked is not None:
            self.locked = [mask.copy() for mask in locked]
            self._judge = None
        self.iteration = iteration

    def lock(self, node: int, board: int, strategy: Floats, hands: npt.NDArray[np.bool_]) -> None:
        """Fix the strategy of some hands at a decision node on one board of its street.

        strategy: [actions, H] float32, columns of locked hands sum to 1; hands: [H] bool, which are locked;
        both in the order of the player's hands.
        """
        if self.packed:
            raise ConfigError("locked nodes need precision float32: 16 bits would not keep their strategies")
        if self.buckets and int(self.tree.betting.street[node]) in self.buckets.counts:
            raise ConfigError("hands that share rows cannot be locked one by one; lock without buckets")
        if self.locked is None:
            self.locked = [np.zeros(size, np.uint8) for size in self.layout.table_size]
            self._judge = None
        player = int(self.tree.betting.kind[node])
        rows, places = self.rows_of(node, board)
        tables = (self.regret[player], self.play[player], self.average[player], self.locked[player])
        write_lock(rows, places, strategy, hands, tables)

    def rows_of(self, node: int, board: int) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
        """Return where a node's rows begin and the hands' places in them: see `layout.rows_of`."""
        betting = self.tree.betting
        street, player = int(betting.street[node]), int(betting.kind[node])
        bucket = None
        if self.buckets and street in self.buckets.counts:
            bucket = self.buckets.of(street, board)[player]
        return rows_of(self.tree, self.layout, node, board, bucket)

    def _new_table(self, player: int, packed: bool) -> Any:
        size, river = self.layout.table_size[player], int(self.layout.passes[player].own.base[RIVER])
        return PackedTable(river, size - river) if packed else zeros(size, self.dtype)

    def _update(self, player: int, step: RuleStep) -> None:
        """Update one player, from the choice before the root on."""
        runner = self._runner
        if self.gadget:
            reach = self.gadget.reach()
            runner.root[self.gadget.player][: len(reach)] = reach
        if self._cut:
            self._cut.play(self.stores(), player, step, self._pool)
        else:
            runner.run(self.stores(), [player], np.array([step], self.dtype), self._pool, self.iteration + 1)
        if self._anchor:
            opp = 1 - player
            self._anchor.learn(player, step, self.regret[player], self.regret[opp], runner.root[opp])
        if self.gadget:
            value = runner.root_values(player)
            if player == self.gadget.player:
                self.gadget.learn(value, step)


def _check_sampling(tree: PublicTree, buckets: HandBuckets | None, sampling: BoardSampling | None) -> None:
    """Say what is wrong with drawing boards on this tree."""
    if sampling is None:
        if not tree.is_ordered:
            raise ConfigError(
                "only an engine that draws boards takes a tree without orders; build it with orders"
            )
        return
    later = range(tree.spot.first_street + 1, RIVER + 1)
    if tree.is_cut or not later:
        raise ConfigError("boards are drawn on trees that go from the flop or the turn down to the river")
    if buckets is None or any(street not in buckets.counts for street in later):
        raise ConfigError("where boards are drawn, hands must share rows on all later streets: give buckets")
    if sampling.turns < 1 or sampling.rivers < 1:
        raise ConfigError("an iteration draws at least one turn card and one river card")
