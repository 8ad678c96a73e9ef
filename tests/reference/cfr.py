"""Counterfactual regret minimisation as the papers write it: a recursion over states, and dictionaries.

Every rule is spelt out by its formula, so that the scalars the engines use are checked as well.
"""

from __future__ import annotations

from collections import defaultdict

from overbet.games.protocol import CHANCE, Game, State

Key = tuple[int, str]
Strategy = dict[Key, list[float]]

GAMMA = {"cfr": 0, "cfr+": 1, "lcfr": 1, "dcfr": 2, "dcfr+": 4, "pcfr+": 2, "sapcfr+": 2, "pdcfr+": 5}


def next_regret(rule: str, t: int, R: float, r: float) -> float:
    """Return the cumulative regret after iteration t (from 1)."""
    if rule == "cfr":
        return R + r
    if rule in ("cfr+", "pcfr+", "sapcfr+"):
        return max(R + r, 0.0)
    if rule == "lcfr":
        return R + t * r
    if rule == "dcfr":
        d = (t - 1) ** 1.5 / ((t - 1) ** 1.5 + 1) if R > 0 else 0.5
        return R * d + r
    if rule == "dcfr+":
        return max(R * ((t - 1) ** 1.5 / ((t - 1) ** 1.5 + 1.5)) + r, 0.0)
    assert rule == "pdcfr+"
    return max(R * ((t - 1) ** 2.3 / ((t - 1) ** 2.3 + 1)) + r, 0.0)


def weight(rule: str, t: int, R: float, r: float) -> float:
    """Return what regret matching gives an action after iteration t."""
    guess = {"pcfr+": R + r, "sapcfr+": R + r / 3, "pdcfr+": R * (t**2.3 / (t**2.3 + 1)) + r}
    return max(guess.get(rule, R), 0.0)


class PlainCFR:
    """One run of CFR; `strategy` and `total` (the average's sum) by (player, information state)."""

    def __init__(self, game: Game, rule: str, alternating: bool = True) -> None:
        self.game, self.rule, self.alternating = game, rule, alternating
        self.t = 0
        self.strategy: Strategy = {}
        self.regret: Strategy = {}
        self.total: Strategy = {}
        self._find_sets(game.initial_state())

    def _find_sets(self, state: State) -> None:
        player = state.current_player()
        if player >= 0:
            n = len(state.legal_actions())
            key = (player, state.information_state(player))
            self.strategy[key] = [1 / n] * n
            self.regret[key] = [0.0] * n
            self.total[key] = [0.0] * n
        for action in state.legal_actions():
            self._find_sets(state.apply(action))

    def run(self, iterations: int) -> None:
        for _ in range(iterations):
            self.t += 1
            if self.alternating:
                for player in range(self.game.num_players):
                    self._update(*self._pass(player))
            else:
                done = [self._pass(player) for player in range(self.game.num_players)]
                for instant, reach in done:
                    self._update(instant, reach)

    def _pass(self, player: int) -> tuple[Strategy, dict[Key, float]]:
        instant: Strategy = {k: [0.0] * len(v) for k, v in self.strategy.items() if k[0] == player}
        reach: dict[Key, float] = defaultdict(float)
        self._walk(self.game.initial_state(), player, 1.0, 1.0, instant, reach)
        return instant, reach

    def _walk(
        self,
        state: State,
        me: int,
        mine: float,
        others: float,
        instant: Strategy,
        reach: dict[Key, float],
    ) -> float:
        player = state.current_player()
        if state.is_terminal():
            return state.returns()[me]
        if player == CHANCE:
            return sum(
                p * self._walk(state.apply(a), me, mine, others * p, instant, reach)
                for a, p in state.chance_outcomes()
            )
        key = (player, state.information_state(player))
        sigma = self.strategy[key]
        values = []
        for p, action in zip(sigma, state.legal_actions()):
            after = (mine * p, others) if player == me else (mine, others * p)
            values.append(self._walk(state.apply(action), me, *after, instant, reach))
        mean = sum(p * v for p, v in zip(sigma, values))
        if player == me:
            for a, v in enumerate(values):
                instant[key][a] += others * (v - mean)
            reach[key] = mine  # the same for every history of the set: recall is perfect
        return mean

    def _update(self, instant: Strategy, reach: dict[Key, float]) -> None:
        t = self.t
        keep = ((t - 1) / t) ** GAMMA[self.rule]
        for key, r in instant.items():
            self.total[key] = [S * keep + reach[key] * p for S, p in zip(self.total[key], self.strategy[key])]
            self.regret[key] = [next_regret(self.rule, t, a, b) for a, b in zip(self.regret[key], r)]
            weights = [weight(self.rule, t, a, b) for a, b in zip(self.regret[key], r)]
            whole = sum(weights)
            self.strategy[key] = [w / whole if whole > 0 else 1 / len(weights) for w in weights]

    def average(self) -> Strategy:
        return {key: [s / sum(S) if sum(S) > 0 else 1 / len(S) for s in S] for key, S in self.total.items()}
