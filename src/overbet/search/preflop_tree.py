"""The betting before the flop as a small tree of real states, cut where the flop is dealt.

What was really bet is in it where it was bet; beside it stand one size to open with and one to raise by, and
all chips where that is near. At the flop the player who is not searching chooses how the hand goes on.
"""

from __future__ import annotations

from collections.abc import Container
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from overbet.games.holdem_state import HoldemState
from overbet.kernels.holdem.layout import CALL, FOLD
from overbet.search.settings import PreflopSettings
from overbet.tree.betting import CHANCE, SHOWDOWN
from overbet.tree.betting import FOLD as FOLDED

Ints = npt.NDArray[np.int32]
SKIPPED = 5  # a kind of node beside those of betting trees


class PreflopTree(NamedTuple):
    """N nodes, parents first, siblings side by side; the first is the first decision of a hand.

    kind: [N] int32, the player to act, CHANCE where the flop is dealt, SHOWDOWN once all is in, FOLDED,
    SKIPPED where nobody asks how it goes on.
    first_child, num_children, edge: [N] int32 as in a betting tree. states: of each node. folder: [N] int32,
    who folded, -1 for nobody.
    """

    kind: Ints
    first_child: Ints
    num_children: Ints
    edge: Ints
    folder: Ints
    states: tuple[HoldemState, ...]

    def children(self, node: int) -> range:
        """Return the children of a node."""
        first = int(self.first_child[node])
        return range(first, first + int(self.num_children[node]))


def preflop_tree(
    begun: HoldemState,
    played: tuple[int, ...],
    settings: PreflopSettings,
    fixed: Container[int] = (),
) -> PreflopTree:
    """Grow the tree from the first decision of a hand.

    played: actions really taken, which are in it, as `edges_on` gives them: no raise above the shorter stack.
    fixed: the numbers of those whose decisions are fixed. What else could have been done there changes
    nothing after it, and is not followed.
    """
    stack = min(chips + bet for chips, bet in zip(begun.stacks, begun.bets))
    states, edges, folders, skipped = [begun], [0], [-1], [False]
    on = [0]  # how many of the real actions lead to a node, -1 where others do
    kinds, first, count = list[int](), list[int](), list[int]()
    place = 0
    while place < len(states):
        state = states[place]
        actions = dict[int, int]()
        if folders[place] >= 0:
            kinds.append(FOLDED)
        elif skipped[place]:
            kinds.append(SKIPPED)
        elif state.is_terminal():
            kinds.append(SHOWDOWN)
        elif state.street != "preflop":
            kinds.append(SHOWDOWN if min(state.stacks) == 0 else CHANCE)
        else:
            kinds.append(state.current_player())
            taken = played[on[place]] if 0 <= on[place] < len(played) else None
            actions = _actions(state, taken, settings, stack)
        first.append(len(states) if actions else -1)
        count.append(len(actions))
        for edge, action in actions.items():
            states.append(state.apply(action))
            edges.append(edge)
            folders.append(state.current_player() if action == FOLD else -1)
            really = 0 <= on[place] < len(played) and played[on[place]] == edge
            skipped.append(on[place] in fixed and not really)
            on.append(on[place] + 1 if really else -1)
        place += 1

    def column(values: list[int]) -> Ints:
        return np.array(values, np.int32)

    return PreflopTree(
        column(kinds), column(first), column(count), column(edges), column(folders), tuple(states)
    )


def _actions(state: HoldemState, taken: int | None, settings: PreflopSettings, stack: int) -> dict[int, int]:
    """Return the actions at a decision by their edges: fold, call, raises ascending.

    A raise to more than `stack`, which is all that the other can call, is all in; the rules may still ask for
    a larger number.
    """
    legal = state.legal_actions()
    found = {FOLD: FOLD} if legal.fold and state.to_call > 0 else {}
    found[CALL] = CALL
    raises = set[int]()
    if legal.raise_min is not None and legal.raise_max is not None:
        made = sum(action > 0 for _, _, action in state.history)
        factor = settings.raises if made else settings.opens
        amount = min(max(int(factor * max(state.bets)), legal.raise_min), legal.raise_max)
        raises.add(legal.raise_max if amount >= settings.all_in * legal.raise_max else amount)
        if taken is not None and taken > 0:
            raises.add(min(max(taken, legal.raise_min), legal.raise_max))
        found |= {raised: raised for raised in sorted(raises) if raised < stack}
        if max(raises) >= stack:
            found[stack] = legal.raise_max
    return found
