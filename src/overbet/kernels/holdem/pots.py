"""Who gets what: side pots, showdown, odd chips and rake.

A pot is a layer of equal contributions together with the players who can win it. Neighbouring layers that
the same players can win are one pot; hands that cannot win anything are thrown away before the layers are
joined, so there are as few pots, and as few odd chips, as possible. The best hand takes the pot; equal
hands split it, and the chips that do not divide go to the first of them left of the button. Rake is a share
of all the pots together, rounded down and capped, taken from the main pot first.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from overbet.kernels.cards.evaluator import EvaluatorTables, rank_mask
from overbet.kernels.holdem.layout import (
    ACTIVE,
    ACTOR,
    BOARD,
    DEAD,
    HIDDEN_CARD,
    HOLE,
    HOUSE,
    HOUSE_NO_FLOP_NO_DROP,
    MAX_PLAYERS,
    MUCKED,
    NO_CARD,
    PLAYERS,
    POT,
    PUT_IN,
    RAKE_CAP,
    RAKE_PPM,
    RAKED,
    STACK,
    TERMINAL,
)
from overbet.kernels.jit import kernel, lean, lean_inlined

Vector = npt.NDArray[np.int64]

_MILLION = 1_000_000
_ONE = np.uint64(1)


@lean
def side_pots(state: Vector, claimants: int, amounts: Vector, winners: Vector) -> int:
    """Split what was put in into pots, main pot first, and return how many there are.

    claimants: bit mask of the players with a claim, at least one of those who put in most; amounts: [10]
    int64, chips of each pot; winners: [10] int64, bit mask of the players who can win it.
    """
    players = state[PLAYERS]
    count, level = 0, np.int64(0)
    amounts[0], winners[0] = 0, claimants
    for player in range(players):
        amounts[0] += state[DEAD + player]
    while True:
        above = np.int64(0)  # the next larger contribution
        for player in range(players):
            chips = state[PUT_IN + player] - state[DEAD + player]
            if chips > level and (above == 0 or chips < above):
                above = chips
        if above == 0:
            break
        layer, able = np.int64(0), np.int64(0)
        for player in range(players):
            chips = state[PUT_IN + player] - state[DEAD + player]
            if chips >= above:
                layer += above - level
                able |= claimants & (1 << player)
        level = above
        if able == winners[count] or able == 0:
            amounts[count] += layer
            continue
        if amounts[count] > 0:
            count += 1
        amounts[count], winners[count] = layer, able
    return count + 1


@lean_inlined
def rake_of(state: Vector, chips: np.int64) -> np.int64:
    """Return the rake of `chips` in the pots."""
    if state[RAKE_PPM] == 0 or (state[HOUSE] & HOUSE_NO_FLOP_NO_DROP and state[BOARD + 2] == NO_CARD):
        return np.int64(0)
    rake = np.int64(chips * state[RAKE_PPM] // _MILLION)
    if state[RAKE_CAP] >= 0:
        return min(rake, np.int64(state[RAKE_CAP]))
    return rake


@lean
def pay_last(state: Vector, winner: int) -> None:
    """Give the pot to the one player who has not folded."""
    state[RAKED] = rake_of(state, state[POT])
    state[STACK + winner] += state[POT] - state[RAKED]
    state[ACTOR] = TERMINAL


@lean_inlined
def _able_to_win(state: Vector, strengths: Vector) -> int:
    """Return the players who win at least a share: nobody who put in as much has a better hand."""
    players, active, able = state[PLAYERS], state[ACTIVE], 0
    for player in range(players):
        if active >> player & 1:
            beaten = False
            for other in range(players):
                if (
                    active >> other & 1
                    and strengths[other] > strengths[player]
                    and state[PUT_IN + other] - state[DEAD + other]
                    >= state[PUT_IN + player] - state[DEAD + player]
                ):
                    beaten = True
            if not beaten:
                able |= 1 << player
    return able


@kernel
def pay(state: Vector, strengths: Vector) -> None:
    """Pay every pot to the strongest of its players. strengths: [10] int64, larger is better."""
    players = state[PLAYERS]
    amounts, winners = np.empty(MAX_PLAYERS + 1, np.int64), np.empty(MAX_PLAYERS + 1, np.int64)
    seen, raked = np.int64(0), np.int64(0)
    for pot in range(side_pots(state, _able_to_win(state, strengths), amounts, winners)):
        seen += amounts[pot]
        total_rake = rake_of(state, seen)
        chips = amounts[pot] - (total_rake - raked)
        raked = total_rake
        best, ties, first = -1, 0, 0
        for player in range(players):
            if winners[pot] >> player & 1:
                if strengths[player] > best:
                    best, ties, first = strengths[player], 1, player
                elif strengths[player] == best:
                    ties += 1
        share = chips // ties
        state[STACK + first] += chips - share * ties
        for player in range(first, players):
            if winners[pot] >> player & 1 and strengths[player] == best:
                state[STACK + player] += share
    state[RAKED] = raked
    state[ACTOR] = TERMINAL


@kernel
def settle(state: Vector, tables: EvaluatorTables) -> None:
    """Compare the hands of a state at SHOWDOWN and pay the pots; it is TERMINAL afterwards."""
    board = np.uint64(0)
    for place in range(5):
        board |= _ONE << np.uint64(state[BOARD + place])
    strengths = np.zeros(MAX_PLAYERS, np.int64)
    showing = state[ACTIVE] & ~state[MUCKED]
    for player in range(state[PLAYERS]):
        first, second = state[HOLE + 2 * player], state[HOLE + 2 * player + 1]
        if showing >> player & 1 and first != HIDDEN_CARD and second != HIDDEN_CARD:
            hand = board | _ONE << np.uint64(first) | _ONE << np.uint64(second)
            strengths[player] = rank_mask(hand, tables)
    pay(state, strengths)
