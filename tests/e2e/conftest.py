"""One server on a fresh data folder and one headless Chromium for the whole run.

Screenshots go to the folder named by OVERBET_SCREENSHOTS, or to a temporary one. Anything the browser
reports as an error (a script that fails, a breach of the content security policy) fails the test.
"""

from __future__ import annotations

import os
import re
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TypeVar

import httpx
import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect, sync_playwright

# the first is Chromium without a window of its own, which takes half the processor time
PROGRAMS = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
FLAGS = ["--headless", "--no-sandbox", "--disable-gpu", "--disable-background-networking", "--no-first-run"]
SIZE = {"width": 1280, "height": 720}
PATIENCE = 300_000  # ms; the machine may be busy, and the server may be compiling what it is asked for
COMPILATION = 900_000  # ms; the first solve and the first hand may have to compile their kernels
UNDER_WAY = ("queued", "running", "saving")
expect.set_options(timeout=PATIENCE)

Found = TypeVar("Found")


def until(page: Page, look: Callable[[], Found]) -> Found:
    """Return what `look` finds as soon as that is something; the page goes on meanwhile."""
    end = time.monotonic() + PATIENCE / 1000
    while not (found := look()):
        assert time.monotonic() < end, "it does not come"
        page.wait_for_timeout(20)
    return found


@pytest.fixture(scope="session")
def chromium() -> Iterator[Browser]:
    found = next(filter(None, map(shutil.which, PROGRAMS)), None)
    if found is None:
        pytest.skip("no Chromium on this machine; install it (Debian: apt-get install chromium)")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=found, args=FLAGS, timeout=PATIENCE)
        yield browser
        browser.close()


@pytest.fixture(scope="session")
def data_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("page-data")


@pytest.fixture(scope="session")
def server(data_folder: Path) -> Iterator[str]:
    """The address of `overbet serve`, a process of its own as for a user."""
    command = [
        sys.executable,
        "-m",
        "overbet",
        "serve",
        "--port",
        "0",
        "--data",
        str(data_folder),
        "--no-open",
        "--review",
        "32000",
    ]
    environment = {**os.environ, "PYTHONUNBUFFERED": "1"}
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment)
    assert process.stdout is not None
    line = process.stdout.readline()
    address = re.search(r"http://127\.0\.0\.1:\d+/", line)
    assert address, f"the server did not say where the page is: {line!r}"
    yield address[0]
    process.send_signal(signal.SIGINT)
    try:
        process.wait(COMPILATION / 1000)
    except subprocess.TimeoutExpired:
        process.kill()
        raise


@pytest.fixture(scope="session")
def api(server: str) -> Iterator[httpx.Client]:
    """The server asked without the page: as patient as the page's tests are."""
    with httpx.Client(base_url=f"{server}api/", timeout=COMPILATION / 1000) as client:
        yield client


def stop_all(api: httpx.Client) -> None:
    """Stop what is queued or under way, and wait for its end: the next test's work would stand behind it."""
    begun = {
        (kind, work["id"])
        for kind in ("solves", "batches", "work")
        for work in api.get(kind).json()[kind]
        if work["status"] in UNDER_WAY
    }
    for kind, id in begun:
        api.post(f"{kind}/{id}/cancel", json={})  # refused where it ended just now
    end = time.monotonic() + COMPILATION / 1000
    for kind, id in begun:
        while api.get(f"{kind}/{id}").json()["status"] in UNDER_WAY:
            assert time.monotonic() < end, f"{kind}/{id} does not stop"
            time.sleep(0.02)


class Readers:
    """Who has a page open. Each comes with nothing stored, in light or dark, at a size of window.

    A browser starts new processes for every context, which costs more than the page itself. So readers follow
    each other in one context whose storage is emptied; who comes while another is still there gets a new one.
    """

    def __init__(self, browser: Browser, address: str) -> None:
        self.browser, self.address = browser, address
        self.open: list[Page] = []
        self.faults: list[str] = []  # what the browser reported as an error
        self.usual = self._context()
        self.usual.new_page()  # stays: the processes of a context end with its last page

    def _context(self) -> BrowserContext:
        return self.browser.new_context(viewport=SIZE, accept_downloads=True)

    def page(self, theme: str, size: dict[str, int]) -> Page:
        """Return an empty page of a new reader."""
        alone = all(page.context is not self.usual for page in self.open)
        context = self.usual if alone else self._context()
        context.set_default_timeout(PATIENCE)
        context.clear_permissions()
        page = context.new_page()
        tools = context.new_cdp_session(page)
        origin = self.address.rstrip("/")
        tools.send("Storage.clearDataForOrigin", {"origin": origin, "storageTypes": "all"})
        tools.detach()
        page.set_viewport_size(size)
        page.emulate_media(color_scheme=theme)
        self.open.append(page)
        return page

    def leave(self, before: int) -> None:
        """Close the pages of all but the first `before` readers."""
        while len(self.open) > before:
            self.close(self.open[-1])

    def close(self, page: Page) -> None:
        """Close the page of a reader; handlers of its requests that are still at work end first."""
        self.open.remove(page)
        page.unroute_all(behavior="wait")
        if page.context is self.usual:
            page.close()
        else:
            page.context.close()


@pytest.fixture(scope="session")
def readers(chromium: Browser, server: str) -> Iterator[Readers]:
    found = Readers(chromium, server)
    yield found
    found.leave(0)
    found.usual.close()


@pytest.fixture(autouse=True)
def _pages_of_a_test_are_closed(request: pytest.FixtureRequest) -> Iterator[None]:
    """Close what a test opened and stop what it began, also when it fails.

    A page that stays open goes on asking the server; a solve that goes on lets all later ones wait.
    """
    if "open_page" not in request.fixturenames:
        yield
        return
    readers: Readers = request.getfixturevalue("readers")
    api: httpx.Client = request.getfixturevalue("api")
    before = len(readers.open)  # those of the file's own fixtures stay
    yield
    try:
        readers.leave(before)
    finally:
        stop_all(api)
    faults, readers.faults = readers.faults, []
    assert not faults, "\n".join(faults)


@pytest.fixture(scope="session")
def open_page(readers: Readers) -> Callable[..., Page]:
    """Open the page at an address such as `#/solve`: a fresh reader, in light or dark."""

    def opened(
        where: str = "", *, theme: str = "light", guide: bool = False, size: dict[str, int] = SIZE
    ) -> Page:
        page = readers.page(theme, size)
        if not guide:
            page.add_init_script("localStorage.overbet ??= JSON.stringify({guide: false})")
        page.on("pageerror", lambda error: readers.faults.append(str(error)))
        page.on(
            "console", lambda message: readers.faults.append(message.text) if _is_fault(message) else None
        )
        page.goto(readers.address + where)
        return page

    return opened


def _is_fault(message) -> bool:
    """Errors other than the browser's note of a refused request, which the page shows in words."""
    return message.type == "error" and not message.text.startswith("Failed to load resource")


@pytest.fixture(scope="session")
def screenshot(tmp_path_factory: pytest.TempPathFactory) -> Callable[[Page, str], None]:
    named = os.environ.get("OVERBET_SCREENSHOTS")
    folder = Path(named) if named else tmp_path_factory.mktemp("screenshots")
    folder.mkdir(parents=True, exist_ok=True)

    def take(page: Page, name: str) -> None:
        page.mouse.move(1, 1)
        path = folder / f"{name}.png"
        page.screenshot(path=path, animations="disabled")
        assert path.stat().st_size > 10_000

    return take
