"""Sets of boards for a batch: all 1,755 flops, subsets that stand for them, or a list of one's own.

The shipped subsets of 25, 50, 100 and 200 flops were chosen by `flop_choice` on the features of
`flop_features`; `docs/records.md` shows how near their averages are. Their weights are shares of all 22,100
flops. A list of one's own is a text file: a board a line, a weight after it where they are not all alike
(`AsKd2c 0.5`, `AsKd2c,0.5` or `AsKd2c:0.5`); `#` starts a comment.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from functools import cache
from importlib import resources
from pathlib import Path
from typing import NamedTuple

from overbet.cards.cards import board as read_board
from overbet.cards.cards import cards_name
from overbet.cards.isomorphism import canonical_flops
from overbet.errors import ArtefactError, CardError, ConfigError, quoted, short

SUBSETS = (25, 50, 100, 200)
ALL = "all"
_DATA = "flops.json"


class BoardSet(NamedTuple):
    """Boards with weights that sum to 1. up_to_suits: they stand for others that differ in suits only."""

    name: str
    boards: tuple[str, ...]
    weights: tuple[float, ...]
    up_to_suits: bool


def board_set(which: int | str | Path) -> BoardSet:
    """Return the boards of a subset (25, 50, 100, 200), of `all` flops, or of a file."""
    text = str(which).strip()
    if text.lower() == ALL:
        flops = canonical_flops()
        boards = [cards_name(flop.cards) for flop in flops]
        return _weighted(ALL, boards, [float(flop.weight) for flop in flops], up_to_suits=True)
    if text.isdecimal() and len(text) < 20:
        if int(text) not in SUBSETS:
            known = ", ".join(str(size) for size in SUBSETS)
            raise ConfigError(f"there is no subset of {text} flops; take {known} or all, or name a file")
        subset = _shipped()[str(int(text))]
        return _weighted(text, list(subset), list(subset.values()), up_to_suits=True)
    return read_boards(text)


def board_list(boards: Iterable[str | tuple[str, float]]) -> BoardSet:
    """Return boards given one by one, each alone or with a weight."""
    pairs = [(board, 1.0) if isinstance(board, str) else board for board in boards]
    return _checked("the list", [(str(number + 1), *pair) for number, pair in enumerate(pairs)])


def read_boards(path: str | Path) -> BoardSet:
    """Read a list of boards from a text file."""
    try:
        text = Path(path).read_text(encoding="utf-8")
    except OSError as error:
        sizes = ", ".join(str(size) for size in SUBSETS)
        raise ConfigError(
            f"cannot read boards from {short(path)}: {error.strerror}; or take {sizes}, all"
        ) from error
    except ValueError as error:  # not UTF-8, or a name that no file can have
        raise ConfigError(f"cannot read boards from {short(path)}: it is not a text file") from error
    rows: list[tuple[str, str, float]] = []
    for number, line in enumerate(text.splitlines(), 1):
        bare = line.partition("#")[0].strip()
        if not bare:
            continue
        match = re.fullmatch(r"((?:[2-9TJQKAtjqka][cdhsCDHS][ ,]*)+?)(?:[\s,:;]+([0-9.eE+-]+))?", bare)
        try:
            if match is None:
                raise ValueError
            rows.append((str(number), match[1], float(match[2]) if match[2] else 1.0))
        except ValueError:
            raise ConfigError(
                f"{path}, line {number}: {quoted(bare)} is not a board with a weight, such as AsKd2c 0.5"
            ) from None
    return _checked(str(path), rows)


def _checked(source: str, rows: list[tuple[str, str, float]]) -> BoardSet:
    """Return a set of boards from (line, board, weight), every fault named with its line."""
    if not rows:
        raise ConfigError(f"{source} holds no board; write one a line, such as AsKd2c 0.5")
    boards: dict[str, float] = {}
    seen: dict[frozenset[int], str] = {}
    for line, text, weight in rows:
        try:
            cards = read_board(text)
        except CardError as error:
            raise ConfigError(f"{source}, line {line}: {error}") from error
        if len(cards) < 3:
            raise ConfigError(f"{source}, line {line}: {text!r} is not a board of 3, 4 or 5 cards")
        if not 0 < weight < float("inf"):
            raise ConfigError(f"{source}, line {line}: the weight {weight:g} of {text} is not positive")
        name, held = cards_name(cards), frozenset(cards)
        if held in seen:
            raise ConfigError(f"{source}, line {line}: {name} is the same board as {seen[held]}")
        seen[held] = name
        boards[name] = weight
    if len({len(name) for name in boards}) > 1:
        raise ConfigError(f"{source} mixes flops, turns and rivers; put each street in a list of its own")
    return _weighted(source, list(boards), list(boards.values()), up_to_suits=False)


def _weighted(name: str, boards: list[str], weights: list[float], *, up_to_suits: bool) -> BoardSet:
    total = sum(weights)
    return BoardSet(name, tuple(boards), tuple(weight / total for weight in weights), up_to_suits)


@cache
def _shipped() -> dict[str, dict[str, float]]:
    """Return the shipped subsets: size -> flop -> weight."""
    try:
        text = (
            resources.files("overbet.solvers.vector.batches")
            .joinpath("data", _DATA)
            .read_text(encoding="utf-8")
        )
        found: dict[str, dict[str, float]] = json.loads(text)["subsets"]
        return found
    except (OSError, ValueError, KeyError) as error:
        raise ArtefactError(
            f"the shipped subsets of flops cannot be read ({error}); reinstall overbet, or make them anew "
            "with: overbet flops --build flops.json"
        ) from error
