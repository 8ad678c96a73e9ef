"""The exact best response within an abstraction, for two players, where all deals can be listed.

A player's cards are a sequence of buckets, one a street. From the list of all deals come two tables over the
sequences of both players: how likely each pair is, and how often the first of them wins the showdown. On
those the public tree is walked once a player with the other's reach as a vector. The responder remembers the
buckets of earlier streets even where the abstraction forgets them, and the strategy it plays against does
not: the figure is then an upper bound on what a response that forgets could gain, and the same where buckets
tell the earlier ones.

All deals can be listed when nothing is decided after the flop (pairs of hands with their exact equities) or
with a deck of few cards.
"""

from __future__ import annotations

import itertools
import math
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from overbet.blueprint.cards import pair_table
from overbet.blueprint.loop import empty_deals
from overbet.blueprint.trainer import Trainer
from overbet.cards.combos import live_combos
from overbet.errors import TooLargeError

Floats = npt.NDArray[np.float64]
MOST_DEALS = 5_000_000
MOST_SEQUENCES = 4_000
MOST_WORK = 4e11  # multiplications of all showdowns
_CHUNK = 200_000


class ExactResponse(NamedTuple):
    """In big blinds a hand, by player."""

    values_bb: tuple[float, ...]  # of the average strategies against each other
    gains_bb: tuple[float, ...]  # of a best response
    nash_conv_bb: float
    deals: int  # that were listed


class _Joint(NamedTuple):
    """S sequences of buckets. mass, wins: [S, S] float64, first player by second; buckets: [S, 4] int64."""

    mass: Floats
    wins: Floats
    buckets: npt.NDArray[np.int64]
    deals: int


def can_be_listed(trainer: Trainer) -> bool:
    """Return whether `exact_response` can be worked out: two players, few deals, a tree that is not huge."""
    if trainer.holdem.num_players != 2:
        return False
    if _before_the_flop(trainer):
        return True
    if number_of_deals(len(trainer.cards.deck)) > MOST_DEALS:
        return False
    return trainer.size.terminals * min(math.prod(map(_one, trainer.cards.counts)), MOST_SEQUENCES) ** 2 < (
        MOST_WORK
    )


def number_of_deals(deck: int) -> int:
    """Return how many ways there are to deal two hands, a flop, a turn and a river."""
    return math.comb(deck, 2) * math.comb(deck - 2, 2) * math.comb(deck - 4, 3) * (deck - 7) * (deck - 8)


def exact_response(trainer: Trainer) -> ExactResponse:
    """Return what best responses gain against the average strategy of `trainer`."""
    if not can_be_listed(trainer):
        raise TooLargeError(
            f"the deals of {trainer.holdem.num_players} players with {len(trainer.cards.deck)} cards are too "
            "many to be listed; use sampled_response"
        )
    joint = _preflop_joint(trainer) if _before_the_flop(trainer) else _listed_joint(trainer)
    values, gains = [], []
    for player in (0, 1):
        # seen from the responder: own sequence by the other's
        mass = joint.mass if player == 0 else joint.mass.T
        wins = joint.wins if player == 0 else (joint.mass - joint.wins).T
        table = _Joint(np.ascontiguousarray(mass), np.ascontiguousarray(wins), joint.buckets, joint.deals)
        best, mean = _walk(trainer, player, table, 0, np.ones(len(mass)))
        values.append(float(mean.sum()))
        gains.append(float(best.sum() - mean.sum()))
    return ExactResponse(tuple(values), tuple(gains), sum(gains), joint.deals)


def _before_the_flop(trainer: Trainer) -> bool:
    """Return whether all cards are in play and nothing is decided after the flop."""
    return len(trainer.cards.deck) == 52 and not any(trainer.size.decisions[1:])


def _preflop_joint(trainer: Trainer) -> _Joint:
    classes = trainer.cards.of_board(())
    count = trainer.cards.counts[0]
    apart = np.array([live_combos(pair) for pair in _pairs()], np.float64)
    wins = np.where(apart > 0, pair_table(), 0.0)
    group = np.zeros((count, len(classes)))
    group[classes, np.arange(len(classes))] = 1.0
    deals = apart.sum()
    buckets = np.zeros((count, 4), np.int64)
    buckets[:, 0] = np.arange(count)
    return _Joint(group @ apart @ group.T / deals, group @ wins @ group.T / deals, buckets, int(deals))


def _pairs() -> list[tuple[int, int]]:
    return [(high, low) for high in range(52) for low in range(high)]


def _listed_joint(trainer: Trainer) -> _Joint:
    deck = trainer.cards.deck
    left = len(deck) - 4
    boards = np.array(
        [
            (*flop, turn, river)
            for flop in itertools.combinations(range(left), 3)
            for turn, river in itertools.permutations([c for c in range(left) if c not in flop], 2)
        ]
    )
    total = number_of_deals(len(deck))
    cards = np.empty((total, 9), np.int8)
    at = 0
    for own in itertools.combinations(range(len(deck)), 2):
        rest = [place for place in range(len(deck)) if place not in own]
        for other in itertools.combinations(rest, 2):
            lying = deck[[place for place in rest if place not in other]]
            block = cards[at : at + len(boards)]
            block[:, :2], block[:, 2:4], block[:, 4:] = deck[list(own)], deck[list(other)], lying[boards]
            at += len(boards)
    widths = [max(count, 1) for count in trainer.cards.counts]
    codes = np.empty((total, 2), np.int64)
    share = np.empty(total)
    for first in range(0, total, _CHUNK):
        rows = cards[first : first + _CHUNK]
        deals = trainer.read(empty_deals(len(rows), 2)._replace(cards=rows))
        code = np.zeros((len(rows), 2), np.int64)
        for street, width in enumerate(widths):
            code = code * width + deals.bucket[:, :, street]
        codes[first : first + len(rows)] = code
        ahead = np.sign(deals.strength[:, 0] - deals.strength[:, 1])
        share[first : first + len(rows)] = 0.5 + 0.5 * ahead
    sequences, place = np.unique(codes, return_inverse=True)
    count = len(sequences)
    if count > MOST_SEQUENCES:
        raise TooLargeError(
            f"{count:,} sequences of buckets are too many for an exact best response (at most "
            f"{MOST_SEQUENCES:,}); use sampled_response"
        )
    place = place.reshape(total, 2)
    pair = place[:, 0] * count + place[:, 1]
    mass = np.bincount(pair, minlength=count * count).reshape(count, count) / total
    wins = np.bincount(pair, share, count * count).reshape(count, count) / total
    buckets = np.empty((count, 4), np.int64)
    for street in range(3, -1, -1):
        buckets[:, street] = sequences % widths[street]
        sequences = sequences // widths[street]
    return _Joint(mass, wins, buckets, total)


def _walk(trainer: Trainer, player: int, joint: _Joint, node: int, reach: Floats) -> tuple[Floats, Floats]:
    """Return for each own sequence what a best response and the average strategy win: [S] float64 each."""
    nodes, game = trainer.tree.nodes, trainer.game
    who = int(nodes.player[node])
    if who < 0:
        end = int(nodes.first[node])
        value = float(game.won[end, player]) * (joint.mass @ reach)
        for pot in range(int(nodes.pot_first[end]), int(nodes.pot_first[end + 1])):
            value += float(game.pot_chips[pot]) * (joint.wins @ reach)
        return value, value
    at = joint.buckets[:, nodes.street[node]]
    shares = trainer.average(node)
    shares = np.where(np.isnan(shares), 1.0 / shares.shape[1], shares)
    best, mean = [], []
    for action, child in enumerate(trainer.tree.children(node)):
        onward = reach if who == player else reach * shares[at, action]
        below = _walk(trainer, player, joint, child, onward)
        best.append(below[0])
        mean.append(below[1])
    if who != player:
        return np.sum(best, axis=0), np.sum(mean, axis=0)
    street = int(nodes.street[node])
    # what is known now: the buckets up to this street
    _, known = np.unique(joint.buckets[:, : street + 1], axis=0, return_inverse=True)
    known = known.reshape(-1)
    grouped = np.array([np.bincount(known, values) for values in best])
    chosen = grouped.argmax(0)[known]
    response = np.array(best)[chosen, np.arange(len(known))]
    return response, (shares[at].T * np.array(mean)).sum(0)


def _one(count: int) -> int:
    return max(count, 1)
