"""Endgames Libratus met (Sandholm-Lab), and the curves the DDCFR authors published for one of them.

Their program reads six low cards wrongly when it ranks hands: the table that names a card by (rank, suit) is
also filled by (suit, rank), so that 3h, 4h and 5h count as deuces, 4d and 5d as treys and 5s as a four (no
flush is possible on this river, so suits do not matter). With its ranks we find its first rows to seven
digits with no factor at all; with the right ones rows are off by up to 40 %.

How near later rows can be: where no hand of the opponent that shares no card gets to a node, all regrets
there are zero, and in sums of floats rounding decides what is played. No hand of these ranges is without a
compatible opponent from the start, so it cannot be known beforehand. With `precision: float64` such values
are exactly 0 (`kernels.lanes`): CFR and CFR+ are then the published curves to 1.4e-4 in every row, and DCFR
to 1.2e-5 up to 20 iterations. Later DCFR rows part from the published ones: `EXCEPT`. At 50 and 100 the plain
reference in float64 is off alike (0.8 % and 0.6 %); beyond that it was not run. That the rounding of the
authors' run decides there is a guess.
"""

from __future__ import annotations

import csv

import numpy as np
import numpy.typing as npt
import pytest

from overbet.cards.cards import card, cards_name
from overbet.cards.combos import COMBOS, combo_index
from overbet.cards.evaluator import evaluate_batch
from overbet.cards.range import Range
from overbet.solvers.rules import make_rule
from overbet.solvers.vector.engine import VectorEngine
from overbet.solvers.vector.layout import PublicTree, public_tree
from overbet.solvers.vector.settings import SolveSettings
from overbet.solvers.vector.solver import Solver
from overbet.tree import boards
from overbet.tree.spot import Spot
from tests.reference.postflop import PlainSolver
from tests.shared_data import shared

MISREAD = {"3h": "2d", "4h": "2s", "4d": "3s", "5h": "2c", "5d": "3c", "5s": "4c"}
POT = 500  # in both endgames; big blind 100
MENU = {"every": {"bet": "50%, 100%, a", "raise": "100%, a"}}

# the limits: 0.1 % up to 50 iterations, 2 % up to 1,000
LIMITS = {50: 1e-3, 1000: 2e-2}
RULES = ("CFR", "CFR+", "DCFR")
# rows outside them in float64, and what is measured there (see above)
EXCEPT = {("DCFR", 50): 0.0077, ("DCFR", 500): 0.241, ("DCFR", 1000): 0.138}
# rows outside them in float32: measured 0.20 % (CFR+ at 50), 1.4 %, 2.9 %, 2.7 % (DCFR at 20, 50, 100)
EXCEPT_SINGLE = {("CFR+", 50): 0.0020, ("DCFR", 20): 0.014, ("DCFR", 50): 0.029, ("DCFR", 100): 0.027}


def reaches(number: int) -> npt.NDArray[np.float64]:
    """Return both lists of an endgame in our order of combos: [2, 1326]."""
    cards = [card(rank + suit) for rank in "23456789TJQKA" for suit in "shdc"]
    order = [combo_index(cards[i], cards[j]) for i in range(52) for j in range(i + 1, 52)]
    given = np.array(shared(f"libratus-endgame{number}.txt").read_text().split(), float)
    found = np.zeros((2, COMBOS))
    found[:, order] = given.reshape(2, COMBOS)
    return found


def board_of(reach: npt.NDArray[np.float64]) -> str:
    """Return the cards nobody ever holds: the board."""
    held = np.zeros(52)
    for combo in range(COMBOS):
        for one in boards.combo_table()[combo]:
            held[one] += reach[:, combo].sum()
    return cards_name(int(c) for c in np.flatnonzero(held == 0))


def endgame(number: int, first: int) -> Spot:
    """Return an endgame; the list `first` goes to the player who acts first."""
    reach = reaches(number)
    return Spot.parse(
        {
            "board": board_of(reach),
            "pot": POT,
            "stacks": 20_000 - POT // 2,
            "min_bet": 100,
            "big_blind": 100,
            "ranges": {"oop": Range(reach[first]), "ip": Range(reach[1 - first])},
            "bets": MENU,
        }
    )


def misread(seven: npt.NDArray[np.int8]) -> npt.NDArray[np.int32]:
    """Rank hands as the authors' program does. seven: [n, 7] int8, two hole cards first."""
    wrong = {card(there): card(here) for there, here in MISREAD.items()}
    rows = []
    for row in seven.tolist():
        used = row[2:]
        for one in row[:2]:
            read = wrong.get(one, one)
            same_rank = [read, *range(read // 4 * 4, read // 4 * 4 + 4)]
            used.append(next(other for other in same_rank if other not in used))
        rows.append(used)
    return np.asarray(evaluate_batch(np.array(rows, np.int8)), np.int32)


def rows_of(rule: str) -> list[tuple[int, float]]:
    """Return the published rows of a rule: iterations, exploitability in big blinds."""
    with open(shared("published-curves.csv"), encoding="utf-8") as handle:
        return [
            (int(row["iterations"]), float(row["exploitability"]))
            for row in csv.DictReader(handle)
            if row["game"] == "Subgame3" and row["algorithm"] == rule
        ]


@pytest.fixture(scope="module")
def published_game() -> PublicTree:
    """The river endgame 3 as the authors' program plays it."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(boards, "evaluate_batch", misread)
        return public_tree(endgame(3, first=1))


@pytest.mark.parametrize("rule", RULES)
@pytest.mark.parametrize("double", [True, False])
def test_published_curve(published_game: PublicTree, rule: str, double: bool) -> None:
    """Every row is inside the limits but those named, and those are where they were measured."""
    assert published_game.betting.size == 93
    assert np.count_nonzero(published_game.betting.kind < 2) * 47 * 46 == 69_184  # their information sets
    rows = rows_of(rule)
    assert len(rows) == 10
    engine = VectorEngine(published_game, make_rule(rule.lower()), order=(1, 0), double=double)
    assert all(met.min() > 0.01 for met in engine.judge.met)  # every hand has somebody to meet
    whole = np.prod([hands.weights.astype(float).sum() for hands in published_game.hands])
    in_big_blinds = engine.judge.pair_weight / whole / 100
    known = EXCEPT if double else EXCEPT_SINGLE
    for iterations, published in rows:
        engine.run(iterations - engine.iteration)
        ours = engine.exploitability() * in_big_blinds
        limit = 1.5 * known.get((rule, iterations), 0.0) or next(
            x for at, x in LIMITS.items() if iterations <= at
        )
        assert ours == pytest.approx(published, rel=limit), (rule, iterations)
        if double and (rule != "DCFR" or iterations <= 20):
            assert ours == pytest.approx(published, rel=2e-4), (rule, iterations)
        if iterations <= 2:
            assert ours == pytest.approx(published, rel=1e-5)


@pytest.mark.parametrize("rule", ["CFR+", "DCFR"])
def test_plain_reference_finds_the_published_rows(published_game: PublicTree, rule: str) -> None:
    """In float64, written out, the game and the rules are the published ones to 1e-5."""
    plain = PlainSolver(published_game.spot, order=(1, 0))
    strength = [np.zeros(hands.size) for hands in published_game.hands]
    for own, found in zip(strength, published_game.showdowns):
        own[found.hand[0]] = found.strength[0]
    plain.deals.sign = np.sign(strength[0][:, None] - strength[1][None, :])[None]
    one, two = plain.deals.weights
    pairs = one @ plain.deals.pairs[2][0] @ two / one.sum() / two.sum()
    step, iterations = make_rule(rule.lower()), 0
    for until, published in rows_of(rule)[:4]:
        plain.run([step.at(t) for t in range(iterations + 1, until + 1)])
        iterations = until
        assert plain.exploitability() * pairs / 100 == pytest.approx(published, rel=1e-5)


def test_right_ranks_are_another_game() -> None:
    """What is published for two iterations is far from what the right ranks give."""
    engine = VectorEngine(public_tree(endgame(3, first=1)), make_rule("cfr"), order=(1, 0))
    whole = np.prod([hands.weights.astype(float).sum() for hands in engine.tree.hands])
    engine.run(2)
    assert engine.exploitability() * engine.judge.pair_weight / whole / 100 < 19.0  # published: 20.77


@pytest.mark.slow
def test_endgame_1_to_half_a_percent() -> None:
    solver = Solver(endgame(1, first=0), SolveSettings(target=0.5, iterations=3000, threads=1))
    solver.run()
    assert 0 <= solver.exploitability <= 0.5
