"""Training runs as they go, and the ledger of measurements."""

from __future__ import annotations

import asyncio
import csv
import time
from collections.abc import AsyncIterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Literal

import yaml
from fastapi import APIRouter, Request

from overbet.blueprint.checkpoint import CONFIG_NAME, checkpoints
from overbet.blueprint.run import BLUEPRINT, METRICS
from overbet.errors import OverbetError
from overbet.evaluation import ledger as book
from overbet.interfaces.web import models_play as models
from overbet.interfaces.web.binary import finite, plain
from overbet.interfaces.web.books import slug
from overbet.interfaces.web.events import STREAMED, EventStream, event, stream
from overbet.interfaces.web.faults import Fault
from overbet.interfaces.web.folder import RUNS, checked_id
from overbet.interfaces.web.state import State, state_of

router = APIRouter(prefix="/api", tags=["runs"])
_COLUMNS = ("iterations", "seconds", "iterations_per_second", "touched", "mean_positive_regret_bb")
_FRESH = 45.0  # seconds since the last report within which a run counts as running
_MOST_ROWS = 5000
_LEDGER_COLUMNS = (
    "number",
    "time",
    "kind",
    "subject",
    "against",
    "mean",
    "half",
    "unit",
    "groups",
    "game",
    "settings",
    "seed",
    "version",
    "code",
    "command",
)


@router.get("/runs")
def runs(request: Request) -> models.Runs:
    """Return the training runs of the data folder, the latest first."""
    found = [_shown(path) for path in _folders(state_of(request))]
    return models.Runs(runs=sorted(found, key=lambda run: run.updated or "", reverse=True))


@router.get("/runs/{id}")
def one_run(request: Request, id: str) -> models.RunDetail:
    """Return a run with its metrics, checkpoints and what was measured of it."""
    state = state_of(request)
    path = _folder(state, id)
    shown = _shown(path)
    return models.RunDetail(
        **shown.model_dump(),
        config=_config(path),
        metrics=_metrics(path),
        saved=[
            models.CheckpointShown(
                name=file.name,
                iterations=int(file.stem.rpartition("-")[2]),
                bytes=file.stat().st_size,
                written=_time(file),
            )
            for file in checkpoints(path)
        ],
        lbr=_lbr(state, path),
    )


@router.get("/runs/{id}/events", response_class=EventStream, responses=STREAMED)
def run_events(request: Request, id: str) -> EventStream:
    """Send server-sent events: `metrics` (a row) as the run reports, `state` (a run) with each."""
    state = state_of(request)
    path = _folder(state, id)

    async def changes() -> AsyncIterator[bytes]:
        sent, spoken, state_text = -1, time.monotonic(), ""
        while path.exists():
            metrics = await asyncio.to_thread(_metrics, path)
            rows = len(metrics["iterations"])
            if sent < 0 or rows < sent:
                sent = 0
            for number in range(sent, rows):
                yield event("metrics", {name: metrics[name][number] for name in _COLUMNS})
            shown = (await asyncio.to_thread(_shown, path)).model_dump()
            if rows != sent or str(shown) != state_text:
                yield event("state", shown)
                spoken = time.monotonic()
            elif time.monotonic() - spoken > 10:
                yield b": alive\n\n"
                spoken = time.monotonic()
            sent, state_text = rows, str(shown)
            await asyncio.sleep(1.0)

    return stream(state, changes())


@router.get("/ledger")
def ledger(request: Request) -> models.Ledger:
    """Return every measurement of the ledger, newest first."""
    path = _ledger_path(state_of(request))
    if path is None:
        return models.Ledger(columns=list(_LEDGER_COLUMNS), rows=[], note="nothing has been measured yet")
    try:
        found = book.rows(path=path)
    except OverbetError as error:
        return models.Ledger(columns=list(_LEDGER_COLUMNS), rows=[], note=str(error))
    rows = [plain(row.facts()) for row in found][::-1][:_MOST_ROWS]
    return models.Ledger(columns=list(_LEDGER_COLUMNS), rows=rows, note="")


def _ledger_path(state: State) -> Path | None:
    """Return the ledger of the data folder, or the user's own where that has none."""
    for path in (state.folder.root / book.NAME, book.ledger_path()):
        if path.is_file():
            return path
    return None


def _folders(state: State) -> list[Path]:
    root = state.folder.root / RUNS
    return [path.parent for path in sorted(root.glob(f"*/{CONFIG_NAME}"))]


def _folder(state: State, id: str) -> Path:
    checked_id(id)
    for path in _folders(state):
        if slug(path.name) == id:
            return path
    raise Fault(404, "there is no run of that name")


def _config(path: Path) -> dict[str, Any]:
    try:
        found = yaml.safe_load((path / CONFIG_NAME).read_text(encoding="utf-8"))
    except (OSError, ValueError, yaml.YAMLError):
        return {}
    return plain(found) if isinstance(found, dict) else {}


def _metrics(path: Path) -> dict[str, list[float | None]]:
    """Return the columns of a run's metrics; a line that is being written is left out."""
    columns: dict[str, list[float | None]] = {name: [] for name in _COLUMNS}
    try:
        with open(path / METRICS, encoding="utf-8", newline="") as file:
            for row in csv.DictReader(file):
                try:
                    values = [finite(float(row[name])) for name in _COLUMNS]
                except (KeyError, TypeError, ValueError):
                    continue
                for name, value in zip(_COLUMNS, values):
                    columns[name].append(value)
    except (OSError, csv.Error):
        pass
    return columns


def _shown(path: Path) -> models.RunShown:
    metrics, config = _metrics(path), _config(path)
    last = {name: values[-1] if values else None for name, values in metrics.items()}
    report, blueprint = path / METRICS, path / BLUEPRINT
    changed = report.stat().st_mtime if report.is_file() else None
    done = int(last["iterations"] or 0)
    goal = config.get("iterations")
    goal = goal if isinstance(goal, int) else None
    pause = config.get("run", {}).get("report_seconds", 10) if isinstance(config.get("run"), dict) else 10
    patience = max(_FRESH, 3 * float(pause) if isinstance(pause, int | float) else _FRESH)
    fresh = changed is not None and time.time() - changed < patience
    ended = blueprint.is_file() and (changed is None or blueprint.stat().st_mtime >= changed - 1)
    status: Literal["running", "finished", "idle"] = "finished" if ended else "running" if fresh else "idle"
    return models.RunShown(
        id=slug(path.name),
        name=str(config.get("name") or path.name),
        status=status,
        iterations=done,
        goal=goal,
        seconds=last["seconds"],
        iterations_per_second=last["iterations_per_second"],
        touched=last["touched"],
        mean_positive_regret_bb=last["mean_positive_regret_bb"],
        checkpoints=len(checkpoints(path)),
        blueprint=f"own-{slug(path.name)}" if blueprint.is_file() else None,
        updated=_time(report) if report.is_file() else None,
    )


def _time(path: Path) -> str:
    return datetime.fromtimestamp(path.stat().st_mtime, UTC).isoformat(timespec="seconds")


def _lbr(state: State, run: Path) -> list[models.LbrPoint]:
    """Return the LBR measurements of the ledger whose subject lies in a run's folder."""
    path = _ledger_path(state)
    if path is None:
        return []
    try:
        rows = [row for row in book.rows(path=path) if "lbr" in row.kind and run.name in row.subject]
    except OverbetError:
        return []
    points = []
    for row in rows:
        if row.extra.get("family") == "member":  # the largest of its family is the point of the curve
            continue
        mean, half, _, _ = row.estimate
        iterations = row.extra.get("iterations")
        points.append(
            models.LbrPoint(
                iterations=iterations if isinstance(iterations, int) else None,
                mbb_per_hand=finite(mean),
                low=finite(mean - half),
                high=finite(mean + half),
                time=row.time,
            )
        )
    return points
