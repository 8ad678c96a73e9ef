"""The scripted agents, each defined once: what it may do in a public state, and how often with which hand.

An agent is a row of `ROW` floats: its kind, then parameters (places below). `menu` writes the actions it
considers, a function of the public state alone; `shares` writes how often a hand takes each of them. The
match loop, `act` and `strategy_for_all_hands` all call these two.

Rules (`tag`, `lag`): before the flop the best so many hands are raised, called or folded; how many depends on
the opponents left and on the size of what is to be called. After it, strong hands bet and raise, hands with
enough equity for the price call, and draws and some weak hands bluff.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from overbet.kernels.agents.features import DRAW, EQUITY, RANK
from overbet.kernels.betting.mapping import legal_raise
from overbet.kernels.holdem.layout import (
    ACTIVE,
    BET,
    CALL,
    FOLD,
    MIN_BET,
    PLAYERS,
    POT,
    RAISE_MAX,
    RIVER,
    STACK,
    STREET,
    TO_CALL,
    TO_MATCH,
)
from overbet.kernels.jit import lean, lean_inlined

# kinds of agents
RANDOM, ALWAYS_FOLD, ALWAYS_CALL, ALWAYS_RAISE, RULES, BY_EQUITY, RANDOM_CHIPS, BLUEPRINT = range(8)
ROW = 16
MOST_CHOICES = 20

KIND = 0
BLUEPRINT_NUMBER = 1  # of a blueprint: which of the two
SIZE_SHARE = 1  # of always-raise and equity: bets and raises by this share of the pot after calling
RAISE_FROM = 2  # of equity: raise at this equity
# of the rules
OPEN = 2  # share of hands that open heads up
NARROWING = 3  # with n opponents OPEN * n ** -NARROWING
LIMP = 4  # share of the opening hands that call the blinds on top of those
RERAISE = 5  # share of the opening hands that raise a raise
CONTINUE = 6  # share of the opening hands that stay against a raise of 2.5 minimum bets
OPEN_SIZE = 7  # in minimum bets
RERAISE_SIZE = 8  # in bets faced
VALUE = 9  # rank from which to bet
STRONG = 10  # rank from which to raise a bet
MARGIN = 11  # equity asked for beyond the price of a call of the pot
SEMI_BLUFF = 12  # how often a draw bets
BLUFF = 13  # how often any other hand bets

_SOFT_RANGE, _SOFT_RANK = 0.04, 0.06  # widths over which a choice turns
_DRAW = 0.15  # from which a hand counts as a draw
_SIZES = (0.0, 0.5, 1.0, 2.0, 1e9)  # of the random agent: shares of the pot, the last all in


@lean_inlined
def raise_by_share(state: Any, share: float) -> Any:
    """Return the legal raise by `share` of the pot after calling."""
    return legal_raise(state, state[TO_MATCH] + share * (state[POT] + state[TO_CALL]))


@lean_inlined
def _opponents(state: Any) -> int:
    count = -1
    for player in range(state[PLAYERS]):
        count += state[ACTIVE] >> player & 1
    return max(count, 1)


@lean_inlined
def _rules_raise(state: Any, player: int, row: Any) -> Any:
    """Return the one raise that the rules consider here."""
    if state[STREET] > 0:
        chosen = raise_by_share(state, row[SIZE_SHARE])
    elif state[TO_MATCH] <= state[MIN_BET]:
        chosen = legal_raise(state, row[OPEN_SIZE] * state[MIN_BET])
    else:
        chosen = legal_raise(state, row[RERAISE_SIZE] * state[TO_MATCH])
    whole = state[BET + player] + state[STACK + player]
    return state[RAISE_MAX] if 2 * chosen > whole else chosen


@lean
def menu(state: Any, player: int, row: Any, actions: Any) -> int:
    """Write what the agent considers to actions: [MOST_CHOICES] int64, ascending; return how many.

    Folding comes first where there is something to call, then checking or calling, then raises.
    """
    count = 0
    if state[TO_CALL] > 0:
        actions[0] = FOLD
        count = 1
    actions[count] = CALL
    count += 1
    kind = row[KIND]
    if state[RAISE_MAX] == 0 or kind in (ALWAYS_FOLD, ALWAYS_CALL):
        return count
    if kind == RANDOM:
        for share in _SIZES:
            amount = raise_by_share(state, share)
            if amount > actions[count - 1]:
                actions[count] = amount
                count += 1
        return count
    if kind == RULES:
        actions[count] = _rules_raise(state, player, row)
    else:
        actions[count] = raise_by_share(state, row[SIZE_SHARE])
    return count + 1


@lean_inlined
def _soft(excess: float, width: float) -> float:
    return min(max(0.5 + excess / width, 0.0), 1.0)


@lean_inlined
def _rules_preflop(state: Any, row: Any, rank: float) -> Any:
    """Return how often the rules raise and how often they stay in at all."""
    top = 1.0 - rank  # 0 for aces
    wide = row[OPEN] * np.float64(_opponents(state)) ** -row[NARROWING]
    if state[TO_MATCH] <= state[MIN_BET]:
        raising = _soft(wide - top, _SOFT_RANGE)
        return raising, max(raising, _soft(wide * (1.0 + row[LIMP]) - top, _SOFT_RANGE))
    level = max(state[TO_MATCH] / (2.5 * state[MIN_BET]), 1.0)
    wide *= level**-0.6
    raising = _soft(wide * row[RERAISE] - top, _SOFT_RANGE)
    return raising, max(raising, _soft(wide * row[CONTINUE] - top, _SOFT_RANGE))


@lean_inlined
def _rules_later(state: Any, row: Any, hand: Any) -> Any:
    """Return how often the rules bet or raise and how often they stay in at all."""
    opponents = _opponents(state)
    rank = hand[RANK] ** (1.0 + 0.6 * (opponents - 1))
    bluff = row[BLUFF] / opponents
    if hand[DRAW] > _DRAW and state[STREET] < RIVER:
        bluff = row[SEMI_BLUFF]
    if state[TO_CALL] == 0:
        return max(_soft(rank - row[VALUE], _SOFT_RANK), bluff), 1.0
    price = state[TO_CALL] / (state[POT] + state[TO_CALL])
    faced = min(state[TO_CALL] / max(state[POT] - state[TO_CALL], 1), 1.5)
    equity = rank + (1.0 - rank) * hand[DRAW]
    raising = max(_soft(rank - row[STRONG], _SOFT_RANK), 0.25 * bluff)
    return raising, max(raising, _soft(equity - price - row[MARGIN] * faced, _SOFT_RANK))


@lean
def shares(state: Any, row: Any, hand: Any, count: int, out: Any) -> None:
    """Write how often a hand takes each of the `count` actions of `menu` to out: [MOST_CHOICES] float64.

    hand: [FEATURES] float64.
    """
    may_fold = np.int64(state[TO_CALL] > 0)
    raises = count - 1 - may_fold
    kind = row[KIND]
    raising, staying = 0.0, 1.0
    if kind == RANDOM:
        kinds = 1.0 + may_fold + (raises > 0)
        raising, staying = (1.0 / kinds if raises > 0 else 0.0), 1.0 - may_fold / kinds
    elif kind == ALWAYS_FOLD:
        staying = 0.0
    elif kind == ALWAYS_RAISE:
        raising = 1.0
    elif kind == BY_EQUITY:
        equity = hand[EQUITY] ** _opponents(state)
        raising = np.float64(equity >= row[RAISE_FROM])
        staying = max(raising, np.float64(equity * (state[POT] + state[TO_CALL]) >= state[TO_CALL]))
    elif kind == RULES and state[STREET] == 0:
        raising, staying = _rules_preflop(state, row, hand[RANK])
    elif kind == RULES:
        raising, staying = _rules_later(state, row, hand)
    if raises == 0:
        raising = 0.0
    if may_fold:
        out[0] = 1.0 - staying
    else:
        staying = 1.0
    out[may_fold] = staying - raising
    for place in range(raises):
        out[may_fold + 1 + place] = raising / raises


@lean_inlined
def pick(values: Any, count: int, u: float) -> int:
    """Return the place that u in [0, 1) falls on: the first whose running sum exceeds it."""
    total, last = 0.0, 0
    for place in range(count):
        if values[place] > 0.0:
            total += values[place]
            last = place
            if u < total:
                return place
    return last
