"""What a person looks at: views of a solution, what a decision was worth, a sitting at a table, the drill.

    sol = overbet.load("river.h5")
    study.node_view(sol, "r:0:c").to_json()           a node: pot, actions, both players, as plain values
    study.runouts(sol, "r:0:c:c")                      a row for every card that can come
    study.category_breakdown(sol, "r:0:c")             what top pair does, what flush draws do
    study.equity_distribution(sol)                     both ranges from the weakest hand to the strongest
    study.compare_actions(sol, "r:0", "c", "b75")      two actions, hand by hand
    study.lock_preview(sol, lock)                      what a lock would fix
    study.Sitting(game, seed, [agent]).review(...)     the verdict on every decision of a played hand
    study.from_solution(sol)                           a question of the drill; study.verdict(question, "c")
    study.RangeLibrary()["Button/opens"]               a range of one's own library
    study.find_leaks(decisions)                        where frequencies are not the strategy's
    study.fit_opponents(decisions)["name"].profile     nit, station, ...: how likely each is
    study.restricted_response(sol, [lock], p=0.5)      an answer to a model, its gain and its risk
    study.shipped_ranges()                             ranges by position and depth of shipped strategies

Everything here is plain values and arrays. The command line and the page render them, and do nothing else: no
module of this package prints, speaks HTTP or knows a terminal. Names load on first use.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from overbet.lazy import lazy

if TYPE_CHECKING:
    from overbet.study.adjust import Adjuster as Adjuster
    from overbet.study.blueprint_decisions import BlueprintReference as BlueprintReference
    from overbet.study.breakdown import breakdown_frame as breakdown_frame
    from overbet.study.breakdown import category_breakdown as category_breakdown
    from overbet.study.comparisons import compare_nodes as compare_nodes
    from overbet.study.decision_lines import HandStep as HandStep
    from overbet.study.decision_lines import line_kind as line_kind
    from overbet.study.decisions import checked_decisions as checked_decisions
    from overbet.study.deck_cards import DeckCard as DeckCard
    from overbet.study.deck_cards import card_of_mistake as card_of_mistake
    from overbet.study.deck_cards import card_verdict as card_verdict
    from overbet.study.drill import DrillScore as DrillScore
    from overbet.study.drill import from_solution as from_solution
    from overbet.study.drill import solution_question as solution_question
    from overbet.study.drill import verdict as verdict
    from overbet.study.drill_asked import Asked as Asked
    from overbet.study.drill_hands import blueprint_question as blueprint_question
    from overbet.study.drill_hands import from_blueprint as from_blueprint
    from overbet.study.drill_kinds import DrillKind as DrillKind
    from overbet.study.errors import NotNowError as NotNowError
    from overbet.study.errors import NotThereError as NotThereError
    from overbet.study.errors import StudyError as StudyError
    from overbet.study.grades import GRADES as GRADES
    from overbet.study.grades import Grade as Grade
    from overbet.study.grades import grade as grade
    from overbet.study.leak_report import Leak as Leak
    from overbet.study.leak_report import LeakReport as LeakReport
    from overbet.study.leak_report import LeakTest as LeakTest
    from overbet.study.leaks import find_leaks as find_leaks
    from overbet.study.line_walk import ActionRange as ActionRange
    from overbet.study.line_walk import action_ranges as action_ranges
    from overbet.study.locks import LockedNode as LockedNode
    from overbet.study.locks import lock_preview as lock_preview
    from overbet.study.locks import locked_node as locked_node
    from overbet.study.mistakes import MistakeRecord as MistakeRecord
    from overbet.study.mistakes import mistake_of as mistake_of
    from overbet.study.model_locks import opponent_locks as opponent_locks
    from overbet.study.opponents import BetaFrequency as BetaFrequency
    from overbet.study.opponents import OpponentModel as OpponentModel
    from overbet.study.opponents import fit_opponents as fit_opponents
    from overbet.study.opponents import fit_pool as fit_pool
    from overbet.study.packing import packed as packed
    from overbet.study.packing import plain as plain
    from overbet.study.packing import unpacked as unpacked
    from overbet.study.planted import THREE_LEAKS as THREE_LEAKS
    from overbet.study.planted import PlantedLeak as PlantedLeak
    from overbet.study.planted import planted_agent as planted_agent
    from overbet.study.preflop_ranges import StrategyRange as StrategyRange
    from overbet.study.preflop_ranges import shipped_ranges as shipped_ranges
    from overbet.study.preflop_ranges import strategy_ranges as strategy_ranges
    from overbet.study.profiles import PROFILES as PROFILES
    from overbet.study.profiles import Profile as Profile
    from overbet.study.profiles import profile_mix as profile_mix
    from overbet.study.profiles import profile_of as profile_of
    from overbet.study.range_library import NamedRange as NamedRange
    from overbet.study.range_library import RangeLibrary as RangeLibrary
    from overbet.study.responses import RestrictedResponse as RestrictedResponse
    from overbet.study.responses import model_lock as model_lock
    from overbet.study.responses import restricted_response as restricted_response
    from overbet.study.review import ReviewedDecision as ReviewedDecision
    from overbet.study.review import reviewed as reviewed
    from overbet.study.review import total_loss as total_loss
    from overbet.study.sitting import Sitting as Sitting
    from overbet.study.strategy_lookup import StrategyLookup as StrategyLookup
    from overbet.study.strategy_lookup import StrategyShares as StrategyShares
    from overbet.study.table_facts import hand_values as hand_values
    from overbet.study.table_facts import result_values as result_values
    from overbet.study.table_facts import table_values as table_values
    from overbet.study.table_facts import verdict_values as verdict_values
    from overbet.study.tables import Play as Play
    from overbet.study.tables import StudyTable as StudyTable
    from overbet.study.tables import TableOpponents as TableOpponents
    from overbet.study.tables import result_of as result_of
    from overbet.study.values import node_values as node_values
    from overbet.study.values import outcome as outcome
    from overbet.study.values import solution_values as solution_values
    from overbet.study.views import View as View
    from overbet.study.views import blocker_view as blocker_view
    from overbet.study.views import compare_actions as compare_actions
    from overbet.study.views import equity_distribution as equity_distribution
    from overbet.study.views import exploit_view as exploit_view
    from overbet.study.views import node_header as node_header
    from overbet.study.views import node_view as node_view
    from overbet.study.views import runouts as runouts
    from overbet.study.views import steps as steps
else:
    _TABLE = {
        "overbet.study.adjust": ("Adjuster",),
        "overbet.study.blueprint_decisions": ("BlueprintReference",),
        "overbet.study.breakdown": ("breakdown_frame", "category_breakdown"),
        "overbet.study.comparisons": ("compare_nodes",),
        "overbet.study.deck_cards": (
            "DeckCard",
            "card_of_mistake",
            "card_verdict",
        ),
        "overbet.study.decision_lines": (
            "HandStep",
            "line_kind",
        ),
        "overbet.study.decisions": ("checked_decisions",),
        "overbet.study.drill": ("DrillScore", "from_solution", "solution_question", "verdict"),
        "overbet.study.drill_asked": ("Asked",),
        "overbet.study.drill_hands": ("blueprint_question", "from_blueprint"),
        "overbet.study.drill_kinds": ("DrillKind",),
        "overbet.study.errors": (
            "NotNowError",
            "NotThereError",
            "StudyError",
        ),
        "overbet.study.grades": (
            "GRADES",
            "Grade",
            "grade",
        ),
        "overbet.study.leak_report": (
            "Leak",
            "LeakReport",
            "LeakTest",
        ),
        "overbet.study.leaks": ("find_leaks",),
        "overbet.study.line_walk": (
            "ActionRange",
            "action_ranges",
        ),
        "overbet.study.locks": (
            "LockedNode",
            "lock_preview",
            "locked_node",
        ),
        "overbet.study.mistakes": ("MistakeRecord", "mistake_of"),
        "overbet.study.model_locks": ("opponent_locks",),
        "overbet.study.opponents": (
            "BetaFrequency",
            "OpponentModel",
            "fit_opponents",
            "fit_pool",
        ),
        "overbet.study.packing": (
            "packed",
            "plain",
            "unpacked",
        ),
        "overbet.study.planted": (
            "THREE_LEAKS",
            "PlantedLeak",
            "planted_agent",
        ),
        "overbet.study.preflop_ranges": (
            "StrategyRange",
            "shipped_ranges",
            "strategy_ranges",
        ),
        "overbet.study.profiles": (
            "PROFILES",
            "Profile",
            "profile_mix",
            "profile_of",
        ),
        "overbet.study.range_library": (
            "NamedRange",
            "RangeLibrary",
        ),
        "overbet.study.responses": (
            "RestrictedResponse",
            "model_lock",
            "restricted_response",
        ),
        "overbet.study.review": (
            "ReviewedDecision",
            "reviewed",
            "total_loss",
        ),
        "overbet.study.sitting": ("Sitting",),
        "overbet.study.strategy_lookup": ("StrategyLookup", "StrategyShares"),
        "overbet.study.table_facts": (
            "hand_values",
            "result_values",
            "table_values",
            "verdict_values",
        ),
        "overbet.study.tables": (
            "TableOpponents",
            "Play",
            "StudyTable",
            "result_of",
        ),
        "overbet.study.values": (
            "node_values",
            "outcome",
            "solution_values",
        ),
        "overbet.study.views": (
            "View",
            "blocker_view",
            "compare_actions",
            "equity_distribution",
            "exploit_view",
            "node_header",
            "node_view",
            "runouts",
            "steps",
        ),
    }
    __getattr__, __dir__, __all__ = lazy(__name__, _TABLE)
