"""Buckets as HDF5 files: tables, rule, centres, config and report, checked for damage when read.

Attributes: format, version, overbet, config (JSON), hash, river_checksum. Datasets, compressed: report (JSON
in bytes), flop, turn, river_rule, flop_centres and turn_centres (buckets by histogram), and river (not in the
compact form).
The hash is that of the buckets themselves, the same in both forms; a file whose contents do not give its hash
is refused.

Files live in `$OVERBET_HOME/buckets`, or `~/.local/share/overbet/buckets`, unless a path is given. The
buckets `play` of the shipped blueprints come with the package, in the compact form.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from overbet._version import __version__
from overbet.abstraction.bucket_config import PRESETS, BucketsConfig
from overbet.abstraction.buckets import NEEDS_TABLE, VERSION, Buckets, Table
from overbet.cards.isomorphism import hand_isomorphism
from overbet.errors import ArtefactError, ConfigError
from overbet.files import data_folder, replacing

FORMAT = "overbet buckets"
SUFFIX = ".h5"
_SHIPPED = Path(__file__).parent / "shipped"
_AGAIN = "build them again with overbet buckets build"


@dataclass(frozen=True)
class BucketsFile:
    """What a file says of itself, read without its tables."""

    path: Path
    config: BucketsConfig
    hash: str
    compact: bool
    size_bytes: int


def buckets_folder() -> Path:
    """Return where bucket files are kept."""
    return data_folder() / "buckets"


def default_path(config: BucketsConfig) -> Path:
    """Return the file of a config: named after its preset, or its counts and the start of its digest."""
    for name, known in PRESETS.items():
        if known == config:
            return buckets_folder() / f"{name}{SUFFIX}"
    counts = "-".join(map(str, config.counts[1:]))
    return buckets_folder() / f"{counts}-{config.digest()[:8]}{SUFFIX}"


def find_buckets(name: str | Path) -> Path:
    """Return the file of a path, or of a name such as `standard`: in the folder of buckets, or shipped."""
    for path in (Path(name), buckets_folder() / f"{name}{SUFFIX}", _SHIPPED / f"{name}{SUFFIX}"):
        if path.is_file():
            return path
    how = f"overbet buckets build --preset {name}" if str(name) in PRESETS else "overbet buckets build"
    raise ArtefactError(
        f"there are no buckets {str(name)!r}, here or in {buckets_folder()}; build them: {how}"
    )


def save_buckets(buckets: Buckets, path: str | Path, *, compact: bool = False) -> Path:
    """Write the buckets, atomically; `compact` leaves the river table out (it follows from the rule)."""
    import h5py
    import hdf5plugin

    target = Path(path)
    check_name(target)
    if compact and buckets.config.opponents:
        raise ConfigError(NEEDS_TABLE)
    squeeze = {"compression": hdf5plugin.Zstd(clevel=6), "shuffle": False}
    with replacing(target) as beside, h5py.File(beside, "w") as file:
        file.attrs["format"], file.attrs["version"] = FORMAT, VERSION
        file.attrs["overbet"] = __version__
        file.attrs["config"] = buckets.config.model_dump_json()
        file.attrs["hash"] = buckets.hash
        file.create_dataset(
            "report", data=np.frombuffer(json.dumps(buckets.report).encode(), np.uint8), **squeeze
        )
        _, flop, turn, river = buckets.counts
        file.create_dataset("flop", data=_narrow(buckets.flop, flop), chunks=(1 << 18,), **squeeze)
        file.create_dataset("turn", data=_narrow(buckets.turn, turn), chunks=(1 << 20,), **squeeze)
        file.create_dataset("river_rule", data=buckets.river_rule)
        if buckets.centres is not None:
            file.create_dataset("flop_centres", data=buckets.centres[0], **squeeze)
            file.create_dataset("turn_centres", data=buckets.centres[1], **squeeze)
        if buckets.has_river_table and not compact:
            file.attrs["river_checksum"] = _checksum(buckets.river)
            file.create_dataset("river", data=_narrow(buckets.river, river), chunks=(1 << 20,), **squeeze)
    return target


def load_buckets(name: str | Path, *, river_table: bool = True) -> Buckets:
    """Return the buckets of a file (a path, or a name in the folder), checked against its hash.

    With `river_table` false its river table is not read, if it has one: 246 MB less, and the same buckets.
    """
    path = find_buckets(name)
    with _opened(path) as (file, config):
        flop, turn = _table(file, "flop", 3), _table(file, "turn", 4)
        rule = file["river_rule"][:]
        centres = None
        if config.feature == "histogram":
            centres = (file["flop_centres"][:], file["turn_centres"][:])
        report = json.loads(bytes(file["report"][:]))
        river = np.empty(0, np.uint16)
        if config.opponents or (river_table and "river" in file):
            river = _table(file, "river", 5)
            if _checksum(river) != file.attrs["river_checksum"]:
                raise ArtefactError(f"{path} is damaged (its river table changed); {_AGAIN}")
        buckets = Buckets(config, flop, turn, rule, river, centres, report)
        if buckets.hash != file.attrs["hash"]:
            raise ArtefactError(f"{path} is damaged (its contents do not give its hash); {_AGAIN}")
    return buckets


def describe_file(path: Path) -> BucketsFile:
    """Return what a file says of itself; the tables are not read."""
    with _opened(path) as (file, config):
        return BucketsFile(path, config, str(file.attrs["hash"]), "river" not in file, path.stat().st_size)


def list_files() -> list[Path]:
    """Return the files in the folder of buckets."""
    return sorted(buckets_folder().glob(f"*{SUFFIX}"))


def check_name(path: Path) -> None:
    """Refuse a name that does not say that it is an HDF5 file."""
    if path.suffix.lower() not in (SUFFIX, ".hdf5"):
        raise ConfigError(f"buckets are HDF5: end the name in {SUFFIX}, not {path.name!r}")


@contextmanager
def _opened(path: Path) -> Iterator[tuple[Any, BucketsConfig]]:
    """Yield the open file and its config; whatever is wrong with it becomes an `ArtefactError`."""
    import h5py
    import hdf5plugin  # noqa: F401  registers the compression

    try:
        with h5py.File(path, "r") as file:
            if file.attrs.get("format") != FORMAT:
                raise ArtefactError(f"{path} is HDF5 but not a file of buckets")
            version = int(file.attrs["version"])
            if version != VERSION:
                made = file.attrs.get("overbet", "?")
                raise ArtefactError(
                    f"{path} holds buckets of version {version} (overbet {made}), and version {VERSION} is "
                    f"needed; {_AGAIN}"
                )
            yield file, BucketsConfig.parse(json.loads(file.attrs["config"]), str(path))
    except (OSError, KeyError, ValueError, RuntimeError) as error:
        if isinstance(error, FileNotFoundError):
            raise ArtefactError(f"{path} does not exist") from error
        raise ArtefactError(f"{path} is damaged or not a file of buckets; {_AGAIN}") from error


def _narrow(table: Table, count: int) -> np.ndarray[Any, Any]:
    """Return a table in bytes where its buckets fit them."""
    return table.astype(np.uint8) if count <= 256 else table


def _table(file: Any, name: str, board_cards: int) -> Table:
    table = file[name][:].astype(np.uint16, copy=False)
    if table.shape != (hand_isomorphism(board_cards).size,):
        raise ArtefactError(f"the {name} table has {table.shape} entries, not one for every hand; {_AGAIN}")
    return np.ascontiguousarray(table)


def _checksum(table: Table) -> str:
    return hashlib.sha256(np.ascontiguousarray(table).data).hexdigest()
