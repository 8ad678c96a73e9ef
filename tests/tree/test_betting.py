"""Betting trees: their shape, and that they are the reference's, node by node."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings

from overbet.errors import ConfigError, TooLargeError
from overbet.tree import betting as module
from overbet.tree.betting import CALL_EDGE, CHANCE, FOLD, FOLD_EDGE, SHOWDOWN, BettingTree, build_tree
from overbet.tree.spot import IP, OOP, Spot
from tests.reference.postflop import betting
from tests.solvers.vector.beside import same_tree
from tests.solvers.vector.test_reference import UNHURRIED, spots

PLAIN: dict[str, Any] = {
    "board": "KsTh7s4d2c",
    "pot": 100,
    "stacks": 500,
    "ranges": {"oop": "AA", "ip": "QQ"},
    "bets": {"every": {"bet": "75%", "raise": "60%"}},
}


def tree_of(**changes: Any) -> BettingTree:
    return build_tree(Spot.parse(PLAIN | changes))


def check(tree: BettingTree, spot: Spot) -> None:
    """Check what the solvers rely on."""
    assert tree.parent[0] == -1
    assert np.array_equal(tree.put[0], [0, 0])
    seen = [0]
    for node in range(tree.size):
        children = list(tree.children(node))
        seen += children
        kind = tree.kind[node]
        assert (len(children) == 0) == (kind in (FOLD, SHOWDOWN))
        assert all(tree.parent[child] == node for child in children)
        assert tree.put[node].max() <= spot.effective_stack
        if kind == CHANCE:
            (child,) = children
            assert tree.street[child] == tree.street[node] + 1
            assert tree.line_start[tree.line[child]] == child
            assert tree.put[node, 0] == tree.put[node, 1]
            assert np.array_equal(tree.put[child], tree.put[node])
        elif kind in (OOP, IP):
            assert all(tree.street[child] == tree.street[node] for child in children)
            assert all(tree.line[child] == tree.line[node] for child in children)
            assert children == sorted(children)
            assert children[0] > node  # parents before children
            edges = tree.edge[children].tolist()
            behind = tree.put[node, 1 - kind] > tree.put[node, kind]
            assert edges[: 2 if behind else 1] == ([FOLD_EDGE, CALL_EDGE] if behind else [CALL_EDGE])
            bets = edges[2 if behind else 1 :]
            assert bets == sorted(set(bets))
            assert all(bet > tree.put[node].max() for bet in bets)
            for child, edge in zip(children, edges):
                assert tree.put[child, 1 - kind] == tree.put[node, 1 - kind]
                if edge > 0:
                    assert tree.kind[child] == 1 - kind
                    assert tree.put[child, kind] == edge
        elif kind == SHOWDOWN:
            assert tree.street[node] == 2
            assert tree.put[node, 0] == tree.put[node, 1]
        else:
            folder = tree.kind[tree.parent[node]]
            assert tree.put[node, folder] < tree.put[node, 1 - folder]
    assert sorted(seen) == list(range(tree.size))
    assert (np.diff(tree.street) >= 0).all()
    for street in range(3):
        assert all(tree.street[node] == street for node in tree.street_nodes(street))
    assert sum(len(tree.street_nodes(street)) for street in range(3)) == tree.size


@settings(max_examples=60, **UNHURRIED)
@given(spots(street=2, most_points=3000, most_hands=2))
def test_river_trees(spot: Spot) -> None:
    tree = build_tree(spot)
    check(tree, spot)
    same_tree(tree, betting(spot))


@settings(max_examples=40, **UNHURRIED)
@given(spots(street=0, most_points=3000, most_hands=2))
def test_flop_trees(spot: Spot) -> None:
    tree = build_tree(spot)
    check(tree, spot)
    same_tree(tree, betting(spot))


def test_a_river_by_hand() -> None:
    tree = tree_of(stacks=100, bets={"every": {"bet": "50%", "raise": "a"}})
    names = {OOP: "oop", IP: "ip", FOLD: "fold", SHOWDOWN: "show"}
    shape = [(names[int(tree.kind[n])], int(tree.edge[n]), tree.put[n].tolist()) for n in range(tree.size)]
    assert shape == [
        ("oop", 0, [0, 0]),
        ("ip", 0, [0, 0]),  # check
        ("ip", 50, [50, 0]),
        ("show", 0, [0, 0]),  # check, check
        ("oop", 50, [0, 50]),
        ("fold", -1, [50, 0]),
        ("show", 0, [50, 50]),
        ("oop", 100, [50, 100]),
        ("fold", -1, [0, 50]),
        ("show", 0, [50, 50]),
        ("ip", 100, [100, 50]),
        ("fold", -1, [50, 100]),
        ("show", 0, [100, 100]),
        ("fold", -1, [100, 50]),
        ("show", 0, [100, 100]),
    ]


def test_all_in_runs_out() -> None:
    """Once a player is all-in only cards follow, down to a showdown on the river."""
    tree = tree_of(board="KsTh7s", stacks=75, bets={"every": {"bet": "a"}})
    for node in range(tree.size):
        if tree.put[node].min() == 75:
            assert tree.kind[node] == (SHOWDOWN if tree.street[node] == 2 else CHANCE)


def test_donk_sizes_answer_the_last_aggressor() -> None:
    menus = {"every": {"bet": "50%", "raise": "", "donk": "25%"}}
    tree = tree_of(board="KsTh7s4d", bets=menus)
    first_nodes = tree.line_start[tree.street_line[2] : tree.street_line[3]]
    for node in first_nodes:
        above = int(tree.parent[tree.parent[node]])  # who called, or checked behind
        aggressor = tree.kind[tree.parent[above]] if tree.edge[above] > 0 else -1
        pot = 100 + tree.put[node].sum()
        share = 0.25 if aggressor == IP else 0.5
        bet = tree.edge[list(tree.children(node))[1]] - tree.put[node, 0]
        assert bet == int(pot * share + 0.5)


def test_menus_without_a_bet() -> None:
    with pytest.raises(ConfigError, match="no bet anywhere"):
        tree_of(bets={})
    with pytest.raises(ConfigError, match="no bet anywhere"):
        tree_of(bets={"every": {"raise": "60%"}})
    tree = tree_of(board="KsTh7s4d", bets={"river": {"bet": "50%"}})  # a street without one is checked
    assert [int(tree.num_children[n]) for n in tree.street_nodes(1)] == [1, 1, 1]


def test_too_many_nodes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MOST_NODES", 50)
    with pytest.raises(TooLargeError, match="use fewer sizes"):
        tree_of(board="KsTh7s", bets={"every": {"bet": "20%, 50%", "raise": "50%"}})


def test_unequal_stacks_play_the_smaller() -> None:
    assert np.array_equal(tree_of(stacks=[500, 300]).put, tree_of(stacks=300).put)


def test_bets_that_were_played_are_in_the_tree_where_they_were_made() -> None:
    tree = tree_of(played=[0, 37, 151])
    given = build_tree(Spot.parse(PLAIN), played=(0, 37, 151))
    assert all(np.array_equal(one, other) for one, other in zip(tree, given))
    assert [int(tree.edge[child]) for child in tree.children(0)] == [CALL_EDGE, 75]
    check_raised = next(child for child in tree.children(0) if tree.edge[child] == CALL_EDGE)
    bets = {int(tree.edge[child]): child for child in tree.children(check_raised)}
    assert list(bets) == [CALL_EDGE, 37, 75]
    assert 151 in [int(tree.edge[child]) for child in tree.children(bets[37])]
    assert 151 not in [int(tree.edge[child]) for child in tree.children(bets[75])]


@pytest.mark.parametrize("played", [[501], [0, 501], [75, 75], [75, 30], [100, 60]])
def test_bets_that_cannot_have_been_played_are_refused(played: list[int]) -> None:
    with pytest.raises(ConfigError, match="cannot have been played there: from"):
        tree_of(played=played)


def test_what_was_played_is_a_line_of_chips() -> None:
    for played in ([-1], [0] * 101, ["x"], [2_000_000_000]):
        with pytest.raises(ConfigError, match="played"):
            Spot.parse(PLAIN | {"played": played})


def test_a_spot_without_played_bets_keeps_its_digest() -> None:
    spot = Spot.parse(PLAIN)
    assert (
        spot.digest() == "30f7e58942cd1ff5bef9ede2efb3047ca7fd54283ba88432d74ab609b818dff9"
    )  # that of files saved before
    assert spot.digest() == Spot.parse(PLAIN | {"played": []}).digest()
    assert spot.digest() != Spot.parse(PLAIN | {"played": [37]}).digest()
