"""`overbet batch`, `overbet report` and `overbet flops`."""

from __future__ import annotations

import json
import re
from pathlib import Path

import polars
import pytest
from typer.testing import CliRunner

import overbet
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
    text = run("batch", spot, "--flops", boards, "--out", out, "--trial")
    assert "1 of 2 boards" in text
    assert re.search(r"the other 1 take about [\d.]+ s, measured on 1 solved here", text)
    assert re.search(r"--keep street take at most [\d.]+ kB, with --keep all [\d.]+ kB", text)
    text = run("batch", spot, "--flops", boards, "--out", out, "--line", "r:0:c")
    assert "KsTh7s4d2c" in text
    assert "mean" in text
    assert "2 of 2 boards" in text
    assert "r:0:c: IP acts, pot 6 bb" in text
    frame = polars.read_parquet(out / "boards.parquet")
    assert frame["board"].to_list() == ["KsTh7s4d2c", "AhKd9c5s3h"]
    assert frame.columns[-5:] == ["check", "bet 3bb", "exploitability", "iterations", "seconds"]
    assert polars.read_csv(out / "boards.csv").columns == frame.columns
    every = polars.read_parquet(out / "lines.parquet")
    assert set(every["line"]) == set(overbet.load(out).lines)
    content = json.loads(run("batch", spot, "-f", boards, "-o", out, "-l", "r:0:c", "--json"))
    assert content["solved"] == 2
    assert content["averages"]["oop_ev_chips"] == pytest.approx(
        (frame["probability"] * frame["played"] * frame["oop_ev_chips"]).sum()
        / (frame["probability"] * frame["played"]).sum()
    )
    assert [row["board"] for row in content["rows"]] == frame["board"].to_list()


def test_report(files: tuple[Path, Path, Path], tmp_path: Path) -> None:
    spot, boards, out = files
    run("batch", spot, "--flops", boards, "--out", out, "--keep", "all")
    solution = overbet.load(out).solution("KsTh7s4d2c")
    facts = json.loads(run("report", out, "--line", "r:0:c", "--only", "suits=two-tone", "--json"))
    (row,) = facts["rows"]
    shares = solution.node("r:0:c").ip.frequencies()
    assert [row["check"], row["bet 3bb"]] == pytest.approx(shares, abs=1e-6)
    assert row["ip_ev_chips"] == pytest.approx(solution.node("r:0:c").ip.mean_ev_chips, rel=1e-6)
    assert facts["averages"]["probability"] == pytest.approx(row["probability"])
    text = run("report", out, "--line", "r:0:c", "--by", "suits", "--out", tmp_path / "suits.csv")
    assert re.search(r"rainbow +[\d.]+%", text)
    assert "further lines: r:0:c:b30 (bet 3bb)" in text
    assert polars.read_csv(tmp_path / "suits.csv")["suits"].to_list() == ["rainbow", "two-tone"]
    run("report", out, "--sort", "ip_ev_chips", "--ascending", "--out", tmp_path / "all.parquet")
    assert polars.read_parquet(tmp_path / "all.parquet")["ip_ev_chips"].is_sorted()
    for words, fault in (
        (["--line", "r:0:b99"], "possible: r:0:c"),
        (["--only", "suits"], "write a texture and words"),
        (["--by", "colour"], "unknown texture"),
        (["--by", "suits", "--sort", "played"], "orders boards"),
        (["--out", tmp_path / "x.txt"], "ends in .csv or .parquet"),
        (["--only", "high_card=2"], "no solved board"),
    ):
        with pytest.raises(ConfigError, match=fault):
            run("report", out, *words)


def test_batch_refuses(files: tuple[Path, Path, Path]) -> None:
    spot, boards, out = files
    run("batch", spot, "--flops", boards, "--out", out)
    with pytest.raises(ArtefactError, match=r"spot\.pot differs"):
        run("batch", spot, "--flops", boards, "--out", out, "--set", "pot=50")
    with pytest.raises(ConfigError, match="possible: r:0:c"):
        run("batch", spot, "--flops", boards, "--out", out, "--line", "r:0:b99")
    with pytest.raises(ConfigError, match="known: nothing, street, all"):
        run("batch", spot, "--flops", boards, "--out", out, "--keep", "some")
    with pytest.raises(ConfigError, match="no subset of 7 flops"):
        run("batch", spot, "--flops", "7", "--out", out)


def test_flops() -> None:
    rows = [line.split() for line in run("flops", "50").splitlines()]
    assert len(rows) == 50
    assert sum(float(weight) for _, weight in rows) == pytest.approx(100, abs=0.01)
    content = json.loads(run("flops", "all", "--json"))
    assert len(content["boards"]) == 1755
