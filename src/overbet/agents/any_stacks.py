"""An agent for tables that no blueprint was trained for: any stacks, two, three or six players.

At each decision the first of these that applies plays:

1. `trained`: a blueprint that was trained for this very table, in big blinds;
2. `push or fold`: exact push or fold, where the blinds are alone before the flop with at most `SHORT_BB`, or
   `PUSH_BB` where a heads-up blueprint is near;
3. `search`: where the agent was made of one who searches: it solves the real stacks after the flop;
4. `nearest depth`: the blueprint for as many players whose stacks are nearest (`blueprint.catalogue`), its
   bets followed by shares of the pot; heads up a much deeper one is shown the hand at its own stacks
   (`agents.deeper`);
5. `tag`: where that blueprint has nothing to say.

How often each played is counted in `sources`, and told in `report`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Literal, NamedTuple

import numpy as np

from overbet.agents.blueprint import fits_table, load_blueprint_agent
from overbet.agents.deeper import brought_back, deep_table, deeper, strategy_back
from overbet.agents.family import PUSH_BB, depth_bb, stacks_in_bb
from overbet.agents.protocol import (
    Agent,
    Observation,
    PublicState,
    StrategicAgent,
    Strategy,
    own_table,
    pick,
    prepare,
)
from overbet.agents.push_or_fold import push_decision, push_strategy
from overbet.agents.registry import name_of
from overbet.blueprint.catalogue import family_of, nearest, stack_distance
from overbet.errors import ConfigError
from overbet.games.holdem import HoldemGame
from overbet.games.holdem_state import HoldemState
from overbet.kernels.match.play import COUNTS, DECISIONS, OFF_TREE, UNTRAINED

Source = Literal["trained", "push or fold", "search", "nearest depth", "tag"]
SOURCES: tuple[Source, ...] = ("trained", "push or fold", "search", "nearest depth", "tag")
SHORT_BB = 12.0  # effective stack up to which the blinds alone play push or fold (docs/records.md)
NAME = "any-stacks"
_DEEPER = (
    1.5  # times the table's depth from which on a heads-up blueprint is shown the hand at its own stacks
)


class Seated(NamedTuple):
    """Who plays at a table, and as what. deep: the deeper table at which the hand is shown to it, if any."""

    agent: Agent
    source: Source
    deep: HoldemGame | None = None


class AnyStacksAgent:
    """Plays any stacks, two, three or six players. own: agents it is made of, before the shipped ones."""

    def __init__(self, own: Sequence[Agent] = (), name: str = NAME, short_bb: float = SHORT_BB) -> None:
        self.name, self.short_bb = name, short_bb
        self._paid = 1
        self._own = list(own)
        self._game: HoldemGame | None = None
        self._seated: Seated | None = None
        self.sources: Counter[Source] = Counter()
        self.source: Source = "nearest depth"  # of the last `act`
        self.counted = np.zeros(COUNTS, np.int64)  # of the last `act`

    def __repr__(self) -> str:
        return f"<agent {self.name}>"

    @property
    def report(self) -> str:
        """What played, in one line."""
        return f"{self.name}: {sources_line(self.sources)}" if self.sources else ""

    def play_for(self, prizes: Sequence[float]) -> None:
        """Play a tournament of these prizes, of first, second and third place, until told of others.

        With three players and stacks that are short, strategies trained for as many paid places play; what is
        left of a tournament when two are left is worth its chips to both.
        """
        paid = max(sum(prize > 0 for prize in prizes), 1)
        if paid != self._paid:
            self._paid, self._seated = paid, None

    def prepare(self, game: HoldemGame) -> None:
        """Refuse a table with a number of players that no blueprint is there for."""
        self.seated(game)

    def seated(self, game: HoldemGame) -> Seated:
        """Return who plays at a table where it is not push or fold."""
        if self._seated is None or self._game is not game:
            self._game, self._seated = game, self._find(game)
        return self._seated

    def fits(self, game: HoldemGame) -> bool:
        """Return whether a blueprint was trained for this very table."""
        return self.seated(game).source == "trained"

    def act(self, observation: Observation) -> int:
        """Return what to do, and count what decided it."""
        public = observation.public
        seated = self.seated(observation.state.game)
        found = self._pushes(public, seated)
        if found is not None:
            self.source = "push or fold"
            self.counted = np.eye(1, COUNTS, DECISIONS, dtype=np.int64)[0]
            action = found.actions[pick(found.of_hand(observation.combo), observation.uniform())]
        else:
            action = self._followed(observation, seated)
            self.counted = np.array(getattr(seated.agent, "counted", np.zeros(COUNTS, np.int64)))
            lost = self.counted[OFF_TREE] or self.counted[UNTRAINED]
            self.source = "tag" if lost else seated.source
        self.sources[self.source] += 1
        return action

    def strategy_for_all_hands(self, public: PublicState) -> Strategy:
        """Return how often every hand takes each action: the strategy that `act` plays."""
        seated = self.seated(public.state.game)
        found = self._pushes(public, seated)
        if found is not None:
            return found
        if not isinstance(seated.agent, StrategicAgent):
            raise ConfigError(f"{name_of(seated.agent)} cannot say how every hand is played")
        deep = self._deeper(public.state, seated)
        if deep is None:
            return seated.agent.strategy_for_all_hands(public)
        seen = seated.agent.strategy_for_all_hands(PublicState(deep, public.seed, public.hand))
        return strategy_back(public.state, seen)

    def _followed(self, observation: Observation, seated: Seated) -> int:
        """Return what a blueprint does, seen at its own stacks where it is heads up and deeper."""
        deep = self._deeper(observation.state, seated)
        if deep is None:
            return seated.agent.act(observation)
        return brought_back(
            observation.state, seated.agent.act(Observation(deep, observation.seed, observation.hand))
        )

    def _deeper(self, state: HoldemState, seated: Seated) -> HoldemState | None:
        return deeper(state, seated.deep) if seated.deep is not None else None

    def _pushes(self, public: PublicState, seated: Seated) -> Strategy | None:
        decision = push_decision(public.state) if seated.source != "trained" else None
        if decision is None or decision.stack_bb > self._most_pushed(public.state.game, seated):
            return None
        return push_strategy(public, decision)

    def _most_pushed(self, game: HoldemGame, seated: Seated) -> float:
        """Return up to which stack push or fold plays: less where a heads-up blueprint is near."""
        near = game.num_players == 2 and seated.source == "nearest depth" and seated.deep is None
        return min(self.short_bb, PUSH_BB) if near else self.short_bb

    def _find(self, game: HoldemGame) -> Seated:
        own = [agent for agent in self._own if _players(agent) == game.num_players]
        agent = min(own, key=lambda one: _distance(own_table(one), game)) if own else self._shipped(game)
        if hasattr(agent, "searcher"):
            made_for = own_table(agent)
            if made_for is not None and fits_table(made_for, game):
                return Seated(agent, "trained")
            return Seated(prepare(agent, game), "search")
        family = getattr(agent, "family", "")
        if family:
            agent = self._member(family, game)
        made_for = own_table(agent)
        if made_for is not None and fits_table(made_for, game):
            return Seated(agent, "trained")
        far = made_for is not None and depth_bb(made_for) > _DEEPER * depth_bb(game)
        if made_for is None or game.num_players > 2 or not far:
            return Seated(agent, "nearest depth")
        return Seated(agent, "nearest depth", deep_table(game, made_for))

    def _shipped(self, game: HoldemGame) -> Agent:
        family = family_of(game.num_players)
        if family is None:
            raise ConfigError(f"{self.name} has no blueprint for {game.num_players} players")
        return self._member(family, game)

    def _member(self, family: str, game: HoldemGame) -> Agent:
        return load_blueprint_agent(nearest(family, stacks_in_bb(game), self._paid).name)


def tournament_player(agent: Agent) -> Agent:
    """Return an agent for a whole tournament: itself where it plays at any table, else one made of it."""
    if own_table(agent) is None:
        return agent
    return AnyStacksAgent([agent], name_of(agent))


def sources_line(sources: Counter[Source]) -> str:
    """Return how often what played, in words."""
    count = sum(sources.values())
    words = {
        "trained": "by a strategy trained for the stacks",
        "push or fold": "by exact push or fold",
        "search": "by search",
        "nearest depth": "by a strategy of another depth",
        "tag": "by the rules of tag, where no strategy had an answer",
    }
    parts = [f"{sources[one] / count:.0%} {words[one]}" for one in SOURCES if sources[one]]
    return f"{count:,} decision{'' if count == 1 else 's'}: {', '.join(parts) or 'none'}"


def _players(agent: Agent) -> int:
    table = own_table(agent)
    return table.num_players if table is not None else 0


def _distance(made_for: HoldemGame | None, game: HoldemGame) -> float:
    return stack_distance(stacks_in_bb(made_for), stacks_in_bb(game)) if made_for is not None else 0.0
