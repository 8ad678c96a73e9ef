"""The network of a whole heads-up game, asked in numpy: no PyTorch is needed to play.

    x  = betting W + b + (sum of embeddings of cards and bucket) P + strength S
    h0 = relu(x),   hk = hk-1 + relu(hk-1 Wk + bk),   y = norm(h) V + c     norm: mean 0, variance 1

`y` has a number for each of six slots (fold, call, three raises, all-in). A strategy is the softmax of those
that the decision has; shares under `LEAST` are left out. The part of x that betting makes is worked out once
for all decisions, the part that cards make once for a board: 1,326 hands of a decision are then a sum and two
or three matrix products.

Arrays (E embedding, H width, K blocks): betting [92, H], betting_bias [H], bucket [buckets of all streets,
E], rank [4, 13, E], suit [4, 4, E], card [4, 52, E], projection [E, H], strength [4, 3, H], weight [K, H, H],
bias [K, H], answer [H, 6], answer_bias [6]. The four of cards are hand, flop, turn and river.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from overbet.blueprint.network.config import NetShapeConfig
from overbet.blueprint.network.encoder import HoldemEncoder
from overbet.cards.combos import COMBOS
from overbet.errors import ArtefactError
from overbet.kernels.network.betting import BETTING, SLOTS
from overbet.kernels.network.cards import NO_CARD, CardRows

Floats = npt.NDArray[np.float32]
Arrays = Mapping[str, npt.NDArray[Any]]
LEAST = 0.01  # shares below are not played
GROUPS = np.array([0, 0, 1, 1, 1, 2, 3])  # of the places of a row of cards
_EPSILON = 1e-5


class EncodedHands(NamedTuple):
    """Hands of a street: card [n, 7] int8, bucket [n] int32 (-1: cannot be held), strength [n, 3] float32."""

    card: npt.NDArray[np.int8]
    bucket: npt.NDArray[np.int32]
    strength: Floats


def expected_shapes(shape: NetShapeConfig, buckets: int) -> dict[str, tuple[int, ...]]:
    """Return the shape of every array of a network."""
    width, inner = shape.width, shape.embedding
    return {
        "betting": (BETTING, width),
        "betting_bias": (width,),
        "bucket": (buckets, inner),
        "rank": (4, 13, inner),
        "suit": (4, 4, inner),
        "card": (4, 52, inner),
        "projection": (inner, width),
        "strength": (4, 3, width),
        "weight": (shape.blocks, width, width),
        "bias": (shape.blocks, width),
        "answer": (width, SLOTS),
        "answer_bias": (SLOTS,),
    }


def checked_arrays(arrays: Arrays, shape: NetShapeConfig, buckets: int, where: str) -> dict[str, Floats]:
    """Return the arrays as float32; an `ArtefactError` where one is missing, misshapen or not finite."""
    found: dict[str, Floats] = {}
    for name, wanted in expected_shapes(shape, buckets).items():
        array = np.asarray(arrays[name], np.float32) if name in arrays else np.empty(0, np.float32)
        if array.shape != wanted:
            raise ArtefactError(
                f"{where}: the network's {name} is {list(array.shape)}, not {list(wanted)}: it is of another "
                "game"
            )
        if not np.isfinite(array).all():
            raise ArtefactError(
                f"{where}: the network's {name} has numbers that are not finite; train it again"
            )
        found[name] = np.ascontiguousarray(array)
    return found


class HoldemNet:
    """A network with its encoder. Nodes are those of the encoder's tree."""

    def __init__(
        self, encoder: HoldemEncoder, shape: NetShapeConfig, arrays: Arrays, where: str = "network"
    ) -> None:
        self.encoder, self.shape = encoder, shape
        self.arrays = checked_arrays(arrays, shape, sum(encoder.buckets), where)
        self._first_bucket = np.concatenate([[0], np.cumsum(encoder.buckets)])[:4]

    @cached_property
    def _by_node(self) -> Floats:
        """The part of the first layer that betting makes: [N, H]."""
        found: Floats = self.encoder.betting @ self.arrays["betting"] + self.arrays["betting_bias"]
        return found

    @cached_property
    def _cards(self) -> Floats:
        """What a card in a place adds: [4, 53, H]; the last one is no card."""
        given = self.arrays
        table = np.zeros((4, NO_CARD + 1, self.shape.embedding), np.float32)
        deck = np.arange(NO_CARD)
        table[:, :NO_CARD] = given["card"] + given["rank"][:, deck // 4] + given["suit"][:, deck % 4]
        return table @ given["projection"]

    @cached_property
    def _buckets(self) -> Floats:
        return self.arrays["bucket"] @ self.arrays["projection"]

    def of_hands(self, street: int, hands: EncodedHands) -> Floats:
        """Return the part of the first layer that hands make: [n, H]."""
        found: Floats = self._buckets[self._first_bucket[street] + np.maximum(hands.bucket, 0)]
        for place in range(hands.card.shape[1]):
            found += self._cards[GROUPS[place], hands.card[:, place]]
        found += hands.strength @ self.arrays["strength"][street]
        return found

    def logits(self, node: int, by_hand: Floats) -> Floats:
        """Return what the network says of hands at a decision: [n, SLOTS]; by_hand: of `of_hands`."""
        return self._answers(by_hand + self._by_node[node])

    def _answers(self, first: Floats) -> Floats:
        given = self.arrays
        hidden = np.maximum(first, 0.0)
        for weight, bias in zip(given["weight"], given["bias"]):
            hidden = hidden + np.maximum(hidden @ weight + bias, 0.0)
        centred = hidden - hidden.mean(1, keepdims=True)
        hidden = centred / np.sqrt((centred * centred).mean(1, keepdims=True) + _EPSILON)
        found: Floats = hidden @ given["answer"] + given["answer_bias"]
        return found

    def shares(self, node: int, by_hand: Floats) -> npt.NDArray[np.float64]:
        """Return how often hands take each action of a decision: [n, actions] float64, rows add up to one."""
        there = np.flatnonzero(self.encoder.slots[node] >= 0)
        # children are fold, call, raises ascending and all-in: the order of slots
        return _shares(self.logits(node, by_hand)[:, there])

    def shares_of_slots(self, nodes: npt.NDArray[np.int64], by_hand: Floats) -> npt.NDArray[np.float64]:
        """Return how often each hand takes each slot at a decision of its own: [n, SLOTS] float64."""
        told = self._answers(by_hand + self._by_node[nodes])
        return _shares(np.where(self.encoder.slots[nodes] >= 0, told, -np.inf))

    @property
    def parameters(self) -> int:
        """How many numbers it has."""
        return sum(array.size for array in self.arrays.values())


def _shares(told: npt.NDArray[Any]) -> npt.NDArray[np.float64]:
    """Return the softmax of rows without the shares that are too small to be played."""
    odds = told.astype(np.float64)
    odds = np.exp(odds - odds.max(1, keepdims=True))
    odds /= odds.sum(1, keepdims=True)
    odds[odds < LEAST] = 0.0
    found: npt.NDArray[np.float64] = odds / odds.sum(1, keepdims=True)
    return found


def hands_of_street(rows: CardRows, board: int, street: int) -> EncodedHands:
    """Return all hands of one board on a street."""
    return EncodedHands(rows.card[board, street], rows.bucket[board, street], rows.strength[board, street])


def one_hand(hands: EncodedHands, combo: int) -> EncodedHands:
    """Return the row of one hand."""
    if not 0 <= combo < COMBOS:
        raise IndexError(combo)
    part = slice(combo, combo + 1)
    return EncodedHands(hands.card[part], hands.bucket[part], hands.strength[part])
