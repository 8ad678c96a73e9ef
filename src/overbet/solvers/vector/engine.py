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
from overbet.kernels.regret import RuleStep, single
from overbet.kernels.vector.buckets import Sums, apply_sums
from overbet.kernels.vector.showdown_sweep import MOST, SweepSheets
from overbet.kernels.vector.streets import (
    FLOP,
    RIVER,
    TURN,
    StreetWork,
    close_street,
    open_street,
    play_river,
    play_rivers,
    play_turns,
)
from overbet.kernels.vector.update import Bridge, PackedTables, Scratch, UpdateTables
from overbet.kernels.vector.walk import Store
from overbet.solvers.rules import Rule
from overbet.solvers.vector.cut import CutStreet, Ends
from overbet.solvers.vector.gadget import choice_of
from overbet.solvers.vector.layout import layout_of, rows_of
from overbet.solvers.vector.packed import PackedTable, Table, copy_table, write_lock
from overbet.solvers.vector.response import Judge
from overbet.solvers.vector.runner import Runner, store_of
from overbet.solvers.vector.subgame import AS_GIVEN, BucketMaps, Leaves, Root, compatible
from overbet.tree.public import PublicTree
from overbet.tree.spot import IP, OOP

Floats = npt.NDArray[np.float32]
Mask = npt.NDArray[np.uint8]
_TRACE = np.float32(1e-30)
_BURST = 0.1  # seconds
BLOCKS = 16  # boards are summed in this many blocks, whatever the number of threads


class VectorEngine:
    """CFR on a public tree with tables in memory.

    regret, average: one flat float32 table a player, laid out as `layout` says, or a `PackedTable`; float64,
    and all arithmetic with them, if `double`, for research on small trees. locked:
    None, or one uint8 mask a player of the same size. order: who is updated first within an iteration.

    root: other ranges, and a gadget before the root. leaves: what a tree with a depth limit is worth there.
    buckets: hands that share rows; tables of such a street are [action row, bucket], and `hand_tables`
    spreads them out again. Trees with a depth limit or buckets are updated on one thread.
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
        buckets: BucketMaps | None = None,
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
        self.leaves, self.maps = leaves, buckets.checked(tree) if buckets else None
        self.gadget = choice_of(tree, root.gadget) if root.gadget else None
        self.iteration = 0
        self.dtype: Any = np.float64 if double else np.float32
        self.layout = layout_of(tree, maps=self.maps, dtype=self.dtype)
        self.regret = [self._new_table(p, packed) for p in (OOP, IP)]
        self.average = [self._new_table(p, packed) for p in (OOP, IP)]
        self.play = [self._new_table(p, packed) for p in (OOP, IP)] if rule.prediction else self.regret
        self.packed = packed
        self.locked: list[Mask] | None = None
        self._judge: Judge | None = None
        self.first = tree.spot.first_street
        self.threads = threads = 1 if buckets or leaves else threads
        self._pool = ThreadPoolExecutor(threads) if threads > 1 else None
        self._burst = 1
        self._runner: Runner | None = None
        if not self.maps and leaves is None:
            self._runner = Runner(tree, self.layout, self.dtype, threads, packed)
            if self.gadget:
                self._runner.ask_root()
            return
        self._root = [self._root_bridge(p) for p in (OOP, IP)]
        # players are updated in turn, so they share all working memory, sized for the larger of the two
        self._early = self._scratch(self.first)
        self._work = [self._new_work() for _ in range(threads if self.first < RIVER else 1)]
        self._sums = [self._new_sums(p) for p in (OOP, IP)]
        self._cut = CutStreet(tree, leaves, self._scratch) if leaves else None
        boards = self.tree.board_count(min(self.first + 1, RIVER))
        edges = np.linspace(0, boards, min(boards, BLOCKS) + 1).astype(np.int32)
        numbers = np.arange(len(edges) - 1, dtype=np.int32)
        self._blocks = np.stack([numbers, edges[:-1], edges[1:]], 1)
        self._shares = [self._blocks[k::threads].copy() for k in range(threads)]
        self._totals = np.zeros((len(numbers), len(self._early.bridge.value)), self.dtype)

    def run(self, iterations: int) -> None:
        """Run some iterations; within each, the players in `order`."""
        if self._runner:
            self._run_boards(self._runner, iterations)
            return
        for _ in range(iterations):
            step = self.rule.at(self.iteration + 1)
            step = step if self.dtype is np.float64 else single(step)
            for player in self.order:
                self._update(player, step)
            self.iteration += 1

    def _run_boards(self, runner: Runner, iterations: int) -> None:
        """Run iterations in bursts of about a tenth of a second, so that Ctrl-C is heard between them."""
        tables, end = self.stores(), self.iteration + iterations
        while self.iteration < end:
            count = 1 if self.gadget else min(self._burst, end - self.iteration)
            steps = self.rule.steps(self.iteration + 1, count).astype(self.dtype)
            begun = time.perf_counter()
            try:
                if self.gadget:
                    for player in self.order:
                        self._update(player, RuleStep(*steps[0]))
                else:
                    runner.run(tables, self.order, steps, self._pool)
            finally:  # Ctrl-C is heard when the kernel is done: its iterations count
                self.iteration += count
            each = (time.perf_counter() - begun) / count
            self._burst = max(1, min(2 * count, int(_BURST / max(each, 1e-6))))

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
        plain = not (self.gadget or self.locked or self.packed or self.tree.spot.rake.share)
        if self._runner is None or not plain:
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
        if self.maps:
            layout = layout_of(self.tree)
            return Judge(self.tree, layout, self.hand_tables(self.average), None, self.leaves, self.gadget)
        if self.dtype is np.float64:  # the judge reads float32
            return Judge(self.tree, self.layout, self.average, self.locked, self.leaves, self.gadget)
        if self._judge is None:
            self._judge = Judge(self.tree, self.layout, self.average, self.locked, self.leaves, self.gadget)
        return self._judge

    def hand_tables(self, tables: Sequence[Floats]) -> list[Floats]:
        """Return tables with a row entry for each hand, laid out by `layout_of(tree)`, from this engine's."""
        if not self.maps:
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
        if self.maps:
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
        return rows_of(self.tree, self.layout, node, board)

    def _tables(self, player: int) -> UpdateTables:
        locked = self.locked[player] if self.locked else np.zeros(1, np.uint8)
        regret, average = self.regret[player], self.average[player]
        play, opp = self.play[player], self.play[1 - player]
        if isinstance(regret, PackedTable):
            assert isinstance(average, PackedTable)
            assert isinstance(opp, PackedTable)
            packed = PackedTables(
                regret.values, regret.scales, average.values, average.scales, opp.values, opp.scales
            )
            return UpdateTables(
                regret.early, regret.early, average.early, opp.early, locked, packed, self._sums[0]
            )
        none, no_scale = np.zeros(1, np.int16), np.zeros(1, np.float32)
        packed = PackedTables(none, no_scale, none, no_scale, none, no_scale)
        return UpdateTables(regret, play, average, opp, locked, packed, self._sums[player])

    def _new_table(self, player: int, packed: bool) -> Any:
        size, river = self.layout.table_size[player], int(self.layout.passes[player].own.base[RIVER])
        return PackedTable(river, size - river) if packed else np.zeros(size, self.dtype)

    def _new_sums(self, player: int) -> Sums:
        size = self.layout.table_size[player] if self.maps else 1
        return Sums(np.zeros(size), np.zeros(size))

    def _update(self, player: int, step: RuleStep) -> None:
        """Update one player, from the choice before the root to what its buckets have learnt."""
        if self._runner:
            if self.gadget:
                reach = self.gadget.reach()
                self._runner.root[self.gadget.player][: len(reach)] = reach
            self._runner.run(self.stores(), [player], np.array([step], self.dtype), self._pool)
            if self.gadget:
                value = self._runner.root_values(player)
                if player == self.gadget.player:
                    self.gadget.learn(value, step)
            return
        if self.gadget:
            bridge = self._root[player]
            side = bridge.own if player == self.gadget.player else bridge.opp
            reach = self.gadget.reach()
            side.reshape(-1, bridge.width)[: len(reach), 0] = reach
        if self.first == RIVER:
            value = self._play_river_spot(player, step)
        else:
            if self._cut:
                self._cut.play(self.layout.passes[player], self._tables(player), step, self._ends(player))
            else:
                self._play_streets(player, step)
            value = self._early.value[: self.tree.hands[player].size]
        if self.gadget and player == self.gadget.player:
            self.gadget.learn(value, step)
        if self.maps:
            own, tables = self.layout.passes[player].own, self._tables(player)
            for street in self.maps:
                start = int(own.base[street])
                end = start + int(own.rows[street] * own.shares.row[street])
                apply_sums(tables, self._sums[player], start, end, step)

    def _ends(self, player: int) -> Ends:
        return Ends(player, self._root[player], self._early, self._work[0].sheets)

    def _play_river_spot(self, player: int, step: RuleStep) -> Floats:
        """Update one player on a river spot; return its root values, [H] float32."""
        bridge = self._root[player]
        bridge.value[:] = 0.0
        data, tables = self.layout.passes[player], self._tables(player)
        play_river(data, 0, tables, step, bridge, self._work[0], bridge.value)
        return bridge.value.reshape(-1, bridge.width)[: self.tree.hands[player].size, 0]

    def _play_streets(self, player: int, step: RuleStep) -> None:
        """Update one player on a flop or turn spot, its boards spread over the threads."""
        data, tables = self.layout.passes[player], self._tables(player)
        scratch, totals, root, work = self._early, self._totals, self._root[player], self._work
        open_street(data, self.first, 0, tables, step, root, scratch, work[0].sheets)
        play = play_turns if self.first == FLOP else play_rivers
        if self._pool is None:
            play(data, self._blocks, tables, step, scratch.bridge, work[0], totals)
        else:
            jobs = [
                self._pool.submit(play, data, share, tables, step, scratch.bridge, work[k], totals)
                for k, share in enumerate(self._shares)
            ]
            for job in jobs:
                job.result()
        np.sum(totals, axis=0, out=scratch.bridge.value)
        close_street(data, self.first, 0, tables, step, scratch, work[0].sheets)

    def _root_bridge(self, player: int) -> Bridge:
        bridge = self._bridge(self.first - 1)
        for side, hands in ((bridge.own, self.tree.hands[player]), (bridge.opp, self.tree.hands[1 - player])):
            side.reshape(-1, bridge.width)[: hands.size, 0] = hands.weights
        return bridge

    def _bridge(self, street: int) -> Bridge:
        """Return a new bridge from a street to the next; from the river there is none."""
        if street == RIVER:
            return Bridge(16, *(np.zeros(1, self.dtype) for _ in range(3)))
        asked = street >= self.first or self.gadget or self.maps  # else nobody asks for the root's values
        width = _width(self._lines_on(street + 1)) if asked else 1
        size = self._longest(TURN) * width
        back = size if asked else 1
        return Bridge(width, *(np.zeros(count, self.dtype) for count in (size, size, back)))

    def _scratch(self, street: int) -> Scratch:
        sizes, row = self.layout, self._longest(street)
        slots = int(sizes.slots[:, street].max()) + 1
        return Scratch(
            np.zeros(slots * row, self.dtype),
            np.zeros(slots * row, self.dtype),
            np.zeros((int(sizes.nodes[:, street].max()) + 1) * row, self.dtype),
            np.zeros(int(sizes.strategy_rows[:, street].max()) * row, self.dtype),
            self._bridge(street),
        )

    def _new_work(self) -> StreetWork:
        row = self._longest(TURN)
        sheets = SweepSheets(
            np.zeros((row + 1) * MOST, self.dtype),
            np.zeros(row * MOST, self.dtype),
            np.zeros(row * MOST, self.dtype),
            np.zeros(53 * MOST, self.dtype),
            np.zeros(max(MOST, *(_width(self._lines_on(s)) for s in range(3))), np.uint64),
        )
        collected = (self.first < RIVER and not self.tree.is_cut) or self.gadget or self.maps
        lines = np.zeros(row * _width(self._lines_on(RIVER)) if collected else 1, self.dtype)
        sides = [data.own for data in self.layout.passes]
        board = max(int(np.diff(side.river_start).max()) for side in sides) if self.packed else 1
        turn = self._early if self.first != FLOP else self._scratch(TURN)
        boards = [np.zeros(board, self.dtype) for _ in range(3)]
        river = self._early if self.first == RIVER else self._scratch(RIVER)
        return StreetWork(turn, river, sheets, lines, *boards)

    def _longest(self, street: int) -> int:
        """Return the longer of both players' rows on a street."""
        return max(int(data.own.stride[street]) for data in self.layout.passes)

    def _lines_on(self, street: int) -> int:
        lines = self.tree.betting.street_line
        return int(lines[street + 1] - lines[street])


def _width(lines: int) -> int:
    """Return the width of a bridge of so many lines: full tiles of 16 and one to spare."""
    return -(-lines // 16) * 16 + 16
