"""The config of a training run: game, bets, cards, solver, and how it is run.

Game, bets, cards and solver decide the result; `run` and the number of iterations only decide when it is
there. So a run may be resumed with other workers, other checkpoints or more iterations, but not with another
game, abstraction or solver: those have hashes, and they go into every checkpoint and blueprint.
"""

from __future__ import annotations

import hashlib
import json
import math
from typing import Annotated, Literal, Self

import pydantic

from overbet.betting.menu import Menu
from overbet.config import Config
from overbet.errors import ConfigError, OverbetError
from overbet.games.holdem import HoldemGame
from overbet.solvers.rules import Rule, make_rule

# names people use for the rules besides those of `solvers.rules`
_ALIASES = {"linear": "lcfr", "plain": "cfr"}
BOARD_DEALS = 1000  # deals that a board counts as, so that both are iterations of one kind
Chips = Annotated[int, pydantic.Field(ge=0)]
Levels = Literal[3, 5, 15, 17, 51, 85, 255]  # what a whole number of 255ths is a share of


class GameConfig(Config):
    """The table. Stacks in big blinds, one for all or one a player (first the seat left of the button).

    prizes: three players of a tournament, the shares of its prizes that first, second and third place get;
    what a hand changes in them by the independent chip model is played for. Left out, chips are played for.
    """

    players: Annotated[int, pydantic.Field(ge=2, le=9)] = 2
    stack_bb: float | tuple[float, ...] = 100.0
    small_blind: Chips = 50
    big_blind: Annotated[int, pydantic.Field(ge=1)] = 100
    ante: Chips = 0
    big_blind_ante: Chips = 0
    rake: Annotated[float, pydantic.Field(ge=0.0, lt=1.0)] = 0.0
    rake_cap: Chips | None = None
    no_flop_no_drop: bool = False
    full_blind: bool = False
    prizes: tuple[float, ...] | None = None

    @pydantic.model_validator(mode="after")
    def _playable(self) -> Self:
        try:
            self.game()
        except OverbetError as error:
            raise ValueError(str(error)) from error
        if self.prizes is not None:
            self._paid(self.prizes)
        return self

    def _paid(self, prizes: tuple[float, ...]) -> None:
        """Refuse prizes that are none of three players' tournaments."""
        falling = list(prizes) == sorted(prizes, reverse=True)
        adds_up = abs(sum(prizes) - 1) <= 1e-6  # no number that is none does
        if not (2 <= len(prizes) <= 3 and min(prizes) >= 0 and falling and adds_up):
            raise ValueError(
                "prizes are two or three shares that add up to 1, the largest first, such as "
                "[0.8, 0.12, 0.08]; leave them out where the winner takes all: chips are worth the same then"
            )
        if self.players != 3:
            raise ValueError(f"prizes are for three players, not {self.players}")

    def game(self) -> HoldemGame:
        """Return the table."""
        given = self.stack_bb if isinstance(self.stack_bb, tuple) else (self.stack_bb,) * self.players
        if not all(math.isfinite(stack * self.big_blind) for stack in given):
            raise ConfigError("stack_bb is a number of big blinds, and neither infinite nor nan")
        stacks = [round(stack * self.big_blind) for stack in given]
        for stack, chips in zip(given, stacks):
            if abs(stack * self.big_blind - chips) > 1e-6:
                raise ConfigError(
                    f"stack_bb {stack:g} is not a whole number of chips at {self.big_blind} a blind"
                )
        return HoldemGame(
            num_players=self.players,
            stacks=stacks,
            blinds=(self.small_blind, self.big_blind),
            ante=self.ante,
            big_blind_ante=self.big_blind_ante,
            rake=self.rake,
            rake_cap=self.rake_cap,
            no_flop_no_drop=self.no_flop_no_drop,
            full_blind=self.full_blind,
        )


class CardsConfig(Config):
    """How hands are grouped: `preflop` (169 classes, no decisions later) or `buckets` from a file.

    groups: flop, turn and river: so many groups of the file's buckets (`abstraction.grouping`), for games
    that need fewer.
    """

    kind: Literal["preflop", "buckets"] = "buckets"
    path: str = "standard"  # a file of `overbet buckets build`, or the name of a preset
    groups: tuple[pydantic.PositiveInt, pydantic.PositiveInt, pydantic.PositiveInt] | None = None

    @pydantic.model_validator(mode="after")
    def _groups_of_buckets(self) -> Self:
        if self.groups is not None and self.kind != "buckets":
            raise ValueError(f"cards.groups are groups of buckets, and cards.kind is {self.kind}")
        return self


class SolverConfig(Config):
    """What decides the result, besides game, bets and cards.

    method: `external` and `outcome` follow sampled deals; `boards` (heads up) deals a board and sweeps the
    whole tree for all pairs of hands, which counts as 1,000 iterations.
    batch: deterministic mode, iterations that read the same tables. discount_every, discounts: the rule acts
    on the whole table at the start of that many epochs of that many iterations; later ones count the same.
    threshold_bb: regret under which an action is skipped in a share `pruned` of the iterations; the regret
    never falls further than a tenth below it. deals: `cycled` deals every pair of hands once a cycle (heads
    up).
    exact_all_in: heads up, hands all in before the flop get their exact equity instead of one board.
    epsilon, baseline: outcome sampling, how much is explored and how fast the baseline follows (0: none).
    tremble: boards only, how often players act at random while they learn, so that lines which nobody takes
    are answered well too.
    average_lines: three players or more, lines followed for the average strategy a player and iteration.
    numbers: `int32` tables hold fixed-point numbers that stop at the ends of their range.
    tables: `dense` has a row for every decision of the betting tree and every bucket; `keyed` has `capacity`
    rows for the information sets that are met, found by a 64-bit key, and needs no tree. Keyed only:
    coarse: chips within this share of each other are one in the key (0: every chip counts);
    texture: whether the key tells boards apart by suits and pairs. kept_rows: how many rows the file keeps,
    those that were met most often (0: all).
    shards: 0, or how many walkers start from the same tables in every epoch of `merge_every` iterations; what
    they learned is added in order: the same bits on any number of machines, which `--cluster` shares them
    out to.
    """

    method: Literal["external", "outcome", "boards"] = "external"
    rule: Rule = make_rule("lcfr")
    seed: Annotated[int, pydantic.Field(ge=0, lt=2**63)] = 0
    mode: Literal["shared", "deterministic"] = "shared"
    batch: Annotated[int, pydantic.Field(ge=1, le=1_000_000)] = 256
    discount_every: pydantic.PositiveInt = 1_000_000
    discounts: pydantic.NonNegativeInt = 20
    epsilon: Annotated[float, pydantic.Field(gt=0.0, lt=1.0)] = 0.6
    baseline: Annotated[float, pydantic.Field(ge=0.0, le=1.0)] = 0.05
    tremble: Annotated[float, pydantic.Field(ge=0.0, le=0.5)] = 0.0
    pruned: Annotated[float, pydantic.Field(ge=0.0, le=1.0)] = 0.0
    threshold_bb: Annotated[float, pydantic.Field(lt=0.0)] = -100_000.0
    deals: Literal["random", "cycled"] = "random"
    exact_all_in: bool = True
    average_lines: Annotated[int, pydantic.Field(ge=1, le=64)] = 1
    numbers: Literal["float32", "int32"] = "float32"
    tables: Literal["dense", "keyed"] = "dense"
    capacity: Annotated[int, pydantic.Field(ge=16, lt=2**32)] = 4_000_000
    coarse: Annotated[float, pydantic.Field(ge=0.0, le=10.0)] = 0.0
    texture: bool = True
    kept_rows: pydantic.NonNegativeInt = 0
    shards: Annotated[int, pydantic.Field(ge=0, le=100_000)] = 0
    merge_every: pydantic.PositiveInt = 100_000

    @pydantic.field_validator("rule", mode="before")
    @classmethod
    def _by_name(cls, rule: object) -> object:
        if not isinstance(rule, str):
            return rule
        try:
            return make_rule(_ALIASES.get(rule, rule))
        except ConfigError as error:
            raise ValueError(str(error)) from error

    @pydantic.model_validator(mode="after")
    def _fits(self) -> Self:
        if self.rule.prediction:
            raise ValueError(
                f"rule {self.rule.name!r} predicts from the last regret, which is noise under sampling; "
                "use plain, linear, dcfr, cfr+ or dcfr+"
            )
        if self.mode == "deterministic" and self.discount_every % self.batch:
            raise ValueError(
                f"discount_every {self.discount_every} is not a multiple of batch {self.batch}: "
                "discounts fall between batches"
            )
        for key, value in (("numbers", "int32"), ("tables", "keyed")):
            if getattr(self, key) == value and self.method != "external":
                raise ValueError(f"{key}: {value} goes with method: external, not with {self.method}")
        if self.method == "boards":
            self._swept()
        elif self.tremble:
            raise ValueError(f"tremble goes with method: boards, not with {self.method}; leave it out")
        if self.shards:
            self._sharded()
        return self

    def _sharded(self) -> None:
        """Refuse what shards have no path for."""
        if self.method != "external":
            raise ValueError(f"shards go with method: external, not with {self.method}")
        if self.discount_every % self.merge_every:
            raise ValueError(
                f"discount_every {self.discount_every} is not a multiple of merge_every {self.merge_every}: "
                "discounts fall between epochs"
            )
        least = self.shards * (self.batch if self.mode == "deterministic" else 1)
        if self.merge_every % least:
            batches = f" shards of whole batches of {self.batch}" if least > self.shards else " shards"
            raise ValueError(
                f"merge_every {self.merge_every} cannot be shared out among {self.shards}{batches}; use a "
                f"multiple of {least}"
            )

    def _swept(self) -> None:
        """Refuse what sweeps of boards have no path for."""
        if self.mode == "deterministic" or self.deals == "cycled" or self.pruned:
            raise ValueError(
                "method: boards goes with mode: shared (one worker makes the same bits again), deals: random "
                "and pruned: 0"
            )
        if self.discount_every % BOARD_DEALS:
            raise ValueError(
                f"discount_every {self.discount_every} is not a multiple of {BOARD_DEALS}, which a board "
                "counts as"
            )


class RunConfig(Config):
    """How a run is run: nothing here changes what is learned.

    storage: `mapped` keeps the tables in a file of the run's folder instead of memory. device: where boards
    are swept (`solver.method: boards`); `auto` is a GPU where there is one. levels: dense tables, the
    blueprint at the end has shares in whole `levels`-ths (`blueprint.rounding`); checkpoints are as ever.
    """

    workers: Annotated[int, pydantic.Field(ge=0, le=1024)] = 0  # 0: all cores
    checkpoint_minutes: Annotated[float, pydantic.Field(gt=0.0)] = 10.0
    keep: pydantic.PositiveInt = 3
    report_seconds: Annotated[float, pydantic.Field(gt=0.0)] = 10.0
    storage: Literal["memory", "mapped"] = "memory"
    device: Literal["auto", "cpu", "cuda"] = "auto"
    levels: Levels = 255


class BlueprintConfig(Config):
    """Everything about a training run; `BlueprintConfig.load("configs/heads-up.yaml")`."""

    name: str = "blueprint"
    game: GameConfig = GameConfig()
    menu: Menu
    cards: CardsConfig = CardsConfig()
    solver: SolverConfig = SolverConfig()
    iterations: pydantic.PositiveInt = 1_000_000
    run: RunConfig = RunConfig()

    @pydantic.model_validator(mode="after")
    def _two_for_cycles(self) -> Self:
        if self.solver.deals == "cycled" and self.game.players != 2:
            raise ValueError(f"solver.deals: cycled is for two players, not {self.game.players}")
        if self.solver.method == "boards" and self.game.players != 2:
            raise ValueError(f"solver.method: boards is for two players, not {self.game.players}")
        if self.game.prizes is not None and self.solver.tables == "keyed":
            raise ValueError("game.prizes go with solver.tables: dense, not with keyed")
        if self.run.levels != 255 and self.solver.tables == "keyed":
            raise ValueError("run.levels goes with solver.tables: dense, not with keyed; leave it out")
        if self.run.device == "cuda" and self.solver.method != "boards":
            raise ValueError(
                f"run.device: cuda goes with solver.method: boards, not with {self.solver.method}"
            )
        return self

    def solver_digest(self) -> str:
        """Return the hash of what decides the result besides game and abstraction."""
        solver = self.solver
        # how many rows there is room for changes nothing; what was added later is named only where it is used
        unused = {"capacity", "kept_rows"}
        if solver.tables == "dense":
            unused |= {"tables", "coarse", "texture"}
        if solver.numbers == "float32":
            unused.add("numbers")
        if not solver.shards:
            unused |= {"shards", "merge_every"}
        if not solver.tremble:
            unused.add("tremble")
        values = solver.model_dump(mode="json", exclude=unused)
        if solver.method == "boards":  # tables in the units of deals: either goes on with the other's
            values["method"] = "external"
        if self.game.prizes is not None:
            values["prizes"] = self.game.prizes
        text = json.dumps(values, sort_keys=True)
        return hashlib.sha256(text.encode()).hexdigest()
