"""The form of a solve: nothing typed is lost, nothing wrong is solved, and every press of Solve counts."""

from __future__ import annotations

import re
from collections.abc import Callable

import httpx
from playwright.sync_api import Page, Route, expect

from tests.e2e.conftest import COMPILATION, until
from tests.e2e.test_solve_and_study import fill

RIVER = "KsTh7s4d2c"


def names(api: httpx.Client) -> list[str]:
    """Return the names of all solves there are."""
    return [solve["name"] for solve in api.get("solves").json()["solves"]]


def solve_button(page: Page):
    return page.get_by_role("button", name="Solve", exact=True)


def panel(page: Page, name: str):
    return page.get_by_role("region", name=name, exact=True)


def one_bet_on_a_river(page: Page, board: str = RIVER) -> None:
    """Fill in a spot that is solved in a moment."""
    fill(page, "Board as text", board)
    page.get_by_role("button", name="One size", exact=True).click()
    fill(page, "OOP range as text", "QQ,AJs")
    page.get_by_role("radio", name="In position").click()
    fill(page, "IP range as text", "JJ,AQs")


def test_five_cards_as_text_are_in_sight(open_page: Callable[..., Page]) -> None:
    page = open_page("#/solve")
    fill(page, "Board as text", RIVER)
    text = page.get_by_label("Board as text")
    assert text.evaluate("(box) => box.scrollWidth <= box.clientWidth")


def test_bad_board_text_solves_nothing(open_page: Callable[..., Page], api: httpx.Client) -> None:
    page = open_page("#/solve")
    one_bet_on_a_river(page)
    fill(page, "Name", "Another board")
    expect(solve_button(page)).to_be_enabled()
    fill(page, "Board as text", "Ks1h7s4d2c")
    expect(panel(page, "Board").get_by_role("alert")).to_contain_text("1h")
    expect(solve_button(page)).to_be_disabled()
    expect(panel(page, "Tree and solve")).to_contain_text("Fix before solving")
    panel(page, "Tree and solve").get_by_role("button", name="Board", exact=True).click()
    expect(page.get_by_label("Board as text")).to_be_focused()
    # typed, and Solve pressed at once with the board not read yet
    page.get_by_label("Board as text").fill(RIVER)
    expect(solve_button(page)).to_be_enabled()
    page.get_by_label("Board as text").fill(RIVER + "K")
    solve_button(page).click(force=True)
    expect(panel(page, "Board").get_by_role("alert")).to_be_visible()  # now it is read
    page.wait_for_timeout(500)
    assert "Another board" not in names(api)


def test_a_range_on_the_hidden_tab_blocks_too(open_page: Callable[..., Page], api: httpx.Client) -> None:
    page = open_page("#/solve")
    one_bet_on_a_river(page)
    fill(page, "Name", "Hidden fault")
    fill(page, "IP range as text", "JJ,AXs")
    page.get_by_role("radio", name="Out of position").click()
    expect(page.get_by_label("IP range as text")).to_be_hidden()
    expect(solve_button(page)).to_be_disabled()
    expect(page.get_by_role("radio", name=re.compile(r"In position \(has an error\)"))).to_be_visible()
    panel(page, "Tree and solve").get_by_role("button", name="Range in position").click()
    expect(page.get_by_label("IP range as text")).to_be_focused()
    expect(panel(page, "Ranges").get_by_role("alert")).to_contain_text("AXs")
    assert "Hidden fault" not in names(api)
    fill(page, "IP range as text", "JJ,AQs")
    expect(solve_button(page)).to_be_enabled()


def test_a_ten_may_be_written_with_two_digits(open_page: Callable[..., Page]) -> None:
    page = open_page("#/solve")
    fill(page, "Board as text", "10s 8d 3c")
    expect(page.get_by_label("Board as text")).to_have_value("Ts8d3c")
    for card in ("Ts", "8d", "3c"):
        expect(page.locator(f"[data-card='{card}']")).to_have_attribute("aria-pressed", "true")
    fill(page, "OOP range as text", "1010+,A10s,10h9h")
    grid = page.get_by_role("grid", name="OOP range")
    expect(grid.get_by_role("gridcell", name=re.compile("^TT:"))).to_have_attribute(
        "aria-label", "TT: weight 100%"
    )
    expect(grid.get_by_role("gridcell", name=re.compile("^ATs:"))).to_have_attribute(
        "aria-label", "ATs: weight 100%"
    )
    expect(panel(page, "Ranges").get_by_role("alert")).to_have_count(0)


def test_the_grid_follows_the_typing(open_page: Callable[..., Page]) -> None:
    page = open_page("#/solve")
    text = page.get_by_label("OOP range as text")
    text.fill("")
    text.press_sequentially("QQ+", delay=20)  # the field keeps the focus
    queens = page.get_by_role("grid", name="OOP range").get_by_role("gridcell", name=re.compile("^QQ:"))
    expect(queens).to_have_attribute("aria-label", "QQ: weight 100%")
    nines = page.get_by_role("grid", name="OOP range").get_by_role("gridcell", name=re.compile("^99:"))
    expect(nines).to_have_attribute("aria-label", "99: not in the range")
    expect(text).to_be_focused()


def test_a_range_typed_and_solve_pressed_at_once(open_page: Callable[..., Page], api: httpx.Client) -> None:
    page = open_page("#/solve")
    one_bet_on_a_river(page)
    fill(page, "Name", "At once")
    page.get_by_role("radio", name="Out of position").click()
    expect(solve_button(page)).to_be_enabled()
    page.get_by_label("OOP range as text").fill("QQ,AJs,KJs")
    solve_button(page).click(force=True)  # no waiting for the button, as a person
    expect(page.locator("[data-status=done]")).to_be_visible(timeout=COMPILATION)
    solves = api.get("solves").json()["solves"]
    made = [solve for solve in solves if solve["name"] == "At once"]
    assert [solve["spot"]["ranges"]["oop"] for solve in made] == ["QQ,AJs,KJs"]


def test_the_form_is_kept_over_a_reload(open_page: Callable[..., Page]) -> None:
    page = open_page("#/solve")
    one_bet_on_a_river(page)
    fill(page, "Pot, bb", 12.3)
    fill(page, "river bets", "41%")
    page.reload()
    expect(page.get_by_label("Board as text")).to_have_value(RIVER)
    expect(page.get_by_label("OOP range as text")).to_have_value("QQ,AJs")
    expect(page.get_by_label("Pot, bb")).to_have_value("12.3")
    expect(page.get_by_label("river bets").or_(page.get_by_label("river  bets"))).to_have_value("41%")
    expect(page.locator("[data-card='Ks']")).to_have_attribute("aria-pressed", "true")
    stranger = open_page("#/solve")  # another browser
    expect(stranger.get_by_label("Pot, bb")).to_have_value("6")


def test_a_running_solve_is_on_show_again_after_a_reload(open_page: Callable[..., Page]) -> None:
    page = open_page("#/solve")
    page.get_by_label("Example spot").select_option("quick")
    fill(page, "Accuracy, % pot", 0)
    fill(page, "Iterations, at most", 1_000_000)
    fill(page, "Name", "Runs on")
    solve_button(page).click()
    expect(page.locator("[data-status=running]")).to_be_visible(timeout=COMPILATION)
    page.reload()
    expect(page.locator("[data-status=running]")).to_be_visible()
    curve = panel(page, "Progress").get_by_role("img", name="Exploitability over iterations")
    expect(curve).not_to_have_attribute("data-points", "0")
    # another spot on show: the row brings the running one back
    row = page.locator("tr[data-solve]", has_text="Runs on")
    row.get_by_role("button", name="Progress").click()
    expect(panel(page, "Progress")).to_be_visible()
    # the first press says that it stops, and there is nothing for a second one
    panel(page, "Progress").get_by_role("button", name="Cancel").click()
    standing = panel(page, "Progress").locator("[data-status]")
    expect(standing).to_have_attribute("data-status", re.compile("^stopp(ing|ed)$"))
    expect(page.locator("[data-status=stopped]")).to_be_visible()
    expect(row).to_contain_text("stopped")
    expect(row.get_by_role("link", name="Runs on")).to_be_visible()  # it was saved, and opens
    expect(panel(page, "Progress").get_by_role("alert")).to_have_count(0)


def test_stopping_is_said_until_it_is_over(open_page: Callable[..., Page]) -> None:
    page = open_page("#/solve")
    page.get_by_label("Example spot").select_option("quick")
    fill(page, "Accuracy, % pot", 0)
    fill(page, "Iterations, at most", 1_000_000)
    fill(page, "Name", "Stops once")
    solve_button(page).click()
    expect(page.locator("[data-status=running]")).to_be_visible(timeout=COMPILATION)
    asked: list[Route] = []
    page.route("**/cancel", lambda route: asked.append(route))  # the answer waits until it is let go
    panel(page, "Progress").get_by_role("button", name="Cancel").click()
    expect(panel(page, "Progress").get_by_role("button", name="Stopping …")).to_be_disabled()
    expect(page.locator("[data-status=stopping]")).to_have_text("Stopping …")
    row = page.locator("tr[data-solve]", has_text="Stops once")
    until(page, lambda: asked)
    assert len(asked) == 1
    asked[0].continue_()
    expect(page.locator("[data-status=stopped]")).to_be_visible()
    expect(row).to_contain_text("stopped")


def size_field(page: Page, name: str):
    return page.get_by_label(f"river {name}", exact=True).or_(page.get_by_label(f"river  {name}", exact=True))


def test_bet_sizes_as_people_type_them(open_page: Callable[..., Page]) -> None:
    page = open_page("#/solve")
    one_bet_on_a_river(page)
    page.get_by_role("radio", name="chips").click()
    fill(page, "Pot, chips", 100)
    first = panel(page, "Tree and solve").locator("p", has_text="First to act:")
    for typed in ("33 75", "33,76", "33%, 77", "33 % 78%"):
        size_field(page, "bets").fill(typed)
        for words in ("Check", "Bet 33", f"Bet {re.findall('[0-9]+', typed)[1]}"):
            expect(first).to_contain_text(words)
    size_field(page, "bets").fill("1/4 ai")
    for words in ("Check", "Bet 25", "340"):
        expect(first).to_contain_text(words)
    size_field(page, "raises").fill("2.5x ai")
    expect(solve_button(page)).to_be_enabled()
    expect(page.locator(".form").get_by_role("alert")).to_have_count(0)


def test_a_fault_is_said_once_in_words_at_its_field(open_page: Callable[..., Page]) -> None:
    page = open_page("#/solve")
    one_bet_on_a_river(page)
    size_field(page, "raises").fill("2.5x, big")
    alerts = page.locator(".form").get_by_role("alert")
    expect(alerts).to_have_count(1)
    expect(panel(page, "Bet sizes").get_by_role("alert")).to_have_text(re.compile(r"^\s*bet size 'big' in"))
    expect(size_field(page, "raises")).to_have_attribute("aria-invalid", "true")
    expect(size_field(page, "bets")).to_have_attribute("aria-invalid", "false")
    size_field(page, "raises").fill("2.5x")
    expect(alerts).to_have_count(0)
    fill(page, "Accuracy, % pot", -1)
    expect(alerts).to_have_text(["Accuracy: it must be 0 or more"])
    fill(page, "Accuracy, % pot", 1)
    page.get_by_role("radio", name="chips").click()
    fill(page, "OOP stack, chips", 97.5)
    fill(page, "IP stack, chips", 97.5)
    expect(alerts).to_have_text(["Stacks: write a whole number"])
    expect(page.get_by_label("OOP stack")).to_have_attribute("aria-invalid", "true")
