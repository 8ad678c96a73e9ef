"""AIVAT of the hands a person plays, worked out beside the play.

The estimator of a table takes a while to make and a little for each hand, so it works on a thread of its own;
a hand is a function of (seed, number, actions), so nothing is lost when its estimate comes later, or after a
restart. The person's strategy is not known: the luck of the cards and of the opponents' dice is taken out.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np

from overbet.agents.human import HumanAgent
from overbet.agents.protocol import Agent, Observation
from overbet.errors import ConfigError, OverbetError
from overbet.evaluation import aivat
from overbet.interfaces.web.tables import HERO, Opponents, Table


class Adjuster:
    """Gives finished hands their AIVAT estimate."""

    def __init__(self, opponents: Opponents, save: Callable[[Table], None]) -> None:
        """Take save: called with a table whose hands have new estimates."""
        self._opponents, self._save = opponents, save
        self._pool = ThreadPoolExecutor(1, "aivat")
        self._estimators: dict[tuple[str, str], Any] = {}
        self._waiting: set[str] = set()
        self._lock = threading.Lock()
        self._closed = False

    def later(self, table: Table) -> None:
        """Estimate the hands of a table that have no estimate yet, in the background."""
        with self._lock:
            if self._closed or table.id in self._waiting:
                return
            self._waiting.add(table.id)
        self._pool.submit(self._work, table)

    def close(self) -> None:
        """Stop after the hand under way."""
        with self._lock:
            self._closed = True
        self._pool.shutdown(wait=False, cancel_futures=True)

    def _work(self, table: Table) -> None:
        with self._lock:
            self._waiting.discard(table.id)
        try:
            estimator = self._estimator(table)
            for number, hand in enumerate(list(table.hands)):
                if hand.adjusted is None and not self._closed:
                    hand.adjusted = self._estimate(estimator, table, number)
        except OverbetError:
            return  # no estimate for this table: the result says how many hands have none
        with table.lock:
            if not self._closed:
                self._save(table)

    def _estimator(self, table: Table) -> Any:
        key = (table.opponent, table.kind)
        if key not in self._estimators:
            if not hasattr(aivat.MatchAivat, "estimate_hand"):
                raise ConfigError("single hands cannot be estimated")
            agent = self._opponents.agent(table.opponent, table.kind)
            slots: list[Agent] = [_PERSON, *[agent] * (table.game.num_players - 1)]
            self._estimators[key] = aivat.match_estimator(slots, table.game)
        return self._estimators[key]

    def _estimate(self, estimator: Any, table: Table, number: int) -> float | None:
        """Return the estimate of what the person won in a hand, in chips."""
        hero = table.player_of(HERO, number)
        seats: list[Agent] = [self._opponents.agent(table.opponent, table.kind)] * table.game.num_players
        seats[hero] = _PERSON
        final = table.state(number, table.hands[number].actions)
        value = float(estimator.estimate_hand(final, seats, table.seed, number)[hero])
        return value if np.isfinite(value) else None


def _silent(observation: Observation) -> int:
    raise ConfigError("the person acts on the page")


_PERSON = HumanAgent(_silent)
