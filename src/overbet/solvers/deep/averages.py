"""The average strategy, which is what a run is for: kept networks, or a network that learns it.

`Kept` is what playing with all regret networks of the run comes to (Single Deep CFR, Steinberger 2019):
before each game one iteration is drawn, by the rule's weights, and its networks play it. On a flat game every
network is asked about every set anyway, so the strategy that this mixture plays is summed up as the run goes,
by the owner's own reach: exactly, and without keeping weights.

`LearnedAverage` trains a network of each player on samples of the strategies of all iterations (Deep CFR,
Brown et al. 2019). That is what is left to do where sets cannot be listed, and what fits into a file that
plays.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from overbet.kernels.deep.samples import add_to_average
from overbet.solvers.deep.config import DeepConfig
from overbet.solvers.deep.fitting import CHUNK, Chunk, Fitter
from overbet.solvers.deep.memory import SampleMemory, Seen, draw_key
from overbet.solvers.deep.networks import NetworkShape, Stack
from overbet.solvers.deep.regrets import iteration_weights
from overbet.tree.flat import FlatGame

if TYPE_CHECKING:
    from pathlib import Path

    import torch

Floats = npt.NDArray[np.float64]
_STREAM = 9_200_001  # of random numbers; + 16 a player


class Kept:
    """The exact average of S seeds. sums: [S, slot] float64"""

    def __init__(self, flat: FlatGame, config: DeepConfig) -> None:
        self.flat, self.config = flat, config
        self.sums = np.zeros((len(config.seeds), flat.num_slots))
        self._reach = np.empty(flat.num_slots)

    def add(self, strategies: Floats, iteration: int) -> None:
        """Add the strategies of an iteration: [S, slot] float64."""
        step = self.config.rule.at(iteration)
        for sums, strategy in zip(self.sums, strategies):
            add_to_average(
                self.flat.tree, strategy, sums, self._reach, step.average_discount, step.average_weight
            )

    def strategies(self) -> Floats:
        """Return the average strategies: [S, slot] float64."""
        return np.stack([self.flat.normalise(sums) for sums in self.sums])


class LearnedAverage:
    """One player's policy networks, S seeds side by side; features and legal as `Regrets` takes them."""

    def __init__(
        self,
        player: int,
        features: npt.NDArray[np.float32],
        legal: npt.NDArray[np.bool_],
        config: DeepConfig,
        device: torch.device,
        mapped: Path | None = None,
    ) -> None:
        self.config, self.legal, self.stream = config, legal, _STREAM + 16 * player
        count, (sets, widest) = len(config.seeds), legal.shape
        stack = Stack(NetworkShape.of(features.shape[1], widest, config.network), count, device)
        self.fitter = Fitter(stack, features, legal, config.policy, "shares")
        self.fitter.begin(self._keys(0))
        keys = [draw_key(seed, 0, self.stream + 1) for seed in config.seeds]
        self.memory = SampleMemory(keys, config.memory.strategies, widest, sets, device, mapped)

    def add(self, seed: int, seen: Seen, iteration: int) -> None:
        """Take an iteration's samples; seen.row: the player's sets, from 0; numbers: the strategy there."""
        self.memory.add(seed, seen, iteration)

    def learn(self, iteration: int, steps: int | None = None) -> npt.NDArray[np.float64]:
        """Train on all samples and return what the networks play: [S, N, A] float64."""
        config, fitter, memory = self.config, self.fitter, self.memory
        if config.policy.fresh:
            fitter.begin(self._keys(iteration))
        weights = iteration_weights(config, iteration, "average", memory.device)
        whole: Chunk | None = None

        def chunks(start: int, count: int) -> Chunk:
            nonlocal whole
            if config.batches == "pooled":
                whole = whole or memory.pooled(weights)
                return whole
            number = iteration * 1000 + start // CHUNK
            draws = tuple(draw_key(seed, number, self.stream + 2) for seed in config.seeds)
            if memory.rows <= config.policy.batch:
                return memory.by_set(weights, config.policy.batch, count, draws)
            return memory.by_sample(weights, fitter.legal, config.policy.batch, count, draws)

        fitter.fit(chunks, steps)
        shares = fitter.table()
        return np.asarray(shares / shares.sum(axis=-1, keepdims=True))

    def _keys(self, iteration: int) -> list[int]:
        return [draw_key(seed, iteration, self.stream) for seed in self.config.seeds]

    def arrays(self) -> dict[str, npt.NDArray[Any]]:
        """Return everything that goes on from here."""
        found: dict[str, npt.NDArray[Any]] = {f"net/{k}": a for k, a in self.fitter.arrays().items()}
        return found | {f"memory/{k}": a for k, a in self.memory.arrays().items()}

    def load(self, arrays: dict[str, npt.NDArray[Any]], iterations: int) -> None:
        """Take what `arrays` gave after so many iterations."""
        self.fitter.load({k.removeprefix("net/"): a for k, a in arrays.items() if k.startswith("net/")})
        kept = {k.removeprefix("memory/"): a for k, a in arrays.items() if k.startswith("memory/")}
        self.memory.load(kept, iterations)
