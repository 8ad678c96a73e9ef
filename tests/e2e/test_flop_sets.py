"""A set of flops: started from the form after one was tried, read at any line, a click opens a flop."""

from __future__ import annotations

import json
import re
from collections.abc import Callable

from playwright.sync_api import Page, Route, expect

from tests.e2e.conftest import COMPILATION, PATIENCE

FLOPS = ["Ts7h4d", "AsKh2d", "7h7d3c", "QsJsTh"]


def test_a_set_of_flops(open_page: Callable[..., Page], screenshot: Callable[[Page, str], None]) -> None:
    page = open_page("#/solve")
    _fill_in(page)
    page.get_by_text("Solve a set of flops with these settings").click()
    page.get_by_label("Flop set").select_option("own")
    page.get_by_label("Flops", exact=True).fill(" ".join(FLOPS))
    time = page.get_by_role("status", name="Time")
    expect(time).to_contain_text("not known yet: no flop of this spot was solved here")
    whole = page.get_by_label(re.compile(r"Keep whole solutions, at most [\d.]+ MB in all"))
    whole.check()
    page.get_by_role("button", name="Try one flop").click()
    expect(page).to_have_url(re.compile("flop-sets/"))
    expect(page.get_by_text(f"stopped, 1 of {len(FLOPS)}")).to_be_visible(timeout=COMPILATION)
    report = page.get_by_role("region", name="Report")
    expect(report).to_contain_text(re.compile(r"The other 3 take about [\d.]+ (ms|s|min), measured on"))
    page.get_by_role("button", name="Solve the rest").click()
    expect(page.get_by_text(f"done, {len(FLOPS)} of {len(FLOPS)}")).to_be_visible(timeout=COMPILATION)
    rows = report.get_by_role("rowgroup", name="Rows").get_by_role("row")
    expect(rows).to_have_count(len(FLOPS))
    address = page.evaluate("location.href")

    # the first actor's decision, then the answer to a check: the continuation bet of the player in position
    line = page.get_by_role("navigation", name="Line of the set")
    expect(line).to_contain_text("OOP")
    line.get_by_role("link", name="Check").click()
    expect(line.get_by_label("Here")).to_contain_text("IP")
    expect(page).to_have_url(re.compile("r:0:c$"))
    expect(report.get_by_role("columnheader", name="Played")).to_be_visible()
    heads = report.get_by_role("columnheader").all_inner_texts()
    for number, head in enumerate(heads[1:], 1):  # every column sorts
        report.get_by_role("columnheader").nth(number).get_by_role("button").click()
        shown = _numbers(page, number)
        assert shown == sorted(shown, reverse=True), head
    report.get_by_role("columnheader").last.get_by_role("button").click()
    assert _numbers(page, len(heads) - 1) == sorted(_numbers(page, len(heads) - 1))
    screenshot(page, "flop-set")
    means = report.locator("tbody.means td").all_inner_texts()
    bet = heads.index(next(head for head in heads if head.startswith("All-in"))) - 1
    assert _number(means[bet]) > 0

    # groups by texture; a group opens its flops; the file has what is shown
    page.get_by_role("radio", name="Suits").click()
    expect(rows).to_have_count(2)
    screenshot(page, "flop-set-groups")
    rows.get_by_role("button", name="Rainbow").click()
    expect(rows).to_have_count(3)
    expect(page.get_by_label("Suits")).to_have_value("rainbow")
    with page.expect_download() as loaded:
        page.get_by_role("link", name="CSV").click()
    table = loaded.value.path().read_text().splitlines()
    assert len(table) == 1 + 3
    assert "ip_ev_bb,ip_equity,ip_realisation,check,all-in 6bb" in table[0]

    # a flop opens without a solve, at the line, with the figures of the set
    figure = rows.filter(has=page.get_by_label("Open AsKh2d")).locator("td").nth(bet + 1).inner_text()
    page.get_by_role("button", name="Open AsKh2d").last.click()
    expect(page.get_by_role("navigation", name="Line r:0:c", exact=True)).to_be_visible()
    tile = page.locator("[data-action=b60] em")
    expect(tile).to_have_text(f"{round(_number(figure))}%")
    _show_rows_on_the_way(page, address)


def _fill_in(page: Page) -> None:
    page.get_by_label("Board as text").fill(FLOPS[0])
    page.get_by_label("Board as text").press("Tab")
    page.get_by_role("radio", name="chips").click()
    for label, value in (("Pot, chips", "70"), ("OOP stack", "60"), ("IP stack", "60")):
        page.get_by_label(label).fill(value)
    for player, side in (("OOP", "Out of position"), ("IP", "In position")):
        page.get_by_role("radio", name=side).click()
        field = page.get_by_label(f"{player} range as text")
        field.fill("TT+,AQs+,76s:0.5" if player == "OOP" else "99-66,AJs,KQs")
        field.press("Tab")
    for street in ("flop", "turn", "river"):
        page.get_by_label(re.compile(f"^{street} +bets$")).fill("a")
        page.get_by_label(re.compile(f"^{street} +raises$")).fill("")
    page.get_by_label("Accuracy, % pot").fill("2")
    page.get_by_label("Name").fill("A few flops")


def _number(text: str) -> float:
    return float(text.rstrip("%"))


def _numbers(page: Page, column: int) -> list[float]:
    """Return what a column of the table shows, from the top."""
    cells = page.get_by_role("rowgroup", name="Rows").locator(f"tr td:nth-child({column + 1})")
    return [_number(text) for text in cells.all_inner_texts() if text != "–"]


def _show_rows_on_the_way(page: Page, address: str) -> None:
    """Open the set as if it were under way and nothing was kept.

    An event says that flops are done, and their rows appear. A click on one asks before it solves.
    """
    told: list[str] = []

    def answer(route: Route) -> None:
        found = route.fetch(timeout=PATIENCE).json()
        route.fulfill(json={**found, "status": "running", "done": 0})

    def rows(route: Route) -> None:
        found = route.fetch(timeout=PATIENCE).json()
        kept = [{**row, "openable": False} for row in found["rows"]] if told else []
        route.fulfill(json={**found, "rows": kept, "solved": len(kept)})

    def tell(route: Route) -> None:
        told.append(route.request.url)
        state = json.dumps({"status": "running", "done": len(FLOPS)})
        route.fulfill(content_type="text/event-stream", body=f"event: state\ndata: {state}\n\n")

    page.route(re.compile(r"/api/batches/[^/]+$"), answer)
    page.route(re.compile(r"/api/batches/[^/]+/report"), rows)
    page.route(re.compile(r"/api/batches/[^/]+/events$"), tell)
    page.goto(address)
    report = page.get_by_role("region", name="Report")
    expect(report.get_by_role("rowgroup", name="Rows").get_by_role("row")).to_have_count(len(FLOPS))
    page.get_by_role("group", name="Strip chart of flops").get_by_role("button").first.click()
    expect(report).to_contain_text(re.compile("it is solved again, about"))
    page.set_viewport_size({"width": 390, "height": 800})
    assert page.evaluate("document.documentElement.scrollWidth") == 390
    report.get_by_role("button", name="Not now").click()
    expect(page).to_have_url(re.compile("flop-sets/"))
