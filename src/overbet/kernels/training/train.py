"""Training loops over dense tables: blocks of iterations, merging of logs, discounts of the whole table.

Two ways to run the same walks:

- `train_block`: every walk's log is added at once. One thread gives the textbook algorithm; several threads
  on the same table lose an addition now and then and are otherwise as good (Hogwild).
- `walk_block` and `merge`: all walks of a batch read the same table; the logs are added afterwards in the
  order of iterations, each thread taking a stretch of the table. Any number of threads leaves the same bits.

The rule's scalars (`kernels.regret.Step`) act by epochs: `numbers.discount` at the start of one, the
weights and the floor on every addition in it.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from overbet.kernels.jit import inlined, kernel
from overbet.kernels.regret import RuleStep
from overbet.kernels.rng import stream_key
from overbet.kernels.sampling.rows import moved_towards
from overbet.kernels.training.deal import Deals
from overbet.kernels.training.numbers import added, average_slot, regret_slot
from overbet.kernels.training.record import (
    count_of,
    first_child,
    head_of,
    is_end,
    player_of,
    row_at,
    street_of,
)
from overbet.kernels.training.walks import (
    EXTERNAL,
    Hand,
    WalkedGame,
    WalkSettings,
    WalkWork,
    average_line,
    external_walk,
    outcome_walk,
)


@inlined
def _hand_of(deals: Deals, deal: int, player: int) -> Hand:
    return Hand(deals.bucket[deal], deals.strength[deal], deals.equity[deal], player)


@inlined
def _walk(
    game: WalkedGame,
    table: Any,
    hand: Hand,
    work: WalkWork,
    settings: WalkSettings,
    weights: Any,
    iteration: int,
    logged: int,
) -> int:
    """Run one player's walks of an iteration; return the length of the log."""
    key = stream_key(settings.seed, iteration, hand.player)
    if settings.method == EXTERNAL:
        logged = external_walk(game, table, hand, work, settings, key, weights, logged)
    else:
        logged = outcome_walk(game, table, hand, work, settings, key, weights, logged)
    if settings.players > 2:
        for line in range(settings.lines):
            stream = settings.players * (1 + line) + hand.player
            key = stream_key(settings.seed, iteration, stream)
            logged = average_line(game, table, hand, work, settings, key, weights, logged)
    return logged


@kernel
def train_block(
    game: WalkedGame,
    table: Any,
    deals: Deals,
    work: WalkWork,
    settings: WalkSettings,
    step: RuleStep,
    first: int,
) -> int:
    """Run iterations first, first + 1, ... one for each deal and add what they find at once.

    table: [2 * entries, and baselines] float32 or int32; step: scalars of the epoch, float32. Return how
    many entries were added to.
    """
    weights = (step.weight, step.average_weight)
    additions = 0
    for deal in range(len(deals.cards)):
        for player in range(settings.players):
            hand = _hand_of(deals, deal, player)
            logged = _walk(game, table, hand, work, settings, weights, first + deal, 0)
            additions += logged
            for e in range(logged):
                _add(table, work.slot[e], work.amount[e], settings, step.floor)
    return additions


@kernel
def walk_block(
    game: WalkedGame,
    table: Any,
    deals: Deals,
    work: WalkWork,
    settings: WalkSettings,
    step: RuleStep,
    first: int,
) -> int:
    """Run the same iterations on a table that stays as it is; return the length of the log."""
    weights = (step.weight, step.average_weight)
    logged = 0
    for deal in range(len(deals.cards)):
        for player in range(settings.players):
            hand = _hand_of(deals, deal, player)
            logged = _walk(game, table, hand, work, settings, weights, first + deal, logged)
    return logged


@inlined
def _add(table: Any, slot: int, amount: Any, settings: WalkSettings, floor: Any) -> None:
    if slot < regret_slot(settings.entries):
        added(table, slot, amount, floor)
    else:
        moved_towards(table, slot, amount, np.float32(settings.baseline))


@kernel
def merge(
    table: Any, work: WalkWork, logged: int, settings: WalkSettings, floor: Any, low: int, high: int
) -> None:
    """Add a log to table[low:high]."""
    for e in range(logged):
        slot = work.slot[e]
        if low <= slot < high:
            _add(table, slot, work.amount[e], settings, floor)


@kernel
def progress_of(
    record: npt.NDArray[np.int64], table: Any, buckets: npt.NDArray[np.int64], low: int, high: int
) -> tuple[int, int, float]:
    """Of nodes low .. high-1 return rows that were reached, rows, and the reached rows' positive regret."""
    touched, rows, total = 0, 0, 0.0
    for n in range(low, high):
        head = head_of(record, n)
        if is_end(head):
            continue
        count = count_of(head)
        for bucket in range(buckets[street_of(head)]):
            row = row_at(record, n, bucket)
            reached, positive = False, 0.0
            for a in range(count):
                regret = table[regret_slot(row + a)]
                reached |= regret != 0.0 or table[average_slot(row + a)] != 0.0
                positive += max(regret, 0.0)
            rows += 1
            if reached:
                touched += 1
                total += positive
    return touched, rows, total


@kernel
def walk_bounds(
    record: npt.NDArray[np.int64], players: int, outcome: bool, lines: int
) -> tuple[int, int, int]:
    """Return the most places and log entries a player's walks of an iteration need, and the longest line."""
    nodes = len(record)
    depth = np.zeros(nodes, np.int64)  # decisions from here to the end
    wide = np.zeros(nodes, np.int64)  # entries along the widest line
    most_places, most_entries = 0, 0
    for player in range(players):
        places, entries = np.ones(nodes, np.int64), np.zeros(nodes, np.int64)
        for n in range(nodes - 1, -1, -1):
            head = head_of(record, n)
            if is_end(head):
                continue
            first, count = first_child(record, n), count_of(head)
            deep, broad, sum_places, sum_entries, max_places, max_entries = 0, 0, 1, 0, 0, 0
            for child in range(first, first + count):
                deep, broad = max(deep, depth[child]), max(broad, wide[child])
                sum_places += places[child]
                sum_entries += entries[child]
                max_places = max(max_places, places[child])
                max_entries = max(max_entries, entries[child])
            depth[n], wide[n] = deep + 1, broad + count
            own = player_of(head) == player and not outcome
            places[n] = sum_places if own else max_places
            entries[n] = count + 1 + (sum_entries if own else max_entries)  # 1: a baseline
        most_places, most_entries = max(most_places, places[0]), max(most_entries, entries[0])
    if players > 2:
        most_entries += lines * wide[0]
    return most_places + depth[0] + 1, most_entries, depth[0]
