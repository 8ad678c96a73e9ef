"""The local best response against an agent that is not compiled: the rules of `overbet.kernels.lbr.play` in
numpy.

The agent is asked with `strategy_for_all_hands(public)`. How it maps bets that it does not know is its own
affair: the strategy it gives for a public state of a hand is taken as the one it plays there.

A responder asks what the agent would do against every size that it might bet. An agent that thinks for a
second is asked 56 times for one decision so. `Guess` makes that affordable: bets that are only considered
are judged by a cheaper agent, or by the agent's own glance at all of them together, at some sizes, with
those between read off a straight line. The bet that looks best is then judged by the agent itself, and made
where it is still better than not to bet. How the agent answers what is really bet, what that wins, and what
is believed of its hand are the agent's own in any case: the result stays a lower bound of what can be won
from it, by a responder that knows a little less.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from overbet.agents.protocol import Agent, GlancingAgent, PublicState, StrategicAgent, Strategy, pick
from overbet.agents.registry import name_of
from overbet.blueprint.cards import pair_table
from overbet.cards.combos import COMBOS, combo_index, live_combos
from overbet.cards.evaluator import tables
from overbet.errors import ConfigError
from overbet.games.holdem import HoldemGame
from overbet.games.holdem_state import STREETS, HoldemState
from overbet.kernels.agents.scripted import raise_by_share
from overbet.kernels.holdem.layout import BET, CALL, FOLD, POT, PUT_IN, STACK, TO_CALL, TO_MATCH
from overbet.kernels.holdem.pots import rake_of
from overbet.kernels.lbr.equity import equity_work, hand_equities

Floats = npt.NDArray[np.float64]


class Guess(NamedTuple):
    """How bets that are only considered are judged: by which agent, and at how many sizes (at least 2).

    agent: None is the one that is measured, by its `answers_to_bets`.
    """

    agent: Agent | None
    sizes: int


class Responder:
    """Plays deals against one agent. sizes: [S] float64, streets: [4] bool, as in `kernels.lbr.play.Lbr`."""

    def __init__(
        self,
        agent: Agent,
        game: HoldemGame,
        sizes: Floats,
        streets: npt.NDArray[np.bool_],
        seed: int,
        guess: Guess | None = None,
    ) -> None:
        self.agent = _strategic(agent)
        self.guessed: StrategicAgent | None = self.agent
        self.asked, self.twice = len(sizes), guess is not None  # twice: what looks best is judged again
        if guess is not None:
            self.asked = guess.sizes
            self.guessed = None if guess.agent is None else _strategic(guess.agent)
        if self.guessed is None and not isinstance(self.agent, GlancingAgent):
            raise ConfigError(f"{name_of(agent)} has no glance: name another agent to guess by")
        self.game, self.sizes, self.streets, self.seed = game, sizes, streets, seed

    def play(self, first: int, won: Floats, estimate: Floats) -> None:
        """Play deals first, first + 1, ...; won, estimate: [deals, 2] float64 chips, by rotation."""
        for deal in range(len(won)):
            for rotation in range(2):
                found = _LbrHand(self, first + deal, rotation).play()
                won[deal, rotation], estimate[deal, rotation] = found


class _LbrHand:
    """One hand; `me` is the responder's player."""

    def __init__(self, responder: Responder, deal: int, rotation: int) -> None:
        self.of, self.me, self.number = responder, 1 - rotation, 2 * deal + rotation
        self.state = responder.game.deal(responder.seed, deal)
        hole = self.state.hole
        self.own, self.held = hole[self.me], combo_index(*hole[1 - self.me])
        self.range: Floats = np.ones(COMBOS)
        self.equity: Floats = np.zeros(COMBOS)
        self.work = equity_work(tables())

    def play(self) -> tuple[float, float]:
        """Return the chips the responder won, and the AIVAT estimate."""
        estimate, seen, before = 0.0, -1, 0.0
        while (player := self.state.current_player()) >= 0:
            street = STREETS.index(self.state.street)
            if street != seen:
                before = self._wp(self.range)
                self._look()
                if seen >= 0:
                    estimate += (before - self._wp(self.range)) * self.state.pot
                seen = street
            if player == self.me:
                action = self._respond() if self.of.streets[street] else CALL
            else:
                action, correction = self._agent()
                estimate += correction
            self.state = self.state.apply(action)
        won = self.state.returns()[self.me]
        if sum(self.state.in_hand) == 1:
            return won, won + estimate
        vector = self.state.vector
        pot = float(vector[POT] - rake_of(vector, vector[POT]))
        return won, estimate + self._wp(self.range) * pot - float(vector[PUT_IN + self.me])

    def _look(self) -> None:
        board = self.state.board
        if board:
            hand_equities(self.own[0], self.own[1], np.array(board), tables(), self.work, self.equity)
        else:
            self.equity[:] = pair_table()[combo_index(*self.own)]
        live = live_combos((*self.own, *board))
        self.range[~live] = 0.0
        self.equity[~live] = 0.0

    def _wp(self, weights: Floats) -> float:
        total = float(weights.sum())
        return float(weights @ self.equity) / total if total > 0.0 else 0.5

    def _strategy(self, agent: StrategicAgent, state: HoldemState) -> Strategy:
        return self._in_range(agent.strategy_for_all_hands(PublicState.of(state, self.of.seed, self.number)))

    def _in_range(self, found: Strategy) -> Strategy:
        return Strategy(found.actions, np.where(self.range[:, None] > 0.0, found.shares, 0.0))

    def _respond(self) -> int:
        state, wp = self.state, self._wp(self.range)
        pot, asked = float(state.pot), float(state.to_call)
        best, action = wp * pot - (1.0 - wp) * asked, CALL
        if asked > 0.0 and best < 0.0:
            best, action = 0.0, FOLD
        if state.legal_actions().raise_max is None:
            return action
        vector = state.vector
        amounts = sorted({int(raise_by_share(vector, float(size))) for size in self.of.sizes})
        if not amounts:
            return action
        worths = self._worths_of_bets(amounts)
        largest = int(np.argmax(worths))
        worth = float(worths[largest])
        if self.of.twice and worth > best:
            found = self._strategy(self.of.agent, self.state.apply(amounts[largest]))
            worth = float(self._worths(amounts[largest : largest + 1], *self._answer(found))[0])
        return amounts[largest] if worth > best else action

    def _worths_of_bets(self, amounts: list[int]) -> Floats:
        """Return what each bet promises, [bet] float64; amounts ascending."""
        count = len(amounts)
        asked = np.unique(np.linspace(0, count - 1, min(self.of.asked, count)).round().astype(np.int64))
        found = self._answers([amounts[place] for place in asked])
        answers = np.array([self._answer(strategy) for strategy in found])
        folds, wins = (np.interp(np.arange(count), asked, answers[:, column]) for column in (0, 1))
        return self._worths(amounts, folds, wins)

    def _worths(self, amounts: list[int], folds: Floats | float, wins: Floats | float) -> Floats:
        """Return what bets promise, [bet], by how often they are folded to and what they win when not."""
        state, vector = self.state, self.state.vector
        pot, called = float(state.pot), float(state.to_call)
        more = np.minimum(np.array(amounts) - vector[TO_MATCH], vector[STACK + 1 - self.me])
        worths: Floats = folds * pot + (1.0 - folds) * (wins * (pot + more) - (1.0 - wins) * (called + more))
        return worths

    def _answers(self, amounts: list[int]) -> list[Strategy]:
        """Return what is expected of the agent after each of some bets."""
        guessed = self.of.guessed
        if guessed is not None:
            return [self._strategy(guessed, self.state.apply(amount)) for amount in amounts]
        agent = self.of.agent
        assert isinstance(agent, GlancingAgent)
        public = PublicState.of(self.state, self.of.seed, self.number)
        return [self._in_range(found) for found in agent.answers_to_bets(public, amounts)]

    def _answer(self, found: Strategy) -> tuple[float, float]:
        """Return how often the agent folds, and what the own hand wins from those that stay."""
        folding = [place for place, action in enumerate(found.actions) if action == FOLD]
        stay = self.range * (1.0 - found.shares[:, folding].sum(1))
        return 1.0 - float(stay.sum()) / float(self.range.sum()), self._wp(stay) if stay.any() else 0.0

    def _agent(self) -> tuple[int, float]:
        found = self._strategy(self.of.agent, self.state)
        public = PublicState.of(self.state, self.of.seed, self.number)
        chosen = pick(found.of_hand(self.held), public.uniform())
        mass = self.range @ found.shares
        won = (self.range * self.equity) @ found.shares
        correction = 0.0
        for place, action in enumerate(found.actions):
            if mass[place] > 0.0:
                value = self._value(action, float(won[place] / mass[place]))
                correction += value * float(mass[place] / mass.sum()) - value * (place == chosen)
        self.range = self.range * found.shares[:, chosen]
        return found.actions[chosen], correction

    def _value(self, action: int, wp: float) -> float:
        vector, me = self.state.vector, self.me
        mine, pot = float(vector[PUT_IN + me]), float(vector[POT])
        if action == FOLD:
            return pot - mine
        if action == CALL:
            return wp * (pot + float(vector[TO_CALL])) - mine
        asked = float(min(action - vector[BET + me], vector[STACK + me]))
        added = asked + float(vector[BET + me] - vector[BET + 1 - me])
        return max(-mine, wp * (pot + added + asked) - mine - asked)


def _strategic(agent: Agent) -> StrategicAgent:
    if isinstance(agent, StrategicAgent):
        return agent
    raise ConfigError(
        f"{name_of(agent)} does not say how it plays every hand: the responder needs "
        "strategy_for_all_hands(public)"
    )
