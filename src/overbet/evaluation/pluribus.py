"""Hands people and programs played, as data: who won how much, and how often agents would have done the same.

Results are raw: chips by player in thousandths of a big blind a hand, with intervals over hands. Agreement
is measured where a hand is heads up after the flop and fits the heads-up game: all but two players folded
before the flop, the one in position opened by a raise and the other answered. The hand is replayed at a
heads-up table, the player in position on the button with the same bets; what others put in before they
folded is left out of the pot. At every later decision the agent is asked what it does with the same cards:
the share of the kind of action that was taken (fold, check or call, bet or raise), and whether it is the
kind the agent takes most.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from overbet.agents.protocol import Agent, PublicState, StrategicAgent, prepare
from overbet.agents.registry import name_of
from overbet.cards.combos import combo_index
from overbet.errors import ConfigError, OverbetError
from overbet.evaluation.statistics import Estimate, interval_by_groups, interval_of
from overbet.games.holdem import HoldemGame
from overbet.games.holdem_state import HoldemState

KINDS = ("fold", "check or call", "bet or raise")


class RecordedHand(NamedTuple):
    """A hand at its end, and the players' names in the order of the table."""

    names: tuple[str, ...]
    final: HoldemState


class PluribusDecision(NamedTuple):
    """A decision after the flop in a hand that fits: the heads-up state before it, by whom, and what was
    done.
    """

    hand: int
    name: str
    state: HoldemState
    kind: int  # of KINDS


class Agreement(NamedTuple):
    """How an agent's play meets that of some players."""

    agent: str
    players: str
    decisions: int
    hands: int
    share: Estimate  # mean share the agent gives to the kind of action taken, interval over hands
    same: Estimate  # how often it is the kind the agent takes most


def results(hands: Iterable[RecordedHand]) -> dict[str, Estimate]:
    """Return what every player won, mbb a hand, best first."""
    won: dict[str, list[float]] = {}
    for hand in hands:
        unit = 1000.0 / hand.final.game.big_blind
        for name, chips in zip(hand.names, hand.final.returns()):
            won.setdefault(name, []).append(unit * chips)
    found = {name: interval_of(values) for name, values in won.items()}
    return dict(sorted(found.items(), key=lambda item: -item[1].mean))


def heads_up(hand: RecordedHand) -> tuple[HoldemState, tuple[str, str]] | None:
    """Return the hand before its first action at a heads-up table with the names by player, or None if it
    does not fit.
    """
    final = hand.final
    folded = {player for street, player, action in final.history if street == 0 and action < 0}
    left = [player for player in range(final.num_players) if player not in folded]
    after = [player for street, player, _ in final.history if street > 0]
    if len(left) != 2 or not after or any(52 in final.hole[player] for player in left):
        return None
    behind, button = left
    before = [(player, action) for street, player, action in final.history if street == 0 and player in left]
    if not before or before[0][0] != button or before[0][1] <= 0:
        return None
    game = HoldemGame(
        2,
        (final.game.start[behind], final.game.start[button]),
        final.game.blinds[:2],
        min_bet=final.game.least_bet,
    )
    cards = [final.hole[behind], final.hole[button]]
    state = game.initial_state().with_cards(cards, final.board)
    return state, (hand.names[behind], hand.names[button])


def decisions(hands: Sequence[RecordedHand]) -> list[PluribusDecision]:
    """Return every decision after the flop of the hands that fit."""
    found: list[PluribusDecision] = []
    for number, hand in enumerate(hands):
        fitting = heads_up(hand)
        if fitting is None:
            continue
        state, names = fitting
        folded = {player for street, player, action in hand.final.history if street == 0 and action < 0}
        behind = min(player for player in range(hand.final.num_players) if player not in folded)
        own: list[PluribusDecision] = []
        try:
            for street, player, action in hand.final.history:
                if player in folded:
                    continue
                seat = 0 if player == behind else 1
                if state.current_player() != seat:
                    raise ConfigError("the two tables part")
                if street > 0:
                    kind = 0 if action < 0 else 1 if action == 0 else 2
                    own.append(PluribusDecision(number, names[seat], state, kind))
                state = state.apply(action)
        except OverbetError:  # a bet the heads-up table does not allow, or another turn: it does not fit
            continue
        found.extend(own)
    return found


def agreement(agent: Agent, asked: Sequence[PluribusDecision], groups: Mapping[str, str]) -> list[Agreement]:
    """Return how an agent's play meets that of groups of players; groups: name to group."""
    if not isinstance(agent, StrategicAgent):
        raise ConfigError(
            f"{name_of(agent)} does not say how it plays every hand: there is nothing to compare"
        )
    if not asked:
        raise ConfigError(
            "no hand fits: two players after the flop, the one in position having opened by a raise"
        )
    game = asked[0].state.game
    seated = prepare(agent, game)
    agent = seated if isinstance(seated, StrategicAgent) else agent
    rows = np.array([kinds_of(agent, decision) for decision in asked])
    taken = np.array([decision.kind for decision in asked])
    share = rows[np.arange(len(rows)), taken]
    same = (rows.argmax(1) == taken).astype(np.float64)
    hand = np.array([decision.hand for decision in asked])
    label = np.array([groups.get(decision.name, decision.name) for decision in asked])
    found = []
    for group in dict.fromkeys(label.tolist()):
        place = label == group
        found.append(
            Agreement(
                name_of(agent),
                group,
                int(place.sum()),
                len(set(hand[place].tolist())),
                interval_by_groups(share[place], hand[place]),
                interval_by_groups(same[place], hand[place]),
            )
        )
    return found


def kinds_of(agent: StrategicAgent, decision: PluribusDecision) -> npt.NDArray[np.float64]:
    """Return how often the agent folds, checks or calls, and bets or raises: [3] float64."""
    state = decision.state
    own = state.hole[state.current_player()]
    found = agent.strategy_for_all_hands(PublicState.of(state, 0, decision.hand))
    row = found.of_hand(combo_index(own[0], own[1]))
    shares = np.zeros(3)
    for action, part in zip(found.actions, row.tolist()):
        shares[0 if action < 0 else 1 if action == 0 else 2] += part
    return shares
