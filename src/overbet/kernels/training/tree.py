"""The betting tree of a whole hand, grown from the rules themselves, and its place in the tables.

The rules kernel plays every line of the menu with cards that do not matter, depth first: children of a node
lie side by side, subtrees behind one another. `grow` runs twice: once to count, once to write.

Layout of a table: all rows that one player can meet on one street after one public line lie together for each
bucket, [line, player] -> [bucket, node of the line, action]. A traversal stays with one bucket a street, so
what it reads of a line is one stretch of memory instead of one cache line on each of many pages.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from overbet.kernels.betting.sizes import merge_sizes
from overbet.kernels.holdem.layout import (
    ACTIVE,
    ACTOR,
    BET,
    CALL,
    FOLD,
    MAX_PLAYERS,
    PLAYERS,
    POT,
    PREFLOP,
    PUT_IN,
    RAISE_MAX,
    RAISE_MIN,
    SHOWDOWN,
    SIZE,
    STACK,
    STREET,
    TO_CALL,
    TO_MATCH,
)
from overbet.kernels.holdem.pots import rake_of, side_pots
from overbet.kernels.holdem.rules import apply
from overbet.kernels.jit import inlined, kernel
from overbet.kernels.training.record import EARLY_SHOWDOWN, write_decision, write_end, write_place

NO_SIZE, POT_SHARE, MULTIPLE, BIG_BLINDS, CHIPS, GEOMETRIC, ALL_IN = 0, 1, 2, 3, 4, 5, 6
MOST_ACTIONS = 16
STREETS = 4

# what `grow` counts
NODES, TERMINALS, POTS, DECISIONS, ACTIONS, LINES, OVERFLOW = 0, 1, 2, 3, 7, 11, 12
COUNTS = 13


class MenuTable(NamedTuple):
    """Sizes by street, player and raises made on the street; S sizes, L levels.

    kind:   [4, P, L, S] int64    NO_SIZE .. ALL_IN
    value:  [4, P, L, S] float64  share, multiple, blinds or chips; for ALL_IN the largest stack-to-pot ratio
    raises: [4] int64             most bets and raises on a street
    limp:   int                   whether the blinds may be called before anybody has raised
    force:  float                 all-in where calling would leave at most this share of the new pot; 0 never
    merge:  float                 sizes closer than this are one, as in `kernels.betting.sizes`; 0 never
    """

    kind: npt.NDArray[np.int64]
    value: npt.NDArray[np.float64]
    raises: npt.NDArray[np.int64]
    limp: int
    force: float
    merge: float


class Nodes(NamedTuple):
    """N nodes, T terminals, Q pots, P players.

    player:   [N] int8     player to act, TERMINAL (all but one folded) or SHOWDOWN
    street:   [N] int8     0 preflop .. 3 river; of a terminal, the street of the last decision
    level:    [N] int8     bets and raises made on this street
    parent:   [N] int32    -1 at the root
    first:    [N] int32    first child, or the number of the terminal
    num_children: [N] int8
    action:   [N] int32    what led here: FOLD, CALL, or a bet or raise to so many chips
    pot:      [N] int32    chips in the middle
    line:     [N] int32    number of the line (a line: the nodes of one street after one public sequence)
    won:      [T, P] float32   chips won without a showdown; at a showdown minus what was put in
    pot_first: [T + 1] int32   first pot of a terminal
    pot_chips: [Q] float32     chips of a pot after rake
    pot_mask:  [Q] int32       players who can win it
    """

    player: npt.NDArray[np.int8]
    street: npt.NDArray[np.int8]
    level: npt.NDArray[np.int8]
    parent: npt.NDArray[np.int32]
    first: npt.NDArray[np.int32]
    num_children: npt.NDArray[np.int8]
    action: npt.NDArray[np.int32]
    pot: npt.NDArray[np.int32]
    line: npt.NDArray[np.int32]
    won: npt.NDArray[np.float32]
    pot_first: npt.NDArray[np.int32]
    pot_chips: npt.NDArray[np.float32]
    pot_mask: npt.NDArray[np.int32]


@inlined
def _rounded(x: float) -> int:
    return int(np.floor(x + 0.5))


@inlined
def _reach_of_others(state: Any) -> int:
    """Return the most chips another player in the hand can bring to this street."""
    player, most = state[ACTOR], 0
    for other in range(state[PLAYERS]):
        if other != player and state[ACTIVE] >> other & 1:
            most = max(most, state[BET + other] + state[STACK + other])
    return most


@kernel
def menu_actions(state: Any, level: int, menu: MenuTable, big_blind: int, actions: Any) -> int:
    """Write the actions of the menu at a decision, fold first and raises ascending; return how many.

    actions: [MOST_ACTIONS] int64. Every one is legal.
    """
    street, player = state[STREET], state[ACTOR]
    to_call, faced = state[TO_CALL], state[TO_MATCH]
    raises = actions[2:]
    found = 0
    if state[RAISE_MAX] > 0 and level < menu.raises[street]:
        most = min(state[RAISE_MAX], max(_reach_of_others(state), state[RAISE_MIN]))
        least = state[RAISE_MIN]
        pot = state[POT] + to_call
        row = min(level, menu.kind.shape[2] - 1)
        for size in range(menu.kind.shape[3]):
            kind, value = menu.kind[street, player, row, size], menu.value[street, player, row, size]
            if kind == NO_SIZE or (kind == ALL_IN and most - faced > value * pot):
                continue
            if kind == POT_SHARE:
                amount = faced + _rounded(value * pot)
            elif kind == MULTIPLE:
                amount = _rounded(value * faced)
            elif kind == BIG_BLINDS:
                amount = _rounded(value * big_blind)
            elif kind == CHIPS:
                amount = faced + int(value)
            elif kind == GEOMETRIC:
                streets = int(value) if value > 0 else STREETS - street
                share = ((1.0 + 2.0 * (most - faced) / pot) ** (1.0 / streets) - 1.0) / 2.0
                amount = faced + _rounded(share * pot)
            else:
                amount = most
            amount = min(max(amount, least), most)
            if menu.force > 0.0 and most - amount <= menu.force * (pot + 2 * (amount - faced)):
                amount = most
            found = _sorted_in(raises, found, amount)
        found = merge_sizes(raises, found, faced, pot, menu.merge)
    count = 0
    if to_call > 0:
        actions[count] = FOLD
        count += 1
    if menu.limp or street != PREFLOP or level > 0 or to_call == 0 or found == 0:
        actions[count] = CALL
        count += 1
    for place in range(found):
        actions[count + place] = raises[place]
    return count + found


@inlined
def _sorted_in(values: Any, count: int, value: int) -> int:
    """Put `value` into values[:count], ascending, unless it is there; return the new count."""
    place = count
    for other in range(count):
        if values[other] == value:
            return count
        if values[other] > value and place == count:
            place = other
    for other in range(count, place, -1):
        values[other] = values[other - 1]
    values[place] = value
    return count + 1


@kernel
def grow(root: Any, menu: MenuTable, big_blind: int, out: Nodes, store: bool, limit: int) -> Any:
    """Walk every line of the menu; return [COUNTS] int64: nodes, terminals, pots, then by street the
    decisions and the sum of their actions, then lines, and whether `limit` nodes were not enough.

    root: [SIZE] int64, the state at the first decision with all board cards fixed in advance.
    """
    players = root[PLAYERS]
    counts = np.zeros(COUNTS, np.int64)
    deepest = 8
    for street in range(STREETS):
        deepest += players * (menu.raises[street] + 2)
    stack = np.empty((deepest * MOST_ACTIONS, SIZE), np.int64)
    where = np.empty((deepest * MOST_ACTIONS, 3), np.int64)  # node, level, line
    actions = np.empty(MOST_ACTIONS + 2, np.int64)
    amounts, masks = np.empty(MAX_PLAYERS + 1, np.int64), np.empty(MAX_PLAYERS + 1, np.int64)
    state = np.empty(SIZE, np.int64)
    stack[0] = root
    where[0, 0], where[0, 1], where[0, 2] = 0, 0, 0
    height, lines = 1, 1
    counts[NODES] = 1
    if store:
        out.parent[0], out.action[0] = -1, 0
    while height > 0:
        height -= 1
        state[:] = stack[height]
        node, level, line = where[height, 0], where[height, 1], where[height, 2]
        street = state[STREET]
        if store:
            out.player[node], out.street[node], out.level[node] = state[ACTOR], street, level
            out.pot[node], out.line[node] = state[POT], line
        if state[ACTOR] < 0:
            if store and node > 0:
                out.street[node] = out.street[out.parent[node]]
            _end(state, root, counts, out, store, node, amounts, masks)
            continue
        count = menu_actions(state, level, menu, big_blind, actions)
        first = counts[NODES]
        counts[NODES] += count
        counts[DECISIONS + street] += 1
        counts[ACTIONS + street] += count
        if counts[NODES] > limit:
            counts[OVERFLOW] = 1
            return counts
        if store:
            out.first[node], out.num_children[node] = first, count
        for a in range(count - 1, -1, -1):
            action = actions[a]
            stack[height] = state
            apply(stack[height], action)
            where[height, 0] = first + a
            after = stack[height, STREET]
            decides = stack[height, ACTOR] >= 0
            where[height, 1] = 0 if after != street else level + (action > 0)
            where[height, 2] = lines if decides and after != street else line
            lines += decides and after != street
            height += 1
            if store:
                out.parent[first + a], out.action[first + a] = node, action
    counts[LINES] = lines
    return counts


@inlined
def _end(
    state: Any, root: Any, counts: Any, out: Nodes, store: bool, node: int, amounts: Any, masks: Any
) -> None:
    """Count the end of a hand, and write it when `store` says so."""
    players, terminal = state[PLAYERS], counts[TERMINALS]
    counts[TERMINALS] += 1
    pots = 0
    if state[ACTOR] == SHOWDOWN:
        pots = side_pots(state, state[ACTIVE], amounts, masks)
    if store:
        out.first[node], out.num_children[node] = terminal, 0
        out.pot_first[terminal] = counts[POTS]
        out.pot_first[terminal + 1] = counts[POTS] + pots
        for player in range(players):
            before = root[STACK + player] + root[PUT_IN + player]
            out.won[terminal, player] = state[STACK + player] - before
        seen, raked = np.int64(0), np.int64(0)
        for pot in range(pots):
            seen += amounts[pot]
            rake = rake_of(state, seen)
            out.pot_chips[counts[POTS] + pot] = amounts[pot] - (rake - raked)
            out.pot_mask[counts[POTS] + pot] = masks[pot]
            raked = rake
    counts[POTS] += pots


@kernel
def lay_out(nodes: Nodes, buckets: Any, players: int, lines: int, record: Any) -> int:
    """Give every decision its place in the tables and pack what a walk reads; return the number of entries.

    buckets: [4] int64; record: [N, 4] int64, written as `record` describes.
    """
    size = np.zeros((lines, players), np.int64)
    street_of = np.zeros(lines, np.int64)
    for n in range(len(nodes.player)):
        who = nodes.player[n]
        if who >= 0:
            size[nodes.line[n], who] += nodes.num_children[n]
            street_of[nodes.line[n]] = nodes.street[n]
    base = np.zeros((lines, players), np.int64)
    entries = 0
    for line in range(lines):
        for player in range(players):
            base[line, player] = entries
            entries += size[line, player] * buckets[street_of[line]]
    for n in range(len(nodes.player)):
        who, line = nodes.player[n], nodes.line[n]
        if who >= 0:
            write_decision(record, n, who, nodes.street[n], nodes.num_children[n], nodes.first[n])
            write_place(record, n, base[line, who], size[line, who])
            base[line, who] += nodes.num_children[n]
        else:
            terminal = nodes.first[n]
            early = who == SHOWDOWN and nodes.street[n] == PREFLOP
            pot = nodes.pot_first[terminal]
            kind = EARLY_SHOWDOWN if early else who
            write_end(record, n, kind, terminal, pot, nodes.pot_first[terminal + 1] - pot)
    return entries
