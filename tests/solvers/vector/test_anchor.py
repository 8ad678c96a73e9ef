"""An anchor in the vector engine: the anchor where it is strong, the equilibrium where it is weak, and in
between the strategy that its own condition asks for."""

from functools import lru_cache

import numpy as np
import pytest

from overbet.errors import ConfigError
from overbet.solvers.rules import dcfr, make_rule
from overbet.solvers.vector.anchor import Anchor
from overbet.solvers.vector.engine import VectorEngine
from overbet.solvers.vector.reader import TreeReader
from overbet.solvers.vector.response import FOLLOW
from overbet.solvers.vector.subgame import Gadget, Root
from overbet.solvers.vector.warm import warm_start
from overbet.tree.betting import FOLD_EDGE
from overbet.tree.public import PublicTree, public_tree
from overbet.tree.spot import Spot

RULE = dcfr(gamma=4.0)
POT = 100
RANGES = {"oop": "99-55,AJs,KQs,QJs,A5s", "ip": "TT-66,ATs,KJs,98s,A4s"}


@lru_cache(4)
def tree(board: str = "Ks8s3d2cTh") -> PublicTree:
    spot = {"board": board, "pot": POT, "stacks": 200, "ranges": RANGES, "bets": {"every": {"bet": "75%"}}}
    return public_tree(Spot.parse(spot))


def drawn(of: PublicTree, seed: int = 1) -> dict[int, np.ndarray]:
    """A strategy for the first street that nobody would choose."""
    rng, found = np.random.default_rng(seed), {}
    for node in of.betting.street_nodes(of.spot.first_street):
        player = int(of.betting.kind[node])
        if player <= 1:
            shares = rng.random((int(of.betting.num_children[node]), of.hands[player].size)) + 0.1
            found[node] = shares / shares.sum(0)
    return found


def average(engine: VectorEngine, node: int) -> np.ndarray:
    return TreeReader(engine.tree, engine.layout, engine.average).strategy(node, 0)


@pytest.mark.parametrize("board", ["Ks8s3d2cTh", "Ks8s3d2c"])
def test_a_strong_anchor_is_played_and_a_weak_one_left(board: str) -> None:
    here = tree(board)
    given = drawn(here)
    strong = VectorEngine(here, RULE, anchor=Anchor(1e6, given))
    strong.run(20)
    live = here.hands[0].weights > 0
    for node, shares in given.items():
        player = int(here.betting.kind[node])
        alive = TreeReader(here, strong.layout, strong.average).live_hands(player, here.spot.first_street, 0)
        kept = (alive > 0) & live if player == 0 else alive > 0
        assert np.allclose(average(strong, node)[:, kept], shares[:, kept], atol=1e-3)
    weak = VectorEngine(here, RULE, anchor=Anchor(1e-4, given))
    weak.run(200)
    free = VectorEngine(here, RULE)
    free.run(200)
    assert weak.judged_exploitability() < 0.005 * POT
    assert weak.judge.expected(0, FOLLOW) == pytest.approx(free.judge.expected(0, FOLLOW), abs=0.005 * POT)
    assert strong.judged_exploitability() > 0.05 * POT


@pytest.mark.parametrize("strength", [5.0, 30.0])
def test_in_between_it_is_what_the_anchors_own_condition_says(strength: float) -> None:
    """strategy(a) in proportion to anchor(a) exp(Q(a) / strength), later divergences off Q: at decisions with
    nothing after them Q is the value of the action, at others the divergence that follows is taken off."""
    here = tree()
    given = drawn(here)
    engine = VectorEngine(here, RULE, anchor=Anchor(strength, given))
    engine.run(1500)
    reader, betting = TreeReader(here, engine.layout, engine.average), here.betting

    def cost(player: int, node: int) -> np.ndarray:
        """What later divergences cost, summed over the opponent's reach: [H]."""
        if betting.kind[node] > 1:
            return np.zeros(here.hands[player].size)
        below = [cost(player, child) for child in betting.children(node)]
        if betting.kind[node] != player:
            return sum(below)
        shares = reader.strategy(node, 0)
        far = (shares * np.log(np.maximum(shares, 1e-30) / given[node])).sum(0)
        met = reader.met(player, reader.reach(1 - player, node, 0))
        return strength * met * far + sum(share * later for share, later in zip(shares, below))

    checked = 0
    for node in given:
        player = int(betting.kind[node])
        met = reader.met(player, reader.reach(1 - player, node, 0))
        known = (met > 0.2 * met.max()) & (reader.live_hands(player, 2, 0) > 0)
        worth = np.stack(
            [reader.value(player, FOLLOW, child, 0) - cost(player, child) for child in betting.children(node)]
        )
        pull = given[node] * np.exp((worth - worth.max(0)) / np.maximum(met, 1e-9) / strength)
        expected = pull / pull.sum(0)
        assert np.allclose(reader.strategy(node, 0)[:, known], expected[:, known], atol=0.02)
        checked += int(known.sum())
    assert checked > 100


def test_a_locked_decision_stays_and_a_gadget_goes_with_an_anchor() -> None:
    here = tree()
    given = drawn(here)
    fixed = given.pop(0)
    root = Root(None, Gadget(1, np.full(here.hands[1].size, 10.0)))
    engine = VectorEngine(here, RULE, root=root, anchor=Anchor(5.0, given))
    engine.lock(0, 0, fixed.astype(np.float32), np.ones(here.hands[0].size, np.bool_))
    engine.run(50)
    alive = TreeReader(here, engine.layout, engine.average).live_hands(0, 2, 0) > 0
    assert np.allclose(average(engine, 0)[:, alive], fixed[:, alive], atol=1e-4)
    assert np.isfinite(engine.judged_exploitability())


def test_what_an_anchor_cannot_do_is_said() -> None:
    here = tree()
    given = drawn(here)
    with pytest.raises(ConfigError, match="rule without prediction"):
        VectorEngine(here, make_rule("pcfr+"), anchor=Anchor(1.0, given))
    with pytest.raises(ConfigError, match="above 0"):
        VectorEngine(here, RULE, anchor=Anchor(0.0, given))
    given[0] = np.where(given[0] > 0.3, given[0], 0.0)
    with pytest.raises(ConfigError, match="every hand a chance"):
        VectorEngine(here, RULE, anchor=Anchor(1.0, given))


def test_a_warm_start_begins_with_the_strategy_and_ends_in_the_same_equilibrium() -> None:
    here = tree("Ks8s3d2c")
    given = drawn(here)
    warm = VectorEngine(here, RULE)
    warm_start(warm, given, 20)
    for node, shares in given.items():
        player = int(here.betting.kind[node])
        rows, place = warm.rows_of(node, 0)
        regret = warm.regret[player][rows[:, None] + place]
        met = regret.sum(0) > 0
        assert met.any()
        assert np.allclose((regret / np.where(met, regret.sum(0), 1))[:, met], shares[:, met], atol=1e-5)
    assert not any(table.any() for table in warm.average)
    warm.run(300)
    free = VectorEngine(here, RULE)
    free.run(300)
    assert warm.iteration == 300
    assert warm.judged_exploitability() < 0.002 * POT
    assert warm.judge.expected(0, FOLLOW) == pytest.approx(free.judge.expected(0, FOLLOW), abs=0.002 * POT)
    with pytest.raises(ConfigError, match="before the first iteration"):
        warm_start(warm, given, 20)


def test_a_warm_start_weighs_what_comes_after_it() -> None:
    """The more iterations it stands for, the longer it is kept to."""
    here = tree()
    given = drawn(here)
    far = []
    for iterations in (1, 100):
        engine = VectorEngine(here, RULE)
        warm_start(engine, given, iterations)
        engine.run(3)
        far.append(np.mean([np.abs(average(engine, node) - given[node]).mean() for node in given]))
    assert far[1] < 0.5 * far[0]
    assert any(here.betting.edge[node] == FOLD_EDGE for node in range(here.betting.size))
