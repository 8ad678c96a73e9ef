"""How many blocks and threads the kernels over lines of the betting tree are launched with."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from overbet.cuda.device import MOST_SHARED, SIMULATED, WARP
from overbet.cuda.lines import MATCHED
from overbet.cuda.rows import WIDTH
from overbet.kernels.vector.bundles import RIVER
from overbet.solvers.vector.gpu.layout import GpuPlan
from overbet.tree.public import PublicTree

_WIDTH = 8 if SIMULATED else 128  # hands of a block, at most
_FEW = 40_000  # threads; where there are fewer, groups of them share the work
_GROUPS, _DEALING = (2, 2) if SIMULATED else (16, 8)  # of threads: that decide, and that collect cards
_MANY = 4_000 if SIMULATED else 400_000  # threads; where there are more, each takes several hands
_THREADS = 4 if SIMULATED else 64  # of a block whose threads take several hands


class Shape(NamedTuple):
    """A launch: blocks (at most three dimensions), hands of a block, threads, bytes of shared memory."""

    blocks: tuple[int, ...]
    width: int
    threads: int
    shared: int

    @property
    def launch(self) -> tuple[tuple[int, ...], int, int]:
        """As `Launcher` takes it."""
        return self.blocks, self.threads, self.shared


class RowsShape(NamedTuple):
    """Launches of `rows.update_rows` and `rows.match_rows`. parts: of WIDTH hands in a row."""

    parts: int
    boards: int
    walk: tuple[tuple[int, ...], int, int]
    match: tuple[tuple[int, ...], int, int]


class Shapes:
    """Launch shapes of one player's kernels. lines, groups, operations: [3], of each street."""

    def __init__(self, tree: PublicTree, stride: npt.NDArray[np.int64], plan: GpuPlan) -> None:
        program, self.first = plan.program, tree.spot.first_street
        self.lines = np.diff(program.street_line)
        self.groups = np.diff(program.street_group)
        self.operations = np.diff(program.level_op[program.line_level[program.street_line]])
        self.boards = [tree.board_count(street) for street in range(3)]
        self.stride, self.slots = stride, plan.slots

    def walk(self, street: int) -> Shape:
        """For the decisions of a street: (part of the hands, board, group of lines)."""
        width, groups = self._width(street, street)
        blocks = (self._parts(street, width), self.boards[street], int(self.groups[street]))
        return Shape(blocks, width, width * groups, 4 * width * self.slots)

    def rows(self, street: int) -> RowsShape | None:
        """For the decisions of a river with several hands a thread, where there is work enough; else None."""
        work = self.boards[street] * int(self.lines[street]) * int(self.stride[street])
        if street < RIVER or work < _MANY:
            return None
        parts = int(self.stride[street]) // WIDTH
        across = -(-self.boards[street] * parts // _THREADS)
        walk = ((across, int(self.groups[street])), _THREADS, 4 * _THREADS * WIDTH * self.slots)
        match = ((across, -(-int(self.operations[street]) // MATCHED)), _THREADS, 0)
        return RowsShape(parts, self.boards[street], walk, match)

    def collect(self, street: int) -> Shape:
        """For the cards that lead to a street: (line, board above, part of the hands)."""
        width, groups = self._width(street, street - 1)
        groups = min(groups, _DEALING)
        blocks = (int(self.lines[street]), self.boards[street - 1], self._parts(street - 1, width))
        return Shape(blocks, width, width * groups, 4 * width * groups)

    def deciding(self) -> list[int]:
        """Return the streets on which anybody decides."""
        return [street for street in range(self.first, 3) if self.operations[street]]

    def match(self, street: int) -> Shape:
        """For all operations of a street: (MATCHED operations, board, part of the hands)."""
        width = min(_WIDTH, int(self.stride[street]))
        blocks = (
            -(-int(self.operations[street]) // MATCHED),
            self.boards[street],
            self._parts(street, width),
        )
        return Shape(blocks, width, width, 0)

    def open(self) -> Shape:
        """For the lines after the first street: (line, board above, part of the hands)."""
        width = min(_WIDTH, int(self.stride[self.first]))
        above = max(self.boards[self.first : 2])
        blocks = (int(self.lines[self.first + 1 :].sum()), above, self._parts(self.first, width))
        return Shape(blocks, width, width, 0)

    def ends(self, street: int) -> Shape:
        """For the leaves after a street: (leaf, board, part of the hands)."""
        width = min(_WIDTH, int(self.stride[street]))
        blocks = (int(self.lines[street + 1]), self.boards[street], self._parts(street, width))
        return Shape(blocks, width, width, 0)

    def _parts(self, street: int, width: int) -> int:
        return -(-int(self.stride[street]) // width)

    def _width(self, lines_of: int, boards_of: int) -> tuple[int, int]:
        """Return hands of a block, and groups of threads that share the work of each hand."""
        stride = int(self.stride[boards_of])
        if self.boards[boards_of] * int(self.lines[lines_of]) * stride < _FEW:
            return min(_WIDTH, WARP), _GROUPS
        width = min(_WIDTH, MOST_SHARED // (4 * self.slots))
        if not SIMULATED:
            width = -(-stride // (-(-stride // width) * WARP)) * WARP
        return width, 1
