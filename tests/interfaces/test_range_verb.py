"""`overbet range` from the command line."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from overbet.errors import CardError, ConfigError, RangeError
from overbet.interfaces.cli.app import build


def run(*arguments: str) -> str:
    result = CliRunner().invoke(build(), ["range", *arguments])
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        raise result.exception
    assert result.exit_code == 0, result.output
    return result.output


def test_grid_count_share_and_text() -> None:
    lines = run("AA, KQs, A2s-A5s, KTo+:0.5, AsKh:.25").splitlines()
    assert lines[0].split()[:2] == ["AA", "."]
    assert lines[2].split()[1] == "KQo50"
    assert lines[13] == "44.25 combos of 1,326, 3.3% of hands"
    assert lines[14] == "AA,A5s-A2s,KQs,KTo+:0.5,AsKh:0.25"


def test_an_empty_range_says_so() -> None:
    assert run("").splitlines()[-1] == "(an empty range)"


def test_board_plain_and_plot(tmp_path: Path) -> None:
    path = tmp_path / "range.png"
    lines = run("AA,98s-54s", "--board", "Ah7d2c", "--plot", str(path)).splitlines()
    assert lines[0].strip() == "board Ah7d2c"
    assert lines[-3] == "21 combos of 1,176, 1.8% of hands"
    assert lines[-2] == "AA,98s,87s,76s,65s,54s"  # the board is not written into the text
    assert path.read_bytes().startswith(b"\x89PNG")


def test_the_text_as_gto_plus_writes_it() -> None:
    assert run("AA,AK:.5", "--form", "gto+").splitlines()[-1] == "AA,[50.0]AKs,AKo[/50.0]"
    assert run("AA,[50.0]AKo[/50.0]").splitlines()[-1] == "AA,AKo:0.5"


def test_json_is_clean() -> None:
    facts = json.loads(run("AA:.5,AKs", "--json"))
    assert facts["text"] == "AA:0.5,AKs"
    assert facts["combos"] == 7
    assert facts["share"] == 7 / 1326
    assert facts["matrix"][0][:3] == [0.5, 1, 0]
    assert facts["board"] == ""


@pytest.mark.parametrize(
    ("arguments", "error"),
    [
        (["AA,KXs"], RangeError),
        (["AA", "--board", "Ah"], CardError),
        (["AA", "--board", "AhAh2c"], CardError),
        (["AA", "--palette", "pink"], ConfigError),
        (["AA", "--form", "poker"], RangeError),
    ],
)
def test_bad_input_is_a_named_error(arguments: list[str], error: type[Exception]) -> None:
    with pytest.raises(error):
        run(*arguments)
