"""What a person looks at in a solution: nodes, run-outs, distributions, comparisons, exploits, blockers.

A view is plain values (`facts`) and, where every hand has a number, arrays over all 1326 combos in combo
order: NaN where a hand is not in the range or dead. Arrays named `class_...` are over the 169 classes.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from overbet.cards.blockers import by_card, by_combo
from overbet.cards.cards import card, card_name
from overbet.cards.combos import COMBOS
from overbet.cards.grid import class_means
from overbet.errors import ConfigError, unknown
from overbet.games import lines
from overbet.solvers.vector.lines import LinePlace, actions_at, follow, next_cards, read_line, root_place
from overbet.solvers.vector.node import Node, Seat
from overbet.solvers.vector.solution import Solution
from overbet.study.packing import packed, plain
from overbet.tree.betting import CHANCE, FOLD, SHOWDOWN
from overbet.tree.spot import IP, OOP, STREETS

Floats = npt.NDArray[np.float32]
Doubles = npt.NDArray[np.float64]
_KINDS = {OOP: "oop", IP: "ip", CHANCE: "card", FOLD: "fold", SHOWDOWN: "showdown"}


class View(NamedTuple):
    """Plain values, and arrays by name: float32, [1326], [actions, 1326], [169] or [actions, 169]."""

    facts: dict[str, Any]
    arrays: Mapping[str, Floats]

    def packed(self) -> bytes:
        """Return the view as bytes; `overbet.study.unpacked` reads them."""
        return packed(self.facts, self.arrays)

    def to_json(self) -> dict[str, Any]:
        """Return the facts as JSON has them: None for what is not a number."""
        found: dict[str, Any] = plain(self.facts)
        return found


def dense(combos: npt.NDArray[np.int16], values: npt.NDArray[Any], missing: float = np.nan) -> Floats:
    """Return values of some hands as [..., 1326] float32; values: [H] or [H, actions]."""
    shape = (COMBOS,) if values.ndim == 1 else (values.shape[1], COMBOS)
    found = np.full(shape, missing, np.float32)
    found[..., combos] = values.T
    return found


def _floats(values: npt.NDArray[np.float64]) -> Floats:
    return values.astype(np.float32)


def node_header(solution: Solution, line: str = "r:0") -> tuple[dict[str, Any], Node]:
    """Return the facts of a node, and the node."""
    node = solution.node(line)
    place = read_line(solution.tree, line)
    cards = list(next_cards(solution.tree, place)) if node.kind == "card" else []
    header = {
        "line": node.line,
        "board": node.board,
        "street": node.street,
        "kind": node.kind,
        "player": node.player,
        "pot_chips": node.pot,
        "starting_pot_chips": solution.spot.pot,
        "to_call_chips": node.to_call,
        "behind_chips": list(node.behind),
        "big_blind": node.big_blind,
        "spr": node.spr,
        "pot_odds": node.pot_odds,
        "exploitability": node.exploitability,
        "note": node.note,
        "actions": _actions(node),
        "cards": cards,
        "steps": steps(solution, place),
        "players": {seat.player: seat_facts(seat) for seat in (node.oop, node.ip)},
        "locks": [lock.model_dump(mode="json", exclude_none=True) for lock in solution.locks],
    }
    return header, node


def node_view(solution: Solution, line: str = "r:0") -> View:
    """Return a node with the numbers of all hands of both players, and of the classes of the grid."""
    header, node = node_header(solution, line)
    arrays: dict[str, Floats] = {}
    for seat in (node.oop, node.ip):
        name = seat.player
        arrays[f"{name}.reach"] = dense(seat.combos, seat.reach, 0.0)
        arrays[f"{name}.weight"] = dense(seat.combos, seat.weight, 0.0)
        arrays[f"{name}.ev"] = dense(seat.combos, seat.ev_chips)
        arrays[f"{name}.equity"] = dense(seat.combos, seat.equity)
        arrays[f"{name}.realisation"] = dense(seat.combos, seat.realisation)
        arrays[f"{name}.class_combos"] = _floats(seat.class_combos())
        arrays[f"{name}.class_weight"] = _floats(node.class_weights(name))
        arrays[f"{name}.class_ev"] = _floats(seat.by_class(seat.ev_chips, never=True))
        arrays[f"{name}.class_equity"] = _floats(seat.by_class(seat.equity, never=True))
        arrays[f"{name}.class_realisation"] = _floats(seat.by_class(seat.realisation, never=True))
    if node.player:
        acting = node.seat()
        assert acting.strategy is not None
        assert acting.action_ev_chips is not None
        arrays["strategy"] = dense(acting.combos, acting.strategy)
        arrays["class_mix"] = _floats(acting.class_mix().T)
        arrays["action_ev"] = dense(acting.combos, acting.action_ev_chips)
    return View(header, arrays)


def seat_facts(seat: Seat) -> dict[str, Any]:
    """Return a range's means."""
    ev = seat.mean_ev_chips
    return {
        "ev_chips": ev,
        "equity": seat.mean_equity,
        "realisation": seat.mean_realisation,
        "combos": float(seat.reach.sum()),
        "played": seat.played,
        "ev_share_of_pot": ev / seat.pot,
    }


def _actions(node: Node) -> list[dict[str, Any]]:
    if not node.player:
        return []
    kept = ("token", "label", "chips", "pot_share", "frequency", "combos", "ev_chips")
    return [
        {key: row["action" if key == "label" else key] for key in kept}
        | {"line": f"{node.line}:{row['token']}"}
        for row in node.total_rows()
    ]


def steps(solution: Solution, place: LinePlace) -> list[dict[str, Any]]:
    """Return the strip: every step of the line before its end, what was possible and what was chosen."""
    tree, spot = solution.tree, solution.spot
    here = root_place(tree)
    found = []
    for part in map(str, lines.parse(place.line)):
        kind = int(tree.betting.kind[here.node])
        found.append(
            {
                "line": here.line,
                "kind": _KINDS[kind],
                "player": _KINDS[kind] if kind in (OOP, IP) else None,
                "street": STREETS[int(tree.betting.street[here.node])],
                "pot_chips": spot.pot + int(tree.betting.put[here.node].sum()),
                "options": [
                    {"token": action.token, "label": action.label}
                    for action in actions_at(tree.betting, spot, here.node)
                ],
                "chosen": part,
            }
        )
        here = follow(tree, here, part)
    return found


def runouts(solution: Solution, line: str, then: str = "") -> dict[str, Any]:
    """Return the report over the cards that come at the end of a line."""
    frame = solution.report(line, then)
    place = read_line(solution.tree, line)
    seats = [f"{p}_{what}" for p in ("oop", "ip") for what in ("ev_chips", "ev_bb", "equity", "realisation")]
    fixed = {"card", "like", "probability", "pot_chips", "pot_bb", "acts", *seats}
    labels = [name for name in frame.columns if name not in fixed]
    rows = [
        {
            "card": row["card"],
            "number": card(row["card"]),
            "like": row["like"],
            "probability": row["probability"],
            "pot_chips": row["pot_chips"],
            "acts": row["acts"],
            **{
                p: {what: row[f"{p}_{what}"] for what in ("ev_chips", "equity", "realisation")}
                for p in ("oop", "ip")
            },
            "frequencies": {label: row[label] for label in labels},
        }
        for row in frame.iter_rows(named=True)
    ]
    street = STREETS[len(place.cards) - 2]
    return {"line": place.line, "then": then, "street": street, "labels": labels, "rows": rows}


def equity_distribution(solution: Solution, line: str = "r:0", points: int = 101) -> dict[str, Any]:
    """Return equity and EV of each part of both ranges, from the hand with the least to that with the most.

    share: from 0 to 1; equity, ev_chips: what the hand at that share has, each in its own order.
    """
    node = solution.node(line)
    return {"line": node.line} | {seat.player: _distribution(seat, points) for seat in (node.oop, node.ip)}


def _distribution(seat: Seat, points: int) -> dict[str, Any]:
    known = np.isfinite(seat.equity) & (seat.weight > 0)
    share = np.linspace(0.0, 1.0, points)
    found = {"share": share.tolist(), "combos": float(seat.reach[known].sum())}
    for name, values in (("equity", seat.equity), ("ev_chips", seat.ev_chips)):
        found[name] = _ascending(values, seat.weight, share)
    return found


def _ascending(values: Doubles, weight: Doubles, share: Doubles) -> list[float | None]:
    """Return the value of the hand at each share of a range; values, weight: [H]; share: [points]."""
    known = np.isfinite(values) & (weight > 0)
    if not known.any():
        return [None] * len(share)
    order = np.flatnonzero(known)[np.argsort(values[known], kind="stable")]
    upto = np.cumsum(weight[order]) / weight[order].sum()
    # the hand that holds the place: the first one whose weight, added to all below, reaches it
    at = np.minimum(np.searchsorted(upto, share - 1e-12), len(order) - 1)
    found: list[float | None] = values[order][at].tolist()
    return found


def compare_actions(solution: Solution, line: str, first: str, second: str) -> View:
    """Return two actions of a decision side by side: what each is worth to every hand, and to the range."""
    node = solution.node(line)
    if not node.player:
        raise ConfigError(f"nobody acts at {node.line}; compare actions at a line where a player decides")
    seat = node.seat()
    assert seat.action_ev_chips is not None
    tokens = [action.token for action in node.actions]
    for token in (first, second):
        if token not in tokens:
            raise ConfigError(unknown("action", token, tokens))
    one, two = tokens.index(first), tokens.index(second)
    shares = seat.frequencies()
    evs = seat.action_ev_chips
    difference = evs[:, one] - evs[:, two]
    facts = [
        {
            "token": tokens[number],
            "label": node.actions[number].label,
            "ev_chips": seat.mean(evs[:, number]),
            "frequency": float(shares[number]),
        }
        for number in (one, two)
    ]
    header = {
        "line": node.line,
        "player": node.player,
        "first": facts[0],
        "second": facts[1],
        "difference_chips": seat.mean(difference),
        "prefers_first": float(seat.weight[difference > 0].sum()),
        "prefers_second": float(seat.weight[difference < 0].sum()),
    }
    arrays = {"first_ev": evs[:, one], "second_ev": evs[:, two], "difference": difference}
    found = {name: dense(seat.combos, values) for name, values in arrays.items()}
    return View(header, found | {"class_difference": _floats(seat.by_class(difference, never=True))})


def exploit_view(solution: Solution, line: str, player: str) -> View:
    """Return the best response of a player from a node on, and what each hand gains by it."""
    found = solution.best_response(player, line)
    header = {
        "line": found.line,
        "player": found.player,
        "actions": [{"token": action.token, "label": action.label} for action in found.actions],
        "ev_chips": found.ev - found.gain_chips,
        "best_ev_chips": found.ev,
        "gain_chips": found.gain_chips,
        "gain_percent_of_pot": found.gain,
        "exploitability": found.exploitability,
    }
    arrays = {
        "weight": dense(found.combos, found.weight, 0.0),
        "ev": dense(found.combos, found.ev_chips),
        "best_ev": dense(found.combos, found.best_ev_chips),
        "gain": dense(found.combos, found.gains_chips),
        "class_gain": _floats(class_means(found.combos, found.gains_chips, found.weight)),
    }
    if found.action_ev_chips is not None:
        values = found.action_ev_chips
        arrays["action_ev"] = dense(found.combos, values)
        known = np.isfinite(values).any(1)
        best = np.where(known, np.where(np.isnan(values), -np.inf, values).argmax(1), np.nan)
        arrays["best_action"] = dense(found.combos, best)
        arrays["class_best"] = _floats(found.class_mix().T)
    return View(header, arrays)


def blocker_view(solution: Solution, line: str = "r:0") -> View:
    """Return what holding a card, or a hand, does to how often the acting player takes each action."""
    node = solution.node(line)
    if not node.player:
        raise ConfigError(f"nobody acts at {node.line}; blockers are shown where a player decides")
    seat = node.seat()
    assert seat.strategy is not None
    reach = dense(seat.combos, seat.reach if seat.played else seat.weight, 0.0).astype(np.float64)
    strategy = np.nan_to_num(dense(seat.combos, seat.strategy).astype(np.float64))
    board = tuple(card(node.board[i : i + 2]) for i in range(0, len(node.board), 2))
    alone = by_card(reach, strategy, board)
    header = {
        "line": node.line,
        "player": node.player,
        "holder": "ip" if node.player == "oop" else "oop",
        "actions": [{"token": action.token, "label": action.label} for action in node.actions],
        "frequencies": alone.frequencies.tolist(),
        "cards": [
            {
                "card": card_name(number),
                "number": number,
                "combos_removed": float(alone.removed[number]),
                "frequencies": alone.given[:, number].tolist(),
            }
            for number in range(52)
            if number not in board
        ],
    }
    return View(header, {"frequencies": by_combo(reach, strategy, board).astype(np.float32)})
