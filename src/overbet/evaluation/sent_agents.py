"""Agents that travel to the nodes of a cluster.

Agents of the match loop are arrays and travel as they are. Any other is made again over there by the words
that named it (`search:heads-up`), from files at the same place; one that nobody named has to be something
that Python can pickle.
"""

from __future__ import annotations

import pickle
from collections.abc import Sequence

from overbet.agents.compiled import CompiledAgent
from overbet.agents.protocol import Agent, prepare
from overbet.agents.registry import make_agent, name_of
from overbet.errors import ConfigError
from overbet.games.holdem import HoldemGame

SentAgent = Agent | str


def sent(agents: Sequence[Agent], specs: Sequence[str] | None = None) -> tuple[SentAgent, ...]:
    """Return what stands for agents on the way. specs: the words that named them."""
    found: list[SentAgent] = []
    for place, agent in enumerate(agents):
        if isinstance(agent, CompiledAgent):
            found.append(agent)
        elif specs is not None:
            found.append(specs[place])
        else:
            try:
                pickle.dumps(agent)
            except (TypeError, ValueError, AttributeError, pickle.PicklingError) as error:
                raise ConfigError(
                    f"{name_of(agent)} cannot travel to other machines ({error}); play it without a cluster"
                ) from error
            found.append(agent)
    return tuple(found)


def received(travelled: Sequence[SentAgent], game: HoldemGame) -> list[Agent]:
    """Return the agents, ready for a table."""
    agents = [make_agent(one) if isinstance(one, str) else one for one in travelled]
    return [prepare(agent, game) for agent in agents]
