"""A flop solved to a depth limit, the opponent choosing among continuations of the blueprint after it.

The continuations are the blueprint with its folds, calls or bets made more likely (Brown, Sandholm & Amos
2018). What follows a leaf is fixed, so its values are a fixed linear function of the opponent's reach: they
are tabulated once.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from overbet.errors import ConfigError
from overbet.search.turn_subgame import TURN
from overbet.search.whole_strategy import FLOP, WholeStrategy, entries_of
from overbet.solvers.rules import Rule, make_rule
from overbet.solvers.vector.engine import VectorEngine
from overbet.solvers.vector.layout import board_rows
from overbet.solvers.vector.leaves import StrategyLeaves
from overbet.solvers.vector.response import Judge
from overbet.solvers.vector.subgame import LeafBatch, path_to
from overbet.tree.betting import CALL_EDGE, CONTINUATION, FOLD_EDGE, DepthLimit
from overbet.tree.boards import live_on, orbits_on
from overbet.tree.public import PublicTree, public_tree
from overbet.tree.spot import IP, OOP

Doubles = npt.NDArray[np.float64]
Floats = npt.NDArray[np.float32]


class Lean(NamedTuple):
    """Factors on the probabilities of folds, of checks and calls, and of bets and raises."""

    fold: float = 1.0
    call: float = 1.0
    bet: float = 1.0


# the first k are the k continuations; the first four are those of Pluribus
LEANS = (
    Lean(),
    Lean(bet=10),
    Lean(call=10),
    Lean(fold=10),
    Lean(fold=0.1),
    Lean(call=0.1),
    Lean(bet=0.1),
    Lean(bet=100),
)


def leaning(strategy: WholeStrategy, player: int, lean: Lean) -> WholeStrategy:
    """Return the strategies with a player's from the turn on leaning to some of its actions."""
    tree, betting = strategy.tree, strategy.tree.betting
    table, side = strategy.tables[player].copy(), strategy.layout.passes[player].own
    for street in range(TURN, 3):
        factor = np.ones(int(side.rows[street]), np.float32)
        for node in betting.street_nodes(street):
            if betting.kind[node] == player:
                for row, child in enumerate(betting.children(node), int(strategy.layout.rows[node])):
                    edge = int(betting.edge[child])
                    factor[row] = {FOLD_EDGE: lean.fold, CALL_EDGE: lean.call}.get(edge, lean.bet)
        for board in range(tree.board_count(street)):
            start, length = board_rows(side, street, board)
            table[start : start + len(factor) * length].reshape(-1, length)[:] *= factor[:, None]
    return strategy.with_table(player, table)


class TabulatedLeaves:
    """`StrategyLeaves` worked out once for every kind of hand of the opponent.

    Hands that mirror each other on a board are of one kind: where boards stand for mirrors, values are right
    for reaches that treat such hands alike. tables: by player and continuation [B, L, H, kinds of the
    opponent] float64.
    """

    linear = True

    def __init__(self, tree: PublicTree, judges: Sequence[Judge]) -> None:
        known, boards = StrategyLeaves(tree, judges), tree.boards[-1]
        self.tree, self.line, self.lines = tree, known.line, known.lines
        self.kinds = [[np.unique(row) for row in orbits_on(boards, hands)] for hands in tree.hands]
        self.tables = [[self._table(player, judge, known.street) for judge in judges] for player in (OOP, IP)]

    def _table(self, player: int, judge: Judge, street: int) -> list[Doubles]:
        boards, other = self.tree.boards[-1], self.tree.hands[1 - player]
        orbits, live = orbits_on(boards, other), live_on(boards, other)
        found = []
        for board in range(boards.size):
            columns = []
            for kind in self.kinds[1 - player][board]:
                reach = np.tile((orbits[board] == kind) * live[board], (self.lines, 1)).astype(np.float32)
                columns.append(judge.after(player, street, board, reach)[self.line])
            found.append(np.stack(columns, -1))
        return found

    def values(self, batch: LeafBatch) -> Doubles:
        """Return counterfactual values [B, L, H]."""
        found = np.zeros((*batch.opp.shape[:2], self.tree.hands[batch.player].size))
        for board in range(len(found)):
            reach = batch.opp[board][:, self.kinds[1 - batch.player][board]].astype(np.float64)
            for number, tables in enumerate(self.tables[batch.player]):
                here = np.flatnonzero(batch.continuation == number)
                found[board, here] = np.einsum("lhk,lk->lh", tables[board][here], reach[here])
        return found


def depth_limited(
    blueprint: WholeStrategy, searcher: int, count: int, rule: Rule | None = None, iterations: int = 300
) -> WholeStrategy:
    """Return the blueprint with the flop solved anew to its end, among `count` continuations.

    Both players' flop strategies are those of that solve; from the turn on they are the blueprint's.
    """
    if not 1 <= count <= len(LEANS):
        raise ConfigError(f"{count} continuations are asked for; there are 1 to {len(LEANS)}")
    whole, opponent = blueprint.tree, 1 - searcher
    tree = public_tree(whole.spot, DepthLimit(FLOP, count, opponent))
    judges = [leaning(blueprint, opponent, lean).judge for lean in LEANS[:count]]
    engine = VectorEngine(tree, rule or make_rule("dcfr"), leaves=TabulatedLeaves(tree, judges))
    engine.run(iterations)
    place = {path_to(whole, node): node for node in whole.betting.street_nodes(FLOP)}
    tables = [table.copy() for table in blueprint.tables]
    for node in tree.betting.street_nodes(FLOP):
        player = int(tree.betting.kind[node])
        edges = tree.betting.edge[list(tree.betting.children(node))]
        if player in (OOP, IP) and (edges > CONTINUATION).all():
            source, _ = entries_of(tree, engine.layout, node)
            target, _ = entries_of(whole, blueprint.layout, place[path_to(tree, node)])
            tables[player][target] = engine.average[player][source]
    return WholeStrategy(whole, tables)
