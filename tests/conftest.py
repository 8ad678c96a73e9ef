"""What every test may rely on."""

import os
import signal
from pathlib import Path

import pytest


def pytest_configure() -> None:
    """Make Ctrl-C arrive: a run started in the background by a shell inherits SIGINT as ignored."""
    signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture(autouse=True, scope="session")
def _home_of_the_tests(tmp_path_factory: pytest.TempPathFactory) -> None:
    """Keep the tests out of the user's own ledger, buckets and solves."""
    home: Path = tmp_path_factory.mktemp("home")
    os.environ["OVERBET_HOME"] = str(home)
    os.environ.setdefault("OVERBET_COMPILE_AHEAD", "0")  # the cores have tests to run
