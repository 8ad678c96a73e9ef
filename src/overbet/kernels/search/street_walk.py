"""Sampled walks over the subgame of a street: all hands of one player at once against drawn hands.

External sampling (Lanctot et al. 2009) with the walking player's hand left open: the others' hands, the cards
to come and the others' actions are drawn, and every hand of the walking player that shares no card with them
learns from the same walk. What is drawn does not depend on that hand, so each hand sees the others as it
should: in proportion to their ranges, cards that it holds left out.

Regrets are weighed by the number of the iteration (linear CFR). Decisions of the first street have a row for
every hand, [action, hand]; those of later streets a row for every bucket, [bucket, action], to which hands
add by their weight in the range. At a leaf the player learns which way to go on: plain, or leaning to folds,
to calls, to raises (`kernels.search.street_leaves`); the others draw theirs by what they have learned.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from overbet.kernels.holdem.layout import FOLD
from overbet.kernels.jit import lean
from overbet.kernels.rng import uniform
from overbet.kernels.sampling.rows import matched, picked
from overbet.kernels.search.street_game import PLAIN, StreetGame, WalkRoom, end_values, match_hands
from overbet.kernels.search.street_leaves import follow_down
from overbet.kernels.search.street_tree import CHOOSES, DECIDES, SHARES


@lean
def _strategy(game: StreetGame, n: int, board: int, room: WalkRoom, depth: int) -> None:
    """Fill how every hand plays a decision that is learned, or fixed: room.share[depth]."""
    nodes, tables, share = game.nodes, game.tables, room.share[depth]
    count, hands = nodes.width[n], len(room.total)
    if tables.fixed_at[n] >= 0:
        first = tables.fixed_at[n]
        for a in range(count):
            for h in range(hands):
                share[a, h] = tables.fixed[first + a * hands + h]
    elif nodes.kind[n] == DECIDES:
        match_hands(tables.regret, nodes.place[n], count, share, room.total)
    else:
        bucket = game.boards.bucket[board, nodes.street[n]]
        for h in range(hands):
            if bucket[h] < 0:
                for a in range(count):
                    share[a, h] = np.float32(0)
                continue
            matched(tables.regret, nodes.place[n] + bucket[h] * count, 1, count, room.row, 0)
            for a in range(count):
                share[a, h] = room.row[a]


@lean
def _drawn_action(game: StreetGame, n: int, board: int, room: WalkRoom, u: float) -> int:
    """Return the action of another player's drawn hand."""
    nodes, tables = game.nodes, game.tables
    count, hands, hand = nodes.width[n], len(room.total), room.hand[nodes.player[n]]
    if tables.fixed_at[n] >= 0:
        for a in range(count):
            room.row[a] = tables.fixed[tables.fixed_at[n] + a * hands + hand]
    elif nodes.kind[n] == DECIDES:
        matched(tables.regret, nodes.place[n] + hand, hands, count, room.row, 0)
    else:
        bucket = game.boards.bucket[board, nodes.street[n], hand]
        matched(tables.regret, nodes.place[n] + bucket * count, 1, count, room.row, 0)
    return picked(room.row, 0, count, u)


@lean
def _learn(
    game: StreetGame, n: int, player: int, board: int, room: WalkRoom, depth: int, weight: Any
) -> None:
    """Take the values of a decision's actions together in room.result, and add the regrets."""
    nodes, regret = game.nodes, game.tables.regret
    count, hands, result = nodes.width[n], len(room.total), room.result
    share, value = room.share[depth], room.value[depth]
    result[:] = np.float32(0)
    for a in range(count):
        for h in range(hands):
            result[h] += share[a, h] * value[a, h]
    if game.tables.fixed_at[n] >= 0 or weight == 0:
        return
    if nodes.kind[n] == DECIDES:
        for a in range(count):
            first = nodes.place[n] + a * hands
            for h in range(hands):
                regret[first + h] += weight * room.live[h] * (value[a, h] - result[h])
        return
    bucket, own = game.boards.bucket[board, nodes.street[n]], game.hands.weight[player]
    for h in range(hands):
        if room.live[h] > 0:
            first = nodes.place[n] + bucket[h] * count
            for a in range(count):
                regret[first + a] += weight * own[h] * (value[a, h] - result[h])


@lean
def _go_on(
    game: StreetGame, n: int, player: int, board: int, room: WalkRoom, key: np.uint64, drawn: int, weight: Any
) -> int:
    """Fill room.result with the values of a leaf, and learn how to go on; return the next random number."""
    nodes, tables = game.nodes, game.tables
    leaf, hands, ways = nodes.first[n], len(room.total), tables.choices
    for other in range(len(room.hand)):
        room.leaning[other] = PLAIN
        place = nodes.leaf_place[leaf, other]
        if place >= 0 and other != player:
            matched(tables.regret, place + room.hand[other], hands, ways, room.row, 0)
            room.leaning[other] = picked(room.row, 0, ways, uniform(key, drawn))
        drawn += 1
    drawn = follow_down(game, nodes.leaf_child[leaf], player, board, room, key, drawn)
    place, way, result = nodes.leaf_place[leaf, player], room.way, room.result
    if place < 0:
        for h in range(hands):
            result[h] = way[PLAIN, h]
        return drawn
    # the rows of a leaf are matched in the room of the values below it, which are done with
    share = room.ways[0, 0]
    match_hands(tables.regret, place, ways, share, room.total)
    result[:] = np.float32(0)
    for k in range(ways):
        for h in range(hands):
            result[h] += share[k, h] * way[k, h]
    if weight > 0:
        for k in range(ways):
            for h in range(hands):
                gained = way[k, h] - result[h]
                tables.regret[place + k * hands + h] += weight * room.live[h] * gained
    return drawn


@lean
def walk_street(
    game: StreetGame,
    start: int,
    player: int,
    board: int,
    room: WalkRoom,
    key: np.uint64,
    drawn: int,
    weight: Any,
) -> None:
    """Walk from a node on; fill room.result with what every hand of a player wins there, in big blinds.

    room: the others' hands are drawn; drawn: the first random number that is left; weight: float32 of what is
    learned, 0 to learn nothing. Where `start` is the player's, room.value[0] keeps the actions' values.
    """
    nodes = game.nodes
    depth, n = -1, start
    while True:
        kind = nodes.kind[n]
        decision = kind in (DECIDES, SHARES)
        if decision:
            if nodes.player[n] != player:
                a = _drawn_action(game, n, board, room, uniform(key, drawn))
                drawn += 1
                n = nodes.first[n] + a
                continue
            depth += 1
            room.node[depth], room.child[depth] = n, 0
            _strategy(game, n, board, room, depth)
        elif kind == CHOOSES:
            drawn = _go_on(game, n, player, board, room, key, drawn, weight)
        else:
            end_values(game, n, player, board, room, room.result)
        done = not decision
        while True:  # back up until an action is left to walk
            if depth < 0:
                return
            here = room.node[depth]
            if done:
                kept = room.value[depth, room.child[depth]]
                for h in range(len(room.total)):
                    kept[h] = room.result[h]
                room.child[depth] += 1
            if room.child[depth] == nodes.width[here]:
                _learn(game, here, player, board, room, depth, weight)
                depth -= 1
                done = True
                continue
            n = nodes.first[here] + room.child[depth]
            if nodes.action[n] == FOLD:  # what was put in is lost, whatever the others do
                room.result[:] = nodes.paid[n]
                done = True
                continue
            break
