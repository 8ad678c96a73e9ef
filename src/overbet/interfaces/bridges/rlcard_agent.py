"""Agents of RLCard at our tables: what was trained on its `no-limit-holdem` plays hold'em by the rules.

The agent is asked with the state RLCard would show: 54 numbers (cards; its own chips in the pot and the most
of any player), the legal ones of its five actions (fold, check or call, raise half the pot, raise the pot,
all-in) and the raw observation. Chips are counted in RLCard's unit, half a big blind. Its raises add that
share of the pot to what the player has put in on the street; one that the rules call too small is made the
least raise.

The other way round there is nothing: RLCard's own table lets the small blind act first on every street heads
up and has no least raise, so a hand there is not a hand of hold'em and our agents would be asked about states
that cannot be.
"""

from __future__ import annotations

from collections import OrderedDict
from typing import Any

import numpy as np

from overbet.agents.protocol import Observation
from overbet.cards.cards import card_name
from overbet.errors import ConfigError, IllegalActionError
from overbet.games.holdem_state import HoldemState
from overbet.kernels.holdem.layout import CALL, FOLD

_FOLD, _CALL, _HALF_POT, _POT, _ALL_IN = range(5)
_SUITS, _RANKS = "SHDC", "A23456789TJQK"  # the order of RLCard's 52 places


class RlcardAgent:
    """An RLCard agent as one of ours. Its own random numbers are its own: a seed here does not reach them."""

    def __init__(self, agent: Any, name: str = "") -> None:
        """Wrap `agent`, which has `eval_step(state)` or `step(state)`, as all of RLCard's have."""
        if not hasattr(agent, "eval_step") and not hasattr(agent, "step"):
            raise ConfigError(
                f"{type(agent).__name__} has neither eval_step nor step: it is no agent of RLCard"
            )
        self.agent, self.name = agent, name or f"rlcard:{type(agent).__name__}"

    def act(self, observation: Observation) -> int:
        """Return the action the agent chooses."""
        state = observation.state
        possible = rlcard_actions(state)
        asked = rlcard_state(state, possible, raw=bool(getattr(self.agent, "use_raw", False)))
        answer = (
            self.agent.eval_step(asked)[0] if hasattr(self.agent, "eval_step") else self.agent.step(asked)
        )
        chosen = int(getattr(answer, "value", answer))
        if chosen not in possible:
            raise IllegalActionError(f"{self.name} plays {chosen}, and possible are {sorted(possible)}")
        return possible[chosen]


def rlcard_actions(state: HoldemState) -> dict[int, int]:
    """Return RLCard's legal actions with what each means here."""
    legal = state.legal_actions()
    found = {_CALL: CALL}
    if legal.fold:
        found = {_FOLD: FOLD, **found}
    least, most = legal.raise_min, legal.raise_max
    if least is None or most is None:
        return found
    bet = state.bets[state.current_player()]
    to_match = bet + state.to_call
    for number, chips in ((_HALF_POT, state.pot // 2), (_POT, state.pot)):
        if bet + chips <= most and bet + chips > to_match:
            found[number] = max(bet + chips, least)
    found[_ALL_IN] = most
    return found


def rlcard_state(state: HoldemState, possible: dict[int, int], raw: bool = False) -> dict[str, Any]:
    """Return the state as RLCard's environment shows it to the player to act.

    raw: the agent chooses among RLCard's `Action` members, which needs the library
    """
    player = state.current_player()
    unit = state.game.big_blind / 2.0
    chips = [put_in / unit for put_in in state.put_in]
    hand, public = [[_name(card) for card in cards] for cards in (state.hole[player], state.board)]
    numbers = np.zeros(54)
    for card in hand + public:
        numbers[_SUITS.index(card[0]) * 13 + _RANKS.index(card[1])] = 1.0
    numbers[52:] = chips[player], max(chips)
    actions: list[Any] = list(possible)
    if raw:
        from rlcard.games.nolimitholdem.round import Action

        actions = [Action(number) for number in possible]
    told = {
        "hand": hand,
        "public_cards": public,
        "all_chips": chips,
        "my_chips": chips[player],
        "legal_actions": actions,
        "stakes": [left / unit for left in state.stacks],
        "current_player": player,
        "pot": state.pot / unit,
    }
    return {
        "obs": numbers,
        "legal_actions": OrderedDict((number, None) for number in possible),
        "raw_obs": told,
        "raw_legal_actions": actions,
        "action_record": [],
    }


def _name(card: int) -> str:
    """Return a card as RLCard writes it: suit first, `SA`, `HT`."""
    text = card_name(card)
    return text[1].upper() + text[0]
