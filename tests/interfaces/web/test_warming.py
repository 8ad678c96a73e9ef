"""Kernels are compiled by a child: whoever needs them waits, a marker saves the next start the child."""

from __future__ import annotations

from pathlib import Path
from typing import ClassVar

import pytest

from overbet import ahead
from overbet.ahead import is_noted
from overbet.interfaces.web.work import warming
from overbet.interfaces.web.work.warming import Warming


class Child:
    """Stands in for the process that compiles."""

    started: ClassVar[list[str]] = []

    def __init__(self, what: str) -> None:
        Child.started.append(what)

    def wait(self, timeout: float | None = None) -> int:
        return 0

    def poll(self) -> int | None:
        return 0


@pytest.fixture
def marker(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    path = tmp_path / "marker"
    monkeypatch.setattr(ahead, "_place", lambda what: path)
    monkeypatch.setattr(warming, "_start", Child)
    Child.started.clear()
    return path


def test_one_child_for_each_part_and_none_where_the_marker_fits(marker: Path) -> None:
    warm = Warming(on=True)
    warm.wait("play")
    warm.wait("play")
    assert Child.started == ["play"]
    marker.write_text("of another version", encoding="ascii")
    assert not is_noted("study")
    marker.write_text(ahead._version(), encoding="ascii")
    assert is_noted("study")
    warm.wait("study")
    assert len(Child.started) == 1
    warm.close()


def test_nobody_waits_where_it_is_off(marker: Path) -> None:
    warm = Warming(on=False)
    warm.wait("play")
    assert not Child.started


def test_the_child_compiles_what_studying_needs_and_leaves_the_marker(marker: Path) -> None:
    warming.main("study")
    assert is_noted("study")
