"""Building the preflop table: count every match-up on every board, then check and write the counts.

The sum over all boards of a match-up equals the sum over canonical boards (times how many boards each
stands for) of the match-up under every renaming of the suits, divided by the 24 renamings: a board and the
hands may be renamed together.
"""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from pathlib import Path

import numpy as np
import numpy.typing as npt

from overbet import artefact, machine
from overbet.cards import preflop
from overbet.cards.combos import COMBOS, combo_table
from overbet.cards.evaluator import tables
from overbet.kernels.cards import equity_preflop as kernels

CANONICAL_BOARDS = 134_459
ALL_BOARDS = 2_598_960


def count_matchups(
    *, workers: int | None = None, progress: Callable[[int, int], None] | None = None
) -> tuple[npt.NDArray[np.int32], npt.NDArray[np.int32]]:
    """Return the wins and ties of all 47,008 kinds of match-ups: [47008] int32 each.

    `progress(done, total)` counts canonical boards. The result does not depend on `workers`.
    """
    boards, numbers = canonical_boards()
    wins, ties = np.zeros((COMBOS, COMBOS), np.int32), np.zeros((COMBOS, COMBOS), np.int32)
    evaluator, combos = tables(), combo_table()
    threads = max(1, workers or machine.core_count())
    done = 0
    with ThreadPoolExecutor(threads) as pool:
        for number in np.unique(numbers):
            alike = boards[numbers == number]
            for start in range(0, len(alike), kernels.BLOCK):
                block = alike[start : start + kernels.BLOCK]
                ranks = np.full((kernels.BLOCK, COMBOS), np.iinfo(np.int16).max, np.int16)
                kernels.block_ranks(block, combos, evaluator, ranks)
                shares = [
                    pool.submit(kernels.add_block, ranks, int(number), first, threads, wins, ties)
                    for first in range(threads)
                ]
                for share in shares:
                    share.result()
                done += len(block)
                if progress is not None:
                    progress(done, len(boards))
    return _summed(wins, ties)


@cache
def canonical_boards() -> tuple[npt.NDArray[np.int8], npt.NDArray[np.int32]]:
    """Return one of all boards alike but for suits: [134459, 5] int8, and their numbers: [134459] int32."""
    boards = np.empty((CANONICAL_BOARDS, 5), np.int8)
    numbers = np.empty(CANONICAL_BOARDS, np.int32)
    found = kernels.canonical_boards(preflop.renamings(), boards, numbers)
    if found != CANONICAL_BOARDS or int(numbers.sum()) != ALL_BOARDS:
        raise AssertionError(f"{found} canonical boards stand for {numbers.sum()} boards")
    return boards, numbers


def _summed(
    wins: npt.NDArray[np.int32], ties: npt.NDArray[np.int32]
) -> tuple[npt.NDArray[np.int32], npt.NDArray[np.int32]]:
    """Sum the counts of canonical boards over the renamings of each kind's hands, and check the total."""
    kinds, renamed = preflop.kinds(), preflop.renamed_combos()
    first, second = renamed[:, kinds.first], renamed[:, kinds.second]
    won = wins[first, second].sum(0, dtype=np.int64)
    lost = wins[second, first].sum(0, dtype=np.int64)
    tied = (ties[first, second] + ties[second, first]).sum(0, dtype=np.int64)  # one of the two is empty
    if (won + lost + tied != 24 * preflop.BOARDS).any() or (won % 24).any() or (tied % 24).any():
        raise AssertionError("the counts of a match-up do not add up to 1,712,304 boards")
    return (won // 24).astype(np.int32), (tied // 24).astype(np.int32)


def write_counts(path: str | Path, wins: npt.NDArray[np.int32], ties: npt.NDArray[np.int32]) -> None:
    """Write the counts, atomically."""
    artefact.write(path, preflop.KIND, {}, {"wins": wins, "ties": ties}, level=9)
