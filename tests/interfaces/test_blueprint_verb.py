"""`overbet blueprint list`, `ranges` and `round`, `overbet report --save`, `overbet train --minutes`."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from overbet.blueprint.catalogue import find_blueprint, nearest, shipped_names
from overbet.blueprint.query import Blueprint
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


def test_a_shipped_blueprint_is_rounded(tmp_path: Path) -> None:
    out = tmp_path / "small.h5"
    before = find_blueprint("heads-up-8bb").stat().st_size
    text = run("blueprint", "round", "heads-up-8bb", "--levels", 17, "--out", out)
    after = out.stat().st_size
    assert after < 0.7 * before
    assert f"wrote {out}: {after / 1e6:.2f} MB, {before / 1e6:.2f} MB before\n" in text
    assert "% of a row moved to other actions on average" in text
    info = json.loads(run("blueprint", "info", out))
    assert (info["levels"], info["measured"]) == (17, {})
    assert info["iterations"] == json.loads(run("blueprint", "info", "heads-up-8bb"))["iterations"]
    share = Blueprint.load(out).strategy("r:0", "KhTd")
    assert (share * 17).tolist() == pytest.approx((share * 17).round().tolist(), abs=1e-9)
    facts = json.loads(run("blueprint", "round", out, "--levels", 17, "--out", out, "--json"))  # in its place
    assert facts == {
        "blueprint": str(out),
        "levels": 17,
        "bytes_before": after,
        "bytes": out.stat().st_size,
        "mean_change": 0.0,
    }


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (
            ("heads-up", "--levels", "16", "--out", "x.h5"),
            "cannot be rounded to 16 levels; use 3, 5, 15, 17, 51",
        ),
        (
            ("heads-up", "--levels", "17", "--out", "x.bin"),
            r"a blueprint's name ends in \.h5, and 'x.bin' does not",
        ),
        (
            ("six-max", "--levels", "17", "--out", "x.h5"),
            "keyed tables, and only dense ones are rounded; train",
        ),
        (
            ("heads", "--levels", "17", "--out", "x.h5"),
            r"unknown blueprint 'heads' \(did you mean 'heads-up'",
        ),
        (("none.h5", "--levels", "17", "--out", "x.h5"), r"there is no blueprint none\.h5; train one"),
    ],
)
def test_what_cannot_be_rounded_is_a_line(
    words: tuple[str, ...], said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(OverbetError, match=said):
        run("blueprint", "round", *words)
    assert not list(tmp_path.iterdir())


def test_what_is_written_of_a_rounded_run_was_measured_on_it(tmp_path: Path) -> None:
    """The tables of the run are finer than its file."""
    out = tmp_path / "run"
    run("train", "push-fold", "-o", out, "-w", 1, "-n", 100_000, "--set", "run.levels=3")
    tables = json.loads(run("blueprint", "measure", out, "--json"))
    written = json.loads(run("blueprint", "measure", out, "--write", "--json"))
    assert written == json.loads(run("blueprint", "measure", out / "blueprint.h5", "--json"))
    assert written["gains_bb"] != tables["gains_bb"]
    info = json.loads(run("blueprint", "info", out))
    assert info["levels"] == 3
    assert info["measured"]["best_response_in_the_abstraction"]["gains_bb"] == written["gains_bb"]
