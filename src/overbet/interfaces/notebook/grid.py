"""The page's 13 x 13 grid as a widget for Jupyter and marimo (anywidget): a node of a solution, or a range.

    grid_widget(sol.node("r:0"))
    grid_widget(Range.parse("QQ+,AKs,A5s-A2s"))

The module it runs in the browser is the page's own component, built from `frontend/widget` and shipped here.
What is chosen in the browser comes back: `widget.chosen` is the class that was clicked, `widget.player` and
`widget.view` what is shown. Without anywidget nodes and ranges show themselves as tables, as before.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from overbet.cards.combos import class_name
from overbet.cards.palette import palette as read_palette
from overbet.cards.range import Range
from overbet.errors import ConfigError, unknown

if TYPE_CHECKING:
    from overbet.solvers.vector.node import Node, Seat
    from overbet.solvers.vector.solution import Solution

MODULE = Path(__file__).with_name("static") / "grid.js"
VIEWS = ("strategy", "ev", "equity", "realisation", "weight")
_DIGITS = 6  # of shares and values that are sent


def grid_widget(
    shown: Node | Solution | Range,
    *,
    player: str | None = None,
    view: str = "strategy",
    palette: str = "standard",
) -> Any:
    """Return an `anywidget.AnyWidget` of a node, a solution (its root) or a range.

    player: `oop` or `ip`, the one to act unless named. view: strategy, ev, equity, realisation or weight.
    palette: standard or colour-blind. All three can be set later, and `chosen` is the class that was clicked.
    """
    data = range_data(shown) if isinstance(shown, Range) else node_data(_node_of(shown))
    first = player or data["first"]
    if first not in data["seats"]:
        raise ConfigError(unknown("player", str(first), data["seats"]))
    if view not in VIEWS:
        raise ConfigError(unknown("view", view, VIEWS))
    read_palette(palette)
    return _widget_class()(data=data, player=first, view=view, palette=palette)


def _node_of(shown: Any) -> Node:
    if hasattr(shown, "seat"):
        found: Node = shown
        return found
    if hasattr(shown, "node"):
        root: Node = shown.node()
        return root
    raise ConfigError(f"a widget shows a node, a solution or a range, not {type(shown).__name__}")


def range_data(shown: Range) -> dict[str, Any]:
    """Return what the widget shows of a range."""
    seat = {
        "weight": _numbers(shown.classes()),
        **{name: [None] * 169 for name in ("ev", "equity", "realisation")},
        "mix": None,
        "combos": shown.combos,
        "mean_ev": None,
        "mean_equity": None,
    }
    title = f"{shown.combos:g} combos, {shown.combos / 1326:.1%} of hands"
    return {
        "title": title,
        "note": "",
        "unit": "chips",
        "actions": [],
        "seats": {"range": seat},
        "first": "range",
    }


def node_data(node: Node) -> dict[str, Any]:
    """Return what the widget shows of a node: both players, by class, amounts in the node's unit."""
    rows = node.total_rows() if node.player else []
    actions = [
        {"label": row["action"], "token": row["token"], "frequency": round(float(row["frequency"]), _DIGITS)}
        for row in rows
    ]
    pot = f"pot {node.amount(node.pot):g} {node.unit}"
    return {
        "title": f"{node.board}  {node.line}  {pot}",
        "note": node.note,
        "unit": node.unit,
        "actions": actions,
        "seats": {seat.player: _seat_data(node, seat) for seat in (node.oop, node.ip)},
        "first": node.player or "oop",
    }


def _seat_data(node: Node, seat: Seat) -> dict[str, Any]:
    unit = node.big_blind or 1
    return {
        "weight": _numbers(node.class_weights(seat.player)),
        "ev": _numbers(seat.by_class(seat.ev_chips) / unit),
        "equity": _numbers(seat.by_class(seat.equity)),
        "realisation": _numbers(seat.by_class(seat.realisation)),
        "mix": None if seat.strategy is None else [_numbers(row) for row in seat.class_mix().T],
        "combos": float(seat.reach.sum()),
        "mean_ev": _numbers(np.array([seat.mean_ev_chips / unit]))[0],
        "mean_equity": _numbers(np.array([seat.mean_equity]))[0],
    }


def _numbers(values: npt.NDArray[Any]) -> list[float | None]:
    """Return numbers as JSON has them: None for what is not finite."""
    return [round(float(one), _DIGITS) if np.isfinite(one) else None for one in values]


@cache
def _widget_class() -> Any:
    try:
        import anywidget
        import traitlets
    except ImportError as error:
        raise ConfigError("widgets need the package anywidget: pip install 'overbet[notebook]'") from error

    class GridWidget(anywidget.AnyWidget):
        """The grid; what it shows are traits, which the browser and Python both may set."""

        _esm = MODULE.read_text(encoding="utf-8")
        data = traitlets.Dict().tag(sync=True)
        player = traitlets.Unicode().tag(sync=True)
        view = traitlets.Unicode("strategy").tag(sync=True)
        palette = traitlets.Unicode("standard").tag(sync=True)
        chosen = traitlets.Unicode("").tag(sync=True)

        @traitlets.validate("chosen")
        def _class_of_hands(self, proposal: Any) -> str:
            text = str(proposal["value"])
            if text and text not in _CLASS_NAMES:
                raise traitlets.TraitError(f"chosen is a class of hands such as AKs, not {text!r}")
            return text

        def show(self, shown: Any) -> None:
            """Show another node, solution or range in this widget."""
            self.data = range_data(shown) if isinstance(shown, Range) else node_data(_node_of(shown))

    return GridWidget


_CLASS_NAMES = {class_name(index) for index in range(169)}
