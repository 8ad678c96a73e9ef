"""`dump_tree` and `load_tree`: solved trees in our own files, whatever the name ends in.

PioSOLVER's own files are not read: their format is its own.
"""

from __future__ import annotations

import contextlib
import os
from pathlib import Path

from overbet import artefact
from overbet.errors import ArtefactError, reason, short
from overbet.interfaces.protocols.upi.queries import tree_info
from overbet.interfaces.protocols.upi.words import UpiError
from overbet.solvers.vector.solution import Solution
from overbet.solvers.vector.store import KIND, facts_of, load, save
from overbet.tree.spot import STREETS

_KEPT = {"full": 2, "no_rivers": 1, "no_turns": 0}  # the last street that a file keeps


def dump_tree(solution: Solution, given: list[str]) -> None:
    """Write a tree: all of it, or without rivers or turns, which are solved again when they are asked for."""
    if not 1 <= len(given) <= 2 or (len(given) == 2 and given[1].lower() not in _KEPT):
        raise UpiError("dump_tree takes a file, and full, no_rivers or no_turns")
    if not solution.history:
        raise UpiError("dump_tree: the tree is not solved yet; go first")
    last = _KEPT[given[1].lower()] if len(given) == 2 else 2
    first = solution.spot.first_street
    streets = None if last == 2 else max(last - first + 1, 1)
    if streets is not None and first + streets - 1 >= len(STREETS) - 1:
        streets = None  # a tree that begins on the river is kept whole
    target = Path(given[0])
    beside = target.with_name(f".{target.name}.part.h5")
    try:
        save(solution, beside, streets)
        os.replace(beside, target)
    except OSError as error:
        raise ArtefactError(f"cannot write {short(target)}: {reason(error)}") from error
    finally:
        with contextlib.suppress(OSError):
            beside.unlink(missing_ok=True)


def load_tree(given: list[str]) -> Solution:
    """Read a tree that `dump_tree` or `overbet solve --save` wrote."""
    if not 1 <= len(given) <= 2:
        raise UpiError("load_tree takes a file, and full, fast or auto, which make no difference here")
    return load(_there(given[0]))


def metadata_of(name: str) -> str:
    """Return what the tree of a file is of, without reading its tables."""
    with artefact.opened(_there(name), KIND) as file:
        facts = facts_of(file)
        look = file.head["history"][-1] if file.head.get("history") else None
    solved = f"{look[1]:.3f}% of the pot after {look[0]} iterations" if look else "no"
    return tree_info(facts.spot, solved)


def _there(name: str) -> Path:
    path = Path(name)
    if not path.is_file():
        raise ArtefactError(f"{short(path)} is no file")
    return path
