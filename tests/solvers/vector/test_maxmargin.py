"""The maxmargin gadget: against a linear program, and what it is for."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import pytest

from overbet.errors import ConfigError
from overbet.solvers.rules import make_rule
from overbet.solvers.vector import devices
from overbet.solvers.vector.engine import VectorEngine
from overbet.solvers.vector.gadget import HandChoice
from overbet.solvers.vector.response import BEST, FOLLOW
from overbet.solvers.vector.settings import SolveSettings
from overbet.solvers.vector.subgame import MaxMargin, Root, compatible
from overbet.tree.public import PublicTree, public_tree
from overbet.tree.spot import IP, OOP, Spot
from tests.reference.postflop import PlainSolver, Point
from tests.solvers.vector.test_engine import SPOTS

Floats = npt.NDArray[np.float64]

# hands that block each other, and one (AsAc) that meets little of the other range
RIVER = {
    "board": "KsTh7s4d2c",
    "pot": 60,
    "stacks": 150,
    "ranges": {"oop": "AsAc,AhKh,QsQd,JhTd,9c8c,6h5h", "ip": "AcKc,AsQs,JsJd,TsTc,8h7h,6d5d,AdAh:0.3"},
    "bets": {"every": {"bet": "75%", "raise": "a"}},
}


class MarginProgram:
    """The largest smallest margin as a linear program over the searcher's plans, on the plain reference.

    Variables: the margin, how often the searcher plays each action with each hand from the root on, and what
    each of the opponent's hands gets at each point when it plays best.
    """

    def __init__(self, spot: Spot, opponent: int, weights: Floats) -> None:
        self.plain, self.opponent, self.weights = PlainSolver(spot), opponent, weights
        self.hands = [len(hands) for hands in self.plain.deals.hands]
        self.free = [True]  # the margin; plans are not negative
        self.equal: list[tuple[dict[int, float], float]] = []
        self.most: list[tuple[dict[int, float], float]] = []

    def solved(self, alternatives: Floats, met: Floats, can: npt.NDArray[np.bool_]) -> float:
        """Return the largest smallest margin, in chips for each unit of range met."""
        from scipy.optimize import linprog

        root = self._values(self.plain.root, None)
        for hand in np.flatnonzero(can):  # margin <= (alternative - value) / met
            self.most.append(({0: met[hand], root[hand]: 1.0}, alternatives[hand]))
        cost = np.zeros(len(self.free))
        cost[0] = -1.0
        found = linprog(
            cost,
            *self._matrix(self.most),
            *self._matrix(self.equal),
            bounds=[(None, None) if free else (0, None) for free in self.free],
            method="highs",
        )
        assert found.status == 0, found.message
        return float(found.x[0])

    def _new(self, count: int, free: bool) -> list[int]:
        first = len(self.free)
        self.free += [free] * count
        return list(range(first, first + count))

    def _matrix(self, rows: list[tuple[dict[int, float], float]]) -> tuple[Floats, Floats]:
        table = np.zeros((len(rows), len(self.free)))
        for number, (row, _) in enumerate(rows):
            for column, factor in row.items():
                table[number, column] += factor
        return table, np.array([bound for _, bound in rows])

    def _values(self, point: Point, plan: list[int] | None) -> list[int]:
        """Return the variables of the opponent's values at a point. plan: of the searcher's last actions."""
        searcher, value = 1 - self.opponent, self._new(self.hands[self.opponent], free=True)
        if point.what == self.opponent:
            for child in point.after.values():
                below = self._values(child, plan)
                self.most += [({low: 1.0, here: -1.0}, 0.0) for here, low in zip(value, below)]
        elif point.what == searcher:
            plans = [self._new(self.hands[searcher], free=False) for _ in point.after]
            for hand in range(self.hands[searcher]):
                row = {each[hand]: 1.0 for each in plans}
                self.equal.append(
                    ({**row, plan[hand]: -1.0}, 0.0) if plan else (row, float(self.weights[hand]))
                )
            below = [self._values(child, own) for child, own in zip(point.after.values(), plans)]
            for hand, here in enumerate(value):
                self.equal.append(({here: 1.0, **{each[hand]: -1.0 for each in below}}, 0.0))
        else:
            assert plan is not None  # the searcher acts at least once on every line of a river
            for other in range(self.hands[searcher]):
                one = np.zeros((1, self.hands[searcher]))
                one[0, other] = 1.0
                pays = self.plain._terminal(point, self.opponent, one)[0]
                if other == 0:
                    rows = [{here: 1.0} for here in value]
                for row, pay in zip(rows, pays):
                    row[plan[other]] = -float(pay)
            self.equal += [(row, 0.0) for row in rows]
        return value


def solved(tree: PublicTree, root: Root, iterations: int = 400, threads: int = 1) -> VectorEngine:
    engine = VectorEngine(tree, make_rule("dcfr"), threads, root=root)
    engine.run(iterations)
    return engine


@pytest.mark.parametrize("player", [OOP, IP])
@pytest.mark.parametrize("seed", [1, 2])
def test_the_smallest_margin_is_that_of_the_linear_program(player: int, seed: int) -> None:
    spot, random = Spot.parse(RIVER), np.random.default_rng(seed)
    tree = public_tree(spot)
    weights = [np.float32(random.uniform(0.05, 1.0, hands.size)).astype(float) for hands in tree.hands]
    weights[player][1] = 0.0  # this hand cannot be chosen, whatever it was promised
    met = compatible(tree, player, weights[1 - player])
    alternatives = met * spot.pot * random.uniform(0.2, 0.9, len(met))
    alternatives[1] = -1e6
    engine = solved(tree, Root((weights[0], weights[1]), MaxMargin(player, alternatives)), 1500)
    assert isinstance(engine.gadget, HandChoice)
    margins = engine.gadget.margins(engine.judge.value(player, BEST).root)
    exact = MarginProgram(spot, player, weights[1 - player]).solved(alternatives, met, engine.gadget.can)
    assert margins.min() == pytest.approx(exact, abs=0.001 * spot.pot)
    assert margins.min() <= exact + 1e-4  # nothing can be better than the program
    # hands promised more than the smallest margin keep are not chosen
    assert engine.gadget.entering()[margins > exact + 0.02 * spot.pot].max(initial=0.0) < 0.02
    assert engine.gadget.entering().sum() == pytest.approx(1.0)
    # the game before the root is worth what the program says to either player, and is solved
    assert engine.judge.expected(player, FOLLOW) == pytest.approx(spot.pot / 2 - exact, abs=0.001 * spot.pot)
    total = sum(engine.judge.expected(each, FOLLOW) for each in (OOP, IP))
    assert total == pytest.approx(spot.pot, rel=1e-5)
    assert 0 <= engine.exploitability() < 0.001 * spot.pot


@pytest.mark.parametrize(
    ("name", "player", "iterations"),
    [("river", OOP, 150), ("turn", OOP, 150), ("turn", IP, 150), ("flop", IP, 40)],
)
def test_no_hand_gets_more_than_promised(name: str, player: int, iterations: int) -> None:
    """Promises of what the opponent gets at best against a rough strategy are kept with a margin."""
    tree = public_tree(Spot.parse(SPOTS[name]))
    rough = VectorEngine(tree, make_rule("dcfr"))
    rough.run(8)
    promised = rough.judge.value(player, BEST).root
    weights = [hands.weights for hands in tree.hands]
    weights[player] = np.ones_like(weights[player])
    engine = solved(tree, Root((weights[0], weights[1]), MaxMargin(player, promised)), iterations)
    assert isinstance(engine.gadget, HandChoice)
    margins = engine.gadget.margins(engine.judge.value(player, BEST).root)
    assert margins.min() > -2 * engine.exploitability()
    assert margins.min() > 0.002 * 97
    assert engine.exploitability() < 0.01 * 97


def test_threads_and_locks() -> None:
    """The result is the same for any number of threads; a locked hand keeps to its strategy."""
    tree = public_tree(Spot.parse(SPOTS["turn"]))
    promised = np.full(tree.hands[OOP].size, 10.0)
    found = []
    for threads in (1, 2):
        engine = VectorEngine(tree, make_rule("dcfr"), threads, root=Root(None, MaxMargin(OOP, promised)))
        betting = np.zeros((2, tree.hands[IP].size), np.float32)
        betting[1] = 1.0
        node = int(tree.betting.first_child[0])  # after a check IP always bets
        assert tree.betting.kind[node] == IP
        engine.lock(node, 0, betting, np.ones(tree.hands[IP].size, bool))
        engine.run(20)
        found.append(engine)
    for player in (OOP, IP):
        assert np.array_equal(found[0].regret[player], found[1].regret[player])
    rows, places = found[0].rows_of(node, 0)
    assert not found[0].average[IP][rows[0] + places].any()
    assert found[0].average[IP][rows[1] + places].all()
    assert found[0].exploitability() == pytest.approx(found[1].exploitability(), rel=1e-12)


def test_who_cannot_be_chosen_and_where_it_is_solved(monkeypatch: pytest.MonkeyPatch) -> None:
    tree = public_tree(Spot.parse(RIVER))
    blocked = np.zeros(tree.hands[IP].size)
    blocked[tree.hands[IP].names().index("AsQs")] = 1.0
    own = np.zeros(tree.hands[OOP].size)
    own[tree.hands[OOP].names().index("AsAc")] = 1.0
    with pytest.raises(ConfigError, match="no hand of the gadget's player meets a hand of the other range"):
        VectorEngine(tree, make_rule("dcfr"), root=Root((own, blocked), MaxMargin(OOP, own)))
    with pytest.raises(ConfigError, match=f"needs {tree.hands[IP].size} alternatives"):
        VectorEngine(tree, make_rule("dcfr"), root=Root(None, MaxMargin(IP, np.zeros(2))))
    monkeypatch.setattr(devices, "_gpu", lambda: (True, "a GPU"))
    settings = SolveSettings.parse({"device": "cuda", "threads": 1})
    _, told = devices.engine_for(tree, settings, Root(None, MaxMargin(OOP, np.zeros(len(own)))))
    assert told == "device cuda: maxmargin gadgets are solved on the CPU; the CPU serves"
