"""Overbet: solve, train, play, measure and study no-limit hold'em.

Everything a user needs is here or in one of the packages `overbet.cards`, `games`, `abstraction`, `tree`,
`solvers`, `blueprint`, `search`, `agents`, `evaluation`, `study`, `hands`, `bridges` and `interfaces`. Names
load on first use, so `import overbet` compiles nothing and stays quick.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from overbet._version import __version__ as __version__
from overbet.lazy import lazy

if TYPE_CHECKING:
    from overbet import abstraction as abstraction
    from overbet import agents as agents
    from overbet import betting as betting
    from overbet import blueprint as blueprint
    from overbet import bridges as bridges
    from overbet import cards as cards
    from overbet import evaluation as evaluation
    from overbet import games as games
    from overbet import hands as hands
    from overbet import interfaces as interfaces
    from overbet import solvers as solvers
    from overbet import study as study
    from overbet import tree as tree
    from overbet.abstraction.bucket_files import load_buckets as load_buckets
    from overbet.agents.protocol import Agent as Agent
    from overbet.agents.protocol import Observation as Observation
    from overbet.agents.protocol import PublicState as PublicState
    from overbet.agents.registry import agent_names as agent_names
    from overbet.agents.registry import make_agent as make_agent
    from overbet.agents.searcher import search as search
    from overbet.blueprint.catalogue import find_blueprint as find_blueprint
    from overbet.blueprint.config import BlueprintConfig as BlueprintConfig
    from overbet.blueprint.query import Blueprint as Blueprint
    from overbet.blueprint.training import train as train
    from overbet.cards.cards import card as card
    from overbet.cards.equity import EquityResult as EquityResult
    from overbet.cards.equity import equity as equity
    from overbet.cards.equity import hand_equities as hand_equities
    from overbet.cards.evaluator import evaluate as evaluate
    from overbet.cards.range import Range as Range
    from overbet.errors import OverbetError as OverbetError
    from overbet.evaluation.aivat import MatchAivat as MatchAivat
    from overbet.evaluation.aivat import match_estimator as match_estimator
    from overbet.evaluation.exploitability import exploit_small as exploit_small
    from overbet.evaluation.exploitability import exploit_spot as exploit_spot
    from overbet.evaluation.lbr import LbrResult as LbrResult
    from overbet.evaluation.lbr import run_lbr as run_lbr
    from overbet.evaluation.lbr_family import LbrFamily as LbrFamily
    from overbet.evaluation.lbr_family import run_lbr_family as run_lbr_family
    from overbet.evaluation.match_result import MatchResult as MatchResult
    from overbet.evaluation.matches import play_match as play_match
    from overbet.evaluation.round_robin import RoundRobin as RoundRobin
    from overbet.evaluation.round_robin import round_robin as round_robin
    from overbet.evaluation.scorecard import Scorecard as Scorecard
    from overbet.evaluation.scorecard import scorecard as scorecard
    from overbet.evaluation.statistics import Estimate as Estimate
    from overbet.games.expresso import ExpressoGame as ExpressoGame
    from overbet.games.holdem import HoldemGame as HoldemGame
    from overbet.games.holdem_state import HoldemState as HoldemState
    from overbet.games.registry import make_game as make_game
    from overbet.interfaces.history.replay import replay as replay
    from overbet.interfaces.history.sources import read_hands as read_hands
    from overbet.interfaces.notebook.grid import grid_widget as grid_widget
    from overbet.loading import load as load
    from overbet.solvers.policy import TabularPolicy as TabularPolicy
    from overbet.solvers.pushfold import solve_pushfold as solve_pushfold
    from overbet.solvers.rules import Rule as Rule
    from overbet.solvers.rules import make_rule as make_rule
    from overbet.solvers.rules import rule_names as rule_names
    from overbet.solvers.sampling import SamplingSolver as SamplingSolver
    from overbet.solvers.tabular import TabularSolver as TabularSolver
    from overbet.solvers.vector.api import solve as solve
    from overbet.solvers.vector.batches.batch import Batch as Batch
    from overbet.solvers.vector.batches.batch import solve_batch as solve_batch
    from overbet.solvers.vector.batches.flops import board_set as board_set
    from overbet.solvers.vector.locking import Lock as Lock
    from overbet.solvers.vector.node import Node as Node
    from overbet.solvers.vector.settings import SolveSettings as SolveSettings
    from overbet.solvers.vector.solution import Solution as Solution
    from overbet.solvers.vector.solver import Progress as Progress
    from overbet.tree.spot import Spot as Spot
else:
    _TABLE = {
        "overbet.abstraction.bucket_files": ("load_buckets",),
        "overbet.agents.protocol": (
            "Agent",
            "Observation",
            "PublicState",
        ),
        "overbet.agents.registry": (
            "agent_names",
            "make_agent",
        ),
        "overbet.blueprint.catalogue": ("find_blueprint",),
        "overbet.blueprint.config": ("BlueprintConfig",),
        "overbet.blueprint.query": ("Blueprint",),
        "overbet.blueprint.training": ("train",),
        "overbet.cards.cards": ("card",),
        "overbet.cards.equity": (
            "EquityResult",
            "equity",
            "hand_equities",
        ),
        "overbet.cards.evaluator": ("evaluate",),
        "overbet.cards.range": ("Range",),
        "overbet.errors": ("OverbetError",),
        "overbet.evaluation.aivat": (
            "MatchAivat",
            "match_estimator",
        ),
        "overbet.evaluation.exploitability": (
            "exploit_small",
            "exploit_spot",
        ),
        "overbet.evaluation.lbr": (
            "LbrResult",
            "run_lbr",
        ),
        "overbet.evaluation.lbr_family": (
            "LbrFamily",
            "run_lbr_family",
        ),
        "overbet.evaluation.match_result": ("MatchResult",),
        "overbet.evaluation.matches": ("play_match",),
        "overbet.evaluation.round_robin": (
            "RoundRobin",
            "round_robin",
        ),
        "overbet.evaluation.scorecard": (
            "Scorecard",
            "scorecard",
        ),
        "overbet.evaluation.statistics": ("Estimate",),
        "overbet.games.expresso": ("ExpressoGame",),
        "overbet.games.holdem": ("HoldemGame",),
        "overbet.games.holdem_state": ("HoldemState",),
        "overbet.games.registry": ("make_game",),
        "overbet.interfaces.history.replay": ("replay",),
        "overbet.interfaces.history.sources": ("read_hands",),
        "overbet.interfaces.notebook.grid": ("grid_widget",),
        "overbet.loading": ("load",),
        "overbet.solvers.policy": ("TabularPolicy",),
        "overbet.solvers.pushfold": ("solve_pushfold",),
        "overbet.solvers.rules": (
            "Rule",
            "make_rule",
            "rule_names",
        ),
        "overbet.solvers.sampling": ("SamplingSolver",),
        "overbet.solvers.tabular": ("TabularSolver",),
        "overbet.solvers.vector.api": ("solve",),
        "overbet.solvers.vector.batches.batch": (
            "Batch",
            "solve_batch",
        ),
        "overbet.solvers.vector.batches.flops": ("board_set",),
        "overbet.solvers.vector.locking": ("Lock",),
        "overbet.solvers.vector.node": ("Node",),
        "overbet.solvers.vector.settings": ("SolveSettings",),
        "overbet.solvers.vector.solution": ("Solution",),
        "overbet.solvers.vector.solver": ("Progress",),
        "overbet.tree.spot": ("Spot",),
    }
    _PACKAGES = (
        "abstraction",
        "agents",
        "betting",
        "blueprint",
        "bridges",
        "cards",
        "evaluation",
        "games",
        "hands",
        "interfaces",
        "search",
        "solvers",
        "study",
        "tree",
    )
    __getattr__, __dir__, __all__ = lazy(__name__, _TABLE, _PACKAGES)
    __all__ = ["__version__", *__all__]
