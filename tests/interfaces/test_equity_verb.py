"""`overbet equity` and `overbet preflop-table` from the command line."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import numpy as np
import pytest
from typer.testing import CliRunner

from overbet.cards import preflop, preflop_build
from overbet.interfaces.cli.app import build, main


def run(*arguments: str) -> str:
    result = CliRunner().invoke(build(), list(arguments))
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        raise result.exception
    assert result.exit_code == 0, result.output
    return result.output


def test_hand_against_hand() -> None:
    text = run("equity", "AhKh", "QsQd")
    assert "46.214%" in text
    assert "53.786%" in text
    assert "exact: all 1,712,304 boards" in text


def test_range_against_range_on_a_board() -> None:
    facts = json.loads(run("equity", "AKs,QQ+", "22+", "--board", "Td9d6h", "--json"))
    assert facts["exact"]
    assert facts["boards"] == 1176
    assert facts["players"][0]["equity"] == pytest.approx(0.6099592794, abs=1e-9)
    assert facts["players"][0]["hand"] == "AKs,QQ+"


def test_a_complete_board() -> None:
    text = run("equity", "AhKh", "QsQd", "--board", "Td9d6h2c3s")
    assert "100.000%" in text
    assert "the board is complete" in text


def test_sampled_shows_the_interval_and_repeats() -> None:
    asked = ("equity", "AK", "QQ+", "JTs", "--sampled", "--samples", "20000", "--seed", "7")
    text = run(*asked)
    assert "±" in text
    assert "sampled: 20,000 deals" in text
    assert run(*asked) == text
    assert json.loads(run(*asked, "--json"))["players"][0]["ci95"] > 0


def test_dead_cards_and_exact() -> None:
    facts = json.loads(run("equity", "AhKh", "QsQd", "--dead", "Qh,Qc", "--exact", "--json"))
    assert facts["exact"]
    assert facts["dead"] == "QhQc"
    assert facts["boards"] == 1_370_754


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["AhKh"], "2 to 9 players"),
        (["AA"] * 10, "2 to 9 players"),
        (["AhKh", "KhQd"], "Kh of KhQd is also in AhKh"),
        (["AhKh", "QQ", "--board", "Td9d"], "0, 3, 4 or 5 cards"),
        (["AA", "KK", "--board", "AhAsAd"], "no combo of 'AA' is left"),
        (["AA", "AA", "AA"], "block each other"),
    ],
)
def test_errors_are_one_line(
    arguments: list[str], message: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "argv", ["overbet", "equity", *arguments])
    with pytest.raises(SystemExit) as exit_code:
        main()
    assert exit_code.value.code == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    lines = captured.err.strip().splitlines()
    assert len(lines) == 1
    assert lines[0].startswith("error: ")
    assert message in lines[0]


def test_the_table_is_written_and_compared(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The counting itself takes half a minute and has its own slow test."""
    wins, ties = preflop.shipped_counts()
    monkeypatch.setattr(preflop_build, "count_matchups", lambda **_: (wins, ties))
    path = tmp_path / "table.npz"
    assert "47,008 match-ups" in run("preflop-table", "--out", str(path))
    assert json.loads(run("preflop-table", "--out", str(path), "--json"))["equal_to_shipped"] is True
    monkeypatch.setattr(preflop_build, "count_matchups", lambda **_: (wins + 1, ties))
    assert "NOT equal" in run("preflop-table", "--out", str(path))
    assert (preflop.read_counts(path)[0] == wins + 1).all()


def test_an_interrupted_table_leaves_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(**_: object) -> tuple[np.ndarray, np.ndarray]:
        raise KeyboardInterrupt

    monkeypatch.setattr(preflop_build, "count_matchups", interrupted)
    result = CliRunner().invoke(build(), ["preflop-table", "--out", str(tmp_path / "table.npz")])
    assert result.exit_code != 0
    assert not list(tmp_path.iterdir())
