"""The gadget at the root of an engine on a GPU: its tables there, and what a look makes of it."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from overbet.cuda.arrays import Clock, PlayerArrays
from overbet.cuda.device import SIMULATED, Launcher, upload
from overbet.cuda.gadget import GpuGadgetTables, choose
from overbet.kernels.vector.bundles import RIVER
from overbet.solvers.vector.gadget import RootChoice
from overbet.solvers.vector.subgame import Gadget
from overbet.tree.boards import orbits_on
from overbet.tree.public import PublicTree

Doubles = npt.NDArray[np.float64]
_WIDTH = 4 if SIMULATED else 128


class GpuChoice:
    """A `RootChoice` whose tables are on the device. known: the host's, filled when asked for."""

    def __init__(self, tree: PublicTree, gadget: Gadget) -> None:
        self.known, self.player = RootChoice(tree, gadget), gadget.player
        self.hands, self.weights = tree.hands[self.player].size, [h.weights for h in tree.hands]
        given = self.known.choice
        self.choice = GpuGadgetTables(
            upload(given.regret.ravel()),
            upload(given.play.ravel()),
            upload(given.average.ravel()),
            upload(np.full(self.hands, 0.5)),
            upload(given.weight),
            upload(given.alternative),
            upload(self._sources(tree)),
        )

    def launch(self, launcher: Launcher, seat: PlayerArrays, up: Any, clock: Clock, learns: int) -> None:
        """Queue the choice; learns: 1 after an update of the player, 0 where nothing was played yet."""
        blocks = -(-self.hands // _WIDTH)
        launcher(choose, ((blocks,), _WIDTH, 0), self.choice, seat, up, clock, learns)

    def fetched(self) -> RootChoice:
        """Return the choice with its tables as they are now."""
        for name in ("regret", "play", "average"):
            table: Doubles = getattr(self.known.choice, name)
            table[:] = getattr(self.choice, name).copy_to_host().reshape(table.shape)
        return self.known

    def entering(self) -> npt.NDArray[np.float32]:
        """Return the reach with which hands enter by the average: [H] float32."""
        return (self.weights[self.player] * self.fetched().entering()).astype(np.float32)

    def worth(self, player: int, root: Doubles, follow: bool) -> float:
        """Return a player's summed value from its hands' values of the subgame, [H] float64.

        The gadget's player chooses; the other gets the opposite of what is left with. All in the engine's
        units, in which both players' values sum to zero.
        """
        weights = self.weights[player].astype(np.float64)
        share, alternative = self.known.entering(), self.known.choice.alternative
        if player != self.player:
            left = self.known.choice.weight * (1 - share)
            return float(weights @ root - left @ alternative)
        mixed = share * root + (1 - share) * alternative
        return float(weights @ (mixed if follow else np.maximum(root, alternative)))

    def _sources(self, tree: PublicTree) -> npt.NDArray[np.int32]:
        found: npt.NDArray[np.int32] = orbits_on(tree.boards[0], tree.hands[self.player])[0].astype(np.int32)
        if tree.spot.first_street == RIVER:
            found = tree.showdowns[self.player].place[0][found].astype(np.int32)
        return found
