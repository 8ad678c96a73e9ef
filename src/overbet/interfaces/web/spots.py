"""Spots as requests bring them: read by the package's own model, with the page's limits on top."""

from __future__ import annotations

import math
from typing import Annotated, Any

import pydantic
from pydantic import WithJsonSchema

from overbet.errors import ConfigError, OverbetError
from overbet.interfaces.web.faults import Fault, place_of, words_of
from overbet.interfaces.web.limits import Limits
from overbet.solvers.vector.api import SolveFile
from overbet.solvers.vector.estimate import TreeEstimate, estimate
from overbet.solvers.vector.locking import Lock
from overbet.tree import betting
from overbet.tree.spot import OOP, STREETS, Spot

_SCHEMA = SolveFile.model_json_schema(ref_template="#/components/schemas/{model}")
# a spot and a lock as JSON has them, and what the document has to hold for them; "allOf", because pydantic
# looks up a bare reference among its own models
DEFINITIONS: dict[str, Any] = {**_SCHEMA.pop("$defs"), "SolveFile": _SCHEMA}
SpotJson = Annotated[dict[str, Any], WithJsonSchema({"allOf": [{"$ref": "#/components/schemas/SolveFile"}]})]
LockJson = Annotated[dict[str, Any], WithJsonSchema({"allOf": [{"$ref": "#/components/schemas/Lock"}]})]


def limit_trees(limits: Limits) -> None:
    """Let no betting tree of this process grow beyond the page's limit, which is below the package's own."""
    betting.MOST_NODES = min(betting.MOST_NODES, limits.betting_nodes)


def read_spot(values: dict[str, Any], limits: Limits, where: str = "spot") -> SolveFile:
    """Return the spot of a request; what cannot be used is a fault at its field."""
    prefix = f"{where}." if where else ""
    try:
        if not isinstance(values.get("board"), str):
            raise Fault(422, "board: write 3, 4 or 5 cards, such as Td9d6h", f"{prefix}board")
        file = SolveFile.parse(values, "spot")
    except ConfigError as error:
        cause = error.__cause__
        first = cause.errors()[0] if isinstance(cause, pydantic.ValidationError) else None
        place = place_of(first["loc"]) if first else None
        text = words_of(first) if first and place else str(error).removeprefix("spot: ")
        raise Fault(422, text, prefix + place if place else where or None) from error
    except OverbetError as error:
        raise Fault(422, str(error), where or None) from error
    except (TypeError, OverflowError, RecursionError, AttributeError) as error:
        raise Fault(422, "the spot has a value of the wrong kind", where or None) from error
    _check(file, limits, prefix)
    return file


def sized(file: SolveFile, where: str | None = "spot") -> TreeEstimate:
    """Return the size of a spot; nothing is allocated."""
    try:
        return estimate(file.spot(), file.solve, locked=bool(file.locks))
    except OverbetError as error:
        raise Fault(422, str(error), where or None) from error
    except (OverflowError, ValueError, ZeroDivisionError, IndexError) as error:
        raise Fault(422, "no tree can be made of these sizes, stacks and ranges", where or None) from error


def refuse_large(size: TreeEstimate, limits: Limits, where: str = "spot") -> None:
    """Refuse a spot that needs more memory than one solve may have."""
    try:
        size.require(int(limits.solve_limit() / 0.95))
    except OverbetError as error:
        raise Fault(413, str(error), where or None) from error


def _check(file: SolveFile, limits: Limits, prefix: str) -> None:
    stacks = (file.stacks,) if isinstance(file.stacks, int) else file.stacks
    for name, chips in (
        ("pot", file.pot),
        ("stacks", max(stacks)),
        ("big_blind", file.big_blind),
        ("min_bet", file.min_bet),
    ):
        if chips > limits.chips:
            raise Fault(422, f"at most {_limit(file, limits.chips)}", prefix + name)
    for name, text in (("oop", file.ranges.oop), ("ip", file.ranges.ip)):
        if len(text) > limits.range_text:
            raise Fault(
                422, f"the range is longer than {limits.range_text:,} letters", f"{prefix}ranges.{name}"
            )
        if not file.range_of(0 if name == "oop" else 1).without(file.cards):
            raise Fault(422, f"the {name} range holds no hand on this board", f"{prefix}ranges.{name}")
    for street in range(len(STREETS)):
        for player in (OOP, 1):
            menu = file.bets.menu(street, player)
            for text in (menu.bet, menu.donk or "", *menu.raise_levels):
                if len(text) > limits.size_text:
                    raise Fault(
                        422, f"a list of sizes is longer than {limits.size_text} letters", f"{prefix}bets"
                    )
    shares = (file.thresholds.add_all_in, file.thresholds.force_all_in, file.thresholds.merge, file.rake.cap)
    if not all(math.isfinite(share) and share <= 1e9 for share in shares):
        raise Fault(422, "thresholds and rake must be finite numbers", f"{prefix}thresholds")
    how = file.solve
    if how.iterations > 1_000_000 or how.threads > 256 or how.check_every > 1_000_000:
        raise Fault(422, "at most 1,000,000 iterations and 256 threads", f"{prefix}solve")
    if not math.isfinite(how.target) or (how.seconds is not None and not math.isfinite(how.seconds)):
        raise Fault(422, "target and seconds must be finite numbers", f"{prefix}solve")
    if len(file.locks) > limits.locks:
        raise Fault(422, f"at most {limits.locks} locks", f"{prefix}locks")
    for number, lock in enumerate(file.locks):
        check_lock(lock, limits, f"{prefix}locks.{number}")


def _limit(file: Spot, chips: int) -> str:
    """Return the most chips of an amount as the spot counts them."""
    return f"{chips // file.big_blind:,} bb" if 1 < file.big_blind <= chips else f"{chips:,} chips"


def check_lock(lock: Lock, limits: Limits, where: str) -> None:
    """Refuse a lock that says nothing, too much, or something that is no number."""
    mixes = [lock.frequencies] if lock.frequencies else list((lock.hands or {}).values())
    if not mixes:
        raise Fault(422, f"the lock of {lock.line} says nothing; give shares", where)
    if len(mixes) > limits.locked_hands:
        raise Fault(422, f"at most {limits.locked_hands:,} hands in a lock", where)
    if not all(math.isfinite(share) for mix in mixes for share in mix.values()):
        raise Fault(422, f"the shares of the lock of {lock.line} must be numbers from 0 to 1", where)


def spot_json(file: Spot) -> dict[str, Any]:
    """Return a spot as JSON has it."""
    return file.model_dump(mode="json", by_alias=True, exclude_none=True)
