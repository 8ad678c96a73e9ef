"""What a decision is about: the kind of line before it, in the words of the trade.

    before the flop   unopened, facing limp, facing open, facing 3bet, facing 4bet (or more)
                      facing raise of limp: the own limp was raised
    after it          c-bet chance: nobody has bet the flop, and the player made the last raise before it
                      barrel chance: nobody has bet, and the player made the last bet of the street before
                      first to act, checked to: nobody has bet, and the player has no such initiative
                      facing bet, facing raise (of any bet of this street)

A line is told by the actions alone; who sits where and what lies on the table are other columns. `FACING` is
finer before the fourth raise and says nothing of who has the initiative; `line_word` makes a line of it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, NamedTuple

ActionKind = Literal["fold", "check", "call", "bet", "raise"]
KINDS: tuple[ActionKind, ...] = ("fold", "check", "call", "bet", "raise")
STREET_NAMES = ("preflop", "flop", "turn", "river")

# What stood before a decision. Before the flop by the number of raises, and limps where there is none; after
# it by what was bet on this street. Databases of hands hold places in this tuple: words are added at the end.
FACING = (
    "unopened",  # before the flop: nobody has put in more than a blind
    "facing limp",  # before the flop: somebody called the blind, nobody raised
    "facing open",
    "facing 3bet",
    "facing 4bet",
    "facing 5bet",  # or more raises
    "first to act",  # after the flop: nobody has acted on this street
    "checked to",
    "facing bet",
    "facing raise",
    "facing reraise",  # or more raises
)
_OPENED, _BET = FACING.index("facing open"), FACING.index("facing bet")
_COARSER = {"facing 5bet": "facing 4bet", "facing reraise": "facing raise"}  # too rare to stand alone


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
    before = here[: here.index(raises[0])] if raises else here
    limpers = [step.player for step in before if street == 0 and step.kind == "call"]
    last = [step.player for step in steps if step.street == street - 1 and step.kind in ("bet", "raise")]
    facing = facing_word(street, len(raises), bool(limpers), bool(here))
    return line_word(facing, street, limped=player in limpers, led=bool(last) and last[-1] == player)


def facing_word(street: int, raises: int, limps: bool, acted: bool) -> str:
    """Return what a player faces, a word of `FACING`.

    raises: bets and raises on this street, the blinds apart; limps: whether anybody limped; acted: whether
    anybody acted on this street.
    """
    if street == 0:
        if not raises:
            return "facing limp" if limps else "unopened"
        return FACING[_OPENED + min(raises, 4) - 1]
    if not raises:
        return "checked to" if acted else "first to act"
    return FACING[_BET + min(raises, 3) - 1]


def line_word(facing: str, street: int, *, limped: bool, led: bool) -> str:
    """Return the kind of line of a decision by what is faced.

    limped: whether the player limped before; led: whether the player made the last bet or raise of the
    street before.
    """
    if limped and facing == "facing open":
        return "facing raise of limp"
    if led and facing in ("first to act", "checked to"):
        return "c-bet chance" if street == 1 else "barrel chance"
    return _COARSER.get(facing, facing)
