"""An agent for tables that no blueprint was trained for: any stacks, two or three players.

At each decision the first of these that applies plays:

1. `trained`: a blueprint that was trained for this very table, in big blinds;
2. `push or fold`: exact push or fold, where the blinds are alone before the flop with at most `SHORT_BB`;
3. `search`: where the agent was made of one who searches: it solves the real stacks after the flop;
4. `nearest depth`: the blueprint for as many players whose stacks are nearest by ratio, its bets followed by
   shares of the pot; heads up a deeper one is shown the hand at its own stacks (`agents.deeper`);
5. `tag`: where that blueprint has nothing to say.

How often each played is counted in `sources`, and told in `report`.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Literal, NamedTuple

import numpy as np

from overbet.agents.blueprint import check_table, load_blueprint_agent
from overbet.agents.deeper import brought_back, deep_table, deeper, strategy_back
from overbet.agents.protocol import Agent, Observation, PublicState, StrategicAgent, Strategy, own_table, pick
from overbet.agents.push_or_fold import push_decision, push_strategy
from overbet.agents.registry import name_of
from overbet.blueprint.catalogue import find_blueprint, shipped_names
from overbet.blueprint.config import BlueprintConfig
from overbet.blueprint.store import open_blueprint
from overbet.errors import ConfigError
from overbet.games.holdem import HoldemGame
from overbet.games.holdem_state import HoldemState
from overbet.kernels.match.play import COUNTS, DECISIONS, OFF_TREE, UNTRAINED

Source = Literal["trained", "push or fold", "search", "nearest depth", "tag"]
SOURCES: tuple[Source, ...] = ("trained", "push or fold", "search", "nearest depth", "tag")
SHORT_BB = 12.0  # effective stack up to which the blinds alone play push or fold (docs/records.md)
NAME = "any-stacks"


class Seated(NamedTuple):
    """Who plays at a table, and as what. deep: the deeper table at which the hand is shown to it, if any."""

    agent: Agent
    source: Source
    deep: HoldemGame | None = None


class AnyStacksAgent:
    """Plays any stacks, two or three players. own: agents it is made of, before the shipped blueprints."""

    def __init__(self, own: Sequence[Agent] = (), name: str = NAME, short_bb: float = SHORT_BB) -> None:
        self.name, self.short_bb = name, short_bb
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
        if decision is None or decision.stack_bb > self.short_bb:
            return None
        return push_strategy(public, decision)

    def _find(self, game: HoldemGame) -> Seated:
        players = game.num_players
        own = [agent for agent in self._own if _players(agent) == players]
        if own:
            choices = [_Choice(own_table(agent), lambda agent=agent: agent) for agent in own]  # type: ignore[misc]
        else:
            choices = [
                _Choice(made, lambda name=name: load_blueprint_agent(name))  # type: ignore[misc]
                for name, made in _shipped()
                if made.num_players == players
            ]
        if not choices:
            raise ConfigError(f"{self.name} has no blueprint for {players} players")
        nearest = min(choices, key=lambda choice: _distance(choice.made_for, game))
        agent = nearest.load()
        if nearest.made_for is not None and _same_table(nearest.made_for, game):
            return Seated(agent, "trained")
        if hasattr(agent, "searcher"):
            return Seated(agent, "search")
        made_for = nearest.made_for
        if made_for is None or players > 2 or depth_bb(made_for) <= depth_bb(game):
            return Seated(agent, "nearest depth")
        return Seated(agent, "nearest depth", deep_table(game, made_for))


class _Choice(NamedTuple):
    made_for: HoldemGame | None
    load: Callable[[], Agent]


def tournament_player(agent: Agent) -> Agent:
    """Return an agent for a whole tournament: itself where it plays at any table, else one made of it."""
    if own_table(agent) is None:
        return agent
    return AnyStacksAgent([agent], name_of(agent))


def sources_line(sources: Counter[Source]) -> str:
    """Return how often what played, in words."""
    total = max(sum(sources.values()), 1)
    words = {
        "trained": "by a strategy trained for the stacks",
        "push or fold": "by exact push or fold",
        "search": "by search",
        "nearest depth": "by a strategy of another depth",
        "tag": "by the rules of tag, where no strategy had an answer",
    }
    parts = [f"{sources[one] / total:.0%} {words[one]}" for one in SOURCES if sources[one]]
    return f"{sum(sources.values()):,} decisions: {', '.join(parts)}"


@lru_cache(maxsize=1)
def _shipped() -> tuple[tuple[str, HoldemGame], ...]:
    """Return the shipped blueprints and the tables they were trained for."""
    found = []
    for name in shipped_names():
        with open_blueprint(find_blueprint(name)) as file:
            found.append((name, BlueprintConfig.parse(file.head["config"], name).game.game()))
    return tuple(found)


def _players(agent: Agent) -> int:
    table = own_table(agent)
    return table.num_players if table is not None else 0


def depth_bb(game: HoldemGame) -> float:
    """Return how deep a table is: the most that anybody can lose to another, in big blinds."""
    return sorted(game.start)[-2] / game.big_blind


def _distance(made_for: HoldemGame | None, game: HoldemGame) -> float:
    return abs(math.log(depth_bb(made_for) / depth_bb(game))) if made_for is not None else 0.0


def _same_table(made_for: HoldemGame, game: HoldemGame) -> bool:
    try:
        check_table(NAME, made_for, game)
    except ConfigError:
        return False
    return True
