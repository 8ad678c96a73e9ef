"""From a spot to the arrays the vector kernels read: table offsets, slots, chunks, leaves, payoffs.

Table of one player and street: [board, action row, hand] float32, flat, streets one after the other. An
action row belongs to (betting node, action). Rows of a river board are as long as the board has live hands,
up to a full cache line; before the river all rows of a street are equally long. River lines are grouped into
chunks so that the working memory of a chunk stays in the second-level cache; a street before the river is
one chunk.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from overbet.kernels.vector.packing import BLOCK
from overbet.kernels.vector.showdown_sweep import MOST, WIDTHS, Payoffs
from overbet.kernels.vector.streets import FLOP, RIVER, TURN, Pass, Sharing, Side
from overbet.kernels.vector.update import CHANCE, FOLD, OPP, OWN, SHOWDOWN, TableView
from overbet.tree.betting import BettingTree
from overbet.tree.boards import (
    live_on,
    orbits_on,
)
from overbet.tree.public import PublicTree
from overbet.tree.spot import IP, OOP, Spot

Tables = Sequence[npt.NDArray[Any]]
Maps = Mapping[int, tuple[npt.NDArray[np.int32], npt.NDArray[np.int32]]]

_CHUNK_LEAVES = 128  # river lines share a chunk up to this many leaves
_ROW = 16  # rows start at multiples of 16 floats: one cache line (a river board at a block of packed tables)


class Layout(NamedTuple):
    """Sizes of tables and scratch, and both players' passes.

    table_size: floats of one table of each player. own_slots, nodes, strategy_rows: largest of any chunk, by
    player and street: [2, 3].
    """

    passes: tuple[Pass, Pass]
    table_size: tuple[int, int]
    slots: npt.NDArray[np.int64]
    nodes: npt.NDArray[np.int64]
    strategy_rows: npt.NDArray[np.int64]
    rows: npt.NDArray[np.int32]


def chance_scale(spot: Spot, street: int) -> float:
    """Return the probability of one run of cards from the spot's board to `street`, given both hands."""
    scale = 1.0
    for known in range(len(spot.cards), street + 3):
        scale /= 52 - known - 4
    return scale


def layout_of(
    tree: PublicTree, *, ragged: bool = True, maps: Maps | None = None, dtype: type[np.floating] = np.float32
) -> Layout:
    """Lay out tables, slots, chunks and leaves of a public tree.

    ragged: rows of a river board end with its last live hand; if not, all rivers have rows of the longest.
    maps: by street, both players' [boards, H] int32: the bucket whose rows a hand shares; the street's table
    is then [action row, bucket], for all boards. dtype: of the payoffs.
    """
    betting = tree.betting
    rows = _action_rows(betting)
    chunk_line, street_chunk = _chunks(betting)
    slots = np.stack([_slots(betting, player, chunk_line) for player in (OOP, IP)])
    sides = [_side(tree, player, ragged, maps or {}) for player in (OOP, IP)]
    passes = []
    for player in (OOP, IP):
        view, payoffs = _view(tree, player, rows, slots, chunk_line)
        payoffs = Payoffs(*(factor.astype(dtype) for factor in payoffs))
        turn, river = tree.street_boards(TURN), tree.street_boards(RIVER)
        empty = np.zeros(1, np.int32)
        passes.append(
            Pass(
                view,
                payoffs,
                sides[player],
                sides[1 - player],
                tree.hands[player].same,
                tree.showdowns[player].same,
                tree.hands[player].swapped.astype(np.uint16),
                street_chunk,
                river.child_start if turn and river else np.array([0, 1], np.int32),
                turn.mirror_start if turn else empty,
                turn.mirrors if turn else empty,
                river.mirror_start if river else empty,
                river.mirrors if river else empty,
            )
        )
    sizes = _chunk_sizes(betting, slots, chunk_line, street_chunk)
    table_size = (int(sides[OOP].river_start[-1]), int(sides[IP].river_start[-1]))
    return Layout((passes[0], passes[1]), table_size, *sizes, rows)


def rows_of(
    tree: PublicTree, layout: Layout, node: int, board: int
) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
    """Return where a decision node's rows begin in its player's tables, one an action, and each hand's place
    within a row: [H] int64 (on the river -1 for hands that the board kills; a hand's bucket where hands
    share rows)."""
    betting = tree.betting
    player, street = int(betting.kind[node]), int(betting.street[node])
    side = layout.passes[player].own
    rows = layout.rows[node] + np.arange(betting.num_children[node])
    place = tree.showdowns[player].place[board].astype(np.int64) if street == RIVER else np.arange(side.size)
    length = int(side.shares.row[street])
    if length:
        bucket = (side.shares.flop, side.shares.turn, side.shares.river)[street][board]
        return side.base[street] + rows * length, np.where(place >= 0, bucket[place], -1).astype(np.int64)
    first, length = board_rows(side, street, board)
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
            used = 0
            for node in betting.street_nodes(street):
                if betting.kind[node] == player:
                    row[node] = used
                    used += int(betting.num_children[node])
    return row


def _row_count(betting: BettingTree, player: int, street: int) -> int:
    nodes = betting.street_nodes(street)
    return int(sum(betting.num_children[n] for n in nodes if betting.kind[n] == player))


def _chunks(betting: BettingTree) -> tuple[npt.NDArray[np.int32], npt.NDArray[np.int32]]:
    """Return chunk_line [K + 1] and street_chunk [4]: river lines gathered until a chunk is full."""
    chunk_line, street_chunk = [0], [0]
    for street in range(3):
        first, last = (int(x) for x in betting.street_line[street : street + 2])
        if last > first and street < RIVER:
            chunk_line.append(last)
        elif last > first:
            leaves = 0
            for line in range(first, last):
                here = _line_leaves(betting, line)
                if leaves and leaves + here > _CHUNK_LEAVES:
                    chunk_line.append(line)
                    leaves = 0
                leaves += here
            chunk_line.append(last)
        street_chunk.append(len(chunk_line) - 1)
    return np.array(chunk_line, np.int32), np.array(street_chunk, np.int32)


def _line_leaves(betting: BettingTree, line: int) -> int:
    """Return the larger number of distinct leaf reaches either player meets in a line."""
    counts = []
    for own in (OOP, IP):
        leaves = set()
        for node in range(betting.line_start[line], betting.line_start[line + 1]):
            if betting.kind[node] >= FOLD:
                parent = int(betting.parent[node])
                by_opp = parent >= 0 and betting.kind[parent] == 1 - own
                leaves.add(node if by_opp else -1 - parent)
        counts.append(len(leaves))
    return max(counts)


def _slots(betting: BettingTree, player: int, chunk_line: npt.NDArray[np.int32]) -> npt.NDArray[np.int32]:
    """Return each node's slot of `player`'s reach within its chunk: a new one after each of its actions.

    Siblings after an action of the player have consecutive slots.
    """
    slot = np.zeros(betting.size, np.int32)
    for chunk in range(len(chunk_line) - 1):
        used = 0
        for line in range(chunk_line[chunk], chunk_line[chunk + 1]):
            root = int(betting.line_start[line])
            for node in range(root, int(betting.line_start[line + 1])):
                parent = int(betting.parent[node])
                if node == root or betting.kind[parent] == player:
                    slot[node] = used
                    used += 1
                else:
                    slot[node] = slot[parent]
    return slot


def _chunk_sizes(
    betting: BettingTree,
    slots: npt.NDArray[np.int32],
    chunk_line: npt.NDArray[np.int32],
    street_chunk: npt.NDArray[np.int32],
) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64], npt.NDArray[np.int64]]:
    """Return the most slots, nodes and own action rows of any chunk, by player and street: [2, 3] each."""
    most = np.ones((3, 2, 3), np.int64)
    for street in range(3):
        for chunk in range(street_chunk[street], street_chunk[street + 1]):
            nodes = slice(betting.line_start[chunk_line[chunk]], betting.line_start[chunk_line[chunk + 1]])
            for player in (OOP, IP):
                rows = int(betting.num_children[nodes][betting.kind[nodes] == player].sum())
                here = (int(slots[player, nodes].max()) + 1, nodes.stop - nodes.start, rows)
                most[:, player, street] = np.maximum(most[:, player, street], here)
    return most[0], most[1], most[2]


def _side(tree: PublicTree, player: int, ragged: bool, maps: Maps) -> Side:
    hands, showdowns = tree.hands[player], tree.showdowns[player]
    turns = tree.street_boards(TURN)
    live = live_on(turns, hands) if turns else np.ones((1, hands.size), np.float32)
    orbits = [
        orbits_on(boards, hands) if boards else np.zeros((1, hands.size), np.uint16)
        for boards in (tree.street_boards(FLOP), turns)
    ]
    row_count = np.array([_row_count(tree.betting, player, s) for s in range(3)], np.int64)
    wide = -(-hands.size // _ROW) * _ROW
    river_row = -(-showdowns.alive.astype(np.int64) // _ROW) * _ROW
    if not ragged:
        river_row[:] = river_row.max(initial=0)
    stride = np.array([wide, wide, river_row.max(initial=0)], np.int64)
    shares = _sharing(tree, player, maps)
    early = [row_count[s] * (shares.row[s] or tree.board_count(s) * stride[s]) for s in (FLOP, TURN)]
    base = np.array([0, early[0], sum(early)], np.int64)
    board_size = -(-row_count[RIVER] * river_row // BLOCK) * BLOCK if ragged else row_count[RIVER] * river_row
    if shares.row[RIVER]:
        board_size[:] = 0
        board_size[-1] = row_count[RIVER] * shares.row[RIVER]
    river_start = base[RIVER] + np.concatenate([[0], np.cumsum(board_size)]).astype(np.int64)
    return Side(
        hands.size,
        hands.cards,
        np.zeros(hands.size, np.int16),
        live,
        showdowns.alive,
        np.pad(showdowns.hand, ((0, 0), (0, wide - hands.size))).astype(np.uint16),
        showdowns.strength,
        showdowns.cards,
        orbits[0],
        orbits[1],
        base,
        row_count,
        stride,
        river_start,
        river_row,
        shares,
    )


def _sharing(tree: PublicTree, player: int, maps: Maps) -> Sharing:
    hands, showdowns = tree.hands[player], tree.showdowns[player]
    found = [maps[s][player] if s in maps else np.zeros((1, 1), np.int32) for s in range(3)]
    row = np.array([found[s].max() + 1 if s in maps else 0 for s in range(3)], np.int64)
    copies = [np.ones(1)] * 3
    for street in (TURN, RIVER):
        boards = tree.street_boards(street)
        if boards:
            copies[street] = np.diff(boards.mirror_start).astype(np.float64)
            copies[street] = copies[street] * copies[street - 1][np.maximum(boards.parent, 0)]
    river_weight = np.zeros((1, 1), np.float32)
    if RIVER in maps:
        order = showdowns.hand.astype(np.int64)
        found[RIVER] = np.take_along_axis(found[RIVER], order, 1)
        river_weight = hands.weights[order]
    flop, turn, river = found
    weight = hands.weights[None].copy()
    return Sharing(row, flop, turn, river, weight, river_weight, copies[TURN], copies[RIVER])


def _view(
    tree: PublicTree,
    own: int,
    rows: npt.NDArray[np.int32],
    slots: npt.NDArray[np.int32],
    chunk_line: npt.NDArray[np.int32],
) -> tuple[TableView, Payoffs]:
    betting = tree.betting
    role = betting.kind.copy()
    role[betting.kind == own] = OWN
    role[betting.kind == 1 - own] = OPP
    chunk_batch, batch_start = [0], [0]
    batch_showdown: list[int] = []
    leaf_slot: list[int] = []
    ends: dict[int, list[int]] = {FOLD: [], SHOWDOWN: []}  # place in the chunk of a leaf's terminal, by kind
    factors: list[list[float]] = []
    first_street = tree.spot.first_street
    scales = [chance_scale(tree.spot, s) if s >= first_street else 0.0 for s in range(3)]
    for chunk in range(len(chunk_line) - 1):
        first, last = (int(betting.line_start[chunk_line[c]]) for c in (chunk, chunk + 1))
        leaves: dict[int, list[int]] = {}  # opponent's slot -> terminals reached with it
        for node in range(first, last):
            if betting.kind[node] >= FOLD:
                leaves.setdefault(int(slots[1 - own, node]), []).append(node)
        for showdown, group in _batches(betting, leaves):
            for slot in group:
                leaf_slot.append(slot)
                for kind, places in ends.items():
                    places.append(next((n for n in leaves[slot] if betting.kind[n] == kind), last) - first)
                factors.append(payoff(tree, own, leaves[slot], scales))
            padding = _width(len(group)) - len(group)
            leaf_slot += [0] * padding
            for places in ends.values():
                places += [last - first] * padding
            factors += [[0.0] * 4] * padding
            batch_start.append(len(leaf_slot))
            batch_showdown.append(int(showdown))
        chunk_batch.append(len(batch_showdown))
    payoffs = np.array(factors).reshape(-1, 4).T.copy()
    above = betting.parent[betting.line_start[:-1]]
    at = np.maximum(above, 0)
    chunk_of_line = np.searchsorted(chunk_line, betting.line[at], side="right") - 1
    start = betting.line_start[chunk_line[chunk_of_line]]
    zero = above < 0
    view = TableView(
        role,
        betting.first_child,
        betting.num_children,
        rows,
        slots[own],
        slots[1 - own],
        betting.line_start,
        np.where(zero, 0, slots[own][at]).astype(np.int32),
        np.where(zero, 0, slots[1 - own][at]).astype(np.int32),
        np.where(zero, 0, at - start).astype(np.int32),
        chunk_line,
        np.array(chunk_batch, np.int32),
        np.array(batch_start, np.int32),
        np.array(batch_showdown or [0], np.int32),
        np.array(leaf_slot or [0], np.int32),
        np.array(ends[FOLD] or [0], np.int32),
        np.array(ends[SHOWDOWN] or [0], np.int32),
    )
    return view, Payoffs(*payoffs)


def _width(leaves: int) -> int:
    """Return the narrowest batch that holds some leaves."""
    return next(width for width in WIDTHS if width >= leaves)


def _batches(betting: BettingTree, leaves: dict[int, list[int]]) -> list[tuple[bool, list[int]]]:
    """Split leaves (slots) into batches, those with a showdown first; folds fill up the last of these."""
    shown = [slot for slot, nodes in leaves.items() if (betting.kind[nodes] == SHOWDOWN).any()]
    folded = [slot for slot in leaves if slot not in set(shown)]
    if shown:
        room = _width((len(shown) - 1) % MOST + 1) - ((len(shown) - 1) % MOST + 1)
        shown, folded = shown + folded[:room], folded[room:]
    batches = [(True, shown[k : k + MOST]) for k in range(0, len(shown), MOST)]
    return batches + [(False, folded[k : k + MOST]) for k in range(0, len(folded), MOST)]


def payoff(
    tree: PublicTree, own: int, nodes: list[int], scales: Sequence[float] | None = None
) -> list[float]:
    """Return a leaf's factors on [below, upto, all, all for a fold], from its terminals; scales: by
    street, the
    chance of its cards.

    Payoffs are chips won beyond half of the starting pot, so that a game without rake sums to zero.
    """
    spot, betting = tree.spot, tree.betting
    half = spot.pot / 2
    factors = [0.0] * 4
    for node in nodes:
        street = int(betting.street[node])
        scale = scales[street] if scales else chance_scale(spot, street)
        put = betting.put[node]
        if betting.kind[node] == FOLD:
            folder = int(betting.kind[betting.parent[node]])
            called = int(put[folder])  # the uncalled part of the bet goes back
            if folder == own:
                won = -called - half
            else:
                won = spot.pot + called - spot.rake.of(spot.pot + 2 * called) - half
            factors[3] += won * scale
        else:
            own_put = int(put[own])
            total = spot.pot + 2 * own_put
            raked = total - spot.rake.of(total)
            win, tie, lose = (share - own_put - half for share in (raked, raked / 2, 0.0))
            factors[0] += (win - tie) * scale
            factors[1] += (tie - lose) * scale
            factors[2] += lose * scale
    return factors


__all__ = ["CHANCE", "FLOP", "Layout", "chance_scale", "layout_of", "rows_of"]
