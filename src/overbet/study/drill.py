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

from overbet.agents.compiled import CompiledAgent
from overbet.agents.protocol import Observation
from overbet.cards.cards import card, card_name, cards_name
from overbet.cards.combos import combo_cards, combo_name
from overbet.evaluation.match_review import review_hand
from overbet.games.holdem_state import STREETS, HoldemState
from overbet.solvers.vector.lines import read_line
from overbet.solvers.vector.node import Node
from overbet.solvers.vector.solution import Solution
from overbet.study.errors import NotNowError, StudyError
from overbet.study.grades import GRADES, Grade, grade
from overbet.study.review import ReviewedDecision, full_effort, how_known, reviewed, why_unclear
from overbet.study.views import steps

_TRIES = 40


@dataclass
class Asked:
    """A question that waits for its answer. shown: what the person sees; the rest is for the verdict.

    shares, evs: by action, in the order of shown["actions"]; evs in chips, None where they are found when it
    is answered. pot, accuracy: in chips.
    """

    id: str
    shown: dict[str, Any]
    link: dict[str, Any]
    pot: float
    accuracy: float
    shares: list[float]
    evs: list[float | None]
    hand: tuple[HoldemState, int, CompiledAgent, int, int] | None = None


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


def verdict(question: Asked, token: str) -> dict[str, Any]:
    """Return how good an answer is."""
    actions = question.shown["actions"]
    tokens = [action["token"] for action in actions]
    if token not in tokens:
        raise StudyError(f"{token!r} is not possible here; possible: {', '.join(tokens)}", "token")
    evs, accuracy, note, chosen = list(question.evs), question.accuracy, "", tokens.index(token)
    word: Grade
    if question.hand is not None:
        found = _played_on(question, token)
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
) -> Asked:
    """Return a question of a solved tree; line: a decision to ask about, any on the way where it is None."""
    rng = np.random.default_rng()
    if line is not None:
        node = solution.node(line)
        if node.player is None:
            raise StudyError(f"nobody decides at {node.line}; choose a line where a player acts", "line")
        seat = node.seat()
        return _of_node(solution, name, node, _drawn(rng, seat.combos, seat.weight))
    for _ in range(_TRIES):
        asked = player or ("oop", "ip")[int(rng.integers(2))]
        met = _walked(solution, rng, asked, street)
        if met is not None:
            return _of_node(solution, name, *met)
    where = f" on the {street}" if street else ""
    raise NotNowError(f"no decision came up{where}; choose another street or player", "street")


def _walked(
    solution: Solution, rng: np.random.Generator, asked: str, street: str | None
) -> tuple[Node, int] | None:
    """Deal and play one hand by the solved strategy; return one of the asked player's decisions."""
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
        if node.player == asked and len(node.actions) > 1 and street in (None, node.street):
            met.append((node, held[asked]))
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
        "behind_chips": min(node.behind),
        "big_blind": node.big_blind,
        "steps": steps(solution, read_line(solution.tree, node.line)),
        "actions": [{"token": action.token, "label": action.label} for action in node.actions],
    }
    accuracy = solution.exploitability / 100 * solution.spot.pot
    link = {"solve": name, "blueprint": None, "line": node.line}
    return Asked(identity, shown, link, node.pot, accuracy, seat.strategy[row].tolist(), evs.tolist())


def from_blueprint(agent: CompiledAgent, game: Any, name: str, street: str | None) -> Asked:
    """Return a question of a blueprint: a decision of a hand that it plays against itself."""
    rng = np.random.default_rng()
    for _ in range(_TRIES):
        seed = int(rng.integers(2**40))
        hero = int(rng.integers(game.num_players))
        state = game.deal(seed, 0)
        met: list[HoldemState] = []
        while not state.is_terminal():
            if state.current_player() == hero and street in (None, state.street):
                met.append(state)
            state = state.apply(agent.act(Observation.of(state, seed, 0)))
        if met:
            return _of_hand(agent, name, met[int(rng.integers(len(met)))], seed, hero)
    raise NotNowError(f"no decision came up on the {street}; choose another street", "street")


def _of_hand(agent: CompiledAgent, name: str, state: HoldemState, seed: int, hero: int) -> Asked:
    seen = Observation.of(state, seed, 0)
    strategy = agent.strategy_for_all_hands(seen.public)
    row = strategy.of_hand(seen.combo)
    identity = f"q-{secrets.token_hex(5)}"
    shown = {
        "question": identity,
        "source": name,
        "line": state.line,
        "board": cards_name(state.board),
        "street": state.street,
        "hand": cards_name(sorted(state.hole[hero], reverse=True)),
        "player": state.game.position(hero),
        "pot_chips": state.pot,
        "to_call_chips": state.to_call,
        "behind_chips": state.stacks[hero],
        "big_blind": state.game.big_blind,
        "steps": _hand_steps(state),
        "actions": [{"token": state.token(a), "label": state.action_name(a)} for a in strategy.actions],
    }
    link = {"solve": None, "blueprint": name, "line": state.line}
    hand = (state, hero, agent, seed, 0)
    return Asked(identity, shown, link, state.pot, 0.0, row.tolist(), [None] * len(row), hand)


def _played_on(question: Asked, token: str) -> ReviewedDecision:
    """Return the verdict on an answer, by playing on from the question many times with each action."""
    assert question.hand is not None
    state, hero, agent, seed, number = question.hand
    final = state.apply(state.action(token))
    while not final.is_terminal():
        final = final.apply(agent.act(Observation.of(final, seed, number)))
    place = sum(1 for _, player, _ in state.history if player == hero)
    seats = [agent] * state.game.num_players
    (found,) = review_hand(
        final, hero, seats, seed=seed, hand=number, adviser=agent, effort=full_effort(), only=place
    )
    return reviewed(found)


def _hand_steps(state: HoldemState) -> list[dict[str, Any]]:
    """Return the strip of a hand: who did what, in the shape of a solve's strip."""
    here = state.game.deal(0)
    found = []
    for street, player, action in state.history:
        token = here.token(action)
        found.append(
            {
                "line": here.line,
                "kind": "player",
                "player": None,
                "position": state.game.position(player),
                "street": STREETS[street],
                "pot_chips": here.pot,
                "options": [{"token": token, "label": here.action_name(action)}],
                "chosen": token,
            }
        )
        here = here.apply(action)
    return found


def _drawn(rng: np.random.Generator, combos: Any, weight: Any) -> int:
    if not weight.sum() > 0:
        raise NotNowError("nobody gets here; choose another line", "line")
    return int(rng.choice(combos, p=weight / weight.sum()))


def _board(node: Node) -> list[int]:
    return [card(node.board[i : i + 2]) for i in range(0, len(node.board), 2)]
