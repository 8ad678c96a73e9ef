"""Reference data that lives beside the project and is never copied into it."""

from pathlib import Path

import pytest

FOLDER = Path(__file__).resolve().parents[2] / "shared" / "data"


def shared(name: str) -> Path:
    """Return the path of a reference file, or skip the test where the data is absent."""
    path = FOLDER / name
    if not path.exists():
        pytest.skip(f"reference data {name} is not beside this checkout (expected in {FOLDER})")
    return path
