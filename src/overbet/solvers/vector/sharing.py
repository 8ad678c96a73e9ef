"""Rows that hands share: the buckets of every board as the kernels read them, and the sums they learn by."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from overbet.errors import ConfigError
from overbet.kernels.memory import zeros
from overbet.kernels.vector.buckets import SharedHands, SharedMemory
from overbet.kernels.vector.bundles import FLOP, RIVER, TURN, Program
from overbet.solvers.vector.layout import Layout
from overbet.solvers.vector.sampling import BoardBuckets
from overbet.solvers.vector.seats import Seats
from overbet.solvers.vector.subgame import BucketMaps
from overbet.tree.public import PublicTree
from overbet.tree.spot import IP, OOP

Ints = npt.NDArray[np.int32]
_MOST_BYTES = 2**28  # of one player's sums: fewer blocks of boards where buckets are many


class HandBuckets:
    """The buckets of both players' hands, of all boards or asked for board by board.

    counts: by street, how many of OOP's and of IP's buckets there are.
    """

    def __init__(self, tree: PublicTree, given: BucketMaps | BoardBuckets) -> None:
        self.tree = tree
        self._given = given
        self._maps: dict[int, tuple[Ints, Ints]] = {}
        self._asked: dict[tuple[int, int], tuple[Ints, Ints]] = {}
        if isinstance(given, BoardBuckets):
            for street, count in given.counts.items():
                if tree.street_boards(street) is None:
                    raise ConfigError(
                        f"buckets are given for street {street}, on which this tree has no boards"
                    )
                if count < 1:
                    raise ConfigError(f"street {street} needs at least one bucket")
            self.counts = {street: (count, count) for street, count in given.counts.items()}
        else:
            self._maps = given.checked(tree)
            self.counts = {
                street: (int(one.max()) + 1, int(two.max()) + 1) for street, (one, two) in self._maps.items()
            }

    def of(self, street: int, board: int) -> tuple[Ints, Ints]:
        """Return the bucket of each of OOP's and of IP's hands on a board: [H] int32 each."""
        if isinstance(self._given, BoardBuckets):
            if (street, board) not in self._asked:
                self._asked[street, board] = self._given.of_hands(self.tree, street, board)
            return self._asked[street, board]
        return self._maps[street][OOP][board], self._maps[street][IP][board]


class SharingRunner:
    """What a runner needs where hands share rows. It is given the fewest and the most blocks.

    players: one `SharedHands` each; the buckets of a board are there once it has been asked for. blocks: of
    boards that are summed apart, fewer where their sums would take too much memory.
    """

    def __init__(
        self,
        tree: PublicTree,
        layout: Layout,
        buckets: HandBuckets,
        seats: Seats,
        blocks: tuple[int, int],
        dtype: Any,
    ) -> None:
        self.tree, self.buckets, self.seats = tree, buckets, seats
        self._known = {street: np.zeros(tree.board_count(street), np.bool_) for street in buckets.counts}
        largest = max(_sizes(layout, player).sum() for player in (OOP, IP))
        each = 2 * int(largest) * np.dtype(dtype).itemsize
        self.blocks = max(1, blocks[0], min(blocks[1], _MOST_BYTES // max(1, each)))
        self.players = [self._player(layout, player, dtype) for player in (OOP, IP)]

    def make(self, street: int, boards: npt.NDArray[np.integer]) -> None:
        """Make the buckets of some boards of a street, where they are not there yet."""
        if street not in self._known:
            return
        for board in np.unique(boards[~self._known[street][boards]]):
            pair = self.buckets.of(street, int(board))
            for shared, seat, found in zip(self.players, self.seats.players, pair):
                row = (shared.flop, shared.turn, shared.river)[street][board]
                if street == RIVER:
                    alive = int(seat.alive[board])
                    row[:alive] = found[seat.hand[board, :alive]]
                else:
                    row[: seat.size] = found
            self._known[street][board] = True

    def make_all(self) -> None:
        """Make the buckets of all boards."""
        for street, known in self._known.items():
            self.make(street, np.arange(len(known)))

    def memory(self, programs: tuple[Program, Program], room: int, dtype: Any) -> SharedMemory:
        """Return new working memory of one thread. room: the longest row of hands."""
        rows = -(-max(_most_rows(program) for program in programs) // 16) * 16
        play, opp, share, instant = (zeros((rows + 1) * room, dtype) for _ in range(4))
        weight, cross = zeros(room, dtype), zeros(256, dtype)
        return SharedMemory(play, opp, share, instant, weight, cross, np.zeros(16, np.int64))

    def _player(self, layout: Layout, player: int, dtype: Any) -> SharedHands:
        tree, side, hands = self.tree, layout.passes[player].own, self.tree.hands[player]
        wide = int(side.stride[TURN])
        sizes = _sizes(layout, player)
        flop, turn, river = (
            np.zeros((tree.board_count(street) if street in self._known else 1, wide), np.int32)
            for street in range(3)
        )
        weight = zeros(wide, dtype)
        weight[: hands.size] = hands.weights
        turns, rivers = board_copies(tree)
        regret, average = (zeros((self.blocks, int(sizes.sum())), dtype) for _ in range(2))
        return SharedHands(
            side.width, np.cumsum(sizes) - sizes, flop, turn, river, weight,
            turns.astype(dtype), rivers.astype(dtype), regret, average, side.buckets,
            np.cumsum(side.buckets) - side.buckets,
            np.zeros((self.blocks, int(side.buckets.sum())), np.uint8),
        )  # fmt: skip


def _sizes(layout: Layout, player: int) -> npt.NDArray[np.int64]:
    """Return how many numbers a street with buckets has: [3] int64, whole tiles."""
    side = layout.passes[player].own
    found: npt.NDArray[np.int64] = np.where(side.buckets > 0, side.buckets * side.width + 16, 0)
    return found


def board_copies(tree: PublicTree) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]]:
    """Return how many real boards each board of the turn and of the river stands for."""
    copies = [np.ones(1)] * 3
    for street in (TURN, RIVER):
        boards = tree.street_boards(street)
        if boards:
            copies[street] = np.diff(boards.mirror_start).astype(np.float64)
            copies[street] = copies[street] * copies[street - 1][np.maximum(boards.parent, 0)]
    return copies[TURN], copies[RIVER]


def _most_rows(program: Program) -> int:
    """Return the most action rows of either player in a chunk."""
    most = 1
    for chunk in program.chunks:
        for moves, first, last in ((program.own, chunk[0], chunk[1]), (program.opp, chunk[2], chunk[3])):
            if last > first:
                most = max(most, int(moves[last - 1, 0] + moves[last - 1, 1] - moves[first, 0]))
    return most


__all__ = ["FLOP", "HandBuckets", "SharingRunner"]
