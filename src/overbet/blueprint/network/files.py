"""A network as a file: its weights as they are, and how it came about.

The tree is not stored: it grows again from the config, and its hash is compared, as is that of the buckets.

Head: overbet, what (`distilled` or `self-play`), config, game and cards (hashes), manifest. Arrays: those of
`overbet.blueprint.network.net`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from overbet import artefact
from overbet._version import __version__
from overbet.blueprint.cards import load_cards
from overbet.blueprint.network.config import HoldemNetworkConfig
from overbet.blueprint.network.encoder import HoldemEncoder
from overbet.blueprint.network.net import HoldemNet, expected_shapes
from overbet.errors import ArtefactError, ConfigError
from overbet.tree.holdem import build_tree

KIND = artefact.Kind("network", 1, "make it again with overbet distill or overbet self-play")
SUFFIX = ".h5"
_LEVEL = 9
_MOST_NODES = 3_000_000  # of the tree of a file: what a stranger's file may make grow
_SHIPPED = Path(__file__).parent / "shipped"


@dataclass(frozen=True, eq=False)
class HoldemNetFile:
    """A network that was read: how it was made, and the network."""

    config: HoldemNetworkConfig
    what: str
    manifest: dict[str, Any]
    net: HoldemNet


def encoder_of(config: HoldemNetworkConfig) -> HoldemEncoder:
    """Return the encoder of a config's tree and buckets."""
    tree = build_tree(config.game.game(), config.menu, _MOST_NODES)
    return HoldemEncoder(tree, load_cards(config.cards, training=False))


def save_network(
    path: str | Path,
    config: HoldemNetworkConfig,
    encoder: HoldemEncoder,
    arrays: Mapping[str, npt.NDArray[Any]],
    what: str,
    manifest: Mapping[str, Any],
) -> Path:
    """Write a network, atomically; return where."""
    target = check_name(path)
    head = {
        "overbet": __version__,
        "what": what,
        "config": config.model_dump(mode="json"),
        "game": encoder.tree.digest,
        "cards": encoder.cards.digest,
        "manifest": dict(manifest),
    }
    kept = {name: np.asarray(array, np.float32) for name, array in arrays.items()}
    artefact.write(target, KIND, head, kept, level=_LEVEL)
    return target


def check_name(path: str | Path) -> Path:
    """Refuse a name that is not one of a network's file."""
    target = Path(path)
    if target.suffix != SUFFIX:
        raise ConfigError(f"a network's name ends in {SUFFIX}, and {str(path)!r} does not")
    return target


def shipped_networks() -> list[str]:
    """Return the names of the networks that come with the package."""
    return sorted(path.stem for path in _SHIPPED.glob(f"*{SUFFIX}"))


def find_network(which: str) -> Path:
    """Return the file of a shipped network's name or of a path."""
    shipped = _SHIPPED / f"{which}{SUFFIX}"
    if which in shipped_networks():
        return shipped
    path = Path(which)
    if not path.is_file():
        names = ", ".join(f"deep:{name}" for name in shipped_networks()) or "none"
        raise ArtefactError(
            f"there is no network {which!r}; give a file of overbet self-play or overbet distill, or one "
            f"that comes with the package: {names}"
        )
    return path


def load_network(path: str | Path) -> HoldemNetFile:
    """Read a network; a file that is damaged, or of another game, is refused with one line."""
    with artefact.opened(path, KIND) as file:
        with file.parsing():
            head = file.head
            what, manifest = str(head["what"]), dict(head["manifest"])
            game, cards = str(head["game"]), str(head["cards"])
            given = dict(head["config"])
        config = HoldemNetworkConfig.parse(given, str(path))
        if config.game.players != 2:
            raise ArtefactError(f"{path} is of a game of {config.game.players}; a network plays heads up")
        encoder = encoder_of(config)
        if encoder.tree.digest != game:
            raise ArtefactError(
                f"{path} was trained on another tree: its hash is {game}, this program grows "
                f"{encoder.tree.digest}"
            )
        if encoder.cards.digest != cards:
            raise ArtefactError(
                f"{path} was trained with other buckets: its hash is {cards}, these have "
                f"{encoder.cards.digest}"
            )
        wanted = expected_shapes(config.shape, sum(encoder.buckets))
        arrays = {name: file.array(name, np.float32, shape) for name, shape in wanted.items()}
    return HoldemNetFile(config, what, manifest, HoldemNet(encoder, config.shape, arrays, str(path)))
