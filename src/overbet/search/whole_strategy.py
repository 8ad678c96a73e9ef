"""A strategy for a whole flop spot whose turn subgames are solved anew, and how exploitable it is as a whole.

Play that re-solves as it goes is a strategy like any other: here every turn subgame is solved, the searcher's
strategies are put into the tables of the whole tree, and the judge finds the opponent's best response to all
of it, exactly. So methods of search can be compared without a match.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cache, cached_property
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from overbet.errors import ConfigError, unknown
from overbet.search.reach import PastDecision, reach_alternatives
from overbet.search.turn_subgame import RowCopier, TurnSubgame, same_nodes, turn_roots, turn_subgame
from overbet.solvers.rules import Rule, make_rule
from overbet.solvers.vector.engine import VectorEngine
from overbet.solvers.vector.layout import Layout, board_rows, layout_of
from overbet.solvers.vector.response import BEST, FOLLOW, Judge, Values
from overbet.solvers.vector.subgame import Gadget, MaxMargin, Root, compatible
from overbet.tree.public import PublicTree
from overbet.tree.spot import IP, OOP

Doubles = npt.NDArray[np.float64]
Floats = npt.NDArray[np.float32]
FLOP, TURN, RIVER = 0, 1, 2


class Safety(NamedTuple):
    """How a subgame is kept from giving the opponent more than before.

    gadget: unsafe, resolve or maxmargin. reach: whether gifts on the way are added to the alternatives.
    estimates: whether the alternatives are what the opponent gets when it follows the blueprint, too, and not
    what it can get at best.
    """

    gadget: str
    reach: bool = False
    estimates: bool = False


SAFETY = {
    "unsafe": Safety("unsafe"),
    "resolve": Safety("resolve"),
    "maxmargin": Safety("maxmargin"),
    "reach": Safety("maxmargin", reach=True),
    "reach-estimates": Safety("maxmargin", reach=True, estimates=True),
}


def safety_named(name: str) -> Safety:
    """Return a way of keeping a subgame safe by its name."""
    if name not in SAFETY:
        raise ConfigError(unknown("method", name, list(SAFETY)))
    return SAFETY[name]


def entries_of(
    tree: PublicTree, layout: Layout, node: int
) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.bool_]]:
    """Return where the entries of a decision are in its player's table on all boards of its street:
    [boards, actions, H] int64, and which hands have any there: [boards, H] bool."""
    betting, player, street = tree.betting, int(tree.betting.kind[node]), int(tree.betting.street[node])
    boards, hands, side = tree.board_count(street), tree.hands[player].size, layout.passes[player].own
    rows = layout.rows[node] + np.arange(betting.num_children[node])
    starts = np.array([board_rows(side, street, board) for board in range(boards)], np.int64)
    place = np.tile(np.arange(hands), (boards, 1))
    if street == RIVER:
        place = tree.showdowns[player].place.astype(np.int64)
    first = starts[:, :1] + rows * starts[:, 1:]
    return first[:, :, None] + np.maximum(place, 0)[:, None, :], place >= 0


def write_strategy(
    tree: PublicTree,
    layout: Layout,
    table: Floats,
    node: int,
    strategy: Doubles,
    actions: Sequence[int] | None = None,
) -> None:
    """Write what is played at a decision into its player's table.

    strategy: [boards, actions, H] float; actions: those of the node that it is about, if not all.
    """
    place, live = entries_of(tree, layout, node)
    place = place if actions is None else place[:, list(actions)]
    there = np.broadcast_to(live[:, None, :], place.shape)
    table[place[there]] = strategy[there]


class WholeStrategy:
    """Both players' strategies on the whole tree of a flop spot.

    tables: one flat float32 table of averages a player, laid out by `layout_of(tree)`.
    """

    def __init__(self, tree: PublicTree, tables: Sequence[Floats]) -> None:
        self.tree, self.tables, self.layout = tree, list(tables), layout_of(tree)
        self._values: dict[tuple[int, int], Values] = {}

    @cached_property
    def judge(self) -> Judge:
        """The judge of these strategies."""
        return Judge(self.tree, self.layout, self.tables)

    def values(self, player: int, mode: int) -> Values:
        """Return a player's values against the other's strategy, by best response or by its own; kept."""
        if (player, mode) not in self._values:
            self._values[player, mode] = self.judge.value(player, mode)
        return self._values[player, mode]

    def conceded(self, player: int) -> float:
        """Return what the opponent of `player` gets at best, in chips: the less, the better it plays."""
        weights = self.tree.hands[1 - player].weights.astype(np.float64)
        return float(weights @ self.values(1 - player, BEST).root) / self.judge.pair_weight

    def strategy(self, node: int) -> Doubles:
        """Return what is played at a decision: [boards, actions, H] float64, dead hands play anything."""
        place, _ = entries_of(self.tree, self.layout, node)
        sums = self.tables[int(self.tree.betting.kind[node])][place].astype(np.float64)
        total = sums.sum(1, keepdims=True)
        return np.where(total > 0, sums / np.where(total > 0, total, 1.0), 1.0 / sums.shape[1])

    @cached_property
    def flop_reach(self) -> tuple[Doubles, Doubles]:
        """Each player's reach at all nodes of the flop: [flop nodes, H] float64."""
        betting, nodes = self.tree.betting, self.tree.betting.street_nodes(FLOP)
        found = [np.zeros((len(nodes), hands.size)) for hands in self.tree.hands]
        for reach, hands in zip(found, self.tree.hands):
            reach[0] = hands.weights
        for node in nodes:
            if betting.kind[node] not in (OOP, IP):
                continue
            mix = self.strategy(node)[0]
            for action, child in enumerate(betting.children(node)):
                for player in (OOP, IP):
                    share = mix[action] if player == betting.kind[node] else 1.0
                    found[player][child] = found[player][node] * share
        return found[0], found[1]

    def with_table(self, player: int, table: Floats) -> WholeStrategy:
        """Return the strategies with another table for one player."""
        tables = list(self.tables)
        tables[player] = table
        return WholeStrategy(self.tree, tables)


class TurnRanges(NamedTuple):
    """What a re-solve begins with, over a subgame's hands. weights: both players' ranges, [h] float64 each,
    the largest of each 1. scale: what the searcher's were divided by.
    """

    weights: tuple[Doubles, Doubles]
    scale: float


def ranges_at(blueprint: WholeStrategy, sub: TurnSubgame, searcher: int) -> TurnRanges | None:
    """Return the ranges with which a subgame is reached, or None where the searcher never gets there.

    An opponent that the blueprint never brings there is taken to hold its whole range.
    """
    above, found, scale = int(blueprint.tree.betting.parent[sub.root]), [], 1.0
    for player in (OOP, IP):
        reach = blueprint.flop_reach[player][above][sub.hands[player]]
        largest = float(reach.max())
        if largest <= 0 and player == searcher:
            return None
        if largest <= 0:
            reach = blueprint.tree.hands[player].weights.astype(np.float64)[sub.hands[player]]
            largest = float(reach.max())
        if player == searcher:
            scale = largest
        found.append(sub.alike(player, reach / largest))
    return TurnRanges((found[OOP], found[IP]), scale)


def alternatives_at(
    blueprint: WholeStrategy, sub: TurnSubgame, searcher: int, safety: Safety, ranges: TurnRanges
) -> Doubles:
    """Return the opponent's alternatives for a subgame's gadget, in its units: [h] float64."""
    tree, betting, opponent = blueprint.tree, blueprint.tree.betting, 1 - searcher
    hands, values = sub.hands[opponent], blueprint.values(opponent, FOLLOW if safety.estimates else BEST)
    assert values.flop is not None
    assert values.turn is not None
    met = compatible(sub.tree, opponent, ranges.weights[searcher])
    # the whole tree's values count chips from the flop on, the subgame's from the turn on
    here = values.turn[sub.board, sub.root - betting.street_nodes(TURN).start][hands]
    here = here / ranges.scale + sub.put * met
    past = []
    node = int(betting.parent[sub.root])
    while safety.reach and node > 0:
        above = int(betting.parent[node])
        if betting.kind[above] == opponent:
            best = values.flop[list(betting.children(above))].max(0)
            there = compatible(tree, opponent, blueprint.flop_reach[searcher][above])
            past.append(PastDecision(best[hands], values.flop[node][hands], there[hands]))
        node = above
    return sub.alike(opponent, reach_alternatives(here, met, past))


def root_of(safety: Safety, opponent: int, weights: tuple[Doubles, Doubles], promised: Doubles) -> Root:
    """Return how a subgame begins: ranges and gadget. promised: [h] float64, the opponent's alternatives."""
    if safety.gadget == "unsafe":
        return Root(weights)
    each = list(weights)
    each[opponent] = np.ones(len(promised))
    gadget = (MaxMargin if safety.gadget == "maxmargin" else Gadget)(opponent, promised)
    return Root((each[OOP], each[IP]), gadget)


class TurnResolver:
    """Solves every turn subgame of a blueprint anew for one player.

    The subgames are cut out once and serve all methods. rule, iterations: of each solve.
    """

    def __init__(
        self, tree: PublicTree, searcher: int, rule: Rule | None = None, iterations: int = 200
    ) -> None:
        self.tree, self.searcher, self.iterations = tree, searcher, iterations
        self.rule = rule or make_rule("dcfr")
        self.layout = layout_of(tree)
        self.subgame = cache(self._subgame)

    def _subgame(self, board: int, root: int) -> tuple[TurnSubgame, RowCopier]:
        sub = turn_subgame(self.tree, board, root)
        nodes = same_nodes(sub.tree, 0, self.tree, root)
        return sub, RowCopier(sub, self.tree, self.layout, nodes)

    def solved(
        self, blueprint: WholeStrategy, method: str, boards: Iterable[int] | None = None
    ) -> WholeStrategy:
        """Return the blueprint with the searcher's play from the turn on solved anew by a method.

        boards: the turn boards on which that is done, all of them if not given.
        """
        safety, searcher = safety_named(method), self.searcher
        table = blueprint.tables[searcher].copy()
        for board in range(self.tree.board_count(TURN)) if boards is None else boards:
            for root in turn_roots(self.tree):
                sub, copier = self.subgame(board, root)
                ranges = ranges_at(blueprint, sub, searcher)
                if ranges is None:
                    continue
                promised = alternatives_at(blueprint, sub, searcher, safety, ranges)
                start = root_of(safety, 1 - searcher, ranges.weights, promised)
                engine = VectorEngine(sub.tree, self.rule, root=start)
                engine.run(self.iterations)
                copier.copy(searcher, engine.average[searcher], table)
        return blueprint.with_table(searcher, table)
