"""Solutions as HDF5 files: whole or the first streets only, versioned, checked for damage, resumable.

    head                       JSON as bytes: format, version, spot, settings, locks, history, digests
    average/oop/values ...     the tables' parts, one dataset each, compressed (Blosc, zstd, shuffled bytes)
    regret/..., play/...       what a run resumes from (whole trees only, unless they were left out)
    locked/oop ...             masks of locked hands
    values/follow/oop/flop ... the judge's values of the streets that are kept, where later ones are not

The first 512 bytes (HDF5's user block, which other readers skip) hold the length and the checksum of the
rest, looked at before the HDF5 library sees a byte: a file is either what was written or refused. It is
written beside the old one and put in its place when it is complete.
"""

from __future__ import annotations

import hashlib
import io
import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple, cast

import numpy as np
import numpy.typing as npt

from overbet._version import __version__
from overbet.errors import ArtefactError, ConfigError
from overbet.files import replacing
from overbet.kernels.vector_response import BEST, FOLLOW
from overbet.solvers.vector.layout import Layout, PublicTree, layout_of
from overbet.solvers.vector.lines import PLAYERS
from overbet.solvers.vector.locking import Lock, tree_for
from overbet.solvers.vector.packed import PackedTable
from overbet.solvers.vector.response import Values
from overbet.solvers.vector.settings import SolveSettings
from overbet.solvers.vector.solution import KnownValues, Solution
from overbet.solvers.vector.solver import Progress
from overbet.solvers.vector.tables import Table, Tables, assembled, parts
from overbet.tree.spot import IP, OOP, STREETS, Spot

FORMAT, VERSION = "overbet solution", 1
SUFFIXES = (".h5", ".hdf5")
FLOP, TURN, RIVER = 0, 1, 2
_MODES = {"follow": FOLLOW, "best": BEST}
_BLOCK = 512  # bytes of the user block
_CHUNK = 1 << 18  # numbers compressed together
_AGAIN = "save it again, or solve its spot again"

Array = npt.NDArray[Any]


class Saved(NamedTuple):
    """A file as it was read. `tables` has regrets only when they were asked for, or averages lack them."""

    spot: Spot
    settings: SolveSettings
    locks: tuple[Lock, ...]
    tree: PublicTree
    layout: Layout
    tables: Tables
    known: KnownValues | None
    history: list[Progress]
    last_street: int
    interrupted: bool


def check_save(path: str | Path) -> Path:
    """Return `path`, or raise at once when its ending is not one of `SUFFIXES`: ask before a long run."""
    target = Path(path)
    if target.suffix.lower() not in SUFFIXES:
        raise ConfigError(f"a solution is saved as HDF5: end {str(target)!r} in {' or '.join(SUFFIXES)}")
    return target


def check_streets(spot: Spot, streets: int) -> None:
    """Raise where a spot does not have so many streets."""
    first = spot.first_street
    if not 1 <= streets <= 3 - first:
        raise ConfigError(
            f"streets={streets}: {spot.board} has {', '.join(STREETS[first:])}: 1 to {3 - first}"
        )


def save(solution: Solution, path: str | Path, streets: int | None = None, *, resumable: bool = True) -> None:
    """Write a solution; streets: how many from the first on, all when None."""
    target = check_save(path)
    last = _last_street(solution, streets)
    whole = last == RIVER
    tables = solution.tables
    resumable = resumable and whole and tables.regret is not None
    arrays: dict[str, Array] = {}
    # without regrets nothing can fill in later what a hand does where it never gets: keep the filled averages
    averages = tables.average if resumable else solution.reader.average
    for player, name in enumerate(PLAYERS):
        kept = averages[player] if whole else _first_streets(solution, averages[player], player, last)
        arrays |= {f"average/{name}/{part}": array for part, array in parts(kept).items()}
        if resumable:
            assert tables.regret is not None
            assert tables.play is not None
            arrays |= {f"regret/{name}/{p}": a for p, a in parts(tables.regret[player]).items()}
            if tables.play[player] is not tables.regret[player]:
                arrays |= {f"play/{name}/{p}": a for p, a in parts(tables.play[player]).items()}
        if tables.locked is not None and whole:
            arrays[f"locked/{name}"] = tables.locked[player]
    if not whole:
        arrays |= _early_values(solution, last)
    head = {
        "overbet": __version__,
        "spot": solution.spot.model_dump(mode="json", by_alias=True),
        "spot_digest": solution.spot.digest(),
        "settings": solution.settings.model_dump(mode="json"),
        "settings_digest": solution.settings.digest(),
        "locks": [lock.model_dump(mode="json") for lock in solution.locks],
        "iteration": solution.iteration,
        "history": [list(look) for look in solution.history],
        "last_street": STREETS[last],
        "resumable": resumable,
        # some hand has no average somewhere: only the regrets tell what it does there
        "unplayed": any(a is not b for a, b in zip(solution.reader.average, tables.average)),
        "interrupted": solution.interrupted,
        "layout_digest": layout_digest(solution.tree, solution.layout),
        "datasets": list(arrays),
    }
    with replacing(target) as beside:
        _write(beside, head, arrays)


def load(path: str | Path) -> Solution:
    """Open a saved solution."""
    saved = read(path)
    return Solution(
        saved.tree,
        saved.settings,
        saved.tables,
        saved.history,
        layout=saved.layout,
        locks=saved.locks,
        last_street=saved.last_street,
        known=saved.known,
        interrupted=saved.interrupted,
    )


def read(path: str | Path, *, resume: bool = False) -> Saved:
    """Read a file, all checked; resume: with the regrets, which must be there."""
    if not Path(path).is_file():
        raise ArtefactError(f"there is no file {path}")
    try:
        _examine(path)
    except OSError as error:
        raise ArtefactError(f"cannot read {path}: {error.strerror}") from error
    with _opened(path) as file:
        head = json.loads(file["head"][...].tobytes())
        spot = Spot.parse(head["spot"], str(path))
        settings = SolveSettings.parse(head["settings"], str(path))
        locks = tuple(Lock.parse(lock, str(path)) for lock in head["locks"])
        if resume and not head["resumable"]:
            raise ArtefactError(
                f"{path} holds no regrets to resume from (it was saved with fewer streets or without them); "
                "solve without --resume"
            )
        tree = tree_for(spot, locks)
        layout = layout_of(tree)
        if layout_digest(tree, layout) != head["layout_digest"]:
            raise ArtefactError(
                f"{path} was saved by version {head['overbet']}, which lays its tables out in another way; "
                "solve the spot again"
            )
        regrets = resume or (head["resumable"] and head["unplayed"])
        groups = ["average", "locked", *(["regret", "play"] if regrets else []), "values"]
        arrays = {name: file[name][...] for name in head["datasets"] if name.split("/")[0] in groups}
    last = STREETS.index(head["last_street"])
    return Saved(
        spot,
        settings,
        locks,
        tree,
        layout,
        _tables(arrays, int(head["iteration"])),
        _known(arrays, last) if last < RIVER else None,
        [Progress(*look) for look in head["history"]],
        last,
        bool(head["interrupted"]),
    )


def layout_digest(tree: PublicTree, layout: Layout) -> str:
    """Return the sha256 of everything that decides which entry of a table means what."""
    sha = hashlib.sha256(layout.rows.astype("<i4").tobytes())
    for boards in tree.boards:
        sha.update(boards.cards.tobytes())
    for player in (OOP, IP):
        side = layout.passes[player].own
        for column in (side.base, side.rows, side.river_start, side.river_row):
            sha.update(column.astype("<i8").tobytes())
        sha.update(tree.hands[player].combos.astype("<i2").tobytes())
        sha.update(tree.showdowns[player].hand.astype("<i2").tobytes())
    return sha.hexdigest()


def _last_street(solution: Solution, streets: int | None) -> int:
    first = solution.spot.first_street
    most = solution.last_street - first + 1
    if streets is None:
        return solution.last_street
    check_streets(solution.spot, streets)
    if streets > most:
        raise ConfigError(f"this solution holds {most} street(s) only ({', '.join(solution.streets)})")
    return first + streets - 1


def _first_streets(solution: Solution, table: Table, player: int, last: int) -> Table:
    end = int(solution.layout.passes[player].own.base[last + 1])
    if isinstance(table, PackedTable):
        return table.early[:end]
    return table[:end]


def _early_values(solution: Solution, last: int) -> dict[str, Array]:
    found: dict[str, Array] = {}
    for mode, number in _MODES.items():
        for player, name in enumerate(PLAYERS):
            values = solution.reader.early_values(player, number)
            for street, array in ((FLOP, values.flop), (TURN, values.turn)):
                if array is not None and street <= last:
                    found[f"values/{mode}/{name}/{STREETS[street]}"] = array.astype(np.float32)
    return found


def _tables(arrays: dict[str, Array], iteration: int) -> Tables:
    def group(kind: str) -> list[Table] | None:
        found = [
            {name.split("/")[2]: a for name, a in arrays.items() if name.startswith(f"{kind}/{player}/")}
            for player in PLAYERS
        ]
        return [assembled(part) for part in found] if all(found) else None

    average, regret = group("average"), group("regret")
    assert average is not None
    play = group("play") or regret
    masks = [arrays[f"locked/{name}"] for name in PLAYERS if f"locked/{name}" in arrays]
    return Tables(iteration, average, regret, play, masks or None)


def _known(arrays: dict[str, Array], last: int) -> KnownValues:
    known: KnownValues = {}
    for mode, number in _MODES.items():
        for player, name in enumerate(PLAYERS):
            flop, turn = (
                arrays[key].astype(np.float64)
                if (key := f"values/{mode}/{name}/{street}") in arrays
                else None
                for street in STREETS[:2]
            )
            first = flop[0] if flop is not None else turn[0, 0] if turn is not None else np.zeros(0)
            known[player, number] = Values(first, flop, turn)
    return known


def _write(path: Path, head: dict[str, Any], arrays: dict[str, Array]) -> None:
    import h5py
    import hdf5plugin

    packed = hdf5plugin.Blosc(cname="zstd", clevel=1, shuffle=hdf5plugin.Blosc.SHUFFLE)
    with open(path, "w+b", buffering=0) as raw:
        sink = _Sink(raw)
        with h5py.File(sink, "w", userblock_size=_BLOCK) as file:
            for name, array in arrays.items():
                chunks = True if array.ndim > 1 else (min(_CHUNK, max(1, array.size)),)
                file.create_dataset(name, data=array, chunks=chunks if array.size else None, **packed)
            file["head"] = np.frombuffer(json.dumps(head).encode(), np.uint8)
        if sink.error is not None:
            raise sink.error
        length, checksum = _length_and_checksum(raw)
        raw.seek(0)
        raw.write(f"{FORMAT} {VERSION}\n{length}\n{checksum}\n".encode().ljust(_BLOCK, b"\0"))


class _Sink:
    """A file for the HDF5 library to write to, which never tells it that a write failed.

    On a full disk the library would crash while it tidies up. So the first error is kept, what follows is
    dropped, and the caller raises the error once the library is done.
    """

    def __init__(self, raw: io.FileIO) -> None:
        self.raw, self.error = raw, cast(OSError | None, None)
        self.seek, self.tell, self.read = raw.seek, raw.tell, raw.read

    def write(self, data: bytes) -> int:
        """Write all of `data`, or nothing more once a write has failed."""
        view = memoryview(data)
        done = 0
        try:
            while self.error is None and done < len(view):
                done += self.raw.write(view[done:]) or 0
        except OSError as error:
            self.error = error
        return len(view)

    def readinto(self, room: Any) -> int:
        """Read; zeros where nothing was written."""
        view = memoryview(room)
        count = self.raw.readinto(view) or 0
        view[count:] = bytes(len(view) - count)
        return len(view)

    def truncate(self, size: int) -> int:
        """Give the file its length."""
        try:
            if self.error is None:
                self.raw.truncate(size)
        except OSError as error:
            self.error = error
        return size

    def flush(self) -> None:
        """Do nothing: the file is not buffered."""


def _length_and_checksum(raw: io.FileIO) -> tuple[int, str]:
    """Return the length of a file and the checksum of what follows the user block."""
    raw.seek(_BLOCK)
    digest = hashlib.sha256()
    while part := raw.read(1 << 22):
        digest.update(part)
    return raw.tell(), digest.hexdigest()


def _examine(path: str | Path) -> None:
    """Raise unless a file is a solution of this version, as long and with the content it was written with."""
    with open(path, "rb", buffering=0) as raw:
        lines = raw.read(_BLOCK).rstrip(b"\0").decode("ascii", "replace").splitlines()
        kind, _, version = lines[0].rpartition(" ") if lines else ("", "", "")
        if kind != FORMAT:
            raise ArtefactError(f"{path} is not a solution of overbet; overbet solve --save writes one")
        if version != str(VERSION):
            raise ArtefactError(
                f"{path} has version {version} of the format and this program reads {VERSION}; use the "
                "version of overbet it was saved with, or solve the spot again"
            )
        length, checksum = _length_and_checksum(raw)
    if lines[1:2] != [str(length)]:
        raise ArtefactError(f"{path} is cut short: {length:,} bytes of {lines[1]}; {_AGAIN}")
    if lines[2:3] != [checksum]:
        raise ArtefactError(f"{path} is damaged: its content does not match its checksum; {_AGAIN}")


@contextmanager
def _opened(path: str | Path) -> Iterator[Any]:
    import h5py
    import hdf5plugin  # noqa: F401  registers the compression

    with h5py.File(path, "r") as file:
        yield file
