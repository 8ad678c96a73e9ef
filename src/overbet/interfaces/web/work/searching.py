"""Search in the process that thinks for the page's tables: decisions, and subgames saved for Study.

The answers of the last hand of each table are kept, so that what is opened in Study is the very subgame that
was searched.
"""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import asdict
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from overbet.agents.blueprint import BlueprintAgent, load_blueprint_agent
from overbet.agents.protocol import Observation, PublicState
from overbet.agents.searcher import SearchAgent
from overbet.errors import ConfigError, OverbetError
from overbet.games.holdem import HoldemGame
from overbet.games.holdem_state import HoldemState
from overbet.search.compiling import compile_early
from overbet.search.searcher import SearchAnswer
from overbet.search.settings import SearchSettings
from overbet.solvers.vector.api import SolveFile
from overbet.solvers.vector.solver import Progress
from overbet.study.advice import state_at
from overbet.study.packing import plain
from overbet.study.subgames import subgame_line, subgame_solution
from overbet.study.thoughts import thought_of
from overbet.study.values import outcome

if TYPE_CHECKING:
    from overbet.interfaces.web.work.worker import JobWork

_TABLES = 4  # whose last hands are kept
# by players, lines to the river: one search of turn and river each loads all kernels
_PRACTICE = {
    2: ("r:0:b250:c:Td9d6h:c:c:2c:c:c:As",),
    3: ("r:0:c:c:c:Td9d6h:c:c:c:2c:c:c:c:As", "r:0:f:c:c:Td9d6h:c:c:2c:c:c:As"),
}


class _LastHand(NamedTuple):
    """The searches of a table's last hand, by the number of actions before the decision."""

    number: int
    answers: dict[int, SearchAnswer]


_hands: OrderedDict[str, _LastHand] = OrderedDict()


@lru_cache(4)
def _agent(blueprint: str, changed: int, settings: tuple[str, ...]) -> SearchAgent:
    chosen = SearchSettings.changed(settings, "search")
    found = load_blueprint_agent(blueprint)
    if not isinstance(found, BlueprintAgent):
        raise ConfigError("search needs a blueprint with dense tables; choose another opponent")
    compile_early(chosen.searched(found.own_table.num_players))
    return SearchAgent(found, chosen)


def agent_of(command: dict[str, Any]) -> SearchAgent:
    """Return who searches by a command: `blueprint` is a file, `settings` are overrides."""
    path = Path(command["blueprint"])
    try:
        changed = path.stat().st_mtime_ns
    except OSError:
        raise ConfigError("the file of its blueprint has gone") from None
    return _agent(str(path), changed, tuple(command["settings"]))


def get_ready(work: JobWork, command: dict[str, Any]) -> None:
    """Load what searching needs, so that the first decision does not wait for it."""
    walks = [f"table.{street}.iterations=8" for street in ("flop", "turn", "river")]
    hasty = ["cache=false", "turn.iterations=1", "river.iterations=1", "flop.iterations=1", *walks]
    agent = agent_of(command | {"settings": hasty})
    for line in _PRACTICE[agent.own_table.num_players]:
        agent.answer(PublicState.of(state_at(agent.own_table, line)))
    agent_of(command)
    work.say("end", status="done", result={})


def think(work: JobWork, command: dict[str, Any]) -> None:
    """Decide: every look is said on the way, the action and the thought at the end."""
    agent, state = agent_of(command), _state(command)
    number = int(command["number"])
    seed, hand = (int(given) for given in command["dice"])
    seen = Observation.of(state, seed, hand)

    def watch(look: Progress) -> None:
        work.say("look", look=plain(look._asdict()))

    agent.searcher.watch = watch
    try:
        action = agent.act(seen)
    finally:
        agent.searcher.watch = None
    thought = thought_of(agent, state)
    if agent.last is not None:
        _keep(str(command["table"]), number, len(state.history), agent.last)
    result = {"action": action, "thought": plain(asdict(thought)) if thought else None}
    work.say("end", status="done", result=result)


def save_subgame(work: JobWork, command: dict[str, Any]) -> None:
    """Save the subgame of a decision of a table's last hand as a solution."""
    kept = _hands.get(str(command["table"]))
    answer = kept.answers.get(int(command["place"])) if kept and kept.number == command["number"] else None
    if answer is None:
        raise OverbetError(
            "this search is not kept any more: only those of the last hand are; play another hand"
        )
    solution = subgame_solution(answer)
    solution.save(command["file"], resumable=False)
    file = SolveFile.model_validate({**solution.spot.model_dump(by_alias=True), "solve": solution.settings})
    result = {
        "line": subgame_line(answer),
        "spot": file.model_dump(mode="json", by_alias=True, exclude_none=True),
        "outcome": outcome(solution, resumable=False, note="the subgame of a search at the table"),
    }
    work.say("end", status="done", result=result)


def _state(command: dict[str, Any]) -> HoldemState:
    hole = [None if cards is None else tuple(cards) for cards in command["hole"]]
    state = HoldemGame(**command["rules"]).initial_state().with_cards(hole, tuple(command["board"]))
    for action in command["actions"]:
        state = state.apply(int(action))
    return state


def _keep(table: str, number: int, place: int, answer: SearchAnswer) -> None:
    kept = _hands.pop(table, None)
    if kept is None or kept.number != number:
        kept = _LastHand(number, {})
    kept.answers[place] = answer
    _hands[table] = kept
    while len(_hands) > _TABLES:
        _hands.popitem(last=False)
