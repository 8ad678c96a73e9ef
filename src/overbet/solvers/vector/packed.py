"""A table whose river part is kept in 16 bits, read like the float32 table it stands for."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from overbet.errors import ArtefactError
from overbet.kernels.memory import zeros
from overbet.kernels.vector.packing import BLOCK, pack, unpack

Floats = npt.NDArray[np.float32]


class PackedTable:
    """early: float32, the streets before the river; then the river's entries as int16 with a scale a block.

    Reading a slice gives float32; the whole table is only expanded by `numpy.asarray`.
    """

    def __init__(self, early: int, river: int) -> None:
        self.early: Floats = zeros(early, np.float32)
        self.values = zeros(river, np.int16)
        self.scales: Floats = np.zeros(-(-river // BLOCK), np.float32)

    def __len__(self) -> int:
        return len(self.early) + len(self.values)

    @property
    def size(self) -> int:
        """Number of entries."""
        return len(self)

    @property
    def nbytes(self) -> int:
        """Bytes in memory."""
        return self.early.nbytes + self.values.nbytes + self.scales.nbytes

    def __getitem__(self, part: slice) -> Floats:
        start, stop, step = part.indices(len(self))
        if step != 1:
            raise IndexError("a packed table is read in runs of neighbours")
        first = len(self.early)
        if stop <= first:
            return self.early[start:stop]
        begin = max(start - first, 0) // BLOCK * BLOCK
        found = np.zeros(stop - first - begin, np.float32)
        unpack(self.values, self.scales, begin, len(found), found)
        river = found[max(start - first, 0) - begin :]
        return river if start >= first else np.concatenate([self.early[start:], river])

    def __array__(
        self, dtype: npt.DTypeLike | None = None, copy: bool | None = None
    ) -> npt.NDArray[np.floating]:
        whole = self[:]
        return whole if dtype is None else whole.astype(dtype)

    def fill(self, values: Floats) -> None:
        """Take over a float32 table of the same layout."""
        self.early[:] = values[: len(self.early)]
        river = np.ascontiguousarray(values[len(self.early) :])
        pack(river, len(river), self.values, self.scales, 0)


Table = Floats | PackedTable


def parts(table: Table) -> dict[str, npt.NDArray[np.generic]]:
    """Return the arrays a table consists of, by name."""
    if isinstance(table, PackedTable):
        return {"early": table.early, "values": table.values, "scales": table.scales}
    return {"values": table}


def copy_table(given: Table, own: Table) -> None:
    """Copy a table into another of the same size and precision."""
    one, two = parts(given), parts(own)
    if {name: array.shape for name, array in one.items()} != {name: a.shape for name, a in two.items()}:
        raise ArtefactError(
            "the saved tables have another size or precision than these settings ask for; use the same"
        )
    for name, array in one.items():
        two[name][...] = array


def write_lock(
    rows: npt.NDArray[np.int64],
    places: npt.NDArray[np.int64],
    strategy: Floats,
    hands: npt.NDArray[np.bool_],
    tables: tuple[Floats, Floats, Floats, npt.NDArray[np.uint8]],
) -> None:
    """Fix some hands of a node: regrets and play hold the strategy, the average starts anew, the mask is set.

    rows, places: from `layout.rows_of`; strategy: [actions, H] float32; hands: [H] bool; tables: regret,
    play, average, locked. A hand the board kills has no place and is left out.
    """
    regret, play, average, locked = tables
    chosen = hands & (places >= 0)
    for action, row in enumerate(rows):
        at = row + places[chosen]
        regret[at] = play[at] = strategy[action, chosen]
        average[at] = 0.0
        locked[at] = 1
