"""Training in shards, in one process: the same bits however it is cut up, resumed and interrupted."""

from __future__ import annotations

import threading
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from overbet.blueprint import learned as packing
from overbet.blueprint.config import BlueprintConfig
from overbet.blueprint.factory import make_trainer
from overbet.blueprint.learned import Learned, add, differences, put, taken
from overbet.blueprint.loop import Training
from overbet.blueprint.run import Run
from overbet.blueprint.shards import LocalShards
from overbet.errors import ConfigError, TooLargeError
from overbet.solvers.pushfold import evaluate_pushfold, solve_pushfold

KINDS: list[dict[str, Any]] = [
    {},
    {"numbers": "int32"},
    {"tables": "keyed", "capacity": 5000},
    {"mode": "deterministic", "batch": 50},
    {"rule": "cfr+"},
]


def config(**solver: object) -> BlueprintConfig:
    given = {"discount_every": 2000, "discounts": 2, "shards": 4, "merge_every": 1000, **solver}
    values = {
        "game": {"players": 2, "stack_bb": 10},
        "menu": {"preflop": {"sizes": "a", "raises": 1, "limp": False}},
        "cards": {"kind": "preflop"},
        "solver": given,
    }
    return BlueprintConfig.parse(values)


def assert_same_bits(one: Training, other: Training) -> None:
    assert one.iterations == other.iterations
    for name, array in one.arrays.items():
        np.testing.assert_array_equal(array, other.arrays[name], strict=True)


@pytest.mark.parametrize("solver", KINDS, ids=str)
def test_a_run_that_stopped_and_went_on_has_the_bits_of_one_that_did_not(solver: dict[str, Any]) -> None:
    whole, first, second = (make_trainer(None, config(**solver)) for _ in range(3))
    whole.run(7000, workers=1)
    first.run(3000, workers=2)
    second.restore(first.arrays)
    second.iterations = first.iterations
    second.run(7000, workers=1)
    assert_same_bits(whole, second)


def test_shards_decide_the_result_and_one_shard_is_the_plain_run() -> None:
    plain, one, four = (make_trainer(None, config(shards=shards)) for shards in (0, 1, 4))
    for trainer in (plain, one, four):
        trainer.run(1000, workers=1)
    np.testing.assert_array_equal(plain.arrays["table"], one.arrays["table"])
    assert not np.array_equal(one.arrays["table"], four.arrays["table"])
    assert config(shards=4).solver_digest() != config(shards=2).solver_digest()


def test_every_shard_counts_once() -> None:
    """The averages of the first player add up to the weights of all iterations."""
    trainer = make_trainer(None, config(rule="plain"))
    trainer.run(5000)
    sums = trainer.arrays["table"][1::2].astype(np.float64)
    assert sums.sum() == pytest.approx(2 * 5000, rel=1e-5)


def test_the_floor_of_a_rule_holds_for_the_sum_of_shards() -> None:
    trainer = make_trainer(None, config(rule="cfr+"))
    trainer.run(5000)
    assert trainer.arrays["table"][0::2].min() == 0.0


def test_shards_find_the_exact_push_or_fold() -> None:
    values = config(shards=8, merge_every=40_000, discount_every=200_000, discounts=1000, deals="cycled")
    trainer = make_trainer(None, values)
    trainer.run(2 * 1326 * 1225)
    exact = solve_pushfold(10)
    push, call = trainer.average(0)[:, 1], trainer.average(trainer.tree.find("b1000"))[:, 1]  # type: ignore[attr-defined]
    assert evaluate_pushfold(exact.game, push, call).exploitability_bb < 0.002


@pytest.mark.parametrize("solver", [{}, {"tables": "keyed", "capacity": 5000}], ids=str)
def test_an_epoch_that_is_broken_off_leaves_the_tables_as_they_were(solver: dict[str, Any]) -> None:
    """Also at an iteration where the whole table is discounted, which must happen once."""
    trainer, whole = make_trainer(None, config(**solver)), make_trainer(None, config(**solver))
    trainer.run(2000)
    before = {name: array.copy() for name, array in trainer.arrays.items()}
    interrupt = threading.Event()

    class Broken(LocalShards):
        def walk(self, stretches: Any, stop: Any) -> Any:
            yield from list(super().walk(stretches[:2], stop))
            interrupt.set()

    trainer.run(4000, interrupt=interrupt, walkers=Broken(trainer, 1))
    assert trainer.iterations == 2000
    assert not trainer.torn
    for name, array in before.items():
        np.testing.assert_array_equal(array, trainer.arrays[name])
    trainer.run(4000)
    whole.run(4000)
    assert_same_bits(trainer, whole)


def test_a_full_keyed_table_stops_between_two_epochs(tmp_path: Path) -> None:
    run = Run.start(tmp_path / "run", config(tables="keyed", capacity=300))
    with pytest.raises(TooLargeError, match=r"solver\.capacity"):
        run.go(5000)
    assert run.trainer.iterations == 0
    assert not run.trainer.torn
    more = Run.resume(tmp_path / "run", config(tables="keyed", capacity=5000))
    more.go(5000)
    assert more.trainer.iterations == 5000


@pytest.mark.parametrize(
    ("solver", "words"),
    [
        ({"method": "outcome"}, "method: external"),
        ({"merge_every": 999}, "discount_every 2000 is not a multiple of merge_every 999"),
        ({"shards": 3}, "multiple of 3"),
        ({"mode": "deterministic", "batch": 100, "discount_every": 1000, "shards": 3}, "multiple of 300"),
    ],
    ids=str,
)
def test_what_shards_cannot_do_is_refused(solver: dict[str, Any], words: str) -> None:
    with pytest.raises(ConfigError, match=words):
        config(**solver)


@pytest.mark.parametrize("kind", ["float32", "int32"])
@pytest.mark.parametrize("share", [0.0, 0.01, 1.0])
def test_differences_are_packed_and_added(kind: str, share: float, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(packing, "_STRETCH", 64)  # several stretches, the last one short
    random = np.random.default_rng(1)
    base = (100 * random.standard_normal(1000)).astype(kind)
    table = base.copy()
    changed = random.random(1000) < share
    table[changed] += np.array(random.integers(1, 50, changed.sum()), kind)
    found = differences(table, base)
    assert found.nbytes <= 125 + 4 * changed.sum() if share < 1.0 else found.nbytes == table.nbytes
    assert (found.mask is None) == (share == 1.0)
    other = np.full(1000, 7, kind)
    add(other, found)
    np.testing.assert_array_equal(other, (7 + (table - base)).astype(kind))
    copy = base.copy()
    put(copy, taken(table, found.mask))
    np.testing.assert_array_equal(copy, table)


def test_sums_of_fixed_numbers_stop_at_the_ends_of_their_range() -> None:
    table = np.array([2**31 - 5, -(2**31) + 5, 10], np.int32)
    add(table, Learned(None, np.array([100, -100, 5], np.int32)))
    assert table.tolist() == [2**31 - 1, -(2**31) + 1, 15]
