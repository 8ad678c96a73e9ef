"""What a person looks at: the views of a solution, and what a decision was worth.

    sol = overbet.load("river.h5")
    study.node_view(sol, "r:0:c").to_json()           a node: pot, actions, both players, as plain values
    study.runouts(sol, "r:0:c:c")                      a row for every card that can come
    study.equity_distribution(sol)                     both ranges from the weakest hand to the strongest
    study.compare_actions(sol, "r:0", "c", "b75")      two actions, hand by hand
    study.lock_preview(sol, lock)                      what a lock would fix

Everything here is plain values and arrays. The command line and the page render them, and do nothing else: no
module of this package prints, speaks HTTP or knows a terminal.
"""

from overbet.study.grades import GRADES, Grade, grade
from overbet.study.locks import LockedNode, lock_preview, locked_node
from overbet.study.outcome import outcome
from overbet.study.packing import packed, plain, unpacked
from overbet.study.values import node_values, solution_values
from overbet.study.views import (
    View,
    blocker_view,
    compare_actions,
    compare_nodes,
    dense,
    equity_distribution,
    exploit_view,
    node_header,
    node_view,
    runouts,
    steps,
)

__all__ = [
    "GRADES",
    "Grade",
    "LockedNode",
    "View",
    "blocker_view",
    "compare_actions",
    "compare_nodes",
    "dense",
    "equity_distribution",
    "exploit_view",
    "grade",
    "lock_preview",
    "locked_node",
    "node_header",
    "node_values",
    "node_view",
    "outcome",
    "packed",
    "plain",
    "runouts",
    "solution_values",
    "steps",
    "unpacked",
]
