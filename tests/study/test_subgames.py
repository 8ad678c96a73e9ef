"""A searched subgame as a file: it opens with the ranges that were believed and the bets that were made."""

from pathlib import Path

import numpy as np
import pytest

from overbet.agents.protocol import PublicState
from overbet.agents.registry import make_agent
from overbet.agents.searcher import SearchAgent
from overbet.search.searcher import SearchAnswer
from overbet.solvers.vector.store import load
from overbet.study.advice import state_at
from overbet.study.subgames import subgame_line, subgame_solution

LINES = [
    ("r:0:b250:c:Td9d6h:c:c:2c:c:b437", "r:0:c:b187"),  # suits that are alike, an odd bet on the turn
    ("r:0:b250:c:Td9d6h:c:c:2c:c:c:As:b377:b1201", "r:0:b127:b951"),  # two odd bets on the river
    ("r:0:b250:c:Td9d6h:c:c:2c:c:c:As:c:b377:b1201", "r:0:c:b127:b951"),  # a check of its own, frozen
]


@pytest.fixture(scope="module")
def agent() -> SearchAgent:
    found = make_agent("search:heads-up,turn.iterations=10,river.iterations=20,threads=1")
    assert isinstance(found, SearchAgent)
    return found


@pytest.mark.parametrize(("line", "inside"), LINES)
def test_the_file_opens_as_what_was_searched(
    agent: SearchAgent, tmp_path: Path, line: str, inside: str
) -> None:
    answer = agent.answer(PublicState.of(state_at(agent.own_table, line)))
    assert subgame_line(answer) == inside
    subgame_solution(answer).save(tmp_path / "subgame.h5", resumable=False)
    opened = load(tmp_path / "subgame.h5")
    assert opened.spot.played == answer.edges
    first, second = answer.search.solution.node(inside), opened.node(inside)
    assert first.player == second.player
    for one, other in ((first.oop, second.oop), (first.ip, second.ip)):
        assert np.array_equal(one.reach, other.reach)
        assert np.array_equal(one.ev_chips, other.ev_chips, equal_nan=True)
    mine = _acting(answer, inside)
    theirs = second.oop if second.oop.strategy is not None else second.ip
    assert theirs.strategy is not None
    assert np.array_equal(mine, theirs.strategy, equal_nan=True)


def _acting(answer: SearchAnswer, line: str) -> np.ndarray:
    node = answer.search.solution.node(line)
    found = node.oop.strategy if node.oop.strategy is not None else node.ip.strategy
    assert found is not None
    return found
