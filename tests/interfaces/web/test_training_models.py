"""Shapes of what training leaves behind: nothing an own file says is lost, and odd values do no harm."""

from __future__ import annotations

from typing import Any

from overbet.blueprint.catalogue import find_blueprint, shipped_names
from overbet.blueprint.store import open_blueprint
from overbet.interfaces.web.models.training import manifest_shown


def _said(values: Any) -> Any:
    """Return values without those that are missing."""
    if isinstance(values, dict):
        return {key: _said(value) for key, value in values.items() if value is not None}
    return values


def test_every_value_of_a_shipped_manifest_is_shown() -> None:
    for name in shipped_names():
        with open_blueprint(find_blueprint(name)) as file:
            manifest = file.head["manifest"]
        assert _said(manifest_shown(manifest).model_dump()) == manifest


def test_what_does_not_fit_is_left_out() -> None:
    odd = {
        "name": ["x"],
        "iterations": "many",
        "hours": 2,
        "buckets": {"a": 1},
        "measured": {"good": {"hands": 3, "mbb_per_hand": []}, "bad": 7},
        "unknown": {},
    }
    shown = _said(manifest_shown(odd).model_dump())
    assert shown == {"hours": 2.0, "measured": {"good": {"hands": 3}}}
    assert _said(manifest_shown({"measured": 5}).model_dump()) == {"measured": {}}
