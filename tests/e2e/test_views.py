"""Every view as a reader sees it: first visit, both themes, another palette, a tablet, the keyboard."""

from __future__ import annotations

import re
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from overbet.cards.palette import STANDARD
from tests.e2e.conftest import COMPILATION

CONFIG = Path(__file__).parents[2] / "configs/fast_test.yaml"
TABLET = {"width": 820, "height": 1180}
EXAMPLE = "#/study/example"


def shown(page: Page, line: str) -> None:
    expect(page.get_by_role("navigation", name=f"Line {line}", exact=True)).to_be_visible()


def fits(page: Page) -> bool:
    """Say whether nothing sticks out to the right."""
    return page.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth")


def test_the_first_visit(open_page: Callable[..., Page], screenshot: Callable[[Page, str], None]) -> None:
    page = open_page("", guide=True)
    shown(page, "r:0")  # an example is solved already
    guide = page.get_by_role("complementary", name="Guide")
    expect(guide.locator("p")).to_have_count(2)
    screenshot(page, "first-visit")
    page.get_by_role("button", name="Got it").click()
    page.reload()
    shown(page, "r:0")
    expect(guide).to_have_count(0)
    sent = page.evaluate(
        "performance.getEntriesByType('resource').concat(performance.getEntriesByType('navigation'))"
        ".filter((entry) => !entry.name.includes('/api/'))"
        ".reduce((sum, entry) => sum + entry.encodedBodySize, 0)"
    )
    assert 10_000 < sent < 300_000


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_study(open_page: Callable[..., Page], screenshot: Callable[[Page, str], None], theme: str) -> None:
    page = open_page(f"{EXAMPLE}/r:0:c?hand=KJs", theme=theme)
    shown(page, "r:0:c")
    expect(page.locator("tr[data-combo]").first).to_be_visible()
    assert page.evaluate("document.documentElement.dataset.theme") == theme
    assert fits(page)
    screenshot(page, f"study-{theme}")


def test_an_address_of_no_view_leads_to_the_start_page(open_page: Callable[..., Page]) -> None:
    page = open_page("#/nowhere/at/all")
    shown(page, "r:0")
    expect(page).to_have_url(re.compile("#/study"))


def test_the_tools_of_study(open_page: Callable[..., Page], screenshot: Callable[[Page, str], None]) -> None:
    page = open_page(f"{EXAMPLE}/r:0:c:c?tab=runouts", theme="dark")
    shown(page, "r:0:c:c")
    cards = page.get_by_role("group", name="Cards that can come").get_by_role("button")
    expect(cards).to_have_count(48)
    screenshot(page, "study-runouts")
    cards.first.click()
    expect(page).to_have_url(re.compile("r:0:c:c:As"))
    shown(page, "r:0:c:c:As")
    page.goto(re.sub(r"#.*", f"{EXAMPLE}/r:0?tab=equity", page.url))
    expect(page.get_by_role("img", name="Equity of both ranges")).to_be_visible()
    screenshot(page, "study-equity")
    page.get_by_role("tab", name="Compare").click()
    expect(page.get_by_role("grid", name="EV of the first action less the second")).to_be_visible()
    screenshot(page, "study-compare")
    page.get_by_role("tab", name="Exploit").click()
    expect(page.get_by_role("grid", name="Best response of OOP")).to_be_visible()
    screenshot(page, "study-exploit")
    page.get_by_role("tab", name="Blockers").click()
    expect(page.get_by_role("grid", name=re.compile("^Change of the frequency"))).to_be_visible()
    screenshot(page, "study-blockers")


def test_filters_of_made_hands(open_page: Callable[..., Page]) -> None:
    page = open_page(f"{EXAMPLE}/r:0")
    shown(page, "r:0")
    rows = page.locator("table[aria-rowcount]")
    expect(rows).to_be_visible()
    every = int(rows.get_attribute("aria-rowcount") or 0)
    page.get_by_role("button", name="Filters").click()
    page.get_by_role("group", name="Made hands").get_by_role("button", name=re.compile("^set")).click()
    expect(rows).not_to_have_attribute("aria-rowcount", str(every))
    few = int(rows.get_attribute("aria-rowcount") or 0)
    assert 0 < few < every
    page.get_by_role("button", name="EV (bb)").click()
    column = page.locator("tr[data-combo] td:nth-child(4)").all_inner_texts()
    assert [float(text) for text in column] == sorted((float(text) for text in column), reverse=True)


def test_the_colour_blind_palette(
    open_page: Callable[..., Page], screenshot: Callable[[Page, str], None]
) -> None:
    page = open_page(f"{EXAMPLE}/r:0")
    shown(page, "r:0")
    tile = page.locator("[data-tile=c]")
    before = tile.evaluate("(tile) => getComputedStyle(tile).backgroundColor")
    assert before
    page.get_by_role("button", name="Colour-blind palette").click()
    expect(page.get_by_role("button", name="Colour-blind palette")).to_have_attribute("aria-pressed", "true")
    expect(tile).not_to_have_css("background-color", before)
    screenshot(page, "study-colour-blind")


def test_a_tablet(open_page: Callable[..., Page], screenshot: Callable[[Page, str], None]) -> None:
    page = open_page(f"{EXAMPLE}/r:0", size=TABLET)
    shown(page, "r:0")
    assert fits(page)
    screenshot(page, "study-tablet")
    for view in ("solve", "blueprints", "play", "hands", "runs"):
        page.goto(re.sub(r"#.*", f"#/{view}", page.url))
        expect(page.locator(".view")).to_be_visible()
        assert fits(page), view


def test_the_keyboard_alone(open_page: Callable[..., Page]) -> None:
    page = open_page(f"{EXAMPLE}/r:0")
    shown(page, "r:0")
    page.get_by_role("gridcell").first.focus()
    for key in ("ArrowRight", "ArrowRight", "Enter"):
        page.keyboard.press(key)
    expect(page).to_have_url(re.compile("hand=AQs"))
    page.keyboard.press("1")  # the first action: check
    shown(page, "r:0:c")
    page.keyboard.press("Backspace")
    shown(page, "r:0")
    page.keyboard.press("Alt+1")
    expect(page.get_by_role("region", name="Board")).to_be_visible()


def test_everything_that_can_be_pressed_has_a_name(open_page: Callable[..., Page]) -> None:
    page = open_page(f"{EXAMPLE}/r:0")
    shown(page, "r:0")
    for view in ("", "solve", "play", "hands", "runs", "blueprints"):
        if view:
            page.goto(re.sub(r"#.*", f"#/{view}", page.url))
            expect(page.locator(".view")).to_be_visible()
        nameless = page.evaluate(
            """[...document.querySelectorAll('button, a, input, select, textarea')].filter((element) =>
                 !(element.getAttribute('aria-label') || element.textContent?.trim()
                   || element.labels?.length || element.title)).map((element) => element.outerHTML)"""
        )
        assert nameless == [], view


def test_the_page_draws_with_the_packages_colours(open_page: Callable[..., Page]) -> None:
    page = open_page(f"{EXAMPLE}/r:0:b165")
    shown(page, "r:0:b165")
    for token, colour in (("f", STANDARD.fold), ("c", STANDARD.passive)):
        red, green, blue = (int(colour[at : at + 2], 16) for at in (1, 3, 5))
        tile = page.locator(f"[data-tile={token}]")
        expect(tile).to_have_css("background-color", f"rgb({red}, {green}, {blue})")


def test_a_run_is_seen_live(
    open_page: Callable[..., Page], data_folder: Path, screenshot: Callable[[Page, str], None]
) -> None:
    run, end = data_folder / "runs/first", time.monotonic() + COMPILATION / 1000
    command = [sys.executable, "-m", "overbet", "train", str(CONFIG), "--out", str(run), "--workers", "1"]
    often = ["--set", "run.report_seconds=0.05", "--json"]  # the first report comes long before the end
    training = subprocess.Popen([*command, *often], stdout=subprocess.DEVNULL)
    metrics = run / "metrics.csv"
    try:
        while not (metrics.exists() and metrics.read_text().count("\n") > 1):  # the head and a report
            assert training.poll() is None
            assert time.monotonic() < end
            time.sleep(0.02)
        training.send_signal(signal.SIGSTOP)  # it must not end before the page is open
        page = open_page("#/runs")
        row = page.get_by_role("region", name="Training runs").get_by_role(
            "row", name=re.compile("fast-test")
        )
        expect(row).to_be_visible()
        curve = page.get_by_role("img", name="Mean positive regret (bb)")
        expect(curve).to_be_visible()
        expect(curve).not_to_have_attribute("data-points", "0")
        begun = int(curve.get_attribute("data-points") or 0)
        training.send_signal(signal.SIGCONT)
        expect(curve).not_to_have_attribute("data-points", str(begun))  # more points come by themselves
        assert training.wait(COMPILATION / 1000) == 0
        page.reload()
        expect(row).to_contain_text("finished")
        expect(row.get_by_role("link", name="blueprint")).to_be_visible()
        screenshot(page, "runs")
    finally:
        training.kill()
        training.wait()
        shutil.rmtree(run, ignore_errors=True)


@pytest.mark.parametrize(
    "view",
    [
        "study/example/r:0",
        "study/example/r:0?tab=exploit",
        "solve",
        "blueprints/shipped-heads-up/r:0",
        "play",
    ],
)
def test_a_phone_has_no_sideways_scroll_and_all_switches(open_page: Callable[..., Page], view: str) -> None:
    if view == "play":  # with a table in the list
        page = open_page("#/play")
        page.locator("[data-sit]").first.click()
        expect(page.locator("[data-pot]")).to_be_visible()
    page = open_page(f"#/{view}", size={"width": 390, "height": 844})
    expect(page.locator(".view")).to_be_visible()
    if view == "play":
        expect(page.get_by_role("button", name="Delete", exact=True).first).to_be_visible()
    expect(page.get_by_role("grid").or_(page.locator("[data-sit]")).first).to_be_visible()
    assert fits(page)
    expect(page.get_by_role("radiogroup", name="Units")).to_be_in_viewport(ratio=1)
    for name in ("Solve", "Study", "Blueprints", "Play", "Runs"):
        link = page.get_by_role("navigation", name="Views").get_by_role("link", name=name, exact=True)
        expect(link).to_be_in_viewport(ratio=1)


def test_the_buttons_of_a_solve_are_in_sight(open_page: Callable[..., Page]) -> None:
    page = open_page("#/solve")
    row = page.locator("tr[data-solve=example]")
    expect(row).to_be_visible()
    expect(page.locator("[data-fact=expected]")).to_be_visible()  # from then on nothing above moves the list
    table = page.get_by_role("region", name="Solved spots").locator(".scroll")
    assert table.evaluate("(box) => box.scrollWidth <= box.clientWidth")
    row.get_by_role("button", name="Delete").scroll_into_view_if_needed()
    expect(row.get_by_role("button", name="Delete")).to_be_in_viewport(ratio=1)


def test_the_card_picker_closes(open_page: Callable[..., Page]) -> None:
    page = open_page(f"{EXAMPLE}/r:0:c:c")
    shown(page, "r:0:c:c")
    deck = page.get_by_role("group", name="Next card")
    for close in (lambda: page.keyboard.press("Escape"), lambda: page.mouse.click(640, 705)):
        page.get_by_role("button", name="pick a card").click()
        expect(deck).to_be_visible()
        close()
        expect(deck).to_have_count(0)
    page.get_by_role("button", name="pick a card").click()
    deck.get_by_role("button", name="ace of spades").click()
    shown(page, "r:0:c:c:As")
