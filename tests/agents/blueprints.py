"""Blueprints for tests: a real tree, buckets that are drawn at random, strategies that are drawn at random.

Nothing here plays well; everything can be looked up again.
"""

from __future__ import annotations

from functools import cache

import numpy as np

from overbet.abstraction.bucket_config import BucketsConfig
from overbet.abstraction.buckets import Buckets
from overbet.agents.blueprint import BlueprintAgent
from overbet.blueprint.cards import BucketedCards
from overbet.blueprint.config import BlueprintConfig
from overbet.blueprint.dense_query import DenseBlueprint
from overbet.tree.holdem import build_tree

STREET = {"sizes": ["50%, 100%, a", "100%, a"], "raises": 2}
MENU = {
    "preflop": {"sizes": ["2bb, 4bb", "3x, a"], "raises": 2},
    "flop": STREET,
    "turn": STREET,
    "river": STREET,
}
SMALL = {
    "preflop": {"sizes": ["3bb, a"], "raises": 1},
    "flop": {"sizes": ["a"], "raises": 1},
    "turn": {"sizes": ["a"], "raises": 1},
    "river": {"sizes": ["a"], "raises": 1},
}


@cache
def random_buckets(count: int = 6) -> Buckets:
    """Return buckets that mean nothing; the river's follow the strength within a class of boards."""
    rng, classes = np.random.default_rng(5), 2
    config = BucketsConfig(flop=count, turn=count, river=count, river_classes=classes, feature="strength")
    flop = rng.integers(0, count, 1_286_792).astype(np.uint16)
    turn = rng.integers(0, count, 13_960_050).astype(np.uint16)
    rule = (np.arange(1981 * classes) * count // (1981 * classes)).astype(np.uint16)
    of_board = rng.integers(0, classes, 134_459).astype(np.uint8)
    return Buckets(config, flop, turn, rule, river_class=of_board)


@cache
def random_blueprint(
    players: int = 2, stack_bb: float = 100.0, missing: float = 0.0, small: bool = False, seed: int = 1
) -> DenseBlueprint:
    """Return a blueprint with random rows, a share `missing` of which training never reached."""
    settings = {"players": players, "stack_bb": stack_bb}
    config = BlueprintConfig.parse({"name": "random", "game": settings, "menu": SMALL if small else MENU})
    cards = BucketedCards(random_buckets())
    tree = build_tree(config.game.game(), config.menu)
    record, entries = tree.records(cards.counts)
    rng = np.random.default_rng(seed)
    strategy = np.zeros(entries, np.uint8)
    for head, _, first, step in record[record[:, 0] >= 0].tolist():
        count, buckets = head >> 16, cards.counts[head >> 8 & 255]
        rows = rng.multinomial(255, rng.dirichlet(np.ones(count)), size=buckets)
        rows[rng.random(buckets) < missing] = 0
        strategy[first + step * np.arange(buckets)[:, None] + np.arange(count)] = rows
    return DenseBlueprint(config, tree, cards, strategy, {})


def even_blueprint(menu: object, players: int = 2, stack_bb: float = 100.0) -> DenseBlueprint:
    """Return a blueprint that takes all actions about as often everywhere."""
    config = BlueprintConfig.parse({"game": {"players": players, "stack_bb": stack_bb}, "menu": menu})
    cards = BucketedCards(random_buckets())
    tree = build_tree(config.game.game(), config.menu)
    record, entries = tree.records(cards.counts)
    strategy = np.zeros(entries, np.uint8)
    for head, _, first, step in record[record[:, 0] >= 0].tolist():
        count, buckets = head >> 16, cards.counts[head >> 8 & 255]
        row = np.full(count, 255 // count)
        row[0] += 255 - row.sum()
        strategy[first + step * np.arange(buckets)[:, None] + np.arange(count)] = row
    return DenseBlueprint(config, tree, cards, strategy, {})


@cache
def blueprint_agent(
    players: int = 2, stack_bb: float = 100.0, missing: float = 0.0, small: bool = False, seed: int = 1
) -> BlueprintAgent:
    """Return the agent of `random_blueprint`."""
    return BlueprintAgent(random_blueprint(players, stack_bb, missing, small, seed))
