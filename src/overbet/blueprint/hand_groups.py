"""Hands that play and win alike on a full board, and all that can follow a decision of a blueprint."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from overbet.blueprint.dense_query import DenseBlueprint
from overbet.cards.combos import combo_table, live_combos
from overbet.cards.evaluator import evaluate_batch
from overbet.kernels.playout.follow import FollowedTree
from overbet.kernels.playout.pairs import TreeBelow
from overbet.kernels.training.record import FOLDED, decision_at, end_at, first_child, first_pot, is_end

Ints = npt.NDArray[np.int32]
_CARDS = (0, 3, 4, 5)


class HandGroups(NamedTuple):
    """G groups of H hands on a full board: group [H] int32 (G where the hand is dead), bucket [4, G] int32 by
    street, -1 on streets that are over, rank [G] int32."""

    group: Ints
    bucket: Ints
    rank: Ints


def groups_on(blueprint: DenseBlueprint, cards: tuple[int, ...], dealt: int) -> HandGroups:
    """Return the groups of the hands that the first `dealt` cards of a full board leave, in combo order."""
    combos = np.flatnonzero(live_combos(cards[:dealt]))
    live = live_combos(cards)[combos]
    seven = np.empty((int(live.sum()), 7), np.int8)
    seven[:, :2] = combo_table()[combos[live]]
    seven[:, 2:] = cards
    streets = [street for street in (1, 2, 3) if _CARDS[street] > dealt]
    alike = [evaluate_batch(seven).astype(np.int64)]
    for street in streets:
        buckets = blueprint.cards.of_board(cards[: _CARDS[street]])
        alike.append(buckets[combos[live]].astype(np.int64))
    kinds, place = np.unique(np.stack(alike, 1), axis=0, return_inverse=True)
    group = np.full(len(combos), len(kinds), np.int32)
    group[live] = place.ravel()
    bucket = np.full((4, len(kinds)), -1, np.int32)
    bucket[streets] = kinds[:, 1:].T
    return HandGroups(group, bucket, kinds[:, 0].astype(np.int32))


def tree_below(walk: FollowedTree, node: int) -> TreeBelow:
    """Return all that can follow a decision of a blueprint's tree."""
    nodes, decisions, ends = [node], list[tuple[int, ...]](), list[int]()
    place = 0
    while place < len(nodes):
        here = nodes[place]
        if is_end(walk.record[here, 0]):
            ends.append(place)
        else:
            at = decision_at(walk.record, here)
            decisions.append((place, here, at.player, at.actions, len(nodes)))
            child = int(first_child(walk.record, here))
            nodes += range(child, child + at.actions)
        place += 1
    ends.sort(key=lambda end: walk.record[nodes[end], 0] != FOLDED)
    folds = sum(walk.record[nodes[end], 0] == FOLDED for end in ends)
    won = [walk.won[end_at(walk.record, nodes[end]), 0] for end in ends]
    pot = [
        walk.pot_chips[first_pot(walk.record, nodes[end])] if number >= folds else 0.0
        for number, end in enumerate(ends)
    ]
    return TreeBelow(
        len(nodes),
        np.array(decisions, np.int64).reshape(-1, 5),
        np.array(ends, np.int64),
        int(folds),
        np.array(won, np.float32),
        np.array(pot, np.float32),
    )
