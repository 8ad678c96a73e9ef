"""How long a batch takes and how much room it needs, before it is begun.

Time is measured, never guessed: the boards of the same question that are solved already, by the sizes of
their trees. Boards that differ in suits or pairs have trees of other sizes (a flop of three suits stands for
fewer turns than one of one suit does), so a size is worked out for each such kind of board. How many
iterations a board needs is known only once one is solved: without one there is no estimate.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from overbet.cards.cards import board as read_board
from overbet.solvers.vector.api import SolveFile
from overbet.solvers.vector.estimate import TreeEstimate, estimate

_HEAD = 1 << 14  # bytes of a solution's file beside its tables, and more
_MODES = 2  # kinds of values that are kept of a first street: of the strategy and of the best response


class BoardSizes:
    """The sizes of a spot's trees on boards, worked out once for each kind of board."""

    def __init__(self, file: SolveFile) -> None:
        self._file = file
        self._known: dict[tuple[tuple[int, ...], ...], TreeEstimate] = {}

    def size(self, board: str) -> TreeEstimate:
        """Return the size of the tree on boards like this one."""
        cards = read_board(board)
        parts = ([card >> 2 for card in cards], [card & 3 for card in cards])
        kind = tuple(tuple(sorted(Counter(part).values())) for part in parts)
        if kind not in self._known:
            file = self._file.model_copy(update={"board": board})
            self._known[kind] = estimate(file.spot(), file.solve, locked=bool(file.locks))
        return self._known[kind]

    def typical(self, boards: Sequence[str]) -> list[str]:
        """Return boards in another order: those first whose trees are nearest to the mean size."""
        sizes = {board: self.size(board).action_hands for board in boards}
        mean = sum(sizes.values()) / max(1, len(sizes))
        return sorted(boards, key=lambda board: abs(sizes[board] - mean))

    def seconds(self, measured: Iterable[tuple[str, float]], boards: Iterable[str]) -> float | None:
        """Return how long boards take; measured: boards that were solved and the seconds each took."""
        known = [(self.size(board).action_hands, seconds) for board, seconds in measured if seconds > 0]
        if not known:
            return None
        rate = sum(seconds for _, seconds in known) / sum(size for size, _ in known)
        return rate * sum(self.size(board).action_hands for board in boards)

    def kept_bytes(self, boards: Sequence[str]) -> dict[str, int]:
        """Return the room that kept solutions take at most, by what is kept: `street` or `all`.

        Tables are compressed when they are written, to about half on the spots that were tried.
        """
        found = {"street": 0, "all": 0}
        for board in boards:
            size = self.size(board)
            copies = 3 if self._file.solve.the_rule().prediction else 2
            first = size.streets[0]
            values = _MODES * 8 * first.betting_nodes * sum(size.hands)
            found["street"] += _HEAD + 4 * first.action_hands + values
            found["all"] += _HEAD + size.table_bytes["float32"] // copies
        return found


def spent_seconds(looks: Sequence[tuple[int, float]], elapsed: float) -> float:
    """Return how long a board took without what the first one alone pays for: the compilation of kernels.

    looks: iterations and seconds at every look at the exploitability; elapsed: seconds from beginning to end.
    The first look comes after the first iterations and that compilation; what it took beyond the pace of the
    later iterations is left out.
    """
    if len(looks) < 2 or looks[-1][0] <= looks[0][0]:
        return elapsed
    (first, begun), (last, ended) = looks[0], looks[-1]
    pace = (ended - begun) / (last - first)
    return max(0.0, elapsed - max(0.0, begun - pace * first))


def measured_of(rows: Iterable[Mapping[str, object]]) -> list[tuple[str, float]]:
    """Return the boards of a batch's rows and the seconds each took."""
    found = []
    for row in rows:
        spent = row.get("spent")
        if isinstance(spent, int | float):
            found.append((str(row["board"]), float(spent)))
    return found
