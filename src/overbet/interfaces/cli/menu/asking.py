"""Questions on the terminal. Escape and Ctrl-C raise `BackRequest`: whoever asked goes back one step."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeVar

from overbet.errors import OverbetError, short

Answer = TypeVar("Answer")

_ESCAPE_S = 0.05  # how long Escape waits for the rest of a key that begins with it, such as an arrow
_LINE = 120  # characters of a fault: it stands in one line below the question


class BackRequest(Exception):  # noqa: N818  # not an error: the person changed their mind
    """Escape or Ctrl-C at a question."""


def choose(words: str, choices: Sequence[tuple[str, Answer]]) -> Answer:
    """Ask for one of several; choices: the words shown and what each stands for."""
    import questionary

    listed = [questionary.Choice(title, value=place) for place, (title, _) in enumerate(choices)]
    place = _answer(questionary.select(words, listed, instruction="(arrows, Enter; Escape goes back)"))
    return choices[int(place)][1]


def write(words: str, check: Callable[[str], object], default: str = "") -> str:
    """Ask for a text. check: raises an `OverbetError` or `ValueError` that says what is wrong with it."""
    import questionary

    def fault(text: str) -> bool | str:
        try:
            check(text.strip())
        except (OverbetError, ValueError) as error:
            return short(str(error).splitlines()[0], _LINE)
        return True

    return str(_answer(questionary.text(words, default=default, validate=fault))).strip()


def agree(words: str, default: bool = True) -> bool:
    """Ask a question that is answered by yes or no."""
    import questionary

    return bool(_answer(questionary.confirm(words, default=default)))


def _answer(question: Any) -> Any:
    from prompt_toolkit.key_binding import KeyBindings, merge_key_bindings

    own = KeyBindings()

    @own.add("escape", eager=True)
    def leave(event: Any) -> None:
        event.app.exit(exception=KeyboardInterrupt())

    application = question.application
    application.key_bindings = merge_key_bindings([application.key_bindings, own])
    application.ttimeoutlen = _ESCAPE_S
    try:
        return question.unsafe_ask()
    except (KeyboardInterrupt, EOFError):
        raise BackRequest from None
