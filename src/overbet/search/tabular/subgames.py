"""Public subgames of a small game: parts that nobody, once inside, can confuse with the rest.

A subgame begins at some histories and holds all that follows them. It is public when every information set
that it touches lies wholly inside. `find_subgames` takes the histories at which subgames shall begin and
joins those that a player may confuse, now or later; what remains apart is public.

What a player knows where a subgame begins is read off the game too. Two histories are the same to a player
when some later information set of its own holds what follows both: with perfect recall knowledge only grows.
Histories after which a player never decides are told apart by its own last action: nothing else it knows can
matter to it any more. Histories that are the same to either player belong to one subgame.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from overbet.errors import ConfigError, RulesError
from overbet.games.protocol import CHANCE, Game
from overbet.search.tabular.walks import Ints, check_two_players, last_slots, levels
from overbet.solvers.policy import as_flat
from overbet.tree.flat import FlatGame


@dataclass(frozen=True, eq=False)
class PublicSubgame:
    """One public subgame.

    roots: [R] int64, the histories it begins with, ascending
    known: [2, R] int64, the number (from 0) of each player's information set at those histories
    slots: [S] int64, the slots of all information sets inside, ascending
    """

    game: FlatGame
    roots: Ints
    known: Ints
    slots: Ints

    def num_known(self, player: int) -> int:
        """Return how many information sets `player` has where the subgame begins."""
        return int(self.known[player].max()) + 1

    def __repr__(self) -> str:
        tree = self.game.tree
        first = self.game.infoset_names[int(tree.slot_infoset[self.slots[0]])]
        return f"<PublicSubgame of {self.game.name}: {len(self.roots)} histories, one is seen as {first!r}>"


def after_chance(game: FlatGame | Game | str) -> Ints:
    """Return the histories after the first chance move that follows a decision, such as a public card."""
    flat = as_flat(game)
    tree = flat.tree
    decided = np.zeros(flat.num_nodes, dtype=bool)
    below = np.zeros(flat.num_nodes, dtype=bool)
    chosen = np.zeros(flat.num_nodes, dtype=bool)
    for level in levels(tree)[1:]:
        above = tree.parent[level]
        decided[level] = decided[above] | (tree.infoset[above] >= 0)
        chosen[level] = (
            decided[above] & (tree.player[above] == CHANCE) & (tree.player[level] != CHANCE) & ~below[above]
        )
        below[level] = below[above] | chosen[level]
    return np.flatnonzero(chosen & (tree.terminal < 0))


def after_decisions(game: FlatGame | Game | str, count: int) -> Ints:
    """Return the histories right after the players' decision number `count`, those that are not over."""
    flat = as_flat(game)
    tree = flat.tree
    made = np.zeros(flat.num_nodes, dtype=np.int64)
    for level in levels(tree)[1:]:
        above = tree.parent[level]
        made[level] = made[above] + (tree.infoset[above] >= 0)
    right_after = np.zeros(flat.num_nodes, dtype=bool)
    right_after[1:] = tree.infoset[tree.parent[1:]] >= 0
    return np.flatnonzero((made == count) & right_after & (tree.terminal < 0))


def find_subgames(
    game: FlatGame | Game | str, at: npt.ArrayLike | None = None, seen: npt.ArrayLike | None = None
) -> tuple[PublicSubgame, ...]:
    """Return the public subgames that begin at the histories `at` (None: those of `after_chance`).

    Histories that a player may confuse fall into one subgame. Subgames in which nobody decides are left out.
    seen: [at] int, what all players see at each history, such as a public card; histories that differ in it
    are told apart by players too who never decide again.
    """
    flat = as_flat(game)
    check_two_players(flat)
    roots, labels = _checked_roots(flat, at, seen)
    owner = owners(flat, roots)
    inside = np.flatnonzero((owner >= 0) & (flat.tree.infoset >= 0))
    _refuse_cut_sets(flat, owner)
    sets, held = flat.tree.infoset[inside].astype(np.int64), owner[inside]
    last = last_slots(flat)[:, roots] * (int(labels.max()) + 1) + labels
    known = np.stack([_known(flat, player, sets, held, last[player]) for player in (0, 1)])
    joined = _Joined(len(roots))
    for row in known:
        joined.join(row, np.arange(len(roots)))
    parts = joined.numbers()
    found = []
    for part in range(int(parts.max(initial=-1)) + 1):
        members = np.flatnonzero(parts == part)
        slots = _slots_of(flat, np.unique(sets[np.isin(held, members)]))
        if len(slots):
            own = np.stack([np.unique(row, return_inverse=True)[1] for row in known[:, members]])
            found.append(PublicSubgame(flat, roots[members], own.astype(np.int64), slots))
    return tuple(found)


def owners(flat: FlatGame, roots: Ints) -> Ints:
    """Return [node] int64: the position in `roots` of the history that a node follows; -1 in the trunk."""
    owner = np.full(flat.num_nodes, -1, dtype=np.int64)
    owner[roots] = np.arange(len(roots))
    for level in levels(flat.tree)[1:]:
        above = owner[flat.tree.parent[level]]
        if ((above >= 0) & (owner[level] >= 0)).any():
            raise ConfigError("a subgame cannot begin inside another: one root history follows another")
        owner[level] = np.maximum(owner[level], above)
    return owner


def given_subgames(
    game: FlatGame, at: npt.ArrayLike | Sequence[PublicSubgame] | None
) -> tuple[PublicSubgame, ...]:
    """Return `at` if it is subgames of `game` already, else the subgames that begin there."""
    if not isinstance(at, Sequence) or not at or not isinstance(at[0], PublicSubgame):
        return find_subgames(game, at)  # type: ignore[arg-type]
    found = tuple(part for part in at if isinstance(part, PublicSubgame))
    if any(part.game is not game for part in found):
        raise ConfigError("the subgames belong to another game than the policy: find them in `policy.game`")
    owners(game, np.concatenate([part.roots for part in found]))  # refuses one inside another
    return found


def _checked_roots(flat: FlatGame, at: npt.ArrayLike | None, seen: npt.ArrayLike | None) -> tuple[Ints, Ints]:
    """Return the root histories, ascending, and the numbers (from 0) of what is seen there."""
    if at is None:
        at = after_chance(flat)
        if not len(at):
            raise ConfigError(
                f"no card is dealt in {flat.name} after a decision; say with `at` where subgames begin"
            )
    given = np.asarray(at)
    roots, first = np.unique(given, return_index=True)
    if not len(roots) or roots.dtype.kind not in "iu" or roots[0] < 0 or roots[-1] >= flat.num_nodes:
        raise ConfigError(f"subgames of {flat.name} begin at nodes 0 to {flat.num_nodes - 1}")
    labels = np.zeros(given.shape) if seen is None else np.asarray(seen)
    if labels.shape != given.shape:
        raise ConfigError(f"`seen` has one entry for each of {given.size} histories, not {labels.size}")
    return roots.astype(np.int64), np.unique(labels[first], return_inverse=True)[1].astype(np.int64)


def _refuse_cut_sets(flat: FlatGame, owner: Ints) -> None:
    tree = flat.tree
    decides = tree.infoset >= 0
    outside = np.zeros(flat.num_infosets, dtype=bool)
    outside[tree.infoset[decides & (owner < 0)]] = True
    cut = np.flatnonzero(outside[tree.infoset[decides & (owner >= 0)]])
    if len(cut):
        name = flat.infoset_names[int(tree.infoset[decides & (owner >= 0)][cut[0]])]
        raise RulesError(
            f"no public subgame begins there: histories that look like {name!r} lie inside and outside of it"
        )


def _known(flat: FlatGame, player: int, sets: Ints, held: Ints, last: Ints) -> Ints:
    """Return [R] int64: numbers of the information sets of `player` at the roots."""
    own = flat.tree.infoset_player[sets] == player
    joined = _Joined(len(last))
    joined.join(sets[own], held[own])
    silent = np.ones(len(last), dtype=bool)
    silent[held[own]] = False
    joined.join(last[silent], np.flatnonzero(silent))
    return joined.numbers()


def _slots_of(flat: FlatGame, sets: Ints) -> Ints:
    ranges = [np.arange(flat.slots(int(i)).start, flat.slots(int(i)).stop) for i in sets]
    return np.concatenate(ranges) if ranges else np.zeros(0, dtype=np.int64)


class _Joined:
    """Things joined by what they have in common (union and find)."""

    def __init__(self, count: int) -> None:
        self._above = list(range(count))

    def join(self, marks: Ints, things: Ints) -> None:
        """Join all things that carry the same mark; both are [n] int."""
        first: dict[int, int] = {}
        for mark, thing in _pairs(marks, things):
            top, other = self._top(first.setdefault(mark, thing)), self._top(thing)
            self._above[max(top, other)] = min(top, other)

    def _top(self, thing: int) -> int:
        while self._above[thing] != thing:
            self._above[thing] = self._above[self._above[thing]]
            thing = self._above[thing]
        return thing

    def numbers(self) -> Ints:
        """Return the number of each thing's group, counted by first members: [count] int64."""
        tops = [self._top(thing) for thing in range(len(self._above))]
        return np.unique(np.array(tops, dtype=np.int64), return_inverse=True)[1].astype(np.int64)


def _pairs(marks: Ints, things: Ints) -> Iterable[tuple[int, int]]:
    pairs = np.unique(np.stack([marks, things], axis=1), axis=0) if len(marks) else np.zeros((0, 2), int)
    return ((int(mark), int(thing)) for mark, thing in pairs)
