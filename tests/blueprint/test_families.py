"""Families of shipped blueprints: what names say, which is nearest, and that files are what they say."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from overbet.blueprint import catalogue
from overbet.blueprint.catalogue import (
    FAMILIES,
    effective,
    family_names,
    family_of,
    find_blueprint,
    nearest,
    shipped_blueprints,
    stack_distance,
)
from overbet.blueprint.config import BlueprintConfig
from overbet.blueprint.store import open_blueprint
from overbet.errors import ArtefactError

_MOST_BYTES = 80_000_000


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name in (
        "heads-up",
        "heads-up-25bb",
        "heads-up-12.5bb",
        "expresso",
        "expresso-16bb",
        "expresso-8-16-16bb",
        "expresso-16-16-8bb",
        "expresso-8-16bb",  # of two players: of no family
        "mine",
    ):
        (tmp_path / f"{name}.h5").touch()
    monkeypatch.setattr(catalogue, "SHIPPED", tmp_path)
    return tmp_path


def test_names_say_family_and_stacks(folder: Path) -> None:
    assert folder.is_dir()
    assert [(one.name, one.stacks_bb, one.depth_bb) for one in shipped_blueprints("heads-up")] == [
        ("heads-up", (100, 100), 100),
        ("heads-up-25bb", (25, 25), 25),
        ("heads-up-12.5bb", (12.5, 12.5), 12.5),
    ]
    assert {one.name for one in shipped_blueprints("expresso")} == {
        "expresso",
        "expresso-16bb",
        "expresso-8-16-16bb",
        "expresso-16-16-8bb",
    }
    assert family_names() == ["heads-up", "expresso"]
    assert (family_of(3), family_of(6)) == ("expresso", None)


@pytest.mark.parametrize(
    ("family", "stacks", "name"),
    [
        ("heads-up", (100, 100), "heads-up"),
        ("heads-up", (400, 49), "heads-up-25bb"),  # the smaller stack is what can be lost
        ("heads-up", (51, 51), "heads-up"),
        ("heads-up", (2, 40), "heads-up-12.5bb"),
        ("expresso", (25, 60, 25), "expresso"),  # what the second stack is larger by cannot be lost
        ("expresso", (7, 15, 40), "expresso-8-16-16bb"),
        ("expresso", (15, 15, 9), "expresso-16-16-8bb"),
        ("expresso", (14, 15, 14), "expresso-16bb"),
    ],
)
def test_the_nearest_by_stacks_plays(folder: Path, family: str, stacks: tuple[float, ...], name: str) -> None:
    assert folder.is_dir()
    assert nearest(family, stacks).name == name


def test_distances_and_unknown_families(folder: Path) -> None:
    assert folder.is_dir()
    assert effective((30, 10, 20)) == [20, 10, 20]
    assert stack_distance((100, 100), (50, 80)) == pytest.approx(2 * np.log(2))
    assert stack_distance((100, 100), (50, 80, 3)) == np.inf
    with pytest.raises(
        ArtefactError, match="unknown family of blueprints 'six-max'; known: heads-up, expresso"
    ):
        nearest("six-max", (100,) * 6)


def test_shipped_files_are_what_their_names_say() -> None:
    total = 0
    for one in shipped_blueprints():
        place = find_blueprint(one.name)
        total += place.stat().st_size
        with open_blueprint(place) as file:
            game = BlueprintConfig.parse(file.head["config"], one.name).game.game()
        assert tuple(stack / game.big_blind for stack in game.start) == one.stacks_bb, one.name
        assert len(one.stacks_bb) == len(FAMILIES[one.family])
    assert total <= _MOST_BYTES
