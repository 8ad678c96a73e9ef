"""The local best response on a cluster: the blocks of `lbr_blocks` are units."""

from __future__ import annotations

from collections.abc import Generator, Iterator, Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from overbet.cluster import Cluster
from overbet.evaluation.lbr_agents import Guess
from overbet.evaluation.lbr_blocks import Floats, Played, play_block, player
from overbet.evaluation.sent_agents import SentAgent, received
from overbet.games.holdem import HoldemGame

Job = tuple[int, int]  # responder, number of the block
_TOGETHER = 8  # blocks of agents of the match loop in a unit


class LbrMaterial(NamedTuple):
    """What a worker plays with. responders: (sizes, streets) of each; guess: agent and sizes, if any."""

    agent: SentAgent
    game: HoldemGame
    responders: tuple[tuple[Floats, npt.NDArray[np.bool_]], ...]
    seed: int
    guess: tuple[SentAgent | None, int] | None
    deals: int
    size: int
    compiled: bool


def blocks_on(cluster: Cluster, material: LbrMaterial) -> Generator[Played, None, None]:
    """Yield what was played as it is done."""
    crew = cluster.crew(make_responder, material)
    for _, played in crew.map(_units(material)):
        yield from played


def _units(material: LbrMaterial) -> Iterator[list[Job]]:
    blocks = (material.deals + material.size - 1) // material.size
    part: list[Job] = []
    for number in range(blocks):
        for place in range(len(material.responders)):
            part.append((place, number))
            if len(part) == (_TOGETHER if material.compiled else 1):
                yield part
                part = []
    if part:
        yield part


def make_responder(material: LbrMaterial) -> _ResponderWorker:
    """Return what plays blocks in a worker process."""
    return _ResponderWorker(material)


class _ResponderWorker:
    def __init__(self, material: LbrMaterial) -> None:
        agent = received([material.agent], material.game)[0]
        guess = None
        if material.guess is not None:
            judge, asked = material.guess
            guess = Guess(None if judge is None else received([judge], material.game)[0], asked)
        self.material = material
        self.plays = [
            player(agent, material.game, sizes, streets, material.seed, guess)
            for sizes, streets in material.responders
        ]

    def __call__(self, unit: Sequence[Job]) -> list[Played]:
        deals, size = self.material.deals, self.material.size
        return [play_block(self.plays, place, number, deals, size) for place, number in unit]
