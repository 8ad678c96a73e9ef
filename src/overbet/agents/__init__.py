"""Agents: whatever can act at a table. `make_agent("tag")` makes one by its name."""

from __future__ import annotations

from typing import TYPE_CHECKING

from overbet.lazy import lazy

if TYPE_CHECKING:
    from overbet.agents.any_stacks import AnyStacksAgent as AnyStacksAgent
    from overbet.agents.blueprint import BlueprintAgent as BlueprintAgent
    from overbet.agents.deep import DeepAgent as DeepAgent
    from overbet.agents.human import HumanAgent as HumanAgent
    from overbet.agents.protocol import Agent as Agent
    from overbet.agents.protocol import Observation as Observation
    from overbet.agents.protocol import PublicState as PublicState
    from overbet.agents.protocol import StrategicAgent as StrategicAgent
    from overbet.agents.protocol import Strategy as Strategy
    from overbet.agents.protocol import prepare as prepare
    from overbet.agents.registry import agent_names as agent_names
    from overbet.agents.registry import make_agent as make_agent
else:
    _TABLE = {
        "overbet.agents.any_stacks": ("AnyStacksAgent",),
        "overbet.agents.blueprint": ("BlueprintAgent",),
        "overbet.agents.deep": ("DeepAgent",),
        "overbet.agents.human": ("HumanAgent",),
        "overbet.agents.protocol": (
            "Agent",
            "Observation",
            "PublicState",
            "StrategicAgent",
            "Strategy",
            "prepare",
        ),
        "overbet.agents.registry": (
            "agent_names",
            "make_agent",
        ),
    }
    __getattr__, __dir__, __all__ = lazy(__name__, _TABLE)
