"""AIVAT of the hands a person plays, worked out beside the play.

The estimator of a table takes a while to make and a little for each hand, so it works on a thread of its own;
a hand is a function of (seed, number, actions), so nothing is lost when its estimate comes later, or after a
restart. The person's strategy is not known: the luck of the cards and of the opponents' dice is taken out.
"""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable

from overbet.errors import OverbetError
from overbet.evaluation.match_blocks import Estimator
from overbet.study.sitting import Sitting
from overbet.study.tables import StudyTable, TableOpponents


class Adjuster:
    """Gives finished hands their AIVAT estimate."""

    def __init__(
        self,
        opponents: TableOpponents,
        save: Callable[[StudyTable], None],
        ready: Callable[[], None] = lambda: None,
        failed: Callable[[Exception], None] = lambda error: None,
    ) -> None:
        """Take what is called: save, with a table whose hands have new estimates; ready, before the first.

        failed: with what went wrong; the play goes on without estimates.
        """
        self._opponents, self._save, self._ready, self._failed = opponents, save, ready, failed
        self._estimators: dict[tuple[str, str], Estimator | None] = {}
        self._queue: queue.SimpleQueue[StudyTable | None] = queue.SimpleQueue()
        self._waiting: set[str] = set()
        self._lock = threading.Lock()
        self._thread: threading.Thread | None = None
        self._closed = False

    def later(self, table: StudyTable) -> None:
        """Estimate the hands of a table that have no estimate yet, in the background."""
        with self._lock:
            if self._closed or table.id in self._waiting:
                return
            self._waiting.add(table.id)
            if self._thread is None:
                self._thread = threading.Thread(target=self._work, name="aivat", daemon=True)
                self._thread.start()
        self._queue.put(table)

    def close(self) -> None:
        """Stop after the hand under way."""
        self._closed = True
        self._queue.put(None)

    def _work(self) -> None:
        while (table := self._queue.get()) is not None:
            with self._lock:
                self._waiting.discard(table.id)
            try:
                self._ready()
                self.adjust(table)
            except Exception as error:  # a full disk: the estimates are made again when the table is seen
                self._failed(error)

    def adjust(self, table: StudyTable) -> None:
        """Estimate the hands of a table that have no estimate yet; those of a tournament get none."""
        if table.tournament is not None:
            return
        estimator = self._estimator(table)  # made when one sits down, before it is needed
        missing = [number for number, hand in enumerate(table.hands) if hand.adjusted is None]
        if estimator is None or not missing:
            return
        for number in missing:
            if self._closed:
                return
            table.hands[number].adjusted = self._estimate(estimator, table, number)
        with table.lock:
            self._save(table)

    def _estimator(self, table: StudyTable) -> Estimator | None:
        """Return the estimator of a table's opponent, None where there is none."""
        key = (table.opponent, table.kind)
        if key not in self._estimators:
            from overbet.evaluation.aivat import match_estimator

            try:
                self._estimators[key] = match_estimator(self._sitting(table).slots, table.game)
            except OverbetError:
                self._estimators[key] = None
        return self._estimators[key]

    def _estimate(self, estimator: Estimator, table: StudyTable, number: int) -> float | None:
        """Return the estimate of what the person won in a hand, in chips."""
        final = table.state(number, table.hands[number].actions)
        return self._sitting(table).adjusted(estimator, final, number)

    def _sitting(self, table: StudyTable) -> Sitting:
        return Sitting(table.game, table.seed, [self._opponents.seated(table)])
