"""Blocks of a match with networks at the table: all hands of a block at once, networks asked for all that
wait.

The hands are those that `match_referee` would play one after another: the random numbers are the same.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from overbet.agents.compiled import CompiledAgent, blueprint_arrays_of, match_of
from overbet.agents.deep import DeepAgent
from overbet.agents.protocol import Agent
from overbet.blueprint.network.net import EncodedHands
from overbet.evaluation.match_blocks import SHOWDOWN_MARK, PlayedBlock, joined
from overbet.games.holdem import HoldemGame
from overbet.kernels.holdem.layout import ACTOR, PUT_IN, SIZE, STACK
from overbet.kernels.match.play import BLUEPRINTS, COUNTS, Log, Match
from overbet.kernels.network.betting import SLOTS
from overbet.kernels.network.cards import PLACES
from overbet.kernels.network.hands import (
    MOST_MOVES,
    Questions,
    WaitingHands,
    answer,
    deal_hands,
    encode_hands,
    play_on_to_questions,
)


class NetworkMatch(NamedTuple):
    """What a table with networks is played with. match: rows of the slots and one of the fallback; asked:
    [slots + 1] bool, who is a network.
    """

    match: Match
    asked: npt.NDArray[np.bool_]
    agents: tuple[Agent, ...]


def network_match(agents: Sequence[Agent], game: HoldemGame, seed: int) -> NetworkMatch | None:
    """Return what is needed, or None where there is no network or somebody that kernels do not play."""
    seats = [agent.follower if isinstance(agent, DeepAgent) else agent for agent in agents]
    compiled = [seat for seat in seats if isinstance(seat, CompiledAgent)]
    networks = [isinstance(agent, DeepAgent) for agent in agents]
    if not any(networks) or len(compiled) < len(seats) or len(blueprint_arrays_of(compiled)) > BLUEPRINTS:
        return None
    match = match_of(compiled, game, seed)
    match = match._replace(rows=np.concatenate([match.rows, match.fallback[None]]))
    return NetworkMatch(match, np.array([*networks, False]), tuple(agents))


def play_networks(given: NetworkMatch, game: HoldemGame, first: int, groups: int) -> PlayedBlock:
    """Play a block."""
    players, match = game.num_players, given.match
    count = groups * players
    hands = _hands(count, players)
    questions = _questions(count)
    deal_hands(match, first, hands)
    waiting = np.arange(count)
    while len(waiting):
        asked = int(play_on_to_questions(match, given.asked, hands, waiting, questions))
        for number in np.unique(questions.agent[:asked]).tolist():
            here = np.flatnonzero(questions.agent[:asked] == number)
            part = _part(questions, here)
            agent = given.agents[number]
            assert isinstance(agent, DeepAgent)
            slots, shares = _asked(agent, part)
            answer(match, hands, part, len(here), slots, shares)
        waiting = questions.hand[:asked].copy()
    if int(hands.place.max(initial=0)) > MOST_MOVES:
        raise OverflowError(f"a hand has more than {MOST_MOVES} actions")
    before = match.root[STACK : STACK + players] + match.root[PUT_IN : PUT_IN + players]
    won = np.zeros((count, players), np.int64)
    np.put_along_axis(won, hands.agents, hands.state[:, STACK : STACK + players] - before, 1)
    moves = hands.moves[np.arange(MOST_MOVES) < hands.place[:, None]]
    starts = np.concatenate([[0], np.cumsum(hands.place)])
    ended = (hands.last + SHOWDOWN_MARK * hands.shown).astype(np.int8)
    assert (hands.state[:, ACTOR] < 0).all()
    log = Log(won, ended, starts, moves, hands.counts[:players])
    return joined(game, given.agents, int(match.seed), first, [log])


def _asked(agent: DeepAgent, questions: Questions) -> tuple[npt.NDArray[np.int32], npt.NDArray[np.float64]]:
    """Return slots and shares of an agent's decisions: [Q, SLOTS] each."""
    net, count = agent.net, len(questions.hand)
    card, bucket = np.empty((count, PLACES), np.int8), np.empty(count, np.int32)
    strength = np.empty((count, 3), np.float32)
    encode_hands(questions, count, net.encoder.bucket_tables, net.encoder.strengths, card, bucket, strength)
    shares = np.empty((count, SLOTS))
    for street in np.unique(questions.street).tolist():
        here = np.flatnonzero(questions.street == street)
        by_hand = net.of_hands(street, EncodedHands(card[here], bucket[here], strength[here]))
        shares[here] = net.shares_of_slots(questions.node[here], by_hand)
    return net.encoder.slots[questions.node], shares


def _hands(count: int, players: int) -> WaitingHands:
    return WaitingHands(
        np.zeros((count, SIZE), np.int64),
        np.zeros((count, BLUEPRINTS), np.int64),
        np.zeros((count, BLUEPRINTS, SIZE), np.int64),
        np.zeros((count, players), np.int64),
        np.zeros(count, np.int64),
        np.zeros(count, np.int64),
        np.zeros(count, np.int64),
        np.zeros(count, np.bool_),
        np.zeros((count, MOST_MOVES), np.int64),
        np.zeros((players + 1, COUNTS), np.int64),
    )


def _questions(count: int) -> Questions:
    hand, agent, node, street = (np.zeros(count, np.int64) for _ in range(4))
    hole, board = np.zeros((count, 2), np.int8), np.zeros((count, 5), np.int8)
    return Questions(hand, agent, node, street, hole, board)


def _part(questions: Questions, which: npt.NDArray[np.int64]) -> Questions:
    values = {name: array[which] for name, array in questions._asdict().items()}
    return Questions(**values)
