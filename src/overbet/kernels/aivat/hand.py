"""AIVAT on hold'em for any number of players: hands that were played, replayed with their luck taken out.

Every point H is a single history (all hole cards open), so that the formula reads

    k = sum_a p(a) u(ha) - u(h a_seen)

at every decision of a player whose strategy is known, and the same over cards where chance decides. u is
the look ahead to the end of the street (`overbet.kernels.aivat.look`). The terms of a hand:

- A decision: u of all actions comes from one look; p is the player's own strategy with the hand held.
- The hole cards, heads up: u is linear in the equity of the two hands for each pair of the 169 classes, so
  its mean over all deals is a finite sum.
- A street's cards: a part linear in pot * equity, whose mean is the equity before (heads up); and of what u
  is beyond that, the mean over a few boards drawn for it alone, the more the larger the pot.
- Once nobody can act any more the payoff is its mean over the cards to come, exactly.

Each term has mean zero given what came before it, whatever u is, and so has any constant times it:
`replay` writes the terms, and the caller adds them up with weights.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from overbet.kernels.aivat.deal_boards import (
    CAME,
    DRAWN,
    STRIDE,
    DealBoards,
    board_index_of,
    draw_boards,
    forget,
    see,
    work_out_features,
)
from overbet.kernels.aivat.look import NO_ROOM, LookWalk, look_ahead, strategies, worth_of
from overbet.kernels.aivat.pots import Pots, pair_equity, rank_runouts
from overbet.kernels.aivat.tree import (
    ACTION,
    BASE,
    FIRST,
    NONE,
    PARENT,
    TABLE,
    TILT,
    WHO,
    AgentTables,
    LookTree,
    has_space,
    start_tree,
    step,
)
from overbet.kernels.betting.mapping import TRANSLATION_STREAM
from overbet.kernels.holdem.layout import ACTIVE, ACTOR, MIN_BET, PLAYERS, POT, RIVER, SHOWDOWN, STREET
from overbet.kernels.holdem.play import deal_cards
from overbet.kernels.jit import kernel, lean, lean_inlined
from overbet.kernels.match.play import Match
from overbet.kernels.rng import stream_key, uniform

AIVAT_STREAM = 9
START, DEALS, HANDS = 0, 1, 2  # what `work` does
# terms of a hand: linear and rest parts of a street's cards from there on, by street less one; decisions
# from there on, street * players + slot
ALL_IN, DEAL, LINEAR, REST, DECISIONS = 0, 1, 2, 5, 8


class Plan(NamedTuple):
    """How hands are looked at. known: [slots] bool; model: int, the row that stands for unknown slots;
    rate: [4] float64 by street, boards drawn for each minimum bet in the pot, at most `samples`; least: int,
    and at least; slope: [4] float64, of pot * equity, what `rest` is beyond; pairs: [1326, 1326] float32;
    classes: [1326] int16; base, tilt: [2 rotations, 169, 169] float64, heads up: u of a deal to player 0 is
    base + tilt * its equity; mean: [2] float64, its mean over all deals.
    """

    known: npt.NDArray[np.bool_]
    model: int
    rate: npt.NDArray[np.float64]
    samples: int
    least: int
    slope: npt.NDArray[np.float64]
    pairs: npt.NDArray[np.float32]
    classes: npt.NDArray[np.int16]
    base: npt.NDArray[np.float64]
    tilt: npt.NDArray[np.float64]
    mean: npt.NDArray[np.float64]


class Workspace(NamedTuple):
    """What a thread works in. slots: [P] int64, who plays for each player; rest: [P] float64; cards: [4]
    int64; exact: [4] float64, heads up the exact equity of player 0 on each street of the deal, -1 not known.
    """

    tree: LookTree
    deal_boards: DealBoards
    pots: Pots
    walk: LookWalk
    slots: npt.NDArray[np.int64]
    rest: npt.NDArray[np.float64]
    cards: npt.NDArray[np.int64]
    exact: npt.NDArray[np.float64]


class Played(NamedTuple):
    """Hands that were played. cards: [hand, 2 P + 5] int64, in dealing order; number: [hand] int64, what
    the random numbers of a hand are named by; rotation: [hand] int64, player p is slot (p + rotation) mod
    P; won: [hand, slot] int64; hand h's actions are moves[starts[h] : starts[h + 1]], int64.
    """

    cards: npt.NDArray[np.int64]
    number: npt.NDArray[np.int64]
    rotation: npt.NDArray[np.int64]
    won: npt.NDArray[np.int64]
    starts: npt.NDArray[np.int64]
    moves: npt.NDArray[np.int64]


@kernel
def deal_block(seed: int, first: int, players: int, cards: Any) -> None:
    """Deal every deal from `first` on once for each rotation: cards: [hand, 2 P + 5] int64."""
    for hand in range(len(cards)):
        if hand % players == 0:
            deal_cards(seed, first + hand // players, cards[hand])
        else:
            cards[hand] = cards[hand - 1]


@lean_inlined
def combo_of(a: Any, b: Any) -> Any:
    return max(a, b) * (max(a, b) - 1) // 2 + min(a, b)


@lean_inlined
def _differ(one: Any, two: Any) -> bool:
    """Return whether two deals of the same length differ."""
    differ = False
    for place in range(len(one)):
        differ |= one[place] != two[place]
    return differ


@lean_inlined
def _held(cards: Any, card: int) -> bool:
    """Return whether player 0 holds a card."""
    return bool(cards[0] == card or cards[1] == card)


@lean_inlined
def boards_for(plan: Plan, street: int, pot: int, unit: int, cards: int) -> int:
    """Return how many boards are drawn for a street: more where more is at stake."""
    return min(max(int(plan.rate[street] * pot / unit), plan.least), min(plan.samples, cards))


@lean
def _share_pots(
    match: Match, plan: Plan, space: Workspace, cards: Any, state: Any, board_index: int, stride: int
) -> None:
    """Put the shares of pots on a board_index's board into space.pots, with more than two players."""
    street, players = state[STREET], state[PLAYERS]
    if street > 0:
        board, evaluator = space.deal_boards.board[board_index], match.index.evaluator
        rank_runouts(space.pots, cards, state[ACTIVE], board, street + 2, stride, evaluator)
        return
    space.pots.runouts[0] = 0
    space.pots.summed[:] = False
    for one in range(players):
        mine = combo_of(cards[2 * one], cards[2 * one + 1])
        for two in range(players):
            if one != two:
                theirs = combo_of(cards[2 * two], cards[2 * two + 1])
                space.pots.preflop[one, two] = plan.pairs[mine, theirs]


@lean
def _equity(match: Match, plan: Plan, space: Workspace, cards: Any, street: int) -> None:
    """Work out the exact equity of player 0 on a street, heads up, whose board that came has been seen."""
    if space.exact[street] >= 0.0:
        return
    if street == 0:
        equity = float(plan.pairs[combo_of(cards[0], cards[1]), combo_of(cards[2], cards[3])])
        space.deal_boards.chance[0] = equity
    elif street == 1:
        equity = pair_equity(cards, cards[4:], 3, 1, match.index.evaluator)
    else:
        equity = space.deal_boards.chance[board_index_of(street, CAME, plan.samples)]
    space.exact[street] = equity


@lean
def _look(
    match: Match, agent_tables: AgentTables, space: Workspace, cards: Any, node: int, first: int, lanes: int
) -> bool:
    """Look ahead, with the features that turn out to be needed; return False where there was no space."""
    found = look_ahead(
        agent_tables, space.tree, space.deal_boards, space.pots, space.walk, node, first, lanes
    )
    while found < NO_ROOM:
        street = space.tree.table[space.tree.form[node, TABLE], 0, STREET]
        for lane in range(lanes):
            work_out_features(match, space.deal_boards, cards, street, first + lane, -2 - found)
        found = look_ahead(
            agent_tables, space.tree, space.deal_boards, space.pots, space.walk, node, first, lanes
        )
    return found == 0


@lean
def _street(
    match: Match, agent_tables: AgentTables, plan: Plan, space: Workspace, cards: Any, node: int, out: Any
) -> None:
    """Write to out: [P] float64 the mean of what u is beyond its linear part over other boards less that of
    the one that came; the boards have been drawn.
    """
    state = space.tree.table[space.tree.form[node, TABLE], 0]
    street, players = state[STREET], state[PLAYERS]
    out[:] = 0.0
    left = 52 - 2 * players - street - 2  # turns and rivers that did not come
    count = boards_for(plan, street, state[POT], state[MIN_BET], left if street > 1 else plan.samples)
    if count == 0:
        return
    # the one that came has its own place in the mean over turns and rivers: the rest of it is for the others
    others = 1.0 - 1.0 / (left + 1) if street > 1 else 1.0
    first = board_index_of(street, CAME, plan.samples)
    see(match, space.deal_boards, cards, agent_tables.agents, street, first, DRAWN + count)
    if players == 2:
        if not _look(match, agent_tables, space, cards, node, first, DRAWN + count):
            return
        tilt = plan.slope[street] * state[POT]
        for lane in range(DRAWN + count):
            share = -others if lane == CAME else others / count
            out[0] += share * (space.walk.value[0, 0, lane] - tilt * space.deal_boards.chance[first + lane])
        out[1] = -out[0]
        return
    for lane in range(DRAWN + count):
        share = -others if lane == CAME else others / count
        _share_pots(match, plan, space, cards, state, first + lane, STRIDE)
        if not _look(match, agent_tables, space, cards, node, first + lane, 1):
            out[:] = 0.0
            return
        # against the one that came, the mean over so many others is known no better than that
        for player in range(players):
            out[player] += count / (count + 1.0) * share * space.walk.value[0, player, 0]


@lean
def _decision(
    agent_tables: AgentTables,
    space: Workspace,
    node: int,
    board_index: int,
    action: int,
    slots: Any,
    out: Any,
) -> None:
    """Add the term of a decision to out: [slots] float64, by the values that the last look left."""
    tree, walk = space.tree, space.walk
    columns = tree.value.shape[1]
    walk.reach[0, 0] = 1.0
    total = strategies(agent_tables, tree, space.deal_boards, space.pots, walk, node, board_index, 1, 0)
    own, taken = walk.place[0, 2], 0.0
    walk.worth[:] = 0.0
    for slot in range(total):
        weight = walk.weights[0, slot, 0]
        child = tree.form[node, FIRST] + slot if slot < own else tree.form[node, FIRST + 1] + slot - own
        if weight > 0.0 and tree.form[child, ACTION] == action:
            taken += weight
            for column in range(columns):
                walk.worth[column] += weight * tree.value[child, column]
    if taken > 0.0:  # else what an unknown player did, and its model would not
        for column in range(columns):
            out[slots[column]] += tree.value[node, column] - walk.worth[column] / taken
        if columns == 1:
            out[slots[1]] = -out[slots[0]]


@lean
def _all_in(space: Workspace, node: int, street: int, won: Any, slots: Any, out: Any) -> None:
    """Write what the cards to come gave beyond their mean, once nobody can act, with the sign changed."""
    tree, players = space.tree, len(slots)
    rake = np.int64(0)
    for slot in range(players):
        rake -= won[slot]
    if players > 2:
        if rake == 0:
            worth_of(tree, space.pots, node, space.walk.worth)
            for player in range(players):
                out[slots[player]] = space.walk.worth[player] - won[slots[player]]
        return
    value = (
        tree.worth[node, BASE] + (tree.worth[node, TILT] - rake) * space.exact[street]
    )  # the winner pays the rake
    out[slots[0]] = value - won[slots[0]]
    out[slots[1]] = -out[slots[0]]


@lean
def replay(
    match: Match,
    agent_tables: AgentTables,
    plan: Plan,
    space: Workspace,
    played: Played,
    begin: int,
    terms: Any,
) -> int:
    """Write the terms of hands from `begin` on to terms: [hand, terms, slots] float64, zeros before.

    Return the first hand that was not done: where the tree has to be begun anew first.
    """
    players = match.root[PLAYERS]
    tree, deal_boards, samples = space.tree, space.deal_boards, plan.samples
    slots, rest = space.slots, space.rest
    for hand in range(begin, len(played.won)):
        if not has_space(tree):
            return hand
        cards, number, rotation = played.cards[hand], played.number[hand], played.rotation[hand]
        for player in range(players):
            slots[player] = (player + rotation) % players
            agent_tables.agents[player] = slots[player] if plan.known[slots[player]] else plan.model
        fresh = hand == begin or number - rotation != played.number[hand - 1] - played.rotation[hand - 1]
        if fresh or _differ(cards, played.cards[hand - 1]):
            forget(deal_boards)
            space.exact[:] = -1.0
        mappings = stream_key(match.seed, number, TRANSLATION_STREAM)
        # the same boards in every rotation of a deal
        boards = stream_key(match.seed, number - rotation, AIVAT_STREAM)
        node: Any = np.int64(rotation)
        street, board_index, looked = -1, 0, np.int64(0)
        for place in range(played.starts[hand + 1] - played.starts[hand]):
            state = tree.table[tree.form[node, TABLE], 0]
            action = played.moves[played.starts[hand] + place]
            if state[STREET] != street:
                street = int(state[STREET])
                board_index = board_index_of(street, CAME, samples)
                if street > 0:
                    left = 52 - 2 * players - street - 2
                    count = boards_for(
                        plan, street, state[POT], state[MIN_BET], left if street > 1 else samples
                    )
                    draw_boards(deal_boards, cards, street, count, samples, boards)
                see(match, deal_boards, cards, agent_tables.agents, street, board_index, 1)
                if players == 2:
                    _equity(match, plan, space, cards, street)
                if street == 0 and players == 2:
                    one = plan.classes[combo_of(cards[0], cards[1])]
                    two = plan.classes[combo_of(cards[2], cards[3])]
                    u = plan.base[rotation, one, two] + plan.tilt[rotation, one, two] * space.exact[0]
                    terms[hand, DEAL, slots[0]] = plan.mean[rotation] - u
                    terms[hand, DEAL, slots[1]] = u - plan.mean[rotation]
                looked = space.walk.look[0] + 1
                if street > 0:
                    _street(match, agent_tables, plan, space, cards, node, rest)
                    for player in range(players):
                        terms[hand, REST + street - 1, slots[player]] = rest[player]
                    if players == 2:
                        fall = state[POT] * (space.exact[street - 1] - space.exact[street])
                        terms[hand, LINEAR + street - 1, slots[0]] = fall
                        terms[hand, LINEAR + street - 1, slots[1]] = -fall
                if players > 2:
                    _share_pots(match, plan, space, cards, state, board_index, STRIDE)
                    looked = space.walk.look[0] + 1
            slot = slots[state[ACTOR]]
            # the first look of a street has been below most of its decisions
            if plan.known[slot] and (
                tree.look[node] >= looked or _look(match, agent_tables, space, cards, node, board_index, 1)
            ):
                row = terms[hand, DECISIONS + street * players + slot]
                _decision(agent_tables, space, node, board_index, action, slots, row)
            node = step(agent_tables, tree, space.pots, node, action, uniform(mappings, place))
            if node == NONE:
                terms[hand] = 0.0
                break
        if node == NONE:
            continue
        if street < 0:  # the blinds were all in
            street = 0
            see(match, deal_boards, cards, agent_tables.agents, street, 0, 1)
            if players == 2:
                _equity(match, plan, space, cards, street)
        if tree.form[node, WHO] == SHOWDOWN and street < RIVER and (street > 0 or players == 2):
            if players > 2:  # all run-outs count
                _share_pots(
                    match,
                    plan,
                    space,
                    cards,
                    tree.table[tree.form[tree.form[node, PARENT], TABLE], 0],
                    board_index,
                    1,
                )
            _all_in(space, node, street, played.won[hand], slots, terms[hand, ALL_IN])
    return len(played.won)


@lean
def deal_values(
    match: Match, agent_tables: AgentTables, plan: Plan, space: Workspace, hands: Any, out: Any
) -> None:
    """Write u of the deal of every pair of classes, heads up, to out: [rotation, 2, 169, 169] float64.

    At equity 0 and 1: u is linear in it. hands: [169, k, 2] int64, some of each class.
    """
    cards, deal_boards = space.cards, space.deal_boards
    for rotation in range(2):
        for player in range(2):
            slot = (player + rotation) % 2
            agent_tables.agents[player] = slot if plan.known[slot] else plan.model
        for one in range(len(hands)):
            for two in range(len(hands)):
                cards[0], cards[1] = hands[one, 0, 0], hands[one, 0, 1]
                for choice in range(hands.shape[1]):
                    cards[2], cards[3] = hands[two, choice, 0], hands[two, choice, 1]
                    if not (_held(cards, cards[2]) or _held(cards, cards[3])):
                        break
                forget(deal_boards)
                for end in range(2):
                    see(match, deal_boards, cards, agent_tables.agents, 0, 0, 1)
                    deal_boards.chance[0] = end
                    _look(match, agent_tables, space, cards, rotation, 0, 1)
                    out[rotation, end, one, two] = space.walk.value[0, 0, 0]


@lean
def work(
    what: int,
    match: Match,
    agent_tables: AgentTables,
    plan: Plan,
    space: Workspace,
    root: Any,
    hands: Any,
    out: Any,
    played: Played,
    begin: int,
    terms: Any,
) -> int:
    """Do `start_tree` (START), `deal_values` (DEALS) or `replay` (HANDS), and return what that returns.

    One kernel for Python: nearly all of their code is the same, and so it is compiled once.
    """
    if what == START:
        start_tree(agent_tables, space.tree, space.pots, root)
        return 0
    if what == DEALS:
        deal_values(match, agent_tables, plan, space, hands, out)
        return 0
    return replay(match, agent_tables, plan, space, played, begin, terms)
