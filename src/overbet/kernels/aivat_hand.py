"""AIVAT on hold'em for any number of players: hands that were played, replayed with their luck taken out.

Every point H is a single history (all hole cards open), so that the formula reads

    k = sum_a p(a) u(ha) - u(h a_seen)

at every decision of a player whose strategy is known, and the same over cards where chance decides. u is
the look ahead to the end of the street (`overbet.kernels.aivat_street`).

- A decision: u of all actions comes from one look; p is the player's own strategy with the hand held. - The
hole cards, heads up: u is linear in the equity of the two hands for each pair of the 169 classes, so its
  mean over all deals is a finite sum.
- A street's cards: the mean of u over boards is estimated from a few boards drawn for it alone, the more the
  larger the pot; heads up the part slope * pot * equity, whose mean is known from the equity before, is taken
  exactly and the rest sampled.
- Once nobody can act any more the payoff is its mean over the cards to come, exactly.

Each term has mean zero given what came before it, whatever u is. The work has three parts: `plan_hands`
replays hands and writes down the places to look from, `look_from` looks, `gather_hands` adds up.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from overbet.kernels.agents_blueprint import advance, book_bucket
from overbet.kernels.agents_features import Lore, hand_features
from overbet.kernels.agents_scripted import BLUEPRINT, BOOK, BY_EQUITY, KIND, RULES
from overbet.kernels.aivat_street import Look, Minds, expand, pots_worth, rank_runouts, shares_of
from overbet.kernels.holdem import apply
from overbet.kernels.holdem_layout import (
    ACTIVE,
    ACTOR,
    BOARD,
    HOLE,
    MIN_BET,
    PLAYERS,
    POT,
    PUT_IN,
    RIVER,
    SHOWDOWN,
    STACK,
    STREET,
)
from overbet.kernels.holdem_play import deal_cards, give_cards
from overbet.kernels.jit import inlined, kernel
from overbet.kernels.match_play import BOOKS, TRANSLATION_STREAM, Match
from overbet.kernels.rng import below, stream_key, uniform

AIVAT_STREAM = 9
DECISION, OPENING, SAMPLE, ALL_IN = 0, 1, 2, 3  # what a place is for; an opening is a street's first decision
NO_ACTION = -9
U64 = np.uint64


class Places(NamedTuple):
    """Places to look from. T places, P players.

    state: [T, SIZE], book: [T, BOOKS], inner: [T, BOOKS, SIZE] int64, the table and the blueprints' trees;
    hand, kind, action: [T] int64, whose place it is, what for, and what was done there; fresh: [T] bool,
    whether the board differs from the place before. Written by `look_from`: value, chosen: [T, P] float64,
    u of the place and after the action; equity: [T] float64, heads up the first player's.
    """

    state: npt.NDArray[np.int64]
    book: npt.NDArray[np.int64]
    inner: npt.NDArray[np.int64]
    hand: npt.NDArray[np.int64]
    kind: npt.NDArray[np.int64]
    action: npt.NDArray[np.int64]
    fresh: npt.NDArray[np.bool_]
    value: npt.NDArray[np.float64]
    chosen: npt.NDArray[np.float64]
    equity: npt.NDArray[np.float64]


class Plan(NamedTuple):
    """How hands are looked at. known: [slots] bool; model: int, the row that stands for unknown slots;
    rate: float, boards drawn for a street for each minimum bet in the pot, `samples` at most and one at
    least; slope: [4] float64, of the part of u taken exactly; pairs: [1326, 1326] float32; classes: [1326]
    int16; base, tilt: [2 rotations, 169, 169, P] float64, heads up: u of a deal is base + tilt * equity of
    player 0; mean: [2, P] float64, its mean over all deals.
    """

    known: npt.NDArray[np.bool_]
    model: int
    rate: float
    samples: int
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


@kernel
def draw_boards(state: Any, street: int, key: np.uint64, count: int, boards: Any) -> int:
    """Draw other cards than those that came with this street: boards: [count or more, 3] int64; return how
    many.

    Turns and rivers are drawn without putting back from the cards that are neither held, lying nor the one
    that came; flops are drawn anew each time and may be the one that came.
    """
    new = 3 if street == 1 else 1
    lying = street + 2
    deck, left = np.empty(52, np.int64), 0
    dead = U64(0)
    for place in range(2 * state[PLAYERS]):
        dead |= U64(1) << U64(state[HOLE + place])
    for place in range(lying - new if street == 1 else lying):
        dead |= U64(1) << U64(state[BOARD + place])
    for card in range(52):
        if not dead >> U64(card) & U64(1):
            deck[left] = card
            left += 1
    counter = 4096 * street
    found = min(count, left) if street > 1 else count
    for board in range(found):
        for place in range(new):
            at = board if street > 1 else place
            other = at + below(key, counter, left - at)
            counter += 1
            deck[at], deck[other] = deck[other], deck[at]
            boards[board, place] = deck[at]
    return found


@inlined
def boards_for(plan: Plan, pot: int, unit: int) -> int:
    """Return how many boards are drawn for a street: more where more is at stake."""
    wanted = int(plan.rate * pot / unit)
    return min(max(wanted, 1), plan.samples)


@inlined
def _note(places: Places, at: int, state: Any, book: Any, inner: Any, hand: int) -> None:
    places.state[at] = state
    places.book[at] = book
    places.inner[at] = inner
    places.hand[at] = hand


@kernel
def plan_hands(match: Match, plan: Plan, played: Played, begin: int, places: Places) -> Any:
    """Replay hands from number `begin` of `played` on and note the places; return the next hand and the
    places.

    Stops before a hand whose places might not fit.
    """
    players = match.root[PLAYERS]
    state = match.root.copy()
    book, inner = np.zeros(BOOKS, np.int64), np.zeros((BOOKS, len(state)), np.int64)
    drawn = np.zeros((plan.samples, 3), np.int64)
    made, hand = 0, begin
    while hand < len(played.won):
        moves = played.moves[played.starts[hand] : played.starts[hand + 1]]
        if made + len(moves) + 3 * plan.samples + 1 > len(places.hand):
            break
        number = played.number[hand]
        state[:] = match.root
        give_cards(state, played.cards[hand])
        book[:] = 0
        inner[0], inner[1] = match.one.root, match.two.root
        mappings = stream_key(match.seed, number, TRANSLATION_STREAM)
        # the same boards in every rotation of a deal
        boards = stream_key(match.seed, number - played.rotation[hand], AIVAT_STREAM)
        street, fresh = np.int64(0), True
        for place in range(len(moves)):
            opening = state[STREET] != street
            if opening:
                street, fresh = state[STREET], True
                wanted = boards_for(plan, state[POT], state[MIN_BET])
                for sample in range(draw_boards(state, street, boards, wanted, drawn)):
                    _note(places, made, state, book, inner, hand)
                    for card in range(3 if street == 1 else 1):
                        at = BOARD + (card if street == 1 else street + 1)
                        places.state[made, at] = drawn[sample, card]
                    places.kind[made], places.action[made], places.fresh[made] = SAMPLE, NO_ACTION, True
                    made += 1
            _note(places, made, state, book, inner, hand)
            places.kind[made] = OPENING if opening else DECISION
            places.action[made], places.fresh[made] = moves[place], fresh
            fresh = False
            made += 1
            u = uniform(mappings, place)
            if match.used[0]:
                book[0], _ = advance(match.one, book[0], inner[0], state, moves[place], u)
            if match.used[1]:
                book[1], _ = advance(match.two, book[1], inner[1], state, moves[place], u)
            apply(state, moves[place])
        if state[ACTOR] == SHOWDOWN and street < RIVER and (street > 0 or players == 2):
            _note(places, made, state, book, inner, hand)
            places.state[made, STREET] = street
            places.kind[made], places.action[made], places.fresh[made] = ALL_IN, NO_ACTION, True
            made += 1
        hand += 1
    return hand, made


@kernel
def _see(match: Match, plan: Plan, look: Look, agents: Any, whole: bool) -> None:
    """Work out what look.state[0] shows: ranks of the run-outs, and for every player features or bucket.

    whole: features also of blueprints, for their fallback.
    """
    state = look.state[0]
    street, players = state[STREET], state[PLAYERS]
    look.runouts[0] = 0
    if street > 0:
        rank_runouts(state, street, match.index.evaluator, look)
    board, hole, mask = np.zeros(5, np.int8), np.zeros(2, np.int8), U64(0)
    for place in range(street + 2 if street > 0 else 0):
        board[place] = state[BOARD + place]
        mask |= U64(1) << U64(state[BOARD + place])
    lore = Lore(match.index.evaluator, match.preflop)
    for player in range(players):
        look.seen[player] = False
        one, two = state[HOLE + 2 * player], state[HOLE + 2 * player + 1]
        if street == 0:
            for other in range(players):
                if other != player:
                    against = combo_of(state[HOLE + 2 * other], state[HOLE + 2 * other + 1])
                    look.preflop[player, other] = plan.pairs[combo_of(one, two), against]
        if not state[ACTIVE] >> player & 1:
            continue
        row = match.rows[agents[player]]
        is_book = row[KIND] == BLUEPRINT
        if is_book:
            hole[0], hole[1] = one, two
            if row[BOOK] == 0.0:
                look.buckets[0, player] = book_bucket(match.one, match.index, street, hole, board)
            else:
                look.buckets[1, player] = book_bucket(match.two, match.index, street, hole, board)
        if row[KIND] == RULES or row[KIND] == BY_EQUITY or (is_book and whole) or street == 0:
            hand_features(one, two, mask, lore, look.features[player])
            look.seen[player] = True


@kernel
def look_from(
    match: Match, minds: Minds, plan: Plan, look: Look, played: Played, places: Places, count: int
) -> None:
    """Look ahead from the first `count` places and write what is seen into them."""
    players = match.root[PLAYERS]
    start, agents = np.empty(players, np.int64), np.empty(players, np.int64)
    for player in range(players):
        start[player] = match.root[STACK + player] + match.root[PUT_IN + player]
    for at in range(count):
        rotation = played.rotation[places.hand[at]]
        for player in range(players):
            slot = (player + rotation) % players
            agents[player] = slot if plan.known[slot] else plan.model
        look.state[0] = places.state[at]
        look.book[0] = places.book[at]
        look.inner[0] = places.inner[at]
        if places.fresh[at]:
            _see(match, plan, look, agents, places.kind[at] != SAMPLE)
        if places.kind[at] == ALL_IN:
            pots_worth(look, look.state[0], start, 1.0, places.value[at])
            continue
        expand(minds, look, agents, start)
        total = 0.0
        places.chosen[at] = 0.0
        for player in range(players):
            places.value[at, player] = look.value[0, player]
        for child in range(look.first[0], look.first[0] + look.width[0]):
            if look.action[child] == places.action[at] and look.weight[child] > 0.0:
                total += look.weight[child]
                for player in range(players):
                    places.chosen[at, player] += look.weight[child] * look.value[child, player]
        if total > 0.0:
            for player in range(players):
                places.chosen[at, player] /= total
        else:
            places.action[at] = NO_ACTION  # what an unknown player did, and its model would not
        if players == 2:
            if look.runouts[0] > 0:
                places.equity[at] = shares_of(look, 3, 2)[0]
            else:
                places.equity[at] = look.preflop[0, 1]


@kernel
def gather_hands(root: Any, plan: Plan, played: Played, places: Places, count: int, out: Any) -> None:
    """Add the corrections of `count` places to out: [hand, slot] float64, which holds the chips won."""
    players = root[PLAYERS]
    mean, before = np.zeros(players), 0.0
    drawn = 0
    for at in range(count):
        hand, state, kind = places.hand[at], places.state[at], places.kind[at]
        rotation, row = played.rotation[hand], out[hand]
        first = at == 0 or places.hand[at - 1] != hand
        if first and players == 2 and kind == DECISION:
            one = plan.classes[combo_of(state[HOLE], state[HOLE + 1])]
            two = plan.classes[combo_of(state[HOLE + 2], state[HOLE + 3])]
            for player in range(2):
                u = (
                    plan.base[rotation, one, two, player]
                    + plan.tilt[rotation, one, two, player] * places.equity[at]
                )
                row[(player + rotation) % players] += plan.mean[rotation, player] - u
        tilt = plan.slope[state[STREET]] * state[POT] if players == 2 else 0.0
        if kind == SAMPLE:
            if drawn == 0:
                mean[:] = 0.0
            drawn += 1
            for player in range(players):
                mean[player] += places.value[at, player]
            if players == 2:
                mean[0] -= tilt * places.equity[at]
                mean[1] += tilt * places.equity[at]
            continue
        if kind == ALL_IN:
            for player in range(players):
                slot = (player + rotation) % players
                row[slot] += places.value[at, player] - played.won[hand, slot]
            continue
        if kind == OPENING:
            # turns and rivers were drawn from the others: the one that came has its own place in the mean
            others = 52 - 2 * players - state[STREET] - 2
            own = 1.0 / (others + 1) if state[STREET] > 1 else 0.0
            for player in range(players):
                sign = 1.0 if player == 0 else -1.0
                came = places.value[at, player]
                if players == 2:
                    came -= sign * tilt * places.equity[at]
                exact = sign * tilt * before if players == 2 else 0.0
                whole = own * came + (1.0 - own) * mean[player] / drawn + exact
                row[(player + rotation) % players] += whole - places.value[at, player]
            drawn = 0
        before = places.equity[at]
        if plan.known[(state[ACTOR] + rotation) % players] and places.action[at] != NO_ACTION:
            for player in range(players):
                row[(player + rotation) % players] += places.value[at, player] - places.chosen[at, player]


@kernel
def plan_deals(match: Match, hands: Any, places: Places) -> None:
    """Note the deal of every pair of classes, heads up; hands: [169, k, 2] int64, some of each class."""
    state = match.root.copy()
    cards = np.empty(9, np.int64)
    at = 0
    for one in range(len(hands)):
        for two in range(len(hands)):
            cards[0], cards[1] = hands[one, 0, 0], hands[one, 0, 1]
            for choice in range(hands.shape[1]):
                cards[2], cards[3] = hands[two, choice, 0], hands[two, choice, 1]
                if cards[2] not in cards[:2] and cards[3] not in cards[:2]:
                    break
            place, card = 4, 0
            while place < 9:
                if card not in cards[:4]:
                    cards[place] = card
                    place += 1
                card += 1
            state[:] = match.root
            give_cards(state, cards)
            places.state[at] = state
            places.book[at] = 0
            places.inner[at, 0], places.inner[at, 1] = match.one.root, match.two.root
            places.hand[at], places.kind[at], places.action[at] = 0, DECISION, NO_ACTION
            places.fresh[at] = True
            at += 1
