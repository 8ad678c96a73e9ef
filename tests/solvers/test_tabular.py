"""The tabular solver against plain Python, against the reference table, and in its manners."""

from __future__ import annotations

import numba
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from overbet.errors import ConfigError, RulesError, TooLargeError
from overbet.games.kuhn import kuhn_game
from overbet.games.registry import make_game
from overbet.solvers.rules import Rule, make_rule, rule_names
from overbet.solvers.tabular import TabularSolver, best_response
from overbet.tree.flat import FlatGame, flatten
from tests.reference import best_response as plain
from tests.reference.cfr import PlainCFR, Strategy
from tests.reference.random_games import RandomGame
from tests.tree.test_flat import flat_of


def as_dict(flat: FlatGame, strategy: np.ndarray) -> Strategy:
    return {key: strategy[flat.slots(i)].tolist() for key, i in flat.infoset_ids.items()}


def as_array(flat: FlatGame, strategy: Strategy) -> np.ndarray:
    return np.concatenate([strategy[key] for key in flat.infoset_ids])


@pytest.fixture(scope="module")
def leduc() -> FlatGame:
    return flatten(make_game("leduc"))


# --- against plain Python --------------------------------------------------------------------------------


@pytest.mark.parametrize("alternating", [True, False])
@pytest.mark.parametrize("rule", rule_names())
@pytest.mark.parametrize("name", ["kuhn", "kuhn3"])
def test_kuhn_equals_plain_cfr(name: str, rule: str, alternating: bool) -> None:
    game = make_game(name)
    oracle = PlainCFR(game, rule, alternating)
    solver = TabularSolver(game, rule, "alternating" if alternating else "simultaneous")
    for _ in range(3):
        oracle.run(5)
        solver.run(5)
        ours, theirs = solver.average_strategy(), as_array(solver.flat, oracle.average())
        np.testing.assert_allclose(ours, theirs, rtol=0, atol=1e-12)
        now = as_array(solver.flat, oracle.strategy)
        np.testing.assert_allclose(solver.current_strategy(), now, rtol=0, atol=1e-12)


@pytest.mark.parametrize("rule", ["cfr", "dcfr", "pdcfr+"])
def test_leduc_equals_plain_cfr(leduc: FlatGame, rule: str) -> None:
    game = make_game("leduc")
    oracle = PlainCFR(game, rule)
    solver = TabularSolver(leduc, rule)
    oracle.run(4)
    solver.run(4)
    average = oracle.average()
    np.testing.assert_allclose(solver.average_strategy(), as_array(leduc, average), rtol=0, atol=1e-12)
    assert solver.nash_conv() == pytest.approx(plain.nash_conv(game, average), rel=1e-12)
    np.testing.assert_allclose(solver.values(), plain.expected_values(game, average), rtol=1e-12)


@given(
    st.integers(0, 10**6), st.integers(1, 3), st.integers(1, 5), st.sampled_from(rule_names()), st.booleans()
)
@settings(max_examples=60, deadline=None)
def test_random_games_equal_plain_cfr(
    seed: int, players: int, depth: int, rule: str, alternating: bool
) -> None:
    game = RandomGame(seed, players, depth)
    oracle = PlainCFR(game, rule, alternating)
    solver = TabularSolver(game, rule, "alternating" if alternating else "simultaneous")
    oracle.run(10)
    solver.run(10)
    flat, average = solver.flat, oracle.average()
    if flat.num_infosets:
        np.testing.assert_allclose(solver.average_strategy(), as_array(flat, average), rtol=0, atol=1e-9)
    response = solver.best_response()
    for player in range(players):
        value = plain.best_response_value(game, average, player)
        assert response.values[player] + response.gains[player] == pytest.approx(value, abs=1e-9)
    assert response.nash_conv >= 0.0


# --- best response ---------------------------------------------------------------------------------------


@given(st.integers(0, 10**6), st.integers(1, 3), st.integers(1, 4))
@settings(max_examples=60, deadline=None)
def test_no_pure_strategy_beats_the_best_response(seed: int, players: int, depth: int) -> None:
    game = RandomGame(seed, players, depth)
    flat = flatten(game)
    strategy = flat.normalise(np.random.default_rng(seed).random(flat.num_slots))
    response = best_response(flat, strategy)
    table = as_dict(flat, strategy)
    pure = as_dict(flat, response.strategy)
    for player in range(players):
        value = float(response.values[player] + response.gains[player])
        sets = [len(sigma) for key, sigma in table.items() if key[0] == player]
        if np.prod(sets) <= 200:
            assert plain.brute_force(game, table, player) == pytest.approx(value, abs=1e-12)
        mixed = {key: (pure if key[0] == player else table)[key] for key in table}
        assert plain.expected_values(game, mixed)[player] == pytest.approx(value, abs=1e-12)


@given(st.integers(0, 10**6))
@settings(max_examples=30, deadline=None)
def test_nash_conv_is_never_negative_not_even_by_rounding(seed: int) -> None:
    draw = np.random.default_rng(seed)
    game = RandomGame(seed, 2, 5)
    flat = flatten(game)
    strategy = flat.normalise(draw.random(flat.num_slots))
    for _ in range(50):  # best responses to best responses: many gains are exactly 0
        response = best_response(flat, strategy)
        assert (response.gains >= 0.0).all()
        strategy = flat.normalise(strategy + draw.random() * response.strategy)


def test_uniform_play(leduc: FlatGame) -> None:
    assert best_response(leduc, leduc.uniform()).exploitability == pytest.approx(2.373611, abs=5e-7)
    kuhn = flatten(make_game("kuhn"))
    assert best_response(kuhn, kuhn.uniform()).exploitability == pytest.approx(11 / 24, rel=1e-12)


# --- the reference table ---------------------------------------------------------------------------------

# rule: Leduc at 100, 1,000 and 20,000 iterations, Kuhn at 1,000; as printed
TABLE = {
    "cfr": ("9.57e-2", "1.182e-2", None, "9.38e-4"),
    "cfr+": ("1.342e-2", "2.571e-4", "3.4e-6", "8.74e-5"),
    "lcfr": ("3.45e-2", "5.93e-3", None, "9.35e-5"),
    "dcfr": ("7.75e-3", "1.527e-4", "5.1e-6", "1.465e-4"),
    "dcfr+": ("6.52e-3", "1.42e-4", "2.0e-6", "1.15e-4"),
    "pcfr+": ("1.98e-2", "7.11e-4", "2.1e-6", "2.4e-8"),
    "sapcfr+": ("1.29e-2", "1.94e-4", "1.6e-7", "1.1e-8"),
    "pdcfr+": ("1.76e-2", "9.00e-4", "5.1e-8", "1.1e-13"),
}


def printed(value: float, like: str) -> str:
    """Return `value` with as many digits as `like` shows."""
    digits = len(like.split("e")[0].replace(".", "")) - 1
    mantissa, exponent = f"{value:.{digits}e}".split("e")
    return f"{mantissa}e{int(exponent)}"


@pytest.mark.parametrize("rule", TABLE)
def test_the_table_of_rules(leduc: FlatGame, rule: str) -> None:
    at_100, at_1000, at_20000, kuhn_1000 = TABLE[rule]
    solver = TabularSolver(leduc, rule)
    solver.run(100)
    assert printed(solver.exploitability(), at_100) == at_100
    solver.run(900)
    assert solver.exploitability() == pytest.approx(float(at_1000), rel=0.02)
    if at_20000:
        solver.run(19_000)
        assert float(at_20000) / 1.5 < solver.exploitability() < float(at_20000) * 1.5
        assert solver.values()[0] == pytest.approx(-0.085606424, abs=1e-5)
    kuhn = TabularSolver("kuhn", rule)
    kuhn.run(1000)
    assert printed(kuhn.exploitability(), kuhn_1000) == kuhn_1000


def test_values_of_the_games(leduc: FlatGame) -> None:
    solver = TabularSolver(leduc, "pdcfr+")
    solver.run(20_000)
    np.testing.assert_allclose(solver.values(), [-0.085606424, 0.085606424], atol=2e-7)
    kuhn = TabularSolver("kuhn", "pdcfr+")
    kuhn.run(1000)
    np.testing.assert_allclose(kuhn.values(), [-1 / 18, 1 / 18], atol=1e-12)


@pytest.mark.parametrize(
    ("rule", "expected"), [("cfr", "1.3e-3"), ("cfr+", "1.1e-5"), ("dcfr", "8e-6"), ("pcfr+", "3e-6")]
)
def test_three_player_kuhn(rule: str, expected: str) -> None:
    solver = TabularSolver("kuhn3", rule)
    solver.run(1000)
    assert printed(solver.nash_conv() / 3, expected) == expected


@pytest.mark.parametrize(("weight_power", "expected"), [(0.0, 471_407), (1.0, 970)])
def test_a_costly_mistake_is_unlearnt(weight_power: float, expected: int) -> None:
    """Payoffs 0, 1, -10^6: when does the strategy become pure on the best action (DCFR paper, section 4)."""
    flat = flat_of({(): (0, "only", 3), (0,): 0.0, (1,): 1.0, (2,): -1e6})
    solver = TabularSolver(flat, Rule(weight_power=weight_power))
    solver.run(expected - 2)
    assert solver.current_strategy()[1] < 1.0
    solver.run(3)
    assert solver.current_strategy()[1] == 1.0


# --- manners ---------------------------------------------------------------------------------------------


def test_the_same_bits_on_one_thread_and_on_two_and_in_any_portions(leduc: FlatGame) -> None:
    results = []
    before = numba.get_num_threads()
    for threads, portions in ((1, [60]), (min(2, before), [60]), (1, [1, 9, 50])):
        numba.set_num_threads(threads)
        solver = TabularSolver(leduc, "pdcfr+")
        for portion in portions:
            solver.run(portion)
        results.append(solver.average_strategy().tobytes() + solver.tables.regret.tobytes())
    numba.set_num_threads(before)
    assert results[0] == results[1] == results[2]


def test_a_custom_rule_with_the_same_schedule_is_the_same_run() -> None:
    custom = Rule.parse(
        {
            "positive": {"kind": "dcfr", "power": 1.5},
            "negative": {"kind": "constant", "value": 0.5},
            "average": {"kind": "linear", "power": 2},
        }
    )
    one, two = TabularSolver("kuhn", custom), TabularSolver("kuhn", "dcfr")
    one.run(50)
    two.run(50)
    np.testing.assert_array_equal(one.average_strategy(), two.average_strategy())


@pytest.mark.parametrize("kind", ["constant", "linear", "exponential", "dcfr"])
def test_every_schedule_converges_on_kuhn(kind: str) -> None:
    schedule = {"kind": kind, **({"value": 0.98} if kind == "constant" else {})}
    rule = Rule.parse(
        {"positive": schedule, "negative": {"kind": "constant", "value": 0.5}, "average": schedule}
    )
    solver = TabularSolver("kuhn", rule)
    solver.run(2000)
    assert solver.exploitability() < 5e-3


def test_progress_counts_and_an_interruption_leaves_whole_iterations() -> None:
    seen: list[int] = []

    def stop(done: int) -> None:
        seen.append(done)
        if done >= 100:
            raise KeyboardInterrupt

    solver = TabularSolver("kuhn", "cfr")
    with pytest.raises(KeyboardInterrupt):
        solver.run(10**9, progress=stop)
    assert solver.iterations == seen[-1]
    assert seen == sorted(set(seen))
    again = TabularSolver("kuhn", "cfr")
    again.run(solver.iterations)
    np.testing.assert_array_equal(solver.average_strategy(), again.average_strategy())


def test_a_game_without_decisions_has_a_value() -> None:
    solver = TabularSolver(flat_of({(): [0.25, 0.75], (0,): 4.0, (1,): 0.0}), "cfr")
    solver.run(3)
    assert solver.values().tolist() == [1.0]
    assert solver.nash_conv() == 0.0
    over = TabularSolver(flat_of({(): 5.0}), "cfr")
    over.run(3)
    assert over.values().tolist() == [5.0]


def test_bad_input() -> None:
    with pytest.raises(RulesError, match=r"unknown game 'ledcu' \(did you mean 'leduc'\?\)"):
        TabularSolver("ledcu")
    with pytest.raises(ConfigError, match=r"did you mean 'pcfr\+'"):
        TabularSolver("kuhn", "pcrf+")
    with pytest.raises(ConfigError, match="alternating or simultaneous"):
        TabularSolver("kuhn", "cfr", "both")  # type: ignore[arg-type]
    with pytest.raises(ConfigError, match="negative"):
        TabularSolver("kuhn").run(-1)
    with pytest.raises(TooLargeError, match=r"about 10\^"):
        TabularSolver(kuhn_game(10))
    forgets = flat_of({(): (0, "a", 2), (0,): (0, "b", 1), (1,): (0, "b", 1), (0, 0): 1.0, (1, 0): 2.0})
    with pytest.raises(RulesError, match="imperfect recall"):
        TabularSolver(forgets)
    with pytest.raises(RulesError, match="imperfect recall"):
        best_response(forgets, forgets.uniform())
    kuhn = flatten(make_game("kuhn"))
    with pytest.raises(ConfigError, match="24 entries"):
        best_response(kuhn, np.ones(3))


def test_a_rule_can_be_given_by_value() -> None:
    solver = TabularSolver("kuhn", make_rule("dcfr", gamma=4.0))
    assert solver.rule.at(2).average_discount == pytest.approx(1 / 16)
