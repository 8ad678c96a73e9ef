"""Names of a package that are imported when they are first used.

Each curated `__init__.py` lists its names twice: as imports under `TYPE_CHECKING`, which type checkers and
editors read, and as a table for `lazy`, which Python reads. A test holds the two to each other. So
`import overbet` stays quick and loads neither numpy nor numba.
"""

from __future__ import annotations

import importlib
import sys
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple


class Names(NamedTuple):
    """What a package assigns: its `__getattr__`, `__dir__` and `__all__`."""

    getattr: Callable[[str], Any]
    dir: Callable[[], list[str]]
    all: list[str]


def lazy(package: str, table: Mapping[str, Sequence[str]], packages: Sequence[str] = ()) -> Names:
    """Return the lazy names of a package.

    table: module -> the names it defines; packages: those of this one, imported when they are named.
    """
    where = {name: module for module, names in table.items() for name in names}
    public = sorted([*where, *packages])

    def named(name: str) -> Any:
        if name in packages:
            return importlib.import_module(f"{package}.{name}")
        if name not in where:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        value = getattr(importlib.import_module(where[name]), name)
        setattr(sys.modules[package], name, value)
        return value

    def listed() -> list[str]:
        return sorted({*vars(sys.modules[package]), *public})

    return Names(named, listed, public)
