"""The library: marks that survive, folders that move, ranges by name."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from overbet import files
from overbet.interfaces.web.faults import Fault
from overbet.interfaces.web.folder import DataFolder
from overbet.interfaces.web.library_store import LIBRARY, LibraryMarks, LibraryStore
from tests.interfaces.web.server import Server


def test_marks_survive_a_restart(tmp_path: Path) -> None:
    store = LibraryStore(DataFolder(tmp_path))
    store.put(
        "solve", "s-1", folder=" 3-bet pots / BTN v BB ", tags=["wet", "Wet", " two  tone "], note="n\n"
    )
    store.put("solve", "s-1", note="a longer note\non two lines")
    store.put("batch", "b-1", tags=["c-bets"])
    store.put("solve", "s-2", folder="3-bet pots")
    assert LibraryStore(DataFolder(tmp_path)).get("solve", "s-1") == LibraryMarks(
        folder="3-bet pots/BTN v BB", tags=["wet", "two tone"], note="a longer note\non two lines"
    )
    assert store.move_folder("solve", "3-bet pots", "Cash/3-bet") == 2
    assert store.move_folder("solve", "3-bet pots", "x") == 0
    store.forget("batch", "b-1")
    store.put("solve", "s-2", folder="")
    again = LibraryStore(DataFolder(tmp_path))
    assert again.get("solve", "s-1").folder == "Cash/3-bet/BTN v BB"
    assert list(again.all("solve")) == ["s-1"]  # what has no marks left is not kept
    assert again.all("batch") == {}


def test_nothing_is_lost_when_it_cannot_be_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    store = LibraryStore(DataFolder(tmp_path))
    store.put("solve", "s-1", note="kept")

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patched:
        patched.setattr(files.os, "replace", full)
        with pytest.raises(Fault, match="cannot be kept"):
            store.put("solve", "s-1", note="new")
    assert store.get("solve", "s-1").note == "kept"
    assert LibraryStore(DataFolder(tmp_path)).get("solve", "s-1").note == "kept"


def test_a_damaged_file_is_kept_aside(tmp_path: Path) -> None:
    (tmp_path / LIBRARY).write_text('{"version": 1, "marks": {"solve": {"s-1": {"note": ')
    store = LibraryStore(DataFolder(tmp_path))
    assert store.all("solve") == {}
    store.put("solve", "s-2", note="new")
    assert (tmp_path / "library.unread.json").read_text().endswith('"note": ')
    assert json.loads((tmp_path / LIBRARY).read_text())["marks"]["solve"]["s-2"]["note"] == "new"


def test_marks_over_http(server: Server, river: str) -> None:
    body = {"folder": "Cash", "tags": ["river"], "note": "wide ranges"}
    put = server.client.put(f"/api/library/solve/{river}", json=body)
    assert put.json() == {"kind": "solve", "id": river, **body}
    server.client.put("/api/library/run/first", json={"tags": ["mine"]})
    found = server.get("/library/solve")
    assert [marks["id"] for marks in found["marks"]] == [river]
    assert (found["folders"], found["tags"]) == (["Cash"], ["river"])
    assert server.get("/library/run")["tags"] == ["mine"]
    assert server.client.put("/api/library/solve/s-none", json=body).status_code == 404
    assert server.post("/library/solve/folders", {"folder": "Cash", "to": "Live"}) == {"moved": 1}
    copy = server.client.get(f"/api/solves/{river}/download").content
    octets = {"Content-Type": "application/octet-stream"}
    other = server.client.post("/api/solves/upload", content=copy, headers=octets).json()["id"]
    server.client.put(f"/api/library/solve/{other}", json={"note": "goes with it"})
    server.client.delete(f"/api/solves/{other}")
    assert [marks["id"] for marks in server.get("/library/solve")["marks"]] == [river]


def test_the_range_library_over_http(server: Server) -> None:
    kept = server.client.put("/api/ranges/library", json={"name": "BTN/opens", "text": "[50.0]QJ-T9[/50.0]"})
    assert kept.json()["text"] == "QJs:0.5,JTs:0.5,T9s:0.5,QJo:0.5,JTo:0.5,T9o:0.5"
    assert (server.data / "ranges/BTN/opens.txt").exists()
    taken = server.client.put("/api/ranges/library", json={"name": "BTN/opens", "text": "AA"})
    assert (taken.status_code, taken.json()["where"]) == (409, "name")
    bad = server.client.put("/api/ranges/library", json={"name": "x", "text": "AXs"})
    assert (bad.status_code, bad.json()["where"]) == (422, "text")
    server.post("/ranges/library/import", {"name": "pio", "text": "AA,KK:0.25", "folder": "In"})
    assert server.post("/ranges/library/move", {"name": "BTN/opens", "to": "CO/opens"}) == {
        "name": "CO/opens"
    }
    text = server.client.get("/api/ranges/library/export", params={"form": "gto+"})
    assert text.headers["content-disposition"].endswith('"ranges.txt"')
    assert text.text == "# CO/opens\n[50.0]QJs,JTs,T9s,QJo,JTo,T9o[/50.0]\n\n# In/pio\nAA,[25.0]KK[/25.0]\n"
    gone = server.post("/ranges/library/delete", {"name": "In/pio"})
    assert [each["name"] for each in server.get("/ranges/library")["ranges"]] == ["CO/opens"]
    server.client.put("/api/ranges/library", json={"name": gone["name"], "text": gone["text"]})
    assert len(server.get("/ranges/library")["ranges"]) == 2
    groups = {each["group"] for each in server.get("/ranges/strategies")["ranges"]}
    assert {"Heads-up, 100 bb", "Expresso, 25 bb", "Heads-up, push or fold, 10 bb"} <= groups
