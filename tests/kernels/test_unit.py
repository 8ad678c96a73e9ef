"""A kernel is compiled as one unit with what it calls, and behaves as numba's own compilation does."""

from __future__ import annotations

import fcntl
import gc
import os
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

import numba
import numpy as np
import pytest

from overbet.kernels import cache, jit, unit


@jit.kernel
def _third(values: Any, place: int) -> Any:
    if place >= len(values):
        raise IndexError("beyond the last")
    return values[place] / 3.0


@jit.kernel
def _sum_of_thirds(values: Any, places: Any) -> Any:
    total = _third(values, 0)
    for place in places:  # int32: another size of number than the constant
        total += _third(values, place)
    return total


@jit.kernel
def _doubled(target: Any, source: Any) -> None:
    target[:] = 2.0 * source


@jit.parallel_kernel
def _thirds(values: Any, out: Any) -> None:
    for place in numba.prange(len(values)):
        out[place] = _third(values, place)


@jit.kernel
def _sum_over_threads(values: Any) -> Any:
    out = np.empty_like(values)
    _thirds(values, out)
    return out.sum()


for _function in (_third, _sum_of_thirds, _doubled, _thirds, _sum_over_threads):
    _function._cache.disable()


def test_what_a_kernel_calls_is_compiled_once_and_has_no_machine_code_of_its_own() -> None:
    values = np.array([3.0, 6.0, 9.0])
    collecting = gc.isenabled()
    assert _sum_of_thirds(values, np.array([1, 2], np.int32)) == 6.0
    assert gc.isenabled() == collecting
    assert len(_third.parts) == 1
    assert _third.signatures == []
    assert _third(values, 2) == 3.0  # for Python it is a kernel like others
    assert len(_third.signatures) == 1


def test_an_error_raised_in_a_part_arrives_with_its_message() -> None:
    with pytest.raises(IndexError, match="beyond the last"):
        _sum_of_thirds(np.array([3.0]), np.array([5], np.int32))


def test_an_array_that_does_not_fit_a_slice_is_refused() -> None:
    target = np.zeros(2)
    _doubled(target, np.ones(2))
    assert target.tolist() == [2.0, 2.0]
    with pytest.raises(ValueError, match="another shape"):
        _doubled(target, np.ones(3))


def test_parallel_loops_call_parts_and_kernels_call_parallel_loops() -> None:
    values = np.arange(0.0, 300.0, 3.0)
    out = np.empty_like(values)
    _thirds(values, out)
    assert (out == np.arange(100.0)).all()
    assert _sum_over_threads(values) == 4950.0


def test_a_user_s_own_compiled_function_may_call_a_kernel() -> None:
    @numba.njit
    def twice(values: Any) -> Any:
        return 2.0 * _third(values, 1) + np.dot(values, values)

    values = np.array([0.0, 3.0])
    assert twice(values) == 2.0 + 9.0
    assert twice.py_func(values) == 2.0 + 9.0


def test_whoever_wants_to_know_is_told_what_is_compiled(monkeypatch: pytest.MonkeyPatch) -> None:
    names: list[str] = []
    monkeypatch.setattr(unit, "told", [names.append])

    @jit.kernel
    def fresh(x: float) -> float:
        return x + 1.0

    fresh._cache.disable()  # type: ignore[attr-defined]
    assert fresh(1.0) == fresh(1.0) == 2.0
    assert names == ["fresh"]


def test_of_two_processes_that_need_a_kernel_one_compiles_and_the_other_waits(tmp_path: Path) -> None:
    (tmp_path / "slow.py").write_text(
        "import time\n"
        "from overbet.kernels import jit\nfrom overbet.kernels.told import told\n"
        "told.append(lambda name: time.sleep(3.0))  # a kernel that takes long to compile\n\n"
        "@jit.kernel\ndef slow(x):\n    return x + 1\n"
    )
    ask = (
        f"import sys; sys.path.insert(0, {str(tmp_path)!r}); from slow import slow; slow(1); "
        "print(sum(slow.stats.cache_misses.values()))"
    )
    environment = {**os.environ, "NUMBA_CACHE_DIR": str(tmp_path / "cache")}
    both = [
        subprocess.Popen([sys.executable, "-c", ask], env=environment, stdout=subprocess.PIPE, text=True)
        for _ in range(2)
    ]
    assert sorted(process.communicate()[0].strip() for process in both) == ["0", "1"]


def test_that_another_process_is_waited_for_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(numba.config, "CACHE_DIR", str(tmp_path))
    names: list[str] = []
    told, done = threading.Event(), threading.Event()
    monkeypatch.setattr(cache, "told_of_waiting", [names.append, lambda name: told.set()])

    @jit.kernel
    def waited_for(x: float) -> float:
        return x

    def compile_it() -> None:
        with cache.compiling(waited_for):
            done.set()

    index = Path(waited_for._cache._cache_file._index_path)  # type: ignore[attr-defined]
    with open(f"{index}.lock", "a") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)  # as another process does
        thread = threading.Thread(target=compile_it)
        thread.start()
        assert told.wait(300)
        assert not done.is_set()
    thread.join(300)
    assert done.is_set()
    assert names == ["waited_for"]
    compile_it()
    assert names == ["waited_for"]  # nobody to wait for: nothing is told


def test_what_is_loaded_from_the_disk_brings_none_of_the_compiler_s_own_modules(tmp_path: Path) -> None:
    """Numba keeps the Python objects of every function it compiled on the way, and their modules."""
    (tmp_path / "sliced.py").write_text(
        "import numpy as np\nfrom overbet.kernels.jit import kernel\n\n"
        "@kernel\ndef total(x):\n    part = x[1:]\n    part[:] = np.zeros(len(part))\n"
        "    return part.sum() + x[0]\n"
    )
    ask = (
        f"import sys; sys.path.insert(0, {str(tmp_path)!r}); import numpy as np; from sliced import total\n"
        "print(total(np.ones(3)), 'numba.np.arrayobj' in sys.modules)"
    )
    environment = {**os.environ, "NUMBA_CACHE_DIR": str(tmp_path / "cache")}
    said = [
        subprocess.run([sys.executable, "-c", ask], env=environment, capture_output=True, text=True).stdout
        for _ in range(2)
    ]
    assert said == ["1.0 True\n", "1.0 False\n"]
