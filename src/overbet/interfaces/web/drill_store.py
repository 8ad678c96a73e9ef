"""The drill of a server: the questions that wait for an answer, and the score, kept in the data folder."""

from __future__ import annotations

import contextlib
import threading
from collections import OrderedDict
from typing import Any

from overbet.interfaces.web.faults import Fault
from overbet.interfaces.web.folder import DataFolder, read_json, write_json
from overbet.study.drill import DrillScore
from overbet.study.drill_asked import Asked
from overbet.study.grades import GRADES, Grade
from overbet.study.records import ScoreRecord

_KEPT = 500
_SCORE = "drill.json"


class Drill:
    """The questions of a server, and the score."""

    def __init__(self, folder: DataFolder) -> None:
        self._path = folder.root / _SCORE
        self._lock = threading.Lock()
        self._asked: OrderedDict[str, Asked] = OrderedDict()
        self.score = DrillScore()
        kept = read_json(self._path)
        with contextlib.suppress(ValueError, RecursionError):
            found = ScoreRecord.model_validate(kept)
            grades: dict[str, int] = {name: found.by_grade.get(name, 0) for name in GRADES}
            self.score = DrillScore(found.answered, grades, found.losses, found.within)

    def ask(self, question: Asked) -> dict[str, Any]:
        """Keep a question and return it as the page sees it."""
        with self._lock:
            self._asked[question.id] = question
            while len(self._asked) > _KEPT:
                self._asked.popitem(last=False)
        return question.shown

    def take(self, name: str) -> Asked:
        """Return a question and forget it: it is answered once."""
        with self._lock:
            if name not in self._asked:
                raise Fault(404, "this question was answered already; take the next one")
            return self._asked[name]

    def count(self, question: Asked, word: Grade, loss: float, *, within: bool) -> dict[str, Any]:
        """Add a verdict to the score. loss: in % of the pot."""
        with self._lock:
            self._asked.pop(question.id, None)
            self.score.add(word, loss, within=within)
            self._save()
            return self.score.shown()

    def reset(self) -> None:
        """Begin a new score."""
        with self._lock:
            self.score = DrillScore()
            self._save()

    def _save(self) -> None:
        write_json(self._path, self.score.__dict__)
