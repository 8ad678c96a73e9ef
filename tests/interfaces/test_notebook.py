"""The notebook's widget: what Python sends of a node and of a range, and what it takes back."""

from __future__ import annotations

import json
import re
import sys

import numpy as np
import pytest

import overbet
from overbet import Range, grid_widget
from overbet.cards.combos import class_name
from overbet.errors import ConfigError
from overbet.interfaces.notebook import grid
from overbet.interfaces.notebook.grid import MODULE, node_data, range_data
from overbet.solvers.vector.solution import Solution
from tests.e2e.test_bundle import FRONTEND, stamp

SOURCES = ("package-lock.json", "package.json", "src", "stamp.js", "tsconfig.json", "widget")
SPOT = {
    "board": "KsTh7s4d2c",
    "pot": 100,
    "stacks": 200,
    "big_blind": 10,
    "ranges": {"oop": "AA,KK,TT,AKs,QJs:0.5,98s", "ip": "KQs,KJs,JJ,AsQs,T9s"},
    "bets": {"every": {"bet": "75%", "raise": "a"}},
}
NAMES = [class_name(index) for index in range(169)]


@pytest.fixture(scope="module")
def solution() -> Solution:
    return overbet.solve(SPOT, target=1.0)


def test_a_node_is_sent_with_both_players(solution: Solution) -> None:
    node = solution.node("r:0")
    data = json.loads(json.dumps(node_data(node), allow_nan=False))
    assert data["unit"] == "bb"
    assert [action["token"] for action in data["actions"]] == ["c", "b75"]
    assert sum(action["frequency"] for action in data["actions"]) == pytest.approx(1.0, abs=1e-5)
    oop, ip = data["seats"]["oop"], data["seats"]["ip"]
    assert data["first"] == "oop"
    assert ip["mix"] is None
    held = [NAMES[at] for at, weight in enumerate(oop["weight"]) if weight > 0]
    assert sorted(held) == sorted(["AA", "KK", "TT", "AKs", "QJs", "98s"])
    assert oop["weight"][NAMES.index("QJs")] == pytest.approx(0.5)
    shares = np.array(oop["mix"], dtype=float)[:, NAMES.index("KK")]
    assert shares.sum() == pytest.approx(1.0, abs=1e-5)
    shown = node.hand("KK")
    assert oop["ev"][NAMES.index("KK")] == pytest.approx(shown["ev_chips"] / 10, abs=1e-4)
    assert oop["equity"][NAMES.index("72o")] is None


def test_a_range_is_sent_by_class() -> None:
    data = range_data(Range.parse("AA,KQs:0.25"))
    seat = data["seats"]["range"]
    assert data["title"].startswith("7 combos")
    assert [seat["weight"][NAMES.index(name)] for name in ("AA", "KQs", "KQo")] == [1.0, 0.25, 0.0]


def test_the_widget_keeps_what_is_chosen(solution: Solution) -> None:
    traitlets = pytest.importorskip("traitlets")
    pytest.importorskip("anywidget")
    widget = grid_widget(solution, view="ev", palette="colour-blind")
    assert widget.player == "oop"
    sent = widget.get_state()
    assert sent["view"] == "ev"
    assert sent["data"]["title"].startswith("KsTh7s4d2c")
    assert "_esm" in sent
    seen = []
    widget.observe(lambda change: seen.append(change["new"]), "chosen")
    widget.set_state({"chosen": "KK"})  # as the browser does
    assert seen == ["KK"]
    with pytest.raises(traitlets.TraitError, match="not 'XX'"):
        widget.chosen = "XX"
    widget.show(solution.node("r:0:c"))
    assert widget.data["first"] == "ip"
    widget.show(Range.parse("AA"))
    assert set(widget.data["seats"]) == {"range"}


def test_what_cannot_be_shown_is_told(solution: Solution, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(ConfigError, match="a node, a solution or a range, not int"):
        grid_widget(3)  # type: ignore[arg-type]  # what a user may try
    with pytest.raises(ConfigError, match=r"unknown player 'opp'.*did you mean 'oop'"):
        grid_widget(solution, player="opp")
    with pytest.raises(ConfigError, match="unknown view 'ec'"):
        grid_widget(solution, view="ec")
    with pytest.raises(ConfigError, match="unknown palette"):
        grid_widget(solution, palette="red")
    monkeypatch.setitem(sys.modules, "anywidget", None)
    grid._widget_class.cache_clear()
    with pytest.raises(ConfigError, match=r"pip install 'overbet\[notebook\]'"):
        grid_widget(solution)
    assert "<table" in solution.node("r:0")._repr_html_()  # what is shown without it


def test_the_shipped_module_is_that_of_its_sources() -> None:
    folder = MODULE.parent
    told = dict(line.split() for line in (folder / "stamp.txt").read_text().splitlines())
    names = [path.name for path in folder.iterdir() if path.name != "stamp.txt"]
    assert names == ["grid.js"]
    assert told["bundle"] == stamp(folder, names), "run: npm --prefix frontend run build"
    if FRONTEND.is_dir():
        assert told["sources"] == stamp(FRONTEND, SOURCES), "run: npm --prefix frontend run build"


def test_the_module_is_small_and_asks_nothing_of_the_network() -> None:
    text = MODULE.read_text(encoding="utf-8")
    assert len(text) < 150_000
    known = ("http://www.w3.org/", "https://svelte.dev/e/")
    assert [found for found in re.findall(r"https?://[\w./-]+", text) if not found.startswith(known)] == []
