"""The cheapest cover against trying every choice of sets."""

from __future__ import annotations

from itertools import combinations

from hypothesis import given, settings
from hypothesis import strategies as st

from overbet.cards.set_cover import cheapest_cover


def cheapest_by_trial(required: int, sets: list[int], costs: list[int]) -> int:
    """Return the least cost over all choices of sets that cover `required`."""
    best = sum(costs)
    for size in range(len(sets) + 1):
        for choice in combinations(range(len(sets)), size):
            union = 0
            for number in choice:
                union |= sets[number]
            if not required & ~union:
                best = min(best, sum(costs[number] for number in choice))
    return best


@st.composite
def instances(draw: st.DrawFn) -> tuple[int, list[int], list[int]]:
    sets = draw(st.lists(st.integers(1, 2**10 - 1), min_size=1, max_size=10))
    costs = draw(st.lists(st.integers(1, 9), min_size=len(sets), max_size=len(sets)))
    union = 0
    for elements in sets:
        union |= elements
    return draw(st.integers(0, 2**10 - 1)) & union, sets, costs


@settings(max_examples=300, deadline=None)
@given(instances())
def test_no_choice_of_sets_is_cheaper(instance: tuple[int, list[int], list[int]]) -> None:
    required, sets, costs = instance
    chosen = cheapest_cover(required, sets, costs)
    union = 0
    for number in chosen:
        union |= sets[number]
    assert not required & ~union
    assert sum(costs[number] for number in chosen) == cheapest_by_trial(required, sets, costs)


def test_an_odd_ring_needs_branching() -> None:
    """Five elements in a ring, sets of two neighbours: no reduction applies, and three sets are needed."""
    sets = [1 << i | 1 << (i + 1) % 5 for i in range(5)]
    assert len(cheapest_cover(31, sets, [1] * 5)) == 3
