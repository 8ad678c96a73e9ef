"""A blueprint at a real table, inside a kernel: following the hand through its tree, and the way back.

Every real action is carried out in the tree too; which of the tree's stands for it, what the tree's are on
the real table, and how a bet smaller than the tree's is answered, is said in `kernels.betting.mapping`.

Where tree and table do not agree (`in_step`) the tree has nothing to say: the caller plays its fallback and
counts it. So does a row of the strategy that training never reached.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from overbet.kernels.abstraction.buckets import BucketTables, bucket, rule_bucket
from overbet.kernels.betting.mapping import folds_kept, is_turn, real_action, same_decision, taken_for
from overbet.kernels.cards.evaluator import EvaluatorTables
from overbet.kernels.cards.isomorphism import SuitTables
from overbet.kernels.holdem.layout import FOLD
from overbet.kernels.holdem.rules import apply
from overbet.kernels.jit import lean, lean_inlined
from overbet.kernels.training.record import row_at
from overbet.kernels.training.store import WHOLE


class BlueprintArrays(NamedTuple):
    """A blueprint as arrays, N nodes; children of n are first[n] .. first[n] + num_children[n] - 1.

    record: [N, 4] int64 as `kernels.training.record` describes; strategy: [entries] uint8; root:
    [SIZE] int64, the tree's own table at the first decision, any cards; flop, turn, river, river_rule:
    uint16, river_class: uint8, its tables of `kernels.abstraction.buckets.BucketTables` (what all blueprints
    share stands in `Index`).
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
    river_class: npt.NDArray[np.uint8]


class Index(NamedTuple):
    """What every table of buckets is read with: the tables of `BucketTables` that depend on no blueprint."""

    preflop: npt.NDArray[np.uint16]
    preflop_suits: SuitTables
    flop_suits: SuitTables
    turn_suits: SuitTables
    river_suits: SuitTables
    board_suits: SuitTables
    evaluator: EvaluatorTables


@lean_inlined
def in_step(arrays: BlueprintArrays, node: int, inner: Any, state: Any) -> bool:
    """Return whether the tree stands at a node that is the table's decision."""
    return node >= 0 and same_decision(arrays.player[node], arrays.street[node], inner, state)


@lean
def child_for(arrays: BlueprintArrays, node: int, inner: Any, state: Any, action: int, u: float) -> Any:
    """Return the child that stands for a real action, or LOST, and whether the bet had to be mapped.

    state: the table before the action; u: a random number in [0, 1).
    """
    first = np.int64(arrays.first[node])
    last = first + arrays.num_children[node] - 1
    return taken_for(arrays.action, first, last, inner, state, action, u)


@lean
def advance(arrays: BlueprintArrays, node: int, inner: Any, state: Any, action: int, u: float) -> Any:
    """Carry a real action out in the tree; return the new node and whether a bet was mapped.

    inner: [SIZE] int64, the tree's table, changed. A tree that is ahead of the table waits.
    """
    if node < 0 or not is_turn(arrays.player[node], arrays.street[node], state):
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
        arrays.river_class,
        index.preflop_suits,
        index.flop_suits,
        index.turn_suits,
        index.river_suits,
        index.board_suits,
        index.evaluator,
    )
    if street == 3 and len(arrays.river) == 0:
        return rule_bucket(hole, board, tables)
    return bucket(street, hole, board, tables)


@lean_inlined
def folds_kept_at(arrays: BlueprintArrays, node: int, inner: Any, state: Any) -> float:
    """Return the share of its folds that a decision keeps: not all after a bet smaller than the tree's."""
    # siblings stand side by side, raises ascending behind folding and calling
    smallest = node > 0 and arrays.action[node] > 0 and arrays.action[node - 1] <= 0
    if not smallest or arrays.action[arrays.first[node]] != FOLD:
        return 1.0
    return folds_kept(inner, state)


@lean_inlined
def blueprint_shares(arrays: BlueprintArrays, node: int, bucket_number: int, kept: float, out: Any) -> bool:
    """Write how often a bucket takes each of the node's actions to out; return whether training was there.

    kept: the share of its folds that it keeps, as in `folds_kept_at`; the others are calls.
    """
    place = row_at(arrays.record, node, bucket_number)
    total = 0
    for child in range(arrays.num_children[node]):
        entry = arrays.strategy[place + child]
        total += entry
        out[child] = entry / np.float64(WHOLE)
    if kept < 1.0:
        out[1] += (1.0 - kept) * out[0]
        out[0] *= kept
    return total > 0


@lean_inlined
def blueprint_actions(arrays: BlueprintArrays, node: int, inner: Any, state: Any, actions: Any) -> int:
    """Write the legal actions that stand for the node's to actions; return how many. Some may be the same."""
    first, count = arrays.first[node], arrays.num_children[node]
    for place in range(count):
        actions[place] = real_action(state, inner, arrays.action[first + place])
    return int(count)
