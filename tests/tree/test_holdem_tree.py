"""The betting tree against the rules: every end of a hand pays what the real hand pays."""

from __future__ import annotations

import numpy as np
import pytest

from overbet.betting.menu import Menu
from overbet.blueprint.config import BlueprintConfig
from overbet.blueprint.prizes import no_prizes
from overbet.blueprint.trainer import Trainer
from overbet.cards.evaluator import evaluate
from overbet.errors import ConfigError, IllegalActionError, TooLargeError
from overbet.games.holdem import HoldemGame
from overbet.kernels.holdem.layout import COMING
from overbet.kernels.training.walks import Hand, WalkedGame, end_value
from overbet.tree.holdem import HoldemTree, build_tree, measure_tree
from tests.reference.short_deck import ShortDeck

STREET = {"sizes": ["50%, a", "a"], "raises": 2}
MENU = {"preflop": {"sizes": ["2.5bb, a", "a"], "raises": 2}, "flop": STREET, "river": STREET}
REFERENCE = {"sizes": ["50%, 100%, 200%, a"], "raises": 3}


def reference_menu() -> Menu:
    preflop = {"sizes": ["2bb, 3bb, 4bb, a", "50%, 100%, 200%, a"], "raises": 3}
    return Menu.parse({"preflop": preflop, "flop": REFERENCE, "turn": REFERENCE, "river": REFERENCE})


@pytest.mark.parametrize(
    "game",
    [
        HoldemGame(2, 1000, (50, 100)),
        HoldemGame(3, (300, 800, 2000), (50, 100), ante=10),
        HoldemGame(3, (700, 400, 900), (50, 100), rake=0.05, rake_cap=60, no_flop_no_drop=True),
        HoldemGame(4, (150, 1000, 90, 500), (50, 100), big_blind_ante=100),
    ],
)
def test_ends_pay_what_the_hand_pays(game: HoldemGame) -> None:
    tree = build_tree(game, Menu.parse(MENU))
    record, _ = tree.records((169, 5, 5, 5))
    pots = tree.nodes.pot_chips.copy(), tree.nodes.pot_mask.copy()
    arrays = WalkedGame(record, tree.nodes.won.copy(), *pots, *no_prizes())
    rng, players = np.random.default_rng(5), game.num_players
    ends = rng.permutation(np.flatnonzero(tree.nodes.player < 0))[:300]
    for seed, end in enumerate(ends.tolist()):
        state = game.deal(seed).follow(tree.line(end))
        assert state.is_terminal()
        deal = game.deal(seed)
        board = deal.vector[COMING : COMING + 5].tolist()
        strength = np.array([evaluate([*hand, *board]) for hand in deal.hole], np.int32)
        equity = np.where(
            strength[:, None] > strength, 1.0, np.where(strength[:, None] == strength, 0.5, 0.0)
        )
        hands = [
            Hand(np.zeros((players, 4), np.int32), strength, equity.astype(np.float32), player)
            for player in range(players)
        ]
        found = [float(end_value(arrays, hand, int(record[end, 0]), end)) for hand in hands]
        # odd chips are split in the tree and rake of side pots is rounded once more: below a chip a pot
        np.testing.assert_allclose(found, state.returns(), atol=3 if game.rake else 1)


def test_the_reference_game_has_the_size_it_is_known_for() -> None:
    size = measure_tree(HoldemGame(2, 10_000, (50, 100)), reference_menu())
    assert size.decisions == (104, 2164, 13804, 52908)
    assert sum(size.entries((169, 50, 100, 200))) == 30_814_221


def test_rows_tile_the_table() -> None:
    """Every entry belongs to exactly one (decision, bucket, action)."""
    tree = build_tree(HoldemGame(3, 700, (50, 100)), Menu.parse(MENU))
    counts = (7, 3, 4, 5)
    record, entries = tree.records(counts)
    assert entries == sum(tree.size.entries(counts))
    seen = np.zeros(entries, np.int64)
    for node in np.flatnonzero(tree.nodes.player >= 0).tolist():
        head, first_child, first, step = record[node].tolist()
        assert (head & 255, head >> 8 & 255, head >> 16) == (
            tree.nodes.player[node],
            tree.nodes.street[node],
            len(tree.children(node)),
        )
        assert first_child == tree.children(node)[0]
        for bucket in range(counts[head >> 8 & 255]):
            seen[first + step * bucket : first + step * bucket + (head >> 16)] += 1
    assert (seen == 1).all()


def test_lines_lead_to_nodes_and_back() -> None:
    tree = build_tree(HoldemGame(2, 1000, (50, 100)), Menu.parse(MENU))
    for node in range(0, tree.size.nodes, 7):
        assert tree.find(tree.line(node)) == node
    assert tree.find("r:0:b250:c:Td9d6h:c") == tree.find("b250:c:c")
    with pytest.raises(IllegalActionError, match=r"'b260' is not in the tree after r:0; there is f, c, b250"):
        tree.find("r:0:b260")


def test_measuring_and_building_agree_and_the_digest_tells_games_apart() -> None:
    def tree(stack: int) -> HoldemTree:
        return build_tree(HoldemGame(2, stack, (50, 100)), Menu.parse(MENU))

    assert tree(1000).size == measure_tree(HoldemGame(2, 1000, (50, 100)), Menu.parse(MENU))
    assert tree(1000).digest == tree(1000).digest != tree(1001).digest


def test_trees_too_large_say_so() -> None:
    with pytest.raises(TooLargeError, match=r"more than 10,000 nodes; use fewer sizes or raises"):
        measure_tree(HoldemGame(2, 10_000, (50, 100)), reference_menu(), limit=10_000)
    config = BlueprintConfig.parse({"menu": MENU, "game": {"stack_bb": 10}})
    with pytest.raises(TooLargeError, match=r"need [\d.]+ .?B and .* are free; use fewer sizes"):
        Trainer(config, ShortDeck(list(range(40, 52))), memory_limit=1000)


def test_no_tree_without_decisions() -> None:
    with pytest.raises(ConfigError, match="everybody is all in"):
        build_tree(HoldemGame(2, 50, (50, 100)), Menu.parse(MENU))
    with pytest.raises(ConfigError, match="the menu makes no tree"):
        build_tree(HoldemGame(2, 1000, (50, 100)), Menu())
    with pytest.raises(ConfigError, match="decisions on the flop and the cards have no buckets there"):
        Trainer(BlueprintConfig.parse({"menu": MENU, "cards": {"kind": "preflop"}}))
