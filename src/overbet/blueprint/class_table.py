"""What classes of hands are worth at the ends of a blueprint's betting before the flop, worked out before.

A search before the flop asks for these values (`class_values`), and each end of the betting takes a second or
more to work out. So the package holds those of the heads-up blueprint: `packaging/class_table.py` makes the
file, and a table is found by the hash of the strategy it was made of. A blueprint without one is asked as
before.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from overbet import artefact
from overbet.blueprint.catalogue import SHIPPED
from overbet.cards.combos import CLASSES

KIND = artefact.Kind("class table", 2, "write it anew with packaging/class_table.py")
FOLDER = SHIPPED / "classes"
STEPS = 1024  # values are whole steps of this part of the pot, worked out or read
_WAYS = 4  # continuations of the one who chooses
Floats = npt.NDArray[np.float32]
Steps = npt.NDArray[np.int16]


class ClassTable(NamedTuple):
    """Values of one blueprint: [end, player who chooses, 4, 169, 169] int16, in steps of 1/1024 of the pot.

    identity: the hash of the strategy; boards: how many were drawn; ends: the number of each line.
    """

    identity: str
    boards: int
    ends: Mapping[str, int]
    values: Steps

    def find(self, moves: str, chooser: int, boards: int) -> Floats | None:
        """Return [4, 169, 169] as `ClassValues.after` does, None where it was not worked out."""
        end = self.ends.get(moves)
        if end is None or boards != self.boards:
            return None
        found: Floats = self.values[end, chooser].astype(np.float32) / np.float32(STEPS)
        return found

    def save(self, path: str | Path) -> None:
        """Write the table."""
        head = {"identity": self.identity, "boards": self.boards, "ends": list(self.ends)}
        artefact.write(path, KIND, head, {"differences": _differences(self.values)}, level=9)


def in_steps(values: npt.NDArray[np.floating]) -> Steps:
    """Return values as whole steps."""
    found: Steps = np.clip(np.rint(values * STEPS), -32768, 32767).astype(np.int16)
    return found


def load_class_table(path: str | Path) -> ClassTable:
    """Return the table of a file."""
    with artefact.opened(path, KIND) as file, file.parsing():
        identity, boards = str(file.head["identity"]), int(file.head["boards"])
        ends = [str(moves) for moves in file.head["ends"]]
        found = file.array("differences", np.int16, (len(ends), 2, _WAYS, CLASSES, CLASSES))
    return ClassTable(identity, boards, {moves: number for number, moves in enumerate(ends)}, _values(found))


def _differences(values: Steps) -> Steps:
    """Return what a file keeps, a fifth smaller: values are much like those they are subtracted from.

    Of the first player who chooses: each continuation less the one before; of the second: less the first's.
    """
    found = values.copy()
    found[:, 0, 1:] -= values[:, 0, :-1]
    found[:, 1] -= values[:, 0]
    return found


def _values(differences: Steps) -> Steps:
    found = differences.copy()
    np.cumsum(differences[:, 0], 1, np.int16, found[:, 0])
    found[:, 1] += found[:, 0]
    return found


@cache
def shipped_class_table(identity: str) -> ClassTable | None:
    """Return the table that the package holds of a strategy, None where it holds none."""
    tables = (load_class_table(path) for path in sorted(FOLDER.glob("*.h5")))
    return next((table for table in tables if table.identity == identity), None)
