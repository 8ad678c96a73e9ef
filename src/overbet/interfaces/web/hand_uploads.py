"""Files of hands on their way into the database: copied here piece by piece, removed once they are read.

    uploads/ID/000001.txt, ...     the copies, under numbers: no name of a request becomes a path
    uploads/ID/files.json          their own names, written when all of them are here

A copy whose import was stopped stays, so that it can go on; one that never became an import is removed when
the server starts, or when it has not grown for a while and another one begins.
"""

from __future__ import annotations

import shutil
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from overbet.interfaces.hands.importing import SUFFIXES
from overbet.interfaces.web.faults import Fault
from overbet.interfaces.web.folder import DataFolder, checked_id, new_id, write_json
from overbet.interfaces.web.limits import Limits
from overbet.interfaces.web.reading import shown_text

UPLOADS, FILES = "uploads", "files.json"
_FORGOTTEN = 600.0  # seconds without a piece after which nobody is taken to be at it
_SPARE_DISK = 256 << 20
_LONGEST = 300  # letters of a file's name


@dataclass
class _Upload:
    """An upload that is still coming in. files: number -> the file's own name and bytes so far."""

    files: dict[int, tuple[str, int]] = field(default_factory=dict)
    bytes: int = 0
    touched: float = field(default_factory=time.monotonic)
    lock: threading.Lock = field(default_factory=threading.Lock)


class HandUploads:
    """The uploads of a data folder."""

    def __init__(self, folder: DataFolder, limits: Limits) -> None:
        self._folder, self._limits = folder, limits
        self._coming: dict[str, _Upload] = {}
        self._lock = threading.Lock()

    def place(self, name: str) -> Path:
        """Return the folder of an upload."""
        return self._folder.root / UPLOADS / checked_id(name)

    def begin(self) -> str:
        """Begin an upload and return its id."""
        with self._lock:
            now = time.monotonic()
            for name, upload in list(self._coming.items()):
                if now - upload.touched > _FORGOTTEN:
                    self._coming.pop(name)
                    self.remove(name)
            made = new_id("u")
            self._coming[made] = _Upload()
        return made

    def piece(self, name: str, number: int, label: str, offset: int, data: bytes) -> None:
        """Add the next piece of a file; label: the file's own name, a path within what was dropped."""
        upload = self._get(name)
        with upload.lock:
            known, size = upload.files.get(number, (_clean(label), 0))
            if offset != size:
                raise Fault(409, "a piece of this file is missing; drop the files again", "offset")
            self._check_room(upload, len(data), new=number not in upload.files)
            path = self.place(name) / stored_name(number, known)
            try:
                path.parent.mkdir(parents=True, exist_ok=True)
                with open(path, "r+b" if offset else "wb") as file:
                    file.seek(offset)
                    file.write(data)
            except OSError as error:
                raise Fault(413, f"the file cannot be copied: {error.strerror}; make room", "file") from error
            upload.files[number] = known, size + len(data)
            upload.bytes += len(data)
            upload.touched = time.monotonic()

    def finish(self, name: str) -> list[str]:
        """Note what the files are called, and return their names; from now on an import has them."""
        upload = self._get(name)
        if not upload.files:
            raise Fault(422, "no file has arrived; drop files of hands, or a folder", "upload")
        listed = {stored_name(number, label): label for number, (label, _) in sorted(upload.files.items())}
        write_json(self.place(name) / FILES, listed)
        with self._lock:
            self._coming.pop(name, None)
        return list(listed.values())

    def cancel(self, name: str) -> None:
        """Give up an upload that is still coming in."""
        self._get(name)
        with self._lock:
            self._coming.pop(name, None)
        self.remove(name)

    def remove(self, name: str) -> None:
        """Remove the copies of an upload."""
        shutil.rmtree(self.place(name), ignore_errors=True)

    def tidy(self, wanted: Callable[[str], bool]) -> None:
        """Remove what an earlier server left and no import wants."""
        root = self._folder.root / UPLOADS
        for path in root.iterdir() if root.is_dir() and not root.is_symlink() else ():
            if not wanted(path.name) and path.is_dir() and not path.is_symlink():
                shutil.rmtree(path, ignore_errors=True)

    def _get(self, name: str) -> _Upload:
        with self._lock:
            found = self._coming.get(checked_id(name))
        if found is None:
            raise Fault(404, "this upload is gone; drop the files again")
        return found

    def _check_room(self, upload: _Upload, more: int, *, new: bool) -> None:
        limits = self._limits
        by_hand = "import them in a terminal with: overbet hands import FOLDER"
        if upload.bytes + more > limits.hands_bytes:
            most = limits.hands_bytes / 1e9
            raise Fault(413, f"these files have more than {most:.3g} GB; {by_hand}", "file")
        if new and len(upload.files) >= limits.hands_files:
            raise Fault(413, f"these are more than {limits.hands_files:,} files; {by_hand}", "file")
        if self._folder.free_bytes() < _SPARE_DISK + more:
            raise Fault(413, "the disk of the data folder is almost full; make room there first", "file")


def stored_name(number: int, label: str) -> str:
    """Return what a copy is called on disk: a number, and the ending its reader goes by."""
    low = label.lower()
    return f"{number:06d}{next((end for end in sorted(SUFFIXES, key=len)[::-1] if low.endswith(end)), '')}"


def _clean(label: str) -> str:
    """Return a file's name as reports show it: one line, folders with slashes, none of them above it."""
    parts = [part for part in shown_text(label).replace("\\", "/").split("/") if part not in ("", ".", "..")]
    return "/".join(parts)[-_LONGEST:] or "a file without a name"
