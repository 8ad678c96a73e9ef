"""The engines behind equity: run-outs and trials split over threads, kernels on each share.

Every engine returns sums that do not depend on how the work was split: shares are added in one order. The
public side, which chooses between them, is `equity`.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import TypeVar

import numpy as np
import numpy.typing as npt

from overbet import machine
from overbet.alias_table import fill_alias_table
from overbet.cards.combos import combo_masks, combo_table
from overbet.cards.equity_field import EquityQuestion
from overbet.cards.evaluator import tables
from overbet.cards.preflop_build import canonical_boards
from overbet.errors import RangeError
from overbet.kernels.cards.equity import EquityBoards, EquityHands, boards_equity, complete_boards
from overbet.kernels.cards.equity_multiway import Field, boards_deals, boards_showdown, find_deal
from overbet.kernels.cards.equity_sampled import SUMS, RankTable, sample_block
from overbet.kernels.cards.evaluator import START

Progress = Callable[[int, int], None]
Result = TypeVar("Result")

BLOCKED = "the ranges block each other: no deal gives every player a hand"
_BLOCK = 8192  # trials a share
_PILOT_SHARE = 0.01  # of deals by rejection must succeed, or players are dealt in turn
_TRIES = 10_000  # by rejection, before a trial is given up
_SEARCH_LIMIT = 50_000_000  # steps of the search for one deal that works
_Z95 = 1.959963984540054


def sweep_runouts(
    shown: Iterable[int],
    deck: Iterable[int],
    combos: npt.NDArray[np.intp],
    weights: npt.NDArray[np.float64],
    progress: Progress | None,
) -> npt.NDArray[np.float64]:
    """Return what each combo beats, ties with and meets over all run-outs: [3, combos] float64."""
    hands = hands_of(combos)
    evaluator = tables()

    def share(boards: EquityBoards) -> npt.NDArray[np.float64]:
        out = np.zeros((3, len(combos)))
        boards_equity(boards, hands, weights, evaluator, out)
        return out

    return sum(_over_runouts(share, shown, deck, progress), np.zeros((3, len(combos))))


def deal_all(question: EquityQuestion, progress: Progress | None) -> npt.NDArray[np.float64]:
    """Return the weight of wins and ties and the shares of all players: [players, 3], as parts of one."""
    field = field_of(question)
    evaluator = tables()
    players = len(question.weights)

    def share(boards: EquityBoards) -> npt.NDArray[np.float64]:
        out = np.zeros((players + 1, 3))
        out[players] = boards_deals(boards, field, evaluator, out)
        return out

    if question.symmetric:
        shares = _over_canonical_boards(share, progress)
    else:
        shares = _over_runouts(share, question.board, question.deck, progress)
    sums = sum(shares, np.zeros((players + 1, 3)))
    if sums[players, 0] <= 0.0:
        raise RangeError(BLOCKED)
    table: npt.NDArray[np.float64] = sums[:players] / sums[players]
    return table


def showdowns(question: EquityQuestion, progress: Progress | None = None) -> npt.NDArray[np.int64]:
    """Return the boards on which each of the players, who hold one combo each, is one of k winners.

    [players, players + 1] int64; column 1 counts wins, column 2 ties between two, and so on.
    """
    players = len(question.weights)
    hands = hands_of(np.array([np.argmax(weights) for weights in question.weights]))
    evaluator = tables()

    def share(boards: EquityBoards) -> npt.NDArray[np.int64]:
        counts = np.zeros((players, players + 1), np.int64)
        boards_showdown(boards, hands, evaluator, counts)
        return counts

    return sum(
        _over_runouts(share, question.board, question.deck, progress),
        np.zeros((players, players + 1), np.int64),
    )


def sample(
    question: EquityQuestion, samples: int, seed: int, progress: Progress | None
) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.float64], int]:
    """Return what `deal_all` does, estimated; the 95 % half-widths: [players] float64; the trials played."""
    table = RankTable(np.array(question.board, np.int8), np.array(question.deck, np.int8))
    field = field_of(question, aliases=True)
    evaluator = tables()
    players = len(question.weights)
    if find_deal(field, _SEARCH_LIMIT) == 0:
        raise RangeError(BLOCKED)

    def play(block: int, trials: int, tries: int) -> tuple[int, npt.NDArray[np.float64]]:
        out = np.zeros((players + 1, SUMS))
        return sample_block(seed, block, trials, tries, table, field, evaluator, out), out

    succeeded, _ = play(0, _BLOCK, 1)
    tries = _TRIES if succeeded >= _PILOT_SHARE * _BLOCK else 0
    sizes = [min(_BLOCK, samples - start) for start in range(0, samples, _BLOCK)]
    jobs = [partial(play, block, size, tries) for block, size in enumerate(sizes)]
    played, sums = 0, np.zeros((players + 1, SUMS))
    for found, out in _spread(jobs, sizes, progress):
        played += found
        sums += out
    total, squares = sums[players, :2]
    if total <= 0.0:
        raise RangeError(f"{BLOCKED} in {samples} trials")
    rows = sums[:players]
    shares = rows[:, 2] / total
    # variance of a self-normalised mean; where nothing varied, the rule of three bounds what was not seen
    spread = np.sqrt(np.maximum(rows[:, 4] - 2 * shares * rows[:, 3] + shares**2 * squares, 0.0)) / total
    return rows[:, :3] / total, np.clip(_Z95 * spread, 3.0 * squares / total**2, 1.0), played


def hands_of(combos: npt.NDArray[np.intp]) -> EquityHands:
    """Return the combos as the kernels read them."""
    cards = np.ascontiguousarray(combo_table()[combos])
    return EquityHands(cards, combo_masks()[combos], tables().card_keys[cards].sum(1, dtype=np.uint64))


def field_of(question: EquityQuestion, *, aliases: bool = False) -> Field:
    """Return the players' hands in one list, with alias tables for sampling when asked for."""
    held = [np.flatnonzero(weights) for weights in question.weights]
    weights = [own[combos] for own, combos in zip(question.weights, held)]
    starts = np.concatenate(([0], np.cumsum([len(combos) for combos in held]))).astype(np.int64)
    cut, alias = np.ones(int(starts[-1])), np.arange(starts[-1], dtype=np.int64)
    if aliases:
        for start, own in zip(starts, weights):
            fill_alias_table(own / own.sum() * len(own), int(start), cut, alias)
    return Field(hands_of(np.concatenate(held)), np.concatenate(weights), starts, cut, alias)


def _over_runouts(
    share: Callable[[EquityBoards], Result],
    shown: Iterable[int],
    deck: Iterable[int],
    progress: Progress | None,
) -> Iterator[Result]:
    """Yield `share(boards)` for parts of all run-outs that together are all of them."""
    board, rest = np.array(list(shown), np.int8), np.array(list(deck), np.int8)
    evaluator = tables()
    to_come = 5 - len(board)
    # the run-outs whose highest place in the deck is `outer`; the most work first
    outers = range(len(rest) - 1, to_come - 2, -1) if to_come else range(1)
    sizes = [math.comb(outer, to_come - 1) if to_come else 1 for outer in outers]

    def job(outer: int) -> Result:
        return share(complete_boards(board, rest, outer, evaluator))

    return _spread([partial(job, outer) for outer in outers], sizes, progress)


def _over_canonical_boards(
    share: Callable[[EquityBoards], npt.NDArray[np.float64]], progress: Progress | None
) -> Iterator[npt.NDArray[np.float64]]:
    """Yield `share(boards)` for parts of the boards that differ in more than suits, times their numbers."""
    boards, numbers = canonical_boards()
    cards = boards.astype(np.uint64)
    masks = np.bitwise_or.reduce(np.uint64(1) << cards, axis=1)
    keys = START + tables().card_keys[cards].sum(1, dtype=np.uint64)
    parts = [
        (int(number), part)
        for number in np.unique(numbers)
        for part in np.array_split(np.flatnonzero(numbers == number), 20)
    ]

    def job(number: int, part: npt.NDArray[np.intp]) -> npt.NDArray[np.float64]:
        return number * share(EquityBoards(keys[part], masks[part]))

    return _spread([partial(job, *part) for part in parts], [n * len(part) for n, part in parts], progress)


def _spread(
    jobs: Sequence[Callable[[], Result]], sizes: Sequence[int], progress: Progress | None
) -> Iterator[Result]:
    """Yield the jobs' results in order, computed on all cores; `progress` counts up by their sizes."""
    total, done = sum(sizes), 0
    with ThreadPoolExecutor(machine.core_count()) as pool:
        try:
            for size, future in zip(sizes, [pool.submit(job) for job in jobs]):
                result = future.result()
                done += size
                if progress is not None:
                    progress(done, total)
                yield result
        finally:
            pool.shutdown(cancel_futures=True)
