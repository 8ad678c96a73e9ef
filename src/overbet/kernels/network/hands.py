"""Many hands of a match at once, up to the next decision of somebody who has to be asked.

Hands between scripted agents, blueprints and networks: what kernels can decide they decide, and a hand waits
where a network is to act. All that wait are encoded together, so that a network is asked for thousands of
hands in one matrix product. Random numbers are those of `kernels.match.play`: a hand is the same as if it
were played alone.

    play_on_to_questions(match, asked, hands, open_hands, questions) -> how many wait
    encode_hands(...)                                        the rows of those for a network
    answer(match, asked, hands, questions, shares)           what the network does is carried out
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from overbet.kernels.abstraction.buckets import BucketTables, bucket, rule_bucket
from overbet.kernels.agents.blueprint import folds_kept_at, in_step
from overbet.kernels.agents.features import FEATURES, HandTables, hand_features
from overbet.kernels.agents.scripted import BLUEPRINT_NUMBER, pick
from overbet.kernels.betting.mapping import TRANSLATION_STREAM, real_action
from overbet.kernels.holdem.layout import ACTIVE, ACTOR, BOARD, HOLE, SHOWDOWN, STREET
from overbet.kernels.holdem.play import deal_cards, give_cards
from overbet.kernels.holdem.pots import settle
from overbet.kernels.holdem.rules import apply
from overbet.kernels.jit import kernel, lean
from overbet.kernels.match.play import (
    CHOICE_STREAM,
    DECISIONS,
    DRAWS,
    MAPPED,
    OFF_TREE,
    Match,
    Space,
    decide,
    follow,
    forget_cards,
    new_space,
    start_blueprints,
)
from overbet.kernels.network.betting import SLOTS
from overbet.kernels.network.cards import rename_suits
from overbet.kernels.rng import stream_key, uniform

MOST_MOVES = 400  # actions of a hand that are kept; heads up no tree or table has as many
_CARDS_BY = (0, 3, 4, 5)
U64 = np.uint64


class WaitingHands(NamedTuple):
    """H hands. state: [H, SIZE]; nodes: [H, 2]; inner: [H, 2, SIZE], as in `Space`; agents: [H, players];
    number: [H]; place: [H] actions taken; last: [H] street of the last decision; shown: [H] bool; moves: [H,
    MOST_MOVES]; all int64 but `shown`. counts: [agents + 1, 4] int64, the last row for the fallback's own.
    """

    state: npt.NDArray[np.int64]
    nodes: npt.NDArray[np.int64]
    inner: npt.NDArray[np.int64]
    agents: npt.NDArray[np.int64]
    number: npt.NDArray[np.int64]
    place: npt.NDArray[np.int64]
    last: npt.NDArray[np.int64]
    shown: npt.NDArray[np.bool_]
    moves: npt.NDArray[np.int64]
    counts: npt.NDArray[np.int64]


class Questions(NamedTuple):
    """Q decisions of networks. hand, agent, node, street [Q] int64; hole [Q, 2] int8; board [Q, 5] int8."""

    hand: npt.NDArray[np.int64]
    agent: npt.NDArray[np.int64]
    node: npt.NDArray[np.int64]
    street: npt.NDArray[np.int64]
    hole: npt.NDArray[np.int8]
    board: npt.NDArray[np.int8]


@kernel
def deal_hands(match: Match, first: int, hands: WaitingHands) -> None:
    """Deal the hands of deals first, first + 1, ..., each in every rotation."""
    players = hands.agents.shape[1]
    space = new_space(len(match.rows))
    cards = np.empty(2 * players + 5, np.int64)
    hands.counts[:] = 0
    for hand in range(len(hands.state)):
        deal_cards(match.seed, first + hand // players, cards)
        rotation = hand % players
        for player in range(players):
            hands.agents[hand, player] = (player + rotation) % players
        space.state[:] = match.root
        give_cards(space.state, cards)
        start_blueprints(match, space)
        hands.state[hand, :] = space.state
        hands.nodes[hand, :] = space.nodes
        hands.inner[hand, :] = space.inner
        hands.number[hand] = first * players + hand
        hands.place[hand], hands.last[hand], hands.shown[hand] = 0, 0, False


@lean
def _stands(match: Match, space: Space, agent: int, state: Any) -> Any:
    """Return the node where an agent's tree stands with the table, -1 where it does not."""
    number = np.int64(match.rows[agent, BLUEPRINT_NUMBER])
    node, inner = space.nodes[number], space.inner[number]
    there = in_step(match.one, node, inner, state) if number == 0 else in_step(match.two, node, inner, state)
    return node if there else np.int64(-1)


@kernel
def _take_up(hands: WaitingHands, hand: int, space: Space) -> None:
    space.state[:] = hands.state[hand]
    space.nodes[:] = hands.nodes[hand]
    space.inner[:] = hands.inner[hand]
    forget_cards(space)


@kernel
def _put_down(hands: WaitingHands, hand: int, space: Space) -> None:
    hands.state[hand, :] = space.state
    hands.nodes[hand, :] = space.nodes
    hands.inner[hand, :] = space.inner


@lean
def _carry_out(match: Match, hands: WaitingHands, hand: int, space: Space, action: int, agents: Any) -> None:
    state, place = space.state, hands.place[hand]
    mappings = stream_key(match.seed, hands.number[hand], TRANSLATION_STREAM)
    follow(match, space, state, action, uniform(mappings, place), agents)
    if place < MOST_MOVES:
        hands.moves[hand, place] = action
    hands.last[hand] = state[STREET]
    apply(state, action)
    hands.place[hand] = place + 1


@kernel
def play_on_to_questions(
    match: Match, asked: Any, hands: WaitingHands, open_hands: Any, questions: Questions
) -> int:
    """Play hands on to their ends or to a decision of an agent of asked: [agents] bool; return how many wait.

    match: its last row is the fallback's; open_hands: [n] int64.
    """
    space = new_space(len(match.rows))
    fallback = len(match.rows) - 1
    waiting = 0
    for hand in open_hands:
        _take_up(hands, hand, space)
        state, agents = space.state, hands.agents[hand]
        choices = stream_key(match.seed, hands.number[hand], CHOICE_STREAM)
        while state[ACTOR] >= 0:
            player = state[ACTOR]
            agent = agents[player]
            if asked[agent]:
                hands.counts[agent, DECISIONS] += 1
                node = _stands(match, space, agent, state)
                if node >= 0:
                    questions.hand[waiting], questions.agent[waiting] = hand, agent
                    questions.node[waiting], questions.street[waiting] = node, state[STREET]
                    for place in range(2):
                        questions.hole[waiting, place] = state[HOLE + 2 * player + place]
                    for place in range(5):
                        questions.board[waiting, place] = max(state[BOARD + place], 0)
                    waiting += 1
                    break
                hands.counts[agent, OFF_TREE] += 1
                agent = fallback
            action = decide(match, space, state, agent, choices, DRAWS * hands.place[hand])
            _carry_out(match, hands, hand, space, action, agents)
        if state[ACTOR] == SHOWDOWN:
            settle(state, match.index.evaluator)
        if state[ACTOR] < 0:
            active = state[ACTIVE]
            hands.shown[hand] = active & (active - 1) != 0
        _put_down(hands, hand, space)
    for agent in range(len(space.counts)):
        if agent < fallback and not asked[agent]:
            hands.counts[agent] += space.counts[agent]
        else:
            hands.counts[agent, MAPPED] += space.counts[agent, MAPPED]
    return waiting


@kernel
def encode_hands(
    questions: Questions,
    count: int,
    tables: BucketTables,
    hand_tables: HandTables,
    card: Any,
    buckets: Any,
    strength: Any,
) -> None:
    """Write the rows of the first `count` questions: card [Q, 7] int8, buckets [Q] int32, strength [Q, 3]
    float32.
    """
    found = np.empty(FEATURES, np.float64)
    for one in range(count):
        street, hole, board = questions.street[one], questions.hole[one], questions.board[one]
        lying = _CARDS_BY[street]
        mask = U64(0)
        for place in range(lying):
            mask |= U64(1) << U64(board[place])
        rename_suits(hole, board, lying, card[one])
        hand_features(int(hole[0]), int(hole[1]), mask, hand_tables, found)
        for part in range(FEATURES):
            strength[one, part] = found[part]
        if street == 3 and len(tables.river) == 0:
            buckets[one] = rule_bucket(hole, board, tables)
        else:
            buckets[one] = bucket(street, hole, board, tables)


@kernel
def answer(
    match: Match, hands: WaitingHands, questions: Questions, count: int, slots: Any, shares: Any
) -> None:
    """Carry out what networks do. slots: [Q, SLOTS] int32, children, folding and calling first; shares:
    [Q, SLOTS] float64, changed where a bet is smaller than the tree's.
    """
    space = new_space(len(match.rows))
    for one in range(count):
        hand, agent = questions.hand[one], questions.agent[one]
        _take_up(hands, hand, space)
        choices = stream_key(match.seed, hands.number[hand], CHOICE_STREAM)
        number, node = np.int64(match.rows[agent, BLUEPRINT_NUMBER]), questions.node[one]
        if number == 0:
            kept = folds_kept_at(match.one, node, space.inner[0], space.state)
        else:
            kept = folds_kept_at(match.two, node, space.inner[1], space.state)
        if kept < 1.0:
            shares[one, 1] += (1.0 - kept) * shares[one, 0]
            shares[one, 0] *= kept
        slot = pick(shares[one], SLOTS, uniform(choices, DRAWS * hands.place[hand]))
        child = slots[one, slot]
        move = match.one.action[child] if number == 0 else match.two.action[child]
        action = real_action(space.state, space.inner[number], move)
        _carry_out(match, hands, hand, space, action, hands.agents[hand])
        _put_down(hands, hand, space)
    hands.counts[:, MAPPED] += space.counts[:, MAPPED]
