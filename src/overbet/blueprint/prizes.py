"""What a walk reads of the prizes that three players of a tournament play for (`kernels.training.prizes`)."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from overbet.blueprint.config import GameConfig
from overbet.blueprint.cores import own_lines
from overbet.games.icm import prize_ev

Floats = npt.NDArray[np.float32]


class PrizeArrays(NamedTuple):
    """The last fields of a `WalkedGame`: [3] float32 each, or empty where chips are played for."""

    stacks: Floats
    worth: Floats
    prizes: Floats


def no_prizes() -> PrizeArrays:
    """Return the arrays of a game that is played for chips."""
    return PrizeArrays(*(own_lines(0, np.float32) for _ in PrizeArrays._fields))


def prize_arrays(config: GameConfig) -> PrizeArrays:
    """Return stacks in big blinds, what they are worth, and the shares of the places."""
    if config.prizes is None:
        return no_prizes()
    game = config.game()
    shares = [*config.prizes, 0.0][: game.num_players]
    stacks = np.array(game.start) / game.big_blind
    found = stacks, prize_ev(list(game.start), shares), shares
    return PrizeArrays(*(np.array(values, np.float32) for values in found))
