"""The drill: decisions as they come up in play, and what an answer gives up.

A question from a solved tree: both players are dealt hands of their ranges and play the solved strategy, and
one of the asked player's decisions on the way is the question. Its values are the solution's own, and a loss
below the solve's exploitability is called within solver error. A question from a blueprint: a hand is dealt
and everybody plays the blueprint; the values come from playing on until the verdict is clear, or very many
times (`study.review`).
"""

from __future__ import annotations

import secrets
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from overbet.cards.cards import card, card_name
from overbet.cards.combos import combo as read_combo
from overbet.cards.combos import combo_cards, combo_name
from overbet.games.holdem_state import STREETS
from overbet.solvers.vector.lines import read_line
from overbet.solvers.vector.node import Node
from overbet.solvers.vector.solution import Solution
from overbet.study.drill_asked import Asked, nothing_came, tries
from overbet.study.drill_hands import played_on
from overbet.study.drill_kinds import DrillKind, Facing, kind_of_node
from overbet.study.errors import NotNowError, StudyError
from overbet.study.grades import GRADES, Grade, grade
from overbet.study.review import MOST_RUNS, how_known, why_unclear
from overbet.study.views import steps


@dataclass
class DrillScore:
    """How the drill goes; losses in % of the pot."""

    answered: int = 0
    by_grade: dict[str, int] = field(default_factory=lambda: dict.fromkeys(GRADES, 0))
    losses: float = 0.0
    within: int = 0

    def add(self, word: Grade, loss: float, *, within: bool) -> None:
        """Add a verdict. loss: in % of the pot."""
        self.answered += 1
        self.by_grade[word] += 1
        self.losses += max(0.0, loss)
        self.within += within

    def shown(self) -> dict[str, Any]:
        """Return the score as plain values."""
        mean = self.losses / self.answered if self.answered else None
        return {
            "answered": self.answered,
            "by_grade": self.by_grade,
            "mean_loss_percent_of_pot": mean,
            "within_solver_error": self.within,
        }


def verdict(question: Asked, token: str, runs: int = MOST_RUNS) -> dict[str, Any]:
    """Return how good an answer is. runs: how often at most an action of a blueprint's hand is played on."""
    actions = question.shown["actions"]
    tokens = [action["token"] for action in actions]
    if token not in tokens:
        raise StudyError(f"{token!r} is not possible here; possible: {', '.join(tokens)}", "token")
    evs, accuracy, note, chosen = list(question.evs), question.accuracy, "", tokens.index(token)
    word: Grade
    if question.hand is not None:
        found = played_on(question, token, runs)
        unit = found.decision.state.game.big_blind
        worth = {
            found.decision.state.token(choice.action): choice.ev_bb * unit
            for choice in found.decision.choices
        }
        evs = [worth.get(one) for one in tokens]
        loss, accuracy = found.loss_bb * unit, found.accuracy_bb * unit
        best = tokens.index(found.decision.state.token(found.decision.best))
        word, within = found.grade, False
        note = how_known(found.decision)
        if word == "unclear":
            note += f": {why_unclear(found.decision)}"
    else:
        known = [-np.inf if ev is None else ev for ev in evs]
        best = int(np.argmax(known))
        loss = max(0.0, known[best] - known[chosen])
        if loss == 0.0:
            best = chosen
        word, within = grade(loss, question.pot, accuracy, question.shares[chosen])
    return {
        "grade": word,
        "within_solver_error": within,
        "loss_chips": loss,
        "loss_percent_of_pot": 100 * loss / question.pot,
        "best": tokens[best],
        "chosen": token,
        "actions": [
            {**action, "frequency": share, "ev_chips": ev}
            for action, share, ev in zip(actions, question.shares, evs)
        ],
        "accuracy_percent_of_pot": 100 * accuracy / question.pot,
        "note": note,
        "link": question.link,
    }


def from_solution(
    solution: Solution,
    name: str = "",
    street: str | None = None,
    player: str | None = None,
    line: str | None = None,
    facing: Facing | None = None,
) -> Asked:
    """Return a question of a solved tree; line: a decision to ask about, any on the way where it is None."""
    rng = np.random.default_rng()
    if line is not None:
        node = _decision(solution, line)
        seat = node.seat()
        return _of_node(solution, name, node, _drawn(rng, seat.combos, seat.weight))
    wanted = DrillKind(street, player, None, facing)
    if street is not None and STREETS.index(street) < STREETS.index(solution.node().street):
        raise nothing_came(wanted)  # the spot begins later
    for _ in tries():
        asked = player or ("oop", "ip")[int(rng.integers(2))]
        met = _walked(solution, rng, wanted._replace(player=asked))
        if met is not None:
            return _of_node(solution, name, *met)
    raise nothing_came(wanted)


def solution_question(solution: Solution, name: str, line: str, hand: str) -> Asked:
    """Return the question of one hand at one line of a solved tree: a mistake that is asked again."""
    node, held = _decision(solution, line), read_combo(hand)
    if held not in node.seat().combos:
        raise NotNowError(f"{hand} is not in the range here any more; forget this mistake", "mistake")
    return _of_node(solution, name, node, held)


def _decision(solution: Solution, line: str) -> Node:
    node = solution.node(line)
    if node.player is None:
        raise StudyError(f"nobody decides at {node.line}; choose a line where a player acts", "line")
    return node


def _walked(solution: Solution, rng: np.random.Generator, wanted: DrillKind) -> tuple[Node, int] | None:
    """Deal and play one hand by the solved strategy; return a decision of the wanted kind, if one came."""
    line, met = "r:0", []
    held: dict[str, int] = {}
    while True:
        node = solution.node(line)
        if not held:
            held["oop"] = _drawn(rng, node.oop.combos, node.oop.weight)
            taken = set(combo_cards(held["oop"]))
            free = [not taken & set(combo_cards(int(combo))) for combo in node.ip.combos]
            weight = node.ip.reach * np.array(free)
            if not weight.any():
                return None
            held["ip"] = _drawn(rng, node.ip.combos, weight)
        if node.kind == "card":
            used = {c for combo in held.values() for c in combo_cards(combo)} | set(_board(node))
            line += ":" + card_name(int(rng.choice([c for c in range(52) if c not in used])))
            continue
        if node.player is None:
            break
        seat = node.seat()
        assert seat.strategy is not None
        row = int(np.flatnonzero(seat.combos == held[node.player])[0])
        if len(node.actions) > 1 and wanted.allows(kind_of_node(node)):
            met.append((node, held[node.player]))
        mix = seat.strategy[row] / seat.strategy[row].sum()
        line += ":" + node.actions[int(rng.choice(len(mix), p=mix))].token
    return met[int(rng.integers(len(met)))] if met else None


def _of_node(solution: Solution, name: str, node: Node, combo: int) -> Asked:
    seat = node.seat()
    assert seat.strategy is not None
    assert seat.action_ev_chips is not None
    row = int(np.flatnonzero(seat.combos == combo)[0])
    evs = seat.action_ev_chips[row]
    if not np.isfinite(evs).all():
        raise NotNowError(
            "the other player is never here, so nothing has a value; choose another line", "line"
        )
    identity = f"q-{secrets.token_hex(5)}"
    shown = {
        "question": identity,
        "source": name,
        "line": node.line,
        "board": node.board,
        "street": node.street,
        "hand": combo_name(combo),
        "player": seat.player,
        "pot_chips": node.pot,
        "to_call_chips": node.to_call,
        "behind_chips": node.behind[seat.player == "ip"],
        "big_blind": node.big_blind,
        "steps": steps(solution, read_line(solution.tree, node.line)),
        "actions": [{"token": action.token, "label": action.label} for action in node.actions],
    }
    accuracy = solution.exploitability / 100 * solution.spot.pot
    link = {"solve": name, "blueprint": None, "line": node.line}
    shares, kind = seat.strategy[row].tolist(), kind_of_node(node)
    return Asked(identity, shown, link, node.pot, accuracy, shares, evs.tolist(), kind=kind)


def _drawn(rng: np.random.Generator, combos: Any, weight: Any) -> int:
    if not weight.sum() > 0:
        raise NotNowError("nobody gets here; choose another line", "line")
    return int(rng.choice(combos, p=weight / weight.sum()))


def _board(node: Node) -> list[int]:
    return [card(node.board[i : i + 2]) for i in range(0, len(node.board), 2)]
