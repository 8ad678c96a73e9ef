"""A deep run in a folder: metrics with exact exploitability, checkpoints, and the policies at the end.

    run = DeepRun.start("runs/leduc", DeepConfig.named("deep-pdcfr+"))
    run.go()                              # until config.iterations; Ctrl-C leaves a checkpoint
    DeepRun.resume("runs/leduc").go()     # on one thread of a CPU: to the bits of a run that never stopped

The folder holds `config.yaml`, `metrics.csv` and its event file, the last few `checkpoint-<iterations>.h5`,
and at the end `policy-<seed>.json` and, where networks learn the average, `network-<seed>.h5`, a file each a
seed.
"""

from __future__ import annotations

import time
import warnings
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import yaml

from overbet import artefact
from overbet._version import __version__
from overbet.errors import ArtefactError, ConfigError
from overbet.files import write_text
from overbet.games.protocol import Game
from overbet.runs.folder import CONFIG_NAME, checkpoint_path, checkpoints, keep_newest
from overbet.runs.folder_lock import FolderLock
from overbet.runs.metrics import Metrics
from overbet.runs.stopping import Stopped, stopped_between_iterations
from overbet.solvers.deep.config import DeepConfig
from overbet.solvers.deep.policy_networks import policy_networks
from overbet.solvers.deep.trainer import DeepTrainer
from overbet.solvers.policy_io import game_digest
from overbet.tree.flat import FlatGame

KIND = artefact.Kind("deep checkpoint", 1, "go on from another checkpoint, or start a new run")
COLUMNS = (
    "iterations",
    "seconds",
    "iterations_per_second",
    "episodes",
    "samples",
    "exploitability",
    "exploitability_lowest",
    "exploitability_highest",
)
_MOST_BYTES = 64 << 30
_CONFIG_BYTES = 1 << 16  # of a config, in which the algorithm is named


class DeepPace(NamedTuple):
    """What a report says: the exploitability of each seed, and how fast the run is."""

    exploitability: tuple[float, ...]
    per_second: float
    seconds_left: float


Progress = Callable[[int, DeepPace | None], None]


class DeepRun:
    """A folder with a run in it, held against other processes until `go` has ended."""

    def __init__(self, folder: Path, trainer: DeepTrainer, lock: FolderLock) -> None:
        self.folder, self.trainer = folder, trainer
        self.notes: tuple[str, ...] = ()  # damaged checkpoints that were passed over, one line each
        self._lock = lock
        self._metrics = Metrics(folder, COLUMNS)

    @classmethod
    def start(cls, folder: str | Path, config: DeepConfig, game: Game | FlatGame | None = None) -> DeepRun:
        """Begin a run in a new folder; game: instead of the registered one that the config names."""
        folder = Path(folder)
        if checkpoints(folder) or (folder / CONFIG_NAME).exists():
            raise ConfigError(
                f"{folder} has a run in it already; continue it with: overbet deep --resume {folder}, or use "
                "--out"
            )
        new = not folder.exists()
        lock = FolderLock(folder)
        try:
            trainer = DeepTrainer(config, game, folder)
            values = config.model_dump(mode="json")
            write_text(folder / CONFIG_NAME, yaml.safe_dump(values, sort_keys=False))
        except BaseException:
            lock.release()
            with suppress(OSError):
                if new:
                    folder.rmdir()
            raise
        return cls(folder, trainer, lock)

    @classmethod
    def resume(
        cls, folder: str | Path, config: DeepConfig | None = None, game: Game | FlatGame | None = None
    ) -> DeepRun:
        """Go on from the newest good checkpoint; `config` may change `run` and `iterations`, nothing else."""
        folder = Path(folder)
        config = config or load_config(folder)
        lock = FolderLock(folder)
        try:
            for stale in folder.glob(".*.part"):
                stale.unlink(missing_ok=True)  # what a killed process was writing
            trainer = DeepTrainer(config, game, folder)
            run = cls(folder, trainer, lock)
            run.notes = _restore_newest(folder, trainer)
            run._metrics.cut(trainer.iterations)
        except BaseException:
            lock.release()
            raise
        return run

    @classmethod
    def look(cls, folder: str | Path, game: Game | FlatGame | None = None) -> DeepTrainer:
        """Return the trainer at the newest good checkpoint; the folder stays as it is, and needs no GPU."""
        trainer = _looking_trainer(Path(folder), game)
        _restore_newest(Path(folder), trainer)
        return trainer

    def go(
        self,
        iterations: int | None = None,
        progress: Progress | None = None,
        tell: Callable[[str], None] | None = None,
    ) -> list[Path]:
        """Train until `iterations` in all; return the paths of the policies, one a seed.

        `progress` is called after each iteration, with a `Pace` where exploitability was measured. Ctrl-C
        (SIGTERM, SIGHUP) ends the run after its iteration, with a checkpoint.
        """
        trainer, how = self.trainer, self.trainer.config.run
        goal = trainer.config.iterations if iterations is None else iterations
        saved, before = time.monotonic(), (trainer.iterations, trainer.seconds)
        tell = tell or warnings.warn
        try:
            with stopped_between_iterations() as asked:
                self._keep_goal(goal)
                while trainer.iterations < goal:
                    trainer.run(1)
                    pace = None
                    done = trainer.iterations
                    if done % how.evaluate_every == 0 or done >= goal:
                        rate = (done - before[0]) / max(trainer.seconds - before[1], 1e-9)
                        before = done, trainer.seconds
                        measured = tuple(trainer.exploitability().tolist())
                        pace = DeepPace(measured, rate, (goal - done) / max(rate, 1e-9))
                        fault = self._metrics.add(self._row(pace))
                        if fault is not None:
                            tell(f"cannot write the metrics: {fault}; they are tried again later")
                    if time.monotonic() - saved >= 60 * how.checkpoint_minutes:
                        self.save()
                        saved = time.monotonic()
                    if progress is not None:
                        progress(done, pace)
                    if asked.number:
                        self.save()
                        raise Stopped(asked.number)
                self.save()
                return self._finish()
        finally:
            self._metrics.close()
            self._lock.release()

    def save(self) -> Path:
        """Write a checkpoint, and remove all but the last few."""
        trainer = self.trainer
        path = checkpoint_path(self.folder, trainer.iterations)
        head = {
            "overbet": __version__,
            "config": trainer.config.model_dump(mode="json"),
            "settings": trainer.config.result_digest(),
            "game": game_digest(trainer.flat),
            "iterations": trainer.iterations,
            "seconds": trainer.seconds,
            "samples": trainer.samples,
        }
        artefact.write(path, KIND, head, trainer.arrays(), level=0)
        keep_newest(self.folder, trainer.config.run.keep)
        return path

    def metrics(self) -> dict[str, list[float]]:
        """Return the columns of `metrics.csv`."""
        return self._metrics.columns()

    def _finish(self) -> list[Path]:
        """Write the policies of all seeds and, where there are any, their networks."""
        trainer, found = self.trainer, []
        for place, seed in enumerate(trainer.config.seeds):
            found.append(self.folder / f"policy-{seed}.json")
            trainer.policy(place).save(found[-1])
            if trainer.learned:
                policy_networks(trainer, place).save(self.folder / f"network-{seed}.h5")
        return found

    def _row(self, pace: DeepPace) -> list[str]:
        trainer, found = self.trainer, pace.exploitability
        return [
            str(trainer.iterations),
            f"{trainer.seconds:.1f}",
            f"{pace.per_second:.4g}",
            str(trainer.episodes),
            str(trainer.samples),
            *(f"{value:.6g}" for value in (float(np.median(found)), min(found), max(found))),
        ]

    def _keep_goal(self, iterations: int) -> None:
        """Write down how far the run goes, so that one that is killed and resumed goes as far."""
        kept = load_config(self.folder)
        if kept.iterations != iterations:
            values = kept.model_copy(update={"iterations": iterations}).model_dump(mode="json")
            write_text(self.folder / CONFIG_NAME, yaml.safe_dump(values, sort_keys=False))


def load_config(folder: str | Path, overrides: tuple[str, ...] = ()) -> DeepConfig:
    """Return the config of a run, with dotted overrides."""
    path = Path(folder) / CONFIG_NAME
    if not path.is_file():
        raise ArtefactError(f"there is no run in {folder}: it has no {CONFIG_NAME}")
    return DeepConfig.load(path, overrides)


def is_deep(folder: str | Path) -> bool:
    """Return whether the run of a folder is a deep one, by what its config names."""
    try:
        with open(Path(folder) / CONFIG_NAME, encoding="utf-8", errors="replace") as file:
            text = file.read(_CONFIG_BYTES)
    except OSError:
        return False
    return any(line.startswith("algorithm:") for line in text.splitlines())


def look_at(checkpoint: str | Path) -> DeepTrainer:
    """Return the trainer at one checkpoint in its run's folder, which stays as it is."""
    path = Path(checkpoint)
    if not (path.parent / CONFIG_NAME).is_file():
        raise ArtefactError(
            f"{path} is a checkpoint away from its run: {CONFIG_NAME} is not beside it; open it in its folder"
        )
    trainer = _looking_trainer(path.parent, None)
    _fill(path, trainer, *_read(path))
    return trainer


def _looking_trainer(folder: Path, game: Game | FlatGame | None) -> DeepTrainer:
    """Return a trainer to be filled that takes nothing from the run in the folder, and needs no GPU."""
    config = load_config(folder)
    memory = config.memory.model_copy(update={"mapped": False})
    run = config.run.model_copy(update={"device": "cpu"})
    return DeepTrainer(config.model_copy(update={"run": run, "memory": memory}), game)


def _restore_newest(folder: Path, trainer: DeepTrainer) -> tuple[str, ...]:
    """Fill a trainer from the newest good checkpoint; return a line for each that was passed over."""
    notes: list[str] = []
    for path in checkpoints(folder):
        try:
            head, arrays = _read(path)
        except ArtefactError as error:
            notes.append(str(error))
            continue
        _fill(path, trainer, head, arrays)
        if notes:
            notes.append(f"going on from the previous checkpoint, {path.name}, which is good")
        return tuple(notes)
    if notes:
        raise ArtefactError(f"no checkpoint of {folder} is good: {'; '.join(notes)}")
    return ()


def _fill(path: Path, trainer: DeepTrainer, head: dict[str, Any], arrays: dict[str, Any]) -> None:
    for key, own, words in (
        ("game", game_digest(trainer.flat), "rules of the game"),
        ("settings", trainer.config.result_digest(), "settings"),
    ):
        if head[key] != own:
            raise ArtefactError(
                f"{path} was trained with other {words}; resume with the run's own config or start anew"
            )
    trainer.load(arrays, int(head["iterations"]))
    trainer.seconds, trainer.samples = float(head["seconds"]), int(head["samples"])


def _read(path: Path) -> tuple[dict[str, Any], dict[str, Any]]:
    with artefact.opened(path, KIND) as file, file.parsing():
        head = file.head
        if not all(isinstance(head[key], str) for key in ("game", "settings")):
            raise file.damaged("its hashes are missing")
        if not all(isinstance(head[key], int | float) for key in ("iterations", "seconds", "samples")):
            raise file.damaged("its counts are missing")
        if file.nbytes > _MOST_BYTES:
            raise file.damaged("its arrays are larger than any run's")
        return head, {name: file[name].whole() for name in file.names}
