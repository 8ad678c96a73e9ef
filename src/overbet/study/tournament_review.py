"""The verdicts on a hand of a tournament: only where something is known about its stacks.

A hand at the very stacks a blueprint was trained for is judged as any other, by playing on. Elsewhere a
decision of push or fold is judged by the exact solution. Nothing else is: a strategy of another depth would
call good plays mistakes.
"""

from __future__ import annotations

from collections.abc import Sequence

from overbet.agents.any_stacks import SHORT_BB, AnyStacksAgent
from overbet.agents.blueprint import check_table
from overbet.agents.compiled import CompiledAgent
from overbet.agents.protocol import Agent, own_table, play_for
from overbet.agents.push_or_fold import push_decision, solved
from overbet.cards.combos import class_of_combos, combo_index
from overbet.errors import ConfigError
from overbet.evaluation.match_review import Choice, MatchDecision, can_review, review_hand
from overbet.games.expresso import ExpressoState
from overbet.games.holdem import HoldemGame
from overbet.games.holdem_state import HoldemState
from overbet.kernels.holdem.layout import CALL, FOLD
from overbet.study.review import MOST_RUNS, ReviewedDecision, full_effort, reviewed
from overbet.study.tournaments import HERO


def review_tournament_hand(
    start: ExpressoState,
    final: HoldemState,
    opponents: Sequence[Agent],
    adviser: CompiledAgent | None,
    seed: int,
    most: int = MOST_RUNS,
) -> list[ReviewedDecision]:
    """Return the person's decisions in a finished hand that can be judged, with their verdicts.

    start: the tournament at the beginning of the hand. opponents: by seat, from seat 1. adviser: who says
    what should have been done, in chips whatever the prizes. most: how often an action is played on.
    """
    play_for(opponents, start.game.prizes)  # who sits at several tables was perhaps told another's
    game, hero = final.game, start.order.index(HERO)
    seats = [None, *(_playing(agent, game) for agent in opponents)]
    players = [seats[seat] for seat in start.order]
    others = [agent for agent in players if agent is not None]
    if adviser is not None and _made_for(adviser, game) and can_review(others):
        by_player = [adviser if agent is None else agent for agent in players]
        found = review_hand(
            final, hero, by_player, seed=seed, hand=start.number, adviser=adviser, effort=full_effort(most)
        )
        return [reviewed(decision) for decision in found]
    pushes = _push_verdict(start.hand, final, hero)
    return [reviewed(pushes)] if pushes is not None else []


def _playing(agent: Agent, game: HoldemGame) -> Agent:
    """Return who really plays at a table for an agent of any stacks."""
    return agent.seated(game).agent if isinstance(agent, AnyStacksAgent) else agent


def _made_for(adviser: CompiledAgent, game: HoldemGame) -> bool:
    table = own_table(adviser)
    if table is None:
        return False
    try:
        check_table(adviser.name, table, game)
    except ConfigError:
        return False
    return True


def _push_verdict(state: HoldemState, final: HoldemState, hero: int) -> MatchDecision | None:
    """Return the person's first decision with exact values, where it was one of push or fold and short."""
    for _, player, action in final.history:
        if player == hero:
            return push_verdict(state, action)
        state = state.apply(action)
    return None


def push_verdict(state: HoldemState, action: int) -> MatchDecision | None:
    """Return a decision of push or fold at a short stack with exact values; None where it is none.

    state: with the cards of the player to act.
    """
    hero = state.current_player()
    decision = push_decision(state)
    exact = solved(decision) if decision is not None and decision.stack_bb <= SHORT_BB else None
    if decision is None or exact is None:
        return None
    legal = state.legal_actions()
    inside = legal.raise_max if decision.pushes and legal.raise_max is not None else CALL
    short = round(decision.stack_bb * state.game.big_blind)
    if decision.pushes and action >= short:
        inside = action  # all in for what the other has is as good as for more
    elif action not in (FOLD, inside):
        return None  # a smaller raise or a limp: not in the chart
    hand = int(class_of_combos()[combo_index(*state.hole[hero])])
    chart, worth = (exact.push, exact.push_ev_bb) if decision.pushes else (exact.call, exact.call_ev_bb)
    share, ev = float(chart[hand]), float(worth[hand])
    out = exact.fold_ev_bb[0 if decision.pushes else 1]
    choices = (
        Choice(FOLD, state.action_name(FOLD), 1.0 - share, out, 0.0),
        Choice(inside, state.action_name(inside), share, ev, 0.0),
    )
    best = inside if ev > out else FOLD
    taken = ev if action == inside else out
    return MatchDecision(state, action, choices, best, max(ev, out) - taken, 0.0)
