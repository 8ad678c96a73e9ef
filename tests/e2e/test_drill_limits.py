"""The drill limited to a position, a line and a street; its mistakes, kept and asked again."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import httpx
import pytest
from playwright.sync_api import Page, expect

FAULTS = {"inaccuracy", "mistake", "blunder"}
PHONE = {"width": 390, "height": 844}


@pytest.fixture(autouse=True)
def _no_score(api: httpx.Client) -> Iterator[None]:
    """Leave neither a score nor a mistake to others."""
    yield
    api.delete("drill/score")
    for mistake in api.get("drill/mistakes").json()["mistakes"]:
        api.delete(f"drill/mistakes/{mistake['id']}")


def answered(page: Page, place: int) -> str:
    """Give an answer and return the verdict."""
    buttons = page.locator("[data-answer]:not([disabled])")
    expect(buttons.first).to_be_visible()
    buttons.nth(place).click()
    verdict = page.locator("[data-grade]")
    expect(verdict).to_be_visible()
    return verdict.get_attribute("data-grade") or ""


def limited(page: Page, name: str, value: str) -> None:
    """Choose a limit and wait for the question it brings."""
    before = page.locator("[data-question]").get_attribute("data-question") or ""
    assert before
    page.get_by_label(name, exact=True).select_option(value)
    expect(page.locator("[data-question]")).not_to_have_attribute("data-question", before)


def test_limits_and_mistakes(open_page: Callable[..., Page], screenshot: Callable[[Page, str], None]) -> None:
    page = open_page("#/play/drill?solve=example")
    expect(page.locator("[data-answer]").first).to_be_visible()
    limited(page, "Position", "ip")
    limited(page, "Line", "bet")
    limited(page, "Street", "turn")
    spot = page.get_by_role("region", name="Question")
    grade = ""
    for _ in range(40):  # folding to a bet is a mistake with many hands
        expect(spot).to_contain_text("You are IP")
        expect(spot).to_contain_text("to call")
        assert page.locator("[data-hand] [role=img]").count() == 2
        hand = page.locator("[data-hand]").get_attribute("data-hand") or ""
        grade = answered(page, 0)
        if grade in FAULTS:
            break
        page.keyboard.press("n")
        expect(page.locator("[data-grade]")).to_have_count(0)
    assert grade in FAULTS
    best = page.locator("[data-answer]", has_text="best").get_attribute("data-answer")
    kept = page.locator("[data-mistake]").first
    expect(kept.locator(f'[data-held="{hand}"]')).to_be_visible()
    expect(kept).to_contain_text("You: Fold")
    expect(kept).to_contain_text(grade)
    name = kept.get_attribute("data-mistake") or ""
    screenshot(page, "drill-mistakes")
    page.reload()  # the server keeps them
    kept = page.locator(f"[data-mistake={name}]")
    kept.get_by_role("button", name="Try again").click()
    expect(spot).to_contain_text("a mistake again")
    assert page.locator("[data-hand]").get_attribute("data-hand") == hand
    page.locator(f"[data-answer={best}]").click()
    expect(page.locator("[data-grade=best]")).to_be_visible()
    expect(kept).to_have_count(0)  # mended
    page.get_by_label("mended ones too").check()
    expect(kept).to_contain_text("again 1 time, last: best")
    kept.get_by_role("button", name=f"Forget the mistake with {hand}").click()
    expect(kept).to_have_count(0)
    limited(page, "Position", "oop")
    limited(page, "Line", "raise")
    expect(spot).to_contain_text("You are OOP")


def test_one_decision_alone_and_a_phone(open_page: Callable[..., Page]) -> None:
    page = open_page("#/study/example/r:0:c", size=PHONE)
    page.get_by_role("link", name="this node").click()
    spot = page.get_by_role("region", name="Question")
    for _ in range(2):
        expect(spot).to_contain_text("OOP Check")
        expect(spot).to_contain_text("You are IP")
        answered(page, 1)
        page.keyboard.press("n")
        expect(page.locator("[data-grade]")).to_have_count(0)
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
    page.get_by_role("button", name="drill the whole spot").click()
    expect(page.get_by_label("Position", exact=True)).to_be_visible()
