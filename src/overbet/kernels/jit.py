"""How every kernel is compiled, in one place.

`cache=True`: the user pays for compilation once per machine. `nogil=True`: threads split boards or
traversals. Bounds are not checked and integer division by zero is not guarded: callers validate.

Numba's cache notices a change in a kernel's own file, but not in the kernels it was compiled with. So the
version it compares is widened here to all kernel modules a file imports, directly or not: an edited or
upgraded kernel is never run in an old version. The version is read before anything else of a cache file, so
that one which names a type that is no longer there is passed over and not an error.

Two processes that compile at the same time may give the same name to two signatures of a function, and the
index of one may then lead to the code of the other: wrong numbers, silently. So reading and writing an entry
holds a lock of the folder.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache, partial
from pathlib import Path
from typing import Any, TypeVar, cast

import numba

F = TypeVar("F", bound=Callable[..., Any])

# What is not said a function takes from whoever calls it first and keeps in the cache for everybody: a strict
# kernel would round as a fast one does, or not, by the order in which things were compiled. So all is said.
_OPTIONS: dict[str, Any] = {
    "cache": True,
    "nogil": True,
    "error_model": "numpy",
    "fastmath": False,
    "forceinline": False,
    "_nrt": True,  # counting references
}
_LEAN: dict[str, Any] = {**_OPTIONS, "_nrt": False}
_FAST: dict[str, Any] = {**_OPTIONS, "fastmath": {"nsz", "arcp", "contract", "reassoc"}}
_FOLDER = Path(__file__).parent
_IMPORT = re.compile(r"^from overbet\.kernels(?:\.(\w+))? import (.*)$", re.MULTILINE)


def kernel(function: F) -> F:
    """Compile `function` with the house options and strict IEEE arithmetic."""
    return cast(F, _stamped(numba.njit(**_OPTIONS)(function)))


def inlined(function: F) -> F:
    """Compile a small function that LLVM always inlines into its callers."""
    return cast(F, _stamped(numba.njit(**{**_OPTIONS, "forceinline": True})(function)))


def lean(function: F) -> F:
    """Compile a function that allocates nothing and returns no array: no references are counted.

    Every array that a function takes out of a bundle, or takes a row of, is counted by an atomic addition and
    its opposite, and bundles have dozens of arrays. Where small functions hand bundles to each other millions
    of times that costs more than their work, in compilation too. Whoever calls the first of them holds all
    arrays. A lean function that returned an array would return one that its caller gives up once too often.
    """
    return cast(F, _stamped(_unspecialised(numba.njit(**_LEAN)(function))))


def lean_inlined(function: F) -> F:
    """Compile a small function that LLVM always inlines, as `lean` does."""
    return cast(F, _stamped(numba.njit(**{**_LEAN, "forceinline": True})(function)))


def fast_kernel(function: F) -> F:
    """Compile with reassociation and contraction allowed: sums may differ in the last bits."""
    return cast(F, _stamped(numba.njit(**_FAST)(function)))


def fast_inlined(function: F) -> F:
    """Compile a small function that LLVM always inlines; arithmetic as in `fast_kernel`."""
    return cast(F, _stamped(numba.njit(**{**_FAST, "forceinline": True})(function)))


def parallel_kernel(function: F) -> F:
    """Compile with `numba.prange` threads; arithmetic as in `fast_kernel`."""
    return cast(F, _stamped(numba.njit(**_FAST, parallel=True)(function)))


def _unspecialised(dispatcher: Any) -> Any:
    """Compile once for a kind of number, not once more for every constant that a caller writes."""
    template = dispatcher.get_call_template

    kind_of: Callable[[Any], Any] = numba.types.unliteral

    def for_kinds(args: Any, kws: Any) -> Any:
        return template(tuple(map(kind_of, args)), {name: kind_of(kind) for name, kind in kws.items()})

    dispatcher.get_call_template = for_kinds
    return dispatcher


def _stamped(dispatcher: Any) -> Any:
    """Widen the cache version of a compiled function; with caching off there is nothing to widen."""
    file = getattr(getattr(dispatcher, "_cache", None), "_cache_file", None)
    if file is not None and hasattr(file, "_version"):
        module = Path(dispatcher.py_func.__code__.co_filename).stem
        file._version = (file._version, _stamp(module))
        file.load = partial(_alone, file, file.load)
        file.save = partial(_alone, file, file.save)
    return dispatcher


def _alone(file: Any, work: Callable[..., Any], *arguments: Any) -> Any:
    """Do `work` on a cache file while no other process reads or writes in its folder."""
    try:
        import fcntl

        lock = open(Path(file._index_path).parent / "overbet.lock", "a")  # noqa: SIM115  # closed below
    except (ImportError, OSError):  # no such locks here, or a folder that nobody can write to
        return work(*arguments)
    with lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        return work(*arguments)


@cache
def _stamp(module: str) -> tuple[tuple[str, int, int], ...]:
    """Return name, size and time of change of a kernel module and of all it imports from this folder."""
    found: dict[str, tuple[str, int, int]] = {}
    waiting = [module]
    while waiting:
        name = waiting.pop()
        path = _FOLDER / f"{name}.py"
        if name in found or not path.exists():
            continue
        status = path.stat()
        found[name] = (name, status.st_size, status.st_mtime_ns)
        for source, names in _IMPORT.findall(path.read_text(encoding="utf-8")):
            waiting += [source] if source else re.findall(r"\w+", names)
    return tuple(found[name] for name in sorted(found))
