"""The same spot on many boards: solved one after the other, kept in a folder, read as one frame.

Each solved board is a small JSON file of its own, written whole or not at all, so a batch that was stopped
goes on where it was; a folder made for another spot or other accuracy is refused. What is kept of a board are
the figures of every line of its first street (`street`), so that any of them can be shown later
(`Batch.at`); whole solutions are kept where that is asked for. `probability` is how often a board comes: its
weight in the set times how many pairs of hands of the two ranges it leaves, which is exact over all flops.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from overbet import artefact
from overbet.cards.combos import class_of_combos
from overbet.errors import ArtefactError, ConfigError, OverbetError, unknown
from overbet.games.lines import ROOT
from overbet.solvers.vector.api import SolveFile, Source, read_source, solve
from overbet.solvers.vector.batches.cluster import BatchMaterial, boards_on, on_board, row_of
from overbet.solvers.vector.batches.flops import BoardSet, board_list, board_set
from overbet.solvers.vector.batches.folder import (
    KEEPS,
    KIND,
    MANIFEST,
    SET,
    SET_FILE,
    BatchFolder,
    Keep,
    read_row,
    solution_file,
)
from overbet.solvers.vector.batches.line_report import LineReport
from overbet.solvers.vector.batches.street import FIGURES, Street, place_in, read_street, street_of
from overbet.solvers.vector.batches.texture import texture
from overbet.solvers.vector.batches.timing import BoardSizes, measured_of
from overbet.solvers.vector.lines import PLAYERS
from overbet.solvers.vector.solution import Solution
from overbet.solvers.vector.solver import Progress
from overbet.solvers.vector.store import load
from overbet.tree.spot import Spot

if TYPE_CHECKING:
    import polars

    from overbet.cluster import Cluster

Boards = BoardSet | Iterable[str | tuple[str, float]]


class BatchProgress(NamedTuple):
    """Where a batch stands.

    done: boards kept so far; board: the one being solved, `look` its last look at the exploitability, None
    between boards. seconds_left: of all boards to come, None while no board is solved. solved: on a cluster,
    what is kept of `board`, which then is the last one that came.
    """

    done: int
    total: int
    board: str
    look: Progress | None
    seconds_left: float | None
    solved: dict[str, Any] | None = None


Watch = Callable[[BatchProgress], bool | None]


@dataclass(frozen=True)
class Batch:
    """The boards solved so far.

    rows: one mapping a board, in the order of the set: `board`, `weight`, `pairs` (of hands that the board
    leaves), the lists of `street.FIGURES` and `frequencies` over the nodes of `street`, `exploitability`,
    `iterations`, `seconds`, `spent` (with all that comes after the solve) and `saved`, what was kept of the
    solution.
    """

    spot: Spot
    boards: BoardSet
    rows: tuple[dict[str, Any], ...]
    street: Street
    folder: Path | None = None
    interrupted: bool = False
    cost: str = ""  # of a report that was saved: what it took

    @property
    def complete(self) -> bool:
        """Whether every board of the set is solved."""
        return len(self.rows) == len(self.boards.boards)

    @property
    def lines(self) -> tuple[str, ...]:
        """The lines of the first street: its decisions, and its ends where a card comes."""
        return tuple(node.line for node in self.street)

    def at(self, line: str = ROOT) -> LineReport:
        """Return what happens at a line of the first street, a row a board."""
        place = place_in(self.street, line)
        node = self.street[place]
        shares = [row["weight"] * row["pairs"] for row in self.rows]
        total = sum(shares)
        found = []
        for row, share in zip(self.rows, shares):
            here: dict[str, Any] = {
                "board": row["board"],
                "weight": row["weight"],
                "probability": share / total,
                **texture(row["board"])._asdict(),
                "pot_chips": node.pot,
                **{name: row[name][place] for name in FIGURES},
                "frequencies": row["frequencies"][place],
                **{name: row[name] for name in ("exploitability", "iterations", "seconds", "spent", "saved")},
            }
            for player in PLAYERS:
                ev, equity = here[f"{player}_ev_chips"], here[f"{player}_equity"]
                if self.spot.big_blind:
                    here[f"{player}_ev_bb"] = None if ev is None else ev / self.spot.big_blind
                fair = (equity or 0.0) * node.pot
                here[f"{player}_realisation"] = ev / fair if ev is not None and fair > 0 else None
            found.append(here)
        return LineReport(node, self.spot.big_blind, tuple(found))

    def to_polars(self, line: str = ROOT) -> polars.DataFrame:
        """Return the frame at a line: a row a board, in the order of the set."""
        return self.at(line).to_polars()

    def averages(self, line: str = ROOT) -> dict[str, float]:
        """Return the means over boards at a line, by the names of the frame's columns."""
        return self.at(line).averages()

    def every_line(self) -> polars.DataFrame:
        """Return a row for every board, line and action of the first street; one where a card comes."""
        import polars

        found = []
        for node in self.street:
            for row in self.at(node.line).rows:
                facts = {name: row[name] for name in ("board", "weight", "probability", *FIGURES)}
                facts = {"line": node.line, "acts": node.acts or None, "pot_chips": node.pot, **facts}
                for label, share in zip(node.columns, row["frequencies"]):
                    found.append({**facts, "action": label, "frequency": share})
                if not node.actions:
                    found.append({**facts, "action": None, "frequency": None})
        if not found:
            raise ConfigError("no board is solved yet")
        return polars.DataFrame(found, infer_schema_length=None)

    def seconds_left(self) -> float | None:
        """Return how long the missing boards will take, by those that are solved; None where none is."""
        known = {str(row["board"]): row for row in self.rows}
        return _seconds_left(BoardSizes(read_source(self.spot)), known, self.boards)

    def save(self, path: str | Path, cost: str = "") -> Path:
        """Write the whole report to one small file; `overbet.load` opens it. cost: a line on what it took."""
        from overbet.solvers.vector.batches.packed import save_report

        return save_report(self, path, cost)

    def solution(self, board: str) -> Solution:
        """Return the solution of a board, where solutions are kept (`solve_batch(..., keep="all")`)."""
        known = {row["board"]: row for row in self.rows}
        if self.folder is None or known.get(board, {}).get("saved", "nothing") == "nothing":
            raise ConfigError(f"the solution of {board} was not kept; solve the batch with keep='all'")
        return load(solution_file(self.folder, board))


def solve_batch(
    spot: Source,
    boards: Boards | int | str | Path,
    folder: str | Path | None = None,
    *,
    keep: Keep = "nothing",
    most: int | None = None,
    progress: Watch | None = None,
    cluster: Cluster | None = None,
    **settings: Any,
) -> Batch:
    """Solve a spot on many boards; its own board is left aside.

    boards: a set of `board_set` or its name (25, 50, 100, 200, `all`, a file), or a list of boards. folder:
    where results are kept; what it holds already is not solved again. keep: what is kept of solutions beside
    the figures of the first street's lines: `nothing`, `street` (the first street; later ones are solved
    again when they are asked for) or `all`. most: solve so many boards of middling size and no more, to
    see how long all take. cluster: solves there, a board a core, or as many cores as `threads` says.
    settings: as for `solve`. Ctrl-C, or a progress that returns False, ends it with the boards done.
    """
    if keep not in KEEPS:
        raise ConfigError(unknown("choice of keep", keep, KEEPS))
    if keep != "nothing" and folder is None:
        raise ConfigError("solutions are kept in a folder; name one")
    wanted = _boards(boards)
    file = read_source(spot, settings)
    first = on_board(file, wanted.boards[0])
    check_suits(first.spot(), wanted)
    store = BatchFolder(file, street_of(first.spot()), folder)
    store.keep_set(wanted)
    kept = {board: row for board in wanted.boards if (row := store.read(board, keep)) is not None}
    sizes, interrupted = BoardSizes(file), False
    missing = [board for board in wanted.boards if board not in kept]
    todo = missing if most is None else sizes.typical(missing)[:most]
    if cluster is not None:
        material = BatchMaterial(file, store.street, keep)
        interrupted = _solve_on(cluster, material, todo, store, kept, sizes, wanted, progress)
        todo = []
    for board in todo:
        begun = time.perf_counter()
        left = _seconds_left(sizes, kept, wanted)

        def watch(look: Progress | None, board: str = board, left: float | None = left) -> bool:
            if progress is None:
                return True
            state = BatchProgress(len(kept), len(wanted.boards), board, look, left)
            return progress(state) is not False

        try:
            interrupted = not watch(None)
            if not interrupted:
                solution = solve(on_board(file, board), progress=watch)
                interrupted = solution.interrupted
        except KeyboardInterrupt:
            interrupted = True
        if interrupted:
            break
        kept[board] = store.write(board, row_of(solution, store.street, begun), solution, keep)
        del solution  # its tables are not needed while the next board is solved
    if progress is not None and len(kept) == len(wanted.boards):
        progress(BatchProgress(len(kept), len(wanted.boards), "", None, 0.0))
    rows = tuple(
        {"board": board, "weight": weight, **kept[board]}
        for board, weight in zip(wanted.boards, wanted.weights)
        if board in kept
    )
    return Batch(first.spot(), wanted, rows, store.street, store.folder, interrupted)


def load_batch(folder: str | Path) -> Batch:
    """Return the boards a batch's folder holds, of the set that was asked for last; nothing is solved.

    A file of `Batch.save` is read as well.
    """
    place = Path(folder)
    if place.is_file():
        from overbet.solvers.vector.batches.packed import load_report

        return load_report(place)
    manifest = artefact.read_json(place / MANIFEST, KIND)
    if not (place / SET_FILE).is_file():
        raise ArtefactError(f"{place} does not say which boards were asked for ({SET_FILE}); {SET.again}")
    kept = artefact.read_json(place / SET_FILE, SET)
    try:
        wanted = BoardSet(
            str(kept["name"]), tuple(kept["boards"]), tuple(kept["weights"]), bool(kept["up_to_suits"])
        )
        known = board_list(zip(wanted.boards, wanted.weights, strict=True))
        street = read_street(manifest["street"])
        if known.boards != wanted.boards or not street:
            raise ValueError
        asked = {**manifest["spot"], "board": wanted.boards[0], "solve": manifest["solve"]}
    except (KeyError, TypeError, ValueError, IndexError, AttributeError, OverbetError) as error:
        raise ArtefactError(
            f"{place} is damaged: {MANIFEST} or {SET_FILE} is not that of a batch; {KIND.again}"
        ) from error
    file = SolveFile.parse(asked, str(place / MANIFEST))
    rows = tuple(
        {"board": board, "weight": weight, **row}
        for board, weight in zip(wanted.boards, wanted.weights)
        if (row := read_row(place, board, street)) is not None
    )
    return Batch(file.spot(), wanted, rows, street, place)


def check_suits(spot: Spot, boards: BoardSet) -> None:
    """Refuse boards that stand for others by suits where the ranges treat suits differently."""
    if not boards.up_to_suits:
        return
    for player, name in enumerate(PLAYERS):
        held = spot.range_of(player)
        if not np.array_equal(held.classes()[class_of_combos()], held.weights):
            raise ConfigError(
                f"the {name} range treats suits differently, so these flops do not stand for the others; "
                "use ranges without suits, or list the boards in a file"
            )


def _boards(boards: Boards | int | str | Path) -> BoardSet:
    if isinstance(boards, BoardSet):
        return boards
    return board_set(boards) if isinstance(boards, int | str | Path) else board_list(boards)


def _solve_on(
    cluster: Cluster,
    material: BatchMaterial,
    todo: list[str],
    store: BatchFolder,
    kept: dict[str, dict[str, Any]],
    sizes: BoardSizes,
    wanted: BoardSet,
    progress: Watch | None,
) -> bool:
    """Solve boards on a cluster and keep each as it comes; return whether that was interrupted."""
    workers = max(cluster.cores // max(material.file.solve.threads, 1), 1)

    def going_on(board: str) -> bool:
        left = _seconds_left(sizes, kept, wanted)
        soon = None if left is None else left / workers
        state = BatchProgress(len(kept), len(wanted.boards), board, None, soon, kept.get(board))
        return progress is None or progress(state) is not False

    try:
        if not todo or not going_on(""):
            return bool(todo)
        with closing(boards_on(cluster, material, todo)) as solved:
            for board, found in solved:
                kept[board] = store.write(board, found.row, found.solution, material.keep)
                if not going_on(board):
                    return True
    except KeyboardInterrupt:
        return True
    return False


def _seconds_left(sizes: BoardSizes, kept: dict[str, dict[str, Any]], wanted: BoardSet) -> float | None:
    measured = measured_of({"board": board, **row} for board, row in kept.items())
    return sizes.seconds(measured, [board for board in wanted.boards if board not in kept])


__all__ = ["Batch", "BatchProgress", "board_list", "board_set", "load_batch", "solve_batch"]
