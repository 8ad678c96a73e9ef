"""A user's script, for the type checker alone: what it infers, and what it must find fault with.

A comment that ignores a fault where there is none is a fault itself (`strict`).
"""

from typing import assert_type

import numpy as np

import overbet
from overbet import Blueprint, HoldemGame, Lock, MatchResult, Range, Rule, Solution, Spot
from overbet.agents import make_agent
from overbet.blueprint import BlueprintConfig, Measurement, measure_blueprint
from overbet.cards import Matchup, canonical_flops, matchup
from overbet.evaluation import LbrFamily, run_lbr_family
from overbet.solvers import Discounted, TabularPolicy, VectorEngine
from overbet.tree import public_tree

solution = overbet.solve("spot.yaml", target=0.5, locks=[Lock(line="r:0", frequencies={"c": 1.0})])
assert_type(solution, Solution)
hand = HoldemGame().initial_state().with_cards([None, None]).follow("b250:c:Td9d6h:c:c:2c")
assert_type(overbet.search(hand, seconds=1.0).strategy.actions, tuple[int, ...])
assert_type(overbet.load("river.h5", Solution), Solution)
assert_type(overbet.load("blueprint.h5", Blueprint).game, HoldemGame)
assert_type(overbet.equity("AA", "KK").exact, bool)
assert_type(overbet.Rule(name="mine", positive=Discounted(power=2.0)), Rule)
assert_type(overbet.TabularSolver("leduc", "dcfr").policy(), TabularPolicy)
assert_type(overbet.train("configs/fast_test.yaml", "run"), Blueprint)
agents = [make_agent("tag"), overbet.make_agent("lag")]
assert_type(overbet.play_match(agents, HoldemGame(2), 1000), MatchResult)
assert_type(run_lbr_family(agents[0], HoldemGame(2), 1000), LbrFamily)
assert_type(measure_blueprint("run"), Measurement)
assert_type(overbet.cards.card("As"), int)
assert_type(matchup("AhKh", "QsQd"), Matchup)
print(len(canonical_flops()), np.ones(3), Spot, BlueprintConfig, VectorEngine, public_tree)
assert_type(Range("AA,KQs").combos, float)

# what is wrong is found
from overbet.cards import no_such_name  # type: ignore[attr-defined]  # noqa: E402, F401

overbet.solve(3)  # type: ignore[arg-type]
overbet.sovle("spot.yaml")  # type: ignore[attr-defined]
overbet.load("river.h5", overbet.Solution).nood("r:0")  # type: ignore[attr-defined]
