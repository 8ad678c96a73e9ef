"""docs/adding-a-rule.md: its examples run."""

from __future__ import annotations

import contextlib
import io
import re
from pathlib import Path

import yaml

from overbet.solvers import rules

PAGE = Path(__file__).resolve().parents[2] / "docs" / "adding-a-rule.md"


def blocks(language: str) -> list[str]:
    return re.findall(rf"```{language}\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)


def test_the_file_is_a_rule() -> None:
    (text,) = blocks("yaml")
    rule = rules.Rule.parse(yaml.safe_load(text))
    assert rule.name == "slow-start"
    assert rule.at(10).positive == rules.make_rule("dcfr").at(10).positive


def test_the_python_runs() -> None:
    solve, named = blocks("python")
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        exec(solve, {})
    assert 0.0 < float(out.getvalue()) < 1e-3
    scope = dict(vars(rules))
    exec(named, scope)
    assert scope["dcfr"]() == rules.make_rule("dcfr")


def test_every_key_and_schedule_is_described() -> None:
    text = PAGE.read_text(encoding="utf-8")
    for key in rules.Rule.model_fields:
        assert f"`{key}`" in text or f"{key}:" in text, key
    for kind in ("constant", "linear", "exponential", "dcfr"):
        assert f"| `{kind}` |" in text
