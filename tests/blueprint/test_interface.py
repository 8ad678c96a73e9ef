"""Dense and keyed blueprints are asked, saved and loaded through one interface."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from overbet.blueprint.config import BlueprintConfig
from overbet.blueprint.dense_query import DenseBlueprint
from overbet.blueprint.factory import make_trainer
from overbet.blueprint.keyed_query import KeyedBlueprint
from overbet.blueprint.query import Blueprint
from overbet.blueprint.store import open_blueprint, save_blueprint
from overbet.errors import ConfigError

KINDS = {"dense": DenseBlueprint, "keyed": KeyedBlueprint}


def push_or_fold(tables: str) -> BlueprintConfig:
    return BlueprintConfig.parse(
        {
            "game": {"players": 3, "stack_bb": 10},
            "menu": {"preflop": {"sizes": "a", "raises": 1, "limp": False}},
            "cards": {"kind": "preflop"},
            "solver": {"tables": tables, "capacity": 4000, "discount_every": 1000},
        }
    )


@pytest.mark.parametrize("tables", ["dense", "keyed"])
def test_what_is_saved_again_is_the_same_file(tables: str, tmp_path: Path) -> None:
    trainer = make_trainer(None, push_or_fold(tables))
    assert trainer.tables == tables
    trainer.run(20_000, workers=1)
    first = save_blueprint(trainer, tmp_path / "first.h5")
    blueprint = Blueprint.load(first)
    assert type(blueprint) is KINDS[tables]
    # every kind has been through the one constructor
    assert set(vars(blueprint)) >= {"config", "game", "cards", "manifest"}
    again = Blueprint.load(blueprint.save(tmp_path / "again.h5"))
    with open_blueprint(first) as one, open_blueprint(tmp_path / "again.h5") as two:
        assert one.head == two.head
        assert sorted(one.names) == sorted(two.names)
        for name in one.names:
            np.testing.assert_array_equal(one[name].whole(), two[name].whole())
    for line in ("r:0", "r:0:f", "r:0:b1000", "r:0:f:b1000"):
        assert again.actions(line) == blueprint.actions(line)
        np.testing.assert_array_equal(
            again.strategy_for_all_hands(line, allow_missing=True),
            blueprint.strategy_for_all_hands(line, allow_missing=True),
        )
    assert blueprint.manifest["rows"] >= blueprint.manifest["rows_never_reached"]


def test_there_is_no_blueprint_without_a_kind() -> None:
    with pytest.raises(TypeError, match="abstract"):
        Blueprint(push_or_fold("dense"), None, None, {})  # type: ignore[abstract,arg-type]


def test_a_stack_beyond_all_numbers_is_told() -> None:
    with pytest.raises(ConfigError, match="neither infinite nor nan"):
        BlueprintConfig.parse({"name": "x", "menu": {}, "game": {"stack_bb": 1e308}})
