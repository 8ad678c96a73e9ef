"""A flat game laid out for update passes: what one player's pass reads, in the order it reads it.

A pass for player i walks the histories that are not over, down for the probability that chance and the
others play to them, up for i's value. Per player the histories are renumbered so that both are straight
loops: a history comes after the one above it, and the histories of one of i's information sets stand
together, so that the set is updated as soon as its values are known. (Order: the number of i's decisions
before; then others' histories by depth, before i's own by information set.)

Histories with the same mover, choices and probabilities form a *group*. All probabilities stand in one
`factors` array: the strategy of every slot, then the number 1, then the distributions of chance. Terminal
histories do not appear: an edge into one points at a pool of the player's few different returns.

The arithmetic is the textbook's, history by history in the order of a depth-first walk. That matters: where
actions tie, rounding decides what regret matching plays, and two orders of adding part company after a
hundred iterations. With this order the published curves come out to their last printed digit.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from overbet.errors import RulesError
from overbet.games.protocol import CHANCE
from overbet.tree.flat import FlatGame

Indices = npt.NDArray[np.uint32]


class Passes(NamedTuple):
    """All players' passes, one after the other. T histories in all, G groups, E edges, A slots, P players.

    player_nodes:    [P + 1]  player p's histories are player_nodes[p] ... player_nodes[p + 1] - 1
    player_groups:   [P + 1]  and its groups player_groups[p] ... player_groups[p + 1] - 1
    node_parent:     [T]      the history above; a first history is its own
    node_factor:     [T]      index in `factors` of what the others' reach is multiplied with on the way
    group_nodes:     [G + 1]  first history of each group
    group_edges:     [G]      first edge of each group; a history's edges are consecutive
    group_choices:   [G]      edges of each history of the group
    group_factor:    [G]      index in `factors` of the group's first choice
    group_regret:    [G]      where that choice's regret goes: its slot; A, a dump, if not the player's
    edge_child:      [E]      index in `value` of the history or the constant an edge leads to
    infoset_offset:  [I + 1]  first slot of each information set
    infoset_parent:  [I]      the owner's slot before the set; A when there is none
    player_infosets: [P + 1]  player p owns sets player_infosets[p] ... player_infosets[p + 1] - 1

    All are uint32: an index that cannot be negative spares the kernels a test at every access.
    """

    player_nodes: Indices
    player_groups: Indices
    node_parent: Indices
    node_factor: Indices
    group_nodes: Indices
    group_edges: Indices
    group_choices: Indices
    group_factor: Indices
    group_regret: Indices
    edge_child: Indices
    infoset_offset: Indices
    infoset_parent: Indices
    player_infosets: Indices


class PassArrays(NamedTuple):
    """The passes with the start values of the arrays a solver works on.

    factors: [A + 1 + chance] float64  the uniform strategy, 1, and chance's distributions
    value:   [T + constants] float64   0 for histories, then the pools of returns
    """

    passes: Passes
    factors: npt.NDArray[np.float64]
    value: npt.NDArray[np.float64]


def build_passes(flat: FlatGame) -> PassArrays:
    """Return the update passes of a game; a game of imperfect recall has none and raises `RulesError`."""
    if not flat.perfect_recall:
        raise RulesError(
            f"{flat.name} has imperfect recall (a player forgets an own action) and cannot be solved "
            "exactly; use sampling"
        )
    tree, players, one = flat.tree, flat.num_players, flat.num_slots
    choice, chance = _choice_factors(flat)
    inner = np.flatnonzero(tree.terminal < 0)
    parts = [_player_pass(flat, player, inner, choice) for player in range(players)]
    total = len(inner) * players
    base = np.arange(players) * len(inner)
    pools = [np.unique(tree.returns[:, player]) for player in range(players)]
    pool_start = total + np.cumsum([0, *map(len, pools)])

    node_parent, node_factor, edge_child = [], [], []
    for player, part in enumerate(parts):
        nodes = part.nodes
        place = np.full(flat.num_nodes, -1, dtype=np.int64)  # of every node in `value`
        place[nodes] = base[player] + np.arange(len(nodes))
        over = tree.terminal >= 0
        place[over] = pool_start[player] + np.searchsorted(pools[player], tree.returns[:, player])
        node_parent.append(place[np.maximum(tree.parent[nodes], 0)])
        node_factor.append(_edge_factors(flat, player, nodes, choice))
        edge_child.append(place[_ranges(tree.first_child[nodes], tree.num_children[nodes])])

    starts = [part.nodes[part.starts] for part in parts]  # the first history of each group
    edges = np.concatenate([tree.num_children[part.nodes] for part in parts])
    group_nodes = np.concatenate([first + part.starts for first, part in zip(base, parts)])
    own = np.concatenate([tree.player[start] == player for player, start in enumerate(starts)])
    factor = choice[np.concatenate(starts)]
    passes = Passes(
        player_nodes=_indices(np.arange(players + 1) * len(inner)),
        player_groups=_indices(np.cumsum([0, *map(len, starts)])),
        node_parent=_indices(np.concatenate(node_parent)),
        node_factor=_indices(np.concatenate(node_factor)),
        group_nodes=_indices([*group_nodes, total]),
        group_edges=_indices((np.cumsum(edges) - edges)[group_nodes]),
        group_choices=_indices(tree.num_children[np.concatenate(starts)]),
        group_factor=_indices(factor),
        group_regret=_indices(np.where(own, factor, one)),
        edge_child=_indices(np.concatenate(edge_child)),
        infoset_offset=_indices(tree.infoset_offset),
        infoset_parent=_indices(np.where(tree.infoset_parent < 0, one, tree.infoset_parent)),
        player_infosets=_indices(tree.player_infosets),
    )
    factors = np.concatenate([flat.uniform(), [1.0], chance])
    return PassArrays(passes, factors, np.concatenate([np.zeros(total), *pools]))


class _PlayerPass(NamedTuple):
    nodes: npt.NDArray[np.int64]  # [histories] flat nodes in the order of the pass
    starts: npt.NDArray[np.int64]  # [groups] where each group begins


def _player_pass(
    flat: FlatGame, player: int, inner: npt.NDArray[np.int64], choice: npt.NDArray[np.int64]
) -> _PlayerPass:
    """Order the histories that are not over for `player`, and find the groups."""
    tree = flat.tree
    depth = np.zeros(flat.num_nodes, dtype=np.int64)
    before = np.zeros(flat.num_nodes, dtype=np.int64)  # the player's decisions before a node
    start, end = 0, 1
    while start < end:  # one level of the tree at a time
        following = end + int(tree.num_children[start:end].sum())
        above = tree.parent[end:following]
        depth[end:following] = depth[above] + 1
        before[end:following] = before[above] + (tree.player[above] == player)
        start, end = end, following
    own = tree.player[inner] == player
    by_depth = np.where(own, 0, depth[inner])
    # equal numbers of choices stand together so that the loops' branches are foreseen
    keys = np.stack([before[inner], own, by_depth, tree.num_children[inner], choice[inner]])
    order = np.lexsort((inner, *keys[::-1]))
    keys = keys[:, order]
    is_start = np.ones(len(inner), dtype=bool)
    is_start[1:] = (keys[:, 1:] != keys[:, :-1]).any(axis=0)
    return _PlayerPass(inner[order], np.flatnonzero(is_start))


def _choice_factors(flat: FlatGame) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.float64]]:
    """Return where each node's probabilities stand in `factors` [N], and each distribution of chance once."""
    tree = flat.tree
    decides = tree.infoset >= 0
    choice = np.zeros(flat.num_nodes, dtype=np.int64)
    choice[decides] = tree.infoset_offset[tree.infoset[decides]]
    known: dict[bytes, int] = {}
    pool: list[npt.NDArray[np.float64]] = []
    size = flat.num_slots + 1
    for node in np.flatnonzero(tree.player == CHANCE).tolist():
        first = tree.first_child[node]
        distribution = tree.probability[first : first + tree.num_children[node]]
        key = distribution.tobytes()
        if key not in known:
            known[key] = size
            pool.append(distribution)
            size += len(distribution)
        choice[node] = known[key]
    return choice, np.concatenate(pool) if pool else np.zeros(0)


def _edge_factors(
    flat: FlatGame, player: int, nodes: npt.NDArray[np.int64], choice: npt.NDArray[np.int64]
) -> npt.NDArray[np.int64]:
    """Return the factor on the edge into each node: 1 where the player itself moved, and at the root."""
    tree = flat.tree
    above = np.maximum(tree.parent[nodes], 0)
    factor = choice[above] + nodes - tree.first_child[above]
    factor[(tree.player[above] == player) | (tree.parent[nodes] < 0)] = flat.num_slots
    return factor


def _ranges(starts: npt.NDArray[np.int32], counts: npt.NDArray[np.int32]) -> npt.NDArray[np.int64]:
    """Return starts[0], starts[0] + 1, ... (counts[0] of them), then starts[1], ..."""
    ends = np.cumsum(counts)
    within = np.arange(int(counts.sum())) - np.repeat(ends - counts, counts)
    return np.repeat(starts.astype(np.int64), counts) + within


def _indices(values: npt.ArrayLike) -> Indices:
    return np.ascontiguousarray(values, dtype=np.uint32)
