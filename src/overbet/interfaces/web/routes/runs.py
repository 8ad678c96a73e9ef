"""Training runs as they go, and the ledger of measurements."""

from __future__ import annotations

import asyncio
import csv
import time
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any, Literal, get_args

from fastapi import APIRouter, Request

from overbet.blueprint.checkpoint import CONFIG_NAME, checkpoints
from overbet.blueprint.config import BlueprintConfig
from overbet.blueprint.run import BLUEPRINT, METRICS
from overbet.errors import ConfigError, OverbetError
from overbet.evaluation import ledger as ledger_file
from overbet.interfaces.web import reading
from overbet.interfaces.web.blueprint_library import slug
from overbet.interfaces.web.events import STREAMED, EventStream, event, pause, stream
from overbet.interfaces.web.faults import Fault
from overbet.interfaces.web.folder import RUNS, checked_id
from overbet.interfaces.web.models import play as models
from overbet.interfaces.web.models import training as shapes
from overbet.interfaces.web.state import ServerState, state_of
from overbet.solvers.deep.config import DeepConfig
from overbet.study.packing import finite
from overbet.yaml_text import parse_yaml

router = APIRouter(prefix="/api", tags=["runs"])
_COLUMNS = tuple(shapes.RunMetrics.model_fields)
_DEEP = frozenset({"iterations", "seconds", "iterations_per_second", "exploitability"})
_TABULAR = frozenset(_COLUMNS) - {"exploitability"}
_FRESH = 45.0  # seconds since the last report within which a run counts as running
_MOST_ROWS = 5000
_MOST_RUNS = 500
_MOST_CONFIG = 64 << 10
_METRICS_HEAD, _METRICS_TAIL = 4 << 10, 4 << 20  # bytes of the metrics that are read
_MOST_VALUES = 5000  # of a config
_PAUSE = 1.0  # seconds between two looks at a run
_LEDGER_COLUMNS = list(get_args(shapes.LedgerColumn))
_DAMAGED = (ArithmeticError, AttributeError, LookupError, RecursionError, TypeError, ValueError)  # odd rows


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
        config=_config_shown(path),
        metrics=shapes.RunMetrics(**_metrics(path)),
        saved=[
            models.CheckpointShown(
                name=file.name,
                iterations=int(file.stem.rpartition("-")[2]),
                bytes=reading.size_of(file) or 0,
                written=reading.time_text(reading.changed(file)) or "",
            )
            for file in _checkpoints(path)
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
        while path.exists() and not state.stopping.is_set():
            metrics = await asyncio.to_thread(_metrics, path)
            rows = len(metrics["iterations"])
            if sent < 0 or rows < sent:
                sent = 0
            for number in range(sent, rows):
                row = shapes.MetricsRow(**{name: metrics[name][number] for name in _COLUMNS})
                yield event("metrics", row.model_dump())
            shown = (await asyncio.to_thread(_shown, path)).model_dump()
            if rows != sent or str(shown) != state_text:
                yield event("state", shown)
                spoken = time.monotonic()
            elif time.monotonic() - spoken > 10:
                yield b": alive\n\n"
                spoken = time.monotonic()
            sent, state_text = rows, str(shown)
            await pause(state, _PAUSE)

    return stream(state, changes())


@router.get("/ledger")
def ledger(request: Request) -> shapes.Ledger:
    """Return every measurement of the ledger, newest first."""
    path = state_of(request).ledger()
    if path is None:
        return shapes.Ledger(columns=_LEDGER_COLUMNS, rows=[], note="nothing has been measured yet")
    try:
        rows = [
            shapes.LedgerRow(**reading.shown(row.facts()))
            for row in ledger_file.rows(path=path, last=_MOST_ROWS)
        ]
    except OverbetError as error:
        return shapes.Ledger(columns=_LEDGER_COLUMNS, rows=[], note=str(error))
    except _DAMAGED:
        note = f"the ledger {path} is damaged; move it away to start a new one"
        return shapes.Ledger(columns=_LEDGER_COLUMNS, rows=[], note=note)
    return shapes.Ledger(columns=_LEDGER_COLUMNS, rows=rows[::-1], note="")


def _folders(state: ServerState) -> list[Path]:
    root = state.folder.root / RUNS
    found = [path.parent for path in root.glob(f"*/{CONFIG_NAME}") if reading.is_plain(path)]
    return sorted(found)[:_MOST_RUNS]


def _folder(state: ServerState, id: str) -> Path:
    checked_id(id)
    for path in _folders(state):
        if slug(path.name) == id:
            return path
    raise Fault(404, "there is no run of that name")


def _config(path: Path) -> dict[str, Any]:
    """Return what stands in the config of a run; a `ConfigError` where it cannot be read."""
    data = reading.read_bytes(path / CONFIG_NAME, _MOST_CONFIG)
    if data is None:
        raise ConfigError(f"{CONFIG_NAME} cannot be read, or is longer than {_MOST_CONFIG:,} bytes")
    try:
        found = parse_yaml(data.decode("utf-8"), CONFIG_NAME, most_values=_MOST_VALUES)
    except UnicodeDecodeError:
        raise ConfigError(f"{CONFIG_NAME} is not a text file") from None
    kept: dict[str, Any] = reading.shown(found) if isinstance(found, dict) else {}
    return kept


def _config_shown(path: Path) -> shapes.RunConfigShown:
    """Return the config of a run with all its defaults, or why it is none."""
    try:
        if "algorithm" in (values := _config(path)):
            deep = DeepConfig.parse(values, CONFIG_NAME).model_dump(mode="json")
            return shapes.RunConfigShown(deep=reading.shown(deep))
        values = BlueprintConfig.parse(values, CONFIG_NAME).model_dump(mode="json")
    except OverbetError as error:
        return shapes.RunConfigShown(error=reading.shown_text(str(error))[:2000])
    except _DAMAGED:
        return shapes.RunConfigShown(error=f"{CONFIG_NAME} has a value of the wrong kind")
    return shapes.RunConfigShown(values=reading.shown(values))


def _metrics(path: Path) -> dict[str, list[float | None]]:
    """Return the columns of a run's metrics; a line that is being written is left out.

    Of a very long file only the last rows are read.
    """
    columns: dict[str, list[float | None]] = {name: [] for name in _COLUMNS}
    head, tail, gap = reading.read_ends(path / METRICS, _METRICS_HEAD, _METRICS_TAIL)
    lines = (head + tail).decode("utf-8", "replace").split("\n")
    if gap:  # the first line of what follows begins in its middle
        lines = lines[:1] + tail.decode("utf-8", "replace").split("\n")[1:]
    try:
        table = csv.DictReader(lines)
        has = {*(table.fieldnames or ())}
        own = _DEEP if "exploitability" in has else _TABULAR  # what this kind of run measures
        for row in table:
            try:
                values = [finite(float(row[name])) if name in own else None for name in _COLUMNS]
            except (KeyError, TypeError, ValueError):
                continue
            for name, value in zip(_COLUMNS, values):
                columns[name].append(value)
    except csv.Error:
        pass
    return columns


def _checkpoints(path: Path) -> list[Path]:
    return [file for file in checkpoints(path) if reading.is_plain(file)]


def _shown(path: Path) -> models.RunShown:
    metrics = _metrics(path)
    try:
        config = _config(path)
    except OverbetError:  # said where the run is shown by itself
        config = {}
    last = {name: values[-1] if values else None for name, values in metrics.items()}
    written, saved = reading.changed(path / METRICS), reading.changed(path / BLUEPRINT)
    done = int(last["iterations"] or 0)
    goal = config.get("iterations")
    goal = goal if isinstance(goal, int) else None
    pause = config.get("run", {}).get("report_seconds", 10) if isinstance(config.get("run"), dict) else 10
    patience = max(_FRESH, 3 * float(pause) if isinstance(pause, int | float) else _FRESH)
    fresh = written is not None and time.time() - written < patience
    result = saved if saved is not None else _policies_written(path)
    ended = result is not None and (written is None or result >= written - 1)
    status: Literal["running", "finished", "idle"] = "finished" if ended else "running" if fresh else "idle"
    return models.RunShown(
        id=slug(path.name),
        name=reading.shown_text(str(config.get("name") or path.name))[:120],
        status=status,
        iterations=done,
        goal=goal,
        seconds=last["seconds"],
        iterations_per_second=last["iterations_per_second"],
        touched=last["touched"],
        mean_positive_regret_bb=last["mean_positive_regret_bb"],
        exploitability=last["exploitability"],
        checkpoints=len(_checkpoints(path)),
        blueprint=f"own-{slug(path.name)}" if saved is not None else None,
        updated=reading.time_text(written),
    )


def _policies_written(path: Path) -> float | None:
    """Return when the policies of a run of networks were written, or None: it has not ended."""
    times = [reading.changed(file) for file in path.glob("policy-*.json") if reading.is_plain(file)]
    return max((time for time in times if time is not None), default=None)


def _lbr(state: ServerState, run: Path) -> list[models.LbrPoint]:
    """Return the LBR measurements of the ledger whose subject lies in a run's folder."""
    path = state.ledger()
    if path is None:
        return []
    try:
        return _points(ledger_file.rows(kind="lbr", subject=run.name, path=path, last=_MOST_ROWS))
    except (OverbetError, *_DAMAGED):
        return []


def _points(rows: list[ledger_file.LedgerEntry]) -> list[models.LbrPoint]:
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
                time=reading.shown_text(str(row.time)),
            )
        )
    return points
