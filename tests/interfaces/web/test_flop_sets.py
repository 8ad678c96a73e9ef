"""Reports over sets of flops: any line, textures, files, kept solutions, the time before the start."""

from __future__ import annotations

import io
from typing import Any

import polars as pl
import pytest

from overbet import artefact
from tests.interfaces.web.server import Server

SET: dict[str, Any] = {
    "board": "Ts7h4d",
    "pot": 70,
    "stacks": 40,
    "big_blind": 10,
    "ranges": {"oop": "TT+,AQs+", "ip": "99-77,AQs-ATs"},
    "bets": {"every": {"bet": "a"}},
    "solve": {"target": 2, "device": "cpu"},
}
FLOPS = ["As9s7s", "Ts9s2h", "7s4h2s"]


def refused(server: Server, path: str, status: int, **query: Any) -> Any:
    """Return the fault at an address."""
    found = server.client.get(f"/api{path}", params=query)
    assert found.status_code == status, found.text
    return found.json()


def test_a_report_over_flops_at_any_line(server: Server) -> None:
    cost = server.post("/batches/estimate", {"spot": SET, "flops": FLOPS}, status=200)
    assert (cost["boards"], cost["seconds"], cost["measured"]) == (3, None, 0)
    assert 0 < cost["kept_bytes"]["street"] < cost["kept_bytes"]["all"] < cost["free_bytes"]
    tried = server.post(
        "/batches", {"name": "three", "spot": SET, "flops": FLOPS, "keep": "all", "trial": True}
    )
    path = f"/batches/{tried['id']}"
    assert server.wait(path, "stopped")["done"] == 1
    tried_out = server.get(f"{path}/report")
    left, solved = tried_out["seconds_left"], tried_out["rows"][0]["board"]
    assert left > 0
    others = [flop for flop in FLOPS if flop != solved]
    cost = server.post("/batches/estimate", {"spot": SET, "flops": others}, status=200)
    assert cost["seconds"] == pytest.approx(left)  # measured on the one flop that is solved
    assert cost["measured"] == 1
    server.post(f"{path}/resume", status=200)
    assert server.wait(path, "done")["done"] == 3
    root = server.get(f"{path}/report")
    assert [row["board"] for row in root["rows"]] == FLOPS
    assert (root["acts"], root["seconds_left"], root["solved"]) == ("oop", None, 3)
    assert sum(row["probability"] for row in root["rows"]) == pytest.approx(1)
    assert root["averages"]["oop"]["ev_chips"] + root["averages"]["ip"]["ev_chips"] == pytest.approx(
        70, abs=0.01
    )
    assert [action["line"] for action in root["actions"]] == ["r:0:c", "r:0:b40"]

    # the solutions were kept: a flop opens without a solve, and has the figures of the report
    opened = server.post(f"{path}/open", {"board": "Ts9s2h"})
    assert (opened["status"], opened["openable"], opened["resumable"]) == ("done", True, False)
    assert server.post(f"{path}/open", {"board": "Ts9s2h"})["id"] == opened["id"]
    later, suits = (server.get(f"{path}/report", line="r:0:c", by=by) for by in ("", "suits"))
    row = later["rows"][1]
    assert row["openable"]
    node = server.get(f"/solves/{opened['id']}/node", line="r:0:c")
    assert [action["frequency"] for action in node["actions"]] == pytest.approx(row["frequencies"], abs=1e-6)
    for player in ("oop", "ip"):
        for name in ("ev_chips", "equity", "realisation"):
            assert row[player][name] == pytest.approx(node["players"][player][name], rel=1e-6)
    assert later["kept_bytes"] > opened["file_bytes"] > 0
    assert later["acts"] == "ip"
    assert [(step["line"], step["acts"], step["chosen"]) for step in later["steps"]] == [("r:0", "oop", "c")]
    assert [group["key"] for group in suits["groups"]] == ["two-tone", "monotone"]
    assert [group["boards"] for group in suits["groups"]] == [2, 1]
    ended = server.get(f"{path}/report", line="r:0:c:c")
    assert (ended["acts"], ended["actions"]) == (None, [])

    # filters, files
    only = server.get(f"{path}/report", line="r:0:c", suits="two-tone", high_card="T,7")
    assert [row["board"] for row in only["rows"]] == FLOPS[1:]
    assert only["averages"]["probability"] == pytest.approx(1 - later["rows"][0]["probability"])
    files = {
        kind: server.client.get(
            f"/api{path}/export", params={"line": "r:0:c", "suits": "two-tone", "format": kind}
        )
        for kind in ("csv", "parquet")
    }
    frame = pl.read_parquet(io.BytesIO(files["parquet"].content))
    assert frame["board"].to_list() == FLOPS[1:]
    assert frame["all-in 4bb"].to_list() == [row["frequencies"][1] for row in only["rows"]]
    assert pl.read_csv(io.BytesIO(files["csv"].content)).columns == frame.columns
    assert "flops-r-0-c.csv" in files["csv"].headers["content-disposition"]

    assert refused(server, f"{path}/report", 422, line="r:0:b9")["where"] == "line"
    assert "monotone" in refused(server, f"{path}/report", 422, suits="mono")["error"]
    assert refused(server, f"{path}/report", 422, by="colour")["where"] == "by"
    assert server.post(f"{path}/open", {"board": "2s3s4s"}, status=422)["where"] == "board"
    assert server.post("/batches", {"spot": SET, "flops": ["As9s7"]}, status=422)["where"] == "flops"
    assert server.client.delete(f"/api{path}").status_code == 204
    # the flop that was opened has its file still
    assert server.get(f"/solves/{opened['id']}/node", line="r:0:c")["line"] == "r:0:c"


def test_a_report_without_kept_solutions_solves_a_flop_again(server: Server) -> None:
    made = server.post("/batches", {"spot": {**SET, "pot": 80}, "flops": FLOPS[:1]})
    assert made["name"] == "1 flop, pot 8 bb"
    server.wait(f"/batches/{made['id']}", "done")
    assert not server.get(f"/batches/{made['id']}/report")["rows"][0]["openable"]
    opened = server.post(f"/batches/{made['id']}/open", {"board": FLOPS[0]})
    assert opened["status"] in ("queued", "running")
    server.wait(f"/solves/{opened['id']}", "done")
    assert server.get(f"/batches/{made['id']}/report")["rows"][0]["openable"]
    # a flop that was solved alone is measured, too
    assert server.client.delete(f"/api/batches/{made['id']}").status_code == 204
    cost = server.post("/batches/estimate", {"spot": {**SET, "pot": 80}, "flops": FLOPS}, status=200)
    assert cost["measured"] == 1
    assert cost["seconds"] > 0


def test_a_report_of_an_earlier_version_says_so(server: Server) -> None:
    made = server.post("/batches", {"spot": {**SET, "pot": 90}, "flops": FLOPS[:1]})
    server.client.post(f"/api/batches/{made['id']}/cancel")
    server.wait(f"/batches/{made['id']}", "done", "stopped")
    folder = server.data / "batches" / made["id"] / "report"
    artefact.write_json(folder / "batch.json", artefact.Kind("batch", 2, ""), {"spot": {}, "lines": ["r:0"]})
    answer = refused(server, f"/batches/{made['id']}/report", 409)
    assert answer["error"].endswith("an earlier version wrote them; delete it and solve it anew")
