"""What a player's part of the betting before the flop is called: `BTN open`, `BB call vs BTN open`.

    limp                calls the big blind, nobody has raised
    open, iso           the first raise; the first raise after a limp
    3bet, 4bet, 5bet    the second raise, the third, any later one
    call                calls a raise
    check               the big blind checks after limps

Behind `vs` stands who raised before and how. The last thing that a player did names the range.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from overbet.interfaces.hands.review.walk import PlayedAction
from overbet.kernels.holdem.layout import CALL, FOLD

RAISES = ("open", "iso", "3bet", "4bet", "5bet")
LINES = ("limp", "check", "call", *RAISES)


class PreflopLine(NamedTuple):
    """What a player did last before the flop, and the raise it answered. versus: position and word."""

    position: str
    word: str
    versus: tuple[str, str] | None = None

    def __str__(self) -> str:
        return self.names()[0]

    def names(self) -> list[str]:
        """Return how a file of ranges may call it, the most exact first."""
        plain = f"{self.position} {self.word}"
        if self.versus is None:
            return [plain]
        position, word = self.versus
        return [f"{plain} vs {position} {word}", f"{plain} vs {word}", plain]


def preflop_lines(actions: Sequence[PlayedAction]) -> dict[int, PreflopLine]:
    """Return what every player who has not folded did last; those who never acted are left out."""
    found: dict[int, PreflopLine] = {}
    raises, limps, last = 0, 0, None
    for one in actions:
        state, player = one.state, one.player
        position = state.game.position(player)
        if one.action == FOLD:
            found.pop(player, None)
        elif one.action == CALL:
            if not state.to_call:
                found.setdefault(player, PreflopLine(position, "check"))
            elif last is None:
                found[player] = PreflopLine(position, "limp")
                limps += 1
            else:
                found[player] = PreflopLine(position, "call", last)
        else:
            word = ("iso" if limps else "open") if not raises else RAISES[min(raises + 1, 4)]
            found[player] = PreflopLine(position, word, last)
            last, raises = (position, word), raises + 1
    return found
