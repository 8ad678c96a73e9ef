"""A report over a few flops: started from the form, read as strip chart and table, a click opens a flop."""

from __future__ import annotations

import json
import re
from collections.abc import Callable

from playwright.sync_api import Page, Route, expect

from tests.e2e.conftest import COMPILATION

FLOPS = ["Ts7h4d", "AsKh2d", "7h7d3c", "QsJsTh"]


def test_a_set_of_flops(open_page: Callable[..., Page], screenshot: Callable[[Page, str], None]) -> None:
    page = open_page("#/solve")
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
    page.get_by_text("Solve a set of flops with these settings").click()
    page.get_by_label("Flop set").select_option("own")
    page.get_by_label("Flops", exact=True).fill(" ".join(FLOPS))
    page.get_by_role("button", name="Start").click()
    expect(page).to_have_url(re.compile("flop-sets/"))
    expect(page.get_by_text(f"done, {len(FLOPS)} of {len(FLOPS)}")).to_be_visible(timeout=COMPILATION)
    report = page.evaluate("location.href")
    table = page.get_by_role("region", name="Report").get_by_role("table")
    expect(table.locator("tbody tr")).to_have_count(len(FLOPS))

    def evs() -> list[float]:
        return [float(text) for text in table.locator("tbody tr td:nth-child(2)").all_inner_texts()]

    assert evs() == sorted(evs(), reverse=True)
    table.get_by_role("button", name="EV OOP").click()
    assert evs() == sorted(evs())
    screenshot(page, "flop-set")
    page.get_by_role("group", name="Strip chart of flops").get_by_role("button").first.click()
    expect(page.get_by_role("navigation", name="Line r:0", exact=True)).to_be_visible()
    _show_rows_on_the_way(page, report)


def _show_rows_on_the_way(page: Page, report: str) -> None:
    """Open the report as if it were under way: an event says that flops are done, and their rows appear."""
    asked: list[str] = []

    def answer(route: Route) -> None:
        found = route.fetch().json()
        asked.append(route.request.url)
        first = {"status": "running", "done": 0, "rows": []}
        route.fulfill(json={**found, **(first if len(asked) == 1 else {"status": "running"})})

    def tell(route: Route) -> None:
        state = json.dumps({"status": "running", "done": len(FLOPS)})
        route.fulfill(content_type="text/event-stream", body=f"event: state\ndata: {state}\n\n")

    page.route(re.compile(r"/api/batches/[^/]+$"), answer)
    page.route(re.compile(r"/api/batches/[^/]+/events$"), tell)
    page.goto(report)
    rows = page.get_by_role("region", name="Report").get_by_role("table").locator("tbody tr")
    expect(rows).to_have_count(len(FLOPS))
    page.unroute_all()
