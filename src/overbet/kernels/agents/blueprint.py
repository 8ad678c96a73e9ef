"""A blueprint at a real table, inside a kernel: following the hand through its tree, and the way back.

Every real action is carried out in the tree too. A bet or raise that is what one of the tree's would be
on the real table (`real_action`) is that one; all in is all in; any other is mapped by the randomised
pseudo-harmonic mapping (Ganzfried & Sandholm 2013) between the two nearest of the tree, as shares of the
pot after calling, each of its own pot. A call where the tree has none (limping) is taken for its smallest
raise; a raise where the tree has none left is taken for a call, and the tree waits until the real hand
has caught up with it.

Where tree and table do not agree on street, player and whether there is something to call, the tree has
nothing to say: `in_step` is false, and the caller plays its fallback and counts it. So does a row of the
strategy that training never reached.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from overbet.kernels.abstraction.buckets import BucketTables, bucket, rule_bucket
from overbet.kernels.agents.scripted import legal_raise
from overbet.kernels.cards.evaluator import EvaluatorTables
from overbet.kernels.cards.isomorphism import SuitTables
from overbet.kernels.holdem.layout import (
    ACTOR,
    CALL,
    FOLD,
    POT,
    RAISE_MAX,
    STREET,
    TO_CALL,
    TO_MATCH,
)
from overbet.kernels.holdem.rules import apply
from overbet.kernels.jit import lean, lean_inlined
from overbet.kernels.training.record import row_at
from overbet.kernels.training.store import WHOLE

LOST = -1  # a node that stands for no place in the tree any more


class BlueprintArrays(NamedTuple):
    """A blueprint as arrays, N nodes; children of n are first[n] .. first[n] + num_children[n] - 1.

    record: [N, 4] int64 as `kernels.training.record` describes; strategy: [entries] uint8; root:
    [SIZE] int64, the tree's own table at the first decision, any cards; flop, turn, river, river_rule:
    uint16, its tables of `kernels.abstraction.buckets.BucketTables` (what all blueprints share stands in
    `Index`).
    """

    player: npt.NDArray[np.int8]
    street: npt.NDArray[np.int8]
    first: npt.NDArray[np.int32]
    num_children: npt.NDArray[np.int8]
    action: npt.NDArray[np.int32]
    record: npt.NDArray[np.int64]
    strategy: npt.NDArray[np.uint8]
    root: npt.NDArray[np.int64]
    flop: npt.NDArray[np.uint16]
    turn: npt.NDArray[np.uint16]
    river: npt.NDArray[np.uint16]
    river_rule: npt.NDArray[np.uint16]


class Index(NamedTuple):
    """What every table of buckets is read with: the tables of `BucketTables` that depend on no blueprint."""

    preflop: npt.NDArray[np.uint16]
    preflop_suits: SuitTables
    flop_suits: SuitTables
    turn_suits: SuitTables
    river_suits: SuitTables
    evaluator: EvaluatorTables


@lean_inlined
def _share(state: Any, amount: int) -> Any:
    """Return a raise as a share of the pot after calling."""
    return max(amount - state[TO_MATCH], 0) / np.float64(state[POT] + state[TO_CALL])


@lean_inlined
def real_action(state: Any, inner: Any, action: int) -> int:
    """Return the legal action that stands for the tree's `action`; inner: [SIZE] int64, the tree's table.

    A fold with nothing to call is a check, a raise where none is allowed a call; all in is all in; any other
    raise has the same share of the pot, whole, within the bounds, all in where less than a bet would be left.
    """
    if action == FOLD:
        return FOLD if state[TO_CALL] > 0 else CALL
    if action == CALL or state[RAISE_MAX] == 0:
        return CALL
    if action >= inner[RAISE_MAX]:
        return int(state[RAISE_MAX])
    share = _share(inner, action)
    return int(legal_raise(state, state[TO_MATCH] + share * (state[POT] + state[TO_CALL])))


@lean_inlined
def in_step(arrays: BlueprintArrays, node: int, inner: Any, state: Any) -> bool:
    """Return whether the tree stands where the table does: street, player, something to call or not."""
    return (
        node >= 0
        and arrays.player[node] == state[ACTOR]
        and arrays.street[node] == state[STREET]
        and (inner[TO_CALL] > 0) == (state[TO_CALL] > 0)
    )


@lean
def _mapped(arrays: BlueprintArrays, first: int, last: int, inner: Any, share: float, u: float) -> int:
    """Return the child in first..last, raises ascending, that a raise of `share` pots is taken for."""
    above = first
    while above <= last and _share(inner, arrays.action[above]) < share:
        above += 1
    if above == first or above > last:
        return min(above, last)
    small, large = _share(inner, arrays.action[above - 1]), _share(inner, arrays.action[above])
    chance = (large - share) * (1.0 + small) / ((large - small) * (1.0 + share))
    return above - 1 if u < chance else above


@lean
def child_for(arrays: BlueprintArrays, node: int, inner: Any, state: Any, action: int, u: float) -> Any:
    """Return the child that stands for a real action, or LOST, and whether the bet had to be mapped.

    state: the table before the action; u: a random number in [0, 1).
    """
    first = np.int64(arrays.first[node])
    last = first + arrays.num_children[node] - 1
    raises, call, fold = last + 1, np.int64(LOST), np.int64(LOST)
    for child in range(first, last + 1):
        if arrays.action[child] == FOLD:
            fold = np.int64(child)
        elif arrays.action[child] == CALL:
            call = np.int64(child)
        else:
            raises = min(raises, child)
    if action == FOLD:
        return fold, False
    if action == CALL:
        if call == LOST and raises <= last:
            return raises, True
        return call, False
    if raises > last:
        return call, True
    if action == state[RAISE_MAX] and arrays.action[last] >= inner[RAISE_MAX]:
        return last, False
    for child in range(raises, last + 1):
        if real_action(state, inner, arrays.action[child]) == action:
            return child, False
    return _mapped(arrays, raises, last, inner, _share(state, action), u), True


@lean
def advance(arrays: BlueprintArrays, node: int, inner: Any, state: Any, action: int, u: float) -> Any:
    """Carry a real action out in the tree; return the new node and whether a bet was mapped.

    inner: [SIZE] int64, the tree's table, changed. A tree that is ahead of the table waits.
    """
    if node < 0 or arrays.player[node] < 0:
        return np.int64(node), False
    if arrays.player[node] != state[ACTOR] or arrays.street[node] != state[STREET]:
        return np.int64(node), False
    child, mapped = child_for(arrays, node, inner, state, action, u)
    if child >= 0:
        apply(inner, arrays.action[child])
    return child, mapped


@lean
def blueprint_bucket(arrays: BlueprintArrays, index: Index, street: int, hole: Any, board: Any) -> Any:
    """Return the bucket of hole: [2] int8 on board: [5] int8 at a street."""
    tables = BucketTables(
        index.preflop,
        arrays.flop,
        arrays.turn,
        arrays.river,
        arrays.river_rule,
        index.preflop_suits,
        index.flop_suits,
        index.turn_suits,
        index.river_suits,
        index.evaluator,
    )
    if street == 3 and len(arrays.river) == 0:
        return rule_bucket(hole, board, tables)
    return bucket(street, hole, board, tables)


@lean_inlined
def blueprint_shares(arrays: BlueprintArrays, node: int, bucket_number: int, out: Any) -> bool:
    """Write how often a bucket takes each of the node's actions to out; return whether training was there."""
    place = row_at(arrays.record, node, bucket_number)
    total = 0
    for child in range(arrays.num_children[node]):
        entry = arrays.strategy[place + child]
        total += entry
        out[child] = entry / np.float64(WHOLE)
    return total > 0


@lean_inlined
def blueprint_actions(arrays: BlueprintArrays, node: int, inner: Any, state: Any, actions: Any) -> int:
    """Write the legal actions that stand for the node's to actions; return how many. Some may be the same."""
    first, count = arrays.first[node], arrays.num_children[node]
    for place in range(count):
        actions[place] = real_action(state, inner, arrays.action[first + place])
    return int(count)
