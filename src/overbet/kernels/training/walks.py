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

from overbet.kernels.holdem.layout import RIVER, SHOWDOWN
from overbet.kernels.jit import lean, lean_inlined
from overbet.kernels.rng import uniform
from overbet.kernels.sampling.rows import (
    expected,
    explored,
    explored_chance,
    matched,
    mean_of,
    note_line,
    note_regrets,
    note_shares,
    picked,
    prunable,
)
from overbet.kernels.training.numbers import STRIDE, average_slot, regret_slot
from overbet.kernels.training.prefetch import prefetch_to_read, prefetch_to_write
from overbet.kernels.training.prizes import PLAYERS, prize_share
from overbet.kernels.training.record import (
    EARLY_SHOWDOWN,
    FIELDS,
    FOLDED,
    count_of,
    end_at,
    first_child,
    first_pot,
    head_of,
    is_end,
    player_of,
    pots_at,
    row_at,
    street_of,
)

EXTERNAL, OUTCOME = 0, 1
_SKIPPED = -1


class WalkedGame(NamedTuple):
    """What a walk reads of a tree. N nodes, T ends, Q pots, P players; amounts in big blinds.

    stacks, worth: [3] float32, before the hand and what they are worth in prizes, as shares; prizes: [3]
    float32, shares of the places; all three are empty where chips are what is played for.

    record:    [N, 4] int64   see `kernels.training.record`
    won:       [T, P] float32
    pot_chips: [Q] float32
    pot_mask:  [Q] int32
    """

    record: npt.NDArray[np.int64]
    won: npt.NDArray[np.float32]
    pot_chips: npt.NDArray[np.float32]
    pot_mask: npt.NDArray[np.int32]
    stacks: npt.NDArray[np.float32]
    worth: npt.NDArray[np.float32]
    prizes: npt.NDArray[np.float32]


class WalkWork(NamedTuple):
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


class WalkSettings(NamedTuple):
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
    """One deal of `deal.Deals` and who walks it."""

    bucket: npt.NDArray[np.int32]  # [P, 4]
    strength: npt.NDArray[np.int32]  # [P]
    equity: npt.NDArray[np.float32]  # [P, P]
    player: int


@lean_inlined
def showdown_value(game: WalkedGame, hand: Hand, me: Any, kind: int, first: int, last: int, paid: Any) -> Any:
    """Return what a player wins at a showdown with pots first .. last-1; paid: what was put in, negative."""
    total = paid
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


@lean_inlined
def end_value(game: WalkedGame, hand: Hand, kind: int, n: int) -> Any:
    """Return what the walking player wins at the end of a hand, in big blinds."""
    if len(game.prizes):
        return _prize_value(game, hand, kind, n)
    paid = game.won[end_at(game.record, n), hand.player]
    if kind == FOLDED:
        return paid
    first = first_pot(game.record, n)
    return showdown_value(game, hand, hand.player, kind, first, first + pots_at(game.record, n), paid)


@lean_inlined
def _left(game: WalkedGame, hand: Hand, player: Any, kind: int, n: int) -> Any:
    """Return a player's stack after the hand, all in before the flop too on the board that was dealt."""
    left = game.stacks[player] + game.won[end_at(game.record, n), player]
    if kind == FOLDED:
        return left
    first = first_pot(game.record, n)
    return showdown_value(game, hand, player, SHOWDOWN, first, first + pots_at(game.record, n), left)


@lean
def _prize_value(game: WalkedGame, hand: Hand, kind: int, n: int) -> Any:
    """Return what the hand changes in the walking player's prizes, as chips that are as much of all chips."""
    me = hand.player
    one, two = (me + 1) % PLAYERS, (me + 2) % PLAYERS
    stacks = game.stacks
    share = prize_share(
        _left(game, hand, me, kind, n),
        _left(game, hand, one, kind, n),
        _left(game, hand, two, kind, n),
        (stacks[me], stacks[one], stacks[two]),
        game.prizes,
    )
    return (share - game.worth[me]) * (stacks[0] + stacks[1] + stacks[2])


@lean_inlined
def row_of(game: WalkedGame, hand: Hand, n: Any, head: Any) -> Any:
    """Return the first entry of the row at decision n, whose head is given."""
    return row_at(game.record, n, hand.bucket[player_of(head), street_of(head)])


@lean_inlined
def _fetch_row(table: Any, row: Any, count: Any) -> None:
    """Begin to fetch a row: it lies on two cache lines as often as on one."""
    prefetch_to_write(table, regret_slot(row))
    prefetch_to_write(table, average_slot(row + count - 1))


@lean_inlined
def external_walk(
    game: WalkedGame,
    table: Any,
    hand: Hand,
    work: WalkWork,
    settings: WalkSettings,
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
        kind = head_of(record, n)
        while not is_end(kind) and player_of(kind) != me:
            count = count_of(kind)
            here = row_of(game, hand, n, kind)
            matched(table, regret_slot(here), STRIDE, count, sigma, 0)
            if averaging:
                logged = note_shares(work, average_slot(here), STRIDE, sigma, 0, count, weights[1], 1, logged)
            n = first_child(record, n) + picked(sigma, 0, count, uniform(key, drawn))
            drawn += 1
            kind = head_of(record, n)
        place[head] = n
        if is_end(kind):
            value[head] = end_value(game, hand, kind, n)
            link[head] = 0
        else:
            count = count_of(kind)
            here = row_of(game, hand, n, kind)
            _fetch_row(table, here, count)
            row[head], link[head] = here, tail
            first = first_child(record, n)
            skipping = pruning and street_of(kind) != RIVER
            for a in range(count):
                child = first + a
                below = head_of(record, child)
                if not is_end(below):
                    if skipping and prunable(table, regret_slot(here), STRIDE, a, threshold):
                        child, value[tail + a] = _SKIPPED, np.nan
                    else:
                        wide, next_first = count_of(below), first_child(record, child)
                        _fetch_row(table, row_of(game, hand, child, below), wide)
                        prefetch_to_read(record, FIELDS * next_first)
                        prefetch_to_read(record, FIELDS * (next_first + wide - 1))
                place[tail + a] = child
            tail += count
        head += 1
    for head in range(tail - 1, -1, -1):
        below = link[head]
        if place[head] == _SKIPPED or below == 0:
            continue
        first, count = regret_slot(row[head]), count_of(head_of(record, place[head]))
        matched(table, first, STRIDE, count, sigma, 0)
        mean = expected(sigma, 0, value, below, count)
        logged = note_regrets(work, first, STRIDE, value, below, count, mean, weights[0], logged)
        value[head] = mean
    return logged


@lean_inlined
def average_line(
    game: WalkedGame,
    table: Any,
    hand: Hand,
    work: WalkWork,
    settings: WalkSettings,
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
    kind = head_of(record, 0)
    while not is_end(kind):
        count = count_of(kind)
        u = uniform(key, drawn)
        drawn += 1
        if player_of(kind) == hand.player:
            here = row_of(game, hand, n, kind)
            matched(table, regret_slot(here), STRIDE, count, sigma, 0)
            logged = note_shares(work, average_slot(here), STRIDE, sigma, 0, count, weights[1], 1, logged)
            n = first_child(record, n) + picked(sigma, 0, count, u)
        else:
            n = first_child(record, n) + int(u * count)
        kind = head_of(record, n)
    return logged


@lean_inlined
def outcome_walk(
    game: WalkedGame,
    table: Any,
    hand: Hand,
    work: WalkWork,
    settings: WalkSettings,
    key: np.uint64,
    weights: Any,
    logged: int,
) -> int:
    """One line down and its values back up; return the length of the log."""
    record, place, row, sigma = game.record, work.place, work.row, work.sigma
    inverse, link, widest = work.value, work.link, settings.widest
    me, n, steps, drawn, reached = hand.player, 0, 0, 0, 1.0
    epsilon = settings.epsilon
    kind = head_of(record, 0)
    while not is_end(kind):
        count = count_of(kind)
        here = row_of(game, hand, n, kind)
        at = steps * widest
        matched(table, regret_slot(here), STRIDE, count, sigma, at)
        u = uniform(key, drawn)
        drawn += 1
        if player_of(kind) == me:
            a = explored(sigma, at, count, u, epsilon)
            place[steps], row[steps], link[steps], inverse[steps] = a, here, count, reached
            reached /= explored_chance(sigma[at + a], count, epsilon)
            steps += 1
        else:
            a = picked(sigma, at, count, u)
            if settings.players == 2:
                logged = note_shares(
                    work, average_slot(here), STRIDE, sigma, at, count, weights[1], reached, logged
                )
        n = first_child(record, n) + a
        kind = head_of(record, n)
    value = np.float64(end_value(game, hand, kind, n))
    for step in range(steps - 1, -1, -1):
        a, here, count, at = place[step], row[step], link[step], step * widest
        guesses, mean, guess = -1, 0.0, 0.0
        if settings.baseline > 0.0:
            guesses = regret_slot(settings.entries) + here
            guess = np.float64(table[guesses + a])
            mean = mean_of(sigma, at, table, guesses, count)
            work.slot[logged], work.amount[logged] = guesses + a, value
            logged += 1
        correction = (value - guess) / explored_chance(sigma[at + a], count, epsilon)
        value = mean + sigma[at + a] * correction
        weight = weights[0] * inverse[step]
        logged = note_line(
            work, regret_slot(here), STRIDE, count, a, correction, value, weight, table, guesses, logged
        )
    return logged
