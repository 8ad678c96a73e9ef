"""Leaks of a player of the database, with what could be compared and what could not.

leaks = player_leaks(database)                        # the hero's
for leak in leaks.report.leaks: print(leak)
leaks.unknown                                         # {"no blueprint for 6 players": 4123, ...}
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

from overbet.errors import ConfigError
from overbet.interfaces.hands.database import HandDatabase
from overbet.interfaces.hands.decision_table import HERO, Progress, decision_table, whose
from overbet.interfaces.hands.filter_text import ANY, compiled
from overbet.study.leak_report import LeakReport
from overbet.study.leaks import find_leaks
from overbet.study.strategy_lookup import StrategyLookup

if TYPE_CHECKING:
    import polars

CORRECTION = (
    "lines by Benjamini and Yekutieli, which holds under any dependence; parts of a line by Holm; "
    "intervals widened for the choice"
)


@dataclass(frozen=True)
class PlayerLeaks:
    """What is wrong with a player's frequencies.

    report: the leaks, those with a price first, and every question that was asked. sources: decisions by
    what they were compared with. unknown: decisions that were not compared, by the reason. priced: decisions
    with a price. level: of the correction. decisions: the table (`decision_table`).
    """

    player: str
    report: LeakReport
    sources: dict[str, int]
    unknown: dict[str, int]
    priced: int
    level: float
    decisions: polars.DataFrame

    def facts(self) -> dict[str, object]:
        """Return all of it but the table as plain values for JSON; what is not known is None."""
        report = self.report
        return {
            "player": self.player,
            "hands": report.hands,
            "decisions": report.decisions,
            "compared": report.compared,
            "compared_with": self.sources,
            "not_compared": self.unknown,
            "priced": self.priced,
            "level": self.level,
            "correction": CORRECTION,
            "lines": len(report.lines),
            "questions": len(report.tests),
            "leaks": [
                {
                    **_test(leak.test),
                    "line_p_value": leak.p_value,
                    "per_100_hands": leak.per_100,
                    "bb_per_100": leak.bb100 if leak.priced else None,
                    "bb_per_100_half_width": leak.bb100_half if leak.priced else None,
                    "priced_share": leak.priced,
                    "also": [_test(test) for test in leak.also],
                }
                for leak in report.leaks
            ],
        }


def player_leaks(
    database: HandDatabase,
    filter: str = "",
    *,
    player: str | None = None,
    lookup: StrategyLookup | None = None,
    level: float = 0.05,
    progress: Progress | None = None,
) -> PlayerLeaks:
    """Return the leaks of a player, by default of the hero.

    filter: which hands; one that asks for results or for what was done in a hand changes what is compared.
    lookup: the strategies to compare with. level: share of false leaks on average (`find_leaks`).
    """
    if player == ANY:
        raise ConfigError("leaks are those of one player; name one")
    table = decision_table(database, filter, player=player, lookup=lookup, progress=progress)
    if not len(table):
        raise ConfigError("there is no decision in the hands that were chosen; see overbet hands list")
    where = compiled(filter).also(whose(database, player))
    query = f"SELECT count(*) FROM seats JOIN hands ON hands.id = seats.hand WHERE {where.sql}"
    hands = int(database.connection.execute(query, where.values).fetchone()[0])
    return PlayerLeaks(
        player or HERO,
        find_leaks(table, hands=hands, level=level),
        dict(Counter(table["source"].drop_nulls()).most_common()),
        dict(Counter(table["why"].drop_nulls()).most_common()),
        int(table["ev_loss_bb"].is_not_null().sum()),
        level,
        table,
    )


def _test(test: object) -> dict[str, object]:
    names = ("street", "line", "split", "part", "action", "decisions", "observed", "low", "high", "expected")
    return {name: getattr(test, name) for name in (*names, "p_value")}
