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
from overbet.solvers.vector.layout import Layout, chance_scale
from overbet.tree.betting import FOLD, SHOWDOWN, BettingTree
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
    root = np.zeros(betting.size, bool)
    root[betting.line_start[:-1]] = True
    owners = [_owners(betting, root, player) for player in (OOP, IP)]
    chunk_line, street_chunk = _chunks(tree, owners)
    made = [_program(tree, layout, own, root, owners, chunk_line, street_chunk, dtype) for own in (OOP, IP)]
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


def _owners(betting: BettingTree, root: npt.NDArray[np.bool_], player: int) -> npt.NDArray[np.int64]:
    """Return the first node of each node's slot of a player: [N]. A slot begins after each of its actions."""
    parent = np.maximum(betting.parent, 0)
    begins = root | (betting.kind[parent] == player)
    owner = np.where(begins, np.arange(betting.size), parent)
    while True:
        further = owner[owner]
        if np.array_equal(further, owner):
            return owner
        owner = further


def _chunks(tree: PublicTree, owners: list[npt.NDArray[np.int64]]) -> tuple[Ints, Ints]:
    """Return chunk_line [K + 1] and street_chunk [4]: river lines gathered until a chunk is full."""
    betting = tree.betting
    ends = betting.kind >= FOLD
    leaves = np.zeros(len(betting.line_start) - 1, np.int64)
    for owner in owners:
        found = np.unique(owner[ends])
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
    root: npt.NDArray[np.bool_],
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
    leaves, pays, leaf_edges = _leaves(tree, own, slots[1 - own], place, chunk_of, edges)
    chunks = np.stack(
        [
            *(
                x
                for e in (mine_edges, their_edges, up_edges, leaf_edges, chunk_line)
                for x in (e[:-1], e[1:])
            ),
            np.diff(edges),
            slot_count[1 - own],
            slot_count[own],
        ],
        1,
    ).astype(np.int32)
    roots = betting.line_start[:-1]
    above = np.maximum(betting.parent[roots], 0)
    lines = np.stack([x[at] for at in (roots, above) for x in (slots[own], slots[1 - own], place)], 1)
    return Program(mine, theirs, up, leaves, pays.astype(dtype), lines.astype(np.int32), chunks, street_chunk)


def _leaves(
    tree: PublicTree, own: int, slot: Ints, place: Any, chunk_of: Any, edges: Any
) -> tuple[Ints, Any, Any]:
    """Return leaves [., 4], their pays [., 3] float64 and the first of each chunk: see `Program`.

    Those with both ends come first, then showdowns, then folds, so that tiles are of one kind.
    """
    betting = tree.betting
    ends = np.flatnonzero(betting.kind >= FOLD)
    most = int(slot.max()) + 1
    keys, number = np.unique(chunk_of[ends] * most + slot[ends], return_inverse=True)
    chunk = keys // most
    nowhere = np.diff(edges)[chunk]
    found = np.stack([keys % most, nowhere, nowhere, np.zeros(len(keys), np.int64)], 1)
    pays = np.zeros((len(keys), 3))
    for code, column, kind in ((FOLDS, 1, FOLD), (SHOWS, 2, SHOWDOWN)):
        of_kind = betting.kind[ends] == kind
        found[number[of_kind], column] = place[ends[of_kind]]
        found[number[of_kind], 3] |= code
    _pay(tree, own, ends, number, pays)
    order = np.lexsort((keys, -found[:, 3], chunk))
    return (
        found[order].astype(np.int32),
        pays[order],
        np.searchsorted(chunk[order], np.arange(len(edges))),
    )


def _pay(tree: PublicTree, own: int, ends: Any, number: Any, pays: Any) -> None:
    """Fill what leaves pay: half the pot for all beaten and once more for ties, what losing costs, a fold.

    Payoffs are chips won beyond half of the starting pot, so that a game without rake sums to zero.
    """
    spot, betting = tree.spot, tree.betting
    scales = [chance_scale(spot, street) if street >= spot.first_street else 0.0 for street in range(3)]
    half, rake = spot.pot / 2, cache(spot.rake.of)
    kinds, parents = betting.kind[ends].tolist(), betting.parent[ends].tolist()
    folders = betting.kind[np.maximum(betting.parent[ends], 0)].tolist()
    del parents
    for leaf, kind, folder, street, put in zip(
        number.tolist(), kinds, folders, betting.street[ends].tolist(), betting.put[ends].tolist()
    ):
        scale = scales[street]
        if kind == FOLD:
            called = put[folder]  # the uncalled part of the bet goes back
            total = spot.pot + 2 * called
            won = -called - half if folder == own else total - called - rake(total) - half
            pays[leaf, 2] += won * scale
        else:
            total = spot.pot + 2 * put[own]
            pays[leaf, 0] += (total - rake(total)) / 2 * scale
            pays[leaf, 1] += (-put[own] - half) * scale


__all__ = ["FLOP", "Sizes", "programs_of", "second_level_cache"]
