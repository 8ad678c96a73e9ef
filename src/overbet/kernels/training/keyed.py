"""External sampling without a tree: the rules play every line, rows are found by key.

The same algorithm as `walks.external_walk` and `average_line` for games whose betting tree cannot
be listed. Own decisions are taken depth first, with one frame a decision; the state vectors are those of
`kernels.holdem.rules`, the actions those of the menu. Where tree and keys tell the same information sets
apart and nobody acts twice, both ways leave the same bits.

`train_rows` adds what a walk finds at once. With a log, and `merge_rows` after it, it is the deterministic
mode: walks of a batch read the same table, and the log is added in order, each thread taking some segments.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from overbet.kernels.holdem.layout import (
    ACTIVE,
    ACTOR,
    PREFLOP,
    PUT_IN,
    RIVER,
    SHOWDOWN,
    SIZE,
    STACK,
    STREET,
)
from overbet.kernels.holdem.pots import rake_of, side_pots
from overbet.kernels.holdem.rules import apply
from overbet.kernels.jit import kernel, lean, lean_inlined
from overbet.kernels.regret import RuleStep
from overbet.kernels.rng import stream_key, uniform
from overbet.kernels.sampling.rows import alike, expected, matched, picked, prunable
from overbet.kernels.training.deal import Deals
from overbet.kernels.training.keys import (
    FULL,
    KeyedTable,
    board_texture,
    find_row,
    first_entry,
    give_row,
    information_key,
    segment_of,
)
from overbet.kernels.training.numbers import STRIDE, added, average_slot, regret_slot
from overbet.kernels.training.record import EARLY_SHOWDOWN
from overbet.kernels.training.tree import MenuTable, menu_actions
from overbet.kernels.training.walks import Hand, WalkedGame, WalkSettings, showdown_value

_AVERAGE = 256  # in `what` of the log, beside the actions: the row's averages, not its regrets
OK, NO_ROOM, LOG_FULL = 0, 1, 2


class KeyedGame(NamedTuple):
    """What a walk plays by.

    root:     [SIZE] int64  the state at the first decision, board cards fixed in advance (any cards do)
    menu:     MenuTable
    blind:    int           chips of a big blind
    edges:    [n] int64     where chips fall into the next bin of a key; empty: every chip counts
    textures: int           whether boards are told apart
    """

    root: npt.NDArray[np.int64]
    menu: MenuTable
    blind: int
    edges: npt.NDArray[np.int64]
    textures: int


class KeyedWork(NamedTuple):
    """Work space of one worker: D frames of an own decision each, R rows of the log, W actions.

    state:   [D + 1, SIZE] int64     facts: [D + 1, 4] int64   level, row, actions, next action
    key:     [D + 1] uint64          actions: [D + 1, MOST_ACTIONS + 2] int64
    sigma:   [D + 1, W] float32      value: [D + 1, W] float32; NaN where an action was skipped
    row_key: [R] uint64, what: [R] int64, amount: [R, W] float32   the log
    texture: [4] int64
    ends:    scratch of `showdown_value`; pots: [2, 10] int64
    flag:    [2] int64               OK, NO_ROOM or LOG_FULL; rows visited
    """

    state: npt.NDArray[np.int64]
    facts: npt.NDArray[np.int64]
    key: npt.NDArray[np.uint64]
    actions: npt.NDArray[np.int64]
    sigma: npt.NDArray[np.float32]
    value: npt.NDArray[np.float32]
    row_key: npt.NDArray[np.uint64]
    what: npt.NDArray[np.int64]
    amount: npt.NDArray[np.float32]
    texture: npt.NDArray[np.int64]
    ends: WalkedGame
    pots: npt.NDArray[np.int64]
    flag: npt.NDArray[np.int64]


LEVEL, ROW, COUNT, NEXT = 0, 1, 2, 3


@lean
def _add_row(table: KeyedTable, key: Any, what: Any, amount: Any, floor: Any, flag: Any) -> None:
    row = give_row(table, key)
    if row == FULL:
        flag[0] = NO_ROOM
        return
    entry = first_entry(table, row)
    first = average_slot(entry) if what & _AVERAGE else regret_slot(entry)
    for a in range(what & ~_AVERAGE):
        added(table.numbers, first + STRIDE * a, amount[a], floor)


@lean_inlined
def _note(table: KeyedTable, work: KeyedWork, key: Any, what: Any, logged: int, floor: Any) -> int:
    """Add work.amount[logged] at once (log of one place), or leave it in the log and go on."""
    if len(work.row_key) == 1:
        _add_row(table, key, what, work.amount[0], floor, work.flag)
        return 0
    work.row_key[logged], work.what[logged] = key, what
    if logged + 1 == len(work.row_key):
        work.flag[0] = LOG_FULL
        return logged
    return logged + 1


@lean_inlined
def _note_average(table: KeyedTable, work: KeyedWork, d: int, count: Any, step: RuleStep, logged: int) -> int:
    """Note the strategy of frame d for its row of averages."""
    for a in range(count):
        work.amount[logged, a] = step.average_weight * work.sigma[d, a]
    return _note(table, work, work.key[d], count | _AVERAGE, logged, step.floor)


@lean
def decide(game: KeyedGame, table: KeyedTable, hand: Hand, work: KeyedWork, d: int) -> int:
    """Fill frame d's actions, key, row and strategy for whoever is to act; return how many actions."""
    state, facts = work.state[d], work.facts[d]
    count = menu_actions(state, facts[LEVEL], game.menu, game.blind, work.actions[d])
    street = state[STREET]
    bucket = hand.bucket[state[ACTOR], street]
    key = information_key(state, facts[LEVEL], count, bucket, work.texture[street], game.edges)
    row = find_row(table, key)
    sigma = work.sigma[d]
    if row >= 0:
        matched(table.numbers, regret_slot(first_entry(table, row)), STRIDE, count, sigma, 0)
    else:
        alike(count, sigma, 0)
    work.key[d] = key
    facts[ROW], facts[COUNT], facts[NEXT] = row, count, 0
    work.flag[1] += 1
    return count


@lean_inlined
def go(work: KeyedWork, d: int, action: Any) -> Any:
    """Carry out an action in frame d; return the street it was made on."""
    state, facts = work.state[d], work.facts[d]
    street = state[STREET]
    apply(state, action)
    facts[LEVEL] = 0 if state[STREET] != street else facts[LEVEL] + (action > 0)
    return street


@lean_inlined
def begin(game: KeyedGame, work: KeyedWork) -> None:
    """Make frame 0 the first decision of a hand."""
    _copy_state(game.root, work.state[0])
    work.facts[0, LEVEL] = 0


@lean_inlined
def go_down(work: KeyedWork, d: int, a: Any) -> Any:
    """Carry out action number `a` of frame d in the next frame; return the street it was made on."""
    _copy_state(work.state[d], work.state[d + 1])
    work.facts[d + 1, LEVEL] = work.facts[d, LEVEL]
    return go(work, d + 1, work.actions[d, a])


@lean_inlined
def _copy_state(source: Any, target: Any) -> None:
    for place in range(SIZE):  # an assignment of rows would ask whether they overlap, and allocate
        target[place] = source[place]


@lean
def end_of(game: KeyedGame, hand: Hand, work: KeyedWork, d: int, street: Any) -> Any:
    """Return what the walking player wins where the hand of frame d ended after a move on `street`."""
    state, root, me = work.state[d], game.root, hand.player
    unit = np.float32(game.blind)
    before = root[STACK + me] + root[PUT_IN + me]
    paid = np.float32(state[STACK + me] - before) / unit
    if state[ACTOR] != SHOWDOWN:
        return paid
    amounts, masks = work.pots[0], work.pots[1]
    count = side_pots(state, state[ACTIVE], amounts, masks)
    seen, raked = np.int64(0), np.int64(0)
    for pot in range(count):
        seen += amounts[pot]
        rake = rake_of(state, seen)
        work.ends.pot_chips[pot] = np.float32(amounts[pot] - (rake - raked)) / unit
        work.ends.pot_mask[pot] = masks[pot]
        raked = rake
    kind = EARLY_SHOWDOWN if street == PREFLOP else SHOWDOWN
    return showdown_value(work.ends, hand, me, kind, 0, count, paid)


@lean
def keyed_walk(
    game: KeyedGame,
    table: KeyedTable,
    hand: Hand,
    work: KeyedWork,
    settings: WalkSettings,
    key: np.uint64,
    step: RuleStep,
    logged: int,
) -> int:
    """One traversal; return the length of the log."""
    me, drawn, d, street = hand.player, 1, 0, np.int64(0)
    averaging = settings.players == 2
    pruning = settings.pruned > 0.0 and uniform(key, 0) < settings.pruned
    threshold = np.float32(settings.threshold)
    begin(game, work)
    arrived, result = True, np.float32(0.0)  # whether frame d has just been made or moved on
    while d >= 0:
        if arrived:
            state = work.state[d]
            while state[ACTOR] >= 0 and state[ACTOR] != me:
                count = decide(game, table, hand, work, d)
                if averaging:
                    logged = _note_average(table, work, d, count, step, logged)
                    if work.flag[0] != OK:
                        return logged
                a = picked(work.sigma[d], 0, count, uniform(key, drawn))
                drawn += 1
                street = go(work, d, work.actions[d, a])
            if state[ACTOR] >= 0:
                decide(game, table, hand, work, d)
                arrived = False
                continue
            result = end_of(game, hand, work, d, street)
            d -= 1
            if d >= 0:
                work.value[d, work.facts[d, NEXT] - 1] = result
            arrived = False
            continue
        facts = work.facts[d]
        count, a = facts[COUNT], facts[NEXT]
        if a < count:
            facts[NEXT] += 1
            street = go_down(work, d, a)
            if (
                pruning
                and street != RIVER
                and work.state[d + 1, ACTOR] >= 0
                and facts[ROW] >= 0
                and prunable(table.numbers, regret_slot(first_entry(table, facts[ROW])), STRIDE, a, threshold)
            ):
                work.value[d, a] = np.nan
                continue
            d += 1
            arrived = True
            continue
        value = work.value[d]
        result = expected(work.sigma[d], 0, value, 0, count)
        for a in range(count):
            skipped = value[a] != value[a]
            work.amount[logged, a] = np.float32(0.0) if skipped else step.weight * (value[a] - result)
        logged = _note(table, work, work.key[d], count, logged, step.floor)
        if work.flag[0] != OK:
            return logged
        d -= 1
        if d >= 0:
            work.value[d, work.facts[d, NEXT] - 1] = result
    return logged


@lean
def _keyed_line(
    game: KeyedGame,
    table: KeyedTable,
    hand: Hand,
    work: KeyedWork,
    key: np.uint64,
    step: RuleStep,
    logged: int,
) -> int:
    """Add to the average of the walking player along one line on which the others act uniformly."""
    begin(game, work)
    state, drawn = work.state[0], 0
    while state[ACTOR] >= 0:
        u = uniform(key, drawn)
        drawn += 1
        if state[ACTOR] == hand.player:
            count = decide(game, table, hand, work, 0)
            logged = _note_average(table, work, 0, count, step, logged)
            if work.flag[0] != OK:
                return logged
            a = picked(work.sigma[0], 0, count, u)
        else:
            count = menu_actions(state, work.facts[0, LEVEL], game.menu, game.blind, work.actions[0])
            a = int(u * count)
        go(work, 0, work.actions[0, a])
    return logged


@lean_inlined
def read_textures(game: KeyedGame, cards: Any, players: int, work: KeyedWork) -> None:
    """Write the board's texture on each street, where the keys ask for it."""
    for street in range(4):
        work.texture[street] = board_texture(cards, 2 * players, street) if game.textures else 0


@kernel
def train_rows(
    game: KeyedGame,
    table: KeyedTable,
    deals: Deals,
    work: KeyedWork,
    settings: WalkSettings,
    step: RuleStep,
    first: int,
) -> int:
    """Run iterations first, first + 1, ... one for each deal; return the length of the log.

    A log of one place is none: what is found is added at once. work.flag tells whether rows or log ran out.
    """
    logged = 0
    work.flag[0] = OK
    for deal in range(len(deals.cards)):
        read_textures(game, deals.cards[deal], settings.players, work)
        for player in range(settings.players):
            hand = Hand(deals.bucket[deal], deals.strength[deal], deals.equity[deal], player)
            if settings.players > 2:  # before the walk changes what is read
                for line in range(settings.lines):
                    stream = settings.players * (1 + line) + player
                    key = stream_key(settings.seed, first + deal, stream)
                    logged = _keyed_line(game, table, hand, work, key, step, logged)
            key = stream_key(settings.seed, first + deal, player)
            logged = keyed_walk(game, table, hand, work, settings, key, step, logged)
            if work.flag[0] != OK:
                return logged
    return logged


@kernel
def merge_rows(table: KeyedTable, work: KeyedWork, logged: int, floor: Any, low: int, high: int) -> None:
    """Add the rows of a log that belong to segments low .. high-1."""
    for e in range(logged):
        if low <= segment_of(table, work.row_key[e]) < high:
            _add_row(table, work.row_key[e], work.what[e], work.amount[e], floor, work.flag)
