"""The flop searched to its end: what follows is played by continuations of the blueprint (way b).

At each end of the flop's betting the opponent of the one who searches chooses, hand by hand, how it goes on:
by the blueprint as it is, or leaning to fold, to call or to raise; the searcher goes on by the blueprint
(Brown, Sandholm & Amos 2018). One fixed continuation would be exploitable. Values are matrices, hand against
hand, so that they hold for any reach; the cut game is a game of its own, and the judge can judge it.

A line of the real hand is followed in the blueprint's game (the same numbers decide between two sizes in
every hand, so that the same question has the same answer), and values there count as shares of the pot. A
line that cannot be followed is checked down, and so is what follows an all-in.
"""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import NamedTuple, Protocol

import numpy as np
import numpy.typing as npt

from overbet.games.holdem_state import HoldemState
from overbet.kernels.playout.pairs import columns_against, rows_against
from overbet.search.street_start import real_action
from overbet.solvers.vector.subgame import LeafBatch, compatible, leaf_places
from overbet.tree.public import PublicTree
from overbet.tree.spot import OOP

Floats = npt.NDArray[np.float32]
Doubles = npt.NDArray[np.float64]
MOST_CONTINUATIONS = 4


class Future(Protocol):
    """What pairs of hands are worth after the flop when a strategy is followed: `blueprint.PairValues`.

    identity: of the strategy, by which answers are kept. Matrices are [H, H] float32 over the hands that the
    flop leaves, in the order of combos; entries are player 0's share of the pot.
    """

    identity: str

    def equity(self, flop: tuple[int, ...]) -> Floats:
        """Return each pair's share of a pot that is checked down."""

    def at(self, state: HoldemState, chooser: int, boards: int) -> Floats | None:
        """Return the values at the first decision of a turn: [4, H, H], rows the chooser's hands; None where
        the strategy has nothing that stands for the state."""


class ClassFuture(Protocol):
    """What classes of hands are worth when the flop is dealt: `blueprint.ClassValues`."""

    @property
    def identity(self) -> str:
        """Of the strategy, by which values are kept."""

    def stands_for(self, state: HoldemState) -> HoldemState | None:
        """Return the strategy's own hand for a real one at its first decision on the flop."""

    def known(self, inner: HoldemState, chooser: int, boards: int) -> Floats | None:
        """Return what `after` does where it need not be worked out."""

    def after(self, inner: HoldemState, chooser: int, boards: int) -> Floats:
        """Return [4, 169, 169]: player 0's share of the pot, by continuation of the chooser."""


class Limit(NamedTuple):
    """A depth limit. chooser: who chooses how the hand goes on; begun: the hand when the flop had been dealt,
    with a turn card that does not matter; moves: its line without cards.
    """

    chooser: int
    begun: HoldemState
    moves: str
    future: Future


class LimitLeaves:
    """The values of all leaves of a tree that is cut after the flop."""

    linear = True

    def __init__(self, tree: PublicTree, limit: Limit, boards: int, threads: int = 1) -> None:
        self.tree, self.threads = tree, threads
        self._pool = ThreadPoolExecutor(threads) if threads > 1 else None
        places, flop = leaf_places(tree), tuple(int(card) for card in tree.boards[0].cards[0])
        stack = tree.spot.effective_stack
        self.pot = tree.spot.pot + places.put.sum(1).astype(np.float64)
        future, chooser = limit.future, limit.chooser

        def made(path: tuple[int, ...]) -> Floats | None:
            return future.at(_after(limit.begun, path, stack), chooser, boards)

        future.equity(flop)  # once, and not by every thread
        ends = [put.max() < stack for put in places.put]
        paths = sorted({path for path, open_ in zip(places.path, ends) if open_})
        known = dict(zip(paths, self._each(made, paths)))
        self.tables = list[Floats]()  # of each leaf: rows are the chooser's hands
        even = future.equity(flop) if chooser == OOP else np.ascontiguousarray(future.equity(flop).T)
        for path, number in zip(places.path, places.continuation):
            table = known.get(path)
            self.tables.append(even if table is None else table[number])
        self.chooser = chooser

    def values(self, batch: LeafBatch) -> Doubles:
        """Return counterfactual values [1, L, H]."""
        opp = np.ascontiguousarray(batch.opp[0], np.float32)
        found = np.zeros((len(self.tables), self.tree.hands[batch.player].size), np.float32)
        against = rows_against if batch.player == self.chooser else columns_against

        def some(first: int) -> None:
            for leaf in range(first, len(found), self.threads):
                if opp[leaf].any():
                    against(self.tables[leaf], opp[leaf], found[leaf])

        self._each(some, range(self.threads))
        met = compatible(self.tree, batch.player, opp)
        share = found.astype(np.float64)
        if batch.player != OOP:
            share = met - share
        put = batch.put[:, batch.player].astype(np.float64)
        values: Doubles = (self.pot[:, None] * share - put[:, None] * met)[None]
        return values

    def _each(self, work, items: Sequence) -> list:  # type: ignore[no-untyped-def, type-arg]
        return list(self._pool.map(work, items)) if self._pool else [work(item) for item in items]


def with_later_cards(state: HoldemState) -> HoldemState:
    """Return a hand on the flop whose turn and river are fixed and do not matter: it can be played on."""
    rest = [card for card in range(52) if card not in state.board][: 5 - len(state.board)]
    return state.with_cards(None, (*state.board, *rest))


def _after(begun: HoldemState, path: tuple[int, ...], stack: int) -> HoldemState:
    """Return the hand after some actions of the flop, given as edges of the tree."""
    now = begun
    for edge in path:
        now = now.apply(real_action(now, edge, stack))
    return now
