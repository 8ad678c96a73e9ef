"""Search at the table: trees with real bets, beliefs over streets, the same answer whenever asked."""

import gc
import weakref

import numpy as np
import pytest

from overbet.cards.combos import COMBOS, combo_table, live_combos
from overbet.errors import ConfigError
from overbet.games.holdem import HoldemGame
from overbet.games.holdem_state import HoldemState
from overbet.search.beliefs import Baseline, HandShares
from overbet.search.searcher import Searcher
from overbet.search.settings import SearchSettings
from overbet.search.street_start import edges_on, street_start
from overbet.search.subgame import subgame_tree, with_equal_suits
from overbet.solvers.vector.api import solve
from overbet.solvers.vector.response import BEST
from overbet.solvers.vector.sampling import BoardBuckets
from overbet.tree.spot import IP

GAME = HoldemGame(stacks=2000)
QUICK = ("turn.iterations=20", "river.iterations=40", "threads=1")
RIVER = "r:0:b250:c:Td9d6h:c:c:2c:c:c:As"


def settings(*changes: str) -> SearchSettings:
    return SearchSettings.changed([*QUICK, *changes])


def state(line: str, game: HoldemGame = GAME) -> HoldemState:
    return game.initial_state().with_cards([None, None]).follow(line)


def shares(asked: HoldemState) -> HandShares:
    """A strategy in which every hand takes every action alike: it tells nothing."""
    legal = asked.legal_actions()
    actions = [-1, 0] if legal.fold else [0]
    if legal.raise_max is not None:
        actions.append(min(asked.pot + asked.to_call, legal.raise_max))
    found = np.full((COMBOS, len(actions)), 1.0 / len(actions))
    found[~live_combos(asked.board)] = np.nan
    return HandShares(tuple(actions), found)


even = Baseline(shares)


def test_the_real_bets_of_the_street_are_in_the_tree_where_they_were_made() -> None:
    now = state(f"{RIVER}:b377:b1201")  # 127 into 500, raised to 951
    start = street_start(now)
    assert (start.pot, start.stack, start.street) == (500, 1750, 2)
    edges = edges_on(now, start.stack)
    assert edges == (127, 951)
    tree = subgame_tree(start, np.ones((2, COMBOS)), edges, settings()).tree
    betting = tree.betting
    first = [int(betting.edge[child]) for child in betting.children(0)]
    assert 127 in first
    other = next(child for child in betting.children(0) if betting.edge[child] == first[-1])
    assert 951 not in [int(betting.edge[child]) for child in betting.children(other)]


def test_an_answer_is_legal_adds_up_and_leaves_dead_hands_out() -> None:
    asked = state(f"{RIVER}:b377")
    found = Searcher(settings()).answer(asked, even).strategy
    legal = asked.legal_actions()
    assert all(action in legal for action in found.actions)
    live = live_combos(asked.board)
    assert np.allclose(found.shares[live].sum(1), 1.0, atol=1e-5)
    assert np.isnan(found.shares[~live]).all()


def test_the_answer_is_the_solve_of_the_same_spot() -> None:
    """With a strategy that tells nothing both ranges are whole, so a spot file can say the same."""
    found = Searcher(settings("river.target=0", "streets=[river]")).answer(state(RIVER), even)
    tree = found.search.tree
    again = solve(tree.spot, target=0, iterations=40, threads=1, device="cpu", progress=lambda look: None)
    mine, theirs = found.search.solution.node().oop, again.node().oop
    assert mine.strategy is not None
    assert theirs.strategy is not None
    assert np.allclose(mine.strategy, theirs.strategy, atol=1e-4)


def test_asking_again_in_another_order_gives_the_same_bits() -> None:
    lines = [f"{RIVER}:c", f"{RIVER}:b377", f"{RIVER}:c:b450:b1000"]
    first, second = Searcher(settings()), Searcher(settings())
    answers = [first.answer(state(line), even).strategy for line in lines]
    for line, answer in zip(reversed(lines), reversed(answers)):
        again = second.answer(state(line), even).strategy
        assert again.actions == answer.actions
        assert np.array_equal(again.shares, answer.shares, equal_nan=True)


def test_own_decisions_on_the_street_stay_as_they_were_made() -> None:
    """Out of position, a check and then an odd bet: the second search has the first one's check in it."""
    searcher = Searcher(settings())
    before = searcher.answer(state(RIVER), even)
    after = searcher.answer(state(f"{RIVER}:c:b471"), even)
    assert after.new
    assert after.search is not before.search
    node = after.search.strategy.node(())
    assert node == 0
    live = live_combos(state(RIVER).board)
    assert np.allclose(after.search.strategy.at(0)[live], before.search.strategy.at(0)[live], atol=1e-5)
    reach = after.search.reach((0,))
    checks = before.search.strategy.at(0)[:, before.strategy.actions.index(0)]
    assert np.allclose(reach[0, live], checks[live] * after.search.ranges[0, live], atol=1e-5)


def test_a_bet_of_the_tree_is_not_searched_again() -> None:
    searcher = Searcher(settings())
    first = searcher.answer(state(RIVER), even)
    bet = int(first.search.strategy.edge[list(first.search.strategy.children(0))[1]])
    second = searcher.answer(state(f"{RIVER}:c:b{250 + bet}"), even)
    assert not second.new
    assert second.search is first.search


def test_the_next_street_begins_with_what_the_last_search_believed() -> None:
    searcher = Searcher(settings())
    turn = state("r:0:b250:c:Td9d6h:c:c:2c:c:b377")
    answer = searcher.answer(turn, even)
    calls = answer.search.reach((0, 127, 0))
    river = state("r:0:b250:c:Td9d6h:c:c:2c:c:b377:c:As")
    ranges = searcher.ranges(river, even)
    live = live_combos(river.board)
    for player in (0, 1):
        assert np.allclose(ranges[player, live], calls[player, live] / calls[player, live].max(), rtol=1e-6)
        assert not ranges[player, ~live].any()


def test_a_range_is_not_emptied_by_an_action_that_the_search_never_takes() -> None:
    answer = Searcher(settings()).answer(state(f"{RIVER}:c"), even)
    strategy = answer.search.strategy
    node = strategy.node((0,))
    assert node is not None
    strategy.shares[strategy.row[node]] = 0.0  # nobody checks behind
    found = answer.search.reach((0, 0))
    assert np.isfinite(found).all()
    assert np.array_equal(found[1], answer.search.ranges[1])


def test_time_and_iterations_end_a_search() -> None:
    found = Searcher(settings("river.target=0")).answer(state(RIVER), even)
    assert found.search.cost.iterations == 40
    hasty = Searcher(SearchSettings.changed(["seconds=0.001", "river.target=0", "threads=1"]))
    cost = hasty.answer(state(RIVER), even).search.cost
    assert cost.iterations == 1
    assert cost.exploitability > 1.0  # what it has, and how good that is


def test_suits_are_taken_for_equal_only_where_the_ranges_say_so() -> None:
    board = state("r:0:b250:c:Td9d6h").board
    ranges = np.ones((2, COMBOS))
    assert with_equal_suits(ranges, board)[1]
    ranges[0, 0] = 0.5  # 2c2d, whose twin is 2d2s
    assert not with_equal_suits(ranges, board)[1]


@pytest.mark.parametrize("seed", range(6))
def test_random_hands_at_any_stack_are_answered_legally(seed: int) -> None:
    _play_randomly(seed, Searcher(settings("turn.iterations=10", "river.iterations=10")), even)


def _play_randomly(seed: int, searcher: Searcher, baseline: Baseline) -> None:
    rng = np.random.default_rng(seed)
    stacks = [int(chips) for chips in rng.integers(150, 30_000, 2)]
    game = HoldemGame(stacks=stacks, ante=int(rng.integers(0, 3)) * 10)
    now = game.deal(seed, 0)
    while not now.is_terminal():
        legal = now.legal_actions()
        if searcher.covers(now):
            found = searcher.answer(now, baseline).strategy
            assert all(action in legal for action in found.actions)
            assert np.allclose(found.shares[live_combos(now.board)].sum(1), 1.0, atol=1e-4)
        choices = [
            0,
            0,
            *([int(rng.integers(legal.raise_min, legal.raise_max + 1))] if legal.raise_max else []),
        ]
        now = now.apply(int(rng.choice(choices)))


def test_gadgets_promise_what_the_last_search_gave() -> None:
    """With the same bets, no hand of the opponent can get more after the search than it could before."""
    river = state("r:0:b250:c:Td9d6h:c:c:2c:c:b377:c:As")
    finer = ("turn.iterations=20", "river.iterations=150", "river.target=0.05")
    same = "river.bets={river: {bet: 75%, raise: ''}}"
    largest, gifts = {}, 0.0
    for gadget in ("unsafe", "resolve", "maxmargin", "reach", "reach-estimates"):
        searcher = Searcher(settings(f"gadget={gadget}", same, *finer))
        answer = searcher.answer(river, even)
        promise = searcher._promise(river, 0, even)
        assert promise is not None
        entering = answer.search.engine.judge
        entering.gadget = None  # the whole range enters
        best = entering.value(IP, BEST).root / entering.met[IP]
        hands = answer.search.tree.hands[IP].combos
        largest[gadget] = float((best - promise.values[hands]).max())
        if gadget == "reach":
            gifts = float(promise.gifts[hands].max())
            largest[gadget] = float((best - promise.values[hands] - promise.gifts[hands]).max())
    pot = 754
    assert largest["resolve"] < 0.01 * pot
    assert largest["maxmargin"] < 0.01 * pot
    assert largest["reach"] < 0.01 * pot
    assert gifts > 0.01 * pot  # betting the turn was not the best that every hand could do
    assert largest["unsafe"] > largest["resolve"]  # believing and not promising gives some hands more


def test_searches_are_remembered_within_a_limit_of_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("overbet.search.searcher._MOST_BYTES", 3 << 20)
    searcher = Searcher(settings("streets=[river]", "river.iterations=10"))
    for bet in (371, 381, 391, 401):
        searcher.answer(state(f"{RIVER}:b{bet}"), even)
    assert searcher.made == 4
    assert len(searcher._searches) < 4
    assert not searcher.answer(state(f"{RIVER}:b401"), even).new
    assert searcher.answer(state(f"{RIVER}:b371"), even).new


def test_the_flop_is_searched_with_drawn_boards_and_shared_rows() -> None:
    """Hands stay apart on the flop; its answer adds up, is the same again, and is believed on the turn."""
    flop = state("r:0:b250:c:Td9d6h:b377")
    with_flop = settings("streets=[flop, turn, river]", "flop.iterations=12", "flop.drawn=2")
    answers = []
    for _ in range(2):
        searcher = Searcher(with_flop)
        answers.append(searcher.answer(flop, sharing()))
    first, second = (answer.strategy for answer in answers)
    assert np.array_equal(first.shares, second.shares, equal_nan=True)
    assert np.allclose(first.shares[live_combos(flop.board)].sum(1), 1.0, atol=1e-5)
    assert answers[0].search.cost.exploitability is None
    turn = state("r:0:b250:c:Td9d6h:b377:c:2c")
    calls = answers[1].search.reach((127, 0))[1]
    ranges = searcher.ranges(turn.apply(0), sharing())
    live = live_combos(turn.board)
    assert np.allclose(ranges[1, live], calls[live] / calls[live].max(), rtol=1e-6)
    with pytest.raises(ConfigError, match=r"flop\.drawn=2: drawing boards needs a blueprint's buckets"):
        Searcher(with_flop).answer(flop, even)


def sharing() -> Baseline:
    """The same strategy, with hands of the same two ranks in one bucket."""
    ranks = combo_table().astype(np.int64) // 4
    return even._replace(buckets=BoardBuckets(lambda board: ranks[:, 0] * 13 + ranks[:, 1], {1: 169, 2: 169}))


def test_a_search_that_is_forgotten_frees_its_tables_at_once() -> None:
    searcher = Searcher(settings("river.iterations=2"))
    answer = searcher.answer(state(RIVER), even)
    engine = weakref.ref(answer.search.engine)
    gc.disable()
    try:
        searcher._searches.clear()
        del answer
        assert engine() is None
    finally:
        gc.enable()
