"""What is kept of a street is what its tables say, decision by decision."""

from __future__ import annotations

import numpy as np
import pytest

from overbet.search.street_strategy import WHOLE, rounded, street_strategy
from overbet.solvers.rules import dcfr
from overbet.solvers.vector.engine import VectorEngine
from overbet.solvers.vector.reader import TreeReader
from overbet.tree.public import public_tree
from overbet.tree.spot import Spot


@pytest.mark.parametrize("board", ["KsTh7s4d", "KsTh7s4d2c"])
def test_a_street_is_read_at_once_as_decision_by_decision(board: str) -> None:
    spot = Spot.parse(
        {
            "board": board,
            "pot": 20,
            "stacks": 60,
            "ranges": {"oop": "AA,QJs,T9s,A2s", "ip": "KK,QJs,A5s:.25,72s"},
            "bets": {"every": {"bet": "50%,a", "raise": "60%"}},
        }
    )
    tree = public_tree(spot)
    engine = VectorEngine(tree, dcfr(gamma=4.0))
    engine.run(7)
    engine.average[0][::5] = 0.0  # some hands without any sum, and ties
    reader = TreeReader(tree, engine.layout, engine.average)
    found = street_strategy(reader)
    decisions = [node for node in tree.betting.street_nodes(spot.first_street) if tree.betting.kind[node] < 2]
    assert len(decisions) > 4
    for node in decisions:
        combos = tree.hands[int(tree.betting.kind[node])].combos
        shares = found.at(node)
        assert np.array_equal(shares[combos].T.astype(np.float32), rounded(reader.strategy(node, 0)))
        steps = np.rint(shares[combos] * WHOLE)
        assert (steps.sum(1) == WHOLE).all()
        assert np.isnan(np.delete(shares, combos, axis=0)).all()
