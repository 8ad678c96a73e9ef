"""Trees that end at a depth limit: what is worked out at their leaves, and that nothing else changes."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given, settings

from overbet.errors import ConfigError
from overbet.kernels.regret import single
from overbet.kernels.vector.bundles import RIVER, TURN
from overbet.kernels.vector.river import play_river
from overbet.solvers.rules import make_rule
from overbet.solvers.vector.engine import VectorEngine
from overbet.solvers.vector.layout import chance_scale
from overbet.solvers.vector.leaves import EquityLeaves, PayoffLeaves, StrategyLeaves
from overbet.solvers.vector.lines import actions_at
from overbet.solvers.vector.response import BEST, FOLLOW
from overbet.solvers.vector.subgame import LeafBatch, compatible, leaf_places
from overbet.tree.betting import DepthLimit
from overbet.tree.public import public_tree
from overbet.tree.spot import IP, OOP, Spot
from tests.reference.postflop import PlainSolver
from tests.solvers.vector.test_engine import SPOTS, strategy_of
from tests.solvers.vector.test_reference import UNHURRIED, spots

Floats = npt.NDArray[np.float64]
RAKED = {"rake": {"share": 0.05, "cap": 6}}


def spot_of(name: str, **changes: Any) -> Spot:
    return Spot.parse(SPOTS[name] | changes)


@settings(max_examples=8, **UNHURRIED)
@given(spots(street=1, most_points=200, most_hands=12))
def test_equities_are_those_of_every_river(spot: Spot) -> None:
    spot = spot.model_copy(update={"isomorphism": False})
    leaves, plain = EquityLeaves(public_tree(spot, DepthLimit(TURN))), PlainSolver(spot)
    pairs, sign = plain.deals.pairs[RIVER], plain.deals.sign
    share = (pairs * np.select([sign > 0, sign == 0], [1.0, 0.5], 0.0)).sum(0) / 44
    np.testing.assert_allclose(leaves.share[0], share, atol=1e-5)
    assert np.array_equal(leaves.met[0] > 0, plain.deals.pairs[TURN][0] > 0)


# bets on the streets before the limit only: after it the whole tree, too, is checked down
CHECKED_DOWN = {
    ("turn", TURN): {"turn": SPOTS["turn"]["bets"]["every"]},
    ("flop", 0): {"flop": SPOTS["flop"]["bets"]["every"]},
    ("flop", TURN): {"flop": SPOTS["flop"]["bets"]["every"], "turn": SPOTS["flop"]["bets"]["every"]},
}


@pytest.mark.parametrize(("name", "street"), CHECKED_DOWN)
@pytest.mark.parametrize("isomorphism", [True, False])
def test_checked_down_as_the_whole_tree_does(name: str, street: int, isomorphism: bool) -> None:
    """A tree without later bets is the tree that ends there; also with rake and all-ins that are run out."""
    spot = spot_of(name, bets=CHECKED_DOWN[name, street], isomorphism=isomorphism, **RAKED)
    tree = public_tree(spot, DepthLimit(street))
    whole = VectorEngine(public_tree(spot), make_rule("dcfr"))
    cut = VectorEngine(tree, make_rule("dcfr"), leaves=EquityLeaves(tree))
    for engine in (whole, cut):
        engine.run(2)  # then hands tie, and rounding decides what they play
    here = cut.tree.betting
    for node in here.street_nodes(spot.first_street):
        if here.kind[node] <= IP:
            np.testing.assert_allclose(strategy_of(cut, node), strategy_of(whole, node), atol=2e-4)
    for player in (OOP, IP):
        for mode in (BEST, FOLLOW):
            values = [engine.judge.value(player, mode).root for engine in (whole, cut)]
            assert np.abs(values[0] - values[1]).max() <= 1e-4 * 97 * engine.judge.met[player].max()
    assert cut.exploitability() == pytest.approx(whole.exploitability(), abs=1e-4 * 97)


class Alongside:
    """Leaves that play the rest of the tree with the tables of a whole engine, update by update."""

    linear = False

    def __init__(self, engine: VectorEngine) -> None:
        self.engine = engine

    def values(self, batch: LeafBatch) -> Floats:
        engine, own = self.engine, batch.own
        assert own is not None
        runner = engine._runner
        players, bridge = runner.players(engine.stores()), runner.early
        for side, reach in ((bridge.own, own), (bridge.opp, batch.opp)):
            side.reshape(-1, bridge.width)[: reach.shape[2], : reach.shape[1]] = reach[0].T
        step = single(engine.rule.at(engine.iteration + 1))
        sides, total = (players[batch.player], players[1 - batch.player]), np.zeros_like(bridge.back)
        for board in range(engine.tree.board_count(RIVER)):
            play_river(
                *sides, runner.deal, board, step, bridge.width, bridge.own, bridge.opp, runner.memory[0],
                total, False,
            )  # fmt: skip
        total = total.reshape(-1, bridge.width)[: own.shape[2], : own.shape[1]].T.astype(float)
        total /= chance_scale(engine.tree.spot, TURN)
        return (total + engine.tree.spot.pot / 2 * compatible(engine.tree, batch.player, batch.opp[0]))[None]


@pytest.mark.slow
def test_a_cut_solve_reproduces_the_whole_one() -> None:
    """With leaves that play on, the streets before the limit and after it learn what the whole tree does.

    Slow: it compiles a kernel that nobody else calls from Python. That a cut tree learns what the whole one
    does is held in the suite by the tests before and after this one.
    """
    spot = spot_of("turn")
    whole, rest = (VectorEngine(public_tree(spot), make_rule("dcfr")) for _ in range(2))
    cut = VectorEngine(public_tree(spot, DepthLimit(TURN)), make_rule("dcfr"), leaves=Alongside(rest))
    for _ in range(4):
        whole.run(1)
        cut.run(1)
        rest.iteration += 1
    for player in (OOP, IP):
        river = int(whole.layout.passes[player].own.base[RIVER])
        for kind in ("regret", "average"):
            one, two, after = (getattr(engine, kind)[player] for engine in (whole, cut, rest))
            scale = np.abs(one).max()
            assert np.abs(one[:river] - two[:river]).max() <= 1e-5 * scale
            assert np.abs(one[river:] - after[river:]).max() <= 1e-5 * scale
    with pytest.raises(ConfigError, match="cannot judge these leaves"):
        cut.exploitability()


@pytest.mark.parametrize(("name", "street"), [("turn", TURN), ("flop", 0), ("flop", TURN)])
def test_the_rest_by_solved_strategies(name: str, street: int) -> None:
    """Against fixed equilibrium play after the limit nobody gains before it: the value is the whole game's.

    With continuations that are all the same, choosing changes nothing.
    """
    spot = spot_of(name)
    whole = VectorEngine(public_tree(spot), make_rule("dcfr"))
    rounds = 100 if name == "turn" else 15
    whole.run(rounds)
    value, bound = whole.judge.expected(OOP, FOLLOW), whole.exploitability()
    for limit in (DepthLimit(street), DepthLimit(street, continuations=2, chooser=OOP))[
        : 1 + (name == "turn")
    ]:
        tree = public_tree(spot, limit)
        engine = VectorEngine(
            tree, make_rule("dcfr"), leaves=StrategyLeaves(tree, [whole.judge] * limit.continuations)
        )
        if limit.continuations == 1:  # the whole solution's first streets, judged in the cut tree
            for player in (OOP, IP):
                engine.average[player][:] = whole.average[player][: len(engine.average[player])]
            assert engine.judge.expected(OOP, FOLLOW) == pytest.approx(value, abs=1e-4 * 97)
            assert 0 <= engine.exploitability() <= bound + 1e-4 * 97
            engine.average[OOP][:], engine.average[IP][:] = 0, 0
        engine.run(rounds)
        assert engine.judge.expected(OOP, FOLLOW) == pytest.approx(
            value, abs=2 * (bound + engine.exploitability())
        )


@pytest.mark.parametrize("chooser", [OOP, IP])
def test_the_chooser_takes_the_better_continuation(chooser: int) -> None:
    """Two continuations; for half of the hands the one pays 10 chips more, for the others the other."""
    spot = spot_of("turn", isomorphism=False)
    tree = public_tree(spot, DepthLimit(TURN, continuations=2, chooser=chooser))
    places = leaf_places(tree)
    sizes = [hands.size for hands in tree.hands]
    random = np.random.default_rng(chooser)
    base = 97 * random.random((1, len(places.above), *sizes))
    better = np.arange(sizes[chooser]) % 2
    gift = 10.0 if chooser == OOP else -10.0  # payoffs are OOP's
    extra = gift * (better[None, :] == places.continuation[:, None])
    payoffs = base.copy()
    by_path = {path: k for k, path in enumerate(places.path)}
    for k, path in enumerate(places.path):  # otherwise alike
        payoffs[0, k] = base[0, by_path[path]]
    payoffs[0] += extra[:, :, None] if chooser == OOP else extra[:, None, :]
    engine = VectorEngine(tree, make_rule("dcfr"), leaves=PayoffLeaves(tree, payoffs))
    engine.run(200)
    assert 0 <= engine.exploitability() < 0.01 * 97
    betting = tree.betting
    choices = [
        node
        for node in np.flatnonzero(betting.kind == chooser)
        if actions_at(betting, spot, int(node))[0].token == "k0"
    ]
    assert len(choices) == len(set(places.path)) - int((places.put.max(1) >= spot.effective_stack).sum())
    for node in choices:
        strategy = strategy_of(engine, int(node))
        right = strategy[better, np.arange(sizes[chooser])]
        right = right[np.isfinite(right)]
        assert right.min() > 0.499  # 1/2 where a hand meets nobody
        assert np.median(right) > 0.999


def test_payoffs_add_up_to_the_pot() -> None:
    spot = spot_of("turn", isomorphism=False)
    tree = public_tree(spot, DepthLimit(TURN))
    shape = (1, len(leaf_places(tree).above), *(hands.size for hands in tree.hands))
    engine = VectorEngine(
        tree,
        make_rule("dcfr"),
        leaves=PayoffLeaves(tree, np.random.default_rng(0).normal(size=shape) * 50),
    )
    engine.run(20)
    assert sum(engine.judge.expected(p, FOLLOW) for p in (OOP, IP)) == pytest.approx(97, abs=1e-4)
    with pytest.raises(ConfigError, match=r"must have the shape \(1, "):
        PayoffLeaves(tree, np.zeros(3))


def test_bad_limits() -> None:
    spot = spot_of("turn")
    tree = public_tree(spot, DepthLimit(TURN))
    with pytest.raises(ConfigError, match="the end of a street"):
        public_tree(spot, DepthLimit(0))
    with pytest.raises(ConfigError, match="needs leaves"):
        VectorEngine(tree, make_rule("dcfr"))
    with pytest.raises(ConfigError, match="only such a tree takes them"):
        VectorEngine(public_tree(spot), make_rule("dcfr"), leaves=EquityLeaves(tree))
    two, judge = (
        public_tree(spot, DepthLimit(TURN, 2)),
        VectorEngine(public_tree(spot), make_rule("dcfr")).judge,
    )
    with pytest.raises(ConfigError, match="has 2 continuations and 1 are given"):
        StrategyLeaves(two, [judge])

    class Wrong:
        linear = True

        def values(self, batch: LeafBatch) -> Floats:
            return np.zeros(3)

    with pytest.raises(ConfigError, match="finite numbers of shape"):
        VectorEngine(tree, make_rule("dcfr"), leaves=Wrong()).run(1)
