"""Best responses to a fixed strategy: exact sums over deals, lists of all deals, and learning by sampling.

In push or fold no player acts twice in a hand, so the value of an action at a row is a plain sum over deals
(`action_values`): the others' reach times what the player wins when they go on as they play. The best
response takes the best action of every row.

In longer games `respond_block` learns a response by external sampling while the others play a fixed strategy,
and `response_gains` plays it on other deals against the strategy it is compared with: both on the same cards
and the same sampled actions of the others, so that the difference has little noise.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from overbet.kernels.jit import kernel
from overbet.kernels.regret import RuleStep
from overbet.kernels.rng import stream_key, uniform
from overbet.kernels.sampling.rows import average_value, best_of, matched, picked, total_of
from overbet.kernels.training.deal import Deals
from overbet.kernels.training.numbers import STRIDE, average_slot, is_regret, regret_slot
from overbet.kernels.training.record import (
    count_of,
    first_child,
    head_of,
    is_end,
    player_of,
    row_at,
    street_of,
)
from overbet.kernels.training.tree import MOST_ACTIONS
from overbet.kernels.training.walks import (
    Hand,
    WalkedGame,
    WalkSettings,
    WalkWork,
    end_value,
    external_walk,
    row_of,
)

_NOT_YET = -1


@kernel
def acts_twice(record: npt.NDArray[np.int64], players: int) -> bool:
    """Return whether some player has two decisions on one line."""
    seen = np.zeros(len(record), np.int64)
    for n in range(len(record)):
        head = head_of(record, n)
        if is_end(head):
            continue
        bit = 1 << player_of(head)
        if seen[n] & bit:
            return True
        for child in range(first_child(record, n), first_child(record, n) + count_of(head)):
            seen[child] = seen[n] | bit
    return False


@kernel
def action_values(
    game: WalkedGame, strategy: Any, deals: Deals, players: int, worth: Any, passive: Any
) -> None:
    """Add the deals' values. strategy: [entries] float64, shares by row; worth: [entries] float64;
    passive: [players] float64, what a player gets on lines without a decision of theirs.

    Nobody acts twice on a line: so many decisions wait at most, with all their actions.
    """
    record = game.record
    room = players * MOST_ACTIONS + 1
    nodes = np.empty(room, np.int64)
    tags = np.empty(room, np.int64)
    reach = np.empty(room, np.float64)
    for deal in range(len(deals.cards)):
        for player in range(players):
            hand = Hand(deals.bucket[deal], deals.strength[deal], deals.equity[deal], player)
            nodes[0], tags[0], reach[0] = 0, _NOT_YET, 1.0
            height = 1
            while height > 0:
                height -= 1
                n, tag, weight = nodes[height], tags[height], reach[height]
                head = head_of(record, n)
                if is_end(head):
                    value = weight * end_value(game, hand, head, n)
                    if tag == _NOT_YET:
                        passive[player] += value
                    else:
                        worth[tag] += value
                    continue
                who, row = player_of(head), row_of(game, hand, n, head)
                for a in range(count_of(head)):
                    share = 1.0 if who == player else strategy[row + a]
                    if share > 0.0:
                        nodes[height], reach[height] = first_child(record, n) + a, weight * share
                        tags[height] = row + a if who == player else tag
                        height += 1


@kernel
def fixed_strategy(
    record: npt.NDArray[np.int64],
    averages: Any,
    buckets: npt.NDArray[np.int64],
    table: Any,
    player: int,
    prior: float,
) -> None:
    """Fill the regrets of a table so that matching them plays the averages of another table.

    averages, table: [2 * entries]. Shares add up to 1, to `prior` in the rows of `player`: a response that
    starts from them begins as the strategy itself and leaves it as it learns better.
    """
    for n in range(len(record)):
        head = head_of(record, n)
        if is_end(head):
            continue
        count = count_of(head)
        whole = prior if player_of(head) == player else 1.0
        for bucket in range(buckets[street_of(head)]):
            row = row_at(record, n, bucket)
            total = total_of(averages, average_slot(row), STRIDE, count)
            for entry in range(row, row + count):
                share = averages[average_slot(entry)] / total if total > 0.0 else 1.0 / count
                table[regret_slot(entry)] = np.float32(whole * share)


@kernel
def respond_block(
    game: WalkedGame,
    table: Any,
    deals: Deals,
    work: WalkWork,
    settings: WalkSettings,
    step: RuleStep,
    first: int,
    player: int,
) -> None:
    """Run one player's walks of iterations first, first + 1, ...; the others' rows stay as they are."""
    weights = (step.weight, step.average_weight)
    for deal in range(len(deals.cards)):
        hand = Hand(deals.bucket[deal], deals.strength[deal], deals.equity[deal], player)
        key = stream_key(settings.seed, first + deal, player)
        logged = external_walk(game, table, hand, work, settings, key, weights, 0)
        for e in range(logged):
            if is_regret(work.slot[e]):
                table[work.slot[e]] += work.amount[e]


@kernel
def response_gains(
    game: WalkedGame,
    table: Any,
    averages: Any,
    deals: Deals,
    work: WalkWork,
    settings: WalkSettings,
    player: int,
    out: Any,
) -> None:
    """Play a learned response on deals; the others act as `table` has them.

    table: the player's rows as `respond_block` left them; averages: [2 * entries], the strategy it is
    compared with; out: [deals, 2] float64, receives what the response and that strategy win.
    """
    record, place, link, row = game.record, work.place, work.link, work.row
    sigma, value = work.sigma, work.value
    mean = np.zeros(len(value), np.float64)
    for deal in range(len(deals.cards)):
        hand = Hand(deals.bucket[deal], deals.strength[deal], deals.equity[deal], player)
        key, drawn, head, tail = stream_key(settings.seed, deal, player), 0, 0, 1
        place[0] = 0
        while head < tail:
            n = place[head]
            kind = head_of(record, n)
            while not is_end(kind) and player_of(kind) != player:
                here, count = row_of(game, hand, n, kind), count_of(kind)
                matched(table, regret_slot(here), STRIDE, count, sigma, 0)
                n = first_child(record, n) + picked(sigma, 0, count, uniform(key, drawn))
                drawn += 1
                kind = head_of(record, n)
            place[head] = n
            if is_end(kind):
                value[head] = end_value(game, hand, kind, n)
                mean[head], link[head] = value[head], 0
            else:
                row[head], link[head] = row_of(game, hand, n, kind), tail
                for a in range(count_of(kind)):
                    place[tail + a] = first_child(record, n) + a
                tail += count_of(kind)
            head += 1
        for head in range(tail - 1, -1, -1):
            below = link[head]
            if below == 0:
                continue
            count, here = count_of(head_of(record, place[head])), row[head]
            value[head] = value[below + best_of(table, regret_slot(here), STRIDE, count)]
            mean[head] = average_value(averages, average_slot(here), STRIDE, count, mean, below)
        out[deal, 0], out[deal, 1] = value[0], mean[0]
