"""The agent's exact range while the local best response plays: 1,326 weights on every branch it may stand on.

A bet outside the agent's tree is mapped as the agent maps it, at random. The responder must not see that
coin: the range is kept on every branch it may have led to (`Branches`), each with its own weights, and what
the agent does next is the mixture of what it would do on each.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from overbet.kernels.abstraction.buckets import BucketTables, rule_begin
from overbet.kernels.abstraction.features import Deck, board_scores
from overbet.kernels.agents.blueprint import (
    blueprint_actions,
    blueprint_shares,
    child_for,
    folds_kept_at,
    in_step,
)
from overbet.kernels.agents.features import FEATURES, HandTables, board_features
from overbet.kernels.agents.scripted import BLUEPRINT, KIND, MOST_CHOICES, menu, shares
from overbet.kernels.betting.mapping import chance_of_smaller, is_turn, share_of_pot
from overbet.kernels.cards.evaluator import EvaluatorTables
from overbet.kernels.cards.isomorphism import index_hands_of_board
from overbet.kernels.holdem.layout import ACTOR, SIZE, STREET
from overbet.kernels.holdem.rules import apply
from overbet.kernels.jit import inlined, kernel
from overbet.kernels.lbr.equity import COMBOS, EquityWork, equity_work

BRANCHES = 16  # ways an agent may have mapped the bets so far; beyond it the rest is counted with the first
WIDE = 2 * MOST_CHOICES  # a blueprint's actions and its fallback's
_LAST = 1.0 - 1e-12  # the largest random number


class BlueprintDecisions(NamedTuple):
    """A blueprint's tree and strategy as in `BlueprintArrays`, without its buckets: what decisions read.

    Kernels that take a `BlueprintArrays` take it too: they read the fields by name.
    """

    player: npt.NDArray[np.int8]
    street: npt.NDArray[np.int8]
    first: npt.NDArray[np.int32]
    num_children: npt.NDArray[np.int8]
    action: npt.NDArray[np.int32]
    record: npt.NDArray[np.int64]
    strategy: npt.NDArray[np.uint8]
    root: npt.NDArray[np.int64]


class BoardTables(NamedTuple):
    """What is looked at when a board has come: all hands, what scripted agents know, buckets."""

    deck: Deck
    hand_tables: HandTables
    buckets: BucketTables


class Lbr(NamedTuple):
    """What is played.

    root: [SIZE] int64, waiting for its first card; row, fallback: [ROW] float64, the agent and what it
    plays off its tree; pages: `BlueprintDecisions`, its tree if it is a blueprint; evaluator: tables;
    pairs: [1326, 1326] float32, equities before the flop; sizes: [S] float64, raises by shares of the pot
    after calling, infinite for all in; streets: [4] bool, where the responder responds (elsewhere it checks
    and calls); seed: int.
    """

    root: npt.NDArray[np.int64]
    row: npt.NDArray[np.float64]
    fallback: npt.NDArray[np.float64]
    pages: Any
    evaluator: EvaluatorTables
    pairs: npt.NDArray[np.float32]
    sizes: npt.NDArray[np.float64]
    streets: npt.NDArray[np.bool_]
    seed: int


class Branches(NamedTuple):
    """Where the agent may stand in its tree. reach: [BRANCHES, 1326] float64, the weight of every hand; node:
    [BRANCHES] int64; inner: [BRANCHES, SIZE] int64, the tree's own table.
    """

    reach: npt.NDArray[np.float64]
    node: npt.NDArray[np.int64]
    inner: npt.NDArray[np.int64]


class LbrSpace(NamedTuple):
    """Room to work in. now, next: branches before and after an action; features: [4, 1326, FEATURES]
    float64 and buckets: [4, 1326] int32, of the deal's boards, where `have`: [4] bool; equity: [1326]
    float64, of the own hand; shares: [1326, WIDE] float64 and actions: [WIDE] int64, of one branch; kinds:
    [WIDE * BRANCHES] int64, mass, won, held: float64, the actions of all branches with the range's weight
    on each, the equity in it, and the weight of the hand held; stay: [1326] float64; trial, tree: [SIZE]
    int64.
    """

    now: Branches
    next: Branches
    features: npt.NDArray[np.float64]
    buckets: npt.NDArray[np.int32]
    have: npt.NDArray[np.bool_]
    equity: npt.NDArray[np.float64]
    shares: npt.NDArray[np.float64]
    actions: npt.NDArray[np.int64]
    kinds: npt.NDArray[np.int64]
    mass: npt.NDArray[np.float64]
    won: npt.NDArray[np.float64]
    held: npt.NDArray[np.float64]
    stay: npt.NDArray[np.float64]
    trial: npt.NDArray[np.int64]
    tree: npt.NDArray[np.int64]
    work: EquityWork


@kernel
def lbr_space(lbr: Lbr) -> LbrSpace:
    """Return room for `lbr_deals`."""
    most = WIDE * BRANCHES
    return LbrSpace(
        Branches(
            np.zeros((BRANCHES, COMBOS)), np.zeros(BRANCHES, np.int64), np.zeros((BRANCHES, SIZE), np.int64)
        ),
        Branches(
            np.zeros((BRANCHES, COMBOS)), np.zeros(BRANCHES, np.int64), np.zeros((BRANCHES, SIZE), np.int64)
        ),
        np.zeros((4, COMBOS, FEATURES)),
        np.zeros((4, COMBOS), np.int32),
        np.zeros(4, np.bool_),
        np.zeros(COMBOS),
        np.zeros((COMBOS, WIDE)),
        np.zeros(WIDE, np.int64),
        np.zeros(most, np.int64),
        np.zeros(most),
        np.zeros(most),
        np.zeros(most),
        np.zeros(COMBOS),
        np.zeros(SIZE, np.int64),
        np.zeros(SIZE, np.int64),
        equity_work(lbr.evaluator),
    )


@inlined
def cards_by(street: int) -> int:
    return street + 2 if street > 0 else 0


@kernel
def _buckets(tables: BucketTables, street: int, board: Any, deck: Deck, out: Any) -> None:
    """Write the bucket of every hand to out: [1326] int32, -1 where dead; board: [0, 3, 4, 5] int8."""
    found = np.empty(COMBOS, np.int64)
    if street == 3 and len(tables.river) == 0:
        board_scores(board, deck, out)
        begin = rule_begin(board, tables.river_class, tables.board_suits)
        for combo in range(COMBOS):
            if out[combo] >= 0:
                out[combo] = tables.river_rule[begin + out[combo]]
        return
    suits, table = tables.preflop_suits, tables.preflop
    if street == 1:
        suits, table = tables.flop_suits, tables.flop
    elif street == 2:
        suits, table = tables.turn_suits, tables.turn
    elif street == 3:
        suits, table = tables.river_suits, tables.river
    index_hands_of_board(deck.hands.cards, board, suits, found)
    for combo in range(COMBOS):
        out[combo] = table[found[combo]] if found[combo] >= 0 else -1


@kernel
def work_out_board(
    board_tables: BoardTables, is_blueprint: bool, street: int, cards: Any, features: Any, buckets: Any
) -> None:
    """Work out features: [1326, FEATURES] and buckets: [1326] of all hands on a street of this deal."""
    board = np.empty(cards_by(street), np.int8)
    for place in range(len(board)):
        board[place] = cards[4 + place]
    board_features(board, board_tables.deck, board_tables.hand_tables, features)
    if is_blueprint:
        _buckets(board_tables.buckets, street, board, board_tables.deck, buckets)


@kernel
def strategies(lbr: Lbr, space: LbrSpace, state: Any, node: int, inner: Any, reach: Any) -> int:
    """Write every live hand's strategy on one branch to `space.shares`; return how many actions."""
    pages, street = lbr.pages, state[STREET]
    row = lbr.row
    table, features, buckets = space.shares, space.features[street], space.buckets[street]
    count, needed = 0, 0
    is_blueprint = row[KIND] == BLUEPRINT
    stands, kept = False, 1.0
    if is_blueprint:
        row = lbr.fallback
        stands = in_step(pages, node, inner, state)
        if stands:
            count = blueprint_actions(pages, node, inner, state, space.actions)
            kept = folds_kept_at(pages, node, inner, state)
    for combo in range(COMBOS):
        if reach[combo] <= 0.0:
            continue
        own = table[combo]
        if stands and blueprint_shares(pages, node, buckets[combo], kept, own):
            for place in range(count, count + needed):
                own[place] = 0.0
            continue
        if needed == 0:
            needed = menu(state, state[ACTOR], row, space.actions[count:])
            for other in range(combo):
                table[other, count : count + needed] = 0.0
        own[:count] = 0.0
        shares(state, row, features[combo], needed, own[count:])
    return count + needed


@kernel
def win_share(space: LbrSpace, count: int) -> float:
    """Return the equity of the own hand against the range."""
    total, won = 0.0, 0.0
    for branch in range(count):
        reach = space.now.reach[branch]
        for combo in range(COMBOS):
            total += reach[combo]
            won += reach[combo] * space.equity[combo]
    return won / total if total > 0.0 else 0.5


@kernel
def ways(lbr: Lbr, state: Any, node: int, inner: Any, action: int) -> Any:
    """Return the two nodes an action may be mapped to and the chance of the first."""
    arrays = lbr.pages
    if lbr.row[KIND] != BLUEPRINT or node < 0:
        return np.int64(node), np.int64(node), 1.0
    if not is_turn(arrays.player[node], arrays.street[node], state):
        return np.int64(node), np.int64(node), 1.0
    low, _ = child_for(arrays, node, inner, state, action, 0.0)
    high, _ = child_for(arrays, node, inner, state, action, _LAST)
    if low == high:
        return np.int64(low), np.int64(low), 1.0
    small, large = share_of_pot(inner, arrays.action[low]), share_of_pot(inner, arrays.action[high])
    return np.int64(low), np.int64(high), chance_of_smaller(share_of_pot(state, action), small, large)


@inlined
def stand_at(lbr: Lbr, node: int, old: int, inner: Any, out: Any) -> None:
    """Write the tree's table at `node`, a child of `old` or the same, to `out`."""
    out[:] = inner
    if node != old and node >= 0:
        apply(out, lbr.pages.action[node])


@kernel
def spread(lbr: Lbr, space: LbrSpace, count: int, state: Any, action: int) -> int:
    """Carry an action into every branch, splitting where it may be mapped two ways; return how many there
    are.
    """
    now, after = space.now, space.next
    made = 0
    for branch in range(count):
        low, high, chance = ways(lbr, state, now.node[branch], now.inner[branch], action)
        for way in range(2):
            node, part = (low, chance) if way == 0 else (high, 1.0 - chance)
            if part <= 0.0:
                continue
            place = 0
            while place < made and after.node[place] != node:
                place += 1
            if place == made:
                if made == BRANCHES:
                    place = 0
                else:
                    made += 1
                    after.node[place] = node
                    stand_at(lbr, node, now.node[branch], now.inner[branch], after.inner[place])
                    after.reach[place] = 0.0
            for combo in range(COMBOS):
                after.reach[place, combo] += part * now.reach[branch, combo]
    for branch in range(made):
        now.reach[branch] = after.reach[branch]
        now.node[branch] = after.node[branch]
        now.inner[branch] = after.inner[branch]
    return made


@kernel
def gather(lbr: Lbr, space: LbrSpace, count: int, state: Any, combo_held: int) -> int:
    """Sum up what the agent does over all branches and hands; return the number of different actions."""
    kinds, mass, won, held = space.kinds, space.mass, space.won, space.held
    different = 0
    for branch in range(count):
        reach = space.now.reach[branch]
        actions = strategies(lbr, space, state, space.now.node[branch], space.now.inner[branch], reach)
        for place in range(actions):
            kind = 0
            while kind < different and kinds[kind] != space.actions[place]:
                kind += 1
            if kind == different:
                kinds[kind], mass[kind], won[kind], held[kind] = space.actions[place], 0.0, 0.0, 0.0
                different += 1
            total, equity = 0.0, 0.0
            for combo in range(COMBOS):
                if reach[combo] > 0.0:
                    part = reach[combo] * space.shares[combo, place]
                    if part != part:  # a hand that the board rules out, on a street not responded on
                        continue
                    total += part
                    equity += part * space.equity[combo]
            mass[kind] += total
            won[kind] += equity
            if reach[combo_held] > 0.0:
                held[kind] += reach[combo_held] * space.shares[combo_held, place]
    return different


@kernel
def narrow(lbr: Lbr, space: LbrSpace, count: int, state: Any, action: int) -> int:
    """Multiply the range by how often it takes `action`; return the branches left."""
    now, left = space.now, 0
    for branch in range(count):
        reach = now.reach[branch]
        actions = strategies(lbr, space, state, now.node[branch], now.inner[branch], reach)
        total = 0.0
        for combo in range(COMBOS):
            if reach[combo] > 0.0:
                share = 0.0
                for place in range(actions):
                    if space.actions[place] == action:
                        share += space.shares[combo, place]
                reach[combo] *= share
                total += reach[combo]
        if total > 0.0:
            if left != branch:
                now.reach[left] = reach
                now.node[left] = now.node[branch]
                now.inner[left] = now.inner[branch]
            left += 1
    return left
