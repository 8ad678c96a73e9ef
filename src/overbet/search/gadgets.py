"""What the opponent is promised when a subgame is searched again, and the gadget that keeps the promise."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from overbet.errors import ConfigError, unknown
from overbet.solvers.vector.subgame import Gadget, Root, compatible
from overbet.tree.public import PublicTree
from overbet.tree.spot import IP, OOP

Floats = npt.NDArray[np.float64]


class Promise(NamedTuple):
    """What each hand of `player`, the opponent of the one who searches, could get before the search.

    values: [1326] float64, chips from the beginning of the subgame on.
    """

    player: int
    values: Floats


def gadget_root(tree: PublicTree, safe: Promise, name: str) -> Root:
    """Return how the subgame begins under a gadget. tree: with the beliefs as root weights.

    The opponent's hands all weigh the same: the gadget holds hand by hand, whatever is believed of them
    (Burch, Johanson & Bowling 2014).
    """
    if name != "resolve":
        raise ConfigError(unknown("gadget", name, ("none", "resolve")))
    other = 1 - safe.player
    met = compatible(tree, safe.player, tree.hands[other].weights)
    alternatives = safe.values[tree.hands[safe.player].combos] * met
    weights = [
        hands.weights if player == other else np.ones(hands.size) for player, hands in enumerate(tree.hands)
    ]
    return Root((weights[OOP], weights[IP]), Gadget(safe.player, alternatives))
