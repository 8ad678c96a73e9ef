"""The betting tree of a postflop spot as flat arrays.

The betting of a street is the same on every board, so cards are left out: a CHANCE node has one child,
the first node of the next street, and the solver keeps a table row for every board there. Once a player
is all-in the remaining streets hold nothing but CHANCE nodes down to a SHOWDOWN on the river.

Nodes lie street by street; within a street, line by line (a line is all that follows one CHANCE node);
within a line breadth first: parents before children, siblings side by side.

A depth limit cuts the tree at the end of a street: each of that street's CHANCE nodes has one child, a CHANCE
node with nothing below it, which is a line of its own and a leaf that is valued from outside. Where a player
chooses among several continuations of the game (multi-valued leaves, Brown, Sandholm & Amos 2018), a decision
with one CHANCE node a continuation stands in the place of the first of the two.
"""

from __future__ import annotations

from collections import deque
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from overbet.betting.sizes import Decision, menu, parse_sizes
from overbet.errors import ConfigError, TooLargeError
from overbet.tree.bet_lines import Branch, branch_of
from overbet.tree.spot import IP, OOP, Spot

CHANCE, FOLD, SHOWDOWN = 2, 3, 4  # node kinds beside the players 0 (OOP) and 1 (IP)
FOLD_EDGE, CALL_EDGE = -1, 0  # edge amounts beside bets
CONTINUATION = -2  # the edge of continuation k is CONTINUATION - k
_CHOOSING = -1  # level of a node at which a continuation is chosen
_OTHERWISE = -1  # of the actions really taken: the node lies on another line

Int = npt.NDArray[np.int32]
MOST_NODES = 2_000_000


class DepthLimit(NamedTuple):
    """Where a tree ends before the river. street: the last street played, 0 flop or 1 turn.

    continuations: of the game after a leaf, among which `chooser` (OOP or IP) chooses, hand by hand, without
    the other player knowing; 1: nothing is chosen. Once somebody is all-in there is nothing to choose either.
    """

    street: int
    continuations: int = 1
    chooser: int = IP


class BettingTree(NamedTuple):
    """A betting tree of N nodes, L lines. Streets are 0 flop, 1 turn, 2 river.

    kind: [N] int32, player to act, or CHANCE, FOLD, SHOWDOWN. street: [N] int32. parent: [N] int32, -1 at the
    root. first_child, num_children: [N] int32. edge: [N] int32, how the node was reached: FOLD_EDGE,
    CALL_EDGE, or the total the player has put in since the root (0 for the node after a card, too).
    put: [N, 2] int32, chips each player has put in since the root. line: [N] int32, the line a node is in.
    line_start: [L + 1] int32, first node of each line. street_line: [4] int32, first line of each street.
    last_street: the last one played; the lines of the street after it are the leaves of a depth limit.
    """

    kind: Int
    street: Int
    parent: Int
    first_child: Int
    num_children: Int
    edge: Int
    put: Int
    line: Int
    line_start: Int
    street_line: Int
    last_street: int = 2

    @property
    def size(self) -> int:
        """Number of betting nodes, boards not counted."""
        return len(self.kind)

    def children(self, node: int) -> range:
        """Return the children of a node."""
        first = int(self.first_child[node])
        return range(first, first + int(self.num_children[node]))

    def street_nodes(self, street: int) -> range:
        """Return the nodes of a street."""
        lines = self.street_line
        return range(int(self.line_start[lines[street]]), int(self.line_start[lines[street + 1]]))


class _Seed(NamedTuple):
    """The first node of a line yet to be grown."""

    parent: int
    put: tuple[int, int]
    aggressor: int  # who bet or raised last on the street before, -1 for nobody
    branch: Branch | None = None


class _Node(NamedTuple):
    kind: int
    parent: int
    edge: int
    put: tuple[int, int]
    level: int  # bets and raises made on this street, or _CHOOSING
    last_raise: int  # size of the last bet or raise on this street
    aggressor: int  # who made it, -1 for nobody
    played: int = _OTHERWISE  # how many of the actions really taken lead here
    branch: Branch | None = None  # what the spot's lines have after this node, None where they have nothing


class _Real(NamedTuple):
    """Actions really taken on the first street, and bets that may follow them."""

    played: tuple[int, ...]
    beside: tuple[int, ...]


def build_tree(
    spot: Spot,
    limit: DepthLimit | None = None,
    played: tuple[int, ...] = (),
    beside: tuple[int, ...] = (),
) -> BettingTree:
    """Grow the betting tree of a spot from its menus, down to the river or to a depth limit.

    played: edges of actions taken on the first street already, `CALL_EDGE` or the total put in by a bet; each
    bet of them is in the tree where it was made, whatever the menus say. Those of the spot if none are given.
    beside: bets that may be made next, likewise in the tree whatever the menus say.
    """
    played = played or spot.played
    real = _Real(played, beside)
    limit = limit or DepthLimit(2)
    if limit.street < spot.first_street or limit.street > 2 or limit.continuations < 1:
        raise ConfigError(
            "a depth limit is the end of a street, from the spot's own on: 0 (flop), 1 (turn) or 2 (river)"
        )
    nodes: list[_Node] = []
    streets: list[int] = []
    lines: list[int] = []
    first_child: list[int] = []
    num_children: list[int] = []
    line_start: list[int] = []
    street_line = [0] * 4
    seeds = [_Seed(-1, (0, 0), -1, branch_of(spot.lines) if spot.lines else None)]
    for street in range(3):
        street_line[street] = len(line_start)
        following: list[_Seed] = []
        if spot.first_street <= street <= limit.street + 1:
            for seed in seeds:
                start = len(nodes)
                if seed.parent >= 0:
                    first_child[seed.parent], num_children[seed.parent] = start, 1
                beyond = street > limit.street
                first = _leaf(seed) if beyond else _first(spot, seed, street)
                queue = deque([first._replace(played=0) if seed.parent < 0 else first])
                while queue:
                    node = queue.popleft()
                    number = len(nodes)
                    if number >= MOST_NODES:
                        raise TooLargeError(
                            f"the betting tree has over {MOST_NODES:,} nodes before boards; use fewer sizes"
                        )
                    nodes.append(node)
                    streets.append(street)
                    lines.append(len(line_start))
                    if node.level == _CHOOSING:
                        children = _continuations(node, number, limit.continuations)
                    else:
                        children = (
                            _children(spot, node, number, street, seed, real)
                            if node.kind in (OOP, IP)
                            else []
                        )
                    if street == limit.street < 2 and limit.continuations > 1:
                        children = [_choosing(spot, child, limit.chooser) for child in children]
                    first_child.append(number + len(queue) + 1 if children else -1)
                    num_children.append(len(children))
                    queue.extend(children)
                    if node.kind == CHANCE and not beyond:
                        following.append(_Seed(number, node.put, node.aggressor, node.branch))
                line_start.append(start)
            seeds = following
    street_line[3] = len(line_start)
    line_start.append(len(nodes))
    if nodes[0].kind in (OOP, IP) and not spot.lines and all(node.edge <= 0 for node in nodes):
        raise ConfigError(
            "the bet menus yield no bet anywhere; give at least one size, such as 'bets: {every: {bet: 75%}}'"
        )

    def column(values: list[int]) -> Int:
        return np.array(values, np.int32)

    return BettingTree(
        column([n.kind for n in nodes]),
        column(streets),
        column([n.parent for n in nodes]),
        column(first_child),
        column(num_children),
        column([n.edge for n in nodes]),
        np.array([n.put for n in nodes], np.int32),
        column(lines),
        column(line_start),
        column(street_line),
        limit.street,
    )


def _first(spot: Spot, seed: _Seed, street: int) -> _Node:
    """Return the first node of a street: out of position to act, or nothing to decide once all-in."""
    if max(seed.put) >= spot.effective_stack:
        kind = SHOWDOWN if street == 2 else CHANCE
    else:
        kind = OOP
    return _Node(kind, seed.parent, 0, seed.put, 0, 0, -1, branch=seed.branch)


def _leaf(seed: _Seed) -> _Node:
    """Return the only node of a line beyond a depth limit."""
    return _Node(CHANCE, seed.parent, 0, seed.put, 0, 0, -1)


def _choosing(spot: Spot, node: _Node, chooser: int) -> _Node:
    """Return a CHANCE node that ends the last street as a choice of continuations; others as they are."""
    if node.kind != CHANCE or node.edge <= CONTINUATION or max(node.put) >= spot.effective_stack:
        return node
    return node._replace(kind=chooser, level=_CHOOSING)


def _continuations(node: _Node, number: int, count: int) -> list[_Node]:
    return [node._replace(kind=CHANCE, parent=number, edge=CONTINUATION - k, level=0) for k in range(count)]


def _children(spot: Spot, node: _Node, number: int, street: int, seed: _Seed, real: _Real) -> list[_Node]:
    """Return the nodes after each action: fold, check or call, then bets ascending."""
    taken = real.played[node.played] if 0 <= node.played < len(real.played) else None
    player, other = node.kind, 1 - node.kind
    base = min(seed.put)  # what each had put in when the street began
    to_call = node.put[other] - node.put[player]
    found = []
    if to_call > 0:
        found.append(node._replace(kind=FOLD, parent=number, edge=FOLD_EDGE, played=_OTHERWISE))
    called = (node.put[other], node.put[other])
    if to_call > 0 or (player == IP and node.level == 0):
        kind = SHOWDOWN if street == 2 else CHANCE
    else:
        kind = other
    after = node.played + 1 if taken == CALL_EDGE else _OTHERWISE
    branch = (node.branch or {}).get(node.put[other])
    found.append(
        node._replace(kind=kind, parent=number, edge=CALL_EDGE, put=called, played=after, branch=branch)
    )
    faced, stack = node.put[other] - base, spot.effective_stack - base
    amounts = _amounts(spot, node, street, seed)
    bets = real.beside if node.played == len(real.played) else () if taken is None else (taken,)
    for bet in (bet for bet in bets if bet > CALL_EDGE):
        if not faced < bet - base <= stack:
            raise ConfigError(f"a bet of {bet} cannot have been played there: from {faced + 1} to {stack}")
        amounts = sorted({*amounts, bet - base})
    for amount in amounts:
        put = [base + amount, base + amount]
        put[other] = node.put[other]
        edge, level = base + amount, node.level + 1
        after = node.played + 1 if taken == edge else _OTHERWISE
        branch = (node.branch or {}).get(edge)
        found.append(
            _Node(other, number, edge, (put[0], put[1]), level, amount - faced, player, after, branch)
        )
    return found


def _amounts(spot: Spot, node: _Node, street: int, seed: _Seed) -> list[int]:
    """Return the bets and raises of a decision, ascending, as totals on this street."""
    player, other = node.kind, 1 - node.kind
    base = min(seed.put)
    if spot.lines:
        return sorted(put - base for put in node.branch or {} if put > node.put[other])
    menu_config = spot.bets.menu(street, player)
    if node.level:
        sizes = menu_config.raises(node.level - 1)
    elif player == OOP and seed.aggressor == IP and menu_config.donk is not None:
        sizes = parse_sizes(menu_config.donk)
    else:
        sizes = parse_sizes(menu_config.bet)
    faced = node.put[other] - base
    at = Decision(
        pot=spot.pot + sum(node.put),
        faced=faced,
        own=node.put[player] - base,
        stack=spot.effective_stack - base,
        streets_left=3 - street,
        min_bet=spot.min_bet,
        min_raise=faced + max(node.last_raise, spot.min_bet),
        big_blind=spot.big_blind,
    )
    return menu(sizes, at, spot.thresholds.value()) if sizes else []
