"""Plain-Python hand ranks: the best five cards by the rules as people say them, with no tables."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from itertools import combinations

HIGH_CARD, PAIR, TWO_PAIR, TRIPS, STRAIGHT, FLUSH, FULL_HOUSE, QUADS, STRAIGHT_FLUSH = range(9)


def five_card_strength(hand: tuple[int, ...]) -> tuple[int, tuple[int, ...]]:
    """Return (category, ranks in the order they are compared) of five cards 4 * rank + suit."""
    counts = Counter(card // 4 for card in hand)
    ranks = tuple(sorted(counts, key=lambda rank: (counts[rank], rank), reverse=True))
    shape = sorted(counts.values(), reverse=True)
    flush = len({card % 4 for card in hand}) == 1
    if len(ranks) == 5:
        wheel = ranks == (12, 3, 2, 1, 0)
        if wheel or ranks[0] - ranks[4] == 4:
            return (STRAIGHT_FLUSH if flush else STRAIGHT), (3 if wheel else ranks[0],)
        return (FLUSH if flush else HIGH_CARD), ranks
    categories = {(4, 1): QUADS, (3, 2): FULL_HOUSE, (3, 1, 1): TRIPS, (2, 2, 1): TWO_PAIR}
    return categories.get(tuple(shape), PAIR), ranks


def strength(cards: Iterable[int]) -> tuple[int, tuple[int, ...]]:
    """Return the strength of the best five of 5 to 7 cards; larger is better."""
    return max(five_card_strength(hand) for hand in combinations(tuple(cards), 5))
