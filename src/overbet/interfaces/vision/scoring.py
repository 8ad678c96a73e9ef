"""How well pictures are read: right, wrong or asked, by field; sums, rolling means, a table of confusions.

A field that was asked counts as not read. Groups: cards, amounts (pot, stacks, bets), button, turn,
seats; a whole
state is right when every field of the picture is.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from overbet.interfaces.vision.reading import TableReading

CARDS_LIMIT, AMOUNTS_LIMIT = 0.97, 0.95
GROUPS = {"card": "cards", "amount": "amounts", "button": "button", "turn": "turn", "seat": "seats"}
ROLLING = 50


class Miss(NamedTuple):
    """A field that was not read as it is."""

    picture: str
    name: str
    group: str
    truth: int | str
    guess: int | str
    confidence: float
    asked: bool


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
    """What a set of pictures came to."""

    groups: dict[str, Tally] = field(
        default_factory=lambda: {name: Tally() for name in [*GROUPS.values(), "states"]}
    )
    faces: Tally = field(default_factory=Tally)  # of the cards, those that lie face up
    confusion: Counter[tuple[str, str]] = field(default_factory=Counter)
    misses: list[Miss] = field(default_factory=list)
    rolling: list[dict[str, float]] = field(default_factory=list)
    refused: list[tuple[str, str]] = field(default_factory=list)
    _last: deque[dict[str, float]] = field(default_factory=lambda: deque(maxlen=ROLLING))

    def add(self, name: str, reading: TableReading, truth: Mapping[str, int | str]) -> list[Miss]:
        """Compare a reading with the truth; return what was missed."""
        missed: list[Miss] = []
        own = {group: Tally() for group in self.groups}
        for key, wanted in truth.items():
            one = reading.fields[key]
            group = GROUPS[one.kind]
            right = one.guess == wanted and one.known
            place = "right" if right else "wrong" if one.known else "asked"
            tallies = [self.groups[group], own[group]]
            if group == "cards" and wanted not in ("back", "none"):
                tallies.append(self.faces)
            for tally in tallies:
                setattr(tally, place, getattr(tally, place) + 1)
            if group == "cards":
                self.confusion[(str(wanted), str(one.guess))] += 1
            if not right:
                missed.append(Miss(name, key, group, wanted, one.guess, one.confidence, not one.known))
        self._close(own, whole=not missed)
        self.misses += missed
        return missed

    def refuse(self, name: str, why: str, truth: Mapping[str, int | str]) -> None:
        """Count a picture that could not be read at all: every field of it is missed."""
        self.refused.append((name, why))
        own = {group: Tally() for group in self.groups}
        for key, wanted in truth.items():
            last = key.rpartition(".")[2]
            group = (
                "amounts"
                if last in ("pot", "stack", "bet")
                else "cards"
                if last[:4] == "card" or key[:5] == "board"
                else key
                if key in ("button", "turn")
                else "seats"
            )
            self.groups[group].asked += 1
            own[group].asked += 1
            if group == "cards" and wanted not in ("back", "none"):
                self.faces.asked += 1
        self._close(own, whole=False)

    def _close(self, own: dict[str, Tally], *, whole: bool) -> None:
        if whole:
            self.groups["states"].right += 1
        else:
            self.groups["states"].wrong += 1
        self._last.append({**{group: tally.share for group, tally in own.items()}, "states": float(whole)})
        self.rolling.append({group: sum(row[group] for row in self._last) / len(self._last) for group in own})

    @property
    def passed(self) -> bool:
        """Whether cards and amounts reach their limits; of the cards, those face up have to as well."""
        cards = min(self.groups["cards"].share, self.faces.share)
        return cards >= CARDS_LIMIT and self.groups["amounts"].share >= AMOUNTS_LIMIT

    def as_json(self) -> dict[str, Any]:
        """Return the report."""
        return {
            "pictures": self.groups["states"].total,
            "passed": self.passed,
            "limits": {"cards": CARDS_LIMIT, "amounts": AMOUNTS_LIMIT},
            "groups": {name: tally.as_json() for name, tally in self.groups.items()},
            "cards_face_up": self.faces.as_json(),
            "confusion": [
                {"truth": truth, "read": read, "count": count}
                for (truth, read), count in sorted(
                    self.confusion.items(), key=lambda item: (-item[1], item[0])
                )
                if truth != read
            ],
            "rolling": [{key: round(value, 4) for key, value in row.items()} for row in self.rolling],
            "cumulative": {name: round(tally.share, 5) for name, tally in self.groups.items()},
            "misses": [miss._asdict() for miss in self.misses],
            "refused": [{"picture": name, "reason": why} for name, why in self.refused],
        }
