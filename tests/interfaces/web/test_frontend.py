"""The front-end's sources against the server: its types are those of the OpenAPI schema. Needs no npm."""

from __future__ import annotations

import runpy
from pathlib import Path

import pytest

from overbet.tree import betting

FRONTEND = Path(__file__).parents[3] / "frontend"
API = FRONTEND / "api"
pytestmark = pytest.mark.skipif(not FRONTEND.is_dir(), reason="the front-end's sources are not here")
WRITTEN_BY_HAND = (".css", ".html", ".js", ".svelte", ".svg", ".ts")
LONGEST = 120


def test_the_types_are_made_from_the_schema_of_the_server(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(betting, "MOST_NODES", betting.MOST_NODES)  # an app lowers it for its process
    text = runpy.run_path(str(API / "write_schema.py"))["schema_text"]()
    kept = (API / "schema.json").read_text(encoding="utf-8")
    assert kept == text, "the page's types are stale; run: make types"


def test_no_line_is_too_long_to_read() -> None:
    long = [
        f"{path.relative_to(FRONTEND)}:{number}"
        for pattern in ("*", "src/**/*", "public/**/*")
        for path in FRONTEND.glob(pattern)
        if path.suffix in WRITTEN_BY_HAND
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1)
        if len(line) > LONGEST
    ]
    assert not long, f"lines of more than {LONGEST} characters: {', '.join(long)}"
