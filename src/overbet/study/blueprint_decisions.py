"""The decisions of hands that blueprints played, beside what a blueprint does there: a table of decisions.

The hands are those of the match loop (`evaluation.matches`), at the blueprint's own table and with bets of
its own tree, so that every decision is a node of the tree and the strategy of the very hand is one row of it.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import numpy.typing as npt

from overbet.agents.blueprint import BlueprintAgent
from overbet.blueprint.cards import BucketedCards
from overbet.cards.cards import cards_name
from overbet.errors import ConfigError
from overbet.evaluation.match_blocks import PlayedBlock
from overbet.kernels.abstraction.buckets import BucketTables, deal_buckets
from overbet.kernels.holdem.play import deal_cards
from overbet.solvers.vector.batches.texture import texture
from overbet.study.blueprint_lines import path
from overbet.study.decision_lines import KINDS, STREET_NAMES, HandStep, kind_of, line_kind
from overbet.tree.holdem import HoldemTree

if TYPE_CHECKING:
    import polars

Ints = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]


class NodeKind(NamedTuple):
    """What a node of a betting tree is about: the line before it, and the kind of each of its actions."""

    line: str
    kinds: tuple[int, ...]  # numbers in `KINDS`


def node_kind(tree: HoldemTree, node: int) -> NodeKind:
    """Return what a decision of a betting tree is about."""
    nodes, steps = tree.nodes, []
    way = path(tree, node)
    for here, child in pairwise(way):
        street, facing = int(nodes.street[here]), -1 in tree.actions(here)
        kind = kind_of(int(nodes.action[child]), facing, street)
        steps.append(HandStep(street, int(nodes.player[here]), kind))
    street, facing = int(nodes.street[node]), -1 in tree.actions(node)
    kinds = tuple(KINDS.index(kind_of(action, facing, street)) for action in tree.actions(node))
    return NodeKind(line_kind(steps, int(nodes.player[node]), street), kinds)


class BlueprintReference:
    """Tells decisions of a blueprint's own game, with the blueprint's strategy as what is right."""

    def __init__(self, agent: BlueprintAgent) -> None:
        cards = agent.blueprint.cards
        if agent.arrays is None or not isinstance(cards, BucketedCards):
            raise ConfigError("decisions are told beside a blueprint with buckets of a file")
        self.agent, self.arrays, self.tree = agent, agent.arrays, agent.blueprint.tree
        self._tables: BucketTables = cards.buckets.tables
        self.kind = lru_cache(None)(lambda node: node_kind(self.tree, node))

    def decisions(self, blocks: Sequence[PlayedBlock], slot: int = 0) -> polars.DataFrame:
        """Return the table of decisions of the agent in a slot (`overbet.study.decisions`)."""
        import polars as pl

        return pl.concat([self._of_block(block, slot) for block in blocks])

    def _of_block(self, block: PlayedBlock, slot: int) -> polars.DataFrame:
        import polars as pl

        hands, nodes, taken = self._walk(block, slot)
        players = self.arrays.player[nodes].astype(np.int64)
        streets = self.arrays.street[nodes].astype(np.int64)
        cards, buckets = self._dealt(block)
        deals = hands // block.game.num_players
        shares = self._shares(nodes, buckets[deals, players, streets])
        kinds = [self.kind(int(node)) for node in nodes]
        flops = [_texture(*flop) for flop in cards[:, -5:-2].tolist()]
        positions = [block.game.position(player) for player in range(block.game.num_players)]
        stack = min(block.game.start) / block.game.big_blind
        return pl.DataFrame(
            {
                "hand": hands + block.first_group * block.game.num_players,
                "position": [positions[player] for player in players],
                "street": [STREET_NAMES[street] for street in streets],
                "line": [kind.line for kind in kinds],
                "texture": [flops[deal] if street else None for deal, street in zip(deals, streets)],
                "stack_bb": np.full(len(hands), stack),
                "action": [KINDS[kind.kinds[child]] for kind, child in zip(kinds, taken)],
                **{f"p_{kind}": shares[:, number] for number, kind in enumerate(KINDS)},
            },
            schema_overrides={"texture": pl.String},
            nan_to_null=True,
        )

    def _walk(self, block: PlayedBlock, slot: int) -> tuple[Ints, Ints, Ints]:
        """Return the slot's decisions, sorted by hand: hand, node and the number of the child, [n] each."""
        arrays, players = self.arrays, block.game.num_players
        at, hands = np.zeros(block.hands, np.int64), np.arange(block.hands)
        found: list[tuple[Ints, Ints, Ints]] = []
        for place in range(int(np.diff(block.starts).max(initial=0))):
            hands = hands[block.starts[hands] + place < block.starts[hands + 1]]
            nodes, moves = at[hands], block.moves[block.starts[hands] + place]
            child = np.full(len(hands), -1)
            for number in range(int(arrays.num_children[nodes].max())):
                here = np.minimum(arrays.first[nodes] + number, len(arrays.action) - 1)
                child[(number < arrays.num_children[nodes]) & (arrays.action[here] == moves)] = number
            if (child < 0).any():
                raise ConfigError(
                    "a hand has a bet that is not in the blueprint's tree; it cannot be told here"
                )
            at[hands] = arrays.first[nodes] + child
            own = (arrays.player[nodes] + hands % players) % players == slot
            found.append((hands[own], nodes[own], child[own]))
        hand, node, taken = (np.concatenate(parts) for parts in zip(*found))
        order = np.argsort(hand, kind="stable")
        return hand[order], node[order], taken[order]

    def _dealt(self, block: PlayedBlock) -> tuple[npt.NDArray[np.int8], npt.NDArray[np.int32]]:
        """Return the cards, [deal, 2 * players + 5] int8, and buckets, [deal, player, street] int32."""
        players = block.game.num_players
        cards: npt.NDArray[np.int8] = np.empty((block.groups, 2 * players + 5), np.int8)
        drawn: Ints = np.empty(2 * players + 5, np.int64)
        for deal in range(block.groups):
            deal_cards(block.seed, block.first_group + deal, drawn)
            cards[deal] = drawn
        buckets = np.zeros((block.groups, players, 4), np.int32)
        deal_buckets(cards, self._tables, buckets)
        return cards, buckets

    def _shares(self, nodes: Ints, buckets: npt.NDArray[np.int32]) -> Floats:
        """Return how often the blueprint does each kind of action: [n, 5] float64, NaN where untrained."""
        arrays = self.arrays
        rows = arrays.record[nodes, 2] + arrays.record[nodes, 3] * buckets
        shares, every = np.zeros((len(nodes), len(KINDS))), np.arange(len(nodes))
        for number in range(int(arrays.num_children[nodes].max())):
            there = np.flatnonzero(number < arrays.num_children[nodes])
            kinds = np.array([self.kind(int(node)).kinds[number] for node in nodes[there]], np.int64)
            shares[every[there], kinds] += arrays.strategy[rows[there] + number]
        total = shares.sum(1, keepdims=True)
        return np.where(total > 0.0, shares / np.maximum(total, 1.0), np.nan)


@lru_cache(None)
def _texture(*flop: int) -> str:
    """Return the texture of a flop in a word: paired, or how its suits fall."""
    look = texture(cards_name(flop))
    return look.suits if look.pairing == "unpaired" else "paired"
