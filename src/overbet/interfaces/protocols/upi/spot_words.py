"""What the setting commands leave behind: board, ranges, pot, stack, lines or bet sizes, rake, accuracy.

`spot` makes of it a spot as our solver takes it, `settings` how it is solved.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from overbet.cards.cards import board, cards_name
from overbet.cards.range import Range
from overbet.errors import quoted
from overbet.interfaces.protocols.upi.words import POSITIONS, UpiError, number, position, range_of, whole
from overbet.tree.bet_lines import Line, check_bet_line, read_bet_line, without_line
from overbet.tree.spot import STREETS, Spot

ACCURACY = ("chips", "fraction")
_KINDS = ("bet", "raise", "donk")
_MOST_THREADS = 4096


@dataclass
class SpotWords:
    """The state. ranges: OOP, IP. accuracy: a number, in chips or as a fraction of the pot; 0 is no target.

    bets: sizes by street (`every` for all), player and kind, an extension of ours. removed: whether lines
    were.
    """

    board: str = ""
    ranges: list[Range | None] = field(default_factory=lambda: [None, None])
    pot: int = 0
    stack: int = 0
    lines: dict[Line, None] = field(default_factory=dict)
    bets: dict[str, dict[str, dict[str, str]]] = field(default_factory=dict)
    rake: tuple[float, float] = (0.0, 0.0)
    accuracy: tuple[float, str] = (0.0, "chips")
    isomorphism: bool = True
    threads: int = 0
    info_seconds: float = 5.0

    def set_board(self, words: list[str]) -> None:
        """`set_board Qh Qc 2c`, or without blanks."""
        found = board("".join(words))
        if len(found) not in (3, 4, 5):
            raise UpiError("a board has 3, 4 or 5 cards; preflop trees are not there")
        self.board = cards_name(found)

    def set_range(self, words: list[str]) -> None:
        """`set_range OOP` and 1,326 weights or a text."""
        if len(words) < 2:
            raise UpiError("set_range takes OOP or IP and a range")
        self.ranges[position(words[0])] = range_of(words[1:])

    def set_pot(self, words: list[str]) -> None:
        """`set_pot 0 0 40`: what either player has in the betting under way, and the pot before it."""
        if len(words) != 3:
            raise UpiError("set_pot takes three numbers: put in by OOP, by IP, and the pot, such as 0 0 100")
        oop, ip, pot = (whole(word, "set_pot") for word in words)
        if oop or ip:
            raise UpiError(
                "set_pot: chips put in by OOP and IP before the root are not there; add them to the pot"
            )
        if not pot:
            raise UpiError("set_pot: the pot has at least one chip")
        self.pot = pot

    def set_eff_stack(self, words: list[str]) -> None:
        """`set_eff_stack 230`."""
        self.stack = whole(only(words, "set_eff_stack"), "set_eff_stack", 1)

    def add_line(self, words: list[str]) -> None:
        """`add_line 24 59 122 122 230`."""
        line = read_bet_line(" ".join(words))
        if self.stack:
            check_bet_line(line, self.stack, 3 - self._first_street())
        self.lines[line] = None

    def remove_line(self, words: list[str]) -> None:
        """`remove_line 24 59`: the last action of the line, with all that follows it."""
        line = read_bet_line(" ".join(words))
        if not any(one[: len(line)] == line for one in self.lines):
            raise UpiError(f"no line begins with {' '.join(map(str, line))}")
        self.lines = dict.fromkeys(without_line(self.lines, line))

    def set_bet_sizes(self, words: list[str]) -> None:
        """`set_bet_sizes flop OOP bet 33%,75%`: menus in the place of lines; an extension."""
        if len(words) < 3 or words[0].lower() not in (*STREETS, "every") or words[2].lower() not in _KINDS:
            raise UpiError(
                "set_bet_sizes takes a street (flop, turn, river, every), OOP or IP, bet, raise or donk, and"
                " sizes"
            )
        player = POSITIONS[position(words[1])].lower()
        menus = self.bets.setdefault(words[0].lower(), {})
        menus.setdefault(player, {})[words[2].lower()] = " ".join(words[3:])

    def set_rake(self, words: list[str]) -> None:
        """`set_rake 0.05 10`: share of the pot and cap."""
        if len(words) != 2:
            raise UpiError("set_rake takes a share of the pot and a cap, such as 0.05 10")
        self.rake = (number(words[0], "set_rake"), number(words[1], "set_rake"))

    def set_accuracy(self, words: list[str]) -> None:
        """`set_accuracy 0.5`, in chips, or `set_accuracy 0.005 fraction`, of the pot."""
        kind = words[1].lower() if len(words) > 1 else "chips"
        if not 1 <= len(words) <= 2 or kind not in ACCURACY:
            raise UpiError("set_accuracy takes a number, and chips or fraction")
        value = number(words[0], "set_accuracy")
        if value < 0:
            raise UpiError("set_accuracy: an accuracy is not negative")
        self.accuracy = (value, kind)

    def set_isomorphism(self, words: list[str]) -> None:
        """`set_isomorphism 1 0`: on the flop and on the turn; here one switch, on where either is."""
        if not 1 <= len(words) <= 2:
            raise UpiError("set_isomorphism takes 0 or 1 for the flop, and for the turn")
        self.isomorphism = max(whole(word, "set_isomorphism", 0, 1) for word in words) > 0

    def set_threads(self, words: list[str]) -> None:
        """`set_threads 4`; 0 for all cores."""
        self.threads = whole(only(words, "set_threads"), "set_threads", 0, _MOST_THREADS)

    def set_info_freq(self, words: list[str]) -> None:
        """`set_info_freq 10`: seconds between two reports of a running solve."""
        self.info_seconds = number(only(words, "set_info_freq"), "set_info_freq")
        if self.info_seconds < 0:
            raise UpiError("set_info_freq: seconds are not negative")

    def spot(self) -> Spot:
        """Return the spot; an error names what is not set yet."""
        missing = [
            name
            for name, there in (
                ("set_board", self.board),
                ("set_range OOP", self.ranges[0] is not None),
                ("set_range IP", self.ranges[1] is not None),
                ("set_pot", self.pot),
                ("set_eff_stack", self.stack),
                ("add_line", self.lines or self.bets),
            )
            if not there
        ]
        if missing:
            raise UpiError(f"there is no tree yet: {', '.join(missing)} first")
        if self.lines and self.bets:
            raise UpiError("lines and bet sizes are both given; clear_lines or clear_bet_sizes first")
        values: dict[str, Any] = {
            "board": self.board,
            "pot": self.pot,
            "stacks": self.stack,
            "ranges": {"oop": str(self.ranges[0]), "ip": str(self.ranges[1])},
            "rake": {"share": self.rake[0], "cap": self.rake[1]},
            "isomorphism": self.isomorphism,
        }
        if self.lines:
            values["lines"] = [list(line) for line in self.lines]
        else:
            values["bets"] = self.bets
        return Spot.parse(values, "the tree")

    def take(self, spot: Spot) -> None:
        """Be what a spot is: after a tree was loaded."""
        self.board, self.pot, self.stack = spot.board, spot.pot, spot.effective_stack
        self.ranges = [spot.range_of(0), spot.range_of(1)]
        self.lines, self.bets = dict.fromkeys(spot.lines), {}
        self.rake, self.isomorphism = (spot.rake.share, spot.rake.cap), spot.isomorphism

    def target(self) -> float:
        """Return the exploitability to stop at, in % of the pot."""
        value, kind = self.accuracy
        return 100 * value / self.pot if kind == "chips" and self.pot else 100 * value

    def settings_text(self) -> str:
        """Return what is set, a line each."""
        return "\n".join(
            (
                f"isomorphism: {int(self.isomorphism)} {int(self.isomorphism)}",
                f"accuracy: {self.accuracy[0]:g}",
                f"accuracy mode: {self.accuracy[1]}",
                f"thread_no: {self.threads}",
                f"info_freq: {self.info_seconds:g}",
                f"rake: {self.rake[0]:g} {self.rake[1]:g}",
            )
        )

    def _first_street(self) -> int:
        return len(board(self.board)) - 3 if self.board else 0


def only(words: list[str], name: str) -> str:
    """Return the one argument of a command."""
    if len(words) != 1:
        raise UpiError(f"{name} takes one argument, and {len(words)} are given: {quoted(' '.join(words))}")
    return words[0]
