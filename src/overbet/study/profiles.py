"""Profiles: a word for a player (nit, station, maniac, regular), with its probability.

A profile is a centre: how far each of a few frequencies lies from the pool's, in log odds, so that the same
centres serve at any table. Within a profile players vary around the centre as a beta distribution of the
weight `WITHIN`. The probability of a profile is by Bayes: its share among players times the probability of
the player's counts, frequencies taken as independent of each other. A player of whom little was seen is what
most players are.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from overbet.errors import ConfigError, unknown

Floats = npt.NDArray[np.float64]
Counts = dict[tuple[str, str, str], tuple[int, int]]
WITHIN = 40.0  # decisions: how alike players of one profile are

_OPENS = ("preflop", "unopened", "raise")
_FOLDS_BLIND = ("preflop", "facing open", "fold")
_THREE_BETS = ("preflop", "facing open", "raise")
_FOLDS_TO_THREE_BET = ("preflop", "facing 3bet", "fold")
_C_BETS = ("flop", "c-bet chance", "bet")
_FOLDS_FLOP = ("flop", "facing bet", "fold")
_RAISES_FLOP = ("flop", "facing bet", "raise")
_BARRELS = ("turn", "barrel chance", "bet")
_CALLS_RIVER = ("river", "facing bet", "call")


class Profile(NamedTuple):
    """A kind of player. share: of all players; shifts: log odds beside the pool's, 0 where not named."""

    name: str
    share: float
    shifts: dict[tuple[str, str, str], float]


PROFILES = (
    Profile("regular", 0.5, {}),
    Profile(
        "nit",
        0.2,
        {
            _OPENS: -0.8,
            _FOLDS_BLIND: 0.6,
            _THREE_BETS: -0.8,
            _FOLDS_TO_THREE_BET: 0.7,
            _FOLDS_FLOP: 0.5,
            _RAISES_FLOP: -0.6,
            _BARRELS: -0.5,
            _CALLS_RIVER: -0.7,
        },
    ),
    Profile(
        "station",
        0.2,
        {
            _FOLDS_BLIND: -0.8,
            _THREE_BETS: -0.5,
            _FOLDS_TO_THREE_BET: -0.9,
            _C_BETS: -0.3,
            _FOLDS_FLOP: -0.9,
            _RAISES_FLOP: -0.4,
            _BARRELS: -0.4,
            _CALLS_RIVER: 0.9,
        },
    ),
    Profile(
        "maniac",
        0.1,
        {
            _OPENS: 0.9,
            _FOLDS_BLIND: -0.5,
            _THREE_BETS: 1.0,
            _FOLDS_TO_THREE_BET: -0.6,
            _C_BETS: 0.9,
            _FOLDS_FLOP: -0.5,
            _RAISES_FLOP: 1.0,
            _BARRELS: 0.9,
            _CALLS_RIVER: 0.3,
        },
    ),
)


def profile_of(
    counts: Mapping[tuple[str, str, str], tuple[int, int]], pool: Mapping[tuple[str, str, str], float]
) -> dict[str, float]:
    """Return the probability of every profile, the likeliest first.

    counts: (hits, chances) by street, line and action; pool: the mean frequency of each.
    """
    asked = {key for profile in PROFILES for key in profile.shifts} & {*counts} & {*pool}
    scores = []
    for profile in PROFILES:
        score = math.log(profile.share)
        for key in asked:
            score += _log_chance(*counts[key], centre(pool[key], profile.shifts.get(key, 0.0)))
        scores.append(score)
    shares = np.exp(np.array(scores) - max(scores))
    found = dict(zip((profile.name for profile in PROFILES), (shares / shares.sum()).tolist()))
    return dict(sorted(found.items(), key=lambda item: -item[1]))


def profile_mix(name: str, street: str, line: str, usual: Mapping[str, float]) -> dict[str, float]:
    """Return what a player of a profile does at a line where others do `usual`: shares by kind of action.

    The odds of each kind are moved as the profile's centre is; `model_lock` makes a lock of the two mixes.
    """
    known = {profile.name: profile for profile in PROFILES}
    if name not in known:
        raise ConfigError(unknown("profile", name, list(known)))
    shifts = known[name].shifts
    weights = {kind: share * math.exp(shifts.get((street, line, kind), 0.0)) for kind, share in usual.items()}
    total = sum(weights.values())
    if not total > 0.0:
        raise ConfigError("what others do there adds up to nothing; give the share of each kind of action")
    return {kind: weight / total for kind, weight in weights.items()}


def centre(mean: float, shift: float) -> float:
    """Return the frequency whose log odds lie by `shift` from those of a mean."""
    mean = min(max(mean, 1e-3), 1.0 - 1e-3)
    return 1.0 / (1.0 + (1.0 - mean) / mean * math.exp(-shift))


def log_gamma(values: Floats) -> Floats:
    """Return the logarithm of the gamma function of positive numbers: [n] float64, to 12 digits."""
    moved, product = values + 8.0, np.zeros_like(values)
    for step in range(8):
        product += np.log(values + step)
    inverse = 1.0 / moved
    series = inverse / 12.0 - inverse**3 / 360.0 + inverse**5 / 1260.0 - inverse**7 / 1680.0
    return (moved - 0.5) * np.log(moved) - moved + 0.5 * math.log(2.0 * math.pi) + series - product


def _log_chance(hits: int, chances: int, mean: float) -> float:
    """Return the log probability of counts of a player of a profile; the binomial factor is left out."""
    a, b = WITHIN * mean, WITHIN * (1.0 - mean)
    top = math.lgamma(a + hits) + math.lgamma(b + chances - hits) - math.lgamma(a + b + chances)
    return top - math.lgamma(a) - math.lgamma(b) + math.lgamma(a + b)
