"""What a decision is about: the kind of line before it, in the words of the trade.

    before the flop   unopened, facing limp, facing open, facing 3bet, facing 4bet (or more)
                      facing raise of limp: the own limp was raised
    after it          c-bet chance: nobody has bet the flop, and the player made the last raise before it
                      barrel chance: nobody has bet, and the player made the last bet of the street before
                      first to act, checked to: nobody has bet, and the player has no such initiative
                      facing bet, facing raise (of any bet of this street)

A line is told by the actions alone; who sits where and what lies on the table are other columns.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, NamedTuple

ActionKind = Literal["fold", "check", "call", "bet", "raise"]
KINDS: tuple[ActionKind, ...] = ("fold", "check", "call", "bet", "raise")
STREET_NAMES = ("preflop", "flop", "turn", "river")
_RAISES = ("facing open", "facing 3bet", "facing 4bet")


class HandStep(NamedTuple):
    """One action of a hand. street: 0 before the flop to 3 on the river."""

    street: int
    player: int
    kind: ActionKind


def kind_of(action: int, facing: bool, street: int) -> ActionKind:
    """Return the kind of an action, -1 fold, 0 check or call, above 0 a bet or raise.

    facing: whether there is something to call. Before the flop the blinds are a bet, so there are no bets.
    """
    if action < 0:
        return "fold"
    if action == 0:
        return "call" if facing else "check"
    return "raise" if facing or street == 0 else "bet"


def line_kind(steps: Sequence[HandStep], player: int, street: int) -> str:
    """Return the kind of line that `player` has before them on a street. steps: all actions until then."""
    here = [step for step in steps if step.street == street]
    raises = [step for step in here if step.kind in ("bet", "raise")]
    if street == 0:
        return _before_the_flop(here, raises, player)
    if raises:
        return "facing bet" if len(raises) == 1 else "facing raise"
    last = [step.player for step in steps if step.street == street - 1 and step.kind in ("bet", "raise")]
    if last and last[-1] == player:
        return "c-bet chance" if street == 1 else "barrel chance"
    return "checked to" if here else "first to act"


def _before_the_flop(here: Sequence[HandStep], raises: Sequence[HandStep], player: int) -> str:
    if not raises:
        return "facing limp" if any(step.kind == "call" for step in here) else "unopened"
    limped = any(step.player == player and step.kind == "call" for step in here[: here.index(raises[0])])
    if limped and len(raises) == 1:
        return "facing raise of limp"
    return _RAISES[min(len(raises), len(_RAISES)) - 1]
