"""The local best response: its kernel against plain numpy, known values, and never above a best response."""

import math

import numpy as np
import pytest

from overbet.agents.protocol import PublicState, Strategy
from overbet.agents.registry import make_agent
from overbet.blueprint.cards import pair_table
from overbet.cards.combos import combo_masks
from overbet.errors import ConfigError
from overbet.evaluation.lbr import BETS, run_lbr
from overbet.evaluation.lbr_agents import Guess
from overbet.evaluation.lbr_blocks import player
from overbet.evaluation.statistics import interval_of
from overbet.games.holdem import HoldemGame

CASES = [("tag", "fcpa"), ("lag", "fc"), ("random", "fcpa"), ("equity", "56")]


class Plain:
    """An agent of the match loop seen from outside: what a third party's agent offers."""

    def __init__(self, agent):
        self.agent, self.name = agent, agent.name

    def act(self, observation):
        return self.agent.act(observation)

    def strategy_for_all_hands(self, public):
        return self.agent.strategy_for_all_hands(public)


@pytest.mark.parametrize(("spec", "bets"), CASES)
def test_the_kernel_plays_as_the_plain_responder(spec, bets):
    agent = make_agent(spec)
    hands = 12 if bets == "56" else 60
    one, two = (run_lbr(player, hands=hands, bets=bets, seed=3) for player in (agent, Plain(agent)))
    assert one.raw == two.raw
    np.testing.assert_allclose(one.values, two.values, atol=1e-6)


class Counted(Plain):
    """Counts how often it is asked."""

    asked = 0

    def strategy_for_all_hands(self, public):
        self.asked += 1
        return super().strategy_for_all_hands(public)


def test_a_guess_is_asked_about_bets_that_are_only_considered():
    agent = make_agent("tag")
    tag, same, few, none = Plain(agent), Counted(agent), Counted(agent), Counted(agent)
    exact = run_lbr(tag, hands=12, bets="56", seed=3)
    guessed = run_lbr(tag, hands=12, bets="56", seed=3, guess=Guess(same, 56))
    assert guessed.values.tolist() == exact.values.tolist()
    run_lbr(none, hands=12, bets="56", seed=3, guess=Guess(few, 4))
    assert few.asked < same.asked / 8
    assert none.asked < 100  # only about what was really bet
    with pytest.raises(ConfigError, match="leave the guess out"):
        run_lbr(agent, hands=12, guess=Guess(tag, 4))


class Glancing(Plain):
    """Answers several bets at once; it says that all hands fold, so every bet looks better than it is."""

    def answers_to_bets(self, public, amounts):
        found = [self.agent.strategy_for_all_hands(public_after(public, amount)) for amount in amounts]
        return [
            Strategy(one.actions, np.eye(len(one.actions))[0][None] * np.ones((1326, 1))) for one in found
        ]


def public_after(public, amount):
    return PublicState.of(public.state.apply(amount), public.seed, public.hand)


def test_an_agents_own_glance_guesses_and_what_looks_best_is_judged_again():
    agent = make_agent("tag")
    exact = run_lbr(Plain(agent), hands=12, bets="56", seed=3)
    rosy = run_lbr(Glancing(agent), hands=12, bets="56", seed=3, guess=Guess(None, 8))
    assert rosy.values.tolist() != exact.values.tolist()
    # it says that all fold to any bet, and the responder still bets only where the agent itself folds enough
    assert rosy.aivat.mean > -750
    with pytest.raises(ConfigError, match="no glance"):
        run_lbr(Plain(agent), hands=12, guess=Guess(None, 4))


def test_always_fold_loses_exactly_750():
    found = run_lbr(make_agent("always-fold"), hands=200, bets="fcpa", seed=5)
    assert found.raw.mean == found.aivat.mean == 750.0
    assert found.raw.sd == found.aivat.sd == 0.0


def test_checking_down_wins_nothing_from_who_checks_down():
    found = run_lbr(make_agent("always-call"), hands=400, bets="fc", seed=6)
    assert found.raw.mean == 0.0  # the same cards in both seats
    assert abs(found.aivat.mean) < 4 * found.aivat.error


def test_estimates_have_the_mean_of_what_was_won():
    for spec, bets in (("random", "fcpa"), ("lag", "fc")):
        found = run_lbr(make_agent(spec), hands=3000, bets=bets, seed=7)
        gap = found.raw.mean - found.aivat.mean
        assert abs(gap) < 4 * math.hypot(found.raw.error, found.aivat.error)
        assert found.sd_reduction > 0.1


@pytest.mark.parametrize("spec", ["tag", "random"])
def test_estimates_are_right_where_it_responds_late(spec):
    """The agent's hands are those the board leaves on every street, not only where the responder acts."""
    agent, game, streets = make_agent(spec), HoldemGame(), np.array([False, False, True, True])
    won, estimate = np.zeros((1200, 2)), np.zeros((1200, 2))
    player(agent, game, np.zeros(0), streets, 7)(0, won, estimate)
    gaps = (won - estimate).mean(1)
    assert abs(gaps.mean()) < 4 * gaps.std() / math.sqrt(len(gaps))
    few = np.zeros((2, 10, 2))
    player(Plain(agent), game, np.zeros(0), streets, 7)(0, *few)
    np.testing.assert_allclose(few, [won[:10], estimate[:10]], atol=1e-6)


def test_any_number_of_workers_and_any_split_is_the_same():
    results = [run_lbr(make_agent("tag"), hands=240, seed=8, workers=workers) for workers in (1, 3)]
    assert results[0].aivat == results[1].aivat
    assert results[0].raw == results[1].raw
    np.testing.assert_array_equal(results[0].values, results[1].values)
    short = run_lbr(make_agent("tag"), hands=100, seed=8)
    np.testing.assert_array_equal(short.values, results[0].values[:50])


def test_streets_where_it_does_not_respond_are_checked_and_called():
    only_river = run_lbr(make_agent("tag"), hands=600, bets="fcpa", streets=["river"], seed=9)
    everywhere = run_lbr(make_agent("tag"), hands=600, bets="fcpa", seed=9)
    assert only_river.streets == ("river",)
    assert only_river.aivat != everywhere.aivat


class PushOrFold:
    """All in or out with fixed shares of hands; a call of the blinds is answered with all in."""

    name = "push-or-fold"

    def __init__(self, push, call):
        self.push, self.call = push, call

    def act(self, observation):
        raise AssertionError("the responder asks for whole strategies")

    def strategy_for_all_hands(self, public):
        state, legal = public.state, public.legal
        most = legal.raise_max
        if public.player == 1 and not state.history:
            return Strategy((-1, most), np.stack([1.0 - self.push, self.push], 1))
        if most is None:
            return Strategy((-1, 0), np.stack([1.0 - self.call, self.call], 1))
        return Strategy((most,), np.ones((1326, 1)))


def best_response_bb(push, call, stack):
    """What a best response wins on average over both seats, in big blinds, by enumeration."""
    apart = (combo_masks()[:, None] & combo_masks()[None]) == 0
    pairs = apart / apart.sum(1, keepdims=True)
    showdown = 2.0 * stack * pair_table() - stack  # what a hand wins all in against each other
    # small blind: fold, all in against the calling range, or call and face all in from everything
    all_in = (pairs * (call * showdown + (1.0 - call))).sum(1)
    limped = np.maximum(-1.0, (pairs * showdown).sum(1))
    small = np.maximum(np.maximum(-0.5, all_in), limped).mean()
    # big blind: the agent pushes or gives up its small blind
    pushed = (pairs * push).sum(1)
    called = (pairs * push * showdown).sum(1)
    big = ((1.0 - pushed) * 0.5 + np.maximum(-pushed, called)).mean()
    return 0.5 * (small + big)


@pytest.mark.parametrize("stack", [5, 12])
def test_it_never_wins_more_than_a_best_response(stack):
    rng = np.random.default_rng(stack)
    push, call = rng.random(1326) ** 2, rng.random(1326)
    game = HoldemGame(stacks=100 * stack)
    found = run_lbr(PushOrFold(push, call), game, hands=6000, bets=[math.inf], seed=10)
    most = 1000.0 * best_response_bb(push, call, stack)
    assert found.aivat.mean < most + 3 * found.aivat.error
    # the agent answers a limp with all in, which the responder does not foresee: it wins less, not nothing
    assert found.aivat.mean > 0.5 * most - 3 * found.aivat.error


def test_choices_of_bets():
    assert BETS["fc"] == ()
    assert len(BETS["56"]) == 56
    assert BETS["56"][-1] == math.inf


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"bets": "fcp"}, "unknown choice of bets 'fcp'"),
        ({"bets": [0.0]}, "shares of the pot above 0"),
        ({"streets": ["flopp"]}, "unknown street 'flopp' .*did you mean 'flop'"),
        ({"streets": []}, "unknown street"),
        ({"hands": 1}, "at least 2 hands"),
        ({"game": HoldemGame(3)}, "plays heads up"),
        ({"agent": make_agent("random-chips")}, "has no table of its strategy"),
    ],
)
def test_what_is_refused(change, message):
    with pytest.raises(ConfigError, match=message):
        run_lbr(**{"agent": make_agent("tag"), "hands": 4, **change})


def test_an_agent_without_strategies_is_refused():
    class Silent:
        name = "silent"

        def act(self, observation):
            return 0

    with pytest.raises(ConfigError, match="silent does not say how it plays every hand"):
        run_lbr(Silent(), hands=4)


def test_intervals_are_over_deals():
    found = run_lbr(make_agent("tag"), hands=100, seed=11)
    assert found.aivat.groups == 50
    assert interval_of(found.values).mean == pytest.approx(found.aivat.mean)


def test_hands_that_the_board_rules_out_leave_the_estimate_a_number() -> None:
    # on the flop, which is not responded on, they are still in the range, and tag knows nothing of them
    agent = make_agent("blueprint:heads-up-12bb")
    result = run_lbr(agent, HoldemGame(2, stacks=1200), 1000, bets="56", streets=("turn", "river"), seed=1)
    assert np.isfinite(result.values).all()
    assert abs(result.aivat.mean - result.raw.mean) < 3 * result.raw.half
