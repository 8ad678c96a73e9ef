"""What the server keeps in JSON files, checked when it is read back: they may be older, damaged, or not ours.

A record that is not of these shapes is passed over, as if it were not there; its file stays where it is.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

import pydantic
from pydantic import Field, FiniteFloat

from overbet.interfaces.web.reading import shown

_Text = Annotated[str, Field(max_length=2000)]
_Id = Annotated[str, Field(pattern=r"^[a-z0-9-]{1,60}$")]
_Count = Annotated[int, Field(ge=0, lt=2**53)]
_Chips = Annotated[int, Field(gt=-(10**12), lt=10**12)]
_Number = FiniteFloat | None


class _Record(pydantic.BaseModel):
    model_config = pydantic.ConfigDict(strict=True, extra="ignore")

    @pydantic.model_validator(mode="after")
    def _sound(self) -> _Record:
        self.model_dump_json()  # refuses texts that cannot be sent
        return self


class SettingsRecord(_Record):
    """How a spot is solved, as far as lists show it."""

    model_config = pydantic.ConfigDict(strict=True, extra="allow")

    target: FiniteFloat = 0.5


class SpotRecord(_Record):
    """A spot, as far as lists show it; all of it is checked when it is solved."""

    model_config = pydantic.ConfigDict(strict=True, extra="allow")

    board: _Text
    solve: SettingsRecord = SettingsRecord()
    locks: list[dict[str, Any]] = []


class ResultRecord(_Record):
    """What came of a job."""

    model_config = pydantic.ConfigDict(strict=True, extra="allow")

    iterations: _Count | None = None
    exploitability: _Number = None
    seconds: _Number = None
    ev_chips: dict[str, _Number] | None = None
    resumable: bool = True
    note: _Text = ""
    history: list[list[_Number]] = []
    done: _Count = 0


class JobRecord(_Record):
    """A job as `jobs.Job.record` writes it."""

    version: Literal[1]
    name: _Text
    created: _Text
    spot: SpotRecord
    status: Literal["queued", "running", "saving", "done", "stopped", "failed"] = "queued"
    error: _Text | None = None
    parent: _Id | None = None
    example: bool = False
    result: ResultRecord = ResultRecord()
    options: dict[str, Any] = {}
    resume: bool = False


class BatchOptions(_Record):
    """What a report is of; a text names a set of the package, never a file."""

    flops: Literal["25", "50", "100", "200", "all"] | Annotated[list[_Text], Field(max_length=1755)]
    lines: Annotated[list[_Text], Field(min_length=1, max_length=16)]
    boards: _Count


class HandRecord(_Record):
    """A finished hand."""

    actions: Annotated[list[_Chips], Field(max_length=1000)]
    won: _Chips
    adjusted: _Number = None


class TableRecord(_Record):
    """A table as `tables.Table.record` writes it."""

    version: Literal[1]
    id: _Id
    kind: Literal["heads-up", "expresso"]
    opponent: _Id
    created: _Text
    seed: _Count
    actions: Annotated[list[_Chips], Field(max_length=1000)] | None
    hands: Annotated[list[HandRecord], Field(max_length=100_000)]


class ScoreRecord(_Record):
    """The drill's score."""

    answered: _Count
    by_grade: dict[Literal["best", "correct", "inaccuracy", "mistake", "blunder"], _Count]
    losses: Annotated[FiniteFloat, Field(ge=0)]
    within: _Count


def job_values(record: Any, kind: str) -> dict[str, Any] | None:
    """Return the fields of a job's record, None where it is none."""
    record = shown(record)
    try:
        found = JobRecord.model_validate(record)
        if kind == "batch":
            BatchOptions.model_validate(found.options)
    except (ValueError, RecursionError):
        return None
    kept = found.model_dump(exclude={"version"})
    # what was not in the file must not appear in it: a spot and a result are compared and shown as they are
    return {**kept, "spot": record["spot"], "result": record.get("result", {})}
