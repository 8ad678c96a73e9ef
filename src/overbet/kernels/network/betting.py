"""What a network sees of the betting at the decisions of a tree: numbers relative to the pot.

    0-3     the street, one of four 4       the player to act 5       pot: log2 of the pot in big blinds / 8 6
    price: what is to be called / (pot + that) 7       depth: log(1 + chips behind / pot) / 5, the smaller
    stack's 8       chips behind / chips at the start, the smaller stack's 9       bets and raises made on
    this street / 4 10-15   which slots there are: fold, call, three raises ascending, all-in 16-19   sizes of
    those raises and of all-in: log(1 + share of the pot after calling), 0 where there is none 20-91   what
    was done: 4 streets of 6 actions of 3 numbers: 1; log(1 + share) of a bet or raise; 1 if all-in

A check or a call has a share of 0. The last part alone gives back the whole line: sizes are exact to the
chip.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from overbet.kernels.betting.mapping import share_of_pot
from overbet.kernels.holdem.layout import (
    ACTOR,
    CALL,
    FOLD,
    POT,
    RAISE_MAX,
    STACK,
    STREET,
    TO_CALL,
)
from overbet.kernels.holdem.rules import apply
from overbet.kernels.jit import kernel, lean
from overbet.kernels.training.tree import Nodes

SLOTS = 6  # fold, call, three raises, all-in
FOLD_SLOT, CALL_SLOT, FIRST_RAISE, ALL_IN_SLOT = 0, 1, 2, 5
HISTORY, MOST_MOVES, MOVE = 20, 6, 3
BETTING = HISTORY + 4 * MOST_MOVES * MOVE
NO_SLOT = -1
TOO_MANY_MOVES, TOO_MANY_RAISES = -2, -3


@lean
def write_now(state: Any, level: int, start: float, big_blind: float, out: Any) -> None:
    """Write what stands at a decision, but its actions, to out: [BETTING] float32."""
    pot, asked = np.float64(state[POT]), np.float64(state[TO_CALL])
    behind = np.float64(min(state[STACK], state[STACK + 1]))
    out[state[STREET]] = 1.0
    out[4] = state[ACTOR]
    out[5] = np.log2(pot / big_blind) / 8.0
    out[6] = asked / (pot + asked)
    out[7] = np.log1p(behind / pot) / 5.0
    out[8] = behind / start
    out[9] = level / 4.0


@kernel
def encode_nodes(root: Any, nodes: Nodes, start: float, big_blind: float, out: Any, slots: Any) -> int:
    """Fill out: [N, BETTING] float32 and slots: [N, SLOTS] int32 for all decisions of a heads-up tree.

    root: [SIZE] int64 at the first decision, any cards; slots: which child stands in a slot, NO_SLOT none.
    Return 0, or TOO_MANY_MOVES or TOO_MANY_RAISES where the tree has more than fits.
    """
    path = np.empty(64, np.int64)
    state = np.empty_like(root)
    out[:] = 0.0
    slots[:] = NO_SLOT
    for node in range(len(nodes.player)):
        if nodes.player[node] < 0:
            continue
        length, above = 0, node
        while above > 0:
            path[length] = above
            length += 1
            above = nodes.parent[above]
        state[:] = root
        row = out[node]
        street, moves = np.int64(0), 0
        for back in range(length):
            if state[STREET] != street:
                street, moves = state[STREET], 0
            if moves == MOST_MOVES:
                return TOO_MANY_MOVES
            action = nodes.action[path[length - 1 - back]]
            place = HISTORY + (street * MOST_MOVES + moves) * MOVE
            row[place] = 1.0
            if action > 0:
                row[place + 1] = np.log1p(share_of_pot(state, action))
                row[place + 2] = np.float32(action >= state[RAISE_MAX])
            moves += 1
            apply(state, action)
        write_now(state, nodes.level[node], start, big_blind, row)
        raises = 0
        for child in range(nodes.first[node], nodes.first[node] + nodes.num_children[node]):
            action = nodes.action[child]
            if action == FOLD:
                slot = FOLD_SLOT
            elif action == CALL:
                slot = CALL_SLOT
            elif action >= state[RAISE_MAX]:
                slot = ALL_IN_SLOT
            else:
                slot = FIRST_RAISE + raises
                raises += 1
                if slot >= ALL_IN_SLOT:
                    return TOO_MANY_RAISES
            slots[node, slot] = child
            row[10 + slot] = 1.0
            if action > 0:
                row[16 + slot - FIRST_RAISE] = np.log1p(share_of_pot(state, action))
    return 0
