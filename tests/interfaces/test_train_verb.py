from __future__ import annotations

import json
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from overbet.blueprint.config import BlueprintConfig
from overbet.errors import ArtefactError, ConfigError, IllegalActionError
from overbet.interfaces.cli.app import build
from overbet.tree.holdem import measure_tree

CONFIGS = Path(__file__).parents[2] / "configs"
FAST = str(CONFIGS / "fast_test.yaml")


def overbet(*arguments: object) -> Result:
    result = CliRunner().invoke(build(), [str(argument) for argument in arguments])
    if result.exception and not isinstance(result.exception, SystemExit):
        raise result.exception
    return result


@pytest.mark.parametrize("name", ["fast_test", "heads-up", "production", "expresso", "six-max"])
def test_every_config_makes_a_tree(name: str) -> None:
    config = BlueprintConfig.load(CONFIGS / f"{name}.yaml")
    assert (config.solver.tables == "keyed") == (name == "six-max")
    if config.solver.tables == "dense":
        size = measure_tree(config.game.game(), config.menu)
        assert 0 < sum(size.decisions) < 200_000
    assert config.game.players == {"expresso": 3, "six-max": 6}.get(name, 2)


def test_train_resume_and_show(tmp_path: Path) -> None:
    run = tmp_path / "run"
    found = overbet("train", FAST, "--set", "solver.rule=linear", "-n", 40_000, "-o", run, "-w", 1, "--json")
    facts = json.loads(found.stdout)
    assert facts["iterations"] == 40_000
    assert facts["rule"] == "lcfr"
    assert facts["touched"] == 1.0
    assert Path(facts["blueprint"]).stat().st_size == facts["bytes"]
    assert (run / "metrics.png").read_bytes().startswith(b"\x89PNG")
    assert (run / "events.out.tfevents.overbet").stat().st_size > 100
    picture = tmp_path / "run.png"
    more = json.loads(overbet("train", "--resume", run, "-n", 60_000, "--plot", picture, "--json").stdout)
    assert picture.read_bytes().startswith(b"\x89PNG")
    assert more["iterations"] == 60_000
    info = json.loads(overbet("blueprint", "info", run).stdout)
    assert info["iterations"] == 60_000
    assert info["cards"] == "preflop-169"
    grid = overbet("blueprint", "show", run).stdout
    assert "SB after r:0" in grid
    assert "all-in 10bb" in grid
    one = json.loads(overbet("blueprint", "show", run, "--hand", "AhAd", "--json").stdout)
    assert one["strategy"]["all-in 10bb"] > 0.95
    assert "wrote" in overbet("blueprint", "export", run, tmp_path / "run.json").stdout
    assert len(json.loads((tmp_path / "run.json").read_text())["decisions"]) == 2
    assert "wrote" in overbet("blueprint", "import", tmp_path / "run.json", tmp_path / "back.h5").stdout
    back = overbet("blueprint", "show", tmp_path / "back.h5", "--json").stdout
    assert back == overbet("blueprint", "show", run, "--json").stdout
    gains = json.loads(overbet("blueprint", "measure", run, "--json").stdout)
    assert gains["kind"] == "exact"
    assert gains["values_bb"][1] == pytest.approx(-0.045, abs=0.01)
    assert 0 < gains["nash_conv_bb"] < 0.05
    assert "exact, over all 1,624,350 deals" in overbet("blueprint", "measure", run, "--write").stdout
    measured = json.loads(overbet("blueprint", "info", run).stdout)["measured"]
    assert measured["best_response_in_the_abstraction"]["gains_bb"] == gains["gains_bb"]
    with pytest.raises(IllegalActionError, match="not in the tree"):
        overbet("blueprint", "show", run, "--line", "r:0:b300")


def test_a_killed_run_goes_on_to_the_number_it_was_given(tmp_path: Path) -> None:
    run = tmp_path / "run"
    own = ("--set", "iterations=1000", "--set", "run.checkpoint_minutes=0.0001", "-n", "300000")
    child = subprocess.Popen(
        [sys.executable, "-m", "overbet", "train", FAST, *own, "-o", str(run)], stderr=subprocess.DEVNULL
    )
    end = time.monotonic() + 300
    while not list(run.glob("checkpoint-*.h5")):
        assert child.poll() is None
        assert time.monotonic() < end
        time.sleep(0.005)
    child.kill()
    assert child.wait() == -signal.SIGKILL
    assert json.loads(overbet("train", "--resume", run, "--json").stdout)["iterations"] == 300_000


def test_tree_tells_nodes_and_memory(tmp_path: Path) -> None:
    facts = json.loads(overbet("tree", CONFIGS / "heads-up.yaml", "--json").stdout)
    assert facts["decisions"] == [104, 2164, 13804, 52908]
    assert sum(facts["entries"]) == 30_814_221
    assert facts["table_bytes"] == 8 * 30_814_221
    text = overbet("tree", CONFIGS / "heads-up.yaml", "--buckets", "10/10/10").stdout
    assert "68,980" in text
    facts = json.loads(overbet("tree", CONFIGS / "six-max.yaml", "--json").stdout)
    assert facts["rows"] == 1_000_000
    assert facts["table_bytes"] == 32_000_000
    assert "keyed tables with room for 1,000,000 rows" in overbet("tree", CONFIGS / "six-max.yaml").stdout
    spot = Path(__file__).parents[2] / "examples" / "river.yaml"
    assert json.loads(overbet("tree", spot, "--json").stdout)["board"] == "KsTh7s4d2c"
    with pytest.raises(ConfigError, match="--buckets is for blueprints"):
        overbet("tree", spot, "--buckets", "1/2/3")
    with pytest.raises(ConfigError, match="such as 50/100/200"):
        overbet("tree", CONFIGS / "heads-up.yaml", "--buckets", "0/1/2")


def test_bad_input(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="give a config file to start a run, or --resume"):
        overbet("train")
    with pytest.raises(ConfigError, match=r"unknown key 'solver.rul' \(did you mean 'rule'\?\)"):
        overbet("train", FAST, "--set", "solver.rul=linear", "-o", tmp_path / "a")
    with pytest.raises(ConfigError, match="unknown rule 'liner'"):
        overbet("train", FAST, "--set", "solver.rule=liner", "-o", tmp_path / "a")
    with pytest.raises(ConfigError, match="noise under sampling"):
        overbet("train", FAST, "--set", "solver.rule=pcfr+", "-o", tmp_path / "a")
    with pytest.raises(ConfigError, match="not a multiple of batch"):
        overbet(
            "train", FAST, "--set", "solver.mode=deterministic", "--set", "solver.batch=7", "-o", tmp_path
        )
    with pytest.raises(ConfigError, match="cycled is for two players"):
        overbet("train", FAST, "--set", "game.players=3", "-o", tmp_path / "a")
    with pytest.raises(ConfigError, match="not a whole number of chips"):
        overbet("train", FAST, "--set", "game.stack_bb=1.234", "-o", tmp_path / "a")
    with pytest.raises(ArtefactError, match="there is no run in"):
        overbet("train", "--resume", tmp_path / "none")
    with pytest.raises(ArtefactError, match="there are no buckets"):
        overbet("train", CONFIGS / "heads-up.yaml", "--set", "cards.path=none", "-o", tmp_path / "a")
    with pytest.raises(ArtefactError, match="there is no blueprint"):
        overbet("blueprint", "show", tmp_path / "none.h5")
    assert not (tmp_path / "a").exists()


def test_a_used_folder_and_another_game_are_refused(tmp_path: Path) -> None:
    run = tmp_path / "run"
    overbet("train", FAST, "-n", 100, "-o", run, "-w", 1, "--json")
    with pytest.raises(ConfigError, match="has a run in it already; continue it with"):
        overbet("train", FAST, "-n", 100, "-o", run)
    with pytest.raises(ArtefactError, match="other game and bets: its hash is"):
        overbet("train", "--resume", run, "--set", "game.stack_bb=11")


def test_a_preset_is_named_where_there_is_no_such_file(tmp_path: Path) -> None:
    from overbet.blueprint.preset_configs import find_config, preset_names, preset_path

    assert find_config(Path("push-fold")) == preset_path("push-fold")
    assert find_config(tmp_path / "own.yaml") == tmp_path / "own.yaml"
    for name in preset_names():
        assert BlueprintConfig.load(preset_path(name)).name == name
