"""Odd things: numbers at the edges, texts that break readers, and mutations of what is good."""

from __future__ import annotations

import copy
import random
from collections.abc import Sequence
from typing import Any

NUMBERS: tuple[float, ...] = (
    *(0, 1, -1, 2, 3, 5, 7, 64, 65, 255, 256, 1000, 65535, 65536),
    *(
        2**31 - 1,
        2**31,
        2**32,
        2**53 + 1,
        2**63 - 1,
        2**63,
        2**64,
        -(2**31) - 1,
        -(2**63) - 1,
        10**30,
        10**400,
    ),
    *(0.5, -0.0, 0.1, 1.5, 1e-320, 1e17, 1e308, float("inf"), float("-inf"), float("nan")),
)
TEXTS = (
    *("", " ", "\t", "\n", "a\nb", "\r", "\0", "\x1b[31m", "\u2028", "\ufeff", "\ud800"),
    *(
        "é",
        "²",
        "٣",
        "Ⅷ",
        "💥",
        "ß",
        "nan",
        "inf",
        "-inf",
        "1e999",
        "-1",
        "+1",
        "0x10",
        "1_000",
        "1.5",
        "1,5",
    ),
    *("9" * 40, "9" * 5000, "0" * 5000, "null", "true", "no", "~x", "[", "]", "{", "}", "{}", "[]", "[["),
    *("{a: ", "&a [*a]", "*a", "!!python/none x", "!!set {a}", "2026-01-01", "---", "<<: 1"),
    *(
        "%",
        "%s",
        "{0}",
        "$",
        "`",
        "'",
        '"',
        "\\",
        "/",
        "//",
        ".",
        "..",
        "../..",
        ":",
        "::",
        ",",
        ",,",
        "-",
        "--",
    ),
    *("=", "*", "?", "(", "a" * 300, "b" * 5000, "x:" * 2000, "AA," * 3000, "r:0", "r:0:", "AhKh", "AhAh"),
)


def odd_text(rng: random.Random) -> str:
    """Return a text that some reader may not expect."""
    if rng.random() < 0.3:
        return "".join(
            chr(rng.choice((rng.randrange(32, 127), rng.randrange(0x3000)))) for _ in range(rng.randrange(9))
        )
    return rng.choice(TEXTS)


def odd_value(rng: random.Random, depth: int = 2) -> Any:
    """Return a value that JSON can write."""
    kind = rng.randrange(8)
    if kind < 3:
        return rng.choice(NUMBERS)
    if kind < 5:
        return odd_text(rng)
    if kind == 5:
        return rng.choice((None, True, False))
    if depth == 0:
        return rng.choice(([], {}))
    if kind == 6:
        return [odd_value(rng, depth - 1) for _ in range(rng.randrange(4))]
    return {odd_text(rng): odd_value(rng, depth - 1) for _ in range(rng.randrange(3))}


def odd_number(rng: random.Random) -> str:
    """Return a number as somebody may write it."""
    value = rng.choice((*NUMBERS, rng.randrange(-5, 500), round(rng.uniform(-2, 200), 3)))
    return str(value) if rng.random() < 0.9 else odd_text(rng)


def mutated_text(rng: random.Random, text: str, other: Sequence[str] = TEXTS) -> str:
    """Return `text` with a few places changed: cut, doubled, replaced, moved, or with odd texts in it."""
    for _ in range(rng.choice((1, 1, 1, 2, 3, 6))):
        start = rng.randrange(len(text) + 1)
        end = min(len(text), start + rng.choice((0, 1, 1, 2, 5, 20, 200)))
        part = rng.choice(
            (
                "",
                text[start:end] * rng.choice((2, 3, 50)),
                rng.choice(other),
                odd_text(rng),
                chr(rng.randrange(32, 127)),
                odd_number(rng),
                text[end : end + rng.randrange(1, 10)],
            )
        )
        text = text[:start] + part + text[end:]
    return text


def mutated_bytes(rng: random.Random, content: bytes) -> bytes:
    """Return `content` with bits flipped, numbers replaced, parts cut out or doubled, or its end cut off."""
    found = bytearray(content)
    for _ in range(rng.choice((1, 1, 1, 2, 4, 16))):
        if not found:
            break
        place = rng.randrange(min(len(found), rng.choice((64, 512, 4096, len(found)))))
        if rng.random() < 0.2:
            place = len(found) - 1 - rng.randrange(min(len(found), 512))
        how = rng.randrange(8)
        if how < 3:
            found[place] ^= 1 << rng.randrange(8)
        elif how == 3:
            found[place] = rng.choice((0, 1, 127, 128, 255))
        elif how == 4:
            width = rng.choice((2, 4, 8))
            found[place : place + width] = rng.choice((0, 1, 2**31, 2**63, 2**64 - 1)).to_bytes(8, "little")[
                :width
            ]
        elif how == 5:
            del found[place : place + rng.choice((1, 4, 64, 1000))]
        elif how == 6:
            part = found[place : place + rng.choice((1, 8, 512))]
            found[place:place] = part
        else:
            del found[place:]
    return bytes(found)


def mutated_value(rng: random.Random, value: Any) -> Any:
    """Return a JSON value with one to three places changed: replaced, removed, doubled, renamed or nested."""
    found = copy.deepcopy(value)
    for _ in range(rng.choice((1, 1, 2, 3))):
        found = _mutated_once(rng, found)
    return found


def _mutated_once(rng: random.Random, value: Any) -> Any:
    if not isinstance(value, dict | list) or not value or rng.random() < 0.03:
        return _replacement(rng, value)
    keys = list(value) if isinstance(value, dict) else list(range(len(value)))
    key = rng.choice(keys)
    if isinstance(value[key], dict | list) and value[key] and rng.random() < 0.75:
        value[key] = _mutated_once(rng, value[key])
        return value
    how = rng.randrange(6)
    if how < 3:
        value[key] = _replacement(rng, value[key])
    elif how == 3:
        del value[key]
    elif isinstance(value, dict):
        value[odd_text(rng) if how == 4 else mutated_text(rng, str(key))] = value[key]
    else:
        value.insert(rng.randrange(len(value)), value[key])
    return value


def _replacement(rng: random.Random, value: Any) -> Any:
    how = rng.randrange(5)
    if how == 0 and isinstance(value, str):
        return mutated_text(rng, value)
    if how == 1 and isinstance(value, int | float):
        steps = (1, -1, 0.5) if abs(value) < 1e300 else (1, -1)  # beyond that a whole number is no float
        return -value if rng.random() < 0.5 else value + rng.choice(steps)
    if how == 2:
        return [value] * rng.choice((1, 2, 70))
    return odd_value(rng)


def nested(rng: random.Random, deepest: int = 100_000) -> str:
    """Return JSON (and YAML) so deep that a recursive reader runs out of stack."""
    deep = rng.choice((100, 1000, 5000, deepest))
    opening, closing = rng.choice((("[", "]"), ('{"a":', "}")))
    return opening * deep + "1" + closing * deep
