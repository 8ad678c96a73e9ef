"""A database that tests read."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from overbet.hands import HandDatabase, import_hands
from tests.interfaces.hands.corpus import random_text


@pytest.fixture(scope="session")
def hands(tmp_path_factory: pytest.TempPathFactory) -> Iterator[HandDatabase]:
    """A hundred and twenty random hands; nobody writes to it."""
    folder: Path = tmp_path_factory.mktemp("hands")
    (folder / "some.phhs").write_text(random_text(120), encoding="utf-8")
    with HandDatabase(folder / "data") as database:
        assert import_hands(database, folder / "some.phhs").new == 120
        yield database
