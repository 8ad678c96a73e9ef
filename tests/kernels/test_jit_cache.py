"""Compiled code on disk: damaged files, places that cannot be written to, and bounds that are checked."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

MODULE = """
import numba
import numpy as np

from overbet.kernels.jit import fast_inlined, fast_kernel, inlined, kernel
from overbet.kernels.jit import lean, lean_inlined, parallel_kernel

@lean_inlined
def lean_inlined_put(array, place):
    array[place] = 21.0

@lean
def lean_put(array, place):
    lean_inlined_put(array, place)

@inlined
def inlined_put(array, place):
    array[place] = 21.0

@kernel
def put(array, place):
    inlined_put(array, place)
    return array[place]

@fast_inlined
def fast_inlined_put(array, place):
    array[np.uint64(place)] = 21.0

@fast_kernel
def fast_put(array, place):
    fast_inlined_put(array, place)

@parallel_kernel
def parallel_put(array, place):
    for i in numba.prange(2):
        array[place - i] = 21.0
"""
ASK = "from small import put\nprint(put(np.zeros(3), 2), sum(put.stats.cache_hits.values()))\n"


def run(
    folder: Path, code: str, module: str = MODULE, **environment: str
) -> subprocess.CompletedProcess[str]:
    """Run code beside a module of small kernels that have a cache of their own."""
    (folder / "small.py").write_text(module)
    start = f"import sys\nsys.path.insert(0, {str(folder)!r})\nimport numpy as np\n"
    return subprocess.run(
        [sys.executable, "-c", start + code],
        capture_output=True,
        text=True,
        env={
            **os.environ,
            "NUMBA_CACHE_DIR": str(folder / "cache"),
            "NUMBA_BOUNDSCHECK": "0",
            **environment,
        },
        check=False,
    )


def answer(found: subprocess.CompletedProcess[str]) -> tuple[str, str]:
    """Return what `put` put, and how many signatures came from the cache."""
    assert found.returncode == 0, found.stderr
    value, hits = found.stdout.split()
    return value, hits


def files_of(folder: Path) -> dict[str, Path]:
    """Return the files of `put` by their ending."""
    return {file.suffix: file for file in (folder / "cache").rglob("small.put-*.nb?")}


def test_a_damaged_cache_is_passed_over_and_compiled_anew(tmp_path: Path) -> None:
    assert answer(run(tmp_path, ASK)) == ("21.0", "0")
    assert answer(run(tmp_path, ASK)) == ("21.0", "1")
    files = {ending: str(file) for ending, file in files_of(tmp_path).items()}
    assert set(files) == {".nbc", ".nbi"}
    # one process tries all the damage: to start one for each would take minutes
    tries = f"""
from pathlib import Path
from numba import float64, int64
from small import put

def found():
    return put._cache.load_overload((float64[::1], int64), put.targetctx) is not None

assert found()
for name in {list(files.values())!r}:
    file, tried = Path(name), 0
    body = file.read_bytes()
    for place in [*range(0, len(body), max(1, len(body) // 50)), len(body) - 1]:
        flipped = bytes([*body[:place], body[place] ^ 4, *body[place + 1 :]])
        for damaged in (body[:place], flipped, body[:place] + b"?" * 300, b"garbage", b""):
            file.write_bytes(damaged)
            assert not found(), (name, place, damaged[:10])
            tried += 1
    file.write_bytes(body)
    assert found() and tried > 200
"""
    assert run(tmp_path, tries).stderr == ""
    for name in files.values():
        body = Path(name).read_bytes()
        Path(name).write_bytes(body[: len(body) // 2])
    assert answer(run(tmp_path, ASK)) == ("21.0", "0")
    assert answer(run(tmp_path, ASK)) == ("21.0", "1")  # kept again


def test_code_of_another_version_does_not_stand_in_for_a_file_that_was_lost(tmp_path: Path) -> None:
    """Where the index of one version leads to the code of another, wrong numbers would be the result."""
    # longer than the first, for Python tells modules by their size and the second in which they were written
    changed = MODULE.replace("array[place] = 21.0", "array[place] = 28.0") + "# another version\n"
    assert answer(run(tmp_path, ASK)) == ("21.0", "0")
    old = files_of(tmp_path)[".nbc"].read_bytes()
    assert answer(run(tmp_path, ASK, changed)) == ("28.0", "0")
    files_of(tmp_path)[".nbc"].write_bytes(old)
    assert answer(run(tmp_path, ASK, changed)) == ("28.0", "0")


NO_FOLDER = "from numba.core import caching\ncaching.CacheImpl._locator_classes = []\n"
FULL_DISK = "import resource\nresource.setrlimit(resource.RLIMIT_FSIZE, (64, 64))\n"
NO_FILE = """
import errno, tempfile

def full(*_, **__):
    raise OSError(errno.ENOSPC, "No space left on device")

import small
for one in vars(small).values():
    getattr(one, "_cache", None)  # the folder was there when the dispatchers were made
tempfile.TemporaryFile = full
"""


@pytest.mark.parametrize(
    ("before", "why"),
    [
        (NO_FOLDER, "no folder for it can be written to"),
        (FULL_DISK, "File too large"),
        (NO_FILE, "No space left on device"),
    ],
    ids=["no folder", "file too large", "full disk"],
)
def test_code_that_cannot_be_kept_is_compiled_all_the_same_and_that_is_said_once(
    tmp_path: Path, before: str, why: str
) -> None:
    more = "from small import fast_put, lean_put\nfast_put(np.zeros(3), 1)\nlean_put(np.zeros(3), 1)\n"
    found = run(tmp_path, before + ASK + more)
    assert answer(found) == ("21.0", "0")
    (line,) = found.stderr.splitlines()
    assert line.startswith(f"overbet: compiled code cannot be kept ({why})")
    assert line.endswith("set NUMBA_CACHE_DIR to a folder that can be written to")
    assert not files_of(tmp_path)


def test_a_cache_that_may_not_be_read_is_no_error(tmp_path: Path) -> None:
    run(tmp_path, ASK)
    index = files_of(tmp_path)[".nbi"]
    index.unlink()
    index.mkdir()  # whoever opens it gets an OSError, root too
    found = run(tmp_path, ASK)
    assert answer(found) == ("21.0", "0")
    assert len(found.stderr.splitlines()) == 1


def test_bounds_are_checked_in_every_kind_of_kernel_when_asked_for(tmp_path: Path) -> None:
    """And never by code from the cache of unchecked kernels, nor the other way round."""
    names = ("put", "lean_put", "fast_put", "parallel_put")
    within = f"""
import small
for name in {names!r}:
    function = getattr(small, name)
    function(np.zeros(3), 2)
    print(name, sum(function.stats.cache_hits.values()))
"""
    beyond = f"""
for name in {names!r}:
    try:
        getattr(small, name)(np.zeros(3), 5)
    except (IndexError, SystemError) as error:  # from a parallel loop it comes as the cause of another
        print("refused", isinstance(error.__cause__ or error, IndexError))
"""
    for hits in ("0", "1"):
        plain = run(tmp_path, within)
        assert plain.stdout.split() == [word for name in names for word in (name, hits)], plain.stderr
    checked = run(tmp_path, within + beyond, NUMBA_BOUNDSCHECK="1")
    compiled = [word for name in names for word in (name, "0")]
    assert checked.stdout.split() == [*compiled, *["refused", "True"] * len(names)], checked.stderr
    assert run(tmp_path, within).stdout.split() == compiled


def test_bounds_are_checked_in_vector_operations_too(tmp_path: Path) -> None:
    """Numba does not know where an operation written by hand reads and writes."""
    module = """
from overbet.kernels.jit import kernel
from overbet.kernels.vector.tiles import rows_to_columns

@kernel
def gather(out, stride, source, starts):
    rows_to_columns(out, 0, stride, source, starts, 0, 0)
"""
    tries = """
from small import gather
out, source = np.zeros(256, np.float32), np.arange(31, dtype=np.float32)
starts = np.arange(16)
gather(out, 16, source, starts)
print(out[:2], out[-1])
for wrong in ((out[:-1], 16, source, starts), (out, 17, source, starts), (out, 16, source[:-1], starts),
              (out, 16, source, starts[:-1])):
    try:
        gather(*wrong)
    except IndexError:
        print("refused")
"""
    found = run(tmp_path, tries, module, NUMBA_BOUNDSCHECK="1")
    assert found.stdout.splitlines() == ["[0. 1.] 30.0", *["refused"] * 4], found.stderr
