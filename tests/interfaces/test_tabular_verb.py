"""`overbet tabular` and `overbet games` from the command line."""

from __future__ import annotations

import csv
import json
import signal
from pathlib import Path

import pytest
from typer.testing import CliRunner

from overbet.errors import ArtefactError, ConfigError, OverbetError, RulesError, TooLargeError
from overbet.interfaces.cli.app import build
from overbet.solvers.policy import TabularPolicy
from overbet.solvers.tabular import Progress, TabularSolver


def run(*arguments: str) -> str:
    result = CliRunner().invoke(build(), list(arguments))
    if isinstance(result.exception, OverbetError):
        raise result.exception
    assert result.exit_code == 0, result.output
    return result.stdout


def test_the_table_shows_the_published_figures() -> None:
    text = run("tabular", "leduc", "--rule", "dcfr", "--iterations", "1000")
    assert "936 information sets" in text
    rows = dict(line.split() for line in text.splitlines() if len(line.split()) == 2 and "e" in line)
    assert rows["100"] == "7.753e-03"
    assert rows["1,000"] == "1.527e-04"
    assert "player 0 -0.085607" in text


def test_comparison_draws_and_writes(tmp_path: Path) -> None:
    plot, table = tmp_path / "curves.png", tmp_path / "curves.csv"
    text = run(
        *("tabular", "kuhn", "--compare", "cfr,cfr+,dcfr,pdcfr+", "-n", "100"),
        *("--plot", str(plot), "--csv", str(table)),
    )
    assert text.index("cfr+") < text.index("pdcfr+")
    assert plot.read_bytes().startswith(b"\x89PNG")
    rows = list(csv.DictReader(table.open()))
    assert {row["rule"] for row in rows} == {"cfr", "cfr+", "dcfr", "pdcfr+"}
    last = {row["rule"]: float(row["exploitability"]) for row in rows if row["iterations"] == "100"}
    assert last["cfr"] == pytest.approx(0.00822597732, rel=1e-8)
    assert last["dcfr"] == pytest.approx(0.00166634197, rel=1e-8)


def test_json_is_clean_and_complete() -> None:
    result = json.loads(run("tabular", "kuhn3", "--rule", "cfr+", "-n", "50", "--json"))
    assert result["information_sets"] == 48
    (entry,) = result["rules"]
    assert entry["iterations"] == 50
    assert entry["curve"][-1] == [50, entry["exploitability"]]
    assert entry["nash_conv"] == pytest.approx(3 * entry["exploitability"])
    assert sum(entry["values"]) == pytest.approx(0.0, abs=1e-12)


def test_parameters_updates_and_rule_file_reach_the_solver(tmp_path: Path) -> None:
    def final(*arguments: str) -> float:
        result = json.loads(run("tabular", "kuhn", "-n", "30", "--json", *arguments))
        return float(result["rules"][-1]["exploitability"])

    path = tmp_path / "rule.yaml"
    path.write_text("name: mine\nfloor: true\naverage: {kind: linear, power: 1}\n")
    assert final("--rule-file", str(path)) == final("--rule", "cfr+")
    assert final("--rule", "dcfr", "--gamma", "3") != final("--rule", "dcfr")
    assert final("--rule", "cfr", "--updates", "simultaneous") != final("--rule", "cfr")
    assert final("--compare", "cfr", "--rule-file", str(path)) == final("--rule", "cfr+")


@pytest.mark.parametrize("suffix", [".parquet", ".json"])
def test_the_strategy_is_saved(tmp_path: Path, suffix: str) -> None:
    path = tmp_path / f"kuhn{suffix}"
    run("tabular", "kuhn", "--rule", "cfr+", "-n", "100", "--save", str(path))
    policy = TabularPolicy.load(path)
    assert policy.exploitability() == pytest.approx(0.0011944041, rel=1e-8)
    assert policy.origin["iterations"] == 100
    assert policy.origin["rule"] == "cfr+"


def test_the_strategy_is_shown_in_words() -> None:
    text = run("tabular", "kuhn", "--rule", "pdcfr+", "--strategy")
    assert any("Q:b" in line and "fold 66.7%" in line and "call 33.3%" in line for line in text.splitlines())


def test_three_players_come_with_a_warning() -> None:
    assert "does not promise an equilibrium" in " ".join(run("tabular", "kuhn3", "-n", "10").split())
    assert "promise" not in run("tabular", "kuhn", "-n", "10")


def test_bad_input(tmp_path: Path) -> None:
    with pytest.raises(RulesError, match="did you mean 'leduc'"):
        run("tabular", "leduk")
    with pytest.raises(ConfigError, match=r"did you mean 'dcfr\+'"):
        run("tabular", "kuhn", "--compare", "cfr,ddcfr+")
    with pytest.raises(TooLargeError, match=r"holdem has about 10\^\d+ histories"):
        run("tabular", "holdem")
    with pytest.raises(TooLargeError, match=r"at most 100 are flattened; raise the limit"):
        run("tabular", "leduc", "--limit", "100")
    with pytest.raises(ConfigError, match="--alpha belong to --rule"):
        run("tabular", "kuhn", "--compare", "cfr,dcfr", "--alpha", "2")
    with pytest.raises(ConfigError, match="alternating or simultaneous"):
        run("tabular", "kuhn", "--updates", "both")
    with pytest.raises(ConfigError, match="cannot read"):
        run("tabular", "kuhn", "--rule-file", str(tmp_path / "none.yaml"))
    with pytest.raises(ConfigError, match=r"end the name in \.parquet or \.json"):
        run("tabular", "kuhn", "--save", str(tmp_path / "policy.pickle"))
    with pytest.raises(ConfigError, match="one rule"):
        run("tabular", "kuhn", "--compare", "cfr,dcfr", "--save", str(tmp_path / "policy.json"))
    with pytest.raises(ArtefactError, match="cannot draw"):
        run("tabular", "kuhn", "--plot", str(tmp_path / "curve.txt"))


def test_ctrl_c_shows_what_there_is(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = TabularSolver.run

    def cut_short(solver: TabularSolver, iterations: int, progress: Progress | None = None) -> None:
        if solver.iterations >= 100:
            whole(solver, 7, progress)
            signal.raise_signal(signal.SIGINT)
        whole(solver, iterations, progress)

    monkeypatch.setattr(TabularSolver, "run", cut_short)
    arguments = ["tabular", "kuhn", "--compare", "cfr,dcfr", "-n", "1000000", "--json"]
    result = CliRunner().invoke(build(), arguments)
    assert result.exit_code == 130
    shown = json.loads(result.stdout)
    assert shown["stopped"]
    (entry,) = shown["rules"]
    assert entry["iterations"] == 107
    assert entry["curve"][-1] == [107, entry["exploitability"]]
    table = CliRunner().invoke(build(), arguments[:-1])
    assert table.exit_code == 130
    assert "stopped early" in table.stdout
    assert " 107 " in table.stdout


def test_games_are_listed() -> None:
    rows = json.loads(run("games", "--json"))
    assert [row["name"] for row in rows][:3] == ["kuhn", "kuhn3", "leduc"]
    assert "leduc-one-bet" in run("games")
