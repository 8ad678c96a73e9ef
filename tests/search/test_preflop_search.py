"""Search before the flop: real bets in the tree, decisions already made kept, ranges that follow from it."""

from pathlib import Path

import numpy as np
import pytest

from overbet.cards.combos import COMBOS, class_of_combos, combo, live_combos
from overbet.cards.preflop import equity_169
from overbet.errors import ConfigError
from overbet.games.holdem import HoldemGame
from overbet.games.holdem_state import HoldemState
from overbet.search.beliefs import HandShares
from overbet.search.cache import SearchCache
from overbet.search.class_shares import equities
from overbet.search.preflop_search import PreflopSearch
from overbet.search.preflop_tree import SKIPPED, preflop_tree
from overbet.search.searcher import Searcher
from overbet.search.settings import PreflopSettings, SearchSettings
from overbet.tree.betting import CHANCE
from tests.search.test_searcher import even

GAME = HoldemGame()
SETTINGS = PreflopSettings(search=True)


class CheckedDown:
    """A future in which equity is realised but for a fifth of player 0's, who is out of position."""

    identity = "checked down"

    def __init__(self) -> None:
        self.asked = list[str]()

    def stands_for(self, state: HoldemState) -> HoldemState | None:
        assert state.street == "flop"
        return state

    def known(self, inner: HoldemState, chooser: int, boards: int) -> np.ndarray | None:
        return None

    def after(self, inner: HoldemState, chooser: int, boards: int) -> np.ndarray:
        self.asked.append(inner.line)
        share = 0.9 * equity_169().astype(np.float32)
        worse = 0.05 if chooser == 0 else -0.05
        return np.stack([share, share - worse, share - worse, share + worse])


def state(line: str, game: HoldemGame = GAME) -> HoldemState:
    return game.initial_state().with_cards([None, None]).follow(line)


def odd(asked: HoldemState) -> bool:
    """Whether a raise of the hand is not one of hundreds."""
    return any(action > 0 and action % 100 for _, _, action in asked.history)


def searcher(cache: SearchCache | None = None, future: CheckedDown | None = None) -> tuple[Searcher, object]:
    settings = SearchSettings.changed(["preflop.search=true", "threads=1", "turn.iterations=10"])
    known = future or CheckedDown()
    return Searcher(settings, cache, off_tree=odd), even._replace(classes=lambda: known)


def test_the_tree_has_the_real_bets_and_ends_with_the_flop() -> None:
    begun = GAME.initial_state().with_cards([None, None], range(5))
    tree = preflop_tree(begun, (270, 911), SETTINGS)
    first = [int(tree.edge[child]) for child in tree.children(0)]
    assert first == [-1, 0, 250, 270]
    real = list(tree.children(0))[3]
    assert [int(tree.edge[child]) for child in tree.children(real)] == [-1, 0, 810, 911]
    for node in np.flatnonzero(tree.kind == CHANCE):
        assert tree.states[node].street == "flop"
        assert len(set(tree.states[node].put_in)) == 1
    kept = preflop_tree(begun, (270, 911), SETTINGS, fixed={0})
    assert [int(kept.kind[child]) for child in kept.children(0)][1:] == [SKIPPED, SKIPPED, 0]
    assert len(kept.kind) < len(tree.kind)


@pytest.mark.parametrize(
    ("stacks", "line", "edges"),
    [
        ((165, 479), "b246", [-1, 0]),  # the least raise is more than the other has
        ((952, 2003), "c:b678:b1363", [-1, 0]),
        ((83_314, 9_413), "b8910:b17720", [-1, 0]),
        ((2_505, 1_014), "b210:b489:b780:b2440", [-1, 0]),
        ((8_630, 1_047), "c:b419", [-1, 0, 1_047]),
    ],
)
def test_a_raise_above_the_shorter_stack_is_all_in(
    stacks: tuple[int, int], line: str, edges: list[int]
) -> None:
    game = HoldemGame(2, list(stacks))
    now, baseline = searcher()
    asked = state(line, game)
    found = now.answer(asked, baseline)
    strategy = found.search.strategy
    node = strategy.node(found.edges)
    assert [int(strategy.edge[child]) for child in strategy.children(node)] == edges
    legal = asked.legal_actions()
    assert all(action in legal for action in found.strategy.actions)
    assert np.allclose(found.strategy.shares.sum(1), 1.0, atol=1e-4)


def test_an_answer_is_legal_adds_up_and_plays_good_hands() -> None:
    now, baseline = searcher()
    asked = state("b270")
    assert now.covers(asked)
    assert not now.covers(state("b300"))
    found = now.answer(asked, baseline)
    assert isinstance(found.search, PreflopSearch)
    assert all(action in asked.legal_actions() for action in found.strategy.actions)
    shares = found.strategy.shares
    assert np.allclose(shares.sum(1), 1.0, atol=1e-4)
    fold = found.strategy.actions.index(-1)
    assert shares[combo("AhAs"), fold] < 0.01
    assert shares[combo("7h2c"), fold] > 0.9
    assert found.search.cost.exploitability < 0.5
    for row in shares[::97]:
        assert np.isfinite(row).all()
    classes = class_of_combos()
    assert np.allclose(shares[combo("AhKh")], shares[np.flatnonzero(classes == classes[combo("AhKh")])[-1]])
    worth = found.search.action_values(found.edges)
    assert np.allclose(worth[:, fold], 0.0, atol=1e-6)
    played = (shares * worth).sum(1)
    assert (played > worth.max(1) - 5).mean() > 0.95  # nobody gives up more than a twentieth of a blind


def test_a_larger_bet_is_folded_to_more_often() -> None:
    now, baseline = searcher()
    folds = [
        now.answer(state(line), baseline).strategy.shares[:, 0].mean() for line in ("b230", "b410", "b870")
    ]
    assert folds[0] < folds[1] < folds[2]


def test_own_decisions_stay_as_they_were_made_and_are_believed_on_the_flop() -> None:
    """The blueprint opened; the odd raise after it is searched, and the ranges on the flop follow."""
    now, baseline = searcher()
    asked = state("b300:b911")
    found = now.answer(asked, baseline)
    opened = baseline.shares(state(""))  # half of everything is raised, to the pot
    tree = found.search.strategy
    place = [int(tree.edge[child]) for child in tree.children(0)].index(300)
    raised = opened.shares[:, [action > 0 for action in opened.actions]].sum(1)
    rest = [k for k, child in enumerate(tree.children(0)) if tree.edge[child] > 0]
    assert np.allclose(tree.at(0)[:, rest].sum(1), raised, atol=1e-3)
    assert (tree.at(0)[:, place] > 0).all()
    flop = state("b300:b911:c:Td9d6h:c")
    ranges = now.ranges(flop, baseline)
    live = live_combos(flop.board)
    expected = found.search.reach((300, 911, 0))
    for player in (0, 1):
        assert np.allclose(
            ranges[player, live], expected[player, live] / expected[player, live].max(), atol=1e-6
        )


def test_what_classes_are_worth_is_kept_on_disk(tmp_path: Path) -> None:
    asked = state("b270")
    first, second = CheckedDown(), CheckedDown()
    with SearchCache(tmp_path) as cache:
        now, baseline = searcher(cache, first)
        one = now.answer(asked, baseline).strategy
    with SearchCache(tmp_path) as cache:
        now, baseline = searcher(cache, second)
        two = now.answer(asked, baseline).strategy
    assert first.asked
    assert not second.asked
    assert np.array_equal(one.shares, two.shares)


def test_without_values_or_switched_off_it_is_said_or_left_to_the_blueprint() -> None:
    now, _ = searcher()
    with pytest.raises(ConfigError, match="needs a blueprint's values"):
        now.answer(state("b270"), even)
    assert not Searcher(SearchSettings(), off_tree=odd).covers(state("b270"))
    found, baseline = searcher()
    answer = found.answer(state("b270"), baseline)
    with pytest.raises(ConfigError, match="before the flop cannot be opened"):
        answer.search.solution.node()
    assert isinstance(answer.strategy, HandShares)
    assert answer.strategy.shares.shape[0] == COMBOS


def test_searches_share_what_classes_are_worth_where_they_end() -> None:
    """Matrices of their own in every search would be some tens of megabytes each, and 64 are remembered."""
    now, baseline = searcher()
    searches = [now.answer(state(line), baseline).search for line in ("b270", "b310")]
    held = [{id(end.shares) for end in search._game.ends.values()} for search in searches]
    known = {id(shares) for shares in now._preflop._values.values()} | {id(equities()), id(None)}
    assert held[0] | held[1] <= known
    assert len(known) < len(searches[0]._game.ends) + len(searches[1]._game.ends)
