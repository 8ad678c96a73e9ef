"""A warm start: regrets with which regret matching plays a given strategy on the first street.

The regrets are those that so many iterations might have left: an iteration gives a hand some share of the pot
to regret, for each unit of the opponent's range that it meets at a decision. The rule's discounts go on as if
those iterations had been run; averages begin empty, so nothing of the strategy is in the answer unless the
iterations keep to it.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import numpy.typing as npt

from overbet.errors import ConfigError
from overbet.solvers.vector.engine import VectorEngine
from overbet.solvers.vector.subgame import compatible
from overbet.tree.spot import IP

Doubles = npt.NDArray[np.float64]
REGRET = 0.05  # of the pot, that an iteration leaves for each unit of range met


def warm_start(engine: VectorEngine, strategies: Mapping[int, Doubles], iterations: int) -> None:
    """Have an engine that has not begun start from strategies as if `iterations` had been run.

    strategies: of nodes of the first street, [actions, H] float each, columns adding up to one; nodes that
    are locked or left out stay as they are.
    """
    tree, betting = engine.tree, engine.tree.betting
    if engine.iteration or engine.packed or engine.play is not engine.regret or iterations < 1:
        raise ConfigError(
            "a warm start comes before the first iteration, with float32 tables and a plain rule"
        )
    reach = {0: [hands.weights.astype(np.float64) for hands in tree.hands]}
    for node in betting.street_nodes(tree.spot.first_street):
        if betting.kind[node] > IP or node not in reach:
            continue
        player, children = int(betting.kind[node]), betting.children(node)
        known = strategies.get(node)
        rows, place = engine.rows_of(node, 0)
        shares = (
            np.full((len(children), tree.hands[player].size), 1.0 / len(children)) if known is None else known
        )
        if known is not None and not (
            engine.locked and engine.locked[player][rows[0] + place[place >= 0]].any()
        ):
            live = place >= 0
            met = compatible(tree, player, reach[node][1 - player])
            regret = iterations * REGRET * tree.spot.pot * np.maximum(met, 0.0) * shares
            for row, values in zip(rows, regret):
                engine.regret[player][row + place[live]] = values[live]
        for child, share in zip(children, shares):
            both = list(reach[node])
            both[player] = both[player] * share
            reach[child] = both
    engine.ahead = iterations
