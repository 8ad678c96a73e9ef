"""Buckets of all players of many deals, street by street."""

from __future__ import annotations

import numpy as np

from overbet.kernels.buckets import BucketTables, bucket
from overbet.kernels.jit import kernel
from overbet.kernels.training_deal import Deals


@kernel
def bucket_deals(deals: Deals, players: int, tables: BucketTables) -> None:
    """Fill the buckets of flop, turn and river from the cards."""
    for deal in range(len(deals.cards)):
        board = deals.cards[deal, 2 * players :]
        for player in range(players):
            hole = deals.cards[deal, 2 * player : 2 * player + 2]
            for street in range(1, 4):
                deals.bucket[deal, player, street] = np.int32(bucket(street, hole, board, tables))
