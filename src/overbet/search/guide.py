"""A strategy for the street that is searched, taken from elsewhere: what an anchor or a warm start goes by.

From the blueprint: every decision of the subgame's first street is asked for as a state of the real hand. The
blueprint's fold and call are the tree's; what it raises altogether is shared out over the tree's raises in
proportion to how likely each is by the beliefs' rule (a size between two of the blueprint's mixes theirs).
Where the tree has no raise, raises call. From the last search of the same street: the decisions that both
trees have, with the same actions; elsewhere the blueprint.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import numpy.typing as npt

from overbet.games.holdem_state import HoldemState
from overbet.kernels.holdem.layout import CALL, FOLD
from overbet.search.beliefs import HandShares, likelihood
from overbet.search.question import Frozen
from overbet.search.street_answer import StreetAnswer
from overbet.search.street_start import real_action
from overbet.tree.betting import CONTINUATION, BettingTree
from overbet.tree.spot import IP

Floats = npt.NDArray[np.float64]


def guide_of(
    betting: BettingTree,
    begun: HoldemState,
    stack: int,
    shares: Callable[[HoldemState], HandShares],
    last: StreetAnswer | None = None,
) -> tuple[Frozen, ...]:
    """Return a strategy for every decision of a tree's first street.

    betting: the tree; begun: the real hand when the street began; stack: what is behind there; shares: the
    blueprint; last: a search of the same street.
    """
    found, open_nodes = list[Frozen](), [(0, tuple[int, ...](), begun)]
    while open_nodes:
        node, edges, state = open_nodes.pop()
        children = betting.children(node)
        taken = [int(betting.edge[child]) for child in children]
        if betting.kind[node] > IP or taken[0] <= CONTINUATION:
            continue
        actions = [real_action(state, edge, stack) for edge in taken]
        given = None if last is None else _of_last(last, edges, taken)
        found.append(Frozen(edges, mapped_shares(shares(state), state, actions) if given is None else given))
        for child, edge, action in zip(children, taken, actions):
            if betting.kind[child] <= IP:
                open_nodes.append((child, (*edges, edge), state.apply(action)))
    return tuple(found)


def mapped_shares(found: HandShares, state: HoldemState, actions: list[int]) -> Floats:
    """Return a strategy in other actions: [1326, action] float64, rows adding up to one; dead hands alike.

    actions: of the tree, in its order: fold where there is one, call, raises.
    """
    given = np.nan_to_num(found.shares)
    raised = given[:, [action > CALL for action in found.actions]].sum(1)
    mapped = np.zeros((len(given), len(actions)))
    raises = [place for place, action in enumerate(actions) if action > CALL]
    for place, action in enumerate(actions):
        if action in (FOLD, CALL) and action in found.actions:
            mapped[:, place] = given[:, found.actions.index(action)]
    if raises:
        likely = np.stack([likelihood(found, state, actions[place]) for place in raises], 1)
        whole = likely.sum(1, keepdims=True)
        flat = np.full_like(likely, 1.0 / len(raises))
        mapped[:, raises] = raised[:, None] * np.divide(likely, whole, out=flat, where=whole > 0)
    else:
        mapped[:, actions.index(CALL)] += raised
    total = mapped.sum(1, keepdims=True)
    even = np.full_like(mapped, 1.0 / len(actions))
    shared: Floats = np.divide(mapped, total, out=even, where=total > 0)
    return shared


def _of_last(last: StreetAnswer, edges: tuple[int, ...], taken: list[int]) -> Floats | None:
    """Return how the last search plays a decision, None where it has not the same actions there."""
    node = last.strategy.node(edges)
    if node is None or [int(last.strategy.edge[child]) for child in last.strategy.children(node)] != taken:
        return None
    shares = last.strategy.at(node)
    return np.where(np.isnan(shares), 1.0 / len(taken), shares)
