"""The engine on a GPU: the CPU engine's tables and interface, all work on the device.

An iteration of one player is one launch for the terminals of all streets, one for the decisions of each
street and one for each street's cards, last street first. The launches of an iteration are recorded once and
replayed as a CUDA graph; the scalars of the regret rule lie on the device for many iterations ahead.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from overbet.cuda import device
from overbet.cuda.arrays import Clock, Tables
from overbet.cuda.device import MOST_SHARED, SIMULATED, WARP, Launcher, upload, zeros
from overbet.cuda.graph import Recording, new_stream
from overbet.cuda.leaves import settle
from overbet.cuda.lines import collect, match, update_lines
from overbet.errors import ConfigError, TooLargeError
from overbet.kernels.regret import STEP_FIELDS
from overbet.kernels.vector.streets import RIVER
from overbet.solvers.rules import Rule
from overbet.solvers.vector.gpu.judge import GpuJudge, JudgePlan, judge_plan, judge_player
from overbet.solvers.vector.gpu.layout import Plan, plans_of
from overbet.solvers.vector.layout import copy_rivers, layout_of, rows_of
from overbet.solvers.vector.packed import write_lock
from overbet.solvers.vector.response import Judge
from overbet.tree.public import PublicTree
from overbet.tree.spot import IP, OOP

Floats = npt.NDArray[np.float32]
Mask = npt.NDArray[np.uint8]

_AHEAD = 32 if SIMULATED else 256  # iterations whose scalars are on the device
_WIDTH = 8 if SIMULATED else 128  # hands of a block that updates lines, at most
_FEW = 40_000  # threads; where there are fewer, groups of them share the work
_GROUPS = 2 if SIMULATED else 8
_SPARE = 64 * 2**20  # bytes left to the driver


class CudaEngine:
    """CFR on a public tree with float32 tables on a GPU; the interface of `VectorEngine`.

    `regret`, `average`, `play` and `locked` are host copies in the CPU's layout, downloaded when asked for. A
    change of them reaches the device by `restore` or `lock` only.
    """

    packed = False

    def __init__(self, tree: PublicTree, rule: Rule, order: tuple[int, int] = (OOP, IP)) -> None:
        usable, reason = device.available()
        if not usable:
            raise ConfigError(f"device cuda: {reason}; use device: cpu")
        if tree.is_cut:
            raise ConfigError("device cuda: depth limits are solved on the CPU; use device: cpu")
        self.tree, self.rule, self.order = tree, rule, order
        self.iteration = 0
        self.first = tree.spot.first_street
        self.layout = layout_of(tree)
        self._wide = layout_of(tree, ragged=False)  # on the device all rivers have rows of one length
        self.locked: list[Mask] | None = None
        plans = plans_of(tree, self._wide)
        # never read: only its payoffs are asked for, and zeros take no memory until somebody does
        known = Judge(tree, self._wide, [np.zeros(size, np.float32) for size in self._wide.table_size])
        judges = [judge_plan(tree, self._wide, known.lines[player], player) for player in (OOP, IP)]
        self._refuse_if_too_large(plans, judges)
        self._stream = new_stream()
        self._line_groups = plans[OOP].program.street_group
        self._pair_weight = known.pair_weight
        self._allocate(plans, judges)
        self._window = -_AHEAD  # iterations done when the clock's first row was next
        self._host: dict[str, list[Floats]] = {}
        self._changed = True  # the device lacks strategies, or what `restore` and `lock` did
        self._launch = Launcher(self._stream)

    @property
    def regret(self) -> list[Floats]:
        """The players' regret tables, flat float32."""
        return self._downloaded("regret")

    @property
    def average(self) -> list[Floats]:
        """The players' tables of summed strategies, flat float32."""
        return self._downloaded("average")

    @property
    def play(self) -> list[Floats]:
        """What regret matching reads: the regrets or, under a predictive rule, the strategy it predicts."""
        return self._downloaded("strategy") if self.rule.prediction else self.regret

    @property
    def judge(self) -> Judge:
        """The CPU's judge of the tables as they are now."""
        return Judge(self.tree, self.layout, self.average, self.locked)

    def run(self, iterations: int) -> None:
        """Run some iterations; within each, the players in `order`."""
        self._push()
        self._host = {}
        try:
            for _ in range(iterations):
                if self.iteration - self._window >= _AHEAD:
                    self._wind()
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
        self._look.play()
        self._stream.synchronize()
        return self._judge.exploitability(self._result.copy_to_host(), self._pair_weight)

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
        self.iteration, self._window = iteration, iteration - _AHEAD
        self._changed = True

    def lock(self, node: int, board: int, strategy: Floats, hands: npt.NDArray[np.bool_]) -> None:
        """Fix the strategy of some hands at a decision node on one board: as `VectorEngine.lock`."""
        if self.locked is None:
            self.locked = [np.zeros(size, np.uint8) for size in self.layout.table_size]
        player = int(self.tree.betting.kind[node])
        rows, places = self.rows_of(node, board)
        tables = (self.regret[player], self.play[player], self.average[player], self.locked[player])
        write_lock(rows, places, strategy, hands, tables)
        self._changed = True

    def rows_of(self, node: int, board: int) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
        """Return where a node's rows begin and the hands' places in them: see `layout.rows_of`."""
        return rows_of(self.tree, self.layout, node, board)

    def _allocate(self, plans: Sequence[Plan], judges: Sequence[JudgePlan]) -> None:
        there: dict[int, Any] = {}
        try:
            self._plans = [_on_device(plan, there) for plan in plans]
            self._judges = [_on_device(plan, there) for plan in judges]
            self._tables = [_no_tables(size) for size in self._wide.table_size]
            self._value = zeros(_value_floats(plans, judges), np.float32)
            self._lines = zeros(max(plan.line_floats for plan in plans), np.float32)
            self._result = zeros(4, np.float64)
            self._clock = Clock(upload(np.zeros((_AHEAD, STEP_FIELDS), np.float32)), zeros(1, np.int32))
        except Exception as error:  # the free memory was asked for before, but others use the GPU too
            if "OUT_OF_MEMORY" not in str(error):
                raise
            raise TooLargeError("the GPU ran out of memory; try again, or use device: cpu") from error

    def _downloaded(self, name: str) -> list[Floats]:
        if name not in self._host:
            wide = [getattr(tables, name).copy_to_host() for tables in self._tables]
            self._host[name] = [np.zeros(size, np.float32) for size in self.layout.table_size]
            copy_rivers(self._wide, wide, self.layout, self._host[name])
        return self._host[name]

    def _push(self) -> None:
        """Bring the device up to date with what was changed on the host."""
        if not self._changed:
            return
        wide = {name: self._widened(host) for name, host in self._host.items()}
        masks = self._widened(self.locked) if self.locked else []
        for player in (OOP, IP):
            tables = self._tables[player]
            for name, host in wide.items():
                getattr(tables, name).copy_to_device(host[player])
            if masks:
                self._tables[player] = tables._replace(locked=upload(masks[player]))
            elif tables.locked.size > 1:
                self._tables[player] = tables._replace(locked=zeros(1, np.uint8))
        for player in (OOP, IP):
            tables, seat = self._tables[player], self._plans[1 - player].seat
            play = tables.strategy if "strategy" in self._host else tables.regret
            for street in range(self.first, 3):
                blocks, width, _ = self._shape(player, street, street)
                program = self._plans[player].program
                self._launch(match, (blocks, width, 0), street, width, program, seat, tables, play)
        self._stream.synchronize()
        self._changed = False
        self._arrange()

    def _widened(self, tables: Sequence[npt.NDArray[Any]]) -> list[npt.NDArray[Any]]:
        """Return tables of the CPU's layout in the device's."""
        found = [np.zeros(size, tables[0].dtype) for size in self._wide.table_size]
        copy_rivers(self.layout, tables, self._wide, found)
        return found

    def _arrange(self) -> None:
        """Prepare the recordings of an iteration and of a look at the exploitability."""
        self._launch = Launcher(self._stream)
        players = [
            judge_player(self._plans[1 - p].seat, p, self._tables[p].average, self._tables[p].locked)
            for p in (OOP, IP)
        ]
        deals = [plan.deals for plan in self._plans]
        buffers = (self._value, self._result)
        self._judge = GpuJudge(self.tree, self._judges, deals, players, buffers, self._launch)
        kernels = "river" if self.first == RIVER else "streets"
        self._update = Recording(self._iterate, self._stream, f"update {kernels}")
        self._look = Recording(self._judge.launch, self._stream, f"judge {kernels}")

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
            shape: Any = (plan.leaves.units, plan.threads, 4 * plan.shared)
            first = (plan.seat, plan.order, plan.leaves, opp, self._value, self._clock)
            self._launch(settle, shape, *first, 1 - turn)
            for street in range(RIVER, self.first - 1, -1):
                (_, boards, parts), width, groups = self._shape(player, street, street)
                lines = int(np.diff(self._line_groups)[street])
                shape = ((parts, boards, lines), width * groups, 4 * width * plan.slots)
                buffers = (self._value, self._lines, self._clock)
                self._launch(update_lines, shape, street, width, plan.program, seat, tables, *buffers)
                if street > self.first:
                    blocks, width, groups = self._shape(player, street, street - 1)
                    shape, deal = (blocks, width * groups, 4 * width * groups), plan.deals[street]
                    self._launch(
                        collect, shape, street, width, plan.program, seat, deal, self._lines, self._value
                    )

    def _shape(self, player: int, street: int, boards_of: int) -> tuple[tuple[int, int, int], int, int]:
        """Return blocks, hands of a block and groups for the lines of a street, on the boards of a street."""
        lines = int(np.diff(self.tree.betting.street_line)[street])
        stride = int(self._wide.passes[player].own.stride[boards_of])
        boards = self.tree.board_count(boards_of)
        if boards * lines * stride < _FEW:
            width, groups = min(_WIDTH, WARP), _GROUPS
        else:
            width, groups = min(_WIDTH, MOST_SHARED // (4 * self._plans[player].slots)), 1
            if not SIMULATED:
                width = -(-stride // (-(-stride // width) * WARP)) * WARP
        return (lines, boards, -(-stride // width)), width, groups

    def _refuse_if_too_large(self, plans: Sequence[Plan], judges: Sequence[JudgePlan]) -> None:
        """Refuse a tree that does not fit the GPU before anything is allocated there."""
        needed = 3 * 4 * sum(self._wide.table_size) + 4 * _value_floats(plans, judges)
        needed += 4 * max(plan.line_floats for plan in plans)
        needed += sum(plan.bytes() for plan in plans) + sum(plan.bytes() for plan in judges) + _SPARE
        free = device.free_bytes()
        if needed > free:
            raise TooLargeError(
                f"the solve needs {needed / 1e9:.2f} GB of GPU memory and {free / 1e9:.2f} GB are free; "
                "use fewer bet sizes, narrower ranges, or device: cpu"
            )


def _value_floats(plans: Sequence[Plan], judges: Sequence[JudgePlan]) -> int:
    return max(*(plan.value_floats for plan in plans), *(plan.value_floats for plan in judges))


def _no_tables(size: int) -> Tables:
    regret, average, strategy = (zeros(size, np.float32) for _ in range(3))
    return Tables(regret, average, strategy, zeros(1, np.uint8))


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
