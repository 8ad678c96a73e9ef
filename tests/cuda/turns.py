"""Numba's CUDA simulator with the threads of a block taking turns, each to its next barrier.

The simulator starts a thread of the system for each of the GPU's and asks all of them over and over whether
they wait. Here they are greenlets, which costs a small part of that, and their order is always the same. A
block goes from its first thread to its last up to one barrier and back again up to the next, and its
neighbour the other way round: a kernel that lacks a barrier is found out whichever thread it reads from.
"""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np
from greenlet import getcurrent, greenlet


class Turn(greenlet):
    """A thread of a block, with what the simulator asks of it."""

    def __init__(self, run: Any, block: Any, place: Any, dimension: type) -> None:
        super().__init__(run)
        self.blockIdx, self.threadIdx = dimension(*block), dimension(*place)

    def syncthreads(self) -> None:
        """Let the others come here."""
        self.parent.switch()


class Block:
    """Runs the threads of a block, in place of the simulator's `BlockManager`."""

    dimension: type
    backwards = False  # the order that the last block began with

    def __init__(self, function: Any, grid: Any, block: Any, debug: bool) -> None:
        self.function, self.size = function, block

    def run(self, at: Any, *arguments: Any) -> None:
        """Run all threads from barrier to barrier; an error in one of them is raised here."""
        function = self.function
        places = np.ndindex(*self.size)
        waiting = [Turn(lambda: function(*arguments), at, place, self.dimension) for place in places]
        Block.backwards = not Block.backwards
        if Block.backwards:
            waiting.reverse()
        while waiting:
            for thread in waiting:
                thread.switch()
            waiting = [thread for thread in reversed(waiting) if not thread.dead]


def take_turns() -> None:
    """Let the simulator of this process run its threads so."""
    from numba.cuda.simulator import kernel, kernelapi

    Block.dimension = kernelapi.Dim3
    kernel.BlockManager = Block
    kernelapi.threading = SimpleNamespace(current_thread=getcurrent)
