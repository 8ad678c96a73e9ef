"""Cheapest cover: choose sets of least total cost whose union holds every required element.

Exact, by the classical reductions (a set inside a cheaper one goes; an element that every choice for
another element covers goes; a set that alone covers an element is taken; independent parts are solved
apart) and branch and bound with a dual-ascent bound on what is left (Beasley 1987). Sets are the bits of
Python ints. The writer of range texts is the customer: its instances reduce to almost nothing.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

_NODES = 2000  # after so many branchings the best cover found so far is returned


class _Set(NamedTuple):
    elements: int
    cost: int
    number: int


class _Answer(NamedTuple):
    cost: int
    numbers: tuple[int, ...]


def cheapest_cover(required: int, sets: Sequence[int], costs: Sequence[int]) -> list[int]:
    """Return the numbers of the sets to take, ascending.

    Every element of `required` (bits) must lie in one of the `sets` (bits); costs are positive.
    """
    found = _solve(required, [_Set(*s) for s in zip(sets, costs, range(len(sets)))], [_NODES])
    return sorted(found.numbers)


def _bits(mask: int) -> Iterator[int]:
    while mask:
        bit = mask & -mask
        yield bit
        mask ^= bit


def _solve(required: int, sets: list[_Set], nodes: list[int]) -> _Answer:
    """Reduce, split into independent parts, branch in each; `nodes` counts the branchings left."""
    taken: list[_Set] = []
    while True:
        sets = _useful(required, sets)
        options = _options(required, sets)
        forced = {choice for choice in options.values() if not choice & (choice - 1)}
        if forced:
            for choice in forced:
                taken.append(sets[choice.bit_length() - 1])
                required &= ~taken[-1].elements
            continue
        fewer = _undominated(options)
        if fewer == required:
            break
        required = fewer
    cost, numbers = sum(s.cost for s in taken), [s.number for s in taken]
    while required:
        part = required & -required
        while True:
            grown = part
            for each in sets:
                if each.elements & grown:
                    grown |= each.elements
            if grown == part:
                break
            part = grown
        answer = _branch(part, [s for s in sets if s.elements & part], nodes)
        cost += answer.cost
        numbers += answer.numbers
        required &= ~part
    return _Answer(cost, tuple(numbers))


def _useful(required: int, sets: list[_Set]) -> list[_Set]:
    """Restrict the sets to what is required; drop each that another holds at no greater cost."""
    kept: list[_Set] = []
    left = [s._replace(elements=s.elements & required) for s in sets if s.elements & required]
    for each in sorted(left, key=lambda s: (-s.elements.bit_count(), s.cost, s.number)):
        if not any(not each.elements & ~other.elements and other.cost <= each.cost for other in kept):
            kept.append(each)
    return kept


def _options(required: int, sets: list[_Set]) -> dict[int, int]:
    """Return for each required element the sets that hold it, both as bits."""
    options = dict.fromkeys(_bits(required), 0)
    for place, each in enumerate(sets):
        for element in _bits(each.elements):
            options[element] |= 1 << place
    return options


def _undominated(options: dict[int, int]) -> int:
    """Drop each element that is covered whenever some other element is."""
    kept: dict[int, int] = {}
    for element, choice in sorted(options.items(), key=lambda item: item[1].bit_count()):
        if not any(not other & ~choice for other in kept.values()):
            kept[element] = choice
    return sum(kept)


def _branch(required: int, sets: list[_Set], nodes: list[int]) -> _Answer:
    """Try each set that covers the element with the fewest options; the cheapest-looking first."""
    options = _options(required, sets)
    element = min(options, key=lambda e: (options[e].bit_count(), e))
    choices = [s for s in sets if s.elements & element]
    choices.sort(key=lambda s: (s.cost / s.elements.bit_count(), s.number))
    best: _Answer | None = None
    excluded: set[int] = set()
    for choice in choices:
        if best is not None:
            nodes[0] -= 1
            if nodes[0] < 0:
                break
        left = required & ~choice.elements
        rest = [s for s in sets if s.number not in excluded and s.number != choice.number]
        excluded.add(choice.number)  # every cover with this choice has now been seen
        union = 0
        for each in rest:
            union |= each.elements
        if left & ~union or (best is not None and choice.cost + _bound(left, rest) >= best.cost):
            continue
        answer = _solve(left, rest, nodes)
        if best is None or choice.cost + answer.cost < best.cost:
            best = _Answer(choice.cost + answer.cost, (choice.number, *answer.numbers))
    assert best is not None  # the first choice always leaves a cover: nothing is excluded yet
    return best


def _bound(required: int, sets: list[_Set]) -> int:
    """Return a cost no cover can beat: prices of elements that no set's cost undercuts."""
    slack = [s.cost for s in sets]
    options = _options(required, [s._replace(elements=s.elements & required) for s in sets])
    total = 0
    for _, choice in sorted(options.items(), key=lambda item: (item[1].bit_count(), item[0])):
        places = [bit.bit_length() - 1 for bit in _bits(choice)]
        price = min(slack[place] for place in places)
        total += price
        for place in places:
            slack[place] -= price
    return total
