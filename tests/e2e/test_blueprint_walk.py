"""A reader walks a blueprint from the first decision to the river: the board and the ranges go along."""

from __future__ import annotations

import re
from collections.abc import Callable

from playwright.sync_api import Page, Route, expect

from overbet.blueprint.catalogue import SHIPPED
from overbet.blueprint.query import Blueprint

HOME = "#/blueprints/shipped-heads-up"


def line_at(page: Page, line: str) -> None:
    expect(page.get_by_role("navigation", name=f"Line {line}", exact=True)).to_be_visible()


def named(page: Page, cards: str) -> None:
    """Name the next cards by clicking them in the deck."""
    for card in re.findall("..", cards):
        page.locator(f"[data-card='{card}']").click()


def test_the_board_stays_in_every_link(open_page: Callable[..., Page]) -> None:
    page = open_page(f"{HOME}/r:0")
    line_at(page, "r:0")
    page.locator("[data-action=b200]").click()
    line_at(page, "r:0:b200")
    page.locator("[data-action=c]").click()
    line_at(page, "r:0:b200:c")
    named(page, "As8d3c")
    line_at(page, "r:0:b200:c:As8d3c")
    page.locator("[data-action=c]").click()
    line_at(page, "r:0:b200:c:As8d3c:c")
    expect(page.get_by_role("heading", name=re.compile("^Choose the"))).to_have_count(0)
    expect(page.get_by_role("grid", name="Strategy of SB")).to_be_visible()
    page.locator("[data-action=c]").click()
    line_at(page, "r:0:b200:c:As8d3c:c:c")
    expect(page.get_by_role("heading", name="Choose the turn")).to_be_visible()
    named(page, "7h")
    line_at(page, "r:0:b200:c:As8d3c:c:c:7h")
    # another size before the flop: its cards wait in the address and come back
    strip = page.get_by_role("navigation", name=re.compile("^Line"))
    strip.get_by_role("link", name="Raise 3 bb", exact=True).first.click()
    line_at(page, "r:0:b300")
    page.locator("[data-action=c]").click()
    line_at(page, "r:0:b300:c:As8d3c")
    # the cards in the strip are the way to other ones
    strip.get_by_role("link", name="flop", exact=True).click()
    line_at(page, "r:0:b300:c")
    expect(page.get_by_role("heading", name="Choose the flop")).to_be_visible()


def test_a_chart_stands_under_its_own_name_only(open_page: Callable[..., Page]) -> None:
    """While another strategy is opened, the chart of the one before is gone."""
    page = open_page(f"{HOME}/r:0")
    line_at(page, "r:0")
    held: list[Route] = []
    page.route("**/api/blueprints/shipped-heads-up-25bb/node.bin*", lambda route: held.append(route))
    page.get_by_role("navigation", name="Stacks in big blinds").get_by_role("link", name="25").click()
    expect(page.get_by_text("Opening heads-up-25bb")).to_be_visible()
    expect(page.get_by_role("grid")).to_have_count(0)
    for route in held:
        route.continue_()
    line_at(page, "r:0")
    expect(page.get_by_role("grid", name="Strategy of SB")).to_be_visible()


def test_the_grid_of_a_flop_has_the_reach_of_its_line(open_page: Callable[..., Page]) -> None:
    page = open_page(f"{HOME}/r:0:b200:c:As8d3c:c")
    line_at(page, "r:0:b200:c:As8d3c:c")
    blueprint = Blueprint.load(SHIPPED / "heads-up.h5")
    raises = blueprint.tokens("r:0").index("b200")
    grid = page.get_by_role("grid", name="Strategy of SB")
    weights = {}
    for hand, cards in (("72o", "7d2c"), ("T2s", "Th2h"), ("KQs", "KhQh"), ("AKo", "AhKd")):
        said = grid.get_by_role("gridcell", name=re.compile(f"^{hand}:")).get_attribute("aria-label") or ""
        weight = re.search(r"; weight ([\d.]+)%", said)
        shown = 0.0 if "does not take this line" in said else float(weight[1]) if weight else 100.0
        weights[hand] = float(blueprint.strategy("r:0", cards)[raises])
        assert abs(shown - 100 * weights[hand]) < 0.06, said
    assert min(weights.values()) < 0.05 < 0.5 < max(weights.values())  # hands that differ


def test_a_depth_and_a_position_are_chosen(open_page: Callable[..., Page]) -> None:
    page = open_page(f"{HOME}/r:0")
    line_at(page, "r:0")
    stacks = page.get_by_role("navigation", name="Stacks in big blinds")
    stacks.get_by_role("link", name="25", exact=True).click()
    expect(page).to_have_url(re.compile("shipped-heads-up-25bb/r:0$"))
    line_at(page, "r:0")
    page.get_by_role("radiogroup", name="Players").get_by_role("radio", name="Three").click()
    expect(page).to_have_url(re.compile("shipped-expresso/r:0$"))
    page.get_by_role("navigation", name="Positions").get_by_role("link", name="SB", exact=True).click()
    line_at(page, "r:0:f")
    expect(page.get_by_role("grid", name="Strategy of SB")).to_be_visible()
    expect(page.get_by_label("Range as text")).to_have_value(re.compile("AA"))
    prizes = page.get_by_role("radiogroup", name="What is played for")
    prizes.get_by_role("radio", name="2 paid").click()
    expect(page).to_have_url(re.compile("shipped-expresso-14bb-two-paid/r:0$"))
    expect(page.get_by_role("region", name="Blueprints").get_by_role("listitem")).to_have_count(0)
    page.get_by_role("radiogroup", name="Players").get_by_role("radio", name="Heads-up").click()
    expect(page).to_have_url(re.compile(r"shipped-heads-up-\d+bb/r:0$"))
    expect(prizes).to_have_count(0)
