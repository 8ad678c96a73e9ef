"""Runs: started, refused at their field, watched, stopped, found again after a reload, compared."""

from __future__ import annotations

import re
from collections.abc import Callable

from playwright.sync_api import Page, expect

from tests.e2e.conftest import COMPILATION

PHONE = {"width": 390, "height": 844}


def start(page: Page) -> None:
    button = page.get_by_role("button", name="Start", exact=True)
    expect(button).to_be_enabled()
    button.click()


def test_matches_are_started_stopped_and_compared(
    open_page: Callable[..., Page], screenshot: Callable[[Page, str], None]
) -> None:
    page = open_page("#/runs")
    form = page.get_by_role("region", name="Start a run")
    page.get_by_label("Player 1, the measured one").select_option("tag")
    page.get_by_label("Player 2").select_option("lag")
    hands = form.get_by_label("Hands")
    hands.fill("0")
    expect(form.get_by_role("alert")).to_have_text("it must be 2 or more")
    expect(page.get_by_role("button", name="Start", exact=True)).to_be_disabled()
    hands.fill("900000000")
    command = form.get_by_label("The same in a terminal")
    expect(command).to_have_text("overbet match tag lag --hands 900000000 --seed 1")
    start(page)
    jobs = page.get_by_role("region", name="Started here")
    job = jobs.locator("[data-kind=match]").first
    figure = job.locator("[data-fact=mbb]")
    expect(figure).to_have_text(re.compile(r"^[+-]\d+ ± \d+ mbb/hand$"), timeout=COMPILATION)
    expect(job.locator("[data-fact=bb100]")).to_have_text(re.compile(r"bb/100"))
    expect(job.get_by_role("img")).not_to_have_attribute("data-points", "0")
    # the form and the run under way are there again after a reload
    page.reload()
    expect(hands).to_have_value("900000000")
    expect(figure).to_be_visible()
    job.get_by_role("button", name="Cancel").click()
    expect(job.locator("[data-status=stopped]")).to_be_visible()
    expect(figure).to_be_visible()
    # a second one, on the same deals
    page.get_by_label("Player 1, the measured one").select_option("always-fold")
    hands.fill("4000")
    start(page)
    second = jobs.locator("[data-kind=match]").first
    expect(second.locator("[data-status=done]")).to_be_visible(timeout=COMPILATION)
    results = page.get_by_role("region", name="Results")
    for name in ("always-fold against lag", "tag against lag"):
        results.get_by_label(f"Compare {name}").first.check()
    chosen = results.get_by_role("group", name="Chosen results")
    expect(chosen.get_by_role("listitem")).to_have_count(2)
    expect(chosen.locator("[data-fact=difference]")).to_have_text(re.compile(r"± \d+ mbb/hand"))
    screenshot(page, "runs-results")
    phone = open_page("#/runs", size=PHONE)
    expect(phone.locator("[data-result]").first).to_be_visible()
    assert phone.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]


def test_two_trainings_are_compared_in_one_picture(open_page: Callable[..., Page]) -> None:
    page = open_page("#/runs")
    page.get_by_role("radio", name="Training", exact=True).click()
    settings = page.get_by_text("Other settings")
    settings.click()
    other = page.get_by_label("One a line")
    other.fill("solver.rule=nonsense")
    form = page.get_by_role("region", name="Start a run")
    expect(form.get_by_role("alert")).to_contain_text("rule")
    other.fill("run.report_seconds=0.01")
    page.get_by_label("Iterations", exact=True).fill("20000")
    table = page.get_by_role("region", name="Training runs")
    for seed, name in ((1, "one-seed"), (2, "another-seed")):
        page.get_by_label("Seed", exact=True).fill(str(seed))
        page.get_by_label("Name", exact=True).fill(name)
        expect(page.get_by_label("The same in a terminal")).to_contain_text(f"solver.seed={seed}")
        start(page)
        row = table.get_by_role("row", name=re.compile(name))
        expect(row).to_contain_text("finished", timeout=COMPILATION)
        row.get_by_role("checkbox").check()
    chart = page.get_by_role("img", name="Regret (bb) of 2 runs")
    expect(chart).to_have_attribute("data-series", "2")
    expect(chart).not_to_have_attribute("data-points", "0")
