"""The list of hands as a page asks for it: some rows from any place, in the order of any column.

One row is a hand as one player saw it, as in `HandDatabase.frame`; amounts are chips of the record.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from overbet.cards.combos import combo_name
from overbet.errors import ConfigError, unknown
from overbet.interfaces.hands.database import HandDatabase
from overbet.interfaces.hands.filter_text import ANY, HandFilter, compiled
from overbet.interfaces.hands.words import FORMATS, POSITIONS, SITES, said_words

ORDERS = {
    "date": "hands.played",
    "blinds": "1.0 * hands.big_blind / hands.unit",
    "player": "(SELECT text FROM words WHERE id = seats.name)",
    "position": "seats.position",
    "cards": "seats.hole",
    "board": "hands.board",
    "depth": "1.0 * seats.depth / hands.big_blind",
    "won": "1.0 * seats.net / hands.big_blind",
    "loss": "lost.bb",
    "line": "seats.flags",
}
_COLUMNS = (
    "hands.id, hands.site, hands.played, hands.format, hands.currency, hands.unit, hands.small_blind, "
    "hands.big_blind, hands.players, (SELECT text FROM words WHERE id = seats.name), "
    "ifnull(hands.hero = seats.player, 0), seats.player, seats.position, seats.hole, hands.board, "
    "seats.depth, hands.pot, seats.net, seats.flags, hands.notes, "
    "(SELECT sum(reviews.loss_bb) FROM reviews JOIN decisions ON decisions.hand = reviews.hand "
    "AND decisions.number = reviews.number "
    "WHERE reviews.hand = seats.hand AND decisions.player = seats.player)"
)
# every hand and its seats in the order of the hands: quicker than the seats of all with their hands
_HANDS_FIRST = "FROM hands CROSS JOIN seats ON seats.hand = hands.id"
_SEATS_FIRST = "FROM seats JOIN hands ON hands.id = seats.hand"  # of one player, by the index of names
# what each player's decisions lost in a hand, as far as they were priced
_LOST = (
    "(SELECT reviews.hand AS hand, decisions.player AS player, sum(reviews.loss_bb) AS bb "
    "FROM reviews JOIN decisions ON decisions.hand = reviews.hand AND decisions.number = reviews.number "
    "WHERE reviews.loss_bb IS NOT NULL GROUP BY reviews.hand, decisions.player) AS lost"
)
_PRICED = (
    f"FROM {_LOST} JOIN hands ON hands.id = lost.hand "
    "JOIN seats ON seats.hand = lost.hand AND seats.player = lost.player"
)
_NOT_PRICED = (
    "NOT EXISTS (SELECT 1 FROM reviews JOIN decisions ON decisions.hand = reviews.hand "
    "AND decisions.number = reviews.number WHERE reviews.hand = seats.hand "
    "AND decisions.player = seats.player AND reviews.loss_bb IS NOT NULL)"
)


class ListedHand(NamedTuple):
    """A hand in the list. played: seconds since 1970; unit: chips of one of the hand's money.

    loss_bb: None where no decision of the player was priced.
    """

    id: int
    site: str
    played: int | None
    format: str
    currency: str
    unit: int
    small_blind: int
    big_blind: int
    players: int
    name: str
    hero: bool
    player: int
    position: str
    cards: str | None
    board: str
    depth: int
    pot: int
    net: int
    line: list[str]
    notes: str
    loss_bb: float | None


def listed_hands(
    database: HandDatabase,
    filter: str = "",
    *,
    player: str | None = None,
    sort: str = "-date",
    limit: int = 100,
    offset: int = 0,
) -> list[ListedHand]:
    """Return rows of the list.

    sort: a name of `ORDERS`, with `-` the largest first; hands that have none of it come last.
    """
    name = sort.removeprefix("-")
    if name not in ORDERS:
        raise ConfigError(unknown("order of hands", name, ORDERS))
    where = compiled(filter).also(database.seat_condition(player))
    way = "DESC" if sort.startswith("-") else "ASC"
    tables = _SEATS_FIRST if player and player != ANY else _HANDS_FIRST
    if name != "loss":
        return _rows(database, _keys(database, tables, where, f"{ORDERS[name]} {way}", limit, offset))
    # from the reviews, which are fewer than the hands; those without one follow
    keys = _keys(database, _PRICED, where, f"{ORDERS[name]} {way}", limit, offset)
    if len(keys) < limit:
        priced = f"SELECT count(*) {_PRICED} WHERE {where.sql}"
        before = int(database.connection.execute(priced, where.values).fetchone()[0])
        rest = where.also((_NOT_PRICED, ()))
        newest = f"{ORDERS['date']} DESC"
        keys += _keys(database, tables, rest, newest, limit - len(keys), max(offset - before, 0))
    return _rows(database, keys)


def _keys(
    database: HandDatabase, tables: str, where: HandFilter, order: str, limit: int, offset: int
) -> list[tuple[int, int]]:
    """Return hand and player of some rows; all else is asked for these alone."""
    way = order.rpartition(" ")[2]  # the newest first among equals where the largest come first
    query = (
        f"SELECT seats.hand, seats.player {tables} WHERE {where.sql} "
        f"ORDER BY {order} NULLS LAST, hands.id {way}, seats.player LIMIT ? OFFSET ?"
    )
    return database.connection.execute(query, (*where.values, limit, offset)).fetchall()


def _rows(database: HandDatabase, keys: list[tuple[int, int]]) -> list[ListedHand]:
    query = f"SELECT {_COLUMNS} {_SEATS_FIRST} WHERE seats.hand = ? AND seats.player = ?"
    return [_listed(database.connection.execute(query, key).fetchone()) for key in keys]


def _listed(row: tuple[Any, ...]) -> ListedHand:
    site, form, position, hole, flags, hero = (row[place] for place in (1, 3, 12, 13, 18, 10))
    return ListedHand(*row)._replace(
        site=SITES[site],
        format=FORMATS[form],
        position=POSITIONS[position],
        cards=None if hole is None else combo_name(hole),
        line=said_words(flags),
        hero=bool(hero),
    )
