"""A dealer of the ACPC: deals, tells every seat what it sees, asks, and keeps the log.

One port for each seat, as the competition's dealer has it. Seats move on by one after every hand. What a
client says that is no answer to the state it was asked about (garbage, an answer to an earlier state) is
dropped; an answer that the rules do not allow, a silence that lasts too long and a closed connection end the
match, as the protocol asks: the log then holds the hands that were finished, and no score.
"""

from __future__ import annotations

import contextlib
import re
import selectors
import socket
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from overbet.errors import ConfigError, IllegalActionError, OverbetError, quoted
from overbet.games.holdem import HoldemGame
from overbet.games.holdem_state import HoldemState
from overbet.interfaces.protocols.acpc.line_socket import GoneError, LineSocket
from overbet.interfaces.protocols.acpc.match_log import MatchLog
from overbet.interfaces.protocols.acpc.match_state import MatchView, action_of, betting_of, view_of
from overbet.interfaces.protocols.listening import HOME, checked_address, listen

_VERSION = re.compile(r"VERSION:2\.[0-9]{1,6}\.[0-9]{1,6}")
_NAME = re.compile(r"[^\s:|]{1,64}")
_MOST_DROPPED = 100  # lines of one decision that are no answer
_FIRST_LINE = 5.0  # seconds until a connection has to say its version


class StoppedError(OverbetError):
    """A match that could not go on; the message names the seat and the hand."""


class DealerPace(NamedTuple):
    """How far a match is. won: chips by seat."""

    hands: int
    total: int
    won: tuple[float, ...]


@dataclass(frozen=True)
class DealerOptions:
    """What a match is. names: by seat, without blanks, colons and strokes. seconds: for an answer, and until
    all seats are taken. ports: by seat, 0 for free ones. address: to listen on.
    """

    names: tuple[str, ...]
    hands: int = 1000
    seed: int = 0
    match: str = "match"
    response_seconds: float = 600.0
    connect_seconds: float = 600.0
    ports: tuple[int, ...] = ()
    address: str = HOME

    def __post_init__(self) -> None:
        for name in (*self.names, self.match):
            if not _NAME.fullmatch(name):
                raise ConfigError(
                    f"{quoted(name)}: a name has 1 to 64 characters, none of them a blank, : or |"
                )
        if self.hands < 1:
            raise ConfigError(f"a match has at least one hand, not {self.hands}")
        if not 0 <= self.seed < 2**63:
            raise ConfigError(f"a seed is from 0 to 2**63 - 1, not {self.seed}")
        if not (self.response_seconds > 0 and self.connect_seconds > 0):
            raise ConfigError("the seconds for an answer and for connecting are above 0")
        checked_address(self.address)


@dataclass
class AcpcDealer:
    """A match that is about to be played. messages: where every line to and from the seats is written.

    ports: where each seat is waited for; known once it is made.
    """

    game: HoldemGame
    options: DealerOptions
    log: MatchLog
    messages: MatchLog = field(default_factory=lambda: MatchLog(None))
    ports: tuple[int, ...] = ()
    won: list[float] = field(default_factory=list)
    _doors: list[socket.socket] = field(default_factory=list)
    _seats: list[LineSocket] = field(default_factory=list)

    def __post_init__(self) -> None:
        players, options = self.game.num_players, self.options
        if len(options.names) != players:
            raise ConfigError(f"{len(options.names)} names for {players} seats")
        wanted = options.ports or (0,) * players
        if len(wanted) != players:
            raise ConfigError(f"{len(wanted)} ports for {players} seats; give one for each, or none")
        self.won = [0.0] * players
        try:
            for port in wanted:
                self._doors.append(listen(options.address, port))
        except ConfigError:
            self.close()
            raise
        self.ports = tuple(int(door.getsockname()[1]) for door in self._doors)

    def close(self) -> None:
        """Close every connection and port."""
        for seat in self._seats:
            seat.close()
        for door in self._doors:
            door.close()

    def run(
        self,
        progress: Callable[[DealerPace], None] | None = None,
        alive: Callable[[], str] = lambda: "",
    ) -> DealerPace:
        """Wait for the seats, play, and return the result.

        alive: asked while seats are waited for; a text says why somebody will not come.
        """
        options = self.options
        try:
            self._seat_all(alive)
            self.log.head(options.match, self.game, options.hands, options.seed)
            for hand in range(options.hands):
                self._play(hand)
                if progress is not None:
                    progress(DealerPace(hand + 1, options.hands, tuple(self.won)))
            self.log.score(self.won, options.names)
        finally:
            self.close()
        return DealerPace(options.hands, options.hands, tuple(self.won))

    def _play(self, hand: int) -> None:
        """Play one hand and write it down."""
        players = self.game.num_players
        seats = [(position + hand) % players for position in range(players)]
        state = self.game.deal(self.options.seed, hand)
        while True:
            betting = betting_of(state)
            for position, seat in enumerate(seats):
                self._tell(seat, hand, str(view_of(state, position, hand, betting)))
            if state.is_terminal():
                break
            position = state.current_player()
            state = self._asked(seats[position], state, view_of(state, position, hand, betting))
        for position, chips in enumerate(state.returns()):
            self.won[seats[position]] += chips
        self.log.hand(hand, state, [self.options.names[seat] for seat in seats])

    def _tell(self, seat: int, hand: int, line: str) -> None:
        self._note("TO", seat, line)
        try:
            self._seats[seat].send(line)
        except GoneError as error:
            raise self._stopped(hand, str(error)) from error

    def _asked(self, seat: int, state: HoldemState, view: MatchView) -> HoldemState:
        """Return the state after the answer of a seat."""
        asked, name = f"{view}:", self.options.names[seat]
        dropped = 0
        for line in self._lines(seat, view.hand):
            if not line.startswith(asked):
                dropped += 1
                if dropped > _MOST_DROPPED:
                    raise self._stopped(view.hand, f"{name} sends {quoted(line)} and the like, no answer")
                continue
            move = line.removeprefix(asked)
            try:
                return state.apply(action_of(state, move))
            except IllegalActionError as error:
                raise self._stopped(view.hand, f"{name} answered {quoted(move)}: {error}") from error
        raise self._stopped(view.hand, f"{name} did not answer within {self.options.response_seconds:g} s")

    def _lines(self, seat: int, hand: int) -> Iterator[str]:
        """Yield the lines of a seat until its time is over; any connection that closes is told."""
        end = time.monotonic() + self.options.response_seconds
        line = self._seats[seat]
        with selectors.DefaultSelector() as selector:
            for one in self._seats:
                selector.register(one, selectors.EVENT_READ)
            while True:
                while (found := line.taken()) is not None:
                    self._note("FROM", seat, found)
                    yield found
                left = end - time.monotonic()
                if left <= 0:
                    return
                for key, _ in selector.select(left):
                    ready = key.fileobj
                    assert isinstance(ready, LineSocket)
                    try:
                        ready.fill(0.0)
                    except (BlockingIOError, TimeoutError):
                        continue
                    except GoneError as error:
                        raise self._stopped(hand, str(error)) from error

    def _seat_all(self, alive: Callable[[], str]) -> None:
        """Wait until every seat is taken by somebody who says the version."""
        end = time.monotonic() + self.options.connect_seconds
        for seat, door in enumerate(self._doors):
            name = self.options.names[seat]
            door.settimeout(0.2)
            while len(self._seats) == seat:
                if time.monotonic() > end:
                    raise StoppedError(
                        f"nobody took the seat of {name} at port {self.ports[seat]} within "
                        f"{self.options.connect_seconds:g} s; no hand was played"
                    )
                trouble = alive()
                if trouble:
                    raise StoppedError(f"{trouble}; no hand was played")
                with contextlib.suppress(TimeoutError):
                    self._greet(seat, door.accept()[0])
            door.close()

    def _greet(self, seat: int, connection: socket.socket) -> None:
        """Take a connection that says the version; another is closed, and the seat waited for again."""
        line = LineSocket(connection, f"{self.options.names[seat]} (port {self.ports[seat]})")
        try:
            said = line.line(_FIRST_LINE)
        except (TimeoutError, GoneError):
            said = ""
        if _VERSION.fullmatch(said):
            self._seats.append(line)
        else:
            line.close()

    def _note(self, way: str, seat: int, line: str) -> None:
        if self.messages.path is not None:
            self.messages.line(f"{way} {seat + 1} at {time.time():.6f} {line}")

    def _stopped(self, hand: int, reason: str) -> StoppedError:
        where = f"; {self.log.path} has the {hand} hands before" if self.log.path else ""
        return StoppedError(f"hand {hand} was not finished: {reason}{where}")


def free_names(count: int, given: Sequence[str] = ()) -> tuple[str, ...]:
    """Return names for all seats, `p1`, `p2`, ... where none are given."""
    return tuple(given[seat] if seat < len(given) else f"p{seat + 1}" for seat in range(count))
