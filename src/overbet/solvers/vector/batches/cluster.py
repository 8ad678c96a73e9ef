"""A batch on a cluster: boards are units; rows and solutions come back as they are ready."""

from __future__ import annotations

import time
from collections.abc import Generator, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

from overbet.cluster import Cluster
from overbet.errors import ConfigError
from overbet.solvers.vector.api import SolveFile, solve
from overbet.solvers.vector.batches.folder import Keep, save_solution
from overbet.solvers.vector.batches.street import Street, figures
from overbet.solvers.vector.batches.timing import spent_seconds
from overbet.solvers.vector.solution import Solution


class BatchMaterial(NamedTuple):
    """What a worker solves boards with."""

    file: SolveFile
    street: Street
    keep: Keep


class SolvedBoard(NamedTuple):
    """A board on its way back. solution: the bytes of its file, where that is kept."""

    row: dict[str, Any]
    solution: bytes


def boards_on(
    cluster: Cluster, material: BatchMaterial, boards: Sequence[str]
) -> Generator[tuple[str, SolvedBoard], None, None]:
    """Yield boards as they are solved. A board takes as many cores as it was given threads, 1 if none."""
    solving = material.file.solve
    if solving.device == "cuda":
        raise ConfigError("a cluster solves boards on CPUs; leave out --device cuda, or leave out --cluster")
    threads = max(solving.threads, 1)
    own = solving.model_copy(update={"threads": threads, "device": "cpu"})
    file = material.file.model_copy(update={"solve": own})
    crew = cluster.crew(make_board_solver, material._replace(file=file), threads)
    for number, solved in crew.map(boards):
        yield boards[number], solved


def make_board_solver(material: BatchMaterial) -> _BoardSolver:
    """Return what solves boards in a worker process."""
    return _BoardSolver(material)


class _BoardSolver:
    def __init__(self, material: BatchMaterial) -> None:
        self.material = material

    def __call__(self, board: str) -> SolvedBoard:
        begun = time.perf_counter()
        solution = solve(on_board(self.material.file, board))
        row = row_of(solution, self.material.street, begun)
        if self.material.keep == "nothing":
            return SolvedBoard(row, b"")
        with TemporaryDirectory(prefix="overbet-board-") as folder:
            path = Path(folder) / "solution.h5"
            save_solution(path, solution, self.material.keep)
            return SolvedBoard(row, path.read_bytes())


def on_board(file: SolveFile, board: str) -> SolveFile:
    """Return the same question on another board."""
    return file.model_copy(update={"board": board})


def row_of(solution: Solution, street: Street, begun: float) -> dict[str, Any]:
    """Return what is kept of a solved board. begun: when work on it began, by `time.perf_counter`."""
    found: dict[str, Any] = {"pairs": solution.reader.judge.pair_weight, **figures(solution, street)}
    found["exploitability"] = solution.exploitability
    found["iterations"] = solution.iteration
    found["seconds"] = round(solution.seconds, 3)
    looks = [(look.iteration, look.seconds) for look in solution.history]
    found["spent"] = round(spent_seconds(looks, time.perf_counter() - begun), 3)
    return found
