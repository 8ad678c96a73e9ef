"""Our games registered with OpenSpiel: its own test of the interface, and its algorithms on them."""

from __future__ import annotations

import numpy as np
import pytest

from overbet.bridges import register_openspiel_games
from overbet.games.registry import make_game
from overbet.solvers.tabular import TabularSolver
from overbet.tree.flat import flatten

pyspiel = pytest.importorskip("pyspiel")


@pytest.fixture(scope="module", autouse=True)
def _registered() -> None:
    names = register_openspiel_games()
    assert set(names) <= set(pyspiel.registered_names())
    assert register_openspiel_games() is names


@pytest.mark.parametrize(
    ("name", "actions"),
    [
        ("overbet_kuhn", 2),
        ("overbet_kuhn(players=4)", 2),
        ("overbet_leduc", 3),
        ("overbet_pushfold(stack_bb=7.5,ante_bb=0.1)", 2),
        ("overbet_holdem(stack=300)", 302),
        ("overbet_holdem(players=4,stacks=500 300 900 80,ante=5)", 902),
    ],
)
def test_openspiels_own_test_passes(name: str, actions: int) -> None:
    game = pyspiel.load_game(name)
    pyspiel.random_sim_test(game, num_sims=3, serialize=True, verbose=False)
    assert game.num_distinct_actions() == actions


def test_openspiels_cfr_finds_what_ours_finds() -> None:
    game = pyspiel.load_game("overbet_leduc(max_raises=1)")
    theirs, ours = pyspiel.CFRPlusSolver(game), TabularSolver("leduc-one-bet", "cfr+")
    for _ in range(5):
        theirs.evaluate_and_update_policy()
    ours.run(5)
    policy = theirs.average_policy()
    values = pyspiel.expected_returns(game.new_initial_state(), policy, -1, True)
    np.testing.assert_allclose(values, ours.values(), atol=1e-9)


def test_the_value_of_kuhn_poker_is_found_there() -> None:
    game = pyspiel.load_game("overbet_kuhn")
    solver = pyspiel.CFRPlusSolver(game)
    for _ in range(300):
        solver.evaluate_and_update_policy()
    values = pyspiel.expected_returns(game.new_initial_state(), solver.average_policy(), -1, True)
    assert values[0] == pytest.approx(-1.0 / 18.0, abs=1e-4)


def test_there_and_back_is_the_same_tree() -> None:
    ours, back = (
        flatten(make_game("leduc-one-bet")),
        flatten(make_game("openspiel:overbet_leduc(max_raises=1)")),
    )
    assert back.infoset_names == ours.infoset_names
    assert back.slot_names == ours.slot_names
    np.testing.assert_array_equal(back.tree.returns, ours.tree.returns)


def test_actions_of_holdem_and_what_is_known() -> None:
    state = pyspiel.load_game("overbet_holdem(stack=1000)").new_initial_state()
    for card in (0, 1, 50, 51):
        state.apply_action(card)
    assert state.current_player() == 1
    assert state.legal_actions()[:3] == [0, 1, 201]
    assert [state.action_to_string(1, action) for action in (0, 1, 201)] == [
        "fold",
        "call 50",
        "raise to 200",
    ]
    assert "AsAh" in state.information_state_string(1)
    assert "AsAh" not in state.information_state_string(0)
    copy = state.clone()
    copy.apply_action(0)
    assert copy.returns() == [50.0, -50.0]
    assert not state.is_terminal()


def test_impossible_parameters_are_told() -> None:
    for name, told in (
        ("overbet_holdem(players=12)", "2 to 10 players"),
        ("overbet_holdem(stacks=1 two)", "whole numbers"),
        ("overbet_leduc(max_raises=0)", "at least one bet"),
    ):
        with pytest.raises((ValueError, pyspiel.SpielError), match=told):
            pyspiel.load_game(name)
