"""The table of a hand that was really played, where the rules of `games.holdem` are narrower than the sites.

At a site anybody may post a blind to come back into the game, the small blind may be missing, a player may
fold where checking is free, and the least raise is the site's affair. The kernel of the rules plays all of
this; only what may be asked of it is narrower.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from overbet.errors import IllegalActionError
from overbet.games.holdem import HoldemGame
from overbet.games.holdem_state import HoldemState
from overbet.kernels.holdem import layout as at
from overbet.kernels.holdem import rules


@dataclass(frozen=True)
class RecordedTable(HoldemGame):
    """A table whose blinds are those that were posted, whoever posted them, one a player."""

    name: str = "recorded holdem"

    def __post_init__(self) -> None:
        posted = tuple(self.blinds)
        object.__setattr__(self, "blinds", (min(posted[:2]), max(posted)))  # what the rules of a game allow
        super().__post_init__()
        object.__setattr__(self, "blinds", posted)

    @property
    def big_blind(self) -> int:
        """The smallest bet, which is the big blind also where nobody posted it in its place."""
        return self.least_bet

    def position(self, player: int) -> str:
        """Return the name of the position; without a small blind the first is the big blind."""
        name = super().position(player)
        players = self.num_players
        if players > 2 and self.blinds[0] >= self.least_bet > self.blinds[1]:
            wider = HoldemGame(min(players + 1, at.MAX_PLAYERS))
            return wider.position(min(player + 1, wider.num_players - 1))
        return name


def opened_by(state: HoldemState, player: int | None, gone: tuple[int, ...] = ()) -> HoldemState:
    """Return the state just after the deal with `player` the first to act, and the hands of `gone` folded.

    The rules let the player left of the last of the largest blinds begin, and a blind posted out of turn is
    as large as the big blind. gone: players who are all in and do not act any more.
    """
    values = state.vector
    for folded in gone:
        values[at.ACTIVE] &= ~(1 << folded)
    if player is None:
        player = int(values[at.ACTOR])
    if values[at.ACTOR] < 0 or not int(values[at.QUEUE]) >> player & 1:
        return state
    if values[at.ACTOR] == player and not gone:
        return state
    bet, stack = int(values[at.BET + player]), int(values[at.STACK + player])
    to_match = int(values[at.TO_MATCH])
    others = max(
        int(values[at.BET + other] + values[at.STACK + other])
        for other in range(state.num_players)
        if other != player and values[at.ACTIVE] >> other & 1
    )
    values[at.ACTOR] = player
    values[at.TO_CALL] = min(stack, max(min(to_match, others) - bet, 0))
    can_raise = others > to_match and bet + stack > to_match
    values[at.RAISE_MAX] = bet + stack if can_raise else 0
    values[at.RAISE_MIN] = min(bet + stack, to_match + int(values[at.LAST_RAISE])) if can_raise else 0
    return HoldemState(state.game, values, state.history)


def played(state: HoldemState, action: int) -> HoldemState:
    """Return the state after an action as a site allows it: any raise, and a fold where checking is free."""
    player = state.current_player()
    values = state.vector
    history = state.history
    if player < 0:
        if player != at.CHANCE or action in values[at.HOLE : at.SIZE] or not 0 <= action < at.HIDDEN_CARD:
            return state.apply(action)  # which refuses it
    else:
        chips = int(values[at.BET + player] + values[at.STACK + player])
        if action > at.CALL and not values[at.TO_MATCH] < action <= chips:
            raise IllegalActionError(
                f"a bet to {action} is impossible: {chips} chips are there, {values[at.TO_MATCH]} to call"
            )
        history = (*history, (int(values[at.STREET]), player, action))
    rules.apply(values, action)
    if values[at.ACTOR] == at.SHOWDOWN:
        _give_way(values)
    return HoldemState.settled(state.game, values, history)


def _give_way(values: npt.NDArray[np.int64]) -> None:
    """Fold the hands that were thrown away at the showdown, where somebody wins with cards nobody saw."""
    active = int(values[at.ACTIVE])
    left = active & ~int(values[at.MUCKED])
    unseen = any(
        left >> player & 1 and values[at.HOLE + 2 * player] == at.HIDDEN_CARD
        for player in range(int(values[at.PLAYERS]))
    )
    if unseen:
        values[at.ACTIVE] = left
