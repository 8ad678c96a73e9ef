"""`overbet batch` and `overbet flops`."""

from __future__ import annotations

import json
from pathlib import Path

import polars
import pytest
from typer.testing import CliRunner

from overbet.errors import ArtefactError, ConfigError
from overbet.interfaces.cli.app import build

RIVER = """
board: KsTh7s4d2c
pot: 60
stacks: 150
big_blind: 10
ranges: {oop: "QQ-99,AKs,KQs,T9s,76s", ip: "JJ-77,AQs,KJs,QJs,87s"}
bets: {every: {bet: 50%, raise: a}}
solve: {target: 1, threads: 1}
"""


@pytest.fixture
def files(tmp_path: Path) -> tuple[Path, Path, Path]:
    spot, boards = tmp_path / "spot.yaml", tmp_path / "boards.txt"
    spot.write_text(RIVER, encoding="utf-8")
    boards.write_text("KsTh7s4d2c 3\nAhKd9c5s3h 1\n", encoding="utf-8")
    return spot, boards, tmp_path / "kept"


def run(*words: object) -> str:
    result = CliRunner().invoke(build(), [str(word) for word in words], catch_exceptions=False)
    assert result.exit_code == 0, result.output
    return result.stdout


def test_batch(files: tuple[Path, Path, Path]) -> None:
    spot, boards, out = files
    text = run("batch", spot, "--flops", boards, "--out", out, "--line", "r:0:c")
    assert "KsTh7s4d2c" in text
    assert "mean" in text
    assert "2 of 2 boards" in text
    assert "r:0:c (played" in text
    frame = polars.read_parquet(out / "boards.parquet")
    assert frame["board"].to_list() == ["KsTh7s4d2c", "AhKd9c5s3h"]
    assert polars.read_csv(out / "boards.csv").columns == frame.columns
    content = json.loads(run("batch", spot, "-f", boards, "-o", out, "-l", "r:0:c", "--json"))
    assert content["solved"] == 2
    assert content["averages"]["oop_ev_chips"] == pytest.approx(
        (frame["probability"] * frame["oop_ev_chips"]).sum()
    )
    assert [row["board"] for row in content["rows"]] == frame["board"].to_list()


def test_batch_refuses(files: tuple[Path, Path, Path]) -> None:
    spot, boards, out = files
    run("batch", spot, "--flops", boards, "--out", out)
    with pytest.raises(ArtefactError, match=r"spot\.pot differs"):
        run("batch", spot, "--flops", boards, "--out", out, "--set", "pot=50")
    with pytest.raises(ConfigError, match="no subset of 7 flops"):
        run("batch", spot, "--flops", "7", "--out", out)


def test_flops() -> None:
    rows = [line.split() for line in run("flops", "50").splitlines()]
    assert len(rows) == 50
    assert sum(float(weight) for _, weight in rows) == pytest.approx(100, abs=0.01)
    content = json.loads(run("flops", "all", "--json"))
    assert len(content["boards"]) == 1755
