"""Questions of the drill from a blueprint: a hand is dealt, and everybody plays the blueprint."""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from typing import Any

import numpy as np

from overbet.agents.compiled import CompiledAgent
from overbet.agents.protocol import Observation
from overbet.cards.cards import cards_name
from overbet.evaluation.match_review import review_hand
from overbet.games.holdem import HoldemGame
from overbet.games.holdem_state import STREETS, HoldemState
from overbet.study.drill_asked import Asked, nothing_came, tries
from overbet.study.drill_kinds import DrillKind, Facing, PotKind, kind_of_hand
from overbet.study.errors import NotNowError, StudyError
from overbet.study.review import MOST_RUNS, ReviewedDecision, full_effort, reviewed


def from_blueprint(
    agent: CompiledAgent,
    game: HoldemGame,
    name: str,
    street: str | None = None,
    position: str | None = None,
    pot: PotKind | None = None,
    facing: Facing | None = None,
) -> Asked:
    """Return a question of a blueprint: a decision of a hand that it plays against itself."""
    rng = np.random.default_rng()
    wanted, seats = DrillKind(street, position, pot, facing), range(game.num_players)
    if position is not None and position not in map(game.position, seats):
        there = ", ".join(game.position(player) for player in seats)
        raise StudyError(f"nobody is {position} at this table; choose one of {there}", "player")
    for _ in tries():
        seed = int(rng.integers(2**40))
        hero = int(rng.integers(game.num_players))
        state = game.deal(seed, 0)
        met: list[HoldemState] = []
        while not state.is_terminal():
            if state.current_player() == hero and wanted.allows(kind_of_hand(state)):
                met.append(state)
            state = state.apply(agent.act(Observation.of(state, seed, 0)))
        if met:
            return _of_hand(agent, name, met[int(rng.integers(len(met)))], seed, hero)
    raise nothing_came(wanted)


def blueprint_question(
    agent: CompiledAgent, game: HoldemGame, name: str, seed: int, actions: Sequence[int]
) -> Asked:
    """Return the question after some actions of a deal: a mistake that is asked again."""
    state = game.deal(seed, 0)
    for action in actions:
        state = state.apply(action)
    if state.current_player() < 0:
        raise NotNowError("nobody decides here any more; forget this mistake", "mistake")
    return _of_hand(agent, name, state, seed, state.current_player())


def _of_hand(agent: CompiledAgent, name: str, state: HoldemState, seed: int, hero: int) -> Asked:
    seen = Observation.of(state, seed, 0)
    strategy = agent.strategy_for_all_hands(seen.public)
    row = strategy.of_hand(seen.combo)
    identity = f"q-{secrets.token_hex(5)}"
    shown = {
        "question": identity,
        "source": name,
        "line": state.line,
        "board": cards_name(state.board),
        "street": state.street,
        "hand": cards_name(sorted(state.hole[hero], reverse=True)),
        "player": state.game.position(hero),
        "pot_chips": state.pot,
        "to_call_chips": state.to_call,
        "behind_chips": state.stacks[hero],
        "big_blind": state.game.big_blind,
        "steps": _hand_steps(state),
        "actions": [{"token": state.token(a), "label": state.action_name(a)} for a in strategy.actions],
    }
    link = {"solve": None, "blueprint": name, "line": state.line}
    hand = (state, hero, agent, seed, 0)
    evs: list[float | None] = [None] * len(row)
    return Asked(identity, shown, link, state.pot, 0.0, row.tolist(), evs, hand, kind_of_hand(state))


def played_on(question: Asked, token: str, runs: int = MOST_RUNS) -> ReviewedDecision:
    """Return the verdict on an answer, by playing on up to `runs` times with each action."""
    assert question.hand is not None
    state, hero, agent, seed, number = question.hand
    final = state.apply(state.action(token))
    while not final.is_terminal():
        final = final.apply(agent.act(Observation.of(final, seed, number)))
    place = sum(1 for _, player, _ in state.history if player == hero)
    seats = [agent] * state.game.num_players
    (found,) = review_hand(
        final, hero, seats, seed=seed, hand=number, adviser=agent, effort=full_effort(runs), only=place
    )
    return reviewed(found)


def _hand_steps(state: HoldemState) -> list[dict[str, Any]]:
    """Return the strip of a hand: who did what, in the shape of a solve's strip."""
    here = state.game.deal(0)
    found = []
    for street, player, action in state.history:
        token = here.token(action)
        found.append(
            {
                "line": here.line,
                "kind": "player",
                "player": None,
                "position": state.game.position(player),
                "street": STREETS[street],
                "pot_chips": here.pot,
                "options": [{"token": token, "label": here.action_name(action)}],
                "chosen": token,
            }
        )
        here = here.apply(action)
    return found
