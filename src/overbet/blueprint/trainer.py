"""Training a blueprint: the tree, the tables, and iterations spread over threads.

    trainer = Trainer(BlueprintConfig.load("configs/heads-up.yaml"))
    trainer.run(1_000_000, workers=2)

An iteration is one deal and one walk for each player. In the shared mode threads add to the same tables as
they go; one worker then gives the same bits every time. In the deterministic mode the walks of a batch read
the same tables and their logs are added in the order of iterations: the same bits for any number of workers.
Random numbers are functions of (seed, iteration), so a run can stop after any iteration (batch) and go on
later.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from overbet.abstraction.menu import STREET_NAMES
from overbet.blueprint.cards import CardModel, load_cards, pair_table
from overbet.blueprint.config import BlueprintConfig
from overbet.cards.evaluator import tables
from overbet.errors import ConfigError, TooLargeError
from overbet.kernels.regret import Step, single
from overbet.kernels.training import discount, merge, progress_of, train_block, walk_block, walk_bounds
from overbet.kernels.training_deal import Deals, deal_cards, deal_cards_in_cycles, pair_equities, rank_deals
from overbet.kernels.training_walks import EXTERNAL, OUTCOME, Game, Settings, Work
from overbet.tree.holdem import HoldemTree, TreeSize, build_tree, measure_tree

NUMBER_BYTES = 4
ENTRY_BYTES = 2 * NUMBER_BYTES  # regret and average sum, float32 each
_CHUNK = 16384  # iterations a worker runs between two looks at the clock, at most
_CHUNK_SECONDS = 0.3
_LOG_LIMIT = 8 << 30  # bytes
_FLOOR_BELOW = 1.1  # regrets stop falling a tenth below the threshold of pruning


class Status(NamedTuple):
    """How far a run is."""

    iterations: int
    seconds: float  # of training, all sittings together
    touched: float  # share of rows that were ever reached
    mean_positive_regret_bb: float  # a reached row's positive regret per iteration


Report = Callable[[int], None]


class Trainer:
    """Tables of one run. `cards` stands in for what the config names."""

    def __init__(
        self,
        config: BlueprintConfig,
        cards: CardModel | None = None,
        table: npt.NDArray[np.float32] | None = None,
        memory_limit: int | None = None,
    ) -> None:
        self.config = config
        self.cards = load_cards(config.cards) if cards is None else cards
        game = config.game.game()
        self.size = measure_tree(game, config.menu)
        numbers = table_length(config, sum(self.size.entries(self.cards.counts)))
        check_size(self.size, self.cards, numbers, memory_limit, config.run.storage == "mapped")
        self.tree: HoldemTree = build_tree(game, config.menu)
        record, entries = self.tree.records(self.cards.counts)
        unit = np.float32(game.big_blind)
        nodes = self.tree.nodes
        self.game = Game(record, nodes.won / unit, nodes.pot_chips / unit, nodes.pot_mask.copy())
        self.entries = entries
        length = table_length(config, entries)
        self.table = np.zeros(length, np.float32) if table is None else table
        self.iterations = 0
        self.seconds = 0.0
        self.core_seconds = 0.0
        self.torn = False  # whether a chunk was broken off in the middle: the tables are of no use then
        solver = config.solver
        self._settings = Settings(
            seed=solver.seed,
            players=game.num_players,
            method=EXTERNAL if solver.method == "external" else OUTCOME,
            widest=int(nodes.num_children.max()),
            epsilon=solver.epsilon,
            threshold=solver.threshold_bb,
            pruned=solver.pruned if solver.method == "external" else 0.0,
            entries=entries,
            baseline=solver.baseline if solver.method == "outcome" else 0.0,
            lines=solver.average_lines,
        )
        outcome = self._settings.method == OUTCOME
        self._bounds = walk_bounds(record, game.num_players, outcome, solver.average_lines)
        # with more players, or other cards, those who folded would change the equity
        exact = solver.exact_all_in and len(self.cards.deck) == 52 and game.num_players == 2
        self._equities = pair_table() if exact else np.zeros((0, 0), np.float32)
        self._benches: list[_Bench] = []

    def run(self, iterations: int, workers: int | None = None, report: Report | None = None) -> None:
        """Run until `iterations` in all are done, rounded up to whole batches in the deterministic mode.

        `report` is called several times a second with the iterations done; an exception there stops the run
        between two iterations, ready to be saved or to go on.
        """
        solver = self.config.solver
        workers = worker_count(self.config.run.workers if workers is None else workers)
        batched = solver.mode == "deterministic"
        self._seat(workers, solver.batch if batched else _CHUNK)
        self._compile()
        chunk = solver.batch if batched else 64 * workers
        with ThreadPoolExecutor(workers) as pool:
            while self.iterations < iterations:
                started = time.perf_counter()
                self.torn = True
                step = self._begin_epoch(pool, workers)
                left = iterations - self.iterations
                until_epoch = solver.discount_every - self.iterations % solver.discount_every
                if batched:
                    count = solver.batch
                    self._run_batch(pool, workers, count, step)
                else:
                    count = min(chunk, left, until_epoch)
                    self._run_shared(pool, workers, count, step)
                self.iterations += count
                self.torn = False
                taken = time.perf_counter() - started
                self.seconds += taken
                self.core_seconds += taken * workers
                if not batched and taken < _CHUNK_SECONDS / 2:
                    chunk = min(2 * chunk, _CHUNK * workers)
                if report is not None:
                    report(self.iterations)

    def status(self) -> Status:
        """Return how far the run is; reads the whole table."""
        buckets = np.array(self.cards.counts, np.int64)
        touched, rows, positive = progress_of(self.game.record, self.table, buckets)
        weight = self._total_weight()
        mean = positive / touched / weight if touched and weight else 0.0
        return Status(self.iterations, self.seconds, touched / rows, mean)

    def row(self, node: int, bucket: int) -> slice:
        """Return the entries of a row."""
        head, _, first, step = self.game.record[node].tolist()
        start = first + step * bucket
        return slice(start, start + (head >> 16))

    def average(self, node: int) -> npt.NDArray[np.float64]:
        """Return the average strategy of every bucket at a decision: [bucket, action] float64.

        Rows that were never reached are NaN.
        """
        return self._normalised(node, 1)

    def current(self, node: int) -> npt.NDArray[np.float64]:
        """Return what the next iteration would play: [bucket, action] float64."""
        found = self._normalised(node, 0)
        return np.where(np.isnan(found), 1.0 / found.shape[1], found)

    def _normalised(self, node: int, column: int) -> npt.NDArray[np.float64]:
        sums = np.maximum(self.table[column::2][self.entries_of(node)].astype(np.float64), 0.0)
        total = sums.sum(1, keepdims=True)
        shares: npt.NDArray[np.float64] = np.full_like(sums, np.nan)
        np.divide(sums, total, out=shares, where=total > 0)
        return shares

    def entries_of(self, node: int) -> npt.NDArray[np.int64]:
        """Return the entries of a decision: [bucket, action] int64."""
        return entries_of(self.game.record, node, self.cards.counts)

    def _seat(self, workers: int, iterations: int) -> None:
        """Give every worker its work space."""
        solver, players = self.config.solver, self._settings.players
        each = -(-iterations // workers) if solver.mode == "deterministic" else iterations
        walks = each * players if solver.mode == "deterministic" else 1
        places, entries, depth = self._bounds
        log = walks * entries + self._settings.widest
        if workers * log * 12 > _LOG_LIMIT:
            raise TooLargeError(
                f"a batch of {solver.batch} iterations needs {workers * log * 12 / 2**30:.1f} GiB for its "
                "log; use a smaller solver.batch, or solver.mode=shared"
            )
        if len(self._benches) != workers or len(self._benches[0].deals.cards) < each:
            strategies = self._settings.widest * (depth + 1)
            self._benches = [_bench(each, players, places + depth, strategies, log) for _ in range(workers)]

    def _compile(self) -> None:
        """Compile or load the kernels on no deals, so that time is counted from the first iteration."""
        bench, step = self._benches[0], self._step(0)
        deals = self._deal(bench, 0, 0)
        train_block(self.game, self.table, deals, bench.work, self._settings, step, 0)
        walk_block(self.game, self.table, deals, bench.work, self._settings, step, 0)
        merge(self.table, bench.work, 0, self._settings, step.floor, 0, 0)
        discount(self.table, step, 0, 0)

    def deals(self, seed: int, first: int, count: int) -> Deals:
        """Return deals first .. first + count - 1 of a seed, at random, as a walk reads them."""
        deals = _empty_deals(count, self._settings.players)
        deal_cards(deals.cards, self.cards.deck, self._settings.players, seed, first)
        return self.read(deals)

    def _deal(self, bench: _Bench, first: int, count: int) -> Deals:
        cards, bucket, strength, equity = bench.deals
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

    def _run_shared(self, pool: ThreadPoolExecutor, workers: int, count: int, step: Step) -> None:
        def work(worker: int) -> None:
            first, last = _part(count, worker, workers)
            bench = self._benches[worker]
            deals = self._deal(bench, self.iterations + first, last - first)
            start = self.iterations + first
            train_block(self.game, self.table, deals, bench.work, self._settings, step, start)

        list(pool.map(work, range(workers)))

    def _run_batch(self, pool: ThreadPoolExecutor, workers: int, count: int, step: Step) -> None:
        def walk(worker: int) -> int:
            first, last = _part(count, worker, workers)
            bench = self._benches[worker]
            deals = self._deal(bench, self.iterations + first, last - first)
            start = self.iterations + first
            return int(walk_block(self.game, self.table, deals, bench.work, self._settings, step, start))

        logged = list(pool.map(walk, range(workers)))

        def add(worker: int) -> None:
            low, high = _part(len(self.table), worker, workers)
            for bench, length in zip(self._benches, logged):
                merge(self.table, bench.work, length, self._settings, step.floor, low, high)

        list(pool.map(add, range(workers)))

    def _begin_epoch(self, pool: ThreadPoolExecutor, workers: int) -> Step:
        """Return the scalars of this epoch; discount the table where it begins."""
        solver = self.config.solver
        epoch = self.iterations // solver.discount_every
        step = self._step(min(epoch, solver.discounts))
        if self.iterations and self.iterations % solver.discount_every == 0 and epoch <= solver.discounts:

            def work(worker: int) -> None:
                discount(self.table, step, *_part(self.entries, worker, workers))

            list(pool.map(work, range(workers)))
        return step

    def _step(self, epoch: int) -> Step:
        step = self.config.solver.rule.at(epoch + 1)
        if self._settings.pruned:
            step = step._replace(floor=max(step.floor, self._settings.threshold * _FLOOR_BELOW))
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


class _Bench(NamedTuple):
    """What one worker works with."""

    deals: Deals
    work: Work


def _bench(deals: int, players: int, places: int, strategies: int, log: int) -> _Bench:
    return _Bench(
        _empty_deals(deals, players),
        Work(
            place=np.zeros(places, np.int64),
            link=np.zeros(places, np.int64),
            row=np.zeros(places, np.int64),
            value=np.zeros(places, np.float32),
            sigma=np.zeros(strategies, np.float32),
            slot=np.zeros(log, np.int64),
            amount=np.zeros(log, np.float32),
        ),
    )


def _empty_deals(deals: int, players: int) -> Deals:
    return Deals(
        cards=np.zeros((deals, 2 * players + 5), np.int8),
        bucket=np.zeros((deals, players, 4), np.int32),
        strength=np.zeros((deals, players), np.int32),
        equity=np.zeros((deals, players, players), np.float32),
    )


def entries_of(
    record: npt.NDArray[np.int64], node: int, counts: tuple[int, int, int, int]
) -> npt.NDArray[np.int64]:
    """Return the entries of a decision in tables of these bucket counts: [bucket, action] int64."""
    head, _, first, step = record[node].tolist()
    if head < 0:
        raise ConfigError("the hand is over there: nobody decides anything")
    buckets = np.arange(counts[head >> 8 & 255], dtype=np.int64)
    places: npt.NDArray[np.int64] = first + step * buckets[:, None] + np.arange(head >> 16, dtype=np.int64)
    return places


def table_length(config: BlueprintConfig, entries: int) -> int:
    """Return the numbers of a run's table: regret and average, and baselines for outcome sampling."""
    return (3 if config.solver.method == "outcome" and config.solver.baseline else 2) * entries


def check_size(
    size: TreeSize, cards: CardModel, numbers: int, limit: int | None = None, mapped: bool = False
) -> int:
    """Return the bytes of tree and tables, or refuse what does not fit with the size and what to cut."""
    for name, decisions, width in zip(STREET_NAMES, size.decisions, cards.counts):
        if decisions and not width:
            raise ConfigError(
                f"the menu has {decisions:,} decisions on the {name} and the cards have no buckets there; "
                "use cards.kind: buckets, or a menu that ends before the flop"
            )
    if not sum(size.decisions):
        raise ConfigError("the menu makes no tree: nobody has a decision")
    tables_bytes = numbers * NUMBER_BYTES
    needed = size.tree_bytes + (0 if mapped else tables_bytes)
    available = _free_memory() if limit is None else limit
    if needed > available:
        raise TooLargeError(
            f"{size.describe()} with {'/'.join(map(str, cards.counts))} buckets need "
            f"{needed / 2**30:.1f} GiB and {available / 2**30:.1f} GiB are free; use fewer sizes or raises "
            "(menu), fewer buckets (cards), or run.storage=mapped"
        )
    return size.tree_bytes + tables_bytes


def worker_count(asked: int) -> int:
    """Return how many threads to use; 0 asks for all cores."""
    if asked < 0:
        raise ConfigError(f"workers: {asked} is less than nothing; 0 means all cores")
    return asked or os.cpu_count() or 1


def _free_memory() -> int:
    try:
        with open("/proc/meminfo", encoding="ascii") as file:
            for line in file:
                if line.startswith("MemAvailable:"):
                    return int(line.split()[1]) * 1024
    except OSError:
        pass
    return (
        int(os.sysconf("SC_PHYS_PAGES")) * int(os.sysconf("SC_PAGE_SIZE"))
        if hasattr(os, "sysconf")
        else 1 << 62
    )


def _part(count: int, worker: int, workers: int) -> tuple[int, int]:
    return count * worker // workers, count * (worker + 1) // workers
