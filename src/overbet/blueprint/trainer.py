"""Training on dense tables: the betting tree, and a row for every decision and bucket.

    trainer = Trainer(BlueprintConfig.load("configs/heads-up.yaml"))
    trainer.run(1_000_000, workers=2)

How iterations are run is in `loop.Training`.
"""

from __future__ import annotations

from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from overbet import machine
from overbet.ahead import compile_ahead
from overbet.betting.menu import STREET_NAMES
from overbet.blueprint.cards import CardModel, load_cards
from overbet.blueprint.config import BlueprintConfig
from overbet.blueprint.cores import own_lines, worker_count
from overbet.blueprint.dense_rows import packed_rows
from overbet.blueprint.learned import Learned, add, differences, keep_above, put, taken
from overbet.blueprint.loop import STATUS_PARTS, Numbers, Status, StoredStrategy, Training, empty_deals, part
from overbet.blueprint.mapped import TABLES, mapped_zeros
from overbet.blueprint.prizes import prize_arrays
from overbet.blueprint.rounding import rounded_rows
from overbet.blueprint.shards import Arrays
from overbet.errors import ConfigError, TooLargeError
from overbet.games.holdem import HoldemGame
from overbet.kernels.memory import zeros
from overbet.kernels.regret import RuleStep
from overbet.kernels.training.deal import Deals
from overbet.kernels.training.numbers import discount, ease_rows, number_unit
from overbet.kernels.training.record import decision_at, head_of, is_end
from overbet.kernels.training.store import WHOLE, quantise
from overbet.kernels.training.train import merge, progress_of, train_block, walk_block, walk_bounds
from overbet.kernels.training.walks import OUTCOME, WalkedGame, WalkWork
from overbet.tree.holdem import HoldemTree, TreeSize, build_tree, measure_tree

__all__ = ["ENTRY_BYTES", "Status", "Trainer", "check_size", "entries_of", "table_length", "worker_count"]

NUMBER_BYTES = 4
ENTRY_BYTES = 2 * NUMBER_BYTES  # regret and average sum
_LOG_LIMIT = 8 << 30  # bytes


class Trainer(Training):
    """Tables of one run. `cards` stands in for what the config names."""

    tables = "dense"

    @classmethod
    def make(cls, config: BlueprintConfig, cards: CardModel, folder: Path | None = None) -> Trainer:
        if folder is None:
            return cls(config, cards)
        size = measure_tree(config.game.game(), config.menu)
        length = table_length(config, sum(size.entries(cards.counts)))
        check_size(size, cards, length, mapped=True)  # before a file takes room on the disk
        return cls(config, cards, mapped_zeros(folder / TABLES, np.dtype(config.solver.numbers), length))

    def __init__(
        self,
        config: BlueprintConfig,
        cards: CardModel | None = None,
        table: Numbers | None = None,
        memory_limit: int | None = None,
    ) -> None:
        if config.solver.tables != "dense":
            raise ConfigError("this config asks for keyed tables: use overbet.blueprint.factory.make_trainer")
        super().__init__(config, load_cards(config.cards) if cards is None else cards)
        game = config.game.game()
        self.size = measure_tree(game, config.menu)
        numbers = table_length(config, sum(self.size.entries(self.cards.counts)))
        check_size(self.size, self.cards, numbers, memory_limit, config.run.storage == "mapped")
        self.tree: HoldemTree = build_tree(game, config.menu)
        record, entries = self.tree.records(self.cards.counts)
        unit = np.float32(game.big_blind)
        nodes = self.tree.nodes
        pots = nodes.pot_chips / unit, nodes.pot_mask.copy()
        self.game = WalkedGame(record, nodes.won / unit, *pots, *prize_arrays(config.game))
        self.entries = entries
        length = table_length(config, entries)
        self.table: Numbers = zeros(length, config.solver.numbers) if table is None else table
        self._settings = self._settings_for(game, int(nodes.num_children.max()), entries)
        self._settings = self._settings._replace(threshold=self._settings.threshold * number_unit(self.table))
        outcome = self._settings.method == OUTCOME
        self._bounds = walk_bounds(record, game.num_players, outcome, config.solver.average_lines)
        self._worker_spaces: list[_WorkerSpace] = []

    @property
    def holdem(self) -> HoldemGame:
        return self.tree.game

    @property
    def game_digest(self) -> str:
        return self.tree.digest

    @property
    def facts(self) -> dict[str, Any]:
        return {"decisions": list(self.size.decisions), "entries": self.entries}

    def stored(self) -> StoredStrategy:
        """Return the arrays of `dense_rows.PackedRows`.

        With `run.levels` the shares are rounded.
        """
        strategy: npt.NDArray[np.uint8] = np.zeros(self.entries, np.uint8)
        missing = int(quantise(self.game.record, self.table, np.array(self.cards.counts, np.int64), strategy))
        facts = {"rows": sum(self.size.rows(self.cards.counts)), "rows_never_reached": missing}
        levels = self.config.run.levels
        if levels != WHOLE:
            strategy = rounded_rows(self.game.record, self.cards.counts, strategy, levels)
            facts["levels"] = levels
        packed = packed_rows(self.tree.nodes, self.game.record, self.cards.counts, strategy)
        return StoredStrategy(dict(packed), facts)

    @property
    def arrays(self) -> dict[str, npt.NDArray[Any]]:
        return {"table": self.table}

    def restore(self, arrays: Mapping[str, npt.NDArray[Any]]) -> None:
        found = arrays["table"]
        if found.dtype != self.table.dtype or found.shape != self.table.shape:
            raise ValueError("the table has another size or another kind of numbers")
        self.table[:] = found

    def learned_since(self, before: Arrays) -> Learned:
        return differences(self.table, before["table"])

    def add_learned(self, learned: Learned) -> None:
        add(self.table, learned)

    def changed_by(self, learned: list[Learned]) -> Learned:
        masks = [one.mask for one in learned]
        known = [mask for mask in masks if mask is not None]
        whole = len(known) < len(masks)
        return taken(self.table, None if whole else np.bitwise_or.reduce(known))

    def take_changed(self, changed: Learned) -> None:
        put(self.table, changed)

    def keep_above(self, floor: float) -> None:
        keep_above(self.table, self.entries, floor)

    def describe(self) -> str:
        counts = "/".join(str(count) for count in self.cards.counts if count)
        return (
            f"{self.size.describe()}, {counts} buckets, {self.entries:,} entries, "
            f"{self.table.nbytes / 1e6:,.0f} MB"
        )

    def status(self) -> Status:
        buckets = np.array(self.cards.counts, np.int64)
        record, table = self.game.record, self.table

        def look(number: int) -> tuple[int, int, float]:
            return progress_of(record, table, buckets, *part(len(record), number, STATUS_PARTS))

        touched, rows, positive = map(sum, zip(*self._over_parts(STATUS_PARTS, look)))
        weight = self._total_weight()
        mean = positive / number_unit(self.table) / touched / weight if touched and weight else 0.0
        return Status(self.iterations, self.seconds, touched / rows, mean)

    def row(self, node: int, bucket: int) -> slice:
        """Return the entries of a row."""
        at = decision_at(self.game.record, node)
        start = at.first + at.step * bucket
        return slice(start, start + at.actions)

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
        solver, players = self.config.solver, self._settings.players
        each = -(-iterations // workers) if solver.mode == "deterministic" else iterations
        walks = each * players if solver.mode == "deterministic" else 1
        places, entries, depth = self._bounds
        log = walks * entries + self._settings.widest
        if workers * log * 12 > _LOG_LIMIT:
            raise TooLargeError(
                f"a batch of {solver.batch} iterations needs {machine.size_text(workers * log * 12)} for its "
                "log; use a smaller solver.batch, or solver.mode=shared"
            )
        if len(self._worker_spaces) != workers or len(self._worker_spaces[0].deals.cards) < each:
            strategies = self._settings.widest * (depth + 1)
            self._worker_spaces = [
                _worker_space(each, players, places + depth, strategies, log) for _ in range(workers)
            ]

    def worker_spaces(self, workers: int) -> list[WalkWork]:
        """Return fresh work space for walks of others over the same tree."""
        places, entries, depth = self._bounds
        log, strategies = entries + self._settings.widest, self._settings.widest * (depth + 1)
        players = self._settings.players
        return [_worker_space(0, players, places + depth, strategies, log).work for _ in range(workers)]

    def _compile(self) -> None:
        bench, step = self._worker_spaces[0], self._step(0)
        batched = self.config.solver.mode == "deterministic"
        walks = walk_block if batched else train_block
        buckets = np.array(self.cards.counts, np.int64)
        compile_ahead(
            (walks, (self.game, self.table, bench.deals, bench.work, self._settings, step, 0)),
            (progress_of, (self.game.record, self.table, buckets, 0, 0)),
            (quantise, (self.game.record, self.table, buckets, np.zeros(0, np.uint8))),
        )
        deals = self._deal(bench.deals, 0, 0)
        discount(self.table, step, 0, 0)
        if batched:
            merge(self.table, bench.work, 0, self._settings, step.floor, 0, 0)
        walks(self.game, self.table, deals, bench.work, self._settings, step, 0)

    def _train(self, worker: int, first: int, count: int, step: RuleStep) -> bool:
        bench = self._worker_spaces[worker]
        deals = self._deal(bench.deals, first, count)
        train_block(self.game, self.table, deals, bench.work, self._settings, step, first)
        return True

    def _run_batch(self, pool: ThreadPoolExecutor, workers: int, count: int, step: RuleStep) -> None:
        def walk(worker: int) -> int:
            first, last = part(count, worker, workers)
            bench = self._worker_spaces[worker]
            deals = self._deal(bench.deals, self.iterations + first, last - first)
            start = self.iterations + first
            return int(walk_block(self.game, self.table, deals, bench.work, self._settings, step, start))

        logged = list(pool.map(walk, range(workers)))

        def add(worker: int) -> None:
            low, high = part(len(self.table), worker, workers)
            for bench, length in zip(self._worker_spaces, logged):
                merge(self.table, bench.work, length, self._settings, step.floor, low, high)

        list(pool.map(add, range(workers)))

    def _discount(self, pool: ThreadPoolExecutor, workers: int, step: RuleStep) -> None:
        def work(worker: int) -> None:
            discount(self.table, step, *part(self.entries, worker, workers))

        list(pool.map(work, range(workers)))

    def _ease(self) -> None:
        if self.table.dtype == np.int32:
            ease_rows(self.game.record, self.table, np.array(self.cards.counts, np.int64))


class _WorkerSpace(NamedTuple):
    """What one worker works with."""

    deals: Deals
    work: WalkWork


def _worker_space(deals: int, players: int, places: int, strategies: int, log: int) -> _WorkerSpace:
    return _WorkerSpace(
        empty_deals(deals, players),
        WalkWork(
            place=own_lines(places, np.int64),
            link=own_lines(places, np.int64),
            row=own_lines(places, np.int64),
            value=own_lines(places, np.float32),
            sigma=own_lines(strategies, np.float32),
            slot=own_lines(log, np.int64),
            amount=own_lines(log, np.float32),
        ),
    )


def entries_of(
    record: npt.NDArray[np.int64], node: int, counts: tuple[int, int, int, int]
) -> npt.NDArray[np.int64]:
    """Return the entries of a decision in tables of these bucket counts: [bucket, action] int64."""
    if is_end(head_of(record, node)):
        raise ConfigError("the hand is over there: nobody decides anything")
    at = decision_at(record, node)
    buckets = np.arange(counts[at.street], dtype=np.int64)
    places: npt.NDArray[np.int64] = (
        at.first + at.step * buckets[:, None] + np.arange(at.actions, dtype=np.int64)
    )
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
    available = machine.available_bytes() if limit is None else limit
    if needed > available:
        raise TooLargeError(
            f"{size.describe()} with {'/'.join(map(str, cards.counts))} buckets need "
            f"{machine.size_text(needed)} and {machine.size_text(available)} are free; use fewer sizes or "
            "raises (menu), fewer buckets (cards), or run.storage=mapped"
        )
    return size.tree_bytes + tables_bytes
