"""A future card belongs inside one solve: averaging solves that know the card is far worse."""

from __future__ import annotations

import numpy as np
import pytest

from overbet.errors import RulesError
from overbet.games.protocol import CHANCE
from overbet.games.registry import make_game
from overbet.search.tabular.apart import sampled_solve, solve_apart
from overbet.search.tabular.resolving import cfr_solve, resolve_all
from overbet.search.tabular.subgames import after_chance, find_subgames
from overbet.solvers.policy import TabularPolicy
from overbet.tree.flat import FlatGame, flatten


@pytest.fixture(scope="module")
def small_leduc() -> FlatGame:
    return flatten(make_game("leduc-one-bet"))


def after_the_deal(flat: FlatGame) -> np.ndarray:
    """Return the histories after both private cards, before the first action."""
    tree = flat.tree
    first = np.flatnonzero(tree.player == 0)
    return first[
        [tree.player[tree.parent[node]] == CHANCE and tree.parent[tree.parent[node]] <= 6 for node in first]
    ]


def test_averaging_separate_solves_is_worse_than_one_solve(small_leduc: FlatGame) -> None:
    """The public card comes in the subgame. Six solves that each know it, averaged, against one."""
    blueprint = TabularPolicy.uniform(small_leduc)
    roots = after_the_deal(small_leduc)
    assert len(roots) == 30
    [subgame] = find_subgames(small_leduc, roots)
    apart = solve_apart(blueprint, subgame, cfr_solve(500)).exploitability()
    exact = resolve_all(blueprint, "unsafe", roots, solve=cfr_solve(500)).policy.exploitability()
    sampled = resolve_all(blueprint, "unsafe", roots, solve=sampled_solve(50_000)).policy.exploitability()
    assert exact < 1e-3
    assert sampled < 0.1
    assert apart > 10 * sampled


def test_each_solve_apart_knows_the_card(small_leduc: FlatGame) -> None:
    """Six games, each with one public card that is certain, and only the deals that leave it."""
    blueprint = TabularPolicy.uniform(small_leduc)
    [subgame] = find_subgames(small_leduc, after_the_deal(small_leduc))
    games: list[FlatGame] = []

    def solve(game: FlatGame) -> np.ndarray:
        games.append(game)
        return cfr_solve(200)(game)

    solve_apart(blueprint, subgame, solve)
    assert len(games) == 6
    for card, game in enumerate(games):
        tree = game.tree
        assert tree.num_children[0] == 20  # the deals that leave the card
        later = (tree.player == CHANCE) & (np.arange(game.num_nodes) > 0)
        assert {*tree.num_children[later].tolist()} == {1}
        assert {*tree.action[tree.first_child[later]].tolist()} == {card}
        assert (tree.probability[tree.first_child[later]] == 1.0).all()


def test_where_nothing_is_dealt_nothing_is_parted(small_leduc: FlatGame) -> None:
    [subgame, *_] = find_subgames(small_leduc, after_chance(small_leduc))
    with pytest.raises(RulesError, match="no chance move follows"):
        solve_apart(TabularPolicy.uniform(small_leduc), subgame)
