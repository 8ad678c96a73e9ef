"""Every door there is."""

from __future__ import annotations

import ctypes
import random
import time
from functools import cache

from tests.fuzz.door import Door, random_of


@cache
def all_doors() -> dict[str, Door]:
    """Return the doors by name."""
    from tests.fuzz import doors_text

    found: list[Door] = [kind() for module in (doors_text,) for kind in module.DOORS]
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

    def make(self, rng: random.Random) -> int:
        """Return 0, 1, 2, ...: the number of the input, found again by its randomness."""
        state = rng.getstate()
        return next(n for n in range(1000) if random_of(self.name, 1, n).getstate() == state)

    def run(self, given: int) -> None:
        """End as the number says."""
        if given == 2:
            ctypes.string_at(0)
        elif given == 3:
            time.sleep(60)
        elif given == 5:
            raise ValueError("five")
