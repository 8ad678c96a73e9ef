"""The process that does the long work: `python -m overbet.interfaces.web.work.worker`.

It reads one JSON object a line from its input (a job, `cancel`, `snapshot`) and writes one a line to its
output (`stage`, `beat`, `look`, `saved`, `state`, `end`); results go into files of the data folder. When its
input ends, which is how a server that stops or dies looks from here, it stops after the iterations under way,
saves what there is, and ends.
"""

from __future__ import annotations

import gc
import json
import math
import os
import queue
import sys
import threading
import traceback
import warnings
from pathlib import Path
from typing import IO, Any

from overbet.errors import OverbetError


class JobWork:
    """What the job under way needs to know of the world: where to report, and whether to stop."""

    def __init__(self, out: IO[str], job: str) -> None:
        self._out, self.job = out, job
        self.stop = threading.Event()
        self.snapshot = threading.Event()  # somebody wants to look at what there is

    def say(self, kind: str, **values: Any) -> None:
        """Send one message."""
        send(self._out, {"type": kind, "job": self.job, **values})


_SENDING = threading.Lock()  # a snapshot that is written tells so from its own thread


def send(out: IO[str], message: dict[str, Any]) -> None:
    """Write a message as one line; a server that is gone is no error here."""
    try:
        with _SENDING:
            out.write(json.dumps(message) + "\n")
            out.flush()
    except (OSError, ValueError):
        pass


def solve(work: JobWork, command: dict[str, Any]) -> None:
    """Solve a spot and save it: the file of the command's folder is replaced when the new one is whole."""
    work.say("stage", stage="loading")
    from overbet.interfaces.web.work.snapshots import SnapshotWriter
    from overbet.interfaces.web.work.stages import told_when_compiling
    from overbet.solvers.vector.api import SolveFile
    from overbet.solvers.vector.api import solve as solve_spot
    from overbet.solvers.vector.solution import Solution
    from overbet.solvers.vector.solver import Progress
    from overbet.solvers.vector.store import load
    from overbet.study.packing import finite, plain
    from overbet.study.solve_time import rate_of
    from overbet.study.values import outcome

    file = SolveFile.parse(command["spot"], "spot")
    target = Path(command["file"])
    parent = load(command["parent"]) if command.get("parent") else None
    if command.get("resume"):
        file = file.model_copy(update={"locks": ()})  # a resumed solve keeps those it was begun with

    def watch(look: Progress) -> bool:
        work.say("look", look=plain(look._asdict()))
        return not work.stop.is_set()

    def beat(iteration: int, seconds: float) -> bool:
        work.say("beat", beat={"iteration": iteration, "seconds": seconds})
        return work.stop.is_set() or (work.snapshot.is_set() and not writer.busy)

    def saved(state: Solution) -> None:
        last = state.history[-1]
        facts = {"iteration": state.iteration, "exploitability": finite(last.exploitability)}
        work.say("saved", saved={**facts, "seconds": last.seconds})

    def keep(state: Solution) -> None:
        if work.snapshot.is_set():
            work.snapshot.clear()
            writer.write_beside(state)
        else:
            writer.write(state)

    writer = SnapshotWriter(target, saved, lambda why: work.say("unsaved", error=why))
    work.say("stage", stage="building")
    with (
        warnings.catch_warnings(record=True) as notes,
        told_when_compiling(lambda on: work.say("stage", stage="compiling" if on else "building")),
    ):
        warnings.simplefilter("always", UserWarning)
        try:
            solution = solve_spot(
                file,
                progress=watch,
                before=parent,
                resume=target if command.get("resume") else None,
                checkpoint=keep,
                every=float(command.get("checkpoint_seconds") or math.inf),
                asked=lambda: work.snapshot.is_set() and not writer.busy,
                beat=beat,
            )
        finally:
            writer.wait()
    work.say("state", status="saving")
    solution.save(target)
    note = "; ".join(str(found.message) for found in notes)
    result = {**outcome(solution, resumable=True, note=note), "rate": rate_of(solution)}
    work.say("end", status="stopped" if solution.interrupted else "done", result=result)


def batch(work: JobWork, command: dict[str, Any]) -> None:
    """Solve a spot on many boards, each kept as it is done."""
    from overbet.solvers.vector.api import SolveFile
    from overbet.solvers.vector.batches.batch import BatchProgress, solve_batch
    from overbet.solvers.vector.batches.flops import board_list, board_set
    from overbet.study.packing import finite

    file = SolveFile.parse(command["spot"], "spot")
    flops = command["flops"]
    boards = board_set(flops) if isinstance(flops, str) else board_list(flops)

    def watch(state: BatchProgress) -> bool:
        look = state.look
        work.say(
            "batch",
            done=state.done,
            total=state.total,
            board=state.board,
            exploitability=finite(look.exploitability) if look else None,
            seconds_left=finite(state.seconds_left),
        )
        return not work.stop.is_set()

    keep, most = command.get("keep", "nothing"), 1 if command.get("trial") else None
    found = solve_batch(file, boards, command["folder"], keep=keep, most=most, progress=watch)
    result = {"done": len(found.rows)}
    work.say("end", status="done" if found.complete else "stopped", result=result)


def get_ready(work: JobWork, command: dict[str, Any]) -> None:
    """Load what searching at a table needs."""
    from overbet.interfaces.web.work import searching

    searching.get_ready(work, command)


def think(work: JobWork, command: dict[str, Any]) -> None:
    """Search a decision at a table."""
    from overbet.interfaces.web.work import searching

    searching.think(work, command)


def save_subgame(work: JobWork, command: dict[str, Any]) -> None:
    """Save the subgame of a searched decision."""
    from overbet.interfaces.web.work import searching

    searching.save_subgame(work, command)


def measure(work: JobWork, command: dict[str, Any]) -> None:
    """Train, play a match or measure: a job of the second queue."""
    from overbet.interfaces.web.work import measuring

    getattr(measuring, command["kind"])(work, command)


def hands(work: JobWork, command: dict[str, Any]) -> None:
    """Take files of hands into the database, find leaks and opponents in it, or price decisions."""
    from overbet.interfaces.web.work import hand_work

    hand_work.WORK[command["kind"]](work, command)


JOBS = {
    **dict.fromkeys(("train", "match", "lbr", "scorecard"), measure),
    "solve": solve,
    "batch": batch,
    "get_ready": get_ready,
    "think": think,
    "save_subgame": save_subgame,
    **dict.fromkeys(("import", "leaks", "opponents", "review"), hands),
}


def main() -> None:
    """Take commands until the input ends."""
    out = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)  # what a library prints must not mix with the messages
    if hasattr(os, "nice"):
        os.nice(5)  # the page stays quick while this works
    commands: queue.Queue[dict[str, Any] | None] = queue.Queue()
    current: list[JobWork] = []
    cancelled: set[str] = set()
    wanted: set[str] = set()  # snapshots of what has not been begun yet
    over = threading.Event()  # the input has ended: what is still begun stops at once, too

    def listen() -> None:
        for line in sys.stdin:
            command = json.loads(line)
            if "snapshot" in command:
                under_way = [work for work in current if work.job == command["snapshot"]]
                for work in under_way:
                    work.snapshot.set()
                if not under_way:
                    wanted.add(command["snapshot"])
            elif "cancel" in command:
                under_way = [work for work in current if work.job == command["cancel"]]
                for work in under_way:
                    work.stop.set()
                if not under_way:
                    cancelled.add(command["cancel"])  # it has not been begun yet
            else:
                commands.put(command)
        over.set()
        for work in current:
            work.stop.set()
        commands.put(None)

    threading.Thread(target=listen, daemon=True).start()
    send(out, {"type": "ready", "job": ""})
    while (command := commands.get()) is not None:
        work = JobWork(out, command["job"])
        current[:] = [work]
        if work.job in cancelled or over.is_set():
            work.stop.set()
        cancelled.discard(work.job)
        if work.job in wanted:
            work.snapshot.set()
        wanted.discard(work.job)
        try:
            JOBS[command["kind"]](work, command)
        except OverbetError as error:
            work.say("end", status="failed", error=str(error))
        except OSError as error:  # a full disk, most likely: what was saved before is as it was
            reason = error.strerror or str(error)
            work.say("end", status="failed", error=f"the results cannot be written: {reason}; make room")
        except MemoryError:
            work.say(
                "end",
                status="failed",
                error="there was not enough memory; use fewer sizes or narrower ranges",
            )
        except Exception as error:  # reported to the page; the process stays for the next job
            traceback.print_exc()
            work.say("end", status="failed", error=f"a fault of the program: {type(error).__name__}: {error}")
        current.clear()
        gc.collect()


if __name__ == "__main__":
    main()
