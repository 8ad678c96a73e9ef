"""Amounts in the unit the reader chose, actions in words, and a spot carried over from a blueprint."""

from __future__ import annotations

import re
from collections.abc import Callable

from playwright.sync_api import Page, expect

from overbet.blueprint.catalogue import SHIPPED
from overbet.blueprint.query import Blueprint
from tests.e2e.conftest import COMPILATION
from tests.e2e.test_solve_and_study import fill
from tests.e2e.test_solve_form import one_bet_on_a_river, panel, size_field, solve_button

HOME = "#/blueprints/shipped-heads-up"


def unit(page: Page, name: str) -> None:
    page.get_by_role("radio", name=name, exact=True).click()


def test_half_blinds_are_typed_and_everything_follows_the_unit(open_page: Callable[..., Page]) -> None:
    page = open_page("#/solve")
    one_bet_on_a_river(page)
    fill(page, "Pot, bb", 5.5)
    fill(page, "OOP stack, bb", 97.5)
    fill(page, "IP stack, bb", 97.5)
    first = panel(page, "Tree and solve").locator("p", has_text="First to act:")
    expect(first).to_contain_text("Bet 3.6 bb")
    expect(solve_button(page)).to_be_enabled()
    expect(page.locator(".form").get_by_role("alert")).to_have_count(0)
    # hundredths, which make a big blind of more chips inside; finer amounts are rounded, as is said
    fill(page, "Pot, bb", 5.25)
    expect(first).to_contain_text("Bet 3.47 bb")
    expect(page.get_by_label("OOP stack, bb")).to_have_value("97.5")
    expect(panel(page, "Pot and stacks")).to_contain_text("to 0.01 bb; finer ones are rounded")
    size_field(page, "bets").fill("4bb")
    expect(first).to_contain_text("Bet 4 bb")
    unit(page, "chips")
    expect(first).to_contain_text("Bet 400")
    expect(page.get_by_label("Pot, chips")).to_have_value("525")
    expect(page.get_by_label("Big blind, chips")).to_have_value("100")
    row = page.locator("tr[data-solve=example]")
    expect(row).to_contain_text("chips")
    unit(page, "bb")
    expect(row).to_contain_text(re.compile(r"[\d.]+ / [\d.]+ bb"))


def test_the_bet_box_takes_big_blinds(open_page: Callable[..., Page]) -> None:
    page = open_page("#/play")
    page.locator("[data-sit='heads-up tag']").click()
    ready = page.locator("[data-play]:not([disabled])")
    expect(ready.first).to_be_visible(timeout=COMPILATION)
    while not page.locator("[data-play=raise]").count():  # the opponent folded at once, or raised all-in
        ready.last.click()
        expect(ready.first).to_be_visible()  # they are not to be pressed while the table is asked
    expect(page.get_by_text(re.compile(r"^Blinds 0\.5/1\.0 bb$"))).to_be_visible()
    page.get_by_label("Size of the bet in bb").fill("6.5")
    expect(page.locator("[data-play=raise]")).to_contain_text("6.50 bb")
    unit(page, "chips")
    expect(page.get_by_label("Size of the bet in chips")).to_have_value("650")
    result = page.get_by_role("region", name="Result")
    for words in ("Actual winnings", "Luck-adjusted", "bb/100", "mbb/hand"):
        expect(result).to_contain_text(words)


def test_lines_and_facts_are_said_in_words(open_page: Callable[..., Page]) -> None:
    page = open_page("#/study/example/r:0:c?tab=lock")
    expect(page.get_by_text("Set how often IP takes each action here.")).to_be_visible()
    page.get_by_role("button", name="Lock this decision").click()
    locks = page.get_by_role("listitem").filter(has=page.get_by_role("button", name=re.compile("^Remove")))
    expect(locks.get_by_role("link", name="OOP checks", exact=True)).to_be_visible()
    expect(locks).to_contain_text(re.compile(r"Check [\d.]+%, Bet 7\.3 bb [\d.]+%"))
    expect(page.get_by_role("tabpanel")).not_to_contain_text("r:0")
    page.get_by_role("tab", name="Combos").click()
    expect(page.get_by_label("show hands that do not take this line")).to_be_visible()
    page.goto(re.sub(r"#.*", f"{HOME}/r:0", page.url))
    about = page.get_by_role("region", name="About this blueprint")
    for words in ("Linear CFR", "whole boards", "Training iterations"):
        expect(about).to_contain_text(words)
    expect(about).not_to_contain_text("lcfr")
    expect(page.get_by_text(re.compile("training saw 100.0% of the hand groups here"))).to_be_visible()
    expect(page.locator(".tile").filter(has_text="All-in 100 bb")).to_be_visible()
    unit(page, "chips")
    expect(page.locator(".tile").filter(has_text="All-in 10000")).to_be_visible()


def test_a_line_of_a_blueprint_is_carried_into_the_form(open_page: Callable[..., Page]) -> None:
    page = open_page(f"{HOME}/r:0")
    page.get_by_role("region", name="Range of an action").get_by_label("Action").select_option("Raise 2 bb")
    page.get_by_role("button", name="Solve with it").click()
    expect(page.get_by_label("Pot, bb")).to_have_value("4")
    expect(page.get_by_label("Name")).to_have_value("BB against SB: SB Raise 2 bb, BB Call")
    expect(page.get_by_label("Board as text")).to_have_value("")
    page.goto(re.sub(r"#.*", f"{HOME}/r:0:b200:c:As8d3c:c", page.url))
    page.get_by_role("button", name="Solve this flop").click()
    expect(page.get_by_label("Board as text")).to_have_value("As8d3c")
    for label in ("OOP stack, bb", "IP stack, bb"):
        expect(page.get_by_label(label)).to_have_value("98")
    blueprint = Blueprint.load(SHIPPED / "heads-up.h5")
    for player, tab, line, token in (("OOP", "Out of", "r:0:b200", "c"), ("IP", "In", "r:0", "b200")):
        page.get_by_role("radio", name=f"{tab} position").click()
        grid = page.get_by_role("grid", name=f"{player} range")
        shares = []
        for hand, cards in (("T9s", "Th9h"), ("72o", "7d2c"), ("QJo", "QhJd"), ("55", "5h5d")):
            share = float(blueprint.strategy(line, cards)[blueprint.tokens(line).index(token)])
            words = f"weight {100 * round(share, 3):.0f}%" if share >= 5e-4 else "not in the range"
            cell = grid.get_by_role("gridcell", name=re.compile(f"^{hand}:"))
            expect(cell).to_have_attribute("aria-label", f"{hand}: {words}")
            shares.append(share)
        assert min(shares) < 0.5 < max(shares)  # hands that differ
    for name in ("Board", "Pot and stacks", "Ranges"):
        expect(panel(page, name).get_by_role("alert")).to_have_count(0)
