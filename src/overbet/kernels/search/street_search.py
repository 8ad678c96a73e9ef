"""Blocks of iterations of a sampled search, its average strategy, and what it is worth."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from overbet.kernels.agents.blueprint import BlueprintArrays
from overbet.kernels.jit import kernel, lean
from overbet.kernels.rng import stream_key
from overbet.kernels.search.street_deal import deal_hands
from overbet.kernels.search.street_game import StreetGame, StreetTables, WalkRoom, match_hands
from overbet.kernels.search.street_tree import DECIDES, SHARES, StreetNodes
from overbet.kernels.search.street_walk import walk_street
from overbet.kernels.training.record import row_at
from overbet.kernels.training.store import WHOLE

_JUDGING = 1 << 20  # streams of `judge_block`; players' are small


@kernel
def search_block(
    game: StreetGame, room: WalkRoom, players: npt.NDArray[np.int64], seed: int, first: int, count: int
) -> None:
    """Run iterations first .. first + count - 1, counted from 1: a walk of each player who is in the hand."""
    for iteration in range(first, first + count):
        for player in players:
            key = stream_key(seed, iteration, player)
            board, drawn = deal_hands(game, player, room, key)
            walk_street(game, 0, player, board, room, key, drawn, np.float32(iteration))


@kernel
def begin_from_blueprint(
    nodes: StreetNodes, tables: StreetTables, arrays: BlueprintArrays, bucket: Any, counts: Any, weight: Any
) -> None:
    """Let every decision that is searched begin with the blueprint's strategy, as regrets of this weight.

    bucket: [H] int32, the blueprint's on the first street; counts: [4] int64, its buckets by street. Rows
    that training never reached begin with nothing.
    """
    hands = len(bucket)
    for n in range(len(nodes.kind)):
        decides = nodes.kind[n] == DECIDES
        if nodes.blue[n] < 0 or not (decides or nodes.kind[n] == SHARES):
            continue
        blue, width = nodes.blue[n], nodes.width[n]
        for h in range(hands if decides else counts[nodes.street[n]]):
            row = row_at(arrays.record, blue, bucket[h] if decides else h)
            for k in range(arrays.num_children[blue]):
                a = nodes.stands[n, k]
                place = a * hands + h if decides else h * width + a
                share = np.float32(arrays.strategy[row + k]) / np.float32(WHOLE)
                tables.regret[nodes.place[n] + place] += weight * share


@lean
def _shares_of(nodes: StreetNodes, tables: StreetTables, n: int, share: Any, total: Any) -> None:
    hands = len(total)
    if tables.fixed_at[n] < 0:
        match_hands(tables.regret, nodes.place[n], nodes.width[n], share, total)
        return
    for a in range(nodes.width[n]):
        for h in range(hands):
            share[a, h] = tables.fixed[tables.fixed_at[n] + a * hands + h]


@kernel
def add_average(
    nodes: StreetNodes,
    tables: StreetTables,
    decisions: npt.NDArray[np.int64],
    player: int,
    reach: npt.NDArray[np.float32],
    room: WalkRoom,
    weight: Any,
) -> None:
    """Add a player's strategy of now, by its own reach, to the average of the first street.

    decisions: [d] int64, those of the first street, parents first; reach: [N, H] float32, work space: the
    player's own reach at the children of decisions.
    """
    hands, share, total = len(room.total), room.share[0], room.total
    reach[0, :] = np.float32(1)
    for n in decisions:
        first, count = nodes.first[n], nodes.width[n]
        if nodes.player[n] != player:
            for a in range(count):
                reach[first + a, :] = reach[n]
            continue
        _shares_of(nodes, tables, n, share, total)
        for a in range(count):
            place = nodes.average[n] + a * hands
            for h in range(hands):
                here = reach[n, h] * share[a, h]
                reach[first + a, h] = here
                tables.average[place + h] += weight * here


@kernel
def judge_block(
    game: StreetGame, room: WalkRoom, start: int, player: int, seed: int, first: int, count: int, out: Any
) -> None:
    """Add up what a player's hands win from a node on, learning nothing; strategies are those of the tables.

    out: [1 + A, 2, H] float64: of the node, and where it is the player's of each action, the sum of values
    and the number of walks that a hand was not in the way of.
    """
    actions = game.nodes.width[start] if game.nodes.player[start] == player else 0
    for number in range(first, first + count):
        key = stream_key(seed, number, _JUDGING + player)
        board, drawn = deal_hands(game, player, room, key)
        walk_street(game, start, player, board, room, key, drawn, np.float32(0))
        for h in range(len(room.live)):
            if room.live[h] > 0:
                out[0, 0, h] += room.result[h]
                out[0, 1, h] += 1.0
                for a in range(actions):
                    out[1 + a, 0, h] += room.value[0, a, h]
                    out[1 + a, 1, h] += 1.0
