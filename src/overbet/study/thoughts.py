"""What an opponent who searches thought at its decisions, and who thinks at a table of the page."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple, Protocol, runtime_checkable

from overbet.agents.compiled import CompiledAgent
from overbet.agents.protocol import Agent, Observation, prepare
from overbet.agents.searcher import SearchAgent
from overbet.errors import OverbetError
from overbet.games.holdem import HoldemGame
from overbet.games.holdem_state import HoldemState
from overbet.solvers.vector.solver import Progress
from overbet.study.subgames import subgame_line

if TYPE_CHECKING:
    from overbet.study.tables import StudyTable


@dataclass(frozen=True)
class Thought:
    """What search thought at one decision of a hand.

    place: how many actions were taken before it. exploitability: of the search's answer, in % of the pot at
    the beginning of the street; None where it was not judged. line: the decision in the subgame that was
    solved; empty where the subgame cannot be opened. new: whether it was solved for this decision, or known
    already. fault: why nothing was searched and the blueprint played; the numbers are 0 then.
    """

    place: int
    street: str
    iterations: int = 0
    seconds: float = 0.0
    exploitability: float | None = 0.0
    line: str = ""
    new: bool = True
    fault: str = ""

    def words(self) -> str:
        """Return the thought in a few words."""
        if self.fault:
            return f"not searched, the blueprint played: {self.fault}"
        judged = "the answer was not judged"
        if self.exploitability is not None:
            judged = f"the answer can be exploited by {self.exploitability:.2f}% of the pot"
        found = f"{self.iterations} iterations, {self.seconds:.2f} s, {judged}"
        return found if self.new else f"known already ({found})"


def thought_of(agent: Agent, state: HoldemState) -> Thought | None:
    """Return what an agent thought when it acted in a state just now, None where nothing was searched."""
    if not isinstance(agent, SearchAgent):
        return None
    place = len(state.history)
    if agent.fault:
        return Thought(place, state.street, fault=agent.fault)
    if agent.last is None:
        return None
    cost = agent.last.search.cost
    line = subgame_line(agent.last) if agent.last.search.opens else ""
    return Thought(place, state.street, *cost, line, agent.last.new)


class ThinkingLook(NamedTuple):
    """A look at a search under way; exploitability: in % of the pot at the beginning of the street.

    All are None before the first look.
    """

    street: str | None
    iteration: int | None
    exploitability: float | None
    seconds: float | None


@dataclass
class Thinking:
    """What goes on in an opponent's mind at a table.

    busy: whether a decision is being searched; decision: how many were begun. looks: of the latest one, a new
    list for each; actions: those before it. hand, thoughts: the latest hand in which something was searched.
    opened: the solves that thoughts of it were opened as, by place.
    """

    busy: bool = False
    decision: int = 0
    looks: list[ThinkingLook] = field(default_factory=list)
    actions: tuple[int, ...] = ()
    hand: int = -1
    thoughts: list[Thought] = field(default_factory=list)
    opened: dict[int, str] = field(default_factory=dict)

    def begin(self, hand: int, actions: Sequence[int]) -> None:
        """Begin with the decision after some actions of a hand; thoughts of an earlier hand are forgotten."""
        if hand != self.hand:
            self.hand, self.thoughts, self.opened = hand, [], {}
        self.looks, self.actions, self.busy = [], tuple(actions), True
        self.decision += 1

    def end(self, thought: Thought | None) -> None:
        """End a decision."""
        self.busy = False
        if thought is not None:
            self.thoughts.append(thought)

    def of_hand(self, hand: int) -> list[Thought]:
        """Return the thoughts of a hand, nothing where they have been forgotten."""
        return list(self.thoughts) if hand == self.hand else []


Watch = Callable[[Progress], None]


@runtime_checkable
class ThinkingAgent(Agent, Protocol):
    """An opponent whose thoughts can be watched. blueprint: plays where nothing is searched."""

    @property
    def blueprint(self) -> CompiledAgent:
        """Who plays where nothing is searched, and stands in for it where hands are played on many times."""

    def searches(self, state: HoldemState) -> bool:
        """Return whether a decision is one that is searched."""

    def think(self, table: StudyTable, observation: Observation, watch: Watch) -> tuple[int, Thought | None]:
        """Return what to do at a table, and the thought; `watch` is told of every look."""


def stand_in(agent: Agent, game: HoldemGame) -> Agent:
    """Return who plays an agent's hands on where that is done many times.

    For search that is its blueprint, where it was made for the table: a search for every decision of
    thousands of run-outs would take hours.
    """
    if not isinstance(agent, SearchAgent | ThinkingAgent):
        return agent
    try:
        prepare(agent.blueprint, game)
    except OverbetError:
        return agent
    near = getattr(agent.blueprint, "near_bb", None) is not None  # made for other stacks
    return agent if near else agent.blueprint
