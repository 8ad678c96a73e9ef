"""The verdict on a decision of a played hand: one for the terminal, the page and whoever asks.

The values are exact sums, or come from playing on many times and are then known to some standard errors
(`evaluation.match_review`); the word is that of `grades`. It is played on until the word is clear, or
`MOST_RUNS` times. Who looks often sees a clear word by luck now and then: before the last look it has to be
clearer than at the end.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from overbet.evaluation.match_review import Effort, MatchDecision
from overbet.study.grades import PLAYED, SMALL_POT, Grade, estimated_grade

ERRORS = 3.0  # standard errors to which values by playing on are known
EARLY_ERRORS = 4.0  # the same before the last look
FIRST_RUNS, MOST_RUNS = 16_000, 2_048_000  # how often actions are played on


@dataclass(frozen=True)
class ReviewedDecision:
    """A decision and how good it was.

    loss_bb: the EV of the best action less that of the one taken, never below 0; accuracy_bb: how well that
    is known. share: how often the adviser takes the action.
    """

    decision: MatchDecision
    grade: Grade
    loss_bb: float
    accuracy_bb: float
    share: float


def reviewed(decision: MatchDecision, errors: float = ERRORS) -> ReviewedDecision:
    """Return the verdict on a decision. errors: standard errors to which values are taken for known."""
    shares = {choice.action: choice.share for choice in decision.choices}
    share = shares.get(decision.taken, 0.0)
    accuracy = errors * decision.loss_error_bb
    pot = max(decision.state.pot / decision.state.game.big_blind, SMALL_POT)
    worth = {choice.action: choice.ev_bb for choice in decision.choices}
    is_best = decision.taken == decision.best and worth[decision.best] >= max(worth.values())
    if is_best and share < PLAYED and decision.lead_bb <= errors * decision.lead_error_bb:
        return ReviewedDecision(decision, "unclear", 0.0, errors * decision.lead_error_bb, share)
    word = estimated_grade(decision.loss_bb, pot, accuracy, share, is_best=is_best)
    return ReviewedDecision(decision, word, max(0.0, decision.loss_bb), accuracy, share)


def how_known(decision: MatchDecision) -> str:
    """Return where the values of a decision are from, in words."""
    if is_push_or_fold(decision):
        return "exact, if both play push or fold from here"
    if not decision.runs:
        return "exact: all hands and cards added up"
    return f"estimated from {decision.runs:,} simulated hands for each action"


def is_push_or_fold(decision: MatchDecision) -> bool:
    """Return whether the values are those of push or fold: before the flop nothing else is exact."""
    return not decision.runs and decision.state.street == "preflop"


def why_unclear(decision: MatchDecision) -> str:
    """Return why there is no verdict, in words."""
    if not decision.runs:
        return "the strategy never does this, though it is worth as much as what it does"
    return f"{decision.runs:,} simulated hands do not tell how good this is"


def _is_clear(decision: MatchDecision) -> bool:
    return reviewed(decision, EARLY_ERRORS).grade != "unclear"


def full_effort(most: int = MOST_RUNS) -> Effort:
    """Return the effort of a verdict: until it is clear."""
    return Effort(min(FIRST_RUNS, most), most, _is_clear)


def total_loss(found: Iterable[ReviewedDecision]) -> tuple[float, float]:
    """Return what decisions gave up together in big blinds, and how well that is known."""
    verdicts = list(found)
    loss = sum(verdict.loss_bb for verdict in verdicts)
    return loss, float(np.sqrt(sum(verdict.accuracy_bb**2 for verdict in verdicts)))
