"""How good a decision was, in one word, by what it gives up.

The loss is EV of the best action less EV of the one taken, as a share of the pot there. `best`: nothing is
lost. `correct`: the strategy takes the action too (at least `PLAYED` of the time). Beyond that `inaccuracy`
up to 2.5 % of the pot, `mistake` up to 10 %, `blunder`; a pot below four big blinds counts as four, so that
before the flop a tenth of a blind is an inaccuracy and not a blunder.

In a solved tree a loss no larger than what the solve is known to is correct: within solver error. Where
values are estimates, by playing on many times, an action that the strategy hardly takes is never best or
correct, and the grade is `unclear` where noise could make the loss, or where it lies on a limit.
"""

from __future__ import annotations

from typing import Literal

Grade = Literal["best", "correct", "inaccuracy", "mistake", "blunder", "unclear"]
GRADES: tuple[Grade, ...] = ("best", "correct", "inaccuracy", "mistake", "blunder", "unclear")
PLAYED = 0.05
INACCURACY, MISTAKE = 0.025, 0.10
ON_LIMIT = 0.8  # of the accuracy: an estimate as near as this to a limit may well lie beyond it
SMALL_POT = 4.0  # big blinds: smaller pots count as this


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
    return _fault(loss / pot), False


def estimated_grade(loss: float, pot: float, accuracy: float, share: float, *, is_best: bool) -> Grade:
    """Return the word where values are estimates: the true loss is hardly further off than `accuracy`.

    is_best: the strategy takes the action, and no other is worth more.
    """
    if is_best:
        return "best"
    if share >= PLAYED:
        return "correct"
    near = ON_LIMIT * accuracy
    least, most = _fault((loss - near) / pot), _fault((loss + near) / pot)
    return least if loss > accuracy and least == most else "unclear"


def _fault(part: float) -> Grade:
    return "inaccuracy" if part <= INACCURACY else "mistake" if part <= MISTAKE else "blunder"
