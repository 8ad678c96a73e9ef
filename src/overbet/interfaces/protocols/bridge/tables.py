"""The server's side: one table for each token, a hand at a time, an agent of ours on the other seat.

A hand is dealt by (seed, number of the hand on this server), so with one client and a fixed seed a run can be
made again. Who asks for a new hand in the middle of one gives that one up, with what was put in.
"""

from __future__ import annotations

import secrets
import threading
import time
from collections import OrderedDict
from dataclasses import dataclass
from typing import Any

from overbet.agents.protocol import Agent, prepare
from overbet.agents.registry import name_of
from overbet.cards.cards import card_name
from overbet.errors import OverbetError
from overbet.evaluation.match_referee import Referee
from overbet.games.holdem import HoldemGame
from overbet.games.holdem_state import HoldemState
from overbet.interfaces.protocols.bridge.action_text import action_of, action_text

MOST_TABLES = 1_000
IDLE_SECONDS = 900.0  # after which a table may be taken away when all are taken

Answer = dict[str, Any]


class RefusedError(OverbetError):
    """A request that cannot be met; the message is what the client is told."""


@dataclass
class _Table:
    """One client. won: chips of all hands that ended; hands: how many began."""

    used: float
    state: HoldemState | None = None
    number: int = 0
    client: int = 0
    hands: int = 0
    won: float = 0.0


class BridgeTables:
    """All tables of a server. Calls come from several threads; the agent is asked by one at a time."""

    def __init__(self, agent: Agent, game: HoldemGame, seed: int, most: int = MOST_TABLES) -> None:
        prepare(agent, game)
        self.game, self.seed, self.most = game, seed, most
        self._referee = Referee([agent], [name_of(agent)])
        self._tables: OrderedDict[str, _Table] = OrderedDict()
        self._dealt = 0
        self._lock = threading.Lock()

    def new_hand(self, token: str | None) -> Answer:
        """Deal a hand, at a table of its own where no token is given."""
        with self._lock:
            token = token or self._taken()
            table = self._table(token)
            if table.state is not None:
                table.won -= table.state.put_in[table.client]
            table.client = table.hands % 2
            table.hands += 1
            table.number, self._dealt = self._dealt, self._dealt + 1
            table.state = self.game.deal(self.seed, table.number)
            return self._answer(token, table, "")

    def act(self, token: str, incr: str) -> Answer:
        """Carry out an action of the client, and what the agent answers."""
        with self._lock:
            table = self._table(token)
            if table.state is None:
                raise RefusedError("no hand is being played with this token; ask for a new hand")
            before = action_text(table.state)
            table.state = table.state.apply(action_of(table.state, incr))
            return self._answer(token, table, before)

    def __len__(self) -> int:
        return len(self._tables)

    def _answer(self, token: str, table: _Table, before: str) -> Answer:
        """Let the agent act while it is its turn, and return what the client is told."""
        state = table.state
        assert state is not None
        while not state.is_terminal() and state.current_player() != table.client:
            state = state.apply(self._referee.action(0, state, self.seed, table.number))
        table.state = state
        found: Answer = {
            "old_action": before,
            "action": action_text(state),
            "client_pos": table.client,
            "hole_cards": _names(state.hole[table.client]),
            "board": _names(state.board),
            "token": token,
        }
        if state.is_terminal():
            won = state.returns()[table.client]
            table.won += won
            table.state = None
            found["winnings"] = int(won)
            if all(state.in_hand):
                found["bot_hole_cards"] = _names(state.hole[1 - table.client])
            found["session_num_hands"] = table.hands
            found["session_total"] = int(table.won)
        return found

    def _table(self, token: str) -> _Table:
        table = self._tables.get(token)
        if table is None:
            raise RefusedError("unknown token; ask for a new hand without one")
        table.used = time.monotonic()
        self._tables.move_to_end(token)
        return table

    def _taken(self) -> str:
        """Return the token of a new table, in the place of one long unused where all are taken."""
        now = time.monotonic()
        if len(self._tables) >= self.most:
            oldest, table = next(iter(self._tables.items()))
            if now - table.used < IDLE_SECONDS:
                raise RefusedError(f"all {self.most:,} tables are taken; come back later, or use your token")
            del self._tables[oldest]
        token = secrets.token_hex(16)
        self._tables[token] = _Table(now)
        return token


def _names(cards: tuple[int, ...]) -> list[str]:
    return [card_name(card) for card in cards]
