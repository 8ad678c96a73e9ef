"""Server-sent events: what changes at a job, until it ends or the listener goes away.

A listener that goes away, even in the middle of a solve, ends its own stream and nothing else: the stream
only reads what the queue keeps of the job.
"""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import AsyncIterator, Callable
from typing import Any

from fastapi.responses import StreamingResponse

from overbet.interfaces.web.faults import Fault
from overbet.interfaces.web.models.streams import JobEnd, ThinkingShown
from overbet.interfaces.web.state import ServerState
from overbet.interfaces.web.work.jobs import Job
from overbet.study.packing import plain
from overbet.study.table_facts import hand_values
from overbet.study.tables import StudyTable
from overbet.study.thoughts import ThinkingLook

_PAUSE = 0.1  # seconds between two looks
_ALIVE = 10.0  # seconds of silence after which a comment is sent
_NO_LOOK = ThinkingLook(None, None, None, None)  # before the first one


class EventStream(StreamingResponse):
    """An answer that goes on."""

    media_type = "text/event-stream"


STREAMED: dict[int | str, dict[str, Any]] = {
    200: {
        "description": "Server-sent events; the data of each is JSON.",
        "content": {
            "text/event-stream": {
                "schema": {
                    "type": "object",
                    "properties": {"event": {"type": "string"}, "data": {"type": "string"}},
                }
            }
        },
    }
}


def event(name: str, value: Any) -> bytes:
    """Return one event as bytes."""
    return f"event: {name}\ndata: {json.dumps(plain(value), allow_nan=False)}\n\n".encode()


def job_events(state: ServerState, job: Job, shown: Callable[[Job], dict[str, Any]]) -> EventStream:
    """Return the stream of a job: `state`, `beat` (how far it is), `look` and, at its end, `end`."""

    async def changes() -> AsyncIterator[bytes]:
        seen, sent, status, beat = -1, 0, "", dict[str, Any]()
        looks = job.looks
        spoken = time.monotonic()
        while not state.stopping.is_set():
            if job.change != seen:
                seen, ended = job.change, not job.busy  # once: it may end while what was is being sent
                if job.looks is not looks:
                    looks, sent = job.looks, 0
                parts = job.progress, job.stage, job.saved
                face = (job.status, job.stopping, job.name, job.unsaved, json.dumps(parts))
                if str(face) != status:
                    status = str(face)
                    yield event("state", shown(job))
                while sent < len(looks):
                    yield event("look", looks[sent])
                    sent += 1
                if job.beat != beat:
                    beat = job.beat
                    yield event("beat", beat)
                spoken = time.monotonic()
                if ended:
                    yield event("end", JobEnd(status=job.status, error=job.fault).model_dump())
                    return
            elif time.monotonic() - spoken > _ALIVE:
                yield b": alive\n\n"
                spoken = time.monotonic()
            await asyncio.sleep(_PAUSE)

    return stream(state, changes())


def thinking_events(state: ServerState, table: StudyTable) -> EventStream:
    """Return the stream of what a table's opponent thinks: `thinking`, as long as somebody listens."""

    async def changes() -> AsyncIterator[bytes]:
        thinking = table.thinking
        seen, decision, looks, sent, spoken = None, 0, list[ThinkingLook](), 0, time.monotonic()
        while not state.stopping.is_set() and table.id in state.tables.tables:
            now = (thinking.decision, thinking.busy, len(thinking.looks))
            if now != seen:
                hand = None
                if now[0] != decision:
                    for look in looks[sent:]:  # the decision before ended since
                        yield _thinking_event(decision, look, busy=False)
                    decision, looks, sent = now[0], thinking.looks, 0
                    hand = _hand_now(table) if now[1] else None
                for look in looks[sent:] or looks[-1:] or [_NO_LOOK]:
                    yield _thinking_event(decision, look, busy=now[1], hand=hand)
                    hand = None
                seen, sent, spoken = now, max(sent, now[2]), time.monotonic()
            elif time.monotonic() - spoken > _ALIVE:
                yield b": alive\n\n"
                spoken = time.monotonic()
            await asyncio.sleep(_PAUSE)

    return stream(state, changes())


def _thinking_event(
    decision: int, look: ThinkingLook, *, busy: bool, hand: dict[str, Any] | None = None
) -> bytes:
    values = {"decision": decision, "busy": busy, "hand": hand, **look._asdict()}
    return event("thinking", ThinkingShown.model_validate(plain(values)).model_dump())


def _hand_now(table: StudyTable) -> dict[str, Any]:
    """Return the hand as it stands while the opponent thinks."""
    thinking = table.thinking
    return hand_values(table, thinking.hand, table.state(thinking.hand, list(thinking.actions)))


async def pause(state: ServerState, seconds: float) -> None:
    """Wait, but not on while the server stops."""
    end = time.monotonic() + seconds
    while not state.stopping.is_set() and (left := end - time.monotonic()) > 0:
        await asyncio.sleep(min(_PAUSE, left))


def stream(state: ServerState, events: AsyncIterator[bytes]) -> EventStream:
    """Return a stream, counted while it lasts."""
    if state.streams >= state.limits.streams:
        raise Fault(429, "too many listeners; close other tabs of the page")

    async def counted() -> AsyncIterator[bytes]:
        state.streams += 1
        try:
            async for part in events:
                yield part
        finally:
            state.streams -= 1

    return EventStream(counted(), headers={"Cache-Control": "no-cache", "X-Accel-Buffering": "no"})
