"""The weights of a network in a file of ours: half floats, with what they were trained on in the head."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from overbet import artefact
from overbet.artefact import Kind
from overbet.interfaces.vision.networks.layers import CARD_STEPS, TEXT_STEPS, Floats, LayerStep

_SHIPPED = Path(__file__).parents[1] / "shipped"
MOST_BYTES = 2 << 20
CARDS = Kind("card network", 1, "train it again with overbet vision train cards")
TEXT = Kind("text network", 1, "train it again with overbet vision train text")
NETWORKS: dict[str, tuple[Kind, tuple[LayerStep, ...], int]] = {
    "cards": (CARDS, CARD_STEPS, 3),
    "text": (TEXT, TEXT_STEPS, 1),
}
Weights = Mapping[str, Floats]


def shapes(steps: Sequence[LayerStep], channels: int, rows: int, columns: int) -> dict[str, tuple[int, ...]]:
    """Return the name and shape of every array of weights."""
    found: dict[str, tuple[int, ...]] = {}
    size = channels
    for number, step in enumerate(steps):
        if step.what == "conv":
            found[f"w{number}"] = (step.rows, step.columns, size, step.size)
        elif step.what == "pool":
            rows, columns = rows // step.rows, columns // step.columns
        elif step.what == "flat":
            size *= rows * columns
        else:
            found[f"w{number}"] = (size, step.size)
        if step.size:
            found[f"b{number}"] = (step.size,)
            size = step.size
    return found


def _shapes_of(name: str) -> dict[str, tuple[int, ...]]:
    _, steps, channels = NETWORKS[name]
    return shapes(steps, channels, 56 if name == "cards" else 24, 40 if name == "cards" else 24)


def save(
    name: str, path: str | Path, weights: Mapping[str, npt.NDArray[Any]], head: Mapping[str, Any]
) -> None:
    """Write the weights of the network `cards` or `text`."""
    arrays = {key: np.asarray(weights[key], np.float16) for key in _shapes_of(name)}
    artefact.write(path, NETWORKS[name][0], head, arrays, level=9)


@cache
def load(name: str, path: Path | None = None) -> Weights:
    """Return the weights of a network, the shipped ones unless a file is given."""
    file = path or _SHIPPED / f"{name}.h5"
    kind = NETWORKS[name][0]
    with artefact.opened(file, kind) as found:
        weights: dict[str, Floats] = {}
        for key, shape in _shapes_of(name).items():
            array = np.asarray(found.array(key, np.float16, shape), np.float32)
            if not np.isfinite(array).all():
                raise found.damaged("weights that are no numbers")
            weights[key] = array
    return weights
