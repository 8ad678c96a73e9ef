"""What a tournament stack is worth in prizes: the independent chip model (Malmuth 1987, after Harville 1973).

The chance to finish first is the share of the chips; given who is first, the chance to finish second is the
share of the remaining chips, and so on down.
"""

from __future__ import annotations

from collections.abc import Sequence

from overbet.errors import RulesError


def prize_ev(stacks: Sequence[int], prizes: Sequence[float]) -> tuple[float, ...]:
    """Return each player's expected prize. prizes: first place first; places not named pay nothing.

    Players without chips share the last places evenly among themselves.
    """
    if not stacks or min(stacks) < 0 or not any(stacks):
        raise RulesError(
            f"stacks {tuple(stacks)} are not a tournament: no negative stack, and chips somewhere"
        )
    paid = [*prizes, *(0.0,) * len(stacks)][: len(stacks)]
    alive = [player for player, chips in enumerate(stacks) if chips]
    values = [0.0] * len(stacks)
    out = [player for player in range(len(stacks)) if not stacks[player]]
    for player in out:
        values[player] = sum(paid[len(alive) :]) / len(out)
    # how likely exactly the players of `mask` hold the first places, by number of places given out
    layer = {0: 1.0}
    for place in range(len(alive)):
        following: dict[int, float] = {}
        for mask, chance in layer.items():
            rest = [player for player in alive if not mask >> player & 1]
            chips = sum(stacks[player] for player in rest)
            for player in rest:
                share = chance * stacks[player] / chips
                values[player] += share * paid[place]
                following[mask | 1 << player] = following.get(mask | 1 << player, 0.0) + share
        layer = following
    return tuple(values)
