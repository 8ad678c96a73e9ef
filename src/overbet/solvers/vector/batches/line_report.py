"""A batch at one line: a row a board, means over boards, groups by texture, as a frame.

Means weigh a board by how often it comes, and at a later line by how often the line is played on it as well:
they are means over the times the line is played. A mean realisation is mean EV over mean equity in the pot.
"""

from __future__ import annotations

import io
import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from overbet.errors import ConfigError, unknown
from overbet.files import replacing
from overbet.solvers.vector.batches.street import StreetNode
from overbet.solvers.vector.batches.texture import TEXTURES, Filters, checked_filters, checked_texture, fits
from overbet.solvers.vector.lines import PLAYERS

if TYPE_CHECKING:
    import polars

SUFFIXES = (".csv", ".parquet")
_BOTH = ("ev_chips", "ev_bb", "equity", "realisation")


@dataclass(frozen=True)
class LineReport:
    """The boards of a batch at one line.

    rows: a mapping a board: board, weight, probability (of the board among all of the batch), the texture,
    played (how often the line is), both players' EV, equity and realisation, `frequencies` (one a column of
    the node), saved, exploitability, iterations, seconds, spent. None where there is no number.
    """

    node: StreetNode
    big_blind: int
    rows: tuple[dict[str, Any], ...]

    def only(self, filters: Filters | None = None, /, **more: Iterable[str] | str) -> LineReport:
        """Return the report of the boards of some textures: `only(suits="rainbow", high_card=["A", "K"])`."""
        chosen = checked_filters({**(filters or {}), **more})
        return replace(self, rows=tuple(row for row in self.rows if fits(row["board"], chosen)))

    def sorted(self, by: str, *, descending: bool = True) -> LineReport:
        """Return the report in the order of a column of the frame; boards without a number are last."""
        column = self._column(by)
        known = [row for row in self.rows if column(row) is not None]
        missing = [row for row in self.rows if column(row) is None]
        return replace(self, rows=(*sorted(known, key=column, reverse=descending), *missing))

    def averages(self) -> dict[str, float]:
        """Return the means over the boards, by the names of the frame's columns; NaN where there is none.

        `boards` is how many there are, `probability` how often one of them comes.
        """
        shares = [row["probability"] for row in self.rows]
        times = [share * (row["played"] or 0.0) for share, row in zip(shares, self.rows)]
        found: dict[str, float] = {"boards": len(self.rows), "probability": math.fsum(shares)}
        found["played"] = _mean(shares, [row["played"] for row in self.rows])
        for player in PLAYERS:
            ev = _mean(times, [row[f"{player}_ev_chips"] for row in self.rows])
            equity = _mean(times, [row[f"{player}_equity"] for row in self.rows])
            found[f"{player}_ev_chips"] = ev
            if self.big_blind:
                found[f"{player}_ev_bb"] = ev / self.big_blind
            found[f"{player}_equity"] = equity
            found[f"{player}_realisation"] = ev / (equity * self.node.pot) if equity > 0 else math.nan
        for number, name in enumerate(self.node.columns):
            found[name] = _mean(times, [row["frequencies"][number] for row in self.rows])
        return found

    def groups(self, by: str) -> dict[str, LineReport]:
        """Return the report of each kind of flop, by `suits`, `pairing`, `high_card` or `connectedness`."""
        name = checked_texture(by)
        parts = {word: self.only({name: word}) for word in TEXTURES[name]}
        return {word: part for word, part in parts.items() if part.rows}

    def to_polars(self, by: str | None = None) -> polars.DataFrame:
        """Return the frame: a row a board, or the means of each group of a texture."""
        import polars

        if not self.rows:
            raise ConfigError("there is no solved board to show; solve some, or choose other textures")
        if by is not None:
            found = [{checked_texture(by): word, **part.averages()} for word, part in self.groups(by).items()]
            return polars.DataFrame(found, infer_schema_length=None).fill_nan(None)
        columns = self.column_names()
        return polars.DataFrame(
            {name: [value(row) for row in self.rows] for name, value in columns.items()}, strict=False
        )

    def column_names(self) -> dict[str, Callable[[Mapping[str, Any]], Any]]:
        """Return the columns of the frame and how each is read off a row."""
        both = [n for n in _BOTH if self.big_blind or n != "ev_bb"]
        names = ["board", "weight", "probability", *TEXTURES, "played", "pot_chips"]
        names += [f"{player}_{name}" for player in PLAYERS for name in both]
        found: dict[str, Callable[[Mapping[str, Any]], Any]] = {name: _read(name) for name in names}
        for number, name in enumerate(self.node.columns):
            found[name] = _frequency(number)
        for name in ("exploitability", "iterations", "seconds"):
            found[name] = _read(name)
        return found

    def _column(self, name: str) -> Callable[[Mapping[str, Any]], Any]:
        columns = self.column_names()
        if name not in columns:
            raise ConfigError(unknown("column", name, columns))
        return columns[name]


def write_frame(frame: polars.DataFrame, path: str | Path) -> None:
    """Write a frame as CSV or Parquet, by the name's ending."""
    target = Path(path)
    content = frame_bytes(frame, checked_suffix(target))
    with replacing(target) as beside:
        beside.write_bytes(content)


def checked_suffix(path: Path) -> str:
    """Return the ending of a table's file; an error names the two there are."""
    suffix = path.suffix.lower()
    if suffix not in SUFFIXES:
        raise ConfigError(f"a table ends in {' or '.join(SUFFIXES)}, not in {path.suffix or 'nothing'!r}")
    return suffix


def frame_bytes(frame: polars.DataFrame, suffix: str) -> bytes:
    """Return a frame as the bytes of a CSV or Parquet file."""
    if suffix == ".csv":
        return frame.write_csv().encode()
    content = io.BytesIO()  # made first, so that a full disk is the system's error, not polars' own
    frame.write_parquet(content)
    return content.getvalue()


def _read(name: str) -> Callable[[Mapping[str, Any]], Any]:
    return lambda row: row[name]


def _frequency(number: int) -> Callable[[Mapping[str, Any]], Any]:
    return lambda row: row["frequencies"][number]


def _mean(weights: Sequence[float], values: Sequence[float | None]) -> float:
    """Return the mean over the boards that have a number; NaN where no board that counts has one."""
    known = [(weight, value) for weight, value in zip(weights, values) if value is not None]
    total = math.fsum(weight for weight, _ in known)
    return math.fsum(weight * value for weight, value in known) / total if total > 0 else math.nan
