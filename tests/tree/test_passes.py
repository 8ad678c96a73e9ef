"""The layout of the update passes: order, groups and pools."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from overbet.errors import RulesError
from overbet.games.registry import make_game
from overbet.tree.flat import flatten
from overbet.tree.passes import build_passes
from tests.reference.random_games import RandomGame
from tests.tree.test_flat import flat_of


@given(st.integers(0, 10**6), st.integers(1, 3), st.integers(1, 5))
@settings(max_examples=60, deadline=None)
def test_what_a_loop_needs_stands_before_it(seed: int, players: int, depth: int) -> None:
    flat = flatten(RandomGame(seed, players, depth))
    passes, factors, value = build_passes(flat)
    total = len(passes.node_parent)
    assert total == players * (flat.num_nodes - flat.num_terminals)
    for player in range(players):
        first, last = int(passes.player_nodes[player]), int(passes.player_nodes[player + 1])
        nodes = np.arange(first, last)
        if len(nodes):
            assert passes.node_parent[first] == first
            assert (passes.node_parent[first + 1 : last] < nodes[1:]).all()
        groups = range(int(passes.player_groups[player]), int(passes.player_groups[player + 1]))
        own = []
        for group in groups:
            begin, end = int(passes.group_nodes[group]), int(passes.group_nodes[group + 1])
            edge, choices = int(passes.group_edges[group]), int(passes.group_choices[group])
            children = passes.edge_child[edge : edge + choices * (end - begin)]
            assert first <= begin < end <= last
            assert ((children >= end) & (children < len(value))).all()  # filled before, on the way up
            start = int(passes.group_factor[group])
            assert factors[start : start + choices].sum() == pytest.approx(1.0)
            if passes.group_regret[group] < flat.num_slots:
                assert passes.group_regret[group] == start
                own.append(start)
        sets = range(int(flat.tree.player_infosets[player]), int(flat.tree.player_infosets[player + 1]))
        assert sorted(own) == [flat.tree.infoset_offset[i] for i in sets]  # each set is one group


def test_payoffs_are_pooled() -> None:
    passes, _, value = build_passes(flatten(make_game("leduc")))
    pool = value[len(passes.node_parent) :]
    won = [-13, -11, -9, -7, -5, -3, -1, 0, 1, 3, 5, 7, 9, 11, 13]
    assert pool.tolist() == [float(x) for x in won] * 2


def test_imperfect_recall_is_refused() -> None:
    forgets = flat_of({(): (0, "a", 2), (0,): (0, "b", 1), (1,): (0, "b", 1), (0, 0): 1.0, (1, 0): 2.0})
    with pytest.raises(RulesError, match="imperfect recall"):
        build_passes(forgets)
