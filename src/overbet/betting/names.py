"""Actions in words."""

from __future__ import annotations

from collections.abc import Sequence

from overbet.kernels.holdem.layout import CALL, FOLD, PREFLOP


def action_names(actions: Sequence[int], street: int, level: int, big_blind: int) -> tuple[str, ...]:
    """Return the actions of a decision in words, in big blinds; level: bets and raises made on the street."""
    verb = "raise" if level or street == PREFLOP else "bet"
    words = {FOLD: "fold", CALL: "call" if FOLD in actions else "check"}
    return tuple(words.get(action) or f"{verb} {action / big_blind:g}bb" for action in actions)
