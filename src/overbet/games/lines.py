"""The one grammar of lines: `r:0:b300:c:Td9d6h:c:b700`, written like PioSOLVER's node ids.

    line  = [root] tokens, joined by ":"        root = "r:0" or "r"
    token = "f"                 a fold
          | "c"                 a check or a call
          | "b" chips           a bet or raise after which the player has put in that many chips in all
          | cards               board cards where they fell, `Td9d6h` or `8h`
          | "k" number          a continuation: what a depth-limited solve chooses at its last street

One meaning of `bN` everywhere, Pio's: all the chips the player has put in since the root of the line. In a
solved spot that is since the spot began (the pot of the spot is not counted); in a whole hand since the hand
began, blinds and straddles included. Antes are apart, as Pio keeps them: they are dead money in the pot, in
no player's amount. The rules count otherwise (a raise *to* n chips on this street), and this module converts
between the two, given the chips put in on earlier streets.

Tokens are counted from 1 after the root; every error names the token and its number.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from overbet.cards.cards import cards as parse_cards
from overbet.cards.cards import cards_name
from overbet.errors import CardError, IllegalActionError, quoted
from overbet.kernels.holdem import layout, rules
from overbet.kernels.holdem.play import give_cards

ROOT = "r:0"
FOLD, CALL, BET, CARDS, CONTINUATION = "f", "c", "b", "cards", "k"
_MOST_DIGITS = 15  # of a number of chips
_MOST_TEXT = 120  # characters of cards
_GRAMMAR = "write f, c, bN (N: chips the player has put in since the root) or cards such as Td9d6h"
Vector = npt.NDArray[np.int64]


class Token(NamedTuple):
    """One part of a line. kind: FOLD, CALL, BET, CARDS or CONTINUATION.

    number: a bet's chips since the root, or the number of a continuation. cards: those of CARDS.
    """

    kind: str
    number: int = 0
    cards: tuple[int, ...] = ()

    def __str__(self) -> str:
        if self.kind == CARDS:
            return cards_name(self.cards)
        return f"{self.kind}{self.number}" if self.kind in (BET, CONTINUATION) else self.kind


def parse(line: str) -> tuple[Token, ...]:
    """Return the tokens of a line after its root; an error points at the first that cannot be read."""
    found = []
    for place, part in enumerate(_parts(line), 1):
        token = _token(part)
        if token is None:
            raise fault(line, place, part, _unreadable(part))
        found.append(token)
    return tuple(found)


def parse_token(part: str) -> Token:
    """Return the token of one part of a line."""
    token = _token(part.strip())
    if token is None:
        raise IllegalActionError(f"{quoted(part)}: {_unreadable(part)}")
    return token


def text(tokens: Iterable[Token]) -> str:
    """Return the whole line of tokens, its root in front."""
    return ":".join([ROOT, *map(str, tokens)])


def is_rooted(line: str) -> bool:
    """Return whether a line begins with its root."""
    return line.strip().split(":", 1)[0].strip() == "r"


def fault(line: str, place: int, token: object, reason: str) -> IllegalActionError:
    """Return the error of token number `place` of a line."""
    return IllegalActionError(f"at token {place}, {quoted(str(token))}, of {quoted(line)}: {reason}")


def moves(tokens: Iterable[Token]) -> tuple[Token, ...]:
    """Return the tokens without the cards."""
    return tuple(token for token in tokens if token.kind != CARDS)


def board(tokens: Iterable[Token]) -> tuple[int, ...]:
    """Return the board cards that stand among tokens, in their order."""
    return tuple(card for token in tokens for card in token.cards)


def shifted(token: Token, chips: int) -> Token:
    """Return a token as a line with another root writes it, before which a player put in `chips` more."""
    return token._replace(number=token.number + chips) if token.kind == BET else token


# whole hands: the written amount and the action of the rules


def earlier_chips(root: Vector, state: Vector, player: int) -> int:
    """Return the chips a player put in on earlier streets, blinds included and antes apart.

    root: [SIZE] int64, the hand after antes and blinds; state: [SIZE] int64, the hand now.
    """
    put, ante = (
        int(vector[layout.PUT_IN + player] - vector[layout.BET + player]) for vector in (state, root)
    )
    return put - ante


def token_of(action: int, earlier: int) -> Token:
    """Return how a line writes an action of the rules. earlier: the player's `earlier_chips`."""
    if action > layout.CALL:
        return Token(BET, earlier + action)
    return Token(FOLD if action == layout.FOLD else CALL)


def action_of(token: Token, earlier: int) -> int | None:
    """Return the action of the rules that a token stands for; None where it is no player's action.

    A bet of no more chips than the player has put in on earlier streets is none either.
    """
    if token.kind == BET:
        return token.number - earlier if token.number > earlier else None
    return {FOLD: layout.FOLD, CALL: layout.CALL}.get(token.kind)


def tokens_of(root: Vector, actions: Sequence[int]) -> list[Token]:
    """Return how a line writes the actions of a hand from its beginning, by playing them with any cards.

    root: [SIZE] int64, the hand after antes and blinds.
    """
    state = after(root)
    found = []
    for action in actions:
        player = int(state[layout.ACTOR])
        found.append(token_of(action, earlier_chips(root, state, player)))
        rules.apply(state, action)
    return found


def after(root: Vector, actions: Iterable[int] = ()) -> Vector:
    """Return a hand after some actions, any cards dealt: [SIZE] int64."""
    state = root.copy()
    give_cards(state, np.arange(2 * int(state[layout.PLAYERS]) + 5))
    for action in actions:
        rules.apply(state, action)
    return state


def _parts(line: str) -> list[str]:
    """Return the parts of a line after its root."""
    parts = [part.strip() for part in line.strip().split(":")]
    if parts == [""]:
        return []
    if parts[0] == "r":
        return parts[2:] if parts[1:2] == ["0"] else parts[1:]
    return parts


def _token(part: str) -> Token | None:
    if part in (FOLD, CALL):
        return Token(part)
    kind, digits = part[:1], part[1:]
    if kind in (BET, CONTINUATION) and digits.isascii() and digits.isdecimal():
        exact = len(digits) <= _MOST_DIGITS and (digits[0] != "0" or part == "k0")
        return Token(kind, int(digits)) if exact else None
    try:
        cards = parse_cards(part) if "," not in part and len(part) <= _MOST_TEXT else ()
    except CardError:
        return None
    return Token(CARDS, cards=cards) if cards else None


def _unreadable(part: str) -> str:
    """Return why a part cannot be read, and what to write."""
    if not part:
        return f"it is empty; {_GRAMMAR}"
    small = part.lower()
    if len(part) <= _MOST_TEXT and small != part and _token(small):
        return f"actions are written in small letters; write {small}"
    if part[0] == BET and part[1:].isdecimal():
        return f"chips are a whole number from 1, of at most {_MOST_DIGITS} digits 0-9, such as b300"
    return f"no action and no card; {_GRAMMAR}"
