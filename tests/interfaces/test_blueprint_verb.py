"""`overbet blueprint list` and `ranges`, `overbet report --save`, `overbet train --minutes`."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from overbet.blueprint.catalogue import nearest, shipped_names
from overbet.cards.range import Range
from overbet.errors import ConfigError, OverbetError
from overbet.interfaces.cli.app import build


def run(*words: object) -> str:
    result = CliRunner().invoke(build(), [str(word) for word in words], catch_exceptions=False)
    assert result.exit_code == 0, result.output
    return result.stdout


def test_the_shipped_ones_are_listed() -> None:
    rows = json.loads(run("blueprint", "list", "--json"))
    assert [row["name"] for row in rows] == shipped_names()
    assert all(row["iterations"] > 0 and row["core_hours"] > 0 and row["bytes"] > 0 for row in rows)
    text = run("blueprint", "list", "expresso")
    assert "expresso" in text
    assert "heads-up" not in text
    with pytest.raises(ConfigError, match="unknown family of blueprints 'omaha'; known: heads-up"):
        run("blueprint", "list", "omaha")


def test_ranges_are_written_as_pio_reads_them(tmp_path: Path) -> None:
    text = run("blueprint", "ranges", "heads-up", "--stack", "23", "--line", "r:0", "--action", "c")
    title, held = text.strip().split("\n")
    assert title.startswith(("# SB call", "# SB limp"))
    assert Range.parse(held).combos > 0
    rows = json.loads(run("blueprint", "ranges", "expresso", "--json"))
    assert any(row["name"].startswith("expresso, 25 bb: BTN opens") for row in rows)
    out = tmp_path / "ranges.txt"
    run("blueprint", "ranges", nearest("heads-up", (20, 20)).name, "--out", out)
    lines = out.read_text().split("\n")
    assert all(Range.parse(line).combos > 0 for line in lines if line and not line.startswith("#"))


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("heads-up", "--stack", "x"), "--stack x: write big blinds, one number for all or 2 with commas"),
        (("expresso", "--stack", "1,2"), "one number for all or 3 with commas"),
        (("runs/mine", "--stack", "20"), "--stack chooses of a family: unknown family"),
        (("heads-up", "--line", "r:0", "--action", "b77"), "unknown action 'b77'; known: f, c, b"),
        (("heads-up", "--action", "c"), "--action c is one of a line: give --line"),
        (("heads-up", "--form", "excel"), "unknown"),
    ],
)
def test_wrong_options_of_ranges_are_a_line(words: tuple[str, ...], said: str) -> None:
    with pytest.raises(OverbetError, match=said):
        run("blueprint", "ranges", *words)


def test_training_for_a_time(tmp_path: Path) -> None:
    out = tmp_path / "run"
    facts = json.loads(
        run("train", "push-fold", "-o", out, "-w", 1, "-n", 10**9, "--minutes", 0.001, "--json")
    )
    assert 0 < facts["iterations"] < 10**9
    assert (out / "blueprint.h5").is_file()
