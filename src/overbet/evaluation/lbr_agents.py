"""The local best response against an agent that is not compiled: the rules of `overbet.kernels.lbr.play` in
numpy.

The agent is asked with `strategy_for_all_hands(public)`. How it maps bets that it does not know is its own
affair: the strategy it gives for a public state of a hand is taken as the one it plays there.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from overbet.agents.protocol import Agent, PublicState, StrategicAgent, Strategy, pick
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


class Responder:
    """Plays deals against one agent. sizes: [S] float64, streets: [4] bool, as in `kernels.lbr.play.Lbr`."""

    def __init__(
        self, agent: Agent, game: HoldemGame, sizes: Floats, streets: npt.NDArray[np.bool_], seed: int
    ) -> None:
        if not isinstance(agent, StrategicAgent):
            raise ConfigError(
                f"{name_of(agent)} does not say how it plays every hand: the responder needs "
                "strategy_for_all_hands(public)"
            )
        self.agent: StrategicAgent = agent
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
            if street != seen and (seen < 0 or self.of.streets[street]):
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

    def _strategy(self, state: HoldemState) -> Strategy:
        found = self.of.agent.strategy_for_all_hands(PublicState.of(state, self.of.seed, self.number))
        return Strategy(found.actions, np.where(self.range[:, None] > 0.0, found.shares, 0.0))

    def _respond(self) -> int:
        state, wp = self.state, self._wp(self.range)
        pot, asked = float(state.pot), float(state.to_call)
        best, action = wp * pot - (1.0 - wp) * asked, CALL
        if asked > 0.0 and best < 0.0:
            best, action = 0.0, FOLD
        if state.legal_actions().raise_max is None:
            return action
        vector, tried = state.vector, 0
        for size in self.of.sizes:
            amount = int(raise_by_share(vector, float(size)))
            if amount != tried:
                tried = amount
                worth = self._worth_of_bet(amount)
                if worth > best:
                    best, action = worth, amount
        return action

    def _worth_of_bet(self, amount: int) -> float:
        state, vector = self.state, self.state.vector
        found = self._strategy(state.apply(amount))
        folding = [place for place, action in enumerate(found.actions) if action == FOLD]
        stay = self.range * (1.0 - found.shares[:, folding].sum(1))
        folds = 1.0 - float(stay.sum()) / float(self.range.sum())
        wp = self._wp(stay) if stay.any() else 0.0
        pot, asked = float(state.pot), float(state.to_call)
        more = float(min(amount - vector[TO_MATCH], vector[STACK + 1 - self.me]))
        return folds * pot + (1.0 - folds) * (wp * (pot + more) - (1.0 - wp) * (asked + more))

    def _agent(self) -> tuple[int, float]:
        found = self._strategy(self.state)
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
