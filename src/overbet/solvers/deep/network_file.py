"""Trained networks as a file: a network a player, tied to their game, read without PyTorch.

    networks = NetworkFile.load("leduc.h5", game="leduc")
    networks.told(0, rows)          # [n, actions]: shares, or whatever `says` promises

Head: game, game_digest, encoder (which rows of numbers they take), says (`shares`: probabilities after
softmax over the legal actions; `values`: numbers as they are), shapes (one a network), origin (how they came
about, never interpreted). Arrays: `0/weight0` [in, out] float32, `0/bias0` [out], and so on, network by
network.

Whoever writes networks of a game that is no flat one gives the digest of whatever makes two of its games the
same.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Self

import numpy as np
import numpy.typing as npt

from overbet import artefact
from overbet._version import __version__
from overbet.errors import ArtefactError, ConfigError, quoted
from overbet.solvers.deep.networks import Arrays, NetworkShape, told_by

KIND = artefact.Kind("deep network", 1, "train it again, or restore the file")
SUFFIX = ".h5"
NO_NETWORK = (
    "this run keeps its average exactly and trains no policy network: use average: network, or save "
    "the policy itself"
)
SAYS = ("shares", "values")
_MOST_LAYERS, _MOST_WIDTH, _MOST_NETWORKS = 64, 65_536, 16
_MOST_BYTES = 1 << 30


@dataclass(frozen=True, eq=False)
class NetworkFile:
    """Networks, one a player (or one for all), and what they are networks of."""

    game: str
    game_digest: str
    encoder: str
    says: str
    shapes: tuple[NetworkShape, ...]
    networks: tuple[Arrays, ...]
    origin: Mapping[str, Any] = field(default_factory=dict)

    def told(self, network: int, rows: npt.NDArray[Any]) -> npt.NDArray[np.float32]:
        """Return what a network says of rows [n, inputs]: [n, outputs] float32, before any softmax."""
        said: npt.NDArray[np.float32] = told_by(self.networks[network], self.shapes[network], rows)
        return said

    def shares(
        self, network: int, rows: npt.NDArray[Any], legal: npt.NDArray[np.bool_]
    ) -> npt.NDArray[np.float64]:
        """Return probabilities over the legal actions: [n, outputs] float64; legal: [n, outputs] bool."""
        said = np.where(legal, self.told(network, rows).astype(np.float64), -np.inf)
        grown = np.exp(said - said.max(axis=1, keepdims=True))
        return np.asarray(grown / grown.sum(axis=1, keepdims=True))

    def save(self, path: str | Path) -> None:
        """Write the file, atomically."""
        if Path(path).suffix.lower() != SUFFIX:
            raise ConfigError(f"a file of networks ends in {SUFFIX}, and {quoted(str(path))} does not")
        head = {
            "overbet": __version__,
            "game": self.game,
            "game_digest": self.game_digest,
            "encoder": self.encoder,
            "says": self.says,
            "shapes": [list(shape) for shape in self.shapes],
            "origin": dict(self.origin),
        }
        arrays = {
            f"{n}/{name}": array for n, network in enumerate(self.networks) for name, array in network.items()
        }
        artefact.write(path, KIND, head, arrays, level=0)

    @classmethod
    def load(cls, path: str | Path, game: str | None = None, digest: str | None = None) -> Self:
        """Read a file; `game` and `digest`: what it has to be of, else it is refused with one line."""
        with artefact.opened(path, KIND) as file, file.parsing():
            head = file.head
            name, found_digest, encoder, says = (
                _text(head[key]) for key in ("game", "game_digest", "encoder", "says")
            )
            if game is not None and name != game:
                raise ArtefactError(f"{path} has networks of the game {quoted(name)}, not of {quoted(game)}")
            if digest is not None and found_digest != digest:
                raise ArtefactError(
                    f"{path} was trained with other rules of {quoted(name)} than these; train it again"
                )
            if says not in SAYS or not 1 <= len(head["shapes"]) <= _MOST_NETWORKS:
                raise file.damaged("it does not say what its networks are")
            shapes = tuple(_shape(numbers) for numbers in head["shapes"])
            if file.nbytes > _MOST_BYTES or sum(4 * s.parameters() for s in shapes) != file.nbytes:
                raise file.damaged("its networks are not of the size it promises")
            networks = tuple(
                {key: file.array(f"{n}/{key}", np.float32, size) for key, size in shape.expected().items()}
                for n, shape in enumerate(shapes)
            )
            if not all(np.isfinite(array).all() for network in networks for array in network.values()):
                raise file.damaged("its networks have weights that are no numbers")
            origin = head.get("origin", {})
            return cls(
                name,
                found_digest,
                encoder,
                says,
                shapes,
                networks,
                origin if isinstance(origin, dict) else {},
            )


def _text(value: object) -> str:
    if not isinstance(value, str):
        raise ValueError("a name is missing")
    return value


def _shape(numbers: Any) -> NetworkShape:
    shape = NetworkShape(*numbers)
    sizes = (shape.inputs, shape.outputs, shape.layers, shape.width)
    if not all(isinstance(n, int) and not isinstance(n, bool) and n >= 1 for n in sizes):
        raise ValueError("the size of a network is missing")
    if shape.layers > _MOST_LAYERS or max(sizes) > _MOST_WIDTH:
        raise ValueError("a network is too large")
    if not isinstance(shape.skip, bool) or not isinstance(shape.norm, bool):
        raise ValueError("the form of a network is missing")
    return shape
