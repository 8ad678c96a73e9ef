"""Training without a tree: rows for the information sets that are met, found by 64-bit keys.

For games whose betting tree cannot be listed: six to nine players, deep stacks. The walks play the real rules
(`kernels.training.keyed`); what makes two situations one is said in `kernels.training.keys`. Iterations,
epochs, checkpoints and the deterministic mode are those of every run (`loop.Training`).

The table has room for `solver.capacity` rows. When nine tenths are taken the run stops between two
iterations with an error that says so; it can be resumed with a larger capacity and goes on where it was.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from overbet import machine
from overbet.ahead import compile_ahead
from overbet.betting.menu import Menu
from overbet.blueprint.cards import CardModel, load_cards
from overbet.blueprint.config import BlueprintConfig
from overbet.blueprint.cores import own_lines
from overbet.blueprint.iteration_queue import IterationQueue
from overbet.blueprint.learned import Learned, add_rows, keep_above, row_differences
from overbet.blueprint.loop import STATUS_PARTS, Numbers, Status, StoredStrategy, Training, empty_deals, part
from overbet.blueprint.mapped import KEYS, TABLES, mapped_zeros
from overbet.blueprint.prizes import no_prizes
from overbet.blueprint.shards import Arrays
from overbet.errors import ConfigError, TooLargeError
from overbet.games.holdem import HoldemGame
from overbet.kernels.holdem.layout import ACTOR, MAX_PLAYERS, SIZE
from overbet.kernels.holdem.play import give_cards
from overbet.kernels.memory import zeros
from overbet.kernels.regret import RuleStep
from overbet.kernels.training.deal import Deals
from overbet.kernels.training.keyed import (
    LOG_FULL,
    NO_ROOM,
    KeyedGame,
    KeyedWork,
    merge_rows,
    train_rows,
)
from overbet.kernels.training.keys import KeyedTable, ease_keyed_rows, keyed_progress, move_rows
from overbet.kernels.training.numbers import discount, number_unit
from overbet.kernels.training.shards import give_rows
from overbet.kernels.training.store import quantise_rows
from overbet.kernels.training.tree import MOST_ACTIONS
from overbet.kernels.training.walks import WalkedGame
from overbet.tree.holdem import measure_tree

FULL_AT = 0.9  # share of the rows taken at which a run stops: beyond it finding a row takes ever longer
_SEGMENTS, _SEGMENT_ROWS = 64, 1024
_LIST = 1_000_000  # nodes of a tree that are listed to see whether it ends before the flop
_EDGES = 4096


class KeyedShape(NamedTuple):
    """How large the tables of a config are."""

    rows: int
    width: int  # actions of a row
    segments: int

    @property
    def numbers(self) -> int:
        """Numbers of the table: regret and average of every action."""
        return 2 * self.rows * self.width

    @property
    def bytes(self) -> int:
        """Memory of keys and numbers."""
        return 8 * self.rows + 4 * self.numbers


def keyed_shape(config: BlueprintConfig) -> KeyedShape:
    """Return the shape of the tables, the capacity rounded up to whole segments."""
    menu = config.menu.table(config.game.game())
    width = min(2 + menu.kind.shape[3], MOST_ACTIONS)
    segments = _SEGMENTS if config.solver.capacity >= _SEGMENTS * _SEGMENT_ROWS else 1
    return KeyedShape(-(-config.solver.capacity // segments) * segments, width, segments)


def keyed_game(game: HoldemGame, menu: Menu, coarse: float, texture: bool) -> KeyedGame:
    """Return what walks and questions play by."""
    root = game.root.copy()
    give_cards(root, np.arange(2 * game.num_players + 5))
    if root[ACTOR] < 0:
        raise ConfigError("everybody is all in with the blinds: there is no decision to learn")
    edges = chip_edges(coarse, sum(game.start))
    return KeyedGame(root, menu.table(game), game.big_blind, edges, int(texture))


def chip_edges(coarse: float, most: int) -> npt.NDArray[np.int64]:
    """Return the chips at which a bin of the key begins: each a share `coarse` above the one before."""
    if not coarse:
        return np.empty(0, np.int64)
    edges, edge = [], 1
    while edge <= most:
        edges.append(edge)
        edge = max(edge + 1, int(edge * (1.0 + coarse)))
        if len(edges) > _EDGES:
            raise ConfigError(
                f"solver.coarse {coarse:g} makes more than {_EDGES} bins; use 0 or a larger one"
            )
    return np.array(edges, np.int64)


def game_digest(game: KeyedGame, menu: Menu) -> str:
    """Return the hash of rules, stacks and bets."""
    sha = hashlib.sha256(np.ascontiguousarray(game.root).tobytes())
    sha.update(json.dumps([game.blind, menu.model_dump(mode="json")], sort_keys=True).encode())
    return sha.hexdigest()


class KeyedTrainer(Training):
    """Rows of one run. `cards` stands in for what the config names; `keys` and `table` for memory."""

    tables = "keyed"

    @classmethod
    def make(cls, config: BlueprintConfig, cards: CardModel, folder: Path | None = None) -> KeyedTrainer:
        if folder is None:
            return cls(config, cards)
        shape, numbers = keyed_shape(config), np.dtype(config.solver.numbers)
        keys = mapped_zeros(folder / KEYS, np.dtype(np.uint64), shape.rows)
        return cls(config, cards, keys, mapped_zeros(folder / TABLES, numbers, shape.numbers))

    def __init__(
        self,
        config: BlueprintConfig,
        cards: CardModel | None = None,
        keys: npt.NDArray[np.uint64] | None = None,
        table: Numbers | None = None,
        memory_limit: int | None = None,
    ) -> None:
        super().__init__(config, load_cards(config.cards) if cards is None else cards)
        game, solver = config.game.game(), config.solver
        self.shape = keyed_shape(config)
        mapped = keys is not None and table is not None
        available = machine.available_bytes() if memory_limit is None else memory_limit
        if not mapped and self.shape.bytes > available:
            raise TooLargeError(
                f"{self.shape.rows:,} rows of {self.shape.width} actions need "
                f"{machine.size_text(self.shape.bytes)} and {machine.size_text(available)} are free; use a "
                "smaller solver.capacity, or run.storage=mapped"
            )
        if not all(self.cards.counts):
            check_ends_before_the_flop(game, config.menu)
        self._game = game
        self.game = keyed_game(game, config.menu, solver.coarse, solver.texture)
        self.rows = KeyedTable(
            keys=zeros(self.shape.rows, np.uint64) if keys is None else keys,
            numbers=zeros(self.shape.numbers, solver.numbers) if table is None else table,
            taken=np.zeros(self.shape.segments, np.int64),
            width=self.shape.width,
        )
        self._settings = self._settings_for(game, self.shape.width, 0)
        self._settings = self._settings._replace(
            threshold=self._settings.threshold * number_unit(self.rows.numbers)
        )
        self._worker_spaces: list[_KeyedSpace] = []

    @property
    def table(self) -> Numbers:
        """The numbers of the rows: [2 * rows * width] float32 or int32."""
        found: Numbers = self.rows.numbers
        return found

    @property
    def holdem(self) -> HoldemGame:
        return self._game

    @property
    def game_digest(self) -> str:
        return game_digest(self.game, self.config.menu)

    @property
    def load(self) -> float:
        """The share of rows in use."""
        return int(self.rows.taken.sum()) / self.shape.rows

    @property
    def facts(self) -> dict[str, Any]:
        return {}

    def stored(self) -> StoredStrategy:
        """Return `keys`: [rows] uint64, ascending, and `strategy`: [rows, actions] uint8, rows of 255ths.

        Rows that never were on a line of the average are left out, and with `solver.kept_rows` all but those
        that were there most often.
        """
        used = self._most_met(np.flatnonzero(self.rows.keys))
        order = used[np.argsort(self.rows.keys[used])]
        width = self.shape.width
        strategy: npt.NDArray[np.uint8] = np.zeros((len(order), width), np.uint8)
        missing = int(quantise_rows(order, self.rows.numbers, width, strategy))
        reached = strategy.any(1)
        keys = self.rows.keys[order][reached]
        facts = {"rows": len(keys) + missing, "actions": width, "rows_never_reached": missing}
        left_out = int(np.count_nonzero(self.rows.keys)) - len(used)
        if left_out:
            facts["rows_left_out"] = left_out
        return StoredStrategy({"strategy": strategy[reached], "keys": keys}, facts)

    def _most_met(self, used: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
        """Return the rows that the file keeps, of those in use: [rows] int64."""
        kept = self.config.solver.kept_rows
        if not kept or len(used) <= kept:
            return used
        averages = self.rows.numbers.reshape(self.shape.rows, self.shape.width, 2)[used, :, 1]
        met = averages.sum(1, dtype=np.float64)
        # equally often met: by key, so that the order of threads does not count
        order = np.lexsort((self.rows.keys[used], -met))
        return used[np.sort(order[:kept])]

    @property
    def arrays(self) -> dict[str, npt.NDArray[Any]]:
        return {"keys": self.rows.keys, "table": self.rows.numbers}

    def restore(self, arrays: Mapping[str, npt.NDArray[Any]]) -> None:
        keys, numbers = arrays["keys"], arrays["table"]
        if numbers.dtype != self.rows.numbers.dtype or len(numbers) != 2 * self.shape.width * len(keys):
            raise ValueError("the table has rows of another width or another kind of numbers")
        if len(keys) == self.shape.rows:
            self.rows.keys[:], self.rows.numbers[:] = keys, numbers
            held = self.rows.keys.reshape(self.shape.segments, -1)
            self.rows.taken[:] = np.count_nonzero(held, axis=1)
            return
        self.rows.keys[:], self.rows.numbers[:], self.rows.taken[:] = 0, 0, 0
        used = int(np.count_nonzero(keys))
        if used > FULL_AT * self.shape.rows or not move_rows(keys, numbers, self.rows):
            raise ValueError(f"its {used:,} rows do not fit a solver.capacity of {self.shape.rows:,}")

    def learned_since(self, before: Arrays) -> Learned:
        return row_differences(self.rows.keys, self.rows.numbers, before["table"], self.shape.width)

    def add_learned(self, learned: Learned) -> None:
        add_rows(self.rows.numbers, self._rows_of(learned.mask), learned.values)

    def changed_by(self, learned: list[Learned]) -> Learned:
        keys = np.unique(np.concatenate([one.mask for one in learned if one.mask is not None]))
        held = self.rows.numbers.reshape(self.shape.rows, -1)
        return Learned(keys, held[self._rows_of(keys)])

    def take_changed(self, changed: Learned) -> None:
        held = self.rows.numbers.reshape(self.shape.rows, -1)
        held[self._rows_of(changed.mask)] = changed.values

    def keep_above(self, floor: float) -> None:
        keep_above(self.rows.numbers, self.shape.rows * self.shape.width, floor)

    def _rows_of(self, keys: npt.NDArray[Any] | None) -> npt.NDArray[np.int64]:
        """Return the row of every key, free ones for those that are new: [keys] int64."""
        assert keys is not None
        rows = np.empty(len(keys), np.int64)
        # a copy: keys that came from another node are read-only, which kernels are not compiled for
        if not give_rows(self.rows, keys.copy(), rows):
            self._say_no_room()
        return rows

    def describe(self) -> str:
        counts = "/".join(str(count) for count in self.cards.counts if count)
        return (
            f"keyed tables with room for {self.shape.rows:,} rows of {self.shape.width} actions, {counts} "
            f"buckets, {self.shape.bytes / 1e6:,.0f} MB"
        )

    def status(self) -> Status:
        def look(number: int) -> tuple[int, float]:
            return keyed_progress(self.rows, *part(self.shape.rows, number, STATUS_PARTS))

        rows, positive = map(sum, zip(*self._over_parts(STATUS_PARTS, look)))
        weight = self._total_weight()
        mean = positive / number_unit(self.rows.numbers) / rows / weight if rows and weight else 0.0
        return Status(self.iterations, self.seconds, rows / self.shape.rows, mean)

    def _look(self) -> None:
        super()._look()
        if self.load > FULL_AT:
            raise TooLargeError(
                f"the table is full: {self.load:.0%} of {self.shape.rows:,} rows are taken after "
                f"{self.iterations:,} iterations; resume the run with --set solver.capacity="
                f"{2 * self.shape.rows}, or start one with fewer sizes or buckets, or a larger solver.coarse"
            )

    def _seat(self, workers: int, iterations: int) -> None:
        batched = self.config.solver.mode == "deterministic"
        each = -(-iterations // workers) if batched else iterations
        log = 64 * each * self._settings.players if batched else 1
        if len(self._worker_spaces) != workers or len(self._worker_spaces[0].deals.cards) < each:
            self._worker_spaces = [self._worker_space(each, log) for _ in range(workers)]

    def worker_spaces(self, workers: int) -> list[KeyedWork]:
        """Return fresh work space for walks of others by the same rules."""
        return [self._worker_space(0, 1).work for _ in range(workers)]

    def _worker_space(self, deals: int, log: int) -> _KeyedSpace:
        players, width = self._settings.players, self.shape.width
        frames = int(self.game.menu.raises.sum()) + 6
        ends = WalkedGame(
            record=own_lines((0, 4), np.int64),
            won=own_lines((0, players), np.float32),
            pot_chips=own_lines(MAX_PLAYERS + 1, np.float32),
            pot_mask=own_lines(MAX_PLAYERS + 1, np.int32),
            **no_prizes()._asdict(),
        )
        work = KeyedWork(
            state=own_lines((frames, SIZE), np.int64),
            facts=own_lines((frames, 4), np.int64),
            key=own_lines(frames, np.uint64),
            actions=own_lines((frames, MOST_ACTIONS + 2), np.int64),
            sigma=own_lines((frames, width), np.float32),
            value=own_lines((frames, width), np.float32),
            row_key=own_lines(log, np.uint64),
            what=own_lines(log, np.int64),
            amount=own_lines((log, width), np.float32),
            texture=own_lines(4, np.int64),
            ends=ends,
            pots=own_lines((2, MAX_PLAYERS + 1), np.int64),
            flag=own_lines(2, np.int64),
        )
        return _KeyedSpace(empty_deals(deals, players), work)

    def _compile(self) -> None:
        bench, step = self._worker_spaces[0], self._step(0)
        compile_ahead((train_rows, (self.game, self.rows, bench.deals, bench.work, self._settings, step, 0)))
        deals = self._deal(bench.deals, 0, 0)
        discount(self.rows.numbers, step, 0, 0)
        if self.config.solver.mode == "deterministic":
            merge_rows(self.rows, bench.work, 0, step.floor, 0, 0)
        train_rows(self.game, self.rows, deals, bench.work, self._settings, step, 0)

    def _train(self, worker: int, first: int, count: int, step: RuleStep) -> bool:
        bench = self._worker_spaces[worker]
        deals = self._deal(bench.deals, first, count)
        train_rows(self.game, self.rows, deals, bench.work, self._settings, step, first)
        return bool(bench.work.flag[0] != NO_ROOM and self.load <= FULL_AT)

    def _run_shared(
        self, pool: ThreadPoolExecutor, workers: int, iteration_queue: IterationQueue, step: RuleStep
    ) -> int:
        count = super()._run_shared(pool, workers, iteration_queue, step)
        self._check_room(workers)
        return count

    def _run_batch(self, pool: ThreadPoolExecutor, workers: int, count: int, step: RuleStep) -> None:
        def walk(worker: int) -> int:
            first, last = part(count, worker, workers)
            start = self.iterations + first
            while True:
                bench = self._worker_spaces[worker]
                deals = self._deal(bench.deals, start, last - first)
                logged = train_rows(self.game, self.rows, deals, bench.work, self._settings, step, start)
                if bench.work.flag[0] != LOG_FULL:
                    return int(logged)
                # the walks changed nothing: they are run again with a longer log
                self._worker_spaces[worker] = self._worker_space(
                    len(bench.deals.cards), 2 * len(bench.work.row_key)
                )

        logged = list(pool.map(walk, range(workers)))

        def add(worker: int) -> None:
            low, high = part(self.shape.segments, worker, workers)
            for bench, length in zip(self._worker_spaces, logged):
                merge_rows(self.rows, bench.work, length, step.floor, low, high)

        list(pool.map(add, range(workers)))
        self._check_room(workers)

    def _check_room(self, workers: int) -> None:
        if any(bench.work.flag[0] == NO_ROOM for bench in self._worker_spaces[:workers]):
            self._say_no_room()

    def _say_no_room(self) -> None:
        raise TooLargeError(
            f"the table ran out of rows inside an iteration: {self.shape.rows:,} are too few; resume the "
            f"run from its last checkpoint with --set solver.capacity={4 * self.shape.rows}"
        )

    def _discount(self, pool: ThreadPoolExecutor, workers: int, step: RuleStep) -> None:
        def work(worker: int) -> None:
            entries = self.shape.rows * self.shape.width
            discount(self.rows.numbers, step, *part(entries, worker, workers))

        list(pool.map(work, range(workers)))

    def _ease(self) -> None:
        if self.rows.numbers.dtype == np.int32:
            ease_keyed_rows(self.rows)


class _KeyedSpace(NamedTuple):
    """What one worker works with."""

    deals: Deals
    work: KeyedWork


def check_ends_before_the_flop(game: HoldemGame, menu: Menu) -> None:
    """Refuse cards without buckets after the flop where the menu has decisions there."""
    try:
        later = sum(measure_tree(game, menu, _LIST).decisions[1:])
    except TooLargeError:
        later = 1
    if later:
        raise ConfigError(
            "the menu has decisions after the flop and the cards have no buckets there; use cards.kind: "
            "buckets, or a menu that ends before the flop"
        )
