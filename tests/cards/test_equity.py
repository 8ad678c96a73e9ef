"""Equity: published values, the plain-Python oracle, engines against each other, samples, bad input."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

from overbet.cards import equity as module
from overbet.cards import equity_engines as engines
from overbet.cards import preflop
from overbet.cards.cards import board as read_board
from overbet.cards.cards import cards as read_cards
from overbet.cards.combos import combo, combo_cards, combo_masks, combo_table
from overbet.cards.equity import equity, hand_equities
from overbet.cards.equity_field import read_question
from overbet.cards.evaluator import evaluate_batch, tables
from overbet.cards.range import Range
from overbet.errors import CardError, ConfigError, OverbetError, RangeError, RulesError, TooLargeError
from overbet.kernels.cards.equity import EquityBoards, board_equity, complete_boards
from tests.reference import equity as reference

FULL = np.ones(1326)


def oracle(*texts: str, board: str, dead: str = "") -> list[tuple[float, float, float]]:
    """Ask the plain-Python oracle about range texts."""
    players = []
    for text in texts:
        weights = Range.parse(text).weights
        players.append({combo_cards(int(i)): Fraction(float(weights[i])) for i in np.flatnonzero(weights)})
    found = reference.equities(players, read_board(board), read_cards(dead))
    return [(float(win), float(tie), float(share)) for win, tie, share in found]


def rows(result: module.EquityResult) -> list[tuple[float, float, float]]:
    return list(zip(result.win, result.tie, result.equity))


def test_hand_against_hand_before_the_flop() -> None:
    result = equity("AhKh", "QsQd")
    assert result.exact
    assert result.boards == 1_712_304
    assert round(result.win[0] * result.boards) == 787_966
    assert round(result.tie[0] * result.boards) == 6_732
    assert result.ci95 == (0.0, 0.0)


def test_enumeration_counts_the_same_boards() -> None:
    counts = engines.showdowns(read_question(("AhKh", "QsQd"), "", ""))
    assert counts.tolist() == [[0, 787_966, 6_732], [0, 917_606, 6_732]]


@pytest.mark.parametrize(
    ("first", "second", "value"), [("AA", "KK", 0.819461), ("AKs", "QQ", 0.460485), ("22", "AKo", 0.526492)]
)
def test_published_range_values(first: str, second: str, value: float) -> None:
    result = equity(first, second)
    assert result.exact
    assert result.equity[0] == pytest.approx(value, abs=5e-7)
    assert sum(result.equity) == pytest.approx(1, abs=1e-12)


def test_the_table_agrees_with_every_other_engine() -> None:
    from_table = equity("TT", "JTs:.5,ThTs")
    question = read_question(("TT", "JTs:.5,ThTs"), "", "")
    dealt = engines.deal_all(question, None)
    assert dealt[:, 2] == pytest.approx(from_table.equity, abs=1e-12)
    assert dealt[:, 0] == pytest.approx(from_table.win, abs=1e-12)
    symmetric = read_question(("AA", "KK"), "", "")
    assert symmetric.symmetric
    assert not question.symmetric
    assert engines.deal_all(symmetric, None)[0, 2] == pytest.approx(equity("AA", "KK").equity[0], abs=1e-12)


@pytest.mark.parametrize(
    ("players", "board"),
    [
        (("AKs,QQ:.5", "AhQh,JJ,AKs:.25"), "Td9d6h2c"),
        (("QQ,AhKh", "QQ,AhKh"), "QcTd9d6h"),
        (("AA,55:.1", "KK,A5s:.3", "55,KhKd"), "5d4d3d2d"),
        (("AsKs,AdKd", "AhKh:.5,AcKc", "QhQd,QhQc", "JsTd"), "Ts9s2d3h4h"),
    ],
)
def test_same_as_the_oracle(players: tuple[str, ...], board: str) -> None:
    expected = oracle(*players, board=board)
    question = read_question(players, board, "")
    for row, found in zip(rows(equity(*players, board=board, method="exact")), expected):
        assert row == pytest.approx(found, abs=1e-9)
    assert engines.deal_all(question, None) == pytest.approx(np.array(expected), abs=1e-9)


def test_dead_cards_are_gone() -> None:
    expected = oracle("AhKh,22", "QQ,JTs", board="Td9d6h3c", dead="2d")
    found = equity("AhKh,22", "QQ,JTs", board="Td9d6h3c", dead="2d")
    for row, value in zip(rows(found), expected):
        assert row == pytest.approx(value, abs=1e-9)
    assert found.dead == "2d"
    assert found.boards == 52 - 5


def test_dead_cards_before_the_flop_are_enumerated() -> None:
    without = equity("AhKh", "QsQd", dead="Qh Qc")
    assert without.exact
    assert without.boards == 1_370_754  # of the 46 cards left
    assert without.equity[0] > equity("AhKh", "QsQd").equity[0]


def test_sweep_equals_all_pairs() -> None:
    """The O(hands) sweep of one board against the O(hands^2) comparison, with random weights."""
    rng = np.random.default_rng(5)
    hands = engines.hands_of(np.arange(1326))
    for _ in range(5):
        board = rng.permutation(52)[:5].astype(np.int8)
        weights = rng.random(1326) * (rng.random(1326) < 0.7)
        out = np.zeros((3, 1326))
        assert board_equity(board, hands, weights, tables(), out) == 1081
        masks = combo_masks()
        on_board = np.bitwise_or.reduce(np.uint64(1) << board.astype(np.uint64))
        live = (masks & on_board) == 0
        ranks = np.zeros(1326, np.int32)
        ranks[live] = evaluate_batch(masks[live] | on_board)
        meets = ((masks[:, None] & masks) == 0) & live & live[:, None]
        above, level = ranks[:, None] > ranks, ranks[:, None] == ranks
        expected = np.stack([(meets & above) @ weights, (meets & level) @ weights, meets @ weights])
        assert out == pytest.approx(expected, abs=1e-9)


def test_run_outs_are_all_there_once() -> None:
    deck = np.array([card for card in range(52) if card not in (3, 17, 40)], np.int8)
    for board, first, number in (((3, 17, 40), 1, 1176), ((3, 17, 40, 51), 0, 49), ((), 4, 1_906_884)):
        lying = np.array(board, np.int8)
        parts = [complete_boards(lying, deck, outer, tables()) for outer in range(first, len(deck))]
        masks = np.concatenate([part.masks for part in parts])
        assert isinstance(parts[0], EquityBoards)
        assert len(masks) == len(np.unique(masks)) == number


def test_hand_equities_average_to_the_range() -> None:
    weights = Range.parse("22+,ATs+:.5").weights.astype(np.float64)
    for board in ("", "Td9d6h", "Td9d6h2c", "Td9d6h2c2d"):
        alone = hand_equities("JJ+,AK", board=board)
        for text in ("AhKd", "JcJs"):
            assert alone[combo(text)] == pytest.approx(
                equity(text, "JJ+,AK", board=board).equity[0], abs=1e-12
            )
        dead = combo_masks() & np.uint64(sum(1 << card for card in read_board(board))) != 0
        assert np.isnan(alone[dead]).all()
        assert not np.isnan(alone[~dead]).any()
        opponent = np.where(dead, 0, Range.parse("JJ+,AK").weights)
        meets = ((combo_masks()[:, None] & combo_masks()) == 0) @ opponent
        mean = np.average(alone[~dead], weights=(weights * meets)[~dead])
        assert equity(weights, "JJ+,AK", board=board).equity[0] == pytest.approx(mean, abs=1e-12)


def test_hands_that_leave_the_opponent_nothing_are_not_a_number() -> None:
    for board in ("", "Td9d6h"):
        found = hand_equities("AhKh", board=board)
        assert np.isnan(found[combo("AhQs")])
        assert not np.isnan(found[combo("AsQs")])


@pytest.mark.parametrize(
    ("players", "board"),
    [
        (("AhKh", "QsQd"), ""),
        (("AKs,QQ+", "22+"), "Td9d6h"),
        (("AA,KK:.2", "KK,AKo:.5", "QQ,AKs"), "Qd7s2c"),
    ],
)
def test_samples_lie_around_the_exact_value(players: tuple[str, ...], board: str) -> None:
    exact = equity(*players, board=board, method="exact")
    sampled = equity(*players, board=board, method="sampled", samples=400_000, seed=11)
    assert not sampled.exact
    assert sampled.trials == 400_000
    for true, found, width in zip(exact.equity, sampled.equity, sampled.ci95):
        assert abs(true - found) < 2 * width
        assert 1e-4 < width < 2e-3
    assert sum(sampled.equity) == pytest.approx(1, abs=1e-9)
    for true, found in zip(exact.tie, sampled.tie):
        assert found == pytest.approx(true, abs=3e-3)


def test_the_interval_covers_as_often_as_it_says() -> None:
    true = equity("AKs,QQ+", "22+").equity[0]
    runs = [equity("AKs,QQ+", "22+", method="sampled", samples=20_000, seed=seed) for seed in range(200)]
    covered = sum(abs(run.equity[0] - true) <= run.ci95[0] for run in runs)
    assert 180 <= covered <= 199  # 190 expected; the bounds are three standard deviations and more


def test_dealing_in_turn_when_rejection_hardly_succeeds(monkeypatch: pytest.MonkeyPatch) -> None:
    """Four players with one range of three pairs' combos: the weighted trials agree with enumeration."""
    players = ("AA,AKs", "AA:.5,AKs", "KK,AKs:.5")
    exact = equity(*players, board="2c3d4h9s", method="exact")
    monkeypatch.setattr(engines, "_PILOT_SHARE", 2.0)
    sampled = equity(*players, board="2c3d4h9s", method="sampled", samples=400_000, seed=3)
    assert sampled.equity != exact.equity
    for true, found, width in zip(exact.equity, sampled.equity, sampled.ci95):
        assert abs(true - found) < 2 * width


def test_crowded_ranges_are_sampled() -> None:
    """Six players with 40 combos of 16 cards each: fewer than one deal in a hundred works by rejection."""
    result = equity(*["JJ+,AK"] * 6, samples=100_000, seed=1)
    assert not result.exact
    assert result.equity == pytest.approx([1 / 6] * 6, abs=0.01)


def test_the_same_seed_gives_the_same_sample_on_any_number_of_threads(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    asked = {"method": "sampled", "samples": 50_000, "seed": 4}
    first = equity("AK", "QQ", "JTs", **asked)  # type: ignore[arg-type]
    monkeypatch.setattr(engines.machine, "core_count", lambda: 1)
    assert equity("AK", "QQ", "JTs", **asked) == first  # type: ignore[arg-type]
    assert equity("AK", "QQ", "JTs", method="sampled", samples=50_000, seed=5) != first


def test_nine_players() -> None:
    hands = ("AhAd", "KhKd", "QhQd", "JhJd", "ThTd", "9h9d", "8h8d", "7h7d", "6h6d")
    result = equity(*hands)
    assert result.exact
    assert result.boards == 278_256
    assert sum(result.equity) == pytest.approx(1, abs=1e-12)
    assert result.equity[0] > 0.2
    wide = equity(*[FULL] * 9, samples=50_000)
    assert not wide.exact
    assert wide.equity == pytest.approx([1 / 9] * 9, abs=0.01)


def test_weights_ranges_and_texts_are_the_same_player() -> None:
    text = "QQ+,AKs:.25"
    expected = equity(text, "22+").equity
    assert equity(Range.parse(text), "22+").equity == expected
    assert equity(Range.parse(text).weights, "22+").equity == expected
    assert equity(4 * Range.parse(text).weights, "22+").equity == pytest.approx(expected, abs=1e-12)


def test_weights_below_one_are_respected() -> None:
    light = equity("AA,72o:.1", "KK").equity[0]
    even = equity("AA,72o", "KK").equity[0]
    assert even < light < equity("AA", "KK").equity[0]


def test_progress_counts_up_to_the_end() -> None:
    seen: list[tuple[int, int]] = []
    equity("AA", "KK,QQ,JJ", board="2c3d4h", progress=lambda done, total: seen.append((done, total)))
    assert seen[-1] == (1176, 1176)
    assert [done for done, _ in seen] == sorted({done for done, _ in seen})
    seen.clear()
    equity(*["22+"] * 3, samples=20_000, progress=lambda done, total: seen.append((done, total)))
    assert seen[-1] == (20_000, 20_000)


def test_dictionary() -> None:
    facts = equity("AhKh", "QsQd", board="Td9d6h", dead="2c").to_dict()
    assert facts["board"] == "Td9d6h"
    assert facts["dead"] == "2c"
    assert facts["exact"] is True
    players = facts["players"]
    assert isinstance(players, list)
    assert players[0].keys() == {"hand", "combos", "equity", "win", "tie", "ci95"}
    assert equity("QQ,AKs:.25", "22+", board="QdKs2c").combos == (3.75, 69)


@pytest.mark.parametrize(
    ("players", "options", "error", "message"),
    [
        (("AhKh",), {}, RulesError, "2 to 9 players; 1 given"),
        (("AA",) * 10, {}, RulesError, "2 to 9 players; 10 given"),
        (("AhKh", "AhQd"), {}, CardError, "Ah of AhQd is also in AhKh"),
        (("AhKh", "QsQd"), {"board": "Kh9d6h"}, CardError, "Kh of AhKh is also on the board"),
        (("AhKh", "QsQd"), {"dead": "Qd"}, CardError, "Qd of QsQd is also dead"),
        (("AhKh", "QsQd"), {"board": "Td9d6h", "dead": "Td"}, CardError, "Td is both on the board and dead"),
        (("AhKh", "QsQd"), {"board": "Td9d"}, CardError, "0, 3, 4 or 5 cards"),
        (("AhKh", "QsQd"), {"board": "Td9d6h2c3c4c"}, CardError, "0, 3, 4 or 5 cards"),
        (("AhKh", "QsQd"), {"board": "Td9dTd"}, CardError, "Td appears twice"),
        (("AhKh", "QsXd"), {}, OverbetError, "X"),
        (("AA", "KK"), {"board": "AhAsAd"}, RangeError, "no combo of 'AA' is left: the board is AhAsAd"),
        (("AA", "KhKd,KhKs"), {"dead": "KhKs"}, RangeError, "no combo of 'KhKd,KhKs' is left: KhKs dead"),
        (("AhKh", "AhQh,AhJh"), {}, RangeError, "no combo of 'AhQh,AhJh' is left: the other players"),
        (("AhKh,AhQh", "AhJh,AhTh"), {}, RangeError, "no combo of 'AhJh,AhTh' is left: the other players"),
        (("AA", "AA", "AA"), {}, RangeError, "block each other"),
        (("AA", "AA", "AA"), {"method": "sampled"}, RangeError, "block each other"),
        (
            ("AhKh,AdKd,AhKd", "AhKh,AdKd,AhKd,AdKh", "AsKs", "AcKc", "AhKh,AdKd,KhAd"),
            {"board": "2c3c4c"},
            RangeError,
            "block",
        ),
        ((FULL[:-1], "AA"), {}, RangeError, "1326 are needed"),
        ((-FULL, "AA"), {}, RangeError, "negative"),
        ((FULL * np.nan, "AA"), {}, RangeError, "not a number"),
        ((FULL * 0, "AA"), {}, RangeError, "empty range"),
        (("AA", "KK"), {"samples": 0}, ConfigError, "at least one sample"),
        (("AA", "KK"), {"seed": -1}, ConfigError, "a seed is"),
        (("AA", "KK"), {"method": "sample"}, ConfigError, "did you mean 'sampled'"),
        (("AhKh:.3,AdKd:.7", "AhKd:.1,AdKh:.9"), {}, RangeError, "block each other"),
        (("AhKh:.3,AdKd:.7", "AhKd:.1,AdKh:.9"), {"board": "2c3c4c"}, RangeError, "block each other"),
        ((FULL,) * 9, {"method": "exact"}, TooLargeError, "sampled"),
        ((FULL,) * 9, {"dead": list(range(32))}, CardError, "20 cards are left, 23 are to be dealt"),
    ],
)
def test_bad_questions(
    players: tuple[object, ...], options: dict[str, object], error: type[OverbetError], message: str
) -> None:
    with pytest.raises(error, match=message) as caught:
        equity(*players, **options)  # type: ignore[arg-type]
    assert "\n" not in str(caught.value).strip() or "X" in message  # a range error points at the place


def test_bad_questions_about_hands() -> None:
    with pytest.raises(RangeError, match="no combo of 'AA' is left on AhAsAd"):
        hand_equities("AA", board="AhAsAd")
    with pytest.raises(CardError, match="0, 3, 4 or 5 cards"):
        hand_equities("AA", board="AhAs")


def test_hands_that_meet_are_counted_without_rounding() -> None:
    """The preflop table and the sweeps count who can meet whom alike: 1,225 opponents before the flop."""
    cards = combo_table()
    meet = np.array([[len({*a, *b}) == 4 for b in cards[:60].tolist()] for a in cards[:60].tolist()])
    table = preflop.matchups()
    assert ((table.wins[:60, :60] + table.wins[:60, :60].T + table.ties[:60, :60] > 0) == meet).all()
