"""The preflop table: published values, symmetries, the classes' sums, and files that are not one."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from overbet.cards import preflop, preflop_build
from overbet.cards.combos import class_index, class_of_combos, combo_masks, combos_of_class
from overbet.cards.equity import equity
from overbet.cards.equity_engines import showdowns
from overbet.cards.equity_field import read_question
from overbet.errors import ArtefactError, CardError


def test_published_counts() -> None:
    assert preflop.matchup("AhKh", "QsQd") == (787_966, 6_732, 917_606)
    assert preflop.matchup("QsQd", "AhKh") == (917_606, 6_732, 787_966)
    assert preflop.matchup("AhKh", "QsQd").equity == pytest.approx(0.462145, abs=5e-7)


@pytest.mark.parametrize(
    ("first", "second", "value"), [("AA", "KK", 0.819461), ("AKs", "QQ", 0.460485), ("22", "AKo", 0.526492)]
)
def test_published_class_values(first: str, second: str, value: float) -> None:
    table = preflop.equity_169()
    assert table[class_index(first), class_index(second)] == pytest.approx(value, abs=5e-7)


def test_kinds_of_match_ups() -> None:
    kinds = preflop.kinds()
    assert len(kinds.first) == 47_008
    masks = combo_masks()
    assert not (masks[kinds.first] & masks[kinds.second]).any()
    ordered = np.stack((kinds.of_class, kinds.exchanged)).reshape(2, -1)[:, kinds.of_class.ravel() >= 0]
    both_ways = len(np.unique(ordered, axis=1).T)
    # a kind that is its own exchange appears one way only
    assert both_ways == 93_769


def test_random_match_ups_are_what_enumeration_counts() -> None:
    rng = np.random.default_rng(0)
    for _ in range(12):
        deck = rng.permutation(52)[:4].tolist()
        first, second = (max(pair) * (max(pair) - 1) // 2 + min(pair) for pair in (deck[:2], deck[2:]))
        weights = np.zeros((2, 1326))
        weights[0, first] = weights[1, second] = 1
        counts = showdowns(read_question(tuple(weights), "", ""))
        assert preflop.matchup(first, second) == (counts[0, 1], counts[0, 2], counts[1, 1])


def test_the_exchange_of_places_exchanges_wins() -> None:
    table = preflop.matchups()
    disjoint = (combo_masks()[:, None] & combo_masks()) == 0
    assert (table.ties == table.ties.T).all()
    total = table.wins + table.wins.T + table.ties
    assert (total[disjoint] == 1_712_304).all()
    assert (total[~disjoint] == 0).all()
    assert not table.wins.flags.writeable


def test_classes_are_means_over_their_pairs() -> None:
    table, counts = preflop.equity_169(), preflop.pair_counts_169()
    assert counts.sum() == 1326 * 1225
    assert (counts == counts.T).all()
    assert np.abs(table + table.T - 1).max() < 1e-15
    assert (np.diag(table) == 0.5).all()
    wins = preflop.matchups().wins.astype(np.int64)
    for first, second in (("AA", "AKs"), ("T9s", "98o"), ("AKo", "AKo"), ("22", "22"), ("72o", "KQs")):
        row, column = class_index(first), class_index(second)
        here = np.ix_(combos_of_class(row), combos_of_class(column))
        masks = combo_masks()
        pairs = int(((masks[here[0]] & masks[here[1]]) == 0).sum())
        assert counts[row, column] == pairs
        assert preflop.wins_169()[row, column] == wins[here].sum()
        assert preflop.ties_169()[row, column] == preflop.matchups().ties[here].sum(dtype=np.int64)
        assert table[row, column] == pytest.approx(equity(first, second).equity[0], abs=1e-13)


def test_equity_against_a_range() -> None:
    weights = np.random.default_rng(2).random(1326) * (class_of_combos() % 3 == 0)
    found = preflop.hand_equities(weights)
    table = preflop.matchups()
    disjoint = (combo_masks()[:, None] & combo_masks()) == 0
    expected = (table.wins + table.ties / 2) @ weights / (1_712_304 * (disjoint @ weights))
    assert found == pytest.approx(expected, abs=1e-12)
    assert preflop.hand_equities(np.ones(1326))[1325] == pytest.approx(0.852037, abs=1e-6)


def test_canonical_boards() -> None:
    boards, numbers = preflop_build.canonical_boards()
    assert boards.shape == (134_459, 5)
    assert numbers.sum() == 2_598_960


def test_reading_needs_no_compiler() -> None:
    code = "import sys, overbet.cards.preflop as p; p.equity_169(); sys.exit('numba' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_written_counts_are_read_back(tmp_path: Path) -> None:
    wins, ties = preflop.shipped_counts()
    preflop_build.write_counts(tmp_path / "table.h5", wins, ties)
    again = preflop.read_counts(tmp_path / "table.h5")
    assert (again[0] == wins).all()
    assert (again[1] == ties).all()
    assert [path.name for path in tmp_path.iterdir()] == ["table.h5"]


@pytest.mark.parametrize("damage", ["missing", "text", "cut", "other", "short"])
def test_files_that_are_not_a_table(tmp_path: Path, damage: str) -> None:
    path = tmp_path / "table.h5"
    if damage == "text":
        path.write_text("not a table")
    elif damage == "cut":
        preflop_build.write_counts(path, *preflop.shipped_counts())
        path.write_bytes(path.read_bytes()[:-1000])
    elif damage == "other":
        np.savez(path, wins=np.zeros(47_008, np.int32))
    elif damage == "short":
        preflop_build.write_counts(path, np.zeros(5, np.int32), np.zeros(5, np.int32))
    with pytest.raises(ArtefactError, match=r"preflop table|preflop-table"):
        preflop.read_counts(path)


def test_bad_match_ups() -> None:
    with pytest.raises(CardError, match="AhKh and AhQd share a card"):
        preflop.matchup("AhKh", "AhQd")
    with pytest.raises(CardError, match="1326 is not a combo"):
        preflop.matchup(1326, 0)
    with pytest.raises(CardError, match="not a combo"):
        preflop.matchup("AK", "QQ")


@pytest.mark.slow
def test_the_shipped_table_is_what_counting_gives() -> None:
    for found, shipped in zip(preflop_build.count_matchups(), preflop.shipped_counts()):
        assert (found == shipped).all()


@pytest.mark.parametrize("value", [-1, preflop.BOARDS])
def test_counts_that_cannot_be_are_refused(tmp_path: Path, value: int) -> None:
    path = tmp_path / "table.h5"
    counts = np.full(preflop.MATCHUPS, value, np.int32)
    preflop_build.write_counts(path, counts, counts)
    with pytest.raises(ArtefactError, match="its counts are not those of match-ups"):
        preflop.read_counts(path)
