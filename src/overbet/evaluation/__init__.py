"""How good it is, and with what certainty: matches, AIVAT, local best responses, exact exploitability.

`overbet.scorecard` and `overbet.round_robin` are functions; the modules of the same names stand here. The
ledger of all measurements is `overbet.evaluation.ledger`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from overbet.lazy import lazy

if TYPE_CHECKING:
    from overbet.evaluation.aivat import MatchAivat as MatchAivat
    from overbet.evaluation.aivat import match_estimator as match_estimator
    from overbet.evaluation.aivat_tabular import TabularAivat as TabularAivat
    from overbet.evaluation.exploitability import Exploitability as Exploitability
    from overbet.evaluation.exploitability import exploit_small as exploit_small
    from overbet.evaluation.exploitability import exploit_spot as exploit_spot
    from overbet.evaluation.expresso_games import ExpressoSeries as ExpressoSeries
    from overbet.evaluation.expresso_games import play_expressos as play_expressos
    from overbet.evaluation.lbr import LbrResult as LbrResult
    from overbet.evaluation.lbr import LbrSettings as LbrSettings
    from overbet.evaluation.lbr import run_lbr as run_lbr
    from overbet.evaluation.lbr_agents import Responder as Responder
    from overbet.evaluation.lbr_family import LbrFamily as LbrFamily
    from overbet.evaluation.lbr_family import run_lbr_family as run_lbr_family
    from overbet.evaluation.match_blocks import Estimator as Estimator
    from overbet.evaluation.match_blocks import PlayedBlock as PlayedBlock
    from overbet.evaluation.match_result import MatchResult as MatchResult
    from overbet.evaluation.match_review import review_hand as review_hand
    from overbet.evaluation.matches import play_match as play_match
    from overbet.evaluation.round_robin import RoundRobin as RoundRobin
    from overbet.evaluation.scorecard import Scorecard as Scorecard
    from overbet.evaluation.statistics import Difference as Difference
    from overbet.evaluation.statistics import Estimate as Estimate
    from overbet.evaluation.statistics import interval_of as interval_of
    from overbet.evaluation.statistics import paired as paired
    from overbet.evaluation.statistics import unpaired as unpaired
else:
    _TABLE = {
        "overbet.evaluation.aivat": (
            "MatchAivat",
            "match_estimator",
        ),
        "overbet.evaluation.aivat_tabular": ("TabularAivat",),
        "overbet.evaluation.exploitability": (
            "Exploitability",
            "exploit_small",
            "exploit_spot",
        ),
        "overbet.evaluation.expresso_games": (
            "ExpressoSeries",
            "play_expressos",
        ),
        "overbet.evaluation.lbr": (
            "LbrResult",
            "LbrSettings",
            "run_lbr",
        ),
        "overbet.evaluation.lbr_agents": ("Responder",),
        "overbet.evaluation.lbr_family": (
            "LbrFamily",
            "run_lbr_family",
        ),
        "overbet.evaluation.match_blocks": (
            "Estimator",
            "PlayedBlock",
        ),
        "overbet.evaluation.match_result": ("MatchResult",),
        "overbet.evaluation.match_review": ("review_hand",),
        "overbet.evaluation.matches": ("play_match",),
        "overbet.evaluation.round_robin": ("RoundRobin",),
        "overbet.evaluation.scorecard": ("Scorecard",),
        "overbet.evaluation.statistics": (
            "Difference",
            "Estimate",
            "interval_of",
            "paired",
            "unpaired",
        ),
    }
    __getattr__, __dir__, __all__ = lazy(__name__, _TABLE)
