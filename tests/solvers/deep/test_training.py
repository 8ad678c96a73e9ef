"""The trainer: every algorithm learns Kuhn, targets are the rule's, a run goes on to the same bits."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
import yaml

from overbet.errors import ArtefactError, ConfigError
from overbet.games.registry import make_game
from overbet.kernels.regret import accumulated, played
from overbet.solvers.deep.config import DeepConfig, EpsilonConfig, algorithm_names
from overbet.solvers.deep.memory import Seen
from overbet.solvers.deep.policy_networks import network_policy, policy_networks
from overbet.solvers.deep.regrets import Regrets, iteration_weights
from overbet.solvers.deep.run import DeepRun
from overbet.solvers.deep.trainer import DeepTrainer
from overbet.solvers.policy import TabularPolicy
from overbet.solvers.rules import load_rule
from overbet.tree.flat import flatten
from tests.reference.counterfactual import own_reach

SMALL: dict[str, Any] = {
    "game": "kuhn",
    "traversals": 200,
    "network": {"layers": 2, "width": 16},
    "advantage": {"steps": 40, "learning_rate": 0.01, "fresh": False},
    "policy": {"steps": 150, "learning_rate": 0.01},
    "memory": {"regrets": 20_000, "strategies": 20_000},
}


# Rules of one's own, as a rule file has them: what all regret is discounted by.
LINEAR: dict[str, Any] = {
    "name": "straight",
    "positive": {"kind": "linear", "power": 1.5},
    "negative": {"kind": "linear", "power": 1.5},
    "average": {"kind": "linear", "power": 2},
}
EXPONENTIAL: dict[str, Any] = {
    "name": "forgetting",
    "positive": {"kind": "exponential", "rate": 0.3, "start": 0.5, "end": 0.97},
    "negative": {"kind": "exponential", "rate": 0.3, "start": 0.5, "end": 0.97},
    "average": {"kind": "exponential", "rate": 0.1},
}


def small(algorithm: str, **settings: Any) -> DeepConfig:
    found = {**SMALL, **settings}
    config = DeepConfig.named(algorithm, **found)
    if config.baseline is None or "baseline" in settings:
        return config
    return DeepConfig.named(algorithm, **found, baseline={"steps": 30, "learning_rate": 0.01})


@pytest.mark.parametrize("algorithm", algorithm_names())
def test_every_algorithm_learns(algorithm: str) -> None:
    trainer = DeepTrainer(small(algorithm, seeds=(1, 2)))
    start = trainer.exploitability()
    trainer.run(12)
    assert start == pytest.approx([0.4583, 0.4583], abs=1e-3)
    assert (trainer.exploitability() < 0.2).all()
    assert trainer.episodes == 12 * 2 * 200


def test_kuhn_is_learned_to_a_hundredth() -> None:
    settings = {"batches": "pooled", "advantage": {"steps": 25, "learning_rate": 0.01, "fresh": False}}
    trainer = DeepTrainer(small("single-deep-cfr", **settings, seeds=(1, 2, 3)))
    trainer.run(120)
    assert np.median(trainer.exploitability()) < 0.02


def test_samples_of_iterations_count_as_the_rule_says() -> None:
    """Sums of a number a step, by the tabular rule and by weights of samples."""
    numbers = np.random.default_rng(0).normal(size=6)
    for name in ("cfr", "lcfr", LINEAR, EXPONENTIAL):
        config = small("dream", rule=name)
        total = 0.0
        for t, number in enumerate(numbers, 1):
            total = accumulated(total, float(number), config.rule.at(t))
        weights = iteration_weights(config, 6, "positive", "cpu").numpy()
        assert weights[0] == 0.0
        scale = config.rule.at(6).weight
        assert float(weights[1:] @ numbers) * scale == pytest.approx(total, rel=1e-5)
    for name in ("lcfr", "dcfr+", "pdcfr+", LINEAR, EXPONENTIAL):
        config = small("deep-dcfr+", rule=name)
        sums = 0.0
        for t, number in enumerate(numbers, 1):
            step = config.rule.at(t)
            sums = sums * step.average_discount + step.average_weight * number
        weights = iteration_weights(config, 6, "average", "cpu").numpy()
        assert float(weights[1:] @ numbers) == pytest.approx(sums, rel=1e-5)


@pytest.mark.parametrize("file", [LINEAR, EXPONENTIAL], ids=lambda file: str(file["name"]))
@pytest.mark.parametrize("algorithm", ["single-deep-cfr", "deep-dcfr+"])
def test_a_rule_file_of_the_tabular_solver_is_a_rule_here(
    tmp_path: Path, file: dict[str, Any], algorithm: str
) -> None:
    path = tmp_path / "rule.yaml"
    path.write_text(yaml.safe_dump(file))
    config = small(algorithm, rule=str(path), seeds=(1, 2, 3))
    assert config.rule == load_rule(path)
    assert config == small(algorithm, rule=file, seeds=(1, 2, 3))
    trainer = DeepTrainer(config)
    trainer.run(15)
    assert np.median(trainer.exploitability()) < 0.15
    path.unlink()
    with pytest.raises(ConfigError, match="rule: cannot read"):
        small(algorithm, rule=str(path))


@pytest.mark.parametrize(
    "rule",
    [
        "dcfr+",
        "pdcfr+",
        "cfr+",
        "dcfr",
        pytest.param(LINEAR, id="linear"),
        pytest.param(EXPONENTIAL, id="exp"),
    ],
)
def test_bootstrapped_regrets_are_the_tabular_rule_s(rule: Any) -> None:
    """Networks that can hold anything, many steps: what they say and play is the rule on exact numbers."""
    config = DeepConfig.named(
        "deep-dcfr+",
        rule=rule,
        batches="pooled",
        baseline=None,
        unplayed="uniform",
        network={"layers": 1, "width": 48, "norm": False},
        advantage={"steps": 500, "learning_rate": 0.01, "last_rate": 0.01, "clip": 0.0},
    )
    rows, legal = 3, np.array([[True, True], [True, True], [True, True]])
    regrets = Regrets(0, np.eye(rows, dtype=np.float32), legal, config, torch.device("cpu"), 2.0)
    draw = np.random.default_rng(1)
    total = np.zeros((rows, 2))
    for t in range(1, 5):
        seen = draw.normal(size=(rows, 2)).astype(np.float32)
        regrets.add(0, Seen(np.arange(rows, dtype=np.int32), seen, np.ones(rows, np.float32)), t)
        regrets.learn(t)
        regrets.forget()
        step = config.rule.at(t)
        for place in np.ndindex(total.shape):
            total[place] = accumulated(float(total[place]), float(seen[place]), step)
        said = np.maximum(regrets.count * regrets.regret[0] * 2.0, step.floor)
        assert said == pytest.approx(total, abs=0.05 * t)
        weights = np.array(
            [[played(float(total[i, a]), float(seen[i, a]), step) for a in range(2)] for i in range(rows)]
        )
        clear = weights.sum(1) > 0.3
        shares = weights[clear] / weights[clear].sum(1, keepdims=True)
        assert regrets.strategies(t)[0][clear] == pytest.approx(shares, abs=0.15)


def test_kept_networks_are_averaged_by_reach() -> None:
    trainer = DeepTrainer(small("single-deep-cfr"))
    sums = np.zeros(trainer.flat.num_slots)
    for t in range(1, 5):
        step = trainer.config.rule.at(t)
        reach = own_reach(trainer.flat, trainer.strategies[0])
        sums = sums * step.average_discount + step.average_weight * reach
        trainer.run(1)
    assert trainer.average_strategies()[0] == pytest.approx(trainer.flat.normalise(sums))


@pytest.mark.parametrize("algorithm", ["deep-pdcfr+", "deep-cfr"])
def test_a_stopped_run_goes_on_to_the_same_bits(tmp_path: Path, algorithm: str) -> None:
    config = small(algorithm, seeds=(3, 4), iterations=5, run={"evaluate_every": 2})
    whole = DeepRun.start(tmp_path / "whole", config)
    whole.go()
    DeepRun.start(tmp_path / "parts", config).go(3)
    parts = DeepRun.resume(tmp_path / "parts")
    assert parts.trainer.iterations == 3
    parts.go(5)
    assert (whole.trainer.strategies == parts.trainer.strategies).all()
    assert (whole.trainer.kept.sums == parts.trainer.kept.sums).all()
    for seed in (3, 4):
        ours, theirs = (
            TabularPolicy.load(tmp_path / name / f"policy-{seed}.json") for name in ("whole", "parts")
        )
        assert (ours.probabilities == theirs.probabilities).all()
    columns = parts.metrics()
    assert columns["iterations"] == [2.0, 3.0, 4.0, 5.0]
    assert columns["episodes"][-1] == 5 * 400
    assert columns["exploitability"][-1] == pytest.approx(np.median(parts.trainer.exploitability()), rel=1e-5)


def test_memory_in_files_changes_no_bit(tmp_path: Path) -> None:
    memory = {**SMALL["memory"], "mapped": True}
    DeepRun.start(tmp_path / "mapped", small("deep-cfr", memory=memory, iterations=2)).go()
    DeepRun.start(tmp_path / "plain", small("deep-cfr", iterations=2)).go()
    ours, theirs = (DeepRun.look(tmp_path / name) for name in ("mapped", "plain"))
    assert (ours.strategies == theirs.strategies).all()


def test_a_damaged_checkpoint_is_passed_over(tmp_path: Path) -> None:
    folder = tmp_path / "run"
    run = DeepRun.start(folder, small("deep-pdcfr+", iterations=3))
    run.trainer.run(1)
    run.save()
    run.go()
    newest = sorted(folder.glob("checkpoint-*.h5"))[-1]
    newest.write_bytes(newest.read_bytes()[:-50])
    again = DeepRun.resume(folder)
    assert again.trainer.iterations == 1
    assert len(again.notes) == 2
    assert "damaged" in again.notes[0] or "shorter" in again.notes[0]
    again._lock.release()
    for path in folder.glob("checkpoint-*.h5"):
        path.write_bytes(b"nothing")
    with pytest.raises(ArtefactError, match=r"no checkpoint of .* is good"):
        DeepRun.resume(folder)


def test_another_run_s_settings_or_folder_are_refused(tmp_path: Path) -> None:
    folder = tmp_path / "run"
    DeepRun.start(folder, small("deep-cfr", iterations=1)).go()
    with pytest.raises(ConfigError, match="has a run in it already"):
        DeepRun.start(folder, small("deep-cfr"))
    with pytest.raises(ArtefactError, match="other settings"):
        DeepRun.resume(folder, small("deep-cfr", traversals=100))
    with pytest.raises(ArtefactError, match="there is no run"):
        DeepRun.resume(tmp_path / "nothing")


def test_policy_networks_play_what_the_policy_says(tmp_path: Path) -> None:
    trainer = DeepTrainer(small("deep-cfr", seeds=(1, 2)))
    trainer.run(3)
    networks = policy_networks(trainer, 1)
    networks.save(tmp_path / "kuhn.h5")
    policy = network_policy(tmp_path / "kuhn.h5")
    assert policy.probabilities == pytest.approx(trainer.policy(1).probabilities, abs=1e-5)
    with pytest.raises(ArtefactError, match="not of 'leduc'"):
        network_policy(tmp_path / "kuhn.h5", make_game("leduc"))
    with pytest.raises(ConfigError, match="trains no policy network"):
        policy_networks(DeepTrainer(small("single-deep-cfr")))


def test_a_game_of_one_s_own_is_learned_from_its_texts() -> None:
    kuhn = flatten(make_game("kuhn3"))
    renamed = type(kuhn)(**{**vars(kuhn), "name": "three of us"})
    trainer = DeepTrainer(small("single-deep-cfr", seeds=(1,)), renamed)
    start = float(trainer.exploitability()[0])
    trainer.run(8)
    assert float(trainer.exploitability()[0]) < 0.7 * start
    with pytest.raises(ConfigError, match="one of two players"):
        DeepTrainer(small("dream"), renamed)


def test_exploration_falls_as_it_is_told() -> None:
    schedule = EpsilonConfig(start=0.6, end=0.2, until=4)
    assert [schedule.at(t) for t in (1, 3, 5, 9)] == pytest.approx([0.6, 0.4, 0.2, 0.2])


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"algorithm": "deep-pdfcr+"}, r"did you mean 'deep-pdcfr\+'"),
        ({"bootstrap": False}, "changes regret by its sign"),
        ({"seeds": [1, 1]}, "seeds repeat"),
        ({"sampling": "external"}, "belongs to outcome sampling"),
        ({"memory": {"mapped": True}, "run": {"device": "cuda"}}, "only run.device: cpu reads"),
        ({"advantage": {"step": 5}}, "unknown key 'advantage.step'"),
        ({"policy": {"fresh": False}}, "policy.fresh"),
        ({"rule": "pdcr+"}, "unknown rule"),
    ],
)
def test_configs_that_do_not_fit_say_why(settings: dict[str, Any], message: str) -> None:
    with pytest.raises(ConfigError, match=message):
        DeepConfig.parse(settings)


def test_no_gpu_and_no_pytorch_are_one_line_each(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(torch.cuda, "is_available", lambda: False)
    with pytest.raises(ConfigError, match="finds no GPU here; use device=cpu"):
        DeepTrainer(small("deep-cfr", run={"device": "cuda"}))
    monkeypatch.setitem(sys.modules, "torch", None)
    with pytest.raises(ConfigError, match=r"pip install 'overbet\[deep\]'"):
        DeepTrainer(small("deep-cfr"))
