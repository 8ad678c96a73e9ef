"""Machine code that travels with a package is used where it fits, and passed over in words elsewhere."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from overbet.kernels import shipped

MODULE = """
from overbet.kernels.jit import kernel

@kernel
def one_more(x):
    return x + 1

@kernel
def thirds(values):
    return one_more(values[0]) / 3.0
"""
ASK = """
import sys
from pathlib import Path
sys.path.insert(0, {folder!r})
from overbet.kernels import shipped
shipped._FOLDER = Path({folder!r})
import numpy as np
from some_kernels import thirds
print(thirds(np.array([2.0])), sum(thirds.stats.cache_misses.values()))
"""
LEVEL = shipped.machine_level()
pytestmark = pytest.mark.skipif(LEVEL is None, reason="needs x86-64 with AVX2 on Linux")


def ask(folder: Path, cache: str, **more: str) -> tuple[str, str]:
    environment = {**os.environ, "NUMBA_CACHE_DIR": str(folder / cache), **more}
    words = [sys.executable, "-c", ASK.format(folder=str(folder))]
    done = subprocess.run(words, env=environment, capture_output=True, text=True, check=True)
    return done.stdout.strip(), done.stderr.strip()


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with kernels and their machine code."""
    found = tmp_path_factory.mktemp("package")
    (found / "some_kernels.py").write_text(MODULE)
    collected = found / "collected"
    collected.mkdir()
    level = str(LEVEL)
    made = ask(
        found,
        "first",
        NUMBA_CPU_NAME=level,
        NUMBA_CPU_FEATURES=shipped.features_of(level),
        **{shipped.COLLECT: str(collected)},
    )
    assert made == ("1.0 1", "")
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(shipped, "_FOLDER", found)
        shipped.sources_digest.cache_clear()
        assert shipped.pack(collected, found / "compiled" / f"{level}.zip") == 1  # parts need none
        shipped.sources_digest.cache_clear()
    return found


def changed(folder: Path, about: dict[str, object] | None = None, flip: bool = False) -> None:
    """Write the archive anew with another head, or with a byte of its code changed."""
    path = folder / "compiled" / f"{LEVEL}.zip"
    with zipfile.ZipFile(path) as file:
        parts = {name: file.read(name) for name in file.namelist()}
    for name, body in parts.items():
        if name == shipped.ABOUT and about:
            parts[name] = json.dumps({**json.loads(body), **about}).encode()
        if name != shipped.ABOUT and flip:
            parts[name] = body[:-40] + bytes([body[-40] ^ 1]) + body[-39:]
    with zipfile.ZipFile(path, "w") as file:
        for name, body in parts.items():
            file.writestr(name, body)


def test_code_of_the_package_is_used_and_nothing_is_compiled(folder: Path) -> None:
    assert ask(folder, "used") == ("1.0 0", "")
    assert ask(folder, "bounds", NUMBA_BOUNDSCHECK="1") == ("1.0 1", "")  # another code was asked for


@pytest.mark.parametrize(
    ("about", "why"),
    [
        ({"numba": "0.1"}, "they are for numba 0.1, and here is"),
        ({"python": ["2", "7"]}, "they are for python 2.7, and here is"),
        ({"sources": "other"}, "the sources of the kernels have changed"),
    ],
)
def test_code_for_something_else_is_passed_over_in_words(
    folder: Path, about: dict[str, object], why: str
) -> None:
    path = folder / "compiled" / f"{LEVEL}.zip"
    before = path.read_bytes()
    changed(folder, about)
    result, told = ask(folder, f"other{why}")
    assert result == "1.0 1"
    assert told.startswith("overbet: kernels of this package are compiled anew: ")
    assert why in told
    path.write_bytes(before)


def test_damaged_code_is_never_run(folder: Path) -> None:
    path = folder / "compiled" / f"{LEVEL}.zip"
    before = path.read_bytes()
    changed(folder, flip=True)
    result, told = ask(folder, "damaged")
    assert result == "1.0 1"
    assert "is damaged" in told
    path.write_bytes(before[:400] + bytes([before[400] ^ 1]) + before[401:])  # as a bad disk does
    result, told = ask(folder, "flipped")
    assert result == "1.0 1"
    assert told.splitlines() == [
        f"overbet: kernels of this package are compiled anew: {path.name} is damaged"
    ]
    path.write_bytes(b"no archive")
    assert ask(folder, "no-archive")[0] == "1.0 1"
    path.write_bytes(before)
