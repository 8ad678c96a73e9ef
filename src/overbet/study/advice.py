"""Advice on one decision: what search would do with a hand, and what each action is worth to it.

A study tool for hands that have been played: nothing here reads a table.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from overbet.agents.protocol import PublicState
from overbet.agents.searcher import SearchAgent
from overbet.betting.names import action_names
from overbet.blueprint.query import held_cards
from overbet.cards.cards import cards as read_cards
from overbet.cards.cards import cards_name
from overbet.cards.combos import combo_index
from overbet.errors import ConfigError, IllegalActionError
from overbet.games.holdem import HoldemGame
from overbet.games.holdem_state import STREETS, HoldemState
from overbet.search.searcher import SearchAnswer
from overbet.search.table.sampled_search import SampledSearch
from overbet.search.table.searcher import TableSearcher


@dataclass(frozen=True)
class AdvisedAction:
    """One action. ev_bb: what it is worth from here on, folding 0; None where nothing was searched."""

    token: str
    name: str
    share: float
    ev_bb: float | None


@dataclass(frozen=True)
class Advice:
    """What to do with a hand at a decision.

    source: `search` or `blueprint`; exploitability: of the search's answer, in % of the pot at the beginning
    of the street; iterations, seconds: what the search took. All None where the blueprint answers.
    """

    line: str
    board: str
    hand: str
    position: str
    pot_bb: float
    to_call_bb: float
    source: str
    actions: tuple[AdvisedAction, ...]
    exploitability: float | None = None
    iterations: int | None = None
    seconds: float | None = None

    @property
    def best(self) -> AdvisedAction:
        """The action that is taken most often."""
        return max(self.actions, key=lambda action: action.share)

    def values(self) -> dict[str, Any]:
        """Return the advice as plain values for JSON."""
        found = {**vars(self), "actions": [vars(action) for action in self.actions]}
        return found


def state_at(game: HoldemGame, line: str, board: str = "") -> HoldemState:
    """Return the public state of a hand after a line whose cards stand in it or in `board`."""
    state = game.initial_state().with_cards([None] * game.num_players, board).follow(line)
    _somebody_acts(state)
    return state


def advise(agent: SearchAgent, state: HoldemState, hand: str, seed: int = 0) -> Advice:
    """Return what `agent` does with a hand for the player to act in a public state.

    hand: two cards, such as `AhKh`.
    """
    _somebody_acts(state)
    shared = [card for card in read_cards(hand) if card in state.board]
    if shared:
        board = cards_name(state.board)
        raise ConfigError(
            f"the hand {hand} has {cards_name(shared)} of the board {board}; change one of them"
        )
    held = held_cards(hand, state.board)
    agent = agent.at_table(state.game)
    agent.prepare(state.game)
    public = PublicState.of(state, seed)
    facts: dict[str, Any] = {
        "line": state.line,
        "board": cards_name(state.board),
        "hand": cards_name(held),
        "position": state.game.position(state.current_player()),
        "pot_bb": state.pot / state.game.big_blind,
        "to_call_bb": state.to_call / state.game.big_blind,
    }
    if not agent.searcher.covers(state):
        found = agent.strategy_for_all_hands(public)
        shares = found.of_hand(combo_index(*held))
        rows = _rows(state, found.actions, shares, [None] * len(shares))
        return Advice(source="blueprint", actions=rows, **facts)
    answer = agent.answer(public)
    shares = answer.strategy.shares[combo_index(*held)]
    worth = _worth(agent, answer, combo_index(*held), public)
    rows = _rows(state, answer.strategy.actions, shares, worth)
    cost = answer.search.cost
    return Advice(
        source="search",
        actions=rows,
        exploitability=cost.exploitability,
        iterations=cost.iterations,
        seconds=cost.seconds,
        **facts,
    )


def _somebody_acts(state: HoldemState) -> None:
    """Refuse a state in which nobody has to act, and say why."""
    if state.is_terminal():
        raise IllegalActionError(f"the hand is over after {state.line}; ask about a decision before that")
    if state.current_player() < 0:
        due = f"after {state.line} the {state.street} has to be dealt"
        raise IllegalActionError(f"{due}; add its cards to the line or to the board")


def _worth(agent: SearchAgent, answer: SearchAnswer, combo: int, public: PublicState) -> list[float | None]:
    """Return what each action of the answer is worth to a hand, in big blinds."""
    state, searcher = public.state, agent.searcher
    if isinstance(searcher, TableSearcher) and isinstance(answer.search, SampledSearch):
        sampled = searcher.action_values(answer, state, agent.baseline(public.seed, public.hand))[combo]
        return [float(value) if np.isfinite(value) else None for value in sampled]
    found = answer.search.action_values(answer.edges)
    if found is None:  # boards were drawn
        return [None] * len(answer.strategy.actions)
    values = found[combo] / state.game.big_blind
    if len(values) != len(answer.strategy.actions):  # two sizes of the tree are one at the table
        return [None] * len(answer.strategy.actions)
    return [float(value) if np.isfinite(value) else None for value in values]


def _rows(
    state: HoldemState, actions: tuple[int, ...], shares: Any, worth: list[float | None]
) -> tuple[AdvisedAction, ...]:
    street = STREETS.index(state.street)
    level = sum(action > 0 for where, _, action in state.history if where == street)
    player = state.current_player()
    all_in = state.bets[player] + state.stacks[player]
    names = action_names(actions, street, level, state.game.big_blind, all_in)
    return tuple(
        AdvisedAction(state.token(action), name, float(share), value)
        for action, name, share, value in zip(actions, names, shares, worth)
    )
