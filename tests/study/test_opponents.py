"""Opponents by shrinkage towards the pool, and their profiles."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest

from overbet.errors import ConfigError
from overbet.study.opponents import BetaFrequency, fit_opponents, fit_pool
from overbet.study.profiles import PROFILES, centre, log_gamma, profile_mix, profile_of


def pool_of(players: int, a: float, b: float, seed: int = 1) -> tuple[list[tuple[int, int]], np.ndarray]:
    """Return the counts of players whose frequencies are drawn from a beta distribution, and these."""
    rng = np.random.default_rng(seed)
    own, chances = rng.beta(a, b, players), rng.integers(1, 120, players)
    return list(zip(rng.binomial(chances, own).tolist(), chances.tolist())), own


def test_the_pool_is_fitted_by_maximum_likelihood() -> None:
    from scipy.optimize import minimize
    from scipy.stats import betabinom

    counts, _ = pool_of(200, 6.0, 9.0)
    hits, chances = np.array(counts).T

    def loss(at: np.ndarray) -> float:
        return -float(betabinom.logpmf(hits, chances, *np.exp(at)).sum())

    wanted = np.exp(minimize(loss, [0.0, 0.0], method="Nelder-Mead", options={"xatol": 1e-6}).x)
    found = fit_pool(counts)
    assert np.allclose(found, wanted, rtol=0.002)
    assert loss(np.log(found)) <= loss(np.log(wanted)) + 1e-3  # a little wider


def test_a_pool_of_few_is_its_mean_with_a_stated_weight() -> None:
    found = fit_pool([(3, 10), (5, 10)])
    assert found.a + found.b == pytest.approx(20.0)
    assert found.mean == pytest.approx(8.5 / 21)
    with pytest.raises(ConfigError, match="a pool needs"):
        fit_pool([(0, 0)])


def test_shrunk_frequencies_are_nearer_the_truth_than_counts_and_intervals_hold() -> None:
    counts, own = pool_of(300, 6.0, 9.0, seed=2)
    prior = fit_pool(counts)
    found = [prior.after(*pair) for pair in counts]
    raw = np.array([hits / chances for hits, chances in counts])
    means = np.array([one.mean for one in found])
    assert ((means - own) ** 2).mean() < 0.5 * ((raw - own) ** 2).mean()
    inside = sum(low <= truth <= high for (low, high), truth in zip((one.interval() for one in found), own))
    assert 0.91 < inside / len(own) < 0.98


def test_quantiles_and_gamma_are_those_of_scipy() -> None:
    from scipy.stats import beta

    assert BetaFrequency(7.5, 3.25).interval(0.9) == pytest.approx(beta.interval(0.9, 7.5, 3.25))
    from scipy.special import gammaln

    values = np.array([0.02, 0.5, 1.0, 2.0, 3.7, 55.5, 40_000.0])
    assert np.allclose(log_gamma(values), gammaln(values), rtol=1e-11, atol=1e-11)


def decisions(player: str, rates: dict[tuple[str, str, str], float], count: int, seed: int) -> pl.DataFrame:
    """Return decisions of a player who takes one kind of action at a rate and calls or checks otherwise."""
    rng, rows = np.random.default_rng(seed), []
    for (street, line, kind), rate in rates.items():
        for k in range(count):
            other = (
                "call"
                if line.startswith("facing") and kind != "call"
                else "fold"
                if kind == "call"
                else "check"
            )
            taken = kind if rng.random() < rate else other
            rows.append((f"{player}{seed}{k}", player, "BB", street, line, taken))
    names = ("hand", "player", "position", "street", "line", "action")
    return pl.DataFrame(rows, schema=list(names), orient="row").with_columns(
        pl.lit(100.0).alias("stack_bb"), pl.lit(None, pl.String).alias("texture")
    )


RATES = {
    ("preflop", "unopened", "raise"): 0.3,
    ("preflop", "facing 3bet", "fold"): 0.5,
    ("flop", "c-bet chance", "bet"): 0.6,
    ("flop", "facing bet", "fold"): 0.45,
    ("river", "facing bet", "call"): 0.4,
}


def test_players_made_of_a_profile_are_told_as_it() -> None:
    frames = [decisions(f"regular {k}", RATES, 60, k) for k in range(20)]
    for number, profile in enumerate(PROFILES):
        rates = {key: centre(rate, profile.shifts.get(key, 0.0)) for key, rate in RATES.items()}
        frames.append(decisions(f"a {profile.name}", rates, 400, 100 + number))
    frames.append(decisions("stranger", RATES, 1, 200))
    models = fit_opponents(pl.concat(frames))
    for profile in PROFILES:
        found = models[f"a {profile.name}"].profile
        assert next(iter(found)) == profile.name
        assert found[profile.name] > 0.8
        assert sum(found.values()) == pytest.approx(1.0)
    stranger = models["stranger"]
    assert stranger.profile["regular"] == pytest.approx(0.5, abs=0.2)  # about the share of regulars
    frequency = stranger.frequency("river", "facing bet", "call")
    assert frequency.mean == pytest.approx(stranger.pool["river", "facing bet", "call"].mean, abs=0.06)
    mix = models["a station"].mix("river", "facing bet")
    assert sum(mix.values()) == pytest.approx(1.0)
    assert mix["call"] > 0.5
    assert {"pool", "mean", "low", "high"} <= {*models["a nit"].frame().columns}


def test_nothing_seen_is_the_share_of_every_profile() -> None:
    assert profile_of({}, {}) == pytest.approx({profile.name: profile.share for profile in PROFILES})


def test_a_line_that_nobody_played_is_refused() -> None:
    models = fit_opponents(decisions("one", RATES, 5, 1))
    with pytest.raises(ConfigError, match="line"):
        models["one"].mix("turn", "facing bet")
    with pytest.raises(ConfigError, match="frequency"):
        models["one"].frequency("turn", "facing bet", "call")


def test_the_strategys_own_mix_is_kept_where_it_is_known() -> None:
    table = decisions("one", {("river", "facing bet", "call"): 0.7}, 50, 1).with_columns(
        p_fold=0.4, p_check=0.0, p_call=0.6, p_bet=0.0, p_raise=0.0
    )
    model = fit_opponents(table)["one"]
    assert model.strategy_mix("river", "facing bet") == pytest.approx({"fold": 0.4, "call": 0.6})
    assert fit_opponents(table.drop("p_fold"))["one"].strategy_mix("river", "facing bet") is None


def test_a_profile_alone_gives_a_mix() -> None:
    usual = {"fold": 0.5, "call": 0.4, "raise": 0.1}
    found = profile_mix("station", "river", "facing bet", usual)
    assert found["call"] == pytest.approx(centre(0.4, 0.9))
    assert found["fold"] / found["raise"] == pytest.approx(5.0)
    assert profile_mix("regular", "river", "facing bet", usual) == pytest.approx(usual)
    with pytest.raises(ConfigError, match="profile"):
        profile_mix("whale", "river", "facing bet", usual)


def test_a_pool_that_was_hardly_seen_is_not_thought_to_be_known() -> None:
    """Twelve players with three decisions each, all alike: the pool is worth 36 decisions, no more."""
    pool = fit_pool([(1, 3), (2, 3)] * 6)
    low, high = pool.interval()
    own_low, own_high = BetaFrequency(18.0, 18.0).interval()
    assert high - low >= 0.99 * (own_high - own_low)
    assert fit_pool([(500, 1000), (503, 1000)] * 6).interval()[0] > 0.47
