"""Hands of the local best response against one agent, in a kernel.

The responder (Lisy & Bowling, "Equilibrium Approximation Quality of Current No-Limit Poker Bots", 2017)
knows the agent's strategy and keeps its exact range of 1,326 hands. At a decision it supposes that
everybody checks and calls from then on: with wp the equity against the range, calling c is worth wp * pot -
(1 - wp) * c, and a bet of a more is worth

    fp * pot + (1 - fp) * (wp' * (pot + a) - (1 - wp') * (c + a)),

fp being how often the range folds to it and wp' the equity against what does not. The best is taken, folding
is worth 0. What it wins is a lower bound on what a best response wins.

A bet outside the agent's tree is mapped as the agent maps it, at random; the responder must not see that
coin, so the range is kept on every branch it may have led to (`Branches`), each with its own weights.

The estimate is AIVAT with the agent known: the showdown is averaged over the range, every card dealt adds
(wp before - wp after) * pot, and every decision of the agent the mean value of its actions less that of the
one taken. All are by-products of the range. How that is kept is said in `overbet.kernels.lbr.ranges`.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from overbet.kernels.agents.scripted import BLUEPRINT, KIND, pick, raise_by_share
from overbet.kernels.holdem.layout import (
    ACTIVE,
    ACTOR,
    BET,
    CALL,
    FOLD,
    POT,
    PUT_IN,
    RAISE_MAX,
    SHOWDOWN,
    STACK,
    STREET,
    TO_CALL,
    TO_MATCH,
)
from overbet.kernels.holdem.play import deal_cards, give_cards
from overbet.kernels.holdem.pots import rake_of, settle
from overbet.kernels.holdem.rules import apply
from overbet.kernels.jit import inlined, kernel
from overbet.kernels.lbr.equity import COMBOS, hand_equities
from overbet.kernels.lbr.ranges import (
    BlueprintDecisions,
    BoardTables,
    Lbr,
    LbrSpace,
    cards_by,
    gather,
    narrow,
    spread,
    stand_at,
    strategies,
    ways,
    win_share,
    work_out_board,
)
from overbet.kernels.match.play import CHOICE_STREAM, DRAWS
from overbet.kernels.rng import stream_key, uniform


@kernel
def _worth_of_bet(lbr: Lbr, space: LbrSpace, count: int, state: Any, amount: int) -> float:
    """Return what a raise to `amount` is worth by the responder's reckoning."""
    trial, stay = space.trial, space.stay
    trial[:] = state
    apply(trial, amount)
    player = state[ACTOR]
    stay[:] = 0.0
    total = 0.0
    for branch in range(count):
        reach, old, inner = space.now.reach[branch], space.now.node[branch], space.now.inner[branch]
        low, high, chance = ways(lbr, state, old, inner, amount)
        for way in range(2):
            node, part = (low, chance) if way == 0 else (high, 1.0 - chance)
            if part <= 0.0:
                continue
            stand_at(lbr, node, old, inner, space.tree)
            actions = strategies(lbr, space, trial, node, space.tree, reach)
            for combo in range(COMBOS):
                if reach[combo] > 0.0:
                    total += part * reach[combo]
                    kept = 0.0
                    for place in range(actions):
                        if space.actions[place] != FOLD:
                            kept += space.shares[combo, place]
                    stay[combo] += part * reach[combo] * kept
    left, won = 0.0, 0.0
    for combo in range(COMBOS):
        left += stay[combo]
        won += stay[combo] * space.equity[combo]
    folds = 1.0 - left / total if total > 0.0 else 0.0
    wp = won / left if left > 0.0 else 0.0
    pot, asked = np.float64(state[POT]), np.float64(state[TO_CALL])
    more = np.float64(min(amount - state[TO_MATCH], state[STACK + 1 - player]))
    return folds * pot + (1.0 - folds) * (wp * (pot + more) - (1.0 - wp) * (asked + more))


@kernel
def _respond(lbr: Lbr, space: LbrSpace, count: int, state: Any) -> Any:
    """Return the responder's action."""
    wp = win_share(space, count)
    pot, asked = np.float64(state[POT]), np.float64(state[TO_CALL])
    best: Any = wp * pot - (1.0 - wp) * asked
    action: Any = CALL
    if asked > 0.0 and best < 0.0:
        best, action = 0.0, FOLD
    if state[RAISE_MAX] == 0:
        return action
    tried: Any = np.int64(0)
    for size in lbr.sizes:
        amount = raise_by_share(state, size)
        if amount == tried:
            continue
        tried = amount
        worth = _worth_of_bet(lbr, space, count, state, amount)
        if worth > best:
            best, action = worth, amount
    return action


@inlined
def _value(state: Any, me: int, action: int, wp: float) -> Any:
    """Return what the responder may expect after the agent's action, all checking and calling then."""
    mine = np.float64(state[PUT_IN + me])
    pot = np.float64(state[POT])
    if action == FOLD:
        return pot - mine
    if action == CALL:
        return wp * (pot + state[TO_CALL]) - mine
    asked = np.float64(min(action - state[BET + me], state[STACK + me]))
    added = asked + state[BET + me] - state[BET + 1 - me]
    return max(-mine, wp * (pot + added + asked) - mine - asked)


@kernel
def _agent_turn(lbr: Lbr, space: LbrSpace, count: int, state: Any, held: int, u: float) -> Any:
    """Play the agent's decision; return its action, the branches left, and the correction of the estimate."""
    different = gather(lbr, space, count, state, held)
    total = 0.0
    weight = 0.0
    for kind in range(different):
        total += space.mass[kind]
        weight += space.held[kind]
    for kind in range(different):
        space.held[kind] /= weight
    chosen = pick(space.held, different, u)
    action = space.kinds[chosen]
    me = 1 - state[ACTOR]
    correction = 0.0
    for kind in range(different):
        if space.mass[kind] > 0.0:
            value = _value(state, me, space.kinds[kind], space.won[kind] / space.mass[kind])
            correction += value * space.mass[kind] / total
            if kind == chosen:
                correction -= value
    return action, narrow(lbr, space, count, state, action), correction


@kernel
def _next_street(lbr: Lbr, space: LbrSpace, count: int, state: Any, me: int, cards: Any) -> None:
    """Take hands with board cards out of the range and work out the own equities on this street."""
    street = state[STREET]
    first, second = cards[2 * me], cards[2 * me + 1]
    if street == 0:
        combo = max(first, second) * (max(first, second) - 1) // 2 + min(first, second)
        for other in range(COMBOS):
            space.equity[other] = lbr.pairs[combo, other]
    else:
        board = cards[4 : 4 + cards_by(street)]
        hand_equities(first, second, board, lbr.evaluator, space.work, space.equity)
    combo = -1
    for pair in range(52 * 52):
        a, b = pair // 52, pair % 52
        if b >= a:
            continue
        combo += 1
        dead = a in (first, second) or b in (first, second)
        for place in range(cards_by(street)):
            dead |= a == cards[4 + place] or b == cards[4 + place]
        if dead:
            space.equity[combo] = 0.0
            for branch in range(count):
                space.now.reach[branch, combo] = 0.0


@kernel
def _hand(lbr: Lbr, board_tables: BoardTables, space: LbrSpace, cards: Any, me: int, number: int) -> Any:
    """Play one hand with the responder as player `me`; return the chips it won and the AIVAT estimate."""
    now = space.now
    state = lbr.root.copy()
    give_cards(state, cards)
    high, low = max(cards[2 - 2 * me], cards[3 - 2 * me]), min(cards[2 - 2 * me], cards[3 - 2 * me])
    held = high * (high - 1) // 2 + low
    choices = stream_key(lbr.seed, number, CHOICE_STREAM)
    count, place, seen, estimate = 1, 0, -1, 0.0
    now.reach[0] = 1.0
    is_blueprint = lbr.row[KIND] == BLUEPRINT
    now.node[0] = 0 if is_blueprint else -1
    if is_blueprint:
        now.inner[0] = lbr.pages.root
    while state[ACTOR] >= 0:
        street = state[STREET]
        if not space.have[street]:
            space.have[street] = True
            work_out_board(
                board_tables, is_blueprint, street, cards, space.features[street], space.buckets[street]
            )
        if street != seen:  # where it does not respond too: the board rules out hands and changes chances
            before = win_share(space, count) if seen >= 0 else 0.0
            _next_street(lbr, space, count, state, me, cards)
            if seen >= 0:
                estimate += (before - win_share(space, count)) * state[POT]
            seen = street
        if state[ACTOR] == me:
            action = _respond(lbr, space, count, state) if lbr.streets[street] else CALL
        else:
            u = uniform(choices, DRAWS * place)
            action, count, correction = _agent_turn(lbr, space, count, state, held, u)
            estimate += correction
        count = spread(lbr, space, count, state, action)
        apply(state, action)
        place += 1
    active = state[ACTIVE]
    before = lbr.root[STACK + me] + lbr.root[PUT_IN + me]
    if active & (active - 1) == 0 or seen < 0:
        if state[ACTOR] == SHOWDOWN:
            settle(state, lbr.evaluator)
        won = np.float64(state[STACK + me] - before)
        return won, won + estimate
    pot = np.float64(state[POT] - rake_of(state, state[POT]))
    estimate += win_share(space, count) * pot - state[PUT_IN + me]
    settle(state, lbr.evaluator)
    return np.float64(state[STACK + me] - before), estimate


def decisions_of_blueprint(arrays: Any) -> BlueprintDecisions:
    """Return what decisions read of a `BlueprintArrays`."""
    return BlueprintDecisions(*[getattr(arrays, name) for name in BlueprintDecisions._fields])


@kernel
def lbr_deals(
    lbr: Lbr, board_tables: BoardTables, space: LbrSpace, first: int, won: Any, estimate: Any
) -> None:
    """Play deals first, first + 1, ... with the agent as player 0 and as player 1.

    won, estimate: [deals, 2] float64, chips of the responder by rotation, as they fell and by AIVAT.
    """
    cards = np.empty(9, np.int64)
    space.have[0] = False
    for deal in range(len(won)):
        deal_cards(lbr.seed, first + deal, cards)
        space.have[1:] = False
        for rotation in range(2):
            number = 2 * (first + deal) + rotation
            found = _hand(lbr, board_tables, space, cards, 1 - rotation, number)
            won[deal, rotation], estimate[deal, rotation] = found
