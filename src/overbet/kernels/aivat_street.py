"""Looking ahead to the end of a street with the strategies at the table: the value function of AIVAT on
hold'em.

From a place in a hand, with all hole cards open, the betting of the street is followed through every action
that the strategies take (`expand`). What a line is worth: chips at the end of a hand; the exact share of
the pot when the street or the betting ends; and where a line is rarer than `RARE`, the share of the pot as
if the bet were called. Players whose strategy is not known act as a model says. Nothing here has to be
right for AIVAT to be unbiased: it has to be near for AIVAT to be good, and fixed before the hand is played.

"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from overbet.kernels.agents_blueprint import advance, book_actions, book_shares, in_step
from overbet.kernels.agents_features import FEATURES
from overbet.kernels.agents_scripted import (
    BLUEPRINT,
    BOOK,
    BY_EQUITY,
    KIND,
    MOST_CHOICES,
    RULES,
    menu,
    shares,
)
from overbet.kernels.evaluator import START, EvaluatorTables, rank_key
from overbet.kernels.holdem import apply
from overbet.kernels.holdem_layout import (
    ACTIVE,
    ACTOR,
    BOARD,
    HOLE,
    MAX_PLAYERS,
    PLAYERS,
    POT,
    PUT_IN,
    SIZE,
    STACK,
    STREET,
    TERMINAL,
    TO_CALL,
)
from overbet.kernels.holdem_pots import side_pots
from overbet.kernels.jit import inlined, kernel
from overbet.kernels.match_play import BOOKS

MOST_NODES, DEEPEST = 2048, 24
RARE = 0.05  # lines that are taken less often are not followed further
RUNOUTS = 990

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
    """A look from one place. N nodes, D deep, P players.

    The children of n are first[n] .. first[n] + width[n] - 1: first, width, action: [N] int64; weight,
    reach: [N] float64; value: [N, P] float64, chips won by the end of the hand. On the way down: state: [D,
    SIZE], book: [D, BOOKS], inner: [D, BOOKS, SIZE], node, next: [D], all int64. Of the board: features:
    [P, FEATURES] float64, seen: [P] bool, where they are; buckets: [BOOKS, P] int64; strengths: [RUNOUTS,
    P] int32, ranks on the run-outs; runouts: [1] int64, how many, 0 before the flop; preflop: [P, P]
    float64, equities of pairs of hands there. shares: [2 ** P, P] float64, shares of a pot by who can win
    it, where `summed`: [2 ** P] bool. amounts, winners: [10] int64, share: [P] float64, actions:
    [MOST_CHOICES] int64, weights: float64.
    """

    first: npt.NDArray[np.int64]
    width: npt.NDArray[np.int64]
    action: npt.NDArray[np.int64]
    weight: npt.NDArray[np.float64]
    reach: npt.NDArray[np.float64]
    value: npt.NDArray[np.float64]
    state: npt.NDArray[np.int64]
    book: npt.NDArray[np.int64]
    inner: npt.NDArray[np.int64]
    node: npt.NDArray[np.int64]
    next: npt.NDArray[np.int64]
    features: npt.NDArray[np.float64]
    seen: npt.NDArray[np.bool_]
    buckets: npt.NDArray[np.int64]
    strengths: npt.NDArray[np.int32]
    runouts: npt.NDArray[np.int64]
    preflop: npt.NDArray[np.float64]
    shares: npt.NDArray[np.float64]
    summed: npt.NDArray[np.bool_]
    amounts: npt.NDArray[np.int64]
    winners: npt.NDArray[np.int64]
    share: npt.NDArray[np.float64]
    actions: npt.NDArray[np.int64]
    weights: npt.NDArray[np.float64]


def new_look(players: int) -> Look:
    """Return room for a look at a table of `players`."""
    return Look(
        first=np.zeros(MOST_NODES, np.int64),
        width=np.zeros(MOST_NODES, np.int64),
        action=np.zeros(MOST_NODES, np.int64),
        weight=np.zeros(MOST_NODES),
        reach=np.zeros(MOST_NODES),
        value=np.zeros((MOST_NODES, players)),
        state=np.zeros((DEEPEST, SIZE), np.int64),
        book=np.zeros((DEEPEST, BOOKS), np.int64),
        inner=np.zeros((DEEPEST, BOOKS, SIZE), np.int64),
        node=np.zeros(DEEPEST, np.int64),
        next=np.zeros(DEEPEST, np.int64),
        features=np.zeros((players, FEATURES)),
        seen=np.zeros(players, np.bool_),
        buckets=np.zeros((BOOKS, players), np.int64),
        strengths=np.zeros((RUNOUTS, players), np.int32),
        runouts=np.zeros(1, np.int64),
        preflop=np.zeros((players, players)),
        shares=np.zeros((1 << players, players)),
        summed=np.zeros(1 << players, np.bool_),
        amounts=np.zeros(MAX_PLAYERS + 1, np.int64),
        winners=np.zeros(MAX_PLAYERS + 1, np.int64),
        share=np.zeros(players),
        actions=np.zeros(MOST_CHOICES, np.int64),
        weights=np.zeros(MOST_CHOICES),
    )


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
def pots_worth(look: Look, state: Any, start: Any, gain: float, out: Any) -> None:
    """Write what every player wins by the equities of now: [P] float64; start: [P] int64, stacks before the
    hand.

    Before the flop, with more than two players, shares are in proportion to the products of the pairs'
    equities.
    """
    players = state[PLAYERS]
    for player in range(players):
        out[player] = state[STACK + player] - start[player]
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


@inlined
def _leaf(look: Look, state: Any, street: int, start: Any, gain: Any, out: Any) -> bool:
    """Write the worth of an end of the street and return True, or return False where the street goes on."""
    if state[ACTOR] == TERMINAL:
        for player in range(state[PLAYERS]):
            out[player] = state[STACK + player] - start[player]
        return True
    if state[ACTOR] >= 0 and state[STREET] == street:
        return False
    scale = 1.0
    if state[ACTOR] >= 0:  # betting goes on: what is behind may follow
        behind = np.int64(0)
        for player in range(state[PLAYERS]):
            if state[ACTIVE] >> player & 1 and (behind == 0 or state[STACK + player] < behind):
                behind = state[STACK + player]
        scale += gain[street] * min(1.0, behind / np.float64(state[POT]))
    pots_worth(look, state, start, scale, out)
    return True


@kernel
def _called(look: Look, state: Any, start: Any, out: Any) -> None:
    """Write the worth of a place in the middle of a street as if the player to act called."""
    player, chips = state[ACTOR], state[TO_CALL]
    state[STACK + player] -= chips
    state[PUT_IN + player] += chips
    state[POT] += chips
    pots_worth(look, state, start, 1.0, out)


@inlined
def _from_book(pages: Any, number: int, node: int, inner: Any, state: Any, look: Look) -> int:
    """Write actions and weights of a blueprint's decision; return how many, 0 where it has none."""
    if not in_step(pages, node, inner, state):
        return 0
    if not book_shares(pages, node, look.buckets[number, state[ACTOR]], look.weights):
        return 0
    return book_actions(pages, node, inner, state, look.actions)


@kernel
def weigh(minds: Minds, look: Look, depth: int, agent: int) -> int:
    """Write the strategy of the player to act, with the hand held, to look.actions and look.weights.

    Return how many actions. A blueprint off its tree plays its fallback, if the hand was looked at for it; if
    not, 0 is returned.
    """
    state, row = look.state[depth], minds.rows[agent]
    player, count = state[ACTOR], 0
    if row[KIND] == BLUEPRINT:
        if row[BOOK] == 0.0:
            count = _from_book(minds.one, 0, look.book[depth, 0], look.inner[depth, 0], state, look)
        else:
            count = _from_book(minds.two, 1, look.book[depth, 1], look.inner[depth, 1], state, look)
        if count > 0:
            return count
        row = minds.fallback
    if not look.seen[player] and (row[KIND] == RULES or row[KIND] == BY_EQUITY):
        return 0
    count = menu(state, player, row, look.actions)
    shares(state, row, look.features[player], count, look.weights)
    return count


@kernel
def expand(minds: Minds, look: Look, agents: Any, start: Any) -> int:
    """Look ahead from look.state[0], the books at look.book[0] and look.inner[0], to the end of the street.

    agents: [P] int64, rows of `minds`; start: [P] int64, stacks before the hand. Node 0 is the place itself.
    Return the number of nodes.
    """
    players, street = look.state[0, PLAYERS], look.state[0, STREET]
    look.reach[0], look.weight[0] = 1.0, 1.0
    look.node[0], look.next[0] = 0, -1
    made, depth = 1, 0
    while depth >= 0:
        node, state = look.node[depth], look.state[depth]
        if look.next[depth] < 0:
            count = weigh(minds, look, depth, agents[state[ACTOR]])
            look.first[node], look.width[node], look.next[depth] = made, count, 0
            for place in range(count):
                look.action[made + place], look.weight[made + place] = (
                    look.actions[place],
                    look.weights[place],
                )
            made += count
            if count == 0:
                _called(look, state, start, look.value[node])
                depth -= 1
                continue
        if look.next[depth] == look.width[node]:
            value = look.value[node]
            value[:] = 0.0
            for child in range(look.first[node], look.first[node] + look.width[node]):
                if look.weight[child] > 0.0:
                    for player in range(players):
                        value[player] += look.weight[child] * look.value[child, player]
            depth -= 1
            continue
        child = look.first[node] + look.next[depth]
        look.next[depth] += 1
        if look.weight[child] <= 0.0:
            continue
        look.reach[child] = look.reach[node] * look.weight[child]
        below = look.state[depth + 1]
        below[:] = state
        apply(below, look.action[child])
        if _leaf(look, below, street, start, minds.gain, look.value[child]):
            continue
        if look.reach[child] < RARE or depth + 3 > DEEPEST or made + 2 * MOST_CHOICES > MOST_NODES:
            _called(look, below, start, look.value[child])
            continue
        depth += 1
        look.node[depth], look.next[depth] = child, -1
        for number in range(BOOKS):
            if minds.used[number]:
                look.book[depth, number] = look.book[depth - 1, number]
                look.inner[depth, number] = look.inner[depth - 1, number]
                _carry(minds, number, look, depth, state, look.action[child])
    return made


@kernel
def _carry(minds: Minds, number: int, look: Look, depth: int, state: Any, action: int) -> None:
    """Carry an action into a tree; a bet it does not have is taken for the likelier one."""
    inner = look.inner[depth, number]
    if number == 0:
        look.book[depth, 0], _ = advance(minds.one, look.book[depth, 0], inner, state, action, 0.5)
    else:
        look.book[depth, 1], _ = advance(minds.two, look.book[depth, 1], inner, state, action, 0.5)
