"""What every hand is worth when both players follow a blueprint from a decision on.

On the river and the turn the sums are exact: all hands, all cards. On the flop and before, boards are drawn,
each serving all hands at once, so that differences between hands and actions have little noise.
"""

from __future__ import annotations

from functools import lru_cache
from itertools import combinations
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from overbet.blueprint.dense_query import DenseBlueprint
from overbet.blueprint.trainer import entries_of
from overbet.cards.combos import COMBOS, combo_table, live_combos
from overbet.cards.evaluator import evaluate_batch
from overbet.errors import ConfigError
from overbet.games.holdem_state import HoldemState
from overbet.kernels.playout.follow import (
    PLAIN,
    TO_CALL,
    TO_FOLD,
    TO_RAISE,
    BoardHands,
    FollowedTree,
    FollowWork,
    Leaning,
    decisions_below,
    follow,
)
from overbet.kernels.rng import below, stream_key
from overbet.kernels.training.tree import MOST_ACTIONS

Floats = npt.NDArray[np.float64]
CONTINUATIONS = (PLAIN, TO_FOLD, TO_CALL, TO_RAISE)
LEAN = 5.0  # by which a continuation multiplies the chances it leans to
_DECK = 52
_BOARDS_STREAM = 0  # of (seed, number of a board)


class FollowedValues(NamedTuple):
    """values: [2, 1326] float64, counterfactual: chips from the beginning of the hand on, summed over the
    other player's hands by their weights; met: [2, 1326] float64, those weights; boards: how many were
    summed; untrained: how many rows that training never reached a pair of hands comes to, on average.
    """

    values: Floats
    met: Floats
    boards: int
    untrained: float = 0.0

    def of_hands(self) -> Floats:
        """Return what each hand can expect in chips: [2, 1326] float64, NaN where nobody is met."""
        return np.divide(self.values, self.met, out=np.full_like(self.values, np.nan), where=self.met > 1e-12)


class BlueprintValues:
    """Asks one blueprint of dense tables, heads up."""

    def __init__(self, blueprint: DenseBlueprint) -> None:
        if blueprint.game.num_players != 2:
            raise ConfigError(f"values of hands are for two players, not {blueprint.game.num_players}")
        self.blueprint = blueprint
        self._tree = followed_tree(blueprint)
        self._hands = lru_cache(512)(self._board_hands)

    def at(
        self,
        inner: HoldemState,
        board: tuple[int, ...],
        ranges: Floats,
        *,
        boards: int = 64,
        seed: int = 0,
        leaning: tuple[int, int] = (PLAIN, PLAIN),
    ) -> FollowedValues:
        """Return the values at a state of the blueprint's own game, with the real board.

        inner: all its actions are the blueprint's, its cards do not matter; ranges: [2, 1326] float64;
        boards: how many are drawn where not all can be summed (before the turn); leaning: how each player
        leans, one of `CONTINUATIONS`.
        """
        node = self.blueprint.tree.after(inner)
        depth = int(decisions_below(self._tree.record, node)) + 1
        values = np.zeros((2, COMBOS))
        lean = Leaning(np.array(leaning, np.int64), LEAN)
        full = _full_boards(board, boards, seed)
        work: FollowWork | None = None
        pairs = untrained = 0.0
        for cards in full:
            combos, hands = self._hands(cards)
            n = len(combos)
            if work is None or work.beaten.shape[0] != n:
                work = _room(depth, n)
            work.reach[0] = ranges[:, combos]
            work.untrained[0] = 0.0
            pairs += float(work.reach[0, 0].sum() * work.reach[0, 1].sum())
            follow(self._tree, hands, lean, node, work)
            values[:, combos] += work.value[0]
            untrained += float(work.untrained[0])
        # of the boards that were summed, those on which neither hand has a card
        left = _DECK - len(board)
        missing = 5 - len(board)
        possible = np.prod([(left - 4 - k) / (left - k) for k in range(missing)]) if missing else 1.0
        values /= len(full) * possible
        live = np.where(live_combos(board), ranges, 0.0)
        met = np.stack([_met(live[1]), _met(live[0])]) * live_combos(board)
        return FollowedValues(values, met, len(full), untrained / pairs if pairs > 0.0 else 0.0)

    def _board_hands(self, cards: tuple[int, ...]) -> tuple[npt.NDArray[np.int64], BoardHands]:
        """Return the combos alive on a full board, weakest first, and what the kernel knows of them."""
        combos = np.flatnonzero(live_combos(cards))
        seven = np.empty((len(combos), 7), np.int8)
        seven[:, :2] = combo_table()[combos]
        seven[:, 2:] = cards
        rank = evaluate_batch(seven).astype(np.int32)
        order = np.argsort(rank, kind="stable")
        combos = combos[order]
        bucket = np.full((4, len(combos)), -1, np.int32)
        for street, count in ((1, 3), (2, 4), (3, 5)):
            if self.blueprint.cards.counts[street]:
                bucket[street] = self.blueprint.cards.of_board(cards[:count])[combos]
        bucket[0] = self.blueprint.cards.of_board(())[combos]
        return combos, BoardHands(seven[order, :2].copy(), rank[order], bucket)


def followed_tree(blueprint: DenseBlueprint) -> FollowedTree:
    """Return a blueprint as the kernels of `playout` read it."""
    nodes, record = blueprint.tree.nodes, blueprint.tree.records(blueprint.cards.counts)[0]
    return FollowedTree(
        record,
        _all_in_at_once(blueprint, record),
        nodes.action.copy(),
        nodes.won.copy(),
        nodes.pot_chips.copy(),
    )


def _all_in_at_once(blueprint: DenseBlueprint, record: npt.NDArray[np.int64]) -> npt.NDArray[np.uint8]:
    """Return the strategy as it is played at a table: a raise that would leave less than a bet is all in."""
    nodes, strategy = blueprint.tree.nodes, blueprint.rows_of_255ths().copy()
    last = nodes.first + nodes.num_children - 1
    most = nodes.action[np.where(nodes.player >= 0, last, 0)]
    near = np.flatnonzero(
        (nodes.action[1:] > 0)
        & (nodes.action[1:] < most[nodes.parent[1:]])
        & (most[nodes.parent[1:]] - nodes.action[1:] < blueprint.game.least_bet)
    )
    for child in (near + 1).tolist():
        node = int(nodes.parent[child])
        entries = entries_of(record, node, blueprint.cards.counts)
        there = child - int(nodes.first[node])
        strategy[entries[:, -1]] += strategy[entries[:, there]]
        strategy[entries[:, there]] = 0
    return strategy


def _full_boards(board: tuple[int, ...], most: int, seed: int) -> list[tuple[int, ...]]:
    """Return the ways to complete a board: all on the turn and the river, else `most` that are drawn."""
    rest = [card for card in range(_DECK) if card not in board]
    missing = 5 - len(board)
    if missing <= 1:
        return [(*board, *more) for more in combinations(rest, missing)]
    found = []
    for number in range(most):
        key, left = np.uint64(stream_key(seed, number, _BOARDS_STREAM)), list(rest)
        drawn = [left.pop(int(below(key, place, len(left)))) for place in range(missing)]
        found.append((*board, *drawn))
    return found


def _met(weights: Floats) -> Floats:
    """Return the weight that shares no card with each hand: [1326] float64."""
    table = combo_table()
    by_card = np.bincount(table[:, 0], weights, _DECK) + np.bincount(table[:, 1], weights, _DECK)
    found: Floats = weights.sum() - by_card[table[:, 0]] - by_card[table[:, 1]] + weights
    return found


def _room(depth: int, hands: int) -> FollowWork:
    return FollowWork(
        np.zeros(depth, np.int64),
        np.zeros(depth, np.int64),
        np.zeros((depth, MOST_ACTIONS, hands)),
        np.zeros((depth, 2, hands)),
        np.zeros((depth, 2, hands)),
        np.zeros(_DECK),
        np.zeros(hands),
        np.zeros(1),
    )
