"""Runs iterations on the CPU: the bundles that the kernels of `spot` read, working memory, and threads."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import Executor
from typing import Any

import numpy as np
import numpy.typing as npt

from overbet.kernels.memory import zeros
from overbet.kernels.regret import STEP_FIELDS
from overbet.kernels.vector.bundles import FLOP, RIVER, TURN, Deal, Early, Memory, Player
from overbet.kernels.vector.draws import Draws
from overbet.kernels.vector.leaves import Sheets
from overbet.kernels.vector.shared import iterate_shared
from overbet.kernels.vector.spot import iterate
from overbet.kernels.vector.threads import SHARED
from overbet.kernels.vector.tiles import SUMS
from overbet.kernels.vector.walk import BLOCK, Store
from overbet.solvers.vector.layout import Layout
from overbet.solvers.vector.packed import PackedTable
from overbet.solvers.vector.program import programs_of
from overbet.solvers.vector.sampling import BoardSampling, drawn
from overbet.solvers.vector.seats import Seats
from overbet.solvers.vector.sharing import HandBuckets, SharingRunner
from overbet.tree.public import PublicTree
from overbet.tree.spot import IP, OOP

# Boards are summed in this many blocks, whatever the number of threads. Each costs an array of values that is
# cleared and added up, which counts for the rivers of a turn.
BLOCKS, RIVER_BLOCKS = 24, 16


class Runner:
    """Runs iterations over all boards of a tree, or over those drawn, on some threads.

    root: for each player [rows of 16] floats, the weight with which each hand begins; a gadget changes them.
    sharing: what belongs to buckets, None where no hands share rows.
    """

    def __init__(
        self,
        tree: PublicTree,
        layout: Layout,
        dtype: Any,
        threads: int,
        packed: bool,
        buckets: HandBuckets | None = None,
        sampling: BoardSampling | None = None,
    ) -> None:
        self.tree, self.layout, self.dtype = tree, layout, dtype
        self.first = tree.spot.first_street
        self.threads = threads if self.first < RIVER else 1
        self.programs, self.sizes = programs_of(tree, layout, dtype)
        self.seats = Seats(tree, layout)
        self.deal = _deal(tree)
        wide = self._room(TURN)
        self.root = [zeros(wide, dtype) for _ in (OOP, IP)]
        for root, hands in zip(self.root, tree.hands):
            root[: hands.size] = hands.weights
        self.early = self.opened(self.first)
        self.memory = [self._new_memory(packed) for _ in range(self.threads)]
        boards, blocks, self.sampling = (
            tree.board_count(min(self.first + 1, RIVER)),
            _blocks(self.first),
            sampling,
        )
        if sampling:
            draws = drawn(tree, sampling, 1, 1)
            boards = blocks = draws.turn.shape[1] if self.first == FLOP else draws.river.shape[2]
        self.sharing: SharingRunner | None = None
        if buckets:
            limits = (blocks if sampling else 1, min(boards, blocks))
            self.sharing = SharingRunner(tree, layout, buckets, self.seats, limits, dtype)
            self.work = [self.sharing.memory(self.programs, wide, dtype) for _ in range(self.threads)]
            if not sampling:
                self.sharing.make_all()
            blocks = self.sharing.blocks
        self.edges = np.linspace(0, boards, min(boards, blocks) + 1).astype(np.int32)
        blocks = len(self.edges) - 1 if self.first < RIVER else 1
        self.totals = zeros((blocks, len(self.early.back)), dtype)
        self.shared = np.zeros(SHARED, np.int64)

    def run(
        self,
        tables: Sequence[Store],
        order: Sequence[int],
        steps: npt.NDArray[np.floating],
        pool: Executor | None,
        iteration: int,
        *,
        begun: bool = False,
        ends: bool = True,
    ) -> None:
        """Run an iteration for each of `steps`, from number `iteration` on; within each, the players in
        `order`.

        ends: averages are whole afterwards. Otherwise the last of `steps` is of the iteration that the next
        call begins with, and the first player's share of it is in its average already (`begun`).
        """
        if self.sharing is None:
            count = len(steps) if ends else len(steps) - 1
            self._call(tables, order, steps, pool, self.early, judged=False, count=count, begun=begun)
            return
        players, moves = self.players(tables), np.array(order, np.int32)
        one, two = self.sharing.players
        draws = self._draws(iteration, len(steps)) if self.sampling else self._none()

        def work(rank: int, threads: int) -> None:
            iterate_shared(
                players[0], players[1], one, two, moves, self.deal, self.first, steps, self.early, self.edges,
                self.totals, self.shared, rank, threads, self.memory[rank], self.work[rank], draws,
            )  # fmt: skip

        self.share_out(work, pool)

    def _none(self) -> Draws:
        """Return draws of no iterations: all boards are played."""
        turn, river = np.zeros((0, 0), np.int32), np.zeros((0, 0, 0), np.int32)
        return Draws(turn, turn.astype(self.dtype), river, river.astype(self.dtype))

    def _draws(self, iteration: int, count: int) -> Draws:
        """Return the boards of some iterations, and make what has to be known of them."""
        assert self.sampling is not None
        assert self.sharing is not None
        draws = drawn(self.tree, self.sampling, iteration, count)
        self.seats.order(draws.river.ravel())
        self.sharing.make(TURN, draws.turn.ravel())
        self.sharing.make(RIVER, draws.river.ravel())
        if self.first == FLOP:
            self.sharing.make(FLOP, np.zeros(1, np.int64))
        return draws._replace(
            turn_factor=draws.turn_factor.astype(self.dtype),
            river_factor=draws.river_factor.astype(self.dtype),
        )

    def best_values(
        self, tables: Sequence[Store], player: int, pool: Executor | None
    ) -> npt.NDArray[np.floating]:
        """Return the root values of a player's best response to the other's average: [H], in the engine's
        units."""
        early = self.early
        tables = [
            store._replace(play=store.average) for store in tables
        ]  # matching averages gives the strategy
        if self.first == RIVER:
            early = early._replace(back=zeros(self._room(TURN), self.dtype))
        self._call(tables, [player], np.zeros((1, STEP_FIELDS), self.dtype), pool, early, judged=True)
        kept = early.back if self.first == RIVER else early.value
        found: npt.NDArray[np.floating] = kept[: self.tree.hands[player].size].copy()
        return found

    def _call(
        self,
        tables: Sequence[Store],
        order: Sequence[int],
        steps: npt.NDArray[np.floating],
        pool: Executor | None,
        early: Early,
        *,
        judged: bool,
        count: int = 1,
        begun: bool = False,
    ) -> None:
        players, moves = self.players(tables), np.array(order, np.int32)

        def work(rank: int, threads: int) -> None:
            iterate(
                players[0], players[1], moves, self.deal, self.first, steps, count, begun, early, self.edges,
                self.totals, self.shared, rank, threads, self.memory[rank], judged,
            )  # fmt: skip

        self.share_out(work, pool)

    def share_out(self, work: Callable[[int, int], None], pool: Executor | None) -> None:
        """Call work(rank, threads) on all threads at once."""
        threads = self.threads if pool else 1
        self.shared[:] = 0
        others = [pool.submit(work, rank, threads) for rank in range(1, threads)] if pool else []
        work(0, threads)
        for other in others:
            other.result()

    def players(self, tables: Sequence[Store]) -> list[Player]:
        """Return both players with their tables."""
        return [Player(self.seats.players[p], self.programs[p], tables[p], self.root[p]) for p in (OOP, IP)]

    def ask_root(self) -> None:
        """Have river spots keep the root's values, which nobody asks for without a gadget."""
        if self.first == RIVER:
            self.early = self.early._replace(back=zeros(self._room(TURN), self.dtype))

    def root_values(self, player: int) -> npt.NDArray[np.floating]:
        """Return a player's root values after its update, [H]; those of a river spot are added up until
        now."""
        size = self.tree.hands[player].size
        kept = self.early.back if self.first == RIVER else self.early.value
        found: npt.NDArray[np.floating] = kept[:size].copy()
        if self.first == RIVER:
            kept[:] = 0.0
        return found

    @property
    def nbytes(self) -> int:
        """Bytes of working memory."""
        bundles: list[Any] = [*self.memory, self.early, self.totals, self.root]
        return sum(array.nbytes for bundle in bundles for array in _arrays(bundle))

    def _room(self, street: int) -> int:
        """Return the longer of both players' rows on a street."""
        return max(int(data.own.stride[street]) for data in self.layout.passes)

    def opened(self, street: int) -> Early:
        """Return the memory of an open street."""
        if street == RIVER:
            return Early(1, *(zeros(1, self.dtype) for _ in range(4)))
        lines = self.tree.betting.street_line
        width = -(-int(lines[street + 2] - lines[street + 1]) // 16) * 16 + 16
        row = self._room(TURN)
        sides = [zeros(row * width, self.dtype) for _ in range(3)]
        return Early(width, zeros((self.sizes.early[street] + 2) * row, self.dtype), *sides)

    def _new_memory(self, packed: bool) -> Memory:
        sizes, dtype, row = self.sizes, self.dtype, self._room(TURN)
        columns = sizes.columns
        starts, shows, folds = (np.zeros(columns, np.int64) for _ in range(3))
        ends, leaf, tiles = (np.zeros(size, np.int32) for size in (columns, columns, columns // 16))
        own, opp = (np.zeros((row + 1, 4), np.int32) for _ in (OOP, IP))
        sheets = Sheets(
            reach=zeros((row + 1) * columns, dtype),
            beaten=zeros(row * columns, dtype),
            sums=zeros(SUMS * columns, dtype),
            pays=zeros(3 * columns, dtype),
            starts=starts,
            shows=shows,
            folds=folds,
            ends=ends,
            tiles=tiles,
            leaf=leaf,
            live=np.zeros(sizes.slots + 1, np.int32),
            own=own,
            opp=opp,
        )
        sides = [data.own for data in self.layout.passes]
        board = max(int(np.diff(side.river_start).max()) for side in sides) if packed else 1
        lines = int(np.diff(self.tree.betting.street_line).max())
        return Memory(
            self.opened(TURN) if self.first == FLOP else self.opened(RIVER),
            sheets,
            zeros((sizes.slots + 1) * BLOCK, dtype),
            zeros((sizes.slots + 1) * row, dtype),
            zeros((sizes.nodes + 2) * BLOCK, dtype),
            zeros(BLOCK * 16, dtype),
            np.zeros(lines + 32, np.int64),
            *(zeros(board, dtype) for _ in range(3)),
        )


def _blocks(first: int) -> int:
    return BLOCKS if first == FLOP else RIVER_BLOCKS


def working_bytes(tree: PublicTree, layout: Layout, threads: int, precision: str) -> int:
    """Return the bytes of a runner's working memory before it is allocated."""
    _, sizes = programs_of(tree, layout, np.float32)
    first, lines = tree.spot.first_street, np.diff(tree.betting.street_line)
    sides = [data.own for data in layout.passes]
    row = max(int(side.stride[TURN]) for side in sides)
    board = max(int(np.diff(side.river_start).max()) for side in sides) if precision == "int16" else 1

    def back(street: int) -> int:
        return 1 if street == RIVER else row * (-(-int(lines[street + 1]) // 16) * 16 + 16)

    def opened(street: int) -> int:
        return 4 if street == RIVER else (sizes.early[street] + 2) * row + 3 * back(street)

    rows = (sizes.slots + sizes.nodes + 3 + 16) * BLOCK + (sizes.slots + 1) * row
    sheets = (2 * row + 1 + SUMS + 3) * sizes.columns
    each = opened(TURN if first == FLOP else RIVER) + rows + sheets + 3 * board
    numbers = 32 * sizes.columns + sizes.columns // 4 + 4 * sizes.slots + 32 * row + 8 * int(lines.max())
    boards = tree.board_count(first + 1) if first < RIVER else 1
    floats = opened(first) + min(boards, _blocks(first)) * back(first) + 2 * row + threads * each
    return (8 if precision == "float64" else 4) * floats + threads * numbers


def _arrays(bundle: Any) -> list[npt.NDArray[Any]]:
    if isinstance(bundle, np.ndarray):
        return [bundle]
    if isinstance(bundle, (tuple, list)):
        return [array for part in bundle for array in _arrays(part)]
    return []


def store_of(regret: Any, play: Any, average: Any, locked: npt.NDArray[np.uint8] | None) -> Store:
    """Return a player's tables as the kernels read them."""
    mask = np.zeros(1, np.uint8) if locked is None else locked
    if isinstance(regret, PackedTable):
        return Store(
            regret.early, regret.early, average.early, mask,
            regret.values, regret.scales, average.values, average.scales,
        )  # fmt: skip
    none, no_scale = np.zeros(1, np.int16), np.zeros(1, np.float32)
    return Store(regret, play, average, mask, none, no_scale, none, no_scale)


def _deal(tree: PublicTree) -> Deal:
    turn, river = tree.street_boards(TURN), tree.street_boards(RIVER)
    none = np.zeros(1, np.int32)
    return Deal(
        river.child_start if turn and river else np.array([0, 1], np.int32),
        turn.mirror_start if turn else none,
        turn.mirrors if turn else none,
        river.mirror_start if river else none,
        river.mirrors if river else none,
    )
