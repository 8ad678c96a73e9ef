"""A fixed sequence of kernel launches, recorded once as a CUDA graph and replayed with one call.

A launch through numba costs a fraction of a millisecond of Python, a kernel inside a replayed graph about a
microsecond. An iteration has a handful of kernels: on small spots the graph is what makes a GPU worth using.
"""

from __future__ import annotations

import weakref
from collections.abc import Callable
from importlib import import_module
from typing import Any

from overbet.cuda.device import SIMULATED, checked, cuda

Launches = Callable[[], None]

_WARM: set[str] = set()  # sequences whose kernels are compiled and loaded: nothing may load while recording


class Recording:
    """`launches()` makes the launches on a stream; what they read must stay where it is from call to call.

    name: one for all sequences of the same kernels.
    """

    def __init__(self, launches: Launches, stream: Any, name: str) -> None:
        self._launches, self._stream, self._name = launches, stream, name
        self._driver = _driver()
        self._graph: Any = None

    def play(self) -> None:
        """Queue the launches."""
        if self._graph is None and self._driver and self._name in _WARM:
            self._record()
        if self._graph is not None:
            checked(self._driver.cuGraphLaunch(self._graph, self._handle))
        else:
            self._launches()
            _WARM.add(self._name)

    def _record(self) -> None:
        """Record the launches; where the driver will not, they stay one by one."""
        driver, handle = self._driver, self._stream.handle
        self._handle = driver.CUstream(int(getattr(handle, "value", handle)))
        mode = driver.CUstreamCaptureMode.CU_STREAM_CAPTURE_MODE_RELAXED
        with cuda.defer_cleanup():  # freeing memory in between would spoil the recording
            checked(driver.cuStreamBeginCapture(self._handle, mode))
            try:
                self._launches()
            finally:
                answer = driver.cuStreamEndCapture(self._handle)
        if int(answer[0]) != 0:
            self._driver = None
            return
        self._graph = checked(driver.cuGraphInstantiate(answer[1], 0))
        driver.cuGraphDestroy(answer[1])
        weakref.finalize(self, driver.cuGraphExecDestroy, self._graph)


def new_stream() -> Any:
    """Return a stream of its own for an engine."""
    return cuda.stream()


def _driver() -> Any:
    """Return the driver's bindings, or None where launches have to be made one by one."""
    if SIMULATED:
        return None
    try:
        return import_module("cuda.bindings.driver")
    except ImportError:
        return None
