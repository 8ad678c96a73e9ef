"""Buckets as files: tables, rule, centres, config and report.

Head: overbet, config, hash, report. Arrays: flop, turn, river_rule, flop_centres and turn_centres (buckets by
histogram), river_class (where the river has classes of boards), and river (not in the compact form). A file
whose head names a `base` leaves out what it shares with that one: flop, turn and their centres. The hash
is that of the buckets themselves, the same in all forms; a file whose contents do not give its hash is
refused.

Files live in `$OVERBET_HOME/buckets`, or `~/.local/share/overbet/buckets`, unless a path is given. The
buckets `play` of the shipped blueprints come with the package, in the compact form.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from overbet import artefact
from overbet._version import __version__
from overbet.abstraction.bucket_config import PRESETS, BucketsConfig
from overbet.abstraction.buckets import NEEDS_TABLE, VERSION, Buckets, Centres, Table
from overbet.cards.isomorphism import board_isomorphism, hand_isomorphism
from overbet.errors import ArtefactError, ConfigError
from overbet.files import data_folder
from overbet.kernels.abstraction.features import RIVER_SCORES

KIND = artefact.Kind("buckets", VERSION + 1, "build them again with overbet buckets build")
SUFFIX = ".h5"
_SHIPPED = Path(__file__).parent / "shipped"
_MOST_CENTRES = 64 << 20  # bytes
_LEVEL = 6  # of gzip: buckets are written once and read often


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


def check_base(base: str) -> str:
    """Return how a file names its base, wherever it is read: a path in full, or a name as it is.

    Buckets that are based on others themselves are refused: a file of that kind could not be read.
    """
    with artefact.opened(find_buckets(base), KIND) as file:
        if "base" in file.head:
            raise ConfigError(
                f"base: buckets {base!r} have flop and turn from {file.head['base']!r}; name those instead"
            )
    return str(Path(base).resolve()) if Path(base).is_file() else base


def save_buckets(
    buckets: Buckets, path: str | Path, *, compact: bool = False, base: str | None = None
) -> Path:
    """Write the buckets, atomically; `compact` leaves the river table out (it follows from the rule).

    base: the name or path of buckets with the same flop and turn, which are left out then: the file is read
    together with that one.
    """
    target = Path(path)
    check_name(target)
    if compact and buckets.config.opponents:
        raise ConfigError(NEEDS_TABLE)
    _, flop, turn, river = buckets.counts
    arrays: dict[str, np.ndarray[Any, Any]] = {"river_rule": buckets.river_rule}
    if base is None:
        arrays |= {"flop": _narrow(buckets.flop, flop), "turn": _narrow(buckets.turn, turn)}
    else:
        base = check_base(base)
        shared = load_buckets(base, river_table=False)
        if not (np.array_equal(shared.flop, buckets.flop) and np.array_equal(shared.turn, buckets.turn)):
            raise ConfigError(f"buckets {base!r} have another flop or turn; leave the base out")
    if len(buckets.river_class):
        arrays["river_class"] = buckets.river_class
    if buckets.centres is not None and base is None:
        arrays |= {"flop_centres": buckets.centres[0], "turn_centres": buckets.centres[1]}
    if buckets.has_river_table and not compact:
        arrays["river"] = _narrow(buckets.river, river)
    head = {
        "overbet": __version__,
        "config": buckets.config.model_dump(mode="json"),
        "hash": buckets.hash,
        "report": buckets.report,
        **({} if base is None else {"base": base}),
    }
    artefact.write(target, KIND, head, arrays, level=_LEVEL)
    return target


def load_buckets(name: str | Path, *, river_table: bool = True) -> Buckets:
    """Return the buckets of a file (a path, or a name in the folder), checked against its hash.

    With `river_table` false its river table is not read, if it has one: 246 MB less, and the same buckets.
    """
    path = find_buckets(name)
    with artefact.opened(path, KIND) as file, file.parsing():
        config = _config(file)
        flop, turn, centres = _before_river(file, config)
        rule = _below(
            file, "river_rule", file.array("river_rule", np.uint16, (_rules(config),)), config.counts[3]
        )
        river = np.empty(0, np.uint16)
        if config.opponents or (river_table and "river" in file):
            river = _table(file, "river", 5, config)
        classes = np.empty(0, np.uint8)
        if config.river_classes > 1:
            classes = file.array("river_class", np.uint8, (board_isomorphism(5).size,))
        buckets = Buckets(config, flop, turn, rule, river, centres, file.head["report"], classes)
        if buckets.hash != file.head["hash"]:
            raise file.damaged("its contents do not give its hash")
    return buckets


def describe_file(path: Path) -> BucketsFile:
    """Return what a file says of itself; the tables are not read."""
    with artefact.opened(path, KIND) as file, file.parsing():
        return BucketsFile(
            path, _config(file), str(file.head["hash"]), "river" not in file, path.stat().st_size
        )


def list_files() -> list[Path]:
    """Return the files in the folder of buckets."""
    return sorted(buckets_folder().glob(f"*{SUFFIX}"))


def check_name(path: Path) -> None:
    """Refuse a name that does not say that it is an HDF5 file."""
    if path.suffix.lower() not in (SUFFIX, ".hdf5"):
        raise ConfigError(f"buckets are HDF5: end the name in {SUFFIX}, not {path.name!r}")


def _config(file: artefact.Artefact) -> BucketsConfig:
    return BucketsConfig.parse(file.head["config"], file.path)


def _before_river(
    file: artefact.Artefact, config: BucketsConfig
) -> tuple[Table, Table, tuple[Centres, Centres] | None]:
    """Return flop, turn and their centres, of the file or of the one it is based on."""
    if "base" in file.head:
        name = str(file.head["base"])
        beside = Path(file.path).parent / f"{name}{SUFFIX}"
        path = find_buckets(beside if beside.is_file() else name)
        with artefact.opened(path, KIND) as other:
            if "base" in other.head:  # two files could name each other
                raise file.damaged(f"it is based on {name!r}, which is based on another file itself")
        base = load_buckets(path, river_table=False)
        if not config.same_before_river(base.config):
            raise file.damaged(f"it is based on buckets {name!r}, which have another flop or turn")
        return base.flop, base.turn, base.centres
    centres = None
    if config.feature == "histogram":
        centres = (_centres(file, "flop_centres"), _centres(file, "turn_centres"))
    return _table(file, "flop", 3, config), _table(file, "turn", 4, config), centres


def _narrow(table: Table, count: int) -> np.ndarray[Any, Any]:
    """Return a table in bytes where its buckets fit them."""
    return table.astype(np.uint8) if count <= 256 else table


def _table(file: artefact.Artefact, name: str, board_cards: int, config: BucketsConfig) -> Table:
    """Return a table with one entry for every hand: [hands] uint16, kept in bytes where they suffice."""
    kind = np.uint8 if file[name].dtype == np.uint8 else np.uint16
    table = file.array(name, kind, (hand_isomorphism(board_cards).size,))
    return _below(file, name, table.astype(np.uint16, copy=False), config.counts[board_cards - 2])


def _below(file: artefact.Artefact, name: str, table: Table, count: int) -> Table:
    """Return a table all of whose buckets exist: kernels index with them and do not look."""
    if len(table) and int(table.max()) >= count:
        raise file.damaged(f"{name!r} names buckets beyond the {count} there are")
    return table


def _rules(config: BucketsConfig) -> int:
    """Return how many entries the rule of the river has: one for every score, or none."""
    return 0 if config.opponents else RIVER_SCORES * config.river_classes


def _centres(file: artefact.Artefact, name: str) -> Centres:
    """Return the centres of histograms: [buckets, bins] uint8 or uint16."""
    kind = np.uint8 if file[name].dtype == np.uint8 else np.uint16
    if file[name].nbytes > _MOST_CENTRES:
        raise file.damaged(f"{name!r} is too large")
    return file.array(name, kind, (None, None))
