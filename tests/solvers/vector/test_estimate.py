"""The size of a spot is known before it is solved."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from overbet.errors import TooLargeError
from overbet.machine import size_text
from overbet.solvers.vector.api import read_source, solve
from overbet.solvers.vector.engine import VectorEngine
from overbet.solvers.vector.estimate import estimate
from overbet.solvers.vector.packed import PackedTable
from overbet.solvers.vector.settings import SolveSettings
from overbet.solvers.vector.solver import Solver
from overbet.tree.spot import Spot
from tests.solvers.vector.spots import RIVER, TURN

EXAMPLES = Path(__file__).parents[3] / "examples"


@pytest.mark.parametrize(
    ("name", "nodes", "action_hands", "largest"),
    [
        ("river", 93, 56_534, 8 << 20),
        ("turn", 27_501, 16_218_482, 160 << 20),
        ("flop", 439_447, 82_064_240, 700 << 20),
    ],
)
def test_the_example_spots_have_their_known_sizes(
    name: str, nodes: int, action_hands: int, largest: int
) -> None:
    size = estimate(read_source(EXAMPLES / f"{name}.yaml").spot(), SolveSettings(threads=1))
    assert size.nodes == nodes
    assert size.action_hands == action_hands
    assert size.bytes() < largest
    assert size.table_bytes["int16"] < 0.55 * size.table_bytes["float32"]


def test_streets_add_up() -> None:
    size = estimate(read_source(EXAMPLES / "flop.yaml").spot())
    shape = [(street.street, street.betting_nodes, street.boards) for street in size.streets]
    assert shape == [("flop", 27, 1), ("turn", 139, 36), ("river", 304, 1429)]
    assert [action.label for action in size.root] == ["check", "bet 120", "all-in 900"]


def held(thing: Any, seen: set[int]) -> int:
    """Return the bytes of all arrays in nested tuples and lists, each counted once."""
    if isinstance(thing, PackedTable):
        return held([thing.early, thing.values, thing.scales], seen)
    if isinstance(thing, np.ndarray):
        if id(thing) in seen:
            return 0
        seen.add(id(thing))
        return int(thing.nbytes)
    return sum(held(part, seen) for part in thing) if isinstance(thing, tuple | list) else 0


@pytest.mark.parametrize("name", ["turn", "flop"])
@pytest.mark.parametrize("precision", ["float32", "int16"])
def test_the_estimate_is_what_the_engine_takes(name: str, precision: str) -> None:
    settings = SolveSettings(threads=2, precision=precision)  # type: ignore[arg-type]
    spot = read_source(EXAMPLES / f"{name}.yaml").spot()
    size = estimate(spot, settings)
    engine = Solver(spot, settings).engine  # tables of zeros take no memory until they are written to
    seen: set[int] = set()
    assert held([engine.regret, engine.average], seen) == size.table_bytes[precision]
    assert isinstance(engine, VectorEngine)
    assert engine._runner is not None
    working = engine._runner.nbytes
    assert size.bytes() == pytest.approx(size.table_bytes[precision] + working + size.judge_bytes, rel=0.01)


def test_predictive_rules_keep_a_third_table() -> None:
    plain, predictive = (
        estimate(Spot.parse(RIVER), SolveSettings(rule=rule)).table_bytes["float32"]
        for rule in ("dcfr", "pcfr+")
    )
    assert predictive == 1.5 * plain


def test_a_spot_that_does_not_fit_is_refused_with_the_figure(monkeypatch: pytest.MonkeyPatch) -> None:
    size = estimate(Spot.parse(TURN))
    with pytest.raises(
        TooLargeError, match=r"needs about .* kB \(3,212 nodes, .* and 10\.2 kB are free; use "
    ):
        size.require(10 * 1024)
    size.require(1 << 40)
    monkeypatch.setattr("overbet.machine.available_bytes", lambda: 1000)
    with pytest.raises(TooLargeError, match=r"use precision: int16 \(.*\), fewer bet sizes, narrower ranges"):
        solve(TURN)


def test_sizes_for_people() -> None:
    texts = [size_text(n) for n in (900, 1500, 5e6, 3e12)]
    assert texts == ["900 B", "1.5 kB", "5.0 MB", "3000.0 GB"]
