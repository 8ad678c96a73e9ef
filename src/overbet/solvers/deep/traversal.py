"""Traversals of several seeds at once, on threads: kernels fill logs, logs become samples.

The traversals of a seed are cut into blocks of a fixed size, and logs are joined in the order of blocks: the
samples are the same for any number of threads.
"""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from overbet.kernels.deep.samples import Samples, WalkBlock, WalkSpace, external_samples, outcome_samples
from overbet.kernels.sampling.nodes import SampleTree
from overbet.kernels.sampling.sample import walk_bounds
from overbet.solvers.deep.memory import Seen
from overbet.solvers.sampling import sample_tree
from overbet.tree.flat import FlatGame

_BLOCK = 1000  # traversals, at most
_MOST_ENTRIES = 1 << 20  # of a block's logs
Floats = npt.NDArray[np.float64]


class Found(NamedTuple):
    """What the traversals of one player saw in one seed; rows are slots.

    regrets: row the set, numbers what each action is worth above the strategy, in chips
    plays:   row the other players' sets, numbers nothing yet
    edges:   [n] int32 nodes that decisions led to, and edge_values: [n] float32 (outcome sampling)
    """

    regrets: Seen
    plays: Seen
    edges: npt.NDArray[np.int32]
    edge_values: npt.NDArray[np.float32]


class Walkers:
    """Threads with work space, for one game."""

    def __init__(self, flat: FlatGame, outcome: bool, threads: int) -> None:
        self.flat, self.outcome = flat, outcome
        self.tree: SampleTree = sample_tree(flat)
        self.widest = int(np.diff(flat.tree.infoset_offset).max())
        self._places, self._entries = walk_bounds(flat.tree, outcome, flat.num_players)
        self._block = max(1, min(_BLOCK, _MOST_ENTRIES // self._entries))
        self._pool = ThreadPoolExecutor(max(threads, 1))
        self.threads = max(threads, 1)
        self._free: list[tuple[WalkSpace, Samples]] = []  # taken and given back; appending is one operation

    def walk(
        self,
        strategies: Floats,
        baselines: Floats | None,
        seeds: list[int],
        what: tuple[int, int, int, float],
    ) -> list[Found]:
        """Walk for each seed; what: (iteration, player, traversals, epsilon).

        strategies: [S, slot] float64; baselines: [S, node] float64, or None for external sampling
        """
        iteration, player, traversals, epsilon = what
        jobs = []
        for place, seed in enumerate(seeds):
            for first in range(0, traversals, self._block):
                last = min(first + self._block, traversals)
                block = WalkBlock(seed, iteration, self.flat.num_players, player, first, last, epsilon)
                baseline = None if baselines is None else baselines[place]
                jobs.append((strategies[place], baseline, block))
        if self.threads == 1:
            parts = [self._run(*job) for job in jobs]
        else:
            parts = list(self._pool.map(lambda job: self._run(*job), jobs))
        each = len(jobs) // len(seeds)
        return [_joined(parts[place * each : (place + 1) * each]) for place in range(len(seeds))]

    def _run(self, strategy: Floats, baseline: Floats | None, block: WalkBlock) -> Found:
        space, log = self._free.pop() if self._free else self._room()
        if baseline is None:
            external_samples(self.tree, strategy, space, log, block)
        else:
            outcome_samples(self.tree, strategy, baseline, space, log, block)
        n, plays, edges = log.length.tolist()
        nothing = np.zeros((plays, 0), np.float32)
        found = Found(
            Seen(log.regret_row[:n].copy(), log.regret[:n].copy(), log.regret_weight[:n].copy()),
            Seen(log.play_row[:plays].copy(), nothing, log.play_weight[:plays].copy()),
            log.edge[:edges].copy(),
            log.edge_value[:edges].copy(),
        )
        self._free.append((space, log))
        return found

    def _room(self) -> tuple[WalkSpace, Samples]:
        places, entries = self._places, self._entries * self._block
        space = WalkSpace(np.empty(places, np.int32), np.empty(places, np.int32), np.empty(places))
        log = Samples(
            regret_row=np.empty(entries, np.int32),
            regret=np.empty((entries, self.widest), np.float32),
            regret_weight=np.empty(entries, np.float32),
            play_row=np.empty(entries, np.int32),
            play_weight=np.empty(entries, np.float32),
            edge=np.empty(entries, np.int32),
            edge_value=np.empty(entries, np.float32),
            length=np.zeros(3, np.int64),
        )
        return space, log


def _joined(parts: list[Found]) -> Found:
    """Return the samples of blocks, one block after the other."""

    def seen(which: int) -> Seen:
        return Seen(*(np.concatenate(column) for column in zip(*(part[which] for part in parts))))

    return Found(
        seen(0),
        seen(1),
        np.concatenate([part.edges for part in parts]),
        np.concatenate([part.edge_values for part in parts]),
    )
