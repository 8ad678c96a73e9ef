"""Training by public chance sampling on a GPU: batches of boards, tables in the GPU's memory.

The tables are fetched when somebody looks at them: for a status, a checkpoint, the blueprint. The boards of
the next batch are made ready by the CPU while the GPU works on this one.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from overbet import machine
from overbet.blueprint.board_trainer import BoardTrainer
from overbet.blueprint.cards import CardModel
from overbet.blueprint.config import BlueprintConfig
from overbet.blueprint.iteration_queue import IterationQueue
from overbet.blueprint.line_program import LineProgram, line_program
from overbet.blueprint.loop import Numbers, Status, StoredStrategy
from overbet.cuda import boards as kernels
from overbet.cuda import device
from overbet.cuda.arrays import LeafOrder
from overbet.cuda.leaves import LEAVES, lanes_of, sum_places
from overbet.cuda.orders import Made, RankedHands, even_lanes, make_order
from overbet.errors import ConfigError, TooLargeError
from overbet.kernels.boards.hands import SweptHands
from overbet.kernels.regret import RuleStep
from overbet.kernels.training.record import (
    EARLY_SHOWDOWN,
    FOLDED,
    LATE_SHOWDOWN,
    decision_at,
    head_of,
    is_end,
)

BATCH = 16  # boards that read the same strategy
_FLOAT = 4
_ALIGNED = 16  # floats of a row of hands
_ROOM = 0.9  # of the GPU's free memory
_LANES = lanes_of(kernels.THREADS)


class _Batch(NamedTuple):
    """The hands of so many boards on the GPU; batches of all sizes share their arrays."""

    boards: kernels.GpuBoards
    order: LeafOrder


class _Prepared(NamedTuple):
    """The hands of a batch, made ready by the CPU."""

    hands: SweptHands
    order: Made


class GpuBoardTrainer(BoardTrainer):
    """The same tables as `BoardTrainer`'s, on a GPU. batch: boards that read the same strategy."""

    pinned = False

    def __init__(
        self,
        config: BlueprintConfig,
        cards: CardModel | None = None,
        table: Numbers | None = None,
        memory_limit: int | None = None,
        batch: int = BATCH,
    ) -> None:
        check_gpu()
        super().__init__(config, cards, table, memory_limit)
        self.batch = self.together = batch
        self.program = line_program(self.tree, self.game.record)
        self._check_depth()
        self._stride = -(-self.source.live // _ALIGNED) * _ALIGNED
        self._check_memory()
        self._launch = device.Launcher(device.cuda.stream())
        self._newer = False  # whether the GPU knows more than `table`
        self._upload()

    def _check_depth(self) -> None:
        if self.program.depth >= kernels.MOST_DEPTH or self.program.actions > kernels.MOST_ACTIONS:
            raise ConfigError(
                f"a street of this menu has {self.program.depth + 1} decisions in a row and up to "
                f"{self.program.actions} actions; the GPU trainer takes {kernels.MOST_DEPTH} and "
                f"{kernels.MOST_ACTIONS}: use fewer raises or sizes, or train on the CPU"
            )

    def _check_memory(self) -> None:
        flow = 2 * self.program.slots * self.batch * self._stride * _FLOAT
        needed = flow + 3 * self.entries * _FLOAT + self.swept.equity.nbytes
        free = _ROOM * device.free_bytes()
        if needed > free:
            raise TooLargeError(
                f"this run needs {machine.size_text(needed)} on the GPU, {machine.size_text(flow)} of them "
                f"for {self.batch} boards at once, and {machine.size_text(free)} are free; use "
                "fewer sizes or raises (menu), fewer buckets (cards), or train on the CPU"
            )

    def _upload(self) -> None:
        """Put on the GPU what does not change."""
        program, up = self.program, device.upload
        self._lanes, self._batches = even_lanes(self.cards.deck, _LANES), dict[int, _Batch]()
        self._rule = device.zeros(kernels.RULE_FIELDS, np.float32)
        self._lines = kernels.GpuLines(up(program.first), up(program.entered), up(program.edges.ravel()))
        self._ends = gpu_ends(program, self.swept.pay, exact=len(self.swept.equity) > 0)
        early = program.of_kind(EARLY_SHOWDOWN) if len(self.swept.equity) else np.zeros(0, np.int32)
        self._early = up(program.ends[early]), up(_early_pays(self.swept.pay[early]).ravel())
        self._num_early = len(early)
        self._equity = up(self.swept.equity.ravel()) if len(early) else up(np.zeros(1, np.float32))
        self._decisions, self._num_decisions = up(_decisions(self).ravel()), sum(self.size.decisions)
        self._table = up(self.table)
        self._strategy = device.zeros(self.entries, np.float32)
        self._flow = device.zeros(2 * program.slots * self.batch * self._stride, np.float32)

    # what others read

    def _fetch(self) -> None:
        if self._newer:
            self._launch.stream.synchronize()
            self.table[:] = self._table.copy_to_host()
            self._newer = False

    @property
    def facts(self) -> dict[str, Any]:
        return {**super().facts, "gpu": device.available()[1]}

    def stored(self) -> StoredStrategy:
        self._fetch()
        return super().stored()

    @property
    def arrays(self) -> dict[str, npt.NDArray[Any]]:
        self._fetch()
        return super().arrays

    def restore(self, arrays: Mapping[str, npt.NDArray[Any]]) -> None:
        super().restore(arrays)
        self._table, self._newer = device.upload(self.table), False

    def status(self) -> Status:
        self._fetch()
        return super().status()

    def _normalised(self, node: int, column: int) -> npt.NDArray[np.float64]:
        self._fetch()
        return super()._normalised(node, column)

    # training

    def _seat(self, workers: int, iterations: int) -> None:
        """Workers make boards ready: there is nothing to give them."""

    def _compile(self) -> None:
        """Compile by a sweep that adds nothing."""
        self._rule.copy_to_device(np.array([1, 1, 0, -np.inf, 1, 0, 1, 0, 0, 0, 0], np.float32))
        self._sweep(self._prepared(0, 1))
        self._queue_discount()
        self._launch.stream.synchronize()

    def _run_shared(
        self, pool: ThreadPoolExecutor, workers: int, iteration_queue: IterationQueue, step: RuleStep
    ) -> int:
        self._set(step)
        begun, ahead = self.iterations // self.unit, _Ahead()
        for first, last in iteration_queue:
            for start in range(first, last, self.batch):
                count = min(self.batch, last - start)
                ready = ahead.take(pool, self._prepared, begun + start, count)
                ahead.ask(pool, self._prepared, begun + start + count, self.batch)
                self._sweep(ready)
            self._launch.stream.synchronize()  # the queue measures how long a piece takes
        return iteration_queue.given

    def _train(self, worker: int, first: int, count: int, step: RuleStep) -> bool:
        self._set(step)
        for start in range(first, first + count, self.unit * self.batch):
            boards = min(self.batch, (first + count - start) // self.unit)
            self._sweep(self._prepared(start // self.unit, boards))
        self._launch.stream.synchronize()
        return True

    def _set(self, step: RuleStep) -> None:
        self._launch.stream.synchronize()
        self._rule.copy_to_device(np.array([*step, *self.swept.shares, self.swept.tremble], np.float32))

    def _discount(self, pool: ThreadPoolExecutor, workers: int, step: RuleStep) -> None:
        self._set(step)
        self._queue_discount()
        self._newer = True

    def _queue_discount(self) -> None:
        shape = (-(-self.entries // kernels.THREADS), kernels.THREADS, 0)
        self._launch(kernels.discount_entries, shape, self._table, self._rule, self.entries)

    def _prepared(self, first: int, count: int) -> _Prepared:
        """Return the hands of boards, and the order in which their cards are summed up."""
        hands = self.source.hands(self.source.boards(first, count))
        strength = hands.tied[:, :, 0] + np.int16(1)
        same = np.tile(np.arange(self.source.live, dtype=np.int16), (count, 1))
        alive = np.full(count, self.source.live, np.int32)
        ranked = RankedHands(alive, hands.cards.astype(np.uint8), strength, same)
        return _Prepared(hands, make_order(ranked, ranked, _LANES, given=self._lanes))

    def _sent(self, ready: _Prepared) -> _Batch:
        """Copy a batch to the GPU, into the arrays that are there."""
        count, live = ready.hands.combo.shape
        if count not in self._batches:
            self._batches[count] = self._room(count, ready.order)
        batch = self._batches[count]
        bucket = np.zeros((count, 4, self._stride), np.int32)
        combo, card = np.zeros((count, self._stride), np.int32), np.zeros((count, self._stride, 2), np.int32)
        bucket[:, :, :live], combo[:, :live] = ready.hands.bucket, ready.hands.combo
        card[:, :live] = ready.hands.cards
        self._launch.stream.synchronize()  # the last sweep reads them
        for array, values in (
            (batch.boards.bucket, bucket),
            (batch.boards.combo, combo),
            (batch.boards.card, card),
            (batch.order.sequence, ready.order.words),
            (batch.order.place, ready.order.place),
        ):
            array.copy_to_device(values.ravel())
        return batch

    def _room(self, count: int, order: Made) -> _Batch:
        """Return arrays for batches of `count` boards."""
        live, places, new = self.source.live, count * self._stride, device.zeros
        boards = kernels.GpuBoards(
            count,
            live,
            self._stride,
            self.program.slots,
            new(4 * places, np.int32),
            new(places, np.int32),
            new(2 * places, np.int32),
        )
        alive = device.upload(np.full(count, live, np.int32))
        sequence, place = new(len(order.words), np.uint64), new(order.place.size, np.uint32)
        return _Batch(boards, LeafOrder(live, alive, order.steps, sequence, place))

    def _sweep(self, ready: _Prepared) -> None:
        """Queue the sweep of a batch."""
        batch, threads = self._sent(ready), kernels.THREADS
        rows = ((self._num_decisions, -(-max(self.cards.counts) // threads)), threads, 0)
        self._launch(kernels.match_rows, rows, self._decisions, self._table, self._strategy, self._rule)
        for street in range(4):
            self._carry(kernels.carry_down, street, batch.boards)
        self._evaluate(batch)
        for street in reversed(range(4)):
            self._carry(kernels.carry_up, street, batch.boards)
        self._newer = True

    def _carry(self, kernel: Any, street: int, boards: kernels.GpuBoards) -> None:
        first, last = self.program.street_line[street : street + 2].tolist()
        if last > first:
            columns = -(-boards.hands // kernels.THREADS)
            shape = ((boards.boards * (last - first), columns), kernels.THREADS, 0)
            arrays = (self._lines, boards, self._strategy, self._table, self._flow, self._rule)
            self._launch(kernel, shape, *arrays, street, first, last - first)

    def _evaluate(self, batch: _Batch) -> None:
        boards, threads = batch.boards, kernels.THREADS
        if self._num_early:
            shape = ((self._num_early, boards.boards), threads, 2 * boards.hands * _FLOAT)
            self._launch(kernels.all_in_before_flop, shape, boards, *self._early, self._equity, self._flow)
        quads, stretch = len(self._ends.reach) // LEAVES, -(-boards.hands // threads) | 1
        if quads:
            places = threads * stretch + 2 + 4 * batch.order.steps * _LANES + sum_places(threads)
            shape = ((quads, boards.boards), threads, 4 * LEAVES * places)
            self._launch(kernels.evaluate_ends, shape, boards, batch.order, self._ends, self._flow, stretch)


class _Ahead:
    """The next batch, being made ready while the GPU has this one."""

    def __init__(self) -> None:
        self._what: tuple[int, int] | None = None
        self._made: Future[_Prepared] | None = None

    def ask(
        self, pool: ThreadPoolExecutor, make: Callable[[int, int], _Prepared], first: int, count: int
    ) -> None:
        """Have a batch made ready."""
        self._what, self._made = (first, count), pool.submit(make, first, count)

    def take(
        self, pool: ThreadPoolExecutor, make: Callable[[int, int], _Prepared], first: int, count: int
    ) -> _Prepared:
        """Return a batch: the one that was asked for, or another."""
        if self._made is None or self._what != (first, count):
            self.ask(pool, make, first, count)
        assert self._made is not None
        return self._made.result()


def check_gpu() -> None:
    """Refuse to train on a GPU where there is none."""
    usable, why = device.available()
    if not usable:
        raise ConfigError(f"{why}; leave out --device cuda, or use --device cpu")


def gpu_ends(program: LineProgram, pay: npt.NDArray[np.float32], exact: bool) -> kernels.GpuEnds:
    """Return the ends in fours, folds first; all-ins before the flop are left out where they are exact."""
    kinds = [(FOLDED,), (LATE_SHOWDOWN,) if exact else (LATE_SHOWDOWN, EARLY_SHOWDOWN)]
    rows: list[npt.NDArray[np.int32]] = [np.zeros(0, np.int32)] * 3
    factors = np.zeros((0, 4, LEAVES), np.float32)
    for folds, chosen in zip((True, False), kinds):
        ends = program.of_kind(*chosen)
        lanes = -(-2 * len(ends) // LEAVES) * LEAVES
        slots = program.ends[ends]
        value, reach = np.full(lanes, -1, np.int32), np.full(lanes, -1, np.int32)
        for player in range(2):
            value[player : 2 * len(ends) : 2] = player * program.slots + slots
            reach[player : 2 * len(ends) : 2] = (1 - player) * program.slots + slots
        win, tie, lose = (
            np.resize(np.ravel(pay[ends][:, :, k]), lanes) if len(ends) else np.zeros(0, np.float32)
            for k in range(3)
        )
        none = np.full(lanes, -1, np.int32)
        rows = [
            np.append(before, now)
            for before, now in zip(rows, (reach, value if folds else none, none if folds else value))
        ]
        four = np.stack([win - tie, tie - lose, lose, lose], axis=0).reshape(4, -1, LEAVES)
        factors = np.concatenate([factors, four.transpose(1, 0, 2)])
    up = device.upload
    return kernels.GpuEnds(up(rows[0]), up(rows[1]), up(rows[2]), up(factors.astype(np.float32).ravel()))


def _early_pays(pay: npt.NDArray[np.float32]) -> npt.NDArray[np.float32]:
    """Return lose and win - lose of both players: [n, 4] float32."""
    return np.stack(
        [pay[:, 0, 2], pay[:, 0, 0] - pay[:, 0, 2], pay[:, 1, 2], pay[:, 1, 0] - pay[:, 1, 2]], axis=1
    ).astype(np.float32)


def _decisions(trainer: BoardTrainer) -> npt.NDArray[np.int32]:
    """Return first entry, step, actions and buckets of every decision: [D, 4] int32."""
    record, counts = trainer.game.record, trainer.cards.counts
    found = [decision_at(record, n) for n in range(len(record)) if not is_end(head_of(record, n))]
    return np.array([(d.first, d.step, d.actions, counts[d.street]) for d in found], np.int32)
