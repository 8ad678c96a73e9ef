"""How tests are shared out among workers: by file, and without waiting for ever when a worker dies."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from tests.conftest import pytest_xdist_make_scheduler

pytest.importorskip("xdist")
TESTS = [f"tests/{file}.py::test_{number}" for file in "abcdef" for number in range(3)]


class Worker:
    """A worker that runs a test when it knows the next one, or that there is none, as xdist's do."""

    def __init__(self) -> None:
        self.waiting: list[int] = []
        self.shutting_down = False
        self.gateway = SimpleNamespace(id=id(self))

    def send_runtest_some(self, numbers: list[int]) -> None:
        self.waiting += numbers

    def shutdown(self) -> None:
        self.shutting_down = True

    def next(self) -> int | None:
        """Return the test that it runs now, None where it waits."""
        return self.waiting.pop(0) if len(self.waiting) > 1 or (self.waiting and self.shutting_down) else None


def test_a_worker_that_dies_leaves_its_other_tests_to_the_rest() -> None:
    options: Any = SimpleNamespace(loadscopereorder=False, tx=["popen"] * 2)
    config: Any = SimpleNamespace(option=options, getvalue=lambda name: getattr(options, name))
    schedule = pytest_xdist_make_scheduler(config, None)
    workers = [Worker(), Worker()]
    for worker in workers:
        schedule.add_node(worker)
        schedule.add_node_collection(worker, TESTS)
    schedule.schedule()
    ran = list[str]()
    for _ in range(200):
        for worker in list(workers):
            if (test := worker.next()) is None:
                continue
            if TESTS[test] == "tests/d.py::test_1":
                workers.remove(worker)
                assert schedule.remove_node(worker) == "tests/d.py::test_1"
                workers.append(Worker())
                schedule.add_node(workers[-1])
                schedule.add_node_collection(workers[-1], TESTS)
                schedule.schedule()
                break
            ran.append(TESTS[test])
            schedule.mark_test_complete(worker, test)
    assert sorted(ran) == sorted(set(TESTS) - {"tests/d.py::test_1"})
    assert schedule.tests_finished
