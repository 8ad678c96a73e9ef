"""The trainer of deep CFR in all its forms: walks, regret networks, baseline, average.

    trainer = DeepTrainer(DeepConfig.named("deep-pdcfr+", game="leduc", seeds=(0, 1, 2)))
    trainer.run(50)
    trainer.exploitability()        # one number a seed, exact
    trainer.policy(0).save("leduc.parquet")

An iteration takes the players in turn: their traversals follow the strategies of all, a table that networks
were asked for once; their regret networks learn; their rows of the table are asked for again.

On one thread of a CPU the result is a function of the config alone, bit for bit, however often the run is
stopped and taken up again. On a GPU, or with other numbers of threads, sums are rounded in another order.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from overbet.errors import ArtefactError, ConfigError
from overbet.games.protocol import Game
from overbet.games.registry import make_game
from overbet.solvers.deep.averages import Kept, LearnedAverage
from overbet.solvers.deep.baseline import LearnedBaseline
from overbet.solvers.deep.config import DeepConfig
from overbet.solvers.deep.encoders import encoded_sets, encoder_of
from overbet.solvers.deep.memory import Seen
from overbet.solvers.deep.regrets import Regrets
from overbet.solvers.deep.torch_loading import device_called, the_torch
from overbet.solvers.deep.traversal import Found, Walkers
from overbet.solvers.policy import Origin, TabularPolicy
from overbet.solvers.tabular import best_response
from overbet.tree.flat import FlatGame, flatten

Floats = npt.NDArray[np.float64]
Progress = Callable[[int], None]


class DeepTrainer:
    """A run of one algorithm on one flat game, for all seeds of its config at once.

    strategies: [S, slot] float64, what the next iteration plays
    """

    def __init__(
        self, config: DeepConfig, game: Game | FlatGame | None = None, folder: Path | None = None
    ) -> None:
        """game: instead of the registered one that the config names; folder: for mapped memory."""
        self.config = config
        self.device = device_called(config.run.device)
        if self.device.type == "cpu":
            the_torch().set_num_threads(config.run.threads)
        given = make_game(config.game) if game is None else game
        self.flat = given if isinstance(given, FlatGame) else flatten(given)
        rules = None if isinstance(given, FlatGame) else given
        if not self.flat.num_infosets:
            raise ConfigError(f"{self.flat.name} has no decisions to learn")
        if config.memory.mapped and folder is None:
            raise ConfigError("memory.mapped needs a folder for its files: train in a run")
        flat, tree, seeds = self.flat, self.flat.tree, len(config.seeds)
        self.encoder = encoder_of(flat, rules)
        self.features = encoded_sets(flat, self.encoder)
        counts = np.diff(tree.infoset_offset)
        self.legal = np.arange(int(counts.max())) < counts[:, None]
        self.scale = float(np.abs(tree.returns).max()) or 1.0
        self.regrets: list[Regrets] = []
        self.learned: list[LearnedAverage] = []
        for player in range(flat.num_players):
            sets = self._sets(player)
            given_to = (player, self.features[sets], self.legal[sets], config, self.device)
            files = folder / f"regrets{player}" if folder and config.memory.mapped else None
            self.regrets.append(Regrets(*given_to, self.scale, files))
            if config.average == "network":
                files = folder / f"strategies{player}" if folder and config.memory.mapped else None
                self.learned.append(LearnedAverage(*given_to, files))
        self.baseline: LearnedBaseline | None = None
        if config.baseline is not None:
            self.baseline = LearnedBaseline(flat, rules, config.baseline, list(config.seeds), self.device)
        self.kept = Kept(flat, config)
        self.walkers = Walkers(flat, config.sampling == "outcome", config.run.workers)
        self.strategies = np.repeat(flat.uniform()[None], seeds, 0)
        self._no_baseline = np.zeros((seeds, flat.num_nodes)) if config.sampling == "outcome" else None
        self.iterations = 0
        self.seconds = 0.0
        self.samples = 0  # of regrets, all seeds together
        self._shown: tuple[int, Floats] | None = None  # the average strategies of an iteration

    @property
    def episodes(self) -> int:
        """Return the traversals done, of all players, in each seed."""
        return self.iterations * self.config.traversals * self.flat.num_players

    def _sets(self, player: int) -> slice:
        bounds = self.flat.tree.player_infosets
        return slice(int(bounds[player]), int(bounds[player + 1]))

    def run(self, iterations: int, progress: Progress | None = None) -> None:
        """Run that many further iterations; `progress` is called after each with the number done in all.

        An exception there, or Ctrl-C between iterations, leaves whole iterations behind.
        """
        for _ in range(iterations):
            started = time.perf_counter()
            self.step()
            self.seconds += time.perf_counter() - started
            if progress is not None:
                progress(self.iterations)

    def step(self) -> None:
        """Run one iteration."""
        iteration = self.iterations + 1
        self.kept.add(self.strategies, iteration)
        for player in range(self.flat.num_players):
            for seed, found in enumerate(self._walk(player, iteration)):
                self._take(seed, player, found, iteration)
            regrets = self.regrets[player]
            regrets.learn(iteration)
            regrets.forget()
            self._play(player, regrets.strategies(iteration))
        if self.baseline is not None:
            self.baseline.learn(self.strategies, iteration)
        self.iterations = iteration

    def _walk(self, player: int, iteration: int) -> list[Found]:
        baselines = self._no_baseline if self.baseline is None else self.baseline.tables
        what = (iteration, player, self.config.traversals, self.config.epsilon.at(iteration))
        return self.walkers.walk(self.strategies, baselines, list(self.config.seeds), what)

    def _take(self, seed: int, player: int, found: Found, iteration: int) -> None:
        """Hand the samples of a traversal's player to those who learn from them."""
        tree = self.flat.tree
        regrets, plays = found.regrets, found.plays
        sets = tree.slot_infoset[regrets.row]
        self.samples += len(sets)
        first = self._sets(player).start
        # weights of outcome sampling say how often a set was met; what networks that remember by themselves
        # are asked for is this iteration's mean at each set, which they do not change
        scale = np.ones_like(regrets.scale) if self.config.bootstrap else regrets.scale
        self.regrets[player].add(
            seed, Seen((sets - first).astype(np.int32), regrets.numbers, scale), iteration
        )
        if self.learned:
            met = tree.slot_infoset[plays.row]
            whose = tree.infoset_player[met]
            for other, learned in enumerate(self.learned):
                chosen = np.flatnonzero(whose == other)
                if len(chosen):
                    rows = met[chosen]
                    shares = self._rows(self.strategies[seed], rows)
                    local = (rows - self._sets(other).start).astype(np.int32)
                    learned.add(seed, Seen(local, shares, plays.scale[chosen]), iteration)
        if self.baseline is not None:
            self.baseline.add(seed, found.edges, found.edge_values)

    def _rows(self, strategy: Floats, sets: npt.NDArray[Any]) -> npt.NDArray[np.float32]:
        """Return the strategy at some sets: [n, A] float32, 0 beyond their actions."""
        legal = self.legal[sets]
        columns = np.arange(legal.shape[1])
        slots = self.flat.tree.infoset_offset[sets][:, None] + np.where(legal, columns, 0)
        shares: npt.NDArray[np.float32] = np.where(legal, strategy[slots], 0.0).astype(np.float32)
        return shares

    def _play(self, player: int, shares: Floats) -> None:
        """Write what a player's networks play into the table: shares [S, N, A]."""
        self.strategies[:, self._slots(player)] = self._in_slots(player, shares)

    def _slots(self, player: int) -> slice:
        sets, offset = self._sets(player), self.flat.tree.infoset_offset
        return slice(int(offset[sets.start]), int(offset[sets.stop]))

    def _in_slots(self, player: int, shares: Floats) -> Floats:
        return shares[:, self.legal[self._sets(player)]]

    def average_strategies(self) -> Floats:
        """Return the average strategies as `config.average` says: [S, slot] float64.

        Where a network learns them it is trained here, if it was not since the last iteration.
        """
        if self.config.average == "kept" or not self.iterations:
            return self.kept.strategies()
        if self._shown is None or self._shown[0] != self.iterations:
            found = np.zeros_like(self.strategies)
            for player, learned in enumerate(self.learned):
                shares = learned.learn(self.iterations)
                found[:, self._slots(player)] = self._in_slots(player, shares)
            found = np.stack([self.flat.normalise(row) for row in found])
            self._shown = (self.iterations, found)
        return self._shown[1]

    def exploitability(self) -> Floats:
        """Return NashConv of each seed's average strategy over the number of players: [S] float64."""
        return self.exploitability_of(self.average_strategies())

    def exploitability_of(self, strategies: Floats) -> Floats:
        """Return the exploitability of strategies [S, slot] float64, such as `kept.strategies()`."""
        return np.array([best_response(self.flat, one).exploitability for one in strategies])

    def policy(self, place: int = 0) -> TabularPolicy:
        """Return the average strategy of one seed (by its place among `config.seeds`) as a policy."""
        origin: Origin = {
            "solver": self.config.algorithm,
            "rule": self.config.rule.name,
            "iterations": self.iterations,
            "episodes": self.episodes,
            "seed": self.config.seeds[place],
            "config_digest": self.config.result_digest(),
        }
        return TabularPolicy(self.flat, self.average_strategies()[place], origin)

    def arrays(self) -> dict[str, npt.NDArray[Any]]:
        """Return everything that the run goes on from."""
        found: dict[str, npt.NDArray[Any]] = {
            "strategies": self.strategies.copy(),
            "kept": self.kept.sums.copy(),
        }
        for part, own in self._parts():
            found |= {f"{part}/{name}": array for name, array in own.arrays().items()}
        return found

    def load(self, arrays: dict[str, npt.NDArray[Any]], iterations: int) -> None:
        """Take what `arrays` gave after so many iterations."""
        try:
            for name, own in (("strategies", self.strategies), ("kept", self.kept.sums)):
                found = arrays[name]
                if found.shape != own.shape or found.dtype != np.float64 or not np.isfinite(found).all():
                    raise ValueError(f"the {name} are not of this game and these seeds")
            self.strategies, self.kept.sums = arrays["strategies"].copy(), arrays["kept"].copy()
            for part, part_of_run in self._parts():
                prefix = f"{part}/"
                inside = {k.removeprefix(prefix): a for k, a in arrays.items() if k.startswith(prefix)}
                part_of_run.load(inside, iterations)
        except (KeyError, ValueError, RuntimeError, IndexError) as error:
            raise ArtefactError(f"the state saved does not fit this config: {error}") from error
        self.iterations, self._shown = iterations, None

    def _parts(self) -> list[tuple[str, Any]]:
        parts: list[tuple[str, Any]] = [(f"regrets{p}", own) for p, own in enumerate(self.regrets)]
        parts += [(f"learned{p}", own) for p, own in enumerate(self.learned)]
        return parts + ([("baseline", self.baseline)] if self.baseline is not None else [])
