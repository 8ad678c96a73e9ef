"""`overbet.load`: whatever overbet wrote, opened by what the file says it is.

| written by | opens as |
|---|---|
| `Solution.save`, `overbet solve --save` | `Solution` |
| a finished run, `overbet train` (`blueprint.h5`), `overbet blueprint export` | `Blueprint` |
| a run's folder, or one of its checkpoints | `Training`: tables and config, as far as the run came |
| `save_buckets`, `overbet buckets build` | `Buckets` |
| `TabularPolicy.save`, `overbet tabular --save` | `TabularPolicy` |
| `SamplingSolver.save`, `overbet sample --save` | `SamplingSolver` |
| `NetworkFile.save`, a finished deep run (`network-<seed>.h5`) | `NetworkFile` |
| `overbet distill`, `overbet self-play` | `HoldemNetFile` |
| the folder of `overbet deep`, or one of its checkpoints | `DeepTrainer`, as far as the run came |
| the folder of `solve_batch`, `overbet batch`; `Batch.save`, `overbet report --save` | `Batch` |
"""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar, overload

from overbet.artefact import kind_of
from overbet.errors import ArtefactError, quoted

T = TypeVar("T")
_START = 1 << 16  # bytes in which a JSON file says what it is
_FORMAT = re.compile(rb'"format": ?"overbet ([a-z ]+)"')
_OTHER = {
    "class table": "searches before the flop read it by themselves",
    "network state": "a run goes on from it: overbet distill (or self-play) --resume --out NETWORK",
    "preflop table": "the table of hands before the flop is opened by overbet.cards.preflop",
    "batch set": "it is the list of boards of a batch; open the folder of the batch",
    "batch board": "it is one board of a batch; open the folder of the batch",
}


@overload
def load(path: str | Path) -> Any: ...
@overload
def load(path: str | Path, kind: Callable[..., T]) -> T: ...  # not type[T]: `Blueprint` is abstract
def load(path: str | Path, kind: Any = None) -> Any:
    """Open a file or folder that overbet wrote: a solution, blueprint, run, buckets, policy, batch.

    kind: the class that is expected, such as `overbet.Solution`; anything else is refused, and type checkers
    know what they get. `ArtefactError` says what a file is that cannot be opened, and what to do.
    """
    place = Path(path)
    if not place.exists():
        raise ArtefactError(f"there is no file or folder {quoted(str(place))}")
    found = _folder(place) if place.is_dir() else _file(place)
    if kind is not None and not isinstance(found, kind):
        raise ArtefactError(f"{quoted(str(place))} holds a {type(found).__name__}, not a {kind.__name__}")
    return found


def _folder(place: Path) -> Any:
    from overbet.blueprint.checkpoint import CONFIG_NAME
    from overbet.blueprint.run import Run
    from overbet.solvers.vector.batches.batch import load_batch
    from overbet.solvers.vector.batches.folder import MANIFEST

    if (place / MANIFEST).is_file():
        return load_batch(place)
    if (place / CONFIG_NAME).is_file():
        from overbet.solvers.deep.run import DeepRun, is_deep

        return DeepRun.look(place) if is_deep(place) else Run.look(place)
    raise ArtefactError(
        f"{quoted(str(place))} is not a folder of overbet: it has neither {MANIFEST} (a batch) "
        f"nor {CONFIG_NAME} (a training run)"
    )


def _file(place: Path) -> Any:
    says = kind_of(place) or _sealed_kind(place)
    openers = _openers()
    if says in openers:
        return openers[says](place)
    if says in _OTHER:
        raise ArtefactError(f"{quoted(str(place))} is not opened by load: {_OTHER[says]}")
    if says:
        raise ArtefactError(
            f"{quoted(str(place))} is an 'overbet {quoted(says)}', which this version does not know"
        )
    raise ArtefactError(
        f"{quoted(str(place))} is not a file of overbet: it says nothing of what it is; load opens "
        "solutions, blueprints, checkpoints, buckets, policies, sampling runs and the folders of batches "
        "and runs"
    )


def _openers() -> dict[str, Callable[[Path], Any]]:
    """Return what opens each kind; a kind is named by the module that writes it."""
    from overbet.abstraction import bucket_files
    from overbet.blueprint import checkpoint, exchange, query, run, store
    from overbet.blueprint.network import files as network_files
    from overbet.solvers import policy, policy_io, sampling, sampling_io
    from overbet.solvers.deep import network_file
    from overbet.solvers.deep import run as deep_run
    from overbet.solvers.vector import store as solutions
    from overbet.solvers.vector.batches import batch, folder, packed

    return {
        solutions.KIND.name: solutions.load,
        store.KIND.name: query.Blueprint.load,
        exchange.KIND.name: exchange.import_json,
        checkpoint.KIND.name: run.look_at,
        bucket_files.KIND.name: bucket_files.load_buckets,
        policy_io.KIND.name: policy.TabularPolicy.load,
        sampling_io.KIND.name: sampling.SamplingSolver.load,
        network_file.KIND.name: network_file.NetworkFile.load,
        network_files.KIND.name: network_files.load_network,
        deep_run.KIND.name: deep_run.look_at,
        packed.KIND.name: packed.load_report,
        folder.KIND.name: lambda place: batch.load_batch(place.parent),
    }


def _sealed_kind(place: Path) -> str:
    """Return the kind a JSON or Parquet file says it is, or an empty string."""
    with open(place, "rb") as file:
        start = file.read(_START)
    if start.startswith(b"PAR1"):
        return "policy"  # the one kind of table; its reader says where it is somebody else's
    says = _FORMAT.search(start)
    return says[1].decode() if says else ""
