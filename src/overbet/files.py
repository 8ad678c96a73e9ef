"""Files that are either the old one or the new one, never half of either."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from overbet.errors import ArtefactError


@contextmanager
def replacing(path: str | Path) -> Iterator[Path]:
    """Yield a path beside `path` to write to; on success it is flushed to disk and renamed into place.

    When the body fails, or the disk is full, the beside-file is removed and `path` stays as it was.
    """
    target = Path(path)
    beside = target.with_name(f".{target.name}.{os.getpid()}.part")
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        yield beside
        with open(beside, "rb+") as handle:
            os.fsync(handle.fileno())
        os.replace(beside, target)
    except OSError as error:
        beside.unlink(missing_ok=True)
        reason = error.strerror or str(error)
        raise ArtefactError(f"cannot write {target}: {reason}; what was there before is untouched") from error
    except BaseException:
        beside.unlink(missing_ok=True)
        raise


def write_text(path: str | Path, text: str) -> None:
    """Write `text` to `path`, atomically."""
    with replacing(path) as beside:
        beside.write_text(text, encoding="utf-8")


def data_folder() -> Path:
    """Return the folder for what overbet makes and keeps: `$OVERBET_HOME`, or `~/.local/share/overbet`."""
    home = os.environ.get("OVERBET_HOME")
    return Path(home) if home else Path.home() / ".local" / "share" / "overbet"
