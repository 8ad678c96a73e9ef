"""How the parts of a range play, by name: what top pair bets, what flush draws check.

Every hand has one made hand, so the rows of made hands add up to the range; it may have several draws or
none, so those of draws do not. Shares, frequencies and means go by weight, as the totals of a node do: the
frequencies of the made hands, times their shares, are the totals.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from overbet.cards.cards import cards
from overbet.cards.categories import DRAWS, MADE, categories
from overbet.solvers.vector.node import Node, Seat
from overbet.solvers.vector.solution import Solution

if TYPE_CHECKING:
    import polars

Bools = npt.NDArray[np.bool_]
LEAST_SHARE = 5e-4  # of the range: averages hold traces of what was tried and given up


def category_breakdown(solution: Solution, line: str = "r:0", player: str | None = None) -> dict[str, Any]:
    """Return the made hands and draws of a player's range at a node (the acting one unless named).

    A row has key, label, combos, share (of the range), ev_chips, equity, realisation, and frequencies: of
    each action in order, empty where the player does not act. Strongest first.
    """
    node = solution.node(line)
    seat = node.seat(player)
    found = categories(cards(node.board))
    made, draws = found.made[seat.combos], found.draws[seat.combos]
    acts = seat.strategy is not None
    return {
        "line": node.line,
        "board": node.board,
        "player": seat.player,
        "actions": [{"token": one.token, "label": one.label} for one in node.actions] if acts else [],
        "made": _rows(seat, ((key, MADE[key], made == at) for at, key in enumerate(MADE))),
        "draws": _rows(seat, ((key, DRAWS[key], draws >> at & 1 == 1) for at, key in enumerate(DRAWS))),
    }


def breakdown_frame(found: dict[str, Any], node: Node) -> polars.DataFrame:
    """Return a breakdown as one table, made hands before draws; a column for each action."""
    import polars

    from overbet.solvers.vector.node import with_blinds

    labels = [action["label"] for action in found["actions"]]
    rows = []
    for kind in ("made", "draws"):
        for row in found[kind]:
            means = {key: row[key] for key in ("combos", "share", "ev_chips", "equity", "realisation")}
            mix = dict(zip(labels, row["frequencies"]))
            rows.append({"kind": kind, "category": row["label"], **means, **mix})
    return with_blinds(polars.DataFrame(rows), node.big_blind)


def _rows(seat: Seat, parts: Iterable[tuple[str, str, Bools]]) -> list[dict[str, Any]]:
    rows = []
    for key, label, held in parts:
        weight = np.where(held, seat.weight, 0.0)
        share = float(weight.sum())
        if share < LEAST_SHARE:
            continue
        ev, equity = seat.mean(seat.ev_chips, weight), seat.mean(seat.equity, weight)
        mix = [] if seat.strategy is None else (weight @ seat.strategy / share).tolist()
        rows.append(
            {
                "key": key,
                "label": label,
                "combos": float(seat.reach[held].sum()),
                "share": share,
                "frequencies": mix,
                "ev_chips": ev,
                "equity": equity,
                "realisation": ev / (equity * seat.pot) if equity > 0 else float("nan"),
            }
        )
    return rows
