"""A blueprint of keyed tables as an agent: a game without a tree, asked in Python a decision at a time.

What is said in `overbet.agents.blueprint` holds here too, by the same mapper and the same random numbers:
bets it does not have are mapped, actions come back as legal ones, and where it cannot follow the hand or has
no row it plays `tag`; both are counted. The table in big blinds has to fit.
"""

from __future__ import annotations

import numpy as np

from overbet.agents.blueprint import check_table, nearest_words, same_blinds, seated_for
from overbet.agents.mapped_bets import MappedBets
from overbet.agents.protocol import Agent, Floats, Observation, PublicState, Strategy, pick
from overbet.agents.scripted import rules_agent
from overbet.betting.following import Followed, moves_of
from overbet.betting.mapping import fewer_folds
from overbet.blueprint.keyed_query import KeyedBlueprint
from overbet.blueprint.query import Blueprint
from overbet.cards.combos import COMBOS
from overbet.games.holdem import HoldemGame
from overbet.kernels.betting.mapping import real_action
from overbet.kernels.match.play import COUNTS, DECISIONS, MAPPED, OFF_TREE, UNTRAINED


class KeyedAgent:
    """Plays a blueprint by asking it, whatever its tables; the others' agents may be anybody."""

    def __init__(
        self, blueprint: Blueprint, name: str = "", family: str = "", near_bb: float | None = None
    ) -> None:
        """Take family: whose nearest member plays at other stacks; near_bb: the depth it stands in at."""
        if isinstance(blueprint, KeyedBlueprint):
            blueprint.keep_in_memory()
        self.blueprint, self.family, self.near_bb = blueprint, family, near_bb
        self.name = name or f"blueprint:{blueprint.config.name}"
        self.counted = np.zeros(COUNTS, np.int64)
        self._mapped = MappedBets()
        self._fallback = rules_agent("tag")

    @property
    def own_table(self) -> HoldemGame:
        """The table it was trained for."""
        return self.blueprint.game

    @property
    def report(self) -> str:
        """Which blueprint plays, where the table has other stacks."""
        return nearest_words(self.name, self.blueprint, self.near_bb)

    def at_table(self, game: HoldemGame) -> Agent:
        """Return who plays at a table: of a family the member with the nearest stacks."""
        return seated_for(self, game)

    def at_stacks(self, name: str, depth_bb: float) -> KeyedAgent:
        """Return the same blueprint, to play at other stacks than its own."""
        return KeyedAgent(self.blueprint, name, near_bb=depth_bb)

    def prepare(self, game: HoldemGame) -> None:
        """Refuse a table that the blueprint was not trained for, and say what would fit."""
        if self.near_bb is None or not same_blinds(self.blueprint.game, game):
            check_table(self.name, self.blueprint.game, game)

    def act(self, observation: Observation) -> int:
        """Return the action that the random number of the decision falls on."""
        public = observation.public
        place = self._followed(public)
        strategy, lost = self._strategy(public, place)
        combo = observation.combo
        self.counted[:] = 0
        self.counted[DECISIONS] = 1
        self.counted[MAPPED] = self._mapped.more(observation.seed, observation.hand, place.mapped)
        if lost is None:
            self.counted[OFF_TREE] = 1
        elif lost[combo]:
            self.counted[UNTRAINED] = 1
        return strategy.actions[pick(strategy.of_hand(combo), observation.uniform())]

    def strategy_for_all_hands(self, public: PublicState) -> Strategy:
        """Return how often every hand takes each action."""
        return self._strategy(public, self._followed(public))[0]

    def _followed(self, public: PublicState) -> Followed:
        """Return where the blueprint's own hand stands."""
        return self.blueprint.followed(public.state, public.seed, public.hand)

    def _strategy(
        self, public: PublicState, place: Followed
    ) -> tuple[Strategy, np.ndarray[tuple[int], np.dtype[np.bool_]] | None]:
        """Return the strategy and which hands are tag's, or None where all are."""
        if place.fault:
            return self._fallback.strategy_for_all_hands(public), None
        state, inner = public.state, place.state
        line = moves_of(inner)
        rows = self.blueprint.strategy_for_all_hands(line, state.board, allow_missing=True)
        rows = fewer_folds(rows, place.kept)
        table, own = state.vector, inner.vector
        legal = [int(real_action(table, own, action)) for action in self.blueprint.actions(line)]
        fallback = self._fallback.strategy_for_all_hands(public)
        live = ~np.isnan(fallback.shares[:, 0])
        lost = live & np.isnan(rows[:, 0])
        taken = {*legal, *fallback.actions} if lost.any() else set(legal)
        actions = tuple(sorted(taken))
        shares: Floats = np.zeros((COMBOS, len(actions)))
        for action, column in zip(legal, rows.T):
            shares[:, actions.index(action)] += np.where(lost, 0.0, column)
        for action, column in zip(fallback.actions, fallback.shares.T):
            if lost.any():
                shares[:, actions.index(action)] += np.where(lost, column, 0.0)
        shares[~live] = np.nan
        return Strategy(actions, shares), lost
