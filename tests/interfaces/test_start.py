"""What a command loads when it starts, and what a terminal is told while kernels are compiled."""

from __future__ import annotations

import gc
import subprocess
import sys
from pathlib import Path

import pytest
import typer

from overbet.interfaces.cli import app, loading
from overbet.kernels import told

ROOT = Path(__file__).resolve().parents[2]


def names(built: typer.Typer) -> set[str]:
    commands = {one.name or getattr(one.callback, "__name__", "") for one in built.registered_commands}
    return commands | {str(one.name) for one in built.registered_groups}


def test_a_verb_is_registered_alone_and_what_is_none_finds_them_all() -> None:
    every = names(app.build())
    assert {"solve", "preflop-table", "blueprint"} <= every
    for verb in every:
        assert names(app.build(verb)) == {verb}
    for other in ("", "--help", "sovle", "preflop_table", "__init__"):
        assert names(app.build(other)) == every


def test_a_solve_loads_neither_tables_nor_pictures_nor_all_verbs() -> None:
    code = (
        "import sys\nfrom overbet.interfaces.cli import app\n"
        "sys.argv = ['overbet', 'solve', 'examples/quick.yaml', '--iterations', '2']\n"
        "try:\n    app.main()\nexcept SystemExit as leaving:\n    assert leaving.code == 0, leaving.code\n"
        "unwanted = ('polars', 'PIL', 'rich.markdown', 'rich.progress')\n"
        "unwanted += ('overbet.interfaces.cli.verbs.match',)\n"
        "print('LOADED', [name for name in unwanted if name in sys.modules])"
    )
    words = [sys.executable, "-c", code]
    found = subprocess.run(words, capture_output=True, text=True, check=False, cwd=ROOT)
    assert found.stdout.splitlines()[-1] == "LOADED []", found.stderr


def test_a_terminal_is_told_what_is_compiled_and_waited_for(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for who in ("told", "told_of_waiting"):
        monkeypatch.setattr(app, who, [])
    monkeypatch.setattr(app, "_run", lambda *_: 0)
    monkeypatch.setattr(sys.stderr, "isatty", lambda: False)
    with pytest.raises(SystemExit):
        app.main()
    assert app.told == app.told_of_waiting == []
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    with pytest.raises(SystemExit):
        app.main()
    for tell in (*app.told, *app.told_of_waiting):
        tell("walk")
    assert capsys.readouterr().err.splitlines() == [
        "compiling walk for this machine, once",
        "waiting for walk, which another process is compiling for this machine",
    ]
    assert told.told_of_waiting is not app.told_of_waiting


def test_loading_leaves_the_collector_as_it_was() -> None:
    before = gc.isenabled()
    with loading.loading():
        inside = gc.isenabled()
    assert not inside
    assert gc.isenabled() == before
    with pytest.raises(ZeroDivisionError), loading.loading():
        _ = 1 // 0
    assert gc.isenabled() == before
    gc.disable()
    try:
        with loading.loading():
            pass
        assert not gc.isenabled()
    finally:
        if before:
            gc.enable()
