"""An anchor for the first street of a tree: both players stay near given strategies (piKL).

lambda says how much a hand must gain to leave the anchor: without it there is no anchor at all and the engine
solves as always; with a large one both players play the anchor on the street. Later streets are free.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from overbet.errors import ConfigError
from overbet.kernels.regret import RuleStep
from overbet.kernels.vector.anchor import TRACE, AnchoredStreet, AnchorWork, learn_anchored
from overbet.solvers.vector.layout import Layout, rows_of
from overbet.tree.public import PublicTree
from overbet.tree.spot import IP, OOP

Doubles = npt.NDArray[np.float64]


class Anchor(NamedTuple):
    """strength: lambda in chips. strategies: of nodes of the first street, [actions, H] float each, none 0,
    columns adding up to one; decisions that are left out must be locked, or have nothing after them on the
    street."""

    strength: float
    strategies: Mapping[int, Doubles]


class AnchoredRows:
    """Both players' anchored rows of one engine."""

    def __init__(self, tree: PublicTree, layout: Layout, anchor: Anchor) -> None:
        if not 0.0 < anchor.strength < np.inf:
            raise ConfigError(f"the strength of an anchor is a number above 0, not {anchor.strength}")
        self.tree, self.strength = tree, float(anchor.strength)
        self.players = [self._street(layout, anchor, player) for player in (OOP, IP)]
        nodes, sizes = len(self.players[0].kind), [hands.size for hands in tree.hands]
        self._work = [
            AnchorWork(
                np.zeros((nodes, sizes[1 - player])),
                np.zeros((nodes, sizes[player])),
                np.zeros((nodes, sizes[player])),
                np.zeros(52),
            )
            for player in (OOP, IP)
        ]

    def begin(self, regret: list[npt.NDArray[np.floating]]) -> None:
        """Write the strategies into tables of regrets."""
        for player, street in enumerate(self.players):
            for node in np.flatnonzero(street.own_row >= 0):
                first, count = int(street.own_row[node]), int(street.num_children[node])
                live = street.place[player, : self.tree.hands[player].size] >= 0
                place = street.row[node] + street.place[player, : len(live)][live]
                for action in range(count):
                    given = TRACE * street.policy[first + action, live]
                    regret[player][place + action * street.stride[player]] = given

    def learn(
        self,
        player: int,
        step: RuleStep,
        regret: npt.NDArray[np.floating],
        opp_play: npt.NDArray[np.floating],
        opp_root: npt.NDArray[np.floating],
    ) -> None:
        """Make a player's next strategy. opp_root: [H or more], the reach with which the opponent began."""
        work = self._work[player]
        work.reach[0] = opp_root[: work.reach.shape[1]]
        learn_anchored(
            self.players[player], player, self.strength, float(step.positive), float(step.weight), regret,
            opp_play, work,
        )  # fmt: skip

    def _street(self, layout: Layout, anchor: Anchor, player: int) -> AnchoredStreet:
        tree, betting = self.tree, self.tree.betting
        nodes = len(betting.street_nodes(tree.spot.first_street))
        kind, first_child, count = (
            part[:nodes].astype(np.int64)
            for part in (betting.kind, betting.first_child, betting.num_children)
        )
        count[kind > IP] = 0  # what follows a card is another street's
        longest = max(hands.size for hands in tree.hands)
        place, cards = np.full((2, longest), -1, np.int64), np.zeros((2, longest, 2), np.int64)
        row, stride, own_row = np.zeros(nodes, np.int64), np.zeros(2, np.int64), np.full(nodes, -1, np.int64)
        logs: list[Doubles] = []
        rows = 0
        for node in np.flatnonzero(kind <= IP):
            starts, places = rows_of(tree, layout, int(node), 0)
            who = int(kind[node])
            row[node], place[who, : len(places)] = starts[0], places
            stride[who] = starts[1] - starts[0] if len(starts) > 1 else stride[who]
            if who == player and int(node) in anchor.strategies:
                given = np.asarray(anchor.strategies[int(node)], np.float64)
                if given.shape != (count[node], tree.hands[player].size) or not (given > 0).all():
                    raise ConfigError("an anchor gives every hand a chance above 0 for every action")
                own_row[node], rows = rows, rows + len(given)
                logs.append(np.log(given / given.sum(0)))
        for who, hands in enumerate(tree.hands):
            cards[who, : hands.size] = hands.cards
        hands = tree.hands[player]
        log_anchor = np.concatenate(logs) if logs else np.zeros((0, hands.size))
        return AnchoredStreet(
            kind, first_child, count, row, stride, place, own_row, cards, hands.same.astype(np.int64),
            log_anchor, log_anchor.copy(), np.exp(log_anchor), np.zeros_like(log_anchor),
            np.zeros((nodes, hands.size)), np.zeros((nodes, hands.size)),
        )  # fmt: skip
