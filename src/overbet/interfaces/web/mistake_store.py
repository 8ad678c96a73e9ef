"""The mistakes of the drill, kept in the data folder: the latest ones, newest last."""

from __future__ import annotations

import contextlib
import secrets
import threading
from pathlib import Path

from overbet.interfaces.web.faults import Fault
from overbet.interfaces.web.folder import DataFolder, checked_id, read_json, write_json
from overbet.study.drill_kinds import DrillKind
from overbet.study.grades import Grade
from overbet.study.mistakes import MistakeRecord

MISTAKES, _VERSION = "mistakes.json", 1
_MOST = 1000


def kept_mistakes(path: Path) -> list[MistakeRecord]:
    """Return the mistakes of a file, the newest last; what is not of the right shape is passed over."""
    found = read_json(path)
    records = found.get("mistakes") if isinstance(found, dict) and found.get("version") == _VERSION else []
    kept = []
    for record in records[-_MOST:] if isinstance(records, list) else []:
        with contextlib.suppress(ValueError, RecursionError):
            kept.append(MistakeRecord.model_validate(record))
    return kept


class MistakeStore:
    """The mistakes of a data folder. Records that are not of the right shape are passed over."""

    def __init__(self, folder: DataFolder) -> None:
        self._path = folder.root / MISTAKES
        self._lock = threading.Lock()
        self._kept: dict[str, MistakeRecord] = {one.id: one for one in kept_mistakes(self._path)}

    def all(self) -> list[MistakeRecord]:
        """Return the mistakes, the newest first."""
        with self._lock:
            return list(self._kept.values())[::-1]

    def get(self, name: str) -> MistakeRecord:
        """Return one by its id."""
        with self._lock:
            found = self._kept.get(checked_id(name))
        if found is None:
            raise Fault(404, "this mistake is not in the list any more")
        return found

    def add(self, mistake: MistakeRecord) -> None:
        """Keep a new one; beyond the limit the oldest goes."""
        with self._lock:
            self._kept[mistake.id] = mistake
            while len(self._kept) > _MOST:
                del self._kept[next(iter(self._kept))]
            self._save()

    def tried(self, name: str, grade: Grade) -> None:
        """Note the answer to one that was asked again, unless it was forgotten in the meantime."""
        with self._lock:
            if name in self._kept:
                self._kept[name] = self._kept[name].tried(grade)
                self._save()

    def forget(self, name: str) -> None:
        """Take one off the list."""
        with self._lock:
            if self._kept.pop(checked_id(name), None) is None:
                raise Fault(404, "this mistake is not in the list any more")
            self._save()

    def drawn(self, wanted: DrillKind, there: set[str]) -> MistakeRecord:
        """Return any that is not mended; where all are, any. there: the sources that can be asked."""
        found = [one for one in self.all() if (one.solve or one.blueprint) in there]
        if not found:
            raise Fault(409, "there is no mistake to ask again yet", "mistakes")
        fitting = [one for one in found if wanted.allows(one.kind)]
        if not fitting:
            raise Fault(409, f"there is no mistake {wanted.words()}; choose something wider", "mistakes")
        return secrets.choice([one for one in fitting if not one.mended] or fitting)

    def _save(self) -> None:
        kept = [one.model_dump(mode="json") for one in self._kept.values()]
        write_json(self._path, {"version": _VERSION, "mistakes": kept})
