"""Kernels compiled in a process of their own, so that the server answers meanwhile.

Numba compiles under the interpreter's lock: compiled on a server's thread, the first hand on a new machine
would stop every other answer for a minute or two. A child compiles into the cache on disk instead. Whoever
needs the kernels waits for it without the lock and then only loads them. A marker beside the cache says that
the kernels of this very version are there, so that later starts need no child.
"""

from __future__ import annotations

import contextlib
import hashlib
import subprocess
import sys
import tempfile
import threading
from pathlib import Path
from typing import Literal, cast

from overbet.ahead import start_compiler

What = Literal["play", "review", "adjust", "study"]
_KERNELS = Path(__file__).resolve().parents[3] / "kernels"
_LONGEST = 900.0  # seconds; a child that takes longer has failed, and the server compiles by itself


class Warming:
    """The children of one server. `on` false: nothing is compiled ahead and nobody waits."""

    def __init__(self, on: bool) -> None:
        self._on = on
        self._lock = threading.Lock()
        self._children: dict[What, subprocess.Popen[bytes]] = {}

    def begin(self, what: What) -> None:
        """Start to compile what a part of the page needs, where that has not been done before."""
        with self._lock:
            if self._on and what not in self._children and not compiled(what):
                with contextlib.suppress(OSError):  # no process to be had: then the server compiles by itself
                    self._children[what] = _start(what)

    def wait(self, what: What) -> None:
        """Wait until it is compiled; a child that failed is no reason to wait."""
        self.begin(what)
        child = self._children.get(what)
        if child is not None:
            with contextlib.suppress(subprocess.TimeoutExpired):
                child.wait(_LONGEST)

    def close(self) -> None:
        """End the children."""
        with self._lock:
            self._on = False
            for child in self._children.values():
                if child.poll() is None:
                    child.kill()
                child.wait()


def _start(what: What) -> subprocess.Popen[bytes]:
    """Return the child that compiles."""
    return start_compiler("overbet.interfaces.web.work.warming", what)


def compiled(what: What) -> bool:
    """Return whether the kernels of this version are in the cache."""
    try:
        return _marker(what).read_text(encoding="ascii") == _version()
    except OSError:
        return False


def _marker(what: What) -> Path:
    from overbet.kernels.match.play import play_on

    cache = getattr(play_on, "_cache", None)
    return Path(getattr(cache, "cache_path", None) or _KERNELS) / f"compiled-for-{what}"


def _version() -> str:
    import numba

    files = []
    for path in sorted(_KERNELS.rglob("*.py")):
        status = path.stat()
        files.append((path.name, status.st_size, status.st_mtime_ns))
    return hashlib.sha256(repr((numba.__version__, sys.version, files)).encode()).hexdigest()


def _hands(what: What) -> None:
    """Play a hand at each kind of table, and review it or take out its luck."""
    from overbet.interfaces.web.blueprint_library import BlueprintLibrary
    from overbet.interfaces.web.folder import DataFolder
    from overbet.study.adjust import Adjuster
    from overbet.study.tables import GAMES, Play, StudyTable, TableOpponents

    with tempfile.TemporaryDirectory() as folder:
        blueprints = BlueprintLibrary(DataFolder(Path(folder)))
        opponents = TableOpponents(blueprints)
        play, adjuster = Play(opponents), Adjuster(opponents, lambda table: None)
        for kind in GAMES:
            fitting = [found.id for found in blueprints.all() if kind in opponents.kinds(found.id)]
            table = StudyTable("t", kind, fitting[0], "", 1)
            play.deal(table)
            while not table.hands:
                play.act(table, 0)
            if what == "review":
                play.review(table, 0)
            elif what == "adjust":
                adjuster.adjust(table)


def _study() -> None:
    """Open the example and look at a node of it."""
    from overbet.interfaces.web.example import SAVED
    from overbet.solvers.vector.store import load
    from overbet.study.views import node_view

    node_view(load(SAVED), "r:0")


def main(what: What) -> None:
    """Compile what a part of the page needs and leave the marker."""
    from overbet.files import write_text

    version = _version()
    if what == "study":
        _study()
    else:
        _hands(what)
    write_text(_marker(what), version)


if __name__ == "__main__":
    main(cast(What, sys.argv[1]))
