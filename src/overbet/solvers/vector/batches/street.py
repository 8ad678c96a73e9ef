"""What a batch keeps of every board: the figures of all nodes of the first street's betting.

The betting of a street is the same on every board, so its nodes are listed once, in the order of their lines
below, and a board has a list of numbers in that order: how often the line is played, EV and equity of both
players there, and how often each action is taken. That is some kilobytes a board, and any line of the street
can be shown without the solution.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from overbet.errors import ConfigError, quoted
from overbet.games.lines import ROOT
from overbet.solvers.vector.lines import PLAYERS, Action, actions_at, read_line, token_of
from overbet.solvers.vector.solution import Solution
from overbet.tree.betting import CHANCE, build_tree
from overbet.tree.spot import IP, OOP, Spot

_DIGITS = 8  # significant ones of a figure; tables are float32, which has seven
FIGURES = ("played", *(f"{player}_{name}" for player in PLAYERS for name in ("ev_chips", "equity")))


class StreetNode(NamedTuple):
    """A node of the first street: a decision, or the end of the street, where a card comes.

    acts: `oop`, `ip`, or empty where a card comes. pot: in chips, with all bets. actions: of a decision.
    """

    line: str
    acts: str
    pot: int
    actions: tuple[Action, ...]

    @property
    def columns(self) -> tuple[str, ...]:
        """A name for each action: its label, with the part of the line where two labels are alike."""
        labels = [action.label for action in self.actions]
        return tuple(
            label if labels.count(label) == 1 else f"{label} ({action.token})"
            for label, action in zip(labels, self.actions)
        )


Street = tuple[StreetNode, ...]


def street_of(spot: Spot) -> Street:
    """Return the nodes of a spot's first street; the board's cards play no part."""
    betting = build_tree(spot)
    lines = {0: ROOT}
    found = []
    for node in betting.street_nodes(spot.first_street):
        kind = int(betting.kind[node])
        if kind in (OOP, IP):
            for child in betting.children(node):
                lines[child] = f"{lines[node]}:{token_of(betting, child)}"
        if kind in (OOP, IP, CHANCE):
            acts = PLAYERS[kind] if kind != CHANCE else ""
            pot = spot.pot + int(betting.put[node].sum())
            found.append(StreetNode(lines[node], acts, pot, tuple(actions_at(betting, spot, node))))
    return tuple(found)


def street_values(street: Street) -> list[dict[str, Any]]:
    """Return a street as JSON has it."""
    return [{**node._asdict(), "actions": [action._asdict() for action in node.actions]} for node in street]


def read_street(values: Sequence[Mapping[str, Any]]) -> Street:
    """Return the street that JSON holds; what is none raises KeyError, TypeError or ValueError."""
    return tuple(
        StreetNode(
            str(node["line"]),
            str(node["acts"]),
            int(node["pot"]),
            tuple(
                Action(str(a["token"]), str(a["label"]), int(a["chips"]), float(a["pot_share"]))
                for a in node["actions"]
            ),
        )
        for node in values
    )


def place_in(street: Street, line: str) -> int:
    """Return the number of a line's node; an error says what is possible instead."""
    lines = {node.line: number for number, node in enumerate(street)}
    asked = line.strip().rstrip(":") or ROOT
    if asked in lines:
        return lines[asked]
    known = asked
    while known not in lines and ":" in known:
        known = known.rpartition(":")[0]
    if known not in lines:
        raise ConfigError(f"line {quoted(line)} does not begin with {ROOT}; write {ROOT}:c, for example")
    here = street[lines[known]]
    if not here.actions:
        raise ConfigError(f"{quoted(line)} goes on after {known}, where the first street ends; stop there")
    onward = [a for a in here.actions if f"{known}:{a.token}" in lines]
    possible = ", ".join(f"{known}:{a.token} ({a.label})" for a in onward) or f"{known} alone"
    raise ConfigError(f"{quoted(line)} is no decision of the first street; possible: {possible}")


def figures(solution: Solution, street: Street) -> dict[str, list[Any]]:
    """Return a solution's `FIGURES` and `frequencies`, each a list over the nodes of the street."""
    found: dict[str, list[Any]] = {name: [] for name in (*FIGURES, "frequencies")}
    for node in street:
        seen = solution.node(node.line)
        found["played"].append(_short(_played(solution, node.line)))
        for seat in (seen.oop, seen.ip):
            found[f"{seat.player}_ev_chips"].append(_short(seat.mean_ev_chips))
            found[f"{seat.player}_equity"].append(_short(seat.mean_equity))
        shares = seen.seat().frequencies().tolist() if node.acts else []
        found["frequencies"].append([_short(share) for share in shares])
    return found


def action_counts(street: Street) -> tuple[int, ...]:
    """Return how many actions each node has."""
    return tuple(len(node.actions) for node in street)


def are_figures(row: Mapping[str, Any], counts: tuple[int, ...]) -> bool:
    """Return whether a row holds figures of nodes with so many actions."""
    lists = [row.get(name) for name in (*FIGURES, "frequencies")]
    if not all(isinstance(one, list) and len(one) == len(counts) for one in lists):
        return False
    shares = row["frequencies"]
    return all(isinstance(part, list) and len(part) == count for part, count in zip(shares, counts))


def _played(solution: Solution, line: str) -> float:
    """Return how often a line of the first street is played."""
    reader = solution.reader
    place = read_line(solution.tree, line)
    one, two = (reader.reach(p, place.node, place.board).astype(float) for p in (OOP, IP))
    first, second = (hands.weights.astype(float) for hands in solution.tree.hands)
    return float(one @ reader.apart @ two / (first @ reader.apart @ second))


def _short(value: float) -> float | None:
    """Return a number with the digits worth keeping; None where it is none, since JSON knows no NaN."""
    return float(f"{value:.{_DIGITS}g}") if math.isfinite(value) else None
