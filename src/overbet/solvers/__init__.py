"""Solvers: postflop spots, batches of boards, small games (also by networks), push or fold, rules of CFR."""

from __future__ import annotations

from typing import TYPE_CHECKING

from overbet.lazy import lazy

if TYPE_CHECKING:
    from overbet.solvers.deep.config import DeepConfig as DeepConfig
    from overbet.solvers.deep.network_file import NetworkFile as NetworkFile
    from overbet.solvers.deep.onnx_export import save_onnx as save_onnx
    from overbet.solvers.deep.policy_networks import network_policy as network_policy
    from overbet.solvers.deep.policy_networks import policy_networks as policy_networks
    from overbet.solvers.deep.run import DeepRun as DeepRun
    from overbet.solvers.deep.trainer import DeepTrainer as DeepTrainer
    from overbet.solvers.policy import TabularPolicy as TabularPolicy
    from overbet.solvers.pushfold import PushFold as PushFold
    from overbet.solvers.pushfold import evaluate_pushfold as evaluate_pushfold
    from overbet.solvers.pushfold import solve_pushfold as solve_pushfold
    from overbet.solvers.rules import Constant as Constant
    from overbet.solvers.rules import Discounted as Discounted
    from overbet.solvers.rules import Exponential as Exponential
    from overbet.solvers.rules import Linear as Linear
    from overbet.solvers.rules import Rule as Rule
    from overbet.solvers.rules import load_rule as load_rule
    from overbet.solvers.rules import make_rule as make_rule
    from overbet.solvers.rules import rule_names as rule_names
    from overbet.solvers.sampling import SamplingConfig as SamplingConfig
    from overbet.solvers.sampling import SamplingSolver as SamplingSolver
    from overbet.solvers.sampling_curve import SamplingCurve as SamplingCurve
    from overbet.solvers.tabular import TabularSolver as TabularSolver
    from overbet.solvers.tabular import best_response as best_response
    from overbet.solvers.vector.api import SolveFile as SolveFile
    from overbet.solvers.vector.api import read_source as read_source
    from overbet.solvers.vector.api import solve as solve
    from overbet.solvers.vector.batches.batch import Batch as Batch
    from overbet.solvers.vector.batches.batch import BatchProgress as BatchProgress
    from overbet.solvers.vector.batches.batch import solve_batch as solve_batch
    from overbet.solvers.vector.batches.flops import BoardSet as BoardSet
    from overbet.solvers.vector.batches.flops import board_list as board_list
    from overbet.solvers.vector.batches.flops import board_set as board_set
    from overbet.solvers.vector.batches.line_report import LineReport as LineReport
    from overbet.solvers.vector.devices import engine_for as engine_for
    from overbet.solvers.vector.engine import VectorEngine as VectorEngine
    from overbet.solvers.vector.estimate import TreeEstimate as TreeEstimate
    from overbet.solvers.vector.estimate import estimate as estimate
    from overbet.solvers.vector.leaves import EquityLeaves as EquityLeaves
    from overbet.solvers.vector.leaves import PayoffLeaves as PayoffLeaves
    from overbet.solvers.vector.leaves import StrategyLeaves as StrategyLeaves
    from overbet.solvers.vector.locking import Lock as Lock
    from overbet.solvers.vector.node import Node as Node
    from overbet.solvers.vector.node import Seat as Seat
    from overbet.solvers.vector.response import BEST as BEST
    from overbet.solvers.vector.response import FOLLOW as FOLLOW
    from overbet.solvers.vector.response import Judge as Judge
    from overbet.solvers.vector.sampling import BoardBuckets as BoardBuckets
    from overbet.solvers.vector.sampling import BoardSampling as BoardSampling
    from overbet.solvers.vector.settings import SolveSettings as SolveSettings
    from overbet.solvers.vector.solution import Solution as Solution
    from overbet.solvers.vector.solver import Progress as Progress
    from overbet.solvers.vector.solver import Solver as Solver
    from overbet.solvers.vector.subgame import BucketMaps as BucketMaps
    from overbet.solvers.vector.subgame import Gadget as Gadget
    from overbet.solvers.vector.subgame import LeafBatch as LeafBatch
    from overbet.solvers.vector.subgame import Leaves as Leaves
    from overbet.solvers.vector.subgame import MaxMargin as MaxMargin
    from overbet.solvers.vector.subgame import Root as Root
else:
    _TABLE = {
        "overbet.solvers.deep.config": ("DeepConfig",),
        "overbet.solvers.deep.network_file": ("NetworkFile",),
        "overbet.solvers.deep.onnx_export": ("save_onnx",),
        "overbet.solvers.deep.policy_networks": (
            "network_policy",
            "policy_networks",
        ),
        "overbet.solvers.deep.run": ("DeepRun",),
        "overbet.solvers.deep.trainer": ("DeepTrainer",),
        "overbet.solvers.policy": ("TabularPolicy",),
        "overbet.solvers.pushfold": (
            "PushFold",
            "evaluate_pushfold",
            "solve_pushfold",
        ),
        "overbet.solvers.rules": (
            "Constant",
            "Discounted",
            "Exponential",
            "Linear",
            "Rule",
            "load_rule",
            "make_rule",
            "rule_names",
        ),
        "overbet.solvers.sampling": (
            "SamplingConfig",
            "SamplingSolver",
        ),
        "overbet.solvers.sampling_curve": ("SamplingCurve",),
        "overbet.solvers.tabular": (
            "TabularSolver",
            "best_response",
        ),
        "overbet.solvers.vector.api": (
            "SolveFile",
            "read_source",
            "solve",
        ),
        "overbet.solvers.vector.batches.batch": (
            "Batch",
            "BatchProgress",
            "solve_batch",
        ),
        "overbet.solvers.vector.batches.flops": (
            "BoardSet",
            "board_list",
            "board_set",
        ),
        "overbet.solvers.vector.batches.line_report": ("LineReport",),
        "overbet.solvers.vector.devices": ("engine_for",),
        "overbet.solvers.vector.engine": ("VectorEngine",),
        "overbet.solvers.vector.estimate": (
            "TreeEstimate",
            "estimate",
        ),
        "overbet.solvers.vector.leaves": (
            "EquityLeaves",
            "PayoffLeaves",
            "StrategyLeaves",
        ),
        "overbet.solvers.vector.locking": ("Lock",),
        "overbet.solvers.vector.node": (
            "Node",
            "Seat",
        ),
        "overbet.solvers.vector.response": (
            "BEST",
            "FOLLOW",
            "Judge",
        ),
        "overbet.solvers.vector.sampling": (
            "BoardBuckets",
            "BoardSampling",
        ),
        "overbet.solvers.vector.settings": ("SolveSettings",),
        "overbet.solvers.vector.solution": ("Solution",),
        "overbet.solvers.vector.solver": (
            "Progress",
            "Solver",
        ),
        "overbet.solvers.vector.subgame": (
            "BucketMaps",
            "Gadget",
            "LeafBatch",
            "Leaves",
            "MaxMargin",
            "Root",
        ),
    }
    __getattr__, __dir__, __all__ = lazy(__name__, _TABLE)
