"""The spot that a line of a blueprint leads to: pot, stacks and both ranges by the line's own strategy."""

from __future__ import annotations

import numpy as np
import pytest

from overbet.blueprint.catalogue import SHIPPED
from overbet.blueprint.query import Blueprint
from overbet.cards.cards import cards
from overbet.cards.combos import combo_index
from overbet.study.blueprint_spot import blueprint_spot
from overbet.study.errors import NotNowError


@pytest.fixture(scope="module")
def heads_up() -> Blueprint:
    return Blueprint.load(SHIPPED / "heads-up.h5")


def share(blueprint: Blueprint, line: str, hand: str, token: str, board: str = "") -> float:
    return float(blueprint.strategy(line, hand, board)[blueprint.tokens(line).index(token)])


def test_a_raise_before_the_flop_is_called_and_leads_to_the_flop(heads_up: Blueprint) -> None:
    found = blueprint_spot(heads_up, "r:0:b200")
    assert (found.pot, found.stacks, found.big_blind, found.board) == (400, (9800, 9800), 100, ())
    assert found.positions == ("BB", "SB")
    assert found.actions == (("SB", "raise 2bb"), ("BB", "call"))
    for hand in ("7d2c", "KhQh", "AhKd", "9c9d"):
        combo = combo_index(*cards(hand))
        for player, line, token in ((1, "r:0", "b200"), (0, "r:0:b200", "c")):
            assert found.ranges[player].weights[combo] == pytest.approx(
                share(heads_up, line, hand, token), abs=6e-4
            )


def test_a_decision_within_a_street_is_solved_from_its_beginning(heads_up: Blueprint) -> None:
    board = cards("As8d3c7h")
    flop = "r:0:b200:c:As8d3c:c:c"
    found = blueprint_spot(heads_up, f"{flop}:7h:c", board)
    assert found.board == board
    assert found.pot == 400
    hand = combo_index(*cards("KhQh"))
    expected = share(heads_up, "r:0", "KhQh", "b200") * share(heads_up, "r:0:b200:c:c", "KhQh", "c", "As8d3c")
    assert found.ranges[1].weights[hand] == pytest.approx(expected, abs=6e-4)
    assert found.ranges[1].weights.shape == np.zeros(1326).shape
    with pytest.raises(NotNowError, match="name the cards of the board first"):
        blueprint_spot(heads_up, "r:0:b200:c:c:c")


def test_of_three_players_the_rest_fold_and_the_last_calls() -> None:
    expresso = Blueprint.load(SHIPPED / "expresso.h5")
    raised = next(token for token in expresso.tokens("r:0") if token.startswith("b"))
    found = blueprint_spot(expresso, f"r:0:{raised}")
    assert [position for position, _ in found.actions] == ["BTN", "SB", "BB"]
    assert [label.split()[0] for _, label in found.actions] == ["raise", "fold", "call"]
    assert found.positions == ("BB", "BTN")
    last = expresso.tokens("r:0")[-1]
    with pytest.raises(NotNowError, match="nothing to solve"):
        blueprint_spot(expresso, f"r:0:{last}")
