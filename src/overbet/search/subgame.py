"""The subgame of a street as a tree with two ranges, with the real bets of the street in it."""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from overbet.cards.cards import cards_name
from overbet.cards.combos import COMBOS
from overbet.cards.range import Range
from overbet.search.settings import SearchSettings
from overbet.search.street_start import StreetStart
from overbet.tree.betting import DepthLimit, build_tree
from overbet.tree.boards import board_swaps, swapped_combos
from overbet.tree.public import PublicTree, public_tree
from overbet.tree.spot import IP, OOP, RakeConfig, RangesConfig, Spot

Floats = npt.NDArray[np.float64]
_FLOOR = 1e-6  # weight of hands that nobody believes in: they have a strategy, too, should one be held
_ALIKE = 1e-3  # hands that a swap of suits makes equal may differ by this much


class SubgameTree(NamedTuple):
    """A subgame. ranges: [2, 1326] float64, the root weights of OOP and IP, floor included."""

    tree: PublicTree
    ranges: Floats


def subgame_tree(
    start: StreetStart,
    ranges: Floats,
    played: tuple[int, ...],
    settings: SearchSettings,
    limit: DepthLimit | None = None,
    beside: tuple[int, ...] = (),
) -> SubgameTree:
    """Return the subgame that begins with a street. ranges: [2, 1326] float64, played: as in `edges_on`.

    beside: bets after what was played that are in the tree too. limit: where it ends before the river.
    Values there come from boards that are drawn and tell suits apart.
    """
    floored, equal = root_ranges(ranges, start.board)
    spot = spot_of(start, settings, isomorphism=equal and limit is None)
    betting = build_tree(spot, limit, played, beside)
    ordered, threads = not settings.on(start.street).drawn, settings.worker_count()
    tree = public_tree(spot, betting=betting, orders=ordered, threads=threads)
    weights = [floored[player][tree.hands[player].combos] for player in (OOP, IP)]
    return SubgameTree(tree.with_weights((weights[OOP], weights[IP])), floored)


def root_ranges(ranges: Floats, board: tuple[int, ...]) -> tuple[Floats, bool]:
    """Return the ranges with which a subgame begins, and whether suits may be taken for equal in it."""
    even, equal = with_equal_suits(ranges, board)
    return np.maximum(even, _FLOOR), equal


def with_equal_suits(ranges: Floats, board: tuple[int, ...]) -> tuple[Floats, bool]:
    """Return ranges in which hands weigh the same that a swap of suits which keeps the board makes equal.

    Where they differ by more than rounding, the ranges come back as they are, and False.
    """
    swaps = board_swaps(board)
    if not swaps:
        return ranges, True
    orbit = np.arange(COMBOS)
    for _ in swaps:  # as many rounds as swaps reach every hand of an orbit
        for swap in swaps:
            orbit = np.minimum(orbit, orbit[swapped_combos(swap)])
    count = np.bincount(orbit, minlength=COMBOS)
    even = np.stack([(np.bincount(orbit, row, COMBOS) / np.maximum(count, 1))[orbit] for row in ranges])
    if np.abs(even - ranges).max() > _ALIKE:
        return ranges, False
    return even, True


def spot_of(start: StreetStart, settings: SearchSettings, *, isomorphism: bool = True) -> Spot:
    """Return the spot of a street, with both ranges whole."""
    game = start.game
    return Spot(
        board=cards_name(start.board),
        pot=start.pot,
        stacks=start.stack,
        ranges=_full_ranges(),
        bets=settings.on(start.street).bets,
        thresholds=settings.thresholds,
        rake=RakeConfig(share=game.rake, cap=game.rake_cap or 0),
        min_bet=game.least_bet,
        big_blind=game.big_blind,
        isomorphism=isomorphism,
    )


@lru_cache(1)
def _full_ranges() -> RangesConfig:
    whole = str(Range.full())
    return RangesConfig(oop=whole, ip=whole)
