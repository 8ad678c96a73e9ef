"""The database of hands: taking them in, asking for them, giving them back.

with HandDatabase() as hands:
    hands.frame("pos=BTN and 3bet", limit=20)     # a polars frame, one row a hand
    hands.decisions("site=winamax")               # one row a decision
    hands.hand(17).record                         # to replay
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, NamedTuple, Self

from overbet.errors import ArtefactError, OverbetError, quoted, short
from overbet.files import data_folder
from overbet.interfaces.hands.filter_text import ANY, compiled
from overbet.interfaces.hands.hand_rows import FACTS, HandRows
from overbet.interfaces.hands.record_text import unpacked_record
from overbet.interfaces.hands.reviews import PricedDecision, of_hand, put
from overbet.interfaces.hands.schema import connect
from overbet.interfaces.hands.words import FORMATS, SITES
from overbet.interfaces.history.record import HandRecord

if TYPE_CHECKING:
    import polars

NAME = "hands.db"
_MOST_WORDS = 100_000  # names kept in memory while hands come in
_SEAT_COLUMNS = "hand, name, player, position, stack, depth, hole, put_in, net, flags"
_DECISION_COLUMNS = (
    "hand, number, player, street, players, facing, raises, preflop_raises, initiative, in_position, "
    "pot, to_call, stack, action, all_in, added"
)
_FROM = "FROM seats JOIN hands ON hands.id = seats.hand"


class NoHandError(OverbetError, LookupError):
    """A hand that is not in the database."""


class StoredHand(NamedTuple):
    """One hand of the database: its record to replay, and what the record does not say.

    hero: the player who looked on, None where nobody did. net: chips by player.
    """

    id: int
    site: str
    number: str
    format: str
    hero: int | None
    net: tuple[int, ...]
    rake: int
    notes: str
    record: HandRecord


class HandDatabase:
    """The hands of a data folder. A filter is a text such as `pos=BTN and 3bet` (docs/hands.md)."""

    def __init__(self, folder: str | Path | None = None) -> None:
        """Open the database of `folder`, by default of the user's own; an empty one is made where none is."""
        self.folder = Path(folder) if folder is not None else data_folder()
        self.path = self.folder / NAME
        self.connection = connect(self.path)
        self._words: dict[str, int] = {}

    def close(self) -> None:
        """Close the file."""
        self.connection.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def __len__(self) -> int:
        return int(self.connection.execute("SELECT count(*) FROM hands").fetchone()[0])

    # what comes in

    @contextmanager
    def writing(self) -> Iterator[sqlite3.Connection]:
        """Hold one transaction: all of it is kept, or nothing."""
        try:
            self.connection.execute("BEGIN IMMEDIATE")
        except sqlite3.OperationalError as error:
            raise ArtefactError(
                f"cannot write {short(self.path)}: {error}; what was there is kept"
            ) from error
        try:
            yield self.connection
            self.connection.execute("COMMIT")
        except BaseException as error:
            self._words.clear()  # some may have been rolled back
            if self.connection.in_transaction:
                self.connection.execute("ROLLBACK")
            if isinstance(error, sqlite3.Error):
                raise ArtefactError(
                    f"cannot write {short(self.path)}: {short(error)}; what was there is kept"
                ) from error
            raise

    def add(self, hands: Iterable[HandRows], file: int) -> int:
        """Add hands inside of `writing`; return how many are new. A hand is its site and its number."""
        new, seats, decisions = 0, list[tuple[object, ...]](), list[tuple[object, ...]]()
        marks = ", ".join("?" * (FACTS.count(",") + 4))
        for hand in hands:
            words = (self.word(hand.table), self.word(hand.tournament))
            cursor = self.connection.execute(
                f"INSERT OR IGNORE INTO hands (file, table_name, tournament, {FACTS}) VALUES ({marks})",
                (file, *words, *hand.facts),
            )
            if cursor.rowcount != 1:
                continue
            new, number = new + 1, cursor.lastrowid
            seats += [(number, self.word(name), *seat) for name, seat in zip(hand.names, hand.seats)]
            decisions += [(number, *decision) for decision in hand.decisions]
        for table, columns, rows in (
            ("seats", _SEAT_COLUMNS, seats),
            ("decisions", _DECISION_COLUMNS, decisions),
        ):
            places = ", ".join("?" * (columns.count(",") + 1))
            self.connection.executemany(f"INSERT INTO {table} ({columns}) VALUES ({places})", rows)
        return new

    def word(self, text: str) -> int:
        """Return the number of a name, a new one where it was not seen before."""
        found = self._words.get(text)
        if found is None:
            self.connection.execute("INSERT OR IGNORE INTO words (text) VALUES (?)", (text,))
            row = self.connection.execute("SELECT id FROM words WHERE text = ?", (text,)).fetchone()
            if len(self._words) >= _MOST_WORDS:
                self._words.clear()
            found = self._words[text] = int(row[0])
        return found

    # what is asked

    def frame(
        self, filter: str = "", *, player: str | None = None, sort: str = "-date", limit: int | None = None
    ) -> polars.DataFrame:
        """Return hands as a frame, one row a hand as one player saw it, amounts in big blinds.

        player: whose; by default the hero, and in hands without one every player. sort: a name of
        `SORTS`, with `-` the largest first. limit: so many rows at most.
        """
        from overbet.interfaces.hands.frames import hands_frame

        where = compiled(filter)
        return hands_frame(self.connection, where.also(self.seat_condition(player)), sort, limit)

    def decisions(self, filter: str = "", *, player: str | None = ANY) -> polars.DataFrame:
        """Return one row a decision of the hands and players a filter chooses, amounts in big blinds.

        player: a name, `ANY` for everybody, None for the hero. The columns are in docs/hands.md.
        """
        from overbet.interfaces.hands.frames import decisions_frame

        return decisions_frame(self.connection, compiled(filter).also(self.seat_condition(player)))

    def reviews(self, filter: str = "", *, player: str | None = None) -> polars.DataFrame:
        """Return one row a reviewed decision, the most expensive first, those without a price last.

        player: a name, `ANY` for everybody, by default the hero, and in hands without one every player. The
        columns are in docs/hands.md.
        """
        from overbet.interfaces.hands.frames import reviews_frame

        where = compiled(filter).also(self.seat_condition(player))
        return reviews_frame(self.connection, where)

    def priced(self, hand: int) -> list[PricedDecision]:
        """Return what a hand's decisions were worth, in order; those never reviewed are left out."""
        return of_hand(self.connection, hand)

    def put_reviews(self, found: Iterable[PricedDecision]) -> None:
        """Keep verdicts, each in the place of an older one on the same decision, in one transaction."""
        with self.writing() as connection:
            put(connection, found)

    def stats(
        self,
        filter: str = "",
        *,
        player: str | None = None,
        by: str = "format",
        all_in_ev: bool = False,
        progress: Callable[[int, int], object] | None = None,
    ) -> polars.DataFrame:
        """Return hands, shares of vpip, pfr and 3bet, and results in bb/100 with half of their 95 % interval.

        player: whose; by default the hero, and everybody where no hand at all has one. by: format, site,
        position, players (the size of the table) or player (the name). `seats` counts the
        results: as many as hands where one player's are asked for; else there is no interval, because what
        players of one hand win is not independent. all_in_ev: also `ev_bb_per_100` with `ev_half_width`,
        without the luck of cards that came when the betting was over (`interfaces.hands.all_in`), `all_ins`,
        results that this changed, and `all_ins_unseen`, those it could not because cards were not seen.
        progress: of that, told hands done and all.
        """
        from overbet.interfaces.hands.frames import stats_frame

        where = compiled(filter).also(self.own_seat(player))
        if not all_in_ev:
            return stats_frame(self.connection, where, by)
        from overbet.interfaces.hands.all_in import TABLE, all_in_values

        all_in_values(self, where, progress)
        return stats_frame(self.connection, where, by, TABLE)

    def summary(self) -> dict[str, int]:
        """Return how many hands, players, decisions and files there are, and bytes on disk."""
        queries = {
            "hands": "SELECT count(*) FROM hands",
            "players": "SELECT count(DISTINCT name) FROM seats",
            "decisions": "SELECT count(*) FROM decisions",
            "files": "SELECT count(*) FROM files WHERE done",
        }
        found = {name: int(self.connection.execute(query).fetchone()[0]) for name, query in queries.items()}
        return {**found, "bytes": self.path.stat().st_size}

    def count(self, filter: str = "", *, player: str | None = None) -> int:
        """Return how many rows `frame` has without a limit."""
        where = compiled(filter).also(self.seat_condition(player))
        query = f"SELECT count(*) {_FROM} WHERE {where.sql}"
        return int(self.connection.execute(query, where.values).fetchone()[0])

    def heroes(self) -> bool:
        """Return whether any hand has a hero."""
        query = "SELECT EXISTS (SELECT 1 FROM hands WHERE hero IS NOT NULL)"
        return bool(self.connection.execute(query).fetchone()[0])

    def ids(self, filter: str = "", *, player: str | None = None) -> list[int]:
        """Return the numbers of the hands a filter chooses, ascending."""
        where = compiled(filter).also(self.seat_condition(player))
        query = f"SELECT DISTINCT hands.id {_FROM} WHERE {where.sql} ORDER BY hands.id"
        return [int(row[0]) for row in self.connection.execute(query, where.values)]

    def hand(self, name: int | str) -> StoredHand:
        """Return a hand by its number in the database, or by `site:number`."""
        site, mark, number = str(name).strip().removeprefix("#").partition(":")
        columns = "id, site, number, format, hero, rake, notes, record"
        if mark and site.lower() in SITES:
            query, values = "site = ? AND number = ?", (SITES.index(site.lower()), number)
        elif not mark and site.isascii() and site.isdigit() and len(site) < 19:
            query, values = "id = ?", (int(site),)  # type: ignore[assignment]
        else:
            raise NoHandError(
                f"{quoted(name)} is no hand: give the number that `overbet hands list` shows, or site:number "
                f"with one of {', '.join(SITES)}"
            )
        row = self.connection.execute(f"SELECT {columns} FROM hands WHERE {query}", values).fetchone()
        if row is None:
            raise NoHandError(f"there is no hand {short(name)} in {short(self.path)}; see overbet hands list")
        nets = self.connection.execute("SELECT net FROM seats WHERE hand = ? ORDER BY player", (row[0],))
        return StoredHand(
            id=row[0],
            site=SITES[row[1]],
            number=row[2],
            format=FORMATS[row[3]],
            hero=row[4],
            net=tuple(net for (net,) in nets),
            rake=row[5],
            notes=row[6],
            record=unpacked_record(row[7], f"hand {row[0]}"),
        )

    def records(self, filter: str = "", *, player: str | None = None) -> Iterator[HandRecord]:
        """Yield the records of the hands a filter chooses, one at a time, in the order they came in."""
        for number in self.ids(filter, player=player):
            yield self.hand(number).record

    def delete(self, filter: str, *, player: str | None = None) -> int:
        """Delete the hands a filter chooses and return how many. Their files are read again when asked."""
        chosen = self.ids(filter, player=player)
        with self.writing() as connection:
            connection.execute("CREATE TEMP TABLE IF NOT EXISTS chosen (id INTEGER PRIMARY KEY)")
            connection.execute("DELETE FROM chosen")
            connection.executemany("INSERT INTO chosen VALUES (?)", ((number,) for number in chosen))
            inside = "IN (SELECT id FROM chosen)"
            connection.execute(
                "UPDATE files SET done = 0, taken = 0, hands = 0, size = -1 "
                f"WHERE id IN (SELECT file FROM hands WHERE id {inside})"
            )
            for table, column in (
                ("reviews", "hand"),
                ("decisions", "hand"),
                ("seats", "hand"),
                ("hands", "id"),
            ):
                connection.execute(f"DELETE FROM {table} WHERE {column} {inside}")
        return len(chosen)

    def own_seat(self, player: str | None) -> tuple[str, tuple[object, ...]]:
        """Return the condition on whose seat it is, the hero's alone where any hand has one."""
        if not player and self.heroes():  # hands that nobody looked on are not the hero's
            return "hands.hero = seats.player", ()
        return self.seat_condition(player)

    def played(self, filter: str = "", *, player: str | None = None) -> int:
        """Return how many hands of a filter the hero, or a player by name, played."""
        where = compiled(filter).also(self.own_seat(player))
        query = f"SELECT count(DISTINCT hands.id) {_FROM} WHERE {where.sql}"
        return int(self.connection.execute(query, where.values).fetchone()[0])

    def seat_condition(self, player: str | None) -> tuple[str, tuple[object, ...]]:
        """Return the condition on whose seat it is."""
        if player == ANY:
            return "1", ()
        if player is None or player == "":
            return "(hands.hero IS NULL OR hands.hero = seats.player)", ()
        row = self.connection.execute("SELECT id FROM words WHERE text = ?", (player,)).fetchone()
        if row is None:
            raise NoHandError(f"there is no player {quoted(player)} in {short(self.path)}")
        return "seats.name = ?", (int(row[0]),)
