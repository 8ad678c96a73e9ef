"""Actions in words."""

from __future__ import annotations

from collections.abc import Sequence

from overbet.kernels.holdem.layout import CALL, FOLD, PREFLOP


def action_names(
    actions: Sequence[int], street: int, level: int, big_blind: int, all_in: int
) -> tuple[str, ...]:
    """Return the actions of a decision in words, in big blinds.

    level: bets and raises made on the street; all_in: the chips of a bet there of everything the player has.
    """
    verb = "raise" if level or street == PREFLOP else "bet"
    words = {FOLD: "fold", CALL: "call" if FOLD in actions else "check"}
    return tuple(
        words.get(action) or f"{'all-in' if action >= all_in else verb} {action / big_blind:g}bb"
        for action in actions
    )
