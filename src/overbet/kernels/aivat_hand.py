"""AIVAT on hold'em for any number of players: hands that were played, replayed with their luck taken out.

Every point H is a single history (all hole cards open), so that the formula reads

    k = sum_a p(a) u(ha) - u(h a_seen)

at every decision of a player whose strategy is known, and the same over cards where chance decides. u is
the look ahead to the end of the street (`overbet.kernels.aivat_tree`). The terms of a hand:

- A decision: u of all actions comes from one look; p is the player's own strategy with the hand held.
- The hole cards, heads up: u is linear in the equity of the two hands for each pair of the 169 classes, so
  its mean over all deals is a finite sum.
- A street's cards: a part linear in pot * equity, whose mean is the equity before (heads up); and of what u
  is beyond that, the mean over a few boards drawn for it alone, the more the larger the pot. That part may
  use any fixed function of the cards: on flops heads up the equity over every so many run-outs.
- Once nobody can act any more the payoff is its mean over the cards to come, exactly.

Each term has mean zero given what came before it, whatever u is, and so has any constant times it:
`replay` writes the terms, and the caller adds them up with weights.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from overbet.kernels.agents_blueprint import book_bucket
from overbet.kernels.agents_features import Lore, hand_features
from overbet.kernels.agents_scripted import BLUEPRINT, BOOK, BY_EQUITY, KIND, RULES
from overbet.kernels.aivat_street import Look, Minds, pair_equity, rank_runouts
from overbet.kernels.aivat_tree import NONE, Tree, evaluate, step, worth_of
from overbet.kernels.holdem_layout import ACTOR, BOARD, HOLE, MIN_BET, PLAYERS, POT, RIVER, SHOWDOWN, STREET
from overbet.kernels.holdem_play import deal_cards
from overbet.kernels.jit import inlined, kernel
from overbet.kernels.match_play import TRANSLATION_STREAM, Match
from overbet.kernels.rng import below, stream_key, uniform

AIVAT_STREAM = 9
STRIDE = 9  # of the run-outs on a flop
# terms of a hand: linear and rest parts of a street's cards from there on, by street less one; decisions
# from there on, street * players + slot
ALL_IN, DEAL, LINEAR, REST, DECISIONS = 0, 1, 2, 5, 8
U64 = np.uint64


class Plan(NamedTuple):
    """How hands are looked at. known: [slots] bool; model: int, the row that stands for unknown slots;
    rate: float, boards drawn for a street for each minimum bet in the pot, at most `samples`; least: int,
    and at least; slope: [4] float64, of pot * equity, what `rest` is beyond; pairs: [1326, 1326] float32;
    classes: [1326] int16; base, tilt: [2 rotations, 169, 169, P] float64, heads up: u of a deal is base +
    tilt * equity of player 0; mean: [2, P] float64, its mean over all deals.
    """

    known: npt.NDArray[np.bool_]
    model: int
    rate: float
    samples: int
    least: int
    slope: npt.NDArray[np.float64]
    pairs: npt.NDArray[np.float32]
    classes: npt.NDArray[np.int16]
    base: npt.NDArray[np.float64]
    tilt: npt.NDArray[np.float64]
    mean: npt.NDArray[np.float64]


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


@inlined
def combo_of(a: Any, b: Any) -> Any:
    return max(a, b) * (max(a, b) - 1) // 2 + min(a, b)


@inlined
def sight_of(plan: Plan, street: int, sample: int) -> int:
    """Return the sight of a street's board: sample 0 is the one that came."""
    return 0 if street == 0 else 1 + (street - 1) * (plan.samples + 1) + sample


@kernel
def draw_boards(plan: Plan, look: Look, cards: Any, street: int, key: np.uint64) -> None:
    """Draw other cards than those that came with this street, to all its sights; cards: [2 P + 5] int64.

    Turns and rivers are drawn without putting back from the cards that are neither held, lying nor the one
    that came; flops are drawn anew each time and may be the one that came.
    """
    new = 3 if street == 1 else 1
    held, lying = len(cards) - 5, street + 2
    deck, left = np.empty(52, np.int64), 0
    dead = U64(0)
    for place in range(held + (0 if street == 1 else lying)):
        dead |= U64(1) << U64(cards[place])
    for card in range(52):
        if not dead >> U64(card) & U64(1):
            deck[left] = card
            left += 1
    counter = 4096 * street
    for sample in range(plan.samples + 1):
        board = look.board[sight_of(plan, street, sample)]
        for place in range(5):
            board[place] = cards[held + place]
        if sample == 0 or (street > 1 and sample > left):
            continue
        for place in range(new):
            at = sample - 1 if street > 1 else place
            other = at + below(key, counter, left - at)
            counter += 1
            deck[at], deck[other] = deck[other], deck[at]
            board[lying - new + place] = deck[at]


@inlined
def boards_for(plan: Plan, pot: int, unit: int, cards: int) -> int:
    """Return how many boards are drawn for a street: more where more is at stake."""
    return min(max(int(plan.rate * pot / unit), plan.least), min(plan.samples, cards))


@inlined
def _mask(board: Any, lying: int) -> np.uint64:
    mask = U64(0)
    for place in range(lying):
        mask |= U64(1) << U64(board[place])
    return mask


@kernel
def _feel(match: Match, look: Look, cards: Any, street: int, sight: int, player: int) -> None:
    """Work out the features of a player's hand."""
    lore = Lore(match.index.evaluator, match.preflop)
    mask = _mask(look.board[sight], street + 2 if street > 0 else 0)
    hand_features(cards[2 * player], cards[2 * player + 1], mask, lore, look.features[sight, player])
    look.seen[sight, player] = True


@kernel
def _see(match: Match, plan: Plan, look: Look, cards: Any, state: Any, sight: int) -> None:
    """Work out what a sight shows: the equity or ranks of the run-outs, and buckets of blueprints' hands."""
    street, players = state[STREET], state[PLAYERS]
    board = look.board[sight]
    if not look.made[sight]:
        look.made[sight] = True
        look.seen[sight] = False
        look.buckets[sight] = -1
        if players == 2 and street > 0:
            look.chances[sight] = pair_equity(cards, board, street + 2, STRIDE, match.index.evaluator)
        elif players == 2:
            look.chances[sight] = plan.pairs[combo_of(cards[0], cards[1]), combo_of(cards[2], cards[3])]
    look.equity[0] = look.chances[sight]
    if players > 2 and look.ranked[0] != sight:
        look.ranked[0] = sight
        look.runouts[0] = 0
        if street > 0:
            look.scratch[:] = state
            for place in range(2 * players):
                look.scratch[HOLE + place] = cards[place]
            for place in range(street + 2):
                look.scratch[BOARD + place] = board[place]
            rank_runouts(look.scratch, street, match.index.evaluator, look)
        else:
            for one in range(players):
                for two in range(players):
                    if one != two:
                        mine = combo_of(cards[2 * one], cards[2 * one + 1])
                        look.preflop[one, two] = plan.pairs[
                            mine, combo_of(cards[2 * two], cards[2 * two + 1])
                        ]
    for player in range(players):
        row = match.rows[look.agents[player]]
        number = np.int64(row[BOOK])
        if (row[KIND] == RULES or row[KIND] == BY_EQUITY) and not look.seen[sight, player]:
            _feel(match, look, cards, street, sight, player)
        if row[KIND] != BLUEPRINT or look.buckets[sight, number, player] >= 0:
            continue
        small, hole = np.zeros(5, np.int8), np.zeros(2, np.int8)
        for place in range(street + 2 if street > 0 else 0):
            small[place] = board[place]
        hole[0], hole[1] = cards[2 * player], cards[2 * player + 1]
        if number == 0:
            look.buckets[sight, 0, player] = book_bucket(match.one, match.index, street, hole, small)
        else:
            look.buckets[sight, 1, player] = book_bucket(match.two, match.index, street, hole, small)


@inlined
def _ahead(match: Match, minds: Minds, tree: Tree, look: Look, cards: Any, node: int, sight: int) -> int:
    """Look ahead from a node, with the features that turn out to be needed; return the list of `evaluate`."""
    kind = evaluate(minds, tree, look, node, sight)
    while kind < NONE:
        _feel(match, look, cards, tree.state[node, STREET], sight, -2 - kind)
        kind = evaluate(minds, tree, look, node, sight)
    return kind


@kernel
def _street(
    match: Match, minds: Minds, plan: Plan, tree: Tree, look: Look, cards: Any, node: int, out: Any
) -> None:
    """Write to out: [P] float64 the mean of what u is beyond its linear part over other boards less that of
    the one that came.
    """
    state = tree.state[node]
    street, players = state[STREET], state[PLAYERS]
    out[:] = 0.0
    left = 52 - 2 * players - street - 2  # turns and rivers that did not come
    count = boards_for(plan, state[POT], state[MIN_BET], left if street > 1 else plan.samples)
    if count == 0:
        return
    tilt = plan.slope[street] * state[POT] if players == 2 else 0.0
    # the one that came has its own place in the mean over turns and rivers: the rest of it is for the others
    others = 1.0 - 1.0 / (left + 1) if street > 1 else 1.0
    for sample in range(count, -1, -1):
        sight = sight_of(plan, street, sample)
        _see(match, plan, look, cards, state, sight)
        _ahead(match, minds, tree, look, cards, node, sight)
        share = others / count if sample > 0 else -others
        for player in range(players):
            out[player] += share * look.value[0, player]
        if players == 2:
            out[0] -= share * tilt * look.equity[0]
            out[1] += share * tilt * look.equity[0]


@kernel
def _decision(
    plan: Plan, tree: Tree, look: Look, node: int, kind: int, action: int, slots: Any, out: Any
) -> None:
    """Add the term of a decision to out: [slots] float64, for the list `kind` of the node's children."""
    total = 0.0
    look.worth[:] = 0.0
    for place in range(tree.width[node, kind]):
        weight = look.weights[0, place]
        if weight > 0.0 and tree.action[tree.first[node, kind] + place] == action:
            total += weight
            for player in range(len(slots)):
                look.worth[player] += weight * look.after[place, player]
    if total > 0.0:  # else what an unknown player did, and its model would not
        for player in range(len(slots)):
            out[slots[player]] += look.value[0, player] - look.worth[player] / total


@kernel
def replay(
    match: Match, minds: Minds, plan: Plan, tree: Tree, look: Look, played: Played, begin: int, terms: Any
) -> int:
    """Write the terms of hands from `begin` on to terms: [hand, terms, slots] float64, zeros before.

    Return the first hand that was not done: where the tree has to be planted anew first.
    """
    players = match.root[PLAYERS]
    slots, rest = np.empty(players, np.int64), np.empty(players)
    drawn = np.zeros(4, np.bool_)
    exact = np.zeros(4)
    for hand in range(begin, len(played.won)):
        if 2 * tree.used[0] > len(tree.end):
            return hand
        cards, number, rotation = played.cards[hand], played.number[hand], played.rotation[hand]
        for player in range(players):
            slots[player] = (player + rotation) % players
            look.agents[player] = slots[player] if plan.known[slots[player]] else plan.model
        fresh = hand == begin or number - rotation != played.number[hand - 1] - played.rotation[hand - 1]
        if fresh or not np.array_equal(cards, played.cards[hand - 1]):
            look.made[:] = False
            drawn[:] = False
        look.ranked[0] = -1
        mappings = stream_key(match.seed, number, TRANSLATION_STREAM)
        # the same boards in every rotation of a deal
        boards = stream_key(match.seed, number - rotation, AIVAT_STREAM)
        node: Any = np.int64(rotation)
        street = np.int64(-1)
        for place in range(played.starts[hand + 1] - played.starts[hand]):
            state, action = tree.state[node], played.moves[played.starts[hand] + place]
            opening = state[STREET] != street
            if opening:
                street = state[STREET]
                if not drawn[street]:
                    drawn[street] = True
                    if street > 0:
                        draw_boards(plan, look, cards, street, boards)
                    if players == 2:
                        _see(match, plan, look, cards, state, sight_of(plan, street, 0))
                        exact[street] = look.equity[0]
                        if street == 1:
                            exact[1] = pair_equity(cards, look.board[1], 3, 1, match.index.evaluator)
                if street > 0:
                    _street(match, minds, plan, tree, look, cards, node, rest)
                    for player in range(players):
                        terms[hand, REST + street - 1, slots[player]] = rest[player]
                    if players == 2:
                        fall = state[POT] * (exact[street - 1] - exact[street])
                        terms[hand, LINEAR + street - 1, slots[0]] = fall
                        terms[hand, LINEAR + street - 1, slots[1]] = -fall
                sight = sight_of(plan, street, 0)
                _see(match, plan, look, cards, state, sight)
                if players == 2:
                    look.equity[0] = exact[street]
            if opening or plan.known[slots[state[ACTOR]]]:
                kind = _ahead(match, minds, tree, look, cards, node, sight)
                if place == 0 and players == 2:
                    one, two = (
                        plan.classes[combo_of(cards[0], cards[1])],
                        plan.classes[combo_of(cards[2], cards[3])],
                    )
                    for player in range(2):
                        u = (
                            plan.base[rotation, one, two, player]
                            + plan.tilt[rotation, one, two, player] * exact[0]
                        )
                        terms[hand, DEAL, slots[player]] = plan.mean[rotation, player] - u
                if plan.known[slots[state[ACTOR]]] and kind >= 0:
                    row = DECISIONS + street * players + slots[state[ACTOR]]
                    _decision(plan, tree, look, node, kind, action, slots, terms[hand, row])
            node = step(minds, tree, look, node, action, uniform(mappings, place))
            if node == NONE:
                terms[hand] = 0.0
                break
        if node == NONE:
            continue
        state = tree.state[node]
        if street < 0:  # the blinds were all in
            street = np.int64(0)
            _see(match, plan, look, cards, state, 0)
        if state[ACTOR] == SHOWDOWN and street < RIVER and (street > 0 or players == 2):
            worth_of(tree, look, node, look.value[0])
            for player in range(players):
                terms[hand, ALL_IN, slots[player]] = look.value[0, player] - played.won[hand, slots[player]]
    return len(played.won)


@kernel
def deal_values(match: Match, minds: Minds, plan: Plan, tree: Tree, look: Look, hands: Any, out: Any) -> None:
    """Write u of the deal of every pair of classes, heads up, to out: [rotation, 2, 169, 169, 2] float64.

    At equity 0 and 1: u is linear in it. hands: [169, k, 2] int64, some of each class.
    """
    cards = np.empty(4, np.int64)
    for rotation in range(2):
        for player in range(2):
            slot = (player + rotation) % 2
            look.agents[player] = slot if plan.known[slot] else plan.model
        for one in range(len(hands)):
            for two in range(len(hands)):
                cards[0], cards[1] = hands[one, 0, 0], hands[one, 0, 1]
                for choice in range(hands.shape[1]):
                    cards[2], cards[3] = hands[two, choice, 0], hands[two, choice, 1]
                    if cards[2] not in cards[:2] and cards[3] not in cards[:2]:
                        break
                look.made[0] = False
                _see(match, plan, look, cards, tree.state[rotation], 0)
                for end in range(2):
                    look.equity[0] = end
                    _ahead(match, minds, tree, look, cards, rotation, 0)
                    for player in range(2):
                        out[rotation, end, one, two, player] = look.value[0, player]
