"""Matches: duplicate deals with all rotations of the seats, in parallel, the same for any number of workers.

    result = play_match([make_agent("tag"), make_agent("lag")], HoldemGame(2), hands=100_000, seed=1)
    result.mbb(0)          # Estimate: mbb a hand of the first agent with its 95 % interval
    result.frame()         # polars: a row for each agent

Scripted agents, blueprints and networks are played by kernels on threads; with any other agent at the table
hands are played one after another in Python, under a referee. `estimators` add other estimates of the same
hands.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Generator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from overbet import machine
from overbet.agents.protocol import Agent, prepare
from overbet.agents.registry import name_of
from overbet.errors import ConfigError
from overbet.evaluation.match_blocks import (
    Estimator,
    Floats,
    PlayedBlock,
    compiled_match,
    play_compiled,
)
from overbet.evaluation.match_referee import OnError, Referee, play_in_python
from overbet.evaluation.match_result import MatchResult, deal_means, gathered
from overbet.evaluation.statistics import Estimate, Moments
from overbet.games.holdem import HoldemGame
from overbet.kernels.holdem.layout import MAX_PLAYERS

if TYPE_CHECKING:
    from overbet.cluster import Cluster
    from overbet.evaluation.match_networks import NetworkMatch

_BLOCK_HANDS, _BLOCK_HANDS_PYTHON = 4_000, 40


@dataclass(frozen=True)
class MatchPace:
    """How far a match is: hands played and asked for, and the first agent's result so far in mbb a hand."""

    hands: int
    total: int
    result: Estimate


Progress = Callable[[MatchPace], None]
_Played = tuple[PlayedBlock, dict[str, Floats]]


def play_match(
    agents: Sequence[Agent],
    game: HoldemGame | None = None,
    hands: int = 10_000,
    *,
    seed: int = 0,
    workers: int = 0,
    estimators: Sequence[Estimator] = (),
    on_error: OnError = "stop",
    time_limit: float | None = None,
    progress: Progress | None = None,
    on_block: Callable[[PlayedBlock], None] | None = None,
    cluster: Cluster | None = None,
    specs: Sequence[str] | None = None,
) -> MatchResult:
    """Play at least `hands` hands (whole deals: every deal is played once in each rotation).

    Seats are filled with the agents in turn, so fewer agents than seats sit at several. workers: threads, 0
    for all cores. on_error, time_limit (seconds an action): for agents in Python. on_block: called with every
    block in order. Ctrl-C ends the match; the result is then what was played and `stopped` is true.
    cluster: plays there, with the same result; specs: the words that named the agents, where one of them has
    to be made again on other machines.
    """
    table = HoldemGame(max(len(agents), 2)) if game is None else game
    _Plan.check(agents, table, hands, seed)
    match = _Plan([prepare(agent, table) for agent in agents], table, hands, seed)
    referee = Referee(match.slots, [match.names[one] for one in match.entry], on_error, time_limit)
    begun = time.perf_counter()
    blocks: list[PlayedBlock] = []
    estimates: dict[str, list[Floats]] = {estimator.name: [] for estimator in estimators}
    moments, stopped = Moments(), False
    if cluster is None:
        running = _running(match, referee, estimators, workers or machine.core_count())
    else:
        running = _running_on(cluster, match, referee, estimators, specs)
    try:
        for block, found in running:
            blocks.append(block)
            for name, values in found.items():
                estimates[name].append(values)
            moments = moments.merged(Moments.of(deal_means(block.won, match.entry == 0, table)))
            if on_block is not None:
                on_block(block)
            if progress is not None:
                progress(MatchPace(moments.count * table.num_players, match.hands, moments.estimate()))
    except KeyboardInterrupt:
        stopped = True
        if not blocks:
            raise
    finally:
        running.close()
    result = gathered(blocks, match.names, match.entry)
    result.estimates = {name: np.concatenate(values[: len(blocks)]) for name, values in estimates.items()}
    result.faults, result.stopped = referee.faults, stopped
    result.seconds = time.perf_counter() - begun
    return result


class _Plan:
    """Who sits where, and how many deals are played."""

    def __init__(self, agents: Sequence[Agent], game: HoldemGame, hands: int, seed: int) -> None:
        players = game.num_players
        self.game, self.seed = game, seed
        self.entry = np.arange(players) % len(agents)
        self.slots = tuple(agents[one] for one in self.entry.tolist())
        self.groups = math.ceil(hands / players)
        self.hands = self.groups * players
        self.names = distinct_names(agents)
        self.compiled = compiled_match(self.slots, game, seed)
        self.networks = None if self.compiled is not None else _networks(self.slots, game, seed)

    @staticmethod
    def check(agents: Sequence[Agent], game: HoldemGame, hands: int, seed: int) -> None:
        """Refuse a match that cannot be played."""
        players = game.num_players
        if not 1 <= len(agents) <= players:
            raise ConfigError(
                f"{len(agents)} agents cannot sit on {players} seats; there are tables of 2 to {MAX_PLAYERS}"
            )
        if hands < 1:
            raise ConfigError(f"a match has at least one hand, not {hands}")
        if not 0 <= seed < 2**63:
            raise ConfigError(f"a seed is from 0 to 2**63 - 1, not {seed}")

    @property
    def in_kernels(self) -> bool:
        """Whether whole blocks are played by kernels, so that threads share them out."""
        return self.compiled is not None or self.networks is not None

    def blocks(self) -> list[tuple[int, int]]:
        """Return (first deal, deals) of every block: the same whoever plays them."""
        hands = _BLOCK_HANDS if self.in_kernels else _BLOCK_HANDS_PYTHON
        size = max(hands // self.game.num_players, 1)
        return [(first, min(size, self.groups - first)) for first in range(0, self.groups, size)]


def distinct_names(agents: Sequence[Agent]) -> tuple[str, ...]:
    """Return the names of agents, numbered where one comes again."""
    names = [name_of(agent) for agent in agents]
    found: list[str] = []
    for place, name in enumerate(names):
        before = names[:place].count(name)
        found.append(f"{name} ({before + 1})" if before else name)
    return tuple(found)


def _running_on(
    cluster: Cluster,
    match: _Plan,
    referee: Referee,
    estimators: Sequence[Estimator],
    specs: Sequence[str] | None,
) -> Generator[_Played, None, None]:
    """Yield the blocks in order as they are done on a cluster."""
    from overbet.evaluation.match_cluster import MatchMaterial, blocks_from
    from overbet.evaluation.sent_agents import sent

    words = None if specs is None else [specs[one] for one in match.entry.tolist()]
    material = MatchMaterial(
        sent(match.slots, words),
        referee.names,
        match.game,
        match.seed,
        tuple(estimators),
        referee.on_error,
        referee.time_limit,
        match.compiled is not None,
    )
    return blocks_from(cluster, material, referee, match.blocks())


def _networks(slots: Sequence[Agent], game: HoldemGame, seed: int) -> NetworkMatch | None:
    """Return what a table with networks needs; their modules take a tenth of a short match without any."""
    from overbet.evaluation.match_networks import network_match

    return network_match(slots, game, seed)


def _running(
    match: _Plan, referee: Referee, estimators: Sequence[Estimator], workers: int
) -> Generator[_Played, None, None]:
    """Yield the blocks in order as they are done."""

    def play(first: int, groups: int) -> _Played:
        if match.compiled is not None:
            block = play_compiled(match.compiled, match.game, match.slots, first, groups)
        elif match.networks is not None:
            from overbet.evaluation.match_networks import play_networks

            block = play_networks(match.networks, match.game, first, groups)
        else:
            block = play_in_python(referee, match.game, match.seed, first, groups)
        return block, {estimator.name: estimator.estimate(block) for estimator in estimators}

    if not match.in_kernels or workers == 1:
        for first, groups in match.blocks():
            yield play(first, groups)
        return
    waiting: list[Future[_Played]] = []
    with ThreadPoolExecutor(workers) as pool:
        try:
            for first, groups in match.blocks():
                waiting.append(pool.submit(play, first, groups))
                if len(waiting) > 2 * workers:  # enough to keep everybody busy
                    yield waiting.pop(0).result()
            while waiting:
                yield waiting.pop(0).result()
        finally:
            pool.shutdown(wait=True, cancel_futures=True)
