"""Blueprints found by name, file and run; the shipped ones open and know their games."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from overbet.blueprint.catalogue import SHIPPED, find_blueprint, shipped_names
from overbet.blueprint.config import BlueprintConfig
from overbet.blueprint.query import Blueprint
from overbet.errors import ArtefactError

CONFIGS = Path(__file__).parents[2] / "configs"


def test_names_files_and_runs(tmp_path: Path) -> None:
    assert {"expresso", "heads-up", "heads-up-25bb"} < set(shipped_names())
    assert find_blueprint("heads-up") == SHIPPED / "heads-up.h5"
    assert find_blueprint(SHIPPED / "expresso.h5") == SHIPPED / "expresso.h5"
    (tmp_path / "blueprint.h5").write_bytes(b"")
    assert find_blueprint(tmp_path) == tmp_path / "blueprint.h5"
    with pytest.raises(ArtefactError, match="did you mean 'heads-up'"):
        find_blueprint("headsup")
    with pytest.raises(ArtefactError, match="overbet train"):
        find_blueprint(tmp_path / "none.h5")


def test_the_shipped_six_handed_blueprint_knows_its_positions() -> None:
    place = find_blueprint("six-max")
    assert place.stat().st_size < 20e6
    blueprint = Blueprint.load(place)
    assert blueprint.config == BlueprintConfig.load(CONFIGS / "shipped-six-max.yaml")
    opened = []
    for folds in range(4):
        line = "r:0" + ":f" * folds
        rows = blueprint.strategy_for_all_hands(line)
        opened.append(float(rows[:, blueprint.tokens(line).index("b250")].mean()))
        assert blueprint.strategy(line, "AhAd")[blueprint.tokens(line).index("f")] < 0.01
    assert 0.05 < opened[0] < opened[3] < 0.8  # the button opens more than the first seat


@pytest.mark.parametrize(("name", "megabytes"), [("heads-up", 40), ("expresso", 20)])
def test_the_shipped_ones_are_what_their_configs_say(name: str, megabytes: int) -> None:
    blueprint = Blueprint.load(find_blueprint(name))
    assert blueprint.config == BlueprintConfig.load(CONFIGS / f"shipped-{name}.yaml")
    assert blueprint.manifest["iterations"] > 10_000_000
    assert find_blueprint(name).stat().st_size < megabytes * 1e6
    first = blueprint.strategy_for_all_hands("r:0")
    assert np.allclose(first.sum(1), 1.0)


def test_the_shipped_heads_up_blueprint_knows_what_every_player_knows() -> None:
    blueprint = Blueprint.load(find_blueprint("heads-up"))
    actions = blueprint.actions("r:0")
    fold = actions.index(-1)
    assert blueprint.strategy("r:0", "AhAd")[fold] == 0.0
    assert blueprint.strategy("r:0", "7h2d")[fold] > 0.9
    nuts = blueprint.strategy("r:0:b300:c:Td9d6h:c:c:8h:c:c:7s", "QhJh")  # the best hand does not check
    assert nuts[blueprint.actions("r:0:b300:c:Td9d6h:c:c:8h:c:c:7s").index(0)] < 0.5
