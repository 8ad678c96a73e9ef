"""What a person looks at: views of a solution, what a decision was worth, a sitting at a table, the drill.

    sol = overbet.load("river.h5")
    study.node_view(sol, "r:0:c").to_json()           a node: pot, actions, both players, as plain values
    study.runouts(sol, "r:0:c:c")                      a row for every card that can come
    study.equity_distribution(sol)                     both ranges from the weakest hand to the strongest
    study.compare_actions(sol, "r:0", "c", "b75")      two actions, hand by hand
    study.lock_preview(sol, lock)                      what a lock would fix
    study.Sitting(game, seed, [agent]).review(...)     the verdict on every decision of a played hand
    study.from_solution(sol)                           a question of the drill; study.verdict(question, "c")

Everything here is plain values and arrays. The command line and the page render them, and do nothing else: no
module of this package prints, speaks HTTP or knows a terminal. Names load on first use.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from overbet.study.adjust import Adjuster
    from overbet.study.drill import Asked, Score, from_blueprint, from_solution, verdict
    from overbet.study.errors import NotNowError, NotThereError, StudyError
    from overbet.study.grades import GRADES, Grade, grade
    from overbet.study.locks import LockedNode, lock_preview, locked_node
    from overbet.study.packing import packed, plain, unpacked
    from overbet.study.review import ReviewedDecision, reviewed, total_loss
    from overbet.study.sitting import Sitting
    from overbet.study.table_facts import hand_values, result_values, table_values, verdict_values
    from overbet.study.tables import Opponents, Play, Table, result_of
    from overbet.study.values import node_values, outcome, solution_values
    from overbet.study.views import (
        View,
        blocker_view,
        compare_actions,
        compare_nodes,
        equity_distribution,
        exploit_view,
        node_header,
        node_view,
        runouts,
        steps,
    )

# module -> the public names it defines
_PUBLIC = {
    "adjust": ("Adjuster",),
    "drill": ("Asked", "Score", "from_blueprint", "from_solution", "verdict"),
    "errors": ("NotNowError", "NotThereError", "StudyError"),
    "grades": ("GRADES", "Grade", "grade"),
    "locks": ("LockedNode", "lock_preview", "locked_node"),
    "packing": ("packed", "plain", "unpacked"),
    "review": ("ReviewedDecision", "reviewed", "total_loss"),
    "sitting": ("Sitting",),
    "table_facts": ("hand_values", "result_values", "table_values", "verdict_values"),
    "tables": ("Opponents", "Play", "Table", "result_of"),
    "values": ("node_values", "outcome", "solution_values"),
    "views": (
        "View",
        "blocker_view",
        "compare_actions",
        "compare_nodes",
        "equity_distribution",
        "exploit_view",
        "node_header",
        "node_view",
        "runouts",
        "steps",
    ),
}
_MODULE_OF = {name: module for module, names in _PUBLIC.items() for name in names}

__all__ = [
    "GRADES",
    "Adjuster",
    "Asked",
    "Grade",
    "LockedNode",
    "NotNowError",
    "NotThereError",
    "Opponents",
    "Play",
    "ReviewedDecision",
    "Score",
    "Sitting",
    "StudyError",
    "Table",
    "View",
    "blocker_view",
    "compare_actions",
    "compare_nodes",
    "equity_distribution",
    "exploit_view",
    "from_blueprint",
    "from_solution",
    "grade",
    "hand_values",
    "lock_preview",
    "locked_node",
    "node_header",
    "node_values",
    "node_view",
    "outcome",
    "packed",
    "plain",
    "result_of",
    "result_values",
    "reviewed",
    "runouts",
    "solution_values",
    "steps",
    "table_values",
    "total_loss",
    "unpacked",
    "verdict",
    "verdict_values",
]


def __getattr__(name: str) -> Any:
    if name not in _MODULE_OF:
        raise AttributeError(f"module 'overbet.study' has no attribute {name!r}")
    value = getattr(importlib.import_module(f"overbet.study.{_MODULE_OF[name]}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(set(globals()) | set(__all__))
