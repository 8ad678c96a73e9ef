"""`overbet sample` from the command line: figures, files, Ctrl-C and going on."""

from __future__ import annotations

import csv
import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from typer.testing import CliRunner

from overbet.errors import ArtefactError, ConfigError, OverbetError, RulesError, TooLargeError
from overbet.interfaces.cli.app import build
from overbet.solvers.policy import TabularPolicy
from overbet.solvers.sampling import Progress, SamplingSolver


def invoke(*arguments: str) -> tuple[int, str]:
    result = CliRunner().invoke(build(), list(arguments))
    if isinstance(result.exception, OverbetError):
        raise result.exception
    assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
    return result.exit_code, result.stdout


def run(*arguments: str) -> str:
    code, text = invoke(*arguments)
    assert code == 0, text
    return text


def test_a_run_shows_its_curve() -> None:
    text = run("sample", "leduc", "--iterations", "20000", "--seed", "1")
    solver = SamplingSolver("leduc", seed=1)
    solver.run(20_000)
    assert "936 information sets" in text
    assert "external sampling, rule dcfr, seed 1" in text
    row = next(line for line in text.splitlines() if line.strip().startswith("20,000"))
    assert row.split() == ["20,000", f"{solver.exploitability():.5f}"]
    assert "iterations/s" in text
    assert "three or more players" not in text


def test_batches_end_where_they_end() -> None:
    text = run("sample", "kuhn", "-n", "1000", "--batch", "64")
    rows = [
        line.split()[0] for line in text.splitlines() if len(line.split()) == 2 and line.split()[1][0] == "0"
    ]
    assert rows == ["64", "128", "256", "512", "1,024"]  # whole batches, at or after 1, 100, 200, 500, 1,000


def test_every_setting_reaches_the_solver() -> None:
    words = ["--method", "outcome", "--rule", "lcfr", "--seed", "5", "--batch", "8", "--discount-every", "40"]
    words += ["--discounts", "3", "--epsilon", "0.5", "--no-baseline", "--gamma", "2"]
    found = json.loads(run("sample", "kuhn", "-n", "200", "--json", *words))
    config = found["config"]
    assert config["method"] == "outcome"
    assert config["rule"]["name"] == "lcfr"
    assert config["rule"]["average"]["power"] == 2.0
    expected = {
        "seed": 5,
        "batch": 8,
        "discount_every": 40,
        "discounts": 3,
        "epsilon": 0.5,
        "baseline": False,
    }
    assert {key: config[key] for key in expected} == expected
    assert found["iterations"] == 200
    assert found["curve"][-1] == [200, found["exploitability"]]
    assert found["nash_conv"] == pytest.approx(2 * found["exploitability"])
    assert found["stopped"] is False


def test_three_players_carry_a_warning() -> None:
    text = " ".join(run("sample", "kuhn3", "-n", "100").split())
    assert "with three or more players CFR does not promise an equilibrium" in text


def test_files_are_written(tmp_path: Path) -> None:
    save, policy, curve = tmp_path / "run.h5", tmp_path / "kuhn.json", tmp_path / "curve.csv"
    text = run(
        *("sample", "kuhn", "-n", "1000", "--seed", "2"),
        *("--save", str(save), "--policy", str(policy), "--csv", str(curve)),
    )
    assert text.count("wrote") == 3
    rows = list(csv.DictReader(curve.open()))
    assert rows[-1]["iterations"] == "1000"
    assert float(rows[-1]["exploitability"]) == TabularPolicy.load(policy).exploitability()
    assert SamplingSolver.load(save).iterations == 1000
    # a saved run gives its policy without a further iteration
    again = tmp_path / "again.parquet"
    run("sample", "--resume", str(save), "--policy", str(again))
    assert (
        TabularPolicy.load(again).probabilities.tobytes()
        == TabularPolicy.load(policy).probabilities.tobytes()
    )


def test_a_resumed_run_is_the_run_that_never_stopped(tmp_path: Path) -> None:
    first, whole = tmp_path / "first.h5", tmp_path / "whole.h5"
    options = ("--seed", "4", "--discount-every", "500")
    run("sample", "leduc", "-n", "700", "--save", str(first), *options)
    run("sample", "--resume", str(first), "-n", "2000", "--save", str(first))
    run("sample", "leduc", "-n", "2000", "--save", str(whole), *options)
    assert SamplingSolver.load(first).table.tobytes() == SamplingSolver.load(whole).table.tobytes()


def test_ctrl_c_keeps_what_there_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    plain_run = SamplingSolver.run

    def interrupted(
        solver: SamplingSolver, iterations: int, workers: int = 1, progress: Progress | None = None
    ) -> None:
        def stop(done: int) -> None:
            if done > 1500:
                signal.raise_signal(signal.SIGINT)

        plain_run(solver, iterations, workers, stop)

    path, whole = tmp_path / "run.h5", tmp_path / "whole.h5"
    monkeypatch.setattr(SamplingSolver, "run", interrupted)
    code, text = invoke("sample", "leduc", "-n", "100000", "--seed", "3", "--save", str(path), "--json")
    monkeypatch.undo()
    assert code == 130
    found = json.loads(text)
    assert found["stopped"] is True
    saved = SamplingSolver.load(path)
    assert 1500 < saved.iterations == found["iterations"] < 100_000
    assert found["curve"][-1][0] == saved.iterations
    end = str(saved.iterations + 1000)
    run("sample", "--resume", str(path), "-n", end, "--save", str(path))
    run("sample", "leduc", "-n", end, "--seed", "3", "--save", str(whole))
    assert SamplingSolver.load(path).table.tobytes() == SamplingSolver.load(whole).table.tobytes()


@pytest.mark.skipif(os.name == "nt", reason="signals of POSIX")
def test_ctrl_c_on_a_real_process(tmp_path: Path) -> None:
    path = tmp_path / "run.h5"
    command = [sys.executable, "-m", "overbet", "sample", "leduc", "-n", "2000000000", "--save", str(path)]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    try:
        deadline = time.monotonic() + 600
        while not path.exists() and process.poll() is None and time.monotonic() < deadline:
            time.sleep(0.05)
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=300)
    finally:
        process.kill()
    assert process.returncode == 130, err
    assert "stopped early" in out
    assert "Traceback" not in err
    assert SamplingSolver.load(path).iterations > 0


def test_bad_input_is_one_clear_line(tmp_path: Path) -> None:
    saved = str(tmp_path / "run.h5")
    run("sample", "kuhn", "-n", "10", "--save", saved)
    cases: list[tuple[type[OverbetError], str, tuple[str, ...]]] = [
        (RulesError, "unknown game 'leduk' .did you mean 'leduc'", ("leduk",)),
        (ConfigError, "unknown method 'outcom' .did you mean 'outcome'", ("kuhn", "-m", "outcom")),
        (ConfigError, "unknown rule 'dfcr' .did you mean 'dcfr'", ("kuhn", "-r", "dfcr")),
        (ConfigError, "predicts from the last regret", ("kuhn", "-r", "pdcfr+")),
        (ConfigError, "no parameter 'alpha'", ("kuhn", "-r", "cfr", "--alpha", "1")),
        (ConfigError, "--iterations is at least 1, not 0", ("kuhn", "-n", "0")),
        (ConfigError, "batch", ("kuhn", "--batch", "0")),
        (ConfigError, "seed", ("kuhn", "--seed", "-1")),
        (ConfigError, "workers are between 1 and", ("kuhn", "--workers", "0")),
        (ConfigError, "name a game", ()),
        (ConfigError, "ends in .h5", ("kuhn", "--save", "run.arrow")),
        (ConfigError, "end the name in .parquet or .json", ("kuhn", "--policy", "p.csv")),
        (ConfigError, "its settings from .*; leave out --seed$", ("--resume", saved, "--seed", "1")),
        (ConfigError, "has 10 iterations already", ("--resume", saved, "-n", "10")),
        (ArtefactError, "belongs to the game 'kuhn', not to 'leduc'", ("leduc", "--resume", saved)),
        (ArtefactError, "there is no sampling run file", ("--resume", str(tmp_path / "nothing.h5"))),
        (TooLargeError, "histories", ("holdem",)),
    ]
    for error, match, words in cases:
        with pytest.raises(error, match=match) as caught:
            run("sample", *words)
        assert "\n" not in str(caught.value)


def test_a_damaged_run_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "run.h5"
    run("sample", "kuhn", "-n", "10", "--save", str(path))
    path.write_bytes(path.read_bytes()[:-100])
    with pytest.raises(ArtefactError, match="damaged"):
        run("sample", "--resume", str(path), "-n", "20")
