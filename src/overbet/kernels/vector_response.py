"""Values of a finished strategy on a public tree: against it by best response, or by playing it.

This is the judge of the solver, so it shares no code with the update pass: strategies are read off the
average tables, every node keeps its own reach and value, leaves are evaluated one at a time in float64, the
probability of a card is applied where it is dealt, and payoffs come from the chips in the middle.

"own" is the player whose values are computed; at its nodes it takes the best action (mode BEST) or follows
its own average strategy (mode FOLLOW). The other player always follows its average strategy.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from overbet.kernels.jit import kernel

BEST, FOLLOW = 0, 1
_FOLD, _SHOWDOWN, _CHANCE = 3, 4, 2
_TURN, _RIVER = 1, 2

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

    live: [T, H] float32. alive: [R] int32; hand, strength: [R, H] int16. base, rows, stride: [3] int64.
    """

    number: int
    hands: int
    cards: npt.NDArray[np.uint8]
    average: Floats
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
def _share(party: Party, start: int, stride: int, actions: int, action: int, h: int) -> Any:
    """Return the average strategy's probability of an action for the hand at place h of a row."""
    total = 0.0
    for a in range(actions):
        total += party.average[start + a * stride + h]
    if total > 0.0:
        return party.average[start + action * stride + h] / total
    return 1.0 / actions


@kernel
def reach_down(lines: Lines, mover: Party, street: int, board: int, n: int, line: int, reach: Floats) -> None:
    """Fill the reach of `mover` at all nodes of a line from its first. reach: [nodes of the line, hand]."""
    first, last = lines.line_start[line], lines.line_start[line + 1]
    stride = mover.stride[street]
    base = mover.base[street] + board * mover.rows[street] * stride
    for node in range(first, last):
        actions = lines.num_children[node]
        child = lines.first_child[node]
        if lines.kind[node] >= _CHANCE:
            continue
        start = base + lines.row[node] * stride
        for a in range(actions):
            to = child + a - first
            if lines.kind[node] == mover.number:
                for h in range(n):
                    reach[to, h] = reach[node - first, h] * _share(mover, start, stride, actions, a, h)
            else:
                for h in range(n):
                    reach[to, h] = reach[node - first, h]


@kernel
def _value_up(
    lines: Lines, own: Party, street: int, board: int, n: int, line: int, value: Doubles, mode: int
) -> None:
    """Fill `own`'s values at a line's decisions from its terminals and cards: [nodes of the line, hand]."""
    first, last = lines.line_start[line], lines.line_start[line + 1]
    stride = own.stride[street]
    base = own.base[street] + board * own.rows[street] * stride
    for node in range(last - 1, first - 1, -1):
        if lines.kind[node] >= _CHANCE:
            continue
        actions = lines.num_children[node]
        child = lines.first_child[node] - first
        start = base + lines.row[node] * stride
        mine = lines.kind[node] == own.number
        for h in range(n):
            best, total = value[child, h], 0.0
            for a in range(actions):
                each = value[child + a, h]
                best = max(best, each)
                if not mine:
                    total += each
                elif mode == FOLLOW:
                    total += each * _share(own, start, stride, actions, a, h)
            value[node - first, h] = best if mine and mode == BEST else total


@kernel
def _fold_value(
    own_cards: Cards, opp_cards: Cards, n: int, reach: Floats, amount: float, out: Doubles
) -> None:
    """out[h] = amount * (opponent's reach that shares no card with h). Cards: [., 2] uint8 in table order."""
    total = 0.0
    by_card = np.zeros(52)
    by_pair = np.zeros((52, 52))
    for h in range(len(reach)):
        total += reach[h]
        a, b = opp_cards[h, 0], opp_cards[h, 1]
        by_card[a] += reach[h]
        by_card[b] += reach[h]
        by_pair[a, b] += reach[h]
        by_pair[b, a] += reach[h]
    for h in range(n):
        a, b = own_cards[h, 0], own_cards[h, 1]
        out[h] = amount * (total - by_card[a] - by_card[b] + by_pair[a, b])


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
    _value_up(lines, own, _RIVER, board, n, line, value, mode)


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
def _add_rivers(
    lines: Lines,
    own: Party,
    opp: Party,
    deal: Deal,
    turn: int,
    line: int,
    reach: Floats,
    value: Doubles,
    mode: int,
) -> None:
    """Add the rivers' values to the CHANCE nodes of one turn line (or of the first line of a turn spot)."""
    first, last = lines.line_start[line], lines.line_start[line + 1]
    for node in range(first, last):
        if lines.kind[node] != _CHANCE:
            continue
        below = lines.first_child[node]
        river_number = lines.street_line[_RIVER]
        while lines.line_start[river_number] != below:
            river_number += 1
        nodes = lines.line_start[river_number + 1] - below
        river_reach = np.zeros((nodes, opp.hand.shape[1]), np.float32)
        river_value = np.zeros((nodes, own.hand.shape[1]))
        for board in range(deal.child_start[turn], deal.child_start[turn + 1]):
            for j in range(opp.alive[board]):
                river_reach[0, j] = reach[node - first, opp.hand[board, j]]
            river_line(lines, own, opp, board, river_number, river_reach, river_value, mode)
            for mirror in range(deal.river_mirror_start[board], deal.river_mirror_start[board + 1]):
                image = deal.swapped[deal.river_mirrors[mirror]]
                for i in range(own.alive[board]):
                    hand = image[own.hand[board, i]]
                    value[node - first, hand] += river_value[0, i] / lines.cards_left[_RIVER]


@kernel
def turn_board(
    lines: Lines, own: Party, opp: Party, deal: Deal, turn: int, reach: Floats, value: Doubles, mode: int
) -> None:
    """Evaluate all turn lines on one turn board. reach: [turn nodes, hand] of opp, first rows of lines given;
    value: [turn nodes, hand]."""
    start = lines.line_start[lines.street_line[_TURN]]
    for line in range(lines.street_line[_TURN], lines.street_line[_TURN + 1]):
        first, last = lines.line_start[line] - start, lines.line_start[line + 1] - start
        early_line(lines, own, opp, _TURN, turn, line, reach[first:last], value[first:last])
        _add_rivers(lines, own, opp, deal, turn, line, reach[first:last], value[first:last], mode)
        _value_up(lines, own, _TURN, turn, own.hands, line, value[first:last], mode)


@kernel
def flop_down(lines: Lines, own: Party, opp: Party, reach: Floats, value: Doubles) -> None:
    """Evaluate the flop on the way down: see `early_line`."""
    early_line(lines, own, opp, 0, 0, 0, reach, value)


@kernel
def flop_up(lines: Lines, own: Party, value: Doubles, mode: int) -> None:
    """Evaluate the flop on the way up, its CHANCE nodes' values given."""
    _value_up(lines, own, 0, 0, own.hands, 0, value, mode)
