"""Pictures of tables that the user drops on the page: read, corrected, made a spot; profiles from clicks."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from fastapi import APIRouter, Request
from fastapi.concurrency import run_in_threadpool

from overbet.errors import OverbetError
from overbet.interfaces.vision.calibration import calibrated
from overbet.interfaces.vision.needs import MISSING, cv2, has_vision
from overbet.interfaces.vision.pictures import MOST_BYTES, picture_of
from overbet.interfaces.vision.profile import TableProfile, load_profile, profile_names, save_profile
from overbet.interfaces.vision.reading import THRESHOLDS, ReadField, TableReading, read_table, shown_value
from overbet.interfaces.vision.spot import EVERY_HAND, answers_of, spot_of
from overbet.interfaces.web.binary import MEDIA
from overbet.interfaces.web.faults import Fault, at
from overbet.interfaces.web.models import vision as models
from overbet.interfaces.web.spots import spot_json
from overbet.interfaces.web.state import ServerState, state_of

router = APIRouter(prefix="/api/vision", tags=["vision"])


@router.get("")
def vision(request: Request) -> models.VisionShown:
    """Say whether pictures can be read here, and by which profiles."""
    found = []
    for name in profile_names(_home(request)) if has_vision() else []:
        try:
            found.append(models.ProfileShown(name=name, seats=len(load_profile(name, _home(request)).seats)))
        except OverbetError:  # a damaged file hides nothing but itself
            continue
    available = has_vision()
    return models.VisionShown(
        available=available, missing="" if available else MISSING, profiles=found, bytes=MOST_BYTES
    )


@router.post(
    "/pictures",
    status_code=201,
    openapi_extra={
        "requestBody": {
            "required": True,
            "content": {MEDIA: {"schema": {"type": "string", "format": "binary"}}},
        }
    },
)
async def new_picture(request: Request) -> models.PictureShown:
    """Take a picture file."""
    data = await request.body()
    state = state_of(request)

    def taken() -> models.PictureShown:
        with at(None):
            picture = picture_of(data)
        number = state.pictures.keep(picture)
        return models.PictureShown(id=number, width=picture.shape[1], height=picture.shape[0])

    return await run_in_threadpool(taken)


@router.post("/readings")
def new_reading(request: Request, body: models.NewReading) -> models.ReadingShown:
    """Read a picture that was sent."""
    with at("profile"):
        profile = _profile(request, body.profile)
    with at(None):
        reading = read_table(state_of(request).pictures.get(body.picture), profile)
    boxes = _boxes(profile, reading)
    return models.ReadingShown(
        profile=profile.name,
        seats=reading.seats,
        hero=reading.hero,
        unit=reading.unit,
        fields=[
            models.FieldShown.model_validate(
                {
                    "name": one.name,
                    "kind": one.kind,
                    "value": _written(one),
                    "confidence": one.confidence,
                    "sure": one.known,
                    "box": boxes.get(one.name),
                }
            )
            for one in reading.fields.values()
        ],
    )


@router.post("/spots")
def new_spot(request: Request, body: models.NewReadSpot) -> models.ReadSpotShown:
    """Make a spot of what was read and corrected."""
    with at("profile"):
        profile = _profile(request, body.profile)
    reading = _unread(profile, body.unit)
    missing = [name for name in reading.fields if name not in body.fields]
    if missing:
        raise Fault(422, f"{missing[0]} is missing", "fields")
    with at("fields"):
        reading = reading.with_values(answers_of(body.fields, reading))
        found = spot_of(
            reading, oop=body.oop or EVERY_HAND, ip=body.ip or EVERY_HAND, big_blind=body.big_blind
        )
        spot = spot_json(found.file())
    return models.ReadSpotShown.model_validate(
        {"spot": spot, "line": found.line, "hero": found.hero, "hero_cards": found.hero_cards}
    )


@router.post("/profiles", status_code=201)
def new_profile(request: Request, body: models.NewProfile) -> models.ProfileShown:
    """Make a profile from clicks on a picture that was sent, and keep it."""
    with at("clicks"):
        profile = calibrated(body.name, state_of(request).pictures.get(body.picture), body.clicks)
        save_profile(profile, _home(request))
    return models.ProfileShown(name=profile.name, seats=len(profile.seats))


def _home(request: Request) -> Path:
    state: ServerState = state_of(request)
    return state.folder.root


def _profile(request: Request, name: str) -> TableProfile:
    """Return a profile by its name; the path of a file, which the command line takes, is none here."""
    if name.endswith(".json"):
        raise Fault(422, "name a profile, not a file", "profile")
    return load_profile(name, _home(request))


def _written(one: ReadField) -> str:
    shown = shown_value(one, one.guess)
    return f"{shown:.2f}".removesuffix(".00") if isinstance(shown, float) else str(shown)


def _boxes(profile: TableProfile, reading: TableReading) -> dict[str, list[float]]:
    """Return where the fields are in the picture, in pixels."""
    shares = np.array([[0, 0], [1, 0], [1, 1], [0, 1]], np.float32)
    matrix = cv2.getPerspectiveTransform(shares, np.array(reading.corners, np.float32))
    found = {}
    for name, (left, top, right, bottom) in profile.boxes().items():
        corners = np.array([[[left, top], [right, top], [right, bottom], [left, bottom]]], np.float64)
        place = cv2.perspectiveTransform(corners, matrix.astype(np.float64))[0]
        found[name] = [round(float(v), 1) for v in (*place.min(axis=0), *place.max(axis=0))]
    return found


def _unread(profile: TableProfile, unit: str) -> TableReading:
    """Return a reading of a profile's table with nothing known, for somebody's answers."""
    fields: dict[str, ReadField] = {}

    def add(name: str, kind: str) -> None:
        assert kind in THRESHOLDS
        fields[name] = ReadField(name, kind, "none" if kind in ("card", "button", "turn") else 0, 0.0)

    for place in range(5):
        add(f"board{place}", "card")
    add("pot", "amount")
    for seat in range(len(profile.seats)):
        add(f"seat{seat}", "seat")
        for which in (0, 1):
            add(f"seat{seat}.card{which}", "card")
        for what in ("stack", "bet"):
            add(f"seat{seat}.{what}", "amount")
    add("button", "button")
    add("turn", "turn")
    return TableReading(
        profile.name, len(profile.seats), profile.hero, profile.pot_with_bets, unit, 1.0, fields
    )
