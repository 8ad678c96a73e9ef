"""`overbet policy` from the command line."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from typer.testing import CliRunner

from overbet.errors import ArtefactError, ConfigError, OverbetError
from overbet.interfaces.cli.app import build
from overbet.solvers.policy import TabularPolicy


def run(*arguments: str) -> str:
    result = CliRunner().invoke(build(), ["policy", *arguments])
    if isinstance(result.exception, OverbetError):
        raise result.exception
    assert result.exit_code == 0, result.output
    return result.stdout


@pytest.fixture
def saved(tmp_path: Path) -> Path:
    weights = np.random.default_rng(8).random(2184)
    TabularPolicy.from_weights("leduc", weights, {"solver": "dice"}).save(tmp_path / "leduc.parquet")
    return tmp_path / "leduc.parquet"


def test_game_exploitability_and_table_are_shown(saved: Path) -> None:
    policy = TabularPolicy.load(saved)
    text = run(str(saved))
    assert "leduc: 2 players, 936 sets; solver dice" in text
    assert f"exploitability {policy.exploitability():.3e}" in text
    assert f"check {policy.at('Js:')['check']:.1%}" in text
    assert "... and 896 more" in text


def test_options_choose_what_is_shown(saved: Path) -> None:
    text = run(str(saved), "--player", "1", "--knows", "Ks:r", "--rows", "100")
    rows = [line.split() for line in text.splitlines() if "Ks:" in line]
    assert rows[0][:2] == ["1", "Ks:r"]
    assert all(row[0] == "1" and row[1].startswith("Ks:r") for row in rows)
    assert "more" not in text


def test_json_holds_everything(saved: Path) -> None:
    found = json.loads(run(str(saved), "--json"))
    policy = TabularPolicy.load(saved)
    assert found["game"] == "leduc"
    assert found["origin"] == {"solver": "dice"}
    assert found["exploitability"] == policy.exploitability()
    assert found["values"] == policy.values().tolist()
    assert [p for row in found["policy"] for p in row["probabilities"]] == policy.probabilities.tolist()
    assert len(json.loads(run(str(saved), "--json", "--knows", "Kh:", "--player", "0"))["policy"]) == 78


def test_bad_files_and_options(saved: Path, tmp_path: Path) -> None:
    with pytest.raises(ArtefactError, match="there is no policy file"):
        run(str(tmp_path / "nothing.json"))
    with pytest.raises(ConfigError, match="players 0 to 1, not 2"):
        run(str(saved), "--player", "2")
    with pytest.raises(ConfigError, match="no information set of leduc begins with 'Ac'"):
        run(str(saved), "--knows", "Ac")
    saved.write_bytes(saved.read_bytes()[:500])
    with pytest.raises(ArtefactError, match="damaged or not a Parquet file"):
        run(str(saved))
