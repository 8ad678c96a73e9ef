"""The networks: small multilayer perceptrons, several of one shape side by side.

    h1 = relu(x W1 + b1)
    hk = relu(h(k-1) Wk + bk) + h(k-1)     with `skip`
    y  = norm(h) V + c                     norm: mean 0 and variance 1 over the units, with `norm`

A `Stack` is S such networks, one a seed: each weight has a first dimension of S, and one batched matrix
product does the work of S networks. They share nothing: what each of them learns is what it would learn
alone, up to the rounding of sums. On a GPU five seeds cost what one costs.

Initial weights are drawn on the CPU from a key a network, so that they are the same on every device.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import numpy.typing as npt
import pydantic

from overbet.config import Config
from overbet.errors import ArtefactError
from overbet.solvers.deep.torch_loading import the_torch

if TYPE_CHECKING:
    import torch

Arrays = dict[str, npt.NDArray[np.float32]]


class NetworkConfig(Config):
    """The shape of a network between its inputs and outputs."""

    layers: pydantic.PositiveInt = 3
    width: pydantic.PositiveInt = 64
    skip: bool = True
    norm: bool = True


class NetworkShape(NamedTuple):
    """A network: how many numbers go in and come out, and what is between."""

    inputs: int
    outputs: int
    layers: int
    width: int
    skip: bool
    norm: bool

    @classmethod
    def of(cls, inputs: int, outputs: int, config: NetworkConfig) -> NetworkShape:
        """Return the shape that a config gives a network."""
        return cls(inputs, outputs, config.layers, config.width, config.skip, config.norm)

    def sizes(self) -> list[tuple[int, int]]:
        """Return (inputs, outputs) of each layer, the last one being the head."""
        widths = [self.inputs, *[self.width] * self.layers, self.outputs]
        return list(pairwise(widths))

    def names(self) -> list[str]:
        """Return the names of the arrays of a network: weight0, bias0, weight1, ..."""
        return [f"{kind}{layer}" for layer in range(self.layers + 1) for kind in ("weight", "bias")]

    def expected(self) -> dict[str, tuple[int, ...]]:
        """Return the shape of each array of one network: weights [in, out], biases [out]."""
        found: dict[str, tuple[int, ...]] = {}
        for layer, (inputs, outputs) in enumerate(self.sizes()):
            found[f"weight{layer}"], found[f"bias{layer}"] = (inputs, outputs), (outputs,)
        return found

    def parameters(self) -> int:
        """Return how many numbers a network has."""
        return sum((inputs + 1) * outputs for inputs, outputs in self.sizes())


class Stack:
    """S networks of one shape on a device.

    flat: [S, P] float32, all weights of a network in one row
    parameters: weights [S, in, out] and biases [S, 1, out] by `NetworkShape.names`, parts of `flat`
    """

    def __init__(self, shape: NetworkShape, count: int, device: Any = "cpu") -> None:
        torch = the_torch()
        self.shape, self.count, self.device = shape, count, torch.device(device)
        self.flat = torch.zeros((count, shape.parameters()), dtype=torch.float32, device=self.device)
        self.parameters: list[Any] = []
        start = 0
        for inputs, outputs in shape.sizes():
            for rows in (inputs, 1):
                part = self.flat[:, start : start + rows * outputs].view(count, rows, outputs)
                self.parameters.append(part.detach().requires_grad_(True))
                start += rows * outputs

    def reset(self, keys: Sequence[int]) -> None:
        """Draw all weights anew, one key a network (uniform within 1 / sqrt(inputs), as PyTorch does)."""
        torch = the_torch()
        drawn = []
        for key in keys:
            source = torch.Generator().manual_seed(key)
            numbers = []
            for layer, (inputs, outputs) in enumerate(self.shape.sizes()):
                bound = inputs**-0.5
                for rows in (inputs, 1):
                    part = torch.rand((rows, outputs), generator=source) * (2.0 * bound) - bound
                    # an untrained network says 0, which is played as the uniform strategy
                    numbers.append(part * 0.0 if layer == self.shape.layers else part)
            drawn.append(numbers)
        with torch.no_grad():
            for place, parameter in enumerate(self.parameters):
                parameter.copy_(torch.stack([numbers[place] for numbers in drawn]))

    def __call__(self, rows: torch.Tensor) -> torch.Tensor:
        """Return [S, B, outputs] for rows [S, B, inputs]."""
        torch = the_torch()
        shape, hidden = self.shape, rows
        for layer in range(shape.layers):
            weight, bias = self.parameters[2 * layer : 2 * layer + 2]
            found = torch.relu(torch.baddbmm(bias, hidden, weight))
            hidden = found + hidden if shape.skip and layer else found
        if shape.norm:
            hidden = torch.nn.functional.layer_norm(hidden, (shape.width,))
        weight, bias = self.parameters[-2:]
        return torch.baddbmm(bias, hidden, weight)

    def copy_from(self, other: Stack) -> None:
        """Take the weights of networks of the same shape."""
        torch = the_torch()
        with torch.no_grad():
            self.flat.copy_(other.flat)

    def arrays(self) -> Arrays:
        """Return all weights: weights [S, in, out], biases [S, out] float32."""
        found = {}
        for name, parameter in zip(self.shape.names(), self.parameters):
            numbers = parameter.detach().cpu().numpy()
            found[name] = (numbers[:, 0] if name.startswith("bias") else numbers).copy()
        return found

    def load(self, arrays: Mapping[str, npt.NDArray[Any]]) -> None:
        """Take weights as `arrays` gives them."""
        torch = the_torch()
        wanted = self.shape.expected()
        with torch.no_grad():
            for name, parameter in zip(self.shape.names(), self.parameters):
                numbers = np.asarray(arrays[name], np.float32)
                if numbers.shape != (self.count, *wanted[name]):
                    raise ArtefactError(f"the network's {name} is {list(numbers.shape)}, not of its shape")
                parameter.copy_(torch.from_numpy(np.ascontiguousarray(numbers)).reshape(parameter.shape))


def told_by(
    arrays: Mapping[str, npt.NDArray[Any]], shape: NetworkShape, rows: npt.NDArray[Any]
) -> npt.NDArray[Any]:
    """Return what one network says, in plain numpy: [B, outputs] for rows [B, inputs].

    arrays: as `NetworkShape.expected`. For those who only ask a trained network and do not want PyTorch.
    """
    hidden = np.asarray(rows, np.float32)
    for layer in range(shape.layers):
        found = np.maximum(hidden @ arrays[f"weight{layer}"] + arrays[f"bias{layer}"], 0.0)
        hidden = found + hidden if shape.skip and layer else found
    if shape.norm:
        centred = hidden - hidden.mean(axis=1, keepdims=True)
        hidden = centred / np.sqrt((centred**2).mean(axis=1, keepdims=True) + 1e-5)
    told: npt.NDArray[Any] = hidden @ arrays[f"weight{shape.layers}"] + arrays[f"bias{shape.layers}"]
    return told
