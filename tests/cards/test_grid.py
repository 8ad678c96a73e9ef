"""The grid's bars, its words and its HTML; the palettes."""

from __future__ import annotations

import re
from html.parser import HTMLParser

import numpy as np
import pytest

from overbet.cards.combos import CLASSES, class_index
from overbet.cards.grid import Grid, grid_html, weights_html
from overbet.cards.palette import (
    COLOUR_BLIND,
    PALETTES,
    STANDARD,
    action_colours,
    blend,
    ink,
    palette,
)
from overbet.cards.range import Range
from overbet.errors import ConfigError

ACTIONS = ("fold", "call", "bet 33%", "all-in")


class Cells(HTMLParser):
    """Collects the text, the tooltip and the style of every table cell."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.found: list[tuple[str, str, str]] = []
        self.current: tuple[str, str] | None = None
        self.open: list[str] = []
        self.feed(text)
        assert not self.open

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag != "br":
            self.open.append(tag)
        values = dict(attrs)
        if tag == "td":
            self.current = (str(values["title"]), str(values["style"]))

    def handle_data(self, data: str) -> None:
        if self.current:
            self.found.append((data, *self.current))

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag
        self.current = None


def mixed() -> Grid:
    mix = np.tile([1.0, 0, 0, 0], (CLASSES, 1))
    mix[0] = [0, 0.25, 0.25, 0.5]
    weights = np.ones(CLASSES)
    weights[0] = 0.5
    return Grid(ACTIONS, mix, weights, title="A <title>")


def test_bars_run_from_the_largest_bet_to_fold() -> None:
    bars = list(mixed().bars(0))
    assert [(bar.action, bar.left, bar.right) for bar in bars] == [
        ("all-in", 0, 0.5),
        ("bet 33%", 0.5, 0.75),
        ("call", 0.75, 1),
    ]
    assert bars[0].colour == STANDARD.bet_dark
    assert bars[2].colour == STANDARD.passive
    assert [bar.action for bar in mixed().bars(1)] == ["fold"]


def test_cells_in_words() -> None:
    assert mixed().describe(0) == "AA: all-in 50.0%, bet 33% 25.0%, call 25.0% (weight 50.0%)"
    assert mixed().describe(1) == "AKs: fold 100.0%"
    assert Grid.of_weights(np.full(CLASSES, 0.25)).describe(168) == "22: 25.0%"


def test_html_has_the_cells_in_place() -> None:
    cells = Cells(grid_html(mixed(), caption="6 & 7")).found
    assert len(cells) == CLASSES
    assert cells[0][0] == "AA"
    assert cells[class_index("AKo")][0] == "AKo"
    assert cells[0][1] == mixed().describe(0)
    assert "100% 50%" in cells[0][2]  # as high as its weight
    assert f"{STANDARD.bet_dark} 0% 50%" in cells[0][2]
    text = grid_html(mixed(), caption="6 & 7")
    assert "A &lt;title&gt;" in text
    assert "6 &amp; 7" in text
    assert "all-in</span>" in text


def test_html_of_a_range() -> None:
    cells = Cells(Range.parse("AA,AKs:.5")._repr_html_()).found
    assert "100% 100%" in cells[0][2]
    assert "100% 50%" in cells[1][2]
    assert STANDARD.held not in cells[2][2]
    assert "8 combos, 0.6% of hands" in Range.parse("AA,AKs:.5")._repr_html_()
    assert weights_html(np.zeros((13, 13))).count("<td") == CLASSES


def test_bad_grids_are_refused() -> None:
    with pytest.raises(ConfigError, match=r"shape \[169, 4\]"):
        Grid(ACTIONS, np.ones((CLASSES, 3)))
    mix = np.tile([0.5, 0.5, 0, 0], (CLASSES, 1))
    mix[1, 0] = 0.7
    with pytest.raises(ConfigError, match="frequencies of AKs"):
        Grid(ACTIONS, mix)
    with pytest.raises(ConfigError, match="weights"):
        Grid.of_weights(np.full(CLASSES, 1.5))


@pytest.mark.parametrize("name", PALETTES)
def test_actions_can_be_told_apart(name: str) -> None:
    found = action_colours(["fold", "check", "bet 33%", "bet 75%", "all-in"], palette(name))
    assert len(set(found)) == 5
    assert all(re.fullmatch("#[0-9a-f]{6}", colour) for colour in found)
    light = [sum(int(c[i : i + 2], 16) for i in (1, 3, 5)) for c in found[2:]]
    assert light == sorted(light, reverse=True)  # bets darken as they grow


def test_colours() -> None:
    assert blend("#000000", "#ffffff", 0.5) == "#808080"
    assert ink("#ffffff") == "#000000"
    assert ink("#101010") == "#ffffff"
    assert action_colours(["fold", "call"]) == [STANDARD.fold, STANDARD.passive]
    assert action_colours(["fold", "raise 2.5x"], COLOUR_BLIND)[0] == COLOUR_BLIND.fold
    with pytest.raises(ConfigError, match="did you mean 'standard'"):
        palette("standart")
