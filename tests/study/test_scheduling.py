"""When a card is asked again: to the second what the library's own scheduler says."""

from __future__ import annotations

import itertools
import subprocess
import sys
from datetime import UTC, datetime

import pytest
from fsrs import Card, Rating, Scheduler

from overbet.study.grades import GRADES
from overbet.study.scheduling import CardSchedule, rated, rating_of, schedule_of, scheduler_of

START = 1_800_000_000
RATINGS = {"mistake": Rating.Again, "inaccuracy": Rating.Hard, "best": Rating.Good}


@pytest.mark.parametrize("retention", [0.8, 0.9, 0.95])
def test_schedules_are_the_librarys(retention: float) -> None:
    """Every sequence of four verdicts, each answered when due or long after, kept as JSON in between."""
    own = Scheduler(desired_retention=retention, enable_fuzzing=False)
    for words in itertools.product(RATINGS, repeat=4):
        for late in (0, 7 * 86_400 + 123):
            card = Card(card_id=0, due=datetime.fromtimestamp(START, UTC))
            kept = CardSchedule(due=START)
            for word in words:
                when = kept.due + late
                card, _ = own.review_card(card, RATINGS[word], datetime.fromtimestamp(when, UTC))
                rating = rating_of(word)  # type: ignore[arg-type]  # words of the drill
                assert rating is not None
                scheduler = scheduler_of(retention, fuzz=False)
                kept = rated(
                    CardSchedule.model_validate_json(kept.model_dump_json()), rating, when, scheduler
                )
                assert kept == schedule_of(card)
                assert kept.due == card.due.timestamp()
                assert kept.stability == card.stability


def test_verdicts_are_ratings_and_the_unclear_is_none() -> None:
    assert {word: rating_of(word) for word in GRADES} == {
        "best": 3,
        "correct": 3,
        "inaccuracy": 2,
        "mistake": 1,
        "blunder": 1,
        "unclear": None,
    }


def test_a_higher_retention_asks_sooner_and_fuzz_keeps_near() -> None:
    known = CardSchedule(state=2, step=None, stability=40.0, difficulty=5.0, due=START, last_review=START)
    when = START + 40 * 86_400
    often = rated(known, 3, when, scheduler_of(0.95, fuzz=False)).due
    seldom = rated(known, 3, when, scheduler_of(0.8, fuzz=False)).due
    plain = rated(known, 3, when, scheduler_of(0.9, fuzz=False)).due
    assert when < often < plain < seldom
    found = {rated(known, 3, when, scheduler_of(0.9)).due for _ in range(40)}
    assert len(found) > 1
    assert all(abs(due - plain) < 0.2 * (plain - when) for due in found)


@pytest.mark.parametrize(
    "fault",
    [
        {"state": 2, "step": None, "due": 1},
        {"state": 1, "step": None, "due": 1},
        {"state": 2, "step": 0, "stability": 1.0, "difficulty": 5.0, "due": 1, "last_review": 0},
        {"state": 1, "step": 0, "stability": 1.0, "difficulty": 5.0, "due": 1},
        {"state": 4, "step": 0, "due": 1},
        {"state": 1, "step": 0, "due": -1},
        {"state": 1, "step": 0, "stability": -1.0, "difficulty": 5.0, "due": 1, "last_review": 0},
    ],
)
def test_damaged_schedules_are_refused(fault: dict[str, object]) -> None:
    with pytest.raises(ValueError, match=r"CardSchedule"):
        CardSchedule.model_validate(fault)


def test_the_library_is_not_loaded_before_it_is_needed() -> None:
    code = (
        "import sys\nfrom overbet.interfaces.cli.app import build\nbuild()\nimport overbet.study.scheduling\n"
        "early = 'fsrs' in sys.modules\noverbet.study.scheduling.scheduler_of()\n"
        "print(early, 'fsrs' in sys.modules, 'torch' in sys.modules)"
    )
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert found.stdout.split() == ["False", "True", "False"]
