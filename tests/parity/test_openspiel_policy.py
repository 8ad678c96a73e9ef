"""Policies handed to OpenSpiel and back: the same strategy, the same exploitability."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from overbet.errors import ConfigError, RulesError
from overbet.solvers.policy import TabularPolicy
from overbet.solvers.policy_openspiel import PEERS, openspiel_table
from overbet.solvers.tabular import TabularSolver

pyspiel = pytest.importorskip("pyspiel")


@pytest.fixture(scope="module")
def solved() -> TabularPolicy:
    solver = TabularSolver("leduc", "dcfr")
    solver.run(300)
    return solver.policy()


def test_a_solved_leduc_policy_is_as_exploitable_there(solved: TabularPolicy) -> None:
    game = pyspiel.load_game("leduc_poker")
    exported = solved.to_openspiel()
    assert pyspiel.exploitability(game, exported) == pytest.approx(solved.exploitability(), abs=1e-9)
    assert pyspiel.nash_conv(game, exported) == pytest.approx(solved.best_response().nash_conv, abs=1e-9)
    assert 1e-5 < solved.exploitability() < 1e-2


def test_there_and_back_keeps_every_bit(solved: TabularPolicy) -> None:
    back = TabularPolicy.from_openspiel("leduc", solved.to_openspiel())
    assert back.probabilities.tobytes() == solved.probabilities.tobytes()


@pytest.mark.parametrize("name", PEERS)
def test_random_policies_agree_for_every_player(name: str) -> None:
    uniform = TabularPolicy.uniform(name)
    flat = uniform.game
    policy = TabularPolicy.from_weights(flat, np.random.default_rng(3).random(flat.num_slots))
    game = pyspiel.load_game(PEERS[name])
    exported = policy.to_openspiel()
    assert pyspiel.nash_conv(game, exported) == pytest.approx(policy.best_response().nash_conv, abs=1e-9)
    back = TabularPolicy.from_openspiel(flat, openspiel_table(policy))
    assert back.probabilities.tobytes() == policy.probabilities.tobytes()


def test_a_policy_that_openspiel_found() -> None:
    game = pyspiel.load_game("kuhn_poker")
    solver = pyspiel.CFRPlusSolver(game)
    for _ in range(50):
        solver.evaluate_and_update_policy()
    theirs = solver.tabular_average_policy()
    policy = TabularPolicy.from_openspiel("kuhn", theirs)
    assert policy.exploitability() == pytest.approx(pyspiel.exploitability(game, theirs), abs=1e-9)


def test_openspiel_policies_written_in_python() -> None:
    written = pytest.importorskip("open_spiel.python.policy")
    game = pyspiel.load_game("kuhn_poker")
    policy = TabularPolicy.from_openspiel("kuhn", written.UniformRandomPolicy(game))
    np.testing.assert_array_equal(policy.probabilities, 0.5)


def test_what_does_not_fit_is_refused() -> None:
    one_bet = TabularPolicy.uniform("leduc-one-bet")
    with pytest.raises(ConfigError, match="OpenSpiel's name for 'leduc-one-bet' is not known"):
        one_bet.to_openspiel()
    with pytest.raises(RulesError, match="not the same game: other actions are legal"):
        one_bet.to_openspiel("leduc_poker")
    with pytest.raises(RulesError, match="not the same game"):
        TabularPolicy.uniform("kuhn").to_openspiel(pyspiel.load_game("leduc_poker"))
    with pytest.raises(RulesError, match="OpenSpiel has no game 'cuhn'"):
        TabularPolicy.uniform("kuhn").to_openspiel("cuhn")
    table: dict[str, Any] = openspiel_table(TabularPolicy.uniform("kuhn"))
    del table["0pb"]
    with pytest.raises(ConfigError, match="nothing for the information state '0pb'"):
        TabularPolicy.from_openspiel("kuhn", table)
    table["0pb"] = [(0, 0.5), (7, 0.5)]
    with pytest.raises(ConfigError, match="not legal at 'J:pb'"):
        TabularPolicy.from_openspiel("kuhn", table)
    with pytest.raises(ConfigError, match="neither an OpenSpiel policy"):
        TabularPolicy.from_openspiel("kuhn", 3)
