"""One player's update on a chunk of the betting tree: the opponent's reach down, values and regrets up.

"own" is the player being updated, "opp" the other. A *slot* is a run of nodes along which a player did not
act: it has one reach there. A chunk is written out as the moves of the players, parents first:

    down   [., 4] int32: action row, actions, slot before, slot of the first action (the others follow)
    up     [., 5] int32: 1 for own moves, action row, actions, place of the node, place of its first child

Tables are flat, rows of one board `stride` apart. The opponent's hands go down all at once, own hands up some
at a time: working memory has rows `room` apart, and hands of a block begin at offset `at` of it and at offset
`h` of table rows. Lengths are whole rows of sixteen: what lies beyond the last live hand has reach 0 and
value 0, so its regrets and averages stay 0.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from overbet.kernels.jit import lean, lean_inlined
from overbet.kernels.regret import RuleStep, accumulated
from overbet.kernels.vector.decisions import learn, share_out, sum_up
from overbet.kernels.vector.nodes import MANY
from overbet.kernels.vector.vectors import (
    any_of,
    larger,
    load,
    minus,
    over,
    plus,
    spread,
    store,
    times,
    times_plus,
    where_positive,
)

BLOCK = 64  # hands that walk a chunk together: a chunk's rows of them stay in the first-level cache

Index = Any  # an int: constants, numbers out of arrays and int64 alike
Span = Any  # the first, and the one after the last
Ints = npt.NDArray[np.int32]
Floats = Any  # [.] float32 or float64, flat; all of one kind


class Store(NamedTuple):
    """A player's tables, flat: regret, play (what regret matching reads), average. locked: uint8 like them, 1
    where a strategy is fixed, or one element. packed, scales, packed_average, average_scales: the river's
    part
    in 16 bits (`packing`), or one element each.
    """

    regret: Floats
    play: Floats
    average: Floats
    locked: npt.NDArray[np.uint8]
    packed: npt.NDArray[np.int16]
    scales: Floats
    packed_average: npt.NDArray[np.int16]
    average_scales: Floats


class Rows(NamedTuple):
    """Where a board's rows of one player lie: the first, how far apart, and the hands, up to a whole row."""

    base: Index
    stride: Index
    hands: Index


@lean_inlined
def _sum_of(table: Floats, at: Index, stride: Index, actions: Index) -> Any:
    """Return the sum of the positive regrets of sixteen hands."""
    none = spread(table, 0.0)
    total = larger(load(table, at), none)
    for a in range(1, actions):
        total = plus(total, larger(load(table, at + a * stride), none))
    return total


@lean_inlined
def _scales(total: Any, met: Any, equal: Any, none: Any) -> tuple[Any, Any]:
    """Return what regret matching multiplies positive regrets by, and what it adds: reach `met` is shared
    out."""
    return where_positive(total, over(met, total), none), where_positive(total, none, times(met, equal))


@lean_inlined
def _share(play: Floats, place: Index, scale: Any, rest: Any, none: Any) -> Any:
    """Return the reach behind an action: see `_scales`."""
    return times_plus(larger(load(play, place), none), scale, rest)


@lean_inlined
def _add_share(average: Floats, place: Index, share: Any, fade: Any, weight: Any) -> None:
    """Add what is played to the average; the same bits whoever's walk it is."""
    store(average, place, times_plus(load(average, place), fade, times(share, weight)))


@lean
def walk_opponent(
    down: Ints,
    span: Span,
    play: Floats,
    rows: Rows,
    reach: Floats,
    room: Index,
    live: Ints,
    average: Floats,
    step: RuleStep,
    adds: bool,
) -> None:
    """Carry the reach of all the opponent's hands down; live[slot] = 1 where some hand gets.

    Node by node, so that tables are read from one end of the chunk to the other. adds: what is played goes
    into the average, by `step`.
    """
    none = spread(play, 0.0)
    fades = adds and step.average_discount != 1
    fade, weight = spread(play, step.average_discount), spread(play, step.average_weight)
    for k in range(span[0], span[1]):
        actions, before, to = np.int64(down[k, 1]), np.int64(down[k, 2]), np.int64(down[k, 3])
        row = rows.base + down[k, 0] * rows.stride
        source, target = before * room, to * room
        equal = spread(play, 1.0 / actions)
        if 2 <= actions <= MANY:
            share_out(
                actions, adds, not fades, play, row, rows.stride, rows.hands, reach, source, target, room,
                average, step,
            )  # fmt: skip
        for h in range(0, 0 if 2 <= actions <= MANY else rows.hands, 16):
            met = load(reach, source + h)
            if not (fades or any_of(met)):
                for a in range(actions):
                    store(reach, target + a * room + h, none)
                continue
            total = _sum_of(play, row + h, rows.stride, actions)
            scale, rest = _scales(total, met, equal, none)
            for a in range(actions):
                place = row + a * rows.stride + h
                share = _share(play, place, scale, rest, none)
                store(reach, target + a * room + h, share)
                if adds:
                    _add_share(average, place, share, fade, weight)
        for a in range(actions):
            for h in range(0, rows.hands, 16):
                if any_of(load(reach, target + a * room + h)):
                    live[to + a] = 1
                    break


@lean
def walk_own(
    down: Ints,
    span: Span,
    tables: Store,
    rows: Rows,
    h: Index,
    count: Index,
    reach: Floats,
    room: Index,
    at: Index,
    step: RuleStep,
) -> None:
    """Carry the own reach of `count` hands down; add what is played to the average."""
    play, average = tables.play, tables.average
    none = spread(play, 0.0)
    fade, weight = spread(play, step.average_discount), spread(play, step.average_weight)
    for k in range(span[0], span[1]):
        actions = np.int64(down[k, 1])
        row = rows.base + down[k, 0] * rows.stride + h
        source, target = down[k, 2] * room + at, down[k, 3] * room + at
        equal = spread(play, 1.0 / actions)
        for g in range(0, count, 16):
            met = load(reach, source + g)
            total = _sum_of(play, row + g, rows.stride, actions)
            scale, rest = _scales(total, met, equal, none)
            for a in range(actions):
                place = row + a * rows.stride + g
                share = _share(play, place, scale, rest, none)
                store(reach, target + a * room + g, share)
                _add_share(average, place, share, fade, weight)


@lean
def walk_up(
    up: Ints,
    span: Span,
    tables: Store,
    rows: Rows,
    h: Index,
    count: Index,
    value: Floats,
    room: Index,
    at: Index,
    step: RuleStep,
) -> None:
    """Carry values of `count` own hands up; update the regrets."""
    regret, play = tables.regret, tables.play
    none = spread(play, 0.0)
    positive, negative = spread(play, step.positive), spread(play, step.negative)
    weight, floor = spread(play, step.weight), spread(play, step.floor)
    careful = tables.locked.size > 1 or step.prediction != 0
    for k in range(span[1] - 1, span[0] - 1, -1):
        actions = np.int64(up[k, 2])
        out, child = up[k, 3] * room + at, up[k, 4] * room + at
        if up[k, 0] == 0 or actions == 1:  # who has one action only learns nothing
            sum_up(actions, count, value, out, child, room)
            continue
        row = rows.base + up[k, 1] * rows.stride + h
        equal = spread(play, 1.0 / actions)
        if actions <= MANY and not careful:
            learn(actions, regret, row, rows.stride, count, value, out, child, room, step)
            continue
        for g in range(0, count, 16):
            total, worth, flat = none, none, none
            for a in range(actions):
                share = larger(load(play, row + a * rows.stride + g), none)
                each = load(value, child + a * room + g)
                total, flat = plus(total, share), plus(flat, each)
                worth = plus(worth, times(share, each))
            worth = where_positive(total, over(worth, total), times(flat, equal))
            store(value, out + g, worth)
            if careful:
                continue
            for a in range(actions):
                place = row + a * rows.stride + g
                old = load(regret, place)
                instant = minus(load(value, child + a * room + g), worth)
                new = plus(times(old, where_positive(old, positive, negative)), times(weight, instant))
                store(regret, place, larger(new, floor))
        if careful:
            for a in range(actions):
                _learn_with_care(row + a * rows.stride, child + a * room, out, count, tables, step, value)


@lean
def walk_up_apart(
    up: Ints,
    span: Span,
    play: Floats,
    rows: Rows,
    h: Index,
    count: Index,
    value: Floats,
    room: Index,
    at: Index,
    instant: Floats,
) -> None:
    """Carry values of `count` own hands up; write the regrets of this walk into rows like those of `play`."""
    none = spread(play, 0.0)
    for k in range(span[1] - 1, span[0] - 1, -1):
        actions = np.int64(up[k, 2])
        out, child = up[k, 3] * room + at, up[k, 4] * room + at
        row = rows.base + up[k, 1] * rows.stride + h
        equal = spread(play, 1.0 / actions)
        for g in range(0, count, 16):
            total, worth, flat = none, none, none
            for a in range(actions):
                each = load(value, child + a * room + g)
                flat = plus(flat, each)
                if up[k, 0] == 1:
                    share = larger(load(play, row + a * rows.stride + g), none)
                    total, worth = plus(total, share), plus(worth, times(share, each))
            if up[k, 0] == 0:
                store(value, out + g, flat)
                continue
            worth = where_positive(total, over(worth, total), times(flat, equal))
            store(value, out + g, worth)
            for a in range(actions):
                gained = minus(load(value, child + a * room + g), worth)
                store(instant, row + a * rows.stride + g, gained)


@lean
def walk_best(up: Ints, span: Span, count: Index, value: Floats, room: Index, at: Index) -> None:
    """Carry values of `count` own hands up as the best response takes them; nothing is learnt."""
    for k in range(span[1] - 1, span[0] - 1, -1):
        actions = np.int64(up[k, 2])
        out, child = up[k, 3] * room + at, up[k, 4] * room + at
        for g in range(0, count, 16):
            total = load(value, child + g)
            for a in range(1, actions):
                other = load(value, child + a * room + g)
                total = larger(total, other) if up[k, 0] == 1 else plus(total, other)
            store(value, out + g, total)


@lean
def _learn_with_care(
    row: Index, child: Index, out: Index, count: Index, tables: Store, step: RuleStep, value: Floats
) -> None:
    """The regret update of one action where hands may be locked or the rule predicts."""
    for h in range(count):
        if tables.locked.size > 1 and tables.locked[row + h]:
            continue
        instant = value[child + h] - value[out + h]
        total = accumulated(tables.regret[row + h], instant, step)
        tables.regret[row + h] = total
        if step.prediction != 0:
            tables.play[row + h] = total * step.carry + step.prediction * instant


@lean
def symmetrise(up: Ints, span: Span, tables: Store, rows: Rows, orbit: npt.NDArray[np.uint16]) -> None:
    """Give hands that mirror each other the same regrets. orbit: [hand] uint16, the hand to copy from.

    They have the same regrets but for rounding. Where actions tie, rounding decides what is played, and a
    board that stands for its mirrors would no longer do so.
    """
    for k in range(span[0], span[1]):
        if up[k, 0] == 1:
            for a in range(up[k, 2]):
                row = rows.base + (up[k, 1] + a) * rows.stride
                for h in range(len(orbit)):
                    tables.regret[row + h] = tables.regret[row + orbit[h]]
                    tables.play[row + h] = tables.play[row + orbit[h]]
