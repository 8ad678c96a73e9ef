"""What all routes of one server share."""

from __future__ import annotations

import sys
import threading
import traceback
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from typing import Any

from fastapi import Request

from overbet.agents.compiled import CompiledAgent
from overbet.errors import OverbetError
from overbet.evaluation import ledger
from overbet.interfaces.decks.store import DeckStore
from overbet.interfaces.hands.database import HandDatabase
from overbet.interfaces.web.blueprint_library import BlueprintLibrary
from overbet.interfaces.web.drill_store import Drill
from overbet.interfaces.web.folder import SOLUTION, SOLVES, DataFolder
from overbet.interfaces.web.hand_uploads import HandUploads
from overbet.interfaces.web.library_store import LibraryStore
from overbet.interfaces.web.limits import Limits, Settings
from overbet.interfaces.web.mistake_store import MistakeStore
from overbet.interfaces.web.pictures import Pictures
from overbet.interfaces.web.reading import is_plain
from overbet.interfaces.web.solutions import Solutions
from overbet.interfaces.web.table_store import TableStore
from overbet.interfaces.web.work.hand_jobs import HandJobs, ReviewJobs
from overbet.interfaces.web.work.jobs import Job, Jobs, Kind
from overbet.interfaces.web.work.run_jobs import RunJobs
from overbet.interfaces.web.work.speed import MachineSpeed
from overbet.interfaces.web.work.thinker import TableThinker, ThinkingProcess
from overbet.interfaces.web.work.warming import Warming
from overbet.study.adjust import Adjuster
from overbet.study.range_library import RANGES, RangeLibrary
from overbet.study.search_budget import SEARCH, SearchBudget
from overbet.study.tables import Play, StudyTable, TableOpponents


class ServerState:
    """The data folder, the queue and the open solutions of a server."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.folder = DataFolder(settings.data)
        self.jobs = Jobs(self.folder, settings.limits)
        self.warming = Warming(settings.warm)
        self.runs = RunJobs(self.folder, settings.limits, self.ledger_to_write)
        self.hand_jobs = HandJobs(self.folder, settings.limits)
        self.reviews = ReviewJobs(self.folder, settings.limits)
        self.uploads = HandUploads(self.folder, settings.limits)
        self.uploads.tidy(self.hand_jobs.wants)
        self.speed = MachineSpeed(self.folder, self.jobs, settings.warm)
        self.solutions = Solutions(settings.limits, self.solution_path, lambda: self.warming.wait("study"))
        self.jobs.forgotten.append(self.solutions.forget)
        self.blueprints = BlueprintLibrary(self.folder)
        self.thinking = ThinkingProcess(self.folder.root / "search.log")
        self.opponents = TableOpponents(self.blueprints, self.thinker)
        self.play = Play(self.opponents, settings.review)
        self.tables = TableStore(self.folder)
        ready = lambda: self.warming.wait("adjust")  # noqa: E731
        self.adjuster = Adjuster(self.opponents, self.tables.save, ready, _tell)
        self.drill = Drill(self.folder)
        self.library = LibraryStore(self.folder)
        self.ranges = RangeLibrary(self.folder.root / RANGES)
        self.mistakes = MistakeStore(self.folder)
        self.decks = DeckStore(self.folder.root)
        self.play_lock = threading.Lock()  # an agent is asked by one at a time
        self.pictures = Pictures()
        self.subgame_lock = threading.Lock()  # a subgame is saved once
        self.streams = 0
        self.stopping = threading.Event()  # set when the server is to end: streams end by themselves

    def close(self) -> None:
        """Stop the work under way, saved."""
        self.warming.close()
        self.speed.close()
        self.adjuster.close()
        self.thinking.close()
        self.hand_jobs.close()
        self.reviews.close()
        self.runs.close()
        self.jobs.close()

    def thinker(self, name: str, blueprint: CompiledAgent, budget: SearchBudget) -> TableThinker:
        """Return who searches with a blueprint."""
        file = self.blueprints.get(name).path
        return TableThinker(name, blueprint, file, budget, self.thinking, self.play_lock)

    def asking(self, table: StudyTable) -> AbstractContextManager[Any]:
        """Return what is held while a table's opponent acts: search takes it for its blueprint alone."""
        return nullcontext() if table.opponent.startswith(SEARCH) else self.play_lock

    def hands(self) -> HandDatabase:
        """Open the database of hands; each request has its own connection and closes it."""
        return HandDatabase(self.folder.root)

    def ledger(self) -> Path | None:
        """Return the ledger of the data folder, or the user's own where that has none."""
        for path in (self.folder.root / ledger.NAME, ledger.ledger_path()):
            if is_plain(path):
                return path
        return None

    def ledger_to_write(self) -> Path:
        """Return where new results are noted: where those are that the page shows."""
        return self.ledger() or ledger.ledger_path()

    @property
    def limits(self) -> Limits:
        """The limits."""
        return self.settings.limits

    def solution_path(self, name: str) -> Path:
        """Return where the file of a solve lies; there must be such a solve."""
        self.jobs.get("solve", name)
        return self.folder.job(SOLVES, name) / SOLUTION


def _tell(error: Exception) -> None:
    """Say on the error stream why hands have no estimates; the result says how many have none."""
    if isinstance(error, OverbetError):
        print(f"no estimates for a table: {error}", file=sys.stderr)
    else:
        traceback.print_exception(error)


def job_of(request: Request, kind: Kind, id: str) -> tuple[ServerState, Job]:
    """Return the state of the server and one of its jobs; a fault where there is none of that name."""
    state = state_of(request)
    return state, state.jobs.get(kind, id)


def state_of(request: Request) -> ServerState:
    """Return the state of the server that a request came to."""
    found: ServerState = request.app.state.overbet
    return found
