"""Agents by name: `tag`, `equity:0.6`, `blueprint:heads-up`, `blueprint:runs/x/blueprint.h5`,
`search:heads-up,seconds=1`, `deep:network.h5`, and anybody's own.

A spec is a name, and after a colon what the agent is made from. A package registers an agent under the entry
point group `overbet.agents`; the object it names is called with the text after the colon, or with nothing.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from contextlib import suppress
from importlib.metadata import EntryPoint, entry_points
from typing import Any

from overbet.agents.protocol import Agent
from overbet.errors import ConfigError, unknown

GROUP = "overbet.agents"


def _number(name: str, text: str, standard: float) -> float:
    try:
        return float(text) if text else standard
    except ValueError:
        raise ConfigError(f"{name}:{text}: {text!r} is not a number") from None


def _plain(name: str, make: Callable[[], Agent]) -> Callable[[str], Agent]:
    def made(text: str) -> Agent:
        if text:
            raise ConfigError(f"{name} takes nothing after a colon, and {text!r} is given")
        return make()

    return made


def _scripted() -> dict[str, Callable[[str], Agent]]:
    from overbet.agents import scripted

    return {
        "random": _plain("random", scripted.random_agent),
        "random-chips": _plain("random-chips", scripted.RandomChips),
        "always-fold": _plain("always-fold", scripted.always_fold),
        "always-call": _plain("always-call", scripted.always_call),
        "always-raise": lambda text: scripted.always_raise(_number("always-raise", text, 1.0)),
        "tag": _plain("tag", lambda: scripted.rules_agent("tag")),
        "lag": _plain("lag", lambda: scripted.rules_agent("lag")),
        "equity": lambda text: scripted.equity_agent(_number("equity", text, 0.6)),
    }


def _blueprint(text: str) -> Agent:
    from overbet.agents.blueprint import load_blueprint_agent, shipped_names

    if not text:
        names = ", ".join(f"blueprint:{name}" for name in shipped_names())
        raise ConfigError(f"say which blueprint: {names or 'such as blueprint:runs/x/blueprint.h5'}")
    return load_blueprint_agent(text)


def _search(text: str) -> Agent:
    from overbet.agents.blueprint import BlueprintAgent, load_blueprint_agent
    from overbet.agents.searcher import SearchAgent
    from overbet.search.compiling import compile_early
    from overbet.search.settings import SearchSettings

    which, *changes = re.split(r",(?![^\[{]*[\]}])", text)  # commas within brackets belong to a value
    settings = SearchSettings.changed(changes, f"search:{text}")
    blueprint = load_blueprint_agent(which or "heads-up")
    if not isinstance(blueprint, BlueprintAgent):
        raise ConfigError(
            f"search:{which}: search needs a blueprint with dense tables, such as search:heads-up for two "
            "players, search:expresso for three, or one of your own"
        )
    compile_early(settings.searched(blueprint.own_table.num_players))
    return SearchAgent(blueprint, settings, f"search:{text}")


def _deep(text: str) -> Agent:
    from overbet.agents.deep import load_deep_agent

    return load_deep_agent(text)


def _any_stacks() -> Agent:
    from overbet.agents.any_stacks import AnyStacksAgent

    return AnyStacksAgent()


def registered() -> dict[str, EntryPoint]:
    """Return the agents of other packages by name."""
    return {point.name: point for point in entry_points(group=GROUP)}


def agent_names() -> list[str]:
    """Return every name a spec can begin with, but `human`, who needs a terminal."""
    return [
        *_scripted(),
        "blueprint",
        "search",
        "deep",
        "any-stacks",
        *sorted(set(registered()) - set(_scripted())),
    ]


def make_agent(spec: str) -> Agent:
    """Return the agent of a spec such as `tag`, `equity:0.6` or `blueprint:heads-up`."""
    name, _, text = spec.partition(":")
    makers = _scripted()
    if name in makers:
        return makers[name](text)
    if name == "blueprint":
        return _blueprint(text)
    if name == "search":
        return _search(text)
    if name == "deep":
        return _deep(text)
    if name == "any-stacks":
        return _plain(name, _any_stacks)(text)
    others = registered()
    if name in others:
        return _foreign(name, others[name], text)
    if name == "human":
        raise ConfigError("a person plays with: overbet play OPPONENT")
    raise ConfigError(unknown("agent", name, agent_names()))


def name_of(agent: Agent) -> str:
    """Return the name an agent gives itself, or its class's."""
    return str(getattr(agent, "name", "") or type(agent).__name__)


def _foreign(name: str, point: EntryPoint, text: str) -> Agent:
    try:
        made: Any = point.load()
        agent = made(text) if text else made()
    except Exception as error:
        raise ConfigError(
            f"agent {name} ({point.value}) cannot be made: {type(error).__name__}: {error}"
        ) from error
    if not isinstance(agent, Agent):
        raise ConfigError(f"agent {name} ({point.value}) has no act(observation): it is not an agent")
    if not getattr(agent, "name", ""):
        with suppress(AttributeError):
            agent.name = name  # type: ignore[attr-defined]  # a name is welcome, not asked for
    return agent
