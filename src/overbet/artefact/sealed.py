"""Files that people open elsewhere, JSON and Parquet: sealed with a checksum of themselves.

The head holds `"seal": "<64 hexadecimal digits>"`: the sha256 of the file with sixty-four zeros in that
place. Both formats keep the head as plain text, so the seal is put in after the file is written, and every
byte of the file is under it.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from overbet.artefact.block import Kind
from overbet.errors import ArtefactError
from overbet.files import replacing

UNSEALED = "0" * 64
_MOST_BYTES = 1 << 30
_SEAL = re.compile(rb'"seal": ?"([0-9a-f]{64})"')


def seal(path: str | Path) -> None:
    """Put the seal into a file that was written with `UNSEALED` in its place."""
    data = Path(path).read_bytes()
    places = [found for found in _SEAL.finditer(data) if found[1] == UNSEALED.encode()]
    if not places:
        raise ValueError("there is no place for a seal")
    sealed = hashlib.sha256(data).hexdigest().encode()
    with open(path, "r+b") as file:
        for found in places:
            file.seek(found.start(1))
            file.write(sealed)


def check_seal(data: bytes, path: str | Path, kind: Kind) -> bool:
    """Return whether a file has a seal; raise where the seal is not that of its bytes.

    A file without one was written or edited by hand: its reader decides whether to take it.
    """
    found = _SEAL.findall(data)
    if not found:
        return False
    if len(set(found)) > 1 or hashlib.sha256(_SEAL.sub(_unsealed, data)).hexdigest().encode() != found[0]:
        raise ArtefactError(f"{path} is damaged: its content does not match its seal; {kind.again}")
    return True


def _unsealed(found: re.Match[bytes]) -> bytes:
    return found[0].replace(found[1], UNSEALED.encode())


def write_json(
    path: str | Path, kind: Kind, content: Mapping[str, Any], *, indent: int | None = None
) -> None:
    """Write content with format, version and seal before it, atomically."""
    head = {"format": kind.label, "version": kind.version, "seal": UNSEALED}
    with replacing(path) as beside:
        beside.write_text(json.dumps({**head, **content}, indent=indent) + "\n", encoding="utf-8")
        seal(beside)


def read_json(path: str | Path, kind: Kind, *, by_hand: bool = False) -> dict[str, Any]:
    """Return the content of a JSON artefact; by_hand: one without a seal is taken too."""
    data = read_bytes(path, kind)
    try:
        content = json.loads(data)
    except (ValueError, RecursionError) as error:
        raise ArtefactError(f"{path} is damaged or not JSON ({first_line(error)}); {kind.again}") from error
    if not isinstance(content, dict) or content.get("format") != kind.label:
        raise ArtefactError(f"{path} is not a file of the kind '{kind.label}'; {kind.again}")
    if content.get("version") != kind.version:
        raise ArtefactError(
            f"{path} has version {str(content.get('version'))[:20]} of the format '{kind.label}' and this "
            f"program reads {kind.version}; {kind.again}"
        )
    if not check_seal(data, path, kind) and not by_hand:
        raise ArtefactError(f"{path} has no seal; {kind.again}")
    return {name: value for name, value in content.items() if name not in ("format", "version", "seal")}


def read_bytes(path: str | Path, kind: Kind) -> bytes:
    """Return the bytes of a regular file of at most a gigabyte."""
    place = Path(path)
    try:
        if not place.is_file():
            raise ArtefactError(f"there is no {kind.name} file {path}")
        if place.stat().st_size > _MOST_BYTES:
            raise ArtefactError(f"{path} is larger than a gigabyte, which no {kind.label} is")
        return place.read_bytes()
    except OSError as error:
        raise ArtefactError(f"cannot read {path}: {error.strerror}") from error


def first_line(error: BaseException) -> str:
    """Return the first line of what an error says, shortened."""
    return (str(error).splitlines() or [type(error).__name__])[0][:200]
