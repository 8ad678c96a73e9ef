"""Small two-player zero-sum games for re-solving: the coin toss, and random games with public actions.

In a random game chance deals each player a type, unevenly and not independently; then the players act in
turn, in public; how many actions there are depends on the line; some lines deal a public card on the way.
What is won depends on everything. A subgame begins after any line.
"""

from __future__ import annotations

import zlib
from collections.abc import Sequence
from dataclasses import dataclass

from overbet.games.protocol import CHANCE, TERMINAL

SELL, PLAY = 0, 1
HEADS, TAILS = 0, 1


@dataclass(frozen=True)
class CoinState:
    """The moves so far: the coin, sell or play, the public card (if there are several), the guess."""

    cards: int
    moves: tuple[int, ...] = ()

    def current_player(self) -> int:
        if self.is_terminal():
            return TERMINAL
        movers = (CHANCE, 0, 1) if self.cards == 1 else (CHANCE, 0, CHANCE, 1)
        return movers[len(self.moves)]

    def is_terminal(self) -> bool:
        return self.moves[1:2] == (SELL,) or len(self.moves) == 3 + (self.cards > 1)

    def legal_actions(self) -> list[int]:
        if self.is_terminal():
            return []
        return list(range(self.cards if self.cards > 1 and len(self.moves) == 2 else 2))

    def chance_outcomes(self) -> list[tuple[int, float]]:
        if self.current_player() != CHANCE:
            return []
        actions = self.legal_actions()
        return [(a, 1.0 / len(actions)) for a in actions]

    def apply(self, action: int) -> CoinState:
        return CoinState(self.cards, (*self.moves, action))

    def returns(self) -> tuple[float, float]:
        coin = self.moves[0]
        if self.moves[1] == SELL:
            won = 0.5 if coin == HEADS else -0.5
        else:
            won = -1.0 if self.moves[-1] == coin else 1.0
        return won, -won

    def information_state(self, player: int) -> str:
        shown = str(self.moves[1:3])
        return f"{'HT'[self.moves[0]]}{shown}" if player == 0 else shown

    def action_name(self, action: int) -> str:
        return str(action) if len(self.moves) == 2 and self.cards > 1 else "HT"[action]


@dataclass(frozen=True)
class CoinToss:
    """Player 0 sees a coin and sells it (heads for 1/2, tails for -1/2) or plays on; player 1 then guesses.

    Player 1 must guess heads with probability 1/4, and the game is worth nothing (Brown & Sandholm 2017).
    With several cards one that means nothing is shown before the guess: as many subgames lie below one play.
    """

    cards: int = 1
    name: str = "coin toss"
    num_players: int = 2

    def initial_state(self) -> CoinState:
        return CoinState(self.cards)


@dataclass(frozen=True)
class LineState:
    """The types dealt, and the public line since: actions, and cards written as 100 and more."""

    game: LineGame
    types: tuple[int, ...] = ()
    line: tuple[int, ...] = ()

    def _draw(self, what: object, n: int) -> int:
        return zlib.crc32(repr((self.game.seed, what)).encode()) % n

    def _actions(self) -> int:
        return sum(move < 100 for move in self.line)

    def current_player(self) -> int:
        if len(self.types) < 2:
            return CHANCE
        if self.is_terminal():
            return TERMINAL
        return CHANCE if self._deals() else self._actions() % 2

    def _deals(self) -> bool:
        if not self.line or self.line[-1] >= 100:
            return False
        return self._draw(("deals", self.line), 100) < self.game.deals

    def is_terminal(self) -> bool:
        if len(self.types) < 2 or not self.line or self.line[-1] >= 100:
            return False
        return self._actions() == self.game.length or (
            self._actions() > 1 and self._draw(("end", self.line), 5) == 0
        )

    def legal_actions(self) -> Sequence[int]:
        if self.current_player() == CHANCE:
            return [a for a, _ in self.chance_outcomes()]
        return [] if self.is_terminal() else list(range(2 + self._draw(("width", self.line), 2)))

    def chance_outcomes(self) -> list[tuple[int, float]]:
        if len(self.types) < 2:
            weights = [1 + self._draw(("type", self.types, a), 5) for a in range(self.game.types)]
            return [(a, w / sum(weights)) for a, w in enumerate(weights)]
        if self.is_terminal() or not self._deals():
            return []
        return [(100, 0.4), (101, 0.6)]

    def apply(self, action: int) -> LineState:
        if len(self.types) < 2:
            return LineState(self.game, (*self.types, action))
        return LineState(self.game, self.types, (*self.line, action))

    def returns(self) -> tuple[float, float]:
        won = self._draw(("pay", self.types, self.line), 2001) / 500.0 - 2.0
        return won, -won

    def information_state(self, player: int) -> str:
        own = self.types[player] if player < len(self.types) else "?"
        return f"{own}:{'.'.join(map(str, self.line))}"

    def action_name(self, action: int) -> str:
        return str(action)


@dataclass(frozen=True)
class LineGame:
    """A random game: `types` of each player, lines of up to `length` actions, a card after some of them."""

    seed: int
    types: int = 3
    length: int = 4
    deals: int = 30  # lines after which a card is dealt, of 100
    name: str = "random line"
    num_players: int = 2

    def initial_state(self) -> LineState:
        return LineState(self)
