"""Buckets of an engine on a GPU: which hands share rows, and the shared tables beside those of every hand."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from overbet.cuda.arrays import Clock, PlayerArrays, Program, Tables
from overbet.cuda.buckets import Rows, SharedTables, learn_rows, note_lines, spread_rows
from overbet.cuda.device import SIMULATED, Launcher, upload, zeros
from overbet.kernels.vector.streets import RIVER
from overbet.solvers.vector.gpu.shapes import Shapes
from overbet.solvers.vector.layout import Layout, board_rows
from overbet.tree.boards import live_on
from overbet.tree.public import PublicTree

Floats = npt.NDArray[np.float32]
_WIDTH = 4 if SIMULATED else 64


class SharedRows:
    """The shared rows of one player. layout: the tables with buckets; wide: those of every hand."""

    def __init__(self, tree: PublicTree, player: int, layout: Layout, wide: Layout) -> None:
        self.player, self._layout, self._wide, self._tree = player, layout, wide, tree
        side = layout.passes[player].own
        self.streets = [street for street in range(3) if side.shares.row[street]]
        rows = {street: _rows(tree, player, street, layout, wide) for street in self.streets}
        self.rows = {s: Rows(*(_sent(part) for part in made)) for s, made in rows.items()}
        self.counts = {street: int(side.rows[street]) for street in self.streets}
        size = layout.table_size[player]
        self.learnt = SharedTables(*(zeros(size, np.float32) for _ in range(3)))

    def note(
        self,
        launch: Launcher,
        street: int,
        shapes: Shapes,
        work: tuple[Program, PlayerArrays, Tables, Any, Any],
    ) -> None:
        """Queue the walk through a street on which every hand notes what it learns."""
        program, seat, tables, value, lines = work
        shape, rows = shapes.walk(street), self.rows[street]
        launch(note_lines, shape.launch, street, shape.width, program, seat, rows, tables, value, lines)

    def learn(self, launch: Launcher, seat: PlayerArrays, tables: Tables, clock: Clock) -> None:
        """Queue what all buckets learn from the notes."""
        for street, rows in self.rows.items():
            blocks = (self.counts[street], -(-rows.length // _WIDTH))
            work = (seat, rows, tables, self.learnt, clock)
            launch(learn_rows, (blocks, _WIDTH, 0), street, _WIDTH, *work)

    def spread(
        self, launch: Launcher, shapes: Shapes, program: Program, seat: PlayerArrays, strategy: Any
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


def _rows(tree: PublicTree, player: int, street: int, layout: Layout, wide: Layout) -> Rows:
    side, plain, hands = layout.passes[player].own, wide.passes[player].own, tree.hands[player]
    shares, boards = side.shares, tree.board_count(street)
    bucket = (shares.flop, shares.turn, shares.river)[street].astype(np.int32)
    copies = (np.ones(1), shares.turn_copies, shares.river_copies)[street]
    if street == RIVER:
        live = np.arange(hands.size) < tree.showdowns[player].alive[:, None]
        weights = shares.river_weight
    else:
        kept = tree.street_boards(street)
        assert kept is not None
        live, weights = live_on(kept, hands) > 0, shares.weight
    length = int(shares.row[street])
    board, place = np.nonzero(live)
    chosen = bucket[board, place]
    order = np.argsort(chosen, kind="stable")
    at = board.astype(np.int64) * int(plain.rows[street] * plain.stride[street]) + place
    weight = np.where(live, weights * copies[:boards, None], 0.0).astype(np.float32)
    return Rows(
        int(side.base[street]),
        length,
        bucket.ravel(),
        weight.ravel(),
        np.asarray(copies[:boards], np.float32),
        np.searchsorted(chosen[order], np.arange(length + 1)).astype(np.int32),
        at[order],
    )


def shared_rows(tree: PublicTree, layout: Layout, wide: Layout) -> Sequence[SharedRows]:
    """Return both players' shared rows."""
    return [SharedRows(tree, player, layout, wide) for player in (0, 1)]
