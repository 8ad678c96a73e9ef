"""Leduc hold'em (Southey et al. 2005, "Bayes' Bluff"), with the deck and the numbers OpenSpiel uses.

Six cards, J Q K in two suits; both ante 1; one private card each; a betting round with bets of 2; one
public card; a betting round with bets of 4. Standard Leduc allows two raises a round (a bet counts as
one); the one-bet form allows a bet and no raise. A pair with the public card wins, else the higher rank.
Suits never matter to the pay but are seen by the players, hence 936 information sets and not 288.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from overbet.errors import IllegalActionError, RulesError
from overbet.games.protocol import CHANCE, TERMINAL

FOLD, CALL, RAISE = 0, 1, 2
_LETTERS = "fcr"
_CARDS = ("Js", "Jh", "Qs", "Qh", "Ks", "Kh")
_BET = (2, 4)  # chips, by round


@dataclass(frozen=True, slots=True)
class LeducState:
    """Cards 0..5 = 2*rank + suit in the order dealt, the line of each round, and the chips put in."""

    max_raises: int
    cards: tuple[int, ...] = ()
    lines: tuple[str, ...] = ("",)
    paid: tuple[int, int] = (1, 1)

    def current_player(self) -> int:
        if self._is_chance():
            return CHANCE
        return TERMINAL if self.is_terminal() else len(self.lines[-1]) % 2

    def is_terminal(self) -> bool:
        line = self.lines[-1]
        return line.endswith("f") or (len(self.lines) == 2 and _is_closed(line))

    def legal_actions(self) -> Sequence[int]:
        if self._is_chance():
            return [card for card in range(len(_CARDS)) if card not in self.cards]
        if self.is_terminal():
            return []
        line = self.lines[-1]
        legal = [FOLD, CALL] if line.endswith("r") else [CALL]
        return [*legal, RAISE] if line.count("r") < self.max_raises else legal

    def chance_outcomes(self) -> Sequence[tuple[int, float]]:
        if not self._is_chance():
            return []
        probability = 1.0 / (len(_CARDS) - len(self.cards))
        return [(card, probability) for card in self.legal_actions()]

    def apply(self, action: int) -> LeducState:
        if action not in self.legal_actions():
            raise IllegalActionError(f"action {action} is not legal here; legal: {self._legal_names()}")
        if self._is_chance():
            return LeducState(self.max_raises, (*self.cards, action), self.lines, self.paid)
        player = self.current_player()
        paid = list(self.paid)
        if action != FOLD:
            paid[player] = max(paid) + _BET[len(self.lines) - 1] * (action == RAISE)
        line = self.lines[-1] + _LETTERS[action]
        lines = (*self.lines[:-1], line)
        if len(lines) == 1 and _is_closed(line):
            lines = (line, "")
        return LeducState(self.max_raises, self.cards, lines, (paid[0], paid[1]))

    def returns(self) -> tuple[float, ...]:
        if not self.is_terminal():
            raise IllegalActionError("returns are known only once the game is over")
        line = self.lines[-1]
        if line.endswith("f"):
            loser = (len(line) - 1) % 2
        else:
            ranks = [card // 2 for card in self.cards]
            strength = [10 if ranks[p] == ranks[2] else ranks[p] for p in (0, 1)]
            if strength[0] == strength[1]:
                return (0.0, 0.0)
            loser = 0 if strength[0] < strength[1] else 1
        won = float(self.paid[loser])
        return (-won, won) if loser == 0 else (won, -won)

    def information_state(self, player: int) -> str:
        card = _CARDS[self.cards[player]] if player < len(self.cards) else "?"
        if len(self.lines) == 1:
            return f"{card}:{self.lines[0]}"
        public = _CARDS[self.cards[2]] if len(self.cards) == 3 else "?"
        return f"{card}:{self.lines[0]}/{public}:{self.lines[1]}"

    def action_name(self, action: int) -> str:
        if self._is_chance():
            place = "the board" if len(self.cards) == 2 else f"player {len(self.cards)}"
            return f"deal {_CARDS[action]} to {place}"
        facing_bet = self.lines[-1].endswith("r")
        if action == FOLD:
            return "fold"
        if action == CALL:
            return "call" if facing_bet else "check"
        return "raise" if facing_bet else "bet"

    def _is_chance(self) -> bool:
        return len(self.cards) < 2 or (len(self.lines) == 2 and len(self.cards) == 2)

    def _legal_names(self) -> str:
        return (
            ", ".join(f"{a} ({self.action_name(a)})" for a in self.legal_actions())
            or "none, the game is over"
        )


def _is_closed(line: str) -> bool:
    """Return whether a round's betting is over without a fold: both acted and the last one called."""
    return len(line) >= 2 and line.endswith("c")


@dataclass(frozen=True, slots=True)
class LeducGame:
    """The rules with the number of raises a round fixed."""

    name: str
    max_raises: int
    num_players: int = 2

    def initial_state(self) -> LeducState:
        return LeducState(self.max_raises)


def leduc_game(max_raises: int = 2) -> LeducGame:
    """Return Leduc hold'em: two raises a round is the standard game, one the one-bet form."""
    names = {1: "leduc-one-bet", 2: "leduc"}
    if max_raises < 1:
        raise RulesError(f"Leduc needs at least one bet a round, not {max_raises}")
    return LeducGame(names.get(max_raises, f"leduc-{max_raises}-raises"), max_raises)
