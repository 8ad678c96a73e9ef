"""One iteration of public-chance-sampled CFR (Johanson et al. 2012) on the CPU: one board, the whole tree.

Depth first: what is kept is one decision at each depth, for all hands of both players, so that the work
stays in the second-level cache. Both players learn from the same sweep. With reach_o the opponent's reach and
u what an end pays in big blinds, a hand h of the actor adds

    regret(a)   +=  weight * (v(h, a) - v(h)) / (H * O),     v(h, a) = sum over o of reach_o(o) u(h, o)
    average(a)  +=  average weight * own reach(h) * strategy(a) / H

to the row of its bucket, H being the hands of the board and O those that go with one of them. That is what a
sampled deal adds on average: tables of both trainers have one unit, and one board counts as one deal.

With a tremble e both players play (1 - e) * strategy + e / actions: every line is reached in every iteration,
and what answers it is learned against all hands, not only against those that would go there (Selten's
trembling hand). Values and reaches are those of trembling players; regrets and averages are of the strategy
without its tremble.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from overbet.kernels.boards.ends import CARDS, end_values
from overbet.kernels.boards.hands import SweptHands
from overbet.kernels.jit import kernel, lean
from overbet.kernels.regret import RuleStep
from overbet.kernels.training.numbers import average_slot, regret_slot
from overbet.kernels.training.record import (
    count_of,
    end_at,
    first_child,
    head_of,
    is_end,
    player_of,
    row_at,
    street_of,
)


class SweptGame(NamedTuple):
    """What a sweep reads of a tree: N nodes, T ends; amounts in big blinds.

    record: [N, 4] int64, see `kernels.training.record`; pay: [T, 2, 3] float32, what a player wins at an end
    by winning, tying and losing the showdown, all alike without one; equity: [1326, 1326] float32 of hands
    all in before the flop, [0, 0] where the board decides; shares: (1 / (H * O), 1 / H); tremble: how often
    a player acts at random.
    """

    record: npt.NDArray[np.int64]
    pay: npt.NDArray[np.float32]
    equity: npt.NDArray[np.float32]
    shares: tuple[float, float]
    tremble: float


class SweepWork(NamedTuple):
    """Work space: D depths, A actions, H hands.

    node, child: [D] int64; reach: [D, 2, H] float32, by player; strategy: [D, A, H] float32;
    value: [D, A, 2, H] float32, of actions to players; by_card: [52] float32
    """

    node: npt.NDArray[np.int64]
    child: npt.NDArray[np.int64]
    reach: npt.NDArray[np.float32]
    strategy: npt.NDArray[np.float32]
    value: npt.NDArray[np.float32]
    by_card: npt.NDArray[np.float32]


def sweep_work(depth: int, actions: int, hands: int) -> SweepWork:
    """Return work space for lines of `depth` decisions."""
    return SweepWork(
        np.zeros(depth + 1, np.int64),
        np.zeros(depth + 1, np.int64),
        np.zeros((depth + 1, 2, hands), np.float32),
        np.zeros((depth + 1, actions, hands), np.float32),
        np.zeros((depth + 1, actions, 2, hands), np.float32),
        np.zeros(CARDS, np.float32),
    )


@lean
def _match(table: Any, record: Any, n: int, bucket: Any, count: int, tremble: Any, strategy: Any) -> None:
    """Write regret matching's strategy with its tremble, strategy: [A, H]; bucket: [H] int32."""
    kept, even = np.float32(1.0) - tremble, np.float32(1.0) / np.float32(count)
    for j in range(len(bucket)):
        row, total = row_at(record, n, bucket[j]), np.float32(0.0)
        for a in range(count):
            positive = max(table[regret_slot(row + a)], np.float32(0.0))
            strategy[a, j] = positive
            total += positive
        if total > 0.0:
            for a in range(count):
                strategy[a, j] = kept * (strategy[a, j] / total) + tremble * even
        else:
            for a in range(count):
                strategy[a, j] = even


@lean
def _reached(reach: Any) -> bool:
    """Return whether any hand of either player comes here; reach: [2, H]."""
    for player in range(2):
        for j in range(reach.shape[1]):
            if reach[player, j] > 0.0:
                return True
    return False


@lean
def _learn(
    game: SweptGame,
    table: Any,
    work: SweepWork,
    depth: int,
    bucket: Any,
    actor: int,
    step: RuleStep,
    out: Any,
) -> None:
    """Add what a decision teaches, and write what it is worth, out: [2, H] float32, by player."""
    n, hands = work.node[depth], len(bucket)
    count, other = count_of(head_of(game.record, n)), 1 - actor
    value, strategy = work.value[depth], work.strategy[depth]
    by_regret, by_share = np.float32(game.shares[0]), np.float32(game.shares[1])
    tremble, even = np.float32(game.tremble), np.float32(1.0) / np.float32(count)
    again = np.float32(1.0) / (np.float32(1.0) - tremble)
    for j in range(hands):
        own, others, every = np.float32(0.0), np.float32(0.0), np.float32(0.0)
        for a in range(count):
            own += strategy[a, j] * value[a, actor, j]
            others += value[a, other, j]
            every += value[a, actor, j]
        out[actor, j], out[other, j] = own, others
        own = (own - tremble * even * every) * again
        row = row_at(game.record, n, bucket[j])
        share = work.reach[depth, actor, j] * by_share * step.average_weight
        for a in range(count):
            slot, gain = regret_slot(row + a), (value[a, actor, j] - own) * by_regret * step.weight
            table[slot] = max(table[slot] + gain, step.floor)
            table[average_slot(row + a)] += share * ((strategy[a, j] - tremble * even) * again)


@kernel
def sweep_boards(
    game: SweptGame, table: Any, hands: SweptHands, work: SweepWork, step: RuleStep, root: Any
) -> None:
    """Run an iteration for each board and add what it finds at once.

    table: [2 * entries] float32; root: [B, 2, H] float32, filled with what the hand is worth to every hand of
    both players, against the opponent's reach at the beginning (1 each).
    """
    record, node, child, reach = game.record, work.node, work.child, work.reach
    for board in range(len(hands.combo)):
        reach[0] = 1.0
        node[0], child[0], depth = 0, 0, 0
        while depth >= 0:
            n = node[depth]
            head = head_of(record, n)
            actor, count, street = player_of(head), count_of(head), street_of(head)
            bucket = hands.bucket[board, street]
            if child[depth] == 0:
                _match(table, record, n, bucket, count, np.float32(game.tremble), work.strategy[depth])
            if child[depth] == count:
                above = depth - 1
                out = work.value[above, child[above]] if depth > 0 else root[board]
                _learn(game, table, work, depth, bucket, actor, step, out)
                depth = above
                if depth >= 0:
                    child[depth] += 1
                continue
            a = child[depth]
            below = first_child(record, n) + a
            for j in range(len(bucket)):
                reach[depth + 1, actor, j] = reach[depth, actor, j] * work.strategy[depth, a, j]
                reach[depth + 1, 1 - actor, j] = reach[depth, 1 - actor, j]
            kind = head_of(record, below)
            if is_end(kind):
                pay = game.pay[end_at(record, below)]
                for player in range(2):
                    against = reach[depth + 1, 1 - player]
                    into = work.value[depth, a, player]
                    end_values(hands, board, kind, against, pay[player], work.by_card, game.equity, into)
                child[depth] += 1
            elif not _reached(reach[depth + 1]):
                work.value[depth, a] = 0.0
                child[depth] += 1
            else:
                depth += 1
                node[depth], child[depth] = below, 0
