"""What the actions of a decision are worth when both players follow one blueprint, summed exactly.

On the turn and the river, heads up, all hands of the opponent, all cards to come and all that the two
strategies may do are few enough to be summed: no luck is left in the values. It is the hand of the
blueprint's own tree that is summed, so there is nothing for hands with other bets (None). Rows that training
never reached check or call in the sum, where the agent at the table plays `tag`: an action after which they
are met more than once in a thousand times is not summed either.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

import numpy as np
import numpy.typing as npt

from overbet.agents.blueprint import BlueprintAgent
from overbet.agents.protocol import Agent
from overbet.blueprint.dense_query import DenseBlueprint
from overbet.blueprint.hand_values import BlueprintValues
from overbet.cards.combos import COMBOS, combo_index
from overbet.games.holdem_state import HoldemState
from overbet.kernels.holdem.layout import FOLD

Floats = npt.NDArray[np.float64]
_SUMMED = ("turn", "river")  # before, there are too many boards
_UNTRAINED = 0.001  # rows that training never reached, a pair of hands


def exact_values(
    state: HoldemState, player: int, seats: Sequence[Agent], ranges: Sequence[Floats], actions: Sequence[int]
) -> Floats | None:
    """Return what each action of a decision is worth in big blinds, [action] float64, or None.

    state: with the player's own hand. seats: who plays on, by player. ranges: by player, [1326] float64, what
    the opponent may hold. None where the two do not play one blueprint, a bet is not the blueprint's, or the
    street is too early.
    """
    blueprint = _shared(seats)
    if blueprint is None or state.street not in _SUMMED:
        return None
    followed = blueprint.followed(state)
    if followed.fault or followed.mapped:
        return None
    inner, scale = followed.state, blueprint.game.big_blind / state.game.big_blind
    own = {action: round(action * scale) if action > 0 else action for action in actions}
    if not set(own.values()) <= set(blueprint.actions(inner.line)):
        return None
    weights = np.stack([np.asarray(one, np.float64) for one in ranges])
    hand = combo_index(*state.hole[player])
    weights[player] = np.eye(1, COMBOS, hand)[0]
    found = np.empty(len(actions))
    for place, action in enumerate(actions):
        if action == FOLD:
            found[place] = -state.put_in[player] / state.game.big_blind
            continue
        values = _values_of(blueprint).at(inner.apply(own[action]), state.board, weights)
        if values.met[player, hand] <= 0.0 or values.untrained > _UNTRAINED:
            return None
        found[place] = values.values[player, hand] / values.met[player, hand] / blueprint.game.big_blind
    return found


def _shared(seats: Sequence[Agent]) -> DenseBlueprint | None:
    """Return the blueprint that both of two players play."""
    played = [seat.blueprint for seat in seats if isinstance(seat, BlueprintAgent)]
    if len(seats) != 2 or len(played) != 2 or played[0] is not played[1]:
        return None
    return played[0] if isinstance(played[0], DenseBlueprint) else None


@lru_cache(maxsize=2)
def _values_of(blueprint: DenseBlueprint) -> BlueprintValues:
    return BlueprintValues(blueprint)
