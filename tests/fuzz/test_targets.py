"""Every target for its share of six seconds, samples included: an input ends well, or in one clear line.

`OVERBET_FUZZ_SECONDS` is another time, without the samples; `OVERBET_FUZZ_SEED` another seed.

A failing input lies in `build/fuzz`, and the message has the command that repeats it. `make fuzz` goes on for
an hour with other seeds.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.fuzz.parent import Child
from tests.fuzz.shares import SECONDS, share_of
from tests.fuzz.targets import all_targets

SEED = int(os.environ.get("OVERBET_FUZZ_SEED", "1"))
FINDS = Path(__file__).resolve().parents[2] / "build" / "fuzz"


@pytest.fixture(scope="module")
def child() -> Iterator[Child]:
    """One child for all targets: it is started anew when a target ends it."""
    with Child(FINDS) as found:
        yield found


@pytest.mark.parametrize("name", all_targets())
def test_target(name: str, child: Child) -> None:
    seconds = float(os.environ.get(SECONDS, 6)) * share_of(name, all_targets())
    report = child.fuzz(name, SEED, seconds, all_targets()[name].limit_s)
    assert report.inputs > 0
    assert not report.finds, f"seed {SEED}:\n" + "\n".join(map(str, report.finds))
