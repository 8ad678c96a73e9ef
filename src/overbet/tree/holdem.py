"""The betting tree of a whole hand of hold'em for any number of players, as flat arrays.

Built from the real rules (`kernels.holdem.rules`) and a bet menu, cards left out: a child on a later street
is what follows when the cards have come. Size and memory are known before anything is allocated:
`measure_tree`.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from overbet.betting.menu import STREET_NAMES, Menu
from overbet.betting.names import action_names
from overbet.errors import ArtefactError, ConfigError, IllegalActionError, TooLargeError
from overbet.games import lines
from overbet.games.holdem import HoldemGame
from overbet.games.holdem_state import HoldemState
from overbet.kernels.holdem import layout, rules
from overbet.kernels.holdem.layout import ACTOR
from overbet.kernels.holdem.play import give_cards
from overbet.kernels.training.tree import (
    ACTIONS,
    DECISIONS,
    LINES,
    NODES,
    OVERFLOW,
    POTS,
    TERMINALS,
    MenuTable,
    Nodes,
    grow,
    lay_out,
)

MOST_NODES = 100_000_000  # nodes are numbered in 32 bits; a tree of these takes gigabytes
_NODE_BYTES = 23 + 32  # arrays of `Nodes` and the packed record
_POT_BYTES = 8


class TreeSize(NamedTuple):
    """How large a tree and its tables are, before they exist. Figures by street run preflop to river."""

    nodes: int
    terminals: int
    pots: int
    lines: int
    decisions: tuple[int, ...]  # by street
    actions: tuple[int, ...]  # by street: sum of the decisions' actions
    players: int

    def rows(self, buckets: tuple[int, ...]) -> tuple[int, ...]:
        """Return the rows (decision, bucket) by street."""
        return tuple(count * width for count, width in zip(self.decisions, buckets))

    def entries(self, buckets: tuple[int, ...]) -> tuple[int, ...]:
        """Return the entries (decision, bucket, action) by street."""
        return tuple(count * width for count, width in zip(self.actions, buckets))

    @property
    def tree_bytes(self) -> int:
        """Memory of the tree's arrays."""
        return self.nodes * _NODE_BYTES + self.terminals * (4 * self.players + 4) + self.pots * _POT_BYTES

    def describe(self) -> str:
        """Return decisions by street in one line."""
        parts = (f"{name} {count:,}" for name, count in zip(STREET_NAMES, self.decisions) if count)
        return f"{sum(self.decisions):,} decisions ({', '.join(parts)})"


@dataclass(frozen=True, eq=False)
class HoldemTree:
    """A betting tree. `nodes` has the arrays; children of n are first[n] .. first[n] + count[n] - 1."""

    game: HoldemGame
    menu: Menu
    size: TreeSize
    nodes: Nodes

    def children(self, node: int) -> range:
        """Return the children of a decision; nothing follows the end of a hand."""
        if self.nodes.player[node] < 0:
            return range(0)
        first = int(self.nodes.first[node])
        return range(first, first + int(self.nodes.num_children[node]))

    def actions(self, node: int) -> tuple[int, ...]:
        """Return the actions at a decision: -1 fold, 0 check or call, n a bet or raise to n chips."""
        return tuple(int(self.nodes.action[child]) for child in self.children(node))

    def action_names(self, node: int) -> tuple[str, ...]:
        """Return the actions in words, in big blinds."""
        street, level = int(self.nodes.street[node]), int(self.nodes.level[node])
        state, player = lines.after(self.game.root, self._path(node)), int(self.nodes.player[node])
        all_in = int(state[layout.BET + player] + state[layout.STACK + player])
        return action_names(self.actions(node), street, level, self.game.big_blind, all_in)

    def line(self, node: int) -> str:
        """Return the public line of a node without its cards, such as `r:0:b250:c` (see `games.lines`)."""
        return lines.text(lines.tokens_of(self.game.root, self._path(node)))

    def tokens(self, node: int) -> tuple[str, ...]:
        """Return how a line goes on after a decision: one token for each action, such as `f`, `c`, `b250`."""
        return self._tokens(node, lines.after(self.game.root, self._path(node)))

    def find(self, line: str) -> int:
        """Return the node of a public line; cards in it are passed over."""
        node, state = 0, lines.after(self.game.root)
        for token in lines.moves(lines.parse(line)):
            tokens = self._tokens(node, state)
            if str(token) not in tokens:
                words = ", ".join(tokens) or "nothing: the hand is over"
                raise IllegalActionError(
                    f"'{token}' is not in the tree after {self.line(node)}; there is {words}"
                )
            node = self.children(node)[tokens.index(str(token))]
            rules.apply(state, int(self.nodes.action[node]))
        return node

    def _path(self, node: int) -> list[int]:
        """Return the actions that lead to a node."""
        actions: list[int] = []
        while node > 0:
            actions.append(int(self.nodes.action[node]))
            node = int(self.nodes.parent[node])
        return actions[::-1]

    def _tokens(self, node: int, state: npt.NDArray[np.int64]) -> tuple[str, ...]:
        actions = self.actions(node)
        if not actions:
            return ()
        earlier = lines.earlier_chips(self.game.root, state, int(self.nodes.player[node]))
        return tuple(str(lines.token_of(action, earlier)) for action in actions)

    def after(self, state: HoldemState) -> int:
        """Return the node of a state all of whose actions are the tree's."""
        node = 0
        for _, _, action in state.history:
            node = next(child for child in self.children(node) if self.nodes.action[child] == action)
        return node

    @cached_property
    def digest(self) -> str:
        """The sha256 of the tree: rules, stacks and menu all show in it."""
        sha = hashlib.sha256()
        for array in self.nodes:
            sha.update(np.ascontiguousarray(array).tobytes())
        return sha.hexdigest()

    def records(self, buckets: tuple[int, ...]) -> tuple[npt.NDArray[np.int64], int]:
        """Return what walks read, [N, 4] int64 (see `kernels.training.record`), and the entries."""
        record = np.zeros((self.size.nodes, 4), np.int64)
        widths = np.array(buckets, np.int64)
        entries = lay_out(self.nodes, widths, self.game.num_players, self.size.lines, record)
        return record, int(entries)


def measure_tree(game: HoldemGame, menu: Menu, limit: int = MOST_NODES) -> TreeSize:
    """Return the size of the tree of `menu` without building it."""
    return _grown(game, menu.table(game), _empty(0, 0, 0, game.num_players), False, limit)


def build_tree(game: HoldemGame, menu: Menu, limit: int = MOST_NODES) -> HoldemTree:
    """Return the tree of `menu`, with at most `limit` nodes, and never more than `MOST_NODES`."""
    table = menu.table(game)
    players, limit = game.num_players, min(limit, MOST_NODES)
    size = _grown(game, table, _empty(0, 0, 0, players), False, limit)
    nodes = _empty(size.nodes, size.terminals, size.pots, players)
    again = _grown(game, table, nodes, True, limit)
    if again != size:
        raise ArtefactError("the betting tree grew twice with different sizes")
    for array in nodes:
        array.setflags(write=False)
    return HoldemTree(game, menu, size, nodes)


def _grown(game: HoldemGame, table: MenuTable, nodes: Nodes, store: bool, limit: int) -> TreeSize:
    root = game.root.copy()
    give_cards(root, np.arange(2 * game.num_players + 5))
    if root[ACTOR] < 0:
        raise ConfigError("everybody is all in with the blinds: there is no decision and so no tree")
    counts = grow(root, table, game.big_blind, nodes, store, limit).tolist()
    if counts[OVERFLOW]:
        raise TooLargeError(
            f"the betting tree has more than {limit:,} nodes; use fewer sizes or raises (menu), fewer "
            "players, or all-in only under a stack-to-pot limit (a<4)"
        )
    return TreeSize(
        nodes=counts[NODES],
        terminals=counts[TERMINALS],
        pots=counts[POTS],
        lines=counts[LINES],
        decisions=tuple(counts[DECISIONS : DECISIONS + 4]),
        actions=tuple(counts[ACTIONS : ACTIONS + 4]),
        players=game.num_players,
    )


def _empty(nodes: int, terminals: int, pots: int, players: int) -> Nodes:
    return Nodes(
        player=np.zeros(nodes, np.int8),
        street=np.zeros(nodes, np.int8),
        level=np.zeros(nodes, np.int8),
        parent=np.zeros(nodes, np.int32),
        first=np.zeros(nodes, np.int32),
        num_children=np.zeros(nodes, np.int8),
        action=np.zeros(nodes, np.int32),
        pot=np.zeros(nodes, np.int32),
        line=np.zeros(nodes, np.int32),
        won=np.zeros((terminals, players), np.float32),
        pot_first=np.zeros(terminals + 1, np.int32),
        pot_chips=np.zeros(pots, np.float32),
        pot_mask=np.zeros(pots, np.int32),
    )
