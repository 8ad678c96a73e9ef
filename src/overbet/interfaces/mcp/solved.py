"""Solutions as the MCP server keeps, opens and tells them: the last few in memory, files of one folder."""

from __future__ import annotations

from collections import OrderedDict
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from overbet.errors import ConfigError, TooLargeError, quoted, unknown
from overbet.interfaces.mcp.limits import KEPT_SOLUTIONS, MOST_ROWS, ToolLimits

if TYPE_CHECKING:
    from overbet.solvers.vector.node import Node
    from overbet.solvers.vector.solution import Solution

_SUFFIX = ".h5"


class SolvedSpots:
    """Solutions by name: `s1`, `s2`, ... for those solved here, file names for those of the folder."""

    def __init__(self, limits: ToolLimits) -> None:
        self.limits = limits
        self._kept: OrderedDict[str, Solution] = OrderedDict()
        self._count = 0

    def keep(self, solution: Solution) -> str:
        """Keep a solution under a new name; the oldest goes where there are too many."""
        self._count += 1
        name = f"s{self._count}"
        self._put(name, solution)
        return name

    def get(self, name: str) -> Solution:
        """Return a solution by its name, read from the folder where it is not kept."""
        if name in self._kept:
            self._kept.move_to_end(name)
            return self._kept[name]
        if not name.endswith(_SUFFIX):
            raise ConfigError(
                f"{unknown('solution', name, self.names()) if self.names() else _nothing(name)}"
            )
        from overbet.solvers.vector.store import load

        path = self.path(name)
        if path.is_file() and path.stat().st_size > self.limits.solve_bytes():
            raise TooLargeError(
                f"{name} is larger than one solution may be here; open it with `overbet show`"
            )
        solution = load(path)
        self._put(name, solution)
        return solution

    def save(self, name: str, file: str) -> Path:
        """Write a kept solution into the folder; a file that is there already is not replaced."""
        solution = self.get(name)
        path = self.path(file)
        if path.suffix != _SUFFIX:
            raise ConfigError(f"a solution's file ends in {_SUFFIX}, and {quoted(file)} does not")
        if path.exists():
            raise ConfigError(f"there is a file {quoted(file)} already; choose another name")
        solution.save(path)
        return path

    def names(self) -> list[str]:
        """Return the names of what can be shown: kept solutions, then the folder's files."""
        files = sorted(path.name for path in self.limits.folder.glob(f"*{_SUFFIX}"))[:MOST_ROWS]
        return [*self._kept, *(name for name in files if name not in self._kept)]

    def path(self, name: str) -> Path:
        """Return the path of a file of the folder; a name that leads elsewhere is refused."""
        if Path(name).name != name or name.startswith(".") or not name.isprintable():
            raise ConfigError(
                f"{quoted(name)} is not the name of a file in the server's folder; give a name alone"
            )
        return self.limits.folder / name

    def _put(self, name: str, solution: Solution) -> None:
        self._kept[name] = solution
        self._kept.move_to_end(name)
        while len(self._kept) > KEPT_SOLUTIONS:
            self._kept.popitem(last=False)


def _nothing(name: str) -> str:
    return (
        f"there is no solution {quoted(name)}: solve a spot first, or name a .h5 file of the server's folder"
    )


def node_facts(node: Node, player: str | None, classes: bool, hands: str) -> dict[str, Any]:
    """Return a node in the few numbers a reader needs.

    classes: each of the 169 classes that gets here: how much of it, its EV in chips and what it plays.
    hands: a range text: these combos one by one, `MOST_ROWS` at most.
    """
    from overbet.cards.combos import class_name
    from overbet.study.packing import plain
    from overbet.study.values import node_values

    if player not in (None, "oop", "ip"):
        raise ConfigError(f"player is oop or ip, not {quoted(player)}")
    found = node_values(node, player)
    rows = found.pop("hands")
    seat = node.seat(player)
    found["shown_player"] = seat.player
    if classes:
        weights, worth = node.class_weights(player), seat.by_class(seat.ev_chips)
        mix = seat.class_mix() if seat.strategy is not None else None
        found["classes"] = {
            class_name(index): {
                "weight": round(float(weights[index]), 4),
                "ev_chips": round(float(worth[index]), 3) if np.isfinite(worth[index]) else None,
                **_plays(node, mix[index] if mix is not None else None),
            }
            for index in np.flatnonzero(weights > 0).tolist()
        }
    if hands:
        found["hands"] = _chosen(rows, hands, seat.player, node.line)
    shown: dict[str, Any] = plain(found)
    return shown


def _plays(node: Node, shares: Any) -> dict[str, Any]:
    if shares is None:
        return {}
    return {
        "plays": {action.label: round(float(s), 4) for action, s in zip(node.actions, shares) if s >= 5e-5}
    }


def _chosen(rows: list[dict[str, Any]], hands: str, player: str, line: str) -> list[dict[str, Any]]:
    from overbet.cards.combos import combo_name
    from overbet.cards.range import Range

    wanted = {combo_name(combo) for combo in np.flatnonzero(Range.parse(hands).weights).tolist()}
    found = [row for row in rows if row["hand"] in wanted]
    if not found:
        raise ConfigError(f"{player} cannot hold {quoted(hands)} at {line}")
    if len(found) > MOST_ROWS:
        raise TooLargeError(
            f"{len(found)} combos are asked for and {MOST_ROWS} are told at once; name fewer hands"
        )
    return found
