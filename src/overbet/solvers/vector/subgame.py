"""What the engine takes beside a spot: root ranges, a gadget at the root, values at a depth limit, buckets.

A search that re-solves a subgame gives the ranges it believes in (`Root.weights`), keeps the opponent from
doing better than before (`Root.gadget`: resolve or maxmargin), may end the tree at a street
(`DepthLimit`) and value what follows (`Leaves`). A trainer lets hands that look alike share their rows
(`BucketMaps`).

All values that cross this border are counterfactual values in pot shares, as the judge's: chips a hand gets
back beyond what it still puts in from the root on, summed over the opponent's compatible hands with their
reach as weights.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple, Protocol

import numpy as np
import numpy.typing as npt

from overbet.errors import ConfigError
from overbet.tree.betting import CONTINUATION
from overbet.tree.boards import orbits_on
from overbet.tree.public import PublicTree
from overbet.tree.spot import IP, OOP

Floats = npt.NDArray[np.float32]
Doubles = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int32]
_ALIKE = 1e-3  # alternatives of mirror hands may differ by this share of the largest


class Gadget(NamedTuple):
    """The resolve gadget: before the subgame `player` (the opponent of the one who searches) chooses, hand by
    hand, between entering it and an alternative payoff.

    alternatives: [H] float, the counterfactual value of each of its hands if it does not enter, against the
    other player's root weights: `judge.value(player, FOLLOW).root` of the strategy that is to be improved.
    The root weights of `player` say how much each hand counts, not how often it enters: 1 for each is the
    gadget as published.
    """

    player: int
    alternatives: npt.ArrayLike


class MaxMargin(NamedTuple):
    """The maxmargin gadget (Moravcik et al. 2016): before the subgame `player` (the opponent of the one who
    searches) chooses one of its hands to enter with, and is paid what the hand gets beyond its alternative.

    alternatives: [H] float, counterfactual values as a `Gadget`'s. Hands are compared by what they get for
    each unit of the other range that they meet. The one who searches makes the smallest margin (alternative
    less value of entering) as large as it can be. Of the root weights of `player` only matters where they
    are 0: such a hand cannot be chosen.
    """

    player: int
    alternatives: npt.ArrayLike


class Root(NamedTuple):
    """How the game begins. weights: OOP's and IP's root ranges, [H] float each (None: the spot's)."""

    weights: tuple[npt.ArrayLike, npt.ArrayLike] | None = None
    gadget: Gadget | MaxMargin | None = None

    def tree(self, tree: PublicTree) -> PublicTree:
        """Return the tree with the root ranges."""
        return tree.with_weights(self.weights) if self.weights is not None else tree


AS_GIVEN = Root()


class LeafBatch(NamedTuple):
    """All leaves of a depth limit: B boards of the last street (those the tree keeps), L leaves on each.

    player: whose values are asked for. cards: [B, 3 or 4] uint8. put: [L, 2] int32, chips each player has put
    in since the root; continuation: [L] int32, which of the continuations was chosen, 0 where there is no
    choice. opp: [B, L, H of the opponent] float32, the opponent's reach; own: [B, L, H] float32, the
    player's, or None when the judge asks. Hands that a board kills have reach 0 there, and nobody reads their
    values.
    """

    player: int
    cards: npt.NDArray[np.uint8]
    put: Ints
    continuation: Ints
    opp: Floats
    own: Floats | None


class Leaves(Protocol):
    """Values at a depth limit.

    linear: whether values are a fixed linear function of the opponent's reach, whatever the player's own is;
    only then is there a game of its own that has best responses, and only then can the judge judge.
    """

    linear: bool

    def values(self, batch: LeafBatch) -> npt.NDArray[np.floating]:
        """Return the player's counterfactual values: [B, L, H] float. Called once an update, all leaves."""


class BucketMaps(NamedTuple):
    """Hands that share their rows. maps: by street (0 flop, 1 turn, 2 river) one array each for OOP and IP:
    [boards kept, H] int, a hand's bucket on a board, from 0; of hands that a board kills, anything.

    A bucket is the same on all boards of its street: its hands share regrets (summed over boards and hands,
    times their root weights) and averages, wherever they are. On a street without maps no hands share rows.
    """

    maps: Mapping[int, tuple[npt.NDArray[np.integer], npt.NDArray[np.integer]]]

    def checked(self, tree: PublicTree) -> dict[int, tuple[Ints, Ints]]:
        """Return the maps as int32 arrays, or say what is wrong with them."""
        found: dict[int, tuple[Ints, Ints]] = {}
        for street, pair in self.maps.items():
            boards = tree.street_boards(street)
            if boards is None:
                raise ConfigError(f"buckets are given for street {street}, on which this tree has no boards")
            for player, name in ((OOP, "OOP"), (IP, "IP")):
                shape = (boards.size, tree.hands[player].size)
                if pair[player].shape != shape or pair[player].min() < 0:
                    raise ConfigError(
                        f"the buckets of {name} on street {street} must be {shape[0]} x {shape[1]} numbers "
                        "from 0: [boards kept, hands]"
                    )
            found[street] = (pair[0].astype(np.int32), pair[1].astype(np.int32))
        return found


class LeafPlaces(NamedTuple):
    """Where the leaves of a cut tree are. above: [L] int64, the CHANCE node that ends each leaf's line, as a
    number within its street; put, continuation: as in `LeafBatch`; path: each leaf's edges from the root,
    continuations left out.
    """

    above: npt.NDArray[np.int64]
    put: Ints
    continuation: Ints
    path: tuple[tuple[int, ...], ...]


def leaf_places(tree: PublicTree) -> LeafPlaces:
    """Return the places of all leaves, in the order of batches."""
    betting = tree.betting
    street = betting.last_street
    first, last = (int(x) for x in betting.street_line[street + 1 : street + 3]) if street < 2 else (0, 0)
    roots = betting.line_start[first:last]
    above = betting.parent[roots]
    edge = betting.edge[above]
    return LeafPlaces(
        above.astype(np.int64) - betting.street_nodes(street).start,
        betting.put[roots],
        np.where(edge <= CONTINUATION, CONTINUATION - edge, 0).astype(np.int32),
        tuple(path_to(tree, int(node)) for node in above),
    )


def path_to(tree: PublicTree, node: int) -> tuple[int, ...]:
    """Return the edges from the root to a node, continuations left out."""
    edges = []
    while node > 0:
        edges.append(int(tree.betting.edge[node]))
        node = int(tree.betting.parent[node])
    return tuple(edge for edge in reversed(edges) if edge > CONTINUATION)


def compatible(tree: PublicTree, player: int, reach: npt.NDArray[np.floating]) -> Doubles:
    """Return the opponent's reach that shares no card with each of the player's hands: [..., H] float64.

    reach: [..., H of the opponent].
    """
    own, opp = tree.hands[player], tree.hands[1 - player]
    held = np.zeros((opp.size, 52))
    held[np.arange(opp.size)[:, None], opp.cards] = 1.0
    given = reach.astype(np.float64)
    by_card = given @ held
    both = np.where(own.same >= 0, given[..., np.maximum(own.same, 0)], 0.0)
    found: Doubles = (
        given.sum(-1)[..., None] - by_card[..., own.cards[:, 0]] - by_card[..., own.cards[:, 1]] + both
    )
    return found


def checked_gadget(tree: PublicTree, gadget: Gadget | MaxMargin) -> tuple[Doubles, npt.NDArray[np.int64]]:
    """Return the alternatives, equal for mirror hands, and the hand each hand copies: [H] each."""
    hands = tree.hands[gadget.player]
    given = np.asarray(gadget.alternatives, np.float64)
    if given.shape != (hands.size,) or not np.isfinite(given).all():
        raise ConfigError(f"the gadget needs {hands.size} alternatives, one for each hand of its player")
    orbit = orbits_on(tree.boards[0], hands)[0].astype(np.int64)
    if np.abs(given - given[orbit]).max() > _ALIKE * max(np.abs(given).max(), 1e-30):
        raise ConfigError(
            "the alternatives tell suits apart that this tree takes for equal; "
            "build the tree with isomorphism: false"
        )
    return given[orbit], orbit
