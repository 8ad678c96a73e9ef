"""From a public tree to the moves that the kernels of `spot` walk: chunks, slots, leaves, payoffs.

River lines are gathered into chunks whose working memory stays in the second-level cache; a street before the
river is one chunk.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from overbet.kernels.vector.bundles import FLOP, RIVER, Program
from overbet.kernels.vector.leaves import FOLDS, SHOWS
from overbet.solvers.vector.layout import Layout
from overbet.solvers.vector.terminals import slot_owners, swept_at, terminals_of
from overbet.tree.public import PublicTree
from overbet.tree.spot import IP, OOP

Ints = npt.NDArray[np.int32]
_LEAST, _MOST = 32, 128  # leaves of a chunk of river lines
_CACHE = 512 * 1024  # second-level cache of a core, where the machine does not say


class Sizes(NamedTuple):
    """The most that any chunk of either player needs: own and opponent's slots, nodes, leaves in whole tiles;
    early: nodes of the streets, [3]."""

    slots: int
    nodes: int
    columns: int
    early: tuple[int, int, int]


@cache
def second_level_cache() -> int:
    """Return the bytes of a core's second-level cache."""
    try:
        text = Path("/sys/devices/system/cpu/cpu0/cache/index2/size").read_text().strip()
        return int(text[:-1]) * {"K": 1024, "M": 1024**2}[text[-1]]
    except (OSError, ValueError, KeyError, IndexError):
        return _CACHE


def programs_of(
    tree: PublicTree, layout: Layout, dtype: type[np.floating]
) -> tuple[tuple[Program, Program], Sizes]:
    """Return both players' moves, and the sizes of working memory."""
    betting = tree.betting
    owners = [slot_owners(betting, player) for player in (OOP, IP)]
    chunk_line, street_chunk = _chunks(tree, owners)
    made = [_program(tree, layout, own, owners, chunk_line, street_chunk, dtype) for own in (OOP, IP)]
    chunks = np.concatenate([program.chunks for program in made])
    leaves = -(-(chunks[:, 7] - chunks[:, 6]) // 16) * 16
    early = tuple(len(betting.street_nodes(street)) for street in range(3))
    sizes = Sizes(
        int(chunks[:, 11:13].max()),
        int(chunks[:, 10].max()),
        max(16, int(leaves.max())),
        (early[0], early[1], early[2]),
    )
    return (made[0], made[1]), sizes


def _chunks(tree: PublicTree, owners: list[npt.NDArray[np.int64]]) -> tuple[Ints, Ints]:
    """Return chunk_line [K + 1] and street_chunk [4]: river lines gathered until a chunk is full."""
    betting = tree.betting
    leaves = np.zeros(len(betting.line_start) - 1, np.int64)
    for own in (OOP, IP):
        found = np.unique(owners[1 - own][swept_at(betting, own)])
        leaves = np.maximum(leaves, np.bincount(betting.line[found], minlength=len(leaves)))
    hands = sum(-(-int(showdowns.alive.max(initial=1)) // 16) * 16 for showdowns in tree.showdowns)
    room = min(_MOST, max(_LEAST, second_level_cache() // 2 // (4 * hands) // 16 * 16))
    chunk_line, street_chunk = [0], [0]
    for street in range(3):
        first, last = (int(x) for x in betting.street_line[street : street + 2])
        if last > first and street < RIVER:
            chunk_line.append(last)
        elif last > first:
            held = 0
            for line in range(first, last):
                if held and held + leaves[line] > room:
                    chunk_line.append(line)
                    held = 0
                held += int(leaves[line])
            chunk_line.append(last)
        street_chunk.append(len(chunk_line) - 1)
    return np.array(chunk_line, np.int32), np.array(street_chunk, np.int32)


def _program(
    tree: PublicTree,
    layout: Layout,
    own: int,
    owners: list[npt.NDArray[np.int64]],
    chunk_line: Ints,
    street_chunk: Ints,
    dtype: type[np.floating],
) -> Program:
    betting = tree.betting
    kind, child, count = betting.kind, betting.first_child, betting.num_children
    edges = betting.line_start[chunk_line].astype(np.int64)
    chunk_of = np.repeat(np.arange(len(edges) - 1), np.diff(edges))
    place = np.arange(betting.size) - edges[chunk_of]
    slots, slot_count = [], []
    for player in (OOP, IP):
        begins = owners[player] == np.arange(betting.size)
        before = np.concatenate([[0], np.cumsum(begins)])
        slots.append((before[owners[player]] - before[edges[chunk_of]]).astype(np.int32))
        slot_count.append(np.diff(before[edges]))

    def moves(player: int) -> tuple[Ints, Any]:
        nodes = np.flatnonzero(kind == player)
        slot = slots[player]
        found = np.stack([layout.rows[nodes], count[nodes], slot[nodes], slot[child[nodes]]], 1)
        return found.astype(np.int32), np.searchsorted(nodes, edges)

    mine, mine_edges = moves(own)
    theirs, their_edges = moves(1 - own)
    nodes = np.flatnonzero(kind <= IP)
    up = np.stack(
        [kind[nodes] == own, layout.rows[nodes], count[nodes], place[nodes], place[child[nodes]]], 1
    ).astype(np.int32)
    up_edges = np.searchsorted(nodes, edges)
    ends = _ends(tree, own, slots[1 - own], place, chunk_of, np.diff(edges))
    chunks = np.stack(
        [
            *(
                x
                for e in (mine_edges, their_edges, up_edges, ends.leaf_edges, chunk_line)
                for x in (e[:-1], e[1:])
            ),
            np.diff(edges),
            slot_count[1 - own],
            slot_count[own],
            ends.derived_edges[:-1],
            ends.derived_edges[1:],
        ],
        1,
    ).astype(np.int32)
    roots = betting.line_start[:-1]
    above = np.maximum(betting.parent[roots], 0)
    lines = np.stack([x[at] for at in (roots, above) for x in (slots[own], slots[1 - own], place)], 1)
    return Program(
        mine, theirs, up, ends.leaves, ends.pays.astype(dtype), ends.derived, ends.factors.astype(dtype),
        lines.astype(np.int32), chunks, street_chunk,
    )  # fmt: skip


class _Ends(NamedTuple):
    """The terminals of all chunks as `Program` has them, and the first leaf and derived row of each chunk."""

    leaves: Ints
    pays: npt.NDArray[np.float64]
    leaf_edges: Any
    derived: Ints
    factors: npt.NDArray[np.float64]
    derived_edges: Any


def _ends(tree: PublicTree, own: int, slot: Ints, place: Any, chunk_of: Any, sizes: Any) -> _Ends:
    """Return the terminals. slot, place, chunk_of: [N], the opponent's slots; sizes: nodes of each chunk.

    Leaves with both ends come first, then showdowns, then folds, so that tiles are of one kind.
    """
    found = terminals_of(tree, own)
    chunk, nowhere = chunk_of[found.reach], sizes[chunk_of[found.reach]]
    fold, show = (np.where(at >= 0, place[at], nowhere) for at in (found.fold, found.show))
    code = FOLDS * (found.fold >= 0) + SHOWS * (found.show >= 0)
    leaves = np.stack([slot[found.reach], fold, show, code], 1).astype(np.int32)
    order = np.lexsort((found.reach, -code, chunk))
    ends, base = found.derived.T
    bounds = np.arange(len(sizes) + 1)
    return _Ends(
        leaves[order],
        found.pays[order],
        np.searchsorted(chunk[order], bounds),
        np.stack([place[ends], fold[base]], 1).astype(np.int32),
        found.factors,
        np.searchsorted(chunk_of[ends], bounds),
    )


__all__ = ["FLOP", "Sizes", "programs_of", "second_level_cache"]
