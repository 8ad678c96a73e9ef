"""The tools of Study: categories, graphs, previews, pictures, links, tables, random numbers."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import polars
import pytest
from playwright.sync_api import Page, expect

from overbet import study
from overbet.interfaces.web.example import SAVED
from overbet.solvers.vector.locking import Lock
from overbet.solvers.vector.solution import Solution
from overbet.solvers.vector.store import load
from tests.e2e.test_study_signs import river as river
from tests.e2e.test_views import EXAMPLE, fits, shown

# of the combos on show: the shares in the order of the bars, and which of them the number means
MARKED = """(combos) => combos.map((combo) => {
  const parts = [...combo.querySelectorAll(".mix > span")];
  return { shares: parts.map((one) => parseFloat(one.textContent)),
           marked: parts.map((one) => one.classList.contains("meant")) };
})"""
PHONE = {"width": 390, "height": 844}


@pytest.fixture(scope="module")
def turn() -> Solution:
    return load(SAVED)


def cell(page: Page, hand: str) -> str:
    return page.get_by_role("gridcell", name=re.compile(f"^{hand}:")).first.get_attribute("aria-label") or ""


def test_categories_say_what_top_pair_does_and_filter_the_grid(
    open_page: Callable[..., Page], screenshot: Callable[[Page, str], None], turn: Solution
) -> None:
    page = open_page(f"{EXAMPLE}/r:0?tab=categories")
    row = page.locator("[data-category=top-pair]")
    expect(row).to_be_visible()
    found = next(one for one in study.category_breakdown(turn)["made"] if one["key"] == "top-pair")
    expect(row).to_contain_text(f"{100 * found['share']:.1f}%")
    expect(row).to_contain_text(f"{found['combos']:.1f}")
    expect(row).to_contain_text(f"{found['ev_chips'] / turn.spot.big_blind:.2f}")
    said = row.get_by_role("img").get_attribute("aria-label") or ""
    assert said.startswith(f"Bet 16.5 bb {100 * found['frequencies'][2]:.1f}%")
    assert "never" not in cell(page, "AA")
    row.get_by_role("button", name="top pair").click()
    expect(page.get_by_role("gridcell", name=re.compile("^AA: does not take this line"))).to_be_visible()
    assert "never" not in cell(page, "KQs")
    screenshot(page, "study-categories")
    page.get_by_role("button", name="Show all hands").click()
    expect(page.get_by_role("gridcell", name=re.compile("^AA: Bet"))).to_be_visible()
    page.get_by_role("tab", name="Graphs").click()  # equity and EV, both of both ranges
    for name in ("Equity of both ranges", "EV (bb) of both ranges"):
        curves = page.get_by_role("img", name=name).locator("path")
        expect(curves).to_have_count(2)
        assert len(curves.first.get_attribute("d") or "") > 500
    page.get_by_role("img", name="EV (bb) of both ranges").hover()
    expect(page.get_by_text(re.compile(r"^OOP \d+\.\d\d, IP \d+\.\d\d$"))).to_be_visible()
    phone = open_page(f"{EXAMPLE}/r:0?tab=categories", size=PHONE)
    expect(phone.locator("[data-category=top-pair]")).to_be_visible()
    assert fits(phone)


def test_a_lock_is_seen_in_the_grid_before_it_is_solved(
    open_page: Callable[..., Page], turn: Solution
) -> None:
    page = open_page(f"{EXAMPLE}/r:0?tab=lock")
    shown(page, "r:0")
    before = cell(page, "KK")
    page.locator("[data-share=c]").fill("20")
    page.locator("[data-share=c]").press("Tab")
    expect(page.get_by_role("gridcell", name=re.compile("^KK: with the lock"))).to_be_visible()
    shares = [float(page.locator(f"[data-share={token}]").input_value()) for token in ("c", "b73", "b165")]
    mix = dict(zip(("c", "b73", "b165"), (share / sum(shares) for share in shares)))
    wanted = study.lock_preview(turn, Lock(line="r:0", frequencies=mix)).arrays["class_mix"]
    kings = float((re.search(r"Check ([\d.]+)%", cell(page, "KK")) or [0, -1])[1])
    assert kings == pytest.approx(100 * wanted[0, 14], abs=0.1)
    assert f"Check {kings}%" not in before
    page.get_by_label("Preview in the grid").uncheck()
    expect(page.get_by_role("gridcell", name=before, exact=True)).to_be_visible()


def test_two_solves_differ_by_ev_and_by_strategy(open_page: Callable[..., Page], river: str) -> None:
    page = open_page(f"{EXAMPLE}/r:0?tab=compare")
    page.get_by_role("radio", name="Two solves").click()
    expect(page.get_by_role("grid", name="EV of OOP in this solve less the other")).to_be_visible()
    moves = page.get_by_role("grid", name="How OOP plays in this solve less the other")
    expect(moves).to_be_visible()
    row = page.locator("[data-mix=c]")
    here, there, change = (float(text.rstrip("%")) for text in row.locator("td.num").all_inner_texts())
    assert change == pytest.approx(here - there, abs=0.11)
    queens = moves.get_by_role("gridcell", name=re.compile("^QQ: "))  # in both ranges
    expect(queens).to_have_attribute("aria-label", re.compile(r"Check [+-]?[\d.]+"))


def test_a_picture_a_link_and_a_random_number(open_page: Callable[..., Page], tmp_path: Path) -> None:
    page = open_page(f"{EXAMPLE}/r:0:c?hand=AJs&show=ev")
    shown(page, "r:0:c")
    with page.expect_download() as found:
        page.get_by_role("button", name="Save as a picture").click()
    assert found.value.suggested_filename == "Kd7h5c2s-r-0-c.png"
    found.value.save_as(tmp_path / "node.png")
    data = (tmp_path / "node.png").read_bytes()
    assert data[:8] == b"\x89PNG\r\n\x1a\n"
    wide, tall = (int.from_bytes(data[at : at + 4], "big") for at in (16, 20))
    assert wide >= 640
    assert tall > wide
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.get_by_role("button", name="Copy a link to this place").click()
    expect(page.get_by_role("status").get_by_text("Copied")).to_be_visible()
    address = page.evaluate("navigator.clipboard.readText()")
    page.keyboard.press("r")
    number = page.locator("[data-random]")
    numbers = set()
    for _ in range(4):  # four times the same number: once in a million
        numbers.add(int(number.get_attribute("data-random") or -1))
        page.keyboard.press("r")
    drawn = int(number.get_attribute("data-random") or -1)
    assert len({*numbers, drawn}) > 1
    assert all(0 <= one <= 99 for one in (*numbers, drawn))
    combos = page.get_by_role("region", name="Combos of the hand").get_by_role("article")
    expect(combos.locator(".meant")).to_have_count(combos.count())  # one action of every combo
    for combo in combos.evaluate_all(MARKED):
        sums = [sum(combo["shares"][: at + 1]) for at in range(len(combo["shares"]))]
        marked = combo["marked"].index(True)
        assert (sums[marked - 1] if marked else 0) - 0.6 <= drawn + 0.5 <= sums[marked] + 0.6
    other = open_page("")
    other.goto(address)
    shown(other, "r:0:c")
    expect(other.get_by_role("grid", name="IP, ev")).to_be_visible()
    expect(other.get_by_role("heading", name="AJs")).to_be_visible()


def test_the_run_outs_are_kept_as_a_table(open_page: Callable[..., Page], tmp_path: Path) -> None:
    page = open_page(f"{EXAMPLE}/r:0:c:c?tab=runouts")
    with page.expect_download() as found:
        page.get_by_role("tabpanel").get_by_role("link", name="CSV").click()
    found.value.save_as(tmp_path / "cards.csv")
    frame = polars.read_csv(tmp_path / "cards.csv")
    assert len(frame) == 48
    assert frame["probability"].sum() == pytest.approx(1)
