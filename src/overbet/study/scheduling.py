"""When a card is asked again: FSRS, by the `fsrs` library.

The verdict is the rating. `best` and `correct` are Good, an `inaccuracy` is Hard, a `mistake` and a `blunder`
are Again; `unclear` says nothing about the memory and is not rated. Nothing is Easy, however quick the
answer: one of three buttons is soon guessed, and Easy would put a new card off for more than a week. Times
are UTC in whole seconds. Without fuzz the same answers at the same times make the same schedule.
"""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING, Annotated, Literal

import pydantic
from pydantic import Field, FiniteFloat

from overbet.study.grades import Grade
from overbet.study.records import Record

if TYPE_CHECKING:
    from fsrs import Card, Scheduler

RETENTION, NEW_A_DAY = 0.9, 20
LEAST_RETENTION, MOST_RETENTION, MOST_NEW = 0.7, 0.99, 9999
DAY = 86_400  # seconds
AGAIN, HARD, GOOD = 1, 2, 3
_RATINGS: dict[Grade, int] = {
    "best": GOOD,
    "correct": GOOD,
    "inaccuracy": HARD,
    "mistake": AGAIN,
    "blunder": AGAIN,
}
Seconds = Annotated[int, Field(ge=0, lt=10**11)]  # since 1970, UTC
_Positive = Annotated[FiniteFloat, Field(gt=0)]


class CardSchedule(Record):
    """What FSRS knows of a card. state: 1 learning, 2 review, 3 relearning; last_review: None if new."""

    state: Literal[1, 2, 3] = 1
    step: Annotated[int, Field(ge=0, le=10)] | None = 0
    stability: _Positive | None = None
    difficulty: _Positive | None = None
    due: Seconds
    last_review: Seconds | None = None

    @pydantic.model_validator(mode="after")
    def _whole(self) -> CardSchedule:
        unknown = self.stability is None or self.difficulty is None
        if unknown != (self.last_review is None) or (unknown and self.state != 1):
            raise ValueError("a card that was rated has a stability, a difficulty and a last review")
        if (self.step is None) != (self.state == 2):
            raise ValueError("a card that is learned has a step, others have none")
        return self

    @property
    def is_new(self) -> bool:
        """Whether it was never rated."""
        return self.last_review is None


def rating_of(word: Grade) -> int | None:
    """Return the rating of a verdict, None where it is not rated."""
    return _RATINGS.get(word)


def rated(schedule: CardSchedule, rating: int, when: int, scheduler: Scheduler) -> CardSchedule:
    """Return the schedule after an answer. when: seconds since 1970."""
    from fsrs import Rating

    card, _ = scheduler.review_card(card_of(schedule), Rating(rating), _moment(when))
    return schedule_of(card)


def scheduler_of(retention: float = RETENTION, *, fuzz: bool = True) -> Scheduler:
    """Return the scheduler. fuzz: days are varied a little, so that cards do not stay together for ever."""
    from fsrs import Scheduler

    return Scheduler(desired_retention=retention, enable_fuzzing=fuzz)


def card_of(schedule: CardSchedule) -> Card:
    """Return the library's card of a schedule."""
    from fsrs import Card, State

    return Card(
        card_id=0,
        state=State(schedule.state),
        step=schedule.step,
        stability=schedule.stability,
        difficulty=schedule.difficulty,
        due=_moment(schedule.due),
        last_review=None if schedule.last_review is None else _moment(schedule.last_review),
    )


def schedule_of(card: Card) -> CardSchedule:
    """Return what is kept of the library's card."""
    return CardSchedule(
        state=card.state.value,
        step=card.step,
        stability=card.stability,
        difficulty=card.difficulty,
        due=int(card.due.timestamp()),
        last_review=None if card.last_review is None else int(card.last_review.timestamp()),
    )


def _moment(seconds: int) -> datetime:
    return datetime.fromtimestamp(seconds, UTC)
