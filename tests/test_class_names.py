"""A class name means one thing in the whole package."""

from __future__ import annotations

import re
from collections import defaultdict
from pathlib import Path

import overbet


def test_no_class_name_is_used_for_two_things() -> None:
    folder = Path(overbet.__file__).parent
    places: dict[str, list[str]] = defaultdict(list)
    for path in sorted(folder.rglob("*.py")):
        for name in re.findall(r"^class (\w+)", path.read_text(encoding="utf-8"), re.MULTILINE):
            places[name].append(path.relative_to(folder).as_posix())
    assert {name: found for name, found in places.items() if len(found) > 1} == {}
