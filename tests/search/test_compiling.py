"""Search has its kernels compiled early by the work itself: the types are those of real searches."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import pytest
from numba.core.registry import CPUDispatcher

import overbet
from overbet import ahead
from overbet.search import compiling

LINES = {
    "flop": "b250:c:Td9d6h",
    "turn": "b250:c:Td9d6h:c:c:2c:b400",
    "river": "b250:c:Td9d6h:c:c:2c:c:c:As:b430",
}


def called() -> set[tuple[str, Any]]:
    """Return the kernels of the vector engine that Python has called, with the types of their arguments."""
    found = set()
    for name, module in list(sys.modules.items()):
        if name.startswith("overbet.kernels.vector."):
            for one in vars(module).values():
                if not isinstance(one, CPUDispatcher) or "_waits" in one.__dict__:
                    continue
                if one.py_func.__module__.startswith(
                    "overbet.kernels.vector."
                ):  # not one that is only used there
                    found |= {(one.py_func.__qualname__, types) for types in one.overloads}
    return found


@pytest.mark.parametrize("street", ["flop", "turn", "river"])
def test_a_search_calls_no_kernel_that_was_not_compiled_early(street: str) -> None:
    compiling.search_once(("flop", "turn", "river").index(street))
    before = called()
    assert any(name.startswith("iterate") for name, _ in before)
    dealt = overbet.HoldemGame().initial_state().with_cards([None, None])
    settings = {"streets": [street], "cache": False, street: {"iterations": 2}}
    answer = overbet.search(dealt.follow(LINES[street]), **settings)
    if street != "flop":  # where boards are drawn nobody knows what hands are worth
        assert answer.search.solution.node("r:0").oop.action_ev_chips is not None
    assert called() == before


def test_it_is_done_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    started: list[tuple[str, ...]] = []
    monkeypatch.setattr(ahead, "_place", lambda what: tmp_path / what)
    monkeypatch.setattr(ahead, "core_count", lambda: 2)
    monkeypatch.setattr(ahead, "start_compiler", lambda *words, **more: started.append(words))
    monkeypatch.setenv("OVERBET_COMPILE_AHEAD", "1")
    monkeypatch.setattr(ahead, "_works", set())
    for _ in range(2):  # again while it is under way
        compiling.compile_early(["turn", "river"])
        assert started == [("overbet.search.compiling", "turn", "river")]
    monkeypatch.setattr(compiling, "search_once", lambda street: started.append((str(street),)))
    compiling.main(["turn", "river"])
    assert started[1:] == [("1",), ("2",)]
    ahead._works.clear()  # as in another process
    for streets in (["turn", "river"], ["river"], []):
        compiling.compile_early(streets)
    assert len(started) == 3
    compiling.compile_early(["flop", "river"])  # other work
    assert started[3:] == [("overbet.search.compiling", "flop", "river")]


def test_a_command_that_ends_before_the_second_street_is_not_begun_anew_every_time(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def ended_on_the_river(street: int) -> None:
        if street == 2:
            raise KeyboardInterrupt

    monkeypatch.setattr(ahead, "_place", lambda what: tmp_path / what)
    monkeypatch.setattr(compiling, "search_once", ended_on_the_river)
    with pytest.raises(KeyboardInterrupt):
        compiling.main(["turn", "river"])
    monkeypatch.setattr(ahead, "start_compiler", lambda *words, **more: pytest.fail("begun anew"))
    monkeypatch.setattr(ahead, "core_count", lambda: 2)
    monkeypatch.setattr(ahead, "_works", set())
    monkeypatch.setenv("OVERBET_COMPILE_AHEAD", "1")
    compiling.compile_early(["turn", "river"])
    assert ahead.is_noted("search-turn")
    assert not ahead.is_noted("search-river")


def test_what_fails_leaves_no_note(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ahead, "_place", lambda what: tmp_path / what)
    with pytest.raises(ZeroDivisionError), ahead.note("work"):
        raise ZeroDivisionError
    assert not ahead.is_noted("work")
