from __future__ import annotations

from collections import Counter

import numpy as np
import pytest

from overbet.betting.following import followed
from overbet.betting.menu import Menu
from overbet.errors import IllegalActionError
from overbet.games.holdem import HoldemGame
from overbet.games.holdem_state import HoldemState
from overbet.tree.holdem import HoldemTree, build_tree

GAME = HoldemGame(2, 10_000, (50, 100))
STREET = {"sizes": ["50%, 100%, a", "100%, a"], "raises": 2}
MENU = {
    "preflop": {"sizes": ["2bb, 4bb", "3x, a"], "raises": 2},
    "flop": STREET,
    "turn": STREET,
    "river": STREET,
}


def follow(tree: HoldemTree, state: HoldemState, seed: int = 0) -> int:
    inner = followed(state, tree.game, lambda at: tree.actions(tree.after(at)), seed)
    return tree.after(inner)


@pytest.fixture(scope="module")
def tree() -> HoldemTree:
    return build_tree(GAME, Menu.parse(MENU))


def test_bets_of_the_tree_are_followed_as_they_are(tree: HoldemTree) -> None:
    rng = np.random.default_rng(2)
    for hand in range(40):
        node, state = 0, GAME.deal(hand)
        while tree.nodes.player[node] >= 0:
            assert follow(tree, state, seed=hand) == node
            node = int(rng.choice(list(tree.children(node))))
            state = state.apply(int(tree.nodes.action[node]))


def test_other_bets_are_mapped_at_random_in_proportion(tree: HoldemTree) -> None:
    state = GAME.deal(1).apply(300)
    # 2bb is half of the pot of 200 after calling, 4bb one and a half, 3bb one: (1.5-1)(1.5)/((1)(2)) = 3/8
    taken = Counter(tree.line(follow(tree, state, seed)) for seed in range(2000))
    assert set(taken) == {"r:0:b200", "r:0:b400"}
    assert taken["r:0:b200"] / 2000 == pytest.approx(0.375, abs=0.04)
    assert follow(tree, state, 7) == follow(tree, state, 7)


def test_all_in_is_all_in_and_a_raise_too_many_is_a_call(tree: HoldemTree) -> None:
    state = GAME.deal(1).follow("b400:b1200:b10000")
    assert tree.line(follow(tree, GAME.deal(1).follow("b400:b10000"))) == "r:0:b400:b10000"
    with pytest.raises(IllegalActionError, match="cannot be followed beyond r:0:b400:b1200:c"):
        follow(tree, state)


def test_what_cannot_be_followed(tree: HoldemTree) -> None:
    with pytest.raises(IllegalActionError, match="3 players cannot be followed in a game of 2"):
        follow(tree, HoldemGame(3, 10_000, (50, 100)).deal(1))
    narrow = build_tree(GAME, Menu.parse({"preflop": {"sizes": "3bb", "raises": 1, "limp": False}}))
    limped = GAME.deal(1).apply(0)  # taken for the smallest raise, which the big blind could not check
    with pytest.raises(IllegalActionError, match="cannot be followed beyond r:0:b300"):
        follow(narrow, limped)


def test_other_stacks_can_be_followed_while_the_betting_fits(tree: HoldemTree) -> None:
    other = HoldemGame(2, 6_000, (50, 100)).deal(3).follow("b230:c:c:b630")
    node = follow(tree, other, seed=1)
    assert tree.nodes.player[node] == other.current_player()
