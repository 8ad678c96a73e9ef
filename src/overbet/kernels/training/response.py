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

from overbet.kernels.jit import inlined, kernel
from overbet.kernels.regret import Step
from overbet.kernels.rng import stream_key, uniform
from overbet.kernels.training.deal import Deals
from overbet.kernels.training.tree import MOST_ACTIONS
from overbet.kernels.training.walks import (
    Game,
    Hand,
    Settings,
    Work,
    end_value,
    external_walk,
    matched,
    picked,
)

_NOT_YET = -1


@kernel
def acts_twice(record: npt.NDArray[np.int64], players: int) -> bool:
    """Return whether some player has two decisions on one line."""
    seen = np.zeros(len(record), np.int64)
    for n in range(len(record)):
        head = record[n, 0]
        if head < 0:
            continue
        bit = 1 << (head & 255)
        if seen[n] & bit:
            return True
        for child in range(record[n, 1], record[n, 1] + (head >> 16)):
            seen[child] = seen[n] | bit
    return False


@kernel
def action_values(game: Game, strategy: Any, deals: Deals, players: int, worth: Any, passive: Any) -> None:
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
                head = record[n, 0]
                if head < 0:
                    value = weight * end_value(game, hand, head, n)
                    if tag == _NOT_YET:
                        passive[player] += value
                    else:
                        worth[tag] += value
                    continue
                who = head & 255
                row = record[n, 2] + record[n, 3] * hand.bucket[who, head >> 8 & 255]
                for a in range(head >> 16):
                    share = 1.0 if who == player else strategy[row + a]
                    if share > 0.0:
                        nodes[height], reach[height] = record[n, 1] + a, weight * share
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
        head = record[n, 0]
        if head < 0:
            continue
        count = head >> 16
        whole = prior if head & 255 == player else 1.0
        for bucket in range(buckets[head >> 8 & 255]):
            row = record[n, 2] + record[n, 3] * bucket
            total = 0.0
            for a in range(count):
                total += averages[2 * (row + a) + 1]
            for a in range(count):
                share = averages[2 * (row + a) + 1] / total if total > 0.0 else 1.0 / count
                table[2 * (row + a)] = np.float32(whole * share)


@kernel
def respond_block(
    game: Game, table: Any, deals: Deals, work: Work, settings: Settings, step: Step, first: int, player: int
) -> None:
    """Run one player's walks of iterations first, first + 1, ...; the others' rows stay as they are."""
    weights = (step.weight, step.average_weight)
    for deal in range(len(deals.cards)):
        hand = Hand(deals.bucket[deal], deals.strength[deal], deals.equity[deal], player)
        key = stream_key(settings.seed, first + deal, player)
        logged = external_walk(game, table, hand, work, settings, key, weights, 0)
        for e in range(logged):
            if not work.slot[e] & 1:
                table[work.slot[e]] += work.amount[e]


@inlined
def _best_of(table: Any, row: Any, count: Any) -> Any:
    best = 0
    for a in range(1, count):
        if table[2 * (row + a)] > table[2 * (row + best)]:
            best = a
    return best


@kernel
def response_gains(
    game: Game, table: Any, averages: Any, deals: Deals, work: Work, settings: Settings, player: int, out: Any
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
            kind = record[n, 0]
            while kind >= 0 and kind & 255 != player:
                here = record[n, 2] + record[n, 3] * hand.bucket[kind & 255, kind >> 8 & 255]
                matched(table, here, kind >> 16, sigma, 0)
                n = record[n, 1] + picked(sigma, 0, kind >> 16, uniform(key, drawn))
                drawn += 1
                kind = record[n, 0]
            place[head] = n
            if kind < 0:
                value[head] = end_value(game, hand, kind, n)
                mean[head], link[head] = value[head], 0
            else:
                row[head] = record[n, 2] + record[n, 3] * hand.bucket[player, kind >> 8 & 255]
                link[head] = tail
                for a in range(kind >> 16):
                    place[tail + a] = record[n, 1] + a
                tail += kind >> 16
            head += 1
        for head in range(tail - 1, -1, -1):
            below = link[head]
            if below == 0:
                continue
            count, here = record[place[head], 0] >> 16, row[head]
            value[head] = value[below + _best_of(table, here, count)]
            total, sum_of = 0.0, 0.0
            for a in range(count):
                share = np.float64(averages[2 * (here + a) + 1])
                total += share
                sum_of += share * mean[below + a]
            if total <= 0.0:
                for a in range(count):
                    sum_of += mean[below + a]
                total = count
            mean[head] = sum_of / total
        out[deal, 0], out[deal, 1] = value[0], mean[0]
