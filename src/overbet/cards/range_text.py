"""Writing a range in few characters.

Choosing the terms is a set cover (`set_cover`): the elements are the classes of one weight, the sets are
every class alone and every maximal run along a line of the grammar (pairs, one high card, one gap;
suited, offsuit or both), the cost is the number of characters.

Because a later term overrides an earlier one, classes painted later are free to be covered: `22+,77:.5`
rather than `88+,77:.5,66-22`. A class whose combos differ takes the weight that leaves the fewest
characters of exceptions, and the exceptions follow as exact combos. The order of painting is searched in
full up to three weights (0 counts as one) and by size beyond that.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cache
from itertools import permutations
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from overbet.cards.cards import RANKS
from overbet.cards.combos import CLASSES, combo_name, combos_of_class
from overbet.cards.set_cover import cheapest_cover

_ALL = (1 << CLASSES) - 1
_CHARACTER, _TERM, _CROSSING = 256, 2, 1  # of equally long texts: fewer terms, fewer runs along a gap


class _Line(NamedTuple):
    """Hands a run can go through: from the top down, each with its classes as bits."""

    names: tuple[str, ...]
    cells: tuple[int, ...]
    plus: bool  # `+` means "from here up to the top of the line"
    crossed: bool  # along one gap rather than along one high card
    number: int = 0  # lines are written in this order


class _Term(NamedTuple):
    """One candidate: a stretch of a line, from place `first` (upper) to `last`, and what it covers."""

    line: _Line
    first: int
    last: int
    to_top: bool  # written with `+`
    cells: int

    def text(self) -> str:
        """Return the term without its weight."""
        names = self.line.names
        if self.first == self.last and not self.to_top:
            return names[self.first]
        return f"{names[self.last]}+" if self.to_top else f"{names[self.first]}-{names[self.last]}"

    def cost(self, suffix: str) -> int:
        """Return the cost of the term with its weight and a comma."""
        return _CHARACTER * (len(self.text()) + len(suffix) + 1) + _TERM + _CROSSING * self.line.crossed


def write_range(weights: npt.NDArray[np.float32], *, plain: bool = False) -> str:
    """Return a text that reads back to `weights`: [1326] float32, as short as the grammar allows.

    `plain` writes what other programs also read: no term overrides another, no weight is 0, and neither
    `any` nor runs along a gap appear.
    """
    classes, exceptions = _plain_classes(weights) if plain else _classes(weights)
    layers: dict[np.float32, int] = {}
    for index, weight in enumerate(classes):
        layers[weight] = layers.get(weight, 0) | 1 << index
    best: list[str] | None = None
    for order in _orders(layers, plain):
        terms = _paint(layers, order, plain)
        if best is None or len(",".join(terms)) < len(",".join(best)):
            best = terms
    combos = [combo_name(i) + _suffix(w) for i, w in sorted(exceptions.items(), reverse=True)]
    return ",".join((best or []) + combos)


def weight_text(weight: np.float32) -> str:
    """Return the shortest decimal that reads back to the same float32."""
    decimal = np.format_float_positional(weight, unique=True, trim="-")
    short = decimal[1:] if decimal.startswith("0.") else decimal
    scientific = np.format_float_scientific(weight, unique=True, trim="-", exp_digits=1)
    text = min(short, scientific, key=len)
    return text if np.float32(float(text)) == weight else repr(float(weight))


def _suffix(weight: np.float32) -> str:
    return "" if weight == 1 else ":" + weight_text(weight)


def _classes(weights: npt.NDArray[np.float32]) -> tuple[list[np.float32], dict[int, np.float32]]:
    """Split into a weight for each class and the combos that differ from it."""
    bases: list[np.float32] = []
    exceptions: dict[int, np.float32] = {}
    for index in range(CLASSES):
        members = combos_of_class(index)
        own = weights[list(members)]
        values = np.unique(own)
        if len(values) == 1:
            bases.append(values[0])
            continue
        lengths = {w: 5 + len(_suffix(w)) for w in values}
        total = sum(lengths[w] for w in own)

        def cost(
            base: np.float32,
            own: npt.NDArray[np.float32] = own,
            lengths: dict[np.float32, int] = lengths,
            total: int = total,
        ) -> int:
            listed = total - lengths.get(base, 0) * int(np.count_nonzero(own == base))
            return listed + (4 + len(_suffix(base)) if base > 0 else 0)

        base = min([np.float32(0), *values], key=cost)
        bases.append(base)
        exceptions |= {i: w for i, w in zip(members, own) if w != base}
    return bases, exceptions


def _plain_classes(weights: npt.NDArray[np.float32]) -> tuple[list[np.float32], dict[int, np.float32]]:
    """As `_classes`, but a class whose combos differ is written combo by combo."""
    bases: list[np.float32] = []
    exceptions: dict[int, np.float32] = {}
    for index in range(CLASSES):
        members = combos_of_class(index)
        own = weights[list(members)]
        uniform = bool((own == own[0]).all())
        bases.append(own[0] if uniform else np.float32(0))
        if not uniform:
            exceptions |= {i: w for i, w in zip(members, own) if w > 0}
    return bases, exceptions


def _orders(layers: dict[np.float32, int], plain: bool) -> Iterable[Sequence[np.float32]]:
    """Yield orders in which to paint the weights. Weight 0 first means that 0 is never written."""
    zero = np.float32(0)
    painted = sorted((w for w in layers if w > 0), key=lambda w: (-layers[w].bit_count(), -w))
    if plain or zero not in layers:
        start = [zero] if zero in layers else []
        if len(painted) > 3 or plain:
            yield [*start, *painted]
        else:
            yield from permutations(painted)
        return
    zeros = layers[zero].bit_count()
    few_zeros = 2 * zeros < CLASSES - zeros  # with more of them it is not worth taking hands out again
    if len(painted) <= 2:
        yield from ([zero, *order] for order in permutations(painted))
        if few_zeros:
            yield from (order for order in permutations([*painted, zero]) if order[0] > 0)
    else:
        yield [zero, *painted]
        if few_zeros:
            yield sorted(layers, key=lambda w: (-layers[w].bit_count(), -w))


def _paint(layers: dict[np.float32, int], order: Sequence[np.float32], plain: bool) -> list[str]:
    """Return the terms that paint the weights one after the other."""
    terms: list[str] = []
    for place, weight in enumerate(order):
        if place == 0 and weight == 0:
            continue
        later = 0
        for other in order[place + 1 :]:
            later |= layers[other]
        suffix = _suffix(weight)
        allowed = layers[weight] if plain else layers[weight] | later
        candidates = _candidates(layers[weight], allowed, plain)
        terms += [text + suffix for text in _cover(layers[weight], candidates, suffix)]
    return terms


@cache
def _lines() -> tuple[_Line, ...]:
    """Return every line of the grammar, in the order terms are written."""
    letters = RANKS[::-1]
    lines = [_Line(tuple(c + c for c in letters), tuple(1 << 14 * i for i in range(13)), True, False)]
    for mark in ("", "s", "o"):

        def hand(row: int, column: int, mark: str = mark) -> tuple[str, int]:
            suited, offsuit = 1 << 13 * row + column, 1 << 13 * column + row
            cells = (suited if mark != "o" else 0) | (offsuit if mark != "s" else 0)
            return letters[row] + letters[column] + mark, cells

        hands = [[hand(row, column) for column in range(row + 1, 13)] for row in range(12)]
        hands += [[hand(row, row + gap) for row in range(13 - gap)] for gap in range(1, 13)]
        for number, line in enumerate(hands):
            names, cells = zip(*line)
            lines.append(_Line(names, cells, number < 12, number >= 12, len(lines)))
    return tuple(lines)


_ANY = _Line(("any",), (_ALL,), False, False)


def _candidates(required: int, allowed: int, plain: bool) -> list[_Term]:
    """Return the terms worth considering: singles, and runs that are maximal within `allowed`.

    A run costs the same however long it is, and covering a class twice is harmless, so a shorter run
    never beats the maximal one around it.
    """
    terms = [_Term(_ANY, 0, 0, False, required)] if allowed == _ALL and not plain else []
    for line in _lines():
        if not line.crossed:
            for place, cells in enumerate(line.cells):
                if cells & required and not cells & ~allowed:
                    terms.append(_Term(line, place, place, False, cells & required))
        elif plain:
            continue
        start = 0
        while start < len(line.cells):
            end = start
            while end < len(line.cells) and not line.cells[end] & ~allowed:
                end += 1
            run = _cut(_Term(line, start, end - 1, line.plus and start == 0, required), required)
            if run.first < run.last:
                terms.append(run)
            start = end + 1
    return terms


def _cut(term: _Term, needed: int) -> _Term:
    """Draw the ends of a run in to the classes it is needed for (a `+` keeps its upper end)."""
    line, first, last = term.line, term.first, term.last
    while last > first and not line.cells[last] & needed:
        last -= 1
    while first < last and not term.to_top and not line.cells[first] & needed:
        first += 1
    covered = 0
    for cells in line.cells[first : last + 1]:
        covered |= cells
    return term._replace(first=first, last=last, cells=covered & term.cells)


def _cover(required: int, candidates: list[_Term], suffix: str) -> list[str]:
    """Return the texts of a cheapest cover, every run cut back to what no other term covers.

    Cutting back changes no length: it turns `AK-76` into `T9-76` where the rest is covered anyway.
    """
    costs = [term.cost(suffix) for term in candidates]
    terms = [candidates[i] for i in cheapest_cover(required, [t.cells for t in candidates], costs)]
    for place in sorted(range(len(terms)), key=lambda i: not terms[i].line.crossed):
        others = 0
        for number, term in enumerate(terms):
            if number != place:
                others |= term.cells
        terms[place] = _cut(terms[place], terms[place].cells & ~others)
    return [term.text() for term in sorted(terms, key=lambda t: (t.line.number, t.first))]
