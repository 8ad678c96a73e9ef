"""What makes two nodes alike: the versions of Python and of Ray, and the package byte for byte."""

from __future__ import annotations

import hashlib
import platform
from functools import cache
from pathlib import Path
from typing import NamedTuple

from overbet._version import __version__


class NodeStamp(NamedTuple):
    """A node's versions. overbet: empty where it is not installed; code: a hash of its source."""

    python: str
    overbet: str
    code: str

    def __str__(self) -> str:
        return f"overbet {self.overbet} ({self.code[:8]}), Python {self.python}"


@cache
def own_stamp() -> NodeStamp:
    """Return the versions of this process."""
    python = ".".join(platform.python_version_tuple()[:2])
    return NodeStamp(python, __version__, code_hash(Path(__file__).resolve().parents[1]))


def code_hash(package: Path) -> str:
    """Return the hash of a package's source: names and contents of all its Python files."""
    sha = hashlib.sha256()
    for path in sorted(package.rglob("*.py")):
        sha.update(path.relative_to(package).as_posix().encode() + b"\0" + path.read_bytes() + b"\0")
    return sha.hexdigest()
