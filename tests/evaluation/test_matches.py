from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import pytest

from overbet.agents.protocol import Agent, Observation
from overbet.agents.registry import make_agent
from overbet.errors import ConfigError
from overbet.evaluation import match_blocks, matches
from overbet.evaluation.match_blocks import PlayedBlock
from overbet.evaluation.match_referee import AgentError
from overbet.evaluation.matches import MatchPace, play_match
from overbet.games.holdem import HoldemGame
from tests.agents.blueprints import blueprint_agent


@dataclass
class Wrapped:
    """An agent that the kernels cannot see into: it has to be asked in Python."""

    inner: Agent

    def act(self, observation: Observation) -> int:
        return self.inner.act(observation)


@dataclass
class Scripted:
    """An agent made of one function."""

    answer: Callable[[Observation], object]
    name: str = "odd"

    def act(self, observation: Observation) -> int:
        return self.answer(observation)  # type: ignore[return-value]  # that is what is tested


def agents(*specs: str) -> list[Agent]:
    return [make_agent(spec) for spec in specs]


@pytest.mark.parametrize(
    ("players", "specs", "stacks"),
    [
        (2, ("tag", "lag"), 10_000),
        (2, ("random-chips", "equity:0.55"), [3_000, 900]),
        (3, ("tag", "random", "always-raise"), [5_000, 40, 700]),
        (6, ("tag", "lag", "random-chips"), 4_000),
    ],
)
def test_kernels_and_python_play_the_same_hands(
    players: int, specs: tuple[str, ...], stacks: int | list[int]
) -> None:
    game = HoldemGame(players, stacks, (50, 100))
    fast = play_match(agents(*specs), game, 60, seed=8)
    slow = play_match([Wrapped(agent) for agent in agents(*specs)], game, 60, seed=8)
    assert fast.won.tolist() == slow.won.tolist()
    assert fast.ended.tolist() == slow.ended.tolist()
    assert fast.counts[:, 0].tolist() == slow.counts[:, 0].tolist()


@pytest.mark.parametrize("other", ["random-chips", "lag"])
def test_blueprints_too(other: str) -> None:
    arrays = blueprint_agent(missing=0.05)
    fast = play_match([arrays, make_agent(other)], hands=120, seed=3)
    slow = play_match([Wrapped(arrays), make_agent(other)], hands=120, seed=3)
    assert fast.won.tolist() == slow.won.tolist()
    assert fast.counts[0, 1:].min() > 0  # off the tree, untrained and mapped all came up
    two = play_match([arrays, blueprint_agent(seed=2)], hands=120, seed=3)
    assert (
        two.won.tolist()
        == play_match([arrays, Wrapped(blueprint_agent(seed=2))], hands=120, seed=3).won.tolist()
    )
    three = [
        blueprint_agent(3, 20.0, small=True, seed=seed) for seed in (1, 2, 3)
    ]  # more than the kernels know
    own = three[0].blueprint.tree.game
    assert match_blocks.compiled_match(three, own, 0) is None
    assert (play_match(list(three), own, 60, seed=1).won.sum(1) == 0).all()


def test_any_number_of_workers() -> None:
    found = [
        play_match([blueprint_agent(), make_agent("tag")], hands=20_000, seed=5, workers=workers)
        for workers in (1, 2, 5)
    ]
    assert found[0].won.tolist() == found[1].won.tolist() == found[2].won.tolist()
    assert found[0].mbb() == found[1].mbb() == found[2].mbb()
    assert found[0].counts.tolist() == found[1].counts.tolist() == found[2].counts.tolist()
    longer = play_match([blueprint_agent(), make_agent("tag")], hands=24_000, seed=5)
    assert longer.won[:20_000].tolist() == found[0].won.tolist()
    assert (
        play_match([blueprint_agent(), make_agent("tag")], hands=2_000, seed=6).won.tolist()
        != found[0].won[:2_000].tolist()
    )


def test_the_same_player_on_all_seats_wins_nothing_on_any_deal() -> None:
    for players in (2, 4):
        result = play_match(agents("always-call", "always-call"), HoldemGame(players), 400)
        assert not result.by_deal(0).any()
        assert result.names == ("always-call", "always-call (2)")
        assert result.mbb().half == 0


def test_always_fold_loses_its_blinds() -> None:
    result = play_match(agents("always-raise", "always-fold"), hands=2_000)
    assert result.mbb(0).mean == 750
    assert result.mbb(1).mean == -750
    assert result.mbb(0).sd == 0
    assert set(result.ended.tolist()) == {0}


def test_frames_add_up() -> None:
    game = HoldemGame(3, 5_000, (50, 100))
    result = play_match(agents("tag", "lag"), game, 3_000, seed=2)  # tag on two seats
    frame, positions, streets = result.frame(), result.positions(), result.streets()
    assert frame["agent"].to_list() == ["tag", "lag"]
    assert frame["hands"].to_list() == [6_000, 3_000]
    weights = np.array([2, 1])
    assert (frame["mbb_per_hand"].to_numpy() * weights).sum() == pytest.approx(0, abs=1e-9)
    for name, mean in zip(frame["agent"], frame["mbb_per_hand"]):
        own = positions.filter(positions["agent"] == name)
        assert own["position"].to_list() == ["SB", "BB", "BTN"]
        assert own["mbb_per_hand"].mean() == pytest.approx(mean)
        parts = streets.filter(streets["agent"] == name)
        assert parts["mbb_of_total"].sum() == pytest.approx(mean)
        assert parts["share"].sum() == pytest.approx(1)
    hands = result.per_hand()
    assert hands.height == 9_000
    assert hands.filter(hands["agent"] == "lag")["won"].mean() * 10 == pytest.approx(frame["mbb_per_hand"][1])
    button = hands.filter((hands["agent"] == "lag") & (hands["position"] == "BTN"))["won"].mean() * 10
    assert button == pytest.approx(positions.filter(positions["agent"] == "lag")["mbb_per_hand"][2])


def test_blocks_tell_what_happened() -> None:
    blocks: list[PlayedBlock] = []
    result = play_match(agents("tag", "random", "lag"), HoldemGame(3), 300, seed=4, on_block=blocks.append)
    block = blocks[0]
    for hand in range(0, 300, 7):
        state = block.state(hand)
        assert state.is_terminal()
        for player, chips in enumerate(state.returns()):
            assert result.won[hand, block.slot(hand, player)] == chips
        assert block.dealt(hand).hole == block.state(hand - hand % 3).hole  # one deal, three rotations
        last = state.history[-1][0] + 4 * (sum(state.in_hand) > 1)
        assert block.ended[hand] == last


def test_a_log_that_is_too_small_grows(monkeypatch: pytest.MonkeyPatch) -> None:
    usual = play_match(agents("random", "lag"), hands=500, seed=1)
    monkeypatch.setattr(match_blocks, "_ROOM", 1)
    blocks: list[PlayedBlock] = []
    tight = play_match(agents("random", "lag"), hands=500, seed=1, on_block=blocks.append)
    assert tight.won.tolist() == usual.won.tolist()
    assert tight.counts.tolist() == usual.counts.tolist()
    assert blocks[0].state(499).is_terminal()


def test_estimators_are_asked_block_by_block() -> None:
    class Luckless:
        name = "half"

        def estimate(self, block: PlayedBlock) -> np.ndarray:
            return block.won / 2.0

    result = play_match(agents("tag", "lag"), hands=10_000, seed=1, workers=2, estimators=[Luckless()])
    assert result.mbb(0, "half").mean == pytest.approx(result.mbb(0).mean / 2)
    frame = result.frame()
    assert frame["half_sd_reduction"].to_list() == pytest.approx([0.5, 0.5])
    assert frame["half_hand_sd_reduction"].to_list() == pytest.approx([0.5, 0.5])
    assert "half" in result.per_hand().columns


def raises(_: Observation) -> object:
    raise ZeroDivisionError("float division by zero")


def sleeps(observation: Observation) -> object:
    time.sleep(2.5 if observation.hand == 3 else 0.0)
    return 0


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        (raises, "raised ZeroDivisionError: float division by zero"),
        (lambda _: 101, "returned 101, which is not legal: "),
        (lambda _: 1.5, "returned 1.5, which is not an action"),
        (lambda _: None, "returned None, which is not an action"),
        (lambda _: True, "returned True, which is not an action"),
        (lambda _: 10**9, "not legal"),
    ],
)
def test_faults_are_named_with_their_hand(answer: Callable[[Observation], object], said: str) -> None:
    with pytest.raises(AgentError, match=r"odd .*\(hand \d+, holding \w{4}, after r:0") as caught:
        play_match([Scripted(answer), make_agent("tag")], hands=20)
    assert said in str(caught.value)
    assert "--on-error fold" in str(caught.value)
    result = play_match([Scripted(answer), make_agent("tag")], hands=20, on_error="fold")
    assert result.hands == 20
    assert len(result.faults) > 10
    assert (result.won.sum(1) == 0).all()
    folding = play_match(agents("always-fold", "tag"), hands=20)
    assert result.won.tolist() == folding.won.tolist()  # check or fold stands for every fault
    assert "faults of odd, check or fold instead; the first: odd" in result.notes()[0]


def test_too_slow_is_a_fault() -> None:
    result = play_match([Scripted(sleeps), make_agent("tag")], hands=6, on_error="fold", time_limit=1.0)
    assert {fault.hand for fault in result.faults} == {3}
    assert "took longer than 1 s" in str(result.faults[0])
    with pytest.raises(ConfigError, match="time limit"):
        play_match([Scripted(sleeps), make_agent("tag")], hands=6, time_limit=0.0)


def test_an_interrupted_match_keeps_what_it_has() -> None:
    def stop(pace: MatchPace) -> None:
        if pace.hands >= 8_000:
            raise KeyboardInterrupt

    result = play_match(agents("tag", "lag"), hands=100_000, seed=1, workers=2, progress=stop)
    assert result.stopped
    assert 8_000 <= result.hands < 20_000
    assert result.won.tolist() == play_match(agents("tag", "lag"), hands=result.hands, seed=1).won.tolist()


def test_progress_tells_the_interval() -> None:
    seen: list[MatchPace] = []
    result = play_match(agents("tag", "lag"), hands=12_001, seed=1, progress=seen.append)
    assert [pace.hands for pace in seen] == [4_000, 8_000, 12_000, 12_002]
    assert {pace.total for pace in seen} == {12_002}
    assert seen[-1].result.mean == pytest.approx(result.mbb().mean)
    assert seen[-1].result.half < seen[0].result.half


def test_what_cannot_be_played() -> None:
    with pytest.raises(ConfigError, match="3 agents cannot sit on 2 seats"):
        play_match(agents("tag", "lag", "random"), HoldemGame(2))
    with pytest.raises(ConfigError, match="at least one hand"):
        play_match(agents("tag", "lag"), hands=0)
    with pytest.raises(ConfigError, match="seed"):
        play_match(agents("tag", "lag"), seed=-1)
    with pytest.raises(ConfigError, match="stop or fold"):
        play_match(agents("tag", "lag"), on_error="ignore")  # type: ignore[arg-type]
    with pytest.raises(ConfigError, match="was trained for 2 players"):
        play_match([blueprint_agent(), *agents("tag", "tag")], HoldemGame(3))
    assert matches.distinct_names(agents("tag", "tag", "lag")) == ("tag", "tag (2)", "lag")


def test_a_lone_hand_is_estimated_as_in_its_match() -> None:
    from overbet.evaluation.aivat import match_estimator

    pair, game, blocks = agents("tag", "lag"), HoldemGame(2), list[PlayedBlock]()
    play_match(pair, game, 40, seed=6, on_block=blocks.append)
    estimator = match_estimator(pair, game)
    every = estimator.estimate(blocks[0])
    for deal, rotation in ((0, 0), (3, 1), (17, 0), (19, 1)):
        hand = 2 * deal + rotation
        alone = match_blocks.lone_hand(blocks[0].state(hand), pair, 6, deal, rotation)
        assert alone.won[rotation].tolist() == blocks[0].won[hand].tolist()
        assert estimator.estimate(alone)[rotation].tolist() == every[hand].tolist()


@pytest.mark.parametrize("other", ["random-chips", "lag", "always-call"])
def test_fallbacks_are_counted_in_python_too(other: str) -> None:
    arrays = blueprint_agent(missing=0.1)
    fast = play_match([arrays, make_agent(other)], hands=200, seed=4)
    slow = play_match([arrays, Wrapped(make_agent(other))], hands=200, seed=4)
    assert fast.won.tolist() == slow.won.tolist()
    assert fast.counts[0, :3].tolist() == slow.counts[0, :3].tolist()
    assert fast.counts[0, 2] > 0
    # bets mapped after the agent's last decision of a hand are seen by the match loop alone
    assert 0.8 * fast.counts[0, 3] <= slow.counts[0, 3] <= fast.counts[0, 3]
    assert "were played as tag" in slow.notes()[0]
