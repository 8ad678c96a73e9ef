"""`overbet pushfold` from the command line."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from overbet.errors import ArtefactError, RulesError
from overbet.interfaces.cli.app import build


def run(*arguments: str) -> str:
    result = CliRunner().invoke(build(), ["pushfold", *arguments])
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        raise result.exception
    assert result.exit_code == 0, result.output
    return result.output


def test_two_charts_and_the_value(tmp_path: Path) -> None:
    path = tmp_path / "chart.png"
    lines = run("--stack", "10", "--plot", str(path)).splitlines()
    assert lines[0].strip() == "Small blind pushes 58.3%"
    assert lines[1].split()[:2] == ["AAp", "AKsp"]
    assert "43sp71" in lines[11].split()
    assert "Big blind calls 37.4%" in [line.strip() for line in lines]
    assert lines[-2].startswith("stack 10 bb: the small blind's value is -0.04537 bb a hand")
    assert path.read_bytes().startswith(b"\x89PNG")


def test_json_is_clean() -> None:
    facts = json.loads(run("--stack", "10", "--ante", "0.125", "--json"))
    assert facts["ante_bb"] == 0.125
    assert facts["exploitability_bb"] <= 1e-12
    assert len(facts["hands"]) == 169
    assert facts["push_share"] > 0.6
    assert facts["hands"][0]["hand"] == "AA"


def test_bad_input_is_a_named_error(tmp_path: Path) -> None:
    for stack in ("0", "-1", "1", "nan"):
        with pytest.raises(RulesError):
            run("--stack", stack)
    with pytest.raises(ArtefactError):
        run("--stack", "10", "--plot", str(tmp_path / "chart.xyz"))
