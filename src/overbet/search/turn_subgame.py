"""The games after each turn card of a flop spot: cut out as spots of their own, and put back again."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from overbet.cards.cards import cards_name
from overbet.cards.combos import combo_name
from overbet.errors import ConfigError
from overbet.solvers.vector.layout import Layout, board_rows, layout_of
from overbet.tree.betting import build_tree
from overbet.tree.boards import Boards, hands_of, live_on, orbits_on, showdowns_of
from overbet.tree.public import PublicTree
from overbet.tree.spot import IP, OOP, Spot

Doubles = npt.NDArray[np.float64]
Floats = npt.NDArray[np.float32]
Longs = npt.NDArray[np.int64]
TURN, RIVER = 1, 2


class TurnSubgame(NamedTuple):
    """What follows a line of the flop's betting and a turn card, as a tree of its own.

    board: the turn board's number in the whole tree; root: the whole tree's node at which it begins.
    tree: with all hands that the card leaves, each of weight 1, and the whole tree's river boards after this
    turn, mirrors included. hands: for each player [h] int64, their numbers in the whole tree. first_river:
    the whole tree's number of the subgame's first river. put: chips each player put in on the flop.
    """

    board: int
    root: int
    tree: PublicTree
    hands: tuple[Longs, Longs]
    first_river: int
    put: int

    def alike(self, player: int, weights: Doubles) -> Doubles:
        """Return numbers of a player's hands, [h], made equal to the bit for hands that mirror each other."""
        orbit = orbits_on(self.tree.boards[0], self.tree.hands[player])[0]
        found: Doubles = weights[orbit]
        return found


def turn_roots(whole: PublicTree) -> list[int]:
    """Return the first nodes of the turn, one a line of the flop, without those where somebody is all-in."""
    betting = whole.betting
    first, last = (int(x) for x in betting.street_line[TURN : TURN + 2])
    return [int(node) for node in betting.line_start[first:last] if betting.kind[node] in (OOP, IP)]


def turn_subgame(whole: PublicTree, board: int, root: int, spot: Spot | None = None) -> TurnSubgame:
    """Cut out the subgame of a turn board and a line. spot: whose menus it has, if not the tree's."""
    turns, rivers = whole.street_boards(TURN), whole.street_boards(RIVER)
    if whole.spot.first_street or turns is None or rivers is None:
        raise ConfigError("turn subgames are cut out of the whole tree of a flop spot")
    given, put = spot or whole.spot, int(whole.betting.put[root].min())
    live = [live_on(turns, hands)[board] > 0 for hands in whole.hands]
    texts = [
        ",".join(combo_name(int(combo)) for combo in hands.combos[alive])
        for hands, alive in zip(whole.hands, live)
    ]
    changes = {
        "board": cards_name(turns.cards[board].tolist()),
        "pot": given.pot + 2 * put,
        "stacks": given.effective_stack - put,
        "ranges": {"oop": texts[OOP], "ip": texts[IP]},
    }
    values = given.model_dump(by_alias=True) | changes
    first, last = (int(x) for x in rivers.child_start[board : board + 2])
    tree = _with_boards(Spot.parse(values, "turn subgame"), _one(turns, board), _some(rivers, first, last))
    return TurnSubgame(board, root, tree, (np.flatnonzero(live[OOP]), np.flatnonzero(live[IP])), first, put)


def _with_boards(spot: Spot, turn: Boards, rivers: Boards) -> PublicTree:
    """Return the tree of a turn spot on given boards.

    The turn card may make suits look alike that the flop's betting has told apart, so boards that stand for
    mirrors are the whole tree's, not those that the spot alone would have.
    """
    hands = hands_of(spot)
    return PublicTree(spot, build_tree(spot), hands, [turn, rivers], showdowns_of(rivers, hands))


def _one(boards: Boards, number: int) -> Boards:
    """Return one board as the first of a tree."""
    one, zero = np.array([0, 1], np.int32), np.zeros(1, np.int32)
    fixing = boards.fixing[number : number + 1]
    return Boards(boards.cards[number : number + 1], zero - 1, one, one, zero, fixing)


def _some(boards: Boards, first: int, last: int) -> Boards:
    """Return the boards from `first` to before `last`, which have one parent."""
    mirrors = boards.mirror_start[first : last + 1]
    return Boards(
        boards.cards[first:last],
        np.zeros(last - first, np.int32),
        np.array([0, last - first], np.int32),
        mirrors - mirrors[0],
        boards.mirrors[mirrors[0] : mirrors[-1]],
        boards.fixing[first:last],
    )


def same_nodes(source: PublicTree, start: int, target: PublicTree, to: int) -> Longs:
    """Return the decisions below a node that stand for each other in two trees: [n, 2] int64.

    The two must have as many actions wherever they decide, sizes apart.
    """
    found, open_pairs = [], [(start, to)]
    while open_pairs:
        one, two = open_pairs.pop()
        kinds = int(source.betting.kind[one]), int(target.betting.kind[two])
        below = source.betting.children(one), target.betting.children(two)
        if kinds[0] != kinds[1] or len(below[0]) != len(below[1]):
            raise ConfigError("the two trees bet otherwise; use the same menus and deep enough stacks")
        if kinds[0] in (OOP, IP):
            found.append((one, two))
        open_pairs += zip(*below)
    return np.array(sorted(found), np.int64).reshape(-1, 2)


class RowCopier:
    """Copies rows of one player's table of a subgame into the table of the whole tree.

    nodes: [n, 2] int64, the subgame's nodes and the whole tree's, as `same_nodes` pairs them.
    """

    def __init__(self, sub: TurnSubgame, whole: PublicTree, outer: Layout, nodes: Longs) -> None:
        self.sub, self.whole, self.outer, self.nodes = sub, whole, outer, nodes
        self.inner = layout_of(sub.tree)

    def copy(self, player: int, given: Floats, out: Floats) -> None:
        """Copy all rows of a player. given, out: flat float32, laid out as the two layouts say."""
        sub, whole = self.sub, self.whole
        rows = self._rows(player, TURN)
        own = np.arange(len(sub.hands[player]))
        self._block(player, TURN, (0, sub.board), rows, (own, sub.hands[player]), given, out)
        rows = self._rows(player, RIVER)
        for inner_board in range(sub.tree.board_count(RIVER)):
            outer_board = sub.first_river + inner_board
            inner_place = sub.tree.showdowns[player].place[inner_board]
            outer_place = whole.showdowns[player].place[outer_board][sub.hands[player]]
            live = np.flatnonzero(outer_place >= 0)
            places = (inner_place[live], outer_place[live])
            self._block(player, RIVER, (inner_board, outer_board), rows, places, given, out)

    def _rows(self, player: int, street: int) -> tuple[Longs, Longs]:
        """Return the action rows of all nodes of a player on a street, in the subgame and in the whole."""
        inner, outer = self.sub.tree.betting, self.whole.betting
        here = self.nodes[
            (outer.kind[self.nodes[:, 1]] == player) & (outer.street[self.nodes[:, 1]] == street)
        ]
        pairs = [
            (int(self.inner.rows[one]) + action, int(self.outer.rows[two]) + action)
            for one, two in here.tolist()
            for action in range(int(inner.num_children[one]))
        ]
        both = np.array(pairs, np.int64).reshape(-1, 2)
        return both[:, 0], both[:, 1]

    def _block(
        self,
        player: int,
        street: int,
        boards: tuple[int, int],
        rows: tuple[Longs, Longs],
        places: tuple[npt.NDArray[np.integer], npt.NDArray[np.integer]],
        given: Floats,
        out: Floats,
    ) -> None:
        starts = [
            board_rows(layout.passes[player].own, street, board)
            for layout, board in zip((self.inner, self.outer), boards)
        ]
        source, target = (
            (start + row * length)[:, None] + place.astype(np.int64)
            for (start, length), row, place in zip(starts, rows, places)
        )
        out[target] = given[source]
