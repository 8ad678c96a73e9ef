"""Search as an agent: a blueprint before the flop and for beliefs, subgames solved at the table after it."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from functools import cached_property, lru_cache
from typing import Any

import numpy as np

from overbet.agents.blueprint import BlueprintAgent
from overbet.agents.protocol import Observation, PublicState, Strategy, pick
from overbet.blueprint.class_values import ClassValues
from overbet.blueprint.dense_query import DenseBlueprint
from overbet.blueprint.hand_values import BlueprintValues
from overbet.blueprint.pair_values import PairValues
from overbet.errors import ConfigError, IllegalActionError, OverbetError
from overbet.games.holdem import HoldemGame
from overbet.games.holdem_state import HoldemState
from overbet.kernels.match.play import COUNTS, DECISIONS, OFF_TREE
from overbet.search.beliefs import Baseline, Floats, HandShares
from overbet.search.cache.search_cache import SearchCache
from overbet.search.compiling import compile_early
from overbet.search.glance import glance
from overbet.search.searcher import SearchAnswer, Searcher
from overbet.search.settings import SearchSettings
from overbet.search.table.followed import FollowedBlueprint
from overbet.search.table.searcher import TableSearcher
from overbet.solvers.vector.sampling import BoardBuckets


class SearchAgent:
    """Plays a blueprint, and searches on the streets its settings name."""

    def __init__(
        self, blueprint: BlueprintAgent, settings: SearchSettings | None = None, name: str = ""
    ) -> None:
        self.blueprint = blueprint
        self._settings, self._members = settings, dict[str, SearchAgent]()
        cache = SearchCache() if settings is None or settings.cache else None
        self.searcher = self._searcher(settings, cache)
        self.name = name or blueprint.name.replace("blueprint:", "search:", 1)
        self.counted = np.zeros(COUNTS, np.int64)  # of the last `act`
        self.failed = 0  # searches that could not be made
        self.last: SearchAnswer | None = None  # of the last `act`; None where nothing was searched
        self.fault = ""  # why the last `act` could not search where it should have

    @property
    def own_table(self) -> HoldemGame:
        """The table its blueprint was trained for."""
        return self.blueprint.own_table

    @property
    def report(self) -> str:
        """How many searches were made, what they took, and how often the cache had the answer."""
        made, recalled = self.searcher.made, self.searcher.recalled
        asked = made + recalled
        if not asked:
            return ""
        each = self.searcher.seconds / made if made else 0.0
        moved = f"; {self.searcher.moved:,} of them: {self.searcher.note}" if self.searcher.moved else ""
        return (
            f"{self.name}: {made:,} searches, {each:.2f} s each; {recalled:,} of {asked:,} answers "
            f"({recalled / asked:.0%}) came from the cache; {self.failed:,} decisions left to the "
            f"blueprint{moved}"
        )

    def at_table(self, game: HoldemGame) -> SearchAgent:
        """Return who searches at a table: of a family of blueprints, with the one that is nearest."""
        seated = self.blueprint.at_table(game)
        if seated is self.blueprint or not isinstance(seated, BlueprintAgent):
            return self
        member = seated.blueprint.config.name
        if member not in self._members:
            self._members[member] = SearchAgent(seated, self._settings, self.name)
        return self._members[member]

    def prepare(self, game: HoldemGame) -> None:
        """Refuse a table with more or fewer players than the blueprint's.

        Stacks may be others than the blueprint's: its strategy before the flop is then followed by shares of
        the pot, and what is searched is the real game.
        """
        seats = self.own_table.num_players
        if game.num_players != seats:
            plays = "heads up" if seats == 2 else f"with {seats} players"
            raise ConfigError(f"{self.name} plays {plays}, not with {game.num_players} players")

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
                self.failed += 1
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

    def answers_to_bets(self, public: PublicState, amounts: Sequence[int]) -> list[Strategy]:
        """Return about how every hand would answer each of several bets of the player to act, at a glance.

        What is not searched is the blueprint's, as it is; bets before the flop always are.
        """
        after = [PublicState.of(public.state.apply(amount), public.seed, public.hand) for amount in amounts]
        if isinstance(self.searcher, TableSearcher):
            return [self.strategy_for_all_hands(one) for one in after]
        if public.state.street == "preflop" or not all(self.searcher.covers(one.state) for one in after):
            return [self.blueprint.strategy_for_all_hands(one) for one in after]
        baseline = self.baseline(public.seed, public.hand)
        return [Strategy(*one) for one in glance(self.searcher, public.state, amounts, baseline)]

    def answer(self, public: PublicState) -> SearchAnswer:
        """Return what search says, with the subgame it solved."""
        return self.searcher.answer(public.state, self.baseline(public.seed, public.hand))

    def baseline(self, seed: int = 0, hand: int = 0) -> Baseline:
        """Return the blueprint as it is followed in hand number `hand` of a match of that seed."""

        def shares(state: HoldemState) -> HandShares:
            found = self.blueprint.strategy_for_all_hands(PublicState(state, seed, hand))
            return HandShares(found.actions, found.shares)

        def values(state: HoldemState, ranges: Floats) -> Floats | None:
            followed = self.blueprint.blueprint.followed(state, seed, hand)
            if followed.fault:
                return None
            found = self._values.at(followed.state, state.board, ranges).of_hands()
            put = np.array(followed.state.put_in, np.float64)[:, None]
            worth: Floats = (found + put) * (state.pot / followed.state.pot)
            return worth

        two = self.own_table.num_players == 2
        if not two:
            return Baseline(shares, (seed, hand), None, self._buckets)
        return Baseline(
            shares, (seed, hand), values, self._buckets, lambda: self._pairs, lambda: self._classes
        )

    def _searcher(self, settings: SearchSettings | None, cache: SearchCache | None) -> Searcher:
        """Return who searches: for two players, or for a table of more."""
        blueprint, arrays = self.blueprint.blueprint, self.blueprint.arrays
        digest = blueprint.cards.digest
        settings = (settings or SearchSettings()).with_blueprint(blueprint.game.num_players)
        if blueprint.game.num_players == 2:
            return Searcher(settings, cache, digest, self._off_tree)
        if settings.gadget != "unsafe":
            raise ConfigError(f"gadget={settings.gadget}: gadgets are for two players; leave it out")
        assert arrays is not None
        of_board = lru_cache(4096)(blueprint.cards.of_board)
        return TableSearcher(FollowedBlueprint(blueprint, arrays, of_board), settings, cache, digest)

    @cached_property
    def _buckets(self) -> BoardBuckets:
        """The blueprint's buckets of turn and river boards, kept for boards that come again."""
        cards = self.blueprint.blueprint.cards
        counts = {street - 1: cards.counts[street] for street in (2, 3) if cards.counts[street]}
        return BoardBuckets(lru_cache(4096)(cards.of_board), counts)

    def _off_tree(self, state: HoldemState) -> bool:
        """Return whether a bet of a hand is not the blueprint's, and is to be searched before the flop."""
        if not self.blueprint.blueprint.followed(state).mapped > 0:
            return False
        asked = self._settings is not None and self._settings.preflop.search
        return asked or self._classes.are_known(self.searcher.settings.preflop.boards)

    @cached_property
    def _classes(self) -> ClassValues:
        """What classes of hands are worth by the blueprint when the flop is dealt."""
        return ClassValues(self._dense)

    @cached_property
    def _pairs(self) -> PairValues:
        """What pairs of hands are worth by the blueprint after the flop."""
        return PairValues(self._dense)

    @property
    def _dense(self) -> DenseBlueprint:
        blueprint = self.blueprint.blueprint
        if not isinstance(blueprint, DenseBlueprint):
            raise ConfigError("values of hands need a blueprint with dense tables")
        return blueprint

    @cached_property
    def _values(self) -> BlueprintValues:
        """What hands are worth by the blueprint."""
        return BlueprintValues(self._dense)


def search(state: HoldemState, blueprint: str = "heads-up", **settings: Any) -> SearchAnswer:
    """Search the decision at a public state of a hand with as many players as the blueprint's.

    state: whatever it shows of hole cards is not looked at. blueprint: whose strategy the beliefs of streets
    that are not searched follow; a name, a file or a run's folder. settings: fields of `SearchSettings`; of a
    street those that change, `turn={"target": 1}`.

        state = overbet.HoldemGame().initial_state().with_cards([None, None]).follow("b250:c:Td9d6h:c:c:2c")
        answer = overbet.search(state, seconds=1)
        answer.strategy.actions, answer.strategy.shares      # every hand, [1326, action]
        answer.search.solution.node("r:0:c")                 # the subgame, to walk and to save
    """
    from overbet.agents.blueprint import load_blueprint_agent

    chosen = SearchSettings.of(settings)
    compile_early(chosen.searched(state.num_players))
    agent = load_blueprint_agent(blueprint)
    if not isinstance(agent, BlueprintAgent):
        raise ConfigError(f"blueprint={blueprint}: search needs a blueprint with dense tables")
    found = SearchAgent(agent, chosen).at_table(state.game)
    found.prepare(state.game)
    if state.current_player() < 0:
        raise IllegalActionError(f"nobody has to act after {state.line}")
    return found.answer(PublicState.of(state))
