"""A card of a deck: one decision to practise, with all that is shown of it and all that judges an answer.

A card comes from the review of a played hand or from a mistake of the drill. It keeps the values it was made
with, so that it is asked and judged without the hand, the solve or the blueprint it came from. An answer that
was given before has the verdict it had then; others are judged by the same limits (`grades`).
"""

from __future__ import annotations

import re
import secrets
from typing import Annotated, Any, Literal

from pydantic import Field, FiniteFloat

from overbet.study.drill_asked import Asked
from overbet.study.errors import StudyError
from overbet.study.grades import SMALL_POT, Grade, estimated_grade, grade
from overbet.study.mistakes import LineText, MistakeAction, MistakeRecord, MistakeStep, Short
from overbet.study.records import Chips, Record, Text

Share = Annotated[FiniteFloat, Field(ge=0)]
_AMOUNT = re.compile(r"(\d+(?:\.\d+)?)(bb)?(?=$| \(all-in\)$)")


class CardSeat(Record):
    """A seat of the table a card shows: chips behind, and those put in on this street."""

    position: Short
    behind_chips: Chips
    bet_chips: Chips = 0
    folded: bool = False


class CardAnswer(Record):
    """What was answered where the card came from, and the verdict on it."""

    token: Short
    grade: Literal["inaccuracy", "mistake", "blunder"]
    loss_chips: Share


class DeckCard(Record):
    """A decision to practise.

    key: names the decision in every deck. source: where it came from, in words. note: how its values are
    known, empty for a solve of one's own. estimated: they are a blueprint's, judged as estimates are. Pots
    below four big blinds count as four, but not in a solve of one's own. accuracy_chips: how well a loss is
    known. behind_chips: what the player who decides has left. mistake, solve: the mistake of
    the drill and its solve, where it came from them.
    """

    key: Annotated[str, Field(min_length=1, max_length=300)]
    origin: Literal["hand", "drill"]
    source: Short
    note: Text = ""
    line: LineText = ""
    board: Short
    street: Literal["preflop", "flop", "turn", "river"]
    hand: Short
    player: Short
    pot_chips: Annotated[int, Field(gt=0, lt=10**12)]
    to_call_chips: Chips
    behind_chips: Chips
    big_blind: Annotated[int, Field(ge=0, lt=10**12)]
    seats: Annotated[list[CardSeat], Field(max_length=20, default_factory=list)]
    history: Annotated[list[MistakeStep], Field(max_length=200)]
    actions: Annotated[list[MistakeAction], Field(min_length=1, max_length=100)]
    best: Short
    given: CardAnswer
    accuracy_chips: Share = 0.0
    estimated: bool = False
    mistake: Short | None = None
    solve: Short | None = None
    blueprint: Short | None = None

    def in_blinds(self, chips: float) -> float:
        """Return chips as big blinds; where there is no blind, as a share of the pot."""
        return chips / (self.big_blind or self.pot_chips)


def card_of_mistake(mistake: MistakeRecord) -> DeckCard | None:
    """Return the card of a mistake of the drill, None where it does not say what there was to call."""
    if mistake.to_call_chips is None or mistake.behind_chips is None or mistake.pot_chips <= 0:
        return None
    return DeckCard(
        key=f"drill:{mistake.id}",
        origin="drill",
        source=mistake.source,
        note=mistake.note,
        to_call_chips=mistake.to_call_chips,
        behind_chips=mistake.behind_chips,
        history=list(mistake.history),
        actions=list(mistake.actions),
        given=CardAnswer(token=mistake.chosen, grade=mistake.grade, loss_chips=mistake.loss_chips),
        accuracy_chips=mistake.accuracy_chips,
        estimated=mistake.blueprint is not None,
        mistake=mistake.id,
        **{name: getattr(mistake, name) for name in _SAME},
    )


_SAME = (
    *("line", "board", "street", "hand", "player", "pot_chips", "big_blind"),
    *("best", "solve", "blueprint"),
)


def question_of(card: DeckCard, deck: int) -> Asked:
    """Return a card as a question of the drill; it is judged by `card_verdict`."""
    identity = f"q-{secrets.token_hex(5)}"
    shown = {
        "question": identity,
        "source": card.source,
        **{name: getattr(card, name) for name in _SHOWN},
        "steps": _steps(card),
        "actions": [{"token": action.token, "label": action.label} for action in card.actions],
    }
    link = {"solve": card.solve, "blueprint": card.blueprint, "line": card.line}
    shares = [action.frequency or 0.0 for action in card.actions]
    evs = [action.ev_chips for action in card.actions]
    pot = float(card.pot_chips)
    return Asked(identity, shown, link, pot, card.accuracy_chips, shares, evs, card=card, deck=deck)


_SHOWN = (
    *("line", "board", "street", "hand", "player"),
    *("pot_chips", "to_call_chips", "behind_chips", "big_blind"),
)


def _steps(card: DeckCard) -> list[dict[str, Any]]:
    """Return what led to the decision in the shape of a solve's strip."""
    later = sum(len(step.label) // 2 for step in card.history if not step.who)
    dealt = len(card.board) // 2 - later
    found = []
    for number, step in enumerate(card.history):
        if not step.who:
            dealt += len(step.label) // 2
        street = {3: "flop", 4: "turn", 5: "river"}.get(dealt, "preflop")
        token = "a" if step.who else step.label
        found.append(
            {
                "line": str(number),
                "kind": "player" if step.who else "card",
                "player": None,
                "position": step.who or None,
                "street": street,
                "pot_chips": 0,
                "options": [{"token": token, "label": step.label}] if step.who else [],
                "chosen": token,
            }
        )
    return found


def card_verdict(card: DeckCard, token: str) -> dict[str, Any]:
    """Return how good an answer is, in the shape of `drill.verdict`."""
    tokens = [action.token for action in card.actions]
    if token not in tokens:
        raise StudyError(f"{token!r} is not possible here; possible: {', '.join(tokens)}", "token")
    word, loss, within = _judged(card, card.actions[tokens.index(token)])
    return {
        "grade": word,
        "within_solver_error": within,
        "loss_chips": loss,
        "loss_percent_of_pot": 100 * loss / card.pot_chips,
        "best": card.best,
        "chosen": token,
        "actions": [action.model_dump(mode="json") for action in card.actions],
        "accuracy_percent_of_pot": 100 * card.accuracy_chips / card.pot_chips,
        "note": card.note,
        "link": {"solve": card.solve, "blueprint": card.blueprint, "line": card.line},
    }


def _judged(card: DeckCard, chosen: MistakeAction) -> tuple[Grade, float, bool]:
    """Return the word, the loss in chips, and whether that is within solver error."""
    if chosen.token == card.given.token:
        return card.given.grade, card.given.loss_chips, False
    worth = {action.token: action.ev_chips for action in card.actions if action.ev_chips is not None}
    if chosen.token == card.best:  # an estimate may say that another, which is hardly taken, is worth more
        most = card.best not in worth or worth[card.best] >= max(worth.values())
        return "best" if most else "correct", 0.0, False
    if chosen.ev_chips is None or card.best not in worth:
        return "unclear", 0.0, False
    loss, share = max(0.0, worth[card.best] - chosen.ev_chips), chosen.frequency or 0.0
    pot = float(card.pot_chips)
    if card.estimated or card.origin == "hand":
        pot = max(pot, SMALL_POT * card.big_blind)
    if not card.estimated:
        word, within = grade(loss, pot, card.accuracy_chips, share)
        return word, loss, within
    return estimated_grade(loss, pot, card.accuracy_chips, share, is_best=False), loss, False


def label_in_blinds(label: str, big_blind: int) -> str:
    """Return the name of an action with its chips as big blinds: `raise to 300` is `raise to 3 bb`."""

    def amount(found: re.Match[str]) -> str:
        blinds = float(found[1]) if found[2] else float(found[1]) / big_blind
        return f"{blinds:.2f}".rstrip("0").rstrip(".") + " bb"

    return _AMOUNT.sub(amount, label) if big_blind else label
