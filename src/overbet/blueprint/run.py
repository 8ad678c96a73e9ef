"""A training run on disk: iterations, checkpoints, metrics, and the blueprint at the end.

Nothing here changes what is learned: when a checkpoint is written or a report is made does not touch a bit of
the tables.
"""

from __future__ import annotations

import csv
import signal
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from overbet.blueprint.cards import CardModel, load_cards
from overbet.blueprint.checkpoint import load_config, resume, save_checkpoint, start_run
from overbet.blueprint.config import BlueprintConfig
from overbet.blueprint.cores import worker_count
from overbet.blueprint.events import append_events, event_record, first_record
from overbet.blueprint.keyed import KeyedTrainer, keyed_shape
from overbet.blueprint.loop import Status, Training
from overbet.blueprint.store import save_blueprint
from overbet.blueprint.trainer import Trainer, check_size, table_length
from overbet.errors import ConfigError, OverbetError, TooLargeError
from overbet.files import replacing, write_text
from overbet.tree.holdem import measure_tree

METRICS = "metrics.csv"
BLUEPRINT = "blueprint.h5"
EVENTS = "events.out.tfevents.overbet"  # TensorBoard takes any name with tfevents in it
_TABLES = "tables.mapped"
_COLUMNS = ("iterations", "seconds", "iterations_per_second", "touched", "mean_positive_regret_bb")


class Pace(NamedTuple):
    """What a report says besides how far the run is."""

    status: Status
    per_second: float
    seconds_left: float


Progress = Callable[[int, Pace | None], None]


class Run:
    """A folder with a training run in it."""

    def __init__(self, folder: Path, trainer: Training, notes: tuple[str, ...] = ()) -> None:
        self.folder, self.trainer, self.notes = folder, trainer, notes

    @classmethod
    def start(cls, folder: str | Path, config: BlueprintConfig, cards: CardModel | None = None) -> Run:
        """Begin a run in a new folder."""
        trainer = make_trainer(Path(folder), config, cards)
        start_run(folder, config)
        return cls(Path(folder), trainer)

    @classmethod
    def resume(
        cls, folder: str | Path, config: BlueprintConfig | None = None, cards: CardModel | None = None
    ) -> Run:
        """Go on with a run from its newest good checkpoint."""
        config = load_config(folder) if config is None else config
        trainer = make_trainer(Path(folder), config, cards)
        found = resume(folder, config, trainer)
        run = cls(Path(folder), found.trainer, found.notes)
        run._cut_metrics()
        return run

    @property
    def blueprint_path(self) -> Path:
        """Where the blueprint lies once the run is finished."""
        return self.folder / BLUEPRINT

    def go(
        self, iterations: int | None = None, workers: int | None = None, progress: Progress | None = None
    ) -> Path:
        """Train until `iterations` in all, with checkpoints and metrics; return the blueprint's path.

        `progress` is called often with the iterations done, and now and then with a `Pace`. Ctrl-C, or any
        exception there, leaves a checkpoint of all that was done.
        """
        trainer, how = self.trainer, self.trainer.config.run
        goal = trainer.config.iterations if iterations is None else iterations
        workers = worker_count(how.workers if workers is None else workers)
        saved = reported = time.monotonic()
        before, before_seconds = trainer.iterations, trainer.seconds

        def report(done: int) -> None:
            nonlocal saved, reported, before, before_seconds
            now = time.monotonic()
            pace = None
            if now - reported >= how.report_seconds or done >= goal:
                rate = (done - before) / max(trainer.seconds - before_seconds, 1e-9)
                before, before_seconds, reported = done, trainer.seconds, now
                pace = Pace(trainer.status(), rate, max(goal - done, 0) / max(rate, 1e-9))
                self._write_metrics(pace)
            if now - saved >= 60 * how.checkpoint_minutes:
                save_checkpoint(trainer, self.folder)
                saved = time.monotonic()
            if progress is not None:
                progress(done, pace)
            if stop.is_set():
                raise KeyboardInterrupt

        stop = threading.Event()
        try:
            with _ctrl_c_between_iterations() as asked:
                stop = asked
                trainer.run(goal, workers, report, asked)
                if asked.is_set() and trainer.iterations < goal:
                    raise KeyboardInterrupt
        except TooLargeError:  # keyed tables that are full: what was learned stays
            if not trainer.torn and trainer.iterations:
                save_checkpoint(trainer, self.folder)
            raise
        except OverbetError:
            raise
        except BaseException:
            if not trainer.torn:
                save_checkpoint(trainer, self.folder)
            raise
        save_checkpoint(trainer, self.folder)
        return save_blueprint(trainer, self.blueprint_path)

    def metrics(self) -> dict[str, list[float]]:
        """Return the columns of `metrics.csv`."""
        path = self.folder / METRICS
        rows: list[dict[str, str]] = []
        if path.exists():
            with open(path, encoding="utf-8", newline="") as file:
                rows = list(csv.DictReader(file))
        return {name: [float(row[name]) for row in rows] for name in _COLUMNS}

    def _write_metrics(self, pace: Pace) -> None:
        path = self.folder / METRICS
        fresh = not path.exists()
        with open(path, "a", encoding="utf-8", newline="") as file:
            writer = csv.writer(file)
            if fresh:
                writer.writerow(_COLUMNS)
            status = pace.status
            row = (
                str(status.iterations),
                f"{status.seconds:.1f}",
                f"{pace.per_second:.1f}",
                f"{status.touched:.6f}",
                f"{status.mean_positive_regret_bb:.6g}",
            )
            writer.writerow(row)
        append_events(self.folder / EVENTS, time.time(), status.iterations, _scalars(row))

    def _cut_metrics(self) -> None:
        """Drop the lines of iterations that the checkpoint does not have."""
        path = self.folder / METRICS
        if not path.exists():
            return
        lines = path.read_text(encoding="utf-8").splitlines()
        kept = [line for line in lines[1:] if _iterations_of(line) <= self.trainer.iterations]
        write_text(path, "\n".join([",".join(_COLUMNS), *kept]) + "\n")
        # the event file is written again from what is left, as if the run had never stopped until now
        now = time.time() - self.trainer.seconds
        events = [first_record(now)]
        for line in kept:
            row = line.split(",")
            events.append(event_record(now + float(row[1]), int(row[0]), _scalars(row)))
        with replacing(self.folder / EVENTS) as beside:
            beside.write_bytes(b"".join(events))


def make_trainer(folder: Path, config: BlueprintConfig, cards: CardModel | None = None) -> Training:
    """Return a trainer, its tables in memory or, with `storage: mapped`, in files of the run's folder."""
    grouping = load_cards(config.cards) if cards is None else cards
    mapped, numbers = config.run.storage == "mapped", np.dtype(config.solver.numbers)
    if config.solver.tables == "keyed":
        if not mapped:
            return KeyedTrainer(config, grouping)
        shape = keyed_shape(config)
        keys = _mapped(folder / "keys.mapped", np.dtype(np.uint64), shape.rows)
        return KeyedTrainer(config, grouping, keys, _mapped(folder / _TABLES, numbers, shape.numbers))
    if not mapped:
        return Trainer(config, grouping)
    size = measure_tree(config.game.game(), config.menu)
    length = table_length(config, sum(size.entries(grouping.counts)))
    check_size(size, grouping, length, mapped=True)
    return Trainer(config, grouping, _mapped(folder / _TABLES, numbers, length))


def _mapped(path: Path, kind: np.dtype[Any], length: int) -> npt.NDArray[Any]:
    """Return zeros that lie in a file."""
    path.parent.mkdir(parents=True, exist_ok=True)
    try:
        return np.memmap(path, kind, "w+", shape=(length,)).view(np.ndarray)
    except OSError as error:
        raise ConfigError(f"cannot map the tables into {path}: {error.strerror}") from error


@contextmanager
def _ctrl_c_between_iterations() -> Iterator[threading.Event]:
    """Yield an event that Ctrl-C sets, so that it stops the run where the tables are whole."""
    asked = threading.Event()
    if threading.current_thread() is not threading.main_thread():
        yield asked
        return
    before = signal.signal(signal.SIGINT, lambda *_: asked.set())
    try:
        yield asked
    finally:
        signal.signal(signal.SIGINT, before)


def _scalars(row: Sequence[str]) -> dict[str, float]:
    """Return a line of the metrics as TensorBoard's scalars."""
    return {f"training/{name}": float(value) for name, value in zip(_COLUMNS[1:], row[1:])}


def _iterations_of(line: str) -> int:
    first = line.split(",", 1)[0]
    return int(first) if first.isdigit() else 1 << 62
