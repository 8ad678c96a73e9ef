"""A bet smaller than the smallest of a blueprint's tree: its answer folds less, as the bet risks less."""

from __future__ import annotations

import numpy as np
import pytest

from overbet.agents.blueprint import BlueprintAgent
from overbet.agents.protocol import PublicState, Strategy
from overbet.betting import fewer_folds
from overbet.games.holdem import HoldemGame
from overbet.games.holdem_state import HoldemState
from overbet.kernels.betting.mapping import folds_kept
from tests.agents.blueprints import MENU, blueprint_agent, even_blueprint, random_blueprint
from tests.agents.test_following import keyed_agent

GAME = HoldemGame(2, 10_000, (50, 100))
POT = "b400:c:Td9d6h"  # 800 in the middle; the tree bets 400, 800 or all in


def answer(state: HoldemState, hand: int = 0) -> Strategy:
    return blueprint_agent().strategy_for_all_hands(PublicState.of(state, 1, hand))


def flop(line: str) -> HoldemState:
    return GAME.initial_state().with_cards([None, None]).follow(f"{POT}:{line}")


@pytest.mark.parametrize(
    ("line", "tree", "kept"),
    [
        ("b560", "b800", 0.5),  # 160 into 800 for 400 into 800: a sixth for a third
        ("b600", "b800", (200 / 1000) / (400 / 1200)),
        ("c:b560", "c:b800", 0.5),
        ("b795", "b800", 1.0),  # a few chips less are the same price
        ("b800", "b800", 1.0),
        # a raise risks all that its player has put in on the street: 1,000 of 2,200 for 2,000 of 3,200
        ("b800:b1400", "b800:b2400", (1000 / 2200) / (2000 / 3200)),
    ],
)
def test_folds_are_kept_by_what_a_bluff_risks(line: str, tree: str, kept: float) -> None:
    found = answer(flop(line))
    expected = random_blueprint().strategy_for_all_hands(f"r:0:{POT}:{tree}").copy()
    live = ~np.isnan(expected[:, 0])
    assert live.sum() == 1_176
    assert (expected[live, 0] > 0.05).any()
    expected[:, 1] += (1.0 - kept) * expected[:, 0]
    expected[:, 0] *= kept
    assert found.actions[:2] == (-1, 0)
    np.testing.assert_allclose(found.shares, expected, atol=1e-12)


def test_larger_bets_are_answered_as_the_tree_answers_them() -> None:
    rows = [random_blueprint().strategy_for_all_hands(f"r:0:{POT}:{tree}") for tree in ("b800", "b1200")]
    seen = set()
    for hand in range(12):
        found = answer(flop("b960"), hand).shares
        [which] = [k for k, row in enumerate(rows) if np.allclose(found, row, atol=1e-12, equal_nan=True)]
        seen.add(which)
    assert seen == {0, 1}


def test_a_bluff_of_any_size_breaks_even_where_the_trees_does() -> None:
    """Half the pot is folded to a third of the time; less is folded to by what it costs of the pot."""
    third = np.array([1 / 3, 2 / 3])
    tree = flop("b800").vector
    for bet in (100, 160, 240, 320):
        state = flop(f"b{400 + bet}").vector
        folds = fewer_folds(third, float(folds_kept(tree, state)))[0]
        assert folds * 800 - (1 - folds) * bet == pytest.approx(0.0, abs=1e-9)


def test_where_two_have_to_fold_each_keeps_the_square_root() -> None:
    start = HoldemGame(3, 10_000, (50, 100)).initial_state().with_cards([None] * 3).follow("b400:c:c:Td9d6h")
    tree, real = start.follow("b1000").vector, start.follow("b600").vector  # 600 and 200 into 1,200
    kept = (200 / 1400) / (600 / 1800)
    assert folds_kept(tree, real) == pytest.approx(kept**0.5)
    tree, real = start.follow("b1000:f").vector, start.follow("b600:f").vector
    assert folds_kept(tree, real) == pytest.approx(kept)


def test_keyed_tables_answer_alike() -> None:
    dense = even_blueprint(MENU)
    keyed = keyed_agent(dense)
    for line in ("b560", "c:b560", "b800:b1400", "b800"):
        state = flop(line)
        public = PublicState.of(state, 1, 0)
        one = keyed.strategy_for_all_hands(public)
        other = BlueprintAgent(dense).strategy_for_all_hands(public)
        assert one.actions == other.actions
        np.testing.assert_allclose(one.shares, other.shares, atol=2e-3)
