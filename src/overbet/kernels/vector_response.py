"""Values of a finished strategy on a public tree: against it by best response, or by playing it.

This is the judge of the solver, so it shares no code with the update pass: strategies are read off the
average tables, every node keeps its own reach and value, leaves are evaluated one at a time in float64, the
probability of a card is applied where it is dealt, and payoffs come from the chips in the middle.

"own" is the player whose values are computed; at its nodes it takes the best action (mode BEST) or follows
its own average strategy (mode FOLLOW); mode OBEY is the best response that keeps to locked strategies. The
other player always follows its average strategy.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from overbet.kernels.jit import kernel

BEST, FOLLOW, OBEY = 0, 1, 2
_FOLD, _SHOWDOWN, _CHANCE = 3, 4, 2
_TURN, _RIVER = 1, 2
_MOST_ACTIONS = 64

Ints = npt.NDArray[np.int32]
Floats = npt.NDArray[np.float32]
Doubles = npt.NDArray[np.float64]
Cards = npt.NDArray[np.uint8]


class Lines(NamedTuple):
    """The betting tree: kind, parent, first_child, num_children, row: [N] int32; line_start: [L + 1] int32;
    street_line: [4] int32. win, tie, lose: [N] float64, what `own` gets at a terminal (fold: `win` alone).
    cards_left: [3] float64, unseen cards when a street's card is dealt, both hands known.
    """

    kind: Ints
    parent: Ints
    first_child: Ints
    num_children: Ints
    row: Ints
    line_start: Ints
    street_line: Ints
    win: Doubles
    tie: Doubles
    lose: Doubles
    cards_left: Doubles


class Party(NamedTuple):
    """One player: number (0 or 1), hands H, cards [H, 2] uint8, the average table and where a street begins.

    locked: uint8 like average (1: fixed), or one element where nothing is locked.
    live: [T, H] float32. alive: [R] int32; hand, strength: [R, H] int16. base, rows, stride: [3] int64.
    """

    number: int
    hands: int
    cards: npt.NDArray[np.uint8]
    average: Floats
    locked: npt.NDArray[np.uint8]
    live: Floats
    alive: Ints
    hand: npt.NDArray[np.int16]
    strength: npt.NDArray[np.int16]
    base: npt.NDArray[np.int64]
    rows: npt.NDArray[np.int64]
    stride: npt.NDArray[np.int64]


class Deal(NamedTuple):
    """How boards follow each other: child_start [T + 1], and per board of the turn and of the river the
    swaps it stands for. swapped: [7, H] int16 of `own`.
    """

    child_start: Ints
    turn_mirror_start: Ints
    turn_mirrors: Ints
    river_mirror_start: Ints
    river_mirrors: Ints
    swapped: npt.NDArray[np.int16]


@kernel
def _strategy(party: Party, start: int, stride: int, actions: int, n: int, out: Floats) -> None:
    """Fill the average strategy of one node: out: [actions, hand] float32, from rows of the average table."""
    average = party.average
    for h in range(n):
        total = np.float32(0.0)
        for a in range(actions):
            total += average[start + a * stride + h]
        for a in range(actions):
            each = average[start + a * stride + h]
            out[a, h] = each / total if total > 0 else np.float32(1.0) / actions


@kernel
def reach_down(lines: Lines, mover: Party, street: int, board: int, n: int, line: int, reach: Floats) -> None:
    """Fill the reach of `mover` at all nodes of a line from its first. reach: [nodes of the line, hand]."""
    first, last = lines.line_start[line], lines.line_start[line + 1]
    stride = mover.stride[street]
    base = mover.base[street] + board * mover.rows[street] * stride
    strategy = np.empty((_MOST_ACTIONS, n), np.float32)
    for node in range(first, last):
        if lines.kind[node] >= _CHANCE:
            continue
        actions, child = lines.num_children[node], lines.first_child[node] - first
        if lines.kind[node] == mover.number:
            _strategy(mover, base + lines.row[node] * stride, stride, actions, n, strategy)
            for a in range(actions):
                for h in range(n):
                    reach[child + a, h] = reach[node - first, h] * strategy[a, h]
        else:
            for a in range(actions):
                for h in range(n):
                    reach[child + a, h] = reach[node - first, h]


@kernel
def value_up(
    lines: Lines, own: Party, street: int, board: int, n: int, line: int, value: Doubles, mode: int
) -> None:
    """Fill `own`'s values at a line's decisions from its terminals and cards: [nodes of the line, hand]."""
    first, last = lines.line_start[line], lines.line_start[line + 1]
    stride = own.stride[street]
    base = own.base[street] + board * own.rows[street] * stride
    strategy = np.empty((_MOST_ACTIONS, n), np.float32)
    for node in range(last - 1, first - 1, -1):
        if lines.kind[node] >= _CHANCE:
            continue
        actions, child = lines.num_children[node], lines.first_child[node] - first
        out = value[node - first]
        if lines.kind[node] != own.number:
            out[:n] = value[child, :n]
            for a in range(1, actions):
                for h in range(n):
                    out[h] += value[child + a, h]
            continue
        start = base + lines.row[node] * stride
        bound = mode == OBEY and len(own.locked) > 1
        if mode != FOLLOW:
            out[:n] = value[child, :n]
            for a in range(1, actions):
                for h in range(n):
                    out[h] = max(out[h], value[child + a, h])
        if mode == FOLLOW or bound:
            _strategy(own, start, stride, actions, n, strategy)
            for h in range(n):
                if mode == FOLLOW or own.locked[start + h]:
                    total = 0.0
                    for a in range(actions):
                        total += strategy[a, h] * value[child + a, h]
                    out[h] = total


@kernel
def _fold_value(
    own_cards: Cards, opp_cards: Cards, n: int, reach: Floats, amount: float, out: Doubles
) -> None:
    """out[h] = amount * (opponent's reach that shares no card with h). Cards: [., 2] uint8 in table order."""
    total = 0.0
    by_card = np.zeros(52)
    by_combo = np.zeros(1326)
    for h in range(len(reach)):
        total += reach[h]
        high, low = np.int64(opp_cards[h, 0]), np.int64(opp_cards[h, 1])
        by_card[high] += reach[h]
        by_card[low] += reach[h]
        by_combo[high * (high - 1) // 2 + low] = reach[h]
    for h in range(n):
        high, low = np.int64(own_cards[h, 0]), np.int64(own_cards[h, 1])
        both = by_combo[high * (high - 1) // 2 + low]
        out[h] = amount * (total - by_card[high] - by_card[low] + both)


@kernel
def _showdown_value(
    own: Party, opp: Party, board: int, reach: Floats, amounts: Doubles, out: Doubles
) -> None:
    """out[h] of the live hands of a river board, in order of strength. amounts: [3] win, tie, lose."""
    n, m = own.alive[board], opp.alive[board]
    mine, theirs = own.hand[board], opp.hand[board]
    by_card = np.zeros(52)
    total = 0.0
    j = 0
    for i in range(n):  # weaker hands: win
        while j < m and opp.strength[board, j] < own.strength[board, i]:
            total += reach[j]
            by_card[opp.cards[theirs[j], 0]] += reach[j]
            by_card[opp.cards[theirs[j], 1]] += reach[j]
            j += 1
        a, b = own.cards[mine[i], 0], own.cards[mine[i], 1]
        out[i] = (amounts[0] - amounts[1]) * (total - by_card[a] - by_card[b])
    by_card[:] = 0.0
    total = 0.0
    j = m - 1
    for i in range(n - 1, -1, -1):  # stronger hands: lose
        while j >= 0 and opp.strength[board, j] > own.strength[board, i]:
            total += reach[j]
            by_card[opp.cards[theirs[j], 0]] += reach[j]
            by_card[opp.cards[theirs[j], 1]] += reach[j]
            j -= 1
        a, b = own.cards[mine[i], 0], own.cards[mine[i], 1]
        out[i] += (amounts[2] - amounts[1]) * (total - by_card[a] - by_card[b])
    if amounts[1] != 0.0:  # everybody gets the tie, the two corrections above made the rest of it
        every = np.zeros(n)
        own_cards, opp_cards = own.cards[mine[:n].astype(np.int64)], opp.cards[theirs[:m].astype(np.int64)]
        _fold_value(own_cards, opp_cards, n, reach[:m], amounts[1], every)
        for i in range(n):
            out[i] += every[i]


@kernel
def river_line(
    lines: Lines, own: Party, opp: Party, board: int, line: int, reach: Floats, value: Doubles, mode: int
) -> None:
    """Evaluate one line of a river board. reach: [nodes, hand] of opp, its first row given; value: the same.

    Hands are in the board's order of strength.
    """
    first, last = lines.line_start[line], lines.line_start[line + 1]
    n, m = own.alive[board], opp.alive[board]
    own_cards = own.cards[own.hand[board, :n].astype(np.int64)]
    opp_cards = opp.cards[opp.hand[board, :m].astype(np.int64)]
    reach_down(lines, opp, _RIVER, board, m, line, reach)
    for node in range(first, last):
        if lines.kind[node] == _FOLD:
            _fold_value(
                own_cards, opp_cards, n, reach[node - first, :m], lines.win[node], value[node - first]
            )
        elif lines.kind[node] == _SHOWDOWN:
            amounts = np.array([lines.win[node], lines.tie[node], lines.lose[node]])
            _showdown_value(own, opp, board, reach[node - first], amounts, value[node - first])
    value_up(lines, own, _RIVER, board, n, line, value, mode)


@kernel
def early_line(
    lines: Lines, own: Party, opp: Party, street: int, board: int, line: int, reach: Floats, value: Doubles
) -> None:
    """Flop or turn, on the way down: opp's reach at all nodes of a line, values of folds, zero at cards."""
    first, last = lines.line_start[line], lines.line_start[line + 1]
    reach_down(lines, opp, street, board, opp.hands, line, reach)
    for node in range(first, last):
        if lines.kind[node] == _FOLD:
            _fold_value(
                own.cards,
                opp.cards,
                own.hands,
                reach[node - first, : opp.hands],
                lines.win[node],
                value[node - first],
            )
        elif lines.kind[node] == _CHANCE:
            value[node - first, :] = 0.0


@kernel
def add_rivers(
    lines: Lines, own: Party, opp: Party, deal: Deal, boards: Ints, reach: Floats, value: Doubles, mode: int
) -> None:
    """Add the values of some rivers to the CHANCE nodes of the turn. reach, value: [turn nodes, hand]."""
    start = lines.line_start[lines.street_line[_TURN]]
    for line in range(lines.street_line[_RIVER], lines.street_line[_RIVER + 1]):
        root = lines.line_start[line]
        above = lines.parent[root] - start
        nodes = lines.line_start[line + 1] - root
        river_reach = np.zeros((nodes, opp.hand.shape[1]), np.float32)
        river_value = np.zeros((nodes, own.hand.shape[1]))
        for board in boards:
            for j in range(opp.alive[board]):
                river_reach[0, j] = reach[above, opp.hand[board, j]]
            river_line(lines, own, opp, board, line, river_reach, river_value, mode)
            for mirror in range(deal.river_mirror_start[board], deal.river_mirror_start[board + 1]):
                image = deal.swapped[deal.river_mirrors[mirror]]
                for i in range(own.alive[board]):
                    value[above, image[own.hand[board, i]]] += river_value[0, i] / lines.cards_left[_RIVER]


@kernel
def street_down(
    lines: Lines, own: Party, opp: Party, street: int, board: int, reach: Floats, value: Doubles
) -> None:
    """Flop or turn, on the way down: see `early_line`. reach, value: [nodes of the street, hand]."""
    start = lines.line_start[lines.street_line[street]]
    for line in range(lines.street_line[street], lines.street_line[street + 1]):
        first, last = lines.line_start[line] - start, lines.line_start[line + 1] - start
        early_line(lines, own, opp, street, board, line, reach[first:last], value[first:last])


@kernel
def street_up(lines: Lines, own: Party, street: int, board: int, value: Doubles, mode: int) -> None:
    """Flop or turn, on the way up, CHANCE nodes' values given. value: [nodes of the street, hand]."""
    start = lines.line_start[lines.street_line[street]]
    for line in range(lines.street_line[street], lines.street_line[street + 1]):
        first, last = lines.line_start[line] - start, lines.line_start[line + 1] - start
        value_up(lines, own, street, board, own.hands, line, value[first:last], mode)


@kernel
def turn_board(
    lines: Lines, own: Party, opp: Party, deal: Deal, turn: int, reach: Floats, value: Doubles, mode: int
) -> None:
    """Evaluate all turn lines on one turn board. reach: [turn nodes, hand] of opp, first rows of lines given;
    value: [turn nodes, hand]."""
    street_down(lines, own, opp, _TURN, turn, reach, value)
    boards = np.arange(deal.child_start[turn], deal.child_start[turn + 1]).astype(np.int32)
    add_rivers(lines, own, opp, deal, boards, reach, value, mode)
    street_up(lines, own, _TURN, turn, value, mode)
