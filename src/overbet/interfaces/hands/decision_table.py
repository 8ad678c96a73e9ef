"""The table of decisions of a database of hands: what leaks and opponents are found in.

It has the columns of `overbet.study.decisions` and these: `number` (of the decision in the hand), `source`
(what the strategy's shares are from: trained, push or fold, nearest depth) and `why` (where there are none,
the reason). The words of `line` are those of `overbet.study.decision_lines`.

A strategy is asked about the hand that was held, where that is seen whatever happens: the hero's, and that of
players whose cards are known in every hand. Cards that are seen at showdowns only are left aside: they are
not those of the player who folded, and frequencies by them would be wrong. There the mean over the range
stands, as the blueprint would hold it after the player's own actions.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from itertools import groupby, pairwise
from operator import itemgetter
from typing import Any

import polars as pl

from overbet.errors import ConfigError
from overbet.games.holdem import HoldemGame
from overbet.games.holdem_state import HoldemState
from overbet.interfaces.hands.database import HandDatabase
from overbet.interfaces.hands.filter_text import compiled
from overbet.interfaces.hands.record_text import unpacked_record
from overbet.interfaces.hands.words import ACTIONS, FACING, FLAGS, POSITIONS, STREETS, SUITS
from overbet.interfaces.history.record import HandRecord
from overbet.interfaces.history.replay import states
from overbet.study.decision_lines import line_word
from overbet.study.decisions import SHARES
from overbet.study.strategy_lookup import StrategyLookup, StrategyShares

HERO = "Hero"  # what the one who looks on is called, whatever the names at the sites are
ODD_POSTS = "posts other than the two blinds and antes"
_TELL = 500  # hands between two reports of progress
_COLUMNS: dict[str, Any] = {
    "hand": pl.Int64,
    "number": pl.Int64,
    "player": pl.String,
    "hero": pl.Int64,
    "seats": pl.Int64,
    "position": pl.Int64,
    "street": pl.Int64,
    "facing": pl.Int64,
    "limped": pl.Int64,
    "led": pl.Int64,
    "texture": pl.Int64,
    "stack_bb": pl.Float64,
    "action": pl.Int64,
    "hole": pl.Int64,
    "ev_loss_bb": pl.Float64,
}
_SELECT = f"""
SELECT decisions.hand, decisions.number, words.text, ifnull(hands.hero = seats.player, 0), hands.players,
    seats.position, decisions.street, decisions.facing, (seats.flags & {FLAGS["limp"]}) > 0,
    decisions.initiative AND (decisions.street = 1 OR EXISTS (
        SELECT 1 FROM decisions AS before WHERE before.hand = decisions.hand
        AND before.street = decisions.street - 1 AND before.action >= {ACTIONS.index("bet")})),
    CASE WHEN decisions.street > 0 THEN hands.texture END, 1.0 * seats.depth / hands.big_blind,
    decisions.action, seats.hole, %s
FROM seats JOIN hands ON hands.id = seats.hand JOIN words ON words.id = seats.name
    JOIN decisions ON decisions.hand = seats.hand AND decisions.player = seats.player %s
WHERE %s ORDER BY decisions.hand, decisions.number
"""
Progress = Callable[[int, int], object]


def decision_table(
    database: HandDatabase,
    filter: str = "",
    *,
    player: str | None = None,
    lookup: StrategyLookup | None = None,
    progress: Progress | None = None,
) -> pl.DataFrame:
    """Return the table of decisions of the hands and players that a filter chooses.

    player: a name, `ANY` for everybody, None for the hero, who is called `Hero` then whatever the name at the
    site. lookup: the strategies to ask; by default the shipped ones. progress: told hands done and all.
    """
    table = _rows(database, filter, player)
    asked = lookup or StrategyLookup()
    shares, sources, reasons = list[Sequence[float | None]](), list[str | None](), list[str | None]()
    for found in _looked_up(database, table, asked, progress):
        shares.append([None] * len(SHARES) if found.shares is None else found.shares.tolist())
        sources.append(found.source or None)
        reasons.append(found.why or None)
    columns = pl.DataFrame(shares, schema=dict.fromkeys(SHARES, pl.Float64), orient="row")
    return (
        _worded(table)
        .hstack(columns)
        .with_columns(pl.Series("source", sources, pl.String), pl.Series("why", reasons, pl.String))
    )


def decision_rows(database: HandDatabase, filter: str = "", *, player: str | None = None) -> pl.DataFrame:
    """Return the table of decisions without a strategy: enough for counts of what players do."""
    return _worded(_rows(database, filter, player))


def whose(database: HandDatabase, player: str | None) -> tuple[str, tuple[object, ...]]:
    """Return the condition on whose seat it is: a player's, everybody's (`ANY`), or the hero's."""
    if player:
        return database.seat_condition(player)
    if not database.heroes():
        raise ConfigError("no hand has a hero: name a player, see overbet hands stats --by player")
    return "hands.hero = seats.player", ()


def reviewed(connection: sqlite3.Connection) -> bool:
    """Return whether the database has prices of decisions: its table `reviews`."""
    query = "SELECT count(*) FROM sqlite_master WHERE type = 'table' AND name = 'reviews'"
    return bool(connection.execute(query).fetchone()[0])


def _rows(database: HandDatabase, filter: str, player: str | None) -> pl.DataFrame:
    """Return what the database says of decisions, in its numbers."""
    where = compiled(filter).also(whose(database, player))
    loss, join = "NULL", ""
    if reviewed(database.connection):
        loss = "reviews.loss_bb"
        join = "LEFT JOIN reviews ON reviews.hand = decisions.hand AND reviews.number = decisions.number"
    cursor = database.connection.execute(_SELECT % (loss, join, where.sql), where.values)
    pieces = [pl.DataFrame(schema=_COLUMNS)]
    while rows := cursor.fetchmany(50_000):
        pieces.append(pl.DataFrame(rows, schema=_COLUMNS, orient="row"))
    table = pl.concat(pieces)
    return table if player else table.with_columns(pl.lit(HERO).alias("player"))


def _worded(table: pl.DataFrame) -> pl.DataFrame:
    """Return the table in words; this is where what the database keeps becomes the line of a decision."""
    kinds = table.select("facing", "street", "limped", "led").unique()
    lines = [
        line_word(FACING[facing], street, limped=bool(limped), led=bool(led))
        for facing, street, limped, led in kinds.iter_rows()
    ]
    kinds = kinds.with_columns(pl.Series("line", lines, pl.String))
    suits, paired = pl.col("texture") % 3, pl.col("texture") // 3 % 3 > 0
    looks = pl.when(paired).then(pl.lit("paired")).otherwise(_word(suits, SUITS))
    return table.join(
        kinds, on=["facing", "street", "limped", "led"], how="left", maintain_order="left"
    ).select(
        "hand",
        "number",
        "player",
        _word(pl.col("position"), POSITIONS).alias("position"),
        _word(pl.col("street"), STREETS).alias("street"),
        "line",
        pl.when(pl.col("texture").is_null()).then(None).otherwise(looks).alias("texture"),
        "stack_bb",
        _word(pl.col("action"), ACTIONS).alias("action"),
        "ev_loss_bb",
    )


def _word(number: pl.Expr, words: Sequence[str]) -> pl.Expr:
    return number.replace_strict(list(range(len(words))), list(words), default=None, return_dtype=pl.String)


def _looked_up(
    database: HandDatabase, table: pl.DataFrame, lookup: StrategyLookup, progress: Progress | None
) -> Iterator[StrategyShares]:
    """Yield what the strategy does at every decision, in the order of the table."""
    seen = _seen_players(database, table)
    refused = {seats: lookup.why_not(seats) for seats in table["seats"].unique().to_list()}
    hands = table["hand"].n_unique()
    rows = table.select("hand", "seats", "number", "player", "hero", "hole").iter_rows()
    for done, (hand, group) in enumerate(groupby(rows, itemgetter(0))):
        if progress is not None and done % _TELL == 0:
            progress(done, hands)
        decisions = list(group)
        why = refused[decisions[0][1]]
        if why:
            yield from [StrategyShares(None, why=why)] * len(decisions)
            continue
        wanted = {
            number: hole if hero or name in seen else None for _, _, number, name, hero, hole in decisions
        }
        yield from _of_hand(_record(database, hand), wanted, lookup, hand)
    if progress is not None:
        progress(hands, hands)


def _of_hand(
    record: HandRecord, wanted: dict[int, int | None], lookup: StrategyLookup, hand: int
) -> Iterator[StrategyShares]:
    """Yield what the strategy does at the decisions of a hand with these numbers; values: combos."""
    game = plain_table(record)
    if game is None:
        yield from [StrategyShares(None, why=ODD_POSTS)] * len(wanted)
        return
    number = 0
    for state, _ in pairwise(states(record)):
        if state.current_player() < 0:
            continue
        legal = state.legal_actions()
        if not legal.fold and legal.raise_min is None:
            continue  # no decision, as in `features`
        if number in wanted:
            yield lookup.at(HoldemState(game, state.vector, state.history), wanted[number], hand)
        number += 1


def plain_table(record: HandRecord) -> HoldemGame | None:
    """Return the table of a record by the rules of `games.holdem`; None where posts are not as there."""
    players, site = len(record.starting_stacks), record.as_played
    small, big, *others = record.blinds
    if any(others) or not 0 < small <= big == record.min_bet:
        return None
    if site is not None and (site.gave_up or site.opener not in (None, 1 if players == 2 else 2)):
        return None
    return _table(record.starting_stacks, (small, big), record.antes, not record.ante_trimming)


@lru_cache(maxsize=1024)
def _table(
    stacks: tuple[int, ...], blinds: tuple[int, int], antes: tuple[int, ...], dead_antes: bool
) -> HoldemGame:
    """Return a table; the same one for the same hands, because agents keep what they know of the last."""
    return HoldemGame(len(stacks), stacks, blinds, antes, min_bet=blinds[1], dead_antes=dead_antes)


def _record(database: HandDatabase, hand: int) -> HandRecord:
    row = database.connection.execute("SELECT record FROM hands WHERE id = ?", (hand,)).fetchone()
    return unpacked_record(row[0], f"hand {hand}")


def _seen_players(database: HandDatabase, table: pl.DataFrame) -> set[str]:
    """Return the names, other than the hero's, of players whose cards are known in every hand of theirs."""
    names = table.filter(pl.col("hero") == 0)["player"].unique().to_list()
    query = (
        "SELECT min(seats.hole IS NOT NULL) FROM seats JOIN hands ON hands.id = seats.hand "
        "JOIN words ON words.id = seats.name WHERE words.text = ? "
        "AND (hands.hero IS NULL OR hands.hero != seats.player)"
    )
    return {name for name in names if database.connection.execute(query, (name,)).fetchone()[0] == 1}
