"""Hands played in Python, for agents that are not kernels, with a referee who trusts nobody.

An agent that raises an exception, returns what is not a legal action or takes too long is named with the
hand that showed it. Then the match stops, or the referee checks for the agent, or folds where there is
something to call, and the match goes on. What an agent may see is made by the referee: others' cards are
not in it.
"""

from __future__ import annotations

import operator
import queue
import threading
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from overbet.agents.protocol import Agent, Observation
from overbet.cards.cards import cards_name
from overbet.errors import ConfigError, OverbetError
from overbet.evaluation.match_blocks import SHOWDOWN_MARK, PlayedBlock, joined
from overbet.games.holdem import HoldemGame
from overbet.games.holdem_state import HoldemState
from overbet.kernels.holdem.layout import CALL, FOLD
from overbet.kernels.match.play import COUNTS, DECISIONS, Log

OnError = Literal["stop", "fold"]
_ONE_DECISION = np.eye(1, COUNTS, DECISIONS, dtype=np.int64)[0]


@dataclass(frozen=True)
class RefereeFault:
    """What an agent did wrong, and where."""

    agent: str
    slot: int
    hand: int
    line: str
    hole: str
    reason: str

    def __str__(self) -> str:
        return f"{self.agent} {self.reason} (hand {self.hand}, holding {self.hole}, after {self.line})"


class AgentError(OverbetError):
    """An agent that cannot play on; the message names it and the hand."""

    def __init__(self, fault: RefereeFault) -> None:
        super().__init__(f"{fault}; --on-error fold goes on without it")
        self.fault = fault


class Referee:
    """Asks agents and checks what they answer. names: by slot."""

    def __init__(
        self,
        agents: Sequence[Agent],
        names: Sequence[str],
        on_error: OnError = "stop",
        time_limit: float | None = None,
    ) -> None:
        if on_error not in ("stop", "fold"):
            raise ConfigError(f"on_error is stop or fold, not {on_error!r}")
        if time_limit is not None and not time_limit > 0:
            raise ConfigError(f"the time limit is in seconds and above 0, not {time_limit}")
        self.agents, self.names = tuple(agents), tuple(names)
        self.on_error, self.time_limit = on_error, time_limit
        self.faults: list[RefereeFault] = []

    def action(self, slot: int, state: HoldemState, seed: int, hand: int) -> int:
        """Return a legal action of the agent in `slot`, or what stands for one after a fault."""
        observation = Observation.of(state, seed, hand)
        answer, reason = self._ask(self.agents[slot], observation)
        legal = observation.legal
        if not reason:
            try:
                action = operator.index(answer)  # type: ignore[arg-type]  # anything may come back
                if isinstance(answer, bool):
                    raise TypeError
                if action in legal:
                    return action
                reason = f"returned {action}, which is not legal: {legal}"
            except TypeError:
                reason = f"returned {answer!r}, which is not an action: {legal}"
        fault = RefereeFault(self.names[slot], slot, hand, state.line, cards_name(observation.hole), reason)
        self.faults.append(fault)
        if self.on_error == "stop":
            raise AgentError(fault)
        return FOLD if legal.fold else CALL

    def _ask(self, agent: Agent, observation: Observation) -> tuple[object, str]:
        """Return the agent's answer, or why there is none."""
        if self.time_limit is None:
            return _answer(agent, observation)
        answers: queue.SimpleQueue[tuple[object, str]] = queue.SimpleQueue()
        # a thread that never answers cannot be ended; as a daemon it does not keep the program alive
        threading.Thread(target=lambda: answers.put(_answer(agent, observation)), daemon=True).start()
        try:
            return answers.get(timeout=self.time_limit)
        except queue.Empty:
            return None, f"took longer than {self.time_limit:g} s"


def _answer(agent: Agent, observation: Observation) -> tuple[object, str]:
    try:
        return agent.act(observation), ""
    except Exception as error:
        return None, f"raised {type(error).__name__}: {error}"


def play_in_python(referee: Referee, game: HoldemGame, seed: int, first: int, groups: int) -> PlayedBlock:
    """Play a block hand by hand."""
    players = game.num_players
    hands = groups * players
    won = np.zeros((hands, players), np.int64)
    ended, starts = np.zeros(hands, np.int8), np.zeros(hands + 1, np.int64)
    counts = np.zeros((players, COUNTS), np.int64)
    moves: list[int] = []
    for group in range(groups):
        dealt = game.deal(seed, first + group)
        for rotation in range(players):
            state, hand = dealt, group * players + rotation
            while not state.is_terminal():
                slot = (state.current_player() + rotation) % players
                action = referee.action(slot, state, seed, first * players + hand)
                counts[slot] += getattr(referee.agents[slot], "counted", _ONE_DECISION)
                state = state.apply(action)
            moves.extend(action for _, _, action in state.history)
            starts[hand + 1] = len(moves)
            last = state.history[-1][0] if state.history else 0
            ended[hand] = last + (SHOWDOWN_MARK if sum(state.in_hand) > 1 else 0)
            for player, chips in enumerate(state.returns()):
                won[hand, (player + rotation) % players] = int(chips)
    log = Log(won, ended, starts, np.array(moves, np.int64), counts)
    return joined(game, referee.agents, seed, first, [log])
