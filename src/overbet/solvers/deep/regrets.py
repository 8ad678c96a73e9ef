"""Regret networks of one player: what they learn from, what they are trained towards, what is played by them.

Numbers of networks are mean regrets over the largest payment of the game: a sum over iterations would grow
beyond what a network can follow. With the scalars of the rule (`kernels.regret.RuleStep`) at iteration t

    count(t)  = positive * count(t-1) + weight
    target(t) = (factor * count(t-1) * floored(last network) + weight * r) / count(t)     with `bootstrap`
    target(t) = mean over all samples r of iteration s, weighed as the rule discounts s until t     without

and what is played matches the positive part of  count(t) * network * carry + prediction * r-network  (a
second network, which learns this iteration's r alone, where the rule predicts).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from overbet.kernels.regret import RuleStep
from overbet.solvers.deep.config import DeepConfig
from overbet.solvers.deep.fitting import CHUNK, Chunk, Fitter
from overbet.solvers.deep.memory import SampleMemory, Seen, draw_key
from overbet.solvers.deep.networks import NetworkShape, Stack
from overbet.solvers.deep.torch_loading import the_torch

if TYPE_CHECKING:
    from pathlib import Path

    import torch

Floats = npt.NDArray[np.float64]
_STREAM = 9_100_001  # of random numbers; + 16 a player


class Regrets:
    """One player's regret networks, S seeds side by side.

    features: [N, F] float32 and legal: [N, A] bool of the player's sets; scale: the largest payment
    """

    def __init__(
        self,
        player: int,
        features: npt.NDArray[np.float32],
        legal: npt.NDArray[np.bool_],
        config: DeepConfig,
        device: torch.device,
        scale: float,
        mapped: Path | None = None,
    ) -> None:
        self.player, self.config, self.legal, self.scale = player, config, legal, scale
        self.stream = _STREAM + 16 * player
        count, (sets, widest) = len(config.seeds), legal.shape
        shape = NetworkShape.of(features.shape[1], widest, config.network)
        self.fitter = Fitter(Stack(shape, count, device), features, legal, config.advantage)
        self.fitter.begin(self._keys(0, 0))
        self.predictor: Fitter | None = None
        if config.rule.prediction:
            self.predictor = Fitter(Stack(shape, count, device), features, legal, config.advantage)
            self.predictor.begin(self._keys(0, 1))
        keys = [draw_key(seed, 0, self.stream + 2) for seed in config.seeds]
        capacity = config.memory.regrets
        self.memory = SampleMemory(keys, capacity, widest, sets, device, mapped)
        self.regret = np.zeros((count, sets, widest))  # what the networks say, by set
        self.guess = np.zeros((count, sets, widest))  # what the next regret is taken to be
        self.count = 0.0

    def add(self, seed: int, seen: Seen, iteration: int) -> None:
        """Take an iteration's samples; seen.row: the player's sets, from 0; numbers in chips."""
        numbers = seen.numbers / np.float32(self.scale)
        self.memory.add(seed, Seen(seen.row, numbers, seen.scale), iteration)

    def forget(self) -> None:
        """Let go of samples of the last iteration, where networks remember by themselves."""
        if self.config.bootstrap:
            self.memory.clear()

    def learn(self, iteration: int) -> None:
        """Train on what was added."""
        step = self.config.rule.at(iteration)
        before, self.count = self.count, step.positive * self.count + step.weight
        if self.config.bootstrap:
            self._bootstrap(iteration, step, before)
        else:
            if self.config.advantage.fresh:
                self.fitter.begin(self._keys(iteration, 0))
            self._fit(self.fitter, self._weights(iteration), iteration, 0, None)
        self.regret = self.fitter.table()
        if self.predictor is not None:
            if self.config.advantage.fresh:
                self.predictor.begin(self._keys(iteration, 1))
            self._fit(self.predictor, self._alike(iteration), iteration, 1, None)
            self.guess = self.predictor.table()

    def _bootstrap(self, iteration: int, step: RuleStep, before: float) -> None:
        old = np.maximum(self.regret, step.floor)
        factor = np.where(old > 0.0, step.positive, step.negative) * (before / self.count)
        if self.config.advantage.fresh:
            self.fitter.begin(self._keys(iteration, 0))
        self._fit(self.fitter, self._alike(iteration), iteration, 0, (old * factor, step.weight / self.count))

    def _fit(
        self,
        fitter: Fitter,
        weights: torch.Tensor,
        iteration: int,
        which: int,
        onto: tuple[Floats, float] | None,
    ) -> None:
        """Train on samples; onto: ([S, N, A], c) makes of a sample r the target onto + c * r."""
        torch = the_torch()
        config, memory = self.config, self.memory
        legal = fitter.legal
        base = None if onto is None else torch.from_numpy(onto[0].astype(np.float32)).to(memory.device)
        times = 1.0 if onto is None else onto[1]
        all_of_it: Chunk | None = None

        def finished(chunk: Chunk) -> Chunk:
            target, weight = chunk.target, chunk.weight
            if chunk.rows is None:
                weight = weight * legal
                if base is not None:
                    target = base + times * target
            elif base is not None:
                there = chunk.rows[..., None].expand(target.shape)
                lasting = base[None].expand(len(target), *base.shape)
                target = lasting.gather(2, there) + times * target
            return Chunk(target, weight, chunk.rows)

        def chunks(start: int, count: int) -> Chunk:
            nonlocal all_of_it
            if config.batches == "pooled":
                all_of_it = all_of_it or finished(memory.pooled(weights))
                return all_of_it
            number = iteration * 1000 + start // CHUNK
            draws = tuple(draw_key(seed, number, self.stream + 3 + which) for seed in config.seeds)
            batch = fitter.config.batch
            if memory.rows <= batch:
                return finished(memory.by_set(weights, batch, count, draws))
            return finished(memory.by_sample(weights, legal, batch, count, draws))

        fitter.fit(chunks)

    def strategies(self, iteration: int) -> Floats:
        """Return what is played after an iteration: [S, N, A] float64, 0 where not legal."""
        step = self.config.rule.at(max(iteration, 1))
        worth = np.maximum(self.regret, step.floor) if self.config.bootstrap else self.regret
        carried = self.count * worth * step.carry + step.prediction * self.guess
        return matched(carried, self.legal, self.config.unplayed == "best" and iteration > 0)

    def _weights(self, iteration: int) -> torch.Tensor:
        return iteration_weights(self.config, iteration, "positive", self.memory.device)

    def _alike(self, iteration: int) -> torch.Tensor:
        torch = the_torch()
        return torch.ones(iteration + 1, device=self.memory.device)

    def _keys(self, iteration: int, which: int) -> list[int]:
        return [draw_key(seed, iteration, self.stream + which) for seed in self.config.seeds]

    def arrays(self) -> dict[str, npt.NDArray[Any]]:
        """Return everything that goes on from here."""
        found: dict[str, npt.NDArray[Any]] = {f"net/{k}": a for k, a in self.fitter.arrays().items()}
        if self.predictor is not None:
            found |= {f"guess-net/{k}": a for k, a in self.predictor.arrays().items()}
        found |= {f"memory/{k}": a for k, a in self.memory.arrays().items()}
        found["regret"], found["guess"] = self.regret.copy(), self.guess.copy()
        found["count"] = np.array([self.count])
        return found

    def load(self, arrays: dict[str, npt.NDArray[Any]], iterations: int) -> None:
        """Take what `arrays` gave after so many iterations."""

        def under(prefix: str) -> dict[str, npt.NDArray[Any]]:
            return {k.removeprefix(prefix): a for k, a in arrays.items() if k.startswith(prefix)}

        self.fitter.load(under("net/"))
        if self.predictor is not None:
            self.predictor.load(under("guess-net/"))
        self.memory.load(under("memory/"), iterations)
        if arrays["regret"].shape != self.regret.shape or arrays["guess"].shape != self.guess.shape:
            raise ValueError("regrets are not those of this game and these seeds")
        self.regret, self.guess = arrays["regret"].astype(np.float64), arrays["guess"].astype(np.float64)
        self.count = float(arrays["count"][0])


def matched(worth: Floats, legal: npt.NDArray[np.bool_], best: bool) -> Floats:
    """Return regret matching: [.., N, A]; where nothing is positive the best action, or all alike."""
    positive = np.where(legal, np.maximum(worth, 0.0), 0.0)
    total = positive.sum(axis=-1, keepdims=True)
    if best:
        top = np.where(legal, worth, -np.inf).argmax(axis=-1)
        instead = np.eye(worth.shape[-1])[top]
    else:
        instead = np.broadcast_to(legal / legal.sum(axis=-1, keepdims=True), worth.shape)
    return np.where(total > 0.0, positive / np.where(total > 0.0, total, 1.0), instead)


def iteration_weights(config: DeepConfig, iteration: int, kind: str, device: Any) -> torch.Tensor:
    """Return what samples of iterations 0 .. `iteration` count: [iteration + 1] float32, at most 1.

    kind: `positive` for regrets, `average` for strategies: which discounts of the rule follow them.
    """
    torch = the_torch()
    steps = config.rule.steps(1, iteration)
    weight, factor = (steps[:, 2], steps[:, 0]) if kind == "positive" else (steps[:, 7], steps[:, 6])
    # of iteration s: its weight times the factors of s+1 .. iteration
    lasting = np.ones(iteration)
    if iteration > 1:
        lasting[:-1] = np.cumprod(factor[:0:-1])[::-1]
    found = np.concatenate([[0.0], weight * lasting])
    return torch.from_numpy((found / max(found.max(), 1e-300)).astype(np.float32)).to(device)
