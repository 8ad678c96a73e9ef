"""One CFR update of one player on a public tree: reach down, terminal values, regrets up.

All hands travel at once. "own" is the player being updated, "opp" the other. On every street the same two
functions do the work, on a chunk of the betting tree and one board: `forward` reads the strategies off the
tables, adds the own one to its average and carries both reaches down; `backward` carries counterfactual
values up and updates the own regrets. Between them the terminals of the chunk are evaluated
(`showdown_sweep`), or the next street is played for every card.

A reach is stored once for each *slot*: a run of nodes along which that player did not act. Values are
stored per node. Flat float32 scratch: reach at [slot, hand], value at [node - first, hand].
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from overbet.kernels.jit import fast_inlined, fast_kernel
from overbet.kernels.regret import RuleStep, accumulated, averaged
from overbet.kernels.vector.buckets import Sums
from overbet.kernels.vector.lanes import gather_tile, scatter_tile
from overbet.kernels.vector.showdown_sweep import Payoffs, SweepHands, SweepSheets, sweep

OWN, OPP, CHANCE, FOLD, SHOWDOWN = 0, 1, 2, 3, 4  # roles of nodes, seen from the player being updated

Index = Any  # an int or a uint64: kernels index with unsigned numbers, which numba need not wrap
Ints = npt.NDArray[np.int32]
Floats = npt.NDArray[np.float32]


class TableView(NamedTuple):
    """The betting tree seen by the player being updated. N nodes, L lines, K chunks.

    role, first_child, num_children: [N] int32. row: [N] int32, first action's row in its table.
    own_slot, opp_slot: [N] int32, within the chunk.
    line_start: [L + 1] int32. line_own, line_opp: [L] int32, slots of the CHANCE node above, in its own
    street's scratch; line_value: [L] int32, that node's place in its chunk.
    chunk_line: [K + 1] int32. chunk_batch: [K + 1] int32. Batches of leaves, B of them: batch_start: [B + 1]
    int32 into leaf_slot, batch_showdown: [B] int32, 0 where nobody gets to a showdown.
    leaf_slot: [leaves] int32, opponent's slot of a leaf; padding repeats slot 0 and pays nothing.
    leaf_fold, leaf_showdown: [leaves] int32, place in the chunk of the leaf's terminal of either kind; where
    it has none, the place after the last node, whose row nobody reads.
    """

    role: Ints
    first_child: Ints
    num_children: Ints
    row: Ints
    own_slot: Ints
    opp_slot: Ints
    line_start: Ints
    line_own: Ints
    line_opp: Ints
    line_value: Ints
    chunk_line: Ints
    chunk_batch: Ints
    batch_start: Ints
    batch_showdown: Ints
    leaf_slot: Ints
    leaf_fold: Ints
    leaf_showdown: Ints


class PackedTables(NamedTuple):
    """The river's part of the tables in 16 bits, see `packing`; arrays of one element where it is not used.

    regret, average: own, int16; opp_regret: the opponent's, int16; *_scales: float32, one a block.
    """

    regret: npt.NDArray[np.int16]
    regret_scales: Floats
    average: npt.NDArray[np.int16]
    average_scales: Floats
    opp_regret: npt.NDArray[np.int16]
    opp_scales: Floats


class UpdateTables(NamedTuple):
    """Flat float32 tables of the player being updated, and what the opponent plays by.

    regret, play, average: own; play is what regret matching reads: `regret` itself, or the prediction.
    opp_play: the opponent's. locked: uint8 like regret, 1 where a hand's strategy is fixed (its regrets hold
    the strategy and stay), or one element where nothing is locked. packed: the river, where it is packed.
    sums: for streets on which hands share rows, see `vector_buckets`.
    """

    regret: Floats
    play: Floats
    average: Floats
    opp_play: Floats
    locked: npt.NDArray[np.uint8]
    packed: PackedTables
    sums: Sums


class NodePlace(NamedTuple):
    """Where one board's rows start in the tables, their length, and how many of the hands are live."""

    own_base: int
    own_stride: int
    own_hands: int
    opp_base: int
    opp_stride: int
    opp_hands: int


class Bridge(NamedTuple):
    """What crosses from a street to the next, hands outermost so that a board picks its hands as whole rows.

    own, opp: [hand, width] float32, flat, reach at each line of the next street; value: the same, own values
    coming back. width: a multiple of 16, at least 16 more than there are lines.
    """

    width: int
    own: Floats
    opp: Floats
    value: Floats


class Scratch(NamedTuple):
    """Working memory of one street of one thread, flat float32: see the module's paragraph.

    own and opp have one row more than slots, value one more than nodes: what nobody reads is written there.
    strategy: [own action rows of the chunk, hand]. bridge: to the next street.
    """

    own: Floats
    opp: Floats
    value: Floats
    strategy: Floats
    bridge: Bridge


@fast_inlined
def match_regrets(
    table: Floats, base: Index, stride: Index, actions: Index, hands: Index, out: Floats, at: Index
) -> None:
    """Regret matching at one node: rows base.. of `table` to rows at.. of `out`, each [actions, stride].

    Row 0 of `out` gathers the sum first, so that no further scratch is needed.
    """
    some: Any = table[0]  # of its kind; at `base` there is nothing where a board leaves a player no hand
    zero, one, two = type(some)(0.0), type(some)(1.0), np.uint64(2)
    uniform = one / type(some)(actions)
    hands, rows = np.uint64(hands), np.uint64(actions)
    if actions == 2:
        for h in range(hands):
            x = max(table[base + h], zero)
            y = max(table[base + stride + h], zero)
            total = x + y
            scale = one / total if total > zero else zero
            rest = zero if total > zero else uniform
            out[at + h] = x * scale + rest
            out[at + stride + h] = y * scale + rest
        return
    if actions == 3:
        for h in range(hands):
            x = max(table[base + h], zero)
            y = max(table[base + stride + h], zero)
            z = max(table[base + two * stride + h], zero)
            total = x + y + z
            scale = one / total if total > zero else zero
            rest = zero if total > zero else uniform
            out[at + h] = x * scale + rest
            out[at + stride + h] = y * scale + rest
            out[at + two * stride + h] = z * scale + rest
        return
    for h in range(hands):
        out[at + h] = max(table[base + h], zero)
    for a in range(np.uint64(1), rows):
        for h in range(hands):
            out[at + h] += max(table[base + a * stride + h], zero)
    for a in range(np.uint64(1), rows):
        for h in range(hands):
            total = out[at + h]
            out[at + a * stride + h] = (
                max(table[base + a * stride + h], zero) / total if total > zero else uniform
            )
    for h in range(hands):
        total = out[at + h]
        out[at + h] = max(table[base + h], zero) / total if total > zero else uniform


@fast_kernel
def forward(
    view: TableView, chunk: int, place: NodePlace, tables: UpdateTables, step: RuleStep, scratch: Scratch
) -> None:
    """Carry both reaches from the chunk's first nodes to all others; add the own strategy to its average."""
    play, average, opp_play = tables.play, tables.average, tables.opp_play
    own, opp, strategy = scratch.own, scratch.opp, scratch.strategy
    own_stride, opp_stride = np.uint64(place.own_stride), np.uint64(place.opp_stride)
    first = view.line_start[view.chunk_line[chunk]]
    last = view.line_start[view.chunk_line[chunk + 1]]
    used = np.uint64(0)
    for node in range(first, last):
        role = view.role[node]
        if role > OPP:
            continue
        actions = view.num_children[node]
        child = view.first_child[node]
        if role == OWN:
            base = np.uint64(place.own_base) + np.uint64(view.row[node]) * own_stride
            match_regrets(play, base, own_stride, actions, place.own_hands, strategy, used)
            reach = np.uint64(view.own_slot[node]) * own_stride
            for a in range(actions):
                to = np.uint64(view.own_slot[child + a]) * own_stride
                row = base + np.uint64(a) * own_stride
                at = used + np.uint64(a) * own_stride
                for h in range(np.uint64(place.own_hands)):
                    share = own[reach + h] * strategy[at + h]
                    own[to + h] = share
                    average[row + h] = averaged(average[row + h], share, step)
            used += np.uint64(actions) * own_stride
        else:
            base = np.uint64(place.opp_base) + np.uint64(view.row[node]) * opp_stride
            to = np.uint64(view.opp_slot[child]) * opp_stride
            match_regrets(opp_play, base, opp_stride, actions, place.opp_hands, opp, to)
            reach = np.uint64(view.opp_slot[node]) * opp_stride
            for a in range(actions):
                at = to + np.uint64(a) * opp_stride
                for h in range(np.uint64(place.opp_hands)):
                    opp[at + h] *= opp[reach + h]


@fast_kernel
def backward(
    view: TableView, chunk: int, place: NodePlace, tables: UpdateTables, step: RuleStep, scratch: Scratch
) -> None:
    """Carry values from terminals and CHANCE nodes up to the chunk's first nodes; update the own regrets."""
    regret = tables.regret
    value, strategy = scratch.value, scratch.strategy
    stride, hands = np.uint64(place.own_stride), np.uint64(place.own_hands)
    first = view.line_start[view.chunk_line[chunk]]
    last = view.line_start[view.chunk_line[chunk + 1]]
    used = np.uint64(0)
    for node in range(first, last):
        if view.role[node] == OWN:
            used += np.uint64(view.num_children[node]) * stride
    for node in range(last - 1, first - 1, -1):
        role = view.role[node]
        if role > OPP:
            continue
        actions = view.num_children[node]
        out = np.uint64(node - first) * stride
        child = np.uint64(view.first_child[node] - first) * stride
        if actions == 1:  # a player without a bet can only check: nothing to learn
            used -= stride if role == OWN else np.uint64(0)
            for h in range(hands):
                value[out + h] = value[child + h]
            continue
        if role == OPP:
            for h in range(hands):
                value[out + h] = value[child + h] + value[child + stride + h]
            for a in range(2, actions):
                at = child + np.uint64(a) * stride
                for h in range(hands):
                    value[out + h] += value[at + h]
            continue
        used -= np.uint64(actions) * stride
        for h in range(hands):
            value[out + h] = (
                strategy[used + h] * value[child + h]
                + strategy[used + stride + h] * value[child + stride + h]
            )
        for a in range(2, actions):
            at, part = child + np.uint64(a) * stride, used + np.uint64(a) * stride
            for h in range(hands):
                value[out + h] += strategy[part + h] * value[at + h]
        base = np.uint64(place.own_base) + np.uint64(view.row[node]) * stride
        if tables.locked.size > 1 or step.prediction != 0:
            _update_with_care(base, stride, child, out, np.uint64(actions), hands, tables, step, value)
            continue
        for a in range(actions):
            row, at = base + np.uint64(a) * stride, child + np.uint64(a) * stride
            for h in range(hands):
                regret[row + h] = accumulated(regret[row + h], value[at + h] - value[out + h], step)


@fast_kernel
def _update_with_care(
    base: Index,
    stride: Index,
    child: Index,
    out: Index,
    actions: Index,
    hands: Index,
    tables: UpdateTables,
    step: RuleStep,
    value: Floats,
) -> None:
    """The regret update of one node where hands may be locked or the rule predicts."""
    for a in range(actions):
        row, at = base + a * stride, child + a * stride
        for h in range(hands):
            if tables.locked.size > 1 and tables.locked[row + h]:
                continue
            instant = value[at + h] - value[out + h]
            total = accumulated(tables.regret[row + h], instant, step)
            tables.regret[row + h] = total
            if step.prediction != 0:
                tables.play[row + h] = total * step.carry + step.prediction * instant


@fast_kernel
def symmetrise(
    view: TableView, chunk: int, place: NodePlace, tables: UpdateTables, orbit: npt.NDArray[np.uint16]
) -> None:
    """Give hands that mirror each other the same regrets. orbit: [hand] uint16, the hand to copy from.

    They have the same regrets but for rounding. Where actions tie, rounding decides what is played, and a
    board that stands for its mirrors would no longer do so.
    """
    first = view.line_start[view.chunk_line[chunk]]
    last = view.line_start[view.chunk_line[chunk + 1]]
    stride = np.uint64(place.own_stride)
    for node in range(first, last):
        if view.role[node] == OWN:
            base = np.uint64(place.own_base) + np.uint64(view.row[node]) * stride
            for a in range(np.uint64(view.num_children[node])):
                row = base + a * stride
                for h in range(np.uint64(place.own_hands)):
                    tables.regret[row + h] = tables.regret[row + np.uint64(orbit[h])]
                    tables.play[row + h] = tables.play[row + np.uint64(orbit[h])]


@fast_kernel
def settle(
    view: TableView,
    chunk: int,
    place: NodePlace,
    seats: SweepHands,
    payoffs: Payoffs,
    scratch: Scratch,
    sheets: SweepSheets,
) -> None:
    """Evaluate the chunk's terminals on one board, in batches of leaves.

    Reach is [slot, hand] in the tree and [hand, leaf] in the sweep: tiles of 16 x 16 are transposed between.
    """
    opp, value, starts = scratch.opp, scratch.value, sheets.starts
    own_stride, opp_stride = np.uint64(place.own_stride), np.uint64(place.opp_stride)
    own_hands, opp_hands = np.uint64(place.own_hands), np.uint64(place.opp_hands)
    tile, none = np.uint64(16), np.uint64(0)
    for batch in range(view.chunk_batch[chunk], view.chunk_batch[chunk + 1]):
        start = view.batch_start[batch]
        width = view.batch_start[batch + 1] - start
        lanes = np.uint64(width)
        for c in range(width):
            starts[c] = np.uint64(view.leaf_slot[start + c]) * opp_stride
        for h in range(none, opp_hands, tile):
            for c in range(none, lanes, tile):
                gather_tile(sheets.reach, h * lanes + c, lanes, opp, starts, c, h)
        shown = view.batch_showdown[batch] != 0
        sweep(width, shown, seats, payoffs, start, sheets)
        for c in range(width):
            starts[c] = np.uint64(view.leaf_fold[start + c]) * own_stride
        for h in range(none, own_hands, tile):
            for c in range(none, lanes, tile):
                scatter_tile(value, starts, c, h, sheets.fold, h * lanes + c, lanes)
        if shown:
            for c in range(width):
                starts[c] = np.uint64(view.leaf_showdown[start + c]) * own_stride
            for h in range(none, own_hands, tile):
                for c in range(none, lanes, tile):
                    scatter_tile(value, starts, c, h, sheets.showdown, h * lanes + c, lanes)
