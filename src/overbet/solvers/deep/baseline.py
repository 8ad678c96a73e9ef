"""A learned baseline: what each history is worth to player 0, which sampled values are compared with.

The network sees a history (what both players know, side by side) and says what each action is worth if play
then goes on as the strategies of this iteration do. Its targets are one step ahead of itself (expected SARSA,
as in DREAM, Steinberger, Lerer & Brown 2020): what an action was seen to lead to, an end with its payment, or
a node whose worth is the mean of the network's own numbers there, by the strategy. That worth is taken from a
copy of the network, which follows at every chunk of steps. For two players and payments that sum to zero.

Nodes are worth, all at once and on the networks' device:

    worth(end) = payment    worth(decision) = sum_a strategy(a) Q(a)    worth(chance) = sum_c chance(c)
    worth(c)

and what a traversal compares with at a node is Q of the action that led there, behind chance the node's
worth.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any, Literal

import numpy as np
import numpy.typing as npt
import pydantic

from overbet.errors import ConfigError
from overbet.games.protocol import CHANCE, TERMINAL, Game
from overbet.solvers.deep.encoders import encoded_histories, encoder_of, history_encoder
from overbet.solvers.deep.fitting import CHUNK, Chunk, FitConfig, Fitter
from overbet.solvers.deep.memory import draw_key
from overbet.solvers.deep.networks import NetworkConfig, NetworkShape, Stack
from overbet.solvers.deep.torch_loading import the_torch
from overbet.tree.flat import FlatGame

if TYPE_CHECKING:
    import torch

Floats = npt.NDArray[np.float64]
_ROUNDING = 1e-9


class BaselineConfig(FitConfig):
    """A baseline's network and how it is trained.

    memory: edges that are remembered, the latest ones
    target: one-step (expected SARSA) or line (what the sampled line was worth, baselines counted)
    """

    steps: pydantic.PositiveInt = 1000
    network: NetworkConfig = NetworkConfig()
    memory: Annotated[int, pydantic.Field(ge=1, le=10**9)] = 200_000
    target: Literal["one-step", "line"] = "one-step"


class LearnedBaseline:
    """The networks of S seeds and the tables made from them.

    tables: [S, node] float64, what a node is compared with, worth to player 0
    """

    def __init__(
        self, flat: FlatGame, game: Game | None, config: BaselineConfig, seeds: list[int], device: Any
    ) -> None:
        torch = the_torch()
        check_zero_sum(flat)
        self.flat, self.config, self.seeds = flat, config, seeds
        tree = flat.tree
        self._decisions = np.flatnonzero(tree.player >= 0)
        encoder = history_encoder(flat, game, encoder_of(flat, game))
        features = encoded_histories(flat, game, encoder)[self._decisions]
        counts = tree.num_children[self._decisions]
        widest = int(counts.max())
        legal = np.arange(widest) < counts[:, None]
        shape = NetworkShape.of(features.shape[1], widest, config.network)
        stack = Stack(shape, len(seeds), device)
        self.scale = float(np.abs(tree.returns).max()) or 1.0
        self.fitter = Fitter(stack, features, legal, config)
        self.fitter.begin([draw_key(seed, 0, _STREAM) for seed in seeds])
        self._target = Stack(shape, len(seeds), device)
        self.tables = np.zeros((len(seeds), flat.num_nodes))
        # memory, a ring of edges: what was decided at a decision, and the node it led to
        self.edges = torch.zeros((len(seeds), config.memory), dtype=torch.int64, device=device)
        self.values = torch.zeros((len(seeds), config.memory), dtype=torch.float32, device=device)
        self.added = [0] * len(seeds)
        self._lay_out(device)

    def _lay_out(self, device: Any) -> None:
        """Put the parts of the tree that values are made of where the networks are."""
        torch = the_torch()
        tree = self.flat.tree

        def there(array: npt.NDArray[Any]) -> Any:
            return torch.from_numpy(np.ascontiguousarray(array)).to(device)

        decisions, widest = self._decisions, self.fitter.legal.shape[1]
        first = tree.infoset_offset[tree.infoset[decisions]].astype(np.int64)
        columns = np.minimum(np.arange(widest), tree.num_children[decisions, None] - 1)
        self._slots = there(first[:, None] + columns)
        self._nodes = there(decisions)
        ends = np.flatnonzero(tree.player == TERMINAL)
        self._ends, self._paid = there(ends), there(tree.returns[tree.terminal[ends], 0].astype(np.float32))
        depth = np.zeros(self.flat.num_nodes, np.int64)
        for node in range(1, self.flat.num_nodes):  # breadth first: parents come first
            depth[node] = depth[tree.parent[node]] + 1
        dealt = np.flatnonzero(tree.player[tree.parent] == CHANCE)
        dealt = dealt[dealt > 0]  # the root's parent is written as -1
        self._deals = []
        for level in sorted(set(depth[dealt].tolist()), reverse=True):
            here = dealt[depth[dealt] == level]
            chance = there(tree.probability[here].astype(np.float32))
            self._deals.append((there(here), there(tree.parent[here].astype(np.int64)), chance))
        place = np.full(self.flat.num_nodes, -1, np.int64)
        place[decisions] = np.arange(len(decisions))
        parent = np.maximum(tree.parent, 0)
        self._decision_of = there(place[parent])  # [node] which decision led there; -1: none did
        action = np.arange(self.flat.num_nodes) - tree.first_child[parent]
        self._action_of = there(np.where(place[parent] >= 0, action, 0))

    def add(self, seed: int, edges: npt.NDArray[np.int32], values: npt.NDArray[np.float32]) -> None:
        """Remember what was decided in an iteration: nodes led to [n], and what followed was worth [n]."""
        torch = the_torch()
        most = self.config.memory
        edges, values = edges[-most:], values[-most:]
        places = torch.from_numpy((self.added[seed] + np.arange(len(edges))) % most).to(self.edges.device)
        self.edges[seed].index_copy_(0, places, torch.from_numpy(edges.astype(np.int64)).to(places.device))
        self.values[seed].index_copy_(0, places, torch.from_numpy(values.copy()).to(places.device))
        self.added[seed] += len(edges)

    def learn(self, strategies: Floats, iteration: int) -> None:
        """Train on what is remembered, for play by `strategies: [S, slot] float64`, and make the tables."""
        torch = the_torch()
        config, fitter = self.config, self.fitter
        if config.fresh:
            fitter.begin([draw_key(seed, iteration, _STREAM) for seed in self.seeds])
        shares = self._shares(strategies)

        def chunks(start: int, count: int) -> Chunk:
            self._target.copy_from(fitter.player)
            with torch.no_grad():
                worth = self._worth(fitter.asked(None, self._target), shares)
            number = iteration * 1000 + start // CHUNK
            draws = [draw_key(seed, number, _STREAM + 1) for seed in self.seeds]
            return self._chunk(worth, draws, count)

        fitter.fit(chunks)
        with torch.no_grad():
            told = fitter.asked(None, fitter.player)
            worth = self._worth(told, shares)
            decided = told[:, self._decision_of.clamp(min=0), self._action_of]
            table = torch.where(self._decision_of >= 0, decided, worth)
            self.tables = (table * self.scale).cpu().numpy().astype(np.float64)

    def _shares(self, strategies: Floats) -> torch.Tensor:
        """Return [S, decision, A] float32, 0 for actions there are not."""
        torch = the_torch()
        shares = torch.from_numpy(strategies.astype(np.float32)).to(self._slots.device)
        return shares[:, self._slots] * self.fitter.legal

    def _worth(self, told: torch.Tensor, shares: torch.Tensor) -> torch.Tensor:
        """Return what every node is worth: [S, node] float32; told: [S, decision, A]."""
        torch = the_torch()
        worth = torch.zeros((len(self.seeds), self.flat.num_nodes), device=told.device)
        worth[:, self._ends] = self._paid / self.scale
        worth[:, self._nodes] = (told * shares).sum(-1)
        for nodes, parents, chance in self._deals:  # deepest first
            worth.index_add_(1, parents, worth[:, nodes] * chance)
        return worth

    def _chunk(self, worth: torch.Tensor, draws: list[int], count: int) -> Chunk:
        """Return `count` minibatches: pooled by history where those are fewer, else as they are drawn."""
        torch = the_torch()
        batch, device = self.config.batch, worth.device
        decisions, widest = self.fitter.legal.shape
        pooled = decisions <= batch
        found = []
        for seed, key in enumerate(draws):
            filled = max(min(self.added[seed], self.config.memory), 1)
            source = torch.Generator(device).manual_seed(key)
            at = torch.randint(0, filled, (count * batch,), generator=source, device=device)
            edge = self.edges[seed][at]
            seen = worth[seed][edge]
            if self.config.target == "line":
                seen = self.values[seed][at] / self.scale
            decision, action = self._decision_of[edge], self._action_of[edge]
            if pooled:
                step = torch.arange(count, device=device).repeat_interleave(batch)
                cell = (step * decisions + decision) * widest + action
                sums = torch.zeros((2, count * decisions * widest), device=device)
                sums[0].index_add_(0, cell, seen)
                sums[1].index_add_(0, cell, torch.ones_like(seen))
                target = sums[0] / sums[1].clamp(min=1.0)
                parts = (target, sums[1] / batch)
                found.append([part.reshape(count, decisions, widest) for part in parts])
                continue
            one = torch.nn.functional.one_hot(action, widest).to(torch.float32)
            found.append(
                [
                    (one * seen[:, None]).reshape(count, batch, widest),
                    (one / batch).reshape(count, batch, widest),
                    decision.reshape(count, batch),
                ]
            )
        target, weight = (torch.stack([parts[i] for parts in found], 1) for i in (0, 1))
        rows = None if pooled else torch.stack([parts[2] for parts in found], 1)
        return Chunk(target, weight, rows)

    def arrays(self) -> dict[str, npt.NDArray[Any]]:
        """Return everything that goes on from here."""
        found: dict[str, npt.NDArray[Any]] = dict(self.fitter.arrays())
        found["added"], found["tables"] = np.array(self.added, np.int64), self.tables.copy()
        for seed, added in enumerate(self.added):
            n = min(added, self.config.memory)
            found[f"edges{seed}"] = self.edges[seed, :n].cpu().numpy().copy()
            found[f"values{seed}"] = self.values[seed, :n].cpu().numpy().copy()
        return found

    def load(self, arrays: dict[str, npt.NDArray[Any]], iterations: int) -> None:
        """Take what `arrays` gave after so many iterations."""
        torch = the_torch()
        self.fitter.load(arrays)
        added_to = [int(n) for n in arrays["added"]]
        known = arrays["tables"].shape == self.tables.shape
        if not known or len(added_to) != len(self.seeds) or min(added_to) < 0:
            raise ValueError("a baseline is not that of this game and these seeds")
        self.added, self.tables = added_to, arrays["tables"].astype(np.float64)
        led = self.flat.tree.player[np.maximum(self.flat.tree.parent, 0)] >= 0
        for seed, added in enumerate(self.added):
            n = min(added, self.config.memory)
            edges = arrays[f"edges{seed}"]
            if n and (edges.min() < 1 or edges.max() >= self.flat.num_nodes or not led[edges].all()):
                raise ValueError("a baseline remembers nodes that no decision leads to")
            self.edges[seed, :n] = torch.from_numpy(arrays[f"edges{seed}"]).to(self.edges.device)
            self.values[seed, :n] = torch.from_numpy(arrays[f"values{seed}"]).to(self.edges.device)


_STREAM = 9_000_001  # of random numbers; traversals have the streams below


def check_zero_sum(flat: FlatGame) -> None:
    """Refuse games whose histories are not worth to one player what they cost the other."""
    returns = flat.tree.returns
    if flat.num_players != 2 or np.abs(returns.sum(axis=1)).max() > _ROUNDING:
        raise ConfigError(
            f"a baseline is what a history is worth to one of two players at the other's cost; {flat.name} "
            "is not such a game; use baseline: null"
        )
