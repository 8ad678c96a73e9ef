"""The judge on a GPU: what a player can get against the other's average strategy.

It shares no code with the update. Strategies are read off the averages; a block takes one terminal on one
board and finds every opponent's hand's reach from its actions on the whole way there. For every own hand the
reach of weaker and of stronger hands is added up, less that of hands which share a card, found in the lists
of the hand's two cards. Every node has its own value; a card's probability is applied where the card is
dealt; sums are float64.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numba import float32, float64

from overbet.cuda.arrays import Array, Deal
from overbet.cuda.device import cuda, gpu_function, gpu_kernel

FOLLOW, OBEY = 1, 2  # play the own average; or the best there is, but keep to locked strategies
_FOLD = 3
_FLOP, _TURN, _RIVER = 0, 1, 2
_CARDS = 52
_U = np.uint64
_U0, _U1, _U2, _U3, _U4, _U5, _U6 = (_U(k) for k in range(7))


class Tree(NamedTuple):
    """The betting tree and its payoffs for one player. N nodes, L lines.

    kind, parent, first_child, num_children, row: [N] int32. line_start: [L + 1] int32. line_decision: [L + 1]
    int32 into decision: [.] int32, the decisions of a line, last first. street_line: [4] int32. run: how many
    terminals a block takes in turn. terminal, terminal_line: [.] int32, by street from terminal_start: [4]
    int32. path_start: [terminals + 1], line_path: [L + 1] int32 into path: [. * 4] int32, the opponent's
    decisions in the line of a terminal, and on the streets before a line: street, first row, actions, action
    taken. street_unit: [3] int32, first unit of work of each street, rivers first. win, tie, lose: [N]
    float64 (a fold: `win` alone). cards_left: [3] float64. board_first: [3] int32. node_first: [3] int64,
    first node of a street; nodes: [3] int64; value_base: [3] int64, of [board, node, hand].
    """

    kind: Array
    parent: Array
    first_child: Array
    num_children: Array
    row: Array
    line_start: Array
    line_decision: Array
    decision: Array
    street_line: Array
    run: int
    terminal: Array
    terminal_line: Array
    terminal_start: Array
    path_start: Array
    line_path: Array
    path: Array
    street_unit: Array
    win: Array
    tie: Array
    lose: Array
    cards_left: Array
    board_first: Array
    node_first: Array
    nodes: Array
    value_base: Array


class Player(NamedTuple):
    """A player: its number, hands, boards and average table; see `PlayerArrays` and `Tables`."""

    number: int
    hands: int
    alive: Array
    hand: Array
    start: Array
    above: Array
    base: Array
    rows: Array
    stride: Array
    average: Array
    locked: Array


class Ranks(NamedTuple):
    """Who is stronger, and who holds a card. H own hands, M hands of the opponent (opp_hands).

    weaker, equal: [B * H] uint16, opponent's hands weaker, and not stronger. same: [B * H] int16, the
    opponent's hand of the same cards or -1. list_start: [B * 53] int32 into a board's part of list: [B * 2 M]
    uint16, places of the opponent's hands that hold a card, weakest first. among: [B * H * 6] uint16, for
    each of the two cards where in its list hands begin to be as strong, and stronger, and where they end.
    """

    opp_hands: int
    weaker: Array
    equal: Array
    same: Array
    list_start: Array
    list: Array
    among: Array


@gpu_function
def average_share(player: Player, at: Any, stride: Any, actions: Any, action: Any) -> Any:
    """Return the average strategy's probability of an action. at: the decision's entry, first action."""
    total = float32(0.0)
    for a in range(actions):
        total += player.average[at + a * stride]
    if total > float32(0.0):
        return player.average[at + action * stride] / total
    return float32(1.0) / float32(actions)


@gpu_function
def follow(shared: Array, to: Any, tree: Tree, opp: Player, board: Any, first: Any, last: Any) -> None:
    """Multiply the reaches from shared[to] on by what the opponent plays in steps first .. last-1."""
    threads, m, here = _U(cuda.blockDim.x), _U(opp.alive[board]), board * _U(opp.hands)
    for step in range(first, last):
        street, row = _U(tree.path[step * _U4]), _U(tree.path[step * _U4 + _U1])
        actions, action = _U(tree.path[step * _U4 + _U2]), _U(tree.path[step * _U4 + _U3])
        stride = _U(opp.stride[street])
        row += _U(opp.above[board * _U3 + street]) * _U(opp.rows[street])
        at = _U(opp.base[street]) + row * stride
        j = _U(cuda.threadIdx.x)
        while j < m:  # a range with a step would divide to count its rounds
            place = j if street == _U2 else _U(opp.hand[here + j])
            shared[to + j] *= float64(average_share(opp, at + place, stride, actions, action))
            j += threads


@gpu_function
def sum_up(shared: Array, below: Any, parts: Any, m: Any) -> Any:
    """Fill shared[below + k] with the sum of the first k reaches, k = 0 .. m; parts: a float64 a thread."""
    thread, threads = _U(cuda.threadIdx.x), _U(cuda.blockDim.x)
    stretch = _U(np.uint32(m + threads - _U1) // np.uint32(threads))
    first, last = min(m, thread * stretch), min(m, (thread + _U1) * stretch)
    part = 0.0
    for j in range(first, last):
        part += shared[j]
    shared[parts + thread] = part
    cuda.syncthreads()
    distance = _U1
    while distance < threads:
        more = shared[parts + thread - distance] if thread >= distance else 0.0
        cuda.syncthreads()
        shared[parts + thread] += more
        cuda.syncthreads()
        distance += distance
    part = shared[parts + thread] - part
    for j in range(first, last):
        shared[below + j] = part
        part += shared[j]
    if thread == threads - _U1:
        shared[below + m] = shared[parts + thread]


@gpu_function
def sum_listed(shared: Array, running: Any, ranks: Ranks, board: Any, hands: Any) -> None:
    """Sum up every card's list: shared[running + its start + card + k] is the reach of its first k hands."""
    start = board * _U(_CARDS + 1)
    card = _U(cuda.threadIdx.x)
    while card < _U(_CARDS):
        total, to = 0.0, running + card
        first, last = _U(ranks.list_start[start + card]), _U(ranks.list_start[start + card + _U1])
        shared[to + first] = total
        e, lists = first, board * _U2 * hands
        while e + _U3 < last:  # four loads under way
            j0, j1 = _U(ranks.list[lists + e]), _U(ranks.list[lists + e + _U1])
            j2, j3 = _U(ranks.list[lists + e + _U2]), _U(ranks.list[lists + e + _U3])
            r0, r1, r2, r3 = shared[j0], shared[j1], shared[j2], shared[j3]
            shared[to + e + _U1] = total + r0
            shared[to + e + _U2] = total + r0 + r1
            shared[to + e + _U3] = total + r0 + r1 + r2
            total += r0 + r1 + r2 + r3
            shared[to + e + _U4] = total
            e += _U4
        while e < last:
            total += shared[_U(ranks.list[lists + e])]
            shared[to + e + _U1] = total
            e += _U1
        card += _U(cuda.blockDim.x)


@gpu_function
def evaluate(
    shared: Array, total: Any, tree: Tree, node: Any, own: Player, ranks: Ranks, board: Any, out: Array
) -> None:
    """Write the own hands' values at a terminal, the sums being in place; see `judge_leaves`."""
    thread, threads, n = _U(cuda.threadIdx.x), _U(cuda.blockDim.x), _U(own.alive[board])
    below, running = _U(ranks.opp_hands), _U2 * _U(ranks.opp_hands) + _U1
    win, tie, lose = tree.win[node], tree.tie[node], tree.lose[node]
    folded = tree.kind[node] == _FOLD
    i = thread
    while i < n:
        at = board * _U(own.hands) + i
        every, same = total, ranks.same[at]
        if same >= 0:
            every += shared[_U(same)]
        a, b = running + _U(ranks.among[at * _U6 + _U2]), running + _U(ranks.among[at * _U6 + _U5])
        every -= shared[a] + shared[b]
        if folded:
            out[i] = win * every
        else:
            won = shared[below + _U(ranks.weaker[at])]
            lost = total - shared[below + _U(ranks.equal[at])] - shared[a] - shared[b]
            won -= shared[running + _U(ranks.among[at * _U6])]
            won -= shared[running + _U(ranks.among[at * _U6 + _U3])]
            lost += shared[running + _U(ranks.among[at * _U6 + _U1])]
            lost += shared[running + _U(ranks.among[at * _U6 + _U4])]
            out[i] = win * won + lose * lost + tie * (every - won - lost)
        i += threads


@gpu_kernel
def judge_leaves(tree: Tree, own: Player, opp: Player, ranks: Ranks, value: Array) -> None:
    """Evaluate a run of terminals on one board a block. Shared: float64, [5 M + 53 + threads]."""
    shared = cuda.shared.array(0, float64)
    thread, threads = _U(cuda.threadIdx.x), _U(cuda.blockDim.x)
    unit = cuda.blockIdx.x
    if unit < tree.street_unit[_TURN]:
        street = _RIVER
    elif unit < tree.street_unit[_FLOP]:
        street = _TURN
    else:
        street = _FLOP
    unit -= tree.street_unit[street]
    terminals = tree.terminal_start[street + 1] - tree.terminal_start[street]
    runs = np.uint32(terminals + tree.run - 1) // np.uint32(tree.run)
    number = _U(np.uint32(unit) // np.uint32(runs))
    first = _U(tree.terminal_start[street]) + (_U(unit) - number * _U(runs)) * _U(tree.run)
    last = min(first + _U(tree.run), _U(tree.terminal_start[street + 1]))
    board = _U(tree.board_first[street]) + number
    m, hands = _U(opp.alive[board]), _U(opp.hands)
    below, running, root = hands, _U2 * hands + _U1, _U4 * hands + _U(_CARDS + 1)
    last_line = -1
    for terminal in range(first, last):
        line = tree.terminal_line[terminal]
        if line != last_line:
            j = thread
            while j < m:
                shared[root + j] = float64(opp.start[board * hands + j])
                j += threads
            path = _U(tree.line_path[line]), _U(tree.line_path[line + 1])
            follow(shared, root, tree, opp, board, path[0], path[1])
            last_line = line
        j = thread
        while j < m:
            shared[j] = shared[root + j]
            j += threads
        follow(
            shared, _U0, tree, opp, board, _U(tree.path_start[terminal]), _U(tree.path_start[terminal + _U1])
        )
        cuda.syncthreads()
        sum_listed(shared, running, ranks, board, hands)
        sum_up(shared, below, root + hands, m)
        cuda.syncthreads()
        node = _U(tree.terminal[terminal])
        row = number * _U(tree.nodes[street]) + node - _U(tree.node_first[street])
        to = _U(tree.value_base[street]) + row * _U(own.stride[street])
        evaluate(shared, shared[below + m], tree, node, own, ranks, board, value[np.int64(to) :])
        cuda.syncthreads()


@gpu_kernel
def judge_lines(street: int, mode: int, tree: Tree, own: Player, value: Array) -> None:
    """Carry values up the lines of a street: one thread a hand, blocks (line, board, part of the hands)."""
    stride = _U(own.stride[street])
    number, line = _U(cuda.blockIdx.y), tree.street_line[street] + cuda.blockIdx.x
    i = _U(cuda.blockIdx.z) * _U(cuda.blockDim.x) + _U(cuda.threadIdx.x)
    if i >= _U(own.alive[_U(tree.board_first[street]) + number]):
        return
    start = tree.line_start[line]
    row = number * _U(tree.nodes[street]) + _U(start - tree.node_first[street])
    at = _U(tree.value_base[street]) + row * stride + i
    table = _U(own.base[street]) + number * _U(own.rows[street]) * stride + i
    for k in range(_U(tree.line_decision[line]), _U(tree.line_decision[line + 1])):
        node = _U(tree.decision[k])
        actions, child = _U(tree.num_children[node]), _U(tree.first_child[node] - start)
        result = 0.0
        if tree.kind[node] != own.number:
            for a in range(actions):
                result += float64(value[at + (child + a) * stride])
        else:
            entry = table + _U(tree.row[node]) * stride
            if mode == FOLLOW or (own.locked.size > 1 and own.locked[entry] != 0):
                for a in range(actions):
                    share = float64(average_share(own, entry, stride, actions, a))
                    result += share * float64(value[at + (child + a) * stride])
            else:
                result = float64(value[at + child * stride])
                for a in range(_U1, actions):
                    result = max(result, float64(value[at + (child + a) * stride]))
        value[at + (node - _U(start)) * stride] = result


@gpu_kernel
def judge_cards(street: int, width: int, tree: Tree, own: Player, deal: Deal, value: Array) -> None:
    """Give the CHANCE nodes above a street the mean over its cards, in blocks (line, board above, part of the
    hands) of [group, width hands] threads; the groups share the cards; shared: float64 [threads].
    """
    shared = cuda.shared.array(0, float64)
    above = street - 1
    stride, hands = _U(own.stride[street]), _U(own.hands)
    group, groups = cuda.threadIdx.x // width, cuda.blockDim.x // width
    h = _U(cuda.blockIdx.z * width + cuda.threadIdx.x - group * width)
    number, line = cuda.blockIdx.y, tree.street_line[street] + cuda.blockIdx.x
    root = tree.line_start[line]
    local = _U(root - tree.node_first[street])
    total = 0.0
    if h < hands:
        pair, last = _U(deal.pair_start[number] + group), _U(deal.pair_start[number + 1])
        while pair < last:
            board, place = _U(deal.board[pair]), deal.place[pair * hands + h]
            if place >= 0 and own.start[(_U(tree.board_first[street]) + board) * hands + _U(place)] > 0.0:
                row = board * _U(tree.nodes[street]) + local
                total += float64(value[_U(tree.value_base[street]) + row * stride + _U(place)])
            pair += _U(groups)
    if groups > 1:
        shared[cuda.threadIdx.x] = total
        cuda.syncthreads()
        for k in range(1, groups):
            total += shared[cuda.threadIdx.x % width + k * width]
    if h < hands and group == 0:
        row = _U(number) * _U(tree.nodes[above]) + _U(tree.parent[root] - tree.node_first[above])
        to = _U(tree.value_base[above]) + row * _U(own.stride[above]) + h
        value[to] = total / tree.cards_left[street]


@gpu_kernel
def judge_root(street: int, tree: Tree, own: Player, value: Array, result: Array, index: int) -> None:
    """result[index] = the root's value, hands weighted by the range. One block; shared: float64 [threads]."""
    shared = cuda.shared.array(0, float64)
    thread, threads = cuda.threadIdx.x, cuda.blockDim.x
    board = tree.board_first[street]
    part = 0.0
    for i in range(thread, own.alive[board], threads):
        part += float64(own.start[board * own.hands + i]) * float64(value[tree.value_base[street] + i])
    shared[thread] = part
    cuda.syncthreads()
    if thread == 0:
        total = 0.0
        for k in range(threads):
            total += shared[k]
        result[index] = total
