"""Answers of the database as polars frames: hands, decisions, results; in words and big blinds."""

from __future__ import annotations

import math
import sqlite3
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import polars as pl

from overbet.cards.combos import COMBOS, combo_name
from overbet.errors import ConfigError, unknown
from overbet.evaluation.statistics import Moments
from overbet.interfaces.hands.words import (
    ACTIONS,
    FACING,
    FLAGS,
    FORMATS,
    POSITIONS,
    SITES,
    STREETS,
    words_of,
)

if TYPE_CHECKING:
    from overbet.interfaces.hands.filter_text import HandFilter

_FROM = "FROM seats JOIN hands ON hands.id = seats.hand"
_OF_SEATS = "JOIN decisions ON decisions.hand = seats.hand AND decisions.player = seats.player"
SORTS = {
    "id": "hands.id",
    "date": "hands.played",
    "won": "1.0 * seats.net / hands.big_blind",
    "pot": "1.0 * hands.pot / hands.big_blind",
    "depth": "1.0 * seats.depth / hands.big_blind",
    "players": "hands.players",
    "blind": "1.0 * hands.big_blind / hands.unit",
}
GROUPS: dict[str, tuple[str, Sequence[str] | None]] = {
    "format": ("hands.format", FORMATS),
    "site": ("hands.site", SITES),
    "position": ("seats.position", POSITIONS),
    "players": ("hands.players", None),
    "player": ("(SELECT text FROM words WHERE id = seats.name)", None),
}
_HANDS: dict[str, tuple[str, Any]] = {
    "id": ("hands.id", pl.Int64),
    "site": ("hands.site", pl.Int64),
    "number": ("hands.number", pl.String),
    "played": ("hands.played", pl.Int64),
    "format": ("hands.format", pl.Int64),
    "table": ("(SELECT text FROM words WHERE id = hands.table_name)", pl.String),
    "tournament": ("(SELECT text FROM words WHERE id = hands.tournament)", pl.String),
    "currency": ("hands.currency", pl.String),
    "small_blind": ("1.0 * hands.small_blind / hands.unit", pl.Float64),
    "big_blind": ("1.0 * hands.big_blind / hands.unit", pl.Float64),
    "players": ("hands.players", pl.Int64),
    "name": ("(SELECT text FROM words WHERE id = seats.name)", pl.String),
    "hero": ("ifnull(hands.hero = seats.player, 0)", pl.Int64),
    "position": ("seats.position", pl.Int64),
    "hole": ("seats.hole", pl.Int64),
    "board": ("hands.board", pl.String),
    "stack_bb": ("1.0 * seats.stack / hands.big_blind", pl.Float64),
    "depth_bb": ("1.0 * seats.depth / hands.big_blind", pl.Float64),
    "pot_bb": ("1.0 * hands.pot / hands.big_blind", pl.Float64),
    "won_bb": ("1.0 * seats.net / hands.big_blind", pl.Float64),
    "line": ("seats.flags", pl.Int64),
    "notes": ("hands.notes", pl.String),
}
_DECISIONS: dict[str, tuple[str, Any]] = {
    "hand": ("hands.id", pl.Int64),
    "number": ("decisions.number", pl.Int64),
    "played": ("hands.played", pl.Int64),
    "format": ("hands.format", pl.Int64),
    "seats": ("hands.players", pl.Int64),
    "name": ("(SELECT text FROM words WHERE id = seats.name)", pl.String),
    "hero": ("ifnull(hands.hero = seats.player, 0)", pl.Int64),
    "player": ("seats.player", pl.Int64),
    "position": ("seats.position", pl.Int64),
    "street": ("decisions.street", pl.Int64),
    "players": ("decisions.players", pl.Int64),
    "heads_up": ("decisions.players = 2", pl.Int64),
    "facing": ("decisions.facing", pl.Int64),
    "raises": ("decisions.raises", pl.Int64),
    "preflop_raises": ("decisions.preflop_raises", pl.Int64),
    "initiative": ("decisions.initiative", pl.Int64),
    "in_position": ("decisions.in_position", pl.Int64),
    "pot_bb": ("1.0 * decisions.pot / hands.big_blind", pl.Float64),
    "to_call_bb": ("1.0 * decisions.to_call / hands.big_blind", pl.Float64),
    "stack_bb": ("1.0 * decisions.stack / hands.big_blind", pl.Float64),
    "action": ("decisions.action", pl.Int64),
    "all_in": ("decisions.all_in", pl.Int64),
    "added_bb": ("1.0 * decisions.added / hands.big_blind", pl.Float64),
    # a bet as a share of the pot, a raise as a share of the pot after calling
    "share": (
        "CASE WHEN decisions.action >= 3 THEN 1.0 * (decisions.added - decisions.to_call) "
        "/ (decisions.pot + decisions.to_call) END",
        pl.Float64,
    ),
    "hole": ("seats.hole", pl.Int64),
    "board": (
        "substr(hands.board, 1, CASE decisions.street WHEN 0 THEN 0 ELSE 4 + 2 * decisions.street END)",
        pl.String,
    ),
    "net_bb": ("1.0 * seats.net / hands.big_blind", pl.Float64),
}
_REVIEWS: dict[str, tuple[str, Any]] = {
    **{
        name: _DECISIONS[name]
        for name in (
            "hand",
            "number",
            "played",
            "format",
            "seats",
            "name",
            "hero",
            "player",
            "position",
            "street",
            "players",
            "facing",
            "hole",
            "board",
            "pot_bb",
            "to_call_bb",
            "stack_bb",
            "action",
            "added_bb",
        )
    },
    "method": ("reviews.method", pl.String),
    "source": ("reviews.source", pl.String),
    "settings": ("reviews.settings", pl.String),
    "grade": ("reviews.grade", pl.String),
    "loss_bb": ("reviews.loss_bb", pl.Float64),
    "accuracy_bb": ("reviews.accuracy_bb", pl.Float64),
    "share": ("reviews.share", pl.Float64),
    "taken": ("reviews.taken", pl.String),
    "best": ("reviews.best", pl.String),
    "reason": ("reviews.reason", pl.String),
}
_WORDS: dict[str, Sequence[str]] = {
    "site": SITES,
    "format": FORMATS,
    "position": POSITIONS,
    "street": STREETS,
    "facing": FACING,
    "action": ACTIONS,
}
_YES_NO = ("hero", "heads_up", "initiative", "in_position", "all_in")


def hands_frame(
    connection: sqlite3.Connection, where: HandFilter, sort: str, limit: int | None
) -> pl.DataFrame:
    """Return one row a hand and seat; see `HandDatabase.frame`."""
    name = sort.removeprefix("-").lower()
    if name not in SORTS:
        raise ConfigError(unknown("order of hands", name, SORTS))
    order = f"{SORTS[name]} {'DESC' if sort.startswith('-') else 'ASC'}, hands.id, seats.player"
    query = f"{_select(_HANDS)} {_FROM} WHERE {where.sql} ORDER BY {order} LIMIT ?"
    values = (*where.values, -1 if limit is None else limit)
    frame = _frame(connection, query, values, _HANDS)
    lines = [" ".join(words_of(flags)) for flags in frame["line"]]
    return frame.with_columns(pl.Series("line", lines, pl.String))


def decisions_frame(connection: sqlite3.Connection, where: HandFilter) -> pl.DataFrame:
    """Return one row a decision; see `HandDatabase.decisions`."""
    query = (
        f"{_select(_DECISIONS)} {_FROM} {_OF_SEATS} "
        f"WHERE {where.sql} ORDER BY decisions.hand, decisions.number"
    )
    return _frame(connection, query, where.values, _DECISIONS)


def reviews_frame(connection: sqlite3.Connection, where: HandFilter) -> pl.DataFrame:
    """Return one row a reviewed decision; see `HandDatabase.reviews`."""
    query = (
        f"{_select(_REVIEWS)} {_FROM} {_OF_SEATS} "
        "JOIN reviews ON reviews.hand = decisions.hand AND reviews.number = decisions.number "
        f"WHERE {where.sql} ORDER BY reviews.loss_bb DESC NULLS LAST, decisions.hand, decisions.number"
    )
    return _frame(connection, query, where.values, _REVIEWS)


def stats_frame(connection: sqlite3.Connection, where: HandFilter, by: str, all_in: str = "") -> pl.DataFrame:
    """Return results by group and, where there are several, of all; see `HandDatabase.stats`.

    all_in: a table of results by all-in EV (hand, player, ev), of players whose result is another one by it;
    ev is NULL where cards that are needed were not seen.
    """
    if by not in GROUPS:
        raise ConfigError(unknown("group of hands", by, GROUPS))
    group, words = GROUPS[by]
    shares = ", ".join(f"sum((seats.flags & {FLAGS[word]}) > 0)" for word in ("vpip", "pfr", "3bet"))
    sums = f"count(DISTINCT hands.id), count(*), {shares}, {_moments('seats.net')}"
    tail = f"{_FROM} WHERE {where.sql}"
    if all_in:
        unseen = "count(adjusted.hand) - count(adjusted.ev)"
        sums += f", count(adjusted.ev), {unseen}, {_moments('ifnull(adjusted.ev, seats.net)')}"
        join = (
            f"LEFT JOIN {all_in} AS adjusted ON adjusted.hand = seats.hand AND adjusted.player = seats.player"
        )
        tail = f"{_FROM} {join} WHERE {where.sql}"
    query = f"SELECT {group}, {sums} {tail} GROUP BY {group} ORDER BY count(*) DESC, {group}"
    groups = connection.execute(query, where.values).fetchall()
    rows = [_result(words[row[0]] if words else str(row[0]), row[1:]) for row in groups]
    if len(groups) > 1:
        rows.append(_result("all", connection.execute(f"SELECT {sums} {tail}", where.values).fetchone()))
    numbers = ("vpip", "pfr", "3bet", "bb_per_100", "half_width")
    schema: dict[str, Any] = {by: pl.String, "hands": pl.Int64, "seats": pl.Int64}
    schema |= dict.fromkeys(numbers, pl.Float64)
    if all_in:
        schema |= {"all_ins": pl.Int64, "all_ins_unseen": pl.Int64}
        schema |= {"ev_bb_per_100": pl.Float64, "ev_half_width": pl.Float64}
    return pl.DataFrame(rows, schema=schema, orient="row")


def _moments(chips: str) -> str:
    """Return the SQL of the mean of results in bb/100 and of the sum of their squares."""
    won = f"(100.0 * {chips} / hands.big_blind)"
    return f"avg({won}), sum({won} * {won})"


def _result(name: str, row: Sequence[Any]) -> tuple[object, ...]:
    hands, seats, vpip, pfr, three_bet, mean, squares, *adjusted = row
    alone = seats == hands  # results of several players of one hand are not independent
    shares = (vpip / seats, pfr / seats, three_bet / seats)
    found = (name, hands, seats, *shares, *_mean_and_half(seats, mean, squares, alone))
    if not adjusted:
        return found
    all_ins, unseen, mean, squares = adjusted
    return (*found, all_ins, unseen, *_mean_and_half(seats, mean, squares, alone))


def _mean_and_half(seats: int, mean: float, squares: float, alone: bool) -> tuple[float, float | None]:
    """Return the mean and half of its interval, None where there is none."""
    half = Moments(seats, mean, squares - seats * mean * mean).estimate().half
    return mean, half if alone and math.isfinite(half) else None


def _select(columns: Mapping[str, tuple[str, Any]]) -> str:
    return "SELECT " + ", ".join(sql for sql, _ in columns.values())


def _frame(
    connection: sqlite3.Connection,
    query: str,
    values: tuple[object, ...],
    columns: Mapping[str, tuple[str, Any]],
) -> pl.DataFrame:
    schema = {name: kind for name, (_, kind) in columns.items()}
    cursor = connection.execute(query, values)
    pieces = [pl.DataFrame(schema=schema)]
    while rows := cursor.fetchmany(50_000):
        pieces.append(pl.DataFrame(rows, schema=schema, orient="row"))
    frame = pl.concat(pieces)
    changes = [_worded(name, words) for name, words in _WORDS.items() if name in schema]
    changes += [pl.col(name).cast(pl.Boolean) for name in _YES_NO if name in schema]
    changes.append(pl.from_epoch("played", "s").dt.replace_time_zone("UTC"))
    changes.append(_worded("hole", [combo_name(combo) for combo in range(COMBOS)]))
    return frame.with_columns(changes)


def _worded(name: str, words: Sequence[str]) -> pl.Expr:
    return pl.col(name).replace_strict(list(range(len(words))), list(words), return_dtype=pl.String)
