"""Where the servers' own processes really listen: on this machine alone, or with a warning on more."""

from __future__ import annotations

import subprocess
import sys

import psutil
import pytest

SERVERS = {
    "dealer": ["acpc", "dealer", "2p"],
    "bridge": ["bridge", "http", "serve", "always-call", "--port", "0"],
}


def listening(*words: str) -> tuple[set[str], str]:
    """Start a server; return the addresses it listens on once it says that it is there, and its errors."""
    process = subprocess.Popen(
        [sys.executable, "-m", "overbet", *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    assert process.stdout is not None
    try:
        assert process.stdout.readline()
        tree = [psutil.Process(process.pid), *psutil.Process(process.pid).children(recursive=True)]
        found = [one for each in tree for one in each.net_connections("inet")]
        places = {one.laddr.ip for one in found if one.status == psutil.CONN_LISTEN}
    finally:
        process.terminate()
        said = process.communicate(timeout=60)[1]
    return places, said


@pytest.mark.parametrize("server", SERVERS)
def test_this_machine_alone(server: str) -> None:
    places, said = listening(*SERVERS[server])
    assert places == {"127.0.0.1"}
    assert "warning" not in said


@pytest.mark.parametrize("server", SERVERS)
def test_more_is_one_option_with_a_warning(server: str) -> None:
    places, said = listening(*SERVERS[server], "--listen", "0.0.0.0")
    assert places == {"0.0.0.0"}
    assert said.startswith("warning: listening on 0.0.0.0: whoever reaches this port can play")
