"""Monte Carlo CFR: against plain Python, without bias, the same bits however it is run, and good enough."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import numba
import numpy as np
import polars
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from overbet.errors import ArtefactError, ConfigError, TooLargeError
from overbet.games.protocol import CHANCE
from overbet.games.registry import make_game
from overbet.kernels.regret import accumulated, averaged
from overbet.kernels.rng import stream_key, uniform
from overbet.kernels.sampling.sample import walk_share
from overbet.solvers import sampling
from overbet.solvers.sampling import SamplingConfig, SamplingSolver, alias_tables, sampling_rule
from overbet.tree.flat import FlatGame, flatten
from tests.reference.random_games import RandomGame
from tests.reference.sampling import External, Outcome, Tables, add

METHODS = [("external", True), ("external", False), ("outcome", True), ("outcome", False)]
two_threads = pytest.mark.skipif(vars(numba.config)["NUMBA_NUM_THREADS"] < 2, reason="one thread only")


@pytest.fixture(scope="module")
def leduc() -> FlatGame:
    return flatten(make_game("leduc"))


@cache
def nodes_by_history(flat: FlatGame) -> dict[tuple[int, ...], int]:
    found: dict[tuple[int, ...], int] = {(): 0}
    histories: list[tuple[int, ...]] = [()]
    for node in range(1, flat.num_nodes):
        history = (*histories[flat.tree.parent[node]], int(flat.tree.action[node]))
        histories.append(history)
        found[history] = node
    return found


def draws_of(flat: FlatGame, seed: int, t: int, player: int) -> Callable[..., float]:
    key = np.uint64(stream_key(seed, t, player))
    nodes, mover = nodes_by_history(flat), flat.tree.player

    def draw(history: tuple[int, ...]) -> float:
        number = nodes[history]
        if mover[number] == CHANCE:  # the same deal along all lines: by turn, not by node
            before = [nodes[history[:n]] for n in range(len(history))]
            number = flat.num_nodes + sum(mover[node] == CHANCE for node in before)
        return uniform(key, number)

    return draw


@pytest.mark.parametrize(("method", "baseline"), METHODS)
@pytest.mark.parametrize(("name", "iterations"), [("kuhn", 300), ("leduc", 60)])
def test_the_kernel_does_what_plain_python_does(
    name: str, iterations: int, method: str, baseline: bool
) -> None:
    game = make_game(name)
    solver = SamplingSolver(game, method=method, rule="cfr", baseline=baseline, discounts=0, seed=7)
    solver.run(iterations)
    flat, nodes, tables = solver.flat, nodes_by_history(solver.flat), Tables()
    rate = 0.5 if baseline else 0.0
    for t in range(iterations):
        for player in (0, 1):
            draws = draws_of(flat, 7, t, player)
            if method == "external":
                walk = External(game, tables, player, draws, rate)
            else:
                walk = Outcome(game, tables, player, draws, rate, 0.6)
            add(tables, walk)
    for infoset, infoset_name in enumerate(flat.infoset_names):
        key = int(flat.tree.infoset_player[infoset]), infoset_name
        slots = flat.slots(infoset)
        for found, expected in ((solver.regret, tables.regret), (solver.average, tables.average)):
            row = [expected[key].get(int(a), 0.0) for a in flat.slot_actions[slots]]
            np.testing.assert_allclose(found[slots], row, rtol=1e-9, atol=1e-9)
    assert np.count_nonzero(solver.regret) > 10
    if baseline:
        expected = np.zeros((2, flat.num_nodes))
        for (player, history), value in tables.baseline.items():
            expected[player, nodes[history]] = value
        found = solver.table[2 * flat.num_slots :].reshape(2, -1)
        np.testing.assert_allclose(found, expected, rtol=1e-9, atol=1e-9)
        assert np.count_nonzero(found) > 10


def exact_means(solver: SamplingSolver) -> tuple[np.ndarray, np.ndarray]:
    """What one walk for each player adds on average to regrets and averages, from the whole tree."""
    flat, tree = solver.flat, solver.flat.tree
    sigma = solver.current_strategy()
    players, nodes = flat.num_players, flat.num_nodes
    reach = np.ones((players + 1, nodes))  # by each player, and by chance
    uniform_reach = np.ones((players, nodes))  # by each player, were it to play uniformly
    for node in range(1, nodes):
        above = tree.parent[node]
        reach[:, node], uniform_reach[:, node] = reach[:, above], uniform_reach[:, above]
        mover = tree.player[above]
        position = node - tree.first_child[above]
        if mover < 0:
            reach[players, node] *= tree.probability[node]
        else:
            reach[mover, node] *= sigma[tree.infoset_offset[tree.infoset[above]] + position]
            uniform_reach[mover, node] /= tree.num_children[above]
    value = np.zeros((players, nodes))
    regret, average = np.zeros(flat.num_slots), np.zeros(flat.num_slots)
    for node in range(nodes - 1, -1, -1):
        first, count, mover = tree.first_child[node], tree.num_children[node], tree.player[node]
        below = value[:, first : first + count]
        if tree.terminal[node] >= 0:
            value[:, node] = tree.returns[tree.terminal[node]]
        elif mover < 0:
            value[:, node] = below @ tree.probability[first : first + count]
        else:
            slots = flat.slots(tree.infoset[node])
            value[:, node] = below @ sigma[slots]
            others = np.delete(reach[:, node], mover).prod()
            regret[slots] += others * (below[mover] - value[mover, node])
            seen = reach[mover, node] * reach[players, node]
            if players > 2 and solver.config.method == "outcome":
                seen *= np.delete(uniform_reach[:, node], mover).prod()
            average[slots] += seen * sigma[slots]
    return regret, average


@pytest.mark.parametrize("players", [2, 3])
@pytest.mark.parametrize(("method", "baseline"), METHODS)
def test_walks_are_unbiased_on_random_games(method: str, baseline: bool, players: int) -> None:
    for game_seed in (2, 5):
        flat = flatten(RandomGame(game_seed, players, 5))
        rounds, walks = 60, 400
        config = {"method": method, "baseline": baseline, "rule": "cfr", "discounts": 0, "batch": walks}
        solver = SamplingSolver(flat, seed=game_seed, discount_every=walks, **config)
        # any table will do: a walk is unbiased whatever stands in it, and baselines may be nonsense
        start = np.random.default_rng(game_seed).normal(size=len(solver.table))
        start[flat.num_slots : 2 * flat.num_slots] = 0.0
        found = []
        exact: tuple[np.ndarray, np.ndarray] | None = None
        for _ in range(rounds):
            solver.restore(start, solver.iterations)
            exact = exact or exact_means(solver)
            one_player_at_a_time = []
            for player in range(players):  # the tables move between players: look at each alone
                solver.restore(start, solver.iterations)
                one_player_at_a_time.append(only(solver, player))
            found.append(sum(one_player_at_a_time) / walks)
        mean = np.mean(found, axis=0)
        error = np.std(found, axis=0, ddof=1) / np.sqrt(rounds)
        assert exact is not None
        expected = np.concatenate(exact)
        assert np.count_nonzero(expected) > 20
        assert (np.abs(mean - expected) <= 5.0 * error + 1e-9).all()


def only(solver: SamplingSolver, player: int) -> np.ndarray:
    """Run the next batch and return what the walks of one player add to regrets and averages."""
    solver.prepare()
    scratch, start = solver._scratch, solver.iterations
    assert scratch is not None
    walk = solver._tree, solver.table, scratch, solver._settings, solver._epsilon
    logged = walk_share(*walk, player, start, 0)
    added = np.zeros(len(solver.table))
    np.add.at(added, scratch.slot[0, :logged], scratch.amount[0, :logged])
    if player == solver.flat.num_players - 1:
        solver.clock[0] += solver.config.batch
    return added[: 2 * solver.flat.num_slots]


def test_external_sampling_on_leduc_gets_below_a_fiftieth_of_a_chip(leduc: FlatGame) -> None:
    found = []
    for seed in range(5):
        solver = SamplingSolver(leduc, seed=seed)
        solver.run(1_000_000)
        found.append(solver.exploitability())
    assert np.median(found) < 0.02  # 0.013; without baselines 0.0175


@pytest.mark.parametrize(("method", "gain"), [("external", 1.0), ("outcome", 2.0)])
def test_baselines_beat_none_at_equal_iterations(leduc: FlatGame, method: str, gain: float) -> None:
    def median(baseline: bool) -> float:
        found = []
        for seed in range(5):
            solver = SamplingSolver(leduc, method=method, baseline=baseline, seed=seed)
            solver.run(200_000)
            found.append(solver.exploitability())
        return float(np.median(found))

    assert gain * median(True) < median(False)


@pytest.mark.parametrize("method", ["external", "outcome"])
def test_three_players(method: str) -> None:
    solver = SamplingSolver("kuhn3", method=method, seed=1)
    solver.run(200_000)
    assert solver.exploitability() < 0.005
    assert solver.best_response().values.sum() == pytest.approx(0.0, abs=1e-12)


@two_threads
@pytest.mark.parametrize("method", ["external", "outcome"])
@pytest.mark.parametrize("name", ["leduc", "kuhn3"])
def test_one_thread_and_two_leave_the_same_bits(name: str, method: str) -> None:
    flat = flatten(make_game(name))
    config = SamplingConfig(method=method, seed=3, batch=37, discount_every=100)  # type: ignore[arg-type] # parametrized
    one, two, mixed = (SamplingSolver(flat, config) for _ in range(3))
    one.run(1000)
    two.run(1000, workers=2)
    mixed.run(400)
    mixed.run(1000 - mixed.iterations, workers=2)
    assert one.iterations == two.iterations == mixed.iterations == 28 * 37
    assert one.table.tobytes() == two.table.tobytes() == mixed.table.tobytes()
    assert np.count_nonzero(one.regret) > 50


@pytest.mark.parametrize(("method", "baseline"), METHODS)
def test_a_saved_run_goes_on_bit_for_bit(
    leduc: FlatGame, tmp_path: Path, method: str, baseline: bool
) -> None:
    config = {"method": method, "baseline": baseline, "seed": 11, "discount_every": 1000, "batch": 4}
    whole = SamplingSolver(leduc, **config)
    whole.run(6000)
    part = SamplingSolver(leduc, **config)
    part.run(2500)
    part.save(tmp_path / "run.h5")
    resumed = SamplingSolver.load(tmp_path / "run.h5")
    assert resumed.iterations == 2500
    assert resumed.config == part.config
    resumed.run(3500)
    assert resumed.table.tobytes() == whole.table.tobytes()


def test_an_interrupted_run_keeps_whole_iterations(leduc: FlatGame) -> None:
    whole, stopped = SamplingSolver(leduc, seed=5), SamplingSolver(leduc, seed=5)
    whole.run(5000)

    def interrupt(done: int) -> None:
        if done > 1000:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        stopped.run(5000, progress=interrupt)
    assert 1000 < stopped.iterations < 5000
    stopped.run(5000 - stopped.iterations)
    assert stopped.table.tobytes() == whole.table.tobytes()


def test_seeds_differ_and_repeat(leduc: FlatGame) -> None:
    tables = []
    for seed in (1, 1, 2, 2**63 - 1):
        solver = SamplingSolver(leduc, seed=seed)
        solver.run(100)
        tables.append(solver.table.tobytes())
    assert tables[0] == tables[1]
    assert len(set(tables)) == 3


@pytest.mark.parametrize("rule", ["dcfr", "cfr+", "dcfr+", "cfr"])
def test_a_new_epoch_discounts_the_whole_table(rule: str) -> None:
    flat = flatten(make_game("kuhn"))
    config = {"rule": rule, "discount_every": 50, "discounts": 2, "seed": 1}
    solver = SamplingSolver(flat, **config)
    solver.run(50)
    before = solver.table.copy()
    solver.run(50)
    step = sampling_rule(rule).at(2)
    by_hand = before.copy()
    for slot in range(flat.num_slots):
        by_hand[slot] = accumulated(before[slot], 0.0, step)
        by_hand[flat.num_slots + slot] = averaged(before[flat.num_slots + slot], 0.0, step)
    undiscounted = SamplingSolver(flat, **{**config, "discounts": 0})
    undiscounted.restore(by_hand, 50)
    undiscounted.run(50)
    assert solver.table.tobytes() == undiscounted.table.tobytes()
    if rule.endswith("+"):
        assert solver.regret.min() == 0.0
    else:
        assert solver.regret.min() < 0.0


def test_discounts_end(leduc: FlatGame) -> None:
    solver = SamplingSolver(leduc, discount_every=10, discounts=3)
    solver.run(40)  # the third discount falls at iteration 30
    before = solver.average.sum()
    solver.run(1)
    assert solver.average.sum() > before


def test_linear_cfr_weighs_an_epoch_by_its_number() -> None:
    flat = flatten(make_game("kuhn"))
    solver = SamplingSolver(flat, rule="lcfr", discount_every=10, discounts=5, batch=10, baseline=False)
    plain = SamplingSolver(flat, rule="cfr", discount_every=10, discounts=0, batch=10, baseline=False)
    solver.run(20)
    start = solver.table.copy()
    plain.restore(start, 20)
    plain.run(10)
    solver.restore(start, 20)
    solver.run(10)
    # player 0 walks before any table moves, so its regrets gain exactly thrice as much in the third epoch
    mine = slice(0, int(flat.tree.infoset_offset[flat.tree.player_infosets[1]]))
    np.testing.assert_allclose(solver.regret[mine] - start[mine], 3 * (plain.regret[mine] - start[mine]))


@given(st.lists(st.integers(0, 20), min_size=1, max_size=12).filter(any))
@settings(max_examples=60, deadline=None)
def test_alias_tables_deal_every_outcome_as_often_as_it_should(weights: list[int]) -> None:
    flat = chance_game(weights)
    keep, alias = alias_tables(flat)
    count = len(weights)
    share = np.zeros(flat.num_nodes)
    for child in range(1, count + 1):
        share[child] += keep[child] / count
        share[alias[child]] += (1.0 - keep[child]) / count
    np.testing.assert_allclose(share[1 : count + 1], np.array(weights) / sum(weights), atol=1e-12)


def chance_game(weights: list[int]) -> FlatGame:
    base = flatten(make_game("kuhn"))
    count = len(weights)
    player = np.array([-1, *[-4] * count], dtype=np.int8)
    tree = base.tree._replace(
        player=player,
        first_child=np.array([1, *[0] * count], dtype=np.int32),
        num_children=np.array([count, *[0] * count], dtype=np.int32),
        probability=np.array([1.0, *(w / sum(weights) for w in weights)]),
    )
    return FlatGame("deal", 1, tree, (), np.zeros(0, dtype=np.int32), (), True)


@pytest.mark.parametrize(("method", "baseline"), METHODS)
@pytest.mark.parametrize("players", [1, 2, 3, 4])
def test_walks_stay_inside_their_work_space(method: str, baseline: bool, players: int) -> None:
    for seed in range(8):
        flat = flatten(RandomGame(seed, players, 6))
        if not flat.num_infosets:
            continue
        solver = SamplingSolver(flat, method=method, baseline=baseline, batch=3, discount_every=3)
        solver.prepare()
        assert solver._scratch is not None
        solver._scratch = fenced = type(solver._scratch)(*(fence(part) for part in solver._scratch))
        solver.run(300)
        for part in fenced:
            assert (part[:, -64:] == -7).all()
        assert np.isfinite(solver.table).all()


def fence(part: np.ndarray) -> np.ndarray:
    return np.concatenate([part, np.full((1, 64), -7, dtype=part.dtype)], axis=1)


def test_the_policy_says_where_it_comes_from(leduc: FlatGame) -> None:
    solver = SamplingSolver(leduc, seed=9)
    solver.run(1000)
    policy = solver.policy()
    assert policy.origin["iterations"] == 1000
    assert policy.origin["seed"] == 9
    assert policy.exploitability() == solver.exploitability()


def bad(match: str, error: type[Exception] = ConfigError) -> Any:
    return pytest.raises(error, match=match)


def test_bad_settings_say_what_to_do(leduc: FlatGame) -> None:
    with bad(r"unknown method 'extrenal' \(did you mean 'external'\?\)"):
        SamplingSolver(leduc, method="extrenal")
    with bad(r"unknown rule 'dfcr' \(did you mean 'dcfr'\?\)"):
        SamplingSolver(leduc, rule="dfcr")
    with bad("predicts from the last regret"):
        SamplingSolver(leduc, rule="pcfr+")
    with bad(r"unknown key 'sead' \(did you mean 'seed'\?\)"):
        SamplingSolver(leduc, sead=1)
    with bad("seed: .*greater than or equal to 0"):
        SamplingSolver(leduc, seed=-1)
    with bad("epsilon: .*greater than 0"):
        SamplingSolver(leduc, epsilon=0.0)
    with bad("longer than discount_every"):
        SamplingSolver(leduc, batch=11, discount_every=10)
    with bad("not both"):
        SamplingSolver(leduc, SamplingConfig(), seed=1)
    with bad("at least 1, not 0"):
        SamplingSolver(leduc).run(0)
    with bad("workers are between 1 and"):
        SamplingSolver(leduc, batch=8).run(8, workers=0)
    with bad("workers are between 1 and"):
        SamplingSolver(leduc, batch=8).run(8, workers=10_000)
    with bad("no decisions to learn"):
        SamplingSolver(chance_game([1, 1]))
    with bad("B of work space", TooLargeError):
        SamplingSolver(leduc, batch=10**8, discount_every=10**8).run(1)


@two_threads
def test_workers_need_a_batch_to_share(leduc: FlatGame) -> None:
    with bad("2 workers share the iterations of a batch and the batch is 1"):
        SamplingSolver(leduc).run(10, workers=2)


def test_damaged_and_foreign_runs_are_refused(leduc: FlatGame, tmp_path: Path) -> None:
    solver = SamplingSolver("kuhn", seed=1)
    solver.run(100)
    path = tmp_path / "kuhn.h5"
    solver.save(path)
    with bad("belongs to the game 'kuhn', not to 'leduc'", ArtefactError):
        SamplingSolver.load(path, leduc)
    with bad("there is no sampling run file", ArtefactError):
        SamplingSolver.load(tmp_path / "nothing.h5")
    with bad("ends in .h5"):
        solver.save(tmp_path / "kuhn.parquet")
    content = path.read_bytes()
    for size in (0, 10, len(content) // 2, len(content) - 1):
        path.write_bytes(content[:size])
        with bad("not a file of the kind 'overbet sampling run'|cut short", ArtefactError):
            SamplingSolver.load(path)
    flipped = bytearray(content)
    flipped[len(content) // 2] ^= 1
    path.write_bytes(bytes(flipped))
    with bad("does not match its checksum", ArtefactError):
        SamplingSolver.load(path)
    path.write_text("{}")
    with bad("not a file of the kind", ArtefactError):
        SamplingSolver.load(path)


def test_a_foreign_arrow_file_is_refused(tmp_path: Path) -> None:
    polars.DataFrame({"x": [1]}).write_ipc(tmp_path / "other.h5")
    with bad("not a file of the kind", ArtefactError):
        SamplingSolver.load(tmp_path / "other.h5")


def test_a_table_whose_places_no_longer_fit_the_log_is_refused(
    leduc: FlatGame, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sampling, "_MOST_NUMBERS", 2 * leduc.num_slots)
    SamplingSolver(leduc, baseline=False)
    with pytest.raises(TooLargeError, match=r"numbers are more than the .* of a table; use baseline: false"):
        SamplingSolver(leduc)
