"""The shapes of pictures of tables: what can be read, what was read, the clicks of a profile, the spot."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from overbet.interfaces.vision.calibration import Clicks
from overbet.interfaces.web.folder import ID
from overbet.interfaces.web.models.solving import Model
from overbet.interfaces.web.spots import SpotJson

PictureId = Annotated[str, Field(pattern=ID)]
ProfileName = Annotated[str, Field(max_length=40)]
Answer = Annotated[str, Field(max_length=40)]


class ProfileShown(Model):
    """A profile that pictures can be read by."""

    name: str
    seats: int


class VisionShown(Model):
    """Whether pictures can be read; missing: what to install where they cannot."""

    available: bool
    missing: str
    profiles: list[ProfileShown]
    bytes: int


class PictureShown(Model):
    """A picture that was sent; it is kept in memory until a few others came."""

    id: str
    width: int
    height: int


class NewReading(Model):
    """Read a picture by a profile."""

    picture: PictureId
    profile: ProfileName


class FieldShown(Model):
    """One thing on the table. value: as it is written; sure: whether it is taken without asking."""

    name: str
    kind: Literal["card", "amount", "button", "turn", "seat"]
    value: str
    confidence: float
    sure: bool
    box: list[float] | None


class ReadingShown(Model):
    """All that was read; boxes in pixels of the picture: left, top, right, bottom."""

    profile: str
    seats: int
    hero: int | None
    unit: str
    fields: list[FieldShown]


class NewReadSpot(Model):
    """Make a spot of a reading as it was corrected: every field by its name."""

    profile: ProfileName
    unit: Literal["bb", "€", "$", "£", ""]
    fields: dict[Annotated[str, Field(max_length=20)], Answer] = Field(max_length=100)
    oop: str = Field(default="", max_length=60_000)
    ip: str = Field(default="", max_length=60_000)
    big_blind: float | None = Field(default=None, ge=0, le=1e9)


class ReadSpotShown(Model):
    """The spot, and the line from its root to the decision in the picture."""

    spot: SpotJson
    line: str
    hero: Literal["oop", "ip"] | None
    hero_cards: str


class NewProfile(Model):
    """Make a profile from clicks on a picture."""

    name: ProfileName
    picture: PictureId
    clicks: Clicks
