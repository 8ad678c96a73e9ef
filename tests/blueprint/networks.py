"""Small networks of heads-up hold'em for tests."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import numpy as np

from overbet.blueprint.network.config import HoldemNetworkConfig
from overbet.blueprint.network.encoder import HoldemEncoder
from overbet.blueprint.network.files import encoder_of, save_network
from overbet.blueprint.network.net import Arrays, expected_shapes

PUSH = {
    "name": "push",
    "game": {"stack_bb": 10},
    "menu": {"preflop": {"sizes": ["a"], "raises": 1, "limp": False}},
    "cards": {"kind": "preflop"},
    "shape": {"width": 16, "blocks": 1, "embedding": 8},
}
STREETS = {
    "name": "streets",
    "game": {"stack_bb": 20},
    "menu": {
        "preflop": {"sizes": ["2.5bb, a", "a"], "raises": 2},
        **{street: {"sizes": ["33%, 75%, a", "a"], "raises": 2} for street in ("flop", "turn", "river")},
    },
    "shape": {"width": 16, "blocks": 2, "embedding": 8},
}


@cache
def config_of(kind: str) -> HoldemNetworkConfig:
    """Return `push` (push or fold) or `streets` (a game of four streets)."""
    return HoldemNetworkConfig.parse({"push": PUSH, "streets": STREETS}[kind])


@cache
def encoder_called(kind: str) -> HoldemEncoder:
    """Return the encoder of a config."""
    return encoder_of(config_of(kind))


def weights(kind: str, seed: int = 0) -> Arrays:
    """Return weights drawn at random, large enough for hands to be played differently."""
    source = np.random.default_rng(seed)
    shapes = expected_shapes(config_of(kind).shape, sum(encoder_called(kind).buckets))
    return {name: source.normal(0.0, 0.6, size).astype(np.float32) for name, size in shapes.items()}


def write_small(path: Path, kind: str = "streets", seed: int = 0) -> Path:
    """Write a network with random weights."""
    return save_network(
        path, config_of(kind), encoder_called(kind), weights(kind, seed), "self-play", {"seed": seed}
    )
