"""What every test may rely on."""

import os
import signal
from pathlib import Path

import pytest


def pytest_configure() -> None:
    """Make Ctrl-C arrive: a run started in the background by a shell inherits SIGINT as ignored."""
    signal.signal(signal.SIGINT, signal.default_int_handler)


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


@pytest.hookimpl(tryfirst=True)  # xdist reads the groups in its own hook
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Put the tests of long files first, otherwise in their order, and say what one worker runs.

    That is a file; and of a folder all files whose tests ask its one server, which is then started once.
    """

    def place(item: pytest.Item) -> int:
        found = (number for number, name in enumerate(_FIRST) if item.nodeid.startswith(name))
        return next(found, len(_FIRST))

    items.sort(key=place)
    if config.pluginmanager.hasplugin("xdist"):
        asking = {item.path for item in items if "server" in getattr(item, "fixturenames", ())}
        for item in items:
            shared = item.path.parent if item.path in asking else item.path
            item.add_marker(pytest.mark.xdist_group(shared.relative_to(config.rootpath).as_posix()))


@pytest.fixture(autouse=True, scope="session")
def _home_of_the_tests(tmp_path_factory: pytest.TempPathFactory) -> None:
    """Keep the tests out of the user's own ledger, buckets and solves."""
    home: Path = tmp_path_factory.mktemp("home")
    os.environ["OVERBET_HOME"] = str(home)
    os.environ.setdefault("OVERBET_COMPILE_AHEAD", "0")  # the cores have tests to run
