"""The audit of the dependencies: a service that cannot be reached is a failure, never a pass."""

from __future__ import annotations

import json
from typing import Any

from tests.audit import PINNED, verdict


def _said(*packages: dict[str, Any]) -> str:
    return json.dumps({"dependencies": list(packages), "fixes": []})


GOOD = {"name": "numpy", "version": "2.4.6", "vulns": []}
LOST = {"name": "rich", "skip_reason": "Dependency not found on PyPI and could not be audited: rich (15.0.0)"}
FLAWED = {"name": "pillow", "version": "1.0", "vulns": [{"id": "PYSEC-1", "fix_versions": ["1.1"]}]}


def test_all_looked_up_and_clean_passes() -> None:
    assert verdict(_said(GOOD, GOOD), "") == (0, ["2 pinned packages, none with a known vulnerability"])


def test_a_known_flaw_fails_and_is_named() -> None:
    assert verdict(_said(GOOD, FLAWED), "") == (1, ["pillow 1.0: PYSEC-1, mended in 1.1"])


def test_what_could_not_be_looked_up_fails_in_one_line() -> None:
    for text in (_said(GOOD, LOST), _said(LOST), _said(), "", "Traceback", "[]"):
        code, lines = verdict(text, "a\nConnectionError: no route")
        assert code == 2
        assert len(lines) == 1
        assert "could not be done" in lines[0]


def test_every_direct_dependency_is_pinned() -> None:
    import tomllib

    project = tomllib.loads((PINNED.parent / "pyproject.toml").read_text())["project"]
    extras = project["optional-dependencies"]
    wanted = [*project["dependencies"], *extras["dev"], *extras["audit"]]
    pinned = {_plain(line.split("==")[0]) for line in PINNED.read_text().split()}
    assert {_plain(name) for name in wanted} <= pinned


def _plain(requirement: str) -> str:
    name = requirement.split(">")[0].split("=")[0].strip()
    return name.lower().replace("_", "-").replace(".", "-")
