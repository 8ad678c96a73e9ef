"""Endgames Libratus met (Sandholm-Lab), and the curves the DDCFR authors published for one of them.

Their program reads six low cards wrongly when it ranks hands (`tests.reference.dense_river`). With its ranks
we find its first rows to seven digits with no factor at all; with the right ones rows are off by up to 40 %.

Late rows of DCFR hang on the last bits of float32 sums. The reference that adds in the order of the
authors' program has every row of the three rules to all printed digits. The same float32 program with its
products on two threads, so that a few rows of them are added in another order, is 0.8 % off for DCFR at 50
iterations and 25 % at 200; in float64, written out, four orders of the hands give +35, +0.05, +46 and +0.25
% at 500. So no engine that adds in an order of its own can be asked for those rows. What is asked of ours:
from the reference's tables one iteration makes the same tables; its judge finds every published row in the
reference's averages; and its own run is inside the issue's limits but for the rows named in `EXCEPT`. A sum
that is rounding only is exactly 0 (`kernels.vector.tiles`): without that, two hands which nobody can meet at
one decision play by rounding, and CFR in float32 ends 0.18 % off. So CFR is the published curve to 3e-5 in
float32; with `precision: float64` to 7e-7 in every row, CFR+ to 1.4e-4, DCFR to 1.2e-5 up to 20 iterations.
"""

from __future__ import annotations

import csv
from functools import cache
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
import pytest

from overbet.cards.cards import card, cards_name
from overbet.cards.combos import COMBOS, combo_index
from overbet.cards.range import Range
from overbet.solvers.rules import make_rule
from overbet.solvers.vector.engine import VectorEngine
from overbet.solvers.vector.settings import SolveSettings
from overbet.solvers.vector.solver import Solver
from overbet.tree import boards
from overbet.tree.public import PublicTree, public_tree
from overbet.tree.spot import Spot
from tests.reference.dense_river import COMBO_OF, DenseRiver, misread
from tests.reference.postflop import PlainSolver, Point
from tests.shared_data import shared
from tests.solvers.vector.beside import same_tree

POT = 500  # in both endgames; big blind 100
MENU = {"every": {"bet": "50%, 100%, a", "raise": "100%, a"}}

# the limits: 0.1 % up to 50 iterations, 2 % up to 1,000
LIMITS = {50: 1e-3, 1000: 2e-2}
RULES = ("CFR", "CFR+", "DCFR")
# rows outside them, and what is measured there: the last bits decide (see above)
EXCEPT = {("DCFR", 50): 0.0078, ("DCFR", 500): 0.239, ("DCFR", 1000): 0.118}
EXCEPT_SINGLE = {("DCFR", 20): 0.0012, ("DCFR", 50): 0.0058}
# how far the authors' arithmetic is run, and iterations that the engine repeats from its tables
QUICK = [("CFR", 50), ("CFR+", 50), ("DCFR", 50)]
RUNS = [*QUICK, *(pytest.param(rule, 1000, marks=pytest.mark.slow) for rule in RULES)]
STEPS = (10, 50, 200)
Doubles = npt.NDArray[np.float64]


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


def rows_of(rule: str) -> list[tuple[int, float]]:
    """Return the published rows of a rule: iterations, exploitability in big blinds."""
    with open(shared("published-curves.csv"), encoding="utf-8") as handle:
        return [
            (int(row["iterations"]), float(row["exploitability"]))
            for row in csv.DictReader(handle)
            if row["game"] == "Subgame3" and row["algorithm"] == rule
        ]


def misread_orders(boards: Any, cards: Any, _: Any, alive: Any, *filled: Any) -> None:
    """`order_hands` by the ranks of the authors' program; one board, whose hands are all alive or not."""
    hand, strength, place, shown = (one[0] for one in filled)
    board = boards[0]
    dead = np.isin(cards, board).any(1)
    ranks = np.zeros(len(cards), np.int32)
    live = np.flatnonzero(~dead)
    ranks[live] = misread(np.hstack([cards[live], np.tile(board, (len(live), 1))]).astype(np.int8))
    order = np.concatenate([live[np.argsort(ranks[live], kind="stable")], np.flatnonzero(dead)])
    hand[:], strength[:], shown[:] = order, ranks[order], cards[order]
    place[:] = -1
    place[order[: len(live)]] = np.arange(len(live))
    alive[0] = len(live)


@pytest.fixture(scope="module")
def published_game() -> PublicTree:
    """The river endgame 3 as the authors' program plays it."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(boards, "order_hands", misread_orders)
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
            assert ours == pytest.approx(published, rel=2e-6 if rule == "CFR" else 2e-4), (rule, iterations)
        if rule == "CFR":
            assert ours == pytest.approx(published, rel=5e-5), iterations
        if iterations <= 2:
            assert ours == pytest.approx(published, rel=1e-5)


class State(NamedTuple):
    """The reference after some iterations. regret, average: by line, [1326, action], hands in their order."""

    root: Point
    regret: dict[str, npt.NDArray[np.float32]]
    average: dict[str, npt.NDArray[np.float64]]
    exploitability: float


@cache
def reference(rule: str, until: int) -> dict[int, State]:
    """Run the authors' arithmetic; return its state at the published rows and before some of them."""
    river = DenseRiver(endgame(3, first=1), rule)
    wanted = {iterations for iterations, _ in rows_of(rule)} | {t - 1 for t in STEPS}
    found = {}
    for t in range(1, until + 1):
        river.iterate()
        if t in wanted:  # tables are replaced, not written to
            found[t] = State(river.root, dict(river.regret), dict(river.average), river.exploitability())
    return found


class Loaded:
    """An engine that takes the reference's tables, and the reference's tables laid out as the engine's."""

    def __init__(self, tree: PublicTree, rule: str, order: tuple[int, int], root: Point) -> None:
        self.rule = rule
        self.engine = VectorEngine(tree, make_rule(rule.lower()), order=order, double=True)
        weights = [hands.weights.astype(float).sum() for hands in tree.hands]
        self.weights, whole = weights, weights[0] * weights[1]
        self.in_big_blinds = self.engine.judge.pair_weight / whole / 100  # theirs are shares of all pairs
        theirs = np.empty(COMBOS, np.int64)
        theirs[COMBO_OF] = np.arange(COMBOS)
        self.hands = [theirs[hands.combos] for hands in tree.hands]
        self.index = {}  # by line: the player, [action, hand] int64 into its tables
        for line, node in same_tree(tree.betting, root).items():
            rows, place = self.engine.rows_of(node, 0)
            assert (place >= 0).all()
            self.index[line] = int(tree.betting.kind[node]), rows[:, None] + place

    def tables(self, state: State, iteration: int) -> tuple[list[Doubles], list[Doubles]]:
        """Return regrets and averages as the engine would hold them, a flat table a player.

        The engine's ranges are not in shares of 1; and where they give iteration t of CFR+ the weight t, it
        discounts what came before.
        """
        regret, average = ([np.zeros_like(table) for table in self.engine.regret] for _ in range(2))
        latest = iteration if self.rule == "CFR+" else 1
        for line, (player, index) in self.index.items():
            hands = self.hands[player]
            regret[player][index] = state.regret[line][hands].T * self.weights[1 - player]
            average[player][index] = state.average[line][hands].T * self.weights[player] / latest
        return regret, average


@pytest.mark.parametrize(("rule", "until"), RUNS)
def test_authors_arithmetic_finds_the_published_rows(rule: str, until: int) -> None:
    """To every printed digit."""
    states = reference(rule, until)
    rows = [(iterations, published) for iterations, published in rows_of(rule) if iterations <= until]
    assert rows[-1][0] == until
    for iterations, published in rows:
        found = states[iterations].exploitability
        assert float(f"{found:.9g}") == published, (rule, iterations)


@pytest.mark.parametrize(("rule", "until"), RUNS)
def test_judge_finds_the_published_rows(published_game: PublicTree, rule: str, until: int) -> None:
    """The engine's judge, given the averages of the authors' arithmetic, says what is published."""
    states = reference(rule, until)
    loaded = Loaded(published_game, rule, (1, 0), states[1].root)
    for iterations, published in rows_of(rule):
        if iterations <= until:
            loaded.engine.restore(iterations, *loaded.tables(states[iterations], iterations))
            found = loaded.engine.exploitability() * loaded.in_big_blinds
            limit = 2e-6 if iterations < 1000 else 1e-5  # theirs is a difference of float32 values
            assert found == pytest.approx(published, rel=limit), (rule, iterations)


@pytest.mark.parametrize("player", [1, 0])
@pytest.mark.parametrize(("rule", "until"), [*QUICK, pytest.param("DCFR", 200, marks=pytest.mark.slow)])
def test_one_iteration_from_the_same_tables(
    published_game: PublicTree, rule: str, until: int, player: int
) -> None:
    """From the tables of the authors' arithmetic the engine's next ones are theirs.

    Player 1 is updated first; player 0 then meets what player 1 has just learnt, which is loaded as well:
    where regrets tie, the last bit decides what it plays, and that is not what is compared.
    """
    states = reference(rule, until)
    loaded = Loaded(published_game, rule, (player, 1 - player), states[1].root)
    engine = loaded.engine
    for t in STEPS:
        if t > until:
            continue
        before, after = loaded.tables(states[t - 1], t - 1), loaded.tables(states[t], t)
        start = [list(tables) for tables in before]
        if player == 0:
            for old, new in zip(start, after):
                old[1] = new[1]
        engine.restore(t - 1, *start)
        engine.run(1)
        for ours, old, new, within in zip((engine.regret, engine.average), before, after, (1e-5, 1e-6)):
            change = np.abs(new[player] - old[player]).max()
            np.testing.assert_allclose(ours[player], new[player], rtol=0, atol=within * change)


def test_plain_reference_finds_the_published_rows(published_game: PublicTree) -> None:
    """In float64, written out, the game and the rule are the published ones to 1e-5."""
    plain = PlainSolver(published_game.spot, order=(1, 0))
    strength = [np.zeros(hands.size) for hands in published_game.hands]
    for own, found in zip(strength, published_game.showdowns):
        own[found.hand[0]] = found.strength[0]
    plain.deals.sign = np.sign(strength[0][:, None] - strength[1][None, :])[None]
    one, two = plain.deals.weights
    pairs = one @ plain.deals.pairs[2][0] @ two / one.sum() / two.sum()
    step, iterations = make_rule("dcfr"), 0
    for until, published in rows_of("DCFR")[:3]:  # to 5 iterations
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
