"""What networks learn from: reservoirs of samples, one a seed, side by side on the device of the networks.

A sample is (row, numbers, scale, when): which information set, what was seen there, the weight that sampling
gives it, the iteration it is of. Which samples a full reservoir keeps is the law of `kernels/deep/reservoir`:
each one that came by is kept with the same chance, whatever was decided about the others.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import numpy.typing as npt

from overbet.kernels.deep.reservoir import reservoir_places
from overbet.kernels.rng import stream_key
from overbet.solvers.deep.fitting import Chunk
from overbet.solvers.deep.torch_loading import the_torch

if TYPE_CHECKING:
    import torch

Floats = npt.NDArray[np.float32]
Ints = npt.NDArray[np.int32]


class Seen(NamedTuple):
    """Samples of one seed: row [n] int32, numbers [n, A] float32, scale [n] float32."""

    row: Ints
    numbers: Floats
    scale: Floats


class SampleMemory:
    """S reservoirs of `capacity` samples of `outputs` numbers each.

    rows: how many rows there are (information sets of the player); mapped: a file each for the three large
    arrays of this name, so that they may be larger than memory (CPU only)
    """

    def __init__(
        self,
        keys: list[int],
        capacity: int,
        outputs: int,
        rows: int,
        device: Any = "cpu",
        mapped: Path | None = None,
    ) -> None:
        torch = the_torch()
        self.keys, self.capacity, self.outputs, self.rows = keys, capacity, outputs, rows
        self.device = torch.device(device)
        count = len(keys)
        self.seen = [0] * count

        def room(name: str, shape: tuple[int, ...], kind: Any) -> Any:
            if mapped is not None:
                path = mapped.with_name(f"{mapped.name}-{name}.bin")
                file: Any = np.lib.format.open_memmap(path, "w+", dtype=kind, shape=shape)
                return torch.from_numpy(file)
            return torch.zeros(shape, dtype=getattr(torch, np.dtype(kind).name), device=self.device)

        self.row = room("row", (count, capacity), np.int32)
        self.numbers = room("numbers", (count, capacity, outputs), np.float32)
        self.scale = room("scale", (count, capacity), np.float32)
        self.when = room("when", (count, capacity), np.int32)
        self._last = np.full(capacity, -1, np.int64)

    def filled(self, seed: int) -> int:
        """Return how many samples the reservoir of a seed (by its place) holds."""
        return min(self.seen[seed], self.capacity)

    def add(self, seed: int, seen: Seen, when: int) -> None:
        """Let samples of one iteration come by the reservoir of a seed."""
        torch = the_torch()
        places = np.empty(len(seen.row), np.int64)
        key = np.uint64(self.keys[seed])
        reservoir_places(key, self.seen[seed], self.capacity, places, self._last)
        self.seen[seed] += len(places)
        kept = np.flatnonzero(places >= 0)
        if not len(kept):
            return
        where = torch.from_numpy(places[kept]).to(self.device)

        def put(into: Any, what: npt.NDArray[Any]) -> None:
            into[seed].index_copy_(0, where, torch.from_numpy(what[kept]).to(self.device))

        put(self.row, seen.row)
        put(self.numbers, seen.numbers)
        put(self.scale, seen.scale)
        self.when[seed].index_fill_(0, where, when)

    def clear(self) -> None:
        """Forget all samples."""
        self.seen = [0] * len(self.keys)

    def by_set(self, weights: torch.Tensor, batch: int, count: int, draws: tuple[int, ...]) -> Chunk:
        """Return `count` minibatches of `batch` samples drawn with replacement, pooled by row.

        weights: [T] float32, what a sample of iteration T counts. draws: one key a seed for the generator.
        """
        torch = the_torch()
        cells = count * len(self.keys) * self.rows
        sums = torch.zeros((cells, self.outputs + 1), device=self.device)
        for seed, key in enumerate(draws):
            at = self._drawn(seed, key, count * batch)
            step = torch.arange(count, device=self.device).repeat_interleave(batch)
            cell = (step * len(self.keys) + seed) * self.rows + self.row[seed][at].long()
            weight = self.scale[seed][at] * weights[self.when[seed][at].long()]
            # so that sums do not depend on how large weights are in all
            weight = weight / weight.mean().clamp(min=1e-30)
            sums.index_add_(
                0, cell, torch.cat([self.numbers[seed][at] * weight[:, None], weight[:, None]], 1)
            )
        shape = (count, len(self.keys), self.rows)
        weight = sums[:, -1]
        target = sums[:, :-1] / weight.clamp(min=1e-30)[:, None]
        wide = (weight / batch)[:, None].expand(cells, self.outputs)
        return Chunk(target.reshape(*shape, -1), wide.reshape(*shape, -1))

    def pooled(self, weights: torch.Tensor) -> Chunk:
        """Return all samples as one batch, pooled by row: the mean over all minibatches there could be."""
        torch = the_torch()
        sums = torch.zeros((len(self.keys), self.rows, self.outputs + 1), device=self.device)
        for seed in range(len(self.keys)):
            n = self.filled(seed)
            weight = self.scale[seed, :n] * weights[self.when[seed, :n].long()]
            weight = weight / weight.sum().clamp(min=1e-30)
            parts = torch.cat([self.numbers[seed, :n] * weight[:, None], weight[:, None]], 1)
            sums[seed].index_add_(0, self.row[seed, :n].long(), parts)
        weight = sums[..., -1:]
        target = sums[..., :-1] / weight.clamp(min=1e-30)
        return Chunk(target[None], weight.expand_as(target)[None])

    def by_sample(
        self, weights: torch.Tensor, legal: torch.Tensor, batch: int, count: int, draws: tuple[int, ...]
    ) -> Chunk:
        """Return `count` minibatches as they are drawn; legal: [rows, A] bool."""
        torch = the_torch()
        rows, targets, wide = [], [], []
        for seed, key in enumerate(draws):
            at = self._drawn(seed, key, count * batch)
            row = self.row[seed][at].long()
            weight = self.scale[seed][at] * weights[self.when[seed][at].long()]
            weight = weight / (weight.mean().clamp(min=1e-30) * batch)
            rows.append(row.reshape(count, batch))
            targets.append(self.numbers[seed][at].reshape(count, batch, -1))
            wide.append((weight[:, None] * legal[row]).reshape(count, batch, -1))
        return Chunk(torch.stack(targets, 1), torch.stack(wide, 1), torch.stack(rows, 1))

    def _drawn(self, seed: int, key: int, count: int) -> torch.Tensor:
        torch = the_torch()
        source = torch.Generator(self.device).manual_seed(key)
        return torch.randint(0, max(self.filled(seed), 1), (count,), generator=source, device=self.device)

    def arrays(self) -> dict[str, npt.NDArray[Any]]:
        """Return what the reservoirs hold: the parts in use, seed after seed."""
        found: dict[str, npt.NDArray[Any]] = {"seen": np.array(self.seen, np.int64)}
        for seed in range(len(self.keys)):
            n = self.filled(seed)
            for name in ("row", "numbers", "scale", "when"):
                found[f"{name}{seed}"] = getattr(self, name)[seed, :n].cpu().numpy().copy()
        return found

    def load(self, arrays: dict[str, npt.NDArray[Any]], iterations: int) -> None:
        """Take what `arrays` gave after so many iterations."""
        torch = the_torch()
        seen = [int(n) for n in arrays["seen"]]
        if len(seen) != len(self.keys) or min(seen) < 0:
            raise ValueError("a reservoir's counts are not those of its seeds")
        self.seen = seen
        for seed in range(len(self.keys)):
            n = self.filled(seed)
            row, when = arrays[f"row{seed}"], arrays[f"when{seed}"]
            if n and (row.min() < 0 or row.max() >= self.rows or when.min() < 0 or when.max() > iterations):
                raise ValueError("a reservoir has samples of sets or iterations that there are not")
            for name in ("row", "numbers", "scale", "when"):
                kept = torch.from_numpy(np.ascontiguousarray(arrays[f"{name}{seed}"]))
                getattr(self, name)[seed, :n].copy_(kept)


def draw_key(seed: int, iteration: int, stream: int) -> int:
    """Return the key of one of a run's streams of numbers, within what generators take."""
    return int(stream_key(seed, iteration, stream)) & (2**63 - 1)
