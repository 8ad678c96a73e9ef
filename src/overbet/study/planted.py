"""A made-up player with known leaks: a blueprint whose strategy is changed at some lines.

    agent = planted_agent(blueprint, [PlantedLeak("preflop", "facing 3bet", "fold", 0.25)])

What finds leaks is tried on such players, since nobody knows what the leaks of a real one are.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from overbet.agents.blueprint import BlueprintAgent
from overbet.errors import ConfigError
from overbet.kernels.training.record import decision_at
from overbet.kernels.training.store import WHOLE
from overbet.study.blueprint_decisions import node_kind
from overbet.study.decision_lines import KINDS, STREET_NAMES, ActionKind


class PlantedLeak(NamedTuple):
    """At a line the player does `action` also with a share of what the strategy does otherwise.

    share: of the hands, or of the mix of a hand, that would do `instead` (anything, where nothing is named).
    """

    street: str
    line: str
    action: ActionKind
    share: float
    instead: ActionKind | None = None


# what the three best known leaks of beginners are
THREE_LEAKS = (
    PlantedLeak("preflop", "facing 3bet", "fold", 0.25),
    PlantedLeak("flop", "c-bet chance", "bet", 1.0),
    PlantedLeak("river", "facing bet", "call", 0.4, "fold"),
)


def planted_agent(
    agent: BlueprintAgent, leaks: Sequence[PlantedLeak], name: str = "planted"
) -> BlueprintAgent:
    """Return an agent that plays a blueprint but for the leaks."""
    arrays, tree = agent.arrays, agent.blueprint.tree
    assert arrays is not None
    strategy = arrays.strategy.copy()
    counts = agent.blueprint.cards.counts
    done: set[PlantedLeak] = set()
    for node in np.flatnonzero(tree.nodes.player >= 0).tolist():
        street = STREET_NAMES[int(tree.nodes.street[node])]
        asked = [leak for leak in leaks if leak.street == street]
        if not asked:
            continue
        kind = node_kind(tree, node)
        for leak in asked:
            number = KINDS.index(leak.action)
            if leak.line != kind.line or number not in kind.kinds:
                continue
            place = decision_at(arrays.record, node)
            rows = (
                place.first + place.step * np.arange(counts[place.street])[:, None] + np.arange(place.actions)
            )
            strategy[rows] = _changed(strategy[rows], np.array(kind.kinds), leak)
            done.add(leak)
    for leak in leaks:
        if leak not in done:
            raise ConfigError(f"the blueprint has no {leak.action} at {leak.street}, {leak.line}")
    return BlueprintAgent(agent.blueprint, name, arrays._replace(strategy=strategy))


def _changed(
    rows: np.ndarray[tuple[int, ...], np.dtype[np.uint8]],
    kinds: np.ndarray[tuple[int, ...], np.dtype[np.int64]],
    leak: PlantedLeak,
) -> np.ndarray[tuple[int, ...], np.dtype[np.uint8]]:
    """Return rows of a node with a leak: [bucket, action] uint8; rows that were never trained stay so."""
    own = kinds == KINDS.index(leak.action)
    from_ = ~own if leak.instead is None else kinds == KINDS.index(leak.instead)
    shares = rows.astype(np.float64)
    moved = leak.share * shares[:, from_]
    gained = moved.sum(1)
    shares[:, from_] -= moved
    before = shares[:, own].sum(1, keepdims=True)
    mix = np.where(before > 0.0, shares[:, own] / np.maximum(before, 1e-9), 1.0 / own.sum())
    shares[:, own] += gained[:, None] * mix
    found = np.round(shares).astype(np.int64)
    found[np.arange(len(found)), found.argmax(1)] += rows.sum(1, dtype=np.int64) - found.sum(1)
    return np.clip(found, 0, WHOLE).astype(np.uint8)
