"""A card model small enough to enumerate: few cards, made-hand categories, nothing forgotten.

A bucket is the preflop class and the category of the made hand on each street so far, so a later bucket
tells the earlier ones (perfect recall) and a best response within the abstraction can be worked out exactly
from the joint distribution of the two players' last buckets.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from overbet.blueprint.trainer import Trainer
from overbet.cards.combos import class_of_combos
from overbet.cards.evaluator import evaluate_batch
from overbet.kernels.training.deal import Deals

LAST = np.array([1277, 4137, 4995, 5853, 5863, 7140, 7296, 7452])
_CATEGORIES = 9
_BOARD = (3, 4, 5)


def all_deals(deck: Sequence[int], players: int, flops_apart: bool) -> npt.NDArray[np.int8]:
    """Return every deal: [n, 2P + 5]; the board by flop, turn and river, or as one set."""
    rows: list[tuple[int, ...]] = []

    def deal(held: tuple[int, ...], left: tuple[int, ...], to_come: int) -> None:
        if to_come:
            for pair in itertools.combinations(left, 2):
                deal(held + pair, tuple(card for card in left if card not in pair), to_come - 1)
            return
        for board in itertools.combinations(left, 5):
            if not flops_apart:
                rows.append(held + board)
                continue
            for late in itertools.permutations(board, 2):
                rows.append(held + tuple(card for card in board if card not in late) + late)

    deal((), tuple(deck), players)
    return np.array(rows, np.int8)


class ShortDeck:
    """The card model of a deck; `streets` False stops at the preflop classes."""

    def __init__(self, deck: Sequence[int], streets: bool = True) -> None:
        self.deck = np.array(deck, np.int8)
        self.digest = f"short {list(deck)} {streets}"
        self._streets = streets
        self._classes = np.full(169, -1, np.int64)
        pairs = itertools.combinations(sorted(deck, reverse=True), 2)
        present = sorted({int(class_of_combos()[high * (high - 1) // 2 + low]) for high, low in pairs})
        self._classes[present] = np.arange(len(present))
        self._maps: list[npt.NDArray[np.int64]] = []
        counts = [len(present), 0, 0, 0]
        if streets:
            cards = all_deals(deck, 1, True)
            before = self._preflop(cards[:, :2])
            for street, board in enumerate(_BOARD, 1):
                key = before * _CATEGORIES + self._category(cards[:, :2], cards[:, 2 : 2 + board])
                found = np.unique(key)
                places = np.full(counts[street - 1] * _CATEGORIES, -1, np.int64)
                places[found] = np.arange(len(found))
                self._maps.append(places)
                before, counts[street] = places[key], len(found)
        self.counts = (counts[0], counts[1], counts[2], counts[3])

    def _preflop(self, hole: npt.NDArray[np.int8]) -> npt.NDArray[np.int64]:
        high, low = hole.max(1).astype(np.int64), hole.min(1).astype(np.int64)
        return self._classes[class_of_combos()[high * (high - 1) // 2 + low]]

    def _category(self, hole: npt.NDArray[np.int8], board: npt.NDArray[np.int8]) -> npt.NDArray[np.int64]:
        ranks = evaluate_batch(np.ascontiguousarray(np.hstack([hole, board])))
        return np.searchsorted(LAST, ranks)

    def buckets(self, cards: npt.NDArray[np.int8], player: int, players: int) -> npt.NDArray[np.int64]:
        """Return the buckets of a player: [n, 4]."""
        hole, board = cards[:, 2 * player : 2 * player + 2], cards[:, 2 * players :]
        found = np.zeros((len(cards), 4), np.int64)
        found[:, 0] = self._preflop(hole)
        for street, places in enumerate(self._maps, 1):
            category = self._category(hole, board[:, : street + 2])
            found[:, street] = places[found[:, street - 1] * _CATEGORIES + category]
        return found

    def fill(self, deals: Deals, players: int) -> None:
        for player in range(players):
            if len(deals.cards):
                deals.bucket[:, player] = self.buckets(deals.cards, player, players)

    def of_board(self, board: Sequence[int]) -> npt.NDArray[np.int32]:
        """Return the bucket of every combo on a board of 0, 3, 4 or 5 cards: [1326] int32, -1 where dead."""
        found = np.full(1326, -1, np.int32)
        left = [card for card in self.deck.tolist() if card not in board]
        hole = np.array(list(itertools.combinations(sorted(left), 2)), np.int8)
        low, high = hole[:, 0].astype(np.int64), hole[:, 1].astype(np.int64)
        bucket = self._preflop(hole)
        for street, places in enumerate(self._maps[: max(len(board) - 2, 0)], 1):
            lying = np.tile(np.array(board[: street + 2], np.int8), (len(hole), 1))
            bucket = places[bucket * _CATEGORIES + self._category(hole, lying)]
        found[high * (high - 1) // 2 + low] = bucket
        return found


def exploitability(trainer: Trainer, cards: ShortDeck) -> float:
    """Return NashConv / 2 of the average strategy in the abstract game of two players, exactly, in bb."""
    dealt = all_deals(cards.deck.tolist(), 2, True)
    own, other = (cards.buckets(dealt, player, 2) for player in (0, 1))
    ranks = [
        evaluate_batch(np.ascontiguousarray(np.hstack([dealt[:, p : p + 2], dealt[:, 4:]]))) for p in (0, 2)
    ]
    last = cards.counts[3]
    place = own[:, 3] * last + other[:, 3]
    mass = np.bincount(place, minlength=last * last).reshape(last, last) / len(dealt)
    share = np.where(ranks[0] > ranks[1], 1.0, np.where(ranks[0] == ranks[1], 0.5, 0.0))
    won = np.bincount(place, share, last * last).reshape(last, last) / len(dealt)
    # the bucket of every street for each last bucket, the same for both players
    earlier = np.zeros((last, 4), np.int64)
    earlier[own[:, 3]] = own
    earlier[other[:, 3]] = other
    total = 0.0
    for player in (0, 1):
        seen, wins = (mass, won) if player == 0 else (mass.T, (mass - won).T)
        total += _best(trainer, player, seen, wins, earlier, 0, np.ones(last)).sum()
    return float(total / 2)


def _best(trainer, player, mass, wins, earlier, node, reach):  # type: ignore[no-untyped-def]
    """Return the best response's value for each own last bucket: [last]."""
    nodes, unit = trainer.tree.nodes, trainer.tree.game.big_blind
    who = int(nodes.player[node])
    if who < 0:
        end = int(nodes.first[node])
        value = nodes.won[end, player] / unit * (mass @ reach)
        for pot in range(nodes.pot_first[end], nodes.pot_first[end + 1]):
            value = value + nodes.pot_chips[pot] / unit * (wins @ reach)
        return value
    at = earlier[:, nodes.street[node]]
    below = []
    shares = np.nan_to_num(trainer.average(node), nan=1.0 / int(nodes.num_children[node]))
    for a, child in enumerate(trainer.tree.children(node)):
        onward = reach if who == player else reach * shares[at, a]
        below.append(_best(trainer, player, mass, wins, earlier, child, onward))
    values = np.array(below)
    if who != player:
        return values.sum(0)
    grouped = np.zeros((len(values), at.max() + 1))
    for a in range(len(values)):
        np.add.at(grouped[a], at, values[a])
    return values[grouped.argmax(0)[at], np.arange(len(at))]
