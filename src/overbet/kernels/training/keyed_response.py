"""A response to keyed tables, learned and judged by sampling: `response` without a tree."""

from __future__ import annotations

from typing import Any

import numpy as np

from overbet.kernels.holdem.layout import ACTOR
from overbet.kernels.jit import inlined, kernel
from overbet.kernels.regret import RuleStep
from overbet.kernels.rng import stream_key, uniform
from overbet.kernels.sampling.rows import average_value, best_of, picked, total_of
from overbet.kernels.training.deal import Deals
from overbet.kernels.training.keyed import (
    COUNT,
    NEXT,
    OK,
    ROW,
    KeyedGame,
    KeyedWork,
    begin,
    decide,
    end_of,
    go,
    go_down,
    keyed_walk,
    read_textures,
)
from overbet.kernels.training.keys import KeyedTable, find_row, first_entry
from overbet.kernels.training.numbers import STRIDE, average_slot, regret_slot
from overbet.kernels.training.walks import Hand, WalkSettings


@kernel
def fixed_rows(averages: KeyedTable, table: KeyedTable, prior: float) -> None:
    """Fill the regrets of a table with the same keys so that matching them plays the averages.

    Shares add up to `prior`: for those who never learn that is the strategy, for the one who does the start.
    """
    width = averages.width
    for row in range(len(averages.keys)):
        first = first_entry(averages, row)
        total = total_of(averages.numbers, average_slot(first), STRIDE, width)
        for entry in range(first, first + width):
            share = averages.numbers[average_slot(entry)] / total if total > 0.0 else 0.0
            table.numbers[regret_slot(entry)] = np.float32(prior * share)
            table.numbers[average_slot(entry)] = np.float32(0.0)


@kernel
def respond_rows(
    game: KeyedGame,
    table: KeyedTable,
    deals: Deals,
    work: KeyedWork,
    settings: WalkSettings,
    step: RuleStep,
    first: int,
    player: int,
) -> None:
    """Run one player's walks of iterations first, first + 1, ...; the others' rows stay as they are."""
    work.flag[0] = OK
    for deal in range(len(deals.cards)):
        read_textures(game, deals.cards[deal], len(deals.bucket[deal]), work)
        hand = Hand(deals.bucket[deal], deals.strength[deal], deals.equity[deal], player)
        key = stream_key(settings.seed, first + deal, player)
        keyed_walk(game, table, hand, work, settings, key, step, 0)
        if work.flag[0] != OK:
            return


@inlined
def _best_value(table: KeyedTable, row: Any, count: Any, value: Any) -> Any:
    """Return the value of the row's best action; of all alike where it has none."""
    if row < 0:
        total = np.float32(0.0)
        for a in range(count):
            total += value[a]
        return total / np.float32(count)
    return value[best_of(table.numbers, regret_slot(first_entry(table, row)), STRIDE, count)]


@inlined
def _mean_value(averages: KeyedTable, key: Any, count: Any, value: Any) -> Any:
    """Return the value of the average strategy."""
    row = find_row(averages, key)
    first = average_slot(first_entry(averages, row)) if row >= 0 else row
    return average_value(averages.numbers, first, STRIDE, count, value, 0)


@kernel
def response_gains_of_rows(
    game: KeyedGame,
    table: KeyedTable,
    averages: KeyedTable,
    deals: Deals,
    work: KeyedWork,
    settings: WalkSettings,
    player: int,
    out: Any,
) -> None:
    """Play a learned response on deals; see `response.response_gains`. out: [deals, 2] float64."""
    mean = np.zeros(work.value.shape, np.float64)
    for deal in range(len(deals.cards)):
        read_textures(game, deals.cards[deal], len(deals.bucket[deal]), work)
        hand = Hand(deals.bucket[deal], deals.strength[deal], deals.equity[deal], player)
        key, drawn, d, street = stream_key(settings.seed, deal, player), 0, 0, np.int64(0)
        begin(game, work)
        arrived, best_found, mean_found = True, np.float32(0.0), 0.0
        while d >= 0:
            facts = work.facts[d]
            if arrived:
                state = work.state[d]
                while state[ACTOR] >= 0 and state[ACTOR] != player:
                    count = decide(game, table, hand, work, d)
                    a = picked(work.sigma[d], 0, count, uniform(key, drawn))
                    drawn += 1
                    street = go(work, d, work.actions[d, a])
                arrived = False
                if state[ACTOR] >= 0:
                    decide(game, table, hand, work, d)
                    continue
                best_found = end_of(game, hand, work, d, street)
                mean_found = np.float64(best_found)
            elif facts[NEXT] < facts[COUNT]:
                street = go_down(work, d, facts[NEXT])
                facts[NEXT] += 1
                d += 1
                arrived = True
                continue
            else:
                best_found = _best_value(table, facts[ROW], facts[COUNT], work.value[d])
                mean_found = _mean_value(averages, work.key[d], facts[COUNT], mean[d])
            d -= 1
            if d >= 0:
                work.value[d, work.facts[d, NEXT] - 1] = best_found
                mean[d, work.facts[d, NEXT] - 1] = mean_found
        out[deal, 0], out[deal, 1] = best_found, mean_found
