"""Every target there is."""

from __future__ import annotations

import ctypes
import random
import time
from functools import cache

from tests.fuzz.target import Target


@cache
def all_targets() -> dict[str, Target]:
    """Return the targets by name."""
    from tests.fuzz import (
        targets_cache,
        targets_commands,
        targets_doors,
        targets_files,
        targets_protocols,
        targets_text,
        targets_vision,
        targets_web,
    )

    found: list[Target] = []
    for module in (
        targets_cache,
        targets_commands,
        targets_doors,
        targets_files,
        targets_protocols,
        targets_text,
        targets_vision,
        targets_web,
    ):
        found += module.targets()
    names = [target.name for target in found]
    assert len(set(names)) == len(names), names
    return {target.name: target for target in found}


def target_named(name: str) -> Target:
    """Return one target; `harness` is there for the tests of the harness alone."""
    if name == HarnessTarget.name:
        return HarnessTarget()
    if name not in all_targets():
        raise KeyError(f"no such target: {name}; there are {', '.join(all_targets())}")
    return all_targets()[name]


class HarnessTarget(Target):
    """Crashes, hangs and raises by number."""

    name = "harness"

    def input(self, rng: random.Random, number: int) -> int:
        """Return the number itself."""
        return number

    def run(self, given: int) -> None:
        """End as the number says."""
        if given == 2:
            ctypes.string_at(0)
        elif given == 3:
            time.sleep(60)
        elif given == 5:
            raise ValueError("five")
