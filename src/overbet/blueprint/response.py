"""How much a best response gains against a push-or-fold blueprint with any number of players.

NashConv is the sum over players of what the best response in the blueprint's own abstraction gains. Over a
full list of deals it is exact. Over sampled deals choosing and judging on the same sample flatters the
response, so the figure is too high on average; a response chosen on one half of the deals and judged on the
other gains too little on average (it may even lose): the truth lies between.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from overbet.blueprint.trainer import Trainer
from overbet.errors import ConfigError
from overbet.kernels.training.deal import Deals
from overbet.kernels.training.response import action_values, acts_twice

Floats = npt.NDArray[np.float64]


class Response(NamedTuple):
    """Values in big blinds a hand, by player."""

    values_bb: tuple[float, ...]  # of the average strategies against each other
    gains_bb: tuple[float, ...]  # of a best response, chosen and judged on the same deals
    nash_conv_bb: float  # the sum of the gains
    checked_gain_bb: float  # all players' responses chosen on one half of the deals, judged on the other
    deals: int


class _Sums(NamedTuple):
    worth: Floats  # [entries]
    passive: Floats  # [players]
    deals: int


def measure_response(trainer: Trainer, deals: Iterable[Deals]) -> Response:
    """Return the best response to the trainer's average strategy over batches of deals.

    Batches go to the two halves in turn. `sampled_deals` makes them; a full list of a small deck's deals may
    stand in.
    """
    players = trainer.tree.game.num_players
    if acts_twice(trainer.game.record, players):
        raise ConfigError("a player acts twice in this tree; this measure is for push or fold")
    strategy = _strategy(trainer)
    halves = [_Sums(np.zeros(trainer.entries), np.zeros(players), 0) for _ in range(2)]
    for number, batch in enumerate(deals):
        sums = halves[number % 2]
        action_values(trainer.game, strategy, batch, players, sums.worth, sums.passive)
        halves[number % 2] = sums._replace(deals=sums.deals + len(batch.cards))
    whole = _Sums(
        halves[0].worth + halves[1].worth,
        halves[0].passive + halves[1].passive,
        halves[0].deals + halves[1].deals,
    )
    if not whole.deals:
        raise ConfigError("there are no deals to measure on")
    values = _values(trainer, strategy, whole)
    gains = _values(trainer, _best(trainer, whole.worth), whole) - values
    checked = 0.0
    if halves[0].deals and halves[1].deals:
        for chosen, judged in (halves, halves[::-1]):
            best = _best(trainer, chosen.worth)
            checked += float((_values(trainer, best, judged) - _values(trainer, strategy, judged)).sum()) / 2
    return Response(
        values_bb=tuple(values.tolist()),
        gains_bb=tuple(gains.tolist()),
        nash_conv_bb=float(gains.sum()),
        checked_gain_bb=checked,
        deals=whole.deals,
    )


def sampled_deals(trainer: Trainer, count: int, seed: int, batch: int = 4096) -> Iterable[Deals]:
    """Yield batches of `count` deals in all; a seed other than the training's gives other deals."""
    for first in range(0, count, batch):
        yield trainer.deals(seed, first, min(batch, count - first))


def _strategy(trainer: Trainer) -> Floats:
    strategy = np.zeros(trainer.entries)
    for node in np.flatnonzero(trainer.tree.nodes.player >= 0).tolist():
        shares = trainer.average(node)
        strategy[trainer.entries_of(node)] = np.where(np.isnan(shares), 1.0 / shares.shape[1], shares)
    return strategy


def _best(trainer: Trainer, worth: Floats) -> Floats:
    strategy = np.zeros(trainer.entries)
    for node in np.flatnonzero(trainer.tree.nodes.player >= 0).tolist():
        places = trainer.entries_of(node)
        best = worth[places].argmax(1)
        strategy[places[np.arange(len(places)), best]] = 1.0
    return strategy


def _values(trainer: Trainer, strategy: Floats, sums: _Sums) -> Floats:
    """Return what each player gets for playing `strategy` against the others' average."""
    values = sums.passive.copy()
    for node in np.flatnonzero(trainer.tree.nodes.player >= 0).tolist():
        places = trainer.entries_of(node)
        values[trainer.tree.nodes.player[node]] += (strategy[places] * sums.worth[places]).sum()
    found: Floats = values / sums.deals
    return found
