"""A verdict on a decision before it is known which row of the database it belongs to."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

from overbet.errors import OverbetError
from overbet.games.holdem_state import HoldemState
from overbet.interfaces.hands.features import action_kind
from overbet.interfaces.hands.reviews import WITHIN, Method, PricedAction, PricedDecision
from overbet.study.grades import SMALL_POT, Grade, grade


class NotPricedError(OverbetError):
    """A decision that cannot be priced; the message is the reason that is kept."""


@dataclass(frozen=True, slots=True)
class DecisionVerdict:
    """What a decision was worth; fields as in `PricedDecision`."""

    method: Method
    source: str
    grade: Grade | Literal["within solver error"]
    loss_bb: float
    accuracy_bb: float
    share: float
    taken: str
    best: str
    actions: tuple[PricedAction, ...]
    spot: dict[str, Any] | None = None

    def priced(self, hand: int, number: int, settings: str) -> PricedDecision:
        """Return the row of a decision."""
        return PricedDecision(
            hand,
            number,
            self.method,
            self.source,
            settings,
            self.grade,
            self.loss_bb,
            self.accuracy_bb,
            self.share,
            self.taken,
            self.best,
            self.actions,
            self.spot,
        )


def solved_grade(
    loss_bb: float, pot_bb: float, accuracy_bb: float, share: float
) -> Grade | Literal["within solver error"]:
    """Return the word for a loss in a solved spot; below 0 where what is never taken seems worth more."""
    if loss_bb < 0:
        return WITHIN if -loss_bb <= accuracy_bb else "unclear"
    word, within = grade(loss_bb, max(pot_bb, SMALL_POT), accuracy_bb, share)
    return WITHIN if within else word


def named(state: HoldemState, action: int) -> str:
    """Return an action in words with big blinds, such as `raise to 7.5`."""
    kind, blind = action_kind(state, action), state.game.big_blind
    if kind in ("fold", "check"):
        return kind
    player = state.current_player()
    if kind == "call":
        return f"call {state.to_call / blind:g}"
    if action >= state.bets[player] + state.stacks[player]:
        return f"all-in {action / blind:g}"
    return f"{'raise to' if kind == 'raise' else 'bet'} {action / blind:g}"
