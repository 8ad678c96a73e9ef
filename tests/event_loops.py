"""Coroutines in tests, each in a thread of its own.

Playwright leaves a running event loop in the thread that drove a browser, and a worker of pytest runs the
files that come next in that thread.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeVar

T = TypeVar("T")


def run_apart(coroutine: Callable[[], Coroutine[Any, Any, T]]) -> T:
    """Run a coroutine function to its end in a new thread and return its result."""
    with ThreadPoolExecutor(1) as pool:
        return pool.submit(lambda: asyncio.run(coroutine())).result()
