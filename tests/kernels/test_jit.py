"""The kernel cache notices a change in any kernel module that a kernel was compiled with."""

from pathlib import Path

import pytest

from overbet.kernels import jit


def test_stamp_follows_imports(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "low.py").write_text("x = 1\n")
    (tmp_path / "middle.py").write_text("from overbet.kernels.low import x\n")
    (tmp_path / "high.py").write_text("from overbet.kernels import middle\n")
    (tmp_path / "apart.py").write_text("y = 1\n")
    monkeypatch.setattr(jit, "_FOLDER", tmp_path)
    jit._stamp.cache_clear()
    before = jit._stamp("high"), jit._stamp("apart")
    assert [name for name, *_ in before[0]] == ["high", "low", "middle"]
    (tmp_path / "low.py").write_text("x = 1234\n")
    jit._stamp.cache_clear()
    assert jit._stamp("high") != before[0]
    assert jit._stamp("apart") == before[1]
    jit._stamp.cache_clear()


def test_imports_over_several_lines_are_followed() -> None:
    modules = [name for name, *_ in jit._stamp("vector_streets")]
    assert {"vector_streets", "vector_update", "showdown_sweep", "lanes", "regret", "jit"} <= set(modules)
