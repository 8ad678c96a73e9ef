"""An opponent who searches in an Expresso: stacks change from hand to hand, and a player may be out.

With three players the one who thinks is the one chosen; when two are left it is search with a heads-up
blueprint, where there is one. What is not searched is played as by any agent for all stacks.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from overbet.agents.any_stacks import AnyStacksAgent, Source
from overbet.agents.compiled import CompiledAgent
from overbet.agents.protocol import Observation
from overbet.agents.registry import name_of
from overbet.games.holdem_state import HoldemState
from overbet.study.thoughts import ThinkingAgent, Thought, Watch

if TYPE_CHECKING:
    from overbet.study.tables import StudyTable


class TournamentThinker:
    """Searches at every table of an Expresso. three, two: who think with so many players at the table."""

    def __init__(self, three: ThinkingAgent, two: ThinkingAgent | None = None) -> None:
        self.name, self._three = name_of(three), three
        self._thinkers = {3: three} if two is None else {3: three, 2: two}
        self._stacks = AnyStacksAgent(list(self._thinkers.values()), self.name)
        self.source: Source = "nearest depth"  # of the last decision

    @property
    def blueprint(self) -> CompiledAgent:
        """Who plays with three players where nothing is searched."""
        return self._three.blueprint

    def searches(self, state: HoldemState) -> bool:
        """Return whether a decision is one that is searched."""
        thinker = self._thinkers.get(state.num_players)
        return thinker is not None and thinker.searches(state)

    def play_for(self, prizes: Sequence[float]) -> None:
        """Play what is not searched for these prizes, of first, second and third place."""
        self._stacks.play_for(prizes)

    def act(self, observation: Observation) -> int:
        """Return what is done without searching."""
        action = self._stacks.act(observation)
        self.source = self._stacks.source
        return action

    def think(self, table: StudyTable, observation: Observation, watch: Watch) -> tuple[int, Thought | None]:
        """Return what search does and thought; where it fails a blueprint plays, and it says why."""
        action, thought = self._thinkers[observation.state.num_players].think(table, observation, watch)
        self.source = "search" if thought is not None and not thought.fault else "nearest depth"
        return action, thought
