"""What the tests of the GPU engine run, in a process of its own: both engines on small spots, side by side.

    python -m tests.cuda.scenarios

prints one JSON object, a report for each scenario. Where there is no GPU the caller sets
NUMBA_ENABLE_CUDASIM=1 and the same kernels run in numba's simulator; that has to be decided before numba is
loaded, hence the process.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np

from overbet.cuda import device
from overbet.errors import TooLargeError
from overbet.kernels.vector.response import FOLLOW, OBEY
from overbet.solvers.rules import make_rule
from overbet.solvers.vector.engine import VectorEngine
from overbet.solvers.vector.gpu import layout as gpu_layout
from overbet.solvers.vector.gpu import shapes as gpu
from overbet.solvers.vector.gpu.engine import CudaEngine
from overbet.solvers.vector.leaves import EquityLeaves
from overbet.solvers.vector.reader import TreeReader, filled
from overbet.solvers.vector.response import Judge
from overbet.solvers.vector.settings import SolveSettings
from overbet.solvers.vector.solution import Solution
from overbet.solvers.vector.solver import Solver
from overbet.solvers.vector.subgame import AS_GIVEN, BucketMaps, Gadget, Root, compatible
from overbet.solvers.vector.tables import LateTables
from overbet.tree.betting import FOLD, SHOWDOWN, DepthLimit
from overbet.tree.public import PublicTree, public_tree
from overbet.tree.spot import Spot
from tests.cuda.swept_boards import swept_boards
from tests.cuda.thinned import thinned

RIVER = {
    "board": "KsTh7s4d2c",
    "pot": 20,
    "stacks": 30,
    "ranges": {"oop": "AA,QJs,T9s,76s:.5", "ip": "KK,QJs,A5s:.25,72s"},
    "bets": {"every": {"bet": "50%,a", "raise": "60%"}},
}
TURN = {
    "board": "KsTh7s4s",
    "pot": 20,
    "stacks": 30,
    "ranges": {"oop": "AA,QJs", "ip": "KK,QJs"},
    "bets": {"turn": {"bet": "50%"}, "river": {"bet": "75%"}},
}
FLOP = {
    "board": "KsTs7h",
    "pot": 20,
    "stacks": 30,
    "ranges": {"oop": "AA,QJs", "ip": "KK,QJs"},
    "bets": {"flop": {"bet": "a"}, "turn": {}, "river": {"bet": "75%"}},
}


def _tree(spot: dict[str, Any], keep: int = 3, **changes: Any) -> PublicTree:
    return thinned(public_tree(Spot.parse({**spot, **changes})), keep)


def _distance(ours: Any, theirs: Any) -> float:
    """Return the largest difference of two tables, as a share of the largest entry."""
    return max(float(np.abs(a - b).max() / np.abs(b).max()) for a, b in zip(ours, theirs))


def _compare(ours: CudaEngine, theirs: VectorEngine, iterations: int) -> dict[str, float]:
    ours.run(iterations)
    theirs.run(iterations)
    return {
        "iteration": ours.iteration,
        "regret": _distance(ours.regret, theirs.regret),
        "average": _distance(ours.average, theirs.average),
        "ours": ours.exploitability(),
        "theirs": _judged(theirs),
    }


def _shifted(judge: Judge) -> Judge:
    """Let a judge count chips beyond half of the pot, as the engines do.

    In a real game that is all the same; in a thinned one, where few cards can come, it is not.
    """
    for lines in judge.lines:
        shown = lines.kind == SHOWDOWN
        for payoff, ends in (
            (lines.win, shown | (lines.kind == FOLD)),
            (lines.tie, shown),
            (lines.lose, shown),
        ):
            payoff[ends] -= judge.tree.spot.pot / 2
    return judge


def _judged(engine: VectorEngine) -> float:
    """Return the exploitability by the CPU's judge."""
    judge, spot = _shifted(engine.judge), engine.tree.spot
    best = sum(judge.expected(player, OBEY) for player in (0, 1))
    met = sum(judge.expected(player, FOLLOW) for player in (0, 1)) if spot.rake.share else 0.0
    return float(best - met) / 2


def river() -> dict[str, float]:
    """A river spot."""
    tree = _tree(RIVER)
    return _compare(CudaEngine(tree, make_rule("dcfr")), VectorEngine(tree, make_rule("dcfr")), 3)


def predictive_with_rake() -> dict[str, float]:
    """A river spot with rake under a predictive rule, the player in position first."""
    tree, rule = _tree(RIVER, rake={"share": 0.05, "cap": 2}), make_rule("pcfr+")
    return _compare(CudaEngine(tree, rule, order=(1, 0)), VectorEngine(tree, rule, order=(1, 0)), 3)


def turn() -> dict[str, float]:
    """A turn spot with mirrored river cards."""
    tree = _tree(TURN)
    assert len(tree.boards[1].mirrors) > tree.boards[1].size
    return _compare(CudaEngine(tree, make_rule("cfr+")), VectorEngine(tree, make_rule("cfr+")), 2)


def flop() -> dict[str, float]:
    """A flop spot with mirrored turn cards, all-in lines and lines without decisions."""
    tree = _tree(FLOP, keep=2)
    assert len(tree.boards[1].mirrors) > tree.boards[1].size
    return _compare(CudaEngine(tree, make_rule("dcfr")), VectorEngine(tree, make_rule("dcfr")), 2)


def one_group_through_memory() -> dict[str, float]:
    """The ways of large spots: several hands a thread with several lines, values of long lines in memory."""
    with _as_if_large(_MOST_SLOTS=1):
        tree = _tree(TURN)
        return _compare(CudaEngine(tree, make_rule("dcfr")), VectorEngine(tree, make_rule("dcfr")), 2)


@contextmanager
def _as_if_large(**changes: int) -> Iterator[None]:
    """Let small spots be treated as large ones are: leaves in fours, several hands a thread and lines a
    block."""
    wanted = {gpu: {"_FEW": 0, "_MANY": 0}, gpu_layout: {"_CROWD": 0, "_FEW_LEAVES": 0, **changes}}
    before = [(module, name, getattr(module, name)) for module, names in wanted.items() for name in names]
    for module, names in wanted.items():
        for name, value in names.items():
            setattr(module, name, value)
    try:
        yield
    finally:
        for module, name, value in before:
            setattr(module, name, value)


def several_hands() -> dict[str, Any]:
    """Several hands a thread at decisions of two to five actions: plainly, under a predictive rule with rake,
    with locked hands, and carried over to another engine."""
    found: dict[str, Any] = {}
    with _as_if_large():
        for name, rule, bets in (("four", "dcfr", "30%, 60%, a"), ("five", "pcfr+", "20%, 40%, 70%, a")):
            sizes = {"every": {"bet": bets, "raise": "60%"}}
            tree = _tree(RIVER, bets=sizes, rake={"share": 0.05 if name == "five" else 0, "cap": 2})
            assert int(tree.betting.num_children.max()) == {"four": 4, "five": 5}[name]
            ours, theirs = CudaEngine(tree, make_rule(rule)), VectorEngine(tree, make_rule(rule))
            found[name] = _compare(ours, theirs, 2)
            again = CudaEngine(tree, make_rule(rule))
            again.restore(ours.iteration, ours.regret, ours.average, ours.play)
            for engine in (again, ours):
                engine.run(1)
            pairs = zip(again.regret + again.average, ours.regret + ours.average)
            found[name]["apart"] = max(float(np.abs(one - two).max()) for one, two in pairs)
        found["locked"] = {**locked(), "apart": 0.0}
    return found


def locked() -> dict[str, float]:
    """Some hands of the first decision and of a later one are locked."""
    tree = _tree(RIVER)
    engines = CudaEngine(tree, make_rule("dcfr")), VectorEngine(tree, make_rule("dcfr"))
    for node in (0, int(tree.betting.first_child[0])):
        player, actions = int(tree.betting.kind[node]), int(tree.betting.num_children[node])
        hands = np.arange(tree.hands[player].size) % 2 == 0
        strategy = np.full((actions, len(hands)), 0.25 / (actions - 1), np.float32)
        strategy[-1] = 0.75
        for engine in engines:
            engine.lock(node, 0, strategy, hands)
    report = _compare(*engines, 3)
    rows, places = engines[0].rows_of(0, 0)
    kept = engines[0].regret[0][rows[-1] + places[::2]]
    return {**report, "kept": float(np.abs(kept - 0.75).max())}


def as_a_search_does() -> dict[str, float]:
    """Both players hold the same hands on a turn; decisions of the street are fixed before and in between."""
    ranges = {"oop": "AA,QJs:.6,T9s", "ip": "AA:.3,QJs,T9s:.8"}  # of other weights: ties would be chance
    tree = _tree(TURN, ranges=ranges)
    ours, theirs = CudaEngine(tree, make_rule("dcfr"), threads=2), VectorEngine(tree, make_rule("dcfr"))
    fixed = []
    for node in (0, int(tree.betting.first_child[0])):
        player, actions = int(tree.betting.kind[node]), int(tree.betting.num_children[node])
        hands = np.ones(tree.hands[player].size, np.bool_)  # mirror images alike
        strategy = np.full((actions, len(hands)), 0.25 / (actions - 1), np.float32)
        strategy[-1] = 0.75
        for engine in (ours, theirs):
            engine.lock(node, 0, strategy, hands)
            engine.run(1)
        rows, places = ours.rows_of(node, 0)
        fixed.append((player, rows[-1] + places))
    early = ours.first_averages()
    whole = theirs.first_averages()
    part = _distance(early, [table[: len(few)] for table, few in zip(whole, early)])
    few = max(len(few) / len(table) for few, table in zip(early, whole))
    kept = max(float(np.abs(ours.regret[player][at] - 0.75).max()) for player, at in fixed)
    return {**_compare(ours, theirs, 1), "kept": kept, "first": part, "few": few}


def gadget() -> dict[str, Any]:
    """A choice before the root: on a river spot, and on a turn spot whose later lines hang on it."""
    found: dict[str, Any] = {}
    for name, tree, player in (("river", _tree(RIVER), 0), ("turn", _tree(TURN), 1)):
        weights = tree.hands[1 - player].weights
        even = compatible(tree, player, weights) * tree.spot.pot
        root = Root(gadget=Gadget(player, 0.6 * even))
        ours = CudaEngine(tree, make_rule("dcfr"), root=root)
        theirs = VectorEngine(tree, make_rule("dcfr"), root=root)
        ours.run(3)
        theirs.run(3)
        found[name] = {
            "iteration": ours.iteration,
            "regret": _distance(ours.regret, theirs.regret),
            "average": _distance(ours.average, theirs.average),
        }
        if name == "river":  # a thinned tree is worth other than its gadget says
            found[name] |= {"ours": ours.exploitability(), "theirs": theirs.exploitability()}
        assert ours.gadget is not None
        assert theirs.gadget is not None
        found[name]["choice"] = float(np.abs(ours.gadget.entering() - theirs.gadget.entering()).max())
        found[name]["mixed"] = float(np.ptp(theirs.gadget.entering()))
    return found


def depth_limit() -> dict[str, Any]:
    """Trees that end after one street, or after two, and are checked down from there; one with a gadget."""
    found: dict[str, Any] = {}
    bets = {"flop": {"bet": "50%"}, "turn": {"bet": "75%"}}
    for name, spot, street, player in (
        ("turn", TURN, 1, None),
        ("flop", {**FLOP, "bets": bets}, 0, 1),
        ("flop and turn", {**FLOP, "bets": bets}, 1, None),
    ):
        tree = thinned(public_tree(Spot.parse(spot), DepthLimit(street)), 2)
        leaves, root = EquityLeaves(tree), AS_GIVEN
        if player is not None:
            even = compatible(tree, player, tree.hands[1 - player].weights) * tree.spot.pot
            root = Root(gadget=Gadget(player, 0.6 * even))
        ours = CudaEngine(tree, make_rule("dcfr"), root=root, leaves=leaves)
        theirs = VectorEngine(tree, make_rule("dcfr"), root=root, leaves=leaves)
        ours.run(3)
        theirs.run(3)
        found[name] = {
            "iteration": ours.iteration,
            "regret": _distance(ours.regret, theirs.regret),
            "average": _distance(ours.average, theirs.average),
            "ours": ours.exploitability(),
            "theirs": theirs.exploitability(),
        }
    return found


def buckets() -> dict[str, Any]:
    """Hands share rows on the river; on the first street, with a gadget, under a predictive rule; on both."""
    found: dict[str, Any] = {}
    for name, spot, streets, rule, player in (
        ("river", RIVER, (2,), "dcfr", None),
        ("turn and river", TURN, (1, 2), "dcfr", None),
        ("turn", TURN, (1,), "pcfr+", 1),
    ):
        tree = _tree(spot, 2)
        maps = {}
        for street in streets:
            count = tree.board_count(street)
            maps[street] = tuple(
                (np.arange(count)[:, None] + np.arange(hands.size) // 2) % 3 for hands in tree.hands
            )
        root = AS_GIVEN
        if player is not None:
            even = compatible(tree, player, tree.hands[1 - player].weights) * tree.spot.pot
            root = Root(gadget=Gadget(player, 0.6 * even))
        shared = BucketMaps({street: (pair[0], pair[1]) for street, pair in maps.items()})
        ours = CudaEngine(tree, make_rule(rule), root=root, buckets=shared)
        theirs = VectorEngine(tree, make_rule(rule), root=root, buckets=shared)
        ours.run(2)
        theirs.run(2)
        found[name] = {
            "regret": _distance(ours.regret, theirs.regret),
            "average": _distance(ours.average, theirs.average),
            "ours": ours.exploitability(),
            "theirs": theirs.exploitability(),
        }
        if name == "turn and river":  # and carried over to another engine
            again = CudaEngine(tree, make_rule(rule), root=root, buckets=shared)
            again.restore(ours.iteration, ours.regret, ours.average)
            for engine in (again, ours):
                engine.run(1)
            pairs = zip(again.regret + again.average, ours.regret + ours.average)
            found[name]["same"] = all(np.array_equal(one, two) for one, two in pairs)
    return found


def resumed() -> dict[str, float]:
    """Three iterations, and two and one with the tables carried over to another engine: bit for bit."""
    tree, rule = _tree(RIVER), make_rule("dcfr")
    straight, first, second = (CudaEngine(tree, rule) for _ in range(3))
    straight.run(3)
    first.run(2)
    second.restore(first.iteration, first.regret, first.average)
    second.run(1)
    same = all(
        np.array_equal(a, b)
        for a, b in zip(straight.regret + straight.average, second.regret + second.average)
    )
    return {"iteration": second.iteration, "same": same}


def answer() -> dict[str, float]:
    """The first street as a GPU tells it without its tables, and as the CPU reads it off them."""
    tree, rule = _tree(TURN), make_rule("dcfr")
    ours, theirs = CudaEngine(tree, rule), VectorEngine(tree, rule)
    ours.run(3)
    theirs.run(3)
    reader = ours.first_reader(1)
    assert reader is not None
    averages = filled(tree, theirs.layout, theirs.average, theirs.play)
    judge, apart, mixed = _shifted(Judge(tree, theirs.layout, averages)), 0.0, 0.0
    whole = TreeReader(tree, theirs.layout, averages)
    for player in (0, 1):
        known = reader.early_values(player, FOLLOW).turn
        told = judge.value(player, FOLLOW).turn
        assert known is not None
        assert told is not None
        even = compatible(tree, player, reader.reaches(0, 0)[1 - player]) * tree.spot.pot / 2
        apart = max(apart, float(np.abs(known[0] - even - told[0]).max()))
    for node in np.flatnonzero((tree.betting.kind < 2) & (tree.betting.street == 1)).tolist():
        mixed = max(mixed, float(np.abs(reader.strategy(node, 0) - whole.strategy(node, 0)).max()))
    return {"values": apart, "strategies": mixed}


def late() -> dict[str, Any]:
    """A solution whose tables stay on the GPU until somebody reads more than the first street."""
    tree = _tree(TURN)
    settings = SolveSettings.parse({"device": "cuda", "iterations": 2, "target": 0})
    solver = Solver(tree.spot, settings, tree=tree)
    solver.run()
    solution = Solution.of(solver)
    assert isinstance(solution.tables, LateTables)
    early = solution.node()
    waiting = solution.tables._here is None
    whole = solution.reader.strategy(0, 0)
    told = early.seat().strategy
    assert told is not None
    return {
        "waiting": waiting,
        "come": solution.tables._here is not None,
        "apart": float(np.abs(told.T - whole).max()),
        "iteration": solution.iteration,
    }


def too_large() -> dict[str, Any]:
    """A GPU with next to no free memory, and one with next to no shared memory."""
    found, granted = {}, device.MOST_SHARED
    for name, little in (("free_bytes", 5e6), ("most_shared", 256)):
        real = getattr(device, name)
        setattr(device, name, lambda little=little: little)
        device.MOST_SHARED = 256 if name == "most_shared" else granted
        try:
            CudaEngine(_tree(RIVER), make_rule("dcfr"))
        except TooLargeError as error:
            found[name] = str(error)
        finally:
            setattr(device, name, real)
            device.MOST_SHARED = granted
    return found


SCENARIOS: dict[str, Callable[[], dict[str, Any]]] = {
    scenario.__name__: scenario
    for scenario in (
        river,
        predictive_with_rake,
        turn,
        flop,
        one_group_through_memory,
        several_hands,
        locked,
        as_a_search_does,
        gadget,
        depth_limit,
        buckets,
        resumed,
        answer,
        late,
        too_large,
        swept_boards,
    )
}


if __name__ == "__main__":
    if device.SIMULATED:
        from tests.cuda.turns import take_turns

        take_turns()
    print(json.dumps({name: scenario() for name, scenario in SCENARIOS.items()}))
