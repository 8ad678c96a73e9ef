"""Colours of actions, in one place: terminal, notebook, picture and page draw with these.

Fold blue, check and call green, bets from light to dark red as they grow. `COLOUR_BLIND` keeps the same
order of lightness on ColorBrewer's purple-to-orange scale, which every common form of colour blindness
can tell apart.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from overbet.errors import ConfigError, unknown


class Palette(NamedTuple):
    """Colours as `#rrggbb`."""

    fold: str
    passive: str  # check and call
    bet_light: str
    bet_dark: str
    held: str  # in a range, where no action is meant
    empty: str  # the cell behind the bar


STANDARD = Palette("#3f7fbf", "#5cb85c", "#f4a09a", "#8f1414", "#e8b93c", "#e9eaec")
COLOUR_BLIND = Palette("#7b6db0", "#d6d6dc", "#fdb863", "#7f3b08", "#e08214", "#f7f7f7")
PALETTES = {"standard": STANDARD, "colour-blind": COLOUR_BLIND}

# Suits as four-colour decks have them, in the order c d h s.
SUIT_COLOURS = ("#1f8a3b", "#2463c9", "#cc2936", "#222222")

_HELD = "held"


def palette(name: str) -> Palette:
    """Return a palette by name."""
    if name not in PALETTES:
        raise ConfigError(unknown("palette", name, PALETTES))
    return PALETTES[name]


def action_colours(actions: Sequence[str], colours: Palette = STANDARD) -> list[str]:
    """Return the colour of each action; bets are taken to grow in the order given."""
    kinds = [_kind(action) for action in actions]
    bets = kinds.count("bet")
    seen = 0
    found = []
    for kind in kinds:
        if kind == "bet":
            # one bet alone takes the middle of the scale; more spread over all of it
            share = 0.5 if bets == 1 else seen / (bets - 1)
            found.append(blend(colours.bet_light, colours.bet_dark, share))
            seen += 1
        else:
            found.append({"fold": colours.fold, "passive": colours.passive, _HELD: colours.held}[kind])
    return found


def blend(start: str, end: str, share: float) -> str:
    """Return the colour `share` of the way from `start` to `end`."""
    pairs = zip(_channels(start), _channels(end))
    return "#" + "".join(f"{round(a + (b - a) * share):02x}" for a, b in pairs)


def ink(background: str) -> str:
    """Return black or white, whichever reads better on `background` (by relative luminance)."""
    red, green, blue = _channels(background)
    return "#000000" if 0.299 * red + 0.587 * green + 0.114 * blue > 140 else "#ffffff"


def _channels(colour: str) -> tuple[int, int, int]:
    return int(colour[1:3], 16), int(colour[3:5], 16), int(colour[5:7], 16)


def _kind(action: str) -> str:
    word = action.lower().split(" ")[0]
    if word in ("fold", _HELD):
        return word
    return "passive" if word in ("check", "call", "pass") else "bet"
