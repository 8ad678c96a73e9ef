"""Deals for training: the cards of many iterations at once, and all a walk needs to know of them.

A walk never sees a card. It reads each player's bucket on each street, the ranks of the hands at the showdown
and, for hands that are all in before the flop, the exact equity of each pair of players (the mean over all
boards instead of one board: less noise, the same expectation).

Cards are functions of (seed, iteration) alone. Heads up they can be dealt in cycles: every one of the
C(n, 2) * C(n - 2, 2) ways to deal two hands comes once in a cycle, in an order that each cycle draws afresh
(a full-period congruence). Hole cards then add no sampling noise over a cycle; the board stays random.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from overbet.kernels.cards.evaluator import START, EvaluatorTables, rank_key
from overbet.kernels.jit import inlined, kernel
from overbet.kernels.rng import below, draw, stream_key

_DEAL, _CYCLE = 1 << 20, (1 << 20) + 1  # streams; walks use small numbers
_ONE = np.uint64(1)


class Deals(NamedTuple):
    """B deals to P players.

    cards:    [B, 2P + 5] int8   hole cards player by player, then the board
    bucket:   [B, P, 4] int32    each player's bucket by street
    strength: [B, P] int32       rank of the seven cards, larger is better
    equity:   [B, P, P] float32  pot share of a row player all in before the flop against a column player
    """

    cards: npt.NDArray[np.int8]
    bucket: npt.NDArray[np.int32]
    strength: npt.NDArray[np.int32]
    equity: npt.NDArray[np.float32]


@kernel
def deal_cards(
    cards: npt.NDArray[np.int8], deck: npt.NDArray[np.int8], players: int, seed: int, first: int
) -> None:
    """Deal iterations first, first + 1, ... from the cards of `deck` [n] int8 at random."""
    shuffled = np.empty(len(deck), np.int8)
    for deal in range(len(cards)):
        key = stream_key(seed, first + deal, _DEAL)
        _draw_rest(cards, deck, shuffled, key, deal, 0)


@kernel
def deal_cards_in_cycles(
    cards: npt.NDArray[np.int8], deck: npt.NDArray[np.int8], players: int, seed: int, first: int
) -> None:
    """The same for two players, each pair of hands once in a cycle."""
    size = len(deck)
    hands, others = size * (size - 1) // 2, (size - 2) * (size - 3) // 2
    cycle_length = hands * others
    shuffled = np.empty(size, np.int8)
    for deal in range(len(cards)):
        iteration = first + deal
        cycle, place = iteration // cycle_length, iteration % cycle_length
        order = stream_key(seed, cycle, _CYCLE)
        step = 1 + below(order, 0, cycle_length - 1)
        count = 1
        while _common_divisor(step, cycle_length) > 1:
            step = 1 + below(order, count, cycle_length - 1)
            count += 1
        index = np.int64(
            (np.uint64(step) * np.uint64(place) + np.uint64(draw(order, 1000) >> np.uint64(32)))
            % np.uint64(cycle_length)
        )
        own, other = index // others, index % others
        high, low = _pair(own)
        cards[deal, 0], cards[deal, 1] = deck[high], deck[low]
        next_high, next_low = _pair(other)
        cards[deal, 2] = deck[_past(next_high, low, high)]
        cards[deal, 3] = deck[_past(next_low, low, high)]
        _draw_rest(cards, deck, shuffled, stream_key(seed, iteration, _DEAL), deal, 4)


@inlined
def _common_divisor(a: Any, b: Any) -> Any:
    while b:
        a, b = b, a % b
    return a


@inlined
def _pair(index: Any) -> tuple[Any, Any]:
    """Return the two numbers high > low of pair `index` = high * (high - 1) / 2 + low."""
    high = int((1.0 + np.sqrt(1.0 + 8.0 * index)) / 2.0)
    if high * (high - 1) // 2 > index:
        high -= 1
    return high, index - high * (high - 1) // 2


@inlined
def _past(place: Any, low: Any, high: Any) -> Any:
    """Return the place in the deck of the `place`-th card that is neither at `low` nor at `high`."""
    place += place >= low
    return place + (place >= high)


@inlined
def _draw_rest(cards: Any, deck: Any, shuffled: Any, key: np.uint64, deal: int, dealt: int) -> None:
    """Draw cards[deal, dealt:] from what the cards before leave of the deck."""
    left = 0
    for place in range(len(deck)):
        shuffled[left] = deck[place]
        taken = False
        for before in range(dealt):
            taken |= cards[deal, before] == deck[place]
        left += not taken
    for place in range(cards.shape[1] - dealt):
        other: Any = place + below(key, place, left - place)
        cards[deal, dealt + place] = shuffled[other]
        shuffled[other] = shuffled[place]


@kernel
def rank_deals(deals: Deals, players: int, tables: EvaluatorTables) -> None:
    """Fill `deals.strength` from the cards."""
    cards = deals.cards
    for deal in range(len(cards)):
        key, mask = START, np.uint64(0)
        for place in range(2 * players, 2 * players + 5):
            key += tables.card_keys[cards[deal, place]]
            mask |= _ONE << np.uint64(cards[deal, place])
        for player in range(players):
            a, b = cards[deal, 2 * player], cards[deal, 2 * player + 1]
            deals.strength[deal, player] = rank_key(
                key + tables.card_keys[a] + tables.card_keys[b],
                mask | _ONE << np.uint64(a) | _ONE << np.uint64(b),
                tables,
            )


@inlined
def combo_of(a: Any, b: Any) -> Any:
    """Return the combo 0..1325 of two cards."""
    high, low = max(a, b), min(a, b)
    return high * (high - 1) // 2 + low


@kernel
def classify_deals(deals: Deals, players: int, classes: npt.NDArray[np.int16]) -> None:
    """Fill the preflop buckets: classes is [1326] int16."""
    for deal in range(len(deals.cards)):
        for player in range(players):
            a, b = np.int64(deals.cards[deal, 2 * player]), np.int64(deals.cards[deal, 2 * player + 1])
            deals.bucket[deal, player, 0] = classes[combo_of(a, b)]


@kernel
def pair_equities(deals: Deals, players: int, table: npt.NDArray[np.float32]) -> None:
    """Fill `deals.equity` from table: [1326, 1326] float32, or from the board where it has no rows."""
    for deal in range(len(deals.cards)):
        for player in range(players):
            deals.equity[deal, player, player] = 1.0
            for other in range(player):
                if len(table):
                    cards = deals.cards[deal]
                    own = combo_of(np.int64(cards[2 * player]), np.int64(cards[2 * player + 1]))
                    against = combo_of(np.int64(cards[2 * other]), np.int64(cards[2 * other + 1]))
                    share = table[own, against]
                else:
                    ahead = deals.strength[deal, player] - deals.strength[deal, other]
                    share = np.float32(1.0 if ahead > 0 else 0.5 if ahead == 0 else 0.0)
                deals.equity[deal, player, other] = share
                deals.equity[deal, other, player] = np.float32(1.0) - share
