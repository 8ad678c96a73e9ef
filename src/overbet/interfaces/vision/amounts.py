"""What a text says as an amount: English and French numbers, money, big blinds, chips.

Amounts are whole hundredths of the unit. A separator before one or two last digits is the decimal point;
before
three it parts thousands. Blanks are never seen: the reader of text leaves them out.
"""

from __future__ import annotations

import difflib
import re
from typing import NamedTuple

UNITS = ("bb", "€", "$", "£", "")
_LABEL = r"(?:[a-z:\-]+[:a-z])?"
_NUMBER = re.compile(rf"{_LABEL}\.?([€$£])?(\d[\d.,']*)(€|\$|£|bb|chips|eur|)", re.ASCII)
_ALL_IN = ("allin", "tapis")
MOST = 10**14  # hundredths


class Amount(NamedTuple):
    """An amount in hundredths, and its unit: bb, a currency, or nothing (chips)."""

    hundredths: int
    unit: str

    def __str__(self) -> str:
        number = f"{self.hundredths / 100:,.2f}".removesuffix(".00")
        return f"{number} {self.unit}".strip()


def amount_of(text: str) -> Amount | None:
    """Return the amount that a text without blanks says, None where it says none."""
    found = _NUMBER.fullmatch(text.lower())
    if found is None:
        return None
    before, number, after = found.groups()
    hundredths = _hundredths(number)
    if hundredths is None or (before and after):
        return None
    unit = before or (after if after in ("bb", "€", "$", "£") else "€" if after == "eur" else "")
    return Amount(hundredths, unit)


def likely_amount(text: str) -> tuple[Amount, float] | None:
    """Return the amount a text says or nearly says, and how far that counts: letters that look like digits
    stand for those among digits, and a letter or two behind a number are a unit that was not made out.
    """
    found = amount_of(text)
    if found is not None:
        return found, 1.0
    start = next(
        (place for place, letter in enumerate(text) if letter in "€$£" or letter.isdigit()), len(text)
    )
    if start == 1 and text[0] in "oli":
        start = 0
    number = text[start:].lower()
    unit = next((unit for unit in ("bb", "€", "$", "£") if number.endswith(unit)), "")
    plain = number.removesuffix(unit)
    stem = plain.rstrip("abcdefghkmnpqrtuvwx")
    stem = stem if len(plain) - len(stem) <= 2 else plain
    digits = sum(letter.isdigit() for letter in stem)
    letters = sum(letter.isalpha() for letter in stem)
    if not digits or letters > digits:
        return None
    found = amount_of(stem.translate(_LOOK_ALIKE) + unit)
    return None if found is None else (found, 0.8)


_LOOK_ALIKE = str.maketrans("olizsbygqe", "0112589998")


def _hundredths(number: str) -> int | None:
    parts = re.split(r"[.,']", number)
    marks = re.findall(r"[.,']", number)
    if any(not part for part in parts) or len(number) > 18:
        return None
    decimals = ""
    if marks and len(parts[-1]) != 3:
        if marks[-1] == "'" or len(parts[-1]) > 2 or marks[-1] in marks[:-1]:
            return None
        decimals = parts.pop()
        marks.pop()
    if len(set(marks)) > 1:
        return None
    if marks and (
        any(len(part) != 3 for part in parts[1:]) or not 1 <= len(parts[0]) <= 3 or parts[0] == "0"
    ):
        return None
    whole = "".join(parts)
    if len(whole) > 1 and whole[0] == "0":
        return None
    value = 100 * int(whole) + int(decimals.ljust(2, "0") or 0)
    return value if value < MOST else None


def is_all_in(text: str) -> bool:
    """Return whether a text says that a player is all in, in English or French."""
    plain = re.sub(r"[^a-z]", "", text.replace("1", "l"))
    return bool(plain) and any(difflib.SequenceMatcher(None, plain, word).ratio() >= 0.75 for word in _ALL_IN)
