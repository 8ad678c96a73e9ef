"""The last street before a depth limit: down on all its boards, all leaves valued at once, up again."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from overbet.errors import ConfigError
from overbet.kernels.regret import RuleStep
from overbet.kernels.vector.showdown_sweep import SweepSheets
from overbet.kernels.vector.streets import TURN, Pass, close_street, collect_turn, open_street
from overbet.kernels.vector.update import Bridge, Scratch, UpdateTables
from overbet.solvers.vector.layout import chance_scale
from overbet.solvers.vector.subgame import LeafBatch, Leaves, compatible, leaf_places
from overbet.tree.public import PublicTree


class Ends(NamedTuple):
    """Where an update of `player` begins: the ranges, the first street's working memory, the sweep's."""

    player: int
    root: Bridge
    early: Scratch
    sheets: SweepSheets


class CutStreet:
    """Plays trees that end before the river. Every board of the last street keeps its working memory until
    all leaves have been valued.
    """

    def __init__(self, tree: PublicTree, leaves: Leaves, scratch: Callable[[int], Scratch]) -> None:
        self.tree, self.leaves, self.places = tree, leaves, leaf_places(tree)
        self.first, self.last = tree.spot.first_street, tree.betting.last_street
        late = tree.board_count(self.last) if self.last > self.first else 0
        self._late = [scratch(self.last) for _ in range(late)]

    def play(self, data: Pass, tables: UpdateTables, step: RuleStep, ends: Ends) -> None:
        """Update one player."""
        player, root, early, sheets = ends
        open_street(data, self.first, 0, tables, step, root, early, sheets)
        for board, scratch in enumerate(self._late):
            open_street(data, TURN, board, tables, step, early.bridge, scratch, sheets)
        self._value(player, self._late or [early])
        for board, scratch in enumerate(self._late):
            close_street(data, TURN, board, tables, step, scratch, sheets)
            collect_turn(data, board, early.bridge.width, scratch.value, early.bridge.value)
        close_street(data, self.first, 0, tables, step, early, sheets)

    def _value(self, player: int, streets: list[Scratch]) -> None:
        """Ask what all leaves are worth and put it on the bridges, in the engine's units."""
        count = len(self.places.above)
        bridges = [scratch.bridge for scratch in streets]
        sizes = [hands.size for hands in self.tree.hands]
        own, opp = (
            np.stack(
                [side.reshape(-1, bridge.width)[: sizes[p], :count].T for side, bridge in zip(sides, bridges)]
            )
            for p, sides in (
                (player, [bridge.own for bridge in bridges]),
                (1 - player, [bridge.opp for bridge in bridges]),
            )
        )
        cards = self.tree.boards[-1].cards
        batch = LeafBatch(player, cards, self.places.put, self.places.continuation, opp, own)
        given = np.asarray(self.leaves.values(batch))
        if given.shape != own.shape or not np.isfinite(given).all():
            raise ConfigError(
                f"the leaves' values must be finite numbers of shape {own.shape}: [boards, leaves, hands]"
            )
        even = compatible(self.tree, player, opp) * (self.tree.spot.pot / 2)
        scale = chance_scale(self.tree.spot, self.last)
        for bridge, value in zip(bridges, (given - even) * scale):
            bridge.value.reshape(-1, bridge.width)[: sizes[player], :count] = value.T
