"""Buckets of an engine on a GPU: which hands share rows, and the shared tables beside those of every hand."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from overbet.cuda.arrays import Clock, GpuProgram, GpuTables, PlayerArrays
from overbet.cuda.buckets import GpuSharedRows, SharedTables, learn_rows, note_lines, spread_rows
from overbet.cuda.device import SIMULATED, Launcher, upload, zeros
from overbet.kernels.vector.bundles import RIVER, TURN
from overbet.solvers.vector.gpu.shapes import Shapes
from overbet.solvers.vector.layout import Layout, board_rows
from overbet.solvers.vector.sharing import HandBuckets, board_copies
from overbet.tree.boards import live_on
from overbet.tree.public import PublicTree

Floats = npt.NDArray[np.float32]
_WIDTH = 4 if SIMULATED else 64


class GpuSharing:
    """The shared rows of one player. layout: the tables with buckets; wide: those of every hand."""

    def __init__(
        self, tree: PublicTree, player: int, buckets: HandBuckets, layout: Layout, wide: Layout
    ) -> None:
        self.player, self._layout, self._wide, self._tree = player, layout, wide, tree
        side = layout.passes[player].own
        self.streets = sorted(buckets.counts)
        rows = {street: _rows(tree, player, street, buckets, layout, wide) for street in self.streets}
        self.rows = {s: GpuSharedRows(*(_sent(part) for part in made)) for s, made in rows.items()}
        self.counts = {street: int(side.rows[street]) for street in self.streets}
        size = layout.table_size[player]
        self.learnt = SharedTables(*(zeros(size, np.float32) for _ in range(3)))

    def note(
        self,
        launch: Launcher,
        street: int,
        shapes: Shapes,
        work: tuple[GpuProgram, PlayerArrays, GpuTables, Any, Any],
    ) -> None:
        """Queue the walk through a street on which every hand notes what it learns."""
        program, seat, tables, value, lines = work
        shape, rows = shapes.walk(street), self.rows[street]
        launch(note_lines, shape.launch, street, shape.width, program, seat, rows, tables, value, lines)

    def learn(self, launch: Launcher, seat: PlayerArrays, tables: GpuTables, clock: Clock) -> None:
        """Queue what all buckets learn from the notes."""
        for street, rows in self.rows.items():
            blocks = (self.counts[street], -(-rows.length // _WIDTH))
            work = (seat, rows, tables, self.learnt, clock)
            launch(learn_rows, (blocks, _WIDTH, 0), street, _WIDTH, *work)

    def spread(
        self, launch: Launcher, shapes: Shapes, program: GpuProgram, seat: PlayerArrays, strategy: Any
    ) -> None:
        """Queue the spreading of strategies from the shared rows to every hand."""
        for street, rows in self.rows.items():
            shape = shapes.match(street)
            work = (program, seat, rows, strategy, self.learnt.play)
            launch(spread_rows, shape.launch, street, shape.width, *work)

    def gathered(self, hands: Floats, shared: Floats) -> Floats:
        """Return a table with buckets from that of every hand and the shared rows."""
        found = shared.copy()
        for street in range(self._tree.spot.first_street, 3):
            if street not in self.streets:
                for to, source in self._pieces(street):
                    found[to] = hands[source]
        return found

    def scattered(self, table: Floats, size: int) -> Floats:
        """Return what of a table with buckets every hand has for itself, as a table of every hand."""
        found = np.zeros(size, np.float32)
        for street in range(self._tree.spot.first_street, 3):
            if street not in self.streets:
                for source, to in self._pieces(street):
                    found[to] = table[source]
        return found

    def _pieces(self, street: int) -> list[tuple[Any, Any]]:
        """Return index pairs, of the table with buckets and of every hand's, of a street without buckets."""
        one, two = (layout.passes[self.player].own for layout in (self._layout, self._wide))
        rows, found = np.arange(int(one.rows[street]))[:, None], []
        for board in range(self._tree.board_count(street)):
            (start, length), (to, room) = board_rows(one, street, board), board_rows(two, street, board)
            places = np.arange(min(length, room))
            found.append((start + rows * length + places, to + rows * room + places))
        return found


def _sent(part: Any) -> Any:
    return upload(part) if isinstance(part, np.ndarray) else part


def _rows(
    tree: PublicTree, player: int, street: int, buckets: HandBuckets, layout: Layout, wide: Layout
) -> GpuSharedRows:
    side, plain, hands = layout.passes[player].own, wide.passes[player].own, tree.hands[player]
    boards = tree.board_count(street)
    bucket = np.stack([buckets.of(street, board)[player] for board in range(boards)]).astype(np.int32)
    weights = np.broadcast_to(hands.weights, bucket.shape)
    copies = np.ones(1) if street < TURN else board_copies(tree)[street - TURN]
    if street == RIVER:  # in the boards' order of hands
        shown = tree.showdowns[player]
        live = np.arange(hands.size) < shown.alive[:, None]
        order = np.where(live, shown.hand, 0)
        bucket, weights = np.take_along_axis(bucket, order, 1), np.take_along_axis(weights, order, 1)
    else:
        kept = tree.street_boards(street)
        assert kept is not None
        live = live_on(kept, hands) > 0
    length = int(side.buckets[street])
    board, place = np.nonzero(live)
    chosen = bucket[board, place]
    order = np.argsort(chosen, kind="stable")
    at = board.astype(np.int64) * int(plain.rows[street] * plain.stride[street]) + place
    weight = np.where(live, weights * copies[:boards, None], 0.0).astype(np.float32)
    return GpuSharedRows(
        int(side.base[street]),
        length,
        int(side.width[street]),
        bucket.ravel(),
        weight.ravel(),
        np.asarray(copies[:boards], np.float32),
        np.searchsorted(chosen[order], np.arange(length + 1)).astype(np.int32),
        at[order],
    )


def shared_rows(tree: PublicTree, buckets: HandBuckets, layout: Layout, wide: Layout) -> Sequence[GpuSharing]:
    """Return both players' shared rows."""
    return [GpuSharing(tree, player, buckets, layout, wide) for player in (0, 1)]
