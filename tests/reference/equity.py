"""Plain-Python equity: every deal on every run-out, shared by the rules, in fractions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from functools import cache
from itertools import combinations, product

from tests.reference.evaluator import strength

Hand = tuple[int, int]


@cache
def _strength(cards: frozenset[int]) -> tuple[int, tuple[int, ...]]:
    return strength(sorted(cards))


def equities(
    players: Sequence[Mapping[Hand, Fraction]], board: Sequence[int], dead: Sequence[int] = ()
) -> list[tuple[Fraction, Fraction, Fraction]]:
    """Return (win, tie, share of the pot) of each player; a player maps hands to weights."""
    win = [Fraction(0)] * len(players)
    tie, share, total = win.copy(), win.copy(), Fraction(0)
    for hands in product(*players):
        used = [card for hand in hands for card in hand] + [*board, *dead]
        if len(set(used)) < len(used):
            continue
        weight = Fraction(1)
        for player, hand in zip(players, hands):
            weight *= player[hand]
        deck = [card for card in range(52) if card not in used]
        for runout in combinations(deck, 5 - len(board)):
            strengths = [_strength(frozenset((*hand, *board, *runout))) for hand in hands]
            winners = [p for p, found in enumerate(strengths) if found == max(strengths)]
            total += weight
            for p in winners:
                share[p] += weight / len(winners)
                (win if len(winners) == 1 else tie)[p] += weight
    return [(win[p] / total, tie[p] / total, share[p] / total) for p in range(len(players))]
