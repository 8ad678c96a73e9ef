"""The public tree of a postflop spot: betting, both ranges, the boards of every street, the river orders."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from overbet.errors import RangeError
from overbet.tree.betting import BettingTree, DepthLimit, build_tree
from overbet.tree.boards import (
    Boards,
    RangeHands,
    Showdowns,
    boards_of,
    hands_of,
    live_count,
    no_showdowns,
    showdowns_of,
)
from overbet.tree.spot import STREETS, Spot


class PublicTree(NamedTuple):
    """A spot with everything the engines share: betting tree, hands, boards per street, river orders.

    boards: one entry a street from the first; `street_boards(s)` by street number.
    """

    spot: Spot
    betting: BettingTree
    hands: tuple[RangeHands, RangeHands]
    boards: list[Boards]
    showdowns: tuple[Showdowns, Showdowns]

    def street_boards(self, street: int) -> Boards | None:
        """Return the boards of street 0 (flop) to 2 (river), None where the tree has none."""
        index = street - self.spot.first_street
        return self.boards[index] if 0 <= index < len(self.boards) else None

    def board_count(self, street: int) -> int:
        """Return the number of boards kept on a street, 0 before the spot begins and past a depth limit."""
        boards = self.street_boards(street)
        return boards.size if boards else 0

    @property
    def is_cut(self) -> bool:
        """Whether the tree ends at a depth limit before the river."""
        return self.betting.last_street < len(STREETS) - 1

    @property
    def is_ordered(self) -> bool:
        """Whether the order of hands is there for every river board (there is none before a depth limit)."""
        return self.is_cut or self.showdowns[0].hand.shape == (self.boards[-1].size, self.hands[0].size)

    def with_weights(self, weights: tuple[npt.ArrayLike, npt.ArrayLike]) -> PublicTree:
        """Return the tree with other root ranges over the same hands.

        weights: of OOP's and of IP's hands, [H] each, not negative; 0 is a hand that is never held. Where
        boards stand for mirror boards the ranges must treat the suits alike that are swapped.
        """
        found = []
        swaps = {int(k) for boards in self.boards for k in boards.mirrors} - {0}
        for hands, name, given in zip(self.hands, ("OOP", "IP"), weights):
            array = np.asarray(given, np.float32)
            if (
                array.shape != (hands.size,)
                or not (np.isfinite(array) & (array >= 0)).all()
                or not array.any()
            ):
                raise RangeError(
                    f"the weights of {name} must be {hands.size} numbers, none negative and not all 0"
                )
            if any(not np.array_equal(array[hands.swapped[swap]], array) for swap in swaps):
                raise RangeError(
                    f"the weights of {name} tell suits apart that this tree takes for equal; "
                    "build the tree with isomorphism: false"
                )
            found.append(hands._replace(weights=array))
        return self._replace(hands=(found[0], found[1]))


def public_tree(
    spot: Spot,
    limit: DepthLimit | None = None,
    betting: BettingTree | None = None,
    *,
    orders: bool = True,
    threads: int = 1,
) -> PublicTree:
    """Build the public tree of a spot, whole or down to a depth limit.

    betting: the betting tree of this spot and limit, where it was built already. orders: whether hands are
    ranked on all river boards; an engine that draws boards ranks them on those it plays, and nobody judges.
    threads: that rank hands.
    """
    hands, betting = hands_of(spot), betting or build_tree(spot, limit)
    boards = boards_of(spot, hands, betting.last_street)
    whole = betting.last_street == len(STREETS) - 1
    if not whole:
        showdowns = (no_showdowns(), no_showdowns())
    elif orders or boards[-1].size == 1:
        showdowns = showdowns_of(boards[-1], hands, threads)
    else:
        alive = [live_count(boards[-1], hand) for hand in hands]
        showdowns = (no_showdowns(alive[0]), no_showdowns(alive[1]))
    return PublicTree(spot, betting, hands, boards, showdowns)
