"""Ten hands by mouse and by keyboard, an Expresso table, and a drill."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Page, Route, expect

from tests.e2e.conftest import COMPILATION, PATIENCE

GRADES = {"best", "correct", "inaccuracy", "mistake", "blunder", "unclear"}


@pytest.fixture(autouse=True, scope="module")
def patience() -> Iterator[None]:
    """Wait longer: reviews and estimates compile beside the play, and the server is slow meanwhile."""
    expect.set_options(timeout=COMPILATION)
    yield
    expect.set_options(timeout=PATIENCE)


def sit_down(page: Page, kind: str, opponent: str) -> None:
    page.locator(f"[data-sit='{kind} {opponent}']").click()
    expect(page.locator("[data-pot]")).to_be_visible()


def settled(page: Page) -> None:
    """Wait until it is the reader's turn or the hand is over."""
    expect(page.locator("[data-play]:not([disabled])").first).to_be_visible()


def over(page: Page) -> bool:
    return page.locator("[data-play=next]").count() > 0


def hands(page: Page) -> int:
    return int(page.locator("[data-hands]").get_attribute("data-hands") or -1)


def by_mouse(page: Page, turn: int) -> None:
    raising = page.locator("[data-play=raise]:not([disabled])")
    if turn == 0 and raising.count():
        page.get_by_role("group", name="Bet presets").get_by_role("button").first.click()
        raising.click()
    else:
        page.locator("[data-play=call]").click()


def by_keyboard(page: Page, turn: int) -> None:
    if turn == 1 and page.locator("[data-play=raise]:not([disabled])").count():
        page.keyboard.press("1")
        page.keyboard.press("Enter")
    elif turn == 2 and page.locator("[data-play=fold]:not([disabled])").count():
        page.keyboard.press("f")
    else:
        page.keyboard.press("c")


def play_hand(page: Page, act: Callable[[Page, int], None]) -> None:
    """Play the hand under way to its end."""
    for turn in range(40):
        settled(page)
        if over(page):
            return
        act(page, turn)
    raise AssertionError("the hand does not end")


def test_six_hands_by_mouse_and_keyboard(
    open_page: Callable[..., Page], screenshot: Callable[[Page, str], None]
) -> None:
    page = open_page("#/play", theme="dark")
    expect(page.locator("[data-sit]").first).to_be_visible()
    screenshot(page, "play-lobby")
    sit_down(page, "heads-up", "shipped-heads-up")
    settled(page)
    screenshot(page, "play-table")
    for number in range(6):
        mouse = number < 3
        play_hand(page, by_mouse if mouse else by_keyboard)
        expect(page.locator("[data-hands]")).to_have_attribute("data-hands", str(number + 1))
        if number == 5:
            break
        if mouse:
            page.locator("[data-play=next]").click()
        else:
            page.keyboard.press("n")
        expect(page.get_by_role("heading", name=f"Hand {number + 2}", exact=True)).to_be_visible()
    result = page.get_by_role("region", name="Result")
    expect(result).to_contain_text("mbb/hand")
    expect(result).to_contain_text(re.compile(r"from -?[\d,.]+ to -?[\d,.]+ bb/100"))
    past = page.get_by_role("region", name="Hands played")
    expect(past.locator("tbody tr")).to_have_count(6)
    screenshot(page, "play-over")
    history = page.get_by_role("region", name="Hand history")
    for number in range(1, 7):  # where the blueprint folds at once there is nothing to judge
        past.get_by_role("button", name=f"Show hand {number}", exact=True).click()
        expect(history.get_by_role("heading", name=f"Hand {number}", exact=True)).to_be_visible()
        expect(history.get_by_role("heading", name="What would the strategy have done?")).to_be_visible()
        if not history.get_by_text("You had no decision").count():
            break
    expect(history).to_contain_text(re.compile("EV loss|unclear"))
    page.reload()  # the table is found again at its address
    expect(page.locator("[data-hands='6']")).to_be_visible()


def test_an_expresso_is_a_tournament(
    open_page: Callable[..., Page], screenshot: Callable[[Page, str], None], server: str
) -> None:
    """Sit down from the lobby; then a deal of three hands: one goes out, it ends heads up, in buy-ins."""
    page = open_page("#/play")
    page.get_by_role("radio", name="×25").click()
    sit_down(page, "expresso", "shipped-expresso")
    settled(page)
    panel = page.get_by_role("region", name="Expresso")
    expect(panel).to_contain_text("Expresso ×25")
    expect(panel).to_contain_text("1st 20, 2nd 3, 3rd 2")
    expect(panel).to_contain_text("blinds 10/20; 15/30 in 10 hands")
    screenshot(page, "play-expresso")
    body = {"kind": "expresso", "opponent": "shipped-expresso", "seed": 53, "multiplier": 25}
    table = page.request.post(f"{server}api/play/tables", data=body, headers={"Origin": server.rstrip("/")})
    page.goto(f"{server}#/play/table/{table.json()['id']}")
    stacks = []
    for number in range(3):
        expect(page.get_by_role("heading", name=f"Hand {number + 1}", exact=True)).to_be_visible()
        settled(page)
        if number == 2:
            screenshot(page, "play-expresso-heads-up")
        play_hand(page, all_in)
        apart(page)
        if number < 2:
            stacks.append(panel.locator("li .num").all_inner_texts())
            page.locator("[data-play=next]").click()
    assert stacks[0] != stacks[1]  # what was won stays won
    assert any("out" in words for words in stacks[1])
    end = page.locator("[data-buy-ins]")
    expect(end).to_have_attribute("data-buy-ins", "2")
    expect(end).to_contain_text("2nd place")
    expect(panel).to_contain_text("by exact push or fold")
    expect(page.locator("[data-play=next]")).to_contain_text("Another Expresso")
    expect(page.get_by_role("region", name="Hand history")).to_contain_text(
        "exact, if both play push or fold"
    )
    screenshot(page, "play-expresso-over")
    page.set_viewport_size({"width": 390, "height": 844})
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    screenshot(page, "play-expresso-phone")
    page.goto(f"{server}#/play")
    expect(page.locator("[data-total]")).to_contain_text("1 Expresso, +2 buy-ins")
    expect(page.get_by_role("region", name="Your tables")).to_contain_text("2nd place, +2 buy-ins")
    screenshot(page, "play-expresso-lobby-phone")
    assert page.evaluate("document.documentElement.scrollWidth") <= 390


def apart(page: Page) -> None:
    """The names, stacks and results of no two players lie on each other."""
    felt = page.get_by_role("region", name="Table", exact=True)
    boxes = [box for plate in felt.locator(".plate").all() if (box := plate.bounding_box())]
    assert len(boxes) >= 2
    for at, one in enumerate(boxes):
        for other in boxes[at + 1 :]:
            beside = one["x"] + one["width"] <= other["x"] or other["x"] + other["width"] <= one["x"]
            above = one["y"] + one["height"] <= other["y"] or other["y"] + other["height"] <= one["y"]
            assert beside or above, (one, other)


def test_a_seat_is_taken_once_and_a_table_deleted_at_the_second_press(
    open_page: Callable[..., Page],
) -> None:
    page = open_page("#/play")
    held: list[Route] = []
    page.route("**/api/play/tables", lambda route: held.append(route) if asks(route) else route.continue_())
    seat = page.locator("[data-sit='heads-up tag']")
    seat.click()
    expect(seat).to_contain_text("Sitting down …")
    expect(seat).to_be_disabled()  # a second press would open a second table
    assert len(held) == 1
    held[0].continue_()
    settled(page)
    page.goto(page.url.split("#")[0] + "#/play")
    tables = page.get_by_role("region", name="Your tables").locator("tbody tr")
    expect(tables.first).to_contain_text("against tag")
    before = tables.count()
    tables.first.get_by_role("button", name="Delete", exact=True).click()
    tables.first.get_by_role("button", name="Keep").click()
    tables.first.get_by_role("button", name="Delete", exact=True).click()
    expect(tables).to_have_count(before)
    tables.first.get_by_role("button", name="Really delete").click()
    expect(tables).to_have_count(before - 1)


def test_before_the_flop_a_bet_is_a_raise_also_where_the_blind_may_be_checked(
    open_page: Callable[..., Page],
) -> None:
    page = open_page("#/play")
    sit_down(page, "heads-up", "always-call")
    settled(page)
    if "Call" in page.locator("[data-play=call]").inner_text():  # the small blind; then comes the big one
        page.locator("[data-play=fold]").click()
        page.locator("[data-play=next]").click()
        expect(page.get_by_role("heading", name="Hand 2", exact=True)).to_be_visible()
        settled(page)
    expect(page.locator("[data-play=call]")).to_contain_text("Check")
    expect(page.locator("[data-play=raise]")).to_contain_text("Raise to 2.00 bb")
    page.locator("[data-play=call]").click()
    settled(page)
    expect(page.locator("[data-play=raise]")).to_contain_text("Bet")


def asks(route: Route) -> bool:
    return route.request.method == "POST"


def all_in(page: Page, turn: int) -> None:
    """Raise all in, or call where that cannot be."""
    raising = page.locator("[data-play=raise]:not([disabled])")
    if raising.count():
        page.get_by_role("group", name="Bet presets").get_by_role("button").last.click()
        raising.click()
    else:
        page.locator("[data-play=call]").click()


def test_a_drill(open_page: Callable[..., Page], screenshot: Callable[[Page, str], None]) -> None:
    page = open_page("#/play/drill?solve=example", theme="dark")
    for number in range(3):
        answers = page.locator("[data-answer]:not([disabled])")
        expect(answers.first).to_be_visible()
        hand = page.locator("[data-hand]").get_attribute("data-hand")
        if number % 2:
            answers.first.click()
        else:
            page.keyboard.press("2")
        verdict = page.locator("[data-grade]")
        expect(verdict).to_be_visible()
        assert verdict.get_attribute("data-grade") in GRADES
        assert hand
        expect(page.get_by_role("region", name="Score")).to_contain_text(f"{number + 1} answered")
        if number == 2:
            screenshot(page, "drill")
        page.keyboard.press("n")
    page.get_by_role("button", name="Reset").click()
    expect(page.get_by_role("region", name="Score")).to_contain_text("0 answered")


def test_a_drill_on_a_blueprint_grades_by_what_it_shows(open_page: Callable[..., Page]) -> None:
    """The last action offered, all in, is hardly ever the strategy's: then it is not called right."""
    page = open_page("#/play/drill?blueprint=shipped-heads-up")
    for _ in range(3):
        answers = page.locator("[data-answer]:not([disabled])")
        expect(answers.first).to_be_visible()
        answers.last.click()
        grade = page.locator("[data-grade]")
        expect(grade).to_be_visible()
        told = page.locator("[data-answer]").last.inner_text()
        share = float((re.search(r"([\d.]+)%", told) or [0, 100])[1])
        assert grade.get_attribute("data-grade") in (
            GRADES if share >= 5 else GRADES - {"best", "correct"}
        ), told
        expect(page.locator(".verdict")).to_contain_text(re.compile(r"[\d,]+ simulated hands|exact:"))
        played = re.search(r"([\d,]+) simulated hands", page.locator(".verdict").inner_text())
        assert not played or int(played[1].replace(",", "")) <= 32_000  # as the server was told
        page.keyboard.press("n")


@pytest.mark.parametrize("blueprint", ["heads-up", "expresso"])
def test_the_blueprint_browser(
    open_page: Callable[..., Page], screenshot: Callable[[Page, str], None], blueprint: str
) -> None:
    page = open_page(f"#/blueprints/shipped-{blueprint}/r:0")
    expect(page.get_by_role("navigation", name="Line r:0", exact=True)).to_be_visible()
    aces = page.get_by_role("gridcell", name=re.compile("^AA:"))
    expect(aces).to_have_attribute("aria-label", re.compile(r"\d%"))
    screenshot(page, f"blueprint-{blueprint}")
    page.locator("[data-action=c]").click()
    expect(page.get_by_role("navigation", name="Line r:0:c", exact=True)).to_be_visible()
    if blueprint == "heads-up":
        page.locator("[data-action=c]").click()
        page.get_by_role("button", name="Random").click()  # a flop
        expect(page.get_by_role("region", name="Buckets")).to_be_visible()
        screenshot(page, "blueprint-flop")
