"""Tables and scores as JSON files keep them, checked when they are read: they may be damaged."""

from __future__ import annotations

from typing import Annotated, Literal

import pydantic
from pydantic import Field, FiniteFloat

from overbet.study.search_budget import MOST_ITERATIONS, MOST_SECONDS

Text = Annotated[str, Field(max_length=2000)]
Id = Annotated[str, Field(pattern=r"^[a-z0-9-]{1,60}$")]
Count = Annotated[int, Field(ge=0, lt=2**53)]
Chips = Annotated[int, Field(gt=-(10**12), lt=10**12)]
Number = FiniteFloat | None
MOST_MULTIPLIER = 100_000.0  # of an Expresso


class Record(pydantic.BaseModel):
    """A record of a file: strict about what it knows, indifferent to the rest."""

    model_config = pydantic.ConfigDict(strict=True, extra="ignore")

    @pydantic.model_validator(mode="after")
    def _sound(self) -> Record:
        self.model_dump_json()  # refuses texts that cannot be sent
        return self


class PlayedHandRecord(Record):
    """A finished hand."""

    actions: Annotated[list[Chips], Field(max_length=1000)]
    won: Chips
    adjusted: Number = None


class TournamentRecord(Record):
    """What a table that is an Expresso keeps besides its hands."""

    multiplier: Annotated[FiniteFloat, Field(gt=0, le=MOST_MULTIPLIER)]
    drawn: bool = True
    sources: dict[Literal["trained", "push or fold", "search", "nearest depth", "tag"], Count] = {}
    place: Annotated[str, Field(max_length=40)] = ""
    buy_ins: Number = None


class TableRecord(Record):
    """A table as `tables.Table.record` writes it."""

    version: Literal[1]
    id: Id
    kind: Literal["heads-up", "expresso"]
    opponent: Id
    created: Text
    seed: Count
    actions: Annotated[list[Chips], Field(max_length=1000)] | None
    seconds: Annotated[FiniteFloat, Field(gt=0, le=MOST_SECONDS)] | None = None
    iterations: Annotated[int, Field(gt=0, le=MOST_ITERATIONS)] | None = None
    hands: Annotated[list[PlayedHandRecord], Field(max_length=100_000)]
    tournament: TournamentRecord | None = None


class ScoreRecord(Record):
    """The drill's score."""

    answered: Count
    by_grade: dict[Literal["best", "correct", "inaccuracy", "mistake", "blunder", "unclear"], Count]
    losses: Annotated[FiniteFloat, Field(ge=0)]
    within: Count
