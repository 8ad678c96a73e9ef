"""Machine code of kernels that travels inside a built wheel.

`make wheel` compiles the kernels of the usual commands for two levels of x86-64: v3 (AVX2) and v4 (AVX-512).
Each level is one zip file in `compiled/`: an entry for each kernel and types of arguments, and `about.json`
with the versions of Python and numba it is for, a checksum of all kernel sources, and one of every entry.
Where any of them differs the kernels are compiled as from a source tree, and one line on stderr says why.
"""

from __future__ import annotations

import hashlib
import json
import os
import pickle
import platform
import sys
import zipfile
import zlib
from collections.abc import Iterable
from functools import cache
from pathlib import Path
from typing import Any

import numba
from llvmlite import binding
from numba.core import serialize

# What a level has beyond the one before it, in LLVM's words.
FEATURES = {
    "x86-64-v3": ("avx2", "bmi", "bmi2", "f16c", "fma", "lzcnt", "movbe"),
    "x86-64-v4": ("avx512f", "avx512bw", "avx512cd", "avx512dq", "avx512vl"),
}
COLLECT = "OVERBET_COLLECT_KERNELS"  # a folder: every kernel that is compiled is written there too
ABOUT = "about.json"
_serialize: Any = serialize  # it has no types
_FOLDER = Path(__file__).parent
_VERSIONS = {"python": platform.python_version_tuple()[:2], "numba": numba.__version__}


def features_of(level: str) -> str:
    """Return what a processor of a level has, as numba's setting `NUMBA_CPU_FEATURES` wants it."""
    levels = list(FEATURES)
    return ",".join(f"+{name}" for one in levels[: levels.index(level) + 1] for name in FEATURES[one])


def has(function: Any, args: Iterable[Any]) -> bool:
    """Tell whether there is code of a kernel for these types of arguments."""
    archive = _archive()
    return archive is not None and entry_name(function, args) in archive[1]


def find(function: Any, args: Iterable[Any]) -> Any:
    """Return what the cache would keep of a kernel for these types of arguments, or None."""
    archive = _archive()
    if archive is None:
        return None
    file, digests = archive
    name = entry_name(function, args)
    if name not in digests:
        return None
    try:
        body = file.read(name)
    except (OSError, EOFError, KeyError, zipfile.BadZipFile, zlib.error):
        body = b""
    if hashlib.sha256(body).hexdigest() != digests[name]:
        _say(f"{Path(str(file.filename)).name} is damaged")
        return None
    return pickle.loads(body)  # noqa: S301  # code of this package, like its modules


def collect(function: Any, args: Iterable[Any], data: Any) -> None:
    """Write what the cache keeps of a kernel into the folder where a wheel's kernels are collected."""
    folder = os.environ.get(COLLECT)
    if folder:
        Path(folder, entry_name(function, args)).write_bytes(_serialize.dumps(data))


def entry_name(function: Any, args: Iterable[Any]) -> str:
    """Return the name of a kernel's entry: the function, and a digest of the types of its arguments."""
    kinds = hashlib.sha256(", ".join(map(str, args)).encode()).hexdigest()[:32]
    return f"{function.__module__}.{function.__qualname__}.{kinds}"


def pack(folder: Path, target: Path) -> int:
    """Make a level's file of what was collected in a folder; return the number of kernels."""
    entries = {path.name: path.read_bytes() for path in sorted(folder.iterdir())}
    about = {
        **_VERSIONS,
        "sources": sources_digest(),
        "entries": {name: hashlib.sha256(body).hexdigest() for name, body in entries.items()},
    }
    target.parent.mkdir(exist_ok=True)
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as file:
        file.writestr(ABOUT, json.dumps(about))
        for name, body in entries.items():
            file.writestr(name, body)
    return len(entries)


@cache
def sources_digest() -> str:
    """Return a digest of all kernel modules."""
    digest = hashlib.sha256()
    for path in sorted(_FOLDER.rglob("*.py")):
        digest.update(path.relative_to(_FOLDER).as_posix().encode() + b"\0" + path.read_bytes())
    return digest.hexdigest()


@cache
def _archive() -> tuple[zipfile.ZipFile, dict[str, str]] | None:
    """Return the open file of this machine's level and the digests of its entries, or None."""
    level = _level()
    path = _FOLDER / "compiled" / f"{level}.zip"
    if level is None or not path.is_file():
        return None
    try:
        file = zipfile.ZipFile(path)
        about = json.loads(file.read(ABOUT))
        versions = {key: tuple(value) if key == "python" else value for key, value in about.items()}
    except (OSError, ValueError, KeyError, zipfile.BadZipFile):
        _say(f"{path.name} is damaged")
        return None
    for key, here in _VERSIONS.items():
        if versions.get(key) != here:
            _say(f"they are for {key} {_text(versions.get(key))}, and here is {_text(here)}")
            return None
    if about.get("sources") != sources_digest():
        _say("the sources of the kernels have changed")
        return None
    return file, about["entries"]


def _level() -> str | None:
    """Return the level whose code is to be used; None where code is asked for another processor."""
    settings: Any = numba.config
    if settings.CPU_NAME or settings.CPU_FEATURES or getattr(settings, "BOUNDSCHECK", None):
        return None
    return machine_level()


def machine_level() -> str | None:
    """Return the highest level that this machine has."""
    if platform.machine() not in ("x86_64", "AMD64") or sys.platform != "linux":
        return None
    there = binding.get_host_cpu_features()
    level = None
    for one, names in FEATURES.items():
        if not all(there.get(name) for name in names):
            break
        level = one
    return level


def _text(version: Any) -> str:
    return ".".join(version) if isinstance(version, tuple) else str(version)


@cache
def _say(why: str) -> None:
    """Say a reason once in a process."""
    print(f"overbet: kernels of this package are compiled anew: {why}", file=sys.stderr)
