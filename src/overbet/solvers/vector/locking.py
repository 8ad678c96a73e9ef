"""Node locking: fix what a player does at a node, solve the rest.

A lock names a line and either total frequencies of its actions, or mixes for hands given in the range
language (a whole grid is a lock whose hands cover the range; hands that are not named stay free). Total
frequencies are reached by moving every hand's strategy as little as the odds allow: each action's odds are
multiplied by one number for all hands, found by iterating the ratios (iterative proportional fitting),
starting from a solution's strategy, or from the frequencies themselves where there is none.

A lock on a line with cards, or one that treats suits differently, is only true for these suits: such a spot
is solved without suit isomorphism.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple, Protocol

import numpy as np
import numpy.typing as npt
import pydantic

from overbet.cards.range import Range
from overbet.config import Config
from overbet.errors import ConfigError, unknown
from overbet.solvers.vector.devices import Engine
from overbet.solvers.vector.lines import LinePlace, read_line, renamed, token_of
from overbet.tree.betting import BettingTree
from overbet.tree.public import PublicTree, public_tree
from overbet.tree.spot import IP, OOP, Spot

Doubles = npt.NDArray[np.float64]
_LEAST = 1e-4  # share of the uniform mix added to a strategy that is to be shifted: 0 can never grow
_ROUNDS = 10_000


class Lock(Config):
    """What is fixed at one line.

    frequencies: total share of each action by its part of the line (`c`, `f`, `b75`), summing to 1.
    hands: for hands in the range language, the share of each action.
    """

    line: str
    frequencies: dict[str, float] | None = None
    hands: dict[str, dict[str, float]] | None = None

    @pydantic.model_validator(mode="after")
    def _one_of_two(self) -> Lock:
        if (self.frequencies is None) == (self.hands is None):
            raise ValueError(f"the lock of {self.line} needs either `frequencies` or `hands`")
        mixes = [("", self.frequencies)] if self.frequencies is not None else (self.hands or {}).items()
        for text, mix in mixes:
            shares = list(mix.values())
            if not (min(shares, default=-1) >= 0 and abs(sum(shares) - 1) <= 1e-6):  # not a number: neither
                where = f" for {text}" if text else ""
                raise ValueError(
                    f"the shares of the lock of {self.line}{where} must not be negative and sum to 1"
                )
        return self


class Fixed(NamedTuple):
    """A lock as arrays. strategy: [actions, H] float64; hands: [H] bool, which of them are fixed."""

    place: LinePlace
    strategy: Doubles
    hands: npt.NDArray[np.bool_]


class Strategies(Protocol):
    """Where the strategy before locking comes from: a solved tree, which may number its boards otherwise."""

    @property
    def tree(self) -> PublicTree:
        """The tree that was solved."""

    def strategy(self, node: int, board: int) -> Doubles:
        """Return [actions, H] float64."""

    def reach(self, player: int, node: int, board: int) -> npt.NDArray[np.float32]:
        """Return [H] float32."""


def fixed(tree: PublicTree, lock: Lock, before: Strategies | None = None) -> Fixed:
    """Turn a lock into arrays on a tree; `before`: the solution that total frequencies start from."""
    place = read_line(tree, lock.line)
    player = int(tree.betting.kind[place.node])
    if player not in (OOP, IP):
        raise ConfigError(f"nobody decides at {place.line}: lock a line where a player acts")
    tokens = [token_of(tree.betting, child) for child in tree.betting.children(place.node)]
    size = tree.hands[player].size
    if lock.frequencies is not None:
        wanted = _mix(lock.frequencies, tokens, place)
        if before is None:
            return Fixed(place, np.repeat(wanted[:, None], size, 1), np.ones(size, np.bool_))
        old = read_line(before.tree, lock.line)
        order = renamed(before.tree, player, old.swaps)
        reach = before.reach(player, old.node, old.board)
        strategy = shifted(before.strategy(old.node, old.board)[:, order], reach[order], wanted)
        return Fixed(place, strategy, np.ones(size, np.bool_))
    strategy, named = np.zeros((len(tokens), size)), np.zeros(size, np.bool_)
    for text, mix in (lock.hands or {}).items():
        these = Range.parse(text).weights[tree.hands[player].combos] > 0
        strategy[:, these] = _mix(mix, tokens, place)[:, None]
        named |= these
    if not named.any():
        raise ConfigError(f"the lock of {place.line} names no hand of the player's range")
    return Fixed(place, strategy, named)


def shifted(strategy: Doubles, reach: npt.NDArray[np.floating], wanted: Doubles) -> Doubles:
    """Return the strategy with total frequencies `wanted`: every hand's odds times one number per action.

    strategy: [actions, H]; reach: [H], the hands' weights (all alike where none reaches); wanted: [actions].
    """
    weights = reach / reach.sum() if reach.sum() > 0 else np.full(len(reach), 1 / len(reach))
    base = (1 - _LEAST) * strategy + _LEAST / len(strategy)
    odds = np.where(wanted > 0, 1.0, 0.0)
    mix = base
    for _ in range(_ROUNDS):
        mix = base * odds[:, None]
        mix /= mix.sum(0)
        total = mix @ weights
        if np.abs(total - wanted).max() < 1e-7:
            break
        odds = np.where(wanted > 0, odds * wanted / np.maximum(total, 1e-300), 0.0)
        odds /= odds.max()
    return mix


def tree_for(spot: Spot, locks: Sequence[Lock], betting: BettingTree | None = None) -> PublicTree:
    """Return the spot's public tree, without suit isomorphism where a lock is not the same for all suits.

    betting: the spot's betting tree, where it was built already.
    """
    tree = public_tree(spot, betting=betting)
    if spot.isomorphism and not all(_same_for_all_suits(tree, lock) for lock in locks):
        return public_tree(spot.model_copy(update={"isomorphism": False}), betting=tree.betting)
    return tree


def apply_locks(engine: Engine, locks: Sequence[Lock], before: Strategies | None = None) -> None:
    """Fix the locks' strategies in an engine's tables."""
    for lock in locks:
        found = fixed(engine.tree, lock, before)
        engine.lock(found.place.node, found.place.board, found.strategy.astype(np.float32), found.hands)


def _mix(shares: Mapping[str, float], tokens: list[str], place: LinePlace) -> Doubles:
    for token in shares:
        if token not in tokens:
            raise ConfigError(f"lock of {place.line}: " + unknown("action", token, tokens))
    return np.array([shares.get(token, 0.0) for token in tokens])


def _same_for_all_suits(tree: PublicTree, lock: Lock) -> bool:
    found = fixed(tree, lock)
    if found.place.swaps:
        return False
    player = int(tree.betting.kind[found.place.node])
    swapped = tree.hands[player].swapped
    used = {int(swap) for boards in tree.boards for swap in boards.mirrors} - {0}
    return all(
        np.array_equal(found.hands[swapped[swap]], found.hands)
        and np.array_equal(found.strategy[:, swapped[swap]], found.strategy)
        for swap in used
    )
