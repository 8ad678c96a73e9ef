"""A hand against search: it is seen thinking, and the subgame it solved opens in Study."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.conftest import COMPILATION, PATIENCE

# every text the line ever showed, so that a short thought is not missed
_WATCH = """() => {
  window.thoughts = [];
  const note = () => {
    for (const line of document.querySelectorAll("[data-thinking]"))
      window.thoughts.push([line.dataset.thinking, line.textContent.trim()]);
  };
  new MutationObserver(note).observe(document.body, {subtree: true, childList: true, characterData: true});
}"""


@pytest.fixture(autouse=True, scope="module")
def patience() -> Iterator[None]:
    """Wait longer: the first search may have to compile its kernels."""
    expect.set_options(timeout=COMPILATION)
    yield
    expect.set_options(timeout=PATIENCE)


def test_search_is_seen_thinking_and_its_subgame_is_studied(
    open_page: Callable[..., Page], screenshot: Callable[[Page, str], None]
) -> None:
    page = open_page("#/play", theme="dark")
    page.get_by_role("region", name="Heads-up").get_by_role("radio", name="0.5 s").click()
    screenshot(page, "search-lobby")
    page.locator("[data-sit='heads-up search-shipped-heads-up']").click()
    expect(page.locator("[data-pot]")).to_be_visible()
    page.evaluate(_WATCH)
    buttons = page.locator("[data-subgame]")
    for _ in range(8):  # hands; most come to the turn when one only calls
        while True:
            expect(page.locator("[data-play]:not([disabled])").first).to_be_visible()
            if page.locator("[data-play=next]").count():
                break
            page.locator("[data-play=call]").click()
            if page.locator("[data-thinking=true] [data-exploitability]").count():
                screenshot(page, "search-thinking")
        expect(page.get_by_role("heading", name="What would the strategy have done?")).to_be_visible()
        if buttons.count():
            break
        page.locator("[data-play=next]").click()
    told = page.evaluate("window.thoughts")
    assert any(busy == "true" and "Thinking" in text for busy, text in told), told
    # a search of half a second may be over before its first look is drawn: then it says what it thought
    assert any("about the" in text and "% of the pot" in text for _, text in told), told
    screenshot(page, "search-over")
    expect(page.get_by_role("region", name="Hand history")).to_contain_text("exploitable by")
    buttons.first.click()
    expect(page.get_by_role("navigation", name="Line r:0", exact=False).first).to_be_visible()
    expect(page).to_have_url(re.compile("#/study/s-"))
    expect(page.get_by_role("gridcell").first).to_be_visible()
    screenshot(page, "search-study")
