"""The folder of a batch.

    batch.json        what it is of: spot, accuracy, the nodes of the first street
    set.json          which boards were asked for last, and their weights
    boards/BOARD.json what is kept of a solved board
    solutions/BOARD.h5  its solution, where that was asked for

Every file is written whole or not at all. A solution is written before its board's row, so that a row that
says there is one is right.
"""

from __future__ import annotations

import hashlib
import json
import os
from functools import lru_cache
from pathlib import Path
from typing import Any, Literal

from overbet import artefact
from overbet.errors import ArtefactError
from overbet.files import replacing
from overbet.solvers.vector.api import SolveFile
from overbet.solvers.vector.batches.flops import BoardSet
from overbet.solvers.vector.batches.street import Street, action_counts, are_figures, street_values
from overbet.solvers.vector.solution import Solution

_ANEW = "name another folder, or remove this one to solve anew"
KIND = artefact.Kind("batch", 3, _ANEW)
BOARD = artefact.Kind("batch board", 3, "remove it to solve anew")
SET = artefact.Kind("batch set", 1, "run the batch again: boards that are solved are kept")
MANIFEST, SET_FILE, _ROWS = "batch.json", "set.json", "boards"
_ACCURACY = ("rule", "target", "iterations", "precision")  # settings that change what is found

Keep = Literal["nothing", "street", "all"]
KEEPS: tuple[Keep, ...] = ("nothing", "street", "all")  # each holds what those before it hold


class BatchFolder:
    """A batch's folder, made or checked against what is asked; without a place nothing is kept."""

    def __init__(self, file: SolveFile, street: Street, folder: str | Path | None) -> None:
        self.street = street
        self.folder = Path(folder) if folder is not None else None
        if self.folder is None:
            return
        question = file.model_dump(mode="json", by_alias=True, exclude={"board", "solve"})
        solving = file.solve.model_dump(mode="json", include=set(_ACCURACY))
        asked = {"spot": question, "solve": solving, "street": street_values(street)}
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
            if len(parts) > 1 and "street" in parts:
                parts.remove("street")  # it differs because the rest does
            raise ArtefactError(
                f"{path.parent} holds a batch of another question ({', '.join(parts) or 'it'} differs); "
                "name another folder"
            )

    def keep_set(self, boards: BoardSet) -> None:
        """Keep which boards were asked for last, and their weights, for `load_batch`."""
        if self.folder is not None:
            artefact.write_json(self.folder / SET_FILE, SET, boards._asdict())

    def read(self, board: str, keep: Keep = "nothing") -> dict[str, Any] | None:
        """Return a board's row, None where there is none; a damaged file counts as none.

        keep: what must be there of its solution, too.
        """
        if self.folder is None:
            return None
        row = read_row(self.folder, board, self.street)
        if row is None or KEEPS.index(row["saved"]) < KEEPS.index(keep):
            return None
        return row

    def write(
        self, board: str, row: dict[str, Any], solution: Solution | bytes, keep: Keep
    ) -> dict[str, Any]:
        """Keep a board's row, and its solution (or the bytes of its file) where that is wanted; return the
        row."""
        row = {**row, "saved": "nothing", "bytes": 0}
        if self.folder is None:
            return row
        if keep != "nothing":
            path = solution_file(self.folder, board)
            path.parent.mkdir(exist_ok=True)
            if isinstance(solution, bytes):
                with replacing(path) as beside:
                    beside.write_bytes(solution)
            else:
                save_solution(path, solution, keep)
            row |= {"saved": keep, "bytes": path.stat().st_size}
        artefact.write_json(_row_file(self.folder, board), BOARD, {"board_file": board, **row})
        return row


def save_solution(path: Path, solution: Solution, keep: Keep) -> None:
    """Write what is kept of a solution."""
    solution.save(path, 1 if keep == "street" else None, resumable=False)


def solution_file(folder: Path, board: str) -> Path:
    """Return where a board's solution lies, if it was kept."""
    return folder / "solutions" / f"{board}.h5"


def read_row(folder: Path, board: str, street: Street) -> dict[str, Any] | None:
    """Return a board's row, None where there is none, or none that can be read."""
    path = os.path.join(folder, _ROWS, f"{board}.json")  # quicker than Path's own way, which counts here
    try:
        facts = os.stat(path)
        row = _read_row(path, facts.st_mtime_ns, facts.st_size, action_counts(street))
    except (OSError, ArtefactError):
        return None
    if row is None or row["board_file"] != board:
        return None
    found = {**row}
    del found["board_file"]
    if found["saved"] != "nothing" and not solution_file(folder, board).is_file():
        found["saved"] = "nothing"
    return found


@lru_cache(2048)
def _read_row(path: str, changed: int, size: int, counts: tuple[int, ...]) -> dict[str, Any] | None:
    """Read a row, None where it is none of these nodes; one that has not changed since is not read again."""
    row = artefact.read_json(path, BOARD)
    known = {"board_file", "pairs", "saved", "bytes", "spent", "exploitability", "iterations", "seconds"}
    sound = known <= set(row) and row["saved"] in KEEPS and are_figures(row, counts)
    return row if sound else None


def _row_file(folder: Path, board: str) -> Path:
    return folder / _ROWS / f"{board}.json"


def _part(asked: dict[str, Any], part: str, key: str) -> Any:
    found = asked.get(part)
    return found.get(key) if isinstance(found, dict) else found
