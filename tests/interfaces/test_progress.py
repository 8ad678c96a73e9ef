"""The line that says how far a command is: on a terminal alone, with what is said as it is said."""

from __future__ import annotations

import io

from rich.console import Console

from overbet.interfaces.cli.progress import shown


def said(terminal: bool) -> str:
    text = io.StringIO()
    console = Console(file=text, force_terminal=terminal, width=100, color_system=None)
    with shown("preparing [once]", "loading", 10, number="count", console=console) as show:
        show(3, 10, "7h2d [red]", "2 left")
        show(4, 10)  # what is left out stays
    return text.getvalue()


def test_a_terminal_shows_the_last_state_and_reads_no_markup() -> None:
    found = said(terminal=True)
    last = found[found.rindex("7h2d") :]
    assert "7h2d [red]" in last
    assert "4/10" in last
    assert "2 left" in last


def test_elsewhere_nothing_is_written() -> None:
    assert said(terminal=False).strip() == ""
