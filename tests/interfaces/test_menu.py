"""The menu of `overbet` without a verb: its questions, the commands they end in, and a real terminal."""

from __future__ import annotations

import contextvars
import os
import pty
import select
import shlex
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from prompt_toolkit.application import create_app_session
from prompt_toolkit.input import PipeInput, create_pipe_input
from prompt_toolkit.output import DummyOutput

from overbet.blueprint.catalogue import shipped_blueprints
from overbet.errors import ConfigError
from overbet.interfaces.cli.menu import checks
from overbet.interfaces.cli.menu.main_menu import choices, open_menu
from overbet.interfaces.cli.menu.other_menus import config_choices
from overbet.signals import StopRequests
from overbet.solvers.vector.api import SolveFile

ROOT = Path(__file__).resolve().parents[2]
ENTER, DOWN, ESCAPE, CTRL_C, ERASE = "\r", "\x1b[B", "\x1b", "\x03", "\x15"
ITEM = {title: place for place, (title, _) in enumerate(choices())}


@pytest.fixture
def keys(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[PipeInput]:
    monkeypatch.chdir(tmp_path)
    with create_pipe_input() as pipe, create_app_session(input=pipe, output=DummyOutput()):
        yield pipe


def opened(run: Callable[[list[str]], int | None], asked: StopRequests) -> int:
    """Open the menu in a thread: in this one a browser's event loop may be running, from other tests."""
    with ThreadPoolExecutor(1) as pool:
        return pool.submit(contextvars.copy_context().run, open_menu, run, asked).result()


def item(title: str) -> str:
    return DOWN * ITEM[title] + ENTER


def told(capsys: pytest.CaptureFixture[str], ran: list[list[str]]) -> list[str]:
    """Return the commands printed, which are those that were run."""
    printed = [line[2:] for line in capsys.readouterr().out.splitlines() if line.startswith("$ ")]
    assert printed == [shlex.join(["overbet", *words]) for words in ran]
    return printed


def leave(pipe: PipeInput, text: str) -> list[list[str]]:
    """Type a text, then leave; return the commands that were run."""
    ran: list[list[str]] = []
    pipe.send_text(text + item("Leave"))
    assert opened(lambda words: ran.append(words) or 0, StopRequests()) == 0
    return ran


def test_a_spot_by_questions(keys: PipeInput, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = item("Solve a spot") + ENTER
    text += ERASE + "Qs 8h 4d 2c" + ENTER
    text += ERASE + "x" + ENTER + ERASE + "6.25" + ENTER  # the first is refused and stays to be mended
    text += ENTER  # the stack as offered
    text += ENTER  # the first preset
    text += "\x1b[A" + ENTER + "QQ,AKs:0.5" + ENTER  # upwards: the last one, a range of one's own
    text += ERASE + "33 75 ai" + ENTER + ENTER + ERASE + "0.3" + ENTER
    text += ENTER + ENTER + ENTER  # names of the files as offered
    ran = leave(keys, text)
    assert ran == [["solve", "Qs8h4d2c.yaml", "--save", "Qs8h4d2c.h5"]]
    assert told(capsys, ran) == ["overbet solve Qs8h4d2c.yaml --save Qs8h4d2c.h5"]
    spot = SolveFile.load(tmp_path / "Qs8h4d2c.yaml", [])
    assert (spot.board, spot.pot, spot.stacks, spot.big_blind) == ("Qs8h4d2c", 625, 9750, 100)
    assert spot.ranges.oop.startswith("99-22")
    assert spot.ranges.ip == "QQ,AKs:0.5"
    assert spot.bets.menu(1, 0).bet == "33 75 ai"
    assert spot.solve.target == 0.3


def test_every_other_choice_is_a_command(
    keys: PipeInput, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "configs").mkdir()
    shutil.copy(ROOT / "configs/fast_test.yaml", tmp_path / "configs")
    assert config_choices() == ["push-fold", "heads-up-20bb", "expresso", "configs/fast_test.yaml"]
    place = 3
    train = DOWN * place + ENTER + ERASE + "2000" + ENTER
    train += "solver.rule=nothing" + ENTER + ERASE + "solver.rule=cfr" + ENTER + ENTER + ENTER
    text = item("Train a blueprint") + train
    text += item("Build card buckets") + ENTER + ERASE + "12" + ENTER + ENTER + ENTER
    text += item("Match two agents") + DOWN * 3 + ENTER + DOWN * 4 + ENTER + ERASE + "4000" + ENTER
    text += item("Play against the computer") + ENTER + ENTER
    text += item("Play against the computer") + DOWN + ENTER + DOWN * 4 + ENTER
    text += item("Browse charts") + ENTER + DOWN + ENTER + DOWN + ENTER + ENTER + ESCAPE
    text += item("Open the page in the browser")
    text += item("Solve a spot") + DOWN * 2 + ENTER
    ran = leave(keys, text)
    commands = [" ".join(words) for words in ran]
    assert commands[0] == (
        "train configs/fast_test.yaml --iterations 2000 --set solver.rule=cfr --out runs/fast-test"
    )
    assert commands[1:5] == [
        "buckets build --preset tiny --flop 12",
        "match tag lag --hands 4000",
        "play blueprint:heads-up",
        "play --expresso --multiplier 25",
    ]
    second = shipped_blueprints("heads-up")[1].name
    assert commands[5].startswith(f"blueprint show {second} --line r:0:")
    assert commands[6] == "serve"
    assert commands[7].endswith("quick.yaml")
    told(capsys, ran)


def test_back_and_out(keys: PipeInput) -> None:
    text = item("Solve a spot") + CTRL_C + item("Match two agents") + ENTER + CTRL_C
    assert leave(keys, text) == []
    keys.send_text(CTRL_C)
    assert opened(lambda words: 1, StopRequests()) == 0
    keys.send_text(ESCAPE)
    assert opened(lambda words: 1, StopRequests()) == 0


def test_a_signal_while_a_command_runs_ends_the_menu(keys: PipeInput) -> None:
    asked = StopRequests()

    def run(words: list[str]) -> int:
        asked.number = 15
        return 143

    keys.send_text(item("Open the page in the browser"))
    assert opened(run, asked) == 143


@pytest.mark.parametrize(
    ("check", "text", "words"),
    [
        (checks.check_board, "Td9d", "a board has 0, 3, 4 or 5 cards"),
        (checks.check_board, "", "3, 4 or 5 cards of the board"),
        (checks.chips_of, "much", "an amount in big blinds"),
        (checks.chips_of, "-3", "above 0"),
        (checks.chips_of, "nan", "above 0"),
        (checks.chips_of, "1.005", "two decimals"),
        (checks.check_range, "", "at least one hand"),
        (checks.check_raises, "0.5x", "above 1x"),
        (checks.known_file, "nowhere.yaml", "there is no file"),
        (checks.new_file(".h5"), "x.yaml", "ends in .h5"),
        (checks.whole_between(2, 10, "the number of seats"), "2.5", "the number of seats is a whole number"),
        (checks.number_between(0, 1, "a share"), "2", "a share is from 0 to 1"),
        (checks.check_agent, "tga", "tag"),
    ],
)
def test_answers_are_refused_in_words(check, text: str, words: str) -> None:
    with pytest.raises((ConfigError, ValueError), match=words):
        check(text)


def test_not_in_a_terminal_the_help_is_printed_and_nothing_of_the_menu_is_loaded() -> None:
    code = (
        "import sys\nfrom overbet.interfaces.cli import app\nsys.argv = ['overbet', *sys.argv[1:]]\n"
        "try:\n    app.main()\nexcept SystemExit as leaving:\n    print('LEFT', leaving.code)\n"
        "print('LOADED', [name for name in ('questionary', 'prompt_toolkit') if name in sys.modules])"
    )
    for words in ([], ["--help"]):
        found = subprocess.run(
            [sys.executable, "-c", code, *words],
            capture_output=True,
            text=True,
            check=False,
            stdin=subprocess.DEVNULL,
        )
        assert "Usage: overbet" in found.stdout
        assert found.stdout.splitlines()[-1] == "LOADED []", found.stderr


def test_in_a_terminal(tmp_path: Path) -> None:
    """The real command on a pseudo-terminal: a chart by arrow keys, Escape back, Ctrl-C out."""
    main, other = pty.openpty()
    environment = {**os.environ, "TERM": "xterm", "OVERBET_HOME": str(tmp_path), "COLUMNS": "100"}
    words = [sys.executable, "-m", "overbet"]
    process = subprocess.Popen(
        words, stdin=other, stdout=other, stderr=other, env=environment, start_new_session=True
    )
    os.close(other)
    seen = ""

    def wait_for(words: str, since: int = 0) -> int:
        nonlocal seen
        end = time.monotonic() + 60
        while words not in seen[since:]:
            assert time.monotonic() < end, seen[-2000:]
            if select.select([main], [], [], 0.5)[0]:
                chunk = os.read(main, 65536).decode(errors="replace")
                seen += chunk
                if "\x1b[6n" in chunk:  # where is the cursor?
                    os.write(main, b"\x1b[1;1R")
        return len(seen)

    try:
        wait_for("What would you like to do?")
        os.write(main, item("Browse charts").encode())
        at = wait_for("Push or fold, exact")
        os.write(main, ("\x1b[A" + ENTER).encode())
        at = wait_for("Stack in big blinds", at - 400)
        os.write(main, (ERASE + "0" + ENTER).encode())
        wait_for("the stack is from 1.01 to 1,000")
        os.write(main, (ERASE + "7" + ENTER).encode())
        at = wait_for("$ overbet pushfold --stack 7")
        at = wait_for("What would you like to do?", at)
        assert "Small blind pushes" in seen
        os.write(main, (item("Match two agents")).encode())
        at = wait_for("The first agent", at)
        os.write(main, ESCAPE.encode())
        at = wait_for("What would you like to do?", at)
        os.write(main, CTRL_C.encode())
        assert process.wait(30) == 0
    finally:
        process.kill()
        os.close(main)
