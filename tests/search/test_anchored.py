"""The KL anchor: the blueprint at one end, an equilibrium at the other, the right mixture in between."""

from __future__ import annotations

import math

import numpy as np
import pytest

from overbet.errors import ConfigError, RulesError
from overbet.games.protocol import CHANCE, State
from overbet.games.registry import make_game
from overbet.search.tabular.anchored import AnchoredSolver
from overbet.solvers.policy import TabularPolicy
from overbet.solvers.tabular import TabularSolver, best_response
from overbet.tree.flat import FlatGame, flatten
from tests.reference.public_games import CoinToss


def blueprint_of(game: str, iterations: int = 10) -> TabularPolicy:
    solver = TabularSolver(game, "cfr")
    solver.run(iterations)
    return solver.policy()


def divergence(policy: TabularPolicy, anchor: TabularPolicy) -> float:
    """Return the sum over information sets of KL(policy || anchor)."""
    p, tau = policy.probabilities, anchor.probabilities
    here = p > 0.0
    return float((p[here] * np.log(p[here] / tau[here])).sum())


@pytest.mark.parametrize("game", ["kuhn", "leduc"])
def test_an_infinite_strength_gives_the_blueprint(game: str) -> None:
    anchor = blueprint_of(game)
    solver = AnchoredSolver(anchor, math.inf)
    solver.run(20)
    np.testing.assert_allclose(solver.average_strategy(), anchor.probabilities, rtol=0, atol=1e-14)
    strong = AnchoredSolver(anchor, 1e6)
    strong.run(20)
    np.testing.assert_allclose(strong.average_strategy(), anchor.probabilities, rtol=0, atol=1e-5)
    assert strong.exploitability() == pytest.approx(anchor.exploitability(), abs=1e-5)


@pytest.mark.parametrize(("game", "iterations", "reached"), [("kuhn", 500, 2e-3), ("leduc", 300, 2e-2)])
def test_no_strength_gives_an_equilibrium(game: str, iterations: int, reached: float) -> None:
    anchor = blueprint_of(game)
    assert anchor.exploitability() > 20 * reached
    solver = AnchoredSolver(anchor, 0.0)
    solver.run(iterations)
    assert solver.exploitability() < reached


def test_no_strength_may_leave_what_the_anchor_never_plays() -> None:
    flat = flatten(CoinToss())
    anchor = TabularPolicy(flat, np.array([0.0, 1.0, 1.0, 0.0, 1.0, 0.0]))
    free = AnchoredSolver(anchor, 0.0)
    free.run(500)
    assert free.exploitability() < 5e-3
    assert free.average_strategy()[-2] == pytest.approx(0.25, abs=1e-2)
    held = AnchoredSolver(anchor, 0.1)
    held.run(100)
    assert np.array_equal(held.average_strategy(), anchor.probabilities)


def test_in_between_each_action_is_weighed_by_its_value() -> None:
    """The fixed point: tau(a) exp(Q(a) / strength), with Q what the action is worth per visit."""
    anchor, strength = blueprint_of("kuhn"), 1.0
    flat = anchor.game
    solver = AnchoredSolver(anchor, strength)
    solver.run(1000)
    for player in (0, 1):
        values, visits = solver.action_values(player)
        own = flat.tree.infoset_player[flat.tree.slot_infoset] == player
        worth = values[own] / visits[flat.tree.slot_infoset][own]
        weights = np.zeros(flat.num_slots)
        weights[own] = anchor.probabilities[own] * np.exp(worth / strength)
        np.testing.assert_allclose(
            flat.normalise(weights)[own], solver.current_strategy()[own], rtol=0, atol=1.5e-3
        )


def objective(policy: np.ndarray, anchor: TabularPolicy, player: int, strength: float) -> float:
    """Return what `player` wins less the divergences on its way, by a walk over Kuhn poker."""
    flat = anchor.game

    def value(state: State) -> float:
        if state.is_terminal():
            return state.returns()[player]
        mover = state.current_player()
        if mover == CHANCE:
            return sum(p * value(state.apply(a)) for a, p in state.chance_outcomes())
        slots = flat.slots(flat.infoset_ids[mover, state.information_state(mover)])
        shares, tau = policy[slots], anchor.probabilities[slots]
        below = [value(state.apply(a)) for a in state.legal_actions()]
        cost = strength * float((shares * np.log(shares / tau)).sum()) if mover == player else 0.0
        return float(shares @ below) - cost

    return value(make_game("kuhn").initial_state())


def test_in_between_nobody_gains_by_another_mixture() -> None:
    """At the end each player has the most it can have of winnings less divergences, those of later decisions
    included: moving any one decision a little changes nothing in the first order."""
    anchor, strength, little = blueprint_of("kuhn"), 0.3, 1e-3
    flat = anchor.game
    solver = AnchoredSolver(anchor, strength)
    solver.run(1000)
    found = solver.current_strategy()
    for infoset in range(flat.num_infosets):
        player = int(flat.tree.infoset_player[infoset])
        first = flat.slots(infoset).start
        reached = []
        for step in (-little, little):
            moved = found.copy()
            weights = moved[first : first + 2] * np.exp([step, -step])
            moved[first : first + 2] = weights / weights.sum()
            reached.append(objective(moved, anchor, player, strength))
        assert abs(reached[1] - reached[0]) / (2 * little) < 1e-3, flat.infoset_names[infoset]


def test_action_values_without_an_anchor_are_those_of_the_game() -> None:
    flat = flatten(make_game("leduc"))
    strategy = flat.normalise(np.random.default_rng(0).random(flat.num_slots))
    solver = AnchoredSolver(TabularPolicy(flat, strategy), 0.5)  # at its anchor no divergence costs anything
    for player in (0, 1):
        values, _ = solver.action_values(player)
        first = flat.tree.infoset_parent[flat.tree.slot_infoset] < 0
        mine = first & (flat.tree.infoset_player[flat.tree.slot_infoset] == player)
        total = float((strategy[mine] * values[mine]).sum())
        assert total == pytest.approx(best_response(flat, strategy).values[player], abs=1e-12)


def test_a_stronger_anchor_stays_nearer() -> None:
    anchor = blueprint_of("kuhn")
    found = []
    for strength in (0.01, 0.1, 1.0, 10.0):
        solver = AnchoredSolver(anchor, strength)
        solver.run(300)
        found.append(solver.policy())
    distances = [divergence(policy, anchor) for policy in found]
    assert distances == sorted(distances, reverse=True)
    worse = [policy.exploitability() for policy in found]
    assert worse == sorted(worse)


def test_a_strength_for_each_information_set() -> None:
    """The first round of Leduc held to the blueprint, the second left free."""
    anchor = blueprint_of("leduc-one-bet", 5)
    flat: FlatGame = anchor.game
    first_round = np.array(["/" not in name for name in flat.infoset_names])
    solver = AnchoredSolver(anchor, np.where(first_round, math.inf, 0.0))
    solver.run(200)
    held = first_round[flat.tree.slot_infoset]
    np.testing.assert_allclose(
        solver.average_strategy()[held], anchor.probabilities[held], rtol=0, atol=1e-14
    )
    assert solver.exploitability() < 0.5 * anchor.exploitability()


def test_wrong_settings_are_named() -> None:
    anchor = TabularPolicy.uniform("kuhn")
    for strength in (-1.0, math.nan, [1.0, 2.0]):
        with pytest.raises(ConfigError, match="strength of an anchor"):
            AnchoredSolver(anchor, strength)
    with pytest.raises(ConfigError, match="step must be positive"):
        AnchoredSolver(anchor, 1.0, step=0.0)
    with pytest.raises(ConfigError, match="cannot be negative"):
        AnchoredSolver(anchor, 1.0).run(-1)
    forgetful = flatten(make_game("kuhn"))
    broken = type(forgetful)(**{**vars(forgetful), "perfect_recall": False})
    with pytest.raises(RulesError, match="imperfect recall"):
        AnchoredSolver(TabularPolicy.uniform(broken), 1.0)
