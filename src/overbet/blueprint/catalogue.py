"""Where blueprints are: those that come with the package, files, and runs' folders.

find_blueprint("heads-up")            # shipped
find_blueprint("runs/first")          # the blueprint of a run
find_blueprint("mine.h5")
nearest("expresso", (12, 20, 30))     # of a shipped family, the one whose stacks are nearest

Shipped blueprints come in families: the same game at many stacks. A file's name says which: `heads-up` is
the family's own, at 100 big blinds, `heads-up-25bb` is the one at 25, `expresso-8-16-16bb` that of three
stacks, the small blind's first, and `expresso-8bb-two-paid` plays for the prizes of a tournament with two
paid places. The nearest is the one at the least distance, which is the sum over the players of how far apart
the logarithms of their stacks are; what a player has more than the second largest stack cannot be lost, and
does not count.
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from contextlib import suppress
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

from overbet.blueprint.run import BLUEPRINT
from overbet.blueprint.store import SUFFIX
from overbet.errors import ArtefactError, short, unknown

SHIPPED = Path(__file__).parent / "shipped"
# the stacks of the blueprint that has its family's name, in big blinds
FAMILIES: dict[str, tuple[float, ...]] = {
    "heads-up": (100.0,) * 2,
    "expresso": (25.0,) * 3,
    "six-max": (100.0,) * 6,
}
_MEMBER = re.compile(r"(?P<family>.+?)-(?P<stacks>\d+(\.\d+)?(-\d+(\.\d+)?)*)bb(-(?P<paid>two|three)-paid)?")
_PAID = {None: 1, "two": 2, "three": 3}


class ShippedBlueprint(NamedTuple):
    """A blueprint of a family. stacks_bb: by player, as `HoldemGame` numbers them; paid: how many places of a
    tournament have a prize, 1 where chips are played for.
    """

    name: str
    family: str
    stacks_bb: tuple[float, ...]
    paid: int = 1

    @property
    def depth_bb(self) -> float:
        """The most that anybody can lose to another, in big blinds."""
        return sorted(self.stacks_bb)[-2]


def find_blueprint(which: str | Path) -> Path:
    """Return the file of a shipped name such as `heads-up`, of a path, or of a run's folder."""
    place = Path(which)
    for path in (place / BLUEPRINT, place, SHIPPED / f"{which}{SUFFIX}"):
        with suppress(OSError):  # a name that no file can have
            if path.is_file():
                return path
    if place.suffix or len(place.parts) > 1:
        raise ArtefactError(
            f"there is no blueprint {short(which)}; train one: overbet train configs/heads-up.yaml"
        )
    raise ArtefactError(
        f"{unknown('blueprint', str(which), shipped_names())}; or give a file, such as "
        "runs/heads-up/blueprint.h5"
    )


def shipped_names() -> list[str]:
    """Return the names of the blueprints that come with the package."""
    return [one.name for one in _read(SHIPPED)]


def family_names() -> list[str]:
    """Return the names of the families of which something is shipped."""
    there = {one.family for one in shipped_blueprints()}
    return [name for name in FAMILIES if name in there]


def shipped_blueprints(family: str = "", paid: int | None = 1) -> tuple[ShippedBlueprint, ...]:
    """Return what is shipped, or what is shipped of a family: deepest first, by what the names say.

    paid: how many places have a prize; 1 are those that play for chips, None are all.
    """
    return tuple(one for one in _read(SHIPPED) if family in ("", one.family) and paid in (None, one.paid))


@lru_cache(maxsize=4)
def _read(folder: Path) -> tuple[ShippedBlueprint, ...]:
    found = [_named(path.stem) for path in folder.glob(f"*{SUFFIX}")]
    order = {family: place for place, family in enumerate(FAMILIES)}
    known = [one for one in found if one is not None]
    return tuple(
        sorted(known, key=lambda one: (order[one.family], one.paid, -one.depth_bb, one.stacks_bb, one.name))
    )


def _named(name: str) -> ShippedBlueprint | None:
    """Return what a file's name says; None where it is of no family."""
    if name in FAMILIES:
        return ShippedBlueprint(name, name, FAMILIES[name])
    read = _MEMBER.fullmatch(name)
    if read is None or read["family"] not in FAMILIES:
        return None
    players = len(FAMILIES[read["family"]])
    stacks = tuple(float(stack) for stack in read["stacks"].split("-"))
    stacks = stacks * players if len(stacks) == 1 else stacks
    if len(stacks) != players:
        return None
    return ShippedBlueprint(name, read["family"], stacks, _PAID[read["paid"]])


def family_of(players: int) -> str | None:
    """Return the family of as many players, None where there is none."""
    return next((name for name in family_names() if len(FAMILIES[name]) == players), None)


def nearest(family: str, stacks_bb: Sequence[float], paid: int = 1) -> ShippedBlueprint:
    """Return the blueprint of a family that is made for the nearest stacks; of two as near, the deeper.

    paid: how many places of the tournament have a prize. Those made for it go as deep as it changes much;
    deeper ones that play for chips stand beside them.
    """
    members = shipped_blueprints(family)
    if own := shipped_blueprints(family, paid) if paid > 1 else ():
        members = (*own, *(one for one in members if one.depth_bb > own[0].depth_bb))
    if not members:
        raise ArtefactError(unknown("family of blueprints", family, family_names()))
    return min(members, key=lambda one: stack_distance(one.stacks_bb, stacks_bb))


def stack_distance(ours: Sequence[float], theirs: Sequence[float]) -> float:
    """Return how far apart two tables are by their stacks; infinite where the players are not as many."""
    if len(ours) != len(theirs):
        return math.inf
    return sum(abs(math.log(a / b)) for a, b in zip(effective(ours), effective(theirs)))


def effective(stacks: Sequence[float]) -> list[float]:
    """Return what everybody can lose: stacks cut to the second largest."""
    most = sorted(stacks)[-2]
    return [min(stack, most) for stack in stacks]
