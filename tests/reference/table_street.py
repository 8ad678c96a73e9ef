"""A street of hold'em with any number of players in plain Python: every hand, every card, every action.

Strategies are functions of a public state and a hand; values are exact sums over all hands that go together,
weighed by the product of the ranges, and over all cards to come.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from itertools import product

import numpy as np

from overbet.cards.combos import combo_cards
from overbet.games.holdem_state import HoldemState
from overbet.kernels.holdem import layout as at

Hands = tuple[int, ...]
Strategy = Callable[[HoldemState, int], Mapping[int, float]]  # of a state and the combo of who is to act
CHANCE = -1


def deals(ranges: list[dict[int, float]], dead: tuple[int, ...]) -> Iterator[tuple[Hands, float]]:
    """Yield hands of all players that share no card, and their weight together."""
    for hands in product(*ranges):
        cards = [card for hand in hands for card in combo_cards(hand)] + list(dead)
        if len(set(cards)) == len(cards):
            yield hands, float(np.prod([ranges[player][hand] for player, hand in enumerate(hands)]))


def with_hands(state: HoldemState, hands: Hands) -> HoldemState:
    """Return a state with these hole cards."""
    vector = state.vector
    for player, hand in enumerate(hands):
        vector[at.HOLE + 2 * player : at.HOLE + 2 * player + 2] = combo_cards(hand)
    return HoldemState(state.game, vector, state.history)


def value(state: HoldemState, hands: Hands, strategy: Strategy, player: int) -> float:
    """Return what a player wins in chips since the hand began, everybody following `strategy`."""
    if state.is_terminal():
        return state.returns()[player]
    actor = state.current_player()
    if actor == CHANCE:
        cards = state.legal_actions().cards
        return sum(value(state.apply(card), hands, strategy, player) for card in cards) / len(cards)
    shares = strategy(state, hands[actor])
    return sum(
        share * value(state.apply(action), hands, strategy, player)
        for action, share in shares.items()
        if share > 0
    )


def action_values(
    state: HoldemState, ranges: list[dict[int, float]], strategy: Strategy
) -> dict[int, dict[int, float]]:
    """Return what each action of the player to act is worth to each of its hands, in chips."""
    player = state.current_player()
    total: dict[int, float] = {}
    sums: dict[int, dict[int, float]] = {}
    for hands, weight in deals(ranges, state.board):
        hand = hands[player]
        weight /= ranges[player][hand]
        total[hand] = total.get(hand, 0.0) + weight
        here = with_hands(state, hands)
        for action in strategy(state, hand):
            found = value(here.apply(action), hands, strategy, player)
            sums.setdefault(hand, {}).setdefault(action, 0.0)
            sums[hand][action] += weight * found
    return {hand: {a: v / total[hand] for a, v in of.items()} for hand, of in sums.items()}


def best_response(
    state: HoldemState, ranges: list[dict[int, float]], strategy: Strategy, player: int
) -> tuple[float, float]:
    """Return what a player wins on average by following `strategy`, and by its best response, in chips.

    Cards must all lie: a best response is found for each hand at each public state.
    """
    followed, best, total = 0.0, 0.0, 0.0
    for hand, own in ranges[player].items():
        rest = [{hand: 1.0} if k == player else one for k, one in enumerate(ranges)]
        against = list(deals(rest, state.board))
        weights = np.array([weight for _, weight in against])
        if not len(weights):
            continue
        total += own * weights.sum()
        states = [with_hands(state, hands) for hands, _ in against]
        hands = [one for one, _ in against]
        followed += own * sum(w * value(s, h, strategy, player) for s, h, w in zip(states, hands, weights))
        best += own * _best(states, hands, weights, strategy, player)
    return followed / total, best / total


def _best(
    states: list[HoldemState], hands: list[Hands], weights: np.ndarray, strategy: Strategy, player: int
) -> float:
    """Return the weighed sum of values: all states are the same public state, with other hands of others."""
    one = states[0]
    if one.is_terminal():
        return float(sum(w * s.returns()[player] for s, w in zip(states, weights)))
    actor = one.current_player()
    found = []
    actions = list(strategy(one, hands[0][actor]))
    for action in actions:
        after = [state.apply(action) for state in states]
        if actor == player:
            found.append(_best(after, hands, weights, strategy, player))
        else:
            taken = np.array([strategy(s, h[actor])[action] for s, h in zip(states, hands)])
            found.append(_best(after, hands, weights * taken, strategy, player))
    return max(found) if actor == player else sum(found)
