"""A training run on disk: iterations, checkpoints, metrics, and the blueprint at the end.

Nothing here changes what is learned: when a checkpoint is written or a report is made does not touch a bit of
the tables.
"""

from __future__ import annotations

import time
import warnings
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, NamedTuple

import yaml

from overbet.blueprint.cards import CardModel, load_cards
from overbet.blueprint.checkpoint import (
    CONFIG_NAME,
    checkpoints,
    load_config,
    restore,
    resume,
    save_checkpoint,
    start_run,
)
from overbet.blueprint.config import BlueprintConfig
from overbet.blueprint.cores import worker_count
from overbet.blueprint.factory import check_device, make_trainer
from overbet.blueprint.loop import Status, Training
from overbet.blueprint.mapped import KEYS, TABLES
from overbet.blueprint.shards import ShardWalkers
from overbet.blueprint.store import save_blueprint
from overbet.errors import ArtefactError, ConfigError, OverbetError, TooLargeError
from overbet.files import write_text
from overbet.runs.folder_lock import FolderLock
from overbet.runs.metrics import METRICS, Metrics
from overbet.runs.stopping import Stopped, StopRequest, stopped_between_iterations

if TYPE_CHECKING:
    from overbet.cluster import Cluster

__all__ = ["BLUEPRINT", "METRICS", "Pace", "Progress", "Run", "Stopped", "look_at", "make_trainer"]

BLUEPRINT = "blueprint.h5"
COLUMNS = ("iterations", "seconds", "iterations_per_second", "touched", "mean_positive_regret_bb")


class Pace(NamedTuple):
    """What a report says besides how far the run is."""

    status: Status
    per_second: float
    seconds_left: float


Progress = Callable[[int, Pace | None], None]


class Run:
    """A folder with a training run in it, held against other processes until `go` has ended."""

    def __init__(
        self, folder: Path, trainer: Training, lock: FolderLock, notes: tuple[str, ...] = ()
    ) -> None:
        self.folder, self.trainer, self.notes = folder, trainer, notes
        self._lock: FolderLock | None = lock
        self._metrics = Metrics(folder, COLUMNS)
        self._left: list[Path] = []  # the checkpoints there were when the folder was let go

    @classmethod
    def start(cls, folder: str | Path, config: BlueprintConfig, cards: CardModel | None = None) -> Run:
        """Begin a run in a new folder."""
        folder = Path(folder)
        check_device(config)
        cards = load_cards(config.cards) if cards is None else cards
        new = not folder.exists()
        lock = FolderLock(folder)
        try:
            start_run(folder, config)
            try:
                trainer = make_trainer(folder, config, cards)
            except BaseException:  # it has not begun: the folder is as it was
                with suppress(OSError):
                    for name in (CONFIG_NAME, TABLES, KEYS):
                        (folder / name).unlink(missing_ok=True)
                raise
        except BaseException:
            lock.release()
            with suppress(OSError):
                if new:
                    folder.rmdir()
            raise
        return cls(folder, trainer, lock)

    @classmethod
    def resume(
        cls, folder: str | Path, config: BlueprintConfig | None = None, cards: CardModel | None = None
    ) -> Run:
        """Go on with a run from its newest good checkpoint."""
        folder = Path(folder)
        load_config(folder)  # so that nothing is made where there is no run
        lock = FolderLock(folder)
        try:
            config = load_config(folder) if config is None else config
            for stale in folder.glob(".*.part"):
                stale.unlink(missing_ok=True)  # what a killed process was writing
            found = resume(folder, config, make_trainer(folder, config, cards))
            run = cls(folder, found.trainer, lock, found.notes)
            run._metrics.cut(found.trainer.iterations)
        except BaseException:
            lock.release()
            raise
        return run

    @staticmethod
    def look(folder: str | Path, cards: CardModel | None = None) -> Training:
        """Return the tables of the newest good checkpoint, also while the run is going; it stays as it is."""
        config = load_config(folder)
        return resume(folder, config, _looking_trainer(Path(folder), config, cards)).trainer

    @property
    def blueprint_path(self) -> Path:
        """Where the blueprint lies once the run is finished."""
        return self.folder / BLUEPRINT

    def go(
        self,
        iterations: int | None = None,
        workers: int | None = None,
        progress: Progress | None = None,
        tell: Callable[[str], None] | None = None,
        cluster: Cluster | None = None,
        seconds: float | None = None,
    ) -> Path:
        """Train until `iterations` in all, with checkpoints and metrics; return the blueprint's path.

        `iterations` is kept with the run: resumed, it goes on to that number. seconds: end after so long in
        all, checkpoints and compilation apart, with a blueprint of what was learned. `progress` is called
        often with the iterations done, and now and then with a `Pace`. Ctrl-C (SIGTERM, SIGHUP), or any
        exception there, leaves a checkpoint of all that was done. A full disk on the way stops nothing:
        `tell` gets a line, once, and files are tried again later. cluster: walks the shards of
        `solver.shards` there.
        """
        if self._lock is None:
            self._hold_again()
        try:
            with stopped_between_iterations() as asked:
                self._keep_goal(self.trainer.config.iterations if iterations is None else iterations)
                walkers = None if cluster is None else self._walkers(cluster, workers)
                return self._train(workers, progress, tell or warnings.warn, asked, walkers, seconds)
        finally:
            self._metrics.close()
            self._left = checkpoints(self.folder)
            if self._lock is not None:
                self._lock.release()
            self._lock = None

    def _walkers(self, cluster: Cluster, workers: int | None) -> ShardWalkers:
        from overbet.blueprint.shard_cluster import ClusterShards

        return ClusterShards(
            cluster, self.trainer, self.trainer.config.run.workers if workers is None else workers
        )

    def _train(
        self,
        workers: int | None,
        progress: Progress | None,
        tell: Callable[[str], None],
        asked: StopRequest,
        walkers: ShardWalkers | None,
        seconds: float | None,
    ) -> Path:
        trainer, how = self.trainer, self.trainer.config.run
        goal = trainer.config.iterations
        saved = reported = time.monotonic()
        before, before_seconds = trainer.iterations, trainer.seconds
        told: set[str] = set()

        def trouble(what: str, fault: Exception | None) -> None:
            if fault is None:
                told.discard(what)
            elif what not in told:
                told.add(what)
                one_line = " ".join(str(fault).split())
                tell(f"{what}: {one_line}; training goes on, and it is tried again later")

        def report(done: int) -> None:
            nonlocal saved, reported, before, before_seconds
            now = time.monotonic()
            pace = None
            if now - reported >= how.report_seconds or done >= goal:
                rate = (done - before) / max(trainer.seconds - before_seconds, 1e-9)
                before, before_seconds, reported = done, trainer.seconds, now
                pace = Pace(trainer.status(), rate, max(goal - done, 0) / max(rate, 1e-9))
                trouble("cannot write the metrics", self._metrics.add(_row(pace)))
            if now - saved >= 60 * how.checkpoint_minutes:
                trouble("no checkpoint", self._try_to_save())
                saved = time.monotonic()
            if progress is not None:
                progress(done, pace)
            if asked.number:
                raise Stopped(asked.number)
            if seconds is not None and trainer.seconds >= seconds:
                asked.set()  # without a signal: the run ends as one that is done

        try:
            threads = worker_count(how.workers if workers is None else workers)
            trainer.run(goal, threads, report, asked, walkers)
            if asked.number and trainer.iterations < goal:
                raise Stopped(asked.number)
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
        return self._metrics.columns()

    def _try_to_save(self) -> Exception | None:
        try:
            save_checkpoint(self.trainer, self.folder)
        except (ArtefactError, OSError) as error:
            return error
        return None

    def _keep_goal(self, iterations: int) -> None:
        """Write down how far the run goes, so that one that is killed and resumed goes as far."""
        config = self.trainer.config
        if iterations != config.iterations:
            self.trainer.config = config.model_copy(update={"iterations": iterations})
        kept = load_config(self.folder)
        if kept.iterations != iterations:
            values = kept.model_copy(update={"iterations": iterations}).model_dump(mode="json")
            write_text(self.folder / CONFIG_NAME, yaml.safe_dump(values, sort_keys=False))

    def _hold_again(self) -> None:
        """Take the folder once more, after an earlier `go`; refuse one where another process went on."""
        lock = FolderLock(self.folder)
        if checkpoints(self.folder) != self._left:
            lock.release()
            raise ConfigError(f"the run in {self.folder} has gone on meanwhile; take it up with Run.resume")
        self._lock = lock


def look_at(checkpoint: str | Path, cards: CardModel | None = None) -> Training:
    """Return the tables of one checkpoint in its run's folder, which stays as it is."""
    path = Path(checkpoint)
    if not (path.parent / CONFIG_NAME).is_file():
        raise ArtefactError(
            f"{path} is a checkpoint away from its run: {CONFIG_NAME} is not beside it; open it in its folder"
        )
    trainer = _looking_trainer(path.parent, load_config(path.parent), cards)
    restore(path, trainer)
    return trainer


def _looking_trainer(folder: Path, config: BlueprintConfig, cards: CardModel | None) -> Training:
    """Return a trainer to be filled that takes nothing from the run in the folder, and needs no GPU."""
    config = config.model_copy(update={"run": config.run.model_copy(update={"device": "cpu"})})
    if config.run.storage == "memory":
        return make_trainer(folder, config, cards)
    # files of our own, which are gone when nobody has them mapped any more
    with TemporaryDirectory(prefix=".look-", dir=folder, ignore_cleanup_errors=True) as own:
        return make_trainer(Path(own), config, cards)


def _row(pace: Pace) -> list[str]:
    status = pace.status
    return [
        str(status.iterations),
        f"{status.seconds:.1f}",
        f"{pace.per_second:.1f}",
        f"{status.touched:.6f}",
        f"{status.mean_positive_regret_bb:.6g}",
    ]
