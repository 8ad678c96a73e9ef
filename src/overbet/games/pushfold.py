"""Heads-up push or fold: the small blind is all in or out, the big blind calls or folds.

Stacks are equal and counted before anything is posted. Each player posts the ante, then the blinds 0.5
and 1 are posted; all amounts are in big blinds. The small blind folds and loses 0.5 + ante, or pushes:
the big blind folds and loses 1 + ante, or calls for the whole stack and the board decides. Before the flop
a hand is one of 169 classes; deals are weighted by the pairs of combos that share no card, and the
showdown pays the exact equity, so the game has no board to deal.

Seen as a matrix game with push frequencies p and call frequencies c, the small blind's value is

    V(p, c) = -(0.5 + ante) + sum_i p_i * (gain_i + sum_j matrix_ij * c_j)

with gain_i the worth of stealing and matrix_ij what being called costs or brings, both weighted by the
probability of the deal.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from overbet.cards.combos import CLASSES, COMBOS, class_name, combos_of_class
from overbet.errors import IllegalActionError, RulesError
from overbet.games.protocol import CHANCE, TERMINAL

FOLD, ALL_IN = 0, 1
SMALL_BLIND_BB, BIG_BLIND_BB = 0.5, 1.0
MOST_BB = 1e6  # of a stack: beyond it a blind is lost in the rounding of what is won and lost

_DEALS = COMBOS * 1225  # ordered pairs of combos that share no card


@dataclass(frozen=True)
class PushFoldGame:
    """The rules with stack and ante fixed, in big blinds."""

    stack_bb: float
    ante_bb: float = 0.0

    name = "pushfold"
    num_players = 2

    def __post_init__(self) -> None:
        stack, ante = self.stack_bb, self.ante_bb
        if not math.isfinite(stack) or stack <= 0:
            raise RulesError(f"the stack must be a positive number of big blinds, not {stack:g}")
        if not math.isfinite(ante) or ante < 0:
            raise RulesError(f"the ante must be 0 or a positive number of big blinds, not {ante:g}")
        if stack > MOST_BB:
            raise RulesError(f"a stack of {stack:g} bb is more than {MOST_BB:,.0f}; give a smaller one")
        least = BIG_BLIND_BB + ante
        if stack <= least:
            raise RulesError(
                f"a stack of {stack:g} bb is all in once ante and big blind are posted; "
                f"give more than {least:g} bb"
            )

    @property
    def small_blind_fold_bb(self) -> float:
        """What the small blind gets for folding."""
        return -(SMALL_BLIND_BB + self.ante_bb)

    @property
    def big_blind_fold_bb(self) -> float:
        """What the big blind gets for folding to a push."""
        return -(BIG_BLIND_BB + self.ante_bb)

    @cached_property
    def deals(self) -> npt.NDArray[np.float64]:
        """The probability that small and big blind are dealt two classes: [169, 169] float64."""
        from overbet.cards.preflop import pair_counts_169

        return pair_counts_169() / float(_DEALS)

    @cached_property
    def called_bb(self) -> npt.NDArray[np.float64]:
        """What the small blind gets on average when a push is called: [169, 169] float64."""
        from overbet.cards.preflop import equity_169

        worth: npt.NDArray[np.float64] = self.stack_bb * (2.0 * equity_169() - 1.0)
        return worth

    @cached_property
    def gain(self) -> npt.NDArray[np.float64]:
        """What an uncalled push is worth over a fold: [169] float64, times the deal's probability."""
        steal: npt.NDArray[np.float64] = self.deals.sum(1) * -(
            self.small_blind_fold_bb + self.big_blind_fold_bb
        )
        return steal

    @cached_property
    def matrix(self) -> npt.NDArray[np.float64]:
        """What a call changes for the small blind: [169, 169] float64, times the deal's probability."""
        change: npt.NDArray[np.float64] = self.deals * (self.called_bb + self.big_blind_fold_bb)
        return change

    def initial_state(self) -> PushFoldState:
        return PushFoldState(self)


@dataclass(frozen=True, slots=True)
class PushFoldState:
    """The classes dealt, small blind first, and the line played: f, p, pf or pc."""

    game: PushFoldGame
    hands: tuple[int, ...] = ()
    line: str = ""

    def current_player(self) -> int:
        if len(self.hands) < 2:
            return CHANCE
        return TERMINAL if self.is_terminal() else len(self.line)

    def is_terminal(self) -> bool:
        return self.line in ("f", "pf", "pc")

    def legal_actions(self) -> Sequence[int]:
        if len(self.hands) < 2:
            return [hand for hand, _ in self.chance_outcomes()]
        return [] if self.is_terminal() else [FOLD, ALL_IN]

    def chance_outcomes(self) -> Sequence[tuple[int, float]]:
        if len(self.hands) == 2:
            return []
        if not self.hands:
            return [(hand, len(combos_of_class(hand)) / COMBOS) for hand in range(CLASSES)]
        row = self.game.deals[self.hands[0]]
        return [(hand, float(row[hand] / row.sum())) for hand in range(CLASSES)]

    def apply(self, action: int) -> PushFoldState:
        if action not in self.legal_actions():
            raise IllegalActionError(f"action {action} is not legal here; legal: {self._legal_names()}")
        if len(self.hands) < 2:
            return PushFoldState(self.game, (*self.hands, action), self.line)
        letters = "fp" if not self.line else "fc"
        return PushFoldState(self.game, self.hands, self.line + letters[action])

    def returns(self) -> tuple[float, ...]:
        if not self.is_terminal():
            raise IllegalActionError("returns are known only once the game is over")
        if self.line == "f":
            small_blind = self.game.small_blind_fold_bb
        elif self.line == "pf":
            small_blind = -self.game.big_blind_fold_bb
        else:
            small_blind = float(self.game.called_bb[self.hands])
        return small_blind, -small_blind

    def information_state(self, player: int) -> str:
        hand = class_name(self.hands[player]) if player < len(self.hands) else "?"
        return f"{hand}:{self.line}"

    def action_name(self, action: int) -> str:
        if len(self.hands) < 2:
            return f"deal {class_name(action)} to player {len(self.hands)}"
        return "fold" if action == FOLD else "call" if self.line else "push"

    def _legal_names(self) -> str:
        if len(self.hands) < 2:
            return "a class 0 (AA) to 168 (22)"
        return (
            ", ".join(f"{a} ({self.action_name(a)})" for a in self.legal_actions())
            or "none, the game is over"
        )


def pushfold_game(stack_bb: float = 10.0, ante_bb: float = 0.0) -> PushFoldGame:
    """Return heads-up push or fold at a stack and ante in big blinds."""
    return PushFoldGame(stack_bb, ante_bb)
