"""What a search is asked: all that its answer depends on beside the settings, and the names it goes by."""

from __future__ import annotations

import hashlib
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from overbet.search.cache.key import Key
from overbet.search.gadgets import Promise
from overbet.search.street_start import StreetStart, tokens_of
from overbet.solvers.vector.sampling import BoardBuckets

Floats = npt.NDArray[np.float64]


class Frozen(NamedTuple):
    """A decision that has been made already, and by which strategy: [1326, action] float64."""

    edges: tuple[int, ...]
    shares: Floats


class SearchQuestion(NamedTuple):
    """A subgame to search.

    ranges: [2, 1326] float64 at its beginning; played: actions of the street that must be in the tree;
    frozen: decisions of the searcher on the way; safe: what the opponent is promised; buckets: hands that
    share rows where boards are drawn.
    """

    start: StreetStart
    ranges: Floats
    played: tuple[int, ...]
    frozen: tuple[Frozen, ...]
    safe: Promise | None
    buckets: BoardBuckets | None

    def digest(self, settings: str) -> bytes:
        """Return the name of the question within a process, by every bit. settings: their digest."""
        found = hashlib.blake2b(self._facts(settings).encode(), digest_size=20)
        found.update(repr(self.start.board).encode())
        for array in (self.ranges, *self._values().values()):
            found.update(np.ascontiguousarray(array).tobytes())
        return found.digest()

    def key(self, settings: str) -> Key:
        """Return the name of the question in the cache, whatever the suits are called."""
        return Key.of(
            self.start.board, tokens_of(self.played), self.ranges, self._facts(settings), self._values()
        )

    def _facts(self, settings: str) -> str:
        game = self.start.game
        rules = (game.least_bet, game.big_blind, game.rake, game.rake_cap)
        where = [decision.edges for decision in self.frozen]
        promised = None if self.safe is None else self.safe.player
        counts = None if self.buckets is None else sorted(self.buckets.counts.items())
        facts = (settings, self.start.pot, self.start.stack, rules, self.played, where, promised, counts)
        return repr(facts)

    def _values(self) -> dict[str, Floats]:
        found = {f"frozen {k}": np.nan_to_num(each.shares.T) for k, each in enumerate(self.frozen)}
        if self.safe is None:
            return found
        return {**found, "promise": self.safe.values, "gifts": self.safe.gifts}
