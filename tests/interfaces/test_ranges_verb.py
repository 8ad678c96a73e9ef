"""`overbet ranges` from the command line."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from overbet.errors import OverbetError
from overbet.interfaces.cli.app import build


def run(*arguments: str) -> str:
    result = CliRunner().invoke(build("ranges"), ["ranges", *arguments])
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        raise result.exception
    assert result.exit_code == 0, result.output
    return result.output


def test_a_library_from_the_terminal(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OVERBET_HOME", str(tmp_path / "home"))
    assert "empty" in run("list")
    assert run("save", "Button/opens", "22+,AK:.5") == "kept Button/opens (86 combos)\n"
    with pytest.raises(OverbetError, match="already"):
        run("save", "Button/opens", "22+")
    assert run("show", "Button/opens", "--form", "gto+") == "22+,[50.0]AKs,AKo[/50.0]\n"
    assert run("move", "Button/opens", "BTN/2.5x") == "it is now BTN/2.5x\n"
    assert run("list", "btn") == "BTN/2.5x  (86 combos)\n"
    assert run("list", "nothing") == "(no such range)\n"
    file = tmp_path / "all.txt"
    run("export", str(file), "--form", "gto+")
    assert file.read_text() == "# BTN/2.5x\n22+,[50.0]AKs,AKo[/50.0]\n"
    assert run("delete", "BTN/2.5x") == "22+,AKs:0.5,AKo:0.5\n"
    one = tmp_path / "calls.txt"
    one.write_text("QQ-22")
    run("import", str(file), str(one), "--folder", "back")
    found = json.loads(run("list", "--json"))
    assert [each["name"] for each in found] == ["back/BTN/2.5x", "back/calls"]
    with pytest.raises(OverbetError, match="cannot read"):
        run("import", str(tmp_path / "none.txt"))


def test_presets_of_the_shipped_strategies() -> None:
    lines = run("presets", "heads-up", "SB", "opens", "2bb", "--form", "gto+").splitlines()
    assert lines[0].startswith("Heads-up, 200 bb: SB opens 2bb  (")
    assert lines[1].startswith("[")
    assert len(lines) == 24  # three lines for each of the eight stacks that ship
