"""Named errors that say what to do, and the nearest-name suggestion they use.

Everything a user can get wrong raises an `OverbetError`; the command line prints it as one line and
exits non-zero. A bug is any other exception. What a message quotes is cut to a length that can be read.
"""

from __future__ import annotations

import difflib
import os
import re
from collections.abc import Iterable

_QUOTED = 80  # characters of somebody's text in a message
_LONGEST = 2_000  # characters of a whole message
_REASON = 200  # characters of a library's own message


class OverbetError(Exception):
    """Something the user can put right. The message is one line and says what to do.

    Whatever it quotes, it is kept to one line and to a length that can be read.
    """

    def __init__(self, message: object = "") -> None:
        super().__init__(short(message, _LONGEST))


class CardError(OverbetError, ValueError):
    """A card, combo or board that does not exist or repeats a card."""


class RangeError(OverbetError, ValueError):
    """A range text that cannot be read; the message points at the place."""


class RulesError(OverbetError, ValueError):
    """A game that cannot be set up: stacks, blinds, player count."""


class IllegalActionError(OverbetError, ValueError):
    """An action the rules do not allow now; the message names what is legal."""


class ConfigError(OverbetError, ValueError):
    """A config with unknown or impossible values."""


class ArtefactError(OverbetError):
    """A file that is damaged, of another version, or of another game."""


class TooLargeError(OverbetError):
    """Work that does not fit this machine; the message gives the size and what to change."""


def short(text: object, most: int = _QUOTED) -> str:
    """Return a text on one line, control characters spelled out, cut to about `most` characters."""
    whole = str(text)
    line = "".join(
        mark if mark.isprintable() else " " if mark.isspace() else ascii(mark)[1:-1]
        for mark in whole[: most + 1]
    )
    return line if len(line) <= most else f"{line[: max(most - 3, 0)]}..."


def quoted(value: object, most: int = _QUOTED) -> str:
    """Return a value as an error quotes it: its `repr`, cut to about `most` characters."""
    return repr(short(value, most)) if isinstance(value, str) else short(repr(value), most)


def reason(error: OSError) -> str:
    """Return why a file could not be used, in the few words of the system.

    Libraries wrap the system's error in texts of their own, over several lines; its number is looked for
    there. Without one the first line has to do.
    """
    text = str(error)
    number = error.errno
    if number is None:
        told = re.search(r"(?:\berrno ?=? ?|os error )(\d+)", text, re.IGNORECASE)
        number = int(told[1]) if told else None
    if number is not None and 0 < number < 1000:
        return os.strerror(number)
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    return short(lines[0], _REASON) if lines else type(error).__name__


def nearest(name: str, known: Iterable[str]) -> str:
    """Return ` (did you mean 'x'?)` for the known name closest to `name`, or an empty string."""
    if len(name) > _QUOTED:
        return ""
    close = difflib.get_close_matches(name.lower(), list(known), n=1, cutoff=0.5)
    return f" (did you mean {close[0]!r}?)" if close else ""


def unknown(kind: str, name: str, known: Iterable[str]) -> str:
    """Return the message for an unknown name: what was asked, the nearest, and all there are."""
    names = list(known)
    return f"unknown {kind} {quoted(name)}{nearest(name, names)}; known: {', '.join(names)}"
