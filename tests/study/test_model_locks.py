"""A model of an opponent as locks of a spot: the opponent's own decisions, by the words of their lines."""

from __future__ import annotations

import polars as pl
import pytest

import overbet
from overbet.errors import ConfigError
from overbet.solvers.vector.solution import Solution
from overbet.study.model_locks import opponent_locks
from overbet.study.opponents import OpponentModel, fit_opponents

SPOT = {
    "board": "KsTh7s4d2c",
    "pot": 100,
    "stacks": 300,
    "ranges": {"oop": "AA,KQs,76s,55", "ip": "AK,QQ,T9s,33"},
    "bets": {"every": {"bet": "75%", "raise": "60%"}},
}


@pytest.fixture(scope="module")
def equilibrium() -> Solution:
    return overbet.solve(SPOT, target=1.0, threads=1)


def model(**lines: tuple[str, ...]) -> OpponentModel:
    """Return the model of a player who did these actions on the river, by line, ten times each."""
    rows = [
        (line.replace("_", " "), action) for line, done in lines.items() for action in done for _ in range(10)
    ]
    table = pl.DataFrame(rows, schema=["line", "action"], orient="row").with_columns(
        hand=pl.int_range(pl.len()),
        player=pl.lit("Bob"),
        position=pl.lit("BB"),
        street=pl.lit("river"),
        texture=pl.lit("rainbow"),
        stack_bb=pl.lit(100.0),
    )
    return fit_opponents(table)["Bob"]


def test_every_decision_of_the_opponent_is_locked_by_its_line(equilibrium: Solution) -> None:
    found = model(
        facing_bet=("fold", "call", "call"), checked_to=("check", "bet"), barrel_chance=("bet",) * 9
    )
    locks = {lock.line: lock.frequencies for lock in opponent_locks(equilibrium, found, "ip")}
    assert [*locks] == [
        "r:0:c",
        "r:0:b75",
    ]  # IP faces a raise in two more: nobody was seen there
    assert sum(equilibrium.node(line).kind == "ip" for line in equilibrium.lines()) == 4
    mix = found.mix("river", "facing bet")
    facing = locks["r:0:b75"] or {}
    assert facing["f"] == pytest.approx(mix["fold"])
    assert facing["c"] == pytest.approx(mix["call"])
    assert (locks["r:0:c"] or {})["c"] == pytest.approx(0.5, abs=0.02)
    led = {lock.line: lock.frequencies for lock in opponent_locks(equilibrium, found, "ip", led=True)}
    assert (led["r:0:c"] or {})["c"] == pytest.approx(0.0, abs=1e-9)


def test_what_the_model_cannot_say_is_refused(equilibrium: Solution) -> None:
    found = model(facing_bet=("fold", "call"))
    with pytest.raises(ConfigError, match="oop or ip, not button"):
        opponent_locks(equilibrium, found, "button")
    with pytest.raises(ConfigError, match="says nothing of what IP does on the river"):
        opponent_locks(equilibrium, model(first_to_act=("check", "bet")), "ip")
