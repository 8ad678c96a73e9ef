"""Kernels that become numba's dispatchers when they are first used.

A module of kernels declares a dozen or two of them, and a command calls three from Python: to make a
dispatcher of every one (its signature, its place in the cache, a look whether that can be written to) would
take longer than all that a small solve does. So what a module declares is an object of the dispatchers' own
layout that holds the function and its options. It becomes the dispatcher when it is called, or when anything
is asked of it: by Python or by numba when it compiles a kernel that calls it.
"""

# Numba's own parts have no types that a checker could follow.
# mypy: disable-error-code="no-untyped-call, misc"

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from numba.core import registry
from numba.core.compiler_lock import global_compiler_lock

_Dispatcher: Any = registry.CPUDispatcher
_FREE = ("__class__", "__dict__")  # what may be asked of a kernel that stays deferred


def deferred(make: Callable[[Any], None], kind: type) -> Any:
    """Return an object that is to be a dispatcher of a class; `make(it)` initialises it on first use."""
    made = DeferredKernel.__new__(DeferredKernel)
    made.__dict__["_waits"] = make, kind
    return made


def _become(one: Any) -> None:
    """Make the dispatcher, once. Another thread that wants it waits."""
    with global_compiler_lock:
        if type(one) is not DeferredKernel:
            return
        make, kind = one.__dict__["_waits"]
        one.__class__ = _KernelInMaking
        try:
            make(one)
        except BaseException:
            one.__class__ = DeferredKernel
            raise
        del one.__dict__["_waits"]
        one.__class__ = kind


class DeferredKernel(_Dispatcher):
    """A kernel that nobody has used yet."""

    def __getattribute__(self, name: str) -> Any:
        """Become the dispatcher and return its attribute."""
        if name in _FREE:
            return object.__getattribute__(self, name)
        _become(self)
        return getattr(self, name)

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Become the dispatcher and call it."""
        _become(self)
        return self(*args, **kwargs)


class _KernelInMaking(_Dispatcher):
    """A kernel while one thread makes its dispatcher: others must not see it half made."""

    def __getattr__(self, name: str) -> Any:
        """Wait where an attribute is not there yet; in the thread that makes it, it is not there."""
        with global_compiler_lock:
            if type(self) is not _KernelInMaking:
                return getattr(self, name)
        raise AttributeError(f"{name!r} of a kernel that is being made")

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Wait for it."""
        with global_compiler_lock:
            pass
        return self(*args, **kwargs)
