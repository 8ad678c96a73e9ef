"""The list of hands as a page asks for it: some rows from any place, in the order of any column.

One row is a hand as one player saw it, as in `HandDatabase.frame`; amounts are chips of the record.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from overbet.cards.combos import combo_name
from overbet.errors import ConfigError, unknown
from overbet.interfaces.hands.database import HandDatabase
from overbet.interfaces.hands.filter_text import compiled
from overbet.interfaces.hands.words import FORMATS, POSITIONS, SITES, said_words

# what the player's decisions in the hand lost, as far as they were priced
_LOSS = (
    "(SELECT sum(reviews.loss_bb) FROM reviews JOIN decisions ON decisions.hand = reviews.hand "
    "AND decisions.number = reviews.number "
    "WHERE reviews.hand = seats.hand AND decisions.player = seats.player)"
)
ORDERS = {
    "date": "hands.played",
    "blinds": "1.0 * hands.big_blind / hands.unit",
    "player": "(SELECT text FROM words WHERE id = seats.name)",
    "position": "seats.position",
    "cards": "seats.hole",
    "board": "hands.board",
    "depth": "1.0 * seats.depth / hands.big_blind",
    "won": "1.0 * seats.net / hands.big_blind",
    "loss": _LOSS,
    "line": "seats.flags",
}
_COLUMNS = (
    "hands.id, hands.site, hands.played, hands.format, hands.currency, hands.unit, hands.small_blind, "
    "hands.big_blind, hands.players, (SELECT text FROM words WHERE id = seats.name), "
    "ifnull(hands.hero = seats.player, 0), seats.player, seats.position, seats.hole, hands.board, "
    f"seats.depth, hands.pot, seats.net, seats.flags, hands.notes, {_LOSS}"
)
_FROM = "FROM seats JOIN hands ON hands.id = seats.hand"


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
    # the newest first among equals; the names of the index come first, so that it serves the usual order
    order = f"{ORDERS[name]} {way} NULLS LAST, hands.id {way}, seats.player"
    query = f"SELECT {_COLUMNS} {_FROM} WHERE {where.sql} ORDER BY {order} LIMIT ? OFFSET ?"
    return [_listed(row) for row in database.connection.execute(query, (*where.values, limit, offset))]


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
