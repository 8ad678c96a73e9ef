"""Made hands and draws by name, for filters: top pair, set, flush draw, gutshot.

The names say what the hole cards make of the board, as players use them. A pair that lies on the board is
everybody's, so it does not count: with K7 on K44 one has top pair, not two pair; two pair means that both
hole cards pair the board. From a straight upwards, and for full houses and quads, the best five cards of
all count.

Draws are those that one more card completes, and only up to the turn: a flush draw has four of a suit with
at least one hole card; an open-ended draw is completed by two ranks or more (a double gutshot, too), a
gutshot by one, where the board alone would not do. A backdoor flush needs both cards to come, so it exists
on the flop only.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from overbet.cards.cards import board as read_board
from overbet.cards.combos import combo_table, live_combos
from overbet.errors import CardError

# strongest first
MADE = {
    "straight-flush": "straight flush",
    "quads": "quads",
    "full-house": "full house",
    "flush": "flush",
    "straight": "straight",
    "set": "set",
    "trips": "trips",
    "two-pair": "two pair",
    "overpair": "overpair",
    "top-pair": "top pair",
    "pocket-pair": "pocket pair below top pair",
    "second-pair": "second pair",
    "low-pair": "low pair",
    "ace-high": "ace high",
    "king-high": "king high",
    "nothing": "nothing",
}
DRAWS = {
    "nut-flush-draw": "nut flush draw",
    "flush-draw": "flush draw",
    "open-ended": "open-ended straight draw",
    "gutshot": "gutshot",
    "backdoor-flush": "backdoor flush draw",
    "overcards": "two overcards",
    "none": "no draw",
}
_ACE, _KING = 12, 11

Bools = npt.NDArray[np.bool_]
Ints = npt.NDArray[np.int64]


class Categories(NamedTuple):
    """Every combo's category on a board.

    made: [1326] int64, place in `MADE`; draws: [1326] int64, bit i for place i of `DRAWS`; both -1 where the
    combo holds a board card.
    """

    made: Ints
    draws: Ints


def categories(board: str | Iterable[int]) -> Categories:
    """Return the made hand and the draws of every combo on a board of 3, 4 or 5 cards."""
    lying = read_board(board)
    if not lying:
        raise CardError("made hands need a board of 3, 4 or 5 cards, such as Td9d6h")
    return _categories(lying)


@lru_cache(64)
def _categories(lying: tuple[int, ...]) -> Categories:
    table = combo_table().astype(np.int64)
    cards = np.array(lying, np.int64)
    rows = np.arange(len(table))
    has = np.zeros((len(table), 13, 4), np.bool_)  # [combo, rank, suit]
    has[:, cards >> 2, cards & 3] = True
    for column in (0, 1):
        has[rows, table[:, column] >> 2, table[:, column] & 3] = True
    made = _made(has, table >> 2, cards >> 2)
    draws = _draws(has, table, cards, made) if len(lying) < 5 else np.full(len(table), 1 << (len(DRAWS) - 1))
    dead = ~live_combos(lying)
    made[dead], draws[dead] = -1, -1
    made.setflags(write=False)
    draws.setflags(write=False)
    return Categories(made, draws)


def _made(has: Bools, ranks: Ints, lying: Ints) -> Ints:
    """Return places in `MADE`. has: [combo, rank, suit]; ranks: [combo, 2]; lying: ranks of the board."""
    counts, present = has.sum(2), np.asarray(has.any(2))
    on_board = np.bincount(lying, minlength=13)
    above = np.sort(np.unique(lying))[::-1]
    pocket = ranks[:, 0] == ranks[:, 1]
    met = on_board[ranks]  # [combo, 2]: board cards of each hole card's rank
    paired = np.where(met > 0, ranks, -1).max(1)  # the higher rank that a hole card shares with the board
    top = int(above[0])
    second = int(above[1]) if len(above) > 1 else -1
    high = ranks.max(1)
    tests: dict[str, Bools] = {
        "straight-flush": np.any([_straight(has[:, :, suit]) for suit in range(4)], axis=0),
        "quads": (counts >= 4).any(1),
        "full-house": ((counts >= 3).any(1)) & ((counts >= 2).sum(1) >= 2),
        "flush": (has.sum(1) >= 5).any(1),
        "straight": _straight(present),
        "set": pocket & (met[:, 0] >= 1),
        "trips": ~pocket & (met >= 2).any(1),
        "two-pair": ~pocket & (met >= 1).all(1),
        "overpair": pocket & (high > top),
        "top-pair": ~pocket & (paired == top),
        "pocket-pair": pocket,
        "second-pair": ~pocket & (paired >= 0) & (paired == second),
        "low-pair": ~pocket & (paired >= 0),
        "ace-high": high == _ACE,
        "king-high": high == _KING,
    }
    return np.select([tests[key] for key in MADE if key in tests], list(range(len(tests))), len(tests))


def _draws(has: Bools, table: Ints, cards: Ints, made: Ints) -> Ints:
    """Return bits of `DRAWS`. table: [combo, 2] cards; cards: the board."""
    names, places = list(DRAWS), list(MADE)
    suits, ranks = table & 3, table >> 2
    of_suit = has.sum(1)  # [combo, suit]
    own = np.stack([(suits == suit).any(1) for suit in range(4)], 1)
    below_flush = made > places.index("flush")
    four = (of_suit == 4) & own & below_flush[:, None]
    nut = four & np.stack([_holds_nut(table, cards, suit) for suit in range(4)], 1)
    free = made > places.index("straight")
    outs = _straight_outs(np.asarray(has.any(2)), np.bincount(cards >> 2, minlength=13) > 0) * free
    bits = np.zeros(len(table), np.int64)

    def mark(name: str, where: Bools) -> None:
        bits[where] |= 1 << names.index(name)

    mark("nut-flush-draw", nut.any(1))
    mark("flush-draw", four.any(1))
    mark("open-ended", outs >= 2)
    mark("gutshot", outs == 1)
    if len(cards) == 3:
        mark("backdoor-flush", ((of_suit == 3) & own & below_flush[:, None]).any(1))
    unpaired = made >= places.index("ace-high")
    mark("overcards", unpaired & (ranks > (cards >> 2).max()).all(1))
    mark("none", bits == 0)
    return bits


def _straight(present: Bools) -> Bools:
    """Return which rows of [..., 13] ranks hold five in a row; the ace is also low."""
    low = np.concatenate([present[..., -1:], present], axis=-1)
    found: Bools = np.any([low[..., i : i + 5].all(-1) for i in range(10)], axis=0)
    return found


def _straight_outs(present: Bools, lying: Bools) -> Ints:
    """Return how many ranks complete a straight that the board alone would not make: [combo] int64."""
    outs = np.zeros(len(present), np.int64)
    for rank in range(13):
        with_rank, board_with = present.copy(), lying.copy()
        with_rank[:, rank], board_with[rank] = True, True
        if not _straight(board_with):
            outs += _straight(with_rank) & ~present[:, rank]
    return outs


def _holds_nut(table: Ints, cards: Ints, suit: int) -> Bools:
    """Return which combos hold the highest card of a suit that is not on the board."""
    on_board = set((cards[(cards & 3) == suit] >> 2).tolist())
    best = max(rank for rank in range(13) if rank not in on_board)
    found: Bools = (table == 4 * best + suit).any(1)
    return found
