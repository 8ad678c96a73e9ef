"""Where the numbers of a solve lie: the tables of both players, street by street.

Table of one player and street: [board, action row, hand] float32, flat, streets one after the other. An
action row belongs to (betting node, action). Rows of a river board are as long as the board has live hands,
up to a full cache line; before the river all rows of a street are equally long. Where hands share rows the
street's table is [bucket, action row], one for all boards.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from overbet.kernels.vector.bundles import FLOP, RIVER, TURN
from overbet.kernels.vector.packing import BLOCK
from overbet.tree.betting import BettingTree
from overbet.tree.boards import orbits_on
from overbet.tree.public import PublicTree
from overbet.tree.spot import IP, OOP, Spot

Longs = npt.NDArray[np.int64]
Places = npt.NDArray[np.uint16]
Tables = Sequence[npt.NDArray[Any]]

_ROW = 16  # rows start at multiples of 16 floats: one cache line (a river board at a block of packed tables)


class Side(NamedTuple):
    """Where one player's rows lie. H hands, T turn boards, R river boards.

    size: H. base, rows, stride: [3] int64, start of each street's table, rows a board, length of its longest
    row. river_start: [R + 1] int64, where each river board's rows begin; river_row: [R] int64, their length.
    flop_orbit: [1, H], turn_orbit: [T, H] uint16, the hand whose regrets a hand shares because a symmetry of
    the board maps one onto the other. buckets: [3] int64, how many share the rows of a street, 0 where every
    hand has its own; width: [3] int64, the numbers of a bucket: a column for each row, whole tiles of 16.
    """

    size: int
    base: Longs
    rows: Longs
    stride: Longs
    river_start: Longs
    river_row: Longs
    flop_orbit: Places
    turn_orbit: Places
    buckets: Longs
    width: Longs


class Pass(NamedTuple):
    """Where the rows lie of the player who is updated, and of the other."""

    own: Side
    opp: Side


class Layout(NamedTuple):
    """Where both players' tables lie. table_size: floats of one table of each player. rows: [N] int32, the
    first action row of every decision node within its street's and player's table."""

    passes: tuple[Pass, Pass]
    table_size: tuple[int, int]
    rows: npt.NDArray[np.int32]


def chance_scale(spot: Spot, street: int) -> float:
    """Return the probability of one run of cards from the spot's board to `street`, given both hands."""
    scale = 1.0
    for known in range(len(spot.cards), street + 3):
        scale /= 52 - known - 4
    return scale


def layout_of(
    tree: PublicTree, *, ragged: bool = True, buckets: Mapping[int, tuple[int, int]] | None = None
) -> Layout:
    """Lay out the tables of a public tree.

    ragged: rows of a river board end with its last live hand; if not, all rivers have rows of the longest.
    buckets: by street, how many of OOP's and of IP's share rows.
    """
    sides = [_side(tree, player, ragged, buckets or {}) for player in (OOP, IP)]
    table_size = (int(sides[OOP].river_start[-1]), int(sides[IP].river_start[-1]))
    passes = (Pass(sides[OOP], sides[IP]), Pass(sides[IP], sides[OOP]))
    return Layout(passes, table_size, _action_rows(tree.betting))


def rows_of(
    tree: PublicTree,
    layout: Layout,
    node: int,
    board: int,
    bucket: npt.NDArray[np.integer] | None = None,
) -> tuple[Longs, Longs]:
    """Return where a decision node's rows begin in its player's tables, one an action, and each hand's place
    within a row: [H] int64, on the river -1 for hands that the board kills. bucket: [H], of each hand on this
    board, where hands share rows."""
    betting = tree.betting
    player, street = int(betting.kind[node]), int(betting.street[node])
    side = layout.passes[player].own
    rows = layout.rows[node] + np.arange(betting.num_children[node], dtype=np.int64)
    if side.buckets[street]:
        assert bucket is not None
        place = bucket.astype(np.int64) * side.width[street]
        if street == RIVER:
            cards = tree.boards[-1].cards[board]
            place[(tree.hands[player].cards[:, :, None] == cards).any((1, 2))] = -1
        return side.base[street] + rows, place
    first, length = board_rows(side, street, board)
    place = tree.showdowns[player].place[board].astype(np.int64) if street == RIVER else np.arange(side.size)
    return first + rows * length, place


def board_rows(side: Side, street: int, board: int) -> tuple[int, int]:
    """Return where a board's rows begin in a player's tables, and how long each of them is."""
    if street == RIVER:
        return int(side.river_start[board]), int(side.river_row[board])
    length = int(side.stride[street])
    return int(side.base[street]) + board * int(side.rows[street]) * length, length


def copy_rivers(source: Layout, given: Tables, target: Layout, out: Tables) -> None:
    """Copy tables of one layout into tables of another that differs in the length of river rows only."""
    for player in (OOP, IP):
        one, two = source.passes[player].own, target.passes[player].own
        early, rows = int(one.base[RIVER]), int(one.rows[RIVER])
        out[player][:early] = given[player][:early]
        for board in range(len(one.river_row)):
            (start, length), (to, room) = board_rows(one, RIVER, board), board_rows(two, RIVER, board)
            shared = min(length, room)
            block = given[player][start : start + rows * length].reshape(rows, length)
            out[player][to : to + rows * room].reshape(rows, room)[:, :shared] = block[:, :shared]


def _action_rows(betting: BettingTree) -> npt.NDArray[np.int32]:
    """Return the first action row of every decision node within its street's and player's table: [N]."""
    row = np.zeros(betting.size, np.int32)
    for street in range(3):
        for player in (OOP, IP):
            nodes = np.flatnonzero((betting.street == street) & (betting.kind == player))
            actions = betting.num_children[nodes]
            row[nodes] = np.cumsum(actions) - actions
    return row


def _row_count(betting: BettingTree, player: int, street: int) -> int:
    nodes = betting.street_nodes(street)
    kinds = betting.kind[nodes.start : nodes.stop]
    return int(betting.num_children[nodes.start : nodes.stop][kinds == player].sum())


def _side(tree: PublicTree, player: int, ragged: bool, buckets: Mapping[int, tuple[int, int]]) -> Side:
    hands, showdowns = tree.hands[player], tree.showdowns[player]
    orbits = [
        orbits_on(boards, hands) if boards else np.zeros((1, hands.size), np.uint16)
        for boards in (tree.street_boards(FLOP), tree.street_boards(TURN))
    ]
    row_count = np.array([_row_count(tree.betting, player, s) for s in range(3)], np.int64)
    wide = -(-hands.size // _ROW) * _ROW
    river_row = -(-showdowns.alive.astype(np.int64) // _ROW) * _ROW
    if not ragged:
        river_row[:] = river_row.max(initial=0)
    stride = np.array([wide, wide, river_row.max(initial=0)], np.int64)
    count = np.array([buckets[s][player] if s in buckets else 0 for s in range(3)], np.int64)
    width = np.where(count > 0, -(-row_count // _ROW) * _ROW, 0)
    shared = np.where(count > 0, count * width + _ROW, 0)  # tiles are read whole beyond the last row
    early = [int(shared[s]) or row_count[s] * tree.board_count(s) * stride[s] for s in (FLOP, TURN)]
    base = np.array([0, early[0], sum(early)], np.int64)
    board_size = -(-row_count[RIVER] * river_row // BLOCK) * BLOCK if ragged else row_count[RIVER] * river_row
    if count[RIVER]:
        board_size[:] = 0
        board_size[-1] = shared[RIVER]
    river_start = base[RIVER] + np.concatenate([[0], np.cumsum(board_size)]).astype(np.int64)
    return Side(
        hands.size, base, row_count, stride, river_start, river_row, orbits[0], orbits[1], count, width
    )


__all__ = ["FLOP", "Layout", "chance_scale", "layout_of", "rows_of"]
