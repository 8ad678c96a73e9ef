"""What makes numba's own typing quicker while a kernel is compiled.

Half of the time of a compilation is Python: for every call of `+` on two int64 numba asks a dozen templates
again, and for every question it compares the options of the function that asks, thirty at a time. Here an
answer is kept as long as a kernel is being compiled, and options are compared by what was said of them.
"""

# Numba's own parts have no types that a checker could follow.
# mypy: disable-error-code="no-untyped-call, attr-defined"

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from numba.core import cpu, targetconfig, types

# What the next version of numba may change: tests hold it.
_Function: Any = types.BaseFunction
_Options: Any = targetconfig.TargetConfig
_Stack: Any = targetconfig.ConfigStack
_Context: Any = cpu.CPUContext


class _Numba:
    """Numba's own ways."""

    call_type: Any = _Function.get_call_type
    same_options: Any = _Options.__eq__
    wrapper_for_c: Any = _Context.create_cfunc_wrapper


class _Answers:
    """Signatures that were found, by function, types of arguments, and options of whoever asks."""

    def __init__(self) -> None:
        self.signatures: dict[Any, Any] = {}
        self.words: dict[int, tuple[Any, str]] = {}  # options and what was said of them, by identity
        self.functions: dict[int, Any] = {}  # held, so that no other takes their identity

    def call_type(self, function: Any, context: Any, args: Any, kws: Any) -> Any:
        """Return the signature of a call, as numba's own method does."""
        try:
            key = id(function), self._said(_Stack.top_or_none()), tuple(args), tuple(kws.items())
            found = self.signatures.get(key)
        except TypeError:  # a type that cannot be hashed
            return _Numba.call_type(function, context, args, kws)
        if found is None:
            found = _Numba.call_type(function, context, args, kws)
            self.signatures[key] = found
            self.functions[id(function)] = function
        return found

    def _said(self, options: Any) -> str:
        if options is None:
            return ""
        known = self.words.get(id(options))
        if known is None:
            known = self.words[id(options)] = options, options.summary()
        return known[1]


def _same_options(one: Any, other: Any) -> Any:
    """Tell whether two sets of options are the same: what stands at its default need not be compared."""
    if not isinstance(other, _Options):
        return NotImplemented
    return one is other or (one.options == other.options and _changed(one) == _changed(other))


def _changed(options: Any) -> dict[str, Any]:
    known = options.options
    return {name: value for name, value in options._values.items() if value != known[name].default}


def _no_wrapper(*_: Any, **__: Any) -> None:
    """Make no wrapper for C: nobody calls a part from there."""


_inside: list[_Answers] = []  # what is known while a kernel is being compiled


@contextmanager
def quicker_typing() -> Iterator[None]:
    """Type and translate kernels more quickly. Whoever compiles holds numba's lock: other threads wait."""
    if _inside:  # a part of a kernel
        yield
        return
    answers = _Answers()
    _inside.append(answers)
    _Function.get_call_type = lambda function, context, args, kws: answers.call_type(
        function, context, args, kws
    )
    _Options.__eq__ = _same_options
    _Context.create_cfunc_wrapper = _no_wrapper
    try:
        yield
    finally:
        _inside.clear()
        _Function.get_call_type = _Numba.call_type
        _Options.__eq__ = _Numba.same_options
        _Context.create_cfunc_wrapper = _Numba.wrapper_for_c
