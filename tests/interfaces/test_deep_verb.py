"""`overbet deep` from the command line: a run, its files, and what is wrong in one line."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

import overbet
from overbet.agents.registry import make_agent
from overbet.errors import ArtefactError, ConfigError, OverbetError
from overbet.interfaces.cli.app import build
from overbet.solvers import DeepConfig, DeepTrainer, NetworkFile, TabularPolicy

torch = pytest.importorskip("torch", reason="the extra `deep` is not installed")
torch.set_num_threads(1)
CONFIGS = Path(__file__).parents[2] / "configs" / "deep"
LITTLE = (
    "game=kuhn",
    "traversals=100",
    "network.layers=1",
    "network.width=8",
    "advantage.steps=10",
    "policy.steps=20",
    "memory.regrets=1000",
    "memory.strategies=1000",
)


def invoke(*arguments: str) -> Result:
    result = CliRunner().invoke(build("deep"), ["deep", *arguments])
    if isinstance(result.exception, OverbetError):
        raise result.exception
    return result


def little(algorithm: str, out: Path, *more: str) -> Result:
    return invoke(algorithm, *(f"--set={setting}" for setting in LITTLE), "--out", str(out), *more)


@pytest.mark.parametrize("path", sorted(CONFIGS.glob("*.yaml")), ids=lambda path: path.stem)
def test_shipped_configs_are_read(path: Path) -> None:
    config = DeepConfig.load(path)
    assert config.name == path.stem


def test_a_run_leaves_policies_networks_metrics_and_a_picture(tmp_path: Path) -> None:
    pytest.importorskip("onnx")
    run, plot, onnx = tmp_path / "run", tmp_path / "curve.svg", tmp_path / "onnx"
    result = little("deep-cfr", run, "-n", "3", "--set=seeds=[5,6]", "--set=run.evaluate_every=1", "--json",
                    "--plot", str(plot), "--onnx", str(onnx))  # fmt: skip
    facts = json.loads(result.stdout)
    assert facts["iterations"] == 3
    assert facts["episodes"] == 600
    policies = [TabularPolicy.load(path) for path in facts["policies"]]
    assert [policy.exploitability() for policy in policies] == pytest.approx(facts["exploitability"])
    assert [policy.origin["seed"] for policy in policies] == [5, 6]
    assert len(facts["onnx"]) == 4
    assert "<svg" in plot.read_text()
    lines = (run / "metrics.csv").read_text().splitlines()
    assert lines[0].startswith("iterations,seconds,iterations_per_second,episodes")
    assert [line.split(",")[0] for line in lines[1:]] == ["1", "2", "3"]
    assert isinstance(overbet.load(run / "network-5.h5"), NetworkFile)
    shown = CliRunner().invoke(build(), ["policy", str(run / "network-5.h5"), "--json"])
    assert json.loads(shown.stdout)["exploitability"] == pytest.approx(facts["exploitability"][0], abs=1e-4)
    with pytest.raises(ConfigError, match="has networks, not a policy"):
        TabularPolicy.load(run / "network-5.h5")
    with pytest.raises(ArtefactError, match="networks of a small game"):
        make_agent(f"deep:{run / 'network-5.h5'}")
    trainer = overbet.load(run, DeepTrainer)
    assert trainer.iterations == 3
    [checkpoint] = sorted(run.glob("checkpoint-*.h5"))
    assert (overbet.load(checkpoint, DeepTrainer).strategies == trainer.strategies).all()


def test_a_run_goes_on(tmp_path: Path) -> None:
    run = tmp_path / "run"
    assert little("single-deep-cfr", run, "-n", "2").exit_code == 0
    result = invoke("--resume", str(run), "-n", "3", "--json")
    assert json.loads(result.stdout)["iterations"] == 3
    with pytest.raises(ArtefactError, match="other settings"):
        invoke("--resume", str(run), "--set", "traversals=7")


def test_ctrl_c_keeps_what_was_learned(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import signal

    run, step = tmp_path / "run", DeepTrainer.step

    def interrupted(trainer: DeepTrainer) -> None:
        step(trainer)
        if trainer.iterations == 2:
            signal.raise_signal(signal.SIGINT)

    monkeypatch.setattr(DeepTrainer, "step", interrupted)
    result = little("single-deep-cfr", run, "-n", "9")
    assert result.exit_code == 130
    assert f"overbet deep --resume {run}" in result.stderr
    assert overbet.load(run, DeepTrainer).iterations == 2


def test_what_is_wrong_is_said_in_a_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(ConfigError, match="did you mean 'deep-cfr'"):
        invoke("deep-cf")
    with pytest.raises(ConfigError, match="give a config file or an algorithm"):
        invoke()
    with pytest.raises(ConfigError, match="unknown key"):
        little("deep-cfr", tmp_path / "run", "--set=stepps=3")
    with pytest.raises(ArtefactError, match="there is no run"):
        invoke("--resume", str(tmp_path / "nothing"))
    monkeypatch.setattr(torch.cuda, "is_available", lambda: False)
    with pytest.raises(ConfigError, match="finds no GPU here"):
        little("deep-cfr", tmp_path / "run", "--device", "cuda")
    monkeypatch.setitem(sys.modules, "torch", None)
    with pytest.raises(ConfigError, match=r"overbet\[deep\]"):
        little("deep-cfr", tmp_path / "run")
    assert not (tmp_path / "run").exists()


def test_an_export_that_cannot_be_written_is_told_before_training(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    run, onnx = tmp_path / "run", tmp_path / "onnx"
    with pytest.raises(ConfigError, match="trains no policy network"):
        little("single-deep-cfr", run, "--onnx", str(onnx))
    monkeypatch.setitem(sys.modules, "onnx", None)
    with pytest.raises(ConfigError, match="needs the package onnx"):
        little("deep-cfr", run, "--onnx", str(onnx))
    assert not run.exists()
