"""A best response learned by sampling: a lower bound on exploitability in the abstraction, with its interval.

Where an abstract game is too large for an exact best response, one player learns against the fixed strategy
of the others by external sampling, on tables of the same rows. The response begins as the strategy itself (a
prior in every row, so that what is seldom visited is played as before) and plays the best action of each row
in the end. It is then judged on other deals, against the strategy it should beat, with the same cards and the
same sampled actions of the others: what it gains there is gained for certain, up to the 95 % interval, and
the true best response of the abstraction gains at least as much.
"""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any, NamedTuple, Protocol

import numpy as np
import numpy.typing as npt

from overbet.blueprint.cores import worker_count
from overbet.blueprint.keyed import KeyedTrainer
from overbet.blueprint.loop import Training, part
from overbet.blueprint.trainer import Trainer
from overbet.errors import ConfigError, TooLargeError
from overbet.kernels.regret import RuleStep, single
from overbet.kernels.training.deal import Deals
from overbet.kernels.training.keyed import NO_ROOM
from overbet.kernels.training.keyed_response import fixed_rows, respond_rows, response_gains_of_rows
from overbet.kernels.training.response import fixed_strategy, respond_block, response_gains
from overbet.kernels.training.walks import WalkSettings
from overbet.solvers.rules import make_rule

Floats = npt.NDArray[np.float64]
EPOCHS = 20
PRIOR_BB = 1000.0  # tried 3 to 1000 on a young heads-up run: the more, the more was gained
_CHUNK = 16384  # deals a worker takes at a time
NORMAL_95 = 1.959963984540054
_LEARN, _JUDGE = 1, 2  # seeds after the given one

Progress = Callable[[str, int, int], None]  # what, done, in all


class SampledResponse(NamedTuple):
    """In big blinds a hand, by player. `*_interval_bb` are half widths at 95 %."""

    values_bb: tuple[float, ...]  # of the strategies against each other
    gains_bb: tuple[float, ...]  # of the learned responses
    gain_intervals_bb: tuple[float, ...]
    nash_conv_bb: float  # the sum of the gains: a lower bound
    nash_conv_interval_bb: float
    iterations: int  # walks each response learned from
    deals: int  # deals each was judged on


def sampled_response(
    trainer: Training,
    iterations: int = 1_000_000,
    deals: int = 500_000,
    seed: int = 1_000_003,
    workers: int = 1,
    progress: Progress | None = None,
) -> SampledResponse:
    """Return what learned responses gain against the average strategy of `trainer`.

    With one worker the figures are the same every time; several learn on shared tables.
    """
    if iterations < 1 or deals < 2:
        raise ConfigError("a response needs iterations to learn from and at least two deals to be judged on")
    workers = worker_count(workers)
    tables = _KINDS[trainer.tables](trainer, seed + _LEARN, workers)
    gains: list[float] = []
    intervals: list[float] = []
    values: list[float] = []
    for player in range(trainer.holdem.num_players):
        position = trainer.holdem.position(player)

        def tell(what: str, done: int, whole: int, position: str = position) -> None:
            if progress is not None:
                progress(f"{position} {what}", done, whole)

        tables.begin(player)
        _learn(trainer, tables, (iterations, seed + _LEARN, workers), tell)
        won = _judge(trainer, tables, (deals, seed + _JUDGE, workers), tell)
        gained = won[:, 0] - won[:, 1]
        gains.append(float(gained.mean()))
        intervals.append(float(NORMAL_95 * gained.std(ddof=1) / np.sqrt(len(gained))))
        values.append(float(won[:, 1].mean()))
    return SampledResponse(
        values_bb=tuple(values),
        gains_bb=tuple(gains),
        gain_intervals_bb=tuple(intervals),
        nash_conv_bb=float(sum(gains)),
        nash_conv_interval_bb=float(np.sqrt(np.square(intervals).sum())),
        iterations=iterations,
        deals=deals,
    )


class _Tables(Protocol):
    """Tables of either kind, as a response sees them."""

    def begin(self, player: int) -> None:
        """Set every row to the strategy."""

    def learn(self, worker: int, deals: Deals, step: RuleStep, first: int) -> None:
        """Add the walks of one worker's deals."""

    def judge(self, worker: int, deals: Deals, seed: int, won: Floats) -> None:
        """Write what response and strategy win to won: [deals, 2]."""


class _Dense:
    def __init__(self, trainer: Trainer, seed: int, workers: int) -> None:
        self._trainer, self._player = trainer, 0
        # float32 whatever the numbers of the run: the response's own regrets are small
        self._table = np.zeros(2 * trainer.entries, np.float32)
        self._spaces = trainer.worker_spaces(workers)
        self._settings = _learning(trainer._settings, seed)

    def begin(self, player: int) -> None:
        self._player = player
        buckets = np.array(self._trainer.cards.counts, np.int64)
        fixed_strategy(self._trainer.game.record, self._trainer.table, buckets, self._table, player, PRIOR_BB)

    def learn(self, worker: int, deals: Deals, step: RuleStep, first: int) -> None:
        space = self._spaces[worker]
        respond_block(
            self._trainer.game, self._table, deals, space, self._settings, step, first, self._player
        )

    def judge(self, worker: int, deals: Deals, seed: int, won: Floats) -> None:
        trainer, space = self._trainer, self._spaces[worker]
        settings = self._settings._replace(seed=seed)
        response_gains(trainer.game, self._table, trainer.table, deals, space, settings, self._player, won)


class _Keyed:
    def __init__(self, trainer: KeyedTrainer, seed: int, workers: int) -> None:
        self._trainer, self._player = trainer, 0
        held = trainer.rows
        self._rows = held._replace(
            keys=held.keys.copy(), numbers=np.zeros(len(held.numbers), np.float32), taken=held.taken.copy()
        )
        self._spaces = trainer.worker_spaces(workers)
        self._settings = _learning(trainer._settings, seed)

    def begin(self, player: int) -> None:
        self._player = player
        self._rows.keys[:], self._rows.taken[:] = self._trainer.rows.keys, self._trainer.rows.taken
        fixed_rows(self._trainer.rows, self._rows, PRIOR_BB)

    def learn(self, worker: int, deals: Deals, step: RuleStep, first: int) -> None:
        space = self._spaces[worker]
        respond_rows(self._trainer.game, self._rows, deals, space, self._settings, step, first, self._player)
        if space.flag[0] == NO_ROOM:
            raise TooLargeError(
                "the response found no room for its rows; resume the run with a larger solver.capacity first"
            )

    def judge(self, worker: int, deals: Deals, seed: int, won: Floats) -> None:
        trainer, space = self._trainer, self._spaces[worker]
        settings = self._settings._replace(seed=seed)
        response_gains_of_rows(
            trainer.game, self._rows, trainer.rows, deals, space, settings, self._player, won
        )


_KINDS: dict[str, Callable[[Any, int, int], _Tables]] = {"dense": _Dense, "keyed": _Keyed}


def _learning(settings: WalkSettings, seed: int) -> WalkSettings:
    # as with three players: a walk then leaves the others' averages alone
    return settings._replace(seed=seed, players=3, pruned=0.0)


def _learn(trainer: Training, tables: _Tables, how: tuple[int, int, int], tell: Progress) -> None:
    """Learn from so many walks."""
    iterations, seed, workers = how
    rule, done = make_rule("lcfr"), 0
    with ThreadPoolExecutor(workers) as pool:
        while done < iterations:
            epoch = done * EPOCHS // iterations
            step = single(rule.at(epoch + 1))
            until = -(-(epoch + 1) * iterations // EPOCHS)
            count = min(_CHUNK * workers, until - done)

            def work(worker: int, first: int = done, count: int = count, step: RuleStep = step) -> None:
                low, high = part(count, worker, workers)
                tables.learn(worker, trainer.deals(seed, first + low, high - low), step, first + low)

            list(pool.map(work, range(workers)))
            done += count
            tell("learns", done, iterations)


def _judge(trainer: Training, tables: _Tables, how: tuple[int, int, int], tell: Progress) -> Floats:
    """Return what response and strategy win on each deal: [deal, 2] float64."""
    deals, seed, workers = how
    won = np.zeros((deals, 2))
    starts = range(0, deals, _CHUNK)

    def work(worker: int, start: int) -> None:
        stop = min(start + _CHUNK, deals)
        tables.judge(worker, trainer.deals(seed, start, stop - start), seed + start, won[start:stop])

    with ThreadPoolExecutor(workers) as pool:
        for at in range(0, len(starts), workers):
            now = list(enumerate(starts[at : at + workers]))
            list(pool.map(lambda pair: work(*pair), now))
            tell("is judged", min((at + workers) * _CHUNK, deals), deals)
    return won
