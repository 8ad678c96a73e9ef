"""A coroutine runs to its end also where the thread has a running event loop already."""

import asyncio

from tests.event_loops import run_apart


async def _seven() -> int:
    await asyncio.sleep(0)
    return 7


def test_a_coroutine_runs_beside_a_running_loop() -> None:
    async def outer() -> int:
        return run_apart(_seven)

    assert run_apart(outer) == 7  # in a thread of its own: this one may have a loop of a browser's test
