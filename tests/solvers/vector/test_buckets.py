"""Hands that share rows: against sums of the plain reference's regrets, and what sharing means."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from types import SimpleNamespace
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from overbet.cards.combos import combo_table
from overbet.errors import ConfigError
from overbet.kernels.regret import single
from overbet.kernels.vector.response import FOLLOW
from overbet.solvers.rules import make_rule
from overbet.solvers.vector import devices
from overbet.solvers.vector.engine import VectorEngine
from overbet.solvers.vector.layout import chance_scale, layout_of
from overbet.solvers.vector.leaves import EquityLeaves
from overbet.solvers.vector.settings import SolveSettings
from overbet.solvers.vector.subgame import BucketMaps, Gadget, Root
from overbet.tree.betting import DepthLimit
from overbet.tree.public import PublicTree, public_tree
from overbet.tree.spot import IP, OOP, Spot
from tests.reference.postflop import PlainSolver, matched
from tests.solvers.vector.beside import same_tree
from tests.solvers.vector.test_engine import SPOTS
from tests.solvers.vector.test_reference import UNHURRIED, spots

Ints = npt.NDArray[np.int64]


def own_rows(tree: PublicTree) -> BucketMaps:
    """Every hand on every board is a bucket of its own."""
    maps = {}
    for street in range(tree.spot.first_street, 3):
        boards = np.arange(tree.board_count(street))[:, None]
        pair = [boards * hands.size + np.arange(hands.size) for hands in tree.hands]
        maps[street] = (pair[0], pair[1])
    return BucketMaps(maps)


def classes(tree: PublicTree) -> tuple[Ints, Ints]:
    """Suits forgotten: [H] each, the number of a hand's two ranks, and whether it is suited."""
    found = []
    for hands in tree.hands:
        cards = combo_table()[hands.combos].astype(np.int64)
        ranks = np.sort(cards >> 2, 1)
        keys = (ranks[:, 0] * 13 + ranks[:, 1]) * 2 + (cards[:, 0] % 4 == cards[:, 1] % 4)
        found.append(np.unique(keys, return_inverse=True)[1])
    return found[0], found[1]


@pytest.mark.parametrize(
    ("name", "rule"),
    [("river", "dcfr"), ("river", "pcfr+"), ("turn", "dcfr"), ("turn", "pcfr+"), ("flop", "dcfr")],
)
def test_a_bucket_for_each_hand_changes_nothing(name: str, rule: str) -> None:
    """Also where boards stand for mirrors; averages in the same layout, regrets times the root weight."""
    tree = public_tree(Spot.parse(SPOTS[name]))
    exact = VectorEngine(tree, make_rule(rule))
    shared = VectorEngine(tree, make_rule(rule), buckets=own_rows(tree))
    for engine in (exact, shared):
        engine.run(2)
    for player in (OOP, IP):
        for board in range(tree.board_count(2)):
            node = next(n for n in tree.betting.street_nodes(2) if tree.betting.kind[n] == player)
            (one, place), (two, bucket) = exact.rows_of(node, board), shared.rows_of(node, board)
            live = place >= 0
            mine = exact.average[player][one[:, None] + place[live]]
            theirs = shared.average[player][two[:, None] + bucket[live]]
            with np.errstate(invalid="ignore"):
                np.testing.assert_allclose(mine / mine.sum(0), theirs / theirs.sum(0), atol=2e-4)
    for player in (OOP, IP):
        found = [engine.judge.expected(player, FOLLOW) for engine in (exact, shared)]
        assert found[0] == pytest.approx(found[1], abs=1e-4 * 97)
    assert shared.exploitability() == pytest.approx(exact.exploitability(), abs=1e-3 * 97)


def test_the_same_regrets_where_nothing_is_weighted() -> None:
    """With root weights of 1 a bucket for each hand adds up one number."""
    spot = {**SPOTS["river"], "ranges": {"oop": "22+,A2s+,KTo+", "ip": "55+,ATo+,K9s+"}}
    tree = public_tree(Spot.parse(spot))
    exact = VectorEngine(tree, make_rule("dcfr"))
    shared = VectorEngine(tree, make_rule("dcfr"), buckets=own_rows(tree))
    for engine in (exact, shared):
        engine.run(1)
    layout = layout_of(tree)
    for player, table in enumerate(shared.hand_tables(shared.regret)):
        live = np.arange(layout.passes[player].own.river_row[0]) < tree.hands[player].size
        rows = exact.regret[player][: layout.passes[player].own.rows[2] * len(live)].reshape(-1, len(live))
        np.testing.assert_allclose(
            rows[:, live],
            table[: rows.size].reshape(rows.shape)[:, live],
            rtol=1e-5,
            atol=3e-6 * np.abs(rows).max(),  # the two engines add in orders of their own, in float32
        )


@settings(max_examples=12, **UNHURRIED)
@given(
    st.one_of(spots(street=2, most_points=150, most_hands=20), spots(street=1, most_points=40, most_hands=8)),
    st.integers(0, 1000),
)
def test_buckets_learn_the_sum_of_their_hands(spot: Spot, seed: int) -> None:
    learn_beside(spot, seed)


def test_hands_that_a_turn_card_kills_teach_their_bucket_nothing() -> None:
    """They have values, of the folds that the others still meet, and once their regrets were added."""
    learn_beside(
        Spot.parse(
            {
                "board": "Ks7d7c",
                "pot": 30,
                "stacks": 40,
                "ranges": {"oop": "AhAd,Qh9h:0.4,5h4h", "ip": "KhQs,6c5c,JsTs:0.7"},
                "bets": {"every": {"bet": "80%"}},
            }
        ),
        seed=3,
    )


def learn_beside(spot: Spot, seed: int) -> None:
    """The plain reference plays the same strategies; its regrets and averages, added up by bucket."""
    spot = spot.model_copy(update={"isomorphism": False})
    tree, random, rule = public_tree(spot), np.random.default_rng(seed), make_rule("cfr")
    maps = {}
    for street in range(spot.first_street, 3):
        sizes = [(tree.board_count(street), hands.size) for hands in tree.hands]
        maps[street] = (random.integers(0, 3, sizes[0]), random.integers(0, 4, sizes[1]))
    engine, plain = VectorEngine(tree, rule, buckets=BucketMaps(maps)), PlainSolver(spot)
    nodes = same_tree(tree.betting, plain.root)
    scale = (spot.pot + 2 * spot.effective_stack) * max(1.0, *(float(w.sum()) for w in plain.deals.weights))

    where = {}  # by line: where its rows begin, and the place of each hand in them on every board
    for line, point in plain.decisions.items():
        found = [engine.rows_of(nodes[line], b) for b in range(len(plain.deals.boards[point.street]))]
        where[line] = found[0][0], np.maximum(np.stack([place for _, place in found]), 0)
    for t in range(1, 4):
        for player in (OOP, IP):
            for line, (rows, places) in where.items():
                table = engine.play[int(tree.betting.kind[nodes[line]])]
                plain.told[line] = matched(table[rows[None, :, None] + places[:, None]].astype(float))
            plain.update(player, rule.at(t))
            engine._update(player, single(rule.at(t)))
    for line, point in plain.decisions.items():
        player, (rows, places) = int(tree.betting.kind[nodes[line]]), where[line]
        live, weights = plain.deals.live[point.street][player], plain.deals.weights[player]
        side = engine.layout.passes[player].own
        size, width = int(side.buckets[point.street]), int(side.width[point.street])
        regret, average = np.zeros((2, len(point.after), size))
        for total, table, weight in (
            (regret, plain.regret[line] * chance_scale(spot, point.street), live * weights),
            (average, plain.average[line], live),
        ):
            for action, row in enumerate(total):
                np.add.at(row, places // width, table[:, action] * weight)
        at = rows[:, None] + np.arange(size) * width
        assert np.abs(engine.regret[player][at] - regret).max() <= 1e-5 * scale * max(1.0, weights.sum())
        np.testing.assert_allclose(engine.average[player][at], average, rtol=1e-5, atol=1e-5)


def test_suits_forgotten_on_the_turn() -> None:
    """One bucket a class: all suits of a class play alike on the turn, each hand for itself on the river."""
    tree = public_tree(Spot.parse(SPOTS["turn"]))
    one, two = classes(tree)
    engine = VectorEngine(tree, make_rule("dcfr"), buckets=BucketMaps({1: (one[None], two[None])}))
    engine.run(100)
    exact = VectorEngine(tree, make_rule("dcfr"))
    exact.run(100)
    assert len(engine.average[OOP]) < len(exact.average[OOP])
    tables, layout = engine.hand_tables(engine.average), layout_of(tree)
    for player, group in ((OOP, one), (IP, two)):
        length = int(layout.passes[player].own.stride[1])
        rows = tables[player][: int(layout.passes[player].own.rows[1]) * length].reshape(-1, length)
        for number in np.unique(group):
            assert np.ptp(rows[:, np.flatnonzero(group == number)], axis=1).max() == 0.0
    # suits matter on this board: who forgets them is worse off, and the judge sees it
    assert exact.exploitability() < 0.01 * 97
    assert exact.exploitability() < engine.exploitability() < 0.2 * 97


def forgetful(tree: PublicTree, streets: Sequence[int]) -> BucketMaps:
    """Suits are forgotten on some streets."""
    one, two = classes(tree)
    counts = {street: (tree.board_count(street), 1) for street in streets}
    return BucketMaps(
        {street: (np.tile(one, shape), np.tile(two, shape)) for street, shape in counts.items()}
    )


@pytest.mark.parametrize(
    ("name", "streets", "limit"),
    [
        ("turn", (1, 2), None),
        ("flop", (1,), None),
        ("flop", (0, 2), None),
        ("flop", (), 0),
        ("flop", (), 1),
        ("flop", (0, 1), 1),
    ],
)
def test_threads_change_nothing(name: str, streets: tuple[int, ...], limit: int | None) -> None:
    """Not a bit, with buckets on some streets, a depth limit, or both."""
    tree = public_tree(Spot.parse(SPOTS[name]), DepthLimit(limit) if limit is not None else None)
    engines = [
        VectorEngine(
            tree,
            make_rule("dcfr"),
            threads,
            leaves=EquityLeaves(tree) if limit is not None else None,
            buckets=forgetful(tree, streets) if streets else None,
        )
        for threads in (1, 3)
    ]
    for engine in engines:
        engine.run(4)
    for player in (OOP, IP):
        assert engines[0].regret[player].any()
        for kind in ("regret", "average"):
            one, two = (getattr(engine, kind)[player] for engine in engines)
            assert np.array_equal(one, two)


def test_buckets_with_a_gadget_and_a_depth_limit() -> None:
    spot = Spot.parse({**SPOTS["flop"], "isomorphism": False})
    tree = public_tree(spot, DepthLimit(1))
    root = Root(None, Gadget(IP, np.full(tree.hands[IP].size, -1e5)))
    engine = VectorEngine(
        tree, make_rule("dcfr"), root=root, leaves=EquityLeaves(tree), buckets=forgetful(tree, (0, 1))
    )
    engine.run(10)
    before = engine.exploitability()
    engine.run(60)
    assert 0 <= engine.exploitability() < before


def test_what_buckets_do_not_take() -> None:
    tree = public_tree(Spot.parse(SPOTS["river"]))
    buckets = own_rows(tree)
    with pytest.raises(ConfigError, match="float32"):
        VectorEngine(tree, make_rule("dcfr"), packed=True, buckets=buckets)
    engine = VectorEngine(tree, make_rule("dcfr"), buckets=buckets)
    with pytest.raises(ConfigError, match="lock without buckets"):
        engine.lock(0, 0, np.zeros((3, 5), np.float32), np.ones(5, np.bool_))
    with pytest.raises(ConfigError, match=r"must be 1 x .* numbers from 0"):
        VectorEngine(tree, make_rule("dcfr"), buckets=BucketMaps({2: (np.zeros((1, 2), int),) * 2}))
    with pytest.raises(ConfigError, match="no boards"):
        VectorEngine(tree, make_rule("dcfr"), buckets=BucketMaps({0: (np.zeros((1, 2), int),) * 2}))


@pytest.mark.parametrize("extra", ["root", "leaves", "buckets"])
def test_a_gpu_is_given_all_that_a_subgame_has(extra: str, monkeypatch: pytest.MonkeyPatch) -> None:
    class Asked:
        def __init__(self, tree: PublicTree, rule: Any, **given: Any) -> None:
            self.given = given

    monkeypatch.setattr(devices, "_gpu", lambda: (True, "a GPU"))
    monkeypatch.setitem(sys.modules, "overbet.solvers.vector.gpu.engine", SimpleNamespace(CudaEngine=Asked))
    spot = Spot.parse(SPOTS["turn"])
    tree = public_tree(spot, DepthLimit(1) if extra == "leaves" else None)
    given = {
        "root": lambda: Root(None, Gadget(IP, np.zeros(tree.hands[IP].size))),
        "leaves": lambda: EquityLeaves(tree),
        "buckets": lambda: own_rows(tree),
    }[extra]()
    settings = SolveSettings.parse({"device": "cuda", "threads": 1})
    engine, note = devices.engine_for(tree, settings, **{extra: given})  # type: ignore[arg-type]
    assert isinstance(engine, Asked)
    assert engine.given[extra] is given
    assert note == ""
    chosen, _ = devices.engine_for(  # unless asked for, what talks to the host stays on the CPU
        tree,
        SolveSettings.parse({"device": "auto", "threads": 1}),
        **{extra: given},  # type: ignore[arg-type]
    )
    assert isinstance(chosen, Asked if extra == "root" else VectorEngine)
