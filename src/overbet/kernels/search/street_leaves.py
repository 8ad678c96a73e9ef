"""Below a leaf everybody follows the blueprint, each in the way that was chosen.

The ways to go on are those of Pluribus (Brown & Sandholm 2019): the blueprint as it is, and with the chances
of folds, of calls or of raises times a factor, every row made to add up to one again. The others' actions are
drawn; the walking player's are all followed, for all its hands and all four ways in one walk, so that the
ways are compared on the same cards and the same actions of the others. A row that training never reached
checks or calls.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from overbet.kernels.holdem.layout import CALL, FOLD
from overbet.kernels.jit import lean, lean_inlined
from overbet.kernels.rng import uniform
from overbet.kernels.sampling.rows import picked
from overbet.kernels.search.street_game import WAYS, StreetGame, WalkRoom, end_values
from overbet.kernels.search.street_tree import FOLLOWS
from overbet.kernels.training.record import row_at

TO_FOLD, TO_CALL, TO_RAISE = 1, 2, 3


@lean_inlined
def _leans_to(action: Any) -> int:
    return TO_FOLD if action == FOLD else TO_CALL if action == CALL else TO_RAISE


@lean
def _drawn_follower(game: StreetGame, n: int, board: int, room: WalkRoom, u: float) -> int:
    """Return the action of another player's drawn hand."""
    nodes, blueprint, player = game.nodes, game.blueprint, game.nodes.player[n]
    first, count = nodes.first[n], nodes.width[n]
    bucket = game.boards.bucket[board, nodes.street[n], room.hand[player]]
    row = row_at(blueprint.record, nodes.blue[n], bucket)
    total = np.float32(0)
    for a in range(count):
        factor = game.tables.lean if _leans_to(nodes.action[first + a]) == room.leaning[player] else 1.0
        room.row[a] = np.float32(blueprint.strategy[row + a] * factor)
        total += room.row[a]
    for a in range(count):
        if total > 0:
            room.row[a] /= total
        else:
            room.row[a] = np.float32(1 if nodes.action[first + a] == CALL else 0)
    return picked(room.row, 0, count, u)


@lean
def _taken_together(game: StreetGame, n: int, board: int, room: WalkRoom, depth: int) -> None:
    """Take the values of a decision's actions together, for every way: from room.ways[depth] to room.way."""
    nodes, blueprint, way = game.nodes, game.blueprint, room.way
    first, count, values = nodes.first[n], nodes.width[n], room.ways[depth]
    buckets, more = game.boards.bucket[board, nodes.street[n]], np.float32(game.tables.lean - 1.0)
    for h in range(len(room.total)):
        if room.live[h] == 0:
            continue
        row = row_at(blueprint.record, nodes.blue[n], buckets[h])
        total, calling = np.float32(0), -1
        for k in range(WAYS):
            way[k, h] = np.float32(0)
        leant_fold, leant_call, leant_raise = np.float32(0), np.float32(0), np.float32(0)
        for a in range(count):
            weight = np.float32(blueprint.strategy[row + a])
            kind = _leans_to(nodes.action[first + a])
            total += weight
            if kind == TO_FOLD:
                leant_fold += weight
            elif kind == TO_CALL:
                leant_call += weight
                calling = a
            else:
                leant_raise += weight
            if weight > 0:
                for k in range(WAYS):
                    factor = weight * more + weight if kind == k else weight
                    way[k, h] += factor * values[a, k, h]
        if total > 0:
            way[0, h] /= total
            way[TO_FOLD, h] /= total + more * leant_fold
            way[TO_CALL, h] /= total + more * leant_call
            way[TO_RAISE, h] /= total + more * leant_raise
        else:
            for k in range(WAYS):
                way[k, h] = values[max(calling, 0), k, h]


@lean
def follow_down(
    game: StreetGame, start: int, player: int, board: int, room: WalkRoom, key: np.uint64, drawn: int
) -> int:
    """Fill room.way with what every hand of a player wins below a leaf, [WAYS, H]; return the next random
    number. room.leaning: the others' ways.
    """
    nodes = game.nodes
    depth, n = -1, start
    while True:
        following = nodes.kind[n] == FOLLOWS
        if following:
            if nodes.blue[n] < 0:
                n = nodes.first[n]
                continue
            if nodes.player[n] != player:
                n = nodes.first[n] + _drawn_follower(game, n, board, room, uniform(key, drawn))
                drawn += 1
                continue
            depth += 1
            room.follow_node[depth], room.follow_child[depth] = n, 0
        else:
            end_values(game, n, player, board, room, room.result)
            for k in range(WAYS):
                for h in range(len(room.total)):
                    room.way[k, h] = room.result[h]
        done = not following
        while True:
            if depth < 0:
                return drawn
            here = room.follow_node[depth]
            if done:
                kept = room.ways[depth, room.follow_child[depth]]
                for k in range(WAYS):
                    for h in range(len(room.total)):
                        kept[k, h] = room.way[k, h]
                room.follow_child[depth] += 1
            if room.follow_child[depth] == nodes.width[here]:
                _taken_together(game, here, board, room, depth)
                depth -= 1
                done = True
                continue
            n = nodes.first[here] + room.follow_child[depth]
            if nodes.action[n] == FOLD:
                room.way[:, :] = nodes.paid[n]
                done = True
                continue
            break
