"""What the opponent is promised when a subgame is searched again, and the gadget that keeps the promise.

- `unsafe`: nothing is promised: the subgame is solved against what is believed.
- `resolve`: each hand may take what it could get before instead of entering (Burch et al. 2014).
- `maxmargin`: what each hand gets less than before is made as large as it can be (Moravcik et al. 2016).
- `reach`: maxmargin, with what the opponent gave away on its way promised back (Brown & Sandholm 2017).
- `reach-estimates`: reach, from what the new strategy is expected to give instead of what the old one gave.
"""

from __future__ import annotations

from typing import Literal, NamedTuple

import numpy as np
import numpy.typing as npt

from overbet.solvers.vector.subgame import Gadget, MaxMargin, Root, compatible
from overbet.tree.boards import orbits_on
from overbet.tree.public import PublicTree
from overbet.tree.spot import IP, OOP

Floats = npt.NDArray[np.float64]
GadgetName = Literal["unsafe", "resolve", "maxmargin", "reach", "reach-estimates"]


class Promise(NamedTuple):
    """What each hand of `player`, the opponent of the one who searches, could get before the search.

    values: [1326] float64, chips from the beginning of the subgame on. gifts: [1326] float64, chips that each
    hand gave away on its way by actions that were not its best.
    """

    player: int
    values: Floats
    gifts: Floats


def gadget_root(tree: PublicTree, safe: Promise, name: GadgetName) -> Root:
    """Return how the subgame begins under a gadget. tree: with the beliefs as root weights.

    The opponent's hands all weigh the same: a gadget holds hand by hand, whatever is believed of them.
    """
    player, other = safe.player, 1 - safe.player
    promised = safe.values + safe.gifts if name in ("reach", "reach-estimates") else safe.values
    met = compatible(tree, player, tree.hands[other].weights)
    hands = tree.hands[player]
    alternatives = promised[hands.combos] * met
    # values that were sampled differ a little between hands that are alike here: all are promised their mean
    orbit = orbits_on(tree.boards[0], hands)[0]
    alternatives = (np.bincount(orbit, alternatives) / np.maximum(np.bincount(orbit), 1))[orbit]
    even = np.ones(tree.hands[player].size)
    weights = [even if each == player else hands.weights for each, hands in enumerate(tree.hands)]
    kind = Gadget if name == "resolve" else MaxMargin
    return Root((weights[OOP], weights[IP]), kind(player, alternatives))
