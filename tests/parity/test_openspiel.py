"""Kuhn and Leduc against OpenSpiel: the trees history by history, best responses, CFR and CFR+."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

from overbet.games.registry import make_game
from overbet.solvers.tabular import TabularSolver, best_response
from overbet.tree.flat import FlatGame, flatten

pyspiel = pytest.importorskip("pyspiel")

PEERS = {"kuhn": "kuhn_poker", "kuhn3": "kuhn_poker(players=3)", "leduc": "leduc_poker"}


@pytest.mark.parametrize("name", PEERS)
def test_every_history_agrees_with_openspiel(name: str) -> None:
    game = make_game(name)
    peer = pyspiel.load_game(PEERS[name])
    ours_to_theirs: dict[tuple[int, str], str] = {}
    theirs_to_ours: dict[tuple[int, str], str] = {}
    nodes = 0
    stack = [(game.initial_state(), peer.new_initial_state())]
    while stack:
        ours, theirs = stack.pop()
        nodes += 1
        player = theirs.current_player()
        assert ours.current_player() == player
        assert ours.is_terminal() == theirs.is_terminal()
        assert list(ours.legal_actions()) == theirs.legal_actions()
        if theirs.is_terminal():
            assert list(ours.returns()) == theirs.returns()
            continue
        if theirs.is_chance_node():
            np.testing.assert_allclose(ours.chance_outcomes(), theirs.chance_outcomes(), rtol=1e-15)
        else:
            mine, other = ours.information_state(player), theirs.information_state_string(player)
            assert ours_to_theirs.setdefault((player, mine), other) == other
            assert theirs_to_ours.setdefault((player, other), mine) == mine
        stack.extend((ours.apply(a), theirs.child(a)) for a in theirs.legal_actions())
    flat = flatten(game)
    assert flat.num_nodes == nodes
    assert flat.num_infosets == len(ours_to_theirs) == len(theirs_to_ours)


@pytest.mark.parametrize("name", PEERS)
def test_nash_conv_and_values_agree_with_openspiel(name: str) -> None:
    flat = flatten(make_game(name))
    peer = pyspiel.load_game(PEERS[name])
    for seed in range(2):
        strategy = flat.normalise(np.random.default_rng(seed).random(flat.num_slots) ** 4)
        policy = pyspiel.TabularPolicy(_openspiel_table(flat, peer, strategy))
        response = best_response(flat, strategy)
        theirs = pyspiel.nash_conv(peer, policy, False)
        assert response.nash_conv == pytest.approx(theirs, rel=1e-12)
        values = pyspiel.expected_returns(peer.new_initial_state(), policy, -1, True)
        np.testing.assert_allclose(response.values, values, atol=1e-12)


@pytest.mark.parametrize(("rule", "solver"), [("cfr", "CFRSolver"), ("cfr+", "CFRPlusSolver")])
@pytest.mark.parametrize("name", ["kuhn", "kuhn3"])
def test_the_average_strategy_agrees_with_openspiel(name: str, rule: str, solver: str) -> None:
    ours = TabularSolver(name, rule)
    peer = pyspiel.load_game(PEERS[name])
    theirs = getattr(pyspiel, solver)(peer)
    for _ in range(10):
        theirs.evaluate_and_update_policy()
    ours.run(10)
    policy = theirs.average_policy()
    for key, probabilities in _openspiel_table(ours.flat, peer, ours.average_strategy()).items():
        expected = policy.get_state_policy(key)
        np.testing.assert_allclose(probabilities, expected, atol=1e-12)


def _openspiel_table(
    flat: FlatGame, peer: Any, strategy: npt.NDArray[np.float64]
) -> dict[str, list[tuple[int, float]]]:
    """Return `strategy` keyed by OpenSpiel's names: both trees are walked with the same actions."""
    table: dict[str, list[tuple[int, float]]] = {}
    tree = flat.tree
    stack = [(0, peer.new_initial_state())]
    while stack:
        node, state = stack.pop()
        if tree.infoset[node] >= 0:
            slots = flat.slots(int(tree.infoset[node]))
            actions = flat.slot_actions[slots].tolist()
            table[state.information_state_string()] = list(zip(actions, strategy[slots].tolist()))
        first = int(tree.first_child[node])
        for child in range(first, first + int(tree.num_children[node])):
            stack.append((child, state.child(int(tree.action[child]))))
    return table
