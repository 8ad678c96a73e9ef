"""A player at a server of that kind: any agent of ours, one hand after another.

Every hand is followed by our own rules. Where the outcome can be known (a fold, or a showdown whose cards
were told) it is compared with the `winnings` that the server states.
"""

from __future__ import annotations

import http.client
import json
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

from overbet.agents.protocol import Agent, prepare
from overbet.agents.registry import name_of
from overbet.errors import ConfigError, OverbetError, quoted
from overbet.evaluation.match_referee import OnError, Referee
from overbet.games.holdem import MOST_CHIPS, HoldemGame
from overbet.games.holdem_state import HoldemState
from overbet.interfaces.protocols.bridge.action_text import state_of
from overbet.kernels.holdem.layout import CALL, FOLD, HIDDEN_CARD

_MOST_BYTES = 1 << 16
_SECONDS = 120.0


class BridgeError(OverbetError):
    """A server that cannot be played at; the message says why."""


@dataclass
class BridgeScore:
    """How a client fared. differing: hands whose winnings are not those of the rules, with both figures."""

    hands: int = 0
    won: int = 0
    differing: list[str] | None = None


class BridgeClient:
    """Plays one agent at a server. url: such as http://127.0.0.1:8770; game: the server's table."""

    def __init__(
        self,
        agent: Agent,
        url: str,
        game: HoldemGame,
        *,
        seed: int = 0,
        on_error: OnError = "stop",
        time_limit: float | None = None,
        post: Callable[[str, dict[str, str]], Any] | None = None,
    ) -> None:
        """Take a table. post: what sends a body to a path and returns the answer, in the place of HTTP."""
        prepare(agent, game)
        self.game, self.seed = game, seed
        self.score = BridgeScore(differing=[])
        self._referee = Referee([agent], [name_of(agent)], on_error, time_limit)
        self._post = post or HttpPost(url).post
        self._token = ""

    def play(self, hands: int, progress: Callable[[BridgeScore], None] | None = None) -> BridgeScore:
        """Play so many hands."""
        while self.score.hands < hands:
            self._hand(self.score.hands)
            if progress is not None:
                progress(self.score)
        return self.score

    def _hand(self, number: int) -> None:
        answer = self._asked("/api/new_hand", {"token": self._token} if self._token else {})
        client, hole = answer.get("client_pos"), _cards(answer, "hole_cards")
        if type(client) is not int or client not in (0, 1) or len(hole) != 2:
            raise BridgeError(f"the server deals no hand: {quoted(answer)}")
        while True:
            state = self._state(answer, client, hole)
            if "winnings" in answer:
                self._over(state, answer, client, number)
                return
            if state.is_terminal() or state.current_player() != client:
                raise BridgeError(f"the server waits for nobody: {quoted(answer)}")
            action = self._referee.action(0, state, self.seed, number)
            incr = "f" if action == FOLD else f"b{action}" if action > CALL else "c" if state.to_call else "k"
            answer = self._asked("/api/act", {"token": self._token, "incr": incr})

    def _asked(self, path: str, body: dict[str, str]) -> dict[str, Any]:
        answer = self._post(path, body)
        if not isinstance(answer, dict):
            raise BridgeError(f"the server answers {quoted(answer)}, which is no JSON object")
        if answer.get("error_msg"):
            raise BridgeError(f"the server refuses: {quoted(answer['error_msg'])}")
        if isinstance(answer.get("token"), str):
            self._token = answer["token"]  # some servers change it on the way
        return answer

    def _state(self, answer: dict[str, Any], client: int, hole: list[str]) -> HoldemState:
        shown = _cards(answer, "bot_hole_cards")
        pairs: list[str | None] = ["".join(hole), "".join(shown) if len(shown) == 2 else None]
        text = answer.get("action", "")
        if not isinstance(text, str):
            raise BridgeError(f"the server tells no betting: {quoted(answer)}")
        try:
            return state_of(self.game, text, pairs if client == 0 else pairs[::-1], _cards(answer, "board"))
        except OverbetError as error:
            raise BridgeError(f"the server's hand breaks the rules: {error}") from error

    def _over(self, state: HoldemState, answer: dict[str, Any], client: int, number: int) -> None:
        won = answer["winnings"]
        if isinstance(won, bool) or not isinstance(won, int | float) or not abs(won) <= MOST_CHIPS:
            raise BridgeError(f"the server states no winnings: {quoted(answer)}")
        self.score.hands += 1
        self.score.won += int(won)
        known = state.is_terminal() and not (all(state.in_hand) and HIDDEN_CARD in state.hole[1 - client])
        if known and state.returns()[client] != won:
            assert self.score.differing is not None
            self.score.differing.append(
                f"hand {number} ({answer.get('action')}): {state.returns()[client]:+.0f} by the rules,"
                f" {won:+} stated"
            )


class HttpPost:
    """Sends JSON to a server by one connection that is kept, and reads JSON back."""

    def __init__(self, url: str) -> None:
        try:
            parts = urlsplit(url if "//" in url else f"http://{url}")
            self._host, self._port = parts.hostname or "", parts.port
            if parts.scheme not in ("http", "https") or not self._host:
                raise ValueError
        except ValueError:
            raise ConfigError(
                f"{quoted(url)} is no address of a server, such as http://127.0.0.1:8770"
            ) from None
        self._secure, self._path, self.url = parts.scheme == "https", parts.path.rstrip("/"), url
        self._connection: http.client.HTTPConnection | None = None

    def post(self, path: str, body: dict[str, str]) -> Any:
        """Return the answer of a path; a connection that was closed meanwhile is opened once more."""
        content = json.dumps(body)
        for again in (True, False):
            fresh = self._connection is None
            try:
                return self._sent(path, content)
            except (OSError, ValueError, http.client.HTTPException) as error:
                self.close()
                if fresh or not again:
                    said = getattr(error, "strerror", None) or str(error) or type(error).__name__
                    raise BridgeError(f"no server answers at {quoted(self.url)} ({quoted(said)})") from error
        raise AssertionError("the loop returns or raises")

    def close(self) -> None:
        """Close the connection."""
        if self._connection is not None:
            self._connection.close()
            self._connection = None

    def _sent(self, path: str, content: str) -> Any:
        if self._connection is None:
            kind = http.client.HTTPSConnection if self._secure else http.client.HTTPConnection
            self._connection = kind(self._host, self._port, timeout=_SECONDS)
        headers = {"Content-Type": "application/json", "Accept": "application/json"}
        self._connection.request("POST", f"{self._path}{path}", content, headers)
        response = self._connection.getresponse()
        raw = response.read(_MOST_BYTES + 1)
        try:
            answer = json.loads(raw) if len(raw) <= _MOST_BYTES else None
        except (ValueError, RecursionError):
            answer = None
        if response.status != 200 or answer is None:
            told = answer if isinstance(answer, dict) else {}
            said = told.get("error_msg") or told.get("error") or raw[:60].decode("latin-1")
            raise BridgeError(f"the server at {quoted(self.url)} answers {response.status}: {quoted(said)}")
        return answer


def _cards(answer: dict[str, Any], key: str) -> list[str]:
    found = answer.get(key) or []
    if not isinstance(found, list) or not all(isinstance(card, str) for card in found):
        raise BridgeError(f"{key} of the server are {quoted(found)}, which are no cards")
    return found
