"""Following a real hand through a betting tree that does not have its bets (`overbet.betting.following`)."""

from __future__ import annotations

from overbet.betting.following import followed
from overbet.games.holdem_state import HoldemState
from overbet.tree.holdem import HoldemTree


def follow(tree: HoldemTree, state: HoldemState, seed: int = 0, hand: int = 0) -> int:
    """Return the node of the tree at which the hand of `state` stands."""

    def actions_at(inner: HoldemState) -> tuple[int, ...]:
        return tree.actions(_node(tree, inner))

    return _node(tree, followed(state, tree.game, actions_at, seed, hand))


def _node(tree: HoldemTree, inner: HoldemState) -> int:
    """Return the node of a hand all of whose actions are the tree's."""
    node = 0
    for _, _, action in inner.history:
        node = next(child for child in tree.children(node) if tree.nodes.action[child] == action)
    return node
