"""Kuhn poker for two players (Kuhn 1950) and for three or more (Szafron, Parker & Sharkey 2013).

A deck of one card more than there are players; everyone antes 1 chip and gets one card. Each in turn may
bet 1 chip or pass; once somebody has bet, each other player has one chance to put in a chip or pass. The
highest card among those who put the chip in (among all when nobody did) takes the pot.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from overbet.errors import IllegalActionError, RulesError
from overbet.games.protocol import CHANCE, TERMINAL

PASS, BET = 0, 1
_LETTERS = "pb"
_RANKS = "23456789TJQK"  # the deck is the top `players + 1` of these
MAX_PLAYERS = 10


@dataclass(frozen=True, slots=True)
class KuhnState:
    """The cards dealt so far (0 is the lowest) and the line played, one letter an action: p or b."""

    players: int
    cards: tuple[int, ...] = ()
    line: str = ""

    def current_player(self) -> int:
        if len(self.cards) < self.players:
            return CHANCE
        return TERMINAL if self.is_terminal() else len(self.line) % self.players

    def is_terminal(self) -> bool:
        first_bet = self.line.find("b")
        turns = self.players if first_bet < 0 else self.players + first_bet
        return len(self.line) == turns

    def legal_actions(self) -> Sequence[int]:
        if len(self.cards) < self.players:
            return [card for card in range(self.players + 1) if card not in self.cards]
        return [] if self.is_terminal() else [PASS, BET]

    def chance_outcomes(self) -> Sequence[tuple[int, float]]:
        if len(self.cards) == self.players:
            return []
        probability = 1.0 / (self.players + 1 - len(self.cards))
        return [(card, probability) for card in self.legal_actions()]

    def apply(self, action: int) -> KuhnState:
        if action not in self.legal_actions():
            raise IllegalActionError(f"action {action} is not legal here; legal: {self._legal_names()}")
        if len(self.cards) < self.players:
            return KuhnState(self.players, (*self.cards, action), self.line)
        return KuhnState(self.players, self.cards, self.line + _LETTERS[action])

    def returns(self) -> tuple[float, ...]:
        if not self.is_terminal():
            raise IllegalActionError("returns are known only once the game is over")
        paid = [1] * self.players
        for turn, letter in enumerate(self.line):
            paid[turn % self.players] += letter == "b"
        most = max(paid)
        winner = max((p for p in range(self.players) if paid[p] == most), key=self.cards.__getitem__)
        return tuple(float(sum(paid) * (p == winner) - paid[p]) for p in range(self.players))

    def information_state(self, player: int) -> str:
        card = _RANKS[self.cards[player] - self.players - 1] if player < len(self.cards) else "?"
        return f"{card}:{self.line}"

    def action_name(self, action: int) -> str:
        if len(self.cards) < self.players:
            return f"deal {_RANKS[action - self.players - 1]} to player {len(self.cards)}"
        if "b" in self.line:
            return "call" if action == BET else "fold"
        return "bet" if action == BET else "check"

    def _legal_names(self) -> str:
        return (
            ", ".join(f"{a} ({self.action_name(a)})" for a in self.legal_actions())
            or "none, the game is over"
        )


@dataclass(frozen=True, slots=True)
class KuhnGame:
    """The rules with the number of players fixed."""

    name: str
    num_players: int

    def initial_state(self) -> KuhnState:
        return KuhnState(self.num_players)


def kuhn_game(players: int = 2) -> KuhnGame:
    """Return Kuhn poker for 2 to 10 players: 12 information sets for two, 48 for three."""
    if not 2 <= players <= MAX_PLAYERS:
        raise RulesError(f"Kuhn poker is played by 2 to {MAX_PLAYERS} players, not {players}")
    return KuhnGame("kuhn" if players == 2 else f"kuhn{players}", players)
