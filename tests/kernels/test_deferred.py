"""What a module of kernels declares becomes a dispatcher when somebody uses it, and not before."""

from __future__ import annotations

import threading
from typing import Any

import pytest

from overbet.kernels import jit
from overbet.kernels.deferred import DeferredKernel, deferred
from overbet.kernels.unit import Kernel, Parallel


def _declared() -> tuple[Any, Any]:
    @jit.kernel
    def one_more(x: int) -> int:
        return x + 1

    @jit.kernel
    def two_more(x: int) -> int:
        return one_more(one_more(x))

    return one_more, two_more


def test_a_declaration_makes_nothing_and_a_call_makes_the_dispatcher() -> None:
    one_more, two_more = _declared()
    assert type(one_more) is type(two_more) is DeferredKernel
    before = id(two_more)
    two_more._cache.disable()  # whatever is asked of it makes it
    assert type(two_more) is Kernel
    assert type(one_more) is DeferredKernel
    assert two_more(5) == 7
    assert type(one_more) is Kernel  # numba asked when it compiled the other
    assert id(two_more) == before
    assert two_more.__name__ == "two_more"
    assert one_more.py_func(1) == 2


def test_each_kind_of_kernel_becomes_its_own_class() -> None:
    @jit.parallel_kernel
    def nothing(x: int) -> int:
        return x

    assert type(nothing) is DeferredKernel
    assert nothing.py_func(1) == 1  # type: ignore[attr-defined]
    assert type(nothing) is Parallel


class Slow:
    """Makes a dispatcher, slowly; counts how often."""

    def __init__(self) -> None:
        self.count, self.begun, self.go_on = 0, threading.Event(), threading.Event()

    def __call__(self, made: Any) -> None:
        self.count += 1
        self.begun.set()
        assert self.go_on.wait(30)
        Kernel.initialise(made, lambda x: x + 1, {"nopython": True, "nogil": True})


@pytest.mark.parametrize("use", [lambda one: one(1), lambda one: one.py_func(1)], ids=["call", "ask"])
def test_a_thread_that_comes_while_another_makes_it_waits(use: Any) -> None:
    slow = Slow()
    one = deferred(slow, Kernel)
    found: list[Any] = []
    threads = [threading.Thread(target=lambda: found.append(use(one))) for _ in range(4)]
    threads[0].start()
    assert slow.begun.wait(30)
    for thread in threads[1:]:
        thread.start()
    slow.go_on.set()
    for thread in threads:
        thread.join(60)
    assert found == [2] * 4
    assert slow.count == 1


def test_one_that_could_not_be_made_is_tried_again() -> None:
    tries = []

    def make(made: Any) -> None:
        tries.append(made)
        if len(tries) == 1:
            raise OSError("no")
        Kernel.initialise(made, lambda x: x + 1, {"nopython": True})

    one = deferred(make, Kernel)
    with pytest.raises(OSError, match="no"):
        one(1)
    assert one(1) == 2
