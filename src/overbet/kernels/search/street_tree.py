"""The subgame of a street for any number of players, grown from the rules themselves.

From the beginning of a street the betting follows a menu, with the bets that were really made beside it, to
the end of a last street. What follows has fixed strategies: where the hand goes on after the last street
there is a leaf at which every player with chips chooses how to go on, and below it the hand is played as a
blueprint plays it. The blueprint's own hand is carried along (`kernels.agents.blueprint`), so bets that it
does not have are taken for those that it has. Where it has nothing to say, hands are checked and called down.

Children of a node lie side by side and behind it.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from overbet.kernels.agents.blueprint import BlueprintArrays, advance, blueprint_actions, in_step
from overbet.kernels.holdem.layout import (
    ACTIVE,
    ACTOR,
    CALL,
    MAX_PLAYERS,
    PLAYERS,
    PUT_IN,
    SHOWDOWN,
    SIZE,
    STACK,
    STREET,
)
from overbet.kernels.holdem.pots import rake_of, side_pots
from overbet.kernels.holdem.rules import apply
from overbet.kernels.jit import inlined, kernel
from overbet.kernels.rng import uniform
from overbet.kernels.training.tree import MOST_ACTIONS, MenuTable, menu_actions

# kinds of nodes: a decision with a row for every hand, one with a row for every bucket, one that follows the
# blueprint, a leaf, and the two ends of a hand
DECIDES, SHARES, FOLLOWS, CHOOSES, FOLDED, SHOWN = 0, 1, 2, 3, 4, 5

# what `grow_street` counts
NODES, ENDS, POTS, LEAVES, ENTRIES, AVERAGES, DEEPEST, WIDEST, FULL = 0, 1, 2, 3, 4, 5, 6, 7, 8
COUNTS = 9
_OTHERWISE = -1  # of the actions really taken: the node lies on another line
_ROOM = 4096  # nodes waiting


class StreetNodes(NamedTuple):
    """N nodes, T ends, Q pots, L leaves, P players; amounts in big blinds.

    kind:    [N] int8    DECIDES .. SHOWN
    player:  [N] int8    who decides
    street:  [N] int8    0 preflop .. 3 river
    parent:  [N] int32   -1 at the root
    first:   [N] int32   first child; the number of the leaf's or of the end
    width:   [N] int32   children; a leaf's only child is where the blueprint begins, leaf_child
    action:  [N] int32   what led here: fold, call, or a bet or raise to so many chips
    blue:    [N] int32   the blueprint's node, -1 where it has nothing to say
    stands:  [N, MOST_ACTIONS] int8   at a decision that is searched, for each of the blueprint's actions the
                         one that stands for it: the same, or the nearest raise
    place:   [N] int64   first entry of the rows of a decision: [action, hand] or [bucket, action]
    average: [N] int64   first entry of the average of a decision with a row for every hand
    paid:    [N] float32 of who acted last, minus all that was put in: what is won by folding
    leaf_child: [L] int32
    leaf_place: [L, P] int64   first entry of the rows of a player's choice, [choice, hand]; -1: none to make
    won:     [T, P] float32    without a showdown; at a showdown minus what was put in
    pot_first: [T + 1] int32, pot_chips: [Q] float32, pot_mask: [Q] int32: pots after rake, who can win them
    """

    kind: npt.NDArray[np.int8]
    player: npt.NDArray[np.int8]
    street: npt.NDArray[np.int8]
    parent: npt.NDArray[np.int32]
    first: npt.NDArray[np.int32]
    width: npt.NDArray[np.int32]
    action: npt.NDArray[np.int32]
    blue: npt.NDArray[np.int32]
    stands: npt.NDArray[np.int8]
    place: npt.NDArray[np.int64]
    average: npt.NDArray[np.int64]
    paid: npt.NDArray[np.float32]
    leaf_child: npt.NDArray[np.int32]
    leaf_place: npt.NDArray[np.int64]
    won: npt.NDArray[np.float32]
    pot_first: npt.NDArray[np.int32]
    pot_chips: npt.NDArray[np.float32]
    pot_mask: npt.NDArray[np.int32]


class StreetPlan(NamedTuple):
    """What a tree is grown by.

    menu: bets beside the real ones; played: [n] int64, actions taken on the street; last: street after which
    leaves stand; choices: at a leaf; hands: rows of a decision of the first street; buckets: [4] int64, rows
    of later ones; big_blind; inner: [SIZE] int64 and node: the blueprint's own hand at the root (node -1:
    it has nothing to say); key, before: the random numbers by which bets are taken for the blueprint's, and
    how many actions were taken before the street.
    """

    menu: MenuTable
    played: npt.NDArray[np.int64]
    last: int
    choices: int
    hands: int
    buckets: npt.NDArray[np.int64]
    big_blind: int
    inner: npt.NDArray[np.int64]
    node: int
    key: np.uint64
    before: int


@inlined
def _with(actions: Any, count: int, action: int) -> int:
    """Put a bet that was really made among the actions of a menu, which are ascending."""
    for place in range(count):
        if actions[place] == action:
            return count
    place = count
    while place > 0 and actions[place - 1] > action:
        actions[place] = actions[place - 1]
        place -= 1
    actions[place] = action
    return count + 1


@inlined
def _standing(actions: Any, count: int, wanted: int) -> int:
    """Return the place of an action, or of the raise nearest to it; a call where there is no raise."""
    found, nearest = 0, np.int64(1) << 62
    for place in range(count):
        if actions[place] == wanted:
            return place
        if actions[place] == CALL and nearest == np.int64(1) << 62:
            found = place
        if wanted > CALL and actions[place] > CALL and abs(actions[place] - wanted) < nearest:
            found, nearest = place, abs(actions[place] - wanted)
    return found


@inlined
def _end(
    state: Any, root: Any, plan: StreetPlan, out: StreetNodes, counts: Any, amounts: Any, masks: Any
) -> int:
    """Write the end of a hand; return its number."""
    end, pots = counts[ENDS], 0
    if state[ACTOR] == SHOWDOWN:
        pots = side_pots(state, state[ACTIVE], amounts, masks)
    first = counts[POTS]
    counts[ENDS] += 1
    counts[POTS] += pots
    unit = np.float64(plan.big_blind)
    for player in range(root[PLAYERS]):
        before = root[STACK + player] + root[PUT_IN + player]
        out.won[end, player] = (state[STACK + player] - before) / unit
    out.pot_first[end], out.pot_first[end + 1] = first, first + pots
    seen, raked = np.int64(0), np.int64(0)
    for pot in range(pots):
        seen += amounts[pot]
        rake = rake_of(state, seen)
        out.pot_chips[first + pot] = (amounts[pot] - (rake - raked)) / unit
        out.pot_mask[first + pot] = masks[pot]
        raked = rake
    return int(end)


@inlined
def _leaf(state: Any, plan: StreetPlan, out: StreetNodes, counts: Any) -> int:
    """Write a leaf but for its child; return its number."""
    leaf = counts[LEAVES]
    counts[LEAVES] += 1
    for player in range(state[PLAYERS]):
        out.leaf_place[leaf, player] = -1
        if state[ACTIVE] >> player & 1 and state[STACK + player] > 0 and plan.choices > 1:
            out.leaf_place[leaf, player] = counts[ENTRIES]
            counts[ENTRIES] += plan.choices * plan.hands
    return int(leaf)


@kernel
def grow_street(root: Any, plan: StreetPlan, arrays: BlueprintArrays, out: StreetNodes) -> Any:
    """Write the tree; return [COUNTS] int64. FULL: the arrays of `out` are too short, and nothing is whole.

    root: [SIZE] int64, the table when the street began, all board cards fixed in advance.
    """
    counts = np.zeros(COUNTS, np.int64)
    states = np.empty((_ROOM, SIZE), np.int64)
    inners = np.empty((_ROOM, SIZE), np.int64)
    # node, level, actions of the real line that lead here, blueprint's node, following, depth
    where = np.empty((_ROOM, 6), np.int64)
    actions, known = np.empty(MOST_ACTIONS + 4, np.int64), np.empty(MOST_ACTIONS + 4, np.int64)
    amounts, masks = np.empty(MAX_PLAYERS + 1, np.int64), np.empty(MAX_PLAYERS + 1, np.int64)
    state, inner = np.empty(SIZE, np.int64), np.empty(SIZE, np.int64)
    first_street = root[STREET]
    states[0], inners[0] = root, plan.inner
    where[0, 0], where[0, 1], where[0, 2], where[0, 3], where[0, 4], where[0, 5] = 0, 0, 0, plan.node, 0, 0
    height = 1
    counts[NODES] = 1
    out.parent[0], out.action[0] = -1, CALL
    while height > 0:
        height -= 1
        state[:], inner[:] = states[height], inners[height]
        node, level, taken = where[height, 0], where[height, 1], where[height, 2]
        blue, following, depth = where[height, 3], where[height, 4], where[height, 5]
        counts[DEEPEST] = max(counts[DEEPEST], depth)
        if (
            counts[NODES] + MOST_ACTIONS + 2 > len(out.kind)
            or counts[ENDS] + 2 > len(out.won)
            or counts[POTS] + MAX_PLAYERS + 1 > len(out.pot_mask)
            or counts[LEAVES] + 1 > len(out.leaf_child)
            or height + MOST_ACTIONS + 2 > _ROOM
        ):
            counts[FULL] = 1
            return counts
        player, street = state[ACTOR], state[STREET]
        out.player[node], out.street[node], out.blue[node] = player, street, -1
        out.width[node], out.place[node], out.average[node] = 0, -1, -1
        if player < 0:
            out.kind[node] = SHOWN if player == SHOWDOWN else FOLDED
            out.first[node] = _end(state, root, plan, out, counts, amounts, masks)
            continue
        if not following and street > plan.last:
            leaf = _leaf(state, plan, out, counts)
            out.kind[node], out.first[node] = CHOOSES, leaf
            child = counts[NODES]
            counts[NODES] += 1
            out.leaf_child[leaf] = child
            out.parent[child], out.action[child], out.paid[child] = node, CALL, np.float32(0)
            where[height, 0], where[height, 1], where[height, 2] = child, 0, _OTHERWISE
            where[height, 3], where[height, 4], where[height, 5] = blue, 1, depth + 1
            states[height], inners[height] = state, inner
            height += 1
            continue
        agree = in_step(arrays, blue, inner, state)
        if following:
            out.kind[node] = FOLLOWS
            if agree:
                out.blue[node] = blue
                count = blueprint_actions(arrays, blue, inner, state, actions)
            else:
                actions[0], count = CALL, 1
        else:
            count = menu_actions(state, level, plan.menu, plan.big_blind, actions)
            if 0 <= taken < len(plan.played) and plan.played[taken] > CALL:
                count = _with(actions, count, plan.played[taken])
            if agree:
                out.blue[node] = blue
                for k in range(blueprint_actions(arrays, blue, inner, state, known)):
                    out.stands[node, k] = _standing(actions, count, known[k])
            out.place[node] = counts[ENTRIES]
            if street == first_street:
                out.kind[node], out.average[node] = DECIDES, counts[AVERAGES]
                counts[ENTRIES] += count * plan.hands
                counts[AVERAGES] += count * plan.hands
            else:
                out.kind[node] = SHARES
                counts[ENTRIES] += count * plan.buckets[street]
            counts[WIDEST] = max(counts[WIDEST], count)
        first = counts[NODES]
        counts[NODES] += count
        out.first[node], out.width[node] = first, count
        for a in range(count - 1, -1, -1):
            action = actions[a]
            states[height], inners[height] = state, inner
            if following and agree:
                below = np.int64(arrays.first[blue] + a)
                apply(inners[height], arrays.action[below])
            else:
                u = uniform(plan.key, plan.before + depth)
                below, _ = advance(arrays, blue, inners[height], state, action, u)
            apply(states[height], action)
            after = states[height, STREET]
            where[height, 0] = first + a
            where[height, 1] = 0 if after != street else level + (action > 0)
            on_line = 0 <= taken < len(plan.played) and plan.played[taken] == action
            where[height, 2] = taken + 1 if on_line else _OTHERWISE
            where[height, 3], where[height, 4], where[height, 5] = below, following, depth + 1
            out.parent[first + a], out.action[first + a] = node, action
            out.paid[first + a] = -states[height, PUT_IN + player] / np.float64(plan.big_blind)
            height += 1
    return counts
