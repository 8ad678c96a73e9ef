"""How good a decision was, in one word, by what it gives up.

The loss is EV of the best action less EV of the one taken, as a share of the pot there. `best`: nothing is
lost. `correct`: the strategy takes the action too (at least `PLAYED` of the time), or the loss is smaller
than what the values are known to: within solver error. Beyond that `inaccuracy` up to 2.5 % of the pot,
`mistake` up to 10 %, `blunder`.
"""

from __future__ import annotations

from typing import Literal

Grade = Literal["best", "correct", "inaccuracy", "mistake", "blunder"]
GRADES: tuple[Grade, ...] = ("best", "correct", "inaccuracy", "mistake", "blunder")
PLAYED = 0.05
INACCURACY, MISTAKE = 0.025, 0.10


def grade(loss: float, pot: float, accuracy: float, share: float) -> tuple[Grade, bool]:
    """Return the word, and whether the loss is within solver error.

    loss, pot, accuracy: in one unit; accuracy: how well values are known. share: how often the strategy takes
    the action.
    """
    if loss <= 0.0:
        return "best", False
    within = loss <= accuracy
    if within or share >= PLAYED:
        return "correct", within
    part = loss / pot
    return ("inaccuracy" if part <= INACCURACY else "mistake" if part <= MISTAKE else "blunder"), False
