"""What answers have to be, said in words where they are not."""

from __future__ import annotations

import math
from collections.abc import Callable
from pathlib import Path

from overbet.errors import ConfigError

CHIPS_PER_BLIND = 100  # spots written by the menu count in hundredths of a big blind
_MOST_BLINDS = 1_000_000


def check_board(text: str) -> None:
    """Refuse what is not a flop, turn or river."""
    from overbet.cards.cards import board

    if len(board(text)) < 3:
        raise ConfigError("write the 3, 4 or 5 cards of the board, such as Td9d6h")


def chips_of(text: str) -> int:
    """Return the chips of an amount in big blinds such as 5.5."""
    word = text.lower().removesuffix("bb").strip()
    try:
        blinds = float(word)
    except ValueError:
        raise ConfigError("write an amount in big blinds, such as 5.5") from None
    chips = blinds * CHIPS_PER_BLIND
    if not 0 < blinds <= _MOST_BLINDS or not math.isfinite(blinds):
        raise ConfigError(f"an amount is above 0 and at most {_MOST_BLINDS:,} big blinds")
    if abs(chips - round(chips)) > 1e-6:
        raise ConfigError("an amount has at most two decimals, such as 97.25")
    return round(chips)


def check_range(text: str) -> None:
    """Refuse what is not a range with at least one hand."""
    from overbet.cards.range import Range

    if not Range.parse(text).weights.any():
        raise ConfigError("write a range with at least one hand, such as 22+,A2s+,KTo+")


def check_bets(text: str) -> None:
    """Refuse what are not sizes of bets; none at all is a check-down."""
    from overbet.betting.sizes import parse_sizes

    parse_sizes(text)


def check_raises(text: str) -> None:
    """Refuse what are not sizes of raises."""
    from overbet.betting.sizes import parse_sizes

    parse_sizes(text, raising=True)


def number_between(low: float, high: float, words: str) -> Callable[[str], float]:
    """Return the check of a number. words: what it is."""

    def check(text: str) -> float:
        try:
            value = float(text.replace(",", "").replace("_", "").rstrip("%"))
        except ValueError:
            raise ConfigError(f"write {words}, a number from {low:g} to {high:,g}") from None
        if not low <= value <= high:
            raise ConfigError(f"{words} is from {low:g} to {high:,g}")
        return value

    return check


def whole_between(low: int, high: int, words: str) -> Callable[[str], int]:
    """Return the check of a whole number. words: what it is."""

    def check(text: str) -> int:
        value = number_between(low, high, words)(text)
        if value != int(value):
            raise ConfigError(f"{words} is a whole number")
        return int(value)

    return check


def new_file(suffix: str) -> Callable[[str], None]:
    """Return the check of the name of a file to write."""

    def check(text: str) -> None:
        from overbet.files import check_place

        if Path(text).suffix != suffix or not Path(text).stem:
            raise ConfigError(f"write the name of a file that ends in {suffix}")
        check_place(Path(text))

    return check


def known_file(text: str) -> None:
    """Refuse the name of a file that is not there."""
    if not Path(text).is_file():
        raise ConfigError(f"there is no file {text}; write the path of one" if text else "write a path")


def check_agent(text: str) -> None:
    """Refuse the name of an agent that cannot be made."""
    from overbet.agents.registry import make_agent

    if not text:
        raise ConfigError("write an agent, such as tag or blueprint:heads-up")
    make_agent(text)
