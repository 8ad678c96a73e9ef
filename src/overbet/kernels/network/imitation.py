"""Samples for a network that is to play as a blueprint does: its own hands, with exploring, and its
strategies.

A deal is played by the blueprint against itself; with probability `explore` an action is drawn from all
alike. At every decision on the way there is a sample for the hand that is held, of weight `held`, and
`others` more for hands drawn from all that the board leaves, of weight `spread`: what the blueprint would do
with any hand is known, and a network that has seen no such hand would make something up.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from overbet.kernels.abstraction.buckets import BucketTables, bucket, rule_bucket
from overbet.kernels.agents.features import FEATURES, HandTables, hand_features
from overbet.kernels.agents.scripted import pick
from overbet.kernels.holdem.play import deal_cards
from overbet.kernels.jit import kernel
from overbet.kernels.network.betting import SLOTS
from overbet.kernels.network.cards import rename_suits
from overbet.kernels.rng import below, stream_key, uniform
from overbet.kernels.training.record import (
    count_of,
    first_child,
    head_of,
    is_end,
    player_of,
    row_at,
    street_of,
)

_STREAM = 77
_CARDS_BY = (0, 3, 4, 5)
_MOST = 16
U64 = np.uint64


class Teacher(NamedTuple):
    """What is imitated. record: [N, 4] int64; strategy: [entries] uint8; slots: [N, SLOTS] int32; pot: [N]
    float32, the weight of a decision; tables and hand_tables: for buckets and strengths.
    """

    record: npt.NDArray[np.int64]
    strategy: npt.NDArray[np.uint8]
    slots: npt.NDArray[np.int32]
    weight: npt.NDArray[np.float32]
    tables: BucketTables
    hand_tables: HandTables


class Lessons(NamedTuple):
    """Samples: node [n] int32, card [n, 7] int8, bucket [n] int32, strength [n, 3] float32, street [n] int8,
    played [n, SLOTS] float32, weight [n] float32."""

    node: npt.NDArray[np.int32]
    card: npt.NDArray[np.int8]
    bucket: npt.NDArray[np.int32]
    strength: npt.NDArray[np.float32]
    street: npt.NDArray[np.int8]
    played: npt.NDArray[np.float32]
    weight: npt.NDArray[np.float32]


@kernel
def _bucket_of(street: int, hole: Any, board: Any, tables: BucketTables) -> Any:
    if street == 3 and len(tables.river) == 0:
        return rule_bucket(hole, board, tables)
    return bucket(street, hole, board, tables)


@kernel
def imitate(
    teacher: Teacher, seed: int, first: int, explore: float, others: int, spread: float, lessons: Lessons
) -> Any:
    """Play deals first, first + 1, ... until the room is full; return the deals played and the samples."""
    room, done, deal = len(lessons.node), 0, 0
    cards, hole, board = np.empty(9, np.int64), np.empty(2, np.int8), np.empty(5, np.int8)
    shares, looked = np.empty(_MOST, np.float64), np.empty(FEATURES, np.float64)
    record = teacher.record
    while True:
        deal_cards(seed, first + deal, cards)
        key = stream_key(seed, first + deal, _STREAM)
        counter = 0
        for place in range(5):
            board[place] = cards[4 + place]
        node = np.int64(0)
        while not is_end(head_of(record, node)):
            head = head_of(record, node)
            player, street, count = player_of(head), street_of(head), count_of(head)
            lying = _CARDS_BY[street]
            mask = U64(0)
            for place in range(lying):
                mask |= U64(1) << U64(board[place])
            if done + 1 + others > room:
                return deal, done
            chosen = np.int64(-1)
            for sample in range(1 + others):
                if sample == 0:
                    hole[0], hole[1] = cards[2 * player], cards[2 * player + 1]
                else:
                    while True:
                        one, two = below(key, counter, 52), below(key, counter + 1, 52)
                        counter += 2
                        held = (U64(1) << U64(one)) | (U64(1) << U64(two))
                        if one != two and held & mask == U64(0):
                            break
                    hole[0], hole[1] = one, two
                number = _bucket_of(street, hole, board, teacher.tables)
                row = row_at(record, node, number)
                total = 0
                for action in range(count):
                    shares[action] = teacher.strategy[row + action] / 255.0
                    total += teacher.strategy[row + action]
                if sample == 0:
                    if total == 0 or uniform(key, counter) < explore:
                        chosen = below(key, counter + 1, count)
                    else:
                        chosen = np.int64(pick(shares, count, uniform(key, counter + 1)))
                    counter += 2
                if total == 0:
                    continue
                lessons.node[done], lessons.bucket[done], lessons.street[done] = node, number, street
                rename_suits(hole, board, lying, lessons.card[done])
                hand_features(int(hole[0]), int(hole[1]), mask, teacher.hand_tables, looked)
                for part in range(FEATURES):
                    lessons.strength[done, part] = looked[part]
                begin = first_child(record, node)
                for slot in range(SLOTS):
                    child = teacher.slots[node, slot]
                    lessons.played[done, slot] = shares[child - begin] if child >= 0 else 0.0
                lessons.weight[done] = teacher.weight[node] * (1.0 if sample == 0 else spread)
                done += 1
            node = first_child(record, node) + chosen
        deal += 1
