"""The server dies while the page is open: the page says so, and goes on when there is one again."""

from __future__ import annotations

import re
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.e2e.conftest import COMPILATION, PATIENCE, SIZE
from tests.e2e.test_solve_and_study import fill
from tests.interfaces.web.server import Server

NO_ANSWER = re.compile("the server does not answer")


@pytest.fixture
def mortal(tmp_path: Path) -> Iterator[Server]:
    """A server of its own, that may be killed; it is gone afterwards, whatever happens here."""
    found = Server(tmp_path)
    yield found
    found.process.kill()
    found.process.wait()
    found.client.close()


@pytest.fixture
def page(chromium: Browser, mortal: Server) -> Iterator[Page]:
    context = chromium.new_context(viewport=SIZE)
    context.set_default_timeout(PATIENCE)
    found = context.new_page()
    found.goto(f"{mortal.address}/#/solve")
    yield found
    context.close()


def test_a_dead_server_is_told(page: Page, mortal: Server) -> None:
    page.get_by_label("Example spot").select_option("quick")
    fill(page, "Accuracy, % pot", 0)
    fill(page, "Iterations, at most", 1_000_000)
    fill(page, "Name", "Left alone")
    page.get_by_role("button", name="Solve", exact=True).click()
    expect(page.locator("[data-status=running]")).to_be_visible(timeout=COMPILATION)
    row = page.locator("tr[data-solve]", has_text="Left alone")
    expect(row).to_contain_text("running")
    worker = mortal.worker()
    mortal.process.kill()
    mortal.process.wait(60)
    progress = page.get_by_role("region", name="Progress")
    expect(page.locator("[data-status=gone]")).to_be_visible()
    expect(progress).to_contain_text(NO_ANSWER)
    expect(progress.get_by_text("Left", exact=True)).to_have_count(0)
    expect(progress.get_by_text("Solving")).to_have_count(0)
    listed = page.get_by_role("region", name="Solved spots")
    expect(listed.get_by_role("alert")).to_contain_text(NO_ANSWER)
    expect(row).to_contain_text("not known")
    # the list made anew does not say that there is nothing
    page.get_by_role("link", name="Runs", exact=True).click()
    page.get_by_role("link", name="Solve", exact=True).click()
    expect(listed.get_by_role("alert")).to_contain_text(NO_ANSWER)
    expect(listed).not_to_contain_text("Nothing solved yet")
    end = time.monotonic() + 60
    while Path(f"/proc/{worker}").exists() and time.monotonic() < end:  # it saves, and ends by itself
        time.sleep(0.05)
