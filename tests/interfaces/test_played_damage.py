"""Three hundred damaged and mixed-up files of invented hands: nothing crashes, whole hands are counted."""

from __future__ import annotations

import io
import random
import re

from overbet.interfaces.history.containers import HandFile
from overbet.interfaces.history.played import read_file
from overbet.interfaces.history.played_hand import PlayedHand
from overbet.interfaces.history.record import HandFault
from tests.interfaces import invented_hands as invented

_NUMBER = re.compile(r"(Hand|Game|HandId:) #([A-Z]*)\d+")
_CODES = ("utf-8", "utf-8-sig", "utf-16", "cp1252")


def _numbered(text: str, number: int) -> str:
    return _NUMBER.sub(rf"\1 #\g<2>{number}", text, count=1)


def _damaged(text: str, dice: random.Random) -> str:
    """Return a hand with one kind of damage."""
    lines = text.split("\n")
    place = dice.randrange(len(lines) - 1)
    kind = dice.randrange(8)
    if kind == 0:
        return text[: dice.randrange(1, len(text))]
    if kind == 1:
        del lines[place : place + dice.randrange(1, 4)]
    elif kind == 2:
        lines.insert(place, lines[dice.randrange(len(lines))])
    elif kind == 3:
        dice.shuffle(lines)
    elif kind == 4:
        other = dice.choice(list(invented.GOOD.values())).split("\n")
        lines[place:place] = [line for line in other[1:] if "#" not in line]
    elif kind == 5:
        marks = list(text)
        for _ in range(dice.randrange(1, 30)):
            marks[dice.randrange(len(marks))] = chr(dice.choice([0, 9, 10, 32, 36, 42, 58, 91, 8364, 65533]))
        return "".join(marks)
    elif kind == 6:
        return re.sub(r"\d+", lambda _: str(dice.randrange(10 ** dice.randrange(1, 25))), text)
    else:
        return re.sub(r"[2-9TJQKA][cdhs]\b", lambda _: dice.choice(["Xx", "2c", "", "AhAh", "10h"]), text)
    return "\n".join(lines)


def test_three_hundred_damaged_files():
    dice = random.Random(19)
    number, whole_hands, faults = 10_000, 0, 0
    for file in range(300):
        parts, whole = list[str](), set[str]()
        for _ in range(dice.randrange(1, 6)):
            number += 1
            text = _numbered(dice.choice(list(invented.GOOD.values())), number)
            if dice.random() < 0.5:
                text = _damaged(text, dice)
            else:
                whole.add(str(number))
            parts.append(text)
        code = dice.choice(_CODES)
        content = "\n\n\n".join(parts).encode(code, errors="replace")
        if dice.random() < 0.3:
            content = content + dice.randbytes(dice.randrange(1, 400))
        found = list(read_file(HandFile(f"{file}.txt", io.BytesIO(content))))
        good = [hand for hand in found if isinstance(hand, PlayedHand)]
        read = {re.sub(r"\D", "", hand.number.split("-")[0]) for hand in good}
        assert whole <= read, (file, whole - read, [str(hand) for hand in found if hand not in good])
        for hand in found:
            if isinstance(hand, HandFault):
                faults += 1
                assert hand.reason
                assert hand.place.line >= 1
        whole_hands += len(whole)
    assert whole_hands > 300
    assert faults > 100
