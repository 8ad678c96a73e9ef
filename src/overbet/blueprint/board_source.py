"""Boards for training, drawn at random: all hands of each, in order of strength and with their buckets."""

from __future__ import annotations

from math import comb

import numpy as np
import numpy.typing as npt

from overbet.blueprint.cards import BucketedCards, CardModel
from overbet.cards.combos import COMBOS, class_of_combos, combo_index, combo_table
from overbet.cards.evaluator import tables
from overbet.kernels.boards.hands import SweptHands, bucket_boards, empty_hands, fill_hands
from overbet.kernels.cards.showdown_orders import order_hands
from overbet.kernels.training.deal import deal_cards

_STREET_CARDS = (0, 3, 4, 5)


class BoardSource:
    """Boards of a deck and a grouping of hands. live: hands of a board; against: those that go with one."""

    def __init__(self, cards: CardModel, seed: int) -> None:
        self.cards, self.seed = cards, seed
        deck = sorted(int(card) for card in cards.deck)
        pairs = [(high, low) for place, high in enumerate(deck) for low in deck[:place]]
        self._held = np.array(pairs, np.uint8)
        self._combos = np.array([combo_index(*pair) for pair in pairs], np.int16)
        self.live, self.against = comb(len(deck) - 5, 2), comb(len(deck) - 7, 2)

    def boards(self, first: int, count: int) -> npt.NDArray[np.int8]:
        """Return boards first .. first + count - 1: [count, 5] int8."""
        boards: npt.NDArray[np.int8] = np.zeros((count, 5), np.int8)
        deal_cards(boards, self.cards.deck, 0, self.seed, first)
        return boards

    def hands(self, boards: npt.NDArray[np.int8]) -> SweptHands:
        """Return the hands of boards."""
        count, size = len(boards), len(self._held)
        alive = np.zeros(count, np.int32)
        order, strength, place = (np.zeros((count, size), np.int16) for _ in range(3))
        shown = np.zeros((count, size, 2), np.uint8)
        order_hands(boards.astype(np.uint8), self._held, tables(), alive, order, strength, place, shown)
        hands = empty_hands(count, self.live)
        fill_hands(hands, order, strength, self._held, self._combos, self._buckets(boards))
        return hands

    def _buckets(self, boards: npt.NDArray[np.int8]) -> npt.NDArray[np.int32]:
        """Return the bucket of every combo by street, [board, 4, 1326] int32; 0 on streets without any."""
        found = np.zeros((len(boards), 4, COMBOS), np.int32)
        if isinstance(self.cards, BucketedCards) and self.cards.buckets.has_river_table:
            found[:, 0] = class_of_combos()
            bucket_boards(boards, self.cards.buckets.tables, combo_table(), found)
            return found
        for number, board in enumerate(boards.tolist()):
            for street, cards in enumerate(_STREET_CARDS):
                if self.cards.counts[street]:
                    found[number, street] = self.cards.of_board(board[:cards])
        return found
