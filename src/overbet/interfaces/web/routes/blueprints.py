"""The blueprint browser: what there is, and what is played at a line, hand by hand and bucket by bucket."""

from __future__ import annotations

from itertools import pairwise
from typing import Annotated, Any

import numpy as np
from fastapi import APIRouter, Query, Request

from overbet.blueprint.catalogue import shipped_blueprints
from overbet.blueprint.query import Blueprint
from overbet.cards.cards import cards as read_cards
from overbet.cards.cards import cards_name
from overbet.cards.combos import CLASSES, COMBOS, class_of_combos, live_combos
from overbet.cards.grid import class_means
from overbet.errors import IllegalActionError
from overbet.games import lines
from overbet.interfaces.web.binary import Packed
from overbet.interfaces.web.faults import Fault, at
from overbet.interfaces.web.models import play as models
from overbet.interfaces.web.models.training import manifest_shown
from overbet.interfaces.web.routes.study import _BINARY, AtLine
from overbet.interfaces.web.state import state_of
from overbet.study.blueprint_lines import dealt, line_with_board, path, reach, streets_between
from overbet.study.blueprint_spot import blueprint_spot
from overbet.study.line_walk import LineStep, first_in, state_after, steps, walked_reach, with_cards
from overbet.study.packing import packed

router = APIRouter(prefix="/api/blueprints", tags=["blueprints"])
_STREETS = ("preflop", "flop", "turn", "river")
_LYING = (0, 3, 4, 5)


@router.get("")
def blueprints(request: Request) -> models.Blueprints:
    """Return the shipped and own blueprints with their manifests."""
    shown, members = [], {one.name: one for one in shipped_blueprints(paid=None)}
    for entry in state_of(request).blueprints.all():
        facts = entry.facts
        member = members.get(entry.path.stem) if entry.origin == "shipped" else None
        shown.append(
            models.BlueprintShown(
                id=entry.id,
                name=facts.get("name", entry.id),
                origin=entry.origin,
                family=member.family if member else None,
                paid=member.paid if member else 1,
                tables=facts.get("tables", "dense"),
                players=facts.get("players"),
                stack_bb=facts.get("stack_bb"),
                big_blind=facts.get("big_blind"),
                positions=facts.get("positions", []),
                manifest=manifest_shown(facts.get("manifest", {})),
                error=entry.error,
            )
        )
    return models.Blueprints(blueprints=shown)


@router.get("/{id}/node.bin", response_class=Packed, responses=_BINARY)
def node(
    request: Request, id: str, line: AtLine = "r:0", board: Annotated[str, Query(max_length=40)] = ""
) -> Packed:
    """Return a decision: every hand's mix (where its board is known) and every bucket's."""
    blueprint = state_of(request).blueprints.open(id)
    with at("board", 422):
        given = read_cards(board)
    with at("line", 422):
        return Packed(node_bytes(blueprint, line, given))


@router.get("/{id}/spot")
def spot(
    request: Request, id: str, line: AtLine = "r:0", board: Annotated[str, Query(max_length=40)] = ""
) -> models.BlueprintSpotShown:
    """Return the postflop spot a line leads to: board, pot, stacks and the ranges with the line's weights."""
    blueprint = state_of(request).blueprints.open(id)
    with at("board", 422):
        given = read_cards(board) or read_cards(lines.board(lines.parse(line)))
    with at("line", 422):
        found = blueprint_spot(blueprint, line, given)
    return models.BlueprintSpotShown(
        board=cards_name(found.board),
        street=_STREETS[found.street],
        pot_chips=found.pot,
        stacks_chips=list(found.stacks),
        big_blind=found.big_blind,
        least_bet_chips=found.least_bet,
        rake_share=found.rake[0],
        rake_cap_chips=found.rake[1],
        positions=list(found.positions),
        ranges=models.BothRanges(oop=found.ranges[0].text(), ip=found.ranges[1].text()),
        actions=[models.PositionAction(position=position, label=label) for position, label in found.actions],
    )


def node_bytes(blueprint: Blueprint, line: str, board: tuple[int, ...] = ()) -> bytes:
    """Return one decision of a blueprint. board: cards that lie, where the line does not name them.

    Every line in the answer names the board as far as it is known, so that following it keeps the board.
    """
    tokens = lines.parse(line)
    written = read_cards(lines.board(tokens))
    if len(board) > 5 or len(written) > 5:
        raise Fault(422, "a board has at most 5 cards", "board")
    lying = board if board[: len(written)] == written else written
    lying = lying[: max(count for count in _LYING if count <= len(lying))]  # whole streets
    seats = [{"position": position, "line": seat} for position, seat in first_in(blueprint)]
    if blueprint.tables == "keyed":
        return _walked_bytes(blueprint, lines.text(tokens), lying, seats)
    tree = blueprint.tree
    found = tree.find(lines.text(tokens))
    if tree.nodes.player[found] < 0:
        raise IllegalActionError("the hand is over after this action: there is nothing to decide")
    street = int(tree.nodes.street[found])
    wanted = _LYING[street]
    by_bucket = blueprint.strategy_by_bucket(tree.line(found))
    buckets = len(by_bucket)
    reached = ~np.isnan(by_bucket[:, 0])
    actions = _actions(blueprint, found, by_bucket, reached, lying)
    here = tree.game.deal(0).follow(tree.line(found))
    header: dict[str, Any] = {
        "line": line_with_board(tree, found, lying),
        "board": cards_name(lying[:wanted]),
        "street": _STREETS[street],
        "player": int(tree.nodes.player[found]),
        "position": tree.game.position(int(tree.nodes.player[found])),
        "pot_chips": here.pot,
        "to_call_chips": here.to_call,
        "stacks_chips": list(here.stacks),
        "big_blind": tree.game.big_blind,
        "actions": actions,
        "seats": seats,
        "steps": _steps(blueprint, found, lying),
        "buckets": buckets,
        "reached": float(reached.mean()),
        "needs_board": max(0, wanted - len(lying)),
    }
    arrays: dict[str, Any] = {"by_bucket": by_bucket.T}
    if len(lying) >= wanted:
        numbers = blueprint.cards.of_board(lying[:wanted])
        arrays["strategy"] = blueprint.strategy_for_all_hands(
            tree.line(found), lying[:wanted], allow_missing=True
        ).T
        arrays["bucket"] = np.where(numbers >= 0, numbers, np.nan)
        _weigh(arrays, reach(blueprint, found, lying[:wanted]), actions)
    return packed(header, arrays)


def _walked_bytes(
    blueprint: Blueprint, line: str, lying: tuple[int, ...], seats: list[dict[str, str]]
) -> bytes:
    """Return one decision of a blueprint without a tree, walked line by line."""
    walked = steps(blueprint, line)
    last = walked[-1]
    wanted = _LYING[last.street]
    here = state_after(blueprint, last.line)
    names = blueprint.action_names(last.line)
    known = len(lying) >= wanted
    at_board = last.line if not known else with_cards(walked, lying)
    # a row is found by the board's texture, too: without the cards there is nothing to show but the actions
    by_bucket = blueprint.strategy_by_bucket(at_board) if known else np.zeros((0, len(names)))
    reached = ~np.isnan(by_bucket[:, 0])
    actions = []
    for place, (token, amount) in enumerate(zip(last.tokens, blueprint.actions(last.line))):
        after = state_after(blueprint, f"{last.line}:{token}")
        over, street = after.current_player() < 0, _STREETS.index(after.street)
        actions.append(
            {
                "amount": amount,
                "token": token,
                "label": names[place],
                "line": None if over else with_cards(walked, lying, token, street),
                "ends": "over" if over else "card" if street > last.street else "decision",
                "frequency": float(by_bucket[reached, place].mean()) if reached.any() else None,
            }
        )
    header: dict[str, Any] = {
        "line": with_cards(walked, lying),
        "board": cards_name(lying[:wanted]),
        "street": _STREETS[last.street],
        "player": last.player,
        "position": blueprint.game.position(last.player),
        "pot_chips": here.pot,
        "to_call_chips": here.to_call,
        "stacks_chips": list(here.stacks),
        "big_blind": blueprint.game.big_blind,
        "actions": actions,
        "seats": seats,
        "steps": _walked_steps(blueprint, walked, lying),
        "buckets": blueprint.cards.counts[last.street],
        "reached": float(reached.mean()) if known else None,
        "needs_board": max(0, wanted - len(lying)),
    }
    arrays: dict[str, Any] = {}
    if known:
        arrays["by_bucket"] = by_bucket.T
        numbers = blueprint.cards.of_board(lying[:wanted])
        arrays["strategy"] = blueprint.strategy_for_all_hands(last.line, lying[:wanted], allow_missing=True).T
        arrays["bucket"] = np.where(numbers >= 0, numbers, np.nan)
        held = walked_reach(blueprint, walked, last.player, lying) * live_combos(lying[:wanted])
        _weigh(arrays, held, actions)
    return packed(header, arrays)


def _walked_steps(
    blueprint: Blueprint, walked: list[LineStep], lying: tuple[int, ...]
) -> list[dict[str, Any]]:
    """Return the strip of a walk, as `_steps` does of a tree."""
    found: list[dict[str, Any]] = []
    for place, step in enumerate(walked[:-1]):
        names = blueprint.action_names(step.line)
        options = [{"token": token, "label": label} for token, label in zip(step.tokens, names)]
        line = with_cards([*walked[:place], step._replace(taken="")], lying)
        position = blueprint.game.position(step.player)
        street = _STREETS[step.street]
        found.append(
            {"line": line, "position": position, "street": street, "options": options, "chosen": step.taken}
        )
        line = f"{line}:{step.taken}"
        for later in range(step.street + 1, walked[place + 1].street + 1):
            cards = cards_name(dealt(lying, later))
            if cards:
                found.append(
                    {
                        "line": line,
                        "position": None,
                        "street": _STREETS[later],
                        "options": [],
                        "chosen": cards,
                    }
                )
                line = f"{line}:{cards}"
    return found


def _weigh(arrays: dict[str, Any], weight: Any, actions: list[dict[str, Any]]) -> None:
    """Add what gets here: of every hand, and of the classes of the grid; and how often each action is taken.

    weight: [1326], the reach of the line. A line that no hand takes has the plain mean of all.
    """
    strategy = arrays["strategy"]
    held = np.isfinite(strategy[0])
    counts = np.bincount(class_of_combos()[held], minlength=CLASSES)
    sums = np.bincount(class_of_combos(), np.where(held, weight, 0.0), CLASSES)
    arrays["reach"] = weight
    arrays["class_mix"] = class_means(np.arange(COMBOS), strategy.T, weight).T
    arrays["class_weight"] = np.divide(sums, counts, out=np.zeros(CLASSES), where=counts > 0)
    shares = np.where(held, weight, 0.0) if (weight[held] > 0).any() else held.astype(np.float64)
    for place, action in enumerate(actions):
        total = float(shares.sum())
        action["frequency"] = float((shares[held] * strategy[place][held]).sum() / total) if total else None


def _actions(
    blueprint: Blueprint, node: int, by_bucket: Any, reached: Any, lying: tuple[int, ...]
) -> list[dict[str, Any]]:
    tree = blueprint.tree
    names, tokens = tree.action_names(node), tree.tokens(node)
    found = []
    for place, child in enumerate(tree.children(node)):
        over = bool(tree.nodes.player[child] < 0)
        later = not over and int(tree.nodes.street[child]) > int(tree.nodes.street[node])
        amount = int(tree.nodes.action[child])
        mean = float(by_bucket[reached, place].mean()) if reached.any() else None
        found.append(
            {
                "amount": amount,
                "token": tokens[place],
                "label": names[place],
                "line": None if over else line_with_board(tree, child, lying),
                "ends": "over" if over else "card" if later else "decision",
                "frequency": mean,
            }
        )
    return found


def _steps(blueprint: Blueprint, node: int, lying: tuple[int, ...]) -> list[dict[str, Any]]:
    """Return the strip: the decisions before this one, what was possible, what was chosen; and the cards."""
    tree = blueprint.tree
    found: list[dict[str, Any]] = []
    for here, child in pairwise(path(tree, node)):
        line = line_with_board(tree, here, lying)
        tokens = tree.tokens(here)
        chosen = tokens[tree.children(here).index(child)]
        found.append(
            {
                "line": line,
                "position": tree.game.position(int(tree.nodes.player[here])),
                "street": _STREETS[int(tree.nodes.street[here])],
                "options": [
                    {"token": token, "label": label} for token, label in zip(tokens, tree.action_names(here))
                ],
                "chosen": chosen,
            }
        )
        line = f"{line}:{chosen}"
        for street in streets_between(tree, here, child):
            cards = cards_name(dealt(lying, street))
            if cards:
                found.append(
                    {
                        "line": line,
                        "position": None,
                        "street": _STREETS[street],
                        "options": [],
                        "chosen": cards,
                    }
                )
                line = f"{line}:{cards}"
    return found
