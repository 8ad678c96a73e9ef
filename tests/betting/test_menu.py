from __future__ import annotations

import numpy as np
import pytest

from overbet.betting.menu import MOST_RAISES, MOST_SIZES, Menu, StreetMenu, menu_sizes, push_or_fold
from overbet.betting.sizes import Decision, Thresholds, parse_sizes
from overbet.betting.sizes import menu as sizes_menu
from overbet.errors import ConfigError
from overbet.games.holdem import HoldemGame
from overbet.kernels.agents.scripted import MOST_CHOICES
from overbet.kernels.lbr.ranges import WIDE
from overbet.kernels.training.tree import MOST_ACTIONS
from overbet.tree.holdem import build_tree


def tree_of(menu: dict[str, object], game: HoldemGame | None = None):  # type: ignore[no-untyped-def]
    return build_tree(game or HoldemGame(2, 10_000, (50, 100)), Menu.parse(menu))


def test_sizes_are_read() -> None:
    assert [tuple(size) for size in menu_sizes("2.5bb, 33%, 3x, 20c, 2e, a, a<4")] == [
        ("bb", 2.5),
        ("%", 0.33),
        ("x", 3.0),
        ("c", 20.0),
        ("e", 2.0),
        ("a", float("inf")),
        ("a", 4.0),
    ]


@pytest.mark.parametrize("text", ["half", "-33%", "0%", "0bb", "a<", "3bbs", "1x"])
def test_other_sizes_are_refused(text: str) -> None:
    with pytest.raises(ConfigError, match="size"):
        menu_sizes(text)


def test_amounts_before_the_flop() -> None:
    tree = tree_of({"preflop": {"sizes": ["2.5bb, 3x, 100%, 20c, a", "a"], "raises": 2}})
    # 250; 3 x 100; a pot of 200 after calling on top of 100; 100 + 20 is under the minimum of 200
    assert tree.actions(0) == (-1, 0, 200, 250, 300, 10_000)
    assert tree.actions(tree.find("b300")) == (-1, 0, 10_000)
    assert tree.actions(tree.find("b300:b10000")) == (-1, 0)
    assert tree.actions(tree.find("c")) == (0, 200, 250, 300, 10_000)


def test_amounts_after_the_flop() -> None:
    menu = {
        "preflop": {"sizes": ["3bb"], "raises": 1},
        "flop": {"sizes": ["50%, e", "2.5x, 50%"], "raises": 2},
    }
    tree = tree_of(menu)
    geometric = 600 * ((1 + 2 * 9700 / 600) ** (1 / 3) - 1) / 2
    assert tree.actions(tree.find("b300:c")) == (0, 300, round(geometric))
    # raising 300: 2.5 times it, or half of the pot after calling (1,200) on top
    assert tree.actions(tree.find("b300:c:b600")) == (-1, 0, 750, 900)
    assert tree.nodes.player[tree.find("b300:c")] == 0  # the big blind acts first after the flop


def test_all_in_only_under_a_stack_to_pot_limit() -> None:
    menu = {"preflop": {"sizes": ["3bb, 40bb"], "raises": 1}, "flop": {"sizes": ["50%, a<4"], "raises": 1}}
    tree = tree_of(menu)
    assert tree.actions(tree.find("b300:c")) == (0, 300)
    assert tree.actions(tree.find("b4000:c")) == (0, 4000, 6000)


def test_positions_have_their_own_sizes() -> None:
    menu = {"preflop": {"sizes": "3bb", "raises": 1, "positions": {"SB": ["2bb, a"], "BTN": "2.2bb"}}}
    tree = tree_of(menu, HoldemGame(3, 10_000, (50, 100)))
    assert tree.actions(0) == (-1, 0, 220)
    assert tree.actions(tree.find("f")) == (-1, 0, 200, 10_000)
    with pytest.raises(ConfigError, match=r"unknown position 'UTG'.*SB, BB, BTN"):
        tree_of({"preflop": {"sizes": "3bb", "positions": {"UTG": "2bb"}}}, HoldemGame(3, 10_000, (50, 100)))


def test_no_limping_leaves_fold_and_raise_but_the_big_blind_may_check() -> None:
    menu = {"preflop": {"sizes": "3bb", "raises": 1, "limp": False}}
    tree = tree_of(menu, HoldemGame(3, 10_000, (50, 100)))
    assert tree.actions(0) == (-1, 300)
    assert tree.actions(tree.find("b300")) == (-1, 0)
    limped = tree_of({"preflop": {"sizes": "3bb", "raises": 1}}, HoldemGame(3, 10_000, (50, 100)))
    assert limped.actions(limped.find("c:c")) == (0, 300)


def test_close_sizes_are_merged_and_small_remainders_forced() -> None:
    menu = {"preflop": {"sizes": "3bb, 3.1bb, 95bb", "raises": 1}, "merge": 0.1, "force_all_in": 0.2}
    assert tree_of(menu).actions(0) == (-1, 0, 310, 10_000)


@pytest.mark.parametrize(("smaller", "larger"), [(200, 230), (220, 252), (500, 560), (750, 835)])
def test_sizes_exactly_as_far_apart_as_asked_are_kept_everywhere(smaller: int, larger: int) -> None:
    """Ties: (200 + larger - 100) / (200 + smaller - 100) is 1.1, which shares of the pot round to less."""
    sizes = f"{smaller / 100:g}bb, {larger / 100:g}bb"
    tree = tree_of({"preflop": {"sizes": sizes, "raises": 1}, "merge": 0.1})
    assert tree.actions(0) == (-1, 0, smaller, larger)
    at = Decision(pot=150, faced=100, own=50, stack=10_000, streets_left=4, min_bet=100, min_raise=200)
    spot = sizes_menu(parse_sizes(f"{smaller - 100}c, {larger - 100}c"), at, Thresholds(merge=0.1))
    assert spot == [smaller, larger]
    closer = tree_of({"preflop": {"sizes": sizes, "raises": 1}, "merge": 0.1001})
    assert closer.actions(0) == (-1, 0, larger)


def test_push_or_fold() -> None:
    tree = build_tree(HoldemGame(2, 1000, (50, 100)), push_or_fold())
    assert tree.actions(0) == (-1, 1000)
    assert tree.size.decisions == (2, 0, 0, 0)


@pytest.mark.parametrize(
    ("menu", "words"),
    [
        ({"flop": {"sizes": "3x"}}, "no bet to multiply"),
        ({"flop": {"size": "50%"}}, r"unknown key 'flop.size' \(did you mean 'sizes'\?\)"),
        ({"preflop": {"sizes": "3xx"}}, "'3xx'"),
        ({"preflop": {"raises": -1}}, "preflop.raises"),
        ({"river": {"sizes": ",".join(f"{n}%" for n in range(10, 30))}}, "20 sizes; at most 14"),
        ({"rivers": {}}, "unknown key 'rivers'"),
    ],
)
def test_bad_menus_are_refused(menu: dict[str, object], words: str) -> None:
    with pytest.raises(ConfigError, match=words):
        Menu.parse(menu)


def test_the_menu_is_legal_everywhere() -> None:
    """Every action of the tree is legal under the rules as the state tells them."""
    rng = np.random.default_rng(3)
    for players, stacks in ((2, [900, 4000]), (3, [500, 1200, 3000]), (4, [300, 5000, 150, 800])):
        game = HoldemGame(players, stacks, (50, 100), ante=10)
        street = {"sizes": ["40%, 130%, a", "2.2x, a"], "raises": 2}
        menu = Menu.parse(
            {"preflop": {"sizes": ["2.5bb, a", "a"], "raises": 2}, "flop": street, "turn": {"sizes": "e"}}
        )
        tree = build_tree(game, menu)
        for seed in range(60):
            node, state = 0, game.deal(seed)
            while tree.nodes.player[node] >= 0:
                assert state.current_player() == tree.nodes.player[node]
                assert state.pot == tree.nodes.pot[node]
                assert all(action in state.legal_actions() for action in tree.actions(node))
                child = int(rng.choice(list(tree.children(node))))
                state, node = state.apply(int(tree.nodes.action[child])), child
            assert state.is_terminal()


def test_sizes_beyond_all_pots_are_refused() -> None:
    for text in ("2000000000bb", f"{'9' * 400}bb", f"{'9' * 400}%"):
        with pytest.raises(ConfigError, match=r"at most 1,000,000,000; write a \(all-in\) for more"):
            menu_sizes(text)


def test_what_a_decision_can_have_fits_all_that_is_sized_by_it() -> None:
    """Trees, walks, agents and LBR have room for so many actions; menus are checked against it."""
    sizes = ", ".join(f"{place}%" for place in range(1, MOST_SIZES + 2))
    with pytest.raises(ValueError, match=f"has {MOST_SIZES + 1} sizes; at most {MOST_SIZES} are possible"):
        StreetMenu(sizes=(sizes,))
    assert MOST_SIZES + 2 <= MOST_ACTIONS <= MOST_CHOICES <= WIDE // 2
    scripted = 7  # fold, call and the random agent's five raises
    assert MOST_ACTIONS + scripted <= WIDE
    assert np.iinfo(np.int8).max >= max(MOST_ACTIONS, MOST_RAISES)
