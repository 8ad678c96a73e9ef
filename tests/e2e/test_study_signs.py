"""Study shows what is there and nothing else: while a spot opens, at the end of a line, in another theme."""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Iterator

import httpx
import pytest
from playwright.sync_api import Page, Route, expect

from tests.e2e.conftest import COMPILATION, until
from tests.e2e.test_views import EXAMPLE, shown

SMALL = {
    "board": "KsTh7s4d2c",
    "pot": 100,
    "stacks": 100,
    "ranges": {"oop": "QQ,AJs", "ip": "JJ,AQs"},
    "bets": {"every": {"bet": "75%", "raise": "a"}},
    "solve": {"target": 1.0, "device": "cpu"},
}
# the colour of a point of the grid; x and y in cells from the upper left corner
PIXEL = """(canvas, [x, y]) => {
  const at = (place) => Math.round((canvas.width * place) / 13);
  return [...canvas.getContext("2d").getImageData(at(x), at(y), 1, 1).data].slice(0, 3);
}"""


@pytest.fixture(scope="module")
def river(api: httpx.Client) -> Iterator[str]:
    """The id of a small river that is solved."""
    made = api.post("solves", json={"name": "Small river", "spot": SMALL}).json()["id"]
    end = time.monotonic() + COMPILATION / 1000
    while api.get(f"solves/{made}").json()["status"] != "done":
        assert time.monotonic() < end
        time.sleep(0.05)
    yield made
    api.delete(f"solves/{made}")


def test_nothing_of_the_old_spot_stays_while_another_opens(
    open_page: Callable[..., Page], river: str
) -> None:
    page = open_page(f"{EXAMPLE}/r:0")
    shown(page, "r:0")
    held: list[Route] = []
    page.route(re.compile(f"/{river}/node.bin"), lambda route: held.append(route))  # a large file
    with page.expect_request(re.compile(f"/{river}/node.bin")):
        page.get_by_label("Solved spot").select_option(label="Small river")
    expect(page.get_by_role("status").filter(has_text="Opening")).to_have_text("Opening Small river …")
    expect(page.get_by_role("grid")).to_have_count(0)
    expect(page.locator("[data-fact]")).to_have_count(0)
    expect(page.get_by_role("group", name="Board").get_by_role("img")).to_have_count(5)  # the new board
    until(page, lambda: held)
    held[0].continue_()
    expect(page.get_by_role("grid", name="OOP, strategy")).to_be_visible()
    expect(page.locator("[data-fact=pot]")).to_have_text("100.00 chips")
    expect(page.get_by_text("Opening Small river …")).to_have_count(0)


@pytest.mark.parametrize(
    ("line", "onward", "words"),
    [
        ("r:0", "r:0:c:c", "OOP checks, IP checks"),
        ("r:0:c", "r:0:c:c", "IP checks"),
        ("r:0:b165", "r:0:b165:c", "IP calls"),
    ],
)
def test_the_way_to_the_run_outs_is_one_that_exists(
    open_page: Callable[..., Page], line: str, onward: str, words: str
) -> None:
    page = open_page(f"{EXAMPLE}/{line}?tab=runouts")
    shown(page, line)
    page.get_by_role("tabpanel").get_by_role("link", name=words, exact=True).click()
    shown(page, onward)
    expect(page.get_by_role("alert")).to_have_count(0)
    expect(page.get_by_role("group", name="Cards that can come").get_by_role("button")).to_have_count(48)


def test_no_card_is_promised_where_none_comes(open_page: Callable[..., Page], river: str) -> None:
    page = open_page(f"#/study/{river}/r:0?tab=runouts")
    shown(page, "r:0")
    expect(page.get_by_role("tabpanel")).to_contain_text("no turn or river card")
    expect(page.get_by_role("tabpanel").get_by_role("link")).to_have_count(0)


def test_the_grid_takes_a_new_theme_at_once(open_page: Callable[..., Page]) -> None:
    page = open_page(f"{EXAMPLE}/r:0")
    shown(page, "r:0")
    canvas = page.get_by_role("region", name="Range grid").locator("canvas")
    before = canvas.evaluate(PIXEL, [0.9, 12.5])
    page.get_by_role("button", name="Switch to the dark theme").click()
    expect(page.get_by_role("button", name="Switch to the light theme")).to_be_visible()
    empty = page.evaluate("getComputedStyle(document.documentElement).getPropertyValue('--cell').trim()")
    dark = [int(empty[at : at + 2], 16) for at in (1, 3, 5)]
    assert page.get_by_role("gridcell", name="A2o: not in the range").count() == 1
    assert before != dark
    # the pointer stays where it is, away from the grid; A2o is in no range of the example
    until(page, lambda: canvas.evaluate(PIXEL, [0.9, 12.5]) == dark)


def test_no_gain_is_neutral_and_the_map_has_a_legend(open_page: Callable[..., Page]) -> None:
    page = open_page(f"{EXAMPLE}/r:0?tab=exploit")
    shown(page, "r:0")
    grid = page.get_by_role("grid", name="Best response of OOP")
    expect(grid).to_be_visible()
    words = [cell.get_attribute("aria-label") or "" for cell in grid.get_by_role("gridcell").all()]
    gains = {at: float(said.split("gains ")[1]) for at, said in enumerate(words) if "gains" in said}
    least, most = min(gains, key=lambda at: gains[at]), max(gains, key=lambda at: gains[at])
    assert gains[least] == 0 < gains[most]
    canvas = grid.locator("xpath=..").locator("canvas")
    none, all_of_it = ([at % 13 + 0.9, at // 13 + 0.5] for at in (least, most))

    def colourfulness(place: list[float]) -> int:
        found = canvas.evaluate(PIXEL, place)
        return max(found) - min(found)

    until(page, lambda: colourfulness(all_of_it) > 40)  # drawn
    assert colourfulness(none) < 12  # grey
    expect(page.get_by_role("note", name="Legend")).to_contain_text("no gain")
