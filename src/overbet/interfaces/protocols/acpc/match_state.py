"""Match states of the ACPC and states of our rules, both ways.

    MATCHSTATE:1:31:r300r900c/r1800:|JdTc/6dJc9c

is what position 1 sees of hand 31: the betting, streets divided by `/`, then the hole cards by position,
divided by `|`, and the board by street. `r1800` raises so that the player has put 1,800 chips into the pot
*in the whole hand*; `c` calls or checks, `f` folds. Positions are our players: 0 sits after the button.

A hand that is over because everybody is all in has the strokes of the streets that follow: `r20000c///`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from overbet.cards.cards import cards_name
from overbet.errors import ConfigError, IllegalActionError, OverbetError, quoted
from overbet.games import lines
from overbet.games.holdem import HoldemGame
from overbet.games.holdem_state import STREETS, HoldemState
from overbet.kernels.holdem.layout import CALL, CHANCE, FOLD, HIDDEN_CARD

LONGEST = 1 << 13  # characters of a line
_VIEW = re.compile(r"MATCHSTATE:([0-9]{1,4}):([0-9]{1,12}):([cfr0-9/]*):([2-9TJQKAcdhs|/]*)")
_MOVE = re.compile(r"c|f|r([0-9]{1,15})")
_BETTING = re.compile(r"(?:c|f|r[0-9]{1,15}|/)*")
_BOARD_CARDS = (0, 3, 1, 1)


class MatchView(NamedTuple):
    """A match state as it is written. viewer: whose view, a position; cards: hole cards and board."""

    viewer: int
    hand: int
    betting: str
    cards: str

    def __str__(self) -> str:
        return f"MATCHSTATE:{self.viewer}:{self.hand}:{self.betting}:{self.cards}"


def read_view(line: str) -> MatchView:
    """Return the parts of a match state, unchecked against any table."""
    found = _VIEW.fullmatch(line)
    if found is None or len(line) > LONGEST or not _BETTING.fullmatch(found[3]):
        raise ConfigError(f"{quoted(line)} is no match state; MATCHSTATE:position:hand:betting:cards is")
    return MatchView(int(found[1]), int(found[2]), found[3], found[4])


def state_of(game: HoldemGame, betting: str, cards: str) -> HoldemState:
    """Return the state that betting and cards tell; an error says where they break the rules."""
    hole, board = _read_cards(game, cards)
    state = game.initial_state().with_cards(hole, board="".join(board))
    state = followed(state, betting)
    dealt = len(state.board)
    if state.current_player() == CHANCE:
        raise ConfigError(f"{quoted(cards)} ends before the {state.street} is dealt")
    if sum(map(len, board)) != 2 * dealt:
        raise ConfigError(f"{quoted(cards)} has {len(''.join(board)) // 2} board cards, the betting {dealt}")
    return state


def followed(state: HoldemState, betting: str) -> HoldemState:
    """Return the state after the betting of a whole hand, its cards being known to `state`."""
    done = len(state.history)
    for number, (street, move) in enumerate(_moves(betting)):
        if number < done:
            continue
        if state.current_player() < 0 or state.street != STREETS[street]:
            raise ConfigError(f"{quoted(betting)}: action {number + 1} ({move}) comes when nobody is to act")
        state = state.apply(action_of(state, move))
    if betting_of(state).rstrip("/") != betting.rstrip("/"):
        raise ConfigError(
            f"{quoted(betting)} is not how this betting is written: {quoted(betting_of(state))}"
        )
    return state


def action_of(state: HoldemState, move: str) -> int:
    """Return the action that a move stands for: `c`, `f`, or `r` and the chips put in over the whole hand."""
    found = _MOVE.fullmatch(move)
    if found is None:
        raise IllegalActionError(f"{quoted(move)} is no action; write c, f or r and a number of chips")
    if found[1] is None:
        return CALL if move == "c" else FOLD
    earlier = lines.earlier_chips(state.game.root, state.vector, state.current_player())
    action = int(found[1]) - earlier
    if action <= CALL:
        raise IllegalActionError(f"{move}: the player has put in {earlier} chips on earlier streets already")
    return action


def move_of(state: HoldemState, action: int) -> str:
    """Return how an action of the player to act is written."""
    if action <= CALL:
        return "c" if action == CALL else "f"
    earlier = lines.earlier_chips(state.game.root, state.vector, state.current_player())
    return f"r{earlier + action}"


def betting_of(state: HoldemState) -> str:
    """Return the betting of a hand so far."""
    tokens = lines.tokens_of(state.game.root, [action for _, _, action in state.history])
    found, street = list[str](), 0
    for (at, _, _), token in zip(state.history, tokens, strict=True):
        found.append("/" * (at - street))
        found.append(f"r{token.number}" if token.kind == lines.BET else token.kind)
        street = at
    over = state.is_terminal() and sum(state.in_hand) > 1
    now = 3 if over else STREETS.index(state.street)
    return "".join(found) + "/" * (now - street)


def cards_of(state: HoldemState, viewer: int | None = None) -> str:
    """Return the cards that a position sees; without one all of them, as a log has them."""
    shown = state.is_terminal() and sum(state.in_hand) > 1
    pairs = [
        cards_name(cards) if viewer in (None, player) or (shown and state.in_hand[player]) else ""
        for player, cards in enumerate(state.hole)
    ]
    board, found, place = state.board, ["|".join(pairs)], 0
    for count in _BOARD_CARDS[1:]:
        if place + count <= len(board):
            found.append(cards_name(board[place : place + count]))
        place += count
    return "/".join(found)


def view_of(state: HoldemState, viewer: int, hand: int, betting: str | None = None) -> MatchView:
    """Return what a position sees. betting: of the state, where it is known already."""
    return MatchView(viewer, hand, betting_of(state) if betting is None else betting, cards_of(state, viewer))


def _moves(betting: str) -> Iterator[tuple[int, str]]:
    """Yield street and move of everything in a betting string."""
    parts = betting.split("/")
    if len(parts) > len(STREETS) or not _BETTING.fullmatch(betting):
        raise ConfigError(f"{quoted(betting)} is no betting of hold'em, such as cc/r250c")
    for street, part in enumerate(parts):
        for move in _MOVE.finditer(part):
            yield street, move[0]


def _read_cards(game: HoldemGame, text: str) -> tuple[list[str | None], Sequence[str]]:
    """Return the hole cards by position, None where they are not seen, and the board by street."""
    first, *board = text.split("/")
    hole = first.split("|")
    if len(hole) != game.num_players:
        raise ConfigError(
            f"{quoted(text)} has the cards of {len(hole)} players, {game.num_players} are at the table"
        )
    counts = [len(part) // 2 for part in board]
    if counts != list(_BOARD_CARDS[1 : len(board) + 1]) or any(len(part) % 2 for part in (*board, *hole)):
        raise ConfigError(f"{quoted(text)}: a board is three cards, then one, then one")
    return [pair or None for pair in hole], board


def checked_view(game: HoldemGame, view: MatchView) -> HoldemState:
    """Return the state of a view, which has to fit the table."""
    if view.viewer >= game.num_players:
        raise ConfigError(f"position {view.viewer} is not at a table of {game.num_players}")
    try:
        state = state_of(game, view.betting, view.cards)
    except OverbetError as error:
        raise ConfigError(f"{quoted(str(view))}: {error}") from error
    if HIDDEN_CARD in state.hole[view.viewer]:
        raise ConfigError(f"{quoted(str(view))}: the cards of position {view.viewer} are missing")
    return state
