"""`overbet buckets` as a person types it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from overbet.errors import ArtefactError, ConfigError
from overbet.interfaces.cli.app import build

ANSWER = CliRunner()


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a data folder with the tiny buckets in it, built by the command."""
    folder = tmp_path_factory.mktemp("home")
    command = ["buckets", "build", "--preset", "tiny", "--compact", "--set", "flop=12"]
    result = ANSWER.invoke(build(), [*command, "--out", str(folder / "buckets" / "mine.h5")])
    assert result.exit_code == 0, result.output
    assert "12" in result.output
    assert "kept" in result.output
    assert " on " in result.output  # sample hands
    return folder


@pytest.fixture(autouse=True)
def _data_folder(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OVERBET_HOME", str(home))


def run(*words: str) -> str:
    result = ANSWER.invoke(build(), ["buckets", *words], catch_exceptions=False)
    assert result.exit_code == 0, result.output
    return result.output


def test_list() -> None:
    assert "169/12/10/10" in run("list")
    rows = json.loads(run("list", "--json"))["buckets"]
    assert rows[0]["name"] == "mine"
    assert rows[0]["buckets"] == [169, 12, 10, 10]
    assert not rows[0]["river_table"]
    assert len(rows[0]["hash"]) == 64


def test_a_damaged_file_is_listed_as_such(home: Path) -> None:
    bad = home / "buckets" / "bad.h5"
    bad.write_text("no")
    try:
        assert "is not a file of the kind 'overbet buckets'" in run("list", "--json")
    finally:
        bad.unlink()


def test_show() -> None:
    text = run("show", "AhKh", "--board", "Td9d6h", "--buckets", "mine")
    assert "flop bucket" in text
    assert "█" in text
    assert "those nearest to it" in text
    shown = json.loads(run("show", "AhKh", "--board", "Td9d6h2c", "--buckets", "mine", "--json"))
    assert shown["street"] == "turn"
    assert len(shown["neighbours"]) == 5
    (spread,) = shown["histograms"].values()
    assert sum(spread) == pytest.approx(1.0)


def test_nothing_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OVERBET_HOME", str(tmp_path))
    assert "no buckets in" in run("list").replace("\n", " ")
    with pytest.raises(ArtefactError, match="overbet buckets build --preset standard"):
        run("show", "AhKh", "--board", "Td9d6h")


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("--flop", "0"), "flop: 0 buckets; a street needs at least one"),
        (("--river", "5000"), "river: 5,000 buckets are more than the 1,981"),
        (("--preset", "tinny"), "did you mean 'tiny'"),
        (("--set", "restart=3"), "did you mean 'restarts'"),
        (("--set", "restarts"), "not of the form key.path=value"),
        (("--out", "buckets.zip"), "end the name in .h5"),
    ],
)
def test_bad_input(words: tuple[str, ...], message: str) -> None:
    with pytest.raises(ConfigError, match=message):
        run("build", *words)


def test_a_place_that_cannot_be_written_is_refused_before_the_work(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(ArtefactError, match=r"cannot write .* choose another place"):
        run("build", "--preset", "tiny", "--out", str(tmp_path / "file" / "mine.h5"))
