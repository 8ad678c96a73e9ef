"""Shares in whole levels-ths: the kernel against plain Python, a blueprint, a run that ends with one."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pytest

from overbet.blueprint.checkpoint import checkpoints
from overbet.blueprint.config import BlueprintConfig
from overbet.blueprint.dense_query import DenseBlueprint
from overbet.blueprint.query import Blueprint
from overbet.blueprint.rounding import LEVELS, mean_change, rounded_rows
from overbet.blueprint.run import Run
from overbet.blueprint.store import save_blueprint
from overbet.blueprint.trainer import Trainer, entries_of
from overbet.errors import ConfigError
from tests.reference.rounding import rounded_row, row_change
from tests.reference.short_deck import ShortDeck

Bytes = npt.NDArray[np.uint8]
CARDS = ShortDeck([card for card in range(52) if card >= 40])  # Q, K, A
STREET = {"sizes": ["100%, a"], "raises": 1}
MENU = {
    "preflop": {"sizes": ["2bb, 3bb, 4bb, a", "a"], "raises": 2},
    "flop": STREET,
    "turn": STREET,
    "river": STREET,
}
COARSE = [levels for levels in LEVELS if levels < 255]


def config(iterations: int = 3000, **values: object) -> BlueprintConfig:
    return BlueprintConfig.parse(
        {
            "game": {"stack_bb": 12},
            "menu": MENU,
            "solver": {"discount_every": 1000},
            "iterations": iterations,
            **values,
        }
    )


@pytest.fixture(scope="module")
def trainer() -> Trainer:
    trainer = Trainer(config(), CARDS)
    trainer.run(3000, workers=1)  # few: some rows are never reached
    return trainer


@pytest.fixture(scope="module")
def blueprint(trainer: Trainer, tmp_path_factory: pytest.TempPathFactory) -> DenseBlueprint:
    path = save_blueprint(trainer, tmp_path_factory.mktemp("exact") / "exact.h5", {"lbr_mbb": 12.5})
    found = Blueprint.load(path, CARDS)
    assert isinstance(found, DenseBlueprint)
    return found


def rows_in(trainer: Trainer, *strategies: Bytes) -> Iterator[tuple[list[int], ...]]:
    """Yield every row of the tree in each of the strategies."""
    for node in np.flatnonzero(trainer.tree.nodes.player >= 0).tolist():
        yield from zip(
            *(one[entries_of(trainer.game.record, node, trainer.cards.counts)].tolist() for one in strategies)
        )


def random_rows(trainer: Trainer, seed: int) -> Bytes:
    """Return rows of all kinds: mixed, nearly pure, even (where remainders are equal), never reached."""
    rng = np.random.default_rng(seed)
    strategy: Bytes = np.zeros(trainer.entries, np.uint8)
    for node in np.flatnonzero(trainer.tree.nodes.player >= 0).tolist():
        for row in entries_of(trainer.game.record, node, trainer.cards.counts):
            weight = rng.choice([0.03, 0.3, 1.0, 1e6])
            if rng.random() < 0.9:
                strategy[row] = rng.multinomial(255, rng.dirichlet(np.full(len(row), weight)))
    return strategy


@pytest.mark.parametrize(
    ("row", "levels", "wanted"),
    [
        ([255, 0], 17, [255, 0]),
        ([0, 0, 0], 17, [0, 0, 0]),
        ([128, 127], 3, [170, 85]),  # 43 and 42 are over: the first lost more
        ([7, 248], 17, [0, 255]),
        ([8, 247], 17, [15, 240]),
        ([51, 51, 51, 51, 51], 3, [85, 85, 85, 0, 0]),  # equal: those that come first
        ([100, 100, 55], 51, [100, 100, 55]),
    ],
)
def test_the_plain_rounding(row: list[int], levels: int, wanted: list[int]) -> None:
    assert rounded_row(row, levels) == wanted


@pytest.mark.parametrize("levels", LEVELS)
def test_the_kernel_rounds_as_plain_python_does(trainer: Trainer, levels: int) -> None:
    unit = 255 // levels
    record, counts = trainer.game.record, trainer.cards.counts
    exact = random_rows(trainer, levels)
    kept = exact.copy()
    rounded = rounded_rows(record, counts, exact, levels)
    np.testing.assert_array_equal(exact, kept)
    missing, widths, changes = 0, set(), []
    for before, after in rows_in(trainer, exact, rounded):
        assert after == rounded_row(before, levels)
        assert max(abs(a - b) for a, b in zip(before, after)) < unit
        assert all(share % unit == 0 for share in after)
        assert sum(after) == sum(before)
        widths.add(len(before))
        missing += not any(before)
        if any(before):
            changes.append(row_change(before, after))
    assert missing > 50
    assert {2, 3, 6} <= widths
    assert mean_change(exact, rounded) == pytest.approx(np.mean(changes), abs=1e-12)
    for finer in [other for other in LEVELS if other % levels == 0]:  # on these grids it is already
        np.testing.assert_array_equal(rounded_rows(record, counts, rounded, finer), rounded)


def test_nothing_changes_where_nothing_was_reached() -> None:
    assert mean_change(np.zeros(4, np.uint8), np.zeros(4, np.uint8)) == 0.0


@pytest.mark.parametrize("levels", COARSE)
def test_a_blueprint_is_rounded(blueprint: DenseBlueprint, levels: int, tmp_path: Path) -> None:
    rounded = blueprint.rounded(levels)
    assert rounded.manifest == {**blueprint.manifest, "levels": levels, "measured": {}}
    assert "levels" not in blueprint.manifest
    assert blueprint.manifest["measured"] == {"lbr_mbb": 12.5}
    again = Blueprint.load(rounded.save(tmp_path / "rounded.h5"), CARDS)
    assert again.manifest == rounded.manifest
    np.testing.assert_array_equal(again.rows_of_255ths(), rounded.rows_of_255ths())
    exact, found = blueprint.strategy_by_bucket("r:0"), again.strategy_by_bucket("r:0")
    reached = ~np.isnan(exact[:, 0])
    np.testing.assert_array_equal(np.isnan(found), np.isnan(exact))
    np.testing.assert_allclose(found[reached].sum(1), 1, atol=1e-12)
    assert 0 < np.abs(found - exact)[reached].max() < 1 / levels
    np.testing.assert_allclose(found[reached] * levels, np.rint(found[reached] * levels), atol=1e-9)


def test_fewer_levels_are_fewer_bytes(blueprint: DenseBlueprint, tmp_path: Path) -> None:
    sizes = [blueprint.rounded(n).save(tmp_path / f"{n}.h5").stat().st_size for n in (3, 17, 255)]
    assert sizes[0] < sizes[1] < sizes[2]


def test_what_was_measured_stays_where_no_share_moves(blueprint: DenseBlueprint) -> None:
    same = blueprint.rounded(255)
    assert same.manifest == {**blueprint.manifest, "levels": 255}
    np.testing.assert_array_equal(same.rows_of_255ths(), blueprint.rows_of_255ths())


@pytest.mark.parametrize("levels", [0, 1, 16, 256, -17, 10**15])
def test_other_levels_are_refused(blueprint: DenseBlueprint, levels: int) -> None:
    with pytest.raises(ConfigError, match=rf"to {levels} levels; use 3, 5, 15, 17, 51, 85 or 255 \("):
        blueprint.rounded(levels)
    with pytest.raises(ConfigError, match=r"run\.levels: Input should be 3, 5, 15, 17, 51, 85 or 255"):
        config(run={"levels": levels})


def test_keyed_tables_are_not_rounded() -> None:
    config(solver={"tables": "keyed", "capacity": 4000}, run={"levels": 255})
    with pytest.raises(ConfigError, match=r"run\.levels goes with solver.tables: dense, not with keyed"):
        config(solver={"tables": "keyed", "capacity": 4000}, run={"levels": 17})


def test_a_run_ends_with_a_rounded_blueprint(tmp_path: Path) -> None:
    """What is learned is the same, and a run may be resumed with other levels."""
    plain, coarse = tmp_path / "plain", tmp_path / "coarse"
    exact = Blueprint.load(Run.start(plain, config(), CARDS).go(workers=1), CARDS)
    begun = Run.start(coarse, config(run={"levels": 17}), CARDS)
    found = Blueprint.load(begun.go(workers=1), CARDS)
    assert isinstance(exact, DenseBlueprint)
    rounded = exact.rounded(17)
    np.testing.assert_array_equal(found.rows_of_255ths(), rounded.rows_of_255ths())
    clock = {"hours", "cores", "core_hours"}
    assert {key: value for key, value in found.manifest.items() if key not in clock} == {
        key: value for key, value in rounded.manifest.items() if key not in clock
    }
    assert "levels" not in exact.manifest
    assert [path.name for path in checkpoints(plain)] == [path.name for path in checkpoints(coarse)]
    np.testing.assert_array_equal(
        Run.look(coarse, CARDS).arrays["table"], Run.look(plain, CARDS).arrays["table"]
    )
    resumed = Run.resume(coarse, config(run={"levels": 51}), CARDS)
    finer = Blueprint.load(resumed.go(workers=1), CARDS)
    np.testing.assert_array_equal(finer.rows_of_255ths(), exact.rounded(51).rows_of_255ths())
