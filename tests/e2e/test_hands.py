"""Hands: files dropped and chosen, the report, the list, the replayer, leaks and opponents."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path

import httpx
import pytest
from playwright.sync_api import Page, expect

from overbet.hands import HandDatabase, PricedAction, PricedDecision
from tests.e2e.conftest import COMPILATION
from tests.interfaces.invented_hands import DEAD_BLINDS, RAISE

PHONE = {"width": 390, "height": 844}
OMAHA = RAISE.replace("Hold'em No Limit", "Omaha Pot Limit").replace("#100000000001", "#100000000009")
BROKEN = RAISE.replace("raises $2 to $3", "raises $2 to $900").replace("#100000000001", "#100000000008")
THREE_BET = """\
PokerStars Hand #100000000011:  Hold'em No Limit ($0.50/$1.00 USD) - 2024/02/04 20:15:00 CET [2024/02/04 14:15:00 ET]
Table 'Gamma' 2-max Seat #1 is the button
Seat 1: Ann ($40 in chips)
Seat 2: Bob ($40 in chips)
Ann: posts small blind $0.50
Bob: posts big blind $1
*** HOLE CARDS ***
Dealt to Ann [Th 9h]
Ann: raises $1 to $2
Bob: raises $4 to $6
Ann: calls $4
*** FLOP *** [Ks Tc 7s]
Bob: checks
Ann: checks
*** TURN *** [Ks Tc 7s] [4d]
Bob: checks
Ann: checks
*** RIVER *** [Ks Tc 7s 4d] [2c]
Bob: bets $9
Ann: folds
Uncalled bet ($9) returned to Bob
Bob collected $12 from pot
Bob: doesn't show hand
*** SUMMARY ***
Total pot $12 | Rake $0
Board [Ks Tc 7s 4d 2c]
Seat 1: Ann (button) (small blind) folded on the River
Seat 2: Bob (big blind) collected ($12)
"""  # noqa: E501  # the lines of sites are as long as they are
SPOT = {
    "board": "KsTc7s4d2c",
    "pot": 1200,
    "stacks": 3400,
    "big_blind": 100,
    "ranges": {"oop": "KK,AK,QJs", "ip": "T9s,JTs,AQs"},
    "bets": {"every": {"bet": "75%"}},
    "played": [900, 0],
    "line": "r:0:b900",
    "hand": "Th9h",
    "positions": ["BB", "SB"],
}
LEAK = {
    "street": "flop",
    "line": "facing 3bet",
    "split": "",
    "part": "",
    "action": "fold",
    "decisions": 362,
    "observed": 0.616,
    "low": 0.58,
    "high": 0.66,
    "expected": 0.459,
    "p_value": 1e-9,
    "line_p_value": 1e-8,
    "per_100_hands": 0.9,
    "bb_per_100": 1.6,
    "bb_per_100_half_width": 0.7,
    "priced_share": 1.0,
    "also": [],
}
DROP = """(text) => {
  const transfer = new DataTransfer();
  transfer.items.add(new File([text], "session.txt", {type: "text/plain"}));
  return transfer;
}"""


@pytest.fixture(autouse=True)
def no_hands(data_folder: Path, api: httpx.Client) -> Iterator[None]:
    """Begin and end without hands and their deck: others share the server."""
    for _ in range(2):
        with HandDatabase(data_folder) as database:
            database.delete("", player="*")
            database.connection.execute("DELETE FROM files")
        for deck in api.get("decks").json()["decks"]:
            if deck["name"] == "My hands":
                api.delete(f"decks/{deck['id']}")
        if _ == 0:
            yield


def test_files_are_dropped_and_chosen_and_the_report_stays(
    open_page: Callable[..., Page], tmp_path: Path, screenshot: Callable[[Page, str], None]
) -> None:
    page = open_page("#/hands")
    panel = page.get_by_role("region", name="Import hands")
    expect(panel).to_contain_text("Drop hand histories here")
    expect(panel).to_contain_text("Nothing leaves this machine")
    screenshot(page, "hands-empty")
    text = "\n\n".join([RAISE, DEAD_BLINDS, OMAHA, BROKEN])
    transfer = page.evaluate_handle(DROP, text)
    page.get_by_role("group", name="Drop files here").dispatch_event("drop", {"dataTransfer": transfer})
    card = page.locator("[data-import]").first
    expect(card.locator("[data-status=done]")).to_be_visible()
    expect(card).to_contain_text("session.txt")
    expect(card.locator("[data-fact=total]")).to_have_text("4 hands")
    expect(card.locator("[data-fact=new]")).to_have_text("2 new")
    expect(card.locator("[data-fact=game]")).to_contain_text("1 of another game: Omaha")
    fault = card.locator("tbody tr")
    expect(fault).to_contain_text(re.compile(r"session\.txt\s*100000000008\s*\d+\s*.*do not add up"))
    expect(page.locator("[data-hand]")).not_to_have_count(0)  # the list is there without a reload
    screenshot(page, "hands-import")
    page.reload()
    # a folder: other files in it are passed over, a file read before is known, and names can be hashed
    folder = tmp_path / "histories"
    folder.mkdir()
    (folder / "session.txt").write_text(THREE_BET, encoding="utf-8")
    (folder / "holiday.jpg").write_bytes(b"\xff\xd8 no hands")
    page.get_by_role("button", name="Import hands").click()
    expect(card.locator("[data-fact=errors]")).to_have_text("1 error")  # the report is kept
    page.get_by_label("Hash names").check()
    page.get_by_label("Choose a folder").set_input_files(folder)
    expect(card).to_contain_text("names hashed")
    expect(card.locator("[data-fact=new]")).to_have_text("1 new")
    expect(card).to_contain_text("1 other file passed over")
    page.get_by_label("Hash names").uncheck()
    page.get_by_label("Choose files").set_input_files(
        {"name": "session.txt", "mimeType": "text/plain", "buffer": text.encode()}
    )
    expect(card.locator("[data-fact=duplicates]")).to_have_text("2 duplicates")
    expect(card).to_contain_text("1 of them read before")
    expect(page.locator("[data-hand]", has_text="Hero")).to_have_count(1)


def test_hands_are_filtered_replayed_and_studied(
    open_page: Callable[..., Page],
    data_folder: Path,
    tmp_path: Path,
    screenshot: Callable[[Page, str], None],
) -> None:
    from overbet.hands import import_hands

    (tmp_path / "two.txt").write_text(f"{RAISE}\n\n{THREE_BET}", encoding="utf-8")
    with HandDatabase(data_folder) as database:
        import_hands(database, tmp_path / "two.txt")
        raised, deep = database.ids("players=3")[0], database.ids("players=2")[0]
        river = database.decisions("players=2", player=None).filter(street="river")["number"][0]
        actions = (
            PricedAction("f", "fold", 0.1, 0.0, "fold"),
            PricedAction("c", "call", 0.9, 2.25, "call"),
        )
        database.put_reviews(
            [
                PricedDecision(deep, 0, "none", reason="no strategy for this depth"),
                PricedDecision(
                    deep,
                    river,
                    "solve",
                    "solved to 0.4 % of the pot",
                    grade="blunder",
                    loss_bb=2.25,
                    accuracy_bb=0.05,
                    share=0.1,
                    taken="f",
                    best="c",
                    actions=actions,
                    spot=SPOT,
                ),
            ]
        )
    page = open_page("#/hands")
    rows = page.locator("[data-hand]")
    expect(rows).to_have_count(2)
    expect(rows.first).to_have_attribute("data-hand", str(deep))  # the most EV lost first
    expect(rows.first).to_contain_text("2.25")
    page.get_by_role("radio", name="chips").click()
    expect(rows.first).to_contain_text("225")
    page.get_by_role("radio", name="bb").click()
    page.get_by_role("columnheader", name="Won").get_by_role("button").click()
    expect(rows.first).to_have_attribute("data-hand", str(raised))
    # the filter of the terminal, with the place of what cannot be read
    field = page.get_by_label("Filter", exact=True)
    field.fill("pos=BTN and won>much")
    fault = page.get_by_role("alert").filter(has=page.locator("mark"))
    expect(fault.locator("mark")).to_have_text("much")
    expect(fault).to_contain_text("is not a number")
    field.fill("pos=BTN and won>1")
    expect(rows).to_have_count(1)
    expect(page.get_by_label("The same in a terminal")).to_have_text(
        'overbet hands list --filter "pos=BTN and won>1"'
    )
    page.get_by_role("button", name="Clear").click()
    expect(rows).to_have_count(2)
    page.get_by_label("Kind of pot").select_option("3bet")
    expect(rows).to_have_count(1)
    expect(rows.first).to_have_attribute("data-hand", str(deep))
    page.get_by_role("button", name="Words").click()
    expect(page.get_by_role("region", name="Words of the filter")).to_contain_text("had to answer a 3-bet")
    page.get_by_role("button", name="Words").click()
    rows.first.click()
    # step by step: by button, by key, by street
    table = page.get_by_role("region", name="Table")
    expect(table).to_have_attribute("data-pot", "150")
    page.get_by_role("button", name="Next →").click()
    expect(table).to_have_attribute("data-pot", "300")
    page.keyboard.press("ArrowRight")
    expect(table).to_have_attribute("data-pot", "800")
    page.get_by_role("button", name="river", exact=True).click()
    expect(table.get_by_label("Board").get_by_role("img", name="two of clubs")).to_be_visible()
    page.keyboard.press("End")
    expect(table.locator("[data-seat=SB]")).to_contain_text("-6.00 bb")
    expect(table.locator("[data-seat=SB]")).to_contain_text("D")
    page.keyboard.press("ArrowLeft")
    # the strategy beside the action, and why there is none
    verdict = page.locator(f"[data-verdict='{river}']")
    expect(verdict).to_contain_text("Call 90.0% (EV 2.25 bb)")
    expect(verdict).to_contain_text("blunder")
    expect(verdict.locator("[data-fact=loss]")).to_have_text("EV lost 2.25 bb ± 0.05 bb")
    expect(page.locator("[data-verdict='0'] [data-fact=reason]")).to_have_text("no strategy for this depth")
    expect(page.get_by_text("not reviewed yet")).to_have_count(3)
    screenshot(page, "hands-replay")
    page.get_by_role("button", name="Open in Study").click()
    page.get_by_role("link", name="Open in Study").click(timeout=COMPILATION)
    expect(page).to_have_url(re.compile(r"study/s-.*/r:0:b900\?hand=T9s"))
    expect(page.locator("[data-tile=c]")).to_be_visible()
    phone = open_page(f"#/hands/{deep}", size=PHONE, theme="dark")
    expect(phone.locator(f"[data-verdict='{river}']")).to_be_visible()
    assert phone.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
    phone.get_by_role("link", name="← Hands").click()
    expect(phone.locator("[data-hand]").first).to_be_visible()
    assert phone.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
    # a deck of the mistakes shown
    phone.get_by_role("button", name="Drill these mistakes").click()
    expect(phone).to_have_url(re.compile(r"play/drill\?deck=\d+"))
    expect(phone.locator("[data-answer]").first).to_be_visible()


def test_leaks_and_opponents_have_intervals(
    open_page: Callable[..., Page], data_folder: Path, tmp_path: Path
) -> None:
    from overbet.hands import import_hands

    (tmp_path / "one.txt").write_text(RAISE, encoding="utf-8")
    with HandDatabase(data_folder) as database:
        import_hands(database, tmp_path / "one.txt")
    page = open_page("#/hands/opponents")
    page.get_by_role("button", name="Look at opponents").click()
    chosen = page.locator("[data-opponent]")
    expect(chosen).to_be_visible()
    page.get_by_role("button", name="Bob").click()
    expect(chosen.get_by_role("heading")).to_have_text("Bob")
    expect(chosen.locator("[data-frequency]").first).to_contain_text(
        re.compile(r"\d+% \(\d+% to \d+%\), pool")
    )
    found = {
        "leaks": {
            **dict.fromkeys(("filter", "player", "stage"), ""),
            "id": "l-1",
            "kind": "leaks",
            "created": "2024-02-03T20:00:00Z",
            "status": "done",
            "error": None,
            "stopping": False,
            "now": None,
            "opponents": None,
            "leaks": {
                "player": "Hero",
                "hands": 6000,
                "decisions": 16782,
                "compared": 16000,
                "priced": 400,
                "compared_with": {"trained": 16000},
                "not_compared": {"three players": 782},
                "level": 0.05,
                "correction": "by Holm",
                "lines": 20,
                "questions": 156,
                "leaks": [LEAK],
            },
        },
        "opponents": None,
    }
    page.route("**/api/hands/reports", lambda route: route.fulfill(json=found))
    page.reload()
    page.get_by_role("radio", name="Leaks").click()
    leak = page.locator("[data-leak]")
    expect(leak).to_contain_text("flop, facing 3-bet: fold too often")
    expect(leak).to_contain_text("61.6% (58% to 66%) instead of 45.9% in 362 decisions")
    expect(leak.locator("[data-fact=cost]")).to_have_text("1.60 ± 0.70 bb/100 lost")
    places = leak.locator(".track").evaluate(
        "(track) => ['range', 'mark'].map((name) => track.querySelector('.' + name).style.left)"
    )
    assert places == ["58%", "45.9%"]
    expect(page.locator("[data-fact=not]")).to_have_text("782 not compared: three players")
