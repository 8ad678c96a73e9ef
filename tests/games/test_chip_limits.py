"""The most chips a table can have, wherever they come in."""

from __future__ import annotations

import pytest

from overbet.betting.menu import Menu
from overbet.blueprint.config import GameConfig
from overbet.errors import ConfigError, RulesError
from overbet.games.expresso import ExpressoGame, expresso_game
from overbet.games.holdem import MOST_CHIPS, HoldemGame
from overbet.games.pushfold import MOST_BB, PushFoldGame
from overbet.tree.holdem import build_tree

DEEPEST = HoldemGame(2, MOST_CHIPS // 2, (MOST_CHIPS // 40, MOST_CHIPS // 20))


def test_a_tree_of_the_most_chips_counts_them_right() -> None:
    tree = build_tree(DEEPEST, Menu.parse({"preflop": {"sizes": ["a"], "raises": 1}}))
    assert tree.nodes.action.max() == MOST_CHIPS // 2
    assert tree.nodes.pot.max() == MOST_CHIPS
    assert tree.nodes.pot.min() > 0


@pytest.mark.parametrize("stack_bb", [float("inf"), float("-inf"), float("nan")])
def test_stacks_of_a_config_are_numbers(stack_bb: float) -> None:
    with pytest.raises(ConfigError, match="stack_bb is a number of big blinds, and neither infinite nor nan"):
        GameConfig.parse({"stack_bb": stack_bb})


@pytest.mark.parametrize("stack_bb", [1e300, 2.0**31, (1e9, 1e9)])
def test_stacks_of_a_config_have_a_limit(stack_bb: float | tuple[float, float]) -> None:
    with pytest.raises(ConfigError, match=r"more than 2,000,000,000; use a larger unit"):
        GameConfig.parse({"stack_bb": stack_bb})


def test_an_expresso_has_the_limits_of_its_table() -> None:
    with pytest.raises(RulesError, match="more than 2,000,000,000; use a larger unit"):
        expresso_game(big_blinds=10**8)
    with pytest.raises(RulesError, match="more than 2,000,000,000; use a larger unit"):
        ExpressoGame(levels=((10, 2**31),))
    for wrong in (float("inf"), float("nan")):
        with pytest.raises(RulesError, match="multiplier is a number above 0"):
            ExpressoGame(multiplier=wrong)
        with pytest.raises(RulesError, match="buy-in one that is not negative"):
            ExpressoGame(buy_in=wrong)


def test_push_or_fold_has_a_deepest_stack() -> None:
    assert PushFoldGame(MOST_BB).stack_bb == MOST_BB
    with pytest.raises(RulesError, match=r"a stack of 1e\+300 bb is more than 1,000,000; give a smaller one"):
        PushFoldGame(1e300)
