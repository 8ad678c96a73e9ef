"""Values of a finished strategy on a public tree: against it by best response, or by playing it.

This is the judge of the solver, so it shares no code with the update pass: strategies are read off the
average tables, every node keeps its own reach and value, leaves are evaluated in float64 by one sweep up for
wins and one down for losses, the probability of a card is applied where it is dealt, and payoffs come from
the chips in the middle.

"own" is the player whose values are computed; at its nodes it takes the best action (mode BEST) or follows
its own average strategy (mode FOLLOW); mode OBEY is the best response that keeps to locked strategies. The
other player always follows its average strategy.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from overbet.kernels.jit import kernel

BEST, FOLLOW, OBEY = 0, 1, 2
_FOLD, _SHOWDOWN, _CHANCE = 3, 4, 2
_TURN, _RIVER = 1, 2
_LEAVES = 32  # leaves of a river board evaluated together

Index = Any  # an int: constants, numbers out of arrays and int64 alike
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

    packed, scales: the river's part of the average in 16 bits, one element each where it is not packed.
    locked: uint8 like average (1: fixed), or one element where nothing is locked.
    live: [T, H] float32. alive: [R] int32; hand, strength: [R, H] int16. base, rows, stride: [3] int64.
    river_start: [R + 1] int64, river_row: [R] int64, where a river board's rows begin and their length.
    """

    number: int
    hands: int
    cards: npt.NDArray[np.uint8]
    average: Floats
    packed: npt.NDArray[np.int16]
    scales: Floats
    locked: npt.NDArray[np.uint8]
    live: Floats
    alive: Ints
    hand: npt.NDArray[np.int16]
    strength: npt.NDArray[np.int16]
    base: npt.NDArray[np.int64]
    rows: npt.NDArray[np.int64]
    stride: npt.NDArray[np.int64]
    river_start: npt.NDArray[np.int64]
    river_row: npt.NDArray[np.int64]


class JudgeDeal(NamedTuple):
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
def _strategy(party: Party, start: int, stride: int, actions: int, n: Index, out: Floats) -> None:
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
def _rows(party: Party, street: Index, board: Index) -> tuple[Index, Index]:
    """Return where a board's rows begin in the average table, and their length."""
    if street == _RIVER:
        return party.river_start[board], party.river_row[board]
    return party.base[street] + board * party.rows[street] * party.stride[street], party.stride[street]


@kernel
def _widest(lines: Lines, first: Index, last: Index) -> int:
    """Return the most actions at a decision among the nodes first .. last - 1."""
    most = 1
    for node in range(first, last):
        if lines.kind[node] < _CHANCE:
            most = max(most, lines.num_children[node])
    return most


@kernel
def reach_down(
    lines: Lines, mover: Party, street: Index, board: Index, n: Index, line: Index, reach: Floats
) -> None:
    """Fill the reach of `mover` at all nodes of a line from its first. reach: [nodes of the line, hand]."""
    first, last = lines.line_start[line], lines.line_start[line + 1]
    base, stride = _rows(mover, street, board)
    strategy = np.empty((_widest(lines, first, last), n), np.float32)
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
    lines: Lines, own: Party, street: Index, board: Index, n: Index, line: Index, value: Doubles, mode: Index
) -> None:
    """Fill `own`'s values at a line's decisions from its terminals and cards: [nodes of the line, hand]."""
    first, last = lines.line_start[line], lines.line_start[line + 1]
    base, stride = _rows(own, street, board)
    strategy = np.empty((_widest(lines, first, last), n), np.float32)
    for node in range(last - 1, first - 1, -1):
        if lines.kind[node] >= _CHANCE:
            continue
        actions, child = lines.num_children[node], lines.first_child[node] - first
        out = value[node - first]
        if lines.kind[node] != own.number:
            for h in range(n):
                out[h] = value[child, h]
            for a in range(1, actions):
                for h in range(n):
                    out[h] += value[child + a, h]
            continue
        start = base + lines.row[node] * stride
        bound = mode == OBEY and len(own.locked) > 1
        if mode != FOLLOW:
            for h in range(n):
                out[h] = value[child, h]
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
    own_cards: Cards, opp_cards: Cards, n: Index, reach: Floats, amount: float, out: Doubles
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
def met_by(own_cards: Cards, opp_cards: Cards, reach: Floats) -> Doubles:
    """Return the opponent's reach that shares no card with each hand: [H] float64."""
    out = np.zeros(len(own_cards))
    _fold_value(own_cards, opp_cards, len(own_cards), reach, 1.0, out)
    return out


class Ranked(NamedTuple):
    """A river board's live hands, weakest first: cards [n, 2] uint8, strength [n] int16 of both players."""

    own_cards: Cards
    own_strength: npt.NDArray[np.int16]
    opp_cards: Cards
    opp_strength: npt.NDArray[np.int16]


@kernel
def _pick_ranked(own: Party, opp: Party, board: Index) -> Ranked:
    n, m = own.alive[board], opp.alive[board]
    own_cards, opp_cards = np.empty((n, 2), np.uint8), np.empty((m, 2), np.uint8)
    for k in range(2):
        for i in range(n):
            own_cards[i, k] = own.cards[own.hand[board, i], k]
        for j in range(m):
            opp_cards[j, k] = opp.cards[opp.hand[board, j], k]
    return Ranked(own_cards, own.strength[board, :n], opp_cards, opp.strength[board, :m])


@kernel
def _met(sums: Doubles, cards: Cards, reach: Doubles) -> None:
    """Add a hand's reach at every leaf to the total (row 52) and to the rows of its two cards."""
    a, b = cards[0], cards[1]
    for c in range(_LEAVES):
        sums[52, c] += reach[c]
    for c in range(_LEAVES):
        sums[a, c] += reach[c]
    for c in range(_LEAVES):
        sums[b, c] += reach[c]


@kernel
def _paid(out: Doubles, sums: Doubles, cards: Cards, amount: Doubles) -> None:
    """Add amount * (reach met so far that shares no card with a hand) at every leaf."""
    a, b = cards[0], cards[1]
    for c in range(_LEAVES):
        out[c] += amount[c] * (sums[52, c] - sums[a, c] - sums[b, c])


@kernel
def _begin(sums: Doubles) -> None:
    """Nothing is met yet."""
    for k in range(len(sums)):
        for c in range(_LEAVES):
            sums[k, c] = 0.0


@kernel
def _leaves(ranked: Ranked, reach: Doubles, amounts: Doubles, out: Doubles, sums: Doubles) -> None:
    """Values of up to _LEAVES leaves of a river board. reach: [m, leaf], out: [n, leaf], sums: [53, leaf].

    amounts: [3, leaf], paid per unit of reach that is weaker, stronger, or there at all: with a tie paid to
    everybody, winning adds win - tie and losing lose - tie; a fold pays everybody alike.
    """
    n, m = len(ranked.own_cards), len(ranked.opp_cards)
    for i in range(n):
        for c in range(_LEAVES):
            out[i, c] = 0.0
    _begin(sums)
    j = 0
    for i in range(n):
        while j < m and ranked.opp_strength[j] < ranked.own_strength[i]:
            _met(sums, ranked.opp_cards[j], reach[j])
            j += 1
        _paid(out[i], sums, ranked.own_cards[i], amounts[0])
    _begin(sums)
    j = m - 1
    for i in range(n - 1, -1, -1):
        while j >= 0 and ranked.opp_strength[j] > ranked.own_strength[i]:
            _met(sums, ranked.opp_cards[j], reach[j])
            j -= 1
        _paid(out[i], sums, ranked.own_cards[i], amounts[1])
    while j >= 0:
        _met(sums, ranked.opp_cards[j], reach[j])
        j -= 1
    combos = np.empty(1326, np.int64)
    for k in range(1326):
        combos[k] = -1
    for k in range(m):
        high, low = np.int64(ranked.opp_cards[k, 0]), np.int64(ranked.opp_cards[k, 1])
        combos[high * (high - 1) // 2 + low] = k
    for i in range(n):
        _paid(out[i], sums, ranked.own_cards[i], amounts[2])
        high, low = np.int64(ranked.own_cards[i, 0]), np.int64(ranked.own_cards[i, 1])
        both = combos[high * (high - 1) // 2 + low]
        if both >= 0:
            for c in range(_LEAVES):
                out[i, c] += amounts[2, c] * reach[both, c]


@kernel
def _unpacked(party: Party, board: Index) -> Party:
    """Return the party with one river board's average as floats, where it is packed."""
    if len(party.packed) == 1:
        return party
    first = party.river_start[board] - party.base[_RIVER]
    count = party.rows[_RIVER] * party.river_row[board]
    average = np.empty(count, np.float32)
    for k in range(count):
        average[k] = party.packed[first + k] * party.scales[(first + k) // 64]
    start = party.river_start.copy()
    start[board] = 0
    return Party(
        party.number,
        party.hands,
        party.cards,
        average,
        party.packed,
        party.scales,
        party.locked,
        party.live,
        party.alive,
        party.hand,
        party.strength,
        party.base,
        party.rows,
        party.stride,
        start,
        party.river_row,
    )


@kernel
def river_line(
    lines: Lines,
    own: Party,
    opp: Party,
    board: Index,
    line: Index,
    reach: Floats,
    value: Doubles,
    mode: Index,
) -> None:
    """Evaluate one line of a river board: see `river_lines`. reach, value: [nodes of the line, hand]."""
    river_lines(lines, own, opp, board, (line, line + 1), reach, value, mode)


@kernel
def river_lines(
    lines: Lines,
    own: Party,
    opp: Party,
    board: Index,
    span: tuple[Index, Index],
    reach: Floats,
    value: Doubles,
    mode: Index,
) -> None:
    """Evaluate the lines span[0] .. span[1] - 1 of a river board, hands in its order of strength.

    reach: [nodes of the lines, hand] of opp, the lines' first rows given; value: [nodes of the lines, hand].
    """
    own, opp = _unpacked(own, board), _unpacked(opp, board)
    start = lines.line_start[span[0]]
    n, m, river = np.int64(own.alive[board]), np.int64(opp.alive[board]), np.int64(_RIVER)
    for line in range(span[0], span[1]):
        first, last = lines.line_start[line] - start, lines.line_start[line + 1] - start
        reach_down(lines, opp, river, board, m, line, reach[first:last])
    ranked = _pick_ranked(own, opp, board)
    met, out = np.zeros((m, _LEAVES)), np.zeros((n, _LEAVES))
    amounts, sums = np.zeros((3, _LEAVES)), np.zeros((53, _LEAVES))
    leaf = np.zeros(_LEAVES, np.int64)
    count = 0
    for node in range(len(reach)):
        kind = lines.kind[start + node]
        if kind >= _FOLD:
            win, tie, lose = lines.win[start + node], lines.tie[start + node], lines.lose[start + node]
            shown = kind == _SHOWDOWN
            amounts[0, count] = win - tie if shown else 0.0
            amounts[1, count] = lose - tie if shown else 0.0
            amounts[2, count] = tie if shown else win
            leaf[count] = node
            count += 1
        if count == _LEAVES or (count and node == len(reach) - 1):
            for h in range(m):
                for c in range(count):
                    met[h, c] = reach[leaf[c], h]
            _leaves(ranked, met, amounts, out, sums)
            for h in range(n):
                for c in range(count):
                    value[leaf[c], h] = out[h, c]
            count = 0
    for line in range(span[0], span[1]):
        first, last = lines.line_start[line] - start, lines.line_start[line + 1] - start
        value_up(lines, own, river, board, n, line, value[first:last], mode)


@kernel
def early_line(
    lines: Lines,
    own: Party,
    opp: Party,
    street: Index,
    board: Index,
    line: Index,
    reach: Floats,
    value: Doubles,
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
            for h in range(value.shape[1]):
                value[node - first, h] = 0.0


@kernel
def add_rivers(
    lines: Lines,
    own: Party,
    opp: Party,
    deal: JudgeDeal,
    boards: Ints,
    reach: Floats,
    value: Doubles,
    mode: Index,
) -> None:
    """Add the values of some rivers to the CHANCE nodes of the turn. reach, value: [turn nodes, hand]."""
    turn_start = lines.line_start[lines.street_line[_TURN]]
    first_line, last_line = lines.street_line[_RIVER], lines.street_line[_RIVER + 1]
    start = lines.line_start[first_line]
    nodes = lines.line_start[last_line] - start
    river_reach = np.zeros((nodes, opp.hand.shape[1]), np.float32)
    river_value = np.zeros((nodes, own.hand.shape[1]))
    for number in range(len(boards)):
        board = np.int64(boards[number])
        for line in range(first_line, last_line):
            root = lines.line_start[line]
            above = lines.parent[root] - turn_start
            for j in range(opp.alive[board]):
                river_reach[root - start, j] = reach[above, opp.hand[board, j]]
        span = np.int64(first_line), np.int64(last_line)
        river_lines(lines, own, opp, board, span, river_reach, river_value, mode)
        for line in range(first_line, last_line):
            root = lines.line_start[line]
            above = lines.parent[root] - turn_start
            for mirror in range(deal.river_mirror_start[board], deal.river_mirror_start[board + 1]):
                image = deal.swapped[deal.river_mirrors[mirror]]
                for i in range(own.alive[board]):
                    each = river_value[root - start, i] / lines.cards_left[_RIVER]
                    value[above, image[own.hand[board, i]]] += each


@kernel
def street_down(
    lines: Lines, own: Party, opp: Party, street: Index, board: Index, reach: Floats, value: Doubles
) -> None:
    """Flop or turn, on the way down: see `early_line`. reach, value: [nodes of the street, hand]."""
    start = lines.line_start[lines.street_line[street]]
    for line in range(np.int64(lines.street_line[street]), np.int64(lines.street_line[street + 1])):
        first, last = lines.line_start[line] - start, lines.line_start[line + 1] - start
        early_line(lines, own, opp, street, board, line, reach[first:last], value[first:last])


@kernel
def street_up(lines: Lines, own: Party, street: Index, board: Index, value: Doubles, mode: Index) -> None:
    """Flop or turn, on the way up, CHANCE nodes' values given. value: [nodes of the street, hand]."""
    start = lines.line_start[lines.street_line[street]]
    for line in range(np.int64(lines.street_line[street]), np.int64(lines.street_line[street + 1])):
        first, last = lines.line_start[line] - start, lines.line_start[line + 1] - start
        value_up(lines, own, street, board, own.hands, line, value[first:last], mode)


@kernel
def turn_board(
    lines: Lines,
    own: Party,
    opp: Party,
    deal: JudgeDeal,
    turn: Index,
    reach: Floats,
    value: Doubles,
    mode: Index,
) -> None:
    """Evaluate all turn lines on one turn board. reach: [turn nodes, hand] of opp, first rows of lines given;
    value: [turn nodes, hand]."""
    street = np.int64(_TURN)
    street_down(lines, own, opp, street, turn, reach, value)
    boards = np.empty(deal.child_start[turn + 1] - deal.child_start[turn], np.int32)
    for k in range(len(boards)):
        boards[k] = deal.child_start[turn] + k
    add_rivers(lines, own, opp, deal, boards, reach, value, mode)
    street_up(lines, own, street, turn, value, mode)
