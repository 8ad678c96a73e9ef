"""The log of an ACPC match: a line a hand, and at the end the score.

    # name/game/hands/seed test holdem.nolimit.2p.reverse_blinds.game 1000 0
    STATE:9:f:Jc8d|TdQd:50|-50:p2|p1
    SCORE:14298|-14298:p1|p2

Cards, chips and names of a hand stand by position, those of the score by seat: at hand h position p is seat
(p + h) modulo the seats. The game's definition stands in comments above, so that the log can be read alone.
A line is written when its hand is over: whatever happens, the log holds whole hands.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from types import TracebackType
from typing import IO

from overbet.errors import ArtefactError, ConfigError, reason, short
from overbet.games.holdem import HoldemGame
from overbet.games.holdem_state import HoldemState
from overbet.interfaces.protocols.acpc.game_file import acpc_game_text
from overbet.interfaces.protocols.acpc.match_state import betting_of, cards_of


class MatchLog:
    """A log being written; without a path nothing is. A file that is there already is never written over."""

    def __init__(self, path: Path | None) -> None:
        self.path, self._file = path, None if path is None else _new(path)

    def __enter__(self) -> MatchLog:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._file is not None:
            self._file.close()

    def head(self, match: str, game: HoldemGame, hands: int, seed: int) -> None:
        """Write what the match is."""
        self.line(f"# name/game/hands/seed {match} {game.name}.game {hands} {seed}")
        for line in acpc_game_text(game).splitlines():
            self.line(f"# {line}")

    def hand(self, number: int, state: HoldemState, names: Sequence[str]) -> None:
        """Write a hand that is over. names: by position."""
        self.line(state_line(number, state, names))

    def score(self, won: Sequence[float], names: Sequence[str]) -> None:
        """Write the end of the match. won, names: by seat."""
        self.line(score_line(won, names))

    def line(self, text: str) -> None:
        """Write a line, at once."""
        if self._file is None or self.path is None:
            return
        try:
            self._file.write(f"{text}\n")
            self._file.flush()
        except OSError as error:
            raise ArtefactError(f"cannot write {short(self.path)}: {reason(error)}") from error


def state_line(number: int, state: HoldemState, names: Sequence[str]) -> str:
    """Return the line of a hand that is over. names: by position."""
    won = "|".join(f"{chips:g}" if chips % 1 else f"{chips:.0f}" for chips in state.returns())
    return f"STATE:{number}:{betting_of(state)}:{cards_of(state)}:{won}:{'|'.join(names)}"


def score_line(won: Sequence[float], names: Sequence[str]) -> str:
    """Return the last line of a match. won, names: by seat."""
    return f"SCORE:{'|'.join(f'{chips:.0f}' for chips in won)}:{'|'.join(names)}"


def _new(path: Path) -> IO[str]:
    try:
        return path.open("x", encoding="utf-8", newline="\n")
    except FileExistsError:
        raise ConfigError(f"{short(path)} is there already; name another log, or remove it") from None
    except OSError as error:
        raise ArtefactError(f"cannot write {short(path)}: {reason(error)}") from error
