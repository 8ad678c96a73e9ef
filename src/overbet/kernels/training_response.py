"""What every action is worth against fixed strategies, deal by deal: best responses in one-decision games.

In push or fold no player acts twice in a hand, so the value of an action at a row is a plain sum over deals:
the others' reach times what the player wins when they go on as they play. The best response takes the best
action of every row.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from overbet.kernels.jit import kernel
from overbet.kernels.training_deal import Deals
from overbet.kernels.training_walks import Game, Hand, end_value

_NOT_YET = -1


@kernel
def acts_twice(record: npt.NDArray[np.int64], players: int) -> bool:
    """Return whether some player has two decisions on one line."""
    seen = np.zeros(len(record), np.int64)
    for n in range(len(record)):
        head = record[n, 0]
        if head < 0:
            continue
        bit = 1 << (head & 255)
        if seen[n] & bit:
            return True
        for child in range(record[n, 1], record[n, 1] + (head >> 16)):
            seen[child] = seen[n] | bit
    return False


@kernel
def action_values(game: Game, strategy: Any, deals: Deals, players: int, worth: Any, passive: Any) -> None:
    """Add the deals' values. strategy: [entries] float64, shares by row; worth: [entries] float64;
    passive: [players] float64, what a player gets on lines without a decision of theirs.
    """
    record = game.record
    nodes = np.empty(4096, np.int64)
    tags = np.empty(4096, np.int64)
    reach = np.empty(4096, np.float64)
    for deal in range(len(deals.cards)):
        for player in range(players):
            hand = Hand(deals.bucket[deal], deals.strength[deal], deals.equity[deal], player)
            nodes[0], tags[0], reach[0] = 0, _NOT_YET, 1.0
            height = 1
            while height > 0:
                height -= 1
                n, tag, weight = nodes[height], tags[height], reach[height]
                head = record[n, 0]
                if head < 0:
                    value = weight * end_value(game, hand, head, n)
                    if tag == _NOT_YET:
                        passive[player] += value
                    else:
                        worth[tag] += value
                    continue
                who = head & 255
                row = record[n, 2] + record[n, 3] * hand.bucket[who, head >> 8 & 255]
                for a in range(head >> 16):
                    share = 1.0 if who == player else strategy[row + a]
                    if share > 0.0:
                        nodes[height], reach[height] = record[n, 1] + a, weight * share
                        tags[height] = row + a if who == player else tag
                        height += 1
