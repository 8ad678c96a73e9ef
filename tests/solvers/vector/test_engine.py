"""What must hold of the engine whatever the spot: sums, symmetries, threads, locks, convergence."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from overbet.cards.cards import cards_name
from overbet.cards.combos import combo_cards, combo_index, combo_table
from overbet.cards.isomorphism import rename_suits
from overbet.cards.range import Range
from overbet.errors import ArtefactError
from overbet.kernels.memory import zeros
from overbet.kernels.vector.response import BEST, FOLLOW
from overbet.solvers.rules import make_rule, rule_names
from overbet.solvers.vector.engine import VectorEngine
from overbet.solvers.vector.layout import layout_of
from overbet.solvers.vector.response import Judge
from overbet.solvers.vector.subgame import Root
from overbet.tree.public import public_tree
from overbet.tree.spot import IP, OOP, Spot
from tests.solvers.vector.test_reference import RULES, UNHURRIED, spots

Floats = npt.NDArray[np.float64]

SPOTS: dict[str, dict[str, Any]] = {
    "river": {
        "board": "KsTh7s4d2c",
        "pot": 97,
        "stacks": 300,
        "ranges": {"oop": "22+,A2s+,KTo+,87s:0.3", "ip": "55+,ATo+,K9s+,T8s,65s:0.7,AhKd:0.11"},
        "bets": {"every": {"bet": "37%, 83%, a", "raise": "71%, a"}},
    },
    "turn": {
        "board": "Ks7d2s9h",
        "pot": 97,
        "stacks": 200,
        "ranges": {"oop": "99,A2s,K9s:0.7,QJs,54s,KdQh", "ip": "TT,AKo:.5,KQs,T8s,65s"},
        "bets": {"every": {"bet": "37%", "raise": "71%"}},
    },
    "flop": {
        "board": "Ks7d2s",
        "pot": 97,
        "stacks": 120,
        "ranges": {"oop": "99,A2s,K9s:0.7,54s", "ip": "TT,AKs:.5,KQs,65s"},
        "bets": {"every": {"bet": "83%"}},
    },
}


def engine_of(name: str, rule: str = "dcfr", threads: int = 1, **changes: Any) -> VectorEngine:
    return VectorEngine(public_tree(Spot.parse(SPOTS[name] | changes)), make_rule(rule), threads)


def strategy_of(engine: VectorEngine, node: int, board: int = 0) -> Floats:
    """Return the average strategy at a node: [action, hand]; NaN for hands that are dead or never there."""
    player = int(engine.tree.betting.kind[node])
    starts, places = engine.rows_of(node, board)
    sums = np.stack([np.where(places >= 0, engine.average[player][s + places], 0.0) for s in starts])
    with np.errstate(invalid="ignore"):
        return sums.astype(float) / sums.sum(0, dtype=float)


@pytest.mark.parametrize("name", SPOTS)
@pytest.mark.parametrize("rule", ["dcfr", "pcfr+"])
def test_zero_sum_without_rake(name: str, rule: str) -> None:
    engine = engine_of(name, rule)
    for _ in range(4):
        engine.run(3)
        values = [engine.judge.expected(player, FOLLOW) for player in (OOP, IP)]
        assert sum(values) == pytest.approx(97, rel=1e-6)


@pytest.mark.parametrize("name", SPOTS)
def test_the_rake_is_all_that_is_lost(name: str) -> None:
    engine = engine_of(name, rake={"share": 0.05, "cap": 6})
    engine.run(10)
    lost = 97 - sum(engine.judge.expected(player, FOLLOW) for player in (OOP, IP))
    assert 0.05 * 97 - 1e-4 <= lost <= 6 + 1e-4


@pytest.mark.parametrize(
    ("name", "rule"),
    [
        ("flop", "dcfr"),
        ("flop", "pcfr+"),
        *((name, rule) for name in ("river", "turn") for rule in rule_names()),
    ],
)
def test_it_converges(name: str, rule: str) -> None:
    engine = engine_of(name, rule, rake={"share": 0.04})
    engine.run(30)
    before = engine.exploitability()
    engine.run(70)
    assert engine.exploitability() < before / 2
    assert 0 <= engine.exploitability() < 0.02 * 97


@settings(max_examples=25, **UNHURRIED)
@given(st.one_of(spots(2, 400, 30), spots(1, 200, 15)), RULES, st.integers(1, 12))
def test_exploitability_is_never_negative(spot: Spot, rule: str, iterations: int) -> None:
    engine = VectorEngine(public_tree(spot), make_rule(rule))
    for _ in range(2):
        engine.run(iterations)
        assert engine.exploitability() >= -1e-6 * spot.pot  # rounding of the strategies' sums, no more
        for player in (OOP, IP):
            best = engine.judge.value(player, BEST).root
            own = engine.judge.value(player, FOLLOW).root
            assert (best - own >= -1e-6 * spot.pot * max(1.0, engine.judge.pair_weight)).all()


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("name", ["river", "turn", "flop"])
def test_a_look_is_what_the_judge_finds(name: str, threads: int) -> None:
    """The engine's own best responses, with no rake and nothing locked, agree with the judge's."""
    engine = engine_of(name, threads=threads, rake={"share": 0.0, "cap": 0})
    for iterations in (1, 9, 40):
        engine.run(iterations)
        regret = [table.copy() for table in engine.regret]
        found = engine.exploitability()
        assert all(np.array_equal(one, two) for one, two in zip(regret, engine.regret))
        assert found == pytest.approx(engine.judged_exploitability(), abs=2e-6 * engine.tree.spot.pot)


@pytest.mark.parametrize("name", ["turn", "flop"])
def test_the_size_of_the_cache_changes_nothing(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Chunks follow the second-level cache; what they hold is summed leaf by leaf, whatever the chunk."""
    engines = []
    for size in (1 << 12, 1 << 26):
        monkeypatch.setattr("overbet.solvers.vector.program.second_level_cache", lambda size=size: size)
        engines.append(engine_of(name))
        engines[-1].run(5)
    for one, two in zip(*(engine.regret + engine.average for engine in engines)):
        assert np.array_equal(one, two)


@pytest.mark.parametrize("name", ["turn", "flop"])
@pytest.mark.parametrize("rule", ["dcfr", "pdcfr+"])
def test_threads_change_nothing(name: str, rule: str) -> None:
    one, two = engine_of(name, rule), engine_of(name, rule, threads=2)
    for engine in (one, two):
        engine.run(7)
    for player in (OOP, IP):
        assert np.array_equal(one.regret[player], two.regret[player])
        assert np.array_equal(one.average[player], two.average[player])
    assert one.exploitability() == two.exploitability()


@pytest.mark.parametrize("name", SPOTS)
def test_iterations_may_be_run_in_parts(name: str) -> None:
    whole, parts = engine_of(name), engine_of(name)
    whole.run(6)
    for count in (1, 3, 2):
        parts.run(count)
        parts.exploitability()  # looking changes nothing
    for player in (OOP, IP):
        assert np.array_equal(whole.regret[player], parts.regret[player])
        assert np.array_equal(whole.average[player], parts.average[player])


@pytest.mark.parametrize("name", SPOTS)
def test_an_interrupt_leaves_whole_averages(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Between bursts one average is an iteration ahead: whoever interrupts there finds it caught up."""
    engine, calls = engine_of(name), 0
    run = engine._runner.run

    def interrupted(*given: Any, **told: Any) -> None:
        nonlocal calls
        run(*given, **told)
        calls += 1
        if calls == 3:
            raise KeyboardInterrupt

    monkeypatch.setattr(engine._runner, "run", interrupted)
    with pytest.raises(KeyboardInterrupt):
        engine.run(10_000)
    other = engine_of(name)
    other.run(engine.iteration)
    assert calls == 4  # one more iteration, whose share the first player's average had
    for player in (OOP, IP):
        assert np.array_equal(engine.regret[player], other.regret[player])
        assert np.array_equal(engine.average[player], other.average[player])


def test_tables_and_memory_begin_where_cache_lines_do() -> None:
    engine = engine_of("turn")
    memory = engine._runner.memory[0]
    arrays = [
        *engine.regret,
        *engine.average,
        memory.value,
        memory.opp,
        memory.sheets.reach,
        zeros((3, 5), "f4"),
    ]
    assert [array.ctypes.data % 64 for array in arrays] == [0] * len(arrays)
    assert not any(array.any() for array in arrays)


@pytest.mark.parametrize("name", SPOTS)
def test_renaming_suits_renames_strategies(name: str) -> None:
    """Clubs become hearts, hearts spades, spades clubs: the same solution for the renamed hands."""
    renaming = (2, 1, 3, 0)
    spot = Spot.parse(SPOTS[name])
    renamed_ranges = {}
    image = np.array([combo_index(*rename_suits(combo_cards(i), renaming)) for i in range(1326)])
    for key, player in (("oop", OOP), ("ip", IP)):
        weights = np.zeros(1326)
        weights[image] = spot.range_of(player).weights
        renamed_ranges[key] = Range(weights)
    other = engine_of(name, board=cards_name(rename_suits(spot.cards, renaming)), ranges=renamed_ranges)
    engine = engine_of(name)
    for each in (engine, other):
        each.run(3)
    for node in engine.tree.betting.street_nodes(spot.first_street):
        player = int(engine.tree.betting.kind[node])
        if player > IP:
            continue
        here, there = strategy_of(engine, node), strategy_of(other, node)
        place = {int(combo): i for i, combo in enumerate(other.tree.hands[player].combos)}
        order = [place[int(image[combo])] for combo in engine.tree.hands[player].combos]
        np.testing.assert_allclose(here, there[:, order], atol=1e-4)
    for player in (OOP, IP):
        assert engine.judge.expected(player, FOLLOW) == pytest.approx(
            other.judge.expected(player, FOLLOW), abs=1e-4
        )


@pytest.mark.parametrize("name", ["turn", "flop"])
def test_isomorphism_changes_nothing(name: str) -> None:
    spot = {"ranges": {"oop": "99,A2s,K9s:0.7,54s", "ip": "TT,AKs:.5,KQs,65s"}}
    if name == "turn":
        spot["board"] = "Ks7s2s9h"
    with_it = engine_of(name, **spot)
    without = engine_of(name, isomorphism=False, **spot)
    assert with_it.tree.board_count(2) < without.tree.board_count(2)
    for engine in (with_it, without):
        engine.run(3)
    for node in with_it.tree.betting.street_nodes(with_it.first):
        if with_it.tree.betting.kind[node] <= IP:
            np.testing.assert_allclose(strategy_of(with_it, node), strategy_of(without, node), atol=1e-4)
    for player in (OOP, IP):
        for mode in (BEST, FOLLOW):
            found = [engine.judge.expected(player, mode) for engine in (with_it, without)]
            assert found[0] == pytest.approx(found[1], abs=1e-5 * 97)


@pytest.mark.parametrize("name", SPOTS)
def test_halving_a_range_changes_nothing(name: str) -> None:
    """A power of two is exact in floats: the strategies are the same to the last bit."""
    spot = Spot.parse(SPOTS[name])
    half = Range(spot.range_of(OOP).weights * np.float32(0.5))
    engine, other = engine_of(name), engine_of(name, ranges={"oop": half, "ip": spot.range_of(IP)})
    for each in (engine, other):
        each.run(5)
    assert np.array_equal(engine.regret[OOP], other.regret[OOP])
    assert np.array_equal(engine.regret[IP] * np.float32(0.5), other.regret[IP])
    assert np.array_equal(engine.average[OOP] * np.float32(0.5), other.average[OOP])


def test_a_lock_touches_its_own_hands_only() -> None:
    """Also on boards that kill some of the hands it names, in rows that are full to the end."""
    # 17 hands, of which every river kills one or more: rows of 16
    ranges = {"oop": "AA,KK,JJ", "ip": "QQ"}
    engine = engine_of("turn", board="KsQdJs9h", ranges=ranges, isomorphism=False)
    river = engine.tree.street_boards(2)
    assert river is not None
    nodes = [n for n in engine.tree.betting.street_nodes(2) if engine.tree.betting.kind[n] == OOP]
    for node in (nodes[0], nodes[-1]):
        for board in (0, river.size - 1):
            size = engine.tree.hands[OOP].size
            actions = int(engine.tree.betting.num_children[node])
            strategy = np.zeros((actions, size), np.float32)
            strategy[-1] = 1.0
            before = engine.locked[OOP].copy() if engine.locked else np.zeros_like(engine.regret[OOP])
            engine.lock(node, board, strategy, np.ones(size, np.bool_))
            assert engine.locked is not None
            touched = np.flatnonzero(engine.locked[OOP] != before)
            starts, places = engine.rows_of(node, board)
            live = places[places >= 0]
            assert set(touched.tolist()) == {int(s + p) for s in starts for p in live}


def test_locked_hands_play_their_lock() -> None:
    engine = engine_of("river")
    root = engine.tree.hands[OOP]
    actions = int(engine.tree.betting.num_children[0])
    locked = (combo_table()[root.combos] >> 2 == 12).any(1)  # every ace
    strategy = np.zeros((actions, root.size), np.float32)
    strategy[1] = 1.0
    engine.lock(0, 0, strategy, locked)
    engine.run(50)
    found = strategy_of(engine, 0)
    assert np.allclose(found[1, locked], 1.0)
    assert (found[1, ~locked] < 0.99).any()
    assert engine.exploitability() >= 0
    free = engine_of("river")
    free.run(50)
    # what is given away by the lock is the other player's
    assert engine.judge.expected(IP, FOLLOW) > free.judge.expected(IP, FOLLOW)


def test_a_locked_hand_that_is_never_held_plays_its_lock() -> None:
    """Its average is empty; the judge takes the lock, not a uniform mix."""
    tree = public_tree(Spot.parse(SPOTS["river"]))
    weights = [hands.weights.copy() for hands in tree.hands]
    weights[OOP][3] = 0.0
    engine = VectorEngine(tree, make_rule("dcfr"), root=Root((weights[0], weights[1])))
    actions, size = int(tree.betting.num_children[0]), tree.hands[OOP].size
    strategy = np.zeros((actions, size), np.float32)
    strategy[-1] = 1.0
    hand = np.arange(size) == 3
    engine.lock(0, 0, strategy, hand)
    engine.run(5)
    found = engine.judge.value(OOP, FOLLOW).root[3]
    rows, places = engine.rows_of(0, 0)
    assert engine.average[OOP][rows[0] + places[3]] == 0.0
    other = VectorEngine(tree, make_rule("dcfr"), root=Root((tree.hands[OOP].weights, weights[1])))
    other.lock(0, 0, strategy, hand)
    other.restore(5, engine.regret, engine.average, engine.play, engine.locked)
    other.average[OOP][rows + places[3]] = strategy[:, 3]  # as if it had been held
    assert found == pytest.approx(other.judge.value(OOP, FOLLOW).root[3], abs=1e-3)


def test_the_judge_refuses_tables_of_another_size() -> None:
    tree = public_tree(Spot.parse(SPOTS["river"]))
    layout = layout_of(tree)
    tables = [np.zeros(size, np.float32) for size in layout.table_size]
    Judge(tree, layout, tables)
    for player in (0, 1):
        wrong = list(tables)
        wrong[player] = tables[player][:-1]
        with pytest.raises(ArtefactError, match=r"a table of .* numbers does not fit this tree"):
            Judge(tree, layout, wrong)


def test_a_last_board_that_leaves_a_player_no_hand() -> None:
    """Its rows are empty and would begin where the table ends (seen by `make bounds`)."""
    values = {
        "board": "KsTh7s4d",
        "pot": 20,
        "stacks": 30,
        "ranges": {"oop": "AsKd", "ip": "QQ"},
        "isomorphism": False,
        "bets": {"every": {"bet": "50%"}},
    }
    tree = public_tree(Spot.parse(values))
    engine = VectorEngine(tree, make_rule("dcfr"))
    assert tree.showdowns[OOP].alive[-1] == 0
    assert engine.layout.passes[OOP].own.river_start[-2] == engine.layout.table_size[OOP]
    engine.run(3)
    assert 0 <= engine.exploitability() < 20
