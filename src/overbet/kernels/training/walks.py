"""Walks of Monte Carlo CFR over the betting tree of a whole hand, on dense tables.

A table is [entry, 2] float32 or int32 laid out flat: regret and average sum of an action side by side, the
actions of a row (decision, bucket) contiguous, so that a visit costs one cache line. A walk reads the table
and notes what it wants to add in a log; the caller adds it at once (threads on shared tables) or after the
whole batch (deterministic mode).

External sampling (Lanctot et al. 2009): every action at the traverser's nodes, one sampled action at the
others'. The traverser's nodes and the ends of hands wait in a queue; what a node will need (its row, and the
records of its children) is fetched into the cache when it is queued, so that memory is waited for once for
many nodes. Pruning (Brown & Sandholm 2019, Pluribus): actions with regret under a threshold are skipped,
never on the river nor into the end of a hand.

Outcome sampling follows one line, own actions from epsilon * uniform + (1 - epsilon) * strategy; values carry
the weight 1/q of what was sampled. A baseline for each own action (VR-MCCFR, Schmid et al. 2019) stands
behind the table, one number an entry: the sampled action's value is b(a) + (v - b(a)) / q(a), every other's
is b(a).
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from overbet.kernels.jit import inlined
from overbet.kernels.rng import uniform
from overbet.kernels.training.prefetch import prefetch_to_read, prefetch_to_write
from overbet.kernels.training.tree import EARLY_SHOWDOWN

EXTERNAL, OUTCOME = 0, 1
_FOLDED, _SHOWDOWN = -4, -5
_RIVER = 3
_SKIPPED = -1
_FIELDS = 4  # of a node's record


class Game(NamedTuple):
    """What a walk reads of a tree. N nodes, T ends, Q pots, P players; amounts in big blinds.

    record:    [N, 4] int64   see `training_tree.lay_out`
    won:       [T, P] float32
    pot_chips: [Q] float32
    pot_mask:  [Q] int32
    """

    record: npt.NDArray[np.int64]
    won: npt.NDArray[np.float32]
    pot_chips: npt.NDArray[np.float32]
    pot_mask: npt.NDArray[np.int32]


class Work(NamedTuple):
    """Work space of one worker. Q places of a walk, E entries of the log.

    place:  [Q] int64    nodes waiting or met; link: [Q] int64, where a node's children stand in the queue
    row:    [Q] int64    first entry of the row; value: [Q] float32
    sigma:  [Q] float64  a strategy at a time (external), strategies along the line (outcome)
    slot:   [E] int64    log: place in the flat table; amount: [E] float32, log: how much
    """

    place: npt.NDArray[np.int64]
    link: npt.NDArray[np.int64]
    row: npt.NDArray[np.int64]
    value: npt.NDArray[np.float32]
    sigma: npt.NDArray[np.float32]
    slot: npt.NDArray[np.int64]
    amount: npt.NDArray[np.float32]


class Settings(NamedTuple):
    """The numbers of a run that never change."""

    seed: int
    players: int
    method: int  # EXTERNAL or OUTCOME
    widest: int  # most actions at a node
    epsilon: float  # exploration of outcome sampling
    threshold: float  # regret under which an action may be skipped; -inf: never
    pruned: float  # share of the iterations that skip
    entries: int  # of the table; baselines, where there are any, stand behind 2 * entries
    baseline: float  # outcome sampling: step towards the newest value; 0 for no baseline
    lines: int  # three players or more: lines followed for the average, a player and iteration


class Hand(NamedTuple):
    """One deal of `training_deal.Deals` and who walks it."""

    bucket: npt.NDArray[np.int32]  # [P, 4]
    strength: npt.NDArray[np.int32]  # [P]
    equity: npt.NDArray[np.float32]  # [P, P]
    player: int


@inlined
def showdown_value(game: Game, hand: Hand, kind: int, first: int, last: int, paid: Any) -> Any:
    """Return what the walking player wins at a showdown with pots first .. last-1; `paid` is negative."""
    me, total = hand.player, paid
    for pot in range(first, last):
        mask = game.pot_mask[pot]
        if not mask >> me & 1:
            continue
        others = mask & ~(1 << me)
        if kind == EARLY_SHOWDOWN and others & (others - 1) == 0 and others:
            rival = 0
            while not others >> rival & 1:
                rival += 1
            total += game.pot_chips[pot] * hand.equity[me, rival]
            continue
        ties = 1
        for other in range(len(hand.strength)):
            if others >> other & 1:
                if hand.strength[other] > hand.strength[me]:
                    ties = 0
                    break
                ties += hand.strength[other] == hand.strength[me]
        if ties:
            total += game.pot_chips[pot] / np.float32(ties)
    return total


@inlined
def end_value(game: Game, hand: Hand, kind: int, n: int) -> Any:
    """Return what the walking player wins at the end of a hand, in big blinds."""
    terminal = game.record[n, 2]
    paid = game.won[terminal, hand.player]
    if kind == _FOLDED:
        return paid
    first = game.record[n, 1]
    return showdown_value(game, hand, kind, first, first + game.record[n, 3], paid)


@inlined
def matched(table: Any, row: int, count: int, sigma: Any, at: int) -> None:
    """Regret matching: fill sigma[at : at + count] from the row."""
    total = np.float32(0.0)
    for a in range(count):
        weight = max(np.float32(table[2 * (row + a)]), np.float32(0.0))
        sigma[at + a] = weight
        total += weight
    if total > 0.0:
        scale = np.float32(1.0) / total
        for a in range(count):
            sigma[at + a] *= scale
    else:
        share = np.float32(1.0) / np.float32(count)
        for a in range(count):
            sigma[at + a] = share


@inlined
def picked(sigma: Any, at: int, count: int, u: float) -> int:
    a, reached = 0, sigma[at]
    while a < count - 1 and u >= reached:
        a += 1
        reached += sigma[at + a]
    return a


@inlined
def _row_of(record: Any, hand: Hand, n: Any, head: Any) -> Any:
    """Return the first entry of the row at decision n, whose packed head is given."""
    return record[n, 2] + record[n, 3] * hand.bucket[head & 255, head >> 8 & 255]


@inlined
def _fetch_row(table: Any, row: Any, count: Any) -> None:
    """Begin to fetch a row: it lies on two cache lines as often as on one."""
    prefetch_to_write(table, 2 * row)
    prefetch_to_write(table, 2 * (row + count) - 1)


@inlined
def external_walk(
    game: Game,
    table: Any,
    hand: Hand,
    work: Work,
    settings: Settings,
    key: np.uint64,
    weights: Any,
    logged: int,
) -> int:
    """One traversal; return the length of the log. weights: (regret, average), factors on what is noted."""
    record, place, link, row, value, sigma = (
        game.record,
        work.place,
        work.link,
        work.row,
        work.value,
        work.sigma,
    )
    me, drawn, head, tail = hand.player, 1, 0, 1
    pruning = settings.pruned > 0.0 and uniform(key, 0) < settings.pruned
    threshold = np.float32(settings.threshold)
    averaging = settings.players == 2
    place[0] = 0
    while head < tail:
        n = place[head]
        if n == _SKIPPED:
            head += 1
            continue
        kind = record[n, 0]
        while kind >= 0 and kind & 255 != me:
            count = kind >> 16
            here = _row_of(record, hand, n, kind)
            matched(table, here, count, sigma, 0)
            if averaging:
                for a in range(count):
                    work.slot[logged + a] = 2 * (here + a) + 1
                    work.amount[logged + a] = weights[1] * sigma[a]
                logged += count
            n = record[n, 1] + picked(sigma, 0, count, uniform(key, drawn))
            drawn += 1
            kind = record[n, 0]
        place[head] = n
        if kind < 0:
            value[head] = end_value(game, hand, kind, n)
            link[head] = 0
        else:
            count = kind >> 16
            here = _row_of(record, hand, n, kind)
            _fetch_row(table, here, count)
            row[head], link[head] = here, tail
            first = record[n, 1]
            skipping = pruning and kind >> 8 & 255 != _RIVER
            for a in range(count):
                child = first + a
                below = record[child, 0]
                if below >= 0:
                    if skipping and table[2 * (here + a)] < threshold:
                        child = _SKIPPED
                    else:
                        wide, next_first = below >> 16, record[child, 1]
                        _fetch_row(table, _row_of(record, hand, child, below), wide)
                        prefetch_to_read(record, _FIELDS * next_first)
                        prefetch_to_read(record, _FIELDS * (next_first + wide - 1))
                place[tail + a] = child
            tail += count
        head += 1
    for head in range(tail - 1, -1, -1):
        below = link[head]
        if place[head] == _SKIPPED or below == 0:
            continue
        n, here = place[head], row[head]
        count = record[n, 0] >> 16
        matched(table, here, count, sigma, 0)
        expected = np.float32(0.0)
        for a in range(count):
            if place[below + a] != _SKIPPED:
                expected += sigma[a] * value[below + a]
        for a in range(count):
            if place[below + a] != _SKIPPED:
                work.slot[logged] = 2 * (here + a)
                work.amount[logged] = weights[0] * (value[below + a] - expected)
                logged += 1
        value[head] = expected
    return logged


@inlined
def average_line(
    game: Game,
    table: Any,
    hand: Hand,
    work: Work,
    settings: Settings,
    key: np.uint64,
    weights: Any,
    logged: int,
) -> int:
    """Add to the average of the walking player along one line: three players or more.

    Own actions are sampled as played. The others' are drawn uniformly: were they drawn as played, the others'
    reach would weigh iterations against each other.
    """
    record, sigma = game.record, work.sigma
    n, drawn = 0, 0
    kind = record[0, 0]
    while kind >= 0:
        count = kind >> 16
        u = uniform(key, drawn)
        drawn += 1
        if kind & 255 == hand.player:
            here = _row_of(record, hand, n, kind)
            matched(table, here, count, sigma, 0)
            for a in range(count):
                work.slot[logged + a] = 2 * (here + a) + 1
                work.amount[logged + a] = weights[1] * sigma[a]
            logged += count
            n = record[n, 1] + picked(sigma, 0, count, u)
        else:
            n = record[n, 1] + int(u * count)
        kind = record[n, 0]
    return logged


@inlined
def outcome_walk(
    game: Game,
    table: Any,
    hand: Hand,
    work: Work,
    settings: Settings,
    key: np.uint64,
    weights: Any,
    logged: int,
) -> int:
    """One line down and its values back up; return the length of the log."""
    record, place, row, sigma = game.record, work.place, work.row, work.sigma
    inverse, link, widest = work.value, work.link, settings.widest
    me, n, steps, drawn, reached = hand.player, 0, 0, 0, 1.0
    epsilon = settings.epsilon
    kind = record[0, 0]
    while kind >= 0:
        count, mine = kind >> 16, kind & 255 == me
        here = _row_of(record, hand, n, kind)
        at = steps * widest
        matched(table, here, count, sigma, at)
        u = uniform(key, drawn)
        drawn += 1
        if mine and u < epsilon:
            a = min(int(u / epsilon * count), count - 1)
        else:
            a = picked(sigma, at, count, (u - epsilon) / (1.0 - epsilon) if mine else u)
        if mine:
            place[steps], row[steps], link[steps], inverse[steps] = a, here, count, reached
            reached /= epsilon / count + (1.0 - epsilon) * sigma[at + a]
            steps += 1
        elif settings.players == 2:
            for b in range(count):
                work.slot[logged + b] = 2 * (here + b) + 1
                work.amount[logged + b] = weights[1] * sigma[at + b] * reached
            logged += count
        n = record[n, 1] + a
        kind = record[n, 0]
    value = np.float64(end_value(game, hand, kind, n))
    for step in range(steps - 1, -1, -1):
        a, here, count, at = place[step], row[step], link[step], step * widest
        q = epsilon / count + (1.0 - epsilon) * sigma[at + a]
        guesses, mean, guess = 2 * settings.entries + here, 0.0, 0.0
        if settings.baseline > 0.0:
            guess = np.float64(table[guesses + a])
            for b in range(count):
                mean += sigma[at + b] * table[guesses + b]
            work.slot[logged], work.amount[logged] = guesses + a, value
            logged += 1
        correction = (value - guess) / q
        value = mean + sigma[at + a] * correction
        for b in range(count):
            gained = correction if b == a else 0.0
            if settings.baseline > 0.0:
                gained += table[guesses + b]
            work.slot[logged + b] = 2 * (here + b)
            work.amount[logged + b] = weights[0] * inverse[step] * (gained - value)
        logged += count
    return logged
