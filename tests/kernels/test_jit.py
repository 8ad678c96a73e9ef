"""The kernel cache notices a change in any kernel module that a kernel was compiled with."""

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from overbet.kernels import cache, jit


def test_stamp_follows_imports(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "folder").mkdir()
    (tmp_path / "folder" / "low.py").write_text("x = 1\n")
    (tmp_path / "middle.py").write_text("from overbet.kernels.folder import (\n    low,\n)\n")
    (tmp_path / "high.py").write_text("from overbet.kernels import middle\n")
    (tmp_path / "apart.py").write_text("y = 1\n")
    monkeypatch.setattr(cache, "_FOLDER", tmp_path)
    monkeypatch.setattr(cache, "_imports", {})
    cache._stamp.cache_clear()
    before = cache._stamp(tmp_path / "high.py"), cache._stamp(tmp_path / "apart.py")
    assert [name for name, *_ in before[0]] == ["folder/low.py", "high.py", "middle.py"]
    (tmp_path / "folder" / "low.py").write_text("x = 1234\n")
    cache._stamp.cache_clear()
    assert cache._stamp(tmp_path / "high.py") != before[0]
    assert cache._stamp(tmp_path / "apart.py") == before[1]
    cache._stamp.cache_clear()


def test_imports_over_several_lines_are_followed() -> None:
    modules = [name for name, *_ in cache._stamp(Path(jit.__file__).parent / "vector" / "spot.py")]
    engine = {f"vector/{name}.py" for name in ("spot", "river", "street", "walk", "lanes")}
    assert engine | {"regret.py", "jit.py", "unit.py"} <= set(modules)


def test_a_cache_that_names_a_type_of_an_older_version_is_passed_over(tmp_path: Path) -> None:
    source = """
from typing import NamedTuple
from overbet.kernels.jit import kernel

class {name}(NamedTuple):
    x: int

@kernel
def twice(pair):
    return 2 * pair.x

print(twice({name}({value})))
"""
    start = f"""
import sys
import os
import subprocess
import sys
from pathlib import Path
from overbet.kernels import cache, jit
cache._FOLDER = Path({str(tmp_path)!r})
sys.path.insert(0, {str(tmp_path)!r})
import changing
"""
    environment = {**os.environ, "NUMBA_CACHE_DIR": str(tmp_path / "cache")}
    for name, value in (("Older", 1), ("Newer", 21)):
        (tmp_path / "changing.py").write_text(source.format(name=name, value=value))
        words = [sys.executable, "-c", start]
        found = subprocess.run(words, capture_output=True, text=True, env=environment, check=False)
        assert found.stdout.strip() == str(2 * value), found.stderr
    assert list((tmp_path / "cache").rglob("*.nbi"))


def test_processes_that_compile_at_once_do_not_mix_up_their_signatures(tmp_path: Path) -> None:
    (tmp_path / "third.py").write_text(
        "from overbet.kernels.jit import kernel\n\n@kernel\ndef third(x):\n    return x[0] / x[1]\n"
    )
    ask = f"""
import sys
sys.path.insert(0, {str(tmp_path)!r})
import numpy as np
from third import third
print(repr(float(third(np.array([1, 3], sys.argv[1])))), sum(third.stats.cache_hits.values()))
"""
    kinds = ("float32", "float64", "int32", "int64")
    environment = {**os.environ, "NUMBA_CACHE_DIR": str(tmp_path / "cache")}
    words = [sys.executable, "-c", ask]
    running = [
        subprocess.Popen([*words, kind], env=environment, stdout=subprocess.PIPE, text=True) for kind in kinds
    ]
    for process in running:
        process.communicate()
    for kind in kinds:
        again = subprocess.run([*words, kind], env=environment, capture_output=True, text=True, check=True)
        value, hits = again.stdout.split()
        exact = float(np.float32(1) / np.float32(3)) if kind == "float32" else 1 / 3
        assert (float(value), hits) == (exact, "1")  # the right code, and from the cache


def test_a_lean_function_counts_no_references_and_is_compiled_once_for_a_kind() -> None:
    array = np.arange(12.0).reshape(3, 4)
    assert _sum_and_last(array) == 66.0 + 38.0
    assert len(_row_sum.parts) == 1  # not once more for the constant
    for result, _ in _row_sum.parts.values():
        code = str(result.library._final_module)
        assert "NRT_incref" not in code
        assert "NRT_decref" not in code
    count = sys.getrefcount(array)
    for _ in range(10):
        _sum_and_last(array)
    assert sys.getrefcount(array) == count


@jit.lean
def _row_sum(array: Any, place: int) -> Any:
    row, total = array[place], 0.0
    for value in row:
        total += value
    return total


@jit.lean
def _sum_and_last(array: Any) -> Any:
    found = _row_sum(array, 2)
    for place in range(len(array)):
        found += _row_sum(array, place)
    return found


def test_a_function_does_not_take_its_rounding_from_whoever_calls_it_first() -> None:
    """Compiled from a fast kernel first, a strict function would be contracted, for strict callers too."""
    one, tiny = 1.0 + 2.0**-30, -(1.0 + 2.0**-29)
    assert _fast_caller(one, one, tiny) == _product_and_sum(one, one, tiny) == 0.0  # contracted: 2**-60
    for code in _product_and_sum.inspect_llvm().values():
        assert "contract" not in code


@jit.inlined
def _product_and_sum(a: float, b: float, c: float) -> float:
    return a * b + c


@jit.fast_kernel
def _fast_caller(a: float, b: float, c: float) -> float:
    return _product_and_sum(a, b, c)


# these tests look into what was compiled, of which the cache keeps nothing
for _function in (_row_sum, _sum_and_last, _product_and_sum, _fast_caller):
    _function._cache.disable()
