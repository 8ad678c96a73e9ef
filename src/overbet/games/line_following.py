"""Playing a line: each token of `games.lines` as an action or as cards of a hand of hold'em.

An action is never taken for a card, nor a card for an action, and cards that came by themselves have to be
those that the line names. An error points at its token.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from overbet.cards.cards import card_name, cards_name
from overbet.errors import CardError, IllegalActionError
from overbet.games import lines
from overbet.games.lines import Token
from overbet.kernels.holdem.layout import CHANCE, TERMINAL

if TYPE_CHECKING:
    from overbet.games.holdem_state import HoldemState


def followed(state: HoldemState, line: str) -> HoldemState:
    """Return the state after the actions and cards of a line."""
    passed = 0  # board cards the line has named or gone on from
    for place, token in enumerate(lines.parse(line), 1):
        try:
            if token.kind == lines.CARDS:
                state = _dealt(state, token.cards, passed)
                passed = min(passed + len(token.cards), len(state.board))
            else:
                passed = len(state.board)
                state = _acted(state, token)
        except (IllegalActionError, CardError) as error:
            raise lines.fault(line, place, token, str(error)) from error
    return state


def action_at(state: HoldemState, token: Token) -> int | None:
    """Return the legal action that a token stands for, None where there is no such thing."""
    player = state.current_player()
    if player < 0:
        return None
    action = lines.action_of(token, lines.earlier_chips(state.game.root, state.vector, player))
    return action if action in state.legal_actions() else None


def possible(state: HoldemState) -> str:
    """Return what a line may go on with, in words."""
    player, legal = state.current_player(), state.legal_actions()
    if player == TERMINAL:
        return "the hand is over"
    if player == CHANCE:
        return "a card is due, such as 8h"
    words = ["f"] if legal.fold else []
    words.append("c")
    if legal.raise_min is not None and legal.raise_max is not None:
        least, most = state.token(legal.raise_min), state.token(legal.raise_max)
        words.append(least if least == most else f"{least} to {most}")
    return f"player {player} ({state.game.position(player)}) may {', '.join(words)}"


def _acted(state: HoldemState, token: Token) -> HoldemState:
    action = action_at(state, token)
    if action is None:
        raise IllegalActionError(f"not possible here; {possible(state)}")
    return state.apply(action)


def _dealt(state: HoldemState, cards: tuple[int, ...], passed: int) -> HoldemState:
    """Return the state after cards of a line; those that came by themselves have to be the same."""
    came = state.board[passed : passed + len(cards)]
    for card in cards:
        if card in came:
            continue
        if state.current_player() != CHANCE:
            known = f"it is {cards_name(came)}" if came else possible(state)
            raise CardError(f"{card_name(card)} does not come here; {known}")
        state = state.apply(card)
    return state
