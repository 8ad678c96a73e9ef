"""A solution and its nodes as plain values, for JSON: what `--json` prints, what is kept beside a file."""

from __future__ import annotations

from typing import Any

from overbet.solvers.vector.node import Node
from overbet.solvers.vector.solution import Solution
from overbet.study.packing import finite, plain


def solution_values(solution: Solution) -> dict[str, Any]:
    """Return how a solution came about and how good it is."""
    return {
        "spot": solution.spot.model_dump(mode="json", by_alias=True),
        "digest": solution.spot.digest(),
        "settings": solution.settings.model_dump(mode="json"),
        "exploitability_percent_of_pot": solution.exploitability,
        "iterations": solution.iteration,
        "seconds": solution.seconds,
        "ev_chips": {name: solution.ev(name) for name in ("oop", "ip")},
        "streets": list(solution.streets),
        "stopped": solution.interrupted,
        "history": [[look.iteration, look.exploitability, look.seconds] for look in solution.history],
    }


def node_values(node: Node, player: str | None = None) -> dict[str, Any]:
    """Return a node and every hand of a player as plain values; what is not a number becomes None."""
    seats = {
        seat.player: {
            "ev_chips": seat.mean_ev_chips,
            "ev_bb": seat.mean_ev_chips / node.big_blind if node.big_blind else None,
            "equity": seat.mean_equity,
            "realisation": seat.mean_realisation,
            "combos": float(seat.reach.sum()),
        }
        for seat in (node.oop, node.ip)
    }
    found = {
        "line": node.line,
        "board": node.board,
        "street": node.street,
        "kind": node.kind,
        "pot_chips": node.pot,
        "to_call_chips": node.to_call,
        "spr": node.spr,
        "pot_odds": node.pot_odds,
        "exploitability_percent_of_pot": node.exploitability,
        "players": seats,
        "actions": node.total_rows() if node.player else [],
        "hands": node.to_polars(player).to_dicts(),
        "note": node.note,
    }
    shown: dict[str, Any] = plain(found)
    return shown


def outcome(solution: Solution, *, resumable: bool, note: str = "") -> dict[str, Any]:
    """Return how good a solution is and how it came about; resumable: whether its file holds the regrets."""
    return {
        "iterations": solution.iteration,
        "exploitability": finite(solution.exploitability),
        "seconds": solution.seconds,
        "ev_chips": {name: finite(solution.ev(name)) for name in ("oop", "ip")},
        "resumable": resumable,
        "note": note,
        "history": [[look.iteration, finite(look.exploitability), look.seconds] for look in solution.history],
    }
