"""How every kernel is compiled, in one place.

`cache=True`: the user pays for compilation once per machine. `nogil=True`: threads split boards or
traversals. Bounds are not checked and integer division by zero is not guarded: callers validate.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar, cast

import numba

F = TypeVar("F", bound=Callable[..., Any])

_OPTIONS: dict[str, Any] = {"cache": True, "nogil": True, "error_model": "numpy"}
_FAST: Any = {"nsz", "arcp", "contract", "reassoc"}


def kernel(function: F) -> F:
    """Compile `function` with the house options and strict IEEE arithmetic."""
    return cast(F, numba.njit(**_OPTIONS)(function))


def inlined(function: F) -> F:
    """Compile a small function that LLVM always inlines into its callers."""
    return cast(F, numba.njit(**_OPTIONS, forceinline=True)(function))


def fast_kernel(function: F) -> F:
    """Compile with reassociation and contraction allowed: sums may differ in the last bits."""
    return cast(F, numba.njit(**_OPTIONS, fastmath=_FAST)(function))


def parallel_kernel(function: F) -> F:
    """Compile with `numba.prange` threads; arithmetic as in `fast_kernel`."""
    return cast(F, numba.njit(**_OPTIONS, fastmath=_FAST, parallel=True)(function))
