"""AIVAT of hold'em matches: unbiased with any value function, far less spread, the same for any split."""

import numpy as np
import pytest
from numba import typeof

from overbet.agents.blueprint import shipped_names
from overbet.agents.compiled import blank_match
from overbet.agents.registry import make_agent
from overbet.cards.combos import combo_masks
from overbet.errors import ConfigError
from overbet.evaluation.aivat import MatchAivat, match_estimator
from overbet.evaluation.aivat_call import calls_of_match
from overbet.evaluation.match_blocks import compiled_match, play_compiled
from overbet.evaluation.matches import play_match
from overbet.games.holdem import MOST_CHIPS, HoldemGame
from overbet.kernels.aivat.hand import LINEAR, REST, Played

SILLY = {"slopes": (0.0, -2.0, 4.0, 7.0), "gains": (5.0, -3.0, 6.0, 0.0), "rate": 0.05, "samples": 2}


def block_of(agents, game, deals, seed):
    return play_compiled(compiled_match(agents, game, seed), game, tuple(agents), 0, deals)


def by_deal(values, players):
    return values.reshape(-1, players, players).mean(1)


def bias(block, found):
    """How many standard errors the estimates' mean lies from the mean of what was won, by slot."""
    players = block.game.num_players
    gap = by_deal(block.won.astype(float), players) - by_deal(found, players)
    return gap.mean(0) / (gap.std(0) / np.sqrt(len(gap)))


@pytest.mark.parametrize(
    ("specs", "options", "known"),
    [
        (("tag", "lag"), {}, None),
        (("random", "equity"), {}, [0]),
        (("tag", "lag"), SILLY, None),
        (("random", "equity"), SILLY, [1]),
        (("random", "tag"), SILLY, []),
    ],
)
def test_the_mean_is_that_of_what_was_won(specs, options, known):
    agents, game = [make_agent(spec) for spec in specs], HoldemGame()
    block = block_of(agents, game, 4000, 11)
    found = MatchAivat(agents, game, known, **options).estimate(block)
    assert abs(bias(block, found)).max() < 4.0
    np.testing.assert_allclose(found.sum(1), 0.0, atol=1e-6)  # chips are not made


def hands_on(cards, moves):
    """The same betting with each of these cards: [hand, 9]."""
    count = len(cards)
    zeros = np.zeros(count, np.int64)
    starts = np.arange(count + 1, dtype=np.int64) * len(moves)
    return Played(cards, zeros, zeros, np.zeros((count, 2), np.int64), starts, np.tile(moves, count))


@pytest.mark.parametrize(("street", "raise_"), [(2, 0), (2, 300), (3, 0), (3, 300)])
def test_the_cards_of_a_street_cancel_exactly(street, raise_):
    """Every turn or river that could have come, once: both parts of its term add up to zero.

    With as many boards drawn as there are the sampled part is a sum over all of them.
    """
    agents = [make_agent("tag"), make_agent("lag")]
    estimator = MatchAivat(agents, HoldemGame(), rate=1e9, samples=45, practice=0)
    lying = [0, 21, 50, 33, 8, 14, 47, 30, 41][: 5 + street]  # the holdings 2c 7d and Kh 10d
    others = np.array([card for card in range(52) if card not in lying])
    cards = np.zeros((len(others), 9), np.int64)
    cards[:, : len(lying)] = lying
    cards[:, len(lying)] = others
    if street == 2:  # any river: it does not show on the turn
        cards[:, 8] = np.where(others == others[0], others[1], others[0])
    first = [raise_, 0] if raise_ else [0, 0]
    terms = estimator._terms(hands_on(cards, np.array(first + [0, 0] * street, np.int64)), 5)
    for part in (LINEAR, REST):
        found = terms[:, part + street - 1, 0]
        assert abs(found).max() > 1.0
        assert abs(found.sum()) < 1e-6


def test_the_deals_cancel_exactly():
    """The mean of u over all deals, once by classes and once by every pair of hands."""
    agents = [make_agent("tag"), make_agent("random")]
    plan = MatchAivat(agents, HoldemGame(), practice=0)._plan
    apart = (combo_masks()[:, None] & combo_masks()[None]) == 0
    one, two = np.nonzero(apart)
    kinds = plan.classes[one], plan.classes[two]
    for rotation in range(2):
        u = plan.base[rotation][kinds] + plan.tilt[rotation][kinds] * plan.pairs[one, two]
        assert u.mean() == pytest.approx(plan.mean[rotation], abs=1e-5)


def test_short_stacks_and_antes():
    agents, game = [make_agent("lag"), make_agent("random")], HoldemGame(2, 1200, (50, 100), ante=10)
    block = block_of(agents, game, 6000, 12)
    found = match_estimator(agents, game).estimate(block)
    assert abs(bias(block, found)).max() < 4.0
    assert by_deal(found, 2)[:, 0].std() < 0.7 * by_deal(block.won.astype(float), 2)[:, 0].std()


@pytest.mark.parametrize("players", [2, 3])
def test_rake_is_paid_by_who_wins(players):
    agents = [make_agent(spec) for spec in ("always-raise", "lag", "equity")[:players]]
    game = HoldemGame(players, 2000, rake=0.05)
    block = block_of(agents, game, 4000, 21)
    found = match_estimator(agents, game).estimate(block)
    assert abs(bias(block, found)).max() < 4.0
    assert block.won.sum() < -100 * len(block.won)
    if players == 2:
        np.testing.assert_allclose(found.sum(1), block.won.sum(1), atol=1e-6)


@pytest.mark.parametrize(("players", "stacks"), [(3, 10_000), (4, (3_000, 10_000, 700, 5_000))])
def test_more_than_two_players(players, stacks):
    agents = [make_agent(spec) for spec in ("tag", "lag", "random", "equity")[:players]]
    game = HoldemGame(players, stacks)
    block = block_of(agents, game, 3000, 13)
    found = match_estimator(agents, game).estimate(block)
    assert abs(bias(block, found)).max() < 4.0
    assert found[:, 0].std() < 0.8 * block.won[:, 0].std()


def test_a_wrong_strategy_would_show():
    """The tests above can fail: told a strategy that was not played, the estimate is off."""
    game = HoldemGame()
    block = block_of([make_agent("always-raise"), make_agent("equity")], game, 3000, 14)
    found = MatchAivat([make_agent("random"), make_agent("equity")], game).estimate(block)
    assert abs(bias(block, found)).max() > 6.0


def test_what_is_certain_does_not_vary():
    agents, game = [make_agent("always-fold"), make_agent("always-raise")], HoldemGame()
    block = block_of(agents, game, 200, 15)
    found = match_estimator(agents, game).estimate(block)
    np.testing.assert_allclose(found, block.won, atol=1e-6)


@pytest.mark.skipif("heads-up" not in shipped_names(), reason="no heads-up blueprint is shipped")
def test_the_deviation_falls():
    agents = [make_agent("blueprint:heads-up"), make_agent("tag")]
    game = agents[0].blueprint.tree.game
    block = block_of(agents, game, 4000, 16)
    raw = block.won[:, 0].std()
    both = MatchAivat(agents, game).estimate(block)
    one = MatchAivat(agents, game, known=[0]).estimate(block)
    assert both[:, 0].std() < 0.45 * raw
    assert one[:, 0].std() < 0.60 * raw
    assert abs(bias(block, both)).max() < 4.0
    assert abs(bias(block, one)).max() < 4.0


def test_any_number_of_workers_is_the_same():
    agents, game = [make_agent("tag"), make_agent("lag")], HoldemGame()
    results = [
        play_match(agents, game, 9000, seed=17, workers=workers, estimators=[match_estimator(agents, game)])
        for workers in (1, 3)
    ]
    np.testing.assert_array_equal(results[0].estimates["aivat"], results[1].estimates["aivat"])
    assert results[0].mbb(0, "aivat").half < 0.8 * results[0].mbb(0).half


def test_one_hand_as_in_its_block():
    agents, game = [make_agent("lag"), make_agent("random")], HoldemGame()
    block = block_of(agents, game, 20, 18)
    estimator = match_estimator(agents, game)
    whole = estimator.estimate(block)
    for hand in range(40):
        players = [block.agents[block.slot(hand, player)] for player in range(2)]
        found = estimator.estimate_hand(block.state(hand), players, 18, block.number(hand))
        expected = [whole[hand, block.slot(hand, player)] for player in range(2)]
        np.testing.assert_allclose(found, expected, atol=1e-9)
    with pytest.raises(ConfigError, match="not the agents of this estimator"):
        estimator.estimate_hand(block.state(0), [make_agent("tag"), make_agent("tag")], 18, 0)


def test_players_without_a_strategy_are_unknown():
    class Person:
        name = "person"

        def act(self, observation):
            return 0

    agents, game = [Person(), make_agent("tag")], HoldemGame()
    estimator = match_estimator(agents, game)
    assert estimator.known.tolist() == [False, True]
    result = play_match(agents, game, 40, seed=19, estimators=[estimator])
    assert np.isfinite(result.estimates["aivat"]).all()
    chips = [make_agent("random-chips"), make_agent("tag")]
    assert match_estimator(chips, game).known.tolist() == [False, True]


def test_what_is_refused():
    agents, game = [make_agent("tag"), make_agent("lag")], HoldemGame()
    with pytest.raises(ConfigError, match="known slots are 0 to 1"):
        MatchAivat(agents, game, known=[2])
    with pytest.raises(ConfigError, match="at least one board"):
        MatchAivat(agents, game, samples=0)


def test_a_table_with_the_most_chips_is_the_same_table_in_other_chips() -> None:
    """AIVAT's tree keeps bets in 32 bits: tables with more chips than fit are refused where they are made."""
    agents = [make_agent("random"), make_agent("always-call")]
    found = []
    for chips in (MOST_CHIPS, 2_000_000):
        game = HoldemGame(2, chips // 2, (chips // 40, chips // 20))
        result = play_match(agents, game, 400, seed=3, estimators=[MatchAivat(agents, game, practice=0)])
        found.append([result.mbb(0, name).mean for name in ("raw", "aivat")])
    assert found[0] == pytest.approx(found[1], rel=1e-3)


@pytest.mark.parametrize("specs", [("tag", "lag"), ("blueprint:heads-up", "tag"), ("tag", "lag", "random")])
def test_kernels_are_named_early_with_the_types_that_a_match_calls_them_with(specs) -> None:
    """Or a first match would compile them twice: once for nothing."""
    agents = [make_agent(spec) for spec in specs]
    game = HoldemGame(len(agents))
    play_match(agents, game, 2 * len(agents), estimators=[match_estimator(agents, game)])
    for kernel, args in calls_of_match(blank_match(), 2):
        assert tuple(typeof(one) for one in args) in kernel.overloads, kernel.py_func.__name__
