"""Two to nine ranges, every deal on every board: exact equities by a walk over disjoint hands.

The players' hands lie one after another in one list (`Field`). For a board each hand is ranked once; then
an odometer walks over the players, giving each a hand that holds none of the cards given before, and the
weight of a deal is the product of its hands' weights. The pot goes to the best rank, shared equally. Where
every player holds one hand there is nothing to walk over, and boards are counted in integers.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from overbet.kernels.cards.equity import EquityBoards, EquityHands
from overbet.kernels.cards.evaluator import EvaluatorTables, rank_key
from overbet.kernels.jit import inlined, kernel

U64 = np.uint64
_ZERO = U64(0)
PLAYERS = 9
WIN, TIE, SHARE = 0, 1, 2


class Field(NamedTuple):
    """All players' hands, one player after another.

    hands: of all players, n; weights: [n] float64; starts: [players + 1] int64, where each player's begin;
    cut, alias: [n] float64 and int64, Walker's alias table of each player's weights (for sampling).
    """

    hands: EquityHands
    weights: npt.NDArray[np.float64]
    starts: npt.NDArray[np.int64]
    cut: npt.NDArray[np.float64]
    alias: npt.NDArray[np.int64]


@inlined
def share_pot(
    ranks: npt.NDArray[np.int32], players: int, weight: float, out: npt.NDArray[np.float64]
) -> np.int64:
    """Add a showdown of `weight` to out: [players, 3] float64 (win, tie, share); return the winners' bits."""
    best = ranks[0]
    winners, bits = 1, 1
    for player in range(1, players):
        if ranks[player] > best:
            best, winners, bits = ranks[player], 1, 1 << player
        elif ranks[player] == best:
            winners += 1
            bits |= 1 << player
    column = WIN if winners == 1 else TIE
    share = weight / winners
    for player in range(players):
        if bits >> player & 1:
            out[player, column] += weight
            out[player, SHARE] += share
    return np.int64(bits)


class DealSpace(NamedTuple):
    """Room to deal in, made once: ranks: [n] int32 of all hands on a board; then, for each player in turn,

    places: [10] int64, his hand; used: [10] uint64, the cards before him; product: [10] float64, the weight
    before him; dealt: [9] int32, his rank.
    """

    ranks: npt.NDArray[np.int32]
    places: npt.NDArray[np.int64]
    used: npt.NDArray[np.uint64]
    product: npt.NDArray[np.float64]
    dealt: npt.NDArray[np.int32]


@inlined
def deal_space(hands: int) -> DealSpace:
    """Return room for deals from so many hands."""
    return DealSpace(
        np.empty(hands, np.int32),
        np.empty(PLAYERS + 1, np.int64),
        np.empty(PLAYERS + 1, np.uint64),
        np.empty(PLAYERS + 1, np.float64),
        np.empty(PLAYERS, np.int32),
    )


@inlined
def _add_board(
    key: np.uint64,
    board: np.uint64,
    field: Field,
    tables: EvaluatorTables,
    space: DealSpace,
    out: npt.NDArray[np.float64],
) -> float:
    """Add every deal that leaves the board's cards alone; return the weight of them all."""
    masks, keys, starts = field.hands.masks, field.hands.keys, field.starts
    places, used, product = space.places, space.used, space.product
    for hand in range(masks.shape[0]):
        if masks[hand] & board == _ZERO:
            space.ranks[hand] = rank_key(key + keys[hand], board | masks[hand], tables)
    players = starts.shape[0] - 1
    total = 0.0
    player = 0
    places[0], used[0], product[0] = starts[0], board, 1.0
    while player >= 0:
        hand = places[player]
        if hand == starts[player + 1]:
            player -= 1
            continue
        places[player] += 1
        if used[player] & masks[hand] != _ZERO:
            continue
        space.dealt[player] = space.ranks[hand]
        weight = product[player] * field.weights[hand]
        if player == players - 1:
            share_pot(space.dealt, players, weight, out)
            total += weight
        else:
            used[player + 1] = used[player] | masks[hand]
            player += 1
            product[player] = weight
            places[player] = starts[player]
    return total


@kernel
def boards_deals(
    boards: EquityBoards, field: Field, tables: EvaluatorTables, out: npt.NDArray[np.float64]
) -> float:
    """Add every deal on every board to out: [players, 3] float64 (win, tie, share); return their weight."""
    space = deal_space(field.weights.shape[0])
    total = 0.0
    for board in range(boards.keys.shape[0]):
        total += _add_board(boards.keys[board], boards.masks[board], field, tables, space, out)
    return total


@kernel
def boards_showdown(
    boards: EquityBoards, hands: EquityHands, tables: EvaluatorTables, counts: npt.NDArray[np.int64]
) -> None:
    """Count how one hand a player fares on many boards, none of which holds a card of theirs.

    counts: [players, players + 1] int64; entry (p, k) counts the boards on which p is one of k winners.
    """
    players = hands.masks.shape[0]
    ranks = np.empty(players, np.int32)
    for board in range(boards.keys.shape[0]):
        key, mask = boards.keys[board], boards.masks[board]
        best, winners = np.int32(0), 0
        for player in range(players):
            rank = rank_key(key + hands.keys[player], mask | hands.masks[player], tables)
            ranks[player] = rank
            winners = 1 if rank > best else winners + (rank == best)
            best = max(best, rank)
        for player in range(players):
            counts[player, winners] += ranks[player] == best


@kernel
def find_deal(field: Field, limit: int) -> int:
    """Return 1 when all players can hold a hand at once, 0 when they cannot, -1 after `limit` tries."""
    players = field.starts.shape[0] - 1
    places = np.empty(PLAYERS + 1, np.int64)
    used = np.empty(PLAYERS + 1, np.uint64)
    player, tries = 0, 0
    places[0], used[0] = field.starts[0] - 1, _ZERO
    while player >= 0:
        places[player] += 1
        hand = places[player]
        tries += 1
        if tries > limit:
            return -1
        if hand == field.starts[player + 1]:
            player -= 1
        elif used[player] & field.hands.masks[hand] == _ZERO:
            if player == players - 1:
                return 1
            used[player + 1] = used[player] | field.hands.masks[hand]
            player += 1
            places[player] = field.starts[player] - 1
    return 0
