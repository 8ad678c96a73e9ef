"""The agents a page can choose: scripted ones, blueprints and search with them, those of other packages.

A choice is named by an id, never by a file: `tag`, `equity:0.6`, `blueprint:shipped-heads-up`,
`search:own-first`. `spec_of` makes of it what the command line would be given.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from overbet.agents.registry import make_agent, registered
from overbet.blueprint.catalogue import FAMILIES, SHIPPED
from overbet.errors import OverbetError
from overbet.interfaces.web.blueprint_library import BlueprintEntry, BlueprintLibrary
from overbet.interfaces.web.faults import Fault

_SCRIPTED = {
    "tag": "Tight and aggressive",
    "lag": "Loose and aggressive",
    "equity:0.6": "Plays by equity: bets with 60 % or more",
    "always-call": "Always calls",
    "always-raise": "Always raises",
    "always-fold": "Always folds",
    "random": "Random actions",
    "random-chips": "Random amounts",
}
_NUMBERED = re.compile(r"(equity|always-raise):[0-9.]{1,8}")


class AgentChoice(NamedTuple):
    """An agent to choose. players: of the tables it plays at, None for any; slow: it thinks for seconds."""

    id: str
    name: str
    players: int | None
    slow: bool


def choices(blueprints: BlueprintLibrary) -> list[AgentChoice]:
    """Return all agents there are, strategies first."""
    found, searching = [], []
    for entry in blueprints.all():
        of_a_family = entry.origin == "shipped" and entry.path.stem not in FAMILIES
        if entry.error is None and not of_a_family:  # the family's own name plays at any stacks
            name, players = str(entry.facts["name"]), int(entry.facts["players"])
            words = name if entry.origin == "shipped" else f"{entry.path.parent.name} (own run)"
            found.append(AgentChoice(f"blueprint:{entry.id}", f"Strategy {words}", players, False))
            if entry.facts["tables"] == "dense":  # what search needs
                searching.append(
                    AgentChoice(f"search:{entry.id}", f"Strategy {words}, searching", players, True)
                )
    scripted = [AgentChoice(id, words, None, False) for id, words in _SCRIPTED.items()]
    others = [AgentChoice(name, name, None, True) for name in sorted(registered())]
    return [*found, *scripted, *searching, *others]


def spec_of(id: str, blueprints: BlueprintLibrary, where: str) -> tuple[str, int | None]:
    """Return the spec of an agent and the players of its table; a fault at its field where there is none."""
    kind, colon, name = id.partition(":")
    if colon and kind in ("blueprint", "search"):
        try:
            entry = blueprints.get(name)
        except Fault as fault:
            raise Fault(422, "there is no such strategy; choose one of the list", where) from fault
        if entry.error is not None:
            raise Fault(422, entry.error, where)
        return f"{kind}:{_file_text(entry)}", int(entry.facts["players"])
    if id not in _SCRIPTED and id not in registered() and not _NUMBERED.fullmatch(id):
        raise Fault(422, "there is no such player; choose one of the list", where)
    try:
        make_agent(id)
    except OverbetError as error:
        raise Fault(422, str(error), where) from error
    return id, None


def _file_text(entry: BlueprintEntry) -> str:
    """Return a blueprint as the command line names it: a shipped name, or the folder of the run."""
    if entry.path.parent == SHIPPED:
        return entry.path.stem
    return str(entry.path.parent)
