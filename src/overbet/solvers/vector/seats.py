"""Both players' hands as the kernels read them, and the order of hands on every river board.

A tree without orders (`public_tree(spot, orders=False)`) has them made here for the boards that are played.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from overbet.kernels.vector.bundles import RIVER, TURN, PlayerHands
from overbet.solvers.vector.layout import Layout
from overbet.tree.boards import live_on, showdowns_of
from overbet.tree.public import PublicTree
from overbet.tree.spot import IP, OOP


class Seats:
    """players: one `PlayerHands` each. The orders of a river board are there once it has been asked for."""

    def __init__(self, tree: PublicTree, layout: Layout) -> None:
        self.tree = tree
        self._known = np.full(tree.board_count(RIVER), tree.is_ordered)
        self.players = [self._player(layout, player) for player in (OOP, IP)]

    def order(self, boards: npt.NDArray[np.integer]) -> None:
        """Make the orders of hands on some river boards, where they are not there yet."""
        missing = np.unique(boards[~self._known[boards]])
        if not missing.size:
            return
        rivers = self.tree.street_boards(RIVER)
        assert rivers is not None
        found = showdowns_of(rivers._replace(cards=rivers.cards[missing]), self.tree.hands)
        for seat, shown in zip(self.players, found):
            seat.hand[missing, : seat.size] = shown.hand
            seat.strength[missing] = shown.strength
            seat.river_cards[missing] = shown.cards
            seat.river_same[missing] = shown.same
        self._known[missing] = True

    def _player(self, layout: Layout, player: int) -> PlayerHands:
        tree, hands, shown = self.tree, self.tree.hands[player], self.tree.showdowns[player]
        side = layout.passes[player].own
        wide, turns = int(side.stride[TURN]), tree.street_boards(TURN)
        if tree.is_ordered:
            hand = np.pad(shown.hand, ((0, 0), (0, wide - hands.size))).astype(np.uint16)
            strength, cards, same = shown.strength, shown.cards, shown.same
        else:  # memory that is not touched is not taken
            shape = (tree.board_count(RIVER), hands.size)
            hand, cards = np.zeros((shape[0], wide), np.uint16), np.zeros((*shape, 2), np.uint8)
            strength, same = np.zeros(shape, np.int16), np.zeros(shape, np.int16)
        return PlayerHands(
            hands.size, hands.cards, hands.same,
            live_on(turns, hands) if turns else np.ones((1, hands.size), np.float32),
            shown.alive, hand, strength, cards, same, side.flop_orbit, side.turn_orbit,
            side.base, side.rows, side.stride, side.river_start, side.river_row,
            hands.swapped.astype(np.uint16),
        )  # fmt: skip
