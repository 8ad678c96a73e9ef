"""Every door there is."""

from __future__ import annotations

import ctypes
import random
import time
from functools import cache

from tests.fuzz.door import Door


@cache
def all_doors() -> dict[str, Door]:
    """Return the doors by name."""
    from tests.fuzz import doors_commands, doors_files, doors_text, doors_web

    found: list[Door] = []
    for module in (doors_text, doors_files, doors_web, doors_commands):
        found += module.doors()
    names = [door.name for door in found]
    assert len(set(names)) == len(names), names
    return {door.name: door for door in found}


def door_named(name: str) -> Door:
    """Return one door; `harness` is there for the tests of the harness alone."""
    if name == HarnessDoor.name:
        return HarnessDoor()
    if name not in all_doors():
        raise KeyError(f"no such door: {name}; there are {', '.join(all_doors())}")
    return all_doors()[name]


class HarnessDoor(Door):
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
