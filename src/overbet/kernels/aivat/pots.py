"""Shares of pots in AIVAT on hold'em, as the cards lie now.

Heads up the share of a pot is one number, the equity of player 0 (`pair_equity`), exact or over every so many
run-outs. With more players hands are ranked on the run-outs (`rank_runouts`), and every side pot is shared
among those who can win it (`pots_worth`).
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from overbet.kernels.cards.evaluator import START, EvaluatorTables, rank_key
from overbet.kernels.holdem.layout import ACTIVE, MAX_PLAYERS, STACK
from overbet.kernels.holdem.pots import side_pots
from overbet.kernels.jit import kernel, lean, lean_inlined

RUNOUTS = 990  # at most, on a flop

U64 = np.uint64
_ONE, _ZERO = U64(1), U64(0)


class Pots(NamedTuple):
    """How pots are shared among P players on one board, and room to work in.

    start: [P] int64, stacks before the hand; strengths: [RUNOUTS, P] int32 of ranked hands; runouts: [1]
    int64, how many, 0 before the flop; preflop: [P, P] float64, equities of pairs of hands there; shares:
    [2 ** P, P] float64, shares of a pot by who can win it, where summed: [2 ** P] bool; amounts, winners:
    [10] int64. Heads up only start, amounts and winners are used.
    """

    start: npt.NDArray[np.int64]
    strengths: npt.NDArray[np.int32]
    runouts: npt.NDArray[np.int64]
    preflop: npt.NDArray[np.float64]
    shares: npt.NDArray[np.float64]
    summed: npt.NDArray[np.bool_]
    amounts: npt.NDArray[np.int64]
    winners: npt.NDArray[np.int64]


def new_pots(start: npt.NDArray[np.int64]) -> Pots:
    """Return room for a table with these stacks."""
    players = len(start)
    return Pots(
        start=start,
        strengths=np.zeros((RUNOUTS, players), np.int32),
        runouts=np.zeros(1, np.int64),
        preflop=np.zeros((players, players)),
        shares=np.zeros((1 << players, players)),
        summed=np.zeros(1 << players, np.bool_),
        amounts=np.zeros(MAX_PLAYERS + 1, np.int64),
        winners=np.zeros(MAX_PLAYERS + 1, np.int64),
    )


@kernel
def pair_equity(cards: Any, board: Any, lying: int, stride: int, tables: EvaluatorTables) -> float:
    """Return the equity of cards[:2] against cards[2:4] on the first `lying` (3 to 5) cards of board.

    cards, board: int64. On a flop every `stride`-th of the 990 run-outs is taken; 1 is exact.
    """
    keys = tables.card_keys
    key, mask = START, _ZERO
    for place in range(lying):
        key += keys[U64(board[place])]
        mask |= _ONE << U64(board[place])
    one = _ONE << U64(cards[0]) | _ONE << U64(cards[1])
    two = _ONE << U64(cards[2]) | _ONE << U64(cards[3])
    key_one = keys[U64(cards[0])] + keys[U64(cards[1])]
    key_two = keys[U64(cards[2])] + keys[U64(cards[3])]
    if lying == 5:
        a, b = rank_key(key + key_one, mask | one, tables), rank_key(key + key_two, mask | two, tables)
        return 0.5 * (np.int64(a > b) + np.int64(a >= b))
    dead = mask | one | two
    score, found = np.int64(0), np.int64(0)
    if lying == 4:
        for card in range(52):
            bit = _ONE << U64(card)
            if dead & bit == _ZERO:
                full, whole = key + keys[card], mask | bit
                a = rank_key(full + key_one, whole | one, tables)
                b = rank_key(full + key_two, whole | two, tables)
                score += np.int64(a > b) + np.int64(a >= b)
                found += 1
        return score / (2.0 * found)
    bits, left = np.empty(52, np.uint64), np.empty(52, np.uint64)
    count = 0
    for card in range(52):
        bit = _ONE << U64(card)
        if dead & bit == _ZERO:
            bits[count], left[count] = bit, keys[card]
            count += 1
    skip = 0
    for high in range(1, count):
        low = skip
        while low < high:
            full, whole = key + left[high] + left[low], mask | bits[high] | bits[low]
            a = rank_key(full + key_one, whole | one, tables)
            b = rank_key(full + key_two, whole | two, tables)
            score += np.int64(a > b) + np.int64(a >= b)
            found += 1
            low += stride
        skip = low - high
    return score / (2.0 * found)


@lean
def rank_runouts(
    pots: Pots, cards: Any, active: int, board: Any, lying: int, stride: int, tables: EvaluatorTables
) -> None:
    """Rank the hands of cards: [2 P ...] int64 that are active on run-outs of `lying` cards of board.

    On a flop every `stride`-th is taken.
    """
    players = len(pots.start)
    key, dead = START, _ZERO
    for place in range(lying):
        key += tables.card_keys[U64(board[place])]
        dead |= _ONE << U64(board[place])
    seen = dead
    for place in range(2 * players):
        dead |= _ONE << U64(cards[place])
    found, passed = 0, 0
    for a in range(52):
        if lying == 5 and a > 0:
            break
        bit_a = _ONE << U64(a)
        if lying < 5 and dead & bit_a:
            continue
        for b in range(a if lying == 3 else 1):
            bit_b = _ONE << U64(b)
            full, mask = key, seen
            if lying < 5:
                full += tables.card_keys[a]
                mask |= bit_a
            if lying == 3:
                if dead & bit_b:
                    continue
                full += tables.card_keys[b]
                mask |= bit_b
                passed += 1
                if passed % stride != 0:
                    continue
            for player in range(players):
                if not active >> player & 1:
                    continue
                one, two = U64(cards[2 * player]), U64(cards[2 * player + 1])
                whole = full + tables.card_keys[one] + tables.card_keys[two]
                pots.strengths[found, player] = rank_key(whole, mask | _ONE << one | _ONE << two, tables)
            found += 1
    pots.runouts[0] = found
    pots.summed[:] = False


@lean
def _share_by_ranks(pots: Pots, mask: int) -> None:
    """Write the share of a pot that each player of `mask` wins over the ranked run-outs to pots.shares."""
    players, out = len(pots.start), pots.shares[mask]
    if pots.summed[mask]:
        return
    pots.summed[mask] = True
    out[:] = 0.0
    for runout in range(pots.runouts[0]):
        best, ties = np.int32(-1), 0
        for player in range(players):
            if mask >> player & 1:
                strength = pots.strengths[runout, player]
                if strength > best:
                    best, ties = strength, 1
                elif strength == best:
                    ties += 1
        part = 1.0 / ties
        for player in range(players):
            if mask >> player & 1 and pots.strengths[runout, player] == best:
                out[player] += part
    for player in range(players):
        out[player] /= pots.runouts[0]


@lean
def _share_by_pairs(pots: Pots, mask: int) -> None:
    """Write shares before the flop: in proportion to the products of the pairs' equities."""
    players, out, total = len(pots.start), pots.shares[mask], 0.0
    if pots.summed[mask]:
        return
    pots.summed[mask] = True
    for player in range(players):
        out[player] = 0.0
        if mask >> player & 1:
            product = 1.0
            for other in range(players):
                if other != player and mask >> other & 1:
                    one, two = min(player, other), max(player, other)
                    equity = pots.preflop[one, two]
                    product *= equity if player == one else 1.0 - equity
            out[player] = product
            total += product
    for player in range(players):
        out[player] = out[player] / total if total > 0.0 else 0.0


@lean_inlined
def _share_out(pots: Pots, mask: int, amount: float, gain: float, out: Any) -> None:
    """Add the shares of a pot that the players of `mask` can win to out: [P] float64."""
    if pots.runouts[0] > 0:
        _share_by_ranks(pots, mask)
    else:
        _share_by_pairs(pots, mask)
    able = 0
    for player in range(len(out)):
        able += mask >> player & 1
    fair = 1.0 / able
    for player in range(len(out)):
        if mask >> player & 1:
            out[player] += (fair + gain * (pots.shares[mask, player] - fair)) * amount


@lean
def pots_worth(pots: Pots, state: Any, gain: float, out: Any) -> None:
    """Add what every player wins by the shares of now to out: [P] float64; gain: of a lead over even shares.

    state: [SIZE] int64, whatever its cards.
    """
    for pot in range(side_pots(state, state[ACTIVE], pots.amounts, pots.winners)):
        _share_out(pots, pots.winners[pot], pots.amounts[pot], gain, out)


@lean
def pot_worth(pots: Pots, mask: int, amount: float, gain: float, out: Any) -> None:
    """Add the same where there is one pot."""
    _share_out(pots, mask, amount, gain, out)


@lean
def pair_line(pots: Pots, state: Any, gain: float) -> Any:
    """Return what player 0 wins heads up as a line in its equity: base and tilt."""
    base, tilt = np.float64(state[STACK] - pots.start[0]), 0.0
    for pot in range(side_pots(state, state[ACTIVE], pots.amounts, pots.winners)):
        mask, amount = pots.winners[pot], pots.amounts[pot]
        if mask == 3:
            base += (0.5 - 0.5 * gain) * amount
            tilt += gain * amount
        elif mask == 1:
            base += amount
    return base, tilt
