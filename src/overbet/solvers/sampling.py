"""Monte Carlo CFR on any small game: external or outcome sampling, any rule, any number of players.

    solver = SamplingSolver("leduc", method="external", seed=1)
    solver.run(1_000_000)
    solver.exploitability()     # about 0.013

One iteration is one traversal for each player. The result is a function of the game and the config alone: it
does not depend on how the iterations are split into calls of `run`, on the machine's load or on `workers`.
Iterations of one batch read the same tables, so a batch can be spread over workers; a batch of 1 is the
textbook algorithm.

Rules act by epochs: every `discount_every` iterations the whole table is discounted as the rule discounts it
from one iteration to the next, `discounts` times in all, as in Pluribus (Brown & Sandholm 2019). Later the
noise of sampling outweighs what forgetting gains, and every iteration counts the same.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Any, Literal, Self

import numba
import numpy as np
import numpy.typing as npt
import pydantic

from overbet.alias_table import fill_alias_table
from overbet.config import Config
from overbet.errors import ArtefactError, ConfigError, TooLargeError, unknown
from overbet.games.protocol import Game
from overbet.kernels.sampling.nodes import CHANCE, SampleTree, packed_nodes
from overbet.kernels.sampling.sample import earlier_deals, sample, sample_on_threads, walk_bounds
from overbet.kernels.sampling.walks import SamplingSettings, WalkScratch
from overbet.machine import size_text
from overbet.solvers.policy import Origin, TabularPolicy, as_flat
from overbet.solvers.rules import Rule, make_rule
from overbet.solvers.tabular import TabularBestResponse, best_response
from overbet.tree.flat import FlatGame

Floats = npt.NDArray[np.float64]
Progress = Callable[[int], None]
METHODS = ("external", "outcome")
_CHUNK_SECONDS = 0.05  # between two looks at the clock: Ctrl-C and the progress bar wait no longer
_SCRATCH_LIMIT = 2 << 30  # bytes
_MOST_NUMBERS = 2**31 - 1  # of a table: walks note its places in 32 bits


def sampling_rule(name: str, **parameters: float | None) -> Rule:
    """Return the rule called `name` for sampling; alpha, beta and gamma replace its defaults.

    DCFR averages with gamma = 1 here: steeper weights would throw samples away.
    """
    if name == "dcfr" and parameters.get("gamma") is None:
        parameters = {**parameters, "gamma": 1.0}
    return make_rule(name, **parameters)


class SamplingConfig(Config):
    """Everything a run depends on besides the game."""

    method: Literal["external", "outcome"] = "external"
    rule: Rule = sampling_rule("dcfr")
    seed: Annotated[int, pydantic.Field(ge=0, lt=2**63)] = 0
    batch: pydantic.PositiveInt = 1  # iterations that read the same tables
    discount_every: pydantic.PositiveInt = 100_000  # iterations in an epoch
    discounts: pydantic.NonNegativeInt = 10  # epochs that begin with a discount
    epsilon: Annotated[float, pydantic.Field(gt=0.0, le=1.0)] = 0.6  # exploration, outcome sampling
    baseline: bool = True  # a value remembered for each history: less variance
    baseline_rate: Annotated[float, pydantic.Field(gt=0.0, le=1.0)] = 0.5  # step towards the newest value

    @pydantic.field_validator("method", mode="before")
    @classmethod
    def _known_method(cls, method: object) -> object:
        if isinstance(method, str) and method not in METHODS:
            raise ValueError(unknown("method", method, METHODS))
        return method

    @pydantic.field_validator("rule", mode="before")
    @classmethod
    def _by_name(cls, rule: object) -> object:
        return sampling_rule(rule) if isinstance(rule, str) else rule

    @pydantic.field_validator("rule")
    @classmethod
    def _no_prediction(cls, rule: Rule) -> Rule:
        if rule.prediction:
            raise ValueError(
                f"rule {rule.name!r} predicts from the last regret, which is noise under sampling; "
                "use cfr, lcfr, dcfr, cfr+ or dcfr+"
            )
        return rule

    @pydantic.model_validator(mode="after")
    def _batch_within_epoch(self) -> Self:
        if self.batch > self.discount_every:
            raise ValueError(f"batch {self.batch} is longer than discount_every {self.discount_every}")
        return self


class SamplingSolver:
    """MCCFR over a flat game. Settings are those of `SamplingConfig`, as one value or as keywords."""

    def __init__(
        self, game: FlatGame | Game | str, config: SamplingConfig | None = None, **settings: Any
    ) -> None:
        if config is not None and settings:
            raise ConfigError("give a config or keyword settings, not both")
        self.flat = as_flat(game)
        self.config = config or SamplingConfig.parse(settings, "sampling")
        if not self.flat.num_infosets:
            raise ConfigError(f"{self.flat.name} has no decisions to learn")
        self._tree = sample_tree(self.flat)
        self._settings = _settings(self.flat, self.config)
        self._epsilon = self.config.epsilon if self.config.method == "outcome" else None
        self._scratch: WalkScratch | None = None
        baselines = self._settings.players * self.flat.num_nodes if self._settings.baseline else 0
        # regret [A] | average [A] | baseline [P, N]; see overbet.kernels.sampling.walks
        numbers = 2 * self.flat.num_slots + baselines
        if numbers > _MOST_NUMBERS:
            raise TooLargeError(
                f"{self.flat.name}: {numbers:,} numbers are more than the {_MOST_NUMBERS:,} of a table; "
                "use baseline: false, or a smaller game"
            )
        self.table = np.zeros(numbers)
        self.clock = np.zeros(1, dtype=np.int64)  # written by the kernel together with the table

    @property
    def iterations(self) -> int:
        """Return the iterations done."""
        return int(self.clock[0])

    @property
    def regret(self) -> Floats:
        """Return the cumulative regrets, a view: [slot] float64."""
        return self.table[: self.flat.num_slots]

    @property
    def average(self) -> Floats:
        """Return the sums of the average strategy, a view: [slot] float64."""
        return self.table[self.flat.num_slots : 2 * self.flat.num_slots]

    def run(self, iterations: int, workers: int = 1, progress: Progress | None = None) -> None:
        """Run that many further iterations, rounded up to whole batches, on `workers` threads.

        `progress` is called now and then with the number done in all. An exception there, or Ctrl-C, leaves
        whole batches behind: the run can go on, or be saved and resumed, as if nothing had happened.
        """
        if iterations < 1:
            raise ConfigError(f"the number of iterations is at least 1, not {iterations}")
        self._check_workers(workers)
        left = -(-iterations // self.config.batch)
        chunk = 1
        while left > 0:
            batches = min(chunk, left)
            started = time.perf_counter()
            self._run_batches(batches, workers)
            if time.perf_counter() - started < _CHUNK_SECONDS / 2:
                chunk = batches * 2
            left -= batches
            if progress is not None:
                progress(self.iterations)

    def prepare(self, workers: int = 1) -> None:
        """Compile or load the kernels and set up the work space, so that `run` starts at once."""
        self._check_workers(workers)
        self._run_batches(0, workers)

    def average_strategy(self) -> Floats:
        """Return the average strategy, [slot] float64; uniform in sets that were never reached."""
        return self.flat.normalise(self.average)

    def current_strategy(self) -> Floats:
        """Return the strategy the next iteration will play, [slot] float64."""
        return self.flat.normalise(np.maximum(self.regret, 0.0))

    def policy(self) -> TabularPolicy:
        """Return the average strategy as a policy, which can be saved, shown and handed to OpenSpiel."""
        origin: Origin = {
            "solver": f"{self.config.method} sampling",
            "rule": self.config.rule.name,
            "iterations": self.iterations,
            "seed": self.config.seed,
            "config_digest": self.config.digest(),
        }
        return TabularPolicy(self.flat, self.average_strategy(), origin)

    def best_response(self) -> TabularBestResponse:
        """Return the best responses to the average strategy."""
        return best_response(self.flat, self.average_strategy())

    def exploitability(self) -> float:
        """Return NashConv of the average strategy divided by the number of players."""
        return self.best_response().exploitability

    def save(self, path: str | Path) -> None:
        """Write everything needed to go on to a file (.h5), atomically."""
        from overbet.solvers.sampling_io import save_run

        save_run(self, path)

    @classmethod
    def load(cls, path: str | Path, game: FlatGame | Game | str | None = None) -> Self:
        """Return the saved run; it goes on bit for bit as if it had never stopped."""
        from overbet.solvers.sampling_io import load_run

        flat, config, table, iterations = load_run(path, None if game is None else as_flat(game))
        solver = cls(flat, config)
        solver.restore(table, iterations)
        return solver

    def restore(self, table: Floats, iterations: int) -> None:
        """Put saved tables in place: `table` as `self.table`."""
        if len(table) != len(self.table):
            raise ArtefactError(
                f"the saved table has {len(table):,} entries and this run asks for {len(self.table):,}"
            )
        self.table[:] = table
        self.clock[0] = iterations

    def _check_workers(self, workers: int) -> None:
        most = int(vars(numba.config)["NUMBA_NUM_THREADS"])
        if not 1 <= workers <= most:
            raise ConfigError(f"workers are between 1 and {most} on this machine, not {workers}")
        if workers > self.config.batch:
            raise ConfigError(
                f"{workers} workers share the iterations of a batch and the batch is {self.config.batch}; "
                "a batch of 256 or more keeps them busy"
            )

    def _run_batches(self, batches: int, workers: int) -> None:
        if self._scratch is None or len(self._scratch.place) != workers:
            outcome = self._epsilon is not None
            self._scratch = _scratch(self.flat, self._settings, outcome, workers)
        what = self._tree, self.table, self._scratch, self._settings, self._epsilon
        steps = self._steps(batches * self.config.batch)
        if workers == 1:
            sample(*what, steps, self.clock, batches)
            return
        others = numba.get_num_threads()
        numba.set_num_threads(workers)
        try:
            sample_on_threads(*what, steps, self.clock, batches)
        finally:
            numba.set_num_threads(others)

    def _steps(self, iterations: int) -> Floats:
        """Return the rule's scalars for the epochs that the next iterations touch, [epoch, 8] float64."""
        every, last = self.config.discount_every, self.config.discounts
        first_epoch = min(self.iterations // every, last)
        last_epoch = min((self.iterations + iterations) // every, last)
        return self.config.rule.steps(first_epoch + 1, last_epoch - first_epoch + 1)


def sample_tree(flat: FlatGame) -> SampleTree:
    """Return what traversals read of `flat`."""
    tree = flat.tree
    place = np.where(tree.infoset >= 0, tree.infoset_offset[tree.infoset], tree.terminal)
    deals = tree.player == CHANCE
    place[deals] = flat.num_nodes + earlier_deals(tree)[deals]  # decisions draw numbers 0 .. N-1
    node = packed_nodes(tree.player, tree.first_child, place, tree.num_children)
    keep, alias = alias_tables(flat)
    return SampleTree(node, tree.returns, keep, alias, tree.probability)


def alias_tables(flat: FlatGame) -> tuple[Floats, npt.NDArray[np.int32]]:
    """Return Walker's alias tables of all chance nodes, by child: keep [N] float64, alias [N] int32.

    Where all children come equally often nothing is written: every draw stays.
    """
    tree = flat.tree
    keep = np.ones(flat.num_nodes)
    alias = np.arange(flat.num_nodes, dtype=np.int32)
    for node in np.flatnonzero(tree.player == CHANCE).tolist():
        first, count = int(tree.first_child[node]), int(tree.num_children[node])
        shares = tree.probability[first : first + count] * count
        if np.allclose(shares, 1.0, rtol=0.0, atol=1e-12):
            continue
        fill_alias_table(shares, first, keep, alias)
    return keep, alias


def _settings(flat: FlatGame, config: SamplingConfig) -> SamplingSettings:
    return SamplingSettings(
        seed=config.seed,
        players=flat.num_players,
        slots=flat.num_slots,
        widest=int(np.diff(flat.tree.infoset_offset).max()),
        batch=config.batch,
        discount_every=config.discount_every,
        discounts=config.discounts,
        baseline=config.baseline_rate if config.baseline else 0.0,
    )


def _scratch(flat: FlatGame, settings: SamplingSettings, outcome: bool, workers: int) -> WalkScratch:
    places, entries = walk_bounds(flat.tree, outcome, settings.players)
    log = entries * -(-settings.batch // workers)
    strategies = settings.widest * (places if outcome else 1)
    size = workers * (32 * places + 8 * strategies + 12 * log)
    if size > _SCRATCH_LIMIT:
        raise TooLargeError(
            f"{flat.name}: a batch of {settings.batch} needs {size_text(size)} of work space; "
            "use a smaller batch, or outcome sampling"
        )
    return WalkScratch(
        place=np.empty((workers, places), dtype=np.int32),
        link=np.empty((workers, places), dtype=np.int32),
        value=np.empty((workers, places)),
        trail=np.empty((workers, places), dtype=np.int32),
        offset=np.empty((workers, places)),
        mark=np.empty((workers, places), dtype=np.int32),
        sigma=np.empty((workers, strategies)),
        slot=np.empty((workers, log), dtype=np.int32),
        amount=np.empty((workers, log)),
    )
