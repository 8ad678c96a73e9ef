"""The command line's target: every verb of the command tree, with good and odd values for every option.

A command that works for long is ended as by Ctrl-C after a moment. Paths stay within the scratch folder.
"""

from __future__ import annotations

import contextlib
import importlib
import io
import os
import random
import shutil
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import yaml

from tests.fuzz.grammar import nested, odd_number, odd_text
from tests.fuzz.samples import HAND, KINDS, PUSH, RIVER, TURN, made
from tests.fuzz.target import Target, WrongError
from tests.fuzz.targets_text import odd_line, odd_range, odd_sizes

_OUTPUTS = ("out", "save", "csv", "plot", "export", "histor", "data")
_ENDINGS = (0, 1, 2, 130)
_LARGE = ("h5py", "numba", "polars", "uvicorn")
_ALLOWED_S = 1.0  # then Ctrl-C, and again every so often
_AGENTS = (
    "tag",
    "lag",
    "random",
    "always-call",
    "equity:0.5",
    "blueprint:push.h5",
    "blueprint:heads-up",
    "human",
)
_WORDS = (
    "kuhn",
    "leduc",
    "holdem",
    "dcfr",
    "cfr+",
    "linear",
    "external",
    "outcome",
    "oop",
    "ip",
    "heads-up",
    "bb",
)


class CommandTarget(Target):
    """Command lines, run in this process."""

    name = "commands"
    limit_s = 120.0
    examples: tuple[str, ...] = ("games", "range AA,KK", "policy policy-json.json", "tree river.yaml")

    def prepare(self, folder: Path) -> None:
        """Write a file of every kind for the commands to find, and run some that are good."""
        self.good, samples = folder / "good", folder.parent / "samples"
        self.work = folder / "inner" / "work"
        shutil.rmtree(self.good, ignore_errors=True)
        self.good.mkdir()
        for name in KINDS:
            file = made(name, samples)[1]
            if name != "preflop-table" and "batch" not in name:
                shutil.copy(file, self.good / f"{name}{''.join(file.suffixes[-2:])}")
        shutil.copytree(made("batch-board", samples)[0] / "batch", self.good / "batch")
        shutil.copytree(made("blueprint", samples)[1].parent, self.good / "run")
        for name, text in (
            ("river.yaml", yaml.safe_dump(RIVER)),
            ("turn.yaml", yaml.safe_dump(TURN)),
            ("push.yaml", yaml.safe_dump(PUSH)),
            ("rule.yaml", "name: mine\nfloor: true\n"),
            ("boards.txt", "KsTh7s4d2c\nKsTh7s4d3c 2\n"),
            ("hand.phh", HAND),
            ("hands.phhs", f"[1]\n{HAND}\n[2]\n{HAND}"),
            ("deep.json", "[" * 5000),
            ("deep.yaml", "[" * 5000),
            ("empty.h5", ""),
            ("short.h5", "\x89HDF\r\n\x1a\n" + "\0" * 10),
        ):
            (self.good / name).write_bytes(text.encode("latin-1"))
        shutil.copy(self.good / "run" / "blueprint.h5", self.good / "push.h5")
        self.files = sorted(path.name for path in self.good.iterdir())
        for module in _LARGE:  # Ctrl-C in the middle of such an import would spoil it for the next command
            importlib.import_module(module)
        self.verbs = list(_verbs(_tree(), ()))
        assert len(self.verbs) > 25
        for line in self.examples:
            self.run(line.split())

    def make(self, rng: random.Random) -> list[str]:
        """Return the words of a command line."""
        path, command = rng.choice(self.verbs)
        words = list(path)
        for parameter in command.params:
            option = parameter.opts[0].startswith("-")
            if not option:
                count = 1 if parameter.nargs == 1 else rng.choice((0, 1, 2, 3))
                if parameter.required or rng.random() < 0.8:
                    words += [self._value(rng, parameter.name) for _ in range(count)]
            elif rng.random() < (0.9 if parameter.required else 2.0 / max(len(command.params), 4)):
                words.append(rng.choice([*parameter.opts, *parameter.secondary_opts]))
                if not getattr(parameter, "is_flag", False):
                    words.append(self._value(rng, parameter.name))
        if rng.random() < 0.05:
            words.insert(rng.randrange(len(words) + 1), odd_text(rng))
        return [word.replace("\0", "0") for word in words]

    def _value(self, rng: random.Random, name: str) -> str:
        kind = rng.random()
        if kind < 0.1:
            return odd_text(rng)
        if kind < 0.6 and any(
            part in name for part in ("out", "save", "csv", "plot", "export", "histor", "data")
        ):
            endings = (".h5", ".csv", ".json", ".parquet", ".arrow", ".png", ".phhs", ".npz", "", "/x")
            stem = rng.choice(("new", "run", "river", "a" * 300, "no/such/folder/x", ""))
            return stem + rng.choice(endings)
        files = {"spot": "river.yaml", "config": "push.yaml", "solution": "solution.h5", "resume": "run"}
        good = {
            **files,
            "strategy": "policy-json.json",
            "line": odd_line(rng),
            "board": "Td9d6h",
            "hand": "AhKh",
            "game": "kuhn",
            "rule": rng.choice(("dcfr", "rule.yaml")),
            "opponent": "tag",
            "path": rng.choice(self.files),
            "changes": f"{rng.choice(('pot', 'stacks', 'bets.every.bet'))}={odd_sizes(rng)}",
            "settings": f"{rng.choice(('solver.seed', 'iterations', 'name'))}={odd_number(rng)}",
        }
        if kind < 0.4 and name in good:
            return good[name]
        pools: list[Any] = [self.files, self.files, _AGENTS, _WORDS]
        pools += [(odd_number(rng),)] * 4 + [(odd_range(rng),), (odd_line(rng),), (f"a={nested(rng)}",)]
        return str(rng.choice(rng.choice(pools)))

    def run(self, given: list[str]) -> None:
        """Run it among fresh files, with Ctrl-C after a moment."""
        from overbet.interfaces.cli.app import build

        shutil.rmtree(self.work, ignore_errors=True)
        shutil.copytree(self.good, self.work)
        os.chdir(self.work)
        earlier = signal.signal(signal.SIGALRM, lambda number, frame: os.kill(os.getpid(), signal.SIGINT))
        before = signal.signal(signal.SIGINT, signal.default_int_handler)
        stdin, sys.stdin = sys.stdin, io.StringIO("c\nf\n?\nb300\nq\n")
        try:
            with contextlib.redirect_stdout(_sink()), contextlib.redirect_stderr(_sink()):
                signal.setitimer(signal.ITIMER_REAL, _ALLOWED_S, _ALLOWED_S)
                build()(args=given, prog_name="overbet", standalone_mode=True)
        except KeyboardInterrupt:
            pass
        except SystemExit as ended:
            if (ended.code or 0) not in _ENDINGS:
                raise WrongError(f"ended with {ended.code}") from ended
        finally:
            signal.setitimer(signal.ITIMER_REAL, 0)
            signal.signal(signal.SIGALRM, earlier)
            signal.signal(signal.SIGINT, before)
            sys.stdin = stdin
            os.chdir(self.good.parent)


class ProcessTarget(CommandTarget):
    """The same command lines as processes of their own: exit code, and no traceback on the screen."""

    name = "processes"
    examples = ("games",)

    def run(self, given: list[str]) -> None:
        """Run it as a user does."""
        shutil.rmtree(self.work, ignore_errors=True)
        shutil.copytree(self.good, self.work)
        words = [word.encode("utf-8", "surrogateescape" if word.isascii() else "replace") for word in given]
        try:
            process = subprocess.Popen(
                [sys.executable, "-m", "overbet", *words],
                cwd=self.work,
                stdin=subprocess.PIPE,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.PIPE,
            )
        except OSError:  # longer words than the system takes: overbet never saw them
            return
        stopped = False
        try:
            _, said = process.communicate(b"c\nf\nq\n", timeout=5 * _ALLOWED_S)
        except subprocess.TimeoutExpired:
            process.send_signal(signal.SIGINT)
            stopped = True
            try:
                _, said = process.communicate(timeout=30)
            except subprocess.TimeoutExpired:
                process.kill()
                process.communicate()
                raise WrongError("did not end 30 s after Ctrl-C") from None
        if stopped and (process.returncode == -signal.SIGINT or said.rstrip().endswith(b"KeyboardInterrupt")):
            return  # while Python itself was starting or ending
        if b"Traceback (most recent call last)" in said:
            last = said.decode(errors="replace").strip().splitlines()
            own = [line.strip() for line in last if "/overbet/" in line][-1:]
            raise WrongError(f"a traceback: {last[-1][:200]} {' '.join(own)}")
        if process.returncode not in _ENDINGS:
            raise WrongError(f"ended with {process.returncode}: {said[-300:]!r}")


def _sink() -> io.TextIOWrapper:
    """Return a stream as a terminal without colours is one; what cannot be written in UTF-8 is an error."""
    return io.TextIOWrapper(io.BytesIO(), encoding="utf-8")


def _tree() -> Any:
    import typer

    from overbet.interfaces.cli.app import build

    return typer.main.get_command(build())


def _verbs(command: Any, path: tuple[str, ...]) -> Any:
    """Yield every command of the tree with the words that lead to it."""
    inner = getattr(command, "commands", None)
    for name, below in (inner or {}).items():
        yield from _verbs(below, (*path, name))
    if path:
        yield path, command


def targets() -> list[Target]:
    """Return the targets of this file."""
    return [CommandTarget(), ProcessTarget()]
