"""Named errors that say what to do, and the nearest-name suggestion they use.

Everything a user can get wrong raises an `OverbetError`; the command line prints it as one line and
exits non-zero. A bug is any other exception, and keeps its traceback.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterable


class OverbetError(Exception):
    """Something the user can put right. The message is one line and says what to do."""


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


def nearest(name: str, known: Iterable[str]) -> str:
    """Return ` (did you mean 'x'?)` for the known name closest to `name`, or an empty string."""
    close = difflib.get_close_matches(name.lower(), list(known), n=1, cutoff=0.5)
    return f" (did you mean {close[0]!r}?)" if close else ""


def unknown(kind: str, name: str, known: Iterable[str]) -> str:
    """Return the message for an unknown name: what was asked, the nearest, and all there are."""
    names = list(known)
    return f"unknown {kind} {name!r}{nearest(name, names)}; known: {', '.join(names)}"
