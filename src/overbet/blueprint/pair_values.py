"""What every pair of flop hands is worth once the flop's betting is over and both follow a blueprint.

Values at a depth limit must answer for any reach, so they are matrices, hand against hand: the mean over
boards that are drawn, one for each of several turn cards. What the draw does to equity is known and taken off
again: the equity of the same pairs is worked out exactly, over all turns and rivers, once a flop.

    values = PairValues(blueprint)
    values.equity(flop)                     # [1176, 1176] float32, share of a pot that is checked down
    values.at(state, chooser=1, boards=24)  # one such matrix a continuation, shares of the pot
"""

from __future__ import annotations

import hashlib
import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable
from functools import lru_cache
from itertools import combinations

import numpy as np
import numpy.typing as npt

from overbet.blueprint.dense_query import DenseBlueprint
from overbet.blueprint.hand_groups import groups_on, tree_below
from overbet.blueprint.hand_values import CONTINUATIONS, LEAN, followed_tree
from overbet.cards.combos import combo_table, live_combos
from overbet.cards.evaluator import evaluate_batch
from overbet.errors import ConfigError
from overbet.games.holdem_state import HoldemState
from overbet.kernels.playout.pairs import add_groups, group_values, own_chances
from overbet.kernels.rng import below as draw_below
from overbet.kernels.rng import stream_key
from overbet.kernels.vector.equity import add_pair_shares

Floats = npt.NDArray[np.float32]
_DECK = 52
_BOARDS_STREAM = 1  # of (seed, number); hand_values draws by 0
_KEPT = 24  # matrices of a leaf, 22 MB each
_KEPT_FLOPS = 8


class PairValues:
    """Pairs of hands after the flop, by one blueprint of dense tables, heads up; rake is left out."""

    def __init__(self, blueprint: DenseBlueprint) -> None:
        if blueprint.game.num_players != 2:
            raise ConfigError(f"values of hands are for two players, not {blueprint.game.num_players}")
        self.blueprint = blueprint
        self._tree = followed_tree(blueprint)
        self.identity = hashlib.blake2b(self._tree.strategy.tobytes(), digest_size=16).hexdigest()
        self._below = lru_cache(128)(lambda node: tree_below(self._tree, node))
        self._groups = lru_cache(512)(lambda cards: groups_on(blueprint, cards, 3))
        self._leaves: OrderedDict[Hashable, Floats] = OrderedDict()
        self._flops: OrderedDict[Hashable, Floats] = OrderedDict()
        self._lock = threading.Lock()

    def at(self, state: HoldemState, chooser: int, boards: int) -> Floats | None:
        """Return the values, as in `after`, at the first decision on the turn of any heads-up hand.

        Its bets are followed in the blueprint's game, by the same random numbers in every hand. None where
        the blueprint has no decision that stands for the state.
        """
        followed = self.blueprint.followed(state)
        if followed.fault:
            return None
        return self.after(followed.state, state.board[:3], chooser, boards)

    def after(
        self, inner: HoldemState, flop: tuple[int, ...], chooser: int, boards: int = 24, seed: int = 0
    ) -> Floats:
        """Return the values of all pairs when the turn is dealt: [4, H, H] float32.

        inner: a state of the blueprint's own game at its first decision on the turn, its cards do not matter.
        First axis: how `chooser` goes on, `CONTINUATIONS`; the other player follows the blueprint as it is.
        Rows are the chooser's hands, columns the other's: all that the flop leaves, in the order of combos.
        Entries are player 0's share of the pot as it is then, later bets included: from below 0 to above 1.
        Pairs that share a card are worth 0.
        """
        node = self.blueprint.tree.after(inner)
        key = (node, flop, chooser, boards, seed)
        return self._once(self._leaves, _KEPT, key, lambda: self._worked_out(inner, node, *key[1:]))

    def equity(self, flop: tuple[int, ...]) -> Floats:
        """Return each pair's share of a pot that is checked down, exactly: [H, H] float32, 0 where they
        share a card."""
        return self._once(self._flops, _KEPT_FLOPS, flop, lambda: _exact_equity(flop))

    def _once(
        self, kept: OrderedDict[Hashable, Floats], most: int, key: Hashable, make: Callable[[], Floats]
    ) -> Floats:
        with self._lock:
            if key in kept:
                kept.move_to_end(key)
                return kept[key]
        found = make()  # two threads may both make it: they make the same
        with self._lock:
            kept[key] = found
            while len(kept) > most:
                kept.popitem(last=False)
        return found

    def _worked_out(
        self, inner: HoldemState, node: int, flop: tuple[int, ...], chooser: int, boards: int, seed: int
    ) -> Floats:
        below, cards = self._below(node), drawn_boards(flop, boards, seed)
        hands = int(live_combos(flop).sum())
        found = np.zeros((len(CONTINUATIONS), hands, hands), np.float32)
        pot, put = float(inner.pot), float(inner.put_in[0])
        for board in cards:
            groups = self._groups(board)
            count = len(groups.rank)
            chances = np.empty((below.size, count), np.float32)
            table = np.empty((count, count + 1), np.float32)
            own_chances(self._tree, below, groups.bucket, 1 - chooser, CONTINUATIONS[0], LEAN, chances)
            other = chances[below.ends]
            for number, lean in enumerate(CONTINUATIONS):
                own_chances(self._tree, below, groups.bucket, chooser, lean, LEAN, chances)
                group_values(below, chances[below.ends], other, groups.rank, chooser, table)
                add_groups(table, groups.group, found[number])
        lived, shared = self._on_drawn(flop, boards, seed)
        exact = self.equity(flop)
        rows, columns = (exact, shared) if chooser == 0 else (exact.T, shared.T)
        with np.errstate(invalid="ignore", divide="ignore"):
            for each in found:
                each /= lived  # the number of boards that leave a pair is the same both ways round
                each += put
                each /= pot
                each += rows - columns
                each[~(lived > 0)] = 0.0
        met = exact_pairs(flop)
        found *= met
        return found

    def _on_drawn(self, flop: tuple[int, ...], boards: int, seed: int) -> tuple[Floats, Floats]:
        """Return how many of the drawn boards leave each pair, and their mean equity there: [H, H] each."""
        hands = int(live_combos(flop).sum())

        def make(kind: int) -> Floats:
            found = np.zeros((hands, hands), np.float32)
            for board in drawn_boards(flop, boards, seed):
                groups = self._groups(board)
                mine, other = groups.rank[:, None], groups.rank[None, :]
                share = (
                    np.ones((len(groups.rank),) * 2) if kind == 0 else (mine > other) + (mine == other) / 2
                )
                table = np.pad(share, ((0, 0), (0, 1))).astype(np.float32)
                add_groups(table, groups.group, found)
            return found

        key = (flop, boards, seed)
        lived = self._once(self._flops, 3 * _KEPT_FLOPS, (*key, "lived"), lambda: make(0))

        def mean() -> Floats:
            with np.errstate(invalid="ignore"):
                return make(1) / lived

        return lived, self._once(self._flops, 3 * _KEPT_FLOPS, (*key, "shared"), mean)


def drawn_boards(flop: tuple[int, ...], count: int, seed: int) -> list[tuple[int, ...]]:
    """Return `count` full boards after a flop: turn cards in an order that is drawn, each with a river."""
    rest = [card for card in range(_DECK) if card not in flop]
    key, left, turns = np.uint64(stream_key(seed, 0, _BOARDS_STREAM)), list(rest), list[int]()
    while left:
        turns.append(left.pop(int(draw_below(key, len(turns), len(left)))))
    found = []
    for number in range(count):
        turn = turns[number % len(turns)]
        rivers = [card for card in rest if card != turn]
        key = np.uint64(stream_key(seed, number + 1, _BOARDS_STREAM))
        found.append((*flop, turn, rivers[int(draw_below(key, 0, len(rivers)))]))
    return found


@lru_cache(_KEPT_FLOPS)
def exact_pairs(flop: tuple[int, ...]) -> Floats:
    """Return which pairs of the hands that a flop leaves share no card: [H, H] float32, 0 or 1."""
    cards = combo_table()[np.flatnonzero(live_combos(flop))]
    held = np.zeros((len(cards), _DECK), np.float32)
    held[np.arange(len(cards))[:, None], cards] = 1.0
    found: Floats = (held @ held.T == 0).astype(np.float32)
    return found


def _exact_equity(flop: tuple[int, ...]) -> Floats:
    rest = [card for card in range(_DECK) if card not in flop]
    cards = combo_table()[np.flatnonzero(live_combos(flop))].astype(np.int8)
    runs = np.array([(*flop, *more) for more in combinations(rest, 2)], np.int8)
    strength = np.full((len(runs), len(cards)), -1, np.int16)
    seven = np.empty((len(cards), 7), np.int8)
    seven[:, :2] = cards
    for row, run in zip(strength, runs):
        seven[:, 2:] = run
        live = ~(cards[:, :, None] == run[None, None, 3:]).any((1, 2))
        row[live] = evaluate_batch(np.ascontiguousarray(seven[live]))
    found = np.zeros((len(cards), len(cards)), np.float32)
    add_pair_shares(strength, strength, found)
    left = len(rest) - 4
    found *= exact_pairs(flop) / np.float32(left * (left - 1) / 2)
    return found
