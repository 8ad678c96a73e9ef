"""Browsing charts: a walk down a blueprint or a saved solution, a chart at every stop."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from overbet.errors import ConfigError, OverbetError
from overbet.interfaces.cli.menu.asking import choose, write
from overbet.interfaces.cli.menu.checks import known_file, number_between

if TYPE_CHECKING:
    from overbet.blueprint.query import Blueprint

Run = Callable[[list[str]], None]
_HERE, _START, _OWN = "here", "start", "own"


def browse(run: Run) -> None:
    """Show charts until the person goes back."""
    from overbet.blueprint.catalogue import family_names

    shipped = [(f"The {name} blueprint", f"shipped {name}") for name in family_names()]
    kind = choose(
        "Which charts?",
        [
            *shipped,
            ("A blueprint of mine", "blueprint"),
            ("A saved solution", "solution"),
            ("Push or fold, exact", "pushfold"),
        ],
    )
    if kind == "pushfold":
        stack = write("Stack in big blinds", number_between(1.01, 1000, "the stack"), "10")
        run(["pushfold", "--stack", stack])
    elif kind == "solution":
        _browse_solution(run, write("Path of the solution (.h5)", known_file))
    elif kind == "blueprint":
        _browse_blueprint(run, write("Path of the blueprint or of its run", _known_blueprint))
    else:
        _browse_blueprint(run, _stacks_of(kind.removeprefix("shipped ")))


def _stacks_of(family: str) -> str:
    """Ask which blueprint of a family, by its stacks, and return its name."""
    from overbet.blueprint.catalogue import shipped_blueprints

    members = shipped_blueprints(family)
    if len(members) == 1:
        return members[0].name
    words = ["/".join(f"{stack:g}" for stack in dict.fromkeys(one.stacks_bb)) for one in members]
    return choose("Stacks in big blinds", [(f"{word} bb", one.name) for word, one in zip(words, members)])


def _browse_solution(run: Run, file: str) -> None:
    """Show nodes of a solution, a line at a time."""
    line = "r:0"
    while True:
        line = write("Line, such as r:0:c:b75", _check_line, line)
        run(["show", file, "--node", line])


def _browse_blueprint(run: Run, name: str) -> None:
    """Walk down a blueprint: action by action, or to a line that is typed."""
    from overbet.blueprint.catalogue import find_blueprint
    from overbet.blueprint.query import Blueprint

    blueprint = Blueprint.load(find_blueprint(name))
    line = "r:0"
    while True:
        position = blueprint.game.position(blueprint.player(line))
        choices = [(f"Show the chart of {position}", _HERE)]
        choices += [(f"{position}: {action}, and on", longer) for action, longer in onward(blueprint, line)]
        if line != "r:0":
            choices.append(("Back to the first decision", _START))
        chosen = choose(f"{name}, line {line}", [*choices, ("Write a line", _OWN)])
        if chosen == _HERE:
            run(["blueprint", "show", name, "--line", line])
        elif chosen == _OWN:
            line = write("Line, such as r:0:b250:c", blueprint.player, line)
        else:
            line = "r:0" if chosen == _START else chosen


def onward(blueprint: Blueprint, line: str) -> list[tuple[str, str]]:
    """Return the actions after which somebody has to decide: their names, and the longer lines."""
    found = []
    for token, action in zip(blueprint.tokens(line), blueprint.action_names(line), strict=True):
        longer = f"{line}:{token}"
        try:
            blueprint.player(longer)
        except OverbetError:  # the hand is over
            continue
        found.append((action, longer))
    return found


def _check_line(text: str) -> None:
    if text != "r:0" and not text.startswith("r:0:"):
        raise ConfigError("a line begins with r:0, such as r:0:c:b75")


def _known_blueprint(text: str) -> None:
    from overbet.blueprint.catalogue import find_blueprint

    if not text:
        raise ConfigError("write a path, such as runs/first")
    find_blueprint(Path(text))
