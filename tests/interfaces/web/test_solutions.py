"""Open solutions: the latest stay within the limit of memory, and forgotten ones are read anew."""

from __future__ import annotations

import threading
from pathlib import Path

import pytest

import overbet
from overbet.interfaces.web.faults import Fault
from overbet.interfaces.web.limits import Limits
from overbet.interfaces.web.solutions import Solutions, check_upload, solution_bytes
from overbet.solvers.vector.solution import Solution
from tests.interfaces.web.server import RIVER


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    found = tmp_path_factory.mktemp("solutions")
    solution = overbet.solve(RIVER)
    for name in ("one", "two", "three"):
        solution.save(found / f"{name}.h5")
    return found


def solutions(folder: Path, limit: int) -> Solutions:
    return Solutions(Limits(open_bytes=limit), lambda name: folder / f"{name}.h5")


def test_the_ones_not_used_for_longest_are_closed(folder: Path) -> None:
    size = solution_bytes(overbet.load(folder / "one.h5"))
    found = solutions(folder, int(2.5 * size))
    first = found.open("one")
    found.open("two")
    assert found.open("one") is first
    found.open("three")  # no room for all three: "two" was used longest ago
    assert found.bytes <= 2.5 * size
    assert found.open("one") is first
    small = solutions(folder, 1)
    assert small.open("one") is small.open("one")  # the one asked about stays, whatever its size
    small.open("two")
    assert small.bytes == pytest.approx(size, rel=0.01)


def test_answers_are_made_once_and_files_read_once(folder: Path) -> None:
    found = solutions(folder, 1 << 30)
    made: list[int] = []
    opened: list[object] = []

    def make(solution: Solution) -> int:
        made.append(1)
        return len(made)

    def ask() -> None:
        opened.append(found.open("one"))
        found.ask("one", ("key",), make)

    threads = [threading.Thread(target=ask) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert made == [1]
    assert len(set(map(id, opened))) == 1
    found.forget("one")
    assert found.open("one") is not opened[0]


def test_what_is_not_there_or_damaged_is_said(folder: Path, tmp_path: Path) -> None:
    with pytest.raises(Fault, match="no saved solution"):
        solutions(tmp_path, 1 << 30).open("one")
    (tmp_path / "one.h5").write_bytes((folder / "one.h5").read_bytes()[:-1000])
    with pytest.raises(Fault, match="cut short") as caught:
        solutions(tmp_path, 1 << 30).open("one")
    assert str(tmp_path) not in caught.value.message
    with pytest.raises(Fault) as caught:
        check_upload(folder / "one.h5", Limits(solve_bytes=1000))
    assert caught.value.status == 413
    solution, resumable = check_upload(folder / "one.h5", Limits())
    assert resumable
    assert solution.spot.board == RIVER["board"]


def test_a_file_replaced_while_it_is_read_is_read_again(folder: Path) -> None:
    path = next(iter(folder.glob("*.h5")))

    class Replaced(Solutions):
        loads = 0

        def _load(self, path: Path) -> Solution:
            self.loads += 1
            found = super()._load(path)
            if self.loads == 1:
                self.forget("x")  # a newer state of the solve has come meanwhile
            return found

    opened = Replaced(Limits(), lambda name: path)
    opened.open("x")
    opened.open("x")
    opened.open("x")
    assert opened.loads == 2
