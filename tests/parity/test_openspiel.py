"""Kuhn and Leduc against OpenSpiel: one walk over both trees at once, history by history."""

from __future__ import annotations

import numpy as np
import pytest

from overbet.games.registry import make_game
from overbet.tree.flat import flatten

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
