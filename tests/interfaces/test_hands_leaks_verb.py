"""`overbet hands leaks` and `overbet hands opponents`."""

from __future__ import annotations

import json
from pathlib import Path

import polars as pl
import pytest
from typer.testing import CliRunner, Result

from overbet.agents.blueprint import BlueprintAgent, load_blueprint_agent
from overbet.hands import import_hands
from overbet.interfaces.cli.app import build
from overbet.study.planted import THREE_LEAKS, planted_agent
from tests.interfaces.hands.corpus import random_text
from tests.interfaces.hands.generated import imported_hands, played_blocks

RUNNER = CliRunner()
SPOT = """
board: KsTh7s4d2c
pot: 100
stacks: 100
ranges: {oop: "AA,KQs,76s,55", ip: "AK,QQ,T9s,33"}
bets:
  every: {bet: "75%"}
solve: {target: 1.0}
"""


def run(data: Path, *words: object) -> Result:
    return RUNNER.invoke(build("hands"), ["hands", *(str(word) for word in words), "--data", str(data)])


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Ann c-bets always, against Bob; with them hands of up to six players, of whom no strategy knows."""
    folder: Path = tmp_path_factory.mktemp("leaky")
    agent = load_blueprint_agent("heads-up")
    assert isinstance(agent, BlueprintAgent)
    leaky = planted_agent(agent, [THREE_LEAKS[1]])
    with imported_hands(played_blocks([leaky, agent], 240, 1), folder) as database:
        (folder / "more.phhs").write_text(random_text(40, seed=8), encoding="utf-8")
        assert import_hands(database, folder / "more.phhs").new == 40
        database.connection.execute("UPDATE hands SET hero = NULL WHERE id > 240 AND players < 4")
    return folder / "data"


def test_leaks_are_printed_with_what_was_and_was_not_compared(data: Path, tmp_path: Path) -> None:
    table = tmp_path / "asked.csv"
    result = run(data, "leaks", "--out", table)
    assert result.exit_code == 0, result.output
    lines = result.stdout.splitlines()
    assert lines[0].startswith("Hero: ")
    assert any(line.endswith("with a strategy trained for the table") for line in lines)
    assert any("not compared: no blueprint for 5 players" in line for line in lines)
    assert "Benjamini-Yekutieli" in result.stdout
    assert any(line.startswith("1. flop, c-bet chance: bet too often, 100.0%") for line in lines)
    assert not any(line.startswith("2. ") for line in lines)
    asked = pl.read_csv(table)
    assert {*asked.filter("leak")["line"]} == {"c-bet chance"}
    facts = json.loads(run(data, "leaks", "--json").stdout)
    assert facts["decisions"] == facts["compared"] + sum(facts["not_compared"].values())
    assert [leak["line"] for leak in facts["leaks"]] == ["c-bet chance"]
    none = run(data, "leaks", "--filter", "players=2 and id<=240", "--player", "Bob").stdout
    assert none.splitlines()[-1] == "no leak is significant"


def test_what_cannot_be_asked_is_one_line(data: Path, tmp_path: Path) -> None:
    for words, said in (
        (("leaks", "--player", "Nobody"), "no player 'Nobody'"),
        (("leaks", "--blueprint", "no-such"), "no-such"),
        (("leaks", "--out", tmp_path / "leaks.txt"), ".csv or .parquet"),
        (("opponents", "Nobody"), "no opponent 'Nobody'"),
        (("opponents", "--respond", "river.yaml"), "name the player"),
    ):
        result = run(data, *words)
        assert result.exit_code == 1
        assert said in str(result.exception)


def test_opponents_are_listed_and_answered(data: Path, tmp_path: Path) -> None:
    listed = run(data, "opponents", "--limit", "2")
    assert listed.exit_code == 0, listed.output
    assert listed.stdout.splitlines()[1].split()[0] == "pool"
    assert listed.stdout.splitlines()[2].split()[0] == "Bob"
    assert "2 of " in listed.stdout
    rows = json.loads(run(data, "opponents", "--json").stdout)
    assert rows[0]["name"] == "Bob"
    assert sum(rows[0]["profile"].values()) == pytest.approx(1.0)
    spot = tmp_path / "spot.yaml"
    spot.write_text(SPOT, encoding="utf-8")
    answered = run(data, "opponents", "Bob", "--respond", spot, "--p", "0.75", "--filter", "players=2")
    assert answered.exit_code == 0, answered.output
    assert any(line.split()[:3] == ["river", "facing", "bet"] for line in answered.stdout.splitlines())
    assert answered.stdout.splitlines()[-1].startswith("p 0.75: OOP gains ")
    one = json.loads(run(data, "opponents", "Bob", "--respond", spot, "--line", "r:0:b75", "--json").stdout)
    assert one["response"]["player"] == "oop"
    assert one["response"]["gain"] <= one["response"]["most"] + one["response"]["unsolved"]
