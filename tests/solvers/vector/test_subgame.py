"""Root ranges and gadget: against the plain reference, and what a gadget is for."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from overbet.errors import ConfigError, RangeError
from overbet.kernels.regret import single
from overbet.solvers.rules import make_rule
from overbet.solvers.vector.engine import VectorEngine
from overbet.solvers.vector.response import BEST, FOLLOW
from overbet.solvers.vector.subgame import Gadget, Root, compatible
from overbet.tree.public import PublicTree, public_tree
from overbet.tree.spot import IP, OOP, Spot
from tests.reference.postflop import PlainSolver, matched
from tests.solvers.vector.beside import Beside
from tests.solvers.vector.test_engine import SPOTS
from tests.solvers.vector.test_reference import RULES, UNHURRIED, spots

Floats = npt.NDArray[np.float64]


def tree_of(name: str, **changes: Any) -> PublicTree:
    return public_tree(Spot.parse(SPOTS[name] | changes))


def drawn_weights(tree: PublicTree, seed: int) -> tuple[Floats, Floats]:
    """Draw root ranges, some hands of which are never held."""
    random = np.random.default_rng(seed)
    found = []
    for hands in tree.hands:
        weights = random.random(hands.size)
        weights[random.random(hands.size) < 0.2] = 0.0
        weights[random.integers(hands.size)] = 1.0
        found.append(np.float64(np.float32(weights)))
    return found[0], found[1]


@pytest.mark.parametrize("name", SPOTS)
def test_weights_are_ranges(name: str) -> None:
    """A spot with other ranges over the same hands is the same tree with other weights, to the last bit."""
    tree = tree_of(name)
    halves = tuple(hands.weights * np.float32(0.5) for hands in tree.hands)
    engine = VectorEngine(tree, make_rule("dcfr"), root=Root((halves[0], halves[1])))
    whole = VectorEngine(tree, make_rule("dcfr"))
    for each in (engine, whole):
        each.run(5)
    for player in (OOP, IP):
        assert np.array_equal(engine.regret[player] * np.float32(2), whole.regret[player])
    assert engine.exploitability() == pytest.approx(whole.exploitability(), rel=1e-6)


def test_weights_that_tell_suits_apart() -> None:
    tree = tree_of("turn")
    assert any(boards.mirrors.any() for boards in tree_of("flop").boards)
    weights = drawn_weights(tree_of("flop"), 1)
    with pytest.raises(RangeError, match=r"tell suits apart .* isomorphism: false"):
        tree_of("flop").with_weights(weights)
    tree_of("flop", isomorphism=False).with_weights(weights)
    with pytest.raises(RangeError, match=f"OOP must be {tree.hands[0].size} numbers"):
        tree.with_weights((np.ones(3), np.ones(3)))
    with pytest.raises(RangeError, match="none negative and not all 0"):
        tree.with_weights((np.zeros(tree.hands[0].size), tree.hands[1].weights))


class PlainGadget:
    """The gadget written out around the plain reference, whose weights are what enters."""

    def __init__(self, spot: Spot, player: int, weights: tuple[Floats, Floats], alternatives: Floats) -> None:
        self.plain, self.player, self.weights, self.alternatives = (
            PlainSolver(spot),
            player,
            weights,
            alternatives,
        )
        self.regret, self.play, self.average = np.zeros((3, 2, len(alternatives)))

    def enters(self, average: bool = False) -> Floats:
        """Return how often each hand enters."""
        table = np.maximum(self.average if average else self.play, 0)
        total = table.sum(0)
        return np.where(total > 0, table[1] / np.where(total > 0, total, 1), 0.5)

    def update(self, player: int, step: Any) -> None:
        share, plain = self.enters(), self.plain
        reach = [weights[None].copy() for weights in self.weights]
        reach[self.player] *= share
        entered = plain._update(plain.root, player, reach, step)[0]
        if player != self.player:
            return
        options = np.stack([self.alternatives, entered])
        mix = np.stack([1 - share, share])
        instant = options - (mix * options).sum(0)
        factor = np.where(self.regret > 0, step.positive, step.negative)
        self.regret = np.maximum(self.regret * factor + step.weight * instant, step.floor)
        self.play = self.regret * step.carry + step.prediction * instant
        self.average = self.average * step.average_discount + step.average_weight * self.weights[player] * mix

    def exploitability(self) -> float:
        """Half of what both gain by best responses, in chips: each player's best less its own strategy."""
        me, other, plain = self.player, 1 - self.player, self.plain
        share = self.enters(average=True)
        pairs = plain.deals.pairs[plain.spot.first_street][0]
        total = self.weights[0] @ pairs @ self.weights[1]
        gains = 0.0
        plain.deals.weights = [self.weights[0], self.weights[1]]
        best, own = (plain.values(me, kind)[""][0] for kind in (True, False))
        mixed = share * own + (1 - share) * self.alternatives
        gains += self.weights[me] @ (np.maximum(best, self.alternatives) - mixed)
        plain.deals.weights[me] = self.weights[me] * share
        best, own = (plain.values(other, kind)[""][0] for kind in (True, False))
        gains += self.weights[other] @ (best - own)
        return float(gains / total / 2)


@settings(max_examples=20, **UNHURRIED)
@given(
    st.one_of(
        spots(street=2, most_points=200, most_hands=25), spots(street=1, most_points=60, most_hands=10)
    ),
    RULES,
    st.sampled_from([OOP, IP]),
    st.integers(0, 1000),
)
def test_the_gadget_is_the_plain_one(spot: Spot, rule_name: str, player: int, seed: int) -> None:
    spot = spot.model_copy(update={"isomorphism": False})
    tree, rule, random = public_tree(spot), make_rule(rule_name), np.random.default_rng(seed)
    weights = drawn_weights(tree, seed)
    met = compatible(tree, player, weights[1 - player])
    alternatives = met * spot.pot * random.random(tree.hands[player].size)
    engine = VectorEngine(tree, rule, root=Root(weights, Gadget(player, alternatives)))
    plain = PlainGadget(spot, player, weights, alternatives)
    beside = Beside(engine, plain.plain)
    assert engine.gadget is not None
    scale = (spot.pot + 2 * spot.effective_stack) * max(1.0, float(weights[1 - player].sum()))
    for t in range(1, 4):
        for mover in (OOP, IP):
            play = beside.read(engine.play)
            plain.plain.told = {line: matched(play[line]) for line in play}
            plain.play = engine.gadget.choice.play.copy()  # the same choice where regrets are all zero
            plain.update(mover, rule.at(t))
            engine._update(mover, single(rule.at(t)))
        assert np.abs(engine.gadget.choice.regret - plain.regret).max() <= 2e-5 * scale * t
        np.testing.assert_allclose(engine.gadget.choice.average, plain.average, rtol=1e-5, atol=1e-6)
    if engine.judge.pair_weight > 1e-3:
        expected = pytest.approx(plain.exploitability(), abs=1e-4 * scale / engine.judge.pair_weight)
        if spot.rake.share == 0:
            assert engine.exploitability() == expected
        found = [engine.judge.expected(p, BEST) - engine.judge.expected(p, FOLLOW) for p in (OOP, IP)]
        assert sum(found) / 2 == expected


@pytest.mark.parametrize(
    ("name", "player", "iterations"),
    [("river", OOP, 150), ("river", IP, 150), ("turn", OOP, 150), ("turn", IP, 150), ("flop", IP, 60)],
)
def test_what_a_gadget_promises(name: str, player: int, iterations: int) -> None:
    """The re-solved strategy leaves no hand of the opponent better off than the values it was promised."""
    tree = tree_of(name)
    whole = VectorEngine(tree, make_rule("dcfr"))
    whole.run(iterations)
    judge = whole.judge
    # what the opponent gets against the solved strategy at best: the most it can be promised
    promised, met = judge.value(player, BEST).root, judge.met[player]
    ones = [hands.weights for hands in tree.hands]
    ones[player] = np.ones_like(ones[player])

    def solved(shift: float) -> VectorEngine:
        gadget = Gadget(player, promised + shift * met)
        engine = VectorEngine(tree, make_rule("dcfr"), root=Root((ones[0], ones[1]), gadget))
        engine.run(iterations)
        return engine

    engine = solved(0.0)
    assert engine.exploitability() < 0.01 * 97
    assert engine.gadget is not None
    gain = engine.judge.value(player, BEST).root - promised  # the root value is the better of both
    # together, weighted as the gadget weighs them, no more than the gadget game is exploitable by
    assert float(ones[player] @ gain) <= 2 * engine.exploitability() * engine.judge.pair_weight + 1e-6
    assert (gain <= 0.02 * 97 * np.maximum(met, 1.0)).all()

    rich = solved(1e4)  # who is paid more than the game can hold leaves
    assert rich.gadget is not None
    assert rich.gadget.entering().max() < 1e-4
    poor = solved(-1e4)  # who has to pay to leave enters: the subgame with these ranges
    assert poor.gadget is not None
    assert poor.gadget.entering().min() > 1 - 1e-4
    plain = VectorEngine(tree, make_rule("dcfr"), root=Root((ones[0], ones[1])))
    plain.run(iterations)
    for side in (OOP, IP):
        assert poor.judge.expected(side, FOLLOW) == pytest.approx(
            plain.judge.expected(side, FOLLOW), abs=0.01 * 97
        )


def test_without_the_gadget_the_promise_is_broken() -> None:
    """The test above can fail: an unsafe re-solve against wrong ranges gives hands more than promised."""
    tree = tree_of("river")
    whole = VectorEngine(tree, make_rule("dcfr"))
    whole.run(150)
    promised = whole.judge.value(IP, BEST).root
    weights = drawn_weights(tree, 3)
    unsafe = VectorEngine(tree, make_rule("dcfr"), root=Root((tree.hands[OOP].weights, weights[1])))
    unsafe.run(150)
    gain = unsafe.judge.value(IP, BEST).root - promised
    assert (gain > 0.02 * 97 * np.maximum(whole.judge.met[IP], 1.0)).any()


def test_bad_gadgets() -> None:
    tree = tree_of("flop")
    with pytest.raises(ConfigError, match=f"needs {tree.hands[IP].size} alternatives"):
        VectorEngine(tree, make_rule("dcfr"), root=Root(None, Gadget(IP, np.zeros(2))))
    lopsided = np.arange(tree.hands[IP].size, dtype=float)
    with pytest.raises(ConfigError, match="isomorphism: false"):
        VectorEngine(tree, make_rule("dcfr"), root=Root(None, Gadget(IP, lopsided)))
