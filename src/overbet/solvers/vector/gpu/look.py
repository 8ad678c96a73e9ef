"""A look at the exploitability on a GPU: best responses to the averages, in the tables' own layout.

For each player the other's averages are made a strategy in spare memory, terminals are evaluated against it
as in an update, and values are carried up by the best action of every hand. The CPU's judge, which shares no
code with any update, is what the tests hold this to.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from overbet.cuda.arrays import Clock, GpuTables, PlayerArrays
from overbet.cuda.device import SIMULATED, Launcher
from overbet.cuda.leaves import settle
from overbet.cuda.lines import BEST, FOLLOW, collect, match, open_lines, respond_lines, weigh
from overbet.cuda.rows import match_rows
from overbet.kernels.vector.bundles import RIVER
from overbet.solvers.vector.gpu.layout import GpuPlan
from overbet.solvers.vector.gpu.shapes import Shapes
from overbet.tree.public import PublicTree
from overbet.tree.spot import IP, OOP

_THREADS = 8 if SIMULATED else 256  # that weigh the root's hands


class Buffers(NamedTuple):
    """Device memory that updates and looks share. value, lines: float32. spare: float32, room for the larger
    player's strategies. opened: each player's reaches under its averages. result: [4] float64."""

    value: Any
    lines: Any
    spare: Any
    opened: tuple[Any, Any]
    result: Any


class GpuLook:
    """Launches the kernels of a look over uploaded plans."""

    def __init__(
        self,
        tree: PublicTree,
        plans: list[GpuPlan],
        shapes: list[Shapes],
        tables: list[GpuTables],
        buffers: Buffers,
        clock: Clock,
        launcher: Launcher,
    ) -> None:
        self.plans, self.shapes, self.tables = plans, shapes, tables
        self.buffers, self.clock, self._launch = buffers, clock, launcher
        self.first, self.raked = tree.spot.first_street, tree.spot.rake.share > 0.0
        # made once: a launcher knows bundles by their identity
        self._opponents = [
            plans[player].seat._replace(opened=buffers.opened[1 - player]) for player in (OOP, IP)
        ]
        self._averages = [each._replace(strategy=buffers.spare) for each in tables]

    def launch(self) -> None:
        """Queue all evaluations: best responses of both players and, with rake, their own strategies."""
        for player in (OOP, IP):
            self.meet(player)
            modes = (FOLLOW, BEST) if self.raked else (BEST,)
            for mode in modes:
                self.respond(player, mode, player + 2 * (mode == FOLLOW))

    def exploitability(self, result: npt.NDArray[np.float64], pair_weight: float) -> float:
        """Return half of what both could gain, in chips, from what the kernels left in `result`.

        Values are chips beyond half of the pot: without rake they sum to zero where nobody can gain.
        """
        met = result[2] + result[3] if self.raked else 0.0
        return float(result[0] + result[1] - met) / pair_weight / 2

    def meet(self, player: int, *, filled: bool = False) -> None:
        """Evaluate a player's terminals against the other's averages.

        filled: where a hand has none it plays its strategy of now instead of all actions alike.
        """
        plan, buffers = self.plans[player], self.buffers
        seat = self._opponents[player]
        self._average(1 - player, seat, filled)
        shape = (plan.leaves.units, plan.threads, 4 * plan.shared)
        arguments = (seat, plan.order, plan.leaves, buffers.spare, buffers.value, self.clock, 0)
        self._launch(settle(plan.threads), shape, *arguments)

    def respond(self, player: int, mode: int, index: int) -> None:
        """Carry a player's values up to the root; its weighted sum goes to result[index]."""
        plan, buffers, tables = self.plans[player], self.buffers, self.tables[player]
        seat, shapes = self.plans[1 - player].seat, self.shapes[player]
        value, lines = buffers.value, buffers.lines
        for street in range(RIVER, self.first - 1, -1):
            shape = shapes.walk(street)
            walk = (street, shape.width, mode, plan.program, seat, tables, value, lines)
            self._launch(respond_lines, shape.launch, *walk)
            if street > self.first:
                shape = shapes.collect(street)
                deal = plan.deals[street]
                self._launch(
                    collect, shape.launch, street, shape.width, plan.program, seat, deal, lines, value
                )
        root = (plan.program, seat, lines, buffers.result, index)
        self._launch(weigh, ((1,), _THREADS, 8 * _THREADS), *root)

    def _average(self, player: int, seat: PlayerArrays, filled: bool) -> None:
        """Make a player's averages a strategy in the spare memory, and open its lines under it."""
        program, shapes = self.plans[player].program, self.shapes[player]
        tables, average = self._averages[player], self.tables[player].average
        otherwise = self.tables[player].strategy if filled else average
        for street in shapes.deciding():
            match_street(self._launch, shapes, street, (program, seat, tables, average, otherwise))
        if self.first < RIVER:
            shape = shapes.open()
            self._launch(open_lines, shape.launch, shape.width, seat, self.buffers.spare)


def match_street(launch: Launcher, shapes: Shapes, street: int, source: tuple[Any, ...]) -> None:
    """Queue the reading of a street's strategies. source: as `match` takes it, from the program on."""
    several = shapes.rows(street)
    if several:
        many = (street, several.parts, several.boards)
        launch(match_rows, several.match, *many, *source)
    else:
        shape = shapes.match(street)
        launch(match, shape.launch, street, shape.width, *source)
