"""The shapes of training, matches, LBR and scorecards that are started from the page."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import JsonValue, WithJsonSchema

from overbet.interfaces.web.models.solving import Model, Number
from overbet.interfaces.web.work.jobs import Status

WorkKind = Literal["train", "match", "lbr", "scorecard"]
OrderJson = Annotated[
    dict[str, Any],
    WithJsonSchema(
        {
            "type": "object",
            "required": ["kind"],
            "properties": {"kind": {"enum": ["train", "match", "lbr", "scorecard"]}},
            "description": "What to run: the fields of `interfaces/web/orders.py` by kind.",
        }
    ),
]


class AgentShown(Model):
    """An agent to choose. players: of its tables, None for any; slow: it thinks for seconds."""

    id: str
    name: str
    players: int | None
    slow: bool


class TrainingPreset(Model):
    """A config to start from. text: what it is, in a line."""

    id: str
    text: str
    players: int
    iterations: int


class WorkChoices(Model):
    """What the forms offer."""

    agents: list[AgentShown]
    presets: list[TrainingPreset]


class OrderShown(Model):
    """An order that can be run, and the command line it stands for."""

    name: str
    command: str


class WorkPoint(Model):
    """How far a job is, and its figure: mbb a hand with half of the interval, or the regret of a training."""

    done: int
    total: int
    seconds: Number = None
    seconds_left: Number = None
    mean: Number = None
    half: Number = None
    what: str | None = None
    per_second: Number = None
    touched: Number = None
    regret: Number = None


class WorkRow(Model):
    """A result, in mbb a hand with half of its 95 % interval. number: in the ledger."""

    title: str
    hands: int
    mean: Number
    half: Number
    raw_mean: Number
    raw_half: Number
    number: int


class Work(Model):
    """A job of the second queue. run: the training run it makes; asked: what the form held."""

    id: str
    kind: WorkKind
    name: str
    created: str
    status: Status
    error: str | None
    stopping: bool
    queue_place: int | None
    stage: str
    command: str
    asked: dict[str, JsonValue]
    run: str | None
    resumable: bool
    now: WorkPoint | None
    rows: list[WorkRow]
    notes: list[str]
    curve: list[WorkPoint] | None = None


class AllWork(Model):
    """Every job, newest first."""

    work: list[Work]


class LedgerDifference(Model):
    """How much more one measurement found than another; refused: why that means nothing."""

    first: int
    second: int
    mean: Number
    half: Number
    paired: bool
    why: str
    refused: bool
