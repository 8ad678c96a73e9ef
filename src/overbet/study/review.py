"""The verdict on a decision of a played hand: one for the terminal, the page and whoever asks.

The values come from playing on many times (`evaluation.match_review`), so they are known to two standard
errors; the word is that of `grades`.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from overbet.evaluation.match_review import MatchDecision
from overbet.study.grades import Grade, grade

ERRORS = 2.0  # standard errors to which values by playing on are known


@dataclass(frozen=True)
class ReviewedDecision:
    """A decision and how good it was.

    loss_bb: what the action gave up, never below 0; accuracy_bb: how well that is known. within: the loss is
    no larger than that. share: how often the adviser takes the action.
    """

    decision: MatchDecision
    grade: Grade
    within: bool
    loss_bb: float
    accuracy_bb: float
    share: float


def reviewed(decision: MatchDecision) -> ReviewedDecision:
    """Return the verdict on a decision."""
    shares = {choice.action: choice.share for choice in decision.choices}
    share = shares.get(decision.taken, 0.0)
    loss = 0.0 if decision.taken == decision.best else max(0.0, decision.loss_bb)
    accuracy = ERRORS * decision.loss_error_bb
    pot = decision.state.pot / decision.state.game.big_blind
    word, within = grade(loss, pot, accuracy, share)
    return ReviewedDecision(decision, word, within, loss, accuracy, share)


def total_loss(found: Iterable[ReviewedDecision]) -> tuple[float, float]:
    """Return what decisions gave up together in big blinds, and how well that is known."""
    verdicts = list(found)
    loss = sum(verdict.loss_bb for verdict in verdicts)
    return loss, float(np.sqrt(sum(verdict.accuracy_bb**2 for verdict in verdicts)))
