"""Training, whatever the tables look like: iterations spread over threads, epochs, deals.

An iteration is one deal and one walk for each player. In the shared mode threads add to the same tables as
they go; one worker then gives the same bits every time. In the deterministic mode the walks of a batch read
the same tables and their logs are added in the order of iterations: the same bits for any number of workers.
Random numbers are functions of (seed, iteration), so a run can stop after any iteration (batch) and go on
later. `trainer.Trainer` keeps dense tables over a tree, `keyed.KeyedTrainer` rows found by a key.
"""

from __future__ import annotations

import threading
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, ClassVar, NamedTuple

import numpy as np
import numpy.typing as npt

from overbet.blueprint.cards import CardModel, pair_table
from overbet.blueprint.config import BlueprintConfig
from overbet.blueprint.cores import core_each, own_lines, worker_count
from overbet.blueprint.iteration_queue import MOST, IterationQueue
from overbet.blueprint.learned import Learned
from overbet.blueprint.shards import Arrays, LocalShards, ShardWalkers, run_in_shards
from overbet.cards.evaluator import tables
from overbet.errors import ConfigError, TooLargeError
from overbet.games.holdem import HoldemGame
from overbet.kernels.regret import RuleStep, single
from overbet.kernels.training.deal import Deals, deal_cards, deal_cards_in_cycles, pair_equities, rank_deals
from overbet.kernels.training.walks import EXTERNAL, OUTCOME, WalkSettings

Numbers = npt.NDArray[Any]  # float32 or int32
_CHUNK_SECONDS = 2.0  # shared mode, between two reports: the threads wait for each other no more often
_MOST_CHUNK = 1 << 40  # iterations; the clock ends a chunk long before
STATUS_PARTS = 64  # a status is added up from: the same bits for any number of threads
_FLOOR_BELOW = 1.1  # regrets stop falling a tenth below the threshold of pruning


class Status(NamedTuple):
    """How far a run is."""

    iterations: int
    seconds: float  # of training, all sittings together
    touched: float  # share of rows that were ever reached; keyed tables: of the rows there is room for
    mean_positive_regret_bb: float  # a reached row's positive regret per iteration


Report = Callable[[int], None]


class StoredStrategy(NamedTuple):
    """An average strategy as a blueprint keeps it: its arrays by name, and what a manifest says of them."""

    arrays: dict[str, npt.NDArray[Any]]
    facts: dict[str, Any]


class Training(ABC):
    """A run in memory. `arrays` is all there is to remember of the tables.

    pinned: whether threads on shared tables stay on a core each where there is one for every thread.
    """

    tables: ClassVar[str]  # as `solver.tables` of the config has it
    pinned = True
    unit: ClassVar[int] = 1  # iterations that are made at once: a whole board's
    together = 1  # units that are best made together

    @classmethod
    @abstractmethod
    def make(cls, config: BlueprintConfig, cards: CardModel, folder: Path | None = None) -> Training:
        """Return a run with its tables in memory, or in new files of a folder."""

    def __init__(self, config: BlueprintConfig, cards: CardModel) -> None:
        self.config, self.cards = config, cards
        self.iterations = 0
        self.seconds = 0.0
        self.core_seconds = 0.0
        self.torn = False  # whether a chunk was broken off in the middle: the tables are of no use then
        game = config.game.game()
        if len(cards.deck) < 2 * game.num_players + 5:
            raise ConfigError(
                f"a deck of {len(cards.deck)} cards is too small for {game.num_players} players and a board"
            )
        # with more players, or other cards, those who folded would change the equity
        exact = config.solver.exact_all_in and len(cards.deck) == 52 and game.num_players == 2
        self._equities = pair_table() if exact else np.zeros((0, 0), np.float32)
        self._settings = self._settings_for(game, 0, 0)
        self._workers = 1  # of the last run

    @property
    @abstractmethod
    def holdem(self) -> HoldemGame:
        """The table that is played at."""

    @property
    @abstractmethod
    def game_digest(self) -> str:
        """A hash of rules, stacks and bets."""

    @property
    @abstractmethod
    def facts(self) -> dict[str, Any]:
        """What a manifest says of this kind of tables."""

    @abstractmethod
    def stored(self) -> StoredStrategy:
        """Return the average strategy as a blueprint keeps it."""

    @property
    @abstractmethod
    def arrays(self) -> dict[str, npt.NDArray[Any]]:
        """What a checkpoint keeps, by name."""

    @abstractmethod
    def restore(self, arrays: Mapping[str, npt.NDArray[Any]]) -> None:
        """Take over the arrays of a checkpoint; a `ValueError` says that they do not fit."""

    @abstractmethod
    def describe(self) -> str:
        """Return the size of it all in one line."""

    @abstractmethod
    def status(self) -> Status:
        """Return how far the run is; reads the whole table."""

    @abstractmethod
    def _seat(self, workers: int, iterations: int) -> None:
        """Give every worker its work space."""

    @abstractmethod
    def _compile(self) -> None:
        """Compile or load the kernels on no deals, so that time is counted from the first iteration."""

    @abstractmethod
    def _train(self, worker: int, first: int, count: int, step: RuleStep) -> bool:
        """Run iterations first .. first + count - 1, added at once; return whether there is room for more."""

    @abstractmethod
    def _run_batch(self, pool: ThreadPoolExecutor, workers: int, count: int, step: RuleStep) -> None:
        """Run iterations that read the same tables and are added afterwards in order."""

    @abstractmethod
    def _discount(self, pool: ThreadPoolExecutor, workers: int, step: RuleStep) -> None:
        """Apply the rule's discounts to the whole table."""

    @abstractmethod
    def _ease(self) -> None:
        """Make room in int32 tables where averages have grown large."""

    def _look(self) -> None:
        """Look at the tables between two chunks; raise where the run cannot go on."""
        if self.torn:
            raise ConfigError("the run was broken off inside an iteration; resume it from its checkpoint")

    def run(
        self,
        iterations: int,
        workers: int | None = None,
        report: Report | None = None,
        interrupt: threading.Event | None = None,
        walkers: ShardWalkers | None = None,
    ) -> None:
        """Run until `iterations` in all are done, rounded up to whole batches in the deterministic mode.

        With `solver.shards` they are rounded up to whole epochs; walkers: who walks the shards, this process
        where none are given. An interrupt then leaves the tables as the epoch found them.

        `report` is called every few seconds, at first more often, with the iterations done; an exception
        there stops the run between two iterations, ready to be saved or to go on. So does a set `interrupt`,
        at once: what was begun is finished and reported, and the run returns.
        """
        solver = self.config.solver
        workers = self._workers = worker_count(self.config.run.workers if workers is None else workers)
        if solver.shards:
            run_in_shards(self, iterations, walkers or LocalShards(self, workers), report, interrupt)
            return
        batched = solver.mode == "deterministic"
        self._seat(workers, solver.batch if batched else MOST)
        self._compile()
        chunk = 64 * workers
        settle = core_each(workers) if self.pinned and not batched else None
        with ThreadPoolExecutor(workers, initializer=settle) as pool:
            while self.iterations < iterations and not (interrupt is not None and interrupt.is_set()):
                self._look()
                started = time.perf_counter()
                self.torn = True
                step = self._begin_epoch(pool, workers)
                left = iterations - self.iterations
                until_epoch = solver.discount_every - self.iterations % solver.discount_every
                if batched:
                    count = solver.batch
                    self._run_batch(pool, workers, count, step)
                else:
                    units = min(chunk, -(-left // self.unit), until_epoch // self.unit)
                    iteration_queue = IterationQueue(units, workers, _CHUNK_SECONDS, interrupt, self.together)
                    count = self.unit * self._run_shared(pool, workers, iteration_queue, step)
                self.iterations += count
                self.torn = False
                taken = time.perf_counter() - started
                self.seconds += taken
                self.core_seconds += taken * workers
                if not batched and taken < _CHUNK_SECONDS / 2:
                    chunk = min(2 * chunk, _MOST_CHUNK)
                if report is not None:
                    report(self.iterations)

    def _run_shared(
        self, pool: ThreadPoolExecutor, workers: int, iteration_queue: IterationQueue, step: RuleStep
    ) -> int:
        """Run what is handed out, added at once; return how many units that were."""

        def work(worker: int) -> None:
            for first, last in iteration_queue:
                start, count = self.iterations + self.unit * first, self.unit * (last - first)
                if not self._train(worker, start, count, step):
                    iteration_queue.close()

        try:
            list(pool.map(work, range(workers)))
        except BaseException:
            iteration_queue.close()
            raise
        return iteration_queue.given

    def prepare_walks(self, workers: int) -> None:
        """Get ready for `walk_piece`."""
        solver = self.config.solver
        self._seat(workers, solver.batch if solver.mode == "deterministic" else MOST)
        self._compile()

    def walk_piece(self, pool: ThreadPoolExecutor, workers: int, count: int, step: RuleStep) -> None:
        """Run the next iterations: a whole batch in the deterministic mode, else a few on one thread."""
        if self.config.solver.mode == "deterministic":
            self._run_batch(pool, workers, count, step)
        elif not self._train(0, self.iterations, count, step):
            self.check_going_on()
            raise TooLargeError("the tables ran out of room inside a shard; use a larger solver.capacity")
        self.iterations += count

    def check_going_on(self) -> None:
        """Raise where the run cannot go on from the tables as they are."""
        self._look()

    def discounts_at(self, iteration: int) -> bool:
        """Return whether the whole table changes before this iteration."""
        return iteration > 0 and iteration % self.config.solver.discount_every == 0

    def begin_epoch(self, pool: ThreadPoolExecutor, workers: int) -> RuleStep:
        """Return the scalars of the epoch that begins; discount the table where the rule says so."""
        return self._begin_epoch(pool, workers)

    @abstractmethod
    def learned_since(self, before: Arrays) -> Learned:
        """Return what was added to the tables since they were as `before`."""

    @abstractmethod
    def add_learned(self, learned: Learned) -> None:
        """Add what a shard learned."""

    @abstractmethod
    def changed_by(self, learned: list[Learned]) -> Learned:
        """Return the numbers as they are now of all places that any shard changed."""

    @abstractmethod
    def take_changed(self, changed: Learned) -> None:
        """Put numbers of `changed_by` of another run's tables into these."""

    @abstractmethod
    def keep_above(self, floor: float) -> None:
        """Raise regrets under a floor to it."""

    def _over_parts(self, parts: int, work: Callable[[int], Any]) -> list[Any]:
        """Return work(0) .. work(parts - 1), done on as many threads as the last run had."""
        with ThreadPoolExecutor(self._workers) as pool:
            return list(pool.map(work, range(parts)))

    def deals(self, seed: int, first: int, count: int) -> Deals:
        """Return deals first .. first + count - 1 of a seed, at random, as a walk reads them."""
        deals = empty_deals(count, self._settings.players)
        deal_cards(deals.cards, self.cards.deck, self._settings.players, seed, first)
        return self.read(deals)

    def _deal(self, space: Deals, first: int, count: int) -> Deals:
        """Return deals first .. first + count - 1 of the run, written into `space`."""
        cards, bucket, strength, equity = space
        deals = Deals(cards[:count], bucket[:count], strength[:count], equity[:count])
        deal = deal_cards_in_cycles if self.config.solver.deals == "cycled" else deal_cards
        deal(deals.cards, self.cards.deck, self._settings.players, self._settings.seed, first)
        return self.read(deals)

    def read(self, deals: Deals) -> Deals:
        """Fill in what a walk reads of `deals.cards`, and return the deals."""
        players = self._settings.players
        self.cards.fill(deals, players)
        rank_deals(deals, players, tables())
        pair_equities(deals, players, self._equities)
        return deals

    def _settings_for(self, game: HoldemGame, widest: int, entries: int) -> WalkSettings:
        solver = self.config.solver
        return WalkSettings(
            seed=solver.seed,
            players=game.num_players,
            method=OUTCOME if solver.method == "outcome" else EXTERNAL,
            widest=widest,
            epsilon=solver.epsilon,
            threshold=solver.threshold_bb,
            pruned=solver.pruned if solver.method == "external" else 0.0,
            entries=entries,
            baseline=solver.baseline if solver.method == "outcome" else 0.0,
            lines=solver.average_lines,
        )

    def _begin_epoch(self, pool: ThreadPoolExecutor, workers: int) -> RuleStep:
        """Return the scalars of this epoch; discount the table where it begins."""
        solver = self.config.solver
        epoch = self.iterations // solver.discount_every
        step = self._step(min(epoch, solver.discounts))
        if self.iterations and self.iterations % solver.discount_every == 0:
            if epoch <= solver.discounts:
                self._discount(pool, workers, step)
            self._ease()
        return step

    def _step(self, epoch: int) -> RuleStep:
        step = self.config.solver.rule.at(epoch + 1)
        if self._settings.pruned:
            step = step._replace(floor=max(step.floor, self.config.solver.threshold_bb * _FLOOR_BELOW))
        return single(step)

    def _total_weight(self) -> float:
        """Return the weight of all iterations so far in the regrets, discounts included."""
        solver, total = self.config.solver, 0.0
        epochs = self.iterations // solver.discount_every
        for epoch in range(min(epochs, solver.discounts) + 1):
            step = solver.rule.at(epoch + 1)
            last = epoch == min(epochs, solver.discounts)
            done = self.iterations - epoch * solver.discount_every if last else solver.discount_every
            total = total * (step.positive if epoch else 1.0) + step.weight * done
        return total


def empty_deals(deals: int, players: int) -> Deals:
    """Return room for deals."""
    return Deals(
        cards=own_lines((deals, 2 * players + 5), np.int8),
        bucket=own_lines((deals, players, 4), np.int32),
        strength=own_lines((deals, players), np.int32),
        equity=own_lines((deals, players, players), np.float32),
    )


def part(count: int, worker: int, workers: int) -> tuple[int, int]:
    """Return the stretch low, high of `count` things that one of the workers takes."""
    return count * worker // workers, count * (worker + 1) // workers
