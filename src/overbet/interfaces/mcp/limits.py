"""What one client of the MCP server may ask of the machine."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from overbet import machine

MIB = 1 << 20
LONGEST_TEXT = 60_000  # characters of a range, a filter, a line
MOST_SAMPLES = 20_000_000  # deals of a sampled equity: seconds
MOST_ROWS = 200  # of hands or combos in one answer
KEPT_SOLUTIONS = 4  # in memory, for `show`


@dataclass(frozen=True)
class ToolLimits:
    """Limits of the server.

    folder: where solutions are opened, and saved where that is allowed. seconds: of one solve or one advice.
    bytes: memory of one solve, 0 for half of what is free when it is asked. nodes: of a betting tree, boards
    not counted. saving: whether solutions may be saved. data: the folder of the hands and ranges, None
    for the user's own.
    """

    folder: Path
    seconds: float = 60.0
    bytes: int = 0
    nodes: int = 30_000
    saving: bool = False
    data: Path | None = None

    def solve_bytes(self) -> int:
        """Return the memory one solve may take now."""
        free = machine.available_bytes()
        return min(self.bytes or free // 2, free)
