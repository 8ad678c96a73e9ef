"""What the first line of a hand tells at any site: the game, the blinds, when it was played."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from functools import lru_cache
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from overbet.errors import short
from overbet.interfaces.history.sites.money import MONEY, MoneyError, currency_of, hundredths
from overbet.interfaces.history.sites.told import HandError, ToldHand

# the last of these is the game: a tournament's or a club's name before it may speak of others
_NAMED = re.compile(
    r"(?P<holdem>\bHold[' \u2019]?em\s*\(?\s*(?:No Limit|NL)\b)"
    r"|\b(?:Hold[' \u2019]?em|Omaha|Stud|Razz|Draw|Badugi)\b[^,(]*?\b(?:No |Pot |Fixed )?Limit\b",
    re.IGNORECASE,
)
_CAP = re.compile(r"\bCap\b")
# hold'em with a deck, boards or cards of its own
_OTHER_HOLDEM = re.compile(
    r"(?:6\+|Short ?Deck|Split|Fusion|Tempest|Showtime|Unfold|Swap|Courchevel|Irish|Double Board|Bomb)\W*$",
    re.IGNORECASE,
)
_GAME = re.compile(
    r"((?:\S+ )?(?:Hold[' \u2019]?em|Omaha|Stud|Razz|Draw|Badugi|Badacey|Badeucy|Courchevel|HORSE|"
    r"H\.O\.R\.S\.E|8-Game|Mixed|PLO|Irish|Short ?Deck|Chinese)[^(\[]*)",
    re.IGNORECASE,
)
_BLINDS = re.compile(rf"\(\s*({MONEY})\s*/\s*({MONEY})(?P<rest>[^)]*)")
_ALL = re.compile(MONEY)
_DATE = re.compile(
    r"(\d{4})[/-](\d\d?)[/-](\d\d?)(?: - |[ T]+)(\d\d?):(\d\d)(?::(\d\d))?(?:\s*\(?([A-Z]{2,5}))?"
)
_ZONES = {
    "ET": "America/New_York",
    "EST": "America/New_York",
    "EDT": "America/New_York",
    "CET": "Europe/Paris",
    "CEST": "Europe/Paris",
    "WET": "Europe/Lisbon",
    "MSK": "Europe/Moscow",
    "UTC": "UTC",
    "GMT": "UTC",
}


@lru_cache
def _zone(name: str) -> ZoneInfo | None:
    """Return a zone by the name sites give it; None where it, or the machine's table of zones, is missing."""
    try:
        return ZoneInfo(_ZONES[name])
    except (KeyError, ZoneInfoNotFoundError):
        return None


def read_acpc_game(hand: ToldHand, text: str) -> None:
    """Set blinds, currency and time from the rest of a header; refuse other games by name."""
    games = list(_NAMED.finditer(text))
    game = games[-1] if games else None
    if game is None or not game["holdem"] or _OTHER_HOLDEM.search(text[: game.start()]):
        other = _GAME.search(text)
        if other is None and "(" not in text:
            raise HandError(f"the first line of the hand is cut: {short(text)!r}", hand.line)
        name = short(" ".join((other[1] if other else text).split(" - ")[0].split()), 60)
        raise HandError(f"{name} is not no-limit hold'em", hand.line, unsupported=True)
    hand.played = played_at(text)
    behind = text[game.end() :]
    if _CAP.search(behind):
        raise HandError("no-limit hold'em with a cap on bets is another game", hand.line, unsupported=True)
    blinds = _BLINDS.search(behind)
    if blinds:
        try:
            amounts = [hundredths(part) for part in _ALL.findall(blinds[0])]
            if hand.site == "winamax" and len(amounts) == 3:
                del amounts[0]  # the ante
            hand.small, hand.big = amounts[:2]
        except MoneyError as error:
            raise HandError(str(error), hand.line) from None
        if hand.format == "cash":
            hand.currency = currency_of(blinds[0])


def played_at(text: str) -> datetime | None:
    """Return when a hand was played, in UTC where a zone that is known is named, as it stands otherwise."""
    found = list(_DATE.finditer(text))
    if not found:
        return None
    best = next((one for one in found if one[7] in _ZONES), found[0])
    year, month, day, hour, minute, second = (int(part or 0) for part in best.groups()[:6])
    try:
        time = datetime(year, month, day, hour, minute, second)
        zone = _zone(best[7] or "")
        return time if zone is None else time.replace(tzinfo=zone).astimezone(UTC).replace(tzinfo=None)
    except (ValueError, OverflowError):
        return None
