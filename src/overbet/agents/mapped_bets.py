"""Counting the bets that an agent maps: it follows a hand anew at every decision, and a bet counts once."""

from __future__ import annotations


class MappedBets:
    """What has been counted of the hand that is being played."""

    def __init__(self) -> None:
        self._hand = (-1, -1)
        self._counted = 0

    def more(self, seed: int, hand: int, mapped: int) -> int:
        """Return how many of the `mapped` bets of a hand have not been counted before."""
        before = self._counted if (seed, hand) == self._hand else 0
        self._hand, self._counted = (seed, hand), mapped
        return mapped - before
