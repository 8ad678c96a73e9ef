"""The subgame of a street with three players and more: its tree, its hands and its tables."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from overbet.betting.menu import Menu
from overbet.cards.combos import combo_table, live_combos
from overbet.errors import TooLargeError
from overbet.games.holdem_state import STREETS, HoldemState
from overbet.kernels.betting.mapping import TRANSLATION_STREAM
from overbet.kernels.holdem.layout import COMING, NO_CARD
from overbet.kernels.rng import stream_key
from overbet.kernels.search.street_game import StreetHands, StreetTables, WalkRoom
from overbet.kernels.search.street_tree import (
    AVERAGES,
    DECIDES,
    DEEPEST,
    ENDS,
    ENTRIES,
    FULL,
    LEAVES,
    NODES,
    POTS,
    StreetNodes,
    StreetPlan,
    grow_street,
)
from overbet.kernels.training.tree import MOST_ACTIONS
from overbet.search.question import Frozen
from overbet.search.table.followed import FollowedBlueprint
from overbet.search.table.settings import TableSettings
from overbet.tree.spot import STREETS as SEARCHED

Floats = npt.NDArray[np.float64]
_ROOMS = (1 << 15, 1 << 18, 1 << 21)  # nodes to make room for, one after another
_MOST_ENTRIES = 100_000_000  # 400 MB
_SPARE = 1e-6  # weight of hands that nobody believes in, where hands share a row


class TableQuestion(NamedTuple):
    """A subgame to search by sampling.

    begun: the hand when the street began; ranges: [P, 1326] float64 there; played: actions of the street that
    must be in the tree; frozen: decisions of the searcher on the way; seed, hand: of the match.
    """

    begun: HoldemState
    ranges: Floats
    played: tuple[int, ...]
    frozen: tuple[Frozen, ...]
    seed: int = 0
    hand: int = 0

    @property
    def street(self) -> int:
        """0 preflop to 3 river."""
        return STREETS.index(self.begun.street)


class StreetTable(NamedTuple):
    """A grown subgame. combos: [H] int64, the hands that are alive; depth: most nodes on a line; decisions:
    [d] int64, those of the first street; players: [p] int64, who is in the hand."""

    nodes: StreetNodes
    combos: npt.NDArray[np.int64]
    depth: int
    decisions: npt.NDArray[np.int64]
    players: npt.NDArray[np.int64]
    tables: StreetTables


def street_table(
    question: TableQuestion, followed: FollowedBlueprint, settings: TableSettings
) -> StreetTable:
    """Grow the tree of a question, with tables in which nothing has been learned."""
    begun, street = question.begun, question.street
    combos = np.flatnonzero(live_combos(begun.board))
    last = SEARCHED.index(settings.on(street - 1).to) + 1
    if not all(followed.counts[street + 1 : last + 1]):
        last = street  # a blueprint without buckets for later streets
    inner, node = followed.at(begun, question.seed, question.hand)
    menu: Menu = settings.menu or followed.blueprint.config.menu
    plan = StreetPlan(
        menu.table(begun.game),
        np.array(question.played, np.int64),
        last,
        settings.ways,
        len(combos),
        np.array(followed.counts, np.int64),
        begun.game.big_blind,
        inner,
        node,
        np.uint64(stream_key(question.seed, question.hand, TRANSLATION_STREAM)),
        len(begun.history),
    )
    nodes, counts = _grown(begun, plan, followed)
    if counts[ENTRIES] > _MOST_ENTRIES:
        raise TooLargeError(
            f"the subgame of the {begun.street} has {counts[ENTRIES]:,} entries; use fewer sizes "
            f"(table.menu) or table.{begun.street}.to={begun.street}"
        )
    fixed, fixed_at = fixed_rows(_frozen(question, nodes), nodes, combos)
    tables = StreetTables(
        np.zeros(counts[ENTRIES], np.float32),
        np.zeros(counts[AVERAGES], np.float32),
        fixed,
        fixed_at,
        settings.ways,
        settings.lean,
    )
    players = np.flatnonzero(begun.in_hand)
    decisions = np.flatnonzero(nodes.kind == DECIDES)
    return StreetTable(nodes, combos, int(counts[DEEPEST]) + 2, decisions, players, tables)


def street_hands(combos: npt.NDArray[np.int64], ranges: Floats) -> StreetHands:
    """Return hands to draw from ranges, [P, 1326] float64."""
    weights = ranges[:, combos] / ranges[:, combos].max(1, keepdims=True)
    own = np.maximum(weights, _SPARE).astype(np.float32)
    return StreetHands(combo_table()[combos].copy(), np.cumsum(weights, axis=1), own)


def walk_room(table: StreetTable, players: int) -> WalkRoom:
    """Return the work space of walks over a subgame."""
    hands, actions = len(table.combos), int(table.nodes.width.max(initial=1))
    deep = table.depth
    return WalkRoom(
        np.zeros(deep, np.int64),
        np.zeros(deep, np.int64),
        np.zeros((deep, actions, hands), np.float32),
        np.zeros((deep, actions, hands), np.float32),
        np.zeros(deep, np.int64),
        np.zeros(deep, np.int64),
        np.zeros((deep, actions, 4, hands), np.float32),
        np.zeros((4, hands), np.float32),
        np.zeros(hands, np.float32),
        np.zeros(hands, np.float32),
        np.zeros(hands, np.float32),
        np.zeros(players, np.int64),
        np.zeros(players, np.int64),
        np.zeros(MOST_ACTIONS + 4, np.float32),
    )


def _grown(
    begun: HoldemState, plan: StreetPlan, followed: FollowedBlueprint
) -> tuple[StreetNodes, npt.NDArray[np.int64]]:
    root = begun.vector
    # cards do not matter to the betting: any will do
    root[COMING : COMING + 5] = np.where(root[COMING : COMING + 5] == NO_CARD, 0, root[COMING : COMING + 5])
    for room in _ROOMS:
        nodes = _empty(room, begun.num_players)
        counts = grow_street(root, plan, followed.arrays, nodes)
        if not counts[FULL]:
            return _cut(nodes, counts), counts
    raise TooLargeError(
        f"the subgame of the {begun.street} has more than {_ROOMS[-1]:,} nodes; use fewer sizes (table.menu)"
    )


def _empty(size: int, players: int) -> StreetNodes:
    return StreetNodes(
        kind=np.zeros(size, np.int8),
        player=np.zeros(size, np.int8),
        street=np.zeros(size, np.int8),
        parent=np.zeros(size, np.int32),
        first=np.zeros(size, np.int32),
        width=np.zeros(size, np.int32),
        action=np.zeros(size, np.int32),
        blue=np.zeros(size, np.int32),
        stands=np.zeros((size, MOST_ACTIONS), np.int8),
        place=np.zeros(size, np.int64),
        average=np.zeros(size, np.int64),
        paid=np.zeros(size, np.float32),
        leaf_child=np.zeros(size, np.int32),
        leaf_place=np.zeros((size, players), np.int64),
        won=np.zeros((size, players), np.float32),
        pot_first=np.zeros(size + 1, np.int32),
        pot_chips=np.zeros(2 * size, np.float32),
        pot_mask=np.zeros(2 * size, np.int32),
    )


def _cut(nodes: StreetNodes, counts: npt.NDArray[np.int64]) -> StreetNodes:
    """Return the nodes without the room that was left."""
    size, ends, pots, leaves = counts[NODES], counts[ENDS], counts[POTS], counts[LEAVES]
    lengths = {"leaf_child": leaves, "leaf_place": leaves, "won": ends, "pot_first": ends + 1}
    lengths |= {"pot_chips": pots, "pot_mask": pots}
    cut = {name: array[: lengths.get(name, size)].copy() for name, array in nodes._asdict().items()}
    return StreetNodes(**cut)


def node_after(nodes: StreetNodes, edges: tuple[int, ...]) -> int | None:
    """Return the decision after some actions of the street, None where they are not in the tree."""
    node = 0
    for edge in edges:
        first, count = int(nodes.first[node]), int(nodes.width[node])
        place = np.flatnonzero(nodes.action[first : first + count] == edge)
        if not len(place):
            return None
        node = first + int(place[0])
    return node


def fixed_rows(
    shares: Mapping[int, Floats], nodes: StreetNodes, combos: npt.NDArray[np.int64]
) -> tuple[npt.NDArray[np.float32], npt.NDArray[np.int64]]:
    """Return strategies that are not learned, flat, [action, hand] each, and where each begins by node.

    shares: by node, [1326, action] float64.
    """
    at, rows, length = np.full(len(nodes.kind), -1, np.int64), [np.zeros(1, np.float32)], 1
    for node, found in shares.items():
        at[node] = length
        rows.append(found[combos].T.astype(np.float32).ravel())
        length += rows[-1].size
    return np.concatenate(rows), at


def _frozen(question: TableQuestion, nodes: StreetNodes) -> dict[int, Floats]:
    """Return the decisions of the searcher that were made already, by node."""
    found = {}
    for decision in question.frozen:
        node = node_after(nodes, decision.edges)
        if node is None or nodes.width[node] != decision.shares.shape[1]:
            raise AssertionError("a frozen decision is not in the tree")
        found[node] = decision.shares
    return found
