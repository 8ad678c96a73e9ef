"""The betting of a heads-up hand as Slumbot writes it: `b200c/kb300c/kk/kb500f`.

`k` checks, `c` calls, `f` folds; `bN` bets or raises so that the player has put N chips in *on this street*,
blinds included, which is how our rules count too. Streets are divided by `/`; once everybody is all in the
strokes of the streets to come follow (`b20000c///`), and may be left out by others. Position 0 is the big
blind and our player 0, position 1 the button.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from overbet.errors import ConfigError, IllegalActionError, quoted
from overbet.games.holdem import HoldemGame
from overbet.games.holdem_state import STREETS, HoldemState
from overbet.kernels.holdem.layout import CALL, FOLD

_MOVE = re.compile(r"[kcf]|b[0-9]{1,12}")
_TEXT = re.compile(r"(?:[kcf]|b[0-9]{1,12}|/){0,1000}")


def action_text(state: HoldemState) -> str:
    """Return the betting of a hand so far."""
    game = state.game
    bets = [min(chips, start) for chips, start in zip(reversed(game.blinds[:2]), game.start, strict=True)]
    found, street = list[str](), 0
    for at, player, action in state.history:
        if at > street:
            found.append("/" * (at - street))
            bets, street = [0, 0], at
        if action == FOLD:
            found.append("f")
        elif action == CALL:
            found.append("k" if bets[player] >= max(bets) else "c")
            bets[player] = max(bets)
        else:
            found.append(f"b{action}")
            bets[player] = action
    over = state.is_terminal() and all(state.in_hand)
    return "".join(found) + "/" * ((3 if over else STREETS.index(state.street)) - street)


def action_of(state: HoldemState, move: str) -> int:
    """Return the action of the player to act that a move stands for; an error says what is legal."""
    legal = state.legal_actions()
    if not _MOVE.fullmatch(move):
        raise IllegalActionError(
            f"{quoted(move)} is no action; write k, c, f or b and the chips of this street"
        )
    if move == "f":
        if not legal.fold:
            raise IllegalActionError("there is nothing to fold to; k checks")
        return FOLD
    if move in "kc":
        if (move == "c") != bool(legal.call):
            raise IllegalActionError(
                "there is nothing to call; k checks" if move == "c" else "a bet is to be called: c or f"
            )
        return CALL
    action = int(move[1:])
    if action not in legal or action <= CALL:
        raise IllegalActionError(f"{move} is not legal: {legal}")
    return action


def state_of(game: HoldemGame, text: str, hole: Sequence[str | None], board: Sequence[str]) -> HoldemState:
    """Return the state that a betting text leads to. hole: by position, None for cards not seen."""
    if not _TEXT.fullmatch(text) or text.count("/") > 3:
        raise ConfigError(f"{quoted(text)} is no betting, such as b200c/kb300")
    state = game.initial_state().with_cards(list(hole), board="".join(board))
    for street, part in enumerate(text.split("/")):
        for move in _MOVE.findall(part):
            if state.current_player() < 0 or STREETS.index(state.street) != street:
                raise ConfigError(
                    f"{quoted(text)}: {move} comes when nobody is to act on the {STREETS[street]}"
                )
            state = state.apply(action_of(state, move))
    if action_text(state).rstrip("/") != text.rstrip("/"):
        raise ConfigError(f"{quoted(text)} is not how this betting is written: {quoted(action_text(state))}")
    return state
