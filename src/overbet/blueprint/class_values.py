"""What classes of hands are worth against each other once the betting before the flop is over and both follow
a blueprint.

As `pair_values`, a street earlier: means over full boards that are drawn, what the draw does to equity taken
off again, and over the combos of a class. They do not depend on any cards, so each line of the blueprint
needs them once; that takes seconds, and who asks keeps them. Those of the shipped blueprint are in a table
(`class_table`).
"""

from __future__ import annotations

import hashlib
from functools import cached_property, lru_cache

import numpy as np
import numpy.typing as npt

from overbet.betting.following import moves_of
from overbet.blueprint.class_table import STEPS, in_steps, shipped_class_table
from overbet.blueprint.dense_query import DenseBlueprint
from overbet.blueprint.hand_groups import groups_on, tree_below
from overbet.blueprint.hand_values import CONTINUATIONS, LEAN, followed_tree
from overbet.cards.combos import CLASSES, COMBOS, class_of_combos, combo_table
from overbet.cards.preflop import equity_169
from overbet.errors import ConfigError
from overbet.games.holdem_state import HoldemState
from overbet.kernels.playout.follow import FollowedTree
from overbet.kernels.playout.pairs import add_groups, group_values, own_chances
from overbet.kernels.rng import below as draw_below
from overbet.kernels.rng import stream_key

Floats = npt.NDArray[np.float32]
Doubles = npt.NDArray[np.float64]
_DECK = 52
_BOARDS_STREAM = 2  # of (seed, number)


class ClassValues:
    """Classes of hands when the flop is dealt, by one blueprint of dense tables, heads up; no rake."""

    def __init__(self, blueprint: DenseBlueprint) -> None:
        if blueprint.game.num_players != 2:
            raise ConfigError(f"values of hands are for two players, not {blueprint.game.num_players}")
        self.blueprint = blueprint
        self._groups = lru_cache(256)(lambda cards: groups_on(blueprint, cards, 0))

    @cached_property
    def _tree(self) -> FollowedTree:
        return followed_tree(self.blueprint)

    @cached_property
    def identity(self) -> str:
        """A hash of the strategy."""
        return hashlib.blake2b(self._tree.strategy.tobytes(), digest_size=16).hexdigest()

    def stands_for(self, state: HoldemState) -> HoldemState | None:
        """Return the blueprint's own hand for a real one at its first decision on the flop; None for none."""
        followed = self.blueprint.followed(state)
        return None if followed.fault else followed.state

    def ends(self) -> dict[str, HoldemState]:
        """Return the first decisions on the flop, by line: where the values may be asked for."""
        begun = self.blueprint.game.initial_state().with_cards([None, None], range(5))
        found, waiting = dict[str, HoldemState](), [begun]
        while waiting:
            state = waiting.pop()
            if state.is_terminal():
                continue
            if state.street != "preflop":
                found[moves_of(state)] = state
                continue
            actions = self.blueprint.tree.actions(self.blueprint.tree.after(state))
            waiting += [state.apply(action) for action in reversed(actions)]
        return found

    def are_known(self, boards: int) -> bool:
        """Return whether the package holds the values at all ends, over so many boards."""
        table = shipped_class_table(self.identity)
        return table is not None and table.boards == boards

    def known(self, inner: HoldemState, chooser: int, boards: int) -> Floats | None:
        """Return what `after` does where the package holds it, None elsewhere."""
        table = shipped_class_table(self.identity)
        return None if table is None else table.find(moves_of(inner), chooser, boards)

    def after(self, inner: HoldemState, chooser: int, boards: int, seed: int = 0) -> Floats:
        """Return the values of all pairs of classes: [4, 169, 169] float32, in steps of 1/1024.

        inner: a state of the blueprint's own game at its first decision on the flop. First axis: how
        `chooser` goes on, `CONTINUATIONS`. Rows are player 0's classes, columns player 1's. Entries are
        player 0's share of the pot as it is then, later bets included. They are rounded so that it makes no
        difference whether they were worked out or read from a table.
        """
        below = tree_below(self._tree, self.blueprint.tree.after(inner))
        found = np.zeros((len(CONTINUATIONS) + 2, COMBOS, COMBOS), np.float32)
        for board in drawn_full_boards(boards, seed):
            groups = self._groups(board)
            count = len(groups.rank)
            chances, table = (
                np.empty((below.size, count), np.float32),
                np.zeros((count, count + 1), np.float32),
            )
            own_chances(self._tree, below, groups.bucket, 1 - chooser, CONTINUATIONS[0], LEAN, chances)
            other = chances[below.ends]
            for number, lean in enumerate(CONTINUATIONS):
                own_chances(self._tree, below, groups.bucket, chooser, lean, LEAN, chances)
                group_values(below, chances[below.ends], other, groups.rank, chooser, table)
                add_groups(table, groups.group, found[number])
            mine, theirs = groups.rank[:, None], groups.rank[None, :]
            table[:, :count] = (mine > theirs) + (mine == theirs) / 2  # the chooser's equity
            add_groups(table, groups.group, found[-2])
            table[:, :count] = 1.0
            add_groups(table, groups.group, found[-1])
        classes = np.stack([_by_class(each if chooser == 0 else each.T) for each in found])
        lived = np.maximum(classes[-1], 1e-9)
        equity = classes[-2] / lived if chooser == 0 else 1.0 - classes[-2] / lived
        values = (classes[: len(CONTINUATIONS)] / lived + inner.put_in[0]) / inner.pot
        values = np.where(classes[-1] > 0, values + equity_169() - equity, equity_169())
        return in_steps(values).astype(np.float32) / np.float32(STEPS)


def drawn_full_boards(count: int, seed: int) -> list[tuple[int, ...]]:
    """Return boards of five cards."""
    found = []
    for number in range(count):
        key, left = np.uint64(stream_key(seed, number, _BOARDS_STREAM)), list(range(_DECK))
        found.append(tuple(left.pop(int(draw_below(key, place, len(left)))) for place in range(5)))
    return found


@lru_cache(1)
def class_pairs() -> Doubles:
    """Return how many pairs of combos of two classes share no card: [169, 169] float64."""
    return _by_class(np.ones((COMBOS, COMBOS), np.float32))


@lru_cache(1)
def _classes() -> tuple[Floats, Floats]:
    """Return which class each combo is of, [1326, 169], and which combos share no card, [1326, 1326]."""
    member = np.zeros((COMBOS, CLASSES), np.float32)
    member[np.arange(COMBOS), class_of_combos()] = 1.0
    held = np.zeros((COMBOS, _DECK), np.float32)
    held[np.arange(COMBOS)[:, None], combo_table()] = 1.0
    return member, (held @ held.T == 0).astype(np.float32)


def _by_class(pairs: Floats) -> Doubles:
    """Return the sums over the pairs of combos of two classes that share no card: [169, 169] float64."""
    member, apart = _classes()
    found: Doubles = (member.T @ (pairs * apart) @ member).astype(np.float64)
    return found
