"""Game definitions of the ACPC: a table as a small text.

    GAMEDEF
    nolimit
    numPlayers = 2
    numRounds = 4
    stack = 20000 20000
    blind = 100 50
    firstPlayer = 2 1 1 1
    numSuits = 4
    numRanks = 13
    numHoleCards = 2
    numBoardCards = 0 3 1 1
    END GAMEDEF

Positions are counted from the seat after the button, as players are here. Heads up the button posts the small
blind ("reverse blinds"): position 0 is the big blind, hence `blind = 100 50`, and position 1, the button,
acts first before the flop and last after it, hence `firstPlayer = 2 1 1 1`. With more seats the blinds are
`50 100 0 ...` and position 2, the third, begins.

No-limit hold'em alone is played here, on 2 to 10 seats.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

from overbet.errors import ArtefactError, ConfigError, nearest, quoted, reason, short
from overbet.games.holdem import HoldemGame
from overbet.kernels.holdem.layout import MAX_PLAYERS

STACK, BLINDS = 20_000, (50, 100)  # of the competition's tables
_MOST_BYTES = 1 << 16
_KEYS = {
    name.lower(): name
    for name in (
        *("numPlayers", "numRounds", "stack", "blind", "firstPlayer", "raiseSize"),
        *("maxRaises", "numSuits", "numRanks", "numHoleCards", "numBoardCards"),
    )
}
_HOLDEM = {"numRounds": [4], "numSuits": [4], "numRanks": [13], "numHoleCards": [2]}
_BOARD = [0, 3, 1, 1]
_SHORT = re.compile(r"([2-9]|10)p?")
_KNOWN = re.compile(r"holdem\.nolimit\.(\d{1,2})p(?:\.reverse_blinds)?(?:\.game)?")


def competition_game(players: int, stack: int = STACK, blinds: Sequence[int] = BLINDS) -> HoldemGame:
    """Return the competition's table of so many seats: 50/100 and 20,000 chips, unless told otherwise."""
    return HoldemGame(players, stack, tuple(blinds), name=game_name(players))


def game_name(players: int) -> str:
    """Return what the competition calls its no-limit table of so many seats."""
    return f"holdem.nolimit.{players}p" + (".reverse_blinds" if players == 2 else "")


def game_called(name: str) -> HoldemGame | None:
    """Return the competition's table of a name such as `2p` or `holdem.nolimit.3p.game`, None for others."""
    found = _SHORT.fullmatch(name) or _KNOWN.fullmatch(name)
    return competition_game(int(found[1])) if found and int(found[1]) >= 2 else None


def find_game(name: str) -> HoldemGame:
    """Return the table of a game file, or of a known name (`2p` to `10p`)."""
    path = Path(name)
    if _is_file(path):
        try:
            with path.open("rb") as file:
                content = file.read(_MOST_BYTES + 1)
        except OSError as error:
            raise ArtefactError(f"cannot read {short(path)}: {reason(error)}") from error
        return read_acpc_game(content.decode("utf-8", "replace"), path.name)
    found = game_called(name)
    if found is None:
        raise ConfigError(
            f"{quoted(name)} is no file, and no game known by that name; name a game file, or 2p to 10p for"
            " the competition's tables (20,000 chips, blinds 50 and 100)"
        )
    return found


def read_acpc_game(text: str, name: str = "game") -> HoldemGame:
    """Return the table of a game definition; an error names what cannot be played."""
    values, limit = _fields(text, name)
    if limit != "nolimit":
        raise ConfigError(
            f"{short(name)}: a {limit or 'game without a line'} `nolimit` cannot be played here"
        )
    for key, wanted in _HOLDEM.items():
        if values.get(key, wanted) != wanted:
            raise ConfigError(f"{short(name)}: {key} = {_text(values[key])} is not hold'em ({wanted[0]})")
    if values.get("numBoardCards", _BOARD) != _BOARD:
        raise ConfigError(f"{short(name)}: numBoardCards = {_text(values['numBoardCards'])} is not 0 3 1 1")
    if "maxRaises" in values and min(values["maxRaises"], default=0) < 255:
        raise ConfigError(f"{short(name)}: maxRaises cannot be limited here; leave it out")
    players = values.get("numPlayers", [0])[0]
    if not 2 <= players <= MAX_PLAYERS:
        raise ConfigError(
            f"{short(name)}: numPlayers = {players}; the rules here know 2 to {MAX_PLAYERS} players"
        )
    stacks = _each(values, "stack", players, name, [STACK] * players)
    return HoldemGame(players, stacks, _blinds(values, players, name), name=name.removesuffix(".game"))


def acpc_game_text(game: HoldemGame) -> str:
    """Return the definition of a table, as a game file holds it."""
    if any(game.antes) or game.rake:
        raise ConfigError("the ACPC has no antes and no rake; play without")
    players = game.num_players
    posted = [*game.blinds, *(0,) * (players - len(game.blinds))]
    lines = {
        "numPlayers": [players],
        "numRounds": [4],
        "stack": list(game.start),
        "blind": posted[::-1] if players == 2 else posted,
        "firstPlayer": [_opener(posted, players) + 1, 1, 1, 1],
        "numSuits": [4],
        "numRanks": [13],
        "numHoleCards": [2],
        "numBoardCards": _BOARD,
    }
    body = "\n".join(f"{key} = {_text(numbers)}" for key, numbers in lines.items())
    return f"GAMEDEF\nnolimit\n{body}\nEND GAMEDEF\n"


def _is_file(path: Path) -> bool:
    try:
        return path.is_file()
    except OSError:  # no file can have such a name
        return False


def _fields(text: str, name: str) -> tuple[dict[str, list[int]], str]:
    """Return the numbers by key, and `limit`, `nolimit` or nothing."""
    values: dict[str, list[int]] = {}
    limit, begun = "", False
    for number, raw in enumerate(text.splitlines(), 1):
        line = raw.strip()
        word = " ".join(line.lower().split())
        if not line or line.startswith("#"):
            continue
        if word == "gamedef":
            begun = True
        elif word == "end gamedef":
            return values, limit
        elif not begun:
            raise ConfigError(f"{short(name)}, line {number}: a game file begins with GAMEDEF")
        elif word in ("limit", "nolimit"):
            limit = word
        else:
            key, numbers = _numbers(line, f"{short(name)}, line {number}")
            values[key] = numbers
    raise ConfigError(
        f"{short(name)}: END GAMEDEF is missing" if begun else f"{short(name)}: no GAMEDEF in it"
    )


def _numbers(line: str, where: str) -> tuple[str, list[int]]:
    word, equals, rest = line.partition("=")
    key = _KEYS.get(word.strip().lower())
    if key is None:
        raise ConfigError(
            f"{where}: unknown word {quoted(word.strip())}{nearest(word.strip(), _KEYS.values())}"
        )
    parts = rest.split()
    if not equals or not parts or not all(re.fullmatch(r"[0-9]{1,12}", part) for part in parts):
        raise ConfigError(f"{where}: {key} is followed by = and whole numbers")
    return key, [int(part) for part in parts[:100]]


def _each(
    values: dict[str, list[int]], key: str, count: int, name: str, standard: list[int] | None = None
) -> list[int]:
    found = values.get(key, standard or [])
    if len(found) < count:
        raise ConfigError(f"{short(name)}: {key} needs {count} numbers, and {len(found)} are there")
    return found[:count]


def _blinds(values: dict[str, list[int]], players: int, name: str) -> tuple[int, ...]:
    """Return the blinds, small blind first, after a look at who is to act first."""
    posted = _each(values, "blind", players, name)
    ordered = posted[::-1] if players == 2 else posted
    kept = len(ordered)
    while kept > 2 and not ordered[kept - 1]:
        kept -= 1
    openers = _each(values, "firstPlayer", 4, name)
    wanted = [_opener(ordered, players) + 1, 1, 1, 1]
    if openers != wanted or ordered[0] > ordered[1]:
        heads_up = " (heads up the button posts the small blind: blind = 100 50)" if players == 2 else ""
        raise ConfigError(
            f"{short(name)}: blind = {_text(posted)} with firstPlayer = {_text(openers)} cannot be played"
            f" here; these blinds go with firstPlayer = {_text(wanted)}{heads_up}"
        )
    return tuple(ordered[:kept])


def _opener(posted: Sequence[int], players: int) -> int:
    """Return the position that acts first before the flop. posted: small blind first."""
    if players == 2:
        return 1
    last = max(place for place, chips in enumerate(posted) if chips == max(posted))
    return (last + 1) % players


def _text(numbers: Sequence[int]) -> str:
    return " ".join(map(str, numbers))
