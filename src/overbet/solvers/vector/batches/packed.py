"""A whole report in one small file: what a batch keeps of every board, as arrays, to ship or to send.

Head: spot, solve and street as in a batch's folder, the set of boards, and `cost`, a line on how it was made.
Arrays: `figures`: [board, figure, node] float32 in the order of `street.FIGURES`; `frequencies`: [board,
action] float32, the nodes' actions one after the other; `pairs`: [board] float64; `solved`: [board, 4]
float64: exploitability, iterations, seconds, seconds with all that comes after the solve. Numbers that are
none are NaN. Figures keep 14 bits of their mantissa, some three hundredths of a thousandth, which is far
below what the solves are exact to; what is cut off packs well.
"""

from __future__ import annotations

import itertools
import math
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from overbet import artefact
from overbet.errors import ArtefactError, ConfigError, OverbetError
from overbet.solvers.vector.batches.flops import BoardSet, board_list
from overbet.solvers.vector.batches.folder import KIND as FOLDER
from overbet.solvers.vector.batches.folder import MANIFEST
from overbet.solvers.vector.batches.street import FIGURES, action_counts, read_street

if TYPE_CHECKING:
    from overbet.solvers.vector.api import SolveFile
    from overbet.solvers.vector.batches.batch import Batch

KIND = artefact.Kind("batch report", 1, "save it again from the batch's folder")
SUFFIX = ".h5"
SHIPPED = Path(__file__).parent / "data" / "all-flops.h5"  # of examples/all_flops.yaml
_SOLVED = ("exploitability", "iterations", "seconds", "spent")
_BITS = 14  # of the mantissa that figures keep
_LEVEL = 9
_MOST_BOARDS = 100_000


def find_report(which: Path) -> Path:
    """Return what is named, or the shipped report where there is nothing of that name."""
    return SHIPPED if str(which) == SHIPPED.stem and not which.exists() and SHIPPED.is_file() else which


def save_report(batch: Batch, path: str | Path, cost: str = "") -> Path:
    """Write a batch's report to one file. cost: a line on what it took, which is shown with it."""
    target = Path(path)
    if target.suffix != SUFFIX:
        raise ConfigError(f"a report's name ends in {SUFFIX}, and {str(path)!r} does not")
    if batch.folder is None or not batch.rows:
        raise ConfigError("a report is saved from the folder of a batch with solved boards")
    manifest = artefact.read_json(batch.folder / MANIFEST, FOLDER)
    rows = batch.rows
    head = {
        **{part: manifest[part] for part in ("spot", "solve", "street")},
        "set": {
            "name": batch.boards.name,
            "up_to_suits": batch.boards.up_to_suits,
            "of": len(batch.boards.boards),
            "boards": [row["board"] for row in rows],
            "weights": [row["weight"] for row in rows],
        },
        "cost": cost,
    }
    figures = np.array([[_numbers(row[name]) for name in FIGURES] for row in rows], np.float32)
    chained = [_numbers(itertools.chain.from_iterable(row["frequencies"])) for row in rows]
    arrays: dict[str, npt.NDArray[Any]] = {
        "figures": _shortened(figures),
        "frequencies": _shortened(np.array(chained, np.float32)),
        "pairs": np.array([row["pairs"] for row in rows], np.float64),
        "solved": np.array([[row[name] for name in _SOLVED] for row in rows], np.float64),
    }
    artefact.write(target, KIND, head, arrays, level=_LEVEL)
    return target


def load_report(path: str | Path) -> Batch:
    """Return the batch of a report's file; its solutions are not there."""
    return read_report(path)[0]


def read_report(path: str | Path) -> tuple[Batch, SolveFile]:
    """Return the batch of a report's file and the question it answers, on the first of its boards."""
    from overbet.solvers.vector.api import SolveFile
    from overbet.solvers.vector.batches.batch import Batch

    with artefact.opened(path, KIND) as file, file.parsing():
        head = file.head
        try:
            kept = head["set"]
            boards = board_list(zip(kept["boards"], kept["weights"], strict=True))
            street = read_street(head["street"])
            asked = {**head["spot"], "board": boards.boards[0], "solve": head["solve"]}
            if boards.boards != tuple(kept["boards"]) or len(boards.boards) > _MOST_BOARDS:
                raise ValueError
            question = SolveFile.parse(asked, str(path))
            spot = question.spot()
            weights = tuple(float(weight) for weight in kept["weights"])  # that add up to one already
            wanted = BoardSet(str(kept["name"]), boards.boards, weights, bool(kept["up_to_suits"]))
            cost = str(head["cost"])
        except (KeyError, TypeError, ValueError, IndexError, AttributeError, OverbetError) as error:
            raise ArtefactError(
                f"{path} is damaged: its head is not that of a report; {KIND.again}"
            ) from error
        count, counts = len(wanted.boards), action_counts(street)
        figures = file.array("figures", np.float32, (count, len(FIGURES), len(street)))
        shares = file.array("frequencies", np.float32, (count, sum(counts)))
        pairs = file.array("pairs", np.float64, (count,))
        solved = file.array("solved", np.float64, (count, len(_SOLVED)))
        if not (np.isfinite(pairs).all() and np.isfinite(solved).all()) or pairs.min() <= 0:
            raise file.damaged("its boards have numbers that are none")
    rows = []
    edges = [0, *itertools.accumulate(counts)]
    for place, (board, weight) in enumerate(zip(wanted.boards, wanted.weights)):
        own = _values(shares[place])
        row: dict[str, Any] = {"board": board, "weight": weight, "pairs": float(pairs[place])}
        row |= {name: _values(figures[place, number]) for number, name in enumerate(FIGURES)}
        row["frequencies"] = [own[low:high] for low, high in itertools.pairwise(edges)]
        row |= dict(zip(_SOLVED, solved[place].tolist()))
        row |= {"iterations": int(row["iterations"]), "saved": "nothing", "bytes": 0}
        rows.append(row)
    return Batch(spot, wanted, tuple(rows), street, None, cost=cost), question


def _numbers(values: Any) -> list[float]:
    return [math.nan if value is None else value for value in values]


def _values(numbers: npt.NDArray[np.float32]) -> list[float | None]:
    return [value if math.isfinite(value) else None for value in numbers.tolist()]


def _shortened(numbers: npt.NDArray[np.float32]) -> npt.NDArray[np.float32]:
    """Return numbers rounded to `_BITS` of their mantissa: what is cut off is zeros, which pack well."""
    dropped = 23 - _BITS
    bits = np.ascontiguousarray(numbers).view(np.uint32).astype(np.uint64)
    half = np.uint64(1 << (dropped - 1))
    mask = np.uint64(0xFFFFFFFF >> dropped << dropped)
    rounded = ((bits + half) & mask).astype(np.uint32).view(np.float32)
    found: npt.NDArray[np.float32] = np.where(np.isfinite(numbers), rounded, numbers).astype(np.float32)
    return found
