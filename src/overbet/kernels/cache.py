"""Where compiled kernels are kept on disk, and how they are found again.

Numba's cache notices a change in a kernel's own file, but not in the kernels it was compiled with. So the
version it compares is widened here to all kernel modules a file imports, directly or not, and to whether
bounds are checked: an edited or upgraded kernel is never run in an old version.

Every cache file ends with a checksum of that version and of all that is in it, and nothing is read before it
agrees: a file that was cut short, damaged or written by another version is passed over and compiled anew.
Where code cannot be kept (no folder to write to, a full disk) it is compiled for this process alone, and one
line on stderr says so.

Two processes that compile at the same time may give the same name to two signatures of a function, and the
index of one may then lead to the code of the other: wrong numbers, silently. So reading and writing an entry
holds a lock of the folder. Of two processes that need the same kernel one compiles it and the other waits.
"""

from __future__ import annotations

import hashlib
import io
import os
import pickle
import re
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache, partial
from pathlib import Path
from typing import Any, cast

import numba
from numba.core.runtime import rtsys  # type: ignore[attr-defined]

from overbet.kernels import shipped
from overbet.kernels.told import told_of_waiting

_FOLDER = Path(__file__).parent
_said: list[str] = []  # why compiled code is not kept, once it has been said
_SEAL = hashlib.sha256().digest_size
_IMPORT = re.compile(r"^from overbet\.kernels((?:\.\w+)*) import (\([^)]*\)|.*)$", re.MULTILINE)


def keep(dispatcher: Any) -> None:
    """Keep what a dispatcher compiles in checked files; where there is no folder to keep it in, say so."""
    try:
        dispatcher.enable_caching()
    except RuntimeError as error:
        if "no locator available" not in str(error):
            raise
        _say("no folder for it can be written to")
        return
    store: Any = dispatcher._cache
    file: Any = getattr(store, "_cache_file", None)
    if file is None or not hasattr(file, "_version"):
        return
    kind: Any = type(file)
    module = Path(dispatcher.py_func.__code__.co_filename)
    file.__class__ = _checked(kind)
    file._version = (file._version, _stamp(module), bool(getattr(numba.config, "BOUNDSCHECK", None)))
    store.load_overload = partial(_loaded, store)
    store.save_overload = partial(_saved, store, store.save_overload)


@cache
def _checked(kind: Any) -> type:
    """Return numba's class of a function's cache files with checksums, and one process at a time."""
    return type(f"Checked{kind.__name__}", (_CheckedFiles, kind), {})


class _CheckedFiles:
    """The files of one function, an index and one a signature, each with a checksum at its end.

    It stands before numba's own class, which has the paths, the version and the way to write a file at once.
    """

    _index_path: str
    _version: Any
    _source_stamp: Any
    _data_name: Callable[[int], str]
    _data_path: Callable[[str], str]
    _dump: Callable[[Any], bytes]
    _open_for_write: Callable[[str], Any]

    def load(self, key: Any) -> Any:
        """Return what is kept under a key, or None."""
        return _alone(self, self._get, key)

    def save(self, key: Any, data: Any) -> None:
        """Keep data under a key."""
        _alone(self, self._put, key, data)

    def _get(self, key: Any) -> Any:
        name = self._load_index().get(key)
        body = None if name is None else self._read(self._data_path(name))
        return None if body is None else pickle.loads(body)  # noqa: S301

    def _put(self, key: Any, data: Any) -> None:
        """Write the code before the index that leads to it: whoever is stopped in between leaves no trace."""
        names = self._load_index()
        taken, number = set(names.values()), 1
        while key not in names and self._data_name(number) in taken:
            number += 1
        name = names.setdefault(key, self._data_name(number))
        self._write(self._data_path(name), self._dump(data))
        self._save_index(names)

    def _load_index(self) -> dict[Any, str]:
        body = self._read(self._index_path)
        if body is None:
            return {}
        stream = io.BytesIO(body)
        try:
            pickle.load(stream)  # noqa: S301  # the version, for other versions to read
            return cast(dict[Any, str], pickle.load(stream)[1])  # noqa: S301
        except (ImportError, AttributeError):  # an index that names a type of a module that is not here
            return {}

    def _save_index(self, overloads: dict[Any, str]) -> None:
        version = pickle.dumps(self._version, protocol=-1)
        self._write(self._index_path, version + self._dump((self._source_stamp, overloads)))

    def _read(self, path: str) -> bytes | None:
        """Return what a file holds, or None where there is none whose checksum agrees."""
        try:
            whole = Path(path).read_bytes()
        except FileNotFoundError:
            return None
        body = whole[:-_SEAL]
        return body if whole[-_SEAL:] == self._seal(body) else None

    def _write(self, path: str, body: bytes) -> None:
        with self._open_for_write(path) as file:
            file.write(body + self._seal(body))

    def _seal(self, body: bytes) -> bytes:
        version = repr((self._version, self._source_stamp)).encode()
        return hashlib.sha256(version + body).digest()


def is_kept(dispatcher: Any, args: tuple[Any, ...]) -> bool:
    """Tell whether machine code for these types of arguments is in this process or on disk."""
    if args in dispatcher.overloads:
        return True
    store = getattr(dispatcher, "_cache", None)
    file = getattr(store, "_cache_file", None)
    if store is None or not isinstance(file, _CheckedFiles):
        return False
    try:
        key = store._index_key(args, dispatcher.targetctx.codegen())
        return key in _alone(file, file._load_index) or shipped.has(store._py_func, args)
    except Exception:  # what cannot be read is not kept
        return False


@contextmanager
def compiling(dispatcher: Any) -> Iterator[None]:
    """Hold the right to compile a function; another process that compiles it is waited for."""
    file = getattr(getattr(dispatcher, "_cache", None), "_cache_file", None)
    try:
        import fcntl

        if not isinstance(file, _CheckedFiles):
            raise OSError
        Path(file._index_path).parent.mkdir(parents=True, exist_ok=True)
        lock = open(f"{file._index_path}.lock", "a")  # noqa: SIM115  # closed below
    except (ImportError, OSError):
        yield
        return
    with lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:  # somebody else has it
            for tell in told_of_waiting:
                tell(dispatcher.py_func.__name__)
            fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def _loaded(store: Any, sig: Any, target: Any) -> Any:
    """Load compiled code; what cannot be read is compiled anew.

    Numba first makes ready all that compilation needs, which takes longer than loading: here it is left out
    but for what counts references.
    """
    try:
        rtsys.initialize(target)
        found = store._load_overload(sig, target)
        travelled = None if found else shipped.find(store._py_func, sig)
        return found if travelled is None else store._impl.rebuild(target, travelled)
    except Exception:  # whatever a file that nobody can read, or that holds something else, gives rise to
        return None


def _saved(store: Any, save: Callable[..., Any], sig: Any, result: Any) -> None:
    """Keep compiled code; where it cannot be written the process goes on without."""
    try:
        save(sig, result)
        if os.environ.get(shipped.COLLECT) and store._impl.check_cachable(result):
            shipped.collect(store._py_func, sig, store._impl.reduce(result))
    except OSError as error:
        _say(error.strerror or str(error))


def _say(why: str) -> None:
    """Say once in a process that compiled code is not kept."""
    if _said:
        return
    _said.append(why)
    print(
        f"overbet: compiled code cannot be kept ({why}) and is compiled anew by every process, which takes "
        "long; set NUMBA_CACHE_DIR to a folder that can be written to",
        file=sys.stderr,
    )


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
def _stamp(module: Path) -> tuple[tuple[str, int, int], ...]:
    """Return name, size and time of change of a kernel module and of all it imports from this folder."""
    known = _modules(_FOLDER)
    found: dict[str, tuple[str, int, int]] = {}
    inside = module.is_relative_to(_FOLDER)  # numba itself looks at the file of a kernel from elsewhere
    waiting = [module.relative_to(_FOLDER).as_posix()] if inside else _imported(module, known)
    while waiting:
        name = waiting.pop()
        if name not in found and name in known:
            status = known[name].stat()
            found[name] = (name, status.st_size, status.st_mtime_ns)
            waiting += _imported(known[name], known)
    return tuple(found[name] for name in sorted(found))


@cache
def _modules(folder: Path) -> dict[str, Path]:
    """Return the modules in a folder by their names in it."""
    return {path.relative_to(folder).as_posix(): path for path in folder.rglob("*.py")}


_imports: dict[Path, list[str]] = {}  # by module: reading it takes longer than all the rest


def _imported(module: Path, known: dict[str, Path]) -> list[str]:
    """Return the names of the kernel modules that a module imports."""
    if module not in _imports:
        found = []
        for source, names in _IMPORT.findall(module.read_text(encoding="utf-8")):
            place = source.strip(".").replace(".", "/")
            # what is imported is a name in a module, or a module of a package
            beside = [f"{place}/{word}.py".lstrip("/") for word in re.findall(r"\w+", names)]
            found += [name for name in [f"{place}.py", *beside] if name in known]
        _imports[module] = found
    return _imports[module]
