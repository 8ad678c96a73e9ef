"""Writing a range in few characters.

Choosing the terms is a weighted set cover: the elements are the classes of one weight, the candidates
are every class alone and every maximal run along a line of the grammar (pairs, one high card, one gap;
suited, offsuit or both), the cost is the number of characters. It is solved exactly by reduction and
branch and bound; a node budget guards against odd cases and then keeps the best cover found.

Because a later term overrides an earlier one, classes painted later are free to be covered: `22+,77:.5`
rather than `88+,77:.5,66-22`. A class whose combos differ takes the weight that leaves the fewest
exceptions, and the exceptions follow as exact combos. The order of painting is searched in full up to
three weights and by size beyond that.
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

_ALL = (1 << CLASSES) - 1
_NODES = 100  # of the branch and bound, per connected part of a cover


class _Line(NamedTuple):
    """Hands a run can go through: from the top down, each with its classes as bits."""

    names: tuple[str, ...]
    cells: tuple[int, ...]
    plus: bool  # `+` means "from here up to the top of the line"
    crossed: bool  # along one gap rather than along one high card


class _Term(NamedTuple):
    """One candidate: the classes it covers, its text, its characters with comma and weight."""

    cells: int
    text: str
    cost: int


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
    elif len(painted) <= 2:
        yield from ([zero, *order] for order in permutations(painted))
        yield from (order for order in permutations([*painted, zero]) if order[0] > 0)
    else:
        yield [zero, *painted]
        if layers[zero].bit_count() < layers[painted[0]].bit_count():
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
        candidates = _candidates(layers[weight], allowed, len(suffix) + 1, plain)
        terms += [term.text + suffix for term in _cover(layers[weight], candidates)]
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
            lines.append(_Line(names, cells, number < 12, number >= 12))
    return tuple(lines)


def _candidates(required: int, allowed: int, extra: int, plain: bool) -> list[_Term]:
    """Return the terms worth considering: singles, and runs that are maximal within `allowed`.

    A run costs the same however long it is, and covering a class twice is harmless, so a shorter run
    never beats the maximal one around it.
    """
    terms: list[_Term] = []
    if allowed == _ALL and not plain:
        terms.append(_Term(required, "any", 3 + extra))
    for line in _lines():
        if not line.crossed:
            for name, cells in zip(line.names, line.cells):
                if cells & required and not cells & ~allowed:
                    terms.append(_Term(cells & required, name, len(name) + extra))
        if line.crossed and plain:
            continue
        start = 0
        while start < len(line.cells):
            end = start
            while end < len(line.cells) and not line.cells[end] & ~allowed:
                end += 1
            first, last = start, end - 1
            while last >= first and not line.cells[last] & required:
                last -= 1
            top = line.plus and first == 0
            while first < last and not line.cells[first] & required:
                first += 1
            if first < last:
                covered = 0
                for cells in line.cells[first : last + 1]:
                    covered |= cells & required
                names = line.names
                text = f"{names[last]}+" if top else f"{names[first]}-{names[last]}"
                terms.append(_Term(covered, text, len(text) + extra))
            start = end + 1
    return terms


def _cover(required: int, candidates: list[_Term]) -> list[_Term]:
    """Return terms of least total cost that cover `required`, in the candidates' order."""
    chosen: list[_Term] = []
    remaining = _undominated(candidates)
    while required:
        part = required & -required  # grow one connected part: terms that share classes
        while True:
            grown = part
            for term in remaining:
                if term.cells & grown:
                    grown |= term.cells
            if grown == part:
                break
            part = grown
        chosen += _Search([t for t in remaining if t.cells & part]).run(part & required)
        required &= ~part
    place = {term.text: number for number, term in enumerate(candidates)}
    return sorted(chosen, key=lambda term: place[term.text])


def _undominated(terms: list[_Term]) -> list[_Term]:
    """Drop every term that another covers at no greater cost; of equals the first stays."""
    kept: list[_Term] = []
    for term in sorted(terms, key=lambda t: (-t.cells.bit_count(), t.cost)):
        if not any(not term.cells & ~other.cells and other.cost <= term.cost for other in kept):
            kept.append(term)
    return kept


class _Search:
    """Branch and bound over one connected part of a cover."""

    def __init__(self, terms: list[_Term]) -> None:
        self.terms = sorted(terms, key=lambda t: t.cost / t.cells.bit_count())
        self.nodes = 0
        self.best: list[_Term] = []
        self.best_cost = 1 << 30

    def run(self, required: int) -> list[_Term]:
        self._branch(required, self.terms, [], 0)
        return self.best

    def _branch(self, required: int, terms: list[_Term], chosen: list[_Term], cost: int) -> None:
        """Cover what is still required. The first dive is a greedy cover, so a cover is always found."""
        if not required:
            if cost < self.best_cost:
                self.best, self.best_cost = chosen, cost
            return
        self.nodes += 1
        if self.nodes > _NODES and self.best:
            return
        useful = _undominated([t._replace(cells=t.cells & required) for t in terms if t.cells & required])
        shares: dict[int, float] = {}  # class -> the least cost of a term through it, shared by its classes
        options: dict[int, list[_Term]] = {}
        for term in useful:
            share, bits = term.cost / term.cells.bit_count(), term.cells
            while bits:
                bit = bits & -bits
                bits ^= bit
                options.setdefault(bit, []).append(term)
                shares[bit] = min(share, shares.get(bit, share))
        if cost + sum(shares.values()) > self.best_cost - 1 + 1e-9:
            return
        _, choices = min(options.items(), key=lambda item: (len(item[1]), item[0]))
        for term in sorted(choices, key=lambda t: t.cost / t.cells.bit_count()):
            self._branch(required & ~term.cells, useful, [*chosen, term], cost + term.cost)
