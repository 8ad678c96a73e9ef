"""Policy networks of a flat game: from a trainer to a file, and from a file to a policy of the whole game."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from overbet.errors import ArtefactError, ConfigError
from overbet.games.protocol import Game
from overbet.solvers.deep.encoders import encoded_sets, encoder_of
from overbet.solvers.deep.network_file import NO_NETWORK, NetworkFile
from overbet.solvers.policy import TabularPolicy
from overbet.solvers.policy_io import game_digest, game_of
from overbet.tree.flat import FlatGame, flatten

if TYPE_CHECKING:
    from overbet.solvers.deep.trainer import DeepTrainer


def policy_networks(trainer: DeepTrainer, place: int = 0) -> NetworkFile:
    """Return the networks that learned the average strategy of one seed, trained as far as the run is."""
    if not trainer.learned:
        raise ConfigError(NO_NETWORK)
    trainer.average_strategies()
    stacks = [learned.fitter.player for learned in trainer.learned]
    return NetworkFile(
        game=trainer.flat.name,
        game_digest=game_digest(trainer.flat),
        encoder=trainer.encoder.name,
        says="shares",
        shapes=tuple(stack.shape for stack in stacks),
        networks=tuple({k: a[place] for k, a in stack.arrays().items()} for stack in stacks),
        origin={"solver": trainer.config.algorithm, "iterations": trainer.iterations},
    )


def network_policy(path: str | Path, game: Game | FlatGame | None = None) -> TabularPolicy:
    """Return what the networks of a file play at every information set of their game."""
    flat = game if isinstance(game, FlatGame) or game is None else flatten(game)
    networks = NetworkFile.load(path, game=None if flat is None else flat.name)
    flat = game_of(path, networks.game, networks.game_digest, flat)
    encoder = encoder_of(flat, None if isinstance(game, FlatGame) else game)
    players = flat.num_players
    fits = len(networks.shapes) == players and networks.says == "shares"
    if not fits or networks.encoder != encoder.name:
        raise ArtefactError(f"{path} has no policy networks of {flat.name}: one a player that says shares")
    counts = np.diff(flat.tree.infoset_offset)
    legal = np.arange(int(counts.max())) < counts[:, None]
    rows, probabilities = encoded_sets(flat, encoder), np.zeros(flat.num_slots)
    for player, shape in enumerate(networks.shapes):
        if (shape.inputs, shape.outputs) != (encoder.size, legal.shape[1]):
            raise ArtefactError(f"{path} has networks of another size than {flat.name} asks for")
        first, last = flat.tree.player_infosets[player : player + 2].tolist()
        shares = networks.shares(player, rows[first:last], legal[first:last])
        slots = slice(int(flat.tree.infoset_offset[first]), int(flat.tree.infoset_offset[last]))
        probabilities[slots] = shares[legal[first:last]]
    return TabularPolicy.from_weights(flat, probabilities, {"solver": "deep networks"})
