"""Whole matches in a kernel: hands among scripted agents and blueprints, each deal played in every rotation.

Deal g is dealt once from (seed, g) and played `players` times; in rotation r player p is agent (p + r)
mod players. That hand's number is g * players + r, and every choice in it is a function of (seed, number,
place in the hand). What depends on cards alone (features of hands, buckets) is worked out once for all
rotations, and only when somebody asks.

    play_groups(match, first, groups, log) -> deals played before the log was full
    stand(match, space, vector, actions, hand)   take a place in the middle of a hand
    decide, all_hands                            one hand's action there, every hand's strategy
    roll_out(match, space, agents, ...)          play on from there many times
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from overbet.kernels.agents.blueprint import (
    BlueprintArrays,
    Index,
    advance,
    blueprint_actions,
    blueprint_bucket,
    blueprint_shares,
    folds_kept_at,
    in_step,
)
from overbet.kernels.agents.features import FEATURES, HandTables, hand_features
from overbet.kernels.agents.scripted import (
    BLUEPRINT,
    BLUEPRINT_NUMBER,
    BY_EQUITY,
    KIND,
    MOST_CHOICES,
    RANDOM_CHIPS,
    RULES,
    menu,
    pick,
    shares,
)
from overbet.kernels.betting.mapping import TRANSLATION_STREAM
from overbet.kernels.holdem.layout import (
    ACTIVE,
    ACTOR,
    BOARD,
    CALL,
    COMING,
    FOLD,
    HOLE,
    MAX_PLAYERS,
    NO_CARD,
    PLAYERS,
    PUT_IN,
    RAISE_MAX,
    RAISE_MIN,
    RIVER,
    SHOWDOWN,
    SIZE,
    STACK,
    STREET,
    TO_CALL,
)
from overbet.kernels.holdem.play import deal_cards, give_cards
from overbet.kernels.holdem.pots import settle
from overbet.kernels.holdem.rules import apply
from overbet.kernels.jit import inlined, kernel, lean, lean_inlined
from overbet.kernels.rng import below, stream_key, uniform

CHOICE_STREAM, DRAWS = 2, 4  # as in overbet.agents.protocol
BOARDS_STREAM = 10  # of (seed, hand): boards on which an all-in is settled again
BLUEPRINTS = 2

# what is counted for every agent
DECISIONS, OFF_TREE, UNTRAINED, MAPPED = 0, 1, 2, 3
COUNTS = 4

_LOOKING = (RULES, BY_EQUITY)
U64 = np.uint64
_ONE, _ZERO = U64(1), U64(0)


class Match(NamedTuple):
    """What a match is played with.

    root: [SIZE] int64, waiting for its first card; rows: [agents, ROW] float64; fallback: [ROW] float64,
    what a blueprint plays off its tree; one, two: the blueprints that rows name; used: [BLUEPRINTS] bool;
    index: for their buckets; preflop: [2, 1326] float64 as in `HandTables`; seed: int.
    """

    root: npt.NDArray[np.int64]
    rows: npt.NDArray[np.float64]
    fallback: npt.NDArray[np.float64]
    one: BlueprintArrays
    two: BlueprintArrays
    used: npt.NDArray[np.bool_]
    index: Index  # type: ignore[assignment]  # a field; the method of tuples is not needed
    preflop: npt.NDArray[np.float64]
    seed: int


class Space(NamedTuple):
    """Room to work in, and what is remembered during a deal or a hand.

    state: [SIZE] int64; features: [10, 4, FEATURES] float64 and known: [10, 4] bool, by player and street;
    buckets: [BLUEPRINTS, 10, 4] int64, -1 not looked up; nodes: [BLUEPRINTS] int64 and inner: [BLUEPRINTS,
    SIZE] int64, where the hand stands in the trees; actions: [MOST_CHOICES] int64, weights: float64; hole:
    [2] int8, board: [5] int8; counts: [agents, COUNTS] int64; last: [1] int64, the street of the last
    decision.
    """

    state: npt.NDArray[np.int64]
    features: npt.NDArray[np.float64]
    known: npt.NDArray[np.bool_]
    buckets: npt.NDArray[np.int64]
    nodes: npt.NDArray[np.int64]
    inner: npt.NDArray[np.int64]
    actions: npt.NDArray[np.int64]
    weights: npt.NDArray[np.float64]
    hole: npt.NDArray[np.int8]
    board: npt.NDArray[np.int8]
    counts: npt.NDArray[np.int64]
    last: npt.NDArray[np.int64]


class Log(NamedTuple):
    """What happened: won: [hands, agents] int64 chips; ended: [hands] int8, the street of the last decision,
    4 more at a showdown; starts: [hands + 1] int64, where a hand's actions begin in moves: [room] int64;
    counts: [agents, COUNTS] int64, added to.
    """

    won: npt.NDArray[np.int64]
    ended: npt.NDArray[np.int8]
    starts: npt.NDArray[np.int64]
    moves: npt.NDArray[np.int64]
    counts: npt.NDArray[np.int64]


class Start(NamedTuple):
    """Where roll-outs begin.

    cards: [hands, 2 * players + 5] int64, hole cards and the whole board of each; actions: [n] int64, carried
    out first; place: how many actions were taken before those.
    """

    cards: npt.NDArray[np.int64]
    actions: npt.NDArray[np.int64]
    place: int


@kernel
def new_space(agents: int) -> Space:
    """Return room for a table of `agents`."""
    return Space(
        np.zeros(SIZE, np.int64),
        np.zeros((MAX_PLAYERS, 4, FEATURES), np.float64),
        np.zeros((MAX_PLAYERS, 4), np.bool_),
        np.full((BLUEPRINTS, MAX_PLAYERS, 4), -1, np.int64),
        np.zeros(BLUEPRINTS, np.int64),
        np.zeros((BLUEPRINTS, SIZE), np.int64),
        np.zeros(MOST_CHOICES, np.int64),
        np.zeros(MOST_CHOICES, np.float64),
        np.zeros(2, np.int8),
        np.zeros(5, np.int8),
        np.zeros((agents, COUNTS), np.int64),
        np.zeros(1, np.int64),
    )


@lean_inlined
def forget_cards(space: Space) -> None:
    """Forget what was worked out for the last deal."""
    space.known[:] = False
    space.buckets[:] = -1


@inlined
def start_blueprints(match: Match, space: Space) -> None:
    """Put the trees at their first decision."""
    if match.used[0]:
        space.nodes[0] = 0
        space.inner[0] = match.one.root
    if match.used[1]:
        space.nodes[1] = 0
        space.inner[1] = match.two.root


@lean_inlined
def _board_mask(state: Any) -> np.uint64:
    mask = _ZERO
    for place in range(5):
        if state[BOARD + place] != NO_CARD:
            mask |= _ONE << U64(state[BOARD + place])
    return mask


@lean_inlined
def _look(match: Match, space: Space, state: Any, player: int) -> None:
    """Work out the features of the player's hand now, where that has not been done: `space.features`."""
    street = state[STREET]
    if not space.known[player, street]:
        first, second = state[HOLE + 2 * player], state[HOLE + 2 * player + 1]
        hand_tables = HandTables(match.index.evaluator, match.preflop)
        hand_features(first, second, _board_mask(state), hand_tables, space.features[player, street])
        space.known[player, street] = True


@lean
def _bucket(arrays: BlueprintArrays, index: Index, number: int, space: Space, state: Any) -> int:
    """Return the bucket of the hand of the player to act."""
    player, street = state[ACTOR], state[STREET]
    found = space.buckets[number, player, street]
    if found < 0:
        space.hole[0], space.hole[1] = state[HOLE + 2 * player], state[HOLE + 2 * player + 1]
        for place in range(5):
            space.board[place] = max(state[BOARD + place], 0)
        found = blueprint_bucket(arrays, index, street, space.hole, space.board)
        space.buckets[number, player, street] = found
    return int(found)


@lean
def _from_blueprint(
    arrays: BlueprintArrays, index: Index, number: int, space: Space, state: Any, counts: Any
) -> int:
    """Write actions and weights of a blueprint's decision; return how many, 0 where it has none."""
    node, inner = space.nodes[number], space.inner[number]
    if not in_step(arrays, node, inner, state):
        counts[OFF_TREE] += 1
        return 0
    kept = folds_kept_at(arrays, node, inner, state)
    if not blueprint_shares(arrays, node, _bucket(arrays, index, number, space, state), kept, space.weights):
        counts[UNTRAINED] += 1
        return 0
    return blueprint_actions(arrays, node, inner, state, space.actions)


@lean
def decide(match: Match, space: Space, state: Any, agent: int, key: np.uint64, counter: int) -> int:
    """Return the action of `agent` for the player to act in `state`.

    The random numbers are those of the stream `key` from `counter` on.
    """
    player, row, counts = state[ACTOR], match.rows[agent], space.counts[agent]
    counts[DECISIONS] += 1
    u = uniform(key, counter)
    if row[KIND] == RANDOM_CHIPS:
        return _random_chips(state, u, key, counter + 1)
    count = 0
    if row[KIND] == BLUEPRINT:
        if row[BLUEPRINT_NUMBER] == 0.0:
            count = _from_blueprint(match.one, match.index, 0, space, state, counts)
        else:
            count = _from_blueprint(match.two, match.index, 1, space, state, counts)
        row = match.fallback
    if count == 0:
        count = menu(state, player, row, space.actions)
        if row[KIND] in _LOOKING:  # who does not look at the hand pays for no look
            _look(match, space, state, player)
        shares(state, row, space.features[player, state[STREET]], count, space.weights)
    return int(space.actions[pick(space.weights, count, u)])


@lean_inlined
def _random_chips(state: Any, u: float, key: np.uint64, counter: int) -> int:
    """Return fold, call or raise with the same chance, and a raise by any chips with the same chance."""
    may_fold, may_raise = state[TO_CALL] > 0, state[RAISE_MAX] > 0
    place = np.int64(u * (1 + may_fold + may_raise))
    if place == 0:
        return CALL
    if place == 1 and may_fold:
        return FOLD
    return int(state[RAISE_MIN] + below(key, counter, state[RAISE_MAX] - state[RAISE_MIN] + 1))


@lean
def follow(match: Match, space: Space, state: Any, action: int, u: float, agents: Any) -> None:
    """Carry an action out in the trees, before it is applied to `state`; agents: [n] int64 at the table."""
    for number in range(BLUEPRINTS):
        if not match.used[number]:
            continue
        node, inner = space.nodes[number], space.inner[number]
        if number == 0:
            child, mapped = advance(match.one, node, inner, state, action, u)
        else:
            child, mapped = advance(match.two, node, inner, state, action, u)
        space.nodes[number] = child
        if mapped:
            for agent in agents:
                row = match.rows[agent]
                if row[KIND] == BLUEPRINT and row[BLUEPRINT_NUMBER] == number:
                    space.counts[agent, MAPPED] += 1


@lean
def play_on(match: Match, space: Space, agents: Any, hand: int, place: int, moves: Any) -> int:
    """Play the hand in `space.state` from its `place`-th action to the end and settle it.

    agents: [players] int64, who plays for each player; moves: [room] int64, receives the actions as far as
    there is room. Return the number of actions in the hand.
    """
    place = play_to_showdown(match, space, agents, hand, place, moves)
    if space.state[ACTOR] == SHOWDOWN:
        settle(space.state, match.index.evaluator)
    return place


@kernel
def play_to_showdown(match: Match, space: Space, agents: Any, hand: int, place: int, moves: Any) -> int:
    """As `play_on`, but hands that have to be compared are not compared yet."""
    state = space.state
    choices = stream_key(match.seed, hand, CHOICE_STREAM)
    mappings = stream_key(match.seed, hand, TRANSLATION_STREAM)
    begun = place
    while state[ACTOR] >= 0:
        action = decide(match, space, state, agents[state[ACTOR]], choices, DRAWS * place)
        follow(match, space, state, action, uniform(mappings, place), agents)
        if place - begun < len(moves):
            moves[place - begun] = action
        space.last[0] = state[STREET]
        apply(state, action)
        place += 1
    return place


@lean_inlined
def _showdown(state: Any) -> bool:
    """Return whether a finished hand was decided by comparing hands."""
    active = state[ACTIVE]
    return bool(active & (active - 1) != 0)


@kernel
def play_groups(match: Match, first: int, groups: int, log: Log) -> int:
    """Play deals first, first + 1, ... in all rotations; return how many deals, fewer when the log is full.

    A hand whose actions do not fit into what is left of `log.moves` is not kept, nor its deal.
    """
    players = match.root[PLAYERS]
    space = new_space(len(match.rows))
    state = space.state
    cards, agents = np.empty(2 * players + 5, np.int64), np.empty(players, np.int64)
    done, hand = 0, 0
    log.starts[0] = 0
    for group in range(groups):
        deal_cards(match.seed, first + group, cards)
        forget_cards(space)
        space.counts[:] = 0
        for rotation in range(players):
            for player in range(players):
                agents[player] = (player + rotation) % players
            state[:] = match.root
            give_cards(state, cards)
            start_blueprints(match, space)
            space.last[0] = 0
            number = (first + group) * players + rotation
            begin = log.starts[hand]
            room = log.moves[begin:]
            count = play_on(match, space, agents, number, 0, room)
            if count > len(room):
                return done
            log.starts[hand + 1] = begin + count
            log.ended[hand] = space.last[0] + (4 if _showdown(state) else 0)
            for player in range(players):
                before = match.root[STACK + player] + match.root[PUT_IN + player]
                log.won[hand, agents[player]] = state[STACK + player] - before
            hand += 1
        log.counts[:] += space.counts
        done += 1
    return done


@kernel
def stand(match: Match, space: Space, vector: Any, actions: Any, hand: int) -> None:
    """Follow a hand of which `actions`: [n] int64 are known through the trees and stand at `vector`.

    vector: [SIZE] int64, the table as it is seen now. The betting does not depend on cards, so it is played
    again with any.
    """
    players = match.root[PLAYERS]
    state, agents = space.state, np.arange(len(match.rows))
    mappings = stream_key(match.seed, hand, TRANSLATION_STREAM)
    state[:] = match.root
    give_cards(state, np.arange(2 * players + 5))
    start_blueprints(match, space)
    forget_cards(space)
    for place in range(len(actions)):
        follow(match, space, state, actions[place], uniform(mappings, place), agents)
        apply(state, actions[place])
    state[:] = vector


@lean
def choose(match: Match, space: Space, agent: int, hand: int, place: int) -> int:
    """Return what `agent` does where the space stands; the same numbers as in `play_on`."""
    key = stream_key(match.seed, hand, CHOICE_STREAM)
    return decide(match, space, space.state, agent, key, DRAWS * place)


@lean
def _all_from_blueprint(
    arrays: BlueprintArrays, number: int, space: Space, buckets: Any, out: Any, left: Any
) -> int:
    """Write the strategies of all hands by a blueprint; left: [1326] bool, hands it has none for."""
    node, inner = space.nodes[number], space.inner[number]
    left[:] = True
    if not in_step(arrays, node, inner, space.state):
        return 0
    kept = folds_kept_at(arrays, node, inner, space.state)
    for combo in range(len(out)):
        if buckets[combo] >= 0:
            left[combo] = not blueprint_shares(arrays, node, buckets[combo], kept, out[combo])
    return blueprint_actions(arrays, node, inner, space.state, space.actions)


@kernel
def all_hands(match: Match, space: Space, agent: int, features: Any, buckets: Any, out: Any) -> int:
    """Write how often every hand takes each action where the space stands; return how many actions.

    features: [1326, FEATURES] float64, NaN for dead hands; buckets: [1326] int32, of the agent's blueprint;
    out: [1326, 2 * MOST_CHOICES] float64; space.actions (made longer by the caller) receives the actions: a
    blueprint's, then those of its fallback where a hand needs it. Some may be the same action.
    """
    state, row = space.state, match.rows[agent]
    left = np.ones(len(out), np.bool_)
    out[:] = 0.0
    count = 0
    if row[KIND] == BLUEPRINT:
        if row[BLUEPRINT_NUMBER] == 0.0:
            count = _all_from_blueprint(match.one, 0, space, buckets, out, left)
        else:
            count = _all_from_blueprint(match.two, 1, space, buckets, out, left)
        row = match.fallback
    needed = 0
    for combo in range(len(out)):
        if np.isnan(features[combo, 0]):
            out[combo, :] = np.nan
        elif left[combo]:
            if needed == 0:
                needed = menu(state, state[ACTOR], row, space.actions[count:])
            out[combo, :count] = 0.0
            shares(state, row, features[combo], needed, out[combo, count:])
    return count + needed


@kernel
def _settle_often(match: Match, space: Space, boards: int, key: np.uint64, paid: Any) -> None:
    """Settle a showdown whose last cards came when nobody could act any more on boards drawn at random.

    paid: [players] float64, the mean of the stacks afterwards. The hand is settled on its own board too.
    """
    state, begun = space.state, space.state.copy()
    known = (0, 3, 4, 5)[space.last[0]]
    players, draws = state[PLAYERS], np.int64(0)
    for board in range(boards):
        state[:] = begun
        used = np.uint64(0)
        for place in range(2 * players):
            if state[HOLE + place] >= 0:
                used |= np.uint64(1) << np.uint64(state[HOLE + place])
        for place in range(known):
            used |= np.uint64(1) << np.uint64(state[BOARD + place])
        place = 5 if board == 0 else known  # the first board is the one that came
        while place < 5:
            card = below(key, int(draws), 52)
            draws += 1
            bit = np.uint64(1) << np.uint64(card)
            if used & bit == 0:
                used |= bit
                state[BOARD + place] = card
                place += 1
        settle(state, match.index.evaluator)
        for player in range(players):
            paid[player] += state[STACK + player] / boards


@kernel
def roll_out(
    match: Match, space: Space, agents: Any, start: Start, first: int, boards: int, won: Any
) -> None:
    """Play on from a place in the middle of a hand, once for each of won: [hands, players] float64 chips.

    Run h has the cards start.cards[h] and the random numbers of hand `first + h`; the trees stand where
    `stand` left them, and are put back there for every run. boards: on how many a showdown is settled whose
    last cards came when nobody could act any more: the mean is the same, with less luck in it.
    """
    nodes, inner = space.nodes.copy(), space.inner.copy()
    vector = space.state.copy()
    players = vector[PLAYERS]
    room, paid = np.empty(0, np.int64), np.empty(players)
    for run in range(len(won)):
        space.state[:] = vector
        space.nodes[:] = nodes
        space.inner[:] = inner
        forget_cards(space)
        for place in range(2 * players):
            space.state[HOLE + place] = start.cards[run, place]
        for place in range(5):
            space.state[COMING + place] = start.cards[run, 2 * players + place]
        place = start.place
        mappings = stream_key(match.seed, first + run, TRANSLATION_STREAM)
        for action in start.actions:
            follow(match, space, space.state, action, uniform(mappings, place), agents)
            space.last[0] = space.state[STREET]
            apply(space.state, action)
            place += 1
        play_to_showdown(match, space, agents, first + run, place, room)
        paid[:] = 0.0
        if space.state[ACTOR] == SHOWDOWN:
            once = space.last[0] == RIVER
            key = stream_key(match.seed, first + run, BOARDS_STREAM)
            _settle_often(match, space, 1 if once else boards, key, paid)
        else:
            for player in range(players):
                paid[player] = space.state[STACK + player]
        for player in range(players):
            before = match.root[STACK + player] + match.root[PUT_IN + player]
            won[run, player] = paid[player] - before
