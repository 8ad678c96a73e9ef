"""A reader sets up the river of the anchors by clicking, solves it, studies it, locks a node, keeps it."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
import yaml
from playwright.sync_api import Locator, Page, Route, expect

import overbet
from tests.e2e.conftest import COMPILATION, Readers, until

EXAMPLES = Path(__file__).parents[2] / "examples"
RIVER = EXAMPLES / "river.yaml"
REDRAW = 50.0  # ms


def fill(page: Page, label: str, value: object) -> None:
    field = page.get_by_label(label, exact=True)
    field.fill(str(value))
    field.press("Tab")


def set_up_river(page: Page) -> None:
    """Fill the form from the example's file, with the mouse and the keyboard."""
    spot = yaml.safe_load(RIVER.read_text())
    page.get_by_role("button", name="Clear").first.click()
    for card in re.findall("..", spot["board"]):
        page.locator(f"[data-card='{card}']").click()
    page.get_by_role("radio", name="chips").click()
    fill(page, "Pot, chips", spot["pot"])
    fill(page, "OOP stack, chips", spot["stacks"])
    fill(page, "IP stack, chips", spot["stacks"])
    fill(page, "Big blind, chips", 0)
    page.get_by_role("button", name="Rake and all-in thresholds").click()
    for label in ("Add all-in", "Force all-in", "Merge sizes"):
        fill(page, label, 0)
    page.get_by_role("button", name="Rake and all-in thresholds").click()
    fill(page, "OOP range as text", spot["ranges"]["oop"])
    page.get_by_role("radio", name="In position").click()
    fill(page, "IP range as text", spot["ranges"]["ip"])
    page.get_by_role("button", name="Rich", exact=True).click()
    fill(page, "Accuracy, % pot", spot["solve"]["target"])
    fill(page, "Name", "River anchor")


def solve_now(page: Page) -> None:
    button = page.get_by_role("button", name="Solve", exact=True)
    expect(button).to_be_enabled()
    button.click()


def line_at(page: Page, line: str) -> None:
    """Wait until the page shows a line."""
    expect(page.get_by_role("navigation", name=f"Line {line}", exact=True)).to_be_visible()


def spot_name(page: Page) -> Locator:
    """Return the name of the spot on show."""
    return page.locator("select option:checked").first


def frequencies(page: Page) -> dict[str, float]:
    """Return what the tiles show, in percent."""
    tiles = page.locator("[data-tile]")
    shown = {}
    for number in range(tiles.count()):
        tile = tiles.nth(number)
        shown[tile.get_attribute("data-tile") or ""] = float(tile.locator("b").inner_text().rstrip("%"))
    return shown


@pytest.fixture(scope="module")
def river(
    open_page: Callable[..., Page], readers: Readers, screenshot: Callable[[Page, str], None]
) -> Iterator[Page]:
    """The page after the river was set up by clicking, solved and opened; closed after this file's tests."""
    page = open_page("#/solve")
    set_up_river(page)
    expect(page.locator("[data-memory]")).to_be_visible()
    solve_now(page)
    expect(page.locator("[data-status=done]")).to_be_visible(timeout=COMPILATION)
    assert int(page.locator("svg[data-points]").get_attribute("data-points") or 0) >= 1
    screenshot(page, "solve")
    page.get_by_role("link", name="Study it").click()
    line_at(page, "r:0")
    yield page
    readers.close(page)


@pytest.fixture(scope="module")
def solution() -> overbet.Solution:
    return overbet.solve(RIVER)


def test_the_page_shows_what_the_python_api_says(river: Page, solution: overbet.Solution) -> None:
    line_at(river, "r:0")
    node = solution.node("r:0")
    wanted = dict(zip((a.token for a in node.actions), 100 * node.seat().frequencies()))
    shown = frequencies(river)
    assert shown.keys() == wanted.keys()
    for token, share in wanted.items():
        assert shown[token] == pytest.approx(share, abs=0.06), token
    facts = {name: river.locator(f"[data-fact={name}]").inner_text() for name in ("pot", "spr", "ev-oop")}
    assert facts["pot"] == "100.00 chips"
    assert facts["spr"] == "5.00"
    assert float(facts["ev-oop"].split()[0]) == pytest.approx(solution.ev("oop"), abs=0.006)


def test_a_cell_shows_its_combos_as_the_api_has_them(river: Page, solution: overbet.Solution) -> None:
    cell = river.get_by_role("gridcell", name=re.compile("^AKs:"))
    said = cell.get_attribute("aria-label") or ""
    row = solution.node("r:0").hand("AKs")
    check = float(re.search(r"Check ([\d.]+)%", said)[1])
    assert check == pytest.approx(100 * row["check"], abs=0.06)
    cell.click()
    combos = river.get_by_role("region", name="Combos of the hand")
    expect(combos.get_by_role("article")).to_have_count(3)  # the king of spades lies on the board
    expect(river.locator("tr[data-combo].chosen")).to_have_count(3)
    expect(river).to_have_url(re.compile("hand=AKs"))
    cell.click()
    expect(river.locator("tr[data-combo].chosen")).to_have_count(0)


def test_walking_the_line_and_back(river: Page, solution: overbet.Solution) -> None:
    river.locator("[data-action=c]").click()
    line_at(river, "r:0:c")
    river.locator("[data-action=b75]").click()
    line_at(river, "r:0:c:b75")
    node = solution.node("r:0:c:b75")
    assert river.locator("[data-fact=odds]").inner_text() == f"{100 * node.pot_odds:.1f}%"
    for token, share in zip((a.token for a in node.actions), 100 * node.seat().frequencies()):
        assert frequencies(river)[token] == pytest.approx(share, abs=0.06)
    river.keyboard.press("Backspace")
    line_at(river, "r:0:c")
    river.get_by_role("radio", name="EV", exact=True).click()
    expect(river).to_have_url(re.compile("show=ev"))
    river.reload()
    line_at(river, "r:0:c")
    expect(river.get_by_role("grid", name="IP, ev")).to_be_visible()
    river.get_by_role("radio", name="Strategy", exact=True).click()
    river.go_back()
    line_at(river, "r:0:c:b75")


def test_a_line_that_is_never_played_opens(river: Page) -> None:
    river.evaluate("location.hash = location.hash.replace(/r:0.*$/, 'r:0:b500:c')")
    line_at(river, "r:0:b500:c")
    expect(river.get_by_text("Showdown.")).to_be_visible()
    river.evaluate("location.hash = location.hash.replace(/r:0.*$/, 'r:0:b33')")
    line_at(river, "r:0:b33")


def test_the_grid_redraws_within_its_time(river: Page) -> None:
    for _ in range(3):
        for line in ("r:0", "r:0:c", "r:0:c:b75", "r:0:c:b150", "r:0:b33"):
            river.evaluate(f"location.hash = location.hash.replace(/r:0[^?]*/, '{line}')")
            line_at(river, line)
    taken = river.evaluate("performance.getEntriesByName('grid-redraw').map((entry) => entry.duration)")
    assert len(taken) >= 10
    assert sorted(taken)[len(taken) // 4] < REDRAW, taken  # the quarter the machine was least busy in


def test_an_error_of_a_line_is_said_in_words(river: Page) -> None:
    river.evaluate("location.hash = location.hash.replace(/r:0[^?]*/, 'r:0:b77')")
    expect(river.get_by_role("alert").first).to_contain_text("b77")
    river.evaluate("location.hash = location.hash.replace(/r:0[^?]*/, 'r:0')")
    expect(river.get_by_role("alert")).to_have_count(0)
    line_at(river, "r:0")


def test_locking_a_node_and_solving_again(river: Page, screenshot: Callable[[Page, str], None]) -> None:
    before = river.evaluate("location.href")  # the driver hears of a new address later than the page
    river.evaluate("location.hash = location.hash.replace(/r:0[^?]*/, 'r:0:c')")
    line_at(river, "r:0:c")
    river.get_by_role("tab", name="Lock", exact=True).click()
    field = river.locator("[data-share=c]")
    field.fill("90")
    field.press("Tab")
    river.get_by_role("button", name="Lock this decision").click()
    screenshot(river, "study-lock")
    river.get_by_role("button", name="Solve again with 1 lock").click()
    river.wait_for_url(lambda url: url.split("/study/")[1].split("/")[0] not in before, timeout=COMPILATION)
    expect(spot_name(river)).to_have_text("River anchor, 1 lock")
    line_at(river, "r:0:c")
    assert frequencies(river)["c"] == pytest.approx(90, abs=1)
    river.reload()  # the deep link finds the locked spot again
    line_at(river, "r:0:c")
    assert frequencies(river)["c"] == pytest.approx(90, abs=1)
    river.goto(before)
    line_at(river, "r:0")


def test_locking_by_painting_the_grid(river: Page) -> None:
    river.get_by_role("tab", name="Lock", exact=True).click()
    river.get_by_role("radio", name="By hand").click()
    river.locator("[data-share=c]").fill("100")
    river.locator("[data-share=c]").press("Tab")
    for hand in ("AA", "KK"):
        river.get_by_role("gridcell", name=re.compile(f"^{hand}:")).first.click()
    river.get_by_role("button", name="Lock this decision (2 hands)").click()
    river.get_by_role("button", name="Solve again with 1 lock").click()
    expect(spot_name(river)).to_have_text("River anchor, 1 lock", timeout=COMPILATION)
    cell = river.get_by_role("gridcell", name=re.compile("^AA:")).first
    expect(cell).to_have_attribute("aria-label", re.compile(r"Check 100\.0%"))


def test_saving_and_loading_a_file(open_page: Callable[..., Page], river: Page, tmp_path: Path) -> None:
    page = open_page("#/solve")
    rows = page.locator("tr[data-solve]", has_text="River anchor")
    expect(rows.first).to_be_visible()
    count = rows.count()
    with page.expect_download() as download:
        rows.last.get_by_role("link", name="Download").click()
    path = tmp_path / "kept.h5"
    download.value.save_as(path)
    assert overbet.load(path).spot.board == "KsTh7s4d2c"
    page.locator("input[type=file]").set_input_files(path)
    expect(page.locator("tr[data-solve]", has_text="kept")).to_be_visible()
    assert page.locator("tr[data-solve]").count() > count


def test_rubbish_is_refused_in_words(open_page: Callable[..., Page], tmp_path: Path) -> None:
    page = open_page("#/solve")
    upload_faults = tmp_path / "upload_faults.h5"
    upload_faults.write_bytes(b"this is no solution" * 50)
    page.locator("input[type=file]").set_input_files(upload_faults)
    alert = page.get_by_role("region", name="Solved spots").get_by_role("alert")
    expect(alert).to_contain_text("upload_faults.h5:")


def test_faults_of_the_form_appear_at_their_field(open_page: Callable[..., Page]) -> None:
    page = open_page("#/solve")
    fill(page, "OOP range as text", "AKx")
    expect(page.get_by_role("region", name="Ranges").get_by_role("alert").first).to_contain_text("AKx")
    fill(page, "OOP range as text", "QQ+,AKs:0.5")
    expect(page.get_by_role("region", name="Ranges").get_by_role("alert")).to_have_count(0)
    page.get_by_label("flop bets").or_(page.get_by_label("flop  bets")).first.fill("33q")
    expect(page.get_by_role("region", name="Bet sizes").get_by_role("alert").first).to_contain_text("33")


def test_painting_a_range_writes_its_text(open_page: Callable[..., Page]) -> None:
    """Painting while the text is still being read waits for it, and is painted on what it says."""
    page = open_page("#/solve")
    held: list[Route] = []
    let_go = False

    def reading(route: Route) -> None:
        if let_go:
            route.continue_()
        else:
            held.append(route)  # the text is read when it is let go

    page.route("**/api/ranges/parse", reading)
    fill(page, "OOP range as text", "AA")
    until(page, lambda: held)
    grid = page.get_by_role("grid", name="OOP range")
    kings, jacks = (grid.locator(f"[data-hand={hand}]").bounding_box() for hand in ("KK", "JJ"))
    assert kings
    assert jacks
    page.mouse.move(kings["x"] + 8, kings["y"] + 8)
    page.mouse.down()
    for step in range(1, 9):
        page.mouse.move(
            kings["x"] + 8 + step / 8 * (jacks["x"] - kings["x"]),
            kings["y"] + 8 + step / 8 * (jacks["y"] - kings["y"]),
        )
    page.mouse.up()
    expect(page.get_by_label("OOP range as text")).to_have_value("AA")
    let_go = True
    for route in held:
        route.continue_()
    expect(page.get_by_label("OOP range as text")).to_have_value("JJ+")


def test_cancelling_a_solve(open_page: Callable[..., Page]) -> None:
    page = open_page("#/solve")
    page.get_by_label("Example spot").select_option("quick")
    fill(page, "Accuracy, % pot", 0)
    fill(page, "Iterations, at most", 1_000_000)
    fill(page, "Name", "To be cancelled")
    solve_now(page)
    expect(page.locator("[data-status=running]")).to_be_visible(timeout=COMPILATION)
    page.get_by_role("region", name="Progress").get_by_role("button", name="Cancel").click()
    expect(page.locator("[data-status=stopped]")).to_be_visible(timeout=COMPILATION)
    expect(page.get_by_role("button", name="Solve", exact=True)).to_be_enabled()


def test_units(river: Page) -> None:
    river.goto(
        re.sub(r"/r:0.*$", "/r:0", river.evaluate("location.href"))
    )  # wherever the tests before have left it
    line_at(river, "r:0")
    river.get_by_role("radio", name="% pot", exact=True).click()
    expect(river.locator("[data-fact=pot]")).to_have_text("100.00 % pot")
    river.get_by_role("radio", name="bb", exact=True).click()
    kept = json.loads(river.evaluate("localStorage.overbet"))
    assert kept["unit"] == "bb"
