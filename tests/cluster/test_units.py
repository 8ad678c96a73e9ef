"""What is sent to a cluster and comes back gives the same result as without: no Ray is needed to see it."""

from __future__ import annotations

import pickle
import re
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from overbet.agents.compiled import CompiledAgent
from overbet.agents.protocol import Observation
from overbet.agents.registry import make_agent
from overbet.blueprint.factory import make_trainer
from overbet.blueprint.run import Run
from overbet.blueprint.shard_cluster import ClusterShards, check_sharded
from overbet.cluster.crew import Crew, _raised, work
from overbet.errors import ConfigError, OverbetError, TooLargeError
from overbet.evaluation.aivat import match_estimator
from overbet.evaluation.lbr import run_lbr
from overbet.evaluation.lbr_family import FAMILY, run_lbr_family
from overbet.evaluation.match_referee import AgentError
from overbet.evaluation.matches import play_match
from overbet.evaluation.round_robin import round_robin
from overbet.evaluation.sent_agents import received, sent
from overbet.games.holdem import HoldemGame
from overbet.interfaces.cli.verbs.batch import solved_line
from overbet.solvers.vector.batches.batch import BatchProgress, load_batch, solve_batch
from tests.blueprint.test_shards import assert_same_bits, config
from tests.cluster.in_process import InProcess, travelled
from tests.solvers.vector.test_batch import RIVERS, SPOT, rows_of

GAME = HoldemGame(2)


class Caller:
    """Calls; once it raises."""

    name = "caller"

    def act(self, observation: Observation) -> int:
        if observation.hand == 81:
            raise ValueError("no idea")
        return 0


def compared(one: Any, other: Any) -> None:
    np.testing.assert_array_equal(one.won, other.won)
    np.testing.assert_array_equal(one.counts, other.counts)
    assert one.estimates.keys() == other.estimates.keys()
    for name, values in one.estimates.items():
        np.testing.assert_array_equal(values, other.estimates[name])
    assert one.mbb(0) == other.mbb(0)
    assert [str(fault) for fault in one.faults] == [str(fault) for fault in other.faults]


@pytest.mark.parametrize(
    "solver", [{}, {"tables": "keyed", "capacity": 5000}, {"numbers": "int32", "rule": "cfr+"}], ids=str
)
def test_shards_that_come_in_any_order_leave_the_same_bits(solver: dict[str, Any]) -> None:
    """Workers bring their tables up to date by what changed; at a discount they fetch all."""
    there, here = make_trainer(None, config(**solver)), make_trainer(None, config(**solver))
    walkers = ClusterShards(InProcess(), there)
    there.run(7000, walkers=walkers)
    here.run(7000)
    assert_same_bits(there, here)
    whole = sum(array.nbytes for array in there.arrays.values())
    assert 0 < walkers.received <= 7 * 4 * whole
    assert 3 * whole < walkers.sent < 7 * whole  # at the start, and after the discounts at 2,000 and 4,000


def test_a_worker_that_missed_an_epoch_fetches_all() -> None:
    there, here = make_trainer(None, config()), make_trainer(None, config())
    walkers = ClusterShards(InProcess(), there)
    made = walkers._crew.made  # type: ignore[attr-defined]
    original, behind = type(made).__call__, []

    def forgetful(self: Any, unit: Any) -> Any:
        if unit.epoch in (2, 4) and not behind[unit.epoch // 2 - 1 :]:
            self.epoch -= 1  # as one that was not asked in the epoch before
            self.walker.begin({name: 0 * array for name, array in self.walker.base.items()})
            behind.append(unit.epoch)
        return original(self, unit)

    type(made).__call__ = forgetful
    try:
        there.run(5000, walkers=walkers)
    finally:
        type(made).__call__ = original
    here.run(5000)
    assert behind == [2, 4]
    assert_same_bits(there, here)


class _Ray:
    """Stands in for Ray: a task ends at the number of looks that its unit says, the first with an error."""

    cloudpickle = pickle

    def __init__(self) -> None:
        self.looks, self.cancelled = 0, list[int]()

    def put(self, value: Any) -> Any:
        return value

    def remote(self, **options: Any) -> Any:
        return lambda function: SimpleNamespace(remote=lambda key, maker, given, unit: unit)

    def wait(self, units: list[int], num_returns: int, timeout: float, **more: Any) -> tuple[Any, Any]:
        self.looks += 1
        done = [unit for unit in units if unit <= self.looks][:num_returns]
        return done, [unit for unit in units if unit not in done]

    def get(self, unit: int) -> Any:
        return False, ("ConfigError", f"unit {unit}")

    def cancel(self, unit: int, force: bool) -> None:
        self.cancelled.append(unit)


def test_what_ends_in_a_moment_is_not_cancelled() -> None:
    """Ray ends the whole process where a task ends just as it is cancelled."""
    ray = _Ray()
    crew = Crew(ray, len, "", 1, lambda: 4)
    with pytest.raises(ConfigError, match="unit 1"):
        list(crew.map([1, 2, 3, 50, 60]))
    assert ray.cancelled == [50, 60]


def test_a_run_without_shards_has_nothing_to_share_out() -> None:
    with pytest.raises(ConfigError, match=r"--set solver\.shards=16"):
        check_sharded(config(shards=0))


def test_a_match_is_the_same() -> None:
    agents = [make_agent("tag"), make_agent("lag")]
    options: dict[str, Any] = {"seed": 3, "workers": 1, "estimators": [match_estimator(agents, GAME)]}
    here = play_match(agents, GAME, 40_010, **options)
    compared(here, play_match(agents, GAME, 40_010, cluster=InProcess(), **options))


def test_a_match_of_agents_in_python_is_the_same_with_its_faults() -> None:
    agents = [Caller(), make_agent("tag")]
    options: dict[str, Any] = {"seed": 3, "on_error": "fold"}
    here = play_match(agents, GAME, 200, **options)
    assert len(here.faults) == 1
    compared(here, play_match(agents, GAME, 200, cluster=InProcess(), **options))
    with pytest.raises(AgentError, match="caller raised ValueError: no idea"):
        play_match(agents, GAME, 200, seed=3, cluster=InProcess())


def test_a_round_robin_is_the_same() -> None:
    specs = ["tag", "lag", "random"]
    agents = [make_agent(spec) for spec in specs]
    here = round_robin(agents, GAME, 2000, workers=1)
    there = round_robin(agents, GAME, 2000, cluster=InProcess(), specs=specs)
    for pair, match in here.matches.items():
        compared(match, there.matches[pair])


def test_lbr_and_its_family_are_the_same() -> None:
    agent = make_agent("tag")
    here, there = (
        run_lbr(agent, GAME, 500, "fc", seed=3, workers=1, **on) for on in ({}, {"cluster": InProcess()})
    )
    np.testing.assert_array_equal(here.values, there.values)
    assert (here.raw, here.aivat) == (there.raw, there.aivat)
    one, other = (
        run_lbr_family(agent, GAME, 60, workers=1, family=FAMILY[:2], **on)
        for on in ({}, {"cluster": InProcess()})
    )
    assert one.facts() == other.facts()


def test_a_batch_is_written_as_boards_come_and_goes_on(tmp_path: Path) -> None:
    seen: list[int] = []

    def two(state: BatchProgress) -> bool:
        seen.append(state.done)
        assert (state.solved is None) == (state.done == 0)
        if state.solved is not None:
            told = r" +0\.\d+% of the pot +\d+ iterations +\d+\.\d s  OOP [\d.]+, IP [\d.]+ chips$"
            assert re.match(f"  {state.board}{told}", solved_line(state.board, state.solved))
        assert len(load_batch(tmp_path).rows) == state.done
        return state.done < 2

    begun = solve_batch(SPOT, RIVERS, tmp_path, keep="street", cluster=InProcess(), progress=two)
    assert begun.interrupted
    assert seen == [0, 1, 2]
    found = solve_batch(SPOT, RIVERS, tmp_path, keep="street", cluster=InProcess())
    assert found.complete
    rows = [{**row, "saved": "nothing", "bytes": 0} for row in rows_of(found)]
    assert rows == rows_of(solve_batch(SPOT, RIVERS))
    board = found.rows[0]["board"]
    assert found.solution(board).exploitability == found.rows[0]["exploitability"]
    with pytest.raises(ConfigError, match="leave out --device cuda"):
        solve_batch(SPOT, ["AhKd9c5s3h"], cluster=InProcess(), device="cuda")


def test_a_blueprint_travels_without_its_file_and_others_by_name(tmp_path: Path) -> None:
    path = Run.start(tmp_path / "run", config()).go(2000)
    agents = [make_agent(f"blueprint:{path}"), make_agent("tag")]
    game = agents[0].own_table  # type: ignore[attr-defined]
    here = play_match(agents, game, 1000, seed=1, workers=1)
    compared(here, play_match(agents, game, 1000, seed=1, cluster=InProcess()))
    assert type(travelled(sent(agents))[0]) is CompiledAgent
    assert sent([Caller()], ["equity:0.6"]) == ("equity:0.6",)
    (made,) = received(("equity:0.6",), GAME)
    assert repr(made) == repr(make_agent("equity:0.6"))
    held = Caller()
    words = "caller cannot travel to other machines"
    with open(__file__) as held.file, pytest.raises(ConfigError, match=words):  # type: ignore[attr-defined]
        sent([held])


def test_an_error_of_a_worker_keeps_its_kind_and_is_one_line() -> None:
    class Given:
        def get(self) -> bytes:
            import pickle

            return pickle.dumps(0)

    def maker(_: int) -> Any:
        def of(unit: str) -> None:
            raise TooLargeError(f"{unit}\ndoes not fit")

        return of

    good, found = work("key", maker, Given(), "this")  # type: ignore[arg-type]
    assert not good
    error = _raised(*found)
    assert type(error) is TooLargeError
    assert str(error) == "this does not fit"
    assert type(_raised("AgentError", "x")) is OverbetError
