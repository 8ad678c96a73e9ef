"""A solve under way: how long it will take, what it does before the first look, and its strategy so far."""

from __future__ import annotations

import re
from collections.abc import Callable

import httpx
from playwright.sync_api import Page, expect

from tests.e2e.conftest import COMPILATION
from tests.interfaces.web.server import ENDLESS

# its first look would come after a hundred thousand iterations
LATE = {**ENDLESS, "solve": {**ENDLESS["solve"], "check_every": 100_000}}


def test_a_solve_is_watched_and_browsed_from_its_first_iterations(
    open_page: Callable[..., Page], api: httpx.Client, screenshot: Callable[[Page, str], None]
) -> None:
    page = open_page("#/solve")
    expected = page.locator("[data-fact=expected]")
    expect(expected).to_have_text(re.compile(r"About .+ to 0\.5% pot .*iterations are usual, .+ each"))
    made = api.post("solves", json={"name": "Late looks", "spot": LATE}).json()["id"]
    try:
        page.reload()
        progress = page.get_by_role("region", name="Progress")
        expect(progress.locator("[data-fact=iteration]")).to_have_text(
            re.compile(r"^[\d,]+$"), timeout=COMPILATION
        )
        expect(progress.get_by_role("img")).to_have_attribute("data-points", "0")  # no look yet
        progress.get_by_role("link", name="Browse it while it solves").click()
        sign = page.get_by_role("status", name="Still solving")
        shown = sign.locator("[data-fact=shown]")
        expect(shown).to_have_text(re.compile(r"^[\d,]+$"))
        expect(page.get_by_role("grid").first).to_be_visible()
        first = shown.inner_text()
        expect(sign.locator("[data-fact=now]")).not_to_have_text(first)
        screenshot(page, "study-still-solving")
        page.get_by_role("button", name="Refresh").click()
        expect(shown).not_to_have_text(first)
        assert api.get(f"solves/{made}").json()["status"] == "running"
    finally:
        api.post(f"solves/{made}/cancel", json={})
    expect(sign).to_have_count(0)  # the end is on show by itself
    expect(page.get_by_role("grid").first).to_be_visible()
