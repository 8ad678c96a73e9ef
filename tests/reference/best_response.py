"""Best response by recursion over states: the best action of a set is found from all its histories at once.

`brute_force` is slower and surer still: it tries every pure strategy.
"""

from __future__ import annotations

from itertools import product

from overbet.games.protocol import CHANCE, Game, State
from tests.reference.cfr import Key, Strategy


def expected_values(game: Game, strategy: Strategy) -> list[float]:
    """Return what each player wins on average when all follow `strategy`."""

    def value(state: State) -> list[float]:
        if state.is_terminal():
            return list(state.returns())
        total = [0.0] * game.num_players
        for p, child in _children(state, strategy):
            for i, v in enumerate(value(child)):
                total[i] += p * v
        return total

    return value(game.initial_state())


def best_response_value(game: Game, strategy: Strategy, me: int) -> float:
    """Return what `me` wins with a best response to the others' `strategy`."""
    histories: dict[Key, list[tuple[State, float]]] = {}

    def collect(state: State, others: float) -> None:
        player = state.current_player()
        if player == me:
            histories.setdefault((me, state.information_state(me)), []).append((state, others))
            for action in state.legal_actions():
                collect(state.apply(action), others)
        elif not state.is_terminal():
            for p, child in _children(state, strategy):
                collect(child, others * p)

    best: dict[Key, int] = {}

    def value(state: State) -> float:
        if state.is_terminal():
            return state.returns()[me]
        if state.current_player() != me:
            return sum(p * value(child) for p, child in _children(state, strategy))
        key = (me, state.information_state(me))
        if key not in best:
            totals = [
                sum(reach * value(h.apply(action)) for h, reach in histories[key])
                for action in state.legal_actions()
            ]
            best[key] = totals.index(max(totals))
        return value(state.apply(state.legal_actions()[best[key]]))

    collect(game.initial_state(), 1.0)
    return value(game.initial_state())


def nash_conv(game: Game, strategy: Strategy) -> float:
    """Return the sum over players of what a best response gains."""
    values = expected_values(game, strategy)
    return sum(best_response_value(game, strategy, i) - values[i] for i in range(game.num_players))


def brute_force(game: Game, strategy: Strategy, me: int) -> float:
    """Return the largest value of `me` over all its pure strategies."""
    keys = [key for key in strategy if key[0] == me]
    best = float("-inf")
    for choice in product(*(range(len(strategy[key])) for key in keys)):
        pure = {
            key: [float(a == picked) for a in range(len(strategy[key]))] for key, picked in zip(keys, choice)
        }
        best = max(best, expected_values(game, {**strategy, **pure})[me])
    return best


def _children(state: State, strategy: Strategy) -> list[tuple[float, State]]:
    player = state.current_player()
    if player == CHANCE:
        return [(p, state.apply(a)) for a, p in state.chance_outcomes()]
    sigma = strategy[(player, state.information_state(player))]
    return [(p, state.apply(a)) for p, a in zip(sigma, state.legal_actions())]
