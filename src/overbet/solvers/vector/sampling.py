"""Solving with some boards an iteration: which are drawn, and buckets that are asked for board by board."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from overbet.cards.combos import COMBOS
from overbet.errors import ConfigError
from overbet.kernels.vector.draws import Draws, draw_boards
from overbet.solvers.vector.subgame import BucketMaps
from overbet.tree.public import PublicTree
from overbet.tree.spot import IP, OOP

TURN, RIVER = 1, 2
Ints = npt.NDArray[np.int32]


class BoardSampling(NamedTuple):
    """In every iteration some boards of the later streets are played: so many turn cards, and so many river
    cards on each of them; of a spot that begins on the turn, so many river cards.

    Values are the mean over the drawn boards, which has the mean over all boards as its expectation. What is
    drawn is a function of the seed and the iteration. Hands must share rows on the later streets.
    """

    turns: int = 4
    rivers: int = 1
    seed: int = 0


class BoardBuckets(NamedTuple):
    """Hands that share their rows, asked for board by board.

    of_board: from the cards of a board, a tuple of int, to the bucket of each of the 1,326 combos, [1326] int
    (-1 or anything for combos that the board kills). counts: by street (0 flop, 1 turn, 2 river), how many
    buckets there are; hands share no rows on a street that is left out.
    """

    of_board: Callable[[tuple[int, ...]], npt.NDArray[np.integer]]
    counts: Mapping[int, int]

    def of_hands(self, tree: PublicTree, street: int, board: int) -> tuple[Ints, Ints]:
        """Return the buckets of both players' hands on one board: [H] int32 each, 0 for dead ones."""
        boards = tree.street_boards(street)
        assert boards is not None
        cards = boards.cards[board]
        given = np.asarray(self.of_board(tuple(int(card) for card in cards)))
        found = []
        for hands in tree.hands:
            dead = (hands.cards[:, :, None] == cards).any((1, 2))
            buckets = given[hands.combos] if given.shape == (COMBOS,) else np.full(hands.size, -1)
            buckets = np.where(dead, 0, buckets)
            if buckets.min() < 0 or buckets.max() >= self.counts[street]:
                raise ConfigError(
                    f"the buckets of a board must be {COMBOS} numbers from 0, below {self.counts[street]} "
                    f"on street {street}"
                )
            found.append(buckets.astype(np.int32))
        return found[OOP], found[IP]

    def maps(self, tree: PublicTree) -> BucketMaps:
        """Return the buckets of all boards."""
        maps = {}
        for street in self.counts:
            boards = range(tree.board_count(street))
            pairs = [self.of_hands(tree, street, board) for board in boards]
            if pairs:
                maps[street] = (np.stack([pair[0] for pair in pairs]), np.stack([pair[1] for pair in pairs]))
        return BucketMaps(maps)


def drawn(tree: PublicTree, sampling: BoardSampling, iteration: int, count: int) -> Draws:
    """Return the boards of `count` iterations from `iteration` on (the first is 1)."""
    turn, river = tree.street_boards(TURN), tree.street_boards(RIVER)
    assert river is not None
    whole = turn is not None and turn is not tree.boards[0]
    turns = min(sampling.turns, len(turn.mirrors)) if turn is not None and whole else 1
    children = river.child_start
    least = int(np.diff(river.mirror_start[children]).min())
    rivers = min(sampling.rivers, least)
    draws = Draws(
        np.zeros((count, turns), np.int32),
        np.zeros((count, turns)),
        np.zeros((count, turns, rivers), np.int32),
        np.zeros((count, turns, rivers)),
    )
    starts = turn.mirror_start if turn is not None and whole else np.zeros(1, np.int32)
    draw_boards(sampling.seed, iteration, starts, children, river.mirror_start, draws)
    return draws
