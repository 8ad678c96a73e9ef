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
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from overbet.blueprint.loop import CHUNK, part, worker_count
from overbet.blueprint.trainer import Trainer
from overbet.errors import ConfigError
from overbet.kernels.regret import Step, single
from overbet.kernels.training_response import fixed_strategy, respond_block, response_gains
from overbet.solvers.rules import make_rule

EPOCHS = 20
PRIOR_BB = 1000.0  # tried 3 to 1000 on a young heads-up run: the more, the more was gained
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
    trainer: Trainer,
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
    players = trainer.holdem.num_players
    gains: list[float] = []
    intervals: list[float] = []
    values: list[float] = []
    # float32 whatever the numbers of the run: the response's own regrets are small
    table = np.zeros(2 * trainer.entries, np.float32)
    for player in range(players):
        _learn(trainer, table, player, (iterations, seed + _LEARN, workers), progress)
        won = _judge(trainer, table, player, (deals, seed + _JUDGE, workers), progress)
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


def _learn(
    trainer: Trainer,
    table: npt.NDArray[np.float32],
    player: int,
    how: tuple[int, int, int],
    progress: Progress | None,
) -> None:
    """Fill the player's rows of `table` with the regrets of a response."""
    iterations, seed, workers = how
    buckets = np.array(trainer.cards.counts, np.int64)
    fixed_strategy(trainer.game.record, trainer.table, buckets, table, player, PRIOR_BB)
    # three players: a walk then leaves the others' averages alone
    settings = trainer._settings._replace(seed=seed, players=3, pruned=0.0)
    benches = trainer.benches(workers)
    rule, done = make_rule("lcfr"), 0
    position = trainer.holdem.position(player)
    with ThreadPoolExecutor(workers) as pool:
        while done < iterations:
            epoch = done * EPOCHS // iterations
            step = single(rule.at(epoch + 1))
            until = -(-(epoch + 1) * iterations // EPOCHS)
            count = min(CHUNK * workers, until - done)

            def work(worker: int, first: int = done, count: int = count, step: Step = step) -> None:
                low, high = part(count, worker, workers)
                dealt = trainer.deals(seed, first + low, high - low)
                space = benches[worker]
                respond_block(trainer.game, table, dealt, space, settings, step, first + low, player)

            list(pool.map(work, range(workers)))
            done += count
            if progress is not None:
                progress(f"{position} learns", done, iterations)


def _judge(
    trainer: Trainer,
    table: npt.NDArray[np.float32],
    player: int,
    how: tuple[int, int, int],
    progress: Progress | None,
) -> npt.NDArray[np.float64]:
    """Return what response and strategy win on each deal: [deal, 2] float64."""
    deals, seed, workers = how
    won = np.zeros((deals, 2))
    benches = trainer.benches(workers)
    position = trainer.holdem.position(player)
    starts = range(0, deals, CHUNK)

    def work(worker: int, start: int) -> None:
        stop = min(start + CHUNK, deals)
        dealt = trainer.deals(seed, start, stop - start)
        settings = trainer._settings._replace(seed=seed + start)
        space = benches[worker]
        response_gains(trainer.game, table, trainer.table, dealt, space, settings, player, won[start:stop])

    with ThreadPoolExecutor(workers) as pool:
        for at in range(0, len(starts), workers):
            now = list(enumerate(starts[at : at + workers]))
            list(pool.map(lambda pair: work(*pair), now))
            if progress is not None:
                progress(f"{position} is judged", min((at + workers) * CHUNK, deals), deals)
    return won
