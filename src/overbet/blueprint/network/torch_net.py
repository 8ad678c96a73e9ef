"""The same network in PyTorch, for training: forward as `overbet.blueprint.network.net` says it, and
gradients.

Rows of a batch are given by their parts: what betting makes of each (`of_betting`), what cards make
(`of_hands`), and the trunk takes their sum. In a sweep over a whole tree the two are worked out once for each
decision and each hand, and added pair by pair.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from overbet.blueprint.network.adam import Tensor
from overbet.blueprint.network.config import NetShapeConfig
from overbet.blueprint.network.encoder import HoldemEncoder
from overbet.blueprint.network.net import GROUPS, Arrays, expected_shapes
from overbet.kernels.network.cards import NO_CARD
from overbet.solvers.deep.torch_loading import the_torch


class HandTensors(NamedTuple):
    """Hands: card [..., 7], bucket [...] over all streets, strength [..., 3], street [...]."""

    card: Tensor
    bucket: Tensor
    strength: Tensor
    street: Tensor


class TorchNet:
    """A network on a device. parameters: by name, as `net.expected_shapes`."""

    def __init__(
        self, encoder: HoldemEncoder, shape: NetShapeConfig, device: Any = "cpu", seed: int = 0
    ) -> None:
        torch = the_torch()
        self.shape, self.device = shape, torch.device(device)
        self.first_bucket = torch.tensor(
            np.concatenate([[0], np.cumsum(encoder.buckets)])[:4], device=self.device
        )
        self.groups = torch.tensor(GROUPS, device=self.device)
        self.parameters: dict[str, Tensor] = {}
        source = torch.Generator().manual_seed(seed)
        for name, size in expected_shapes(shape, sum(encoder.buckets)).items():
            scale = _scale_of(name, shape)
            made = torch.randn(size, generator=source) * scale
            self.parameters[name] = made.to(self.device).requires_grad_(True)

    def of_betting(self, rows: Tensor) -> Tensor:
        """Return what betting makes of the first layer: [n, H] for rows [n, 92]."""
        given = self.parameters
        found: Tensor = rows @ given["betting"] + given["betting_bias"]
        return found

    def of_hands(self, hands: HandTensors) -> Tensor:
        """Return what cards make of the first layer: [..., H]."""
        torch = the_torch()
        given = self.parameters
        deck = torch.arange(NO_CARD, device=self.device)
        table = given["card"] + given["rank"][:, deck // 4] + given["suit"][:, deck % 4]
        none = torch.zeros_like(table[:, :1])
        flat = torch.cat([table, none], 1).reshape(-1, self.shape.embedding)
        places = hands.card + self.groups * (NO_CARD + 1)
        embedded = torch.nn.functional.embedding(places, flat).sum(-2)
        embedded = embedded + torch.nn.functional.embedding(hands.bucket, given["bucket"])
        # a column a street and strength: a product instead of a gather, whose gradient would be slow on a GPU
        street = torch.nn.functional.one_hot(hands.street, 4).to(hands.strength.dtype)
        strength = (street.unsqueeze(-1) * hands.strength.unsqueeze(-2)).flatten(-2)
        strong = strength @ given["strength"].reshape(-1, self.shape.width)
        found: Tensor = embedded @ given["projection"] + strong
        return found

    def trunk(self, first: Tensor) -> Tensor:
        """Return what the network says for sums of the two parts: [..., 6]."""
        torch = the_torch()
        given = self.parameters
        hidden = torch.relu(first)
        for block in range(self.shape.blocks):
            weight, bias = given["weight"][block].to(first.dtype), given["bias"][block].to(first.dtype)
            hidden = hidden + torch.relu(torch.nn.functional.linear(hidden, weight.t(), bias))
        hidden = torch.nn.functional.layer_norm(hidden, (self.shape.width,))
        told: Tensor = torch.nn.functional.linear(
            hidden, given["answer"].to(first.dtype).t(), given["answer_bias"].to(first.dtype)
        )
        return told

    def arrays(self) -> dict[str, npt.NDArray[np.float32]]:
        """Return all weights."""
        return {
            name: given.detach().cpu().numpy().astype(np.float32).copy()
            for name, given in self.parameters.items()
        }

    def load(self, arrays: Arrays) -> None:
        """Take weights as `arrays` gives them."""
        torch = the_torch()
        with torch.no_grad():
            for name, given in self.parameters.items():
                given.copy_(torch.from_numpy(np.asarray(arrays[name], np.float32)))


def _scale_of(name: str, shape: NetShapeConfig) -> float:
    """Return how wide initial weights spread; the last layer is 0: every action is as good as another."""
    if name in ("answer", "answer_bias", "betting_bias", "bias"):
        return 0.0
    if name == "weight":
        return float((2.0 / shape.width) ** 0.5 * 0.5)
    scales = {"betting": 0.3, "strength": 1.0, "projection": float(shape.embedding**-0.5)}
    return scales.get(name, 0.4)


def street_hands(rows: Any, street: int, first_bucket: Any, device: Any) -> HandTensors:
    """Return rows of hands on one street as tensors; hands that cannot be held get any bucket."""
    torch = the_torch()
    bucket = torch.as_tensor(np.maximum(rows.bucket, 0), dtype=torch.int64, device=device)
    return HandTensors(
        torch.as_tensor(rows.card, dtype=torch.int64, device=device),
        bucket + first_bucket[street],
        torch.as_tensor(rows.strength, dtype=torch.float32, device=device),
        torch.full(bucket.shape, street, dtype=torch.int64, device=device),
    )
