"""Amounts as sites write them: `$2,418.66`, `10,000`, `0.05€`, `1 500,50 €`, `¥4`. They become hundredths."""

from __future__ import annotations

import re
from functools import lru_cache

_GROUP = "[.,'\u00a0\u202f\u2009 ]"
NUMBER = rf"\d{{1,3}}(?:{_GROUP}\d{{3}})+(?:[.,]\d{{1,2}})?(?!\d)|\d+(?:[.,]\d+)?"
# a currency before or behind the number: a sign, letters and a sign (CA$), or a sign read in a wrong encoding
MONEY = rf"(?:[^\d\s()\[\]+/|'\"*#,:-]{{1,4}}\s?)?(?:{NUMBER})(?:\s?[$€£¥₹])?"
_DIGITS = re.compile(NUMBER)
_SIGNS = {"$": "USD", "€": "EUR", "£": "GBP", "¥": "CNY", "₹": "INR"}
_CODE = re.compile(r"\b(USD|EUR|GBP|CNY|INR|CAD|SEK|AUD|BRL|RUB|PLN)\b")


class MoneyError(ValueError):
    """An amount that cannot be read."""


@lru_cache(maxsize=1 << 14)
def hundredths(text: str) -> int:
    """Return the amount in hundredths of its unit.

    A point or comma before one or two last digits is decimal, before three it parts thousands; after a lone
    zero it is decimal always.
    """
    found = _DIGITS.search(text)
    if found is None:
        raise MoneyError(f"{text!r} is not an amount")
    digits = found[0]
    last = max(digits.rfind("."), digits.rfind(","))
    decimals = ""
    if last >= 0 and (len(digits) - last - 1 != 3 or digits[:last] == "0"):
        digits, decimals = digits[:last], digits[last + 1 :]
    whole = re.sub(r"\D", "", digits)
    if len(whole) > 15 or decimals[2:].strip("0"):
        raise MoneyError(f"{text!r} is not an amount in hundredths")
    return int(whole) * 100 + int((decimals[:2] or "0").ljust(2, "0"))


def currency_of(text: str) -> str:
    """Return the currency a text names by code or sign, such as `EUR`; an empty text for play chips."""
    code = _CODE.search(text)
    if code:
        return code[1]
    return next((name for sign, name in _SIGNS.items() if sign in text), "")
