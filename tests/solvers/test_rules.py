"""The scalars of each rule against the formulas written out, and what a user can get wrong."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest

from overbet.errors import ConfigError
from overbet.kernels.regret import RuleStep, accumulated, averaged, played, single
from overbet.solvers.rules import Constant, Discounted, Exponential, Rule, load_rule, make_rule, rule_names


def test_dcfr_discounts() -> None:
    step = make_rule("dcfr").at(10)
    assert step.positive == pytest.approx(27 / 28)  # 9^1.5 / (9^1.5 + 1)
    assert step.negative == 0.5
    assert step.average_discount == pytest.approx(0.81)
    assert step.floor == -math.inf


def test_dcfr_plus_has_one_and_a_half_in_the_denominator() -> None:
    step = make_rule("dcfr+").at(10)
    assert step.positive == pytest.approx(27 / 28.5)
    assert step.floor == 0.0


def test_pdcfr_plus_carries_the_next_discount_into_the_prediction() -> None:
    rule = make_rule("pdcfr+")
    assert rule.at(7).carry == rule.at(8).positive == pytest.approx(7**2.3 / (7**2.3 + 1))
    assert rule.at(7).prediction == 1.0


def test_lcfr_weights_new_regret_by_t() -> None:
    assert make_rule("lcfr").at(12).weight == 12.0


def test_the_first_iteration_of_every_rule_is_finite() -> None:
    for name in rule_names():
        step = make_rule(name).at(1)
        assert all(math.isfinite(x) for x in step._replace(floor=0.0)), name


def test_a_table_of_steps_is_the_steps_one_by_one() -> None:
    rule = make_rule("pdcfr+")
    table = rule.steps(5, 3)
    assert [RuleStep(*row) for row in table.tolist()] == [rule.at(t) for t in (5, 6, 7)]


@pytest.mark.parametrize(("power", "expected"), [(math.inf, 1.0), (-math.inf, 0.0), (0.0, 0.5)])
def test_extreme_powers_of_the_discount(power: float, expected: float) -> None:
    np.testing.assert_allclose(Discounted(power=power).factors(np.array([2.0, 50.0])), expected)


def test_negative_and_huge_powers_stay_in_bounds() -> None:
    t = np.array([1.0, 2.0, 3.0, 1e6])
    for power in (-2.0, -900.0, 900.0):
        factors = Discounted(power=power).factors(t)
        assert np.isfinite(factors).all()
        assert ((factors >= 0) & (factors <= 1)).all()


def test_schedules_are_what_they_say() -> None:
    t = np.array([1.0, 11.0])
    np.testing.assert_allclose(Constant(value=0.9).factors(t), 0.9)
    np.testing.assert_allclose(Exponential(rate=0.1).factors(t), [0.0, 1 - math.exp(-1)])


def test_the_update_on_one_number() -> None:
    step = RuleStep(0.5, 0.25, 2.0, -math.inf, 0.9, 1.0, 0.75, 3.0)
    assert accumulated(4.0, 1.0, step) == 4.0
    assert accumulated(-4.0, 1.0, step) == 1.0
    assert accumulated(-4.0, -1.0, step._replace(floor=0.0)) == 0.0
    assert played(10.0, -2.0, step) == 7.0
    assert played(1.0, -2.0, step) == 0.0
    assert averaged(8.0, 2.0, step) == 12.0


def test_a_single_precision_step_keeps_single_precision() -> None:
    step = single(make_rule("pdcfr+").at(3))
    assert all(isinstance(value, np.float32) for value in step)
    accumulated(np.float32(1), np.float32(2), step)
    played(np.float32(1), np.float32(2), step)
    signatures = accumulated.nopython_signatures + played.nopython_signatures  # type: ignore[attr-defined]
    # other tests may have compiled them for mixed types: what counts is the all-single version
    single_ones = [s for s in signatures if "float64" not in str(s.args)]
    assert len(single_ones) == 2
    assert {str(s.return_type) for s in single_ones} == {"float32"}


def test_parameters_replace_the_defaults() -> None:
    rule = make_rule("dcfr", alpha=2.0, beta=0.5, gamma=None)
    assert rule.at(5).positive == pytest.approx(16 / 17)
    assert rule.at(5).negative == pytest.approx(2 / 3)
    assert rule.at(5).average_discount == pytest.approx(0.64)


def test_bad_rules_say_what_to_do(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r"unknown rule 'dfcr' \(did you mean 'dcfr'\?\)"):
        make_rule("dfcr")
    with pytest.raises(ConfigError, match="no parameter 'alpha'"):
        make_rule("cfr", alpha=1.0)
    with pytest.raises(ConfigError, match="greater than or equal to 0"):
        make_rule("dcfr", gamma=-1.0)
    path = tmp_path / "rule.yaml"
    path.write_text("flor: true\n")
    with pytest.raises(ConfigError, match="did you mean 'floor'"):
        load_rule(path)
    path.write_text("positive: {kind: dcfr, power: .nan}\n")
    with pytest.raises(ConfigError, match="must be a number"):
        load_rule(path)
    path.write_text("positive: {kind: cubic}\n")
    with pytest.raises(ConfigError, match="positive"):
        load_rule(path)


def test_a_rule_file_can_say_dcfr(tmp_path: Path) -> None:
    path = tmp_path / "rule.yaml"
    path.write_text(
        "name: mine\n"
        "positive: {kind: dcfr, power: 1.5}\n"
        "negative: {kind: constant, value: 0.5}\n"
        "average: {kind: linear, power: 2}\n"
    )
    np.testing.assert_array_equal(load_rule(path).steps(1, 100), make_rule("dcfr").steps(1, 100))


def test_a_rule_is_a_value() -> None:
    assert make_rule("dcfr") == make_rule("dcfr", alpha=1.5)
    assert make_rule("dcfr").digest() != make_rule("dcfr", alpha=1.0).digest()
    assert isinstance(make_rule("cfr"), Rule)
