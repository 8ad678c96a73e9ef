"""A person as an agent: whoever owns the keyboard is asked, and everything else stays the same."""

from __future__ import annotations

from collections.abc import Callable

from overbet.agents.protocol import Observation


class HumanAgent:
    """Asks `ask(observation)` for every action; `overbet play` asks on the terminal."""

    def __init__(self, ask: Callable[[Observation], int], name: str = "you") -> None:
        self.ask, self.name = ask, name

    def act(self, observation: Observation) -> int:
        """Return what the person chose."""
        return self.ask(observation)
