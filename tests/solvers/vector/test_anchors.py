"""The three example spots against what the strongest open engine finds on them.

True pot-share EVs of the player out of position come from its tighter solves, with brackets by best
responses. Root frequencies are not unique; they are compared within two points.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from overbet.kernels.vector.response import BEST, FOLLOW
from overbet.solvers.vector.api import read_source
from overbet.solvers.vector.engine import VectorEngine
from overbet.solvers.vector.settings import SolveSettings
from overbet.solvers.vector.solver import Solver
from overbet.tree.public import PublicTree, public_tree
from overbet.tree.spot import IP, OOP

EXAMPLES = Path(__file__).parents[3] / "examples"

NODES = {"river": 93, "turn": 27_501, "flop": 439_447}
ACTION_HANDS = {"river": 56_534, "turn": 16.2e6, "flop": 82.1e6}
EV = {"river": 46.879, "turn": 44.562, "flop": 107.13}
BRACKET = {"river": (46.870, 46.889), "turn": (44.544, 44.583), "flop": (106.99, 107.38)}
ROOT = {
    "river": {0: 72.3, 33: 20.1, 75: 7.6, 150: 0.0, 500: 0.0},
    "turn": {0: 83.6, 33: 6.1, 75: 0.0, 150: 10.3, 500: 0.0},
    "flop": {0: 37.0, 120: 63.0, 900: 0.0},
}


def tree_of(name: str) -> PublicTree:
    return public_tree(read_source(EXAMPLES / f"{name}.yaml").spot())


@pytest.mark.parametrize("name", NODES)
def test_sizes(name: str) -> None:
    """Nodes on all boards kept, and actions x hands of all decisions."""
    tree = tree_of(name)
    nodes = action_hands = 0
    for street in range(tree.spot.first_street, 3):
        here = tree.betting.street_nodes(street)
        nodes += len(here) * tree.board_count(street)
        for node in here:
            if tree.betting.kind[node] in (OOP, IP):
                hands = tree.hands[tree.betting.kind[node]].size
                action_hands += int(tree.betting.num_children[node]) * hands * tree.board_count(street)
    assert nodes == NODES[name]
    assert action_hands == pytest.approx(ACTION_HANDS[name], rel=2e-3)


def root_frequencies(engine: VectorEngine) -> dict[int, float]:
    """Return how often each first action is taken, in %, hands weighted by how often they are dealt."""
    starts, places = engine.rows_of(0, 0)
    sums = np.stack([engine.average[OOP][start + places] for start in starts]).astype(float)
    own, opp = engine.tree.hands
    apart = ~(own.cards[:, None, :, None] == opp.cards[None, :, None, :]).any((2, 3))
    dealt = own.weights * (apart @ opp.weights)
    shares = (sums / sums.sum(0)) @ dealt / dealt.sum()
    edges = engine.tree.betting.edge[list(engine.tree.betting.children(0))]
    return {int(edge): 100 * float(share) for edge, share in zip(edges, shares)}


def solve(name: str, target: float) -> None:
    """Solve to a target and compare EV, bracket and frequencies."""
    spot = read_source(EXAMPLES / f"{name}.yaml").spot()
    solver = Solver(spot, SolveSettings(target=target, iterations=3000))
    solver.run()
    assert 0 <= solver.exploitability <= target
    judge = solver.engine.judge
    value = judge.expected(OOP, FOLLOW)
    assert value == pytest.approx(EV[name], abs=1e-3 * spot.pot)
    # best responses bracket the value; both brackets hold it, so they meet
    low, high = spot.pot - judge.expected(IP, BEST), judge.expected(OOP, BEST)
    assert low <= value <= high
    assert low <= BRACKET[name][1] + 1e-3
    assert high >= BRACKET[name][0] - 1e-3
    found = root_frequencies(solver.engine)
    assert found.keys() == ROOT[name].keys()
    assert found == pytest.approx(ROOT[name], abs=2.0)
    assert value + judge.expected(IP, FOLLOW) == pytest.approx(spot.pot, rel=1e-6)


def test_river() -> None:
    solve("river", target=0.02)


@pytest.mark.slow
def test_turn() -> None:
    solve("turn", target=0.1)


@pytest.mark.slow
def test_flop() -> None:
    solve("flop", target=0.25)
