"""What the cards show in AIVAT on hold'em: boards that came and others, and what agents see of them.

A deal has boards by number: 0 is before the flop, those of a later street are the one
that came and boards drawn for the mean over what could have come. Equities on flops are taken over some of
the run-outs: as good as any function of the cards for a mean that is subtracted, as long as it is the same
function on both sides.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from overbet.kernels.abstraction.buckets import rule_begin
from overbet.kernels.agents.blueprint import BlueprintArrays, Index, blueprint_bucket
from overbet.kernels.agents.features import FEATURES, RANK, HandTables, hand_features
from overbet.kernels.agents.scripted import BLUEPRINT, BLUEPRINT_NUMBER, BY_EQUITY, KIND, RULES
from overbet.kernels.aivat.pots import pair_equity
from overbet.kernels.holdem.layout import RIVER
from overbet.kernels.jit import kernel, lean, lean_inlined
from overbet.kernels.match.play import BLUEPRINTS, Match
from overbet.kernels.rng import below

STRIDE = 11  # of the run-outs on a flop
CAME, DRAWN = 0, 1  # places of boards within a street
_RIVER_SCORES = 1980.0  # twice the opponents' hands on a river

U64 = np.uint64
_ONE, _ZERO = U64(1), U64(0)


class DealBoards(NamedTuple):
    """J boards of one deal to P players.

    board: [J, 5] int64; made: [J] bool, whether chance: [J] float64, heads up the equity of player 0, is
    there; features: [J, P, FEATURES] float64 where has_features: [J, P] bool; buckets: [J, BLUEPRINTS, P]
    int64, -1 not looked up; drawn: [4] int64, how many boards were drawn for a street; hole: [2], small:
    [5] int8, room.
    """

    board: npt.NDArray[np.int64]
    made: npt.NDArray[np.bool_]
    chance: npt.NDArray[np.float64]
    features: npt.NDArray[np.float64]
    has_features: npt.NDArray[np.bool_]
    buckets: npt.NDArray[np.int64]
    drawn: npt.NDArray[np.int64]
    hole: npt.NDArray[np.int8]
    small: npt.NDArray[np.int8]


def new_deal_boards(players: int, samples: int) -> DealBoards:
    """Return room for a deal with at most `samples` drawn boards a street."""
    count = board_index_of.py_func(4, 0, samples)  # type: ignore[attr-defined]  # not compiled for Python
    return DealBoards(
        board=np.zeros((count, 5), np.int64),
        made=np.zeros(count, np.bool_),
        chance=np.zeros(count),
        features=np.zeros((count, players, FEATURES)),
        has_features=np.zeros((count, players), np.bool_),
        buckets=np.zeros((count, BLUEPRINTS, players), np.int64),
        drawn=np.zeros(4, np.int64),
        hole=np.zeros(2, np.int8),
        small=np.zeros(5, np.int8),
    )


@lean_inlined
def board_index_of(street: int, place: int, samples: int) -> int:
    """Return the board_index at a place of a street."""
    return place if street == 0 else 1 + (street - 1) * (samples + DRAWN) + place


@lean
def forget(deal_boards: DealBoards) -> None:
    """Make room for another deal."""
    deal_boards.made[:] = False
    deal_boards.drawn[:] = -1


@kernel
def draw_boards(
    deal_boards: DealBoards, cards: Any, street: int, count: int, samples: int, key: np.uint64
) -> None:
    """Put the board that came, cards: [2 P + 5] int64, and `count` others into the deal_boards of a street.

    Turns and rivers are drawn without putting back from the cards that are neither held, lying nor the one
    that came; flops are drawn anew each time and may be the one that came. The first boards are the same
    whatever `count` is.
    """
    if deal_boards.drawn[street] >= count:
        return
    deal_boards.drawn[street] = count
    new = 3 if street == 1 else 1
    held, lying = len(cards) - 5, street + 2
    deck, left = np.empty(52, np.int64), 0
    dead = _ZERO
    for place in range(held + (0 if street == 1 else lying)):
        dead |= _ONE << U64(cards[place])
    for card in range(52):
        if not dead >> U64(card) & _ONE:
            deck[left] = card
            left += 1
    counter = 4096 * street
    for sample in range(DRAWN + count):
        board = deal_boards.board[board_index_of(street, sample, samples)]
        for place in range(5):
            board[place] = cards[held + place]
        if sample < DRAWN:
            continue
        for place in range(new):
            at = sample - DRAWN if street > 1 else place
            other = at + below(key, counter, left - at)
            counter += 1
            deck[at], deck[other] = deck[other], deck[at]
            board[lying - new + place] = deck[at]


@lean_inlined
def _mask(board: Any, lying: int) -> np.uint64:
    mask = _ZERO
    for place in range(lying):
        mask |= _ONE << U64(board[place])
    return mask


@lean
def work_out_features(
    hand_tables: HandTables, deal_boards: DealBoards, cards: Any, street: int, board_index: int, player: int
) -> None:
    """Work out the features of a player's hand."""
    if not deal_boards.has_features[board_index, player]:
        mask = _mask(deal_boards.board[board_index], street + 2 if street > 0 else 0)
        hand_features(
            cards[2 * player],
            cards[2 * player + 1],
            mask,
            hand_tables,
            deal_boards.features[board_index, player],
        )
        deal_boards.has_features[board_index, player] = True


@lean
def _bucket(
    index: Index,
    hand_tables: HandTables,
    arrays: BlueprintArrays,
    deal_boards: DealBoards,
    cards: Any,
    street: int,
    board_index: int,
    player: int,
) -> int:
    """Return the bucket of a player's hand; on a river without a table it follows from the features."""
    if street == RIVER and len(arrays.river) == 0:
        work_out_features(hand_tables, deal_boards, cards, street, board_index, player)
        score = np.int64(deal_boards.features[board_index, player, RANK] * _RIVER_SCORES + 0.5)
        begin = rule_begin(deal_boards.board[board_index], arrays.river_class, index.board_suits)
        return int(arrays.river_rule[begin + score])
    for place in range(street + 2 if street > 0 else 0):
        deal_boards.small[place] = deal_boards.board[board_index, place]
    deal_boards.hole[0], deal_boards.hole[1] = cards[2 * player], cards[2 * player + 1]
    return int(blueprint_bucket(arrays, index, street, deal_boards.hole, deal_boards.small))


@lean
def see(
    match: Match, deal_boards: DealBoards, cards: Any, agents: Any, street: int, first: int, count: int
) -> None:
    """Work out what the boards first, first + 1, ... show: equities, features, buckets that agents ask for.

    agents: [P] int64, whose row plays for each player. Nothing is worked out twice for a deal.
    """
    players, lying, index = len(agents), street + 2, match.index
    hand_tables = HandTables(index.evaluator, match.preflop)
    for board_index in range(first, first + count):
        if not deal_boards.made[board_index]:
            deal_boards.made[board_index] = True
            deal_boards.has_features[board_index] = False
            deal_boards.buckets[board_index] = -1
            if players == 2 and street > 0:
                board = deal_boards.board[board_index]
                deal_boards.chance[board_index] = pair_equity(cards, board, lying, STRIDE, index.evaluator)
        for player in range(players):
            row = match.rows[agents[player]]
            number = np.int64(row[BLUEPRINT_NUMBER])
            if row[KIND] == RULES or row[KIND] == BY_EQUITY:
                work_out_features(hand_tables, deal_boards, cards, street, board_index, player)
            if row[KIND] != BLUEPRINT or deal_boards.buckets[board_index, number, player] >= 0:
                continue
            if number == 0:
                found = _bucket(
                    index, hand_tables, match.one, deal_boards, cards, street, board_index, player
                )
            else:
                found = _bucket(
                    index, hand_tables, match.two, deal_boards, cards, street, board_index, player
                )
            deal_boards.buckets[board_index, number, player] = found
