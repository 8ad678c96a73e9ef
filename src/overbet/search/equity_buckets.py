"""Buckets by equity: the hands of a range in order of what they win against the other range."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import numpy.typing as npt

from overbet.errors import ConfigError
from overbet.solvers.vector.subgame import BucketMaps
from overbet.tree.boards import live_on
from overbet.tree.public import PublicTree
from overbet.tree.spot import IP, OOP

Doubles = npt.NDArray[np.float64]
TURN, RIVER = 1, 2
_DIGITS = 9  # hands that mirror each other differ by rounding only, and must share a bucket


def equity_buckets(tree: PublicTree, counts: Mapping[int, int]) -> BucketMaps:
    """Return so many buckets on the turn and the river (streets 1 and 2), equally full over all boards.

    On the turn a hand's equity is the mean over all rivers.
    """
    maps = {}
    shares = [_river_shares(tree, player) for player in (OOP, IP)]
    for street, count in counts.items():
        if count < 1 or street not in (TURN, RIVER) or not tree.board_count(street):
            raise ConfigError(f"{count} buckets on street {street}: give at least one, for street 1 or 2")
        pair = []
        for player in (OOP, IP):
            won, met = shares[player] if street == RIVER else _turn_shares(tree, player, *shares[player])
            equity = np.round(won / np.maximum(met, 1e-30), _DIGITS)
            edges = np.quantile(equity[met > 0], np.arange(1, count) / count)
            pair.append(np.searchsorted(edges, equity, side="right"))
        maps[street] = (pair[OOP], pair[IP])
    return BucketMaps(maps)


def _river_shares(tree: PublicTree, player: int) -> tuple[Doubles, Doubles]:
    """Return the weight of the other range that each hand beats (ties half) and meets: [R, H] each."""
    own, other = tree.hands[player], tree.hands[1 - player]
    rivers = tree.boards[-1]
    apart = ~(own.cards[:, None, :, None] == other.cards[None, :, None, :]).any((2, 3))
    live = [live_on(rivers, hands) for hands in (own, other)]
    ranks = [_strengths(tree, seat) for seat in (player, 1 - player)]
    won, met = np.zeros((2, rivers.size, own.size))
    for board in range(rivers.size):
        pairs = apart * live[0][board][:, None] * (live[1][board] * other.weights)[None, :]
        ahead = np.sign(ranks[0][board][:, None] - ranks[1][board][None, :])
        won[board], met[board] = (pairs * (1 + ahead) / 2).sum(1), pairs.sum(1)
    return won, met


def _turn_shares(tree: PublicTree, player: int, won: Doubles, met: Doubles) -> tuple[Doubles, Doubles]:
    """Return the same on the turn, all rivers together, mirror boards included: [T, H] each."""
    rivers, swapped = tree.boards[-1], tree.hands[player].swapped
    found = np.zeros((2, tree.board_count(TURN), won.shape[1]))
    for board, turn in enumerate(rivers.parent):
        for swap in rivers.mirrors[rivers.mirror_start[board] : rivers.mirror_start[board + 1]]:
            image = swapped[swap]
            found[0, turn] += won[board][image]
            found[1, turn] += met[board][image]
    return found[0], found[1]


def _strengths(tree: PublicTree, player: int) -> npt.NDArray[np.int64]:
    """Return each hand's strength on each river, anything where it is dead: [R, H] int64."""
    shown = tree.showdowns[player]
    place = np.maximum(shown.place, 0).astype(np.int64)
    return np.take_along_axis(shown.strength, place, 1).astype(np.int64)
