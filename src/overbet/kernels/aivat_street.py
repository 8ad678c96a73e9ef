"""What the cards say in AIVAT on hold'em: shares of pots over the cards to come, and room to look ahead in.

Heads up the share of a pot is one number, the equity of player 0 (`pair_equity`), exact or over every so many
run-outs; with more players hands are ranked on the run-outs (`rank_runouts`) and every side pot is shared
among those who can win it.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from overbet.kernels.agents_features import FEATURES
from overbet.kernels.agents_scripted import MOST_CHOICES
from overbet.kernels.evaluator import START, EvaluatorTables, rank_key
from overbet.kernels.holdem_layout import ACTIVE, BOARD, HOLE, MAX_PLAYERS, PLAYERS, SIZE, STACK
from overbet.kernels.holdem_pots import side_pots
from overbet.kernels.jit import kernel
from overbet.kernels.match_play import BOOKS

RUNOUTS = 990
DEEPEST = 24

U64 = np.uint64
_ONE, _ZERO = U64(1), U64(0)


class Minds(NamedTuple):
    """Who plays: rows: [agents, ROW] float64; fallback: [ROW] float64; one, two: `Pages` of the blueprints
    that rows name; used: [BOOKS] bool. A small bundle: every array in it is handed down at every call.
    gain: [4] float64, how much a better hand is worth beyond its share of the pot where betting goes on
    after the street.
    """

    rows: npt.NDArray[np.float64]
    fallback: npt.NDArray[np.float64]
    one: Any
    two: Any
    used: npt.NDArray[np.bool_]
    gain: npt.NDArray[np.float64]


class Look(NamedTuple):
    """Room for looks ahead. D deep, P players, J sights: boards of this deal, those that came and others.

    start: [P] int64, stacks before the hand; agents: [P] int64, rows of `Minds`. Of sights: made: [J] bool;
    board: [J, 5] int64; chances: [J] float64, heads up the equity of player 0 that looks use; features: [J,
    P, FEATURES] float64 where seen: [J, P] bool; buckets: [J, BOOKS, P] int64, -1 not looked up. equity: [1]
    float64, that of the look. Way down: node, kind, next: [D] int64, reach: [D] float64, weights: [D,
    MOST_CHOICES] and value: [D, P] float64; after: [MOST_CHOICES, P] float64, of the first decision's
    actions. With more than two players: ranked: [1] int64, the sight whose strengths: [RUNOUTS, P] int32
    these are; runouts: [1] int64, how many, 0 before the flop; preflop: [P, P] float64, equities of pairs of
    hands there; shares: [2 ** P, P] float64, shares of a pot by who can win it, where summed: [2 ** P] bool.
    amounts, winners: [10] int64; share, worth: [P] float64; actions: [MOST_CHOICES] int64; scratch: [SIZE]
    int64.
    """

    start: npt.NDArray[np.int64]
    agents: npt.NDArray[np.int64]
    made: npt.NDArray[np.bool_]
    board: npt.NDArray[np.int64]
    chances: npt.NDArray[np.float64]
    features: npt.NDArray[np.float64]
    seen: npt.NDArray[np.bool_]
    buckets: npt.NDArray[np.int64]
    equity: npt.NDArray[np.float64]
    node: npt.NDArray[np.int64]
    kind: npt.NDArray[np.int64]
    next: npt.NDArray[np.int64]
    reach: npt.NDArray[np.float64]
    weights: npt.NDArray[np.float64]
    value: npt.NDArray[np.float64]
    after: npt.NDArray[np.float64]
    ranked: npt.NDArray[np.int64]
    strengths: npt.NDArray[np.int32]
    runouts: npt.NDArray[np.int64]
    preflop: npt.NDArray[np.float64]
    shares: npt.NDArray[np.float64]
    summed: npt.NDArray[np.bool_]
    amounts: npt.NDArray[np.int64]
    winners: npt.NDArray[np.int64]
    share: npt.NDArray[np.float64]
    worth: npt.NDArray[np.float64]
    actions: npt.NDArray[np.int64]
    scratch: npt.NDArray[np.int64]


def new_look(start: npt.NDArray[np.int64], samples: int) -> Look:
    """Return room for looks at a table with these stacks, `samples` other boards a street at most."""
    players, sights = len(start), 1 + 3 * (samples + 1)
    return Look(
        start=start,
        agents=np.zeros(players, np.int64),
        made=np.zeros(sights, np.bool_),
        board=np.zeros((sights, 5), np.int64),
        chances=np.zeros(sights),
        features=np.zeros((sights, players, FEATURES)),
        seen=np.zeros((sights, players), np.bool_),
        buckets=np.zeros((sights, BOOKS, players), np.int64),
        equity=np.zeros(1),
        node=np.zeros(DEEPEST, np.int64),
        kind=np.zeros(DEEPEST, np.int64),
        next=np.zeros(DEEPEST, np.int64),
        reach=np.zeros(DEEPEST),
        weights=np.zeros((DEEPEST, MOST_CHOICES)),
        value=np.zeros((DEEPEST, players)),
        after=np.zeros((MOST_CHOICES, players)),
        ranked=np.full(1, -1, np.int64),
        strengths=np.zeros((RUNOUTS, players), np.int32),
        runouts=np.zeros(1, np.int64),
        preflop=np.zeros((players, players)),
        shares=np.zeros((1 << players, players)),
        summed=np.zeros(1 << players, np.bool_),
        amounts=np.zeros(MAX_PLAYERS + 1, np.int64),
        winners=np.zeros(MAX_PLAYERS + 1, np.int64),
        share=np.zeros(players),
        worth=np.zeros(players),
        actions=np.zeros(MOST_CHOICES, np.int64),
        scratch=np.zeros(SIZE, np.int64),
    )


@kernel
def pair_equity(cards: Any, board: Any, lying: int, stride: int, tables: EvaluatorTables) -> float:
    """Return the equity of cards[:2] against cards[2:4] on the first `lying` (3 to 5) cards of board.

    cards, board: int64. On a flop every `stride`-th of the 990 run-outs is taken; 1 is exact.
    """
    keys = tables.card_keys
    key, mask = START, _ZERO
    for place in range(lying):
        key += keys[U64(board[place])]
        mask |= _ONE << U64(board[place])
    one = _ONE << U64(cards[0]) | _ONE << U64(cards[1])
    two = _ONE << U64(cards[2]) | _ONE << U64(cards[3])
    key_one = keys[U64(cards[0])] + keys[U64(cards[1])]
    key_two = keys[U64(cards[2])] + keys[U64(cards[3])]
    if lying == 5:
        a, b = rank_key(key + key_one, mask | one, tables), rank_key(key + key_two, mask | two, tables)
        return 0.5 * (np.int64(a > b) + np.int64(a >= b))
    dead = mask | one | two
    score, found = np.int64(0), np.int64(0)
    if lying == 4:
        for card in range(52):
            bit = _ONE << U64(card)
            if dead & bit == _ZERO:
                full, whole = key + keys[card], mask | bit
                a = rank_key(full + key_one, whole | one, tables)
                b = rank_key(full + key_two, whole | two, tables)
                score += np.int64(a > b) + np.int64(a >= b)
                found += 1
        return score / (2.0 * found)
    bits, left = np.empty(52, np.uint64), np.empty(52, np.uint64)
    count = 0
    for card in range(52):
        bit = _ONE << U64(card)
        if dead & bit == _ZERO:
            bits[count], left[count] = bit, keys[card]
            count += 1
    skip = 0
    for high in range(1, count):
        low = skip
        while low < high:
            full, whole = key + left[high] + left[low], mask | bits[high] | bits[low]
            a = rank_key(full + key_one, whole | one, tables)
            b = rank_key(full + key_two, whole | two, tables)
            score += np.int64(a > b) + np.int64(a >= b)
            found += 1
            low += stride
        skip = low - high
    return score / (2.0 * found)


@kernel
def rank_runouts(state: Any, street: int, tables: EvaluatorTables, look: Look) -> None:
    """Rank all hands on every run-out of the street's board (heads up) or on some of them (more players).

    On a flop with three players or more every so many run-outs are taken. Before the flop nothing is ranked.
    """
    players = state[PLAYERS]
    key, dead = START, _ZERO
    lying = street + 2
    for place in range(lying):
        card = U64(state[BOARD + place])
        key += tables.card_keys[card]
        dead |= _ONE << card
    board = dead
    for place in range(2 * players):
        dead |= _ONE << U64(state[HOLE + place])
    found = 0
    for a in range(52):
        if lying == 5 and a > 0:
            break
        bit_a = _ONE << U64(a)
        if lying < 5 and dead & bit_a:
            continue
        for b in range(a if lying == 3 else 1):
            bit_b = _ONE << U64(b)
            full, mask = key, board
            if lying < 5:
                full += tables.card_keys[a]
                mask |= bit_a
            if lying == 3:
                if dead & bit_b:
                    continue
                full += tables.card_keys[b]
                mask |= bit_b
            for player in range(players):
                if state[ACTIVE] >> player & 1:
                    one, two = U64(state[HOLE + 2 * player]), U64(state[HOLE + 2 * player + 1])
                    whole = full + tables.card_keys[one] + tables.card_keys[two]
                    look.strengths[found, player] = rank_key(whole, mask | _ONE << one | _ONE << two, tables)
            found += 1
    look.runouts[0] = found
    look.summed[:] = False


@kernel
def shares_of(look: Look, mask: int, players: int) -> Any:
    """Return the share of a pot that each player of `mask` wins over the ranked run-outs: [P] float64."""
    out = look.shares[mask]
    if look.summed[mask]:
        return out
    look.summed[mask] = True
    out[:] = 0.0
    for runout in range(look.runouts[0]):
        best, ties = np.int32(-1), 0
        for player in range(players):
            if mask >> player & 1:
                strength = look.strengths[runout, player]
                if strength > best:
                    best, ties = strength, 1
                elif strength == best:
                    ties += 1
        part = 1.0 / ties
        for player in range(players):
            if mask >> player & 1 and look.strengths[runout, player] == best:
                out[player] += part
    for player in range(players):
        out[player] /= look.runouts[0]
    return out


@kernel
def pots_worth(look: Look, state: Any, gain: float, out: Any) -> None:
    """Write what every player wins by the equities of now: [P] float64.

    Before the flop, with more than two players, shares are in proportion to the products of the pairs'
    equities.
    """
    players = state[PLAYERS]
    for player in range(players):
        out[player] = state[STACK + player] - look.start[player]
    pots = side_pots(state, state[ACTIVE], look.amounts, look.winners)
    for pot in range(pots):
        mask = look.winners[pot]
        if look.runouts[0] > 0:
            look.share[:] = shares_of(look, mask, players)
        else:
            total = 0.0
            for player in range(players):
                look.share[player] = 0.0
                if mask >> player & 1:
                    product = 1.0
                    for other in range(players):
                        if other != player and mask >> other & 1:
                            one, two = min(player, other), max(player, other)
                            equity = look.preflop[one, two]
                            product *= equity if player == one else 1.0 - equity
                    look.share[player] = product
                    total += product
            for player in range(players):
                look.share[player] = look.share[player] / total if total > 0.0 else 0.0
        able = 0
        for player in range(players):
            able += mask >> player & 1
        for player in range(players):
            if mask >> player & 1:
                fair = 1.0 / able
                out[player] += (fair + gain * (look.share[player] - fair)) * look.amounts[pot]
