"""What the server keeps in JSON files, checked when it is read back: they may be older, damaged, or not ours.

A record that is not of these shapes is passed over, as if it were not there; its file stays where it is.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

import pydantic
from pydantic import Field, FiniteFloat

from overbet.interfaces.web.reading import shown
from overbet.study.records import Count, Id, Number, Record, Text


class SettingsRecord(Record):
    """How a spot is solved, as far as lists show it."""

    model_config = pydantic.ConfigDict(strict=True, extra="allow")

    target: FiniteFloat = 0.5


class SpotRecord(Record):
    """A spot, as far as lists show it; all of it is checked when it is solved."""

    model_config = pydantic.ConfigDict(strict=True, extra="allow")

    board: Text
    solve: SettingsRecord = SettingsRecord()
    locks: list[dict[str, Any]] = Field(default_factory=list)


class ResultRecord(Record):
    """What came of a job."""

    model_config = pydantic.ConfigDict(strict=True, extra="allow")

    iterations: Count | None = None
    exploitability: Number = None
    seconds: Number = None
    ev_chips: dict[str, Number] | None = None
    resumable: bool = True
    note: Text = ""
    history: list[list[Number]] = Field(default_factory=list)
    done: Count = 0


class JobRecord(Record):
    """A job as `jobs.Job.record` writes it."""

    version: Literal[1]
    name: Text
    created: Text
    spot: SpotRecord
    status: Literal["queued", "running", "saving", "done", "stopped", "failed"] = "queued"
    error: Text | None = None
    parent: Id | None = None
    example: bool = False
    result: ResultRecord = ResultRecord()
    options: dict[str, Any] = Field(default_factory=dict)
    resume: bool = False


class BatchOptions(Record):
    """What a report is of; a text names a set of the package, never a file."""

    flops: Literal["25", "50", "100", "200", "all"] | Annotated[list[Text], Field(max_length=1755)]
    boards: Count
    keep: Literal["nothing", "street", "all"] = "nothing"
    trial: bool = False


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
