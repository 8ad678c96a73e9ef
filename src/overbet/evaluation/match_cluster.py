"""A match on a cluster: blocks of deals are units, merged in the order they would be played in here."""

from __future__ import annotations

from collections.abc import Generator, Iterable, Iterator, Sequence
from typing import NamedTuple

from overbet.cluster import Cluster
from overbet.evaluation.match_blocks import (
    Estimator,
    Floats,
    PlayedBlock,
    compiled_match,
    joined,
    play_compiled,
)
from overbet.evaluation.match_referee import OnError, Referee, RefereeFault, play_in_python
from overbet.evaluation.sent_agents import SentAgent, received
from overbet.games.holdem import HoldemGame
from overbet.kernels.match.play import Log

Deals = tuple[int, int]  # first deal, deals
_TOGETHER = 8  # blocks of the match loop in a unit: one alone is too short to travel


class MatchMaterial(NamedTuple):
    """What a worker plays with. agents: by slot; names: of the slots; compiled: whether kernels play."""

    agents: tuple[SentAgent, ...]
    names: tuple[str, ...]
    game: HoldemGame
    seed: int
    estimators: tuple[Estimator, ...]
    on_error: OnError
    time_limit: float | None
    compiled: bool


class SentBlock(NamedTuple):
    """A block on its way back, without agents and table, which the other side has."""

    first: int
    log: Log
    estimates: dict[str, Floats]
    faults: list[RefereeFault]


def blocks_from(
    cluster: Cluster, material: MatchMaterial, referee: Referee, blocks: Sequence[Deals]
) -> Generator[tuple[PlayedBlock, dict[str, Floats]], None, None]:
    """Yield the blocks in order as they are done."""
    units = _parts(blocks, _TOGETHER if material.compiled else 1)
    crew = cluster.crew(make_block_player, material)
    waiting: dict[int, list[SentBlock]] = {}
    following = 0
    for number, played in crew.map(units):
        waiting[number] = played
        while following in waiting:
            for block in waiting.pop(following):
                referee.faults.extend(block.faults)
                found = joined(material.game, referee.agents, material.seed, block.first, [block.log])
                yield found, block.estimates
            following += 1


def _parts(blocks: Iterable[Deals], size: int) -> Iterator[list[Deals]]:
    part: list[Deals] = []
    for block in blocks:
        part.append(block)
        if len(part) == size:
            yield part
            part = []
    if part:
        yield part


def make_block_player(material: MatchMaterial) -> _BlockPlayer:
    """Return what plays blocks in a worker process."""
    return _BlockPlayer(material)


class _BlockPlayer:
    def __init__(self, material: MatchMaterial) -> None:
        self.material = material
        self.slots = tuple(received(material.agents, material.game))
        self.match = compiled_match(self.slots, material.game, material.seed) if material.compiled else None
        self.referee = Referee(self.slots, material.names, material.on_error, material.time_limit)

    def __call__(self, unit: list[Deals]) -> list[SentBlock]:
        return [self._play(first, groups) for first, groups in unit]

    def _play(self, first: int, groups: int) -> SentBlock:
        game, referee = self.material.game, self.referee
        referee.faults = []
        if self.match is None:
            block = play_in_python(referee, game, self.material.seed, first, groups)
        else:
            block = play_compiled(self.match, game, self.slots, first, groups)
        estimates = {one.name: one.estimate(block) for one in self.material.estimators}
        log = Log(block.won, block.ended, block.starts, block.moves, block.counts)
        return SentBlock(first, log, estimates, referee.faults)
