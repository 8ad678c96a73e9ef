"""How every kernel is compiled, in one place.

Code is kept on disk: the user pays for compilation once per machine. `nogil=True`: threads split boards or
traversals. Bounds are not checked and integer division by zero is not guarded: callers validate
(docs/bounds.md says who checks what). `NUMBA_BOUNDSCHECK=1` checks every index in a kernel (`make bounds`).

How compiled code is linked and kept is in `unit.py` and `cache.py`; `deferred.py` is a declaration.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar, cast

from overbet.kernels.cache import keep
from overbet.kernels.deferred import deferred
from overbet.kernels.unit import Kernel, Parallel

F = TypeVar("F", bound=Callable[..., Any])

# What is not said a function takes from whoever calls it first and keeps in the cache for everybody: a strict
# kernel would round as a fast one does, or not, by the order in which things were compiled. So all is said.
_OPTIONS: dict[str, Any] = {
    "nopython": True,
    "boundscheck": None,  # as NUMBA_BOUNDSCHECK says
    "nogil": True,
    "error_model": "numpy",
    "fastmath": False,
    "forceinline": False,
    "_nrt": True,  # counting references
}
_LEAN: dict[str, Any] = {**_OPTIONS, "_nrt": False}
_FAST: dict[str, Any] = {**_OPTIONS, "fastmath": {"nsz", "arcp", "contract", "reassoc"}}


def kernel(function: F) -> F:
    """Compile `function` with the house options and strict IEEE arithmetic."""
    return cast(F, _compiled(function, **_OPTIONS))


def inlined(function: F) -> F:
    """Compile a small function that LLVM always inlines into its callers."""
    return cast(F, _compiled(function, **{**_OPTIONS, "forceinline": True}))


def lean(function: F) -> F:
    """Compile a function that allocates nothing and returns no array: no references are counted.

    Every array that a function takes out of a bundle, or takes a row of, is counted by an atomic addition and
    its opposite, and bundles have dozens of arrays. Where small functions hand bundles to each other millions
    of times that costs more than their work, in compilation too. Whoever calls the first of them holds all
    arrays. A lean function that returned an array would return one that its caller gives up once too often.
    """
    return cast(F, _compiled(function, **_LEAN))


def lean_inlined(function: F) -> F:
    """Compile a small function that LLVM always inlines, as `lean` does."""
    return cast(F, _compiled(function, **{**_LEAN, "forceinline": True}))


def fast_kernel(function: F) -> F:
    """Compile with reassociation and contraction allowed: sums may differ in the last bits."""
    return cast(F, _compiled(function, **_FAST))


def fast_inlined(function: F) -> F:
    """Compile a small function that LLVM always inlines; arithmetic as in `fast_kernel`."""
    return cast(F, _compiled(function, **{**_FAST, "forceinline": True}))


def parallel_kernel(function: F) -> F:
    """Compile with `numba.prange` threads; arithmetic as in `fast_kernel`."""
    return cast(F, _compiled(function, **_FAST, parallel=True))


def _compiled(function: Callable[..., Any], **options: Any) -> Any:
    """Return what becomes numba's dispatcher of a function when it is used."""
    kind: Any = Parallel if options.get("parallel") else Kernel

    def make(made: Any) -> None:
        kind.initialise(made, function, options)
        keep(made)

    return deferred(make, kind)
