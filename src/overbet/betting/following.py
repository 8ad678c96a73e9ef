"""Following a real hand in a game that does not have its bets.

The game's own hand is played beside the real one by `kernels.betting.mapping`, the mapper of the match loop:
an action that the game does not have is taken for one it has. The random numbers are functions of (seed,
hand, place in the hand) and the same as an agent's at the table, so asking again gives the same answer, and
the one that is played. Where the two hands have drifted apart it is said: nothing is guessed.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np

from overbet.errors import IllegalActionError
from overbet.games import lines
from overbet.games.holdem import HoldemGame
from overbet.games.holdem_state import HoldemState
from overbet.kernels.betting.mapping import TRANSLATION_STREAM, folds_kept, is_turn, same_decision, taken_for
from overbet.kernels.holdem.layout import ACTOR, FOLD, STREET, TO_CALL
from overbet.kernels.rng import stream_key, uniform


class Followed(NamedTuple):
    """How a real hand was followed in a game of other bets.

    state: the game's own hand, any cards; mapped: real bets on the way that the game does not have; fault:
    why the two hands do not stand at the same decision, empty where they do; kept: the share of its folds
    that the game's strategy keeps here, fewer than all against a bet smaller than the game's smallest.
    """

    state: HoldemState
    mapped: int
    fault: str
    kept: float = 1.0

    def checked(self) -> HoldemState:
        """Return the game's own hand; an `IllegalActionError` where it does not stand for the real one."""
        if self.fault:
            raise IllegalActionError(self.fault)
        return self.state


def follow(
    state: HoldemState,
    game: HoldemGame,
    actions_at: Callable[[HoldemState], Sequence[int]],
    seed: int = 0,
    hand: int = 0,
) -> Followed:
    """Follow a real hand, which stands at a decision, in `game`.

    actions_at: the actions at a decision of `game`, raises last and ascending.
    """
    if state.num_players != game.num_players:
        fault = f"{state.num_players} players cannot be followed in a game of {game.num_players}"
        return Followed(game.deal(0), 0, fault)
    key = np.uint64(stream_key(seed, hand, TRANSLATION_STREAM))
    # cards do not matter to the betting: both hands are played again with any
    real, inner, mapped = state.game.deal(0), game.deal(0), 0
    smallest = False  # whether the last action is the smallest bet or raise of the game's decision
    for place, (_, _, action) in enumerate(state.history):
        now, own = real.vector, inner.vector
        if is_turn(own[ACTOR], own[STREET], now):
            actions = np.array(actions_at(inner), np.int64)
            chosen, other = taken_for(actions, 0, len(actions) - 1, own, now, action, uniform(key, place))
            mapped += bool(other)
            if chosen < 0:
                what = "a fold" if action == FOLD else "a call"
                fault = f"{what} cannot be followed after {moves_of(inner)}: there is none"
                return Followed(inner, mapped, fault)
            smallest = chosen > 0 and actions[chosen] > 0 and actions[chosen - 1] <= 0
            inner = inner.apply(int(actions[chosen]))
        real = real.apply(action)
    own = inner.vector
    if same_decision(own[ACTOR], own[STREET], own, state.vector):
        kept = folds_kept(own, state.vector) if smallest and own[TO_CALL] > 0 else 1.0
        return Followed(inner, mapped, "", float(kept))
    fault = (
        f"{state.line} cannot be followed beyond {moves_of(inner)}: street, player or whether there is "
        "something to call is not the same there"
    )
    return Followed(inner, mapped, fault)


def followed(
    state: HoldemState,
    game: HoldemGame,
    actions_at: Callable[[HoldemState], Sequence[int]],
    seed: int = 0,
    hand: int = 0,
) -> HoldemState:
    """Return the state of `game`, any cards, that stands for a real one; an error where none does."""
    return follow(state, game, actions_at, seed, hand).checked()


def moves_of(state: HoldemState) -> str:
    """Return the line of a state without its cards."""
    return lines.text(lines.tokens_of(state.game.root, [action for _, _, action in state.history]))
