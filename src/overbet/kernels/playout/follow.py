"""Both players follow a blueprint from a decision on, all hands at once, on one full board.

The betting tree below the decision is walked depth first with both reaches as vectors. Values are
counterfactual: what a hand wins, summed over the opponent's hands that share no card with it, with their
reach as weights. At an end of the hand the sums over hands are those of every showdown here: hands lie in
order of strength, one walk up gives what each beats, per-card sums take out the hands that share a card.

A player can be made to lean to folding, calling or raising: those chances times a factor, the row made to add
up to one again (the continuations of Brown, Sandholm & Amos 2018). A row that training never reached checks
or calls.

    follow(walk: FollowedTree, hands: BoardHands, lean: Leaning, node, work: FollowWork)
        from work.reach[0] to work.value[0], both [2, n] float64
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from overbet.kernels.holdem.layout import CALL, FOLD
from overbet.kernels.jit import kernel, lean
from overbet.kernels.training.record import (
    FOLDED,
    count_of,
    end_at,
    first_child,
    first_pot,
    head_of,
    is_end,
    player_of,
    row_at,
    street_of,
)
from overbet.kernels.training.tree import MOST_ACTIONS

PLAIN, TO_FOLD, TO_CALL, TO_RAISE = 0, 1, 2, 3  # how a player leans


class FollowedTree(NamedTuple):
    """A blueprint's tree. record, strategy: as in `kernels.agents.blueprint.BlueprintArrays`; action: [N]
    int32; won: [T, 2] float32 and pot_chips: [Q] float32 as in `kernels.training.tree.Nodes`.
    """

    record: npt.NDArray[np.int64]
    strategy: npt.NDArray[np.uint8]
    action: npt.NDArray[np.int32]
    won: npt.NDArray[np.float32]
    pot_chips: npt.NDArray[np.float32]


class BoardHands(NamedTuple):
    """n hands alive on a full board, weakest first. cards: [n, 2] int8; rank: [n] int32; bucket: [4, n]
    int32, by street.
    """

    cards: npt.NDArray[np.int8]
    rank: npt.NDArray[np.int32]
    bucket: npt.NDArray[np.int32]


class Leaning(NamedTuple):
    """kind: [2] int64, PLAIN to TO_RAISE, by player; factor: on the chances it leans to."""

    kind: npt.NDArray[np.int64]
    factor: float


class FollowWork(NamedTuple):
    """Room for D decisions on a line. node, child: [D] int64; share: [D, actions, n] float64;
    reach, value: [D, 2, n] float64; by_card: [52] float64; beaten: [n] float64. untrained: [1] float64, adds
    up the weight of the pairs of hands that came to a row that training never reached.
    """

    node: npt.NDArray[np.int64]
    child: npt.NDArray[np.int64]
    share: npt.NDArray[np.float64]
    reach: npt.NDArray[np.float64]
    value: npt.NDArray[np.float64]
    by_card: npt.NDArray[np.float64]
    beaten: npt.NDArray[np.float64]
    untrained: npt.NDArray[np.float64]


@lean
def _shares(
    walk: FollowedTree, hands: BoardHands, lean_to: int, factor: float, n: Any, reach: Any, out: Any
) -> float:
    """Fill how often each hand takes each action of decision n: out [actions, hands] float64.

    reach: [hands] float64; what is returned is the reach of those whose row was never trained.
    """
    untrained = 0.0
    head = head_of(walk.record, n)
    count, street, first = count_of(head), street_of(head), first_child(walk.record, n)
    for i in range(len(hands.rank)):
        row = row_at(walk.record, n, hands.bucket[street, i])
        total = 0.0
        for a in range(count):
            action = walk.action[first + a]
            kind = TO_FOLD if action == FOLD else TO_CALL if action == CALL else TO_RAISE
            weight = walk.strategy[row + a] * (factor if kind == lean_to else 1.0)
            out[a, i] = weight
            total += weight
        if total == 0.0:
            untrained += reach[i]
        for a in range(count):
            if total > 0.0:
                out[a, i] /= total
            else:
                out[a, i] = 1.0 if walk.action[first + a] == CALL else 0.0
    return untrained


@lean
def _meet(hands: BoardHands, reach: Any, amount: float, by_card: Any, out: Any) -> None:
    """Add `amount` for every compatible hand of the other player. reach, out: [n] float64."""
    by_card[:] = 0.0
    total = 0.0
    for i in range(len(hands.rank)):
        total += reach[i]
        by_card[hands.cards[i, 0]] += reach[i]
        by_card[hands.cards[i, 1]] += reach[i]
    for i in range(len(hands.rank)):
        met = total - by_card[hands.cards[i, 0]] - by_card[hands.cards[i, 1]] + reach[i]
        out[i] += amount * met


@lean
def _show_down(hands: BoardHands, reach: Any, pot: float, work: FollowWork, out: Any) -> None:
    """Add the pot's share: all of it for what a hand beats, half for what it ties with."""
    n, by_card, below = len(hands.rank), work.by_card, work.beaten
    by_card[:] = 0.0
    total, first = 0.0, 0
    while first < n:
        after = first
        while after < n and hands.rank[after] == hands.rank[first]:
            a, b = hands.cards[after, 0], hands.cards[after, 1]
            below[after] = total - by_card[a] - by_card[b]
            after += 1
        for i in range(first, after):
            total += reach[i]
            by_card[hands.cards[i, 0]] += reach[i]
            by_card[hands.cards[i, 1]] += reach[i]
        for i in range(first, after):
            upto = total - by_card[hands.cards[i, 0]] - by_card[hands.cards[i, 1]] + reach[i]
            out[i] += pot * 0.5 * (below[i] + upto)
        first = after


@lean
def _end(walk: FollowedTree, hands: BoardHands, n: Any, depth: Any, work: FollowWork) -> None:
    """Fill both players' values at the end of a hand."""
    kind, end = head_of(walk.record, n), end_at(walk.record, n)
    for player in range(2):
        reach, value = work.reach[depth, 1 - player], work.value[depth, player]
        value[:] = 0.0
        _meet(hands, reach, np.float64(walk.won[end, player]), work.by_card, value)
        if kind != FOLDED:
            _show_down(hands, reach, np.float64(walk.pot_chips[first_pot(walk.record, n)]), work, value)


@lean
def _open(
    walk: FollowedTree, hands: BoardHands, lean_to: Leaning, node: Any, depth: Any, work: FollowWork
) -> bool:
    """Begin a node; return whether it is a decision, whose children are still to be walked."""
    head = head_of(walk.record, node)
    if is_end(head):
        _end(walk, hands, node, depth, work)
        return False
    player = player_of(head)
    work.node[depth], work.child[depth] = node, 0
    work.value[depth, 0, :] = 0.0
    work.value[depth, 1, :] = 0.0
    kind, reach = lean_to.kind[player], work.reach[depth, player]
    untrained = _shares(walk, hands, kind, lean_to.factor, node, reach, work.share[depth])
    if untrained > 0.0:
        work.untrained[0] += untrained * work.reach[depth, 1 - player].sum()
    return True


@kernel
def follow(walk: FollowedTree, hands: BoardHands, lean_to: Leaning, node: int, work: FollowWork) -> None:
    """Fill work.value[0] from work.reach[0]: what both players' hands win in chips from the deal on."""
    n = len(hands.rank)
    depth = 0 if _open(walk, hands, lean_to, node, 0, work) else -1
    while depth >= 0:
        head = head_of(walk.record, work.node[depth])
        player, a = player_of(head), work.child[depth]
        if a == count_of(head):
            depth -= 1
            if depth >= 0:
                _take(walk, n, depth, work)
            continue
        for i in range(n):
            work.reach[depth + 1, player, i] = work.reach[depth, player, i] * work.share[depth, a, i]
            work.reach[depth + 1, 1 - player, i] = work.reach[depth, 1 - player, i]
        child = first_child(walk.record, work.node[depth]) + a
        if _open(walk, hands, lean_to, child, depth + 1, work):
            depth += 1
        else:
            _take(walk, n, depth, work)


@lean
def _take(walk: FollowedTree, n: Any, depth: Any, work: FollowWork) -> None:
    """Add the values of the child that was walked to its parent's, and go to the next child."""
    player, a = player_of(head_of(walk.record, work.node[depth])), work.child[depth]
    for i in range(n):
        work.value[depth, player, i] += work.share[depth, a, i] * work.value[depth + 1, player, i]
        work.value[depth, 1 - player, i] += work.value[depth + 1, 1 - player, i]
    work.child[depth] = a + 1


@kernel
def decisions_below(record: npt.NDArray[np.int64], node: int) -> int:
    """Return the most decisions on a line from a node on."""
    stack, depth = np.empty(64 * MOST_ACTIONS, np.int64), np.empty(64 * MOST_ACTIONS, np.int64)
    stack[0], depth[0] = node, 0
    height, most = 1, 0
    while height > 0:
        height -= 1
        here, above = stack[height], depth[height]
        head = head_of(record, here)
        if is_end(head):
            continue
        most = max(most, above + 1)
        for child in range(first_child(record, here), first_child(record, here) + count_of(head)):
            stack[height], depth[height] = child, above + 1
            height += 1
    return most
