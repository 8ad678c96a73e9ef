"""What the kernels of the update read and write, as bundles of device arrays.

The tables are those of the CPU engine, entry by entry: [board, action row, hand] float32, flat, streets one
after the other. Beside regrets and averages each player has its current *strategy*, kept up to date by the
update itself; a reach is the product of a chain of strategy rows, so no reach is ever stored.

"Boards" are numbered through all streets: R rivers, then T turns, then the flop (B in all). On a river,
hands are in order of strength; before it, in the range's order. "own" is the player being updated.
Arrays are flat unless a shape is given with two commas; kernels index with unsigned numbers, which numba need
not check for being negative.
"""

from __future__ import annotations

from typing import Any, NamedTuple

Array = Any  # a device array; shapes and types are in the docstrings


class PlayerArrays(NamedTuple):
    """One player's hands and where its rows are. H hands, L lines of the betting tree.

    hands: H. alive: [B] int32, hands in a board's order. hand: [B * H] uint16, the hand at a place. start:
    [B * H] float32, its weight in the range, 0 where the board kills it. orbit: [B * H] uint16, before the
    river the hand whose values it reads: the first of those that symmetries of the board make of it. above:
    [B * 3] int32, the number within its street of the board on each street. base, rows, stride: [3] int64,
    start of each street's table, rows a board, length of a row. up_start: [L + 1] int32 into up: [.] int32,
    the player's own action rows on the streets before a line, as 2 * row, plus 1 on the turn.

    first: the first street. turns: turn boards. street_line: [4] int32. opened: float32, the player's reach
    where lines begin, by street from opened_base: [3] int64, [board above, line, hand in the range's order];
    for the first street's one line, root weights. The rest is written by `open_lines` whenever a strategy
    changes.
    """

    hands: int
    alive: Array
    hand: Array
    start: Array
    orbit: Array
    above: Array
    base: Array
    rows: Array
    stride: Array
    up_start: Array
    up: Array
    first: int
    turns: int
    street_line: Array
    opened_base: Array
    opened: Array


class LeafOrder(NamedTuple):
    """How the leaves of a board are evaluated for own hands (H of them) against the opponent's order.

    hands: H. alive: [B] int32. steps: how far the threads (lanes) that sum up cards go, four hands a step.
    sequence: [B * steps * lanes + lanes] uint64, at [step, lane] four codes of 16 bits, lowest first: one
    plus the place of the opponent's hand that the lane adds to its card's sum (0: none), plus FIRST where a
    card begins; one step more, which is read but not used. place: [B * 5 * H] uint32, two numbers in each,
    low half first: opponent's hands weaker, and not stronger; where the sums of the hand's two cards stand
    over the weaker ones; over those not stronger; over all; and the opponent's hand of the same cards.
    """

    hands: int
    alive: Array
    steps: int
    sequence: Array
    place: Array


class GpuLeaves(NamedTuple):
    """The leaves of the betting tree for `own`: terminals that the opponent reaches with one reach.

    Leaves of a street are evaluated in fours, Q of them in all; the last of a street may have fewer. units:
    blocks of work, a run of fours on one board each. stretch: hands a thread scans, odd. street_unit: [3]
    int32, first unit of each street (rivers first). street_run: [4] int32, first run of each street;
    run_start: [runs + 1] int32, its first four. opened: [Q * 4] int32, where the opponent's reaches at the
    beginning of the leaf's line are, from the street's first line on. chain_start: [Q + 1] int32 into chain:
    [. * 4] int32, where the opponent's rows from the line's first node to each of the four leaves begin in a
    board's table, -1 where a leaf has no more of them. fold, show: [Q * 4] int32, where the terminals' value
    rows begin in a board's values, -1 for none. factors: [Q * 16] float32, the four leaves' on below, then on
    upto, on all, and on all for a fold. board_first: [3] int32, first board of each street. value_base,
    value_rows, stride: [3] int64, of the values of each street.
    """

    units: int
    stretch: int
    street_unit: Array
    street_run: Array
    run_start: Array
    opened: Array
    chain_start: Array
    chain: Array
    fold: Array
    show: Array
    factors: Array
    board_first: Array
    value_base: Array
    value_rows: Array
    stride: Array


class GpuProgram(NamedTuple):
    """The decisions of every line, deepest first, for `own`.

    street_group: [4] int32, and group_line: [groups * 2] int32: first and last + 1 of the lines that a block
    works through, street by street, longest work first. line_level: [L + 1] int32 into level_op: [levels + 1]
    int32, the first operation of each level of depth. ops: [operations * 8] int32: 1 where `own` decides,
    plus 2 * the number of actions; where its value goes; chain, as 64 * start + length, or for the opponent's
    the number in factors: [.] float32 by which its first child's value counts; where its own rows begin in a
    board's table; its first three refs; where its refs begin. refs: [.] int32, where a child's
    value is: where its row begins in a board's values, or -1 - slot (as is where a value goes). chain: [.]
    int32, where the own rows from the line's first node to the decision begin. line_ref: [L] int32, where the
    line's value is. street_line: [4] int32. board_first: [3] int32. value_base, value_rows: [3] int64.
    line_row: [L] int32, value row of the CHANCE node above the line.
    """

    street_group: Array
    group_line: Array
    line_level: Array
    level_op: Array
    ops: Array
    refs: Array
    chain: Array
    factors: Array
    line_ref: Array
    street_line: Array
    board_first: Array
    value_base: Array
    value_rows: Array
    line_row: Array


class GpuTables(NamedTuple):
    """The own tables, flat: regret, average, strategy float32; locked uint8, of length 1 without locks."""

    regret: Array
    average: Array
    strategy: Array
    locked: Array


class Clock(NamedTuple):
    """steps: [iterations, 8] float32, the fields of `kernels.regret.RuleStep`; now: [1] int32, the row in
    use."""

    steps: Array
    now: Array


class GpuDeal(NamedTuple):
    """The boards, mirrors counted, that follow each board of the street before, for `own`.

    pair_start: [boards above + 1] int32. board: [pairs] int32. place: [pairs * H] int16, where a hand's value
    is in that board's order, -1 where it is dead.
    """

    pair_start: Array
    board: Array
    place: Array
