"""Writing a range as other programs read it.

Both forms list hands between commas and use three shorthands alone, which all programs read alike: from a
hand up to the top of its line (`22+`, `A2s+`), and a run along one high card or the pairs (`A5s-A2s`,
`QQ-22`). No term overrides another, no hand has weight 0, suited and offsuit hands stand apart. The forms
differ in their weights:

    pio     AA,KK-QQ:0.5,AKs,AKo:0.25                   PioSOLVER: in 0..1 behind each term; left out it is 1
    gto+    AA,AKs,[50.0]KK-QQ[/50.0],[25.0]AKo[/25.0]  GTO+: in percent around all terms of that weight

A class whose combos differ is written combo by combo, after the classes.
"""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal
from functools import cache
from itertools import groupby
from typing import Literal, NamedTuple, get_args

import numpy as np
import numpy.typing as npt

from overbet.cards.combos import CLASSES, class_name, combo_name, combos_of_class
from overbet.errors import RangeError, unknown

RangeForm = Literal["pio", "gto+"]
RANGE_FORMS: tuple[RangeForm, ...] = get_args(RangeForm)
_SMALL = 1e-6  # smaller weights are written with an exponent, larger ones never


class _Term(NamedTuple):
    """One class, run or combo and the weight of all its hands."""

    hands: str
    weight: np.float32


def write_range(
    weights: npt.NDArray[np.float32], form: RangeForm = "pio", decimals: int | None = None
) -> str:
    """Return a text of `weights`: [1326] float32. It reads back to the same numbers.

    decimals: round the weights to so many places; one that becomes 0 is left out.
    """
    if decimals is not None:
        weights = np.round(weights.astype(np.float64), decimals).astype(np.float32)
    terms = [*_terms(weights)]
    if range_form(form) == "pio":
        return ",".join(t.hands if t.weight == 1 else f"{t.hands}:{weight_text(t.weight)}" for t in terms)
    texts = []
    for weight, group in groupby(sorted(terms, key=lambda t: -t.weight), key=lambda t: t.weight):
        mark = _percent(weight)
        hands = ",".join(term.hands for term in group)
        texts.append(hands if weight == 1 else f"[{mark}]{hands}[/{mark}]")
    return ",".join(texts)


def range_form(name: str) -> RangeForm:
    """Return the form of a name, or raise where there is none."""
    for form in RANGE_FORMS:
        if form == name.lower():
            return form
    raise RangeError(unknown("form of range text", name, RANGE_FORMS))


def weight_text(weight: np.float32) -> str:
    """Return the shortest decimal that reads back to the same float32, such as `0.5`."""
    if 0 < weight < _SMALL:
        text = np.format_float_scientific(weight, unique=True, trim="-", exp_digits=1)
    else:
        text = np.format_float_positional(weight, unique=True, trim="-")
    return text if np.float32(float(text)) == weight else repr(float(weight))


def _percent(weight: np.float32) -> str:
    """Return a weight in percent with at least one decimal place, as GTO+ writes it: `50.0`."""
    text = f"{Decimal(weight_text(weight)) * 100:f}"
    text = text.rstrip("0") if "." in text else f"{text}."
    return f"{text}0" if text.endswith(".") else text


def _terms(weights: npt.NDArray[np.float32]) -> Iterator[_Term]:
    """Yield the terms: pairs, suited and offsuit hands by their high card, then single combos."""
    classes: list[np.float32] = []
    combos: list[int] = []
    for index in range(CLASSES):
        members = combos_of_class(index)
        own = weights[list(members)]
        uniform = bool((own == own[0]).all())
        classes.append(own[0] if uniform else np.float32(0))
        combos += [] if uniform else members
    for line in _lines():
        top = True
        for weight, group in groupby(line, key=lambda index: classes[index]):
            run = [class_name(index) for index in group]
            if weight > 0 and len(run) > 1:
                yield _Term(f"{run[-1]}+" if top else f"{run[0]}-{run[-1]}", weight)
            elif weight > 0:
                yield _Term(run[0], weight)
            top = False
    for combo in sorted(combos, reverse=True):
        if weights[combo] > 0:
            yield _Term(combo_name(combo), weights[combo])


@cache
def _lines() -> tuple[tuple[int, ...], ...]:
    """Return the classes that a run goes through, from the top down: pairs, then one high card each."""
    pairs = tuple(14 * rank for rank in range(13))
    suited = [tuple(13 * row + column for column in range(row + 1, 13)) for row in range(12)]
    offsuit = [tuple(13 * column + row for column in range(row + 1, 13)) for row in range(12)]
    return (pairs, *suited, *offsuit)
