"""Subgames that were searched at a table, opened in Study: saved among the solves when they are asked for."""

from __future__ import annotations

from typing import NamedTuple

from overbet.errors import OverbetError
from overbet.interfaces.web.faults import Fault
from overbet.interfaces.web.folder import SOLUTION, SOLVES, new_id, now
from overbet.interfaces.web.state import ServerState
from overbet.interfaces.web.work.jobs import Job
from overbet.study.tables import StudyTable


class SubgamePlace(NamedTuple):
    """Where to look: a solve, and a line of it."""

    solve: str
    line: str


def opened_subgame(state: ServerState, table: StudyTable, number: int, place: int) -> SubgamePlace:
    """Save the subgame of a decision of the last hand and return where it is; once, however often asked."""
    thinking = table.thinking
    thought = next((one for one in thinking.of_hand(number) if one.place == place and one.line), None)
    if thought is None:
        raise Fault(
            404, "this decision was not searched, or not in the last hand: only its searches are kept"
        )
    if number >= len(table.hands):
        raise Fault(409, "the hand is not over; its searches can be opened after it")
    with state.subgame_lock:
        known = thinking.opened.get(place)
        if known is not None and any(job.id == known for job in state.jobs.all("solve")):
            return SubgamePlace(known, thought.line)
        new = new_id("s")
        target = state.folder.job(SOLVES, new) / SOLUTION
        target.parent.mkdir(parents=True)
        try:
            found = state.thinking.ask(
                "save_subgame", table=table.id, number=number, place=place, file=str(target)
            )
            name = f"Search, hand {number + 1}, {thought.street}"
            job = Job(new, "solve", name, now(), found["spot"], status="done", result=found["outcome"])
            state.jobs.adopt(job)
        except BaseException as error:
            state.folder.remove(SOLVES, new)
            if isinstance(error, OverbetError):
                raise Fault(409, str(error)) from error
            raise
        thinking.opened[place] = new
        return SubgamePlace(new, thought.line)
