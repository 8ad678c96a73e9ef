"""Targets for what other programs send: names of OpenSpiel's games, and calls of the MCP server's tools."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

from overbet.errors import OverbetError
from overbet.games.registry import make_game
from overbet.interfaces.mcp.limits import ToolLimits
from overbet.interfaces.mcp.server import study_server
from overbet.tree.flat import flatten
from tests.event_loops import run_apart
from tests.fuzz.grammar import mutated_text, odd_text, odd_value
from tests.fuzz.target import Target, WrongError, wrong_message
from tests.fuzz.targets_text import odd_range, odd_sizes

_GAMES = (
    "kuhn_poker",
    "kuhn_poker(players=3)",
    "liars_dice(dice_sides=2,numdice=1)",
    "goofspiel(num_cards=3,imp_info=True)",
    "tiny_hanabi",
    "matrix_rps",
)
_SMALL_TREE = 20_000  # histories
_TOOLS: dict[str, dict[str, Any]] = {
    "equity": {"hands": ["AhKh", "QsQd"], "board": "Td9d6h2c", "dead": "", "samples": 100},
    "ranges": {"text": "AA,KQs:0.5", "name": "", "board": "Ah7d2c"},
    "solve": {
        "board": "KsTh7s4d2c",
        "pot": 100,
        "stacks": 200,
        "oop": "AA,TT",
        "ip": "KQs,JJ",
        "bet": "75%",
        "raises": "a",
        "target": 5.0,
        "seconds": 0.1,
        "line": "r:0",
        "classes": True,
        "hands": "AA",
    },
    "show": {"solution": "s1", "line": "r:0:c", "player": "ip", "classes": True, "hands": "KQs"},
    "hands": {"do": "list", "filter": "pos=BTN", "hand": "1", "sort": "-date", "limit": 3},
    "save": {"solution": "s1", "file": "x.h5"},
    "none": {},
}


class OpenSpielNameTarget(Target):
    """What stands after `openspiel:`, made and flattened where it is small.

    Odd values of parameters go to games whose code looks at them: OpenSpiel's C++ is not ours.
    """

    name = "openspiel-names"

    def prepare(self, folder: Path) -> None:
        """Load what every input needs."""
        for text in _GAMES:
            flatten(make_game(f"openspiel:{text}"), _SMALL_TREE)

    def make(self, rng: random.Random) -> str:
        """Return a game's text, or what looks like one."""
        text = rng.choice(_GAMES)
        kind = rng.random()
        if kind < 0.3:
            return mutated_text(rng, text.partition("(")[0])
        if kind < 0.6:
            return (
                f"{text.partition('(')[0]}({rng.choice(('players', 'num_cards', 'x', ''))}={odd_text(rng)})"
            )
        if kind < 0.8:
            return odd_text(rng)
        return text + rng.choice(("", " ", ")", "(", "\n", "()", ",", "\0"))

    def run(self, given: str) -> None:
        """Make the game and lay it out."""
        flatten(make_game(f"openspiel:{given}"), _SMALL_TREE)


class McpToolTarget(Target):
    """Calls of tools: what the server answers is a result, or one line."""

    name = "mcp-tools"
    limit_s = 120.0

    def prepare(self, folder: Path) -> None:
        """Make a server on an empty folder and call what is good."""
        (folder / "solutions").mkdir(exist_ok=True)
        limits = ToolLimits(
            folder / "solutions", seconds=0.2, bytes=64 << 20, nodes=500, data=folder / "data"
        )
        self.server = study_server(limits)
        for name in ("equity", "ranges", "solve", "show"):
            self.run([name, _TOOLS[name]])

    def make(self, rng: random.Random) -> list[Any]:
        """Return a tool's name and arguments."""
        name = rng.choice(list(_TOOLS))
        given = dict(_TOOLS[name])
        for _ in range(rng.choice((1, 1, 2, 3))):
            key = rng.choice([*given, "extra", "bets"]) if given else "extra"
            given[key] = _odd(rng, str(given.get(key, "r:0:c:b75")))
        return [name if rng.random() < 0.95 else odd_text(rng), given]

    def run(self, given: list[Any]) -> None:
        """Call the tool as the protocol's handler does."""
        from mcp.server.mcpserver.exceptions import ToolError, UnexpectedToolError

        name, arguments = given
        if not isinstance(arguments, dict):
            return
        try:
            run_apart(lambda: self.server.call_tool(name, arguments))
        except UnexpectedToolError as error:
            cause = error.__cause__
            if not isinstance(cause, OverbetError):
                raise WrongError(f"{name} failed: {type(cause).__name__}: {cause}") from cause
        except ToolError as error:
            found = wrong_message(str(error))
            if found:
                raise WrongError(found) from error


def _odd(rng: random.Random, good: str) -> Any:
    kind = rng.randrange(6)
    if kind < 2:
        return mutated_text(rng, good)
    return (odd_text, odd_range, odd_sizes, odd_value)[kind - 2](rng)


def targets() -> list[Target]:
    """Return the targets of this module."""
    return [OpenSpielNameTarget(), McpToolTarget()]
