"""Following a hand's betting: raises, limps, who leads, and which line words each player has earned."""

from __future__ import annotations

from collections.abc import Sequence

from overbet.games.holdem_state import HoldemState
from overbet.interfaces.hands.words import FACING, FLAGS, STREETS
from overbet.kernels.holdem.layout import CALL, FOLD
from overbet.study.decision_lines import facing_word


class StreetLine:
    """The betting so far. `go_to` before every action, then `take` it; the flags grow by player."""

    def __init__(self, players: int) -> None:
        self.flags = [0] * players
        self.street = 0
        self.raises = 0  # bets and raises on this street
        self.preflop_raises = 0
        self.limps = 0
        self.leader = -1  # who made the last bet or raise of the earlier streets
        self._last = -1  # who made the last one so far
        self._opener = -1  # who made the first raise before the flop
        self._raiser = -1  # who made the last raise before the flop
        self._callers = 0  # of the first raise
        self._acted: set[int] = set()
        self._checked: set[int] = set()
        self._continued = False  # the flop's first bet is a continuation bet

    def go_to(self, state: HoldemState) -> None:
        """Begin the street of a state where it is a new one."""
        street = STREETS.index(state.street)
        if street != self.street:
            self.street, self.raises, self.leader = street, 0, self._last
            self._acted, self._checked = set(), set()

    def facing(self) -> int:
        """Return what the player to act faces, as a place in `FACING`."""
        return FACING.index(facing_word(self.street, self.raises, self.limps > 0, bool(self._acted)))

    def take(self, state: HoldemState, action: int) -> None:
        """Note an action of the player to act."""
        player = state.current_player()
        if self.street == 0:
            self._take_preflop(player, action, state.to_call)
        else:
            self._take_postflop(player, action, state)
        chips = state.to_call if action == CALL else action - state.bets[player]
        if action != FOLD and 0 < chips == state.stacks[player]:
            self._give(player, "allin")
        if action > CALL:
            self.raises += 1
            self._last = player
        if action == CALL and not state.to_call:
            self._checked.add(player)
        self._acted.add(player)

    def mark(self, word: str, players: Sequence[bool]) -> None:
        """Give a word to these players."""
        for player, has in enumerate(players):
            if has:
                self._give(player, word)

    def _give(self, player: int, *words: str) -> None:
        for word in words:
            self.flags[player] |= FLAGS[word]

    def _take_preflop(self, player: int, action: int, to_call: int) -> None:
        if self.raises == 2 and player == self._opener:
            self._give(player, "faced3bet", *(("fold3bet",) if action == FOLD else ()))
        if action == CALL and to_call:
            self._give(player, "vpip")
            if not self.raises:
                self._give(player, "limp")
                self.limps += 1
            elif self.raises == 1:
                self._give(player, "flat")
                self._callers += 1
        elif action > CALL:
            self._give(player, "vpip", "pfr")
            if self.raises == 0:
                self._give(player, "iso" if self.limps else "open")
                self._opener = player
            elif self.raises == 1:
                self._give(player, "3bet", *(("squeeze",) if self._callers else ()))
            else:
                self._give(player, "4bet" if self.raises == 2 else "5bet")
            self.preflop_raises += 1
            self._raiser = player

    def _take_postflop(self, player: int, action: int, state: HoldemState) -> None:
        if action > CALL and player in self._checked:
            self._give(player, "checkraise")
        if self.street != 1 or self._raiser < 0:
            return
        if not self.raises and player == self._raiser:
            self._give(player, "cbetchance")
            if action > CALL:
                self._give(player, "cbet")
                self._continued = True
        elif not self.raises and action > CALL:
            waits = state.in_hand[self._raiser] and state.stacks[self._raiser] > 0
            if waits and self._raiser not in self._acted:
                self._give(player, "donk")
        elif self.raises == 1 and self._continued:
            self._give(player, "facedcbet", *(("foldcbet",) if action == FOLD else ()))
