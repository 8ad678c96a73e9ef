"""Two nodes side by side, perhaps of two solves: what hands earn and how they play, here less there."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from overbet.cards.grid import class_means
from overbet.solvers.vector.node import Node, Seat
from overbet.study.views import View, dense

Floats = npt.NDArray[np.float32]
_SHOWN = ("line", "board", "player", "pot_chips", "starting_pot_chips", "big_blind", "players", "actions")


def compare_nodes(left: tuple[dict[str, Any], Node], right: tuple[dict[str, Any], Node]) -> View:
    """Return two nodes, perhaps of two solves, side by side: every hand's EV and mix, left less right.

    left, right: as `node_header` gives them. Where the same player acts in both, `mix` lists the actions of
    either with how often they are taken; an action that one of them does not have is never taken there.
    changed: how much of the play differs, over the hands as they get here on the left.
    """
    arrays: dict[str, Floats] = {}
    for one, two in ((left[1].oop, right[1].oop), (left[1].ip, right[1].ip)):
        first, second = dense(one.combos, one.ev_chips), dense(two.combos, two.ev_chips)
        arrays[f"{one.player}.left_ev"] = first
        arrays[f"{one.player}.right_ev"] = second
        arrays[f"{one.player}.difference"] = first - second
        arrays[f"{one.player}.class_difference"] = one.by_class(
            (first - second)[one.combos].astype(np.float64), never=True
        ).astype(np.float32)
    header: dict[str, Any] = {
        side: {key: facts[key] for key in (*_SHOWN, "exploitability")}
        for side, facts in (("left", left[0]), ("right", right[0]))
    }
    mix, changed, more = _mixes(left[1], right[1])
    return View(header | {"mix": mix, "changed": changed}, arrays | more)


def _mixes(left: Node, right: Node) -> tuple[list[dict[str, Any]], float | None, dict[str, Floats]]:
    """Return the actions of either node, how much of the play differs, and the differences by hand."""
    if left.player is None or left.player != right.player:
        return [], None, {}
    labels = {action.token: action.label for node in (left, right) for action in node.actions}
    tokens = sorted(labels, key=_order)
    one, two = left.seat(), right.seat()
    first, second = _strategy(left, one, tokens), _strategy(right, two, tokens)
    shares = [side.weight @ mix for side, mix in ((one, first), (two, second))]
    rows = [
        {"token": token, "label": labels[token], "left": float(shares[0][at]), "right": float(shares[1][at])}
        for at, token in enumerate(tokens)
    ]
    difference = dense(one.combos, first) - dense(two.combos, second)  # [actions, 1326]
    by_class = class_means(one.combos, first, one.reach) - class_means(two.combos, second, two.reach)
    moved = 0.5 * np.abs(difference[:, one.combos]).sum(0).astype(np.float64)  # what goes elsewhere, once
    arrays = {"mix_difference": difference, "class_mix_difference": by_class.T.astype(np.float32)}
    return rows, one.mean(moved), arrays


def _strategy(node: Node, seat: Seat, tokens: list[str]) -> npt.NDArray[np.float64]:
    """Return a seat's mix over given actions: [H, tokens] float64."""
    assert seat.strategy is not None
    found = np.zeros((len(seat.combos), len(tokens)))
    for at, action in enumerate(node.actions):
        found[:, tokens.index(action.token)] = seat.strategy[:, at]
    return found


def _order(token: str) -> tuple[int, int]:
    """Order actions as nodes do: fold, check or call, bets from small to large."""
    return ("fcbk".index(token[0]), int(token[1:] or 0))
