"""How far a blueprint is from a best response within its own abstraction: the right measure for its game.

- `exact`: two players and few enough deals to be listed (`exact_response`).
- `one decision`: nobody acts twice (push or fold), any number of players: the best response over sampled
  deals, an upper bound that more deals bring down (`response`).
- `sampled`: everything else: a learned response on fresh deals, a lower bound (`sampled_response`).
"""

from __future__ import annotations

from pathlib import Path
from typing import Any, NamedTuple

from overbet.blueprint.cards import CardModel
from overbet.blueprint.catalogue import find_blueprint
from overbet.blueprint.exact_response import can_be_listed, exact_response
from overbet.blueprint.loop import Training
from overbet.blueprint.query import Blueprint
from overbet.blueprint.response import measure_response, sampled_deals
from overbet.blueprint.run import Run
from overbet.blueprint.sampled_response import Progress, sampled_response
from overbet.blueprint.trainer import Trainer
from overbet.errors import ConfigError
from overbet.kernels.training.response import acts_twice

SEED = 1_000_003


class Measurement(NamedTuple):
    """In big blinds a hand, by player; intervals are half widths at 95 %, 0 where nothing was sampled."""

    kind: str  # exact, one decision, sampled
    values_bb: tuple[float, ...]
    gains_bb: tuple[float, ...]
    gain_intervals_bb: tuple[float, ...]
    nash_conv_bb: float
    nash_conv_interval_bb: float
    deals: int
    iterations: int = 0  # that a sampled response learned from
    checked_gain_bb: float | None = None  # one decision: chosen on one half of the deals, judged on the other

    @property
    def least_nash_conv_bb(self) -> float:
        """What NashConv is at least, the interval taken off; a response that gains nothing shows nothing."""
        return max(self.nash_conv_bb - self.nash_conv_interval_bb, 0.0)

    def facts(self) -> dict[str, Any]:
        """Return what goes into a manifest."""
        return {
            "best_response_in_the_abstraction": {k: v for k, v in self._asdict().items() if v is not None}
        }


def measured_tables(path: str | Path, cards: CardModel | None = None) -> Training:
    """Return the tables of a run's folder, of a blueprint file or of a shipped one, to be measured."""
    place = Path(path)
    if place.is_dir():
        return Run.look(place, cards)
    blueprint = Blueprint.load(find_blueprint(place), cards)
    if blueprint.tables != "dense":
        raise ConfigError(f"{path} has keyed tables: measure the folder of its run")
    strategy = blueprint.rows_of_255ths()
    trainer = Trainer(blueprint.config, cards)
    trainer.table[1 : 2 * trainer.entries : 2] = strategy
    trainer.iterations = int(blueprint.manifest.get("iterations", 0))
    return trainer


def measure_blueprint(
    path: str | Path,
    deals: int | None = None,
    iterations: int | None = None,
    *,
    workers: int = 1,
    progress: Progress | None = None,
) -> Measurement:
    """Measure a run's folder, a blueprint file or a shipped blueprint; as `measure`."""
    return measure(measured_tables(path), deals, iterations, workers=workers, progress=progress)


def measure(
    trainer: Training,
    deals: int | None = None,
    iterations: int | None = None,
    seed: int = SEED,
    workers: int = 1,
    progress: Progress | None = None,
) -> Measurement:
    """Return what best responses gain against the average strategy, by the measure that fits the game.

    deals: sampled deals (2,000,000 for one decision, 500,000 for a learned response); iterations: walks a
    player that a response learns from (1,000,000).
    """
    listed = _without_learning(trainer, deals, seed) if isinstance(trainer, Trainer) else None
    if listed is not None:
        return listed
    found = sampled_response(trainer, iterations or 1_000_000, deals or 500_000, seed, workers, progress)
    return Measurement("sampled", *found[:5], deals=found.deals, iterations=found.iterations)


def _without_learning(trainer: Trainer, deals: int | None, seed: int) -> Measurement | None:
    """Return what can be worked out on a tree without learning a response, or None."""
    players = trainer.holdem.num_players
    if can_be_listed(trainer):
        exact = exact_response(trainer)
        return Measurement(
            "exact", exact.values_bb, exact.gains_bb, (0.0,) * players, exact.nash_conv_bb, 0.0, exact.deals
        )
    if acts_twice(trainer.game.record, players):
        return None
    one = measure_response(trainer, sampled_deals(trainer, deals or 2_000_000, seed))
    return Measurement(
        "one decision",
        one.values_bb,
        one.gains_bb,
        (0.0,) * players,
        one.nash_conv_bb,
        0.0,
        one.deals,
        checked_gain_bb=one.checked_gain_bb,
    )
