"""The mistakes of the drill, kept with their verdicts so that they can be looked at and asked again.

A mistake names where it came from (a solve or a blueprint) and what it takes to ask the very decision again:
the line and the hand of a solve, the deal and the actions of a hand. What an answer gave up stays as it was
said; when it is asked again the verdict is new.
"""

from __future__ import annotations

import secrets
from typing import Annotated, Any, Literal

from pydantic import Field, FiniteFloat

from overbet.study.drill_asked import Asked
from overbet.study.drill_kinds import DrillKind, Facing, PotKind
from overbet.study.grades import Grade
from overbet.study.records import Chips, Count, Id, Number, Record

FAULTS: tuple[Grade, ...] = ("inaccuracy", "mistake", "blunder")
RIGHT: tuple[Grade, ...] = ("best", "correct")
Short = Annotated[str, Field(max_length=200)]
LineText = Annotated[str, Field(max_length=400)]


class MistakeStep(Record):
    """What somebody did before the decision, or a card that came; who: the position, empty for a card."""

    who: Short
    label: Short


class MistakeAction(Record):
    """An action with what was known of it."""

    token: Short
    label: Short
    frequency: Number
    ev_chips: Number


class MistakeRecord(Record):
    """A mistake as the file keeps it. seed, taken: the deal and the actions of a hand, None in a solve."""

    id: Id
    when: Short
    solve: Id | None
    blueprint: Id | None
    source: Short
    line: LineText
    board: Short
    street: Literal["preflop", "flop", "turn", "river"]
    hand: Short
    player: Short
    pot: PotKind | None
    facing: Facing | None
    pot_chips: Chips
    big_blind: Chips
    history: Annotated[list[MistakeStep], Field(max_length=200)]
    actions: Annotated[list[MistakeAction], Field(max_length=100)]
    chosen: Short
    best: Short
    grade: Literal["inaccuracy", "mistake", "blunder"]
    loss_chips: Annotated[FiniteFloat, Field(ge=0)]
    loss_percent_of_pot: Annotated[FiniteFloat, Field(ge=0)]
    seed: Count | None = None
    taken: Annotated[list[Chips], Field(max_length=1000)] | None = None
    tries: Count = 0
    again: Literal["best", "correct", "inaccuracy", "mistake", "blunder", "unclear"] | None = None
    mended: bool = False
    to_call_chips: Chips | None = None  # None in records of older versions
    behind_chips: Chips | None = None
    accuracy_chips: Annotated[FiniteFloat, Field(ge=0)] = 0.0
    note: Annotated[str, Field(max_length=2000)] = ""

    @property
    def kind(self) -> DrillKind:
        """What the decision is about."""
        return DrillKind(self.street, self.player, self.pot, self.facing)

    def tried(self, grade: Grade) -> MistakeRecord:
        """Return the record after it was answered again."""
        return self.model_copy(update={"tries": self.tries + 1, "again": grade, "mended": grade in RIGHT})


def mistake_of(question: Asked, found: dict[str, Any], source: str, when: str) -> MistakeRecord | None:
    """Return what is kept of an answer, None where it was no mistake.

    found: the verdict, as `drill.verdict` gives it; source: the name of the solve or the blueprint.
    """
    if found["grade"] not in FAULTS:
        return None
    shown, deal = question.shown, question.hand
    return MistakeRecord(
        id=f"m-{secrets.token_hex(5)}",
        when=when,
        solve=question.link["solve"],
        blueprint=question.link["blueprint"],
        source=source[:200],
        **{key: shown[key] for key in ("line", "board", "street", "hand", "player")},
        pot=question.kind.pot,
        facing=question.kind.facing,
        pot_chips=int(shown["pot_chips"]),
        big_blind=int(shown["big_blind"]),
        history=[_step(step) for step in shown["steps"]],
        actions=[MistakeAction(**{key: action[key] for key in _ACTION}) for action in found["actions"]],
        chosen=found["chosen"],
        best=found["best"],
        grade=found["grade"],
        loss_chips=float(found["loss_chips"]),
        loss_percent_of_pot=float(found["loss_percent_of_pot"]),
        seed=None if deal is None else deal[3],
        taken=None if deal is None else [action for _, _, action in deal[0].history],
        to_call_chips=int(shown["to_call_chips"]),
        behind_chips=int(shown["behind_chips"]),
        accuracy_chips=float(found["accuracy_percent_of_pot"]) * question.pot / 100,
        note=found["note"],
    )


_ACTION = ("token", "label", "frequency", "ev_chips")


def _step(step: dict[str, Any]) -> MistakeStep:
    labels = {option["token"]: option["label"] for option in step["options"]}
    who = step.get("position") or step["player"] or ""
    return MistakeStep(who=who, label=labels.get(step["chosen"], step["chosen"]))
