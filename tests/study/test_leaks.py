"""Leaks of tables of decisions: found, corrected, ranked, and free of the luck of the cards."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest

from overbet.errors import ConfigError
from overbet.study.decision_lines import HandStep, line_kind
from overbet.study.leaks import find_leaks


def table(
    count: int,
    share: float | np.ndarray,
    own: float | np.ndarray,
    *,
    seed: int = 0,
    line: str = "facing bet",
    street: str = "river",
    loss: float | None = None,
    **columns: object,
) -> pl.DataFrame:
    """Return decisions to fold or call: the strategy folds `share`, the player `own`. loss: of a fold, bb."""
    folds = np.random.default_rng(seed).random(count) < own
    shares = np.broadcast_to(np.asarray(share, np.float64), (count,))
    return pl.DataFrame(
        {
            "hand": [f"{street} {line} {seed} {k}" for k in range(count)],
            "position": "BB",
            "street": street,
            "line": line,
            "texture": "rainbow",
            "stack_bb": 100.0,
            "action": np.where(folds, "fold", "call"),
            "ev_loss_bb": pl.Series([loss if fold else 0.0 for fold in folds], dtype=pl.Float64)
            if loss is not None
            else pl.Series([None] * count, dtype=pl.Float64),
            "p_fold": shares,
            "p_check": 0.0,
            "p_call": 1 - shares,
            "p_bet": 0.0,
            "p_raise": 0.0,
        }
    ).with_columns(pl.lit(value).alias(name) for name, value in columns.items())


def test_a_leak_is_named_with_both_frequencies_and_an_interval() -> None:
    [leak] = find_leaks(table(500, 0.4, 0.6), hands=10_000).leaks
    test = leak.test
    assert (test.street, test.line, test.action, test.too_often) == ("river", "facing bet", "fold", True)
    assert test.expected == pytest.approx(0.4)
    assert test.low < test.observed < test.high
    assert test.low > test.expected
    assert leak.per_100 == pytest.approx(100 * (test.observed - 0.4) * 500 / 10_000)
    assert "fold too often" in str(leak)


def test_the_luck_of_the_cards_is_no_leak() -> None:
    """A strategy that folds the weak hands and calls the strong: whatever was dealt, who does so is right."""
    weak = np.arange(400) < 360  # nine weak hands of ten: bad luck
    assert not find_leaks(table(400, weak.astype(float), weak.astype(float))).leaks
    [leak] = find_leaks(table(400, weak.astype(float), np.ones(400))).leaks  # folds the strong ones as well
    assert leak.test.expected == pytest.approx(0.9)


def test_leaks_are_ranked_by_what_they_cost() -> None:
    """The smaller deviation costs more; what has no price comes after what has one."""
    dear = table(500, 0.4, 0.6, line="facing bet", loss=3.0)
    cheap = table(500, 0.4, 0.9, line="facing raise", loss=0.1)
    unpriced = table(500, 0.4, 1.0, line="facing 3bet", street="preflop")
    report = find_leaks(pl.concat([unpriced, cheap, dear]), hands=10_000)
    assert [leak.test.line for leak in report.leaks] == ["facing bet", "facing raise", "facing 3bet"]
    folds = (dear["action"] == "fold").sum()
    assert report.leaks[0].bb100 == pytest.approx(100 * 3.0 * folds / 10_000)
    error = 3.0 * np.sqrt(folds / 10_000 * (1 - folds / 10_000) / 10_000)
    assert report.leaks[0].bb100_half == pytest.approx(1.96 * 100 * error, rel=0.001)
    assert [leak.priced for leak in report.leaks] == [1.0, 1.0, 0.0]
    without = find_leaks(pl.concat([unpriced, cheap, dear]).drop("ev_loss_bb"), hands=10_000)
    assert [leak.test.line for leak in without.leaks] == ["facing 3bet", "facing raise", "facing bet"]


def test_what_is_wrong_in_two_positions_the_other_way_round_is_found() -> None:
    both = pl.concat([table(400, 0.5, 0.75, position="SB"), table(400, 0.5, 0.25, seed=1, position="BB")])
    [leak] = find_leaks(both).leaks
    assert leak.test.split == "position"
    [other] = leak.also
    assert {leak.test.part, other.part} == {"SB", "BB"}
    assert {(test.part, test.action) for test in (leak.test, other)} == {("SB", "fold"), ("BB", "call")}


def test_players_without_leaks_have_none_though_a_hundred_questions_are_asked() -> None:
    found = 0
    for seed in range(20):
        lines = [table(60, 0.3, 0.3, seed=100 * seed + k, line=f"line {k}") for k in range(25)]
        found += bool(find_leaks(pl.concat(lines), tolerance=0.0).leaks)
    assert found <= 3


def test_decisions_without_a_strategy_are_counted_and_not_compared() -> None:
    known = table(100, 0.5, 0.5)
    blank = known.with_columns(
        pl.lit(None, pl.Float64).alias(f"p_{k}") for k in ("fold", "check", "call", "bet", "raise")
    )
    report = find_leaks(pl.concat([known, blank]), hands=500)
    assert (report.hands, report.decisions, report.compared) == (500, 200, 100)
    assert {*report.frame()["decisions"]} == {100}
    assert not find_leaks(blank.drop("p_bet")).leaks


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda t: t.drop("line"), "no column line"),
        (lambda t: t.with_columns(pl.lit("limp").alias("action")), "an action is one of"),
        (lambda t: t.with_columns(pl.lit(0.9).alias("p_bet")), "add up to 1.9"),
        (lambda t: t.with_columns((pl.col("p_fold") * 0 + np.nan).alias("p_fold")), "add up to nan"),
        (lambda t: t.with_columns(player=pl.Series(["a", "b"] * (len(t) // 2))), "of one player"),
    ],
)
def test_a_table_that_cannot_be_read_is_refused(change: object, words: str) -> None:
    with pytest.raises(ConfigError, match=words):
        find_leaks(change(table(10, 0.5, 0.5)))  # type: ignore[operator]


def test_fewer_hands_than_there_are_is_refused() -> None:
    with pytest.raises(ConfigError, match="3 hands were dealt"):
        find_leaks(table(10, 0.5, 0.5), hands=3)


def test_lines_have_the_names_of_the_trade() -> None:
    limp, iso = HandStep(0, 1, "call"), HandStep(0, 0, "raise")
    opens, three, four = HandStep(0, 1, "raise"), HandStep(0, 0, "raise"), HandStep(0, 1, "raise")
    assert line_kind([], 1, 0) == "unopened"
    assert line_kind([HandStep(0, 2, "fold")], 1, 0) == "unopened"
    assert line_kind([limp], 0, 0) == "facing limp"
    assert line_kind([limp, iso], 1, 0) == "facing raise of limp"
    assert line_kind([opens], 0, 0) == "facing open"
    assert line_kind([opens, three], 1, 0) == "facing 3bet"
    assert line_kind([opens, three, four], 0, 0) == line_kind([opens, three] * 2, 1, 0) == "facing 4bet"
    before = [opens, HandStep(0, 0, "call")]
    assert line_kind(before, 0, 1) == "first to act"
    assert line_kind([*before, HandStep(1, 0, "check")], 1, 1) == "c-bet chance"
    bet = [*before, HandStep(1, 0, "check"), HandStep(1, 1, "bet")]
    assert line_kind(bet, 0, 1) == "facing bet"
    assert line_kind([*bet, HandStep(1, 0, "raise")], 1, 1) == "facing raise"
    assert line_kind([*bet, HandStep(1, 0, "call"), HandStep(2, 0, "check")], 1, 2) == "barrel chance"
    assert (
        line_kind([*before, HandStep(1, 0, "check"), HandStep(1, 1, "check"), HandStep(2, 0, "check")], 1, 2)
        == "checked to"
    )


def test_a_leak_at_one_depth_or_on_one_texture_is_named_as_such() -> None:
    deep = [table(600, 0.5, 0.5, seed=k, stack_bb=depth) for k, depth in enumerate((10.0, 30.0, 200.0))]
    short = table(120, 0.5, 0.15, seed=9, stack_bb=15.0)
    [leak] = find_leaks(pl.concat([*deep, short])).leaks
    assert (leak.test.split, leak.test.part, leak.test.action) == ("stack", "10 to 20 bb", "call")
    flops = [table(600, 0.5, 0.5, seed=k, texture=name) for k, name in enumerate(("rainbow", "paired"))]
    wet = table(120, 0.5, 0.85, seed=9, texture="monotone")
    [leak] = find_leaks(pl.concat([*flops, wet])).leaks
    assert (leak.test.split, leak.test.part, leak.test.action) == ("texture", "monotone", "fold")


def test_no_decisions_are_no_leaks() -> None:
    report = find_leaks(table(40, 0.5, 0.5).clear(), hands=10)
    assert (report.leaks, report.tests, report.compared) == ((), (), 0)
    assert report.frame().is_empty()
