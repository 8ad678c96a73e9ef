"""The shapes of reports over many boards."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from overbet.interfaces.web.models.solving import Means, Model, Name, Number
from overbet.interfaces.web.spots import SpotJson
from overbet.interfaces.web.work.jobs import Status

Flops = (
    Literal["25", "50", "100", "200", "all"]
    | Annotated[list[Annotated[str, Field(max_length=20)]], Field(min_length=1, max_length=1755)]
)
Kept = Literal["nothing", "street", "all"]
Acts = Literal["oop", "ip"] | None


class NewBatch(Model):
    """A spot to solve on many boards. flops: 25, 50, 100, 200, all, or boards one by one.

    keep: what is kept of solutions, for Study; trial: solve one board, to see how long the others will take.
    """

    name: Name = ""
    spot: SpotJson
    flops: Flops = "25"
    keep: Kept = "nothing"
    trial: bool = False


class AskedBatch(Model):
    """A spot on many boards, to know how long it takes before it is begun."""

    spot: SpotJson
    flops: Flops = "25"


class BatchEstimate(Model):
    """What a report will cost. seconds: by `measured` boards of this spot that were solved here, if any.

    kept_bytes: at most, by what is kept of solutions; free_bytes: of the disk.
    """

    boards: int
    seconds: Number
    measured: int
    kept_bytes: dict[str, int]
    free_bytes: int


class ReportAction(Model):
    """An action at a line. line: where it leads, if the hand goes on; frequency: the mean over boards."""

    token: str
    label: str
    chips: int
    pot_share: float
    line: str | None
    frequency: Number


class ReportStep(Model):
    """A decision on the way to a line."""

    line: str
    acts: Acts
    pot_chips: int
    actions: list[ReportAction]
    chosen: str


class BatchMeans(Model):
    """Means over boards at a line; frequencies: one an action."""

    boards: int
    probability: float
    played: Number
    oop: Means
    ip: Means
    frequencies: list[Number]


class BatchGroup(BatchMeans):
    """The boards of one texture."""

    key: str


class BatchRow(Model):
    """One board at a line.

    openable: whether it can be studied without solving it again; seconds: what solving it takes, all told.
    """

    board: str
    weight: float
    probability: float
    suits: str
    pairing: str
    high_card: str
    connectedness: str
    played: Number
    oop: Means
    ip: Means
    frequencies: list[Number]
    openable: bool
    exploitability: Number
    iterations: int
    seconds: float


class BatchReport(Model):
    """A report at a line of the first street.

    acts: None where a card comes. solved: boards, before any filter. rows: empty where groups are asked for.
    seconds_left: of the boards that are missing, by those that are solved. kept_bytes: of kept solutions.
    cost: what a report that was saved took, in words.
    """

    line: str
    cost: str
    acts: Acts
    pot_chips: int
    steps: list[ReportStep]
    actions: list[ReportAction]
    solved: int
    rows: list[BatchRow]
    averages: BatchMeans | None
    groups: list[BatchGroup]
    seconds_left: Number
    kept_bytes: int


class BatchShown(Model):
    """A report over many boards."""

    id: str
    name: str
    created: str
    status: Status
    error: str | None
    stopping: bool
    queue_place: int | None
    flops: str
    boards: int
    done: int
    current: str | None
    current_exploitability: Number
    seconds_left: Number
    keep: Kept
    spot: SpotJson


class Batches(Model):
    """All reports, newest first."""

    batches: list[BatchShown]


class OpenBoard(Model):
    """A board of a report to study on its own."""

    board: str = Field(max_length=20)
