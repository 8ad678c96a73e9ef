"""Search as an agent: a blueprint before the flop and for beliefs, subgames solved at the table after it."""

from __future__ import annotations

from contextlib import suppress

import numpy as np

from overbet.agents.blueprint import BlueprintAgent
from overbet.agents.protocol import Observation, PublicState, Strategy, pick
from overbet.errors import ConfigError, OverbetError
from overbet.games.holdem import HoldemGame
from overbet.games.holdem_state import HoldemState
from overbet.kernels.match.play import COUNTS, DECISIONS, OFF_TREE
from overbet.search.beliefs import HandShares
from overbet.search.searcher import SearchAnswer, Searcher
from overbet.search.settings import SearchSettings


class SearchAgent:
    """Plays a blueprint, and searches on the streets its settings name; heads up."""

    def __init__(
        self, blueprint: BlueprintAgent, settings: SearchSettings | None = None, name: str = ""
    ) -> None:
        self.blueprint = blueprint
        self.searcher = Searcher(settings)
        self.name = name or blueprint.name.replace("blueprint:", "search:", 1)
        self.counted = np.zeros(COUNTS, np.int64)  # of the last `act`
        self.last: SearchAnswer | None = None  # of the last `act`; None where nothing was searched
        self.fault = ""  # why the last `act` could not search where it should have

    @property
    def own_table(self) -> HoldemGame:
        """The table its blueprint was trained for."""
        return self.blueprint.own_table

    def prepare(self, game: HoldemGame) -> None:
        """Refuse a table that is not heads up.

        Stacks may be others than the blueprint's: its strategy before the flop is then followed by shares of
        the pot, and what is searched is the real game.
        """
        if game.num_players != 2:
            raise ConfigError(f"{self.name} plays heads up, not with {game.num_players} players")

    def act(self, observation: Observation) -> int:
        """Return what to do: the strategy of the hand held, by the random number of the decision.

        Where a search cannot be made (no memory, a state it does not know) the blueprint plays, and the
        decision counts as off the tree.
        """
        public = observation.public
        self.last, self.fault = None, ""
        if self.searcher.covers(public.state):
            try:
                self.last = self.answer(public)
                found = Strategy(*self.last.strategy)
                self.counted = np.eye(1, COUNTS, DECISIONS, dtype=np.int64)[0]
                return found.actions[pick(found.of_hand(observation.combo), observation.uniform())]
            except (OverbetError, MemoryError) as error:
                self.last, self.fault = None, str(error) or "there was not enough memory"
        action = self.blueprint.act(observation)
        self.counted = self.blueprint.counted.copy()
        self.counted[OFF_TREE] = max(int(self.counted[OFF_TREE]), int(bool(self.fault)))
        return action

    def strategy_for_all_hands(self, public: PublicState) -> Strategy:
        """Return how often every hand takes each action: the strategy that `act` plays."""
        if self.searcher.covers(public.state):
            with suppress(OverbetError, MemoryError):
                return Strategy(*self.answer(public).strategy)
        return self.blueprint.strategy_for_all_hands(public)

    def answer(self, public: PublicState) -> SearchAnswer:
        """Return what search says, with the subgame it solved."""

        def policy(state: HoldemState) -> HandShares:
            found = self.blueprint.strategy_for_all_hands(PublicState(state, public.seed, public.hand))
            return HandShares(found.actions, found.shares)

        return self.searcher.answer(public.state, policy, (public.seed, public.hand))
