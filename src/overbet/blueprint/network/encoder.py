"""The encoder of hold'em: public states of a betting tree and hands on boards as arrays for a network.

    encoder = HoldemEncoder(tree, cards)
    encoder.betting          [N, 92] float32, a row a node of the tree (kernels.network.betting)
    encoder.rows(boards)     cards, bucket and strength of all hands (kernels.network.cards)
    encoder.line(row)        the public line that a row of `betting` stands for

Betting is written relative to the pot and can be read back exactly. Cards can be read back but for the names
of suits, which no strategy depends on. Bucket and strength follow from the cards: they are there because a
small network would need long to learn them.
"""

from __future__ import annotations

from functools import cache, cached_property

import numpy as np
import numpy.typing as npt

from overbet.abstraction.features import deck
from overbet.blueprint.cards import BucketedCards, CardModel
from overbet.cards.combos import CLASSES, COMBOS, class_of_combos, combo_table
from overbet.cards.evaluator import tables
from overbet.cards.isomorphism import board_isomorphism, hand_isomorphism
from overbet.cards.preflop import equity_169, pair_counts_169
from overbet.errors import ConfigError, RulesError
from overbet.games import lines
from overbet.kernels.abstraction.buckets import BucketTables
from overbet.kernels.agents.features import HandTables
from overbet.kernels.holdem.layout import CALL, POT, RAISE_MAX, STREET, TO_CALL, TO_MATCH
from overbet.kernels.holdem.play import give_cards
from overbet.kernels.holdem.rules import apply
from overbet.kernels.network.betting import (
    BETTING,
    HISTORY,
    MOST_MOVES,
    MOVE,
    SLOTS,
    TOO_MANY_MOVES,
    encode_nodes,
)
from overbet.kernels.network.cards import PLACES, CardRows, encode_boards
from overbet.tree.holdem import HoldemTree

Floats = npt.NDArray[np.float32]
Ints = npt.NDArray[np.int32]
_EVERY_STREET = np.ones(4, np.bool_)


class HoldemEncoder:
    """Encodes one heads-up betting tree and the hands of one grouping.

    betting: [N, BETTING] float32; slots: [N, SLOTS] int32, the child that stands in a slot or -1;
    buckets: how many there are on each street.
    """

    def __init__(self, tree: HoldemTree, cards: CardModel) -> None:
        game = tree.game
        if game.num_players != 2:
            raise ConfigError(f"a network plays heads up, not at a table of {game.num_players}")
        self.tree, self.cards = tree, cards
        self.buckets = tuple(int(count) for count in cards.counts)
        self.betting: Floats = np.empty((tree.size.nodes, BETTING), np.float32)
        self.slots: Ints = np.empty((tree.size.nodes, SLOTS), np.int32)
        start = float(min(game.start))
        fault = encode_nodes(self._root, tree.nodes, start, game.big_blind, self.betting, self.slots)
        if fault:
            what = "6 actions on a street" if fault == TOO_MANY_MOVES else "3 raises and all-in at a decision"
            raise ConfigError(f"a network's menu has at most {what}; use fewer sizes or raises")

    @cached_property
    def _root(self) -> npt.NDArray[np.int64]:
        root = self.tree.game.root.copy()
        give_cards(root, np.arange(9))
        return root

    @cached_property
    def bucket_tables(self) -> BucketTables:
        """What buckets are looked up in."""
        return self.cards.buckets.tables if isinstance(self.cards, BucketedCards) else no_buckets()

    @property
    def strengths(self) -> HandTables:
        """What strengths are worked out from."""
        return strength_tables()

    def rows(self, boards: npt.ArrayLike, streets: npt.ArrayLike = _EVERY_STREET) -> CardRows:
        """Return the rows of boards: [B, 5] card numbers, any where a street's cards are not asked for."""
        lying = np.ascontiguousarray(boards, np.int8)
        asked = np.array(streets, np.bool_) & (np.array(self.buckets) > 0)
        rows = empty_rows(len(lying))
        encode_boards(lying, asked, combo_table(), deck(5), self.strengths, self.bucket_tables, rows)
        return rows

    def line(self, row: npt.ArrayLike) -> str:
        """Return the public line, without cards, that a row of `betting` was made from."""
        return lines.text(lines.tokens_of(self.tree.game.root, self.actions(row)))

    def actions(self, row: npt.ArrayLike) -> list[int]:
        """Return the actions from the root that a row of `betting` was made from."""
        told = np.asarray(row, np.float64)
        if told.shape != (BETTING,):
            raise RulesError(f"a row of betting has {BETTING} numbers, not {list(told.shape)}")
        moves = told[HISTORY:].reshape(4, MOST_MOVES, MOVE)
        state, found = self._root.copy(), []
        for street in range(4):
            for present, size, all_in in moves[street]:
                if present < 0.5:
                    break
                if state[STREET] != street:
                    raise RulesError("a row of betting has an action on a street that was not reached")
                action = CALL
                if all_in > 0.5:
                    action = int(state[RAISE_MAX])
                elif size > 0.0:
                    pot = float(state[POT] + state[TO_CALL])
                    action = round(float(state[TO_MATCH]) + float(np.expm1(size)) * pot)
                apply(state, action)
                found.append(action)
        return found


def empty_rows(boards: int) -> CardRows:
    """Return room for the rows of boards."""
    return CardRows(
        np.zeros((boards, 4, COMBOS, PLACES), np.int8),
        np.full((boards, 4, COMBOS), -1, np.int32),
        np.zeros((boards, 4, COMBOS, 3), np.float32),
        np.full((boards, COMBOS), -1, np.int32),
    )


@cache
def strength_tables() -> HandTables:
    """Return what strengths are read from; before the flop both are the equity against a random hand."""
    pairs = pair_counts_169().astype(np.float64)
    equities = ((equity_169() * pairs).sum(1) / pairs.sum(1))[class_of_combos()]
    return HandTables(tables(), np.stack([equities, equities]))


@cache
def no_buckets() -> BucketTables:
    """Return the tables of a game without a flop: the 169 classes and nothing else."""
    preflop = np.empty(CLASSES, np.uint16)
    preflop[hand_isomorphism(0).indices(np.empty((COMBOS, 0), np.int8), combo_table())] = class_of_combos()
    none, no_class = np.empty(0, np.uint16), np.empty(0, np.uint8)
    before, flop, turn, river = (hand_isomorphism(count).tables for count in (0, 3, 4, 5))
    suits = (before, flop, turn, river, board_isomorphism(5).tables)
    return BucketTables(preflop, none, none, none, none, no_class, *suits, tables())
