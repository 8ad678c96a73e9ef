"""Suit isomorphism by trying all 24 renamings, and its class counts by Burnside's lemma."""

from __future__ import annotations

from itertools import permutations
from math import comb

RENAMINGS = list(permutations(range(4)))


def rename(cards: tuple[int, ...], renaming: tuple[int, ...]) -> tuple[int, ...]:
    return tuple(4 * (card // 4) + renaming[card % 4] for card in cards)


def canonical(board: tuple[int, ...], hole: tuple[int, ...]) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Return the least of the 24 renamed situations, cards sorted."""
    return min((tuple(sorted(rename(board, r))), tuple(sorted(rename(hole, r)))) for r in RENAMINGS)


def orbit_size(board: tuple[int, ...], hole: tuple[int, ...]) -> int:
    """Return the number of different situations among the 24 renamed ones."""
    return len({(frozenset(rename(board, r)), frozenset(rename(hole, r))) for r in RENAMINGS})


def class_count(hole_cards: int, board_cards: int) -> int:
    """Return the number of classes: the mean, over the renamings, of the situations each leaves alone.

    A renaming leaves a pair of sets alone when both are unions of its cycles. Thirteen ranks times the
    cycles of the renaming give the cycles of cards; a polynomial in two variables counts the choices.
    """
    total = 0
    for renaming in RENAMINGS:
        cycles = _cycle_lengths(renaming)
        ways = {(0, 0): 1}
        for length in cycles:
            for _ in range(13):
                grown: dict[tuple[int, int], int] = {}
                for (hole, board), count in ways.items():
                    for choice in ((hole, board), (hole + length, board), (hole, board + length)):
                        if choice[0] <= hole_cards and choice[1] <= board_cards:
                            grown[choice] = grown.get(choice, 0) + count
                ways = grown
        total += ways.get((hole_cards, board_cards), 0)
    assert total % 24 == 0
    return total // 24


def situations(hole_cards: int, board_cards: int) -> int:
    return comb(52, hole_cards) * comb(52 - hole_cards, board_cards)


def _cycle_lengths(renaming: tuple[int, ...]) -> list[int]:
    seen: set[int] = set()
    lengths = []
    for start in range(4):
        length, suit = 0, start
        while suit not in seen:
            seen.add(suit)
            suit = renaming[suit]
            length += 1
        if length:
            lengths.append(length)
    return lengths
