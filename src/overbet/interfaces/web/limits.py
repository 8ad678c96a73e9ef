"""What one page may ask of the machine: bodies, texts, trees, memory, queue.

The page is for one person on one machine, so the limits are there to turn a slip (a range of a megabyte, a
menu that grows for ever, a file that is no solution) into a line that says what to change.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from overbet import machine

MIB = 1 << 20


@dataclass(frozen=True)
class Limits:
    """Limits of the server; bytes where the name says so.

    solve_bytes, open_bytes: memory of one solve, and of all solutions held open for study; 0 takes a share of
    what is free when it is asked. betting_nodes: of one betting tree, boards not counted.
    checkpoint_seconds: how often a long solve is saved on the way. piece_bytes: of a file of hands that is
    sent in pieces; hands_bytes, hands_files: of all that is imported at once. picture_bytes: of a picture
    of a table.
    """

    body_bytes: int = MIB
    upload_bytes: int = 2048 * MIB
    range_text: int = 60_000
    size_text: int = 200
    chips: int = 100_000_000
    betting_nodes: int = 30_000
    solve_bytes: int = 0
    open_bytes: int = 0
    queued_jobs: int = 32
    kept_jobs: int = 2000
    locks: int = 64
    locked_hands: int = 1326
    batch_boards: int = 1755
    streams: int = 64
    checkpoint_seconds: float = 300.0
    piece_bytes: int = 4 * MIB
    hands_bytes: int = 4096 * MIB
    hands_files: int = 20_000
    picture_bytes: int = 24 * MIB

    def solve_limit(self) -> int:
        """Return the memory one solve may take now, in bytes."""
        free = machine.available_bytes()
        return min(self.solve_bytes or free, int(0.8 * free))

    def open_limit(self) -> int:
        """Return the memory of solutions held open, in bytes."""
        free = machine.available_bytes()
        return self.open_bytes or max(256 * MIB, free // 4)

    def shown(self) -> dict[str, int]:
        """Return the limits for the page."""
        return {
            "body_bytes": self.body_bytes,
            "upload_bytes": self.upload_bytes,
            "range_text": self.range_text,
            "size_text": self.size_text,
            "chips": self.chips,
            "betting_nodes": self.betting_nodes,
            "solve_bytes": self.solve_limit(),
            "open_bytes": self.open_limit(),
            "queued_jobs": self.queued_jobs,
            "batch_boards": self.batch_boards,
            "locks": self.locks,
            "piece_bytes": self.piece_bytes,
            "hands_bytes": self.hands_bytes,
            "hands_files": self.hands_files,
        }


@dataclass(frozen=True)
class Settings:
    """How a server is set up.

    data: the folder of everything it keeps. port: 0 before it is known. origins: further origins that are
    allowed, for the development server of the front-end. example: whether a first start lays out the example.
    warm: whether kernels are compiled ahead, in a process of their own. review: how often an action is played
    on at most for the verdict on a hand, or on an answer of the drill. any_host: whether every Host header is
    answered; the page never does.
    """

    data: Path
    port: int = 0
    limits: Limits = Limits()
    origins: tuple[str, ...] = ()
    example: bool = True
    warm: bool = False
    review: int = 2_048_000  # `study.review.MOST_RUNS`
    any_host: bool = False
