"""A player at an ACPC dealer: any agent of ours, from match state to answer.

The dealer tells cards and betting but not the table, so the client is told: a game file, or the competition's
table of as many seats as the first match state has. Every hand is followed by our own rules, and what the
player won is counted by them: at the end client and dealer can compare.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from overbet.agents.protocol import Agent, prepare
from overbet.agents.registry import name_of
from overbet.errors import ConfigError, OverbetError, quoted
from overbet.evaluation.match_referee import OnError, Referee
from overbet.games.holdem import HoldemGame
from overbet.interfaces.protocols.acpc.game_file import competition_game
from overbet.interfaces.protocols.acpc.line_socket import VERSION, GoneError, connected
from overbet.interfaces.protocols.acpc.match_state import (
    MatchView,
    checked_view,
    move_of,
    read_view,
)
from overbet.kernels.holdem.layout import HIDDEN_CARD

_MOST_DROPPED = 1_000  # lines in a row that are no match state


@dataclass
class ClientScore:
    """What a client saw of a match. won: chips of each hand that came to its end, by the number of the hand.

    dropped: lines that were no match state.
    """

    won: dict[int, float] = field(default_factory=dict)
    dropped: int = 0

    @property
    def total(self) -> float:
        """All chips won."""
        return sum(self.won.values())


class AcpcClient:
    """Plays one agent. game: the table, None for the competition's; seed: of the agent's choices."""

    def __init__(
        self,
        agent: Agent,
        game: HoldemGame | None = None,
        *,
        seed: int = 0,
        on_error: OnError = "stop",
        time_limit: float | None = None,
    ) -> None:
        self.agent, self.game, self.seed = agent, game, seed
        self.score = ClientScore()
        self._referee = Referee([agent], [name_of(agent)], on_error, time_limit)
        self._ended: bool | None = None  # whether the last hand came to its end, None before the first
        if game is not None:
            prepare(agent, game)

    def play(
        self, host: str, port: int, progress: Callable[[ClientScore], None] | None = None
    ) -> ClientScore:
        """Play until the dealer ends the match; progress: called after every hand."""
        line = connected(host, port, f"the dealer at {host} port {port}")
        try:
            line.send(VERSION)
            dropped = 0
            while True:
                text = line.line()
                if not text.startswith("MATCHSTATE:"):
                    # comments begin with # or ;, and what is nothing at all is passed over as they are
                    dropped += bool(text) and text[0] not in "#;"
                    self.score.dropped += bool(text) and text[0] not in "#;"
                    if dropped > _MOST_DROPPED:
                        raise ConfigError(
                            f"{line.name} sends no match states but {quoted(text)} and the like"
                        )
                    continue
                dropped = 0
                hands = len(self.score.won)
                answer = self.answer(text)
                if answer is not None:
                    line.send(answer)
                if progress is not None and len(self.score.won) > hands:
                    progress(self.score)
        except GoneError as gone:
            if self._ended:
                return self.score  # a match ends with the connection
            if self._ended is None:
                raise GoneError(f"{gone}, before the first hand") from gone
            raise GoneError(f"{gone}, in the middle of a hand") from gone
        finally:
            line.close()

    def answer(self, text: str) -> str | None:
        """Return what to answer to a match state, None where the player is not to act."""
        view = read_view(text)
        state = checked_view(self._table(view), view)
        if state.is_terminal():
            self._ended = True
            held = [cards for cards, stays in zip(state.hole, state.in_hand, strict=True) if stays]
            if len(held) > 1 and any(HIDDEN_CARD in cards for cards in held):
                raise ConfigError(f"{quoted(text)}: the cards of the showdown are not told")
            self.score.won[view.hand] = state.returns()[view.viewer]
            return None
        self._ended = False
        if state.current_player() != view.viewer:
            return None
        action = self._referee.action(0, state, self.seed, view.hand)
        return f"{view}:{move_of(state, action)}"

    def _table(self, view: MatchView) -> HoldemGame:
        if self.game is None:
            players = view.cards.partition("/")[0].count("|") + 1
            if players < 2:
                raise ConfigError(f"{quoted(str(view))} has the cards of one player")
            self.game = competition_game(players)
            try:
                prepare(self.agent, self.game)
            except OverbetError as error:
                raise ConfigError(
                    f"{error} (the table is the competition's: name another with --game)"
                ) from error
        return self.game
