"""The engine on a GPU: the CPU engine's tables and interface, all work on the device.

An iteration of one player is one launch for the terminals of all streets, one for the decisions of each
street and one for each street's cards, last street first. The launches of an iteration are recorded once and
replayed as a CUDA graph; the scalars of the regret rule lie on the device for many iterations ahead.
"""

from __future__ import annotations

import gc
from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from overbet.cuda import device
from overbet.cuda.arrays import Clock, GpuTables
from overbet.cuda.device import SIMULATED, Launcher, upload, zeros
from overbet.cuda.graph import Recording, new_stream
from overbet.cuda.leaves import settle
from overbet.cuda.lines import (
    BEST,
    FILLED,
    FOLLOW,
    collect,
    open_lines,
    put_ends,
    update_lines,
)
from overbet.cuda.rows import update_rows
from overbet.errors import ConfigError, TooLargeError
from overbet.kernels.regret import STEP_FIELDS
from overbet.kernels.vector.bundles import RIVER
from overbet.solvers.rules import Rule
from overbet.solvers.vector.engine import VectorEngine
from overbet.solvers.vector.gadget import RootChoice
from overbet.solvers.vector.gpu.answer import first_reader
from overbet.solvers.vector.gpu.buckets import shared_rows
from overbet.solvers.vector.gpu.cut import CutEnds
from overbet.solvers.vector.gpu.gadget import GpuChoice
from overbet.solvers.vector.gpu.layout import GpuPlan, plans_of
from overbet.solvers.vector.gpu.look import Buffers, GpuLook, match_street
from overbet.solvers.vector.gpu.shapes import Shapes
from overbet.solvers.vector.layout import copy_rivers, layout_of
from overbet.solvers.vector.packed import write_lock
from overbet.solvers.vector.reader import TreeReader
from overbet.solvers.vector.response import Judge
from overbet.solvers.vector.sampling import BoardBuckets
from overbet.solvers.vector.sharing import HandBuckets
from overbet.solvers.vector.subgame import AS_GIVEN, BucketMaps, Leaves, MaxMargin, Root, compatible
from overbet.solvers.vector.tables import LateTables
from overbet.tree.public import PublicTree
from overbet.tree.spot import IP, OOP

Floats = npt.NDArray[np.float32]
Mask = npt.NDArray[np.uint8]

_AHEAD = 32 if SIMULATED else 256  # iterations whose scalars are on the device
_SPARE = 64 * 2**20  # bytes left to the driver
_TRACE = np.float32(1e-30)
_OVER = 4096  # floats after a table: rows are read in whole steps of a block, the last one beyond its end


class CudaEngine:
    """CFR on a public tree with float32 tables on a GPU; the interface of `VectorEngine`.

    `regret`, `average`, `play` and `locked` are host copies in the CPU's layout, downloaded when asked for. A
    change of them reaches the device by `restore` or `lock` only.
    """

    packed = False

    def __init__(
        self,
        tree: PublicTree,
        rule: Rule,
        order: tuple[int, int] = (OOP, IP),
        *,
        root: Root = AS_GIVEN,
        leaves: Leaves | None = None,
        buckets: BucketMaps | BoardBuckets | None = None,
        threads: int = 1,
    ) -> None:
        """Take a tree and a rule as `VectorEngine` does. threads: of the CPU, that prepare the solve."""
        usable, reason = device.available()
        if not usable:
            raise ConfigError(f"device cuda: {reason}; use device: cpu")
        if tree.is_cut != (leaves is not None):
            raise ConfigError(
                "a tree with a depth limit needs leaves that value its end, and only such a tree takes them"
            )
        if isinstance(root.gadget, MaxMargin):
            raise ConfigError("device cuda: the maxmargin gadget is solved on the CPU; use device: cpu")
        if not tree.is_ordered:
            raise ConfigError("device cuda: drawn boards are solved on the CPU; use device: cpu")
        self.tree, self.rule, self.order = root.tree(tree), rule, order
        tree = self.tree
        self._choice = GpuChoice(tree, root.gadget) if root.gadget else None
        self.iteration = 0
        self.first, self.last, self._leaves = tree.spot.first_street, tree.betting.last_street, leaves
        self.buckets = HandBuckets(tree, buckets) if buckets else None
        self.layout = layout_of(tree, buckets=self.buckets.counts if self.buckets else None)
        self._wide = layout_of(tree, ragged=False)  # on the device all rivers have rows of one length
        self.locked: list[Mask] | None = None
        plans = plans_of(tree, self._wide, workers=threads)
        self._refuse_if_too_large(plans)
        self._stream = new_stream()
        self._shapes = [Shapes(tree, self._wide.passes[p].own.stride, plans[p]) for p in (OOP, IP)]
        weights = [hands.weights.astype(np.float64) for hands in tree.hands]
        self._pair_weight = float(weights[OOP] @ compatible(tree, OOP, weights[IP]))
        self._allocate(plans)
        self._ends = CutEnds(tree, leaves, plans) if leaves else None
        self._rows = shared_rows(tree, self.buckets, self.layout, self._wide) if self.buckets else ()
        self._window = -_AHEAD  # iterations done when the clock's first row was next
        self._host: dict[str, list[Floats]] = {}
        self._changed = True  # the device lacks strategies, or what `restore` and `lock` did
        self._masked = False  # the host's masks of locked entries are not on the device
        self._launch = Launcher(self._stream)

    @property
    def regret(self) -> list[Floats]:
        """The players' regret tables, flat float32."""
        return self._downloaded("regret")

    @property
    def average(self) -> list[Floats]:
        """The players' tables of summed strategies, flat float32."""
        return self._downloaded("average")

    def first_averages(self) -> list[Floats]:
        """Return the players' averages up to the end of the first street, brought to the host alone."""
        if self.first == RIVER or self.buckets or "average" in self._host:
            return self.average
        self._push()
        sizes = [self._first_size(player) for player in (OOP, IP)]
        return [t.average[:size].copy_to_host() for t, size in zip(self._tables, sizes)]

    def _first_size(self, player: int) -> int:
        """Return the floats of a player's table up to the end of the first street."""
        side = self._wide.passes[player].own
        return int(side.base[self.first] + side.rows[self.first] * side.stride[self.first])

    @property
    def play(self) -> list[Floats]:
        """What regret matching reads: the regrets or, under a predictive rule, the strategy it predicts."""
        return self._downloaded("strategy") if self.rule.prediction else self.regret

    @property
    def gadget(self) -> RootChoice | None:
        """The choice before the root, its tables as they are now."""
        return self._choice.fetched() if self._choice else None

    @property
    def judge(self) -> Judge:
        """The CPU's judge of the tables as they are now."""
        if self.buckets:
            layout, averages = layout_of(self.tree), self.hand_tables(self.average)
            return Judge(self.tree, layout, averages, None, self._leaves, self.gadget)
        for average, regret, mask in zip(self.average, self.regret, self.locked or ()):
            fixed = np.flatnonzero(mask)  # the average holds nothing of a locked hand that is never here
            average[fixed] = np.maximum(average[fixed], _TRACE * regret[fixed])
        return Judge(self.tree, self.layout, self.average, self.locked, self._leaves, self.gadget)

    def run(self, iterations: int) -> None:
        """Run some iterations; within each, the players in `order`."""
        self._push()
        self._host = {}
        try:
            for _ in range(iterations):
                if self.iteration - self._window >= _AHEAD:
                    self._wind()
                if self._ends:  # the host has its say in between
                    self._iterate()
                else:
                    self._update.play()
                self.iteration += 1
            self._stream.synchronize()
        except BaseException:  # stopped between two launches: the device knows what was done
            self._stream.synchronize()
            self.iteration = self._window + 1 + int(self._clock.now.copy_to_host()[0])
            raise

    def exploitability(self) -> float:
        """Return half of what both players could gain by best responses to the averages, in chips."""
        self._push()
        if self._ends or self.buckets:
            return self.judge.exploitability()
        if self._choice:
            return self._with_choice(self._choice)
        self._look.play()
        self._stream.synchronize()
        return self._judge.exploitability(self._buffers.result.copy_to_host(), self._pair_weight)

    def hand_tables(self, tables: Sequence[Floats]) -> list[Floats]:
        """Return tables with a row entry for each hand, as `VectorEngine.hand_tables`."""
        whole: Any = self
        return VectorEngine.hand_tables(whole, tables)

    def _with_choice(self, choice: GpuChoice) -> float:
        """Return the exploitability of a game that begins with a choice, which is made on the host."""
        entering = choice.entering()
        self._buffers.opened[choice.player][: len(entering)].copy_to_device(entering)
        total = 0.0
        for player in (OOP, IP):
            self._judge.meet(player)
            for mode, sign in ((BEST, 1.0), (FOLLOW, -1.0)) if self._judge.raked else ((BEST, 1.0),):
                self._judge.respond(player, mode, player)
                self._stream.synchronize()
                total += sign * choice.worth(player, self._root_values(player), mode == FOLLOW)
        return total / self._pair_weight / 2

    def _root_values(self, player: int) -> npt.NDArray[np.float64]:
        """Return the values that the last walk left at the root, hands in the range's order: [H] float64."""
        size = self.tree.hands[player].size
        values: npt.NDArray[np.float64] = self._buffers.lines[:size].copy_to_host().astype(np.float64)
        if self.first < RIVER:
            return values
        found, shown = np.zeros(size), self.tree.showdowns[player]
        alive = int(shown.alive[0])
        found[shown.hand[0, :alive]] = values[:alive]
        return found

    def first_reader(self, threads: int) -> TreeReader | None:
        """Return a reader of the first street alone, nothing but its rows brought to the host.

        None for a river spot, whose tables are small, and where the game begins with a choice or is cut off.
        """
        if self.first == RIVER or self._choice or self._ends or self.buckets:
            return None
        self._push()
        ends, strategies = [], []
        for player in (OOP, IP):
            shape, plan = self._shapes[player], self._plans[player]
            self._judge.meet(player, filled=True)
            side = self._wide.passes[1 - player].own
            start, length = int(side.base[self.first]), int(side.rows[self.first] * side.stride[self.first])
            self._stream.synchronize()
            strategies.append(self._buffers.spare[: start + length].copy_to_host())
            self._judge.respond(player, FILLED, player)
            self._stream.synchronize()
            rows, wide = plan.first_rows, int(shape.stride[self.first])
            at = plan.first_value
            ends.append(self._buffers.value[at : at + rows * wide].copy_to_host().reshape(rows, wide))
        return first_reader(self.tree, self.layout, strategies[::-1], ends, threads)

    def restore(
        self,
        iteration: int,
        regret: Sequence[Floats],
        average: Sequence[Floats],
        play: Sequence[Floats] | None = None,
        locked: Sequence[Mask] | None = None,
    ) -> None:
        """Take over tables in the CPU's layout, as if `iteration` iterations had been run here."""
        self._host = {
            "regret": [table.astype(np.float32) for table in regret],
            "average": [table.astype(np.float32) for table in average],
        }
        if self.rule.prediction:
            self._host["strategy"] = [table.astype(np.float32) for table in (play or regret)]
        self.locked = [mask.astype(np.uint8) for mask in locked] if locked else None
        self._masked = True
        self.iteration, self._window = iteration, iteration - _AHEAD
        self._changed = True

    def lock(self, node: int, board: int, strategy: Floats, hands: npt.NDArray[np.bool_]) -> None:
        """Fix the strategy of some hands at a decision node on one board: as `VectorEngine.lock`."""
        if self.buckets:
            raise ConfigError("hands that share rows cannot be locked one by one; lock without buckets")
        if self.locked is None:
            self.locked = [np.zeros(size, np.uint8) for size in self.layout.table_size]
        player = int(self.tree.betting.kind[node])
        rows, places = self.rows_of(node, board)
        waiting = self._changed and self._host  # what the host changed is not on the device yet
        if self.first == self.tree.betting.street[node] < RIVER and not self.rule.prediction and not waiting:
            self._lock_early(player, (rows, places, strategy, hands), self.locked[player])
            return
        tables = (self.regret[player], self.play[player], self.average[player], self.locked[player])
        write_lock(rows, places, strategy, hands, tables)
        self._changed = self._masked = True

    def _lock_early(self, player: int, fixed: tuple[Any, Any, Any, Any], mask: Mask) -> None:
        """Fix a decision of the first street, whose rows alone go to the host and back."""
        size, tables = self._first_size(player), self._tables[player]
        regret, average = (table[:size].copy_to_host() for table in (tables.regret, tables.average))
        write_lock(*fixed, (regret, regret, average, mask))
        tables.regret[:size].copy_to_device(regret)
        tables.average[:size].copy_to_device(average)
        for each in (OOP, IP):
            if self._tables[each].locked.size == 1:
                room = zeros(self._wide.table_size[each] + _OVER, np.uint8)
                self._tables[each] = self._tables[each]._replace(locked=room)
        self._tables[player].locked[:size].copy_to_device(mask[:size])
        self._host, self._changed = {}, True

    def rows_of(self, node: int, board: int) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
        """Return where a node's rows begin and the hands' places in them: see `layout.rows_of`."""
        whole: Any = self
        return VectorEngine.rows_of(whole, node, board)

    def _allocate(self, plans: Sequence[GpuPlan]) -> None:
        there: dict[int, Any] = {}
        try:
            self._plans = [_on_device(plan, there) for plan in plans]
            self._tables = [_no_tables(size + _OVER) for size in self._wide.table_size]
            self._buffers = Buffers(
                zeros(max(plan.value_floats for plan in plans), np.float32),
                zeros(max(plan.line_floats for plan in plans), np.float32),
                zeros(max(self._wide.table_size) + _OVER, np.float32),
                (upload(plans[IP].seat.opened), upload(plans[OOP].seat.opened)),
                zeros(4, np.float64),
            )
            self._clock = Clock(upload(np.zeros((_AHEAD, STEP_FIELDS), np.float32)), zeros(1, np.int32))
        except Exception as error:  # the free memory was asked for before, but others use the GPU too
            if "OUT_OF_MEMORY" not in str(error):
                raise
            raise TooLargeError("the GPU ran out of memory; try again, or use device: cpu") from error

    def _downloaded(self, name: str) -> list[Floats]:
        if name not in self._host:
            wide = [getattr(tables, name).copy_to_host() for tables in self._tables]
            if self._rows:
                known = "play" if name == "strategy" else name
                shared = [getattr(rows.learnt, known).copy_to_host() for rows in self._rows]
                self._host[name] = [r.gathered(w, s) for r, w, s in zip(self._rows, wide, shared)]
                return self._host[name]
            self._host[name] = [np.zeros(size, np.float32) for size in self.layout.table_size]
            copy_rivers(self._wide, wide, self.layout, self._host[name])
        return self._host[name]

    def _push(self) -> None:
        """Bring the device up to date with what was changed on the host."""
        if not self._changed:
            return
        wide = {name: self._widened(host) for name, host in self._host.items()}
        for rows in self._rows:
            for name, host in self._host.items():
                known = "play" if name == "strategy" else name
                getattr(rows.learnt, known).copy_to_device(host[rows.player])
            if "regret" in self._host and "strategy" not in self._host:
                rows.learnt.play.copy_to_device(self._host["regret"][rows.player])
        masks = self._widened(self.locked) if self.locked and self._masked else []
        for player in (OOP, IP):
            tables = self._tables[player]
            for name, host in wide.items():
                getattr(tables, name).copy_to_device(host[player])
            if masks:
                self._tables[player] = tables._replace(locked=upload(masks[player]))
            elif not self.locked and tables.locked.size > 1:
                self._tables[player] = tables._replace(locked=zeros(1, np.uint8))
        if self._choice:
            seat = self._plans[1 - self._choice.player].seat
            self._choice.launch(self._launch, seat, self._buffers.lines, self._clock, 0)
        for player in (OOP, IP):
            tables, seat = self._tables[player], self._plans[1 - player].seat
            play = tables.strategy if "strategy" in self._host else tables.regret
            for street in self._own_streets(player):
                source = (self._plans[player].program, seat, tables, play, play)
                match_street(self._launch, self._shapes[player], street, source)
            self._spread(player)
            self._open(player)
        self._stream.synchronize()
        self._changed = self._masked = False
        self._arrange()

    def _widened(self, tables: Sequence[npt.NDArray[Any]]) -> list[npt.NDArray[Any]]:
        """Return tables of the CPU's layout in the device's."""
        found = [np.zeros(size + _OVER, tables[0].dtype) for size in self._wide.table_size]
        if self._rows:
            return [rows.scattered(tables[rows.player], len(found[rows.player])) for rows in self._rows]
        copy_rivers(self.layout, tables, self._wide, found)
        return found

    def _arrange(self) -> None:
        """Prepare the recordings of an iteration and of a look at the exploitability."""
        self._launch = Launcher(self._stream)
        self._judge = GpuLook(
            self.tree, self._plans, self._shapes, self._tables, self._buffers, self._clock, self._launch
        )
        # which kernels there will be: those of a sequence must all be loaded before it is recorded
        streets, threads = range(self.first, 3), tuple(plan.threads for plan in self._plans)
        rows = [[bool(shapes.rows(street)) for street in streets] for shapes in self._shapes]
        self._update = Recording(
            self._iterate, self._stream, f"update {threads} {rows} {bool(self._choice)} {bool(self.buckets)}"
        )
        self._look = Recording(self._judge.launch, self._stream, f"look {threads} {self.first}")

    def _wind(self) -> None:
        """Put the scalars of the iterations to come on the device."""
        steps = self.rule.steps(self.iteration + 1, _AHEAD).astype(np.float32)
        self._clock.steps.copy_to_device(steps, stream=self._stream)
        self._clock.now.copy_to_device(np.array([-1], np.int32), stream=self._stream)
        self._stream.synchronize()
        self._window = self.iteration

    def _iterate(self) -> None:
        """Queue the launches of one iteration."""
        for turn, player in enumerate(self.order):
            plan, tables = self._plans[player], self._tables[player]
            seat, opp = self._plans[1 - player].seat, self._tables[1 - player].strategy
            value, lines, advance = self._buffers.value, self._buffers.lines, 1 - turn
            if self._ends:
                self._value_ends(self._ends, player, advance)
                advance = 0
            if plan.leaves.units:
                shape = (plan.leaves.units, plan.threads, 4 * plan.shared)
                first = (plan.seat, plan.order, plan.leaves, opp, value, self._clock, advance)
                self._launch(settle(plan.threads), shape, *first)
            for street in range(self.last, self.first - 1, -1):
                several, walk = self._shapes[player].rows(street), self._shapes[player].walk(street)
                if self._rows and street in self._rows[player].streets:
                    work = (plan.program, seat, tables, value, lines)
                    self._rows[player].note(self._launch, street, self._shapes[player], work)
                else:
                    what = (plan.program, seat, tables, value, lines, self._clock)
                    if several:
                        many = (street, several.parts, several.boards)
                        kernel = update_rows(bool(self.rule.prediction))
                        self._launch(kernel, several.walk, *many, *what)
                    else:
                        self._launch(update_lines, walk.launch, street, walk.width, *what)
                if street > self.first:
                    cards, deal = self._shapes[player].collect(street), plan.deals[street]
                    up = (street, cards.width, plan.program, seat, deal, lines, value)
                    self._launch(collect, cards.launch, *up)
            if self._choice and self._choice.player == player:
                self._choice.launch(self._launch, seat, lines, self._clock, 1)
            if self._rows:
                self._rows[player].learn(self._launch, seat, tables, self._clock)
            self._spread(player)
            self._open(player)

    def _own_streets(self, player: int) -> list[int]:
        """Return the streets on which somebody decides and every hand has rows of its own."""
        shared = self._rows[player].streets if self._rows else ()
        return [street for street in self._shapes[player].deciding() if street not in shared]

    def _spread(self, player: int) -> None:
        """Queue the spreading of what buckets play to their hands."""
        if self._rows:
            plan, seat = self._plans[player], self._plans[1 - player].seat
            strategy = self._tables[player].strategy
            self._rows[player].spread(self._launch, self._shapes[player], plan.program, seat, strategy)

    def _value_ends(self, ends: CutEnds, player: int, advance: int) -> None:
        """Ask the host what the leaves of the depth limit are worth, and queue that it is put in place."""
        self._stream.synchronize()
        seats = [self._plans[1 - p].seat for p in (OOP, IP)]
        ends.ask(player, [seat.opened for seat in seats])
        shape, program = self._shapes[player].ends(self.last), self._plans[player].program
        put = (self.last, shape.width, program, seats[player], ends.given, self._buffers.value)
        self._launch(put_ends, shape.launch, *put, self._clock, advance)

    def _open(self, player: int) -> None:
        """Queue what makes a player's reach at the beginning of every line, by its strategy as it is now."""
        if self.first < RIVER:
            shape, seat = self._shapes[player].open(), self._plans[1 - player].seat
            self._launch(open_lines, shape.launch, shape.width, seat, self._tables[player].strategy)

    def _refuse_if_too_large(self, plans: Sequence[GpuPlan]) -> None:
        """Refuse a tree that does not fit the GPU before anything is allocated there."""
        shared = 4 * max(plan.shared for plan in plans)
        if shared > device.MOST_SHARED and shared > device.most_shared():
            raise TooLargeError(
                f"the ranges need {shared:,} bytes of shared memory and this GPU's blocks have "
                f"{device.most_shared():,}; use narrower ranges, or device: cpu"
            )
        needed = 3 * 4 * sum(self._wide.table_size) + 4 * max(self._wide.table_size)
        needed += 4 * max(plan.value_floats for plan in plans) + 4 * max(plan.line_floats for plan in plans)
        needed += sum(plan.bytes() + plan.seat.opened.nbytes for plan in plans) + _SPARE
        free = device.free_bytes()
        if needed > free:
            LateTables.fetch_all()  # solutions that nobody has read yet wait on the GPU
            gc.collect()
            free = device.free_bytes()
        if needed > free:
            raise TooLargeError(
                f"the solve needs {needed / 1e9:.2f} GB of GPU memory and {free / 1e9:.2f} GB are free; "
                "use fewer bet sizes, narrower ranges, or device: cpu"
            )


def _no_tables(size: int) -> GpuTables:
    regret, average, strategy = (zeros(size, np.float32) for _ in range(3))
    return GpuTables(regret, average, strategy, zeros(1, np.uint8))


def _on_device(bundle: Any, there: dict[int, Any]) -> Any:
    """Return a bundle with its arrays uploaded; numbers stay. there: uploaded already, by identity."""
    if isinstance(bundle, dict):
        return {key: _on_device(part, there) for key, part in bundle.items()}
    if not isinstance(bundle, np.ndarray | tuple):
        return bundle
    if id(bundle) not in there:
        if isinstance(bundle, np.ndarray):
            there[id(bundle)] = upload(bundle)
        else:
            there[id(bundle)] = type(bundle)(*(_on_device(part, there) for part in bundle))
    return there[id(bundle)]
