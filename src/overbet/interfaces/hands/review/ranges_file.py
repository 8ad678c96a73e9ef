"""The user's own ranges by position and line before the flop, from a YAML file.

    BTN open: 22+,A2s+,K5s+,Q8s+,J8s+,T8s+,97s+,87s,76s,A7o+,KTo+,QTo+,JTo
    BB call vs BTN open: 22-99,A2s-A9s,K2s+,Q6s+,J7s+,T7s+,97s+,86s+,75s+,A2o-ATo,K9o+,QTo+,JTo
    BB call vs open: 22-JJ,A2s-AQs,KTs+,QTs+,JTs,AJo,KQo
    BB 3bet: TT+,AQs+,AKo,A5s-A2s

The most exact name that is there is used: `BB call vs BTN open`, then `BB call vs open`, then `BB call`.
"""

from __future__ import annotations

from pathlib import Path

from overbet.cards.range import Range
from overbet.errors import ConfigError, RangeError, quoted, reason, short, unknown
from overbet.interfaces.hands.review.preflop_line import LINES, RAISES, PreflopLine
from overbet.interfaces.hands.words import POSITIONS
from overbet.yaml_text import MOST_BYTES, parse_yaml


class LineRanges:
    """Ranges by the name of a line."""

    def __init__(self, ranges: dict[str, Range], source: str) -> None:
        self.ranges, self.source = ranges, source

    @classmethod
    def load(cls, path: str | Path) -> LineRanges:
        """Read a file; a fault is one line that names the place."""
        try:
            with open(path, encoding="utf-8") as file:
                text = file.read(MOST_BYTES + 1)
        except OSError as error:
            raise ConfigError(f"cannot read {short(path)}: {reason(error)}") from error
        except ValueError as error:
            raise ConfigError(f"cannot read {short(path)}: it is not a text file") from error
        source = Path(path).name
        values = parse_yaml(text, source)
        if not isinstance(values, dict) or not values:
            raise ConfigError(f"{source}: write lines such as `BTN open: 22+,A2s+,KTs+`")
        return cls(
            {_line_name(key, source): _read(key, held, source) for key, held in values.items()}, source
        )

    def find(self, line: PreflopLine) -> Range | None:
        """Return the range of a line by its most exact name, None where there is none."""
        return next((self.ranges[name] for name in line.names() if name in self.ranges), None)


def _line_name(key: object, source: str) -> str:
    """Return a name as it is looked up; an error says what is wrong with it."""
    plain, mark, versus = (part.strip() for part in " ".join(str(key).split()).partition(" vs "))
    position, _, word = plain.partition(" ")
    _known("position", position.upper(), POSITIONS, key, source)
    _known("line", word.lower(), LINES, key, source)
    name = f"{position.upper()} {word.lower()}"
    if not mark:
        return name
    *who, how = versus.split(" ")
    if len(who) > 1:
        raise ConfigError(f"{source}: {quoted(key)}: behind vs stands a position and a raise, or a raise")
    for other in who:
        _known("position", other.upper(), POSITIONS, key, source)
    _known("raise", how.lower(), RAISES, key, source)
    return f"{name} vs {' '.join([*(other.upper() for other in who), how.lower()])}"


def _known(kind: str, name: str, known: tuple[str, ...], key: object, source: str) -> None:
    if name not in known:
        raise ConfigError(f"{source}: {quoted(key)}: {unknown(kind, name, known)}")


def _read(key: object, held: object, source: str) -> Range:
    if not isinstance(held, str):
        raise ConfigError(f"{source}: {quoted(key)}: write a range as text, such as 22+,A2s+,KTs+")
    try:
        found = Range.parse(held)
    except RangeError as error:
        raise ConfigError(f"{source}: {quoted(key)}: {error}") from error
    if not found:
        raise ConfigError(f"{source}: {quoted(key)}: the range is empty")
    return found
