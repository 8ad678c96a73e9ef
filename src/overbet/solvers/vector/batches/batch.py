"""The same spot on many boards: solved one after the other, kept in a folder, read as one frame.

Each solved board is a small JSON file of its own, written whole or not at all, so a batch that was stopped
goes on where it was; a folder made for another spot, other accuracy or other lines is refused. The frame has
a row a board: EV, equity and realisation of both players and how often each action is taken at the chosen
lines. `probability` is how often a board comes: its weight in the set times how many pairs of hands of the
two ranges it leaves, which is exact over all flops.
"""

from __future__ import annotations

import gc
import hashlib
import json
import math
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from overbet import artefact
from overbet.cards.combos import class_of_combos
from overbet.errors import ArtefactError, ConfigError, OverbetError
from overbet.games.lines import ROOT
from overbet.solvers.vector.api import SolveFile, Source, read_source, solve
from overbet.solvers.vector.batches.flops import BoardSet, board_list, board_set
from overbet.solvers.vector.lines import PLAYERS, read_line
from overbet.solvers.vector.solution import Solution
from overbet.solvers.vector.solver import Progress
from overbet.tree.betting import CHANCE
from overbet.tree.public import PublicTree, public_tree
from overbet.tree.spot import IP, OOP, Spot

if TYPE_CHECKING:
    import polars

KIND = artefact.Kind("batch", 2, "remove it to solve anew")
BOARD = artefact.Kind("batch board", 2, "remove it to solve anew")
SET = artefact.Kind("batch set", 1, "run the batch again: boards that are solved are kept")
MANIFEST = "batch.json"
_SET = "set.json"
_ACCURACY = ("rule", "target", "iterations", "precision")  # settings that change what is found

Boards = BoardSet | Iterable[str | tuple[str, float]]


class BatchProgress(NamedTuple):
    """Where a batch stands.

    done: boards kept so far; board: the one being solved, `look` its last look at the exploitability, None
    between boards. seconds_left: None while unknown.
    """

    done: int
    total: int
    board: str
    look: Progress | None
    seconds_left: float | None


Watch = Callable[[BatchProgress], bool | None]


@dataclass(frozen=True)
class Batch:
    """The boards solved so far. rows: one mapping a board, in the order of the set."""

    spot: Spot
    boards: BoardSet
    rows: tuple[dict[str, Any], ...]
    lines: tuple[str, ...]
    interrupted: bool = False

    @property
    def complete(self) -> bool:
        """Whether every board of the set is solved."""
        return len(self.rows) == len(self.boards.boards)

    def to_polars(self) -> polars.DataFrame:
        """Return the frame: a row a board, in the order of the set."""
        import polars

        if not self.rows:
            raise ConfigError("no board is solved yet")
        shares = self._probabilities()
        rows = []
        for row, share in zip(self.rows, shares):
            kept = {key: value for key, value in row.items() if key not in ("board", "weight", "pairs")}
            rows.append({"board": row["board"], "weight": row["weight"], "probability": share, **kept})
        frame = polars.DataFrame(rows, infer_schema_length=None)
        if self.spot.big_blind:
            for player in PLAYERS:
                column = (frame[f"{player}_ev_chips"] / self.spot.big_blind).alias(f"{player}_ev_bb")
                frame = frame.insert_column(frame.get_column_index(f"{player}_ev_chips") + 1, column)
        return frame

    def averages(self) -> dict[str, float]:
        """Return the mean over boards, by probability, of every number.

        A frequency deep in the betting is the mean over the times the line is played; a realisation is mean
        EV over mean equity in the pot.
        """
        shares = self._probabilities()
        found: dict[str, float] = {}
        for player in PLAYERS:
            ev, equity = (_mean(self.rows, shares, f"{player}_{name}") for name in ("ev_chips", "equity"))
            found[f"{player}_ev_chips"] = ev
            if self.spot.big_blind:
                found[f"{player}_ev_bb"] = ev / self.spot.big_blind
            found[f"{player}_equity"] = equity
            found[f"{player}_realisation"] = ev / (equity * self.spot.pot) if equity > 0 else math.nan
        for line in self.lines:
            reached = f"{line} played"
            found[reached] = _mean(self.rows, shares, reached)
            times = [share * row[reached] for share, row in zip(shares, self.rows)]
            for name in self.rows[0]:
                if name.startswith(f"{line} ") and name != reached:
                    found[name] = _mean(self.rows, times, name)
        return found

    def _probabilities(self) -> list[float]:
        shares = [row["weight"] * row["pairs"] for row in self.rows]
        return [share / sum(shares) for share in shares]


def solve_batch(
    spot: Source,
    boards: Boards | int | str | Path,
    folder: str | Path | None = None,
    *,
    lines: Sequence[str] = (ROOT,),
    progress: Watch | None = None,
    **settings: Any,
) -> Batch:
    """Solve a spot on many boards; its own board is left aside.

    boards: a set of `board_set` or its name (25, 50, 100, 200, `all`, a file), or a list of boards. folder:
    where results are kept; what it holds already is not solved again. lines: where frequencies are wanted,
    all on the first street. settings: as for `solve`. Ctrl-C, or a progress that returns False, ends it with
    the boards done so far.
    """
    wanted = _boards(boards)
    file = read_source(spot, settings)
    first = _on(file, wanted.boards[0])
    names = _checked_lines(public_tree(first.spot()), lines)
    _check_suits(first.spot(), wanted)
    store = _Store(file, names, folder)
    store.keep_set(wanted)
    kept = {board: row for board in wanted.boards if (row := store.read(board)) is not None}
    done = len(kept)
    interrupted, spent = False, 0.0
    for board in wanted.boards:
        if board in kept:
            continue
        begun = time.perf_counter()
        left = _seconds_left(spent, len(kept) - done, len(wanted.boards) - len(kept))

        def watch(look: Progress | None, board: str = board, left: float | None = left) -> bool:
            if progress is None:
                return True
            state = BatchProgress(len(kept), len(wanted.boards), board, look, left)
            return progress(state) is not False

        try:
            interrupted = not watch(None)
            if not interrupted:
                solution = solve(_on(file, board), progress=watch)
                interrupted = solution.interrupted
        except KeyboardInterrupt:
            interrupted = True
        if interrupted:
            break
        kept[board] = store.write(board, _row(solution, names))
        del solution
        gc.collect()  # a solution refers to itself: without this its tables would outlive it for a while
        spent += time.perf_counter() - begun
    if progress is not None and not interrupted:
        progress(BatchProgress(len(kept), len(wanted.boards), "", None, 0.0))
    rows = tuple(
        {"board": board, "weight": weight, **kept[board]}
        for board, weight in zip(wanted.boards, wanted.weights)
        if board in kept
    )
    return Batch(first.spot(), wanted, rows, names, interrupted)


def load_batch(folder: str | Path) -> Batch:
    """Return the boards a batch's folder holds, of the set that was asked for last; nothing is solved."""
    place = Path(folder)
    manifest = artefact.read_json(place / MANIFEST, KIND)
    if not (place / _SET).is_file():
        raise ArtefactError(f"{place} does not say which boards were asked for ({_SET}); {SET.again}")
    kept = artefact.read_json(place / _SET, SET)
    try:
        wanted = BoardSet(
            str(kept["name"]), tuple(kept["boards"]), tuple(kept["weights"]), bool(kept["up_to_suits"])
        )
        known = board_list(zip(wanted.boards, wanted.weights, strict=True))
        if known.boards != wanted.boards or any(not isinstance(line, str) for line in manifest["lines"]):
            raise ValueError
        asked = {**manifest["spot"], "board": wanted.boards[0], "solve": manifest["solve"]}
        lines = tuple(manifest["lines"])
    except (KeyError, TypeError, ValueError, IndexError, AttributeError, OverbetError) as error:
        raise ArtefactError(
            f"{place} is damaged: {MANIFEST} or {_SET} is not that of a batch; {KIND.again}"
        ) from error
    file = SolveFile.parse(asked, str(place / MANIFEST))
    store = _Store(file, lines, place)
    rows = tuple(
        {"board": board, "weight": weight, **row}
        for board, weight in zip(wanted.boards, wanted.weights)
        if (row := store.read(board)) is not None
    )
    return Batch(file.spot(), wanted, rows, lines, interrupted=False)


def _boards(boards: Boards | int | str | Path) -> BoardSet:
    if isinstance(boards, BoardSet):
        return boards
    return board_set(boards) if isinstance(boards, int | str | Path) else board_list(boards)


def _on(file: SolveFile, board: str) -> SolveFile:
    return file.model_copy(update={"board": board})


def _checked_lines(tree: PublicTree, lines: Sequence[str]) -> tuple[str, ...]:
    """Return lines by their full names; each must be a decision before any card comes."""
    found = []
    for line in lines:
        place = read_line(tree, line)
        if place.cards != tree.spot.cards:
            raise ConfigError(f"{place.line} deals a card; a batch compares lines of the first street")
        if tree.betting.kind[place.node] not in (OOP, IP):
            what = "a card comes" if tree.betting.kind[place.node] == CHANCE else "the hand is over"
            raise ConfigError(f"nobody decides at {place.line} ({what}); name a line where a player acts")
        found.append(place.line)
    return tuple(dict.fromkeys(found))


def _check_suits(spot: Spot, boards: BoardSet) -> None:
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


def _row(solution: Solution, lines: tuple[str, ...]) -> dict[str, Any]:
    """Return what is kept of a solved board."""
    root = solution.node()
    judge = solution.reader.judge
    found: dict[str, Any] = {"pairs": judge.pair_weight, "pot_chips": root.pot}
    for seat in (root.oop, root.ip):
        found[f"{seat.player}_ev_chips"] = seat.mean_ev_chips
        found[f"{seat.player}_equity"] = seat.mean_equity
        found[f"{seat.player}_realisation"] = seat.mean_realisation
    for line in lines:
        node = solution.node(line)
        found[f"{line} played"] = _played(solution, line)
        for action, share in zip(node.actions, node.seat().frequencies()):
            found[f"{line} {action.label}"] = float(share)
    found["exploitability"] = solution.exploitability
    found["iterations"] = solution.iteration
    found["seconds"] = round(solution.seconds, 3)
    return {key: None if value != value else value for key, value in found.items()}  # JSON knows no NaN


def _played(solution: Solution, line: str) -> float:
    """Return how often a line of the first street is played."""
    reader = solution.reader
    place = read_line(solution.tree, line)
    one, two = (reader.reach(p, place.node, place.board).astype(float) for p in (OOP, IP))
    first, second = (hands.weights.astype(float) for hands in solution.tree.hands)
    return float(one @ reader.apart @ two / (first @ reader.apart @ second))


def _mean(rows: Sequence[dict[str, Any]], shares: Sequence[float], name: str) -> float:
    """Return the mean of a number over boards that have it; NaN where no board does."""
    known = [(share, row[name]) for share, row in zip(shares, rows) if _is_number(row.get(name))]
    total = sum(share for share, _ in known)
    return sum(share * value for share, value in known) / total if total > 0 else math.nan


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and math.isfinite(value)


def _seconds_left(spent: float, solved: int, missing: int) -> float | None:
    return spent / solved * missing if solved else None


class _Store:
    """The folder of a batch: `batch.json` says what it is of, `set.json` which boards; `boards/` has them."""

    def __init__(self, file: SolveFile, lines: tuple[str, ...], folder: str | Path | None) -> None:
        self.folder = Path(folder) if folder is not None else None
        if self.folder is None:
            return
        question = file.model_dump(mode="json", by_alias=True, exclude={"board", "solve"})
        solving = file.solve.model_dump(mode="json", include=set(_ACCURACY))
        asked = {"spot": question, "solve": solving, "lines": list(lines)}
        digest = hashlib.sha256(json.dumps(asked, sort_keys=True).encode()).hexdigest()
        path = self.folder / MANIFEST
        if path.exists():
            self._compare(path, asked, digest)
        elif self.folder.exists() and any(self.folder.iterdir()):
            raise ArtefactError(f"{self.folder} holds other files; name an empty folder or a batch's own")
        else:
            artefact.write_json(path, KIND, {"digest": digest, **asked}, indent=1)

    def _compare(self, path: Path, asked: dict[str, Any], digest: str) -> None:
        manifest = artefact.read_json(path, KIND)
        kept = manifest.get("digest")
        if kept != digest:
            parts = [
                f"{part}.{key}" if isinstance(asked[part], dict) else part
                for part in asked
                for key in (asked[part] if isinstance(asked[part], dict) else [part])
                if _part(manifest, part, key) != _part(asked, part, key)
            ]
            raise ArtefactError(
                f"{path.parent} holds a batch of another question ({', '.join(parts) or 'it'} differs); "
                "name another folder"
            )

    def keep_set(self, boards: BoardSet) -> None:
        """Keep which boards were asked for last, and their weights, for `load_batch`."""
        if self.folder is not None:
            artefact.write_json(self.folder / _SET, SET, boards._asdict())

    def read(self, board: str) -> dict[str, Any] | None:
        """Return a board's row, None where there is none; a damaged file counts as none."""
        if self.folder is None:
            return None
        try:
            row = artefact.read_json(self._path(board), BOARD)
        except ArtefactError:
            return None
        return row if row.pop("board_file", None) == board and "pairs" in row else None

    def write(self, board: str, row: dict[str, Any]) -> dict[str, Any]:
        """Keep a board's row and return it."""
        if self.folder is not None:
            artefact.write_json(self._path(board), BOARD, {"board_file": board, **row})
        return row

    def _path(self, board: str) -> Path:
        assert self.folder is not None
        return self.folder / "boards" / f"{board}.json"


def _part(asked: dict[str, Any], part: str, key: str) -> Any:
    found = asked.get(part)
    return found.get(key) if isinstance(found, dict) else found


__all__ = ["Batch", "BatchProgress", "board_list", "board_set", "load_batch", "solve_batch"]
