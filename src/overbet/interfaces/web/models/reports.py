"""The shapes of reports over many boards."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from overbet.interfaces.web.models.solving import Line, Means, Model, Name, Number
from overbet.interfaces.web.spots import SpotJson
from overbet.interfaces.web.work.jobs import Status


class NewBatch(Model):
    """A spot to solve on many boards. flops: 25, 50, 100, 200, all, or boards one by one."""

    name: Name = ""
    spot: SpotJson
    flops: (
        Literal["25", "50", "100", "200", "all"]
        | Annotated[list[Annotated[str, Field(max_length=20)]], Field(min_length=1, max_length=1755)]
    ) = "25"
    lines: list[Line] = Field(["r:0"], min_length=1, max_length=16)


class LineMeans(Model):
    """What happens at a line."""

    played: Number
    frequencies: dict[str, Number]


class BatchRow(Model):
    """One board of a report."""

    board: str
    weight: float
    probability: float
    pot_chips: int
    oop: Means
    ip: Means
    lines: dict[str, LineMeans]
    exploitability: Number
    iterations: int
    seconds: float


class BatchMeans(Model):
    """Means over boards."""

    oop: Means
    ip: Means
    lines: dict[str, LineMeans]


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
    lines: list[str]
    spot: SpotJson
    rows: list[BatchRow] | None = None
    averages: BatchMeans | None = None


class Batches(Model):
    """All reports, newest first."""

    batches: list[BatchShown]


class OpenBoard(Model):
    """A board of a report to solve on its own."""

    board: str = Field(max_length=20)
