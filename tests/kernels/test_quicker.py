"""Typing is made quicker without a change of what is found, and numba has its own ways again afterwards."""

from __future__ import annotations

from itertools import product
from typing import Any

import numba
import numpy as np
import pytest
from numba.core import compiler

from overbet.kernels import jit, quicker
from overbet.kernels.quicker import quicker_typing


def _ways() -> tuple[Any, ...]:
    return (
        quicker._Function.get_call_type,
        quicker._Options.__eq__,
        quicker._Context.create_cfunc_wrapper,
    )


def test_numba_has_its_own_ways_again_after_a_kernel_and_after_a_failure() -> None:
    before = _ways()

    @jit.kernel
    def broken(x: float) -> float:
        return x.nothing  # type: ignore[attr-defined,no-any-return]

    broken._cache.disable()  # type: ignore[attr-defined]
    with pytest.raises(numba.TypingError, match="nothing"):
        broken(1.0)
    assert _ways() == before
    with quicker_typing():
        inside = _ways()
        with quicker_typing():
            assert _ways() == inside
        assert _ways() == inside
    assert all(a is not b for a, b in zip(inside, before))
    assert _ways() == before


def test_options_are_the_same_where_numba_says_so() -> None:
    found = []
    for fast, nrt, inline, said in product(
        (False, True, {"nsz"}), (False, True), (False, True), (False, True)
    ):
        flags: Any = compiler.Flags()
        if said or fast:
            flags.fastmath = fast
        if said or nrt:
            flags.nrt = nrt  # said or not: it is the default where false
        if said or inline:
            flags.forceinline = inline
        found.append(flags)
    for one, other in product(found, found):
        assert quicker._same_options(one, other) == quicker._Numba.same_options(one, other)
    assert quicker._same_options(found[0], 3) is NotImplemented


def test_an_operator_is_typed_by_the_types_at_hand_and_by_who_asks() -> None:
    """An answer that is kept must not be given to other types, nor strict arithmetic to a fast kernel."""

    @jit.inlined
    def strict(x: Any, y: Any) -> Any:
        return (x + y) - x

    @jit.fast_kernel
    def both(small: Any, large: Any, whole: int, array: Any) -> Any:
        loose = (small + large) - small
        return strict(small, large), loose, whole + whole, array + array

    both._cache.disable()  # type: ignore[attr-defined]
    one, other, number, array = both(1e20, 1.0, 7, np.ones(2, np.float32))
    assert (one, other, number) == (0.0, 1.0, 14)
    assert array.dtype == np.float32
    assert array.tolist() == [2.0, 2.0]
