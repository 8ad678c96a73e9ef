"""The shipped report: among the flop sets from the first visit on, by texture, gone for good once deleted."""

from __future__ import annotations

from pathlib import Path

import pytest

from overbet.interfaces.web import example
from overbet.interfaces.web.app import create_app
from overbet.interfaces.web.limits import Settings
from overbet.solvers.vector.batches.batch import solve_batch
from tests.interfaces.web.test_decks import Client
from tests.solvers.vector.test_batch import RIVERS, SPOT


class Page(Client):
    """A page with the examples laid out."""

    def __init__(self, data: Path) -> None:
        self.app = create_app(Settings(data))


def test_the_example_is_a_flop_set_like_any_other(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    report = tmp_path / "all-flops.h5"
    whole = solve_batch(SPOT, RIVERS, tmp_path / "kept")
    whole.save(report, "an afternoon on a GPU")
    monkeypatch.setattr(example, "SHIPPED", report)
    example.shipped_report.cache_clear()
    page = Page(tmp_path / "data")
    [shown] = page.ask("GET", "/batches")["batches"]
    assert (shown["id"], shown["status"], shown["done"], shown["boards"]) == (example.REPORT_ID, "done", 4, 4)
    found = page.ask("GET", f"/batches/{shown['id']}/report?line=r:0:c")
    assert found["cost"] == "an afternoon on a GPU"
    assert [row["board"] for row in found["rows"]] == list(whole.boards.boards)
    assert found["averages"]["oop"]["equity"] == pytest.approx(
        whole.averages("r:0:c")["oop_equity"], rel=1e-4
    )
    groups = page.ask("GET", f"/batches/{shown['id']}/report?by=high_card")["groups"]
    assert {group["key"] for group in groups} == {"K", "A", "Q", "9"}
    opened = page.ask("POST", f"/batches/{shown['id']}/open", {"board": "KsTh7s4d2c"}, 201)
    assert opened["spot"]["board"] == "KsTh7s4d2c"
    page.ask("DELETE", f"/batches/{shown['id']}", status=204)
    page.app.state.overbet.close()
    again = Page(tmp_path / "data")
    assert again.ask("GET", "/batches")["batches"] == []
    again.app.state.overbet.close()
    example.shipped_report.cache_clear()


def test_without_a_report_there_is_no_example(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(example, "SHIPPED", tmp_path / "none.h5")
    example.shipped_report.cache_clear()
    page = Page(tmp_path / "data")
    assert page.ask("GET", "/batches")["batches"] == []
    page.app.state.overbet.close()
