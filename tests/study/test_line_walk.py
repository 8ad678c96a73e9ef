"""Lines of blueprints with a tree and without: the same walk, the hands that follow it, ranges as text."""

from __future__ import annotations

import numpy as np
import pytest

from overbet.blueprint.config import BlueprintConfig
from overbet.blueprint.query import Blueprint
from overbet.blueprint.run import Run
from overbet.cards.cards import cards
from overbet.cards.range import Range
from overbet.errors import ConfigError, IllegalActionError
from overbet.interfaces.web.routes.blueprints import node_bytes
from overbet.study.blueprint_lines import line_with_board, reach_of
from overbet.study.line_walk import action_ranges, ends, first_in, steps, walked_reach, with_cards
from overbet.study.packing import unpacked
from overbet.study.preflop_ranges import strategy_ranges
from tests.agents.blueprints import random_blueprint, random_buckets

BOARD = tuple(cards("Td9d6h2c"))


@pytest.fixture(scope="module")
def keyed(tmp_path_factory: pytest.TempPathFactory) -> Blueprint:
    """A blueprint without a tree, hardly trained."""
    from overbet.blueprint.cards import BucketedCards

    street = {"sizes": ["100%"], "raises": 1}
    config = BlueprintConfig.parse(
        {
            "name": "six",
            "game": {"players": 6, "stack_bb": 20},
            "menu": {
                "preflop": {"sizes": ["2bb", "a"], "raises": 2, "limp": False},
                **dict.fromkeys(("flop", "turn", "river"), street),
            },
            "solver": {"tables": "keyed", "capacity": 400_000, "coarse": 0.5},
            "iterations": 400,
        }
    )
    folder = tmp_path_factory.mktemp("run") / "six"
    buckets = BucketedCards(random_buckets())
    return Blueprint.load(Run.start(folder, config, buckets).go(workers=1), buckets)


def test_a_walk_is_the_trees() -> None:
    blueprint = random_blueprint(3, missing=0.2)
    tree = blueprint.tree
    rng = np.random.default_rng(3)
    decisions = np.flatnonzero(tree.nodes.player >= 0)
    for node in [0, *rng.choice(decisions, 12).tolist()]:
        walked = steps(blueprint, tree.line(node))
        assert walked[-1].player == tree.nodes.player[node]
        assert walked[-1].tokens == tuple(tree.tokens(node))
        lying = BOARD[: (0, 3, 4, 4)[walked[-1].street]]
        if walked[-1].street < 3:
            assert with_cards(walked, lying) == line_with_board(tree, node, lying)
            for player in range(3):
                ours = walked_reach(blueprint, walked, player, lying)
                np.testing.assert_allclose(ours, reach_of(blueprint, node, lying, player))


def test_ranges_of_a_line_add_up_to_what_comes_there() -> None:
    blueprint = random_blueprint()
    line = f"r:0:{blueprint.tokens('r:0')[-1]}"
    found = action_ranges(blueprint, line)
    assert [one.token for one in found] == list(blueprint.tokens(line))
    total = sum(one.held.weights for one in found)
    np.testing.assert_allclose(total, 1.0, atol=0.011 * len(found))
    [only] = action_ranges(blueprint, line, found[1].token)
    assert Range.parse(only.held.text("pio")) == found[1].held
    with pytest.raises(ConfigError, match="unknown action 'b77'; known: f, c"):
        action_ranges(blueprint, line, "b77")
    with pytest.raises(IllegalActionError, match="the flop is dealt before"):
        action_ranges(blueprint, f"{line}:c")


def test_first_decisions_and_ranges_without_a_tree(keyed: Blueprint) -> None:
    seats = first_in(keyed)
    assert [position for position, _ in seats] == ["UTG", "HJ", "CO", "BTN", "SB", "BB"]
    assert seats[1][1] == "r:0:f"
    assert seats[-1][1] == "r:0:f:f:f:f:b200"
    assert ends(keyed, "r:0:f:f:f:f:f") == "over"
    assert ends(keyed, f"{seats[-1][1]}:c") == "card"
    found = strategy_ranges(keyed, "Six-handed")
    assert {one.position for one in found} >= {"UTG", "BTN", "BB"}
    assert found[0].group == "Six-handed, 20 bb"
    assert all(Range.parse(one.held.text()) == one.held for one in found)


def test_the_page_walks_a_blueprint_without_a_tree_to_the_turn(keyed: Blueprint) -> None:
    head, arrays = unpacked(node_bytes(keyed, "r:0:f:f:f:b200"))
    assert (head["position"], head["street"], head["needs_board"]) == ("SB", "preflop", 0)
    assert [seat["position"] for seat in head["seats"]][:2] == ["UTG", "HJ"]
    assert [step["position"] for step in head["steps"]] == ["UTG", "HJ", "CO", "BTN"]
    assert arrays["class_mix"].shape == (len(head["actions"]), 169)
    head, arrays = unpacked(node_bytes(keyed, "r:0:f:f:f:b200:f:c"))
    assert (head["street"], head["needs_board"], head["reached"]) == ("flop", 3, None)
    assert "strategy" not in arrays
    head, arrays = unpacked(node_bytes(keyed, "r:0:f:f:f:b200:f:c:Td9d6h:c"))
    assert (head["position"], head["board"]) == ("BTN", "Td9d6h")
    assert head["steps"][-2]["chosen"] == "Td9d6h"
    check = next(action for action in head["actions"] if action["token"] == "c")
    assert (check["ends"], check["line"]) == ("card", "r:0:f:f:f:b200:f:c:Td9d6h:c:c")
    assert arrays["strategy"].shape == (len(head["actions"]), 1326)
