"""Speed of blueprint training on the heads-up 100 big blind game of configs/heads-up.yaml.

    python benchmarks/bench_training.py

Measures, alternating and taking the best of several rounds: traversals a second of our kernel, of a plain
recursion with an allocation a node on the same tree and table layout, the floor set by memory (independent
reads of random rows of a table of this size, one for each row a traversal touches), and threads against one.
Buckets are 50/100/200 groups of hand strength blurred by noise, so that no file is needed: they cost the walk
what real ones cost; the time to look real ones up is not in the figures.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numba
import numpy as np

from overbet.blueprint.config import BlueprintConfig
from overbet.blueprint.trainer import Trainer
from overbet.cards.combos import class_of_combos
from overbet.cards.evaluator import evaluate_batch
from overbet.kernels.rng import below, stream_key, uniform
from overbet.kernels.training import train_block
from overbet.kernels.training_deal import Deals, classify_deals
from overbet.kernels.training_walks import Hand, end_value

TARGET = 50_000
COUNTS = (169, 50, 100, 200)
NOISE = (0.15, 0.08, 0.0)
DEALS, ROUNDS, WARM_UP = 4000, 7, 200_000
CONFIG = Path(__file__).parent.parent / "configs" / "heads-up.yaml"


class BlurredStrength:
    """Groups of the river rank with noise on the earlier streets."""

    counts = COUNTS
    digest = "blurred strength"
    deck = np.arange(52, dtype=np.int8)

    def fill(self, deals: Deals, players: int) -> None:
        classify_deals(deals, players, class_of_combos())
        rng = np.random.default_rng(len(deals.cards))
        for player in range(players if len(deals.cards) else 0):
            own = deals.cards[:, 2 * player : 2 * player + 2]
            seven = np.ascontiguousarray(np.hstack([own, deals.cards[:, 2 * players :]]))
            strength = evaluate_batch(seven) / 7463.0
            for street, (count, noise) in enumerate(zip(COUNTS[1:], NOISE), 1):
                blurred = strength + rng.normal(0.0, 1.0, len(seven)) * noise
                deals.bucket[:, player, street] = np.clip(blurred * count, 0, count - 1)

    def of_board(self, board: object) -> object:
        raise NotImplementedError


@numba.njit(nogil=True, error_model="numpy")
def plain(game, table, hand, key, drawn, n):  # type: ignore[no-untyped-def]
    """External sampling as one writes it first: a recursion, an array a node."""
    record = game.record
    head = record[n, 0]
    if head < 0:
        return end_value(game, hand, head, n)
    count, who = head >> 16, head & 255
    row = record[n, 2] + record[n, 3] * hand.bucket[who, head >> 8 & 255]
    sigma = np.empty(count)
    total = 0.0
    for a in range(count):
        sigma[a] = max(table[2 * (row + a)], 0.0)
        total += sigma[a]
    for a in range(count):
        sigma[a] = sigma[a] / total if total > 0 else 1.0 / count
    if who != hand.player:
        u, a, reached = uniform(key, drawn[0]), 0, sigma[0]
        drawn[0] += 1
        while a < count - 1 and u >= reached:
            a += 1
            reached += sigma[a]
        for b in range(count):
            table[2 * (row + b) + 1] += sigma[b]
        return plain(game, table, hand, key, drawn, record[n, 1] + a)
    values = np.empty(count)
    expected = 0.0
    for a in range(count):
        values[a] = plain(game, table, hand, key, drawn, record[n, 1] + a)
        expected += sigma[a] * values[a]
    for a in range(count):
        table[2 * (row + a)] += values[a] - expected
    return expected


@numba.njit(nogil=True, error_model="numpy")
def plain_block(game, table, deals, first):  # type: ignore[no-untyped-def]
    drawn = np.zeros(1, np.int64)
    for deal in range(len(deals.cards)):
        for player in range(2):
            hand = Hand(deals.bucket[deal], deals.strength[deal], deals.equity[deal], player)
            drawn[0] = 0
            plain(game, table, hand, stream_key(1, first + deal, player), drawn, 0)


@numba.njit(nogil=True, error_model="numpy")
def random_reads(table, count):  # type: ignore[no-untyped-def]
    """Read `count` independent places: what a table of this size costs when nothing waits for anything."""
    key, total = stream_key(1, 2, 3), np.float32(0.0)
    for i in range(count):
        total += table[below(key, i, len(table))]
    return total


def best(work: Callable[[], object]) -> float:
    started = time.perf_counter()
    work()
    return time.perf_counter() - started


def main() -> None:
    trainer = Trainer(BlueprintConfig.load(CONFIG), BlurredStrength())  # type: ignore[arg-type]
    print(f"{trainer.size.describe()}, {trainer.entries:,} entries, {trainer.table.nbytes / 1e6:.0f} MB")
    cores = os.cpu_count() or 1
    trainer.run(WARM_UP, workers=cores)
    other = trainer.table.copy()
    settings, step = trainer._settings, trainer._step(0)
    benches = trainer._benches
    deals = trainer.deals(9, 0, DEALS)
    game, table = trainer.game, trainer.table
    additions = train_block(game, table, deals, benches[0].work, settings, step, 0)
    plain_block(game, other, deals, 0)
    random_reads(table, 10)
    widest = sum(trainer.size.entries(COUNTS)) / sum(trainer.size.rows(COUNTS))
    rows = additions / (2 * DEALS) / widest

    def threads() -> None:
        with ThreadPoolExecutor(cores) as pool:
            tasks = [
                pool.submit(train_block, game, table, deals, bench.work, settings, step, 10**6 * (1 + place))
                for place, bench in enumerate(benches)
            ]
            for task in tasks:
                task.result()

    ours = recursion = floor = shared = float("inf")
    for turn in range(ROUNDS):
        first = turn * DEALS
        ours = min(
            ours,
            best(lambda: train_block(game, table, deals, benches[0].work, settings, step, first)),  # noqa: B023
        )
        recursion = min(recursion, best(lambda: plain_block(game, other, deals, first)))  # noqa: B023
        floor = min(floor, best(lambda: random_reads(table, int(rows * 2 * DEALS))))
        shared = min(shared, best(threads))
    walks = 2 * DEALS
    print(f"{'':34}{'traversals/s':>14}{'rows/s':>14}")
    for name, seconds in (
        ("ours", ours),
        ("plain recursion", recursion),
        ("memory floor (reads alone)", floor),
    ):
        print(f"{name:34}{walks / seconds:14,.0f}{rows * walks / seconds:14,.0f}")
    print(f"rows touched a traversal {rows:.0f}")
    print(f"ours / plain recursion   {recursion / ours:.2f}x (target {TARGET / 14_000:.1f}x)")
    print(f"ours / target            {walks / ours / TARGET:.2f}x of {TARGET:,} traversals/s")
    print(f"{cores} threads / one         {cores * ours / shared:.2f}x (12x on 16 cores wanted)")


if __name__ == "__main__":
    main()
