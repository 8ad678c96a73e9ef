"""One server for the tests that share a process; one solved river for those that only look."""

from collections.abc import Iterator

import pytest

from tests.interfaces.web.server import RIVER, TURN, Server


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A running server."""
    found = Server(tmp_path_factory.mktemp("page"))
    yield found
    assert found.stop() == 0


@pytest.fixture(scope="session")
def river(server: Server) -> str:
    """The id of a solved river."""
    made = server.post("/solves", {"name": "river", "spot": RIVER})
    server.wait(f"/solves/{made['id']}", "done")
    return str(made["id"])


@pytest.fixture(scope="session")
def turn(server: Server) -> str:
    """The id of a solved turn."""
    made = server.post("/solves", {"name": "turn", "spot": TURN})
    server.wait(f"/solves/{made['id']}", "done")
    return str(made["id"])
