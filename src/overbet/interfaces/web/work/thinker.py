"""Opponents who search, as the server sees them: they think in a process of their own.

Solves have another process, so a decision never waits for a solve in the queue; and whatever a search does
(compile, fill the memory, die), the server answers meanwhile and the hand goes on with the blueprint.
"""

from __future__ import annotations

import itertools
import queue
import threading
from contextlib import AbstractContextManager
from dataclasses import asdict
from pathlib import Path
from typing import Any

from overbet.agents.blueprint import BlueprintAgent
from overbet.agents.compiled import CompiledAgent
from overbet.agents.protocol import Observation
from overbet.agents.searcher import SearchAgent
from overbet.errors import OverbetError
from overbet.games.holdem import HoldemGame
from overbet.games.holdem_state import HoldemState
from overbet.interfaces.web.work.process import WorkerProcess
from overbet.search.settings import SearchSettings
from overbet.solvers.vector.solver import Progress
from overbet.study.errors import NotNowError, StudyError
from overbet.study.search_budget import SEARCH, SearchBudget
from overbet.study.tables import StudyTable
from overbet.study.thoughts import Thought, Watch

_LONGEST = 900.0  # seconds without a word: kernels that are compiled take minutes, nothing takes longer
_GONE = "the searching process"


class ThinkingProcess:
    """The process that searches; started when it is needed, and again after it died."""

    def __init__(self, log: Path) -> None:
        self._log = log
        self._lock = threading.Lock()
        self._process: WorkerProcess | None = None
        self._waiting: dict[str, queue.SimpleQueue[dict[str, Any]]] = {}
        self._numbers = itertools.count(1)
        self._closed = False

    @property
    def pid(self) -> int | None:
        """The process, if there is one."""
        with self._lock:
            return self._process.pid if self._process else None

    def later(self, kind: str, **values: Any) -> None:
        """Have something done; whether it succeeds shows when it is needed."""
        with self._lock:
            process = self._started()
            if process is not None:
                process.send({"job": "", "kind": kind, **values})

    def ask(self, kind: str, watch: Watch | None = None, **values: Any) -> dict[str, Any]:
        """Return the result of a command; an `OverbetError` where there is none. watch: is told of looks."""
        job = f"t{next(self._numbers)}"
        messages: queue.SimpleQueue[dict[str, Any]] = queue.SimpleQueue()
        with self._lock:
            process = self._started()
            if process is None:
                raise NotNowError(f"{_GONE} cannot be started; try again later")
            self._waiting[job] = messages
        try:
            if not process.send({"job": job, "kind": kind, **values}):
                raise NotNowError(f"{_GONE} has ended; try again")
            while True:
                message = messages.get(timeout=_LONGEST)
                if message["type"] == "look" and watch is not None:
                    watch(Progress(**message["look"]))
                elif message["type"] == "end":
                    if message["status"] != "done":
                        raise OverbetError(message.get("error") or f"{_GONE} failed")
                    result: dict[str, Any] = message["result"]
                    return result
        except queue.Empty:
            process.kill()
            raise NotNowError(f"{_GONE} did not answer for {_LONGEST:.0f} seconds") from None
        finally:
            with self._lock:
                self._waiting.pop(job, None)

    def close(self) -> None:
        """End the process; who waits for it is told."""
        with self._lock:
            self._closed = True
            process = self._process
        if process is not None:
            process.kill()
            process.close(10)

    def _started(self) -> WorkerProcess | None:
        if self._process is None and not self._closed:
            try:
                self._process = WorkerProcess(self._log, self._heard, self._ended, "search")
            except OSError:
                return None
        return None if self._closed else self._process

    def _heard(self, message: dict[str, Any]) -> None:
        with self._lock:
            waiting = self._waiting.get(message["job"])
        if waiting is not None:
            waiting.put(message)

    def _ended(self, process: WorkerProcess, how: str) -> None:
        with self._lock:
            if process is self._process:
                self._process = None
            waiting = list(self._waiting.values())
        for messages in waiting:
            messages.put({"type": "end", "status": "failed", "error": f"{_GONE} {how}"})


class TableThinker:
    """Search at the page's tables with one blueprint and one budget."""

    def __init__(
        self,
        name: str,
        blueprint: CompiledAgent,
        file: Path,
        budget: SearchBudget,
        process: ThinkingProcess,
        alone: AbstractContextManager[Any],
    ) -> None:
        """Take file: of the blueprint. alone: held while the blueprint is asked, by one at a time."""
        if not isinstance(blueprint, BlueprintAgent):
            raise StudyError(f"{name} cannot search: it has no dense tables; choose another", "opponent")
        self.name, self._blueprint, self._process, self._alone = f"{SEARCH}{name}", blueprint, process, alone
        self._command = {"blueprint": str(file), "settings": budget.changes()}
        settings = SearchSettings.changed(self._command["settings"], "search")
        self._searcher = SearchAgent(blueprint, settings).searcher

    @property
    def blueprint(self) -> CompiledAgent:
        """Who plays where nothing is searched."""
        return self._blueprint

    @property
    def own_table(self) -> HoldemGame:
        """The table its blueprint was trained for."""
        return self._blueprint.own_table

    def searches(self, state: HoldemState) -> bool:
        """Return whether a decision is one that is searched."""
        return self._searcher.covers(state)

    def act(self, observation: Observation) -> int:
        """Return what the blueprint does."""
        with self._alone:
            return self._blueprint.act(observation)

    def get_ready(self) -> None:
        """Have the process load what it needs, before it is asked."""
        self._process.later("get_ready", **self._command)

    def think(self, table: StudyTable, observation: Observation, watch: Watch) -> tuple[int, Thought | None]:
        """Return what search does and thought; where it fails the blueprint plays, and it says why."""
        assert table.actions is not None
        state = observation.state
        try:
            found = self._process.ask(
                "think",
                watch,
                **self._command,
                table=table.id,
                number=table.number,
                rules=asdict(state.game),
                hole=[list(cards) if cards else None for cards in _own_cards(state)],
                board=list(state.board),
                actions=[action for _, _, action in state.history],
                dice=[observation.seed, observation.hand],
            )
        except OverbetError as error:
            return self.act(observation), Thought(len(state.history), state.street, fault=str(error))
        return int(found["action"]), Thought(**found["thought"]) if found["thought"] else None


def _own_cards(state: HoldemState) -> list[tuple[int, ...] | None]:
    """Return the cards of the player to act, and nothing of the others'."""
    me = state.current_player()
    return [tuple(cards) if player == me and cards else None for player, cards in enumerate(state.hole)]
