"""How threads inside a kernel share out work and wait for each other, without Python.

All threads call the same kernel. A barrier spins for a while and then lets other threads of the machine run.
"""

from __future__ import annotations

import sys
from typing import Any

import numpy as np
import numpy.typing as npt
from llvmlite import ir
from numba import types

from overbet.kernels.jit import lean
from overbet.kernels.vector.lanes import data_of
from overbet.kernels.vector.vectors import intrinsic

ARRIVED, PASSED, NEXT = 0, 8, 16  # numbers of `Shared`, each on a cache line of its own
SHARED = 24
_SPINS = 2_000  # some microseconds

Shared = npt.NDArray[np.int64]


@intrinsic
def fetch_add(typing: Any, array: Any, index: Any, number: Any) -> Any:
    """Add to array[index] at once and return what was there."""

    def code(context: Any, builder: Any, signature: Any, values: Any) -> Any:
        data = data_of(context, builder, signature.args[0], values[0], values[1])
        return builder.atomic_rmw("add", builder.gep(data, [values[1]]), values[2], "seq_cst")

    return types.int64(array, types.intp, types.int64), code


@intrinsic
def step_aside(typing: Any) -> Any:
    """Let other threads of the machine run."""

    def code(context: Any, builder: Any, signature: Any, values: Any) -> Any:
        if sys.platform != "win32":
            kind = ir.FunctionType(ir.IntType(32), [])
            known = builder.module.globals.get("sched_yield")
            builder.call(known or ir.Function(builder.module, kind, "sched_yield"), [])
        return context.get_dummy_value()

    return types.void(), code


@lean
def wait_for_all(shared: Shared, threads: int) -> None:
    """Go on when all threads have come here."""
    if threads == 1:
        return
    passed = fetch_add(shared, PASSED, 0)
    if fetch_add(shared, ARRIVED, 1) == threads - 1:
        fetch_add(shared, ARRIVED, -threads)
        fetch_add(shared, PASSED, 1)
        return
    spins = 0
    while fetch_add(shared, PASSED, 0) == passed:
        spins += 1
        if spins > _SPINS:
            step_aside()
