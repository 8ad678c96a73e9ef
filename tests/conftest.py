"""What every test may rely on."""

import os
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest


def pytest_configure() -> None:
    """Make Ctrl-C arrive: a run started in the background by a shell inherits SIGINT as ignored."""
    signal.signal(signal.SIGINT, signal.default_int_handler)


@contextmanager
def _after_the_first() -> Iterator[None]:
    """Let one worker of this checkout go alone, and the others side by side when it is done."""
    try:
        import fcntl
    except ImportError:
        yield
        return
    with open(__file__) as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:  # another is at it
            fcntl.flock(file, fcntl.LOCK_SH)
        yield


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_collection(session: pytest.Session) -> Any:
    """Let one worker collect before the others: it rewrites the asserts, and they find that done."""
    if not hasattr(session.config, "workerinput"):
        return (yield)
    with _after_the_first():
        return (yield)


# What takes long goes first, so that no worker is left with it at the end.
_FIRST = (
    "tests/e2e/",
    "tests/interfaces/web/",
    "tests/interfaces/test_app.py",
    "tests/test_docs_python.py",
    "tests/cuda/test_engine.py",
    "tests/solvers/vector/test_buckets.py",
    "tests/solvers/vector/test_libratus.py",
    "tests/fuzz/test_targets.py",
    "tests/solvers/vector/",
)

# Folders whose files share a server, or a browser too, and those of their files that do without it.
_ALONE = {
    "tests/e2e": {"test_bundle.py"},
    "tests/interfaces/web": {
        "test_frontend.py",
        "test_full_disk.py",
        "test_fuzz.py",
        "test_malformed.py",
        "test_solutions.py",
        "test_speed.py",
        "test_spots.py",
        "test_stopping.py",
        "test_training_models.py",
        "test_warming.py",
        "test_worker.py",
    },
}


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Put the tests of long files first, otherwise in their order; a worker takes a whole file at a time."""

    def place(item: pytest.Item) -> int:
        found = (number for number, name in enumerate(_FIRST) if item.nodeid.startswith(name))
        return next(found, len(_FIRST))

    items.sort(key=place)


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> Any:
    """Give a worker a whole file at a time, and all files that share a server to one."""
    from xdist.scheduler import LoadFileScheduling

    class ByFile(LoadFileScheduling):
        def _split_scope(self, nodeid: str) -> str:
            file = nodeid.partition("::")[0]
            folder, _, name = file.rpartition("/")
            return folder if name not in _ALONE.get(folder, {name}) else file

        def remove_node(self, node: Any) -> str | None:
            """Take a worker out that has ended; return the test it died of, which is not run again.

            xdist shares out all files that the worker ever had, finished ones too, and then waits for ever
            for the end of a file of which no test is left.
            """
            had = self.assigned_work[node]
            died_of = next((test for tests in had.values() for test, done in tests.items() if not done), None)
            if died_of is not None:
                had[self._split_scope(died_of)][died_of] = True
            self.assigned_work[node] = {file: tests for file, tests in had.items() if not all(tests.values())}
            super().remove_node(node)
            return died_of

        def _reschedule(self, node: Any) -> None:
            """Give a worker files until it has enough tests: with only one it waits for the next for ever."""
            left = -1
            while left != len(self.workqueue):
                left = len(self.workqueue)
                super()._reschedule(node)

    return ByFile(config, log)


@pytest.fixture(autouse=True, scope="session")
def _home_of_the_tests(tmp_path_factory: pytest.TempPathFactory) -> None:
    """Keep the tests out of the user's own ledger, buckets and solves."""
    home: Path = tmp_path_factory.mktemp("home")
    os.environ["OVERBET_HOME"] = str(home)
    os.environ.setdefault("OVERBET_COMPILE_AHEAD", "0")  # the cores have tests to run
