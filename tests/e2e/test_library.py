"""The library: spots, sets and runs found by folder, tag and note; ranges kept, painted and exchanged."""

from __future__ import annotations

import re
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import httpx
import pytest
from playwright.sync_api import Locator, Page, expect

from tests.e2e.test_solve_and_study import fill


def region(page: Page, name: str) -> Locator:
    return page.get_by_role("region", name=name, exact=True)


def cell(page: Page, player: str, hand: str) -> Locator:
    return page.get_by_role("grid", name=f"{player} range").locator(f"[data-hand='{hand}']")


def test_both_ranges_suits_and_the_text_other_programs_read(open_page: Callable[..., Page]) -> None:
    page = open_page("#/solve")
    for player in ("OOP", "IP"):
        expect(page.get_by_role("grid", name=f"{player} range")).to_be_visible()
    fill(page, "OOP range as text", "QJ-T9,A8s-K7s:.99")
    expect(cell(page, "OOP", "K7s")).to_have_attribute("aria-label", "K7s: weight 99%")
    cell(page, "OOP", "22").click()
    text = page.get_by_label("OOP range as text")
    expect(text).to_have_value("22,A8s:0.99,K7s:0.99,QJs,JTs,T9s,QJo,JTo,T9o")
    suits = region(page, "Suits of 22")
    expect(suits.get_by_role("button", name=re.compile("^2.2.:"))).to_have_count(6)
    suits.locator("[data-combo='2s2h']").click()
    expect(text).to_have_value(re.compile(r"^A8s:0\.99.*,2s2d,2s2c,2h2d,2h2c,2d2c$"))
    expect(cell(page, "OOP", "22")).to_have_attribute("aria-label", "22: weight 83%")
    cell(page, "OOP", "QJs").click(button="right")  # looks at the suits and paints nothing
    suits = region(page, "Suits of QJs")
    expect(suits.locator("[data-combo='QsJs']")).to_have_attribute("aria-label", "QsJs: weight 100%")
    page.get_by_label("Weight to paint").first.fill("0.5")
    suits.locator("[data-combo='QhJh']").click()
    expect(text).to_have_value(re.compile(r",QsJs,QhJh:0\.5,QdJd,QcJc,"))
    text.fill("AA,[50.0]AKo[/50.0]")
    expect(cell(page, "OOP", "AKo")).to_have_attribute("aria-label", "AKo: weight 50%")
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    text.fill("AKo-AQo:.5,AA")
    copy = region(page, "Ranges").get_by_role("button", name="GTO+").first
    expect(cell(page, "OOP", "AQo")).to_have_attribute("aria-label", "AQo: weight 50%")
    copy.click()
    expect(region(page, "Ranges").get_by_role("button", name="Copied")).to_be_visible()
    assert page.evaluate("navigator.clipboard.readText()") == "AA,[50.0]AQo+[/50.0]"
    expect(region(page, "Ranges").get_by_role("alert")).to_have_count(0)


@pytest.fixture
def no_ranges(data_folder: Path) -> Iterator[None]:
    yield
    for path in (data_folder / "ranges").rglob("*.txt"):
        path.unlink()


def test_a_library_of_ranges(open_page: Callable[..., Page], tmp_path: Path, no_ranges: None) -> None:
    page = open_page("#/solve")
    fill(page, "OOP range as text", "QQ+,AK:.5")
    page.get_by_label("Library for OOP").click()
    dialog = page.get_by_role("dialog", name="Range library")
    dialog.get_by_label("Name for the range on the form").fill("BTN/opens")
    dialog.get_by_role("button", name="Save", exact=True).click()
    expect(dialog.get_by_role("status")).to_contain_text("Saved “BTN/opens”")
    file = tmp_path / "from gto.txt"
    file.write_text("AA,[25.0]KK,QQ[/25.0]")
    with page.expect_file_chooser() as chooser:
        dialog.get_by_text("Import files", exact=True).click()
    chooser.value.set_files(file)
    expect(dialog.get_by_role("status")).to_contain_text("Imported “from gto”")
    dialog.get_by_role("button", name="from gto").click()
    dialog.get_by_role("radio", name="GTO+").click()
    expect(dialog.get_by_label("Text of the range")).to_have_value("AA,[25.0]KK-QQ[/25.0]")
    dialog.get_by_role("button", name="Rename or move").click()
    dialog.get_by_label("New name of the range").fill("BB/calls")
    dialog.get_by_label("New name of the range").press("Enter")
    expect(dialog.get_by_role("heading", name="BB", exact=True)).to_be_visible()
    dialog.get_by_role("button", name="Delete").click()
    expect(dialog.get_by_role("button", name="calls")).to_have_count(0)
    dialog.get_by_role("button", name="Undo").click()
    expect(dialog.get_by_role("button", name="calls")).to_be_visible()
    dialog.get_by_label("Search ranges").fill("btn")
    expect(dialog.get_by_role("button", name="calls")).to_have_count(0)
    dialog.get_by_label("Search ranges").fill("heads-up 100 bb bb 3-bets 8bb")
    dialog.get_by_role("radio", name="By position").click()
    dialog.get_by_role("button", name="BB 3-bets 8bb").click()
    dialog.get_by_role("button", name="Use for OOP").click()
    expect(dialog).to_have_count(0)
    expect(page.get_by_label("OOP range as text")).to_have_value(re.compile(r"^KK\+:0\.\d+,QQ:0\.\d+"))
    page.reload()
    page.get_by_label("Library for IP").click()
    page.get_by_role("button", name="opens").click()
    page.get_by_role("button", name="Use for IP").click()
    expect(page.get_by_label("IP range as text")).to_have_value("QQ+,AKs:0.5,AKo:0.5")


@pytest.fixture
def marked_run(api: httpx.Client, data_folder: Path) -> Iterator[None]:
    """A run that has only a config; gone afterwards with all marks, whatever happens here."""
    run = data_folder / "runs" / "marked"
    run.mkdir(parents=True)
    (run / "config.yaml").write_text("name: marked\n")
    yield
    nothing = {"folder": "", "tags": [], "note": ""}
    for thing in ("solve/example", "run/marked"):
        api.put(f"library/{thing}", json=nothing)
    shutil.rmtree(run)


def test_spots_and_runs_by_folder_tag_and_note(
    open_page: Callable[..., Page], server: str, api: httpx.Client, marked_run: None
) -> None:
    page = open_page("#/solve")
    row = page.locator("tr[data-solve=example]")
    row.get_by_role("button", name="Notes").click()
    form = page.locator("form.marks")
    form.get_by_label("Folder").fill("Cash/3-bet pots")
    form.get_by_label("Tags").fill("dry, homework")
    form.get_by_label("Note").fill("check more on the turn")
    form.get_by_role("button", name="Save").click()
    expect(form).to_have_count(0)  # it closes when the server has it
    page.reload()
    expect(row).to_contain_text("check more on the turn")
    library = region(page, "Solved spots")
    search = library.get_by_label("Search the library")
    search.fill("MORE turn homework")
    expect(page.locator("tr[data-solve]")).to_have_count(1)
    search.fill("nothing like it")
    expect(library).to_contain_text("Nothing found.")
    search.fill("")
    row.get_by_role("button", name="Cash/3-bet pots").click()
    expect(library.get_by_label("Folder")).to_have_value("Cash/3-bet pots")
    library.get_by_role("button", name="Rename folder").click()
    library.get_by_label("New name of the folder").fill("Live")
    library.get_by_label("New name of the folder").press("Enter")
    expect(row.get_by_role("button", name="Live")).to_be_visible()
    library.get_by_label("Tag", exact=True).select_option("dry")
    expect(page.locator("tr[data-solve]")).to_have_count(1)
    library.get_by_role("button", name="Show all").click()
    library.get_by_role("radio", name="Runs").click()
    thing = page.locator("[data-thing=marked]")
    thing.get_by_role("button", name="Notes").click()
    form.get_by_label("Note").fill("the long one")
    form.get_by_role("button", name="Save").click()
    expect(thing).to_contain_text("the long one")
    marks = {one["id"]: one for one in api.get("library/run").json()["marks"]}
    assert marks["marked"]["note"] == "the long one"
    page.goto(f"{server}#/runs/marked")
    expect(page.get_by_text("the long one")).to_be_visible()
    page.set_viewport_size({"width": 390, "height": 844})
    page.goto(f"{server}#/solve")
    expect(row).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
