"""Decks on disk: adding, drawing, answering, several processes at once, damage and kills."""

from __future__ import annotations

import sqlite3
import subprocess
import sys
from datetime import UTC, datetime
from pathlib import Path

import pytest
from fsrs import Card, Rating, Scheduler

from overbet.errors import ArtefactError, ConfigError
from overbet.hands import HandDatabase, PricedAction, PricedDecision, import_hands
from overbet.interfaces.decks.from_review import cards_of_review
from overbet.interfaces.decks.store import CardsAdded, DeckStore, NoDeckError
from overbet.interfaces.history.phh_writer import write_hands
from overbet.study.deck_cards import DeckCard
from tests.interfaces.hands.corpus import random_records, written
from tests.study.test_deck_cards import card

DAY = 86_400
START = 20_000 * DAY + 40_000  # some time on some day


class Clock:
    """A time that the test sets."""

    def __init__(self) -> None:
        self.now = float(START)

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def store(tmp_path: Path, clock: Clock) -> DeckStore:
    return DeckStore(tmp_path / "data", fuzz=False, clock=clock)


def test_nothing_is_written_before_there_is_a_deck(store: DeckStore) -> None:
    assert store.decks() == []
    with pytest.raises(NoDeckError, match="there is no deck yet; make one"):
        store.deck("mine")
    assert not store.path.exists()


def test_adding_twice_adds_nothing_and_new_prices_keep_the_schedule(store: DeckStore, clock: Clock) -> None:
    deck = store.make("Mine")
    assert store.make(" mine ") == deck
    assert store.add(deck, [card("a"), card("b")]) == CardsAdded(2, 0, 0)
    assert store.add(deck, [card("a"), card("b"), card("c")]) == CardsAdded(1, 0, 2)
    drawn = store.draw(deck)
    assert drawn is not None
    store.answer(drawn.deck, drawn.card, "f")
    before = next(one for one in store.cards(deck) if one.key == drawn.key)
    assert store.add(deck, [card(drawn.key, loss=350.0)]) == CardsAdded(0, 1, 0)
    after = next(one for one in store.cards(deck) if one.key == drawn.key)
    assert after.schedule == before.schedule
    assert (after.asked, after.correct, after.card.given.loss_chips) == (1, 0, 350.0)


def test_what_is_due_comes_first_then_the_most_expensive(store: DeckStore, clock: Clock) -> None:
    deck = store.make("mine")
    store.add(deck, [card("cheap", 100.0), card("dear", 900.0), card("middle", 400.0)])
    order = []
    for _ in range(3):
        drawn = store.draw(deck)
        assert drawn is not None
        order.append(drawn.key)
        store.answer(drawn.deck, drawn.card, "f" if drawn.key == "middle" else "c")
    assert order == ["dear", "middle", "cheap"]
    assert store.draw(deck) is None
    standing = store.standing(deck)
    assert (standing.cards, standing.new, standing.now, standing.next_due) == (3, 0, 0, START + 60)
    clock.now += 60  # what was wrong comes back after a minute, what was right after ten
    drawn = store.draw(deck)
    assert drawn is not None
    assert drawn.key == "middle"
    clock.now += 540
    assert store.standing(deck).due == 3
    assert store.cards(deck)[0].key == "middle"
    store.add(deck, [card("new", 9999.0)])
    drawn = store.draw(deck)
    assert drawn is not None
    assert drawn.key == "middle"  # what is due goes before what is new
    assert store.draw(deck, but=[(deck.id, key) for key in ("cheap", "dear", "middle")]).key == "new"  # type: ignore[union-attr]


def test_schedules_on_disk_are_the_librarys(store: DeckStore, clock: Clock) -> None:
    deck = store.make("mine", retention=0.85)
    store.add(deck, [card("a")])
    own = Scheduler(desired_retention=0.85, enable_fuzzing=False)
    other = Card(card_id=0, due=datetime.fromtimestamp(START, UTC))
    for token, rating in [
        ("c", Rating.Good),
        ("b900", Rating.Good),
        ("b5000", Rating.Hard),
        ("f", Rating.Again),
        ("c", Rating.Good),
        ("c", Rating.Good),
    ]:
        drawn = store.draw(deck)
        assert drawn is not None
        due = store.answer(drawn.deck, drawn.card, token).due
        other, _ = own.review_card(other, rating, datetime.fromtimestamp(clock.now, UTC))
        assert due == other.due.timestamp()
        assert store.draw(deck) is None
        clock.now = float(due)
    assert store.cards(deck)[0].schedule.stability == other.stability


def test_the_unclear_is_not_rated_and_waits_a_day(store: DeckStore, clock: Clock) -> None:
    deck = store.make("mine")
    store.add(deck, [card("a")])
    drawn = store.draw(deck)
    assert drawn is not None
    told = store.answer(drawn.deck, drawn.card, "b2000")  # has no value
    assert (told.found["grade"], told.due) == ("unclear", START + DAY)
    (kept,) = store.cards(deck)
    assert kept.schedule == drawn.schedule
    assert (kept.asked, kept.correct) == (1, 0)
    assert store.draw(deck) is None
    assert store.standing(deck).next_due == START + DAY
    clock.now += DAY
    assert store.draw(deck) is not None


def test_so_many_new_cards_a_day(store: DeckStore, clock: Clock) -> None:
    deck = store.make("mine", new_a_day=2)
    store.add(deck, [card(str(number)) for number in range(5)])
    assert (store.standing(deck).new_now, store.standing(deck).new) == (2, 5)
    for _ in range(2):
        drawn = store.draw(deck)
        assert drawn is not None
        store.answer(drawn.deck, drawn.card, "c")
    clock.now += 1  # nothing is due again yet
    assert store.draw(deck) is None
    midnight = START - START % DAY + DAY
    for one in store.cards(deck)[:2]:  # these two are learned: the next is a new one
        clock.now = float(one.due)
        store.answer(one.deck, one.card, "c")
    assert store.standing(deck).next_due == midnight
    clock.now = float(midnight)
    assert store.standing(deck).new_now == 2
    assert store.draw(deck) is not None


def test_a_clock_that_was_set_back_counts_as_no_time(store: DeckStore, clock: Clock) -> None:
    deck = store.make("mine")
    store.add(deck, [card("a")])
    store.answer(deck.id, card("a"), "c")
    clock.now -= 5 * DAY
    told = store.answer(deck.id, card("a"), "c")
    (kept,) = store.cards(deck)
    assert kept.schedule.last_review == START
    assert told.due == kept.schedule.due > START


def test_settings_names_and_deleting(store: DeckStore) -> None:
    deck = store.make("mine")
    assert (deck.retention, deck.new_a_day) == (0.9, 20)
    assert store.make("mine", retention=0.8, new_a_day=5).new_a_day == 5
    assert store.make("mine").retention == 0.8  # kept
    for wrong in ({"retention": 0.5}, {"retention": 1.0}, {"new_a_day": -1}):
        with pytest.raises(ConfigError):
            store.make("mine", **wrong)  # type: ignore[arg-type]
    for name in ("", "x" * 61, "a\x07b"):
        with pytest.raises(ConfigError, match="a deck's name"):
            store.make(name)
    store.add(deck, [card("a"), card("b")])
    other = store.make("other")
    store.add(other, [card("a")])
    assert store.remove(deck, "a")
    assert not store.remove(deck, "a")
    with pytest.raises(NoDeckError, match="there is no deck 'minne'; there are mine, other"):
        store.deck("minne")
    drawn = store.draw(other)
    assert drawn is not None
    store.delete(other)
    assert store.answer(drawn.deck, drawn.card, "c").due is None  # told all the same
    with pytest.raises(NoDeckError, match="deleted meanwhile"):
        store.add(other, [card("a")])
    assert [one.name for one in store.decks()] == ["mine"]
    assert len(store.cards(deck)) == 1


def test_damaged_cards_are_passed_over_and_counted(store: DeckStore) -> None:
    deck = store.make("mine")
    store.add(deck, [card(key) for key in "abcde"])
    with sqlite3.connect(store.path) as connection:
        connection.execute("UPDATE cards SET card = '{' WHERE key = 'a'")
        connection.execute("UPDATE cards SET schedule = '{\"state\": 2, \"due\": 1}' WHERE key = 'b'")
        connection.execute("UPDATE cards SET card = x'ff00' WHERE key = 'c'")
        connection.execute("UPDATE cards SET card = (SELECT card FROM cards WHERE key = 'e') WHERE key = 'd'")
    connection.close()
    standing = store.standing(deck)
    assert (standing.cards, standing.damaged, standing.now) == (1, 4, 1)
    drawn = store.draw(deck)
    assert drawn is not None
    assert drawn.key == "e"
    assert store.add(deck, [card("a")]) == CardsAdded(0, 1, 0)  # mended by what it came from
    assert store.standing(deck).damaged == 3


def test_files_that_are_no_decks_are_told_in_a_line(tmp_path: Path) -> None:
    store = DeckStore(tmp_path)
    store.path.write_bytes(b"no database at all, but long enough to be one" * 100)
    with pytest.raises(ArtefactError, match="is not a file of decks"):
        store.decks()
    store.path.unlink()
    with sqlite3.connect(store.path) as connection:
        connection.execute("CREATE TABLE other (id)")
    connection.close()
    with pytest.raises(ArtefactError, match="another program's database"):
        store.make("mine")
    store.path.unlink()
    store.path.touch()  # killed when it had just been made
    assert store.decks() == []
    store.make("mine")
    with sqlite3.connect(store.path) as connection:
        connection.execute("PRAGMA user_version = 9")
    connection.close()
    with pytest.raises(ArtefactError, match="has version 9 of the decks"):
        store.decks()
    (tmp_path / "file").touch()
    with pytest.raises(ArtefactError, match="cannot use the decks"):
        DeckStore(tmp_path / "file" / "below").make("mine")


ANSWERING = """
import sys
from overbet.interfaces.decks.store import DeckStore
store = DeckStore(sys.argv[1])
deck = store.deck("mine")
for one in store.cards(deck) * 3:
    store.answer(one.deck, one.card, sys.argv[2])
    print("answered", flush=True)
"""


def test_processes_at_once_lose_no_answer_and_a_kill_nothing_that_was_told(tmp_path: Path) -> None:
    store = DeckStore(tmp_path)
    deck = store.make("mine")
    store.add(deck, [card(str(number)) for number in range(4)])
    words = [sys.executable, "-c", ANSWERING, str(tmp_path)]
    whole, killed = (
        subprocess.Popen([*words, token], stdout=subprocess.PIPE, text=True) for token in ("c", "f")
    )
    for _ in range(3):
        store.answer(deck.id, card("0"), "b900")
    assert killed.stdout is not None
    assert [killed.stdout.readline() for _ in range(2)] == ["answered\n"] * 2
    killed.kill()
    told = 2 + killed.communicate()[0].count("answered")
    assert whole.communicate()[0].count("answered") == 12
    wrong = sum(one.asked - one.correct for one in store.cards(deck))
    assert wrong in (told, told + 1)  # one may have been kept and not yet told
    assert sum(one.correct for one in store.cards(deck)) == 15
    with sqlite3.connect(store.path) as connection:
        assert connection.execute("SELECT count(*) FROM answers").fetchone()[0] == 15 + wrong
    connection.close()


# from the review

DEAL = "d dh p1 AsAd, d dh p2 KsKd, d dh p3 QsQd, d dh p4 ????, "
PLAYED = written(
    DEAL + "p3 cbr 25, p4 f, p1 cbr 90, p2 f, p3 cc, d db 9s8s2s, p1 cbr 95, p3 cc, d db 3c, p1 cc, p3 cc, "
    "d db 4d, p1 cc, p3 cc, p1 sm AsAd, p3 sm QsQd"
)


def priced(hand: int, number: int, grade: str = "mistake", loss: float = 1.5) -> PricedDecision:
    actions = (
        PricedAction("f", "fold", 0.0, 0.0, "fold"),
        PricedAction("c", "call 9.5", 0.2, 4.0 - loss, "call"),
        PricedAction("b300", "raise 30", 0.8, 4.0, "raise"),
    )
    return PricedDecision(
        *(hand, number, "solve", "solved with your ranges", "d", grade, loss, 0.1, 0.2, "c", "b300", actions)  # type: ignore[arg-type]
    )


@pytest.fixture
def hands(tmp_path: Path) -> Path:
    """A database with six random hands and one that is known, number 7."""
    (tmp_path / "hands.phhs").write_text(write_hands([*random_records(6), PLAYED]), encoding="utf-8")
    with HandDatabase(tmp_path / "data") as database:
        import_hands(database, tmp_path / "hands.phhs")
    return tmp_path / "data"


def taken(hands: Path, filter: str = "", least: float = 0.0) -> list[DeckCard | None]:
    with HandDatabase(hands) as database:
        return list(cards_of_review(database, filter, player="*", least_bb=least))


def test_a_card_shows_the_decision_of_the_hand(hands: Path) -> None:
    with HandDatabase(hands) as database:
        database.put_reviews([priced(7, 6)])  # on the flop, facing a bet
    (found,) = taken(hands)
    assert found is not None
    assert found.key.startswith("phh:")
    assert found.key.endswith("/6")
    assert found.source == f"hand {found.key.removesuffix('/6')}"
    assert (found.street, found.board, found.hand, found.player) == ("flop", "9s8s2s", "QsQd", "CO")
    assert (found.pot_chips, found.to_call_chips, found.behind_chips, found.big_blind) == (285, 95, 910, 10)
    assert [(seat.position, seat.behind_chips, seat.bet_chips, seat.folded) for seat in found.seats] == [
        ("SB", 815, 95, False),
        ("BB", 990, 0, True),
        ("CO", 910, 0, False),
        ("BTN", 1000, 0, True),
    ]
    assert [(step.who, step.label) for step in found.history] == [
        ("CO", "raise to 25"),
        ("BTN", "fold"),
        ("SB", "raise to 90"),
        ("BB", "fold"),
        ("CO", "call 65"),
        ("", "9s8s2s"),
        ("SB", "bet 95"),
    ]
    assert [(one.label, one.frequency, one.ev_chips) for one in found.actions] == [
        ("fold", 0.0, 0.0),
        ("call 9.5bb", 0.2, 25.0),
        ("raise 30bb", 0.8, 40.0),
    ]
    assert (found.given.token, found.given.grade, found.given.loss_chips, found.best) == (
        "c",
        "mistake",
        15.0,
        "b300",
    )
    assert (found.note, found.accuracy_chips, found.estimated) == ("solved with your ranges", 1.0, False)


def test_a_deck_takes_faults_of_the_filter_above_a_loss(hands: Path) -> None:
    with HandDatabase(hands) as database:
        database.put_reviews(
            [
                priced(7, 0, "correct", 0.3),
                priced(7, 2, "inaccuracy", 0.4),
                priced(7, 4, "within solver error", 0.2),
                priced(7, 5, "blunder", 9.0),
                priced(3, 0, "mistake", 2.0),
                PricedDecision(7, 6, "none", settings="d", reason="four players are in"),
            ]
        )

    def keys(filter: str = "", least: float = 0.0) -> list[str]:
        return [one.key[-2:] for one in taken(hands, filter, least) if one]

    assert keys("id=7") == ["/2", "/5"]
    assert keys("id=7", 0.5) == ["/5"]
    assert keys("id=7 and 3bet") == ["/2", "/5"]  # both are the decisions of who 3-bet
    assert keys("id=7 and pos=CO") == []
    assert len(taken(hands)) == 3
    store = DeckStore(hands)
    deck = store.make("mine")
    assert store.add(deck, [one for one in taken(hands) if one]) == CardsAdded(3, 0, 0)
    assert store.add(deck, [one for one in taken(hands) if one]) == CardsAdded(0, 0, 3)
    with HandDatabase(hands) as database:
        database.put_reviews([priced(7, 5, "mistake", 3.0)])  # priced anew
    assert store.add(deck, [one for one in taken(hands) if one]) == CardsAdded(0, 1, 2)


def test_faults_that_cannot_be_shown_are_counted(hands: Path) -> None:
    with HandDatabase(hands) as database:
        database.put_reviews([priced(7, 1), priced(7, 5), priced(5, 0)])
        with database.writing() as connection:
            connection.execute("UPDATE reviews SET actions = '{' WHERE hand = 5")
    found = taken(hands)
    assert len(found) == 3  # one of a player whose cards nobody saw, one of a damaged verdict
    assert [one is None for one in found].count(True) == 2
