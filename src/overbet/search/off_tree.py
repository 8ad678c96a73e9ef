"""A turn bet that the blueprint does not have: taken for others, or solved anew, put into the whole tree.

The whole tree has one more size of the opponent's first bet on the turn than the blueprint's tree. After it
the searcher plays on by pseudo-harmonic translation, or by a re-solve of what follows the bet.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from overbet.betting.mapping import probability_of_smaller
from overbet.errors import ConfigError
from overbet.search.turn_subgame import RowCopier, same_nodes, turn_roots, turn_subgame
from overbet.search.whole_strategy import (
    WholeStrategy,
    alternatives_at,
    ranges_at,
    root_of,
    safety_named,
    write_strategy,
)
from overbet.solvers.rules import Rule, make_rule
from overbet.solvers.vector.engine import VectorEngine
from overbet.solvers.vector.layout import layout_of
from overbet.solvers.vector.subgame import path_to
from overbet.tree.public import PublicTree
from overbet.tree.spot import IP, OOP, BetsConfig, Spot, StreetBets

Doubles = npt.NDArray[np.float64]
Floats = npt.NDArray[np.float32]
TURN, RIVER = 1, 2


class OffTreeBet(NamedTuple):
    """A bet of the whole tree that the blueprint's does not have: node, and the nodes after the next smaller
    and the next larger bet there; share: of the pot, of those three; root: where the turn begins.
    """

    root: int
    node: int
    smaller: int
    larger: int
    share: tuple[float, float, float]


class WiderTree:
    """A whole tree with a first bet on the turn, of the player out of position, that a blueprint lacks.

    spot: of the wider tree; extra: the bet's size in pots, as in its menu. The searcher is in position.
    """

    def __init__(self, spot: Spot, tree: PublicTree, narrow: WholeStrategy, extra: float) -> None:
        self.spot, self.tree, self.narrow, self.extra = spot, tree, narrow, extra
        self.layout = layout_of(tree)
        self.bets = [self._bet(root) for root in turn_roots(tree)]

    def blueprint_table(self, player: int) -> Floats:
        """Return a player's table of the whole tree: the blueprint's where it has the node, else nothing.

        An action that the blueprint does not have is never taken.
        """
        out = np.zeros(self.layout.table_size[player], np.float32)
        narrow, places = self.narrow.tree.betting, self._narrow_nodes
        for node, there in places.items():
            if self.tree.betting.kind[node] != player:
                continue
            edges = [int(narrow.edge[child]) for child in narrow.children(there)]
            kept = [
                number
                for number, child in enumerate(self.tree.betting.children(node))
                if int(self.tree.betting.edge[child]) in edges
            ]
            write_strategy(self.tree, self.layout, out, node, self.narrow.strategy(there), kept)
        return out

    def translated(self) -> WholeStrategy:
        """Return the blueprint with the missing bet taken for the next smaller or larger one at random.

        What it was taken for is kept to the end of the hand, so the strategy after the bet is a mixture of
        two plans, weighted by how often each of them comes to a decision.
        """
        tables = [self.blueprint_table(player) for player in (OOP, IP)]
        places = self._narrow_nodes
        for bet in self.bets:
            chance = probability_of_smaller(*bet.share)
            images = []
            for target, weight in ((bet.smaller, chance), (bet.larger, 1 - chance)):
                pairs = same_nodes(self.tree, bet.node, self.tree, target)
                images.append(({int(one): places[int(two)] for one, two in pairs}, weight))
            self._mix(tables[IP], bet.node, images)
        return WholeStrategy(self.tree, tables)

    def solved(self, method: str, rule: Rule | None = None, iterations: int = 200) -> WholeStrategy:
        """Return the blueprint with all that follows the missing bet solved anew by a method.

        The opponent's alternative to the bet is the best it can do without it.
        """
        safety, rule = safety_named(method), rule or make_rule("dcfr")
        tables = [self.blueprint_table(player) for player in (OOP, IP)]
        only = self._only_the_bet()
        for board in range(self.tree.board_count(TURN)):
            for bet in self.bets:
                there = self._narrow_nodes[bet.root]
                sub = turn_subgame(self.narrow.tree, board, there, only)
                ranges = ranges_at(self.narrow, sub, IP)
                if ranges is None:
                    continue
                promised = alternatives_at(self.narrow, sub, IP, safety, ranges)
                engine = VectorEngine(sub.tree, rule, root=root_of(safety, OOP, ranges.weights, promised))
                bets = np.zeros((2, sub.tree.hands[OOP].size), np.float32)
                bets[1] = 1.0
                engine.lock(0, 0, bets, np.ones(bets.shape[1], bool))
                engine.run(iterations)
                after = list(sub.tree.betting.children(0))[1]
                nodes = same_nodes(sub.tree, after, self.tree, bet.node)
                RowCopier(sub, self.tree, self.layout, nodes).copy(IP, engine.average[IP], tables[IP])
        return WholeStrategy(self.tree, tables)

    def _bet(self, root: int) -> OffTreeBet:
        """Return the missing bet after a line of the flop, between its neighbours in the menu."""
        betting, narrow = self.tree.betting, self.narrow.tree.betting
        there = self._narrow_nodes[root]
        known = [int(narrow.edge[child]) for child in narrow.children(there)]
        bets = [child for child in betting.children(root) if betting.edge[child] > 0]
        missing = [k for k, child in enumerate(bets) if int(betting.edge[child]) not in known]
        if len(missing) != 1 or not 0 < missing[0] < len(bets) - 1:
            raise ConfigError("one turn bet must be missing, between a smaller and a larger one")
        place, put = missing[0], int(betting.put[root].min())
        pot = self.spot.pot + 2 * put
        node, smaller, larger = bets[place], bets[place - 1], bets[place + 1]
        of_pot = [(int(betting.edge[child]) - put) / pot for child in (node, smaller, larger)]
        return OffTreeBet(root, node, smaller, larger, (of_pot[0], of_pot[1], of_pot[2]))

    @cached_property
    def _narrow_nodes(self) -> dict[int, int]:
        """The blueprint's node for each decision of the wider tree that it has."""
        narrow = self.narrow.tree
        known = {path_to(narrow, node): node for node in range(narrow.betting.size)}
        found = {}
        for node in np.flatnonzero(self.tree.betting.kind <= IP).tolist():
            path = path_to(self.tree, node)
            if path in known:
                found[node] = known[path]
        return found

    def _only_the_bet(self) -> Spot:
        """Return the wider spot with nothing but the missing bet in the menu of the turn's first bet."""
        bets, menu = self.spot.bets, self.spot.bets.menu(TURN, OOP)
        first = menu.model_copy(update={"bet": f"{100 * self.extra:g}%"})
        turn = StreetBets(oop=first, ip=bets.menu(TURN, IP))
        changed: BetsConfig = bets.model_copy(update={"turn": turn})
        return self.spot.model_copy(update={"bets": changed})

    def _mix(self, table: Floats, start: int, images: list[tuple[dict[int, int], float]]) -> None:
        """Write the mixture of plans below a node. images: the blueprint's node for each, and its weight."""
        size = self.tree.hands[IP].size
        turns = self.tree.board_count(TURN)
        first = [np.full((turns, size), weight) for _, weight in images]
        for node, reach in self._below(start, first, images):
            plans = [self.narrow.strategy(image[node]) for image, _ in images]
            mixed = sum((own[:, None] * plan for own, plan in zip(reach, plans)), np.zeros_like(plans[0]))
            write_strategy(self.tree, self.layout, table, node, mixed)

    def _below(
        self, node: int, reach: list[Doubles], images: list[tuple[dict[int, int], float]]
    ) -> Iterator[tuple[int, list[Doubles]]]:
        """Yield the searcher's decisions from a node on, with each plan's reach there: [boards, H] each."""
        betting = self.tree.betting
        street, kind = int(betting.street[node]), int(betting.kind[node])
        if kind == IP:
            yield node, reach
        for action, child in enumerate(betting.children(node)):
            after = reach
            if kind == IP:
                after = [
                    own * self.narrow.strategy(image[node])[:, action]
                    for own, (image, _) in zip(reach, images)
                ]
            elif street == TURN and betting.street[child] == RIVER:
                rivers = self.tree.street_boards(RIVER)
                assert rivers is not None
                after = [own[rivers.parent] for own in reach]
            yield from self._below(child, after, images)
