"""A hand as numbers for programs that learn, and a short menu of actions: what environments offer.

`table_numbers(state, player)`: [104 + 3 * players + 7] float32, all within 0 and 1:

    52        the player's hole cards, one where held
    52        the board
    players   chips behind, as a share of all chips at the table; the player first, then clockwise
    players   chips put in on this street, likewise
    players   1 where still in the hand, likewise
    1, 1      pot and chips to call, as shares of all chips
    4         the street
    1         the player's seat, from 0 left of the button to 1 on it

`ActionMenu` numbers the actions: 0 fold, 1 check or call, one for each size as a share of the pot, and all-in
last.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from overbet.errors import ConfigError, IllegalActionError
from overbet.games.holdem_state import STREETS, HoldemState
from overbet.kernels.holdem.layout import CALL, FOLD

_DECK = 52


def numbers_width(players: int) -> int:
    """Return how many numbers describe a hand of that many players."""
    return 2 * _DECK + 3 * players + 3 + len(STREETS)


def table_numbers(state: HoldemState, player: int) -> npt.NDArray[np.float32]:
    """Return what `player` sees, as numbers; the others' hole cards are not among them."""
    players = state.num_players
    found = np.zeros(numbers_width(players), np.float32)
    for card in state.hole[player]:
        if card < _DECK:
            found[card] = 1.0
    for card in state.board:
        found[_DECK + card] = 1.0
    order = [(player + seat) % players for seat in range(players)]
    total = float(sum(state.game.start))
    at = 2 * _DECK
    for row in (
        [state.stacks[p] / total for p in order],
        [state.bets[p] / total for p in order],
        [float(state.in_hand[p]) for p in order],
    ):
        found[at : at + players] = row
        at += players
    acting = state.current_player() >= 0
    found[at : at + 2] = state.pot / total, state.to_call / total if acting else 0.0
    found[at + 2 + STREETS.index(state.street)] = 1.0
    found[-1] = player / (players - 1)
    return found


@dataclass(frozen=True)
class ActionMenu:
    """Fold, check or call, bets and raises as shares of the pot after the call, all-in."""

    sizes: tuple[float, ...] = (0.5, 1.0)

    def __post_init__(self) -> None:
        if any(not 0.0 < size <= 100.0 for size in self.sizes) or list(self.sizes) != sorted(set(self.sizes)):
            raise ConfigError(f"sizes are shares of the pot, ascending, such as (0.5, 1.0), not {self.sizes}")

    def __len__(self) -> int:
        return len(self.sizes) + 3

    def actions(self, state: HoldemState) -> list[int | None]:
        """Return the action of the state that each entry means; None where it is not possible.

        A size smaller than the least raise or as large as all-in is not possible: all-in has an entry.
        """
        legal = state.legal_actions()
        found: list[int | None] = [FOLD if legal.fold else None, None if legal.call is None else CALL]
        least, most = legal.raise_min, legal.raise_max
        if legal.call is None or least is None or most is None:
            return [*found, *(None for _ in range(len(self) - 2))]
        called = state.bets[state.current_player()] + legal.call
        for size in self.sizes:
            to = called + round(size * (state.pot + legal.call))
            found.append(to if least <= to < most else None)
        return [*found, most]

    def mask(self, state: HoldemState) -> npt.NDArray[np.int8]:
        """Return 1 for each entry that is possible: [entry] int8."""
        return np.array([action is not None for action in self.actions(state)], np.int8)

    def action(self, state: HoldemState, entry: int) -> int:
        """Return the action of one entry; one that is not possible raises `IllegalActionError`."""
        actions = self.actions(state)
        chosen = actions[entry] if 0 <= entry < len(actions) else None
        if chosen is None:
            possible = [place for place, action in enumerate(actions) if action is not None]
            raise IllegalActionError(f"entry {entry} of the menu is not possible; possible: {possible}")
        return chosen
