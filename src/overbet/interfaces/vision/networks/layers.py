"""A small convolutional network in numpy: what reading needs, without any library for learning.

A network is a list of steps; `conv` and `dense` carry weights. Pictures are [picture, row, column, channel]
float32. A convolution is one product of matrices over all its windows, so it runs at the speed of the BLAS.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float32]


class LayerStep(NamedTuple):
    """One layer. conv: `rows` x `columns` windows to `size` channels, then ReLU; pool: the most of `rows` x
    `columns`; flat: everything of a picture in one row; dense: to `size` numbers, `relu` or not.
    """

    what: str
    size: int = 0
    rows: int = 1
    columns: int = 1
    relu: bool = True


CARD_SIZE = (56, 40)  # rows, columns
CARD_STEPS = (
    LayerStep("conv", 24, 3, 3),
    LayerStep("pool", 0, 2, 2),
    LayerStep("conv", 48, 3, 3),
    LayerStep("pool", 0, 2, 2),
    LayerStep("conv", 64, 3, 3),
    LayerStep("pool", 0, 2, 2),
    LayerStep("conv", 64, 3, 3),
    LayerStep("flat"),
    LayerStep("dense", 96),
    LayerStep("dense", 20, relu=False),  # 3 kinds, 13 ranks, 4 suits
)
KINDS = ("face", "back", "none")
TEXT_ROWS, MOST_COLUMNS = 24, 256
LETTERS = "0123456789.,'€$£abcdefghijklmnopqrstuvwxyz:-"  # class 0 is the blank between letters
TEXT_STEPS = (
    LayerStep("conv", 16, 3, 3),
    LayerStep("pool", 0, 2, 2),
    LayerStep("conv", 32, 3, 3),
    LayerStep("pool", 0, 2, 1),
    LayerStep("conv", 48, 3, 3),
    LayerStep("pool", 0, 2, 1),
    LayerStep("conv", 64, 3, 3),
    LayerStep("pool", 0, 3, 1),
    LayerStep("conv", 80, 1, 5),
    LayerStep("dense", len(LETTERS) + 1, relu=False),
)


def run(steps: Sequence[LayerStep], weights: Mapping[str, npt.NDArray[Any]], pictures: Floats) -> Floats:
    """Return what a network says of pictures: [picture, row, column, channel], or [picture, number] if
    flat."""
    held = np.ascontiguousarray(pictures, np.float32)
    for number, step in enumerate(steps):
        if step.what == "conv":
            held = _conv(held, weights[f"w{number}"], weights[f"b{number}"], step)
        elif step.what == "pool":
            held = _pool(held, step.rows, step.columns)
        elif step.what == "flat":
            held = held.reshape(len(held), -1)
        else:
            held = held @ weights[f"w{number}"] + weights[f"b{number}"]
            if step.relu:
                np.maximum(held, 0, out=held)
    return held


def _conv(held: Floats, weights: Floats, bias: Floats, step: LayerStep) -> Floats:
    """weights: [row of the window, column, channel, new channel]."""
    up, left = step.rows // 2, step.columns // 2
    count, rows, columns, channels = held.shape
    padded = np.pad(held, ((0, 0), (up, up), (left, left), (0, 0)))
    windows = np.lib.stride_tricks.sliding_window_view(padded, (step.rows, step.columns), axis=(1, 2))
    flat = windows.transpose(0, 1, 2, 4, 5, 3).reshape(-1, step.rows * step.columns * channels)
    found = flat @ weights.reshape(-1, step.size)
    found += bias
    np.maximum(found, 0, out=found)
    return found.reshape(count, rows, columns, step.size)


def _pool(held: Floats, rows: int, columns: int) -> Floats:
    count, tall, wide, channels = held.shape
    held = held[:, : tall // rows * rows, : wide // columns * columns]
    most: Floats = held.reshape(count, tall // rows, rows, wide // columns, columns, channels).max(
        axis=(2, 4)
    )
    return most


def softmax(scores: Floats) -> Floats:
    """Return shares that add up to one along the last axis."""
    raised = np.exp(scores - scores.max(axis=-1, keepdims=True))
    shares: Floats = raised / raised.sum(axis=-1, keepdims=True)
    return shares
