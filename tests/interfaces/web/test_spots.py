"""Spots of requests: hostile values are faults of their field, never errors of the program."""

from __future__ import annotations

from typing import Any

import pytest

from overbet.interfaces.web.faults import Fault
from overbet.interfaces.web.limits import Limits
from overbet.interfaces.web.spots import read_spot, refuse_large, sized
from tests.interfaces.web.server import RIVER, TURN


@pytest.mark.parametrize(
    "change",
    [
        {"board": None},
        {"board": ["Ks"]},
        {"board": "KsTh7s4d2c" * 3},
        {"pot": 1.5},
        {"pot": 10**30},
        {"stacks": [1, 2, 3]},
        {"stacks": [10**20, 5]},
        {"stacks": -1},
        {"min_bet": 0},
        {"ranges": {"oop": 5, "ip": "AA"}},
        {"ranges": {"oop": "AA:nan", "ip": "AA"}},
        {"ranges": "AA"},
        {"bets": {"river": {"bet": ["33%", ["50%", [None]]]}}},
        {"bets": {"river": {"bet": "50%", "raise": [{}]}}},
        {"bets": {"river": {"bet": "1%," * 100}}},
        {"bets": {}},
        {"thresholds": {"add_all_in": float("inf")}},
        {"thresholds": {"merge": float("nan")}},
        {"rake": {"share": 0.05, "cap": 1e300}},
        {"solve": {"target": float("nan")}},
        {"solve": {"iterations": 10**9}},
        {"solve": {"threads": 10**6}},
        {"solve": {"rule": "no-such-rule"}},
        {"solve": {"rule": {"name": 3}}},
        {"locks": [{"line": "r:0", "frequencies": {}}]},
        {"locks": [{"line": "r:0", "hands": {}}]},
        {"locks": [{"line": "r:0", "frequencies": {"c": float("nan")}}]},
        {"locks": [{"line": "r:0", "frequencies": {"c": 1}}] * 65},
        {"locks": 3},
    ],
    ids=str,
)
def test_what_cannot_be_used_is_a_fault(change: dict[str, Any]) -> None:
    with pytest.raises(Fault) as caught:
        sized(read_spot({**RIVER, **change}, Limits(), ""))
    assert caught.value.status in (413, 422)
    assert len(caught.value.message) > 5


def test_memory_is_limited_before_anything_is_allocated() -> None:
    size = sized(read_spot(TURN, Limits()))
    refuse_large(size, Limits(solve_bytes=2 * size.bytes()))
    with pytest.raises(Fault, match="use precision: int16") as caught:
        refuse_large(size, Limits(solve_bytes=size.bytes() // 2))
    assert caught.value.status == 413
    assert caught.value.where == "spot"


def test_the_example_files_pass() -> None:
    from overbet.interfaces.cli.examples import example
    from overbet.interfaces.web.spots import spot_json
    from overbet.solvers.vector.api import SolveFile

    for name in ("river", "turn", "flop", "quick", "batch"):
        file = SolveFile.load(example(f"{name}.yaml"))
        assert read_spot(spot_json(file), Limits()).spot() == file.spot()
