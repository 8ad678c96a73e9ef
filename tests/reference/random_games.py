"""Random games of perfect recall, any number of players, any payoffs: food for the oracles.

A player remembers the events it saw, its own actions among them, so recall is perfect whatever happens.
Whose turn it is, how many choices there are, who sees what and how it ends are all drawn from a hash of the
history (or, where the player must not notice, of what the player saw).
"""

from __future__ import annotations

import zlib
from dataclasses import dataclass

from overbet.errors import IllegalActionError
from overbet.games.protocol import CHANCE, TERMINAL


@dataclass(frozen=True)
class RandomState:
    """The moves made so far and what each player saw of them."""

    seed: int
    players: int
    depth: int
    history: tuple[int, ...] = ()
    seen: tuple[tuple[str, ...], ...] = ()

    def _draw(self, what: object, n: int) -> int:
        return zlib.crc32(repr((self.seed, what)).encode()) % n

    def current_player(self) -> int:
        if self.is_terminal():
            return TERMINAL
        mover = self._draw(("mover", self.history), self.players + 1) - 1
        return CHANCE if mover < 0 else mover

    def is_terminal(self) -> bool:
        if len(self.history) == self.depth:
            return True
        return len(self.history) > 1 and self._draw(("end", self.history), 5) == 0

    def legal_actions(self) -> list[int]:
        player = self.current_player()
        if player == TERMINAL:
            return []
        what = ("chance", self.history) if player == CHANCE else ("own", player, self.seen[player])
        return list(range(1 + self._draw(what, 4)))

    def chance_outcomes(self) -> list[tuple[int, float]]:
        if self.current_player() != CHANCE:
            return []
        weights = [1 + self._draw(("weight", self.history, a), 7) for a in self.legal_actions()]
        return [(a, w / sum(weights)) for a, w in enumerate(weights)]

    def apply(self, action: int) -> RandomState:
        if action not in self.legal_actions():
            raise IllegalActionError(f"legal: {self.legal_actions()}")
        mover = self.current_player()
        history = (*self.history, action)
        seen = []
        for player in range(self.players):
            sight = self._draw(("sight", player, self.history), 3)
            if player == mover:
                seen.append((*self.seen[player], f"own{action}"))
            elif sight == 0:  # sees the move
                seen.append((*self.seen[player], f"{mover}:{action}"))
            elif sight == 1:  # sees that something happened
                seen.append((*self.seen[player], "?"))
            else:
                seen.append(self.seen[player])
        return RandomState(self.seed, self.players, self.depth, history, tuple(seen))

    def returns(self) -> tuple[float, ...]:
        return tuple(
            self._draw(("pay", player, self.history), 1 << 20) / (1 << 18) - 2.0
            for player in range(self.players)
        )

    def information_state(self, player: int) -> str:
        return ",".join(self.seen[player])

    def action_name(self, action: int) -> str:
        return str(action)


@dataclass(frozen=True)
class RandomGame:
    """One random game; the same numbers give the same game."""

    seed: int
    num_players: int
    depth: int
    name: str = "random"

    def initial_state(self) -> RandomState:
        return RandomState(self.seed, self.num_players, self.depth, seen=((),) * self.num_players)
