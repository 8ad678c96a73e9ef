"""How well pictures are read: right, wrong or asked, by field; sums, rolling means, a table of confusions.

A field that was asked counts as not read. Groups: cards, amounts (pot, stacks, bets), button, turn, seats;
a whole state is right when every field of the picture is. Fields divide the groups further: the board, cards
at the seats, pot, stacks, bets, and so on.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from overbet.interfaces.vision.reading import TableReading, shown_value

CARDS_LIMIT, AMOUNTS_LIMIT = 0.97, 0.95
GROUPS = {  # of a field, by the end of its name
    "board": "cards",
    "seat cards": "cards",
    "pot": "amounts",
    "stacks": "amounts",
    "bets": "amounts",
    "button": "button",
    "turn": "turn",
    "seats": "seats",
}
STATES = "states"
ROLLING = 50


class Miss(NamedTuple):
    """A field that was not read as it is. truth, guess: as people see them, amounts in the picture's unit."""

    picture: str
    name: str
    group: str
    truth: float | int | str | None
    guess: float | int | str | None
    confidence: float
    asked: bool


def field_of(name: str) -> str:
    """Return what kind of field a name is of: `seat3.stack` is one of the stacks."""
    last = name.rpartition(".")[2]
    if last in ("stack", "bet"):
        return f"{last}s"
    if last in ("pot", "button", "turn"):
        return last
    return "board" if last.startswith("board") else "seat cards" if last.startswith("card") else "seats"


@dataclass
class Tally:
    """Right, asked and wrong."""

    right: int = 0
    asked: int = 0
    wrong: int = 0

    @property
    def total(self) -> int:
        """All of them."""
        return self.right + self.asked + self.wrong

    @property
    def share(self) -> float:
        """The share that was read right."""
        return self.right / self.total if self.total else 1.0

    def as_json(self) -> dict[str, Any]:
        """Return the counts."""
        return {"right": self.right, "asked": self.asked, "wrong": self.wrong, "share": round(self.share, 5)}


@dataclass
class ReadingScore:
    """What a set of pictures came to. rolling, cumulative: the shares by group after each picture, of the
    last 50 and of all so far.
    """

    groups: dict[str, Tally] = field(
        default_factory=lambda: {name: Tally() for name in [*dict.fromkeys(GROUPS.values()), STATES]}
    )
    fields: dict[str, Tally] = field(default_factory=lambda: {name: Tally() for name in GROUPS})
    faces: Tally = field(default_factory=Tally)  # of the cards, those that lie face up
    confusion: Counter[tuple[str, str]] = field(default_factory=Counter)
    misses: list[Miss] = field(default_factory=list)
    rolling: list[dict[str, float]] = field(default_factory=list)
    cumulative: list[dict[str, float]] = field(default_factory=list)
    refused: list[tuple[str, str]] = field(default_factory=list)
    _last: deque[dict[str, float]] = field(default_factory=lambda: deque(maxlen=ROLLING))

    def add(self, name: str, reading: TableReading, truth: Mapping[str, int | str]) -> list[Miss]:
        """Compare a reading with the truth; return what was missed."""
        missed: list[Miss] = []
        own = {group: Tally() for group in self.groups}
        for key, wanted in truth.items():
            one = reading.fields[key]
            right = one.guess == wanted and one.known
            place = "right" if right else "wrong" if one.known else "asked"
            group = self._count(own, key, wanted, place)
            if group == "cards":
                self.confusion[(str(wanted), str(one.guess))] += 1
            if not right:
                truth_shown, guess = shown_value(one, wanted), shown_value(one, one.guess)
                missed.append(Miss(name, key, group, truth_shown, guess, one.confidence, not one.known))
        self._close(own, whole=not missed)
        self.misses += missed
        return missed

    def refuse(self, name: str, why: str, truth: Mapping[str, int | str]) -> None:
        """Count a picture that could not be read at all: every field of it is missed."""
        self.refused.append((name, why))
        own = {group: Tally() for group in self.groups}
        for key, wanted in truth.items():
            self._count(own, key, wanted, "asked")
        self._close(own, whole=False)

    def _count(self, own: dict[str, Tally], key: str, wanted: int | str, place: str) -> str:
        """Count a field in all tallies that it belongs to; return its group."""
        kind = field_of(key)
        group = GROUPS[kind]
        tallies = [self.groups[group], own[group], self.fields[kind]]
        if group == "cards" and wanted not in ("back", "none"):
            tallies.append(self.faces)
        for tally in tallies:
            setattr(tally, place, getattr(tally, place) + 1)
        return group

    def _close(self, own: dict[str, Tally], *, whole: bool) -> None:
        if whole:
            self.groups[STATES].right += 1
        else:
            self.groups[STATES].wrong += 1
        self._last.append({**{group: tally.share for group, tally in own.items()}, STATES: float(whole)})
        self.rolling.append({group: sum(row[group] for row in self._last) / len(self._last) for group in own})
        self.cumulative.append({group: tally.share for group, tally in self.groups.items()})

    @property
    def passed(self) -> bool:
        """Whether cards and amounts reach their limits; of the cards, those face up have to as well."""
        cards = min(self.groups["cards"].share, self.faces.share)
        return cards >= CARDS_LIMIT and self.groups["amounts"].share >= AMOUNTS_LIMIT

    def as_json(self) -> dict[str, Any]:
        """Return the report."""
        return {
            "pictures": self.groups[STATES].total,
            "passed": self.passed,
            "limits": {"cards": CARDS_LIMIT, "amounts": AMOUNTS_LIMIT},
            "groups": {name: tally.as_json() for name, tally in self.groups.items()},
            "fields": {name: tally.as_json() for name, tally in self.fields.items()},
            "cards_face_up": self.faces.as_json(),
            "confusion": [
                {"truth": truth, "read": read, "count": count}
                for (truth, read), count in sorted(
                    self.confusion.items(), key=lambda item: (-item[1], item[0])
                )
                if truth != read
            ],
            "rolling": _rounded(self.rolling),
            "cumulative": _rounded(self.cumulative),
            "misses": [miss._asdict() for miss in self.misses],
            "refused": [{"picture": name, "reason": why} for name, why in self.refused],
        }


def _rounded(rows: list[dict[str, float]]) -> list[dict[str, float]]:
    return [{key: round(value, 4) for key, value in row.items()} for row in rows]
