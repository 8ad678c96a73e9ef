"""Decks in the drill: made of reviewed hands, asked by keys, due again, known after a reload."""

from __future__ import annotations

import contextlib
import re
import sqlite3
from collections.abc import Callable, Iterator
from pathlib import Path

import httpx
import pytest
from playwright.sync_api import Page, expect

from overbet.hands import HandDatabase, import_hands
from overbet.interfaces.decks.store import DeckStore
from overbet.interfaces.history.phh_writer import write_hands
from tests.interfaces.test_decks import PLAYED, priced

NAME = "Big pots out of position that went wrong in the last year"
PHONE = {"width": 390, "height": 844}


@pytest.fixture
def hand(data_folder: Path, api: httpx.Client, tmp_path: Path) -> Iterator[int]:
    """A hand with two faults that were reviewed, in the page's own database; gone afterwards."""
    (tmp_path / "hand.phhs").write_text(write_hands([PLAYED]), encoding="utf-8")
    with HandDatabase(data_folder) as database:
        import_hands(database, tmp_path / "hand.phhs")
        number = max(database.ids(player="*"))
        database.put_reviews([priced(number, 4, "inaccuracy", 0.4), priced(number, 6)])
    yield number
    store = DeckStore(data_folder)
    for deck in store.decks():
        store.delete(deck)
    with HandDatabase(data_folder) as database:
        database.delete(f"id={number}", player="*")
    api.delete("drill/score")


def put_off(data_folder: Path) -> None:
    """Let what was answered rest for an hour: a minute may pass before a busy machine looks again."""
    with contextlib.closing(sqlite3.connect(DeckStore(data_folder).path, timeout=60)) as connection:
        connection.execute("UPDATE cards SET put_off = first + 3600 WHERE asked > 0")
        connection.commit()


def test_a_deck_is_made_and_drilled(
    open_page: Callable[..., Page], screenshot: Callable[[Page, str], None], hand: int, data_folder: Path
) -> None:
    page = open_page("#/play/drill?solve=example")
    decks = page.get_by_role("region", name="Decks")
    expect(decks).to_contain_text("None yet")
    decks.get_by_role("button", name="Make a deck").click()
    decks.get_by_label("Name").fill(NAME)
    decks.get_by_label("Hands").fill(f"id={hand} and pos=much")
    decks.get_by_role("button", name="Make", exact=True).click()
    expect(decks.get_by_role("alert")).to_contain_text("much")
    decks.get_by_label("Hands").fill(f"id={hand} and pos=CO")
    decks.get_by_role("button", name="Make", exact=True).click()
    expect(decks.get_by_role("status")).to_have_text(f"{NAME}: 2 new.")
    expect(decks.locator("[data-due='2']")).to_be_visible()
    decks.get_by_role("button", name="Drill", exact=True).click()
    spot = page.get_by_role("region", name="Question")
    expect(spot).to_contain_text("You are CO, 91.00 bb behind · hand phh:")
    expect(spot).to_contain_text("SB Bet 9.5 bb")
    expect(page.locator("[data-hand=QsQd]")).to_be_visible()
    expect(page.get_by_label("Source of spots")).to_contain_text(f"{NAME} (deck, 2 due)")
    page.keyboard.press("2")  # what was done in the hand
    expect(page.locator("[data-grade=mistake]")).to_be_visible()
    expect(spot).to_contain_text("costs 1.50 bb (5.26% of the pot)")
    expect(spot).to_contain_text("asked again in 1 min")
    screenshot(page, "drill-deck")
    put_off(data_folder)
    page.keyboard.press("n")
    expect(page.locator("[data-grade]")).to_have_count(0)
    expect(page.locator("[data-answer=b300]")).to_be_enabled()
    page.keyboard.press("3")
    expect(page.locator("[data-grade=best]")).to_be_visible()
    expect(spot).to_contain_text(re.compile(r"asked again in (9|10) min"))
    page.keyboard.press("n")
    expect(page.get_by_text(f"Nothing is due in {NAME}.")).to_contain_text(
        re.compile(r"The next card comes in ([1-9]|10) min\.")
    )
    store = DeckStore(data_folder)  # on disk, as the terminal finds it
    kept = store.cards(store.deck(NAME))
    assert sorted((one.asked, one.correct) for one in kept) == [(1, 0), (1, 1)]
    page.set_viewport_size({"width": PHONE["width"], "height": PHONE["height"]})
    page.reload()
    expect(decks).to_contain_text("0 due of 2")
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
    decks.get_by_role("button", name=f"Delete the deck {NAME}").click()
    decks.get_by_role("button", name="Delete", exact=True).click()
    expect(decks).to_contain_text("None yet")
