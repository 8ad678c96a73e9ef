"""The leaves of a depth limit on a GPU: reaches come to the host, values go back, once an update.

What follows a leaf is worked out on the host (`subgame.Leaves`), whoever asks: a model, a table of payoffs,
another solve. Only the reaches of both players at the leaves and the leaves' values travel.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from overbet.cuda.device import zeros
from overbet.errors import ConfigError
from overbet.solvers.vector.gpu.layout import GpuPlan
from overbet.solvers.vector.layout import chance_scale
from overbet.solvers.vector.subgame import LeafBatch, Leaves, compatible, leaf_places
from overbet.tree.boards import live_on
from overbet.tree.public import PublicTree
from overbet.tree.spot import IP, OOP

Floats = npt.NDArray[np.float32]


class CutEnds:
    """What the leaves of a cut tree are worth to the player that is updated. plans: on the host."""

    def __init__(self, tree: PublicTree, leaves: Leaves, plans: Sequence[GpuPlan]) -> None:
        self.tree, self.leaves, self.places = tree, leaves, leaf_places(tree)
        self.last = tree.betting.last_street
        boards, count = tree.board_count(self.last), len(self.places.above)
        seats = [plans[1 - player].seat for player in (OOP, IP)]
        self._shapes = [(boards, count, int(seat.stride[self.last])) for seat in seats]
        self._starts = [int(seat.opened_base[self.last + 1]) for seat in seats]
        self._live = [live_on(tree.boards[-1], hands)[:, None, :] for hands in tree.hands]
        self.given = zeros(max(int(np.prod(shape)) for shape in self._shapes), np.float32)

    def ask(self, player: int, opened: Sequence[Any]) -> None:
        """Ask what all leaves are worth to a player and put it on the device, in the engine's units: `given`,
        [boards, leaves, stride]. opened: each player's reaches where lines begin, on the device."""
        own, opp = (self._reach(p, opened[p]) for p in (player, 1 - player))
        places = self.places
        batch = LeafBatch(player, self.tree.boards[-1].cards, places.put, places.continuation, opp, own)
        given = np.asarray(self.leaves.values(batch))
        if given.shape != own.shape or not np.isfinite(given).all():
            raise ConfigError(
                f"the leaves' values must be finite numbers of shape {own.shape}: [boards, leaves, hands]"
            )
        even = compatible(self.tree, player, opp) * (self.tree.spot.pot / 2)
        values = np.zeros(self._shapes[player], np.float32)
        values[:, :, : own.shape[2]] = (given - even) * chance_scale(self.tree.spot, self.last)
        self.given[: values.size].copy_to_device(values.ravel())

    def _reach(self, player: int, opened: Any) -> Floats:
        """Return a player's reach at all leaves: [boards, leaves, H] float32."""
        shape, start = self._shapes[player], self._starts[player]
        found: Floats = opened[start : start + int(np.prod(shape))].copy_to_host().reshape(shape)
        return found[:, :, : self.tree.hands[player].size] * self._live[player]
