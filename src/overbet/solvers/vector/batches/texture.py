"""What a flop looks like: suits, pairing, high card, connectedness; filters and groups are made of these.

    suits          rainbow, two-tone, monotone
    pairing        unpaired, paired, trips
    high_card      A, K, Q, ... 2
    connectedness  connected: two cards can make a straight of all three ranks; semi-connected: two of the
                   ranks lie within one straight, so that draws are possible; disconnected: neither

A board of four or five cards has the texture of its flop.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import lru_cache
from itertools import combinations
from typing import NamedTuple

from overbet.cards.cards import RANKS
from overbet.cards.cards import board as read_board
from overbet.errors import ConfigError, unknown

TEXTURES: dict[str, tuple[str, ...]] = {
    "suits": ("rainbow", "two-tone", "monotone"),
    "pairing": ("unpaired", "paired", "trips"),
    "high_card": tuple(reversed(RANKS)),
    "connectedness": ("connected", "semi-connected", "disconnected"),
}
_STRAIGHTS = [{rank % 13 for rank in range(low, low + 5)} for low in range(-1, 9)]  # -1: the wheel

Filters = Mapping[str, Iterable[str] | str]


class Texture(NamedTuple):
    """The look of a flop, each by one of the words of `TEXTURES`."""

    suits: str
    pairing: str
    high_card: str
    connectedness: str


@lru_cache(4096)
def texture(board: str) -> Texture:
    """Return the texture of a board's flop."""
    flop = read_board(board)[:3]
    if len(flop) < 3:
        raise ConfigError(f"{board!r} has no flop; write 3, 4 or 5 cards, such as AsKd2c")
    ranks, suits = {card >> 2 for card in flop}, {card & 3 for card in flop}
    return Texture(
        suits=TEXTURES["suits"][3 - len(suits)],
        pairing=TEXTURES["pairing"][3 - len(ranks)],
        high_card=RANKS[max(ranks)],
        connectedness=TEXTURES["connectedness"][_apart(ranks)],
    )


def _apart(ranks: set[int]) -> int:
    """Return 0 where three ranks lie within a straight, 1 where two do, 2 where none."""
    if len(ranks) == 3 and any(ranks <= straight for straight in _STRAIGHTS):
        return 0
    near = any({*pair} <= straight for pair in combinations(ranks, 2) for straight in _STRAIGHTS)
    return 1 if near else 2


def checked_texture(name: str) -> str:
    """Return the name of a texture as `TEXTURES` has it; an error names them all."""
    found = name.strip().lower().replace("-", "_").replace(" ", "_")
    if found not in TEXTURES:
        raise ConfigError(unknown("texture", name, tuple(TEXTURES)))
    return found


def checked_filters(filters: Filters) -> dict[str, tuple[str, ...]]:
    """Return filters with every word as `TEXTURES` has it; a filter without a word is left out."""
    found: dict[str, tuple[str, ...]] = {}
    for name, given in filters.items():
        key = checked_texture(name)
        known = {word.lower(): word for word in TEXTURES[key]}
        words = [word.strip() for word in (given.split(",") if isinstance(given, str) else given)]
        for word in filter(None, words):
            if word.lower() not in known:
                raise ConfigError(unknown(key.replace("_", " "), word, TEXTURES[key]))
        chosen = tuple(known[word.lower()] for word in words if word)
        if chosen:
            found[key] = chosen
    return found


def fits(board: str, filters: Mapping[str, tuple[str, ...]]) -> bool:
    """Return whether a board's flop is of the chosen textures; filters: of `checked_filters`."""
    look = texture(board)._asdict()
    return all(look[name] in words for name, words in filters.items())
