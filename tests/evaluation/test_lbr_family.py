"""The family of local best responses: who belongs to it, and that the largest is stated without bias."""

from __future__ import annotations

import numpy as np
import pytest

from overbet.agents.registry import make_agent
from overbet.errors import ConfigError
from overbet.evaluation import lbr_family
from overbet.evaluation.lbr import LbrResult, LbrSettings, run_lbr
from overbet.evaluation.lbr_family import FAMILY, FRESH_SEED, FamilyPace, LbrFamily, run_lbr_family
from overbet.evaluation.statistics import Estimate, interval_of, t_quantile
from overbet.games.holdem import HoldemGame

SHORT = (LbrSettings.of("fc"), LbrSettings.of("fcpa"), LbrSettings.of("fc", ["turn", "river"]))


DEALS = 40
QUANTILE = t_quantile(DEALS - 1)


def made_up(responder: LbrSettings, values: np.ndarray, seed: int) -> LbrResult:
    sd = float(values.std(ddof=1))
    found = Estimate(float(values.mean()), QUANTILE * sd / np.sqrt(DEALS), sd, DEALS)
    return LbrResult("made up", responder, 2 * len(values), seed, found, found, values)


def test_every_choice_of_bets_on_all_streets_and_on_turn_and_river() -> None:
    assert [str(member) for member in FAMILY] == [
        f"bets {bets}, streets {streets}"
        for streets in ("preflop,flop,turn,river", "turn,river")
        for bets in ("fc", "fcpa", "56")
    ]
    assert [len(member.sizes) for member in FAMILY] == [0, 2, 56] * 2
    assert FAMILY[2].in_words == "56 sizes on all streets"
    assert FAMILY[4].in_words == "fold, call, pot and all-in on turn and river"


def test_members_are_the_single_measurements_and_the_largest_has_deals_of_its_own() -> None:
    agent = make_agent("tag")
    found, again = (run_lbr_family(agent, hands=60, seed=4, workers=workers) for workers in (1, 3))
    for member, same, responder in zip(found.members, again.members, FAMILY, strict=True):
        alone = run_lbr(agent, hands=60, bets=responder.bets, streets=responder.streets, seed=4)
        assert member.responder == responder
        assert member.raw == same.raw == alone.raw
        assert member.aivat == same.aivat == alone.aivat
        np.testing.assert_array_equal(member.values, alone.values)
    chosen = max(found.members, key=lambda member: member.aivat.mean)
    assert found.chosen is chosen
    fresh = run_lbr(agent, hands=60, bets=chosen.bets, streets=chosen.streets, seed=4 + FRESH_SEED)
    assert found.largest is not None
    assert again.largest is not None
    assert found.largest.aivat == again.largest.aivat == fresh.aivat
    assert found.largest.aivat != chosen.aivat
    assert found.results == (*found.members, found.largest)
    assert not found.stopped


def test_the_largest_is_stated_without_the_luck_that_chose_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """Six members that all win 100 on average: the largest figure is far above it, fresh deals are not."""
    true = 100.0

    def played(agent, game, hands, responders, seed, workers, pace):
        rng = np.random.default_rng(seed)
        return [made_up(one, rng.normal(true, 500.0, DEALS), seed) for one in responders]

    monkeypatch.setattr(lbr_family, "run_responders", played)
    naive, stated, held, held_by_naive = [], [], 0, 0
    rounds = 600
    for seed in range(rounds):
        found = run_lbr_family(make_agent("tag"), hands=2 * DEALS, seed=seed)
        assert found.largest is not None
        assert found.largest.responder == found.chosen.responder
        naive.append(found.chosen.aivat.mean)
        stated.append(found.largest.aivat.mean)
        held += found.largest.aivat.low < true < found.largest.aivat.high
        held_by_naive += found.chosen.aivat.low < true < found.chosen.aivat.high
    over, honest = interval_of(naive), interval_of(stated)
    assert (
        over.mean - true > 10 * over.error
    )  # the bias that is to be avoided: 1.27 standard errors of a member
    assert abs(honest.mean - true) < 3.5 * honest.error
    assert 0.92 < held / rounds < 0.98
    assert held_by_naive / rounds < 0.9


def test_one_member_that_is_truly_larger_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    def played(agent, game, hands, responders, seed, workers, pace):
        rng = np.random.default_rng(seed)
        return [
            made_up(
                one,
                rng.normal(900.0 if one.bets == "56" and len(one.streets) == 2 else 0.0, 500.0, DEALS),
                seed,
            )
            for one in responders
        ]

    monkeypatch.setattr(lbr_family, "run_responders", played)
    found = run_lbr_family(make_agent("tag"), hands=2 * DEALS, seed=1)
    assert found.largest is not None
    assert found.largest.responder.in_words == "56 sizes on turn and river"
    assert found.largest.seed == 1 + FRESH_SEED
    fact = found.facts()["lbr largest"]
    assert fact["which"] == "56 sizes on turn and river"
    assert fact["mbb_per_hand"] == round(found.largest.aivat.mean, 1)
    assert fact["half_of_95"] == round(found.largest.aivat.half, 1)


def test_facts_name_every_member() -> None:
    found = run_lbr_family(make_agent("always-fold"), hands=100, seed=2, family=SHORT)
    facts = found.facts()
    assert set(facts) == {"lbr fc", "lbr fcpa", "lbr fc turn,river", "lbr largest"}
    exact = {"mbb_per_hand": 750.0, "half_of_95": 0.0, "hands": 100}
    assert facts["lbr fcpa"] == exact
    assert facts["lbr largest"] == {**exact, "which": "fold, call, pot and all-in on all streets"}


def test_progress_counts_all_hands_and_shows_who_leads() -> None:
    seen: list[FamilyPace] = []
    found = run_lbr_family(make_agent("tag"), hands=60, seed=4, progress=seen.append, family=SHORT)
    assert [pace.hands for pace in seen] == sorted(pace.hands for pace in seen)
    assert {pace.total for pace in seen} == {240}
    assert seen[-1].hands == 240
    before = [pace for pace in seen if not pace.fresh][-1]
    assert before.hands == 180
    assert before.leader == found.chosen.responder
    assert before.estimate == found.chosen.aivat
    assert "leads with" in str(before)
    assert found.largest is not None
    assert seen[-1].estimate == found.largest.aivat
    assert "on fresh deals wins" in str(seen[-1])


def stopped_at(hands: int) -> LbrFamily:
    def stop(pace: FamilyPace) -> None:
        if pace.hands >= hands:
            raise KeyboardInterrupt

    return run_lbr_family(make_agent("tag"), hands=600, seed=4, workers=2, progress=stop, family=SHORT)


def test_an_interrupt_in_the_choice_keeps_the_deals_that_all_have_played() -> None:
    found = stopped_at(900)
    assert found.stopped
    assert found.largest is None
    assert found.facts() == {}  # nothing for a manifest: the figure of a choice alone is too large
    assert [member.responder for member in found.members] == list(SHORT)
    hands = found.members[0].hands
    assert {member.hands for member in found.members} == {hands}
    assert 100 <= hands < 600
    for member in found.members:
        assert member.stopped
        alone = run_lbr(make_agent("tag"), hands=hands, bets=member.bets, streets=member.streets, seed=4)
        assert member.aivat == alone.aivat
        assert member.raw == alone.raw


def test_an_interrupt_on_fresh_deals_keeps_those_played() -> None:
    found = stopped_at(2000)
    assert found.stopped
    assert found.largest is not None
    assert found.largest.stopped
    assert 200 <= found.largest.hands < 600
    assert not any(member.stopped for member in found.members)


def test_an_interrupt_before_anything_was_played_goes_on() -> None:
    class Interrupted:
        name = "interrupted"

        def act(self, observation):
            raise AssertionError("the responder asks for whole strategies")

        def strategy_for_all_hands(self, public):
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        run_lbr_family(Interrupted(), hands=4)


def test_a_single_responder_can_be_interrupted_too() -> None:
    def stop(done: int, estimate: object) -> None:
        if done >= 200:
            raise KeyboardInterrupt

    found = run_lbr(make_agent("tag"), hands=2000, bets="fc", seed=5, workers=2, progress=stop)
    assert found.stopped
    assert 200 <= found.hands < 2000
    assert found.aivat == run_lbr(make_agent("tag"), hands=found.hands, bets="fc", seed=5).aivat


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"hands": 1}, "at least 2 hands"),
        ({"game": HoldemGame(3)}, "plays heads up"),
        ({"agent": make_agent("random-chips")}, "has no table of its strategy"),
        ({"seed": -1}, "a seed is from 0"),
        ({"seed": 2**63}, "a seed is from 0"),
    ],
)
def test_what_is_refused(change: dict[str, object], message: str) -> None:
    with pytest.raises(ConfigError, match=message):
        run_lbr_family(**{"agent": make_agent("tag"), "hands": 4, **change})  # type: ignore[arg-type]


def test_the_last_seed_has_fresh_deals_too() -> None:
    found = run_lbr_family(make_agent("always-fold"), hands=4, seed=2**63 - 1, family=SHORT[:1])
    assert found.largest is not None
    assert found.largest.seed == FRESH_SEED - 1


def test_a_single_responder_points_at_the_family() -> None:
    with pytest.raises(ConfigError, match="run_lbr_family measures it"):
        run_lbr(make_agent("tag"), bets="all")
