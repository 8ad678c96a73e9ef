"""Terminals of one board: the live leaves side by side, swept together over the hands.

All showdowns of a board share the order of hands by strength. With the opponent's reach laid out as
[hand, leaf] the sweep keeps, for each leaf, the reach seen so far and 52 sums of it by card; the inner
loops run over leaves. For a hand (a, b) at strength s the opponent's compatible reach is

    below  = sum over weaker hands             = total - card[a] - card[b]        before group s is added
    upto   = below + equal strength            = the same after group s, + the hand of the same two cards
    all    = everything                        = the same at the end,    + the hand of the same two cards

(the own combo is subtracted twice, hence the addition). A tie is half a win, so a showdown pays
half * (below + upto) + lose * all, and a fold pays on `all` alone: a leaf where this player may fold or call
with the same reach is swept once for both.

A leaf that no hand of the opponent reaches is worth 0 to every hand: it is left out.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from overbet.kernels.jit import lean, lean_inlined
from overbet.kernels.vector.tiles import (
    LEAST,
    NOTHING,
    ROUNDING,
    ROUNDING_DOUBLE,
    SUMS,
    TOTAL,
    rows_to_columns,
    settling,
)
from overbet.kernels.vector.vectors import (
    fetch,
    load,
    loading,
    minus,
    plus,
    row_access,
    spread,
    store,
    times,
    whole,
)

FOLDS, SHOWS = 1, 2  # what ends at a leaf, or both
BEYOND = 1 << 16  # the strength of what lies after the last hand: all are weaker
MOST = 64  # leaves swept together: 53 x 64 sums of 4 bytes stay in the first-level cache

Index = Any  # an int: constants, numbers out of arrays and int64 alike
Span = Any  # the first, and the one after the last
Ints = npt.NDArray[np.int32]
Floats = Any


class Ahead(NamedTuple):
    """Rows of tables that will be needed soon: `start` .. `end` - 1 of both. Sweeps wait for no memory, so
    they
    are the time to bring them in."""

    one: Floats
    two: Floats
    start: Index
    end: Index


class Sheets(NamedTuple):
    """Working memory for the leaves of a chunk; n, m hands in whole rows of 16, C columns in batches of MOST.

    Batches lie one after the other: reach [m + 1, width], its last row zeros; beaten [n, width], opponent's
    reach below and up to each hand; sums [SUMS, width], by card,
    of all, of nothing, and what is rounding beside all; pays [3, width].
    starts: [C] int64, rows of leaves in the tree's memory; shows, folds: [C] int64, of their terminals.
    ends: [C] int32, FOLDS, SHOWS or both; tiles: [C / 16] int32, what is in any of sixteen; leaf: [C] int32,
    its number. live: [slots] int32. own, opp: [hands + 1, 4] int32, two cards, the row of the same hand in
    `reach`, and strength; after the last hand BEYOND.
    """

    reach: Floats
    beaten: Floats
    sums: Floats
    pays: Floats
    starts: npt.NDArray[np.int64]
    shows: npt.NDArray[np.int64]
    folds: npt.NDArray[np.int64]
    ends: Ints
    tiles: Ints
    leaf: Ints
    live: Ints
    own: Ints
    opp: Ints


@lean_inlined
def _bring(ahead: Ahead, at: Index, pace: Index) -> Index:
    """Bring in some more rows; return where to go on."""
    for k in range(at, at + pace, 16):
        fetch(ahead.one, k)
        fetch(ahead.two, k)
    return at + pace


@lean_inlined
def _write_rounding(sums: Floats, width: Index) -> None:
    """Write what is no more than rounding beside the sum of all hands."""
    rounding = spread(sums, ROUNDING_DOUBLE if sums.itemsize == 8 else ROUNDING)
    for c in range(0, width, 16):
        store(sums, LEAST * width + c, times(load(sums, TOTAL * width + c), rounding))


Sweep = Callable[[bool, Index, Index, Ints, Ints, Floats, Floats, Floats, Ahead], None]


def _sweep_of(width: Index) -> Sweep:
    """Return the sweep over batches of `width` leaves: their totals stay in registers."""
    load, (load_row, store_row) = loading(width), row_access(width)

    @lean
    def sweep(
        shown: bool,
        n: Index,
        m: Index,
        own: Ints,
        opp: Ints,
        reach: Floats,
        sums: Floats,
        beaten: Floats,
        ahead: Ahead,
    ) -> None:
        for k in range(TOTAL * width):
            sums[k] = 0.0
        total = load(sums, 0)
        at, pace = ahead.start, 0
        if ahead.end > ahead.start:
            pace = ((ahead.end - ahead.start) // (n + m) // 16 + 1) * 16
        seen, i = 0, 0
        while shown and i < n:
            strength = whole(own, 4 * i + 3)
            while whole(opp, 4 * seen + 3) < strength:
                met = load(reach, seen * width)
                a, b = whole(opp, 4 * seen), whole(opp, 4 * seen + 1)
                total = plus(total, met)
                store_row(sums, a, plus(load_row(sums, a), met))
                store_row(sums, b, plus(load_row(sums, b), met))
                seen += 1
                at = _bring(ahead, at, pace)
            end = i
            while whole(own, 4 * end + 3) == strength:
                a, b = whole(own, 4 * end), whole(own, 4 * end + 1)
                store(beaten, end * width, minus(minus(total, load_row(sums, a)), load_row(sums, b)))
                end += 1
            while whole(opp, 4 * seen + 3) == strength:
                met = load(reach, seen * width)
                a, b = whole(opp, 4 * seen), whole(opp, 4 * seen + 1)
                total = plus(total, met)
                store_row(sums, a, plus(load_row(sums, a), met))
                store_row(sums, b, plus(load_row(sums, b), met))
                seen += 1
                at = _bring(ahead, at, pace)
            for h in range(i, end):
                a, b = whole(own, 4 * h), whole(own, 4 * h + 1)
                equal = minus(minus(total, load_row(sums, a)), load_row(sums, b))
                store(beaten, h * width, plus(load(beaten, h * width), equal))
                at = _bring(ahead, at, pace)
            i = end
        while seen < m:
            met = load(reach, seen * width)
            a, b = whole(opp, 4 * seen), whole(opp, 4 * seen + 1)
            total = plus(total, met)
            store_row(sums, a, plus(load_row(sums, a), met))
            store_row(sums, b, plus(load_row(sums, b), met))
            seen += 1
            at = _bring(ahead, at, pace)
        store(sums, TOTAL * width, total)
        _write_rounding(sums, width)
        nothing = load(reach, (m + 15) // 16 * 16 * width)
        store(sums, NOTHING * width, nothing)
        for h in range(n, (n + 15) // 16 * 16):
            store(beaten, h * width, nothing)

    return sweep


_sweep16, _sweep32, _sweep64 = _sweep_of(16), _sweep_of(32), _sweep_of(64)


@lean
def sweep(
    width: Index,
    shown: bool,
    n: Index,
    m: Index,
    own: Ints,
    opp: Ints,
    reach: Floats,
    sums: Floats,
    beaten: Floats,
    ahead: Ahead,
) -> None:
    """Fill the sums of one batch and, where something is shown, what each hand beats or ties with."""
    if width == 64:
        _sweep64(shown, n, m, own, opp, reach, sums, beaten, ahead)
    elif width == 32:
        _sweep32(shown, n, m, own, opp, reach, sums, beaten, ahead)
    else:
        _sweep16(shown, n, m, own, opp, reach, sums, beaten, ahead)


@lean_inlined
def _width(left: Index) -> Index:
    """Return how many of the columns that are left are swept together."""
    return MOST if left >= MOST else 32 if left >= 32 else 16


@lean
def pick_leaves(
    leaves: Ints, pays: Floats, span: Span, room: Index, opp_room: Index, nowhere: Index, sheets: Sheets
) -> Index:
    """Choose the live leaves of a chunk; return how many columns they fill, whole tiles of 16.

    leaves: [., 4] int32, the opponent's slot, places of the fold and of the showdown, FOLDS + SHOWS; pays:
    [., 3], half, all, fold. room, opp_room: between rows of values and of the opponent's reach. nowhere: the
    place of rows that nobody reads. The opponent's slot after the last is a row of zeros.
    """
    used = 0
    for k in range(span[0], span[1]):
        if sheets.live[leaves[k, 0]] == 0:
            continue
        sheets.starts[used] = leaves[k, 0] * opp_room
        sheets.folds[used], sheets.shows[used] = leaves[k, 1] * room, leaves[k, 2] * room
        sheets.ends[used], sheets.leaf[used] = leaves[k, 3], k
        used += 1
    columns = (used + 15) // 16 * 16
    for k in range(used, columns):
        sheets.starts[k] = -1
        sheets.folds[k] = sheets.shows[k] = nowhere * room
        sheets.ends[k] = 0
    for tile in range(columns // 16):
        sheets.tiles[tile] = 0
        for k in range(16 * tile, 16 * tile + 16):
            sheets.tiles[tile] |= sheets.ends[k]
    first = 0
    while first < columns:
        width = _width(columns - first)
        for c in range(width):
            for factor in range(3):
                pay = pays[sheets.leaf[first + c], factor] if first + c < used else type(pays[0, 0])(0.0)
                sheets.pays[3 * first + factor * width + c] = pay
        first += width
    return columns


@lean
def sweep_leaves(
    columns: Index, n: Index, m: Index, opp: Floats, zeros: Index, sheets: Sheets, ahead: Ahead
) -> None:
    """Sweep the chosen leaves, batch by batch. n, m: live hands. opp: the opponent's reach, row by slot;
    zeros:
    where a row of zeros begins."""
    own_rows, opp_rows = (n + 15) // 16 * 16, (m + 15) // 16 * 16 + 1
    none = spread(sheets.sums, 0.0)
    for k in range(columns):
        if sheets.starts[k] < 0:
            sheets.starts[k] = zeros
    first = 0
    while first < columns:
        width = _width(columns - first)
        reach = sheets.reach[first * opp_rows :]
        for h in range(0, m, 16):
            for c in range(0, width, 16):
                rows_to_columns(reach, h * width + c, width, opp, sheets.starts, first + c, h)
        for c in range(0, width, 16):
            store(reach, (opp_rows - 1) * width + c, none)
        shown = False
        for tile in range(first // 16, (first + width) // 16):
            shown = shown or sheets.tiles[tile] >= SHOWS
        beaten = sheets.beaten[first * own_rows :]
        part = Ahead(
            ahead.one,
            ahead.two,
            ahead.start + (ahead.end - ahead.start) * first // columns // 16 * 16,
            ahead.start + (ahead.end - ahead.start) * (first + width) // columns // 16 * 16,
        )
        sums = sheets.sums[SUMS * first :]
        sweep(width, shown, n, m, sheets.own, sheets.opp, reach, sums, beaten, part)
        first += width


class LeafTiles(NamedTuple):
    """What is known of the leaves of one batch: see `Sheets`."""

    tiles: Ints
    folds: npt.NDArray[np.int64]
    shows: npt.NDArray[np.int64]
    sums: Floats
    reach: Floats
    beaten: Floats
    pays: Floats


def _settle_of(width: Index) -> Any:
    """Return what settles batches of `width` leaves; it returns where to go on with what lies ahead."""
    settle_both, settle_shows, settle_folds = (
        settling(shows, folds, width) for shows, folds in ((True, True), (True, False), (False, True))
    )

    @lean
    def settle_batch(
        batch: LeafTiles,
        h: Index,
        count: Index,
        at: Index,
        value: Floats,
        own: Ints,
        ahead: Ahead,
        line: Index,
        pace: Index,
    ) -> Index:
        folds, shows, sums, reach = batch.folds, batch.shows, batch.sums, batch.reach
        beaten, pays = batch.beaten, batch.pays
        for g in range(h, h + count, 16):
            for c in range(0, width, 16):
                ends = batch.tiles[c // 16]
                if ends == SHOWS:
                    settle_shows(value, shows, folds, g, at - h, c, sums, reach, beaten, own, pays)
                elif ends == FOLDS:
                    settle_folds(value, shows, folds, g, at - h, c, sums, reach, beaten, own, pays)
                elif ends:
                    settle_both(value, shows, folds, g, at - h, c, sums, reach, beaten, own, pays)
                for k in range(line, min(line + pace, ahead.end), 16):
                    fetch(ahead.one, k)
                    fetch(ahead.two, k)
                line += pace
        return line

    return settle_batch


_settle16, _settle32, _settle64 = _settle_of(16), _settle_of(32), _settle_of(64)


@lean
def settle(
    columns: Index,
    n: Index,
    m: Index,
    h: Index,
    count: Index,
    at: Index,
    value: Floats,
    sheets: Sheets,
    ahead: Ahead,
) -> None:
    """Put the values of the swept leaves of hands h .. h + count - 1 in their rows, from offset `at` on."""
    next_line, tiles = ahead.start, max(1, columns // 16 * count // 16)
    pace = ((ahead.end - ahead.start) // tiles // 16 + 1) * 16 if ahead.end > ahead.start else 0
    own_rows, opp_rows = (n + 15) // 16 * 16, (m + 15) // 16 * 16 + 1
    first = 0
    while first < columns:
        width = _width(columns - first)
        reach, beaten = sheets.reach[first * opp_rows :], sheets.beaten[first * own_rows :]
        sums, pays = sheets.sums[SUMS * first :], sheets.pays[3 * first :]
        folds, shows = sheets.folds[first:], sheets.shows[first:]
        batch = LeafTiles(sheets.tiles[first // 16 :], folds, shows, sums, reach, beaten, pays)
        if width == 64:
            next_line = _settle64(batch, h, count, at, value, sheets.own, ahead, next_line, pace)
        elif width == 32:
            next_line = _settle32(batch, h, count, at, value, sheets.own, ahead, next_line, pace)
        else:
            next_line = _settle16(batch, h, count, at, value, sheets.own, ahead, next_line, pace)
        first += width
