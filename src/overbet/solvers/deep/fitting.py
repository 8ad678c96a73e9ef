"""Training of networks: steps of Adam on targets that are laid out beforehand, many steps at a time.

Rows are information sets (or histories); a step's minibatch is given as, for each row that it holds, a target
and a weight:

    loss = sum over rows and actions of weight * (network(row) - target)^2

Where a game has fewer information sets than a batch has samples the rows are *all* sets, each once: samples
of one set share their inputs, so the sum of their squares differs from one square around their weighted mean
by a constant, and the gradient is that of the batch to the last term. A step then costs what the sets cost,
however large the batch. Otherwise rows are the samples themselves, and say which row of the features they
are.

Python says little per step: on the CPU a forward pass, `autograd.grad` and one fused Adam; on a GPU the step
is captured once as a CUDA graph that counts its own steps, and a chunk of steps is that many replays.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Annotated, Any, Literal, NamedTuple

import numpy as np
import numpy.typing as npt
import pydantic

from overbet.config import Config
from overbet.errors import ArtefactError
from overbet.solvers.deep.networks import Stack
from overbet.solvers.deep.torch_loading import the_torch

if TYPE_CHECKING:
    import torch

CHUNK = 125  # steps laid out at a time
_BETAS, _EPSILON = (0.9, 0.999), 1e-8
_OUT = -1e9  # the logit of an action that is not legal
Kind = Literal["values", "shares"]
Share = Annotated[float, pydantic.Field(ge=0.0, le=1.0)]


class FitConfig(Config):
    """How a network is trained in one iteration.

    fresh: from new random weights every time; otherwise it goes on from where it stands
    last_rate: the learning rate falls in a line to this share of itself
    clip: the largest norm of a network's gradient; 0 for none
    polyak: share of itself that a running mean of the weights keeps at each step; the mean is then what plays
      (0: the newest weights play)
    """

    steps: pydantic.PositiveInt = 750
    batch: pydantic.PositiveInt = 2048
    learning_rate: pydantic.PositiveFloat = 1e-3
    last_rate: Share = 1.0
    fresh: bool = False
    clip: pydantic.NonNegativeFloat = 1.0
    polyak: Annotated[float, pydantic.Field(ge=0.0, lt=1.0)] = 0.0


class Chunk(NamedTuple):
    """Targets of C steps (or of one step that is taken C times: first dimension 1).

    target: [C, S, R, A]; weight: [C, S, R, A], which sums to about 1 over the rows of a network
    rows: [C, S, R] int64, which rows of the features; None where they are all of them in order
    """

    target: torch.Tensor
    weight: torch.Tensor
    rows: torch.Tensor | None = None


Chunks = Callable[[int, int], Chunk]  # (first step, count) -> their targets


class Fitter:
    """Trains a stack of networks of which each row's features are known: [N, inputs] float32.

    legal: [N, A] bool, the actions there are; kind: what the outputs are, values or (after softmax) shares
    """

    def __init__(
        self,
        stack: Stack,
        features: npt.NDArray[np.float32],
        legal: npt.NDArray[np.bool_],
        config: FitConfig,
        kind: Kind = "values",
    ) -> None:
        torch = the_torch()
        self.stack, self.config, self.kind = stack, config, kind
        device = stack.device
        self.features = torch.from_numpy(np.ascontiguousarray(features, np.float32)).to(device)
        self.every_row = self.features.expand(stack.count, *self.features.shape).contiguous()
        self.legal = torch.from_numpy(np.ascontiguousarray(legal)).to(device)
        self.barred = torch.where(self.legal, 0.0, _OUT).to(torch.float32)
        self.first, self.second = torch.zeros_like(stack.flat), torch.zeros_like(stack.flat)  # Adam's moments
        self.taken = torch.zeros((), dtype=torch.float32, device=device)  # steps that Adam has counted
        self.mean = Stack(stack.shape, stack.count, device) if config.polyak else None
        self._graph: _Graph | None = None

    @property
    def player(self) -> Stack:
        """The networks that are asked: the running means where there are any."""
        return self.stack if self.mean is None else self.mean

    def begin(self, keys: list[int]) -> None:
        """Start from new random weights, one key a network."""
        self.stack.reset(keys)
        for tensor in (self.first, self.second, self.taken):
            tensor.zero_()
        if self.mean is not None:
            self.mean.copy_from(self.stack)

    def fit(self, chunks: Chunks, steps: int | None = None) -> None:
        """Take `steps` steps on targets that `chunks` lays out."""
        steps = self.config.steps if steps is None else steps
        rates = np.linspace(1.0, self.config.last_rate, steps, dtype=np.float64) * self.config.learning_rate
        for start in range(0, steps, CHUNK):
            count = min(CHUNK, steps - start)
            chunk = chunks(start, count)
            if self.stack.device.type == "cuda":
                self._graph = self._graph or _Graph(self, chunk)
                self._graph.run(chunk, rates[start : start + count])
                continue
            for step in range(count):
                at = step if len(chunk.target) > 1 else 0
                rows = None if chunk.rows is None else chunk.rows[at]
                self.step(chunk.target[at], chunk.weight[at], rows, float(rates[start + step]))

    def step(self, target: torch.Tensor, weight: torch.Tensor, rows: torch.Tensor | None, rate: Any) -> None:
        """Take one step; rate: a float, or a tensor on the device."""
        torch = the_torch()
        told = self.asked(rows)
        loss = (weight * (told - target).square()).sum()
        found = torch.autograd.grad(loss, self.stack.parameters)
        with torch.no_grad():
            gradient = torch.cat([part.flatten(1) for part in found], 1)
            if self.config.clip:
                norm = gradient.square().sum(1, keepdim=True).sqrt()
                gradient *= (self.config.clip / (norm + 1e-6)).clamp(max=1.0)
            self.taken += 1
            torch._fused_adam_(
                [self.stack.flat],
                [gradient],
                [self.first],
                [self.second],
                [],
                [self.taken],
                lr=rate,
                beta1=_BETAS[0],
                beta2=_BETAS[1],
                weight_decay=0.0,
                eps=_EPSILON,
                amsgrad=False,
                maximize=False,
            )
            if self.mean is not None:
                self.mean.flat.lerp_(self.stack.flat, 1.0 - self.config.polyak)

    def asked(self, rows: torch.Tensor | None = None, stack: Stack | None = None) -> torch.Tensor:
        """Return what networks say: [S, R, A], of all rows or of some: [S, R] int64."""
        torch = the_torch()
        stack = stack or self.stack
        barred = self.barred
        if rows is None:
            told = stack(self.every_row)
        else:
            flat = rows.reshape(-1)
            told = stack(self.features.index_select(0, flat).reshape(*rows.shape, -1))
            barred = barred.index_select(0, flat).reshape(told.shape)
        return torch.softmax(told + barred, dim=-1) if self.kind == "shares" else told

    def table(self) -> npt.NDArray[np.float64]:
        """Return what the networks that play say of every row: [S, N, A] float64, 0 where not legal."""
        torch = the_torch()
        with torch.no_grad():
            told = self.asked(None, self.player) * self.legal
        numbers: npt.NDArray[np.float64] = told.cpu().numpy().astype(np.float64)
        return numbers

    def arrays(self) -> dict[str, npt.NDArray[np.float32]]:
        """Return everything that goes on from here: weights, Adam's moments, running means."""
        found = {
            "weights": self.stack.flat.cpu().numpy().copy(),
            "first": self.first.cpu().numpy().copy(),
            "second": self.second.cpu().numpy().copy(),
            "taken": self.taken.reshape(1).cpu().numpy().copy(),
        }
        if self.mean is not None:
            found["mean"] = self.mean.flat.cpu().numpy().copy()
        return found

    def load(self, arrays: dict[str, npt.NDArray[Any]]) -> None:
        """Take what `arrays` gave."""
        torch = the_torch()
        into = {"weights": self.stack.flat, "first": self.first, "second": self.second}
        if self.mean is not None:
            into["mean"] = self.mean.flat
        for name, tensor in into.items():
            numbers = np.ascontiguousarray(arrays[name], np.float32)
            if numbers.shape != tuple(tensor.shape):
                raise ArtefactError(
                    f"the network's {name} are {list(numbers.shape)}, not {list(tensor.shape)}"
                )
            tensor.copy_(torch.from_numpy(numbers))
        self.taken.fill_(float(arrays["taken"][0]))


class _Graph:
    """One step as a CUDA graph: it reads the targets of the step that a counter on the device names."""

    def __init__(self, fitter: Fitter, like: Chunk) -> None:
        torch = the_torch()
        device = fitter.stack.device

        def room(tensor: Any) -> Any:
            return torch.zeros((CHUNK, *tensor.shape[1:]), dtype=tensor.dtype, device=device)

        self.target, self.weight = room(like.target), room(like.weight)
        self.rows = None if like.rows is None else room(like.rows)
        self.rates = torch.zeros(CHUNK, device=device)
        self.at = torch.zeros(1, dtype=torch.int64, device=device)  # which targets
        self.count = torch.zeros(1, dtype=torch.int64, device=device)  # which rate
        self.ahead = torch.ones(1, dtype=torch.int64, device=device)

        def step() -> None:
            rows = None if self.rows is None else self.rows.index_select(0, self.at)[0]
            fitter.step(
                self.target.index_select(0, self.at)[0],
                self.weight.index_select(0, self.at)[0],
                rows,
                self.rates.index_select(0, self.count).reshape(()),
            )
            self.at += self.ahead
            self.count += 1

        kept = fitter.arrays()
        aside = torch.cuda.Stream()  # PyTorch wants a few steps taken before it records one
        aside.wait_stream(torch.cuda.current_stream())
        with torch.cuda.stream(aside):
            for _ in range(3):
                step()
        torch.cuda.current_stream().wait_stream(aside)
        self.graph = torch.cuda.CUDAGraph()
        with torch.cuda.graph(self.graph):
            step()
        fitter.load(kept)

    def run(self, chunk: Chunk, rates: npt.NDArray[np.float64]) -> None:
        torch = the_torch()
        shared = len(chunk.target) == 1
        self.target[: len(chunk.target)].copy_(chunk.target)
        self.weight[: len(chunk.weight)].copy_(chunk.weight)
        if self.rows is not None and chunk.rows is not None:
            self.rows[: len(chunk.rows)].copy_(chunk.rows)
        self.rates[: len(rates)].copy_(torch.from_numpy(rates.astype(np.float32)))
        self.at.zero_()
        self.count.zero_()
        self.ahead.fill_(0 if shared else 1)
        for _ in range(len(rates)):
            self.graph.replay()
