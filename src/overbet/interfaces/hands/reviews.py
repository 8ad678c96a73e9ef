"""Verdicts on decisions as the database keeps them: what was done, what was best, what that cost.

A verdict belongs to a row of `decisions`, by hand and number. `settings` is a digest of all that priced it: a
verdict of another digest is out of date and is made anew.
"""

from __future__ import annotations

import json
import sqlite3
import zlib
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Literal

from overbet.errors import ArtefactError
from overbet.study.grades import GRADES, Grade

Method = Literal["push-fold", "blueprint", "solve", "none"]
METHODS: tuple[Method, ...] = ("push-fold", "blueprint", "solve", "none")
WITHIN: Literal["within solver error"] = "within solver error"  # a loss that the solve cannot tell from none
REVIEW_GRADES = (*GRADES, WITHIN)
ASSUMED = "assumed, neither yours nor solved"  # in the source of what rests on common ranges
_COLUMNS = (
    "hand, number, method, source, settings, grade, loss_bb, accuracy_bb, share, taken, best, actions, spot, "
    "reason"
)


@dataclass(frozen=True, slots=True)
class PricedAction:
    """One action that was possible. ev_bb: None where unknown; kind: fold, check, call, bet, raise."""

    token: str
    name: str
    share: float
    ev_bb: float | None
    kind: str


@dataclass(frozen=True, slots=True)
class PricedDecision:
    """What a decision was worth. (hand, number): its row in `decisions`.

    method: `push-fold`, `blueprint`, `solve`, or `none` where it was not priced; `reason` then says why, and
    the numbers are None. source: which strategy, in words. settings: digest of what priced it. grade: a word
    of `study.grades`, or `within solver error`. loss_bb: EV of the best action less that of the one taken,
    never below 0; accuracy_bb: how well that is known. share: how often the strategy takes the action.
    taken, best: tokens of a line, such as `f`, `c`, `b250`. spot: what opens the very spot in the study: the
    board at the start of the street, pot, stacks, ranges, big blind, and the line on the street.
    """

    hand: int
    number: int
    method: Method
    source: str = ""
    settings: str = ""
    grade: Grade | Literal["within solver error"] | None = None
    loss_bb: float | None = None
    accuracy_bb: float | None = None
    share: float | None = None
    taken: str | None = None
    best: str | None = None
    actions: tuple[PricedAction, ...] = ()
    spot: dict[str, Any] | None = None
    reason: str | None = None

    def action(self, token: str | None) -> PricedAction | None:
        """Return the action of a token, None where it is not listed."""
        return next((action for action in self.actions if action.token == token), None)


def put(connection: sqlite3.Connection, found: Iterable[PricedDecision]) -> None:
    """Write verdicts inside of a transaction; one on the same decision is replaced."""
    marks = ", ".join("?" * (_COLUMNS.count(",") + 1))
    connection.executemany(
        f"INSERT OR REPLACE INTO reviews ({_COLUMNS}) VALUES ({marks})", (_row(each) for each in found)
    )


def of_hand(connection: sqlite3.Connection, hand: int) -> list[PricedDecision]:
    """Return the verdicts on a hand's decisions, by number."""
    query = f"SELECT {_COLUMNS} FROM reviews WHERE hand = ? ORDER BY number"
    return [_priced(row) for row in connection.execute(query, (hand,))]


def _row(found: PricedDecision) -> tuple[object, ...]:
    actions = [
        {"token": a.token, "name": a.name, "share": a.share, "ev_bb": a.ev_bb, "kind": a.kind}
        for a in found.actions
    ]
    return (
        found.hand,
        found.number,
        found.method,
        found.source,
        found.settings,
        found.grade,
        found.loss_bb,
        found.accuracy_bb,
        found.share,
        found.taken,
        found.best,
        json.dumps(actions, allow_nan=False) if actions else None,
        None if found.spot is None else zlib.compress(json.dumps(found.spot, allow_nan=False).encode(), 9),
        found.reason,
    )


def _priced(row: tuple[Any, ...]) -> PricedDecision:
    facts = dict(zip(_COLUMNS.split(", "), row))
    actions, spot = facts.pop("actions"), facts.pop("spot")
    try:
        listed = tuple(PricedAction(**each) for each in json.loads(actions)) if actions else ()
        opened = None if spot is None else json.loads(zlib.decompress(spot))
    except (ValueError, TypeError, zlib.error) as error:
        raise ArtefactError(
            f"the review of hand {row[0]} is damaged ({error}); run overbet hands review --again"
        ) from error
    return PricedDecision(**facts, actions=listed, spot=opened)
