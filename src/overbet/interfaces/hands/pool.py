"""The players of the database but the hero: each with a model, shrunk towards all of them.

pool = opponents(database)                        # those with most hands first
pool[0].model.profile                             # {"station": 0.83, ...}
pool[0].main()                                    # a few frequencies as posteriors, beside the pool's
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from overbet.errors import ConfigError, quoted
from overbet.interfaces.hands.database import HandDatabase
from overbet.interfaces.hands.decision_table import Progress, decision_rows, decision_table
from overbet.interfaces.hands.filter_text import ANY
from overbet.study.opponents import OpponentModel, fit_opponents

if TYPE_CHECKING:
    import polars

    from overbet.study.strategy_lookup import StrategyLookup

# what a player is known by first: name, street, line, action
MAIN = (
    ("open", "preflop", "unopened", "raise"),
    ("fold to open", "preflop", "facing open", "fold"),
    ("3-bet", "preflop", "facing open", "raise"),
    ("fold to 3-bet", "preflop", "facing 3bet", "fold"),
    ("c-bet", "flop", "c-bet chance", "bet"),
    ("fold to flop bet", "flop", "facing bet", "fold"),
    ("call river bet", "river", "facing bet", "call"),
)


class PoolFrequency(NamedTuple):
    """How often a player does something: the posterior's mean and interval beside the pool's mean."""

    name: str
    hits: int
    chances: int
    mean: float
    low: float
    high: float
    pool: float


@dataclass(frozen=True)
class PoolPlayer:
    """A player: hands and decisions that were seen, and the model of how the player plays."""

    name: str
    hands: int
    decisions: int
    model: OpponentModel

    def main(self) -> list[PoolFrequency]:
        """Return the frequencies of `MAIN` that the pool has any decisions for."""
        found = []
        for name, *key in MAIN:
            street, line, action = key
            prior = self.model.pool.get((street, line, action))
            if prior is not None:
                hits, chances = self.model.counts.get((street, line, action), (0, 0))
                own = self.model.frequency(street, line, action)
                found.append(PoolFrequency(name, hits, chances, own.mean, *own.interval(), prior.mean))
        return found

    def facts(self, whole: bool = False) -> dict[str, object]:
        """Return the player as plain values for JSON; whole: with every frequency."""
        found: dict[str, object] = {
            "name": self.name,
            "hands": self.hands,
            "decisions": self.decisions,
            "profile": self.model.profile,
            "frequencies": [one._asdict() for one in self.main()],
        }
        return {**found, "all": self.model.frame().to_dicts()} if whole else found


def opponents(
    database: HandDatabase,
    filter: str = "",
    *,
    lookup: StrategyLookup | None = None,
    progress: Progress | None = None,
) -> list[PoolPlayer]:
    """Return every player but the hero, those with most hands first.

    lookup: strategies that tell what is usual at every line (`OpponentModel.strategy_mix`); without them
    nothing is looked up, which is quicker.
    """
    import polars as pl

    others = "not hero" if not filter.strip() else f"({filter}) and not hero"
    if lookup is None:
        table = decision_rows(database, others, player=ANY)
    else:
        table = decision_table(database, others, player=ANY, lookup=lookup, progress=progress)
    if not len(table):
        raise ConfigError("there is no decision of an opponent in the hands that were chosen")
    models = fit_opponents(table)
    counts: polars.DataFrame = table.group_by("player").agg(
        pl.col("hand").n_unique().alias("hands"), pl.len().alias("decisions")
    )
    found = [PoolPlayer(name, hands, seen, models[name]) for name, hands, seen in counts.iter_rows()]
    return sorted(found, key=lambda one: (-one.hands, one.name))


def opponent(pool: list[PoolPlayer], name: str) -> PoolPlayer:
    """Return a player by name."""
    for one in pool:
        if one.name == name:
            return one
    raise ConfigError(f"there is no opponent {quoted(name)} in these hands; see overbet hands opponents")
