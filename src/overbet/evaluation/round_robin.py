"""Everybody against everybody: a match for each pair of agents on the same deals, and the averages.

Every pair plays the same seed, so the deals are the same; an agent's average over its opponents is taken deal
by deal, and its interval is over deals: what the matches share is accounted for.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from overbet.agents.protocol import Agent
from overbet.errors import ConfigError
from overbet.evaluation.match_blocks import Estimator
from overbet.evaluation.match_result import RAW, MatchResult, note_of
from overbet.evaluation.matches import MatchPace, distinct_names, play_match
from overbet.evaluation.statistics import Estimate, Moments
from overbet.games.holdem import HoldemGame

if TYPE_CHECKING:
    import polars as pl

Progress = Callable[[str, str, MatchPace], None]


@dataclass(eq=False)
class RoundRobin:
    """The matches of all pairs: matches[(i, j)] with i < j, agent i first."""

    names: tuple[str, ...]
    matches: dict[tuple[int, int], MatchResult]
    stopped: bool = False

    def against(self, agent: int, other: int, estimate: str = RAW) -> Estimate | None:
        """Return mbb a hand of one agent against another, or None where they did not play."""
        if (agent, other) in self.matches:
            return self.matches[agent, other].mbb(0, estimate)
        if (other, agent) in self.matches:
            return self.matches[other, agent].mbb(1, estimate)
        return None

    def average(self, agent: int, estimate: str = RAW) -> Estimate | None:
        """Return an agent's mean over its opponents, with the interval over the deals they share."""
        parts = [
            match.by_deal(pair.index(agent), estimate)
            for pair, match in self.matches.items()
            if agent in pair
        ]
        if not parts:
            return None
        shared = min(map(len, parts))  # a match that was stopped is shorter
        return Moments.of(np.mean([part[:shared] for part in parts], axis=0)).estimate()

    def ranking(self, estimate: str = RAW) -> list[int]:
        """Return the agents by their averages, best first."""
        averages = [(self.average(agent, estimate), agent) for agent in range(len(self.names))]
        means = [(-found.mean, agent) for found, agent in averages if found]
        return [agent for _, agent in sorted(means)]

    def notes(self) -> list[str]:
        """Return what has to be known about blueprints, over all matches, and about faults."""
        found: list[str] = []
        for agent, name in enumerate(self.names):
            own = [
                match.counts[match.entry == pair.index(agent)].sum(0)
                for pair, match in self.matches.items()
                if agent in pair
            ]
            found += note_of(name, np.sum(own, axis=0)) if own else []
        return found + [note for match in self.matches.values() for note in match.notes() if "fault" in note]

    def frame(self, estimate: str = RAW) -> pl.DataFrame:
        """Return a row for each agent, best first: its average, interval, and mbb against every other."""
        import polars as pl

        rows = []
        order = self.ranking(estimate)
        for agent in order:
            average = self.average(agent, estimate)
            assert average is not None
            row: dict[str, Any] = {
                "agent": self.names[agent],
                "mbb_per_hand": average.mean,
                "half": average.half,
            }
            for other in order:
                found = self.against(agent, other, estimate)
                row[self.names[other]] = None if found is None else found.mean
                row[f"{self.names[other]} half"] = None if found is None else found.half
            rows.append(row)
        return pl.DataFrame(rows, infer_schema_length=None)

    def plot(self, path: str | Path, estimate: str = RAW) -> None:
        """Draw the averages with their intervals and the table of pairs."""
        from overbet.evaluation.round_robin_picture import draw_round_robin

        draw_round_robin(path, self, estimate)


def round_robin(
    agents: Sequence[Agent],
    game: HoldemGame | None = None,
    hands: int = 10_000,
    *,
    seed: int = 0,
    workers: int = 0,
    first_only: bool = False,
    estimators: Callable[[Sequence[Agent], HoldemGame], Sequence[Estimator]] | None = None,
    progress: Progress | None = None,
    specs: Sequence[str] | None = None,
    **options: Any,
) -> RoundRobin:
    """Play a match of `hands` hands for every pair, or for those with the first agent.

    estimators: makes those of a pair; specs: the words that named the agents. Further options are those of
    `play_match`.
    """
    if len(agents) < 2:
        raise ConfigError("a round robin needs two agents or more")
    names = distinct_names(agents)
    table = HoldemGame(2) if game is None else game
    result = RoundRobin(names, {})
    for one, two in combinations(range(len(agents)), 2):
        if first_only and one > 0:
            break

        def tell(pace: MatchPace, first: str = names[one], second: str = names[two]) -> None:
            if progress is not None:
                progress(first, second, pace)

        pair = [agents[one], agents[two]]
        try:
            match = play_match(
                pair,
                table,
                hands,
                seed=seed,
                workers=workers,
                progress=tell,
                estimators=estimators(pair, table) if estimators else (),
                specs=None if specs is None else (specs[one], specs[two]),
                **options,
            )
        except KeyboardInterrupt:
            if not result.matches:
                raise
            result.stopped = True
            return result
        result.matches[one, two] = match
        if match.stopped:
            result.stopped = True
            return result
    return result
