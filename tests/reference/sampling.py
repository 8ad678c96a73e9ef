"""Monte Carlo CFR in plain Python on game states, with dictionaries: the textbook, written apart.

One iteration is one walk for each player, each added to the tables before the next one starts. Walks are
recursive and ask for random numbers by history: `draws(history)` is a number in [0, 1). Values are for the
walker. No discounts; regrets and sums are keyed by (player, information state).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from overbet.games.protocol import CHANCE, Game, State

Key = tuple[int, str]
History = tuple[int, ...]
Draws = Callable[[History], float]


@dataclass
class Tables:
    """Regrets and sums by information set and action; baselines by walker and history."""

    regret: dict[Key, dict[int, float]] = field(default_factory=lambda: defaultdict(dict))
    average: dict[Key, dict[int, float]] = field(default_factory=lambda: defaultdict(dict))
    baseline: dict[tuple[int, History], float] = field(default_factory=dict)


def strategy(tables: Tables, state: State) -> dict[int, float]:
    """Regret matching."""
    player = state.current_player()
    row = tables.regret[player, state.information_state(player)]
    positive = {a: max(row.get(a, 0.0), 0.0) for a in state.legal_actions()}
    total = sum(positive.values())
    return {a: p / total if total else 1.0 / len(positive) for a, p in positive.items()}


def pick(shares: dict[int, float], u: float) -> int:
    """Return the action u falls on."""
    reached = 0.0
    for action, share in shares.items():
        reached += share
        if u < reached:
            return action
    return action


class External:
    """External sampling with or without baselines (`rate` 0)."""

    def __init__(self, game: Game, tables: Tables, player: int, draws: Draws, rate: float) -> None:
        self.tables, self.player, self.draws, self.rate = tables, player, draws, rate
        self.regret: list[tuple[Key, int, float]] = []
        self.average: list[tuple[Key, int, float]] = []
        self.baseline: list[tuple[tuple[int, History], float]] = []
        self.value(game.initial_state(), (), False)

    def value(self, state: State, history: History, decided: bool) -> float:
        """Return the walk's estimate at `state`; `decided`: the walker has acted before."""
        mover = state.current_player()
        if state.is_terminal():
            return state.returns()[self.player]
        if mover == self.player:
            sigma = strategy(self.tables, state)
            values = {a: self.value(state.apply(a), (*history, a), True) for a in sigma}
            expected = sum(sigma[a] * values[a] for a in sigma)
            key = mover, state.information_state(mover)
            self.regret += [(key, a, values[a] - expected) for a in sigma]
            return expected
        shares = dict(state.chance_outcomes()) if mover == CHANCE else strategy(self.tables, state)
        if mover != CHANCE:
            key = mover, state.information_state(mover)
            self.average += [(key, a, share) for a, share in shares.items()]
        taken = pick(shares, self.draws(history))
        value = self.value(state.apply(taken), (*history, taken), decided)
        if not self.rate or not decided:
            return value
        guess = {a: self.tables.baseline.get((self.player, (*history, a)), 0.0) for a in shares}
        self.baseline.append(((self.player, (*history, taken)), value))
        return value - guess[taken] + sum(shares[a] * guess[a] for a in shares)


class Outcome(External):
    """Outcome sampling: the walker explores with `epsilon` and one line is followed."""

    def __init__(
        self, game: Game, tables: Tables, player: int, draws: Draws, rate: float, epsilon: float
    ) -> None:
        self.epsilon = epsilon
        self.inverse = 1.0  # 1 / probability that the walker's own sampling comes here
        super().__init__(game, tables, player, draws, rate)

    def value(self, state: State, history: History, decided: bool) -> float:
        mover = state.current_player()
        if state.is_terminal():
            return state.returns()[self.player]
        shares = dict(state.chance_outcomes()) if mover == CHANCE else strategy(self.tables, state)
        weight, sampled = self.inverse, shares
        if mover == self.player:
            taken = self.explore(shares, self.draws(history))
            sampled = {a: self.epsilon / len(shares) + (1 - self.epsilon) * p for a, p in shares.items()}
            self.inverse = weight / sampled[taken]
        else:
            taken = pick(shares, self.draws(history))
            if mover != CHANCE:
                key = mover, state.information_state(mover)
                self.average += [(key, a, p * weight) for a, p in shares.items()]
        below = self.value(state.apply(taken), (*history, taken), decided or mover != CHANCE)
        guess = dict.fromkeys(shares, 0.0)
        if self.rate and (decided or mover != CHANCE):
            guess = {a: self.tables.baseline.get((self.player, (*history, a)), 0.0) for a in shares}
            self.baseline.append(((self.player, (*history, taken)), below))
        values = dict(guess)
        values[taken] += (below - guess[taken]) / sampled[taken]
        expected = sum(shares[a] * values[a] for a in shares)
        if mover == self.player:
            key = mover, state.information_state(mover)
            self.regret += [(key, a, weight * (values[a] - expected)) for a in shares]
        return expected

    def explore(self, shares: dict[int, float], u: float) -> int:
        """One number both decides whether to explore and draws the action."""
        if u < self.epsilon:
            return list(shares)[int(u / self.epsilon * len(shares))]
        return pick(shares, (u - self.epsilon) / (1 - self.epsilon))


def add(tables: Tables, walk: External) -> None:
    """Put what a walk found into the tables."""
    for table, entries in ((tables.regret, walk.regret), (tables.average, walk.average)):
        for key, action, amount in entries:
            row: Any = table[key]
            row[action] = row.get(action, 0.0) + amount
    for place, value in walk.baseline:
        old = tables.baseline.get(place, 0.0)
        tables.baseline[place] = old + walk.rate * (value - old)
