"""A data folder that others have filled: the server answers, stays small, and says what it cannot read."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import h5py
import pytest

from overbet.blueprint.catalogue import find_blueprint
from tests.interfaces.web.server import RIVER, Server
from tests.test_yaml_text import BOMB

BLOCKS = 30  # of a long table of metrics; as numbers in Python it takes more than the memory allowed below
HEADER = "iterations,seconds,iterations_per_second,touched,mean_positive_regret_bb\n"
JOB: dict[str, Any] = {
    "version": 1,
    "id": "x",
    "kind": "solve",
    "name": "x",
    "created": "2026-01-01",
    "spot": RIVER,
    "status": "stopped",
}
TABLE: dict[str, Any] = {
    "version": 1,
    "kind": "heads-up",
    "opponent": "tag",
    "created": "2026-01-01",
    "seed": 1,
    "actions": None,
    "hands": [],
}
ODD_JOBS: dict[str, Any] = {
    "no-spot": {**JOB, "spot": 5},
    "no-board": {**JOB, "spot": {"pot": 3}},
    "odd-status": {**JOB, "status": "flying"},
    "odd-name": {**JOB, "name": ["x"]},
    "odd-locks": {**JOB, "spot": {**RIVER, "locks": "all"}},
    "odd-solve": {**JOB, "spot": {**RIVER, "solve": {"target": "x"}}},
    "odd-result": {**JOB, "result": {"iterations": "many", "history": 3}},
    "odd-parent": {**JOB, "parent": "../../.."},
    "surrogate": {**JOB, "name": "\ud800"},
    "deep": json.loads('{"spot": ' + '{"a": ' * 500 + "1" + "}" * 501),
    "text": "text",
}
ODD_TABLES: dict[str, Any] = {
    "t-ids": {**TABLE, "id": "../../t-ids"},
    "t-hands": {**TABLE, "id": "t-hands", "hands": 3},
    "t-actions": {**TABLE, "id": "t-actions", "actions": ["x"]},
    "t-large": {**TABLE, "id": "t-large", "actions": [10**30]},
    "t-won": {**TABLE, "id": "t-won", "hands": [{"actions": [-1], "won": "all", "adjusted": None}]},
    "t-nan": {**TABLE, "id": "t-nan", "hands": [{"actions": [-1], "won": 1, "adjusted": float("nan")}]},
    "t-created": {**TABLE, "id": "t-created", "created": 3},
}


def run(data: Path, name: str | bytes, config: str | bytes = "name: x\n", metrics: str | bytes = "") -> Path:
    folder = Path(os.fsdecode(os.path.join(os.fsencode(data / "runs"), os.fsencode(name))))
    folder.mkdir(parents=True)
    (folder / "config.yaml").write_bytes(config.encode() if isinstance(config, str) else config)
    if metrics:
        (folder / "metrics.csv").write_bytes(metrics.encode() if isinstance(metrics, str) else metrics)
    return folder


@pytest.fixture(scope="module")
def filled(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server on a folder that is full of odd things."""
    data = tmp_path_factory.mktemp("filled")
    secret = data.parent / f"{data.name}-secret.yaml"
    secret.write_text("password: hunter2\n")
    run(data, "bomb", BOMB)
    run(data, "loop", "a: &a [*a]\nname: loop\n")
    run(data, "merge-loop", "a: &a\n  <<: *a\n")
    run(data, "deep", "[" * 10_000)
    run(data, "huge", "name: " + "x" * (80 << 20))
    run(data, "binary", b"\xff\xfe\x00")
    run(data, "values", 'd: 2001-01-01\nb: !!binary "/w=="\ns: !!set {a}\nu: "\\ud800"\nn: .nan\n2: {3: 4}\n')
    run(data, "number", "iterations: 0x" + "f" * 5000)
    run(data, "pause", "run: {report_seconds: 1" + "0" * 290 + "}\n", HEADER + "1,2,3,4,5\n")
    run(data, "lines\nand\ttabs", "a: 1")
    run(data, b"not-\xff\xfe-text", "a: 1")
    run(data, "bytes", "a: 1", HEADER.encode() + b"\xff\xfe\n1,2,3,4,5\n")
    run(data, "nul", "a: 1", HEADER + "1,2,3,4,5\n\0,\0\n" + "x" * 200_000 + "\n")
    run(data, "infinite", "a: 1", HEADER + "inf,nan,1e308,2,3\n")
    old = run(data, "old", "a: 1", HEADER + "1,2,3,4,5\n")
    os.utime(old / "metrics.csv", (1e14, 1e14))
    linked = run(data, "linked")
    (linked / "config.yaml").unlink()
    (linked / "config.yaml").symlink_to(secret)
    (run(data, "linked-metrics") / "metrics.csv").symlink_to("/dev/zero")
    (run(data, "dangling") / "checkpoint-000000000010.h5").symlink_to("nowhere")
    piped = run(data, "piped")
    (piped / "config.yaml").unlink()
    os.mkfifo(piped / "config.yaml")
    os.mkfifo(run(data, "piped-metrics") / "metrics.csv")
    os.mkfifo(run(data, "piped-blueprint") / "blueprint.h5")
    (run(data, "linked-blueprint") / "blueprint.h5").symlink_to("/dev/zero")
    with open(run(data, "long", "name: long\n", HEADER) / "metrics.csv", "ab") as file:
        for block in range(BLOCKS):  # a MiB of rows each
            file.write(b"".join(b"%d,2,3,4,5\n" % (block * 80_000 + row) for row in range(80_000)))
    shipped = find_blueprint("expresso").read_bytes()
    for place in (921, 1209):  # in the metadata that HDF5 would parse
        path = run(data, f"crash-{place}") / "blueprint.h5"
        damaged = bytearray(shipped)
        damaged[place] ^= 2
        path.write_bytes(damaged)
    for name, record in ODD_JOBS.items():
        (data / "solves" / name).mkdir(parents=True)
        (data / "solves" / name / "job.json").write_text(json.dumps(record))
    for name in ("pipe", "good", "linked-solution", "crash"):
        (data / "solves" / name).mkdir()
    os.mkfifo(data / "solves" / "pipe" / "job.json")
    for name in ("good", "linked-solution", "crash"):
        (data / "solves" / name / "job.json").write_text(json.dumps({**JOB, "id": name}))
    (data / "solves" / "linked-solution" / "solution.h5").symlink_to(secret)
    with h5py.File(data / "solves" / "crash" / "solution.h5", "w", userblock_size=512) as file:
        file["head"] = h5py.SoftLink("/head")
    (data / "batches" / "odd").mkdir(parents=True)
    (data / "batches" / "odd" / "job.json").write_text(
        json.dumps({**JOB, "kind": "batch", "options": {"flops": "/etc/passwd", "lines": [], "boards": 1}})
    )
    (data / "play").mkdir()
    for name, table in ODD_TABLES.items():
        (data / "play" / f"{name}.json").write_text(json.dumps(table))
    unfinished = {"actions": [0], "won": 5, "adjusted": None}
    (data / "play" / "t-open.json").write_text(json.dumps({**TABLE, "id": "t-open", "hands": [unfinished]}))
    os.mkfifo(data / "play" / "t-pipe.json")
    (data / "drill.json").write_text('{"answered": "many", "by_grade": 3, "losses": NaN, "within": 0}')
    (data / "mistakes.json").write_text('{"version": 1, "mistakes": [{"id": "m-1"}, 7, null]}')
    (data / "ledger.sqlite").write_bytes(b"SQLite format 3\0" + bytes(2000))
    server = Server(data)
    yield server
    assert server.stop() == 0


def memory(server: Server) -> int:
    text = Path(f"/proc/{server.process.pid}/status").read_text()
    return int(text.split("VmHWM:")[1].split()[0]) << 10


def test_runs_are_shown_whatever_their_files_hold(filled: Server) -> None:
    before = memory(filled)
    begun = filled.processor_seconds()
    runs = {shown["id"]: shown for shown in filled.get("/runs")["runs"]}
    assert filled.processor_seconds() - begun < 30
    assert memory(filled) - before < 200 << 20
    assert "linked" not in runs  # a link may name any file of the machine
    assert "piped" not in runs
    assert runs["lines-and-tabs"]["name"] == "lines and tabs"
    assert runs["long"]["iterations"] == BLOCKS * 80_000 - 1
    assert "old" in runs
    wrong = {name: filled.get(f"/runs/{name}")["config"]["error"] or "" for name in runs}
    assert "more than 5,000 values at line" in wrong["bomb"]
    assert "stands inside the value it names at line 1" in wrong["loop"]
    assert "levels deep" in wrong["deep"]
    assert "longer than" in wrong["huge"]
    assert "not a text file" in wrong["binary"]
    assert "number that is too" in wrong["number"]
    assert filled.get("/runs/nul")["metrics"]["iterations"] == [1.0]
    assert filled.get("/runs/infinite")["metrics"]["iterations"] == [None]
    assert filled.get("/runs/linked-metrics")["metrics"]["iterations"] == []
    assert "config.yaml" in wrong["values"]
    with filled.client.stream("GET", "/api/runs/bomb/events") as stream:
        assert next(stream.iter_lines()) == "event: state"


def test_a_blueprint_that_crashes_hdf5_is_told_and_the_server_lives(filled: Server) -> None:
    found = {shown["id"]: shown for shown in filled.get("/blueprints")["blueprints"]}
    assert filled.process.poll() is None
    for name in ("own-crash-921", "own-crash-1209"):
        assert "is damaged" in found[name]["error"]
        assert str(filled.data) not in found[name]["error"]
        assert filled.client.get(f"/api/blueprints/{name}/node.bin").status_code == 409
    assert "own-piped-blueprint" not in found
    assert "own-linked-blueprint" not in found
    assert found["shipped-heads-up"]["error"] is None
    begun = filled.processor_seconds()
    filled.get("/blueprints")
    assert filled.processor_seconds() - begun < 1  # remembered, not verified again
    filled.get("/play/opponents")


def test_solves_reports_and_tables_of_others_do_no_harm(filled: Server) -> None:
    names = {shown["id"] for shown in filled.get("/solves")["solves"]}
    assert names == {"example", "good", "linked-solution", "crash", "surrogate"}
    for name in names:
        filled.get(f"/solves/{name}")
    assert filled.client.get("/api/solves/linked-solution/download").status_code == 409
    assert filled.client.get("/api/solves/crash/node.bin").status_code == 409
    assert [one["id"] for one in filled.get("/batches")["batches"]] == ["example-flops"]
    assert [table["id"] for table in filled.get("/play/tables")["tables"]] == ["t-open"]
    filled.get("/play/tables/t-open")
    assert filled.client.get("/api/play/tables/t-open/hands/0").status_code == 409
    assert filled.get("/drill/score")["answered"] == 0
    assert filled.get("/drill/mistakes")["mistakes"] == []
    assert "ledger" in filled.get("/ledger")["note"]


def test_an_upload_that_reaches_out_is_refused(filled: Server, tmp_path: Path) -> None:
    path = tmp_path / "upload.h5"
    with h5py.File(path, "w", userblock_size=512) as file:
        file.create_dataset("head", (4096,), "u1", external=[("/etc/passwd", 0, 4096)])
    data = bytearray(path.read_bytes())
    data[:20] = b"overbet solution 1\n\0"
    kind = {"Content-Type": "application/octet-stream"}
    found = filled.client.post("/api/solves/upload", content=bytes(data), headers=kind)
    assert found.status_code == 422
    assert not list((filled.data / "solves").glob("s-*"))
