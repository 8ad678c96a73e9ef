"""The first question of `overbet` without a verb, and what follows from its answer."""

from __future__ import annotations

import shlex
from collections.abc import Callable

from overbet.errors import OverbetError
from overbet.interfaces.cli.menu.asking import BackRequest, choose
from overbet.signals import StopRequests

RunCommand = Callable[[list[str]], int]
Choice = Callable[[Callable[[list[str]], None]], None]


def open_menu(run_command: RunCommand, asked: StopRequests) -> int:
    """Ask what to do until the person leaves; return the exit code.

    run_command: runs a command by its words, tells its errors and returns its exit code. asked: whether a
    signal asked for the end of the process: the menu then ends with it.
    """
    from rich.console import Console

    console = Console(highlight=False, soft_wrap=True)
    console.print("Escape or Ctrl-C goes back; `overbet --help` lists all commands.", style="dim")

    def run(words: list[str]) -> None:
        console.print(f"\n$ {shlex.join(['overbet', *words])}", style="bold", markup=False)
        run_command(words)
        if asked.number:
            raise BackRequest
        console.print()

    while not asked.number:
        try:
            choice = choose("What would you like to do?", choices())
        except BackRequest:
            break
        if choice is None:
            break
        try:
            choice(run)
        except BackRequest:
            continue
        except OverbetError as error:
            console.print(f"error: {error}", style="red", markup=False)
    return asked.exit_code if asked.number else 0


def choices() -> list[tuple[str, Choice | None]]:
    """Return what the menu offers."""
    from overbet.interfaces.cli.menu import chart_menu, deck_menu, other_menus, solve_menu

    def then(words: Callable[[], list[str]]) -> Choice:
        return lambda run: run(words())

    return [
        ("Solve a spot", then(solve_menu.solve_words)),
        ("Play against the computer", then(other_menus.play_words)),
        ("Drill my mistakes", then(deck_menu.drill_words)),
        ("Browse charts", chart_menu.browse),
        ("Open the page in the browser", then(other_menus.page_words)),
        ("Match two agents", then(other_menus.match_words)),
        ("Train a blueprint", then(other_menus.train_words)),
        ("Build card buckets", then(other_menus.buckets_words)),
        ("Leave", None),
    ]
