"""What tables show: moments of hands that were really played, from files of histories.

Names are not taken over, chips become amounts of the theme's own stakes. At seat 0 sits the hero, or somebody
whose cards the file has; what is not known lies face down.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np

from overbet.errors import ConfigError, short
from overbet.games.holdem_state import HoldemState
from overbet.interfaces.history.played import read_played
from overbet.interfaces.history.played_hand import PlayedHand
from overbet.interfaces.history.replay import states
from overbet.kernels.holdem.layout import HIDDEN_CARD

_MOMENTS = 2  # of a hand


def recorded_states(path: Path, seed: int, seats: int) -> Iterator[tuple[HoldemState, tuple[int, ...], bool]]:
    """Yield (state, seat of each player, whether it is a showdown): a few moments of each hand of a file.

    Hands of more players than `seats`, and hands that cannot be read, are left out.
    """
    rng = np.random.default_rng([seed, seats])
    found = False
    for hand in read_played(path):
        if not isinstance(hand, PlayedHand) or len(hand.record.starting_stacks) > seats:
            continue
        path_of_hand = list(states(hand.record))
        at_seats = _seated(hand, path_of_hand[-1], seats, rng)
        if at_seats is None:
            continue
        moments = [(state, False) for state in path_of_hand if state.current_player() >= 0]
        if sum(path_of_hand[-1].in_hand) > 1:
            moments.append((path_of_hand[-1], True))
        later = np.array([1.0 + 2.0 * len(state.board) for state, _ in moments])
        for place in sorted(
            rng.choice(len(moments), min(_MOMENTS, len(moments)), replace=False, p=later / later.sum())
        ):
            found = True
            state, showdown = moments[place]
            yield state, at_seats, showdown
    if not found:
        raise ConfigError(f"{short(path)} has no hand of hold'em that a table of {seats} seats can show")


def _seated(
    hand: PlayedHand, end: HoldemState, seats: int, rng: np.random.Generator
) -> tuple[int, ...] | None:
    """Return the seat of each player in their order round the table; None where nobody can sit at seat 0."""
    players = len(hand.record.starting_stacks)
    known = [player for player in range(players) if HIDDEN_CARD not in end.hole[player]]
    if hand.hero in known:
        own: int | None = hand.hero
    elif known:
        own = int(rng.choice(known))
    elif players < seats:
        own = None  # seat 0 stays empty: nobody's cards are known
    else:
        return None
    others = players - (own is not None)
    taken = sorted(int(seat) for seat in 1 + rng.choice(seats - 1, others, replace=False))
    if own is None:
        return tuple(taken)
    after = [0, *taken]  # round the table from the player at seat 0
    return tuple(after[(player - own) % players] for player in range(players))
