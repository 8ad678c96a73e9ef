"""Search at a table of three: beliefs about everybody, who answers, frozen decisions, faults, odd states."""

import numpy as np
import pytest

from overbet.agents.protocol import Observation, PublicState, pick
from overbet.agents.registry import make_agent
from overbet.agents.searcher import SearchAgent, search
from overbet.cards.combos import combo, live_combos
from overbet.errors import ConfigError, RulesError, TooLargeError
from overbet.games.holdem import HoldemGame
from overbet.games.holdem_state import HoldemState
from overbet.kernels.match.play import OFF_TREE
from overbet.search.question import SearchQuestion
from overbet.search.street_search import StreetSearch, search_street
from overbet.search.street_start import replayed
from overbet.search.table import sampled_search
from overbet.search.table.sampled_search import SampledSearch
from overbet.search.table.searcher import TableSearcher, after_edges
from overbet.study.advice import advise

QUICK = (
    "search:expresso,cache=false,threads=1,streets=[flop,turn,river],turn.iterations=8,river.iterations=8,"
    "table.flop.iterations=8,table.turn.iterations=16,table.river.iterations=16"
)


@pytest.fixture(scope="module")
def agent() -> SearchAgent:
    found = make_agent(QUICK)
    assert isinstance(found, SearchAgent)
    return found


def searcher_of(agent: SearchAgent) -> TableSearcher:
    assert isinstance(agent.searcher, TableSearcher)
    return agent.searcher


def state_of(line: str, game: HoldemGame | None = None) -> HoldemState:
    table = game or HoldemGame(3, 500, (10, 20))
    return table.initial_state().with_cards([None] * 3).follow(line)


def test_ranges_follow_everybody_before_the_flop(agent: SearchAgent) -> None:
    """One hand of each player by hand: the chances of what was done, of who folded too."""
    state = state_of("b40:f:c:Td9d6h")
    found = searcher_of(agent).ranges(state, agent.baseline())
    assert found.shape == (3, 1326)
    hands = [combo("7h2s"), combo("9s8s"), combo("AhKh")]
    for now, action in replayed(state):
        player = now.current_player()
        strategy = agent.blueprint.strategy_for_all_hands(PublicState.of(now))
        chances = np.where(live_combos(state.board), strategy.shares[:, strategy.actions.index(action)], 0.0)
        assert found[player] == pytest.approx(np.nan_to_num(chances / np.nanmax(chances)))
        assert 0 < found[player, hands[player]] <= 1
    assert found[0, combo("AsAc")] < 0.05  # aces do not fold


def test_ranges_follow_the_searches_that_were_made(agent: SearchAgent) -> None:
    """On the flop all three by the search of who decides now; the odd bet is in it with its real size."""
    searcher, baseline = searcher_of(agent), agent.baseline()
    flop = state_of("c:c:c:Td9d6h:c:b57")
    first = searcher.answer(flop, baseline)
    assert isinstance(first.search, SampledSearch)
    assert first.edges == (0, 37)
    turn = flop.follow("c:f:2c")
    found = searcher.ranges(turn.follow("c"), baseline)  # the same player decides
    begun = searcher.ranges(flop, baseline)
    strategy, expected = first.search.strategy, begun.copy()
    for edges, edge in (((), 0), ((0,), 37), ((0, 37), 0), ((0, 37, 0), -1)):
        node = strategy.node(edges)
        assert node is not None
        place = [int(strategy.edge[child]) for child in strategy.children(node)].index(edge)
        expected[strategy.kind[node]] *= np.nan_to_num(strategy.at(node)[:, place])
    live = live_combos(turn.board)
    for player in range(3):
        row = np.where(live, expected[player], 0.0)
        assert found[player] == pytest.approx(row / row.max(), abs=1e-9)


def test_no_range_is_ever_empty(agent: SearchAgent) -> None:
    searcher, baseline = searcher_of(agent), agent.baseline()
    state = state_of("c:c:c:Td9d6h")
    answer = searcher.answer(state, baseline)
    node = answer.search.strategy.node(())
    assert node is not None
    first = int(answer.search.strategy.row[node])
    kept = answer.search.strategy.shares[first : first + 2].copy()
    try:
        answer.search.strategy.shares[first] = 0.0  # nobody checks
        before = searcher.ranges(state, baseline)
        after = after_edges(answer.search, before, (0, 1, 2), (0,))
        assert np.array_equal(after, before)
    finally:
        answer.search.strategy.shares[first : first + 2] = kept


def test_two_who_are_left_are_solved_as_heads_up(agent: SearchAgent) -> None:
    """The same subgame as of a heads-up hand: pot with the dead money, the shorter stack, both ranges."""
    searcher, baseline = searcher_of(agent), agent.baseline()
    state = state_of("b40:f:c:Td9d6h:c:c:2c:c")
    answer = searcher.answer(state, baseline)
    assert isinstance(answer.search, StreetSearch)
    start = answer.search.start
    assert (start.pot, start.stack, start.street) == (90, 460, 1)
    both = searcher.ranges(state, baseline)[[1, 2]]
    asked = SearchQuestion(start, both, (), (), None, baseline.buckets)
    again = search_street(*asked, searcher.settings)
    assert np.array_equal(again.strategy.shares, answer.search.strategy.shares, equal_nan=True)
    assert answer.strategy.actions[0] == 0


def test_own_decisions_are_frozen_when_a_street_is_searched_again(agent: SearchAgent) -> None:
    searcher, baseline = searcher_of(agent), agent.baseline()
    first = searcher.answer(state_of("c:c:c:Td9d6h"), baseline)
    again = searcher.answer(state_of("c:c:c:Td9d6h:c:b53:c"), baseline)  # a size that the menu does not have
    assert again.search is not first.search
    assert again.edges == (0, 33, 0)
    one, two = (answer.search.strategy.at(0) for answer in (first, again))
    assert np.array_equal(one, two, equal_nan=True)
    node = again.search.strategy.node((0,))
    assert node is not None
    sizes = [int(again.search.strategy.edge[child]) for child in again.search.strategy.children(node)]
    assert 33 in sizes
    assert len(sizes) == len({*sizes}) > 2


def test_what_is_played_is_what_is_asked(agent: SearchAgent) -> None:
    for hand in range(4):
        now = agent.own_table.deal(5, hand)
        while not now.is_terminal():
            seen = Observation.of(now, 5, hand)
            found = agent.strategy_for_all_hands(PublicState.of(now, 5, hand))
            assert agent.act(seen) == found.actions[pick(found.of_hand(seen.combo), seen.uniform())]
            now = now.apply(0)


def test_a_search_that_cannot_be_made_is_left_to_the_blueprint_and_counted(
    agent: SearchAgent, monkeypatch: pytest.MonkeyPatch
) -> None:
    def too_large(*_: object) -> None:
        raise TooLargeError("the subgame is too large")

    fresh = SearchAgent(agent.blueprint, agent.searcher.settings)
    monkeypatch.setattr(sampled_search, "street_table", too_large)
    now = fresh.own_table.deal(1, 0).apply(0).apply(0).apply(0)
    assert now.street == "flop"
    assert fresh.act(Observation.of(now, 1, 0)) == fresh.blueprint.act(Observation.of(now, 1, 0))
    assert (fresh.failed, fresh.fault) == (1, "the subgame is too large")
    assert fresh.counted[OFF_TREE] == 1


def test_from_python_and_what_is_refused(agent: SearchAgent) -> None:
    state = state_of("c:c:c:Td9d6h:c:c:c:2c")
    quick = {"turn": {"iterations": 8}}  # the rest stays as it is
    answer = search(state, blueprint="expresso", cache=False, table=quick)
    live = live_combos(state.board)
    assert answer.strategy.shares[live].sum(1) == pytest.approx(1.0)
    assert answer.search.cost.iterations == 8
    with pytest.raises(RulesError, match="preflop is not searched: settings name turn, river; ask"):
        search(state_of("c"), blueprint="expresso", cache=False)
    with pytest.raises(ConfigError, match=r"search:expresso.* plays with 3 players, not with 4"):
        agent.prepare(HoldemGame(4))
    with pytest.raises(ConfigError, match="gadgets are for two players"):
        search(state, blueprint="expresso", gadget="reach")
    with pytest.raises(ConfigError, match="a search of the turn cannot go to the flop"):
        search(state, blueprint="expresso", table={"turn": {"to": "flop"}})


def test_advice_says_what_actions_are_worth(agent: SearchAgent) -> None:
    """The nuts of three players: never folded, and worth more than what is in the pot for a call."""
    state = state_of("c:c:c:Td9d6h:c:c:c:2c:c:c:c:As:b53")
    found = advise(agent, state, "8h7h")  # a straight
    assert (found.source, found.exploitability, found.iterations) == ("search", None, 16)
    values = {action.token: action.ev_bb for action in found.actions}
    assert values["f"] == pytest.approx(0.0, abs=1e-5)
    assert values["c"] is not None
    assert values["c"] > (state.pot / 20) * 0.8
    assert sum(action.share for action in found.actions) == pytest.approx(1.0)


def test_a_time_is_kept_and_iterations_are_told(agent: SearchAgent) -> None:
    state = state_of("c:c:c:Td9d6h:c:c:c:2c:c:c:c:As")
    endless = {"river": {"to": "river", "iterations": 1_000_000}}
    answer = search(state, blueprint="expresso", cache=False, seconds=0.3, table=endless)
    cost = answer.search.cost
    assert 8 <= cost.iterations < 100_000  # the time ended it
    assert cost.seconds < 30  # a million iterations would take many minutes


def test_odd_states_are_answered_legally(agent: SearchAgent) -> None:
    """Other stacks than the blueprint's, antes, side pots, any sizes: no exception and no illegal bet."""
    rng = np.random.default_rng(20261116)
    asked = {SampledSearch: 0, StreetSearch: 0}
    for hand in range(14):
        stacks = [int(chips) for chips in np.exp(rng.uniform(np.log(25), np.log(5000), 3))]
        game = HoldemGame(3, stacks, (10, 20), ante=int(rng.choice([0, 0, 3])))
        agent.prepare(game)
        now = game.deal(17, hand)
        while not now.is_terminal():
            legal = now.legal_actions()
            if agent.searcher.covers(now):
                assert agent.act(Observation.of(now, 17, hand)) in legal, now
                assert not agent.fault, (now, agent.fault)
                assert agent.last is not None
                asked[type(agent.last.search)] += 1  # type: ignore[index]
            odd = int(rng.integers(legal.raise_min, legal.raise_max + 1)) if legal.raise_max else 0
            small = max(min(odd, int(now.pot * rng.uniform(0.1, 2.0))), legal.raise_min or 0) if odd else 0
            now = now.apply(int(rng.choice([0, 0, 0, 0, odd, small, *[-1] * legal.fold])))
    assert asked[SampledSearch] > 10
    assert asked[StreetSearch] > 3
