"""Small buckets that several tests read."""

from __future__ import annotations

import pytest

from overbet.abstraction.bucket_build import build_buckets
from overbet.abstraction.bucket_config import preset
from overbet.abstraction.buckets import Buckets


@pytest.fixture(scope="session")
def tiny() -> Buckets:
    """Return the tiny preset in the compact form: a few seconds."""
    return build_buckets(preset("tiny"), river_table=False)
