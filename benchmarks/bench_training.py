"""Speed of blueprint training on the heads-up 100 big blind game of configs/heads-up.yaml.

    python benchmarks/bench_training.py

A traversal is one walk of one player: an iteration heads up is one deal and two traversals. Measured on one
core by the processor's own time, so that other work on the machine counts little, alternating and taking the
best of several rounds, every round on new deals:

- ours, with all that an iteration does: deals, bucket lookups, hand ranks, walks, additions;
- the walks alone, and a plain recursion with an allocation a node on the same tree, table and deals;
- the floor set by memory: independent reads of random rows of a table of this size, one for each row touched;
- threads against one, by the clock (bench_scaling.py looks closer);
- where the time of a run goes: kernels against everything else, and the parts of an iteration.

With `standard` buckets (overbet buckets build) they are the real ones; without, hand strength with noise
stands in, and lookups are not in the figures.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numba
import numpy as np

from overbet.blueprint.cards import CardModel, load_cards
from overbet.blueprint.config import BlueprintConfig
from overbet.blueprint.loop import empty_deals
from overbet.blueprint.trainer import Trainer
from overbet.cards.combos import class_of_combos
from overbet.cards.evaluator import evaluate_batch, tables
from overbet.errors import ArtefactError
from overbet.kernels.rng import below, stream_key, uniform
from overbet.kernels.training.deal import Deals, classify_deals, deal_cards, pair_equities, rank_deals
from overbet.kernels.training.record import count_of, first_child, head_of, is_end, player_of
from overbet.kernels.training.train import train_block
from overbet.kernels.training.walks import Hand, end_value, row_of

TARGET, NAIVE = 50_000, 14_000
COUNTS = (169, 50, 100, 200)
NOISE = (0.15, 0.08, 0.0)
DEALS, ROUNDS, WARM_UP, RUN = 8192, 7, 400_000, 200_000
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
    head = head_of(record, n)
    if is_end(head):
        return end_value(game, hand, head, n)
    count, who, row = count_of(head), player_of(head), row_of(game, hand, n, head)
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
        return plain(game, table, hand, key, drawn, first_child(record, n) + a)
    values = np.empty(count)
    expected = 0.0
    for a in range(count):
        values[a] = plain(game, table, hand, key, drawn, first_child(record, n) + a)
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


class Parts:
    """Processor seconds of the parts of an iteration; the best round of each."""

    def __init__(self) -> None:
        self.best: dict[str, float] = {}

    def time(self, name: str, work: Callable[[], object]) -> None:
        started = time.process_time()
        work()
        taken = time.process_time() - started
        self.best[name] = min(taken, self.best.get(name, float("inf")))


def cards_for(config: BlueprintConfig) -> tuple[CardModel, str]:
    try:
        return load_cards(config.cards), f"buckets {config.cards.path!r}"
    except ArtefactError:
        return BlurredStrength(), "blurred strength in place of buckets"  # type: ignore[return-value]


def main() -> None:
    config = BlueprintConfig.load(CONFIG)
    cards, words = cards_for(config)
    trainer = Trainer(config, cards)
    print(f"{trainer.describe()}; {words}")
    cores = os.cpu_count() or 1
    trainer.run(WARM_UP, workers=cores)
    other = trainer.table.copy()
    settings, step = trainer._settings, trainer._step(0)
    spaces = trainer.worker_spaces(cores)
    game, table, deals = trainer.game, trainer.table, empty_deals(DEALS, 2)
    parts, additions = Parts(), 0

    def shared() -> float:
        """Return the seconds of every core's traversals of the same deals, by the clock."""
        with ThreadPoolExecutor(cores) as pool:
            started = time.perf_counter()
            tasks = [
                pool.submit(train_block, game, table, deals, space, settings, step, 10**6 * place)
                for place, space in enumerate(spaces, 1)
            ]
            for task in tasks:
                task.result()
            return time.perf_counter() - started

    alone = together = float("inf")
    for turn in range(ROUNDS + 1):
        first = 10**8 + turn * DEALS
        if turn == 1:
            parts = Parts()  # the first round compiled
        parts.time("cards", lambda: deal_cards(deals.cards, cards.deck, 2, 9, first))  # noqa: B023
        parts.time("buckets", lambda: cards.fill(deals, 2))
        parts.time("ranks", lambda: rank_deals(deals, 2, tables()))
        parts.time("equities", lambda: pair_equities(deals, 2, trainer._equities))
        started = time.perf_counter()

        def walk() -> None:
            nonlocal additions
            additions = train_block(game, table, deals, spaces[0], settings, step, first)  # noqa: B023

        parts.time("walk", walk)
        if turn:
            alone = min(alone, time.perf_counter() - started)
            together = min(together, shared())
        parts.time("plain", lambda: plain_block(game, other, deals, first))  # noqa: B023
        widest = sum(trainer.size.entries(cards.counts)) / sum(trainer.size.rows(cards.counts))
        rows = additions / (2 * DEALS) / widest
        parts.time("floor", lambda: random_reads(table, int(rows * 2 * DEALS)))  # noqa: B023
    walks, best = 2 * DEALS, parts.best
    inside = ("cards", "buckets", "ranks", "equities", "walk")
    ours = sum(best[name] for name in inside)
    print(f"{'one core':34}{'traversals/s':>14}{'nodes/s':>14}")
    for name, seconds in (
        ("ours, whole iterations", ours),
        ("ours, walks alone", best["walk"]),
        ("plain recursion, walks alone", best["plain"]),
        ("memory floor (reads alone)", best["floor"]),
    ):
        print(f"{name:34}{walks / seconds:14,.0f}{rows * walks / seconds:14,.0f}")
    print(f"decision nodes a traversal   {rows:.0f}")
    print(f"ours / target                {walks / ours / TARGET:.2f}x of {TARGET:,} traversals/s")
    print(f"walks / plain recursion      {best['plain'] / best['walk']:.2f}x (target {TARGET / NAIVE:.1f}x)")
    print(f"{cores} threads / one              {cores * alone / together:.2f}x (12x on 16 cores wanted)")
    print("an iteration:  " + ", ".join(f"{n} {best[n] / DEALS * 1e6:.2f} us" for n in inside))
    profile(config, cards)


def profile(config: BlueprintConfig, cards: CardModel) -> None:
    """Print the share of a run's processor time that is spent in kernels."""
    import overbet.blueprint.cards as of_cards
    import overbet.blueprint.loop as of_loop
    import overbet.blueprint.trainer as of_trainer
    import overbet.kernels.abstraction.buckets as of_buckets

    inside = 0.0

    def timed(work: Callable[..., object]) -> Callable[..., object]:
        def wrapped(*arguments: object) -> object:
            nonlocal inside
            before = time.thread_time()
            found = work(*arguments)
            inside += time.thread_time() - before
            return found

        return wrapped

    places = (
        (of_trainer, "train_block"),
        (of_trainer, "discount"),
        (of_loop, "deal_cards"),
        (of_loop, "rank_deals"),
        (of_loop, "pair_equities"),
        (of_buckets, "deal_buckets"),
        (of_cards, "classify_deals"),
    )
    trainer = Trainer(config, cards)
    trainer.run(1000, workers=1)
    before = [getattr(module, name) for module, name in places]
    for (module, name), kernel in zip(places, before):
        setattr(module, name, timed(kernel))
    started = time.process_time()
    trainer.run(RUN, workers=1)
    taken = time.process_time() - started
    for (module, name), kernel in zip(places, before):
        setattr(module, name, kernel)
    print(f"in kernels                   {inside / taken:.1%} of a run's processor time (two thirds wanted)")


if __name__ == "__main__":
    main()
