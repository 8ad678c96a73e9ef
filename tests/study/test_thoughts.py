"""What search thought: in words, also where nobody judged the answer or nothing could be searched."""

import json

import pytest

from overbet.agents.protocol import Observation
from overbet.agents.registry import make_agent
from overbet.agents.searcher import SearchAgent
from overbet.errors import ConfigError
from overbet.search.settings import SearchSettings
from overbet.study.search_budget import NO_BUDGET, SearchBudget
from overbet.study.subgames import subgame_solution
from overbet.study.tables import StudyTable
from overbet.study.thoughts import Thinking, Thought, thought_of


def test_a_flop_on_drawn_boards_is_not_judged_and_not_opened() -> None:
    agent = make_agent("search:heads-up,streets=[flop],flop.iterations=2,threads=1,cache=false")
    assert isinstance(agent, SearchAgent)
    flop = agent.own_table.deal(1, 0).apply(0).apply(0)
    agent.act(Observation.of(flop, 1, 0))
    thought = thought_of(agent, flop)
    assert thought is not None
    assert (thought.place, thought.street, thought.iterations) == (2, "flop", 2)
    assert (thought.exploitability, thought.line) == (None, "")
    assert thought.words().endswith(" s, the answer was not judged")
    assert agent.last is not None
    with pytest.raises(ConfigError, match="drawn boards alone"):
        subgame_solution(agent.last)


def test_words_say_what_was_known_already() -> None:
    known = Thought(4, "turn", 30, 0.5, 1.25, "r:0", new=False)
    judged = "30 iterations, 0.50 s, the answer can be exploited by 1.25% of the pot"
    assert known.words() == f"known already ({judged})"


def test_thoughts_are_those_of_the_last_hand() -> None:
    thinking = Thinking()
    thinking.begin(0, [0, 0])
    thinking.end(Thought(2, "turn"))
    thinking.begin(0, [0, 0, 0, 0])
    assert thinking.busy
    thinking.end(Thought(4, "river"))
    assert [thought.place for thought in thinking.of_hand(0)] == [2, 4]
    thinking.opened[2] = "s-1"
    thinking.begin(1, [0])
    thinking.end(None)
    assert thinking.of_hand(0) == thinking.of_hand(1) == []
    assert not thinking.opened


def test_a_table_on_disk_keeps_how_long_its_opponent_thinks() -> None:
    for budget in (SearchBudget(0.5), SearchBudget(iterations=60), SearchBudget(3.0, 10), NO_BUDGET):
        table = StudyTable("t-1", "heads-up", "search-shipped-heads-up", "now", 3, budget=budget)
        again = StudyTable.of_record(json.loads(json.dumps(table.record())))
        assert again.budget == budget
        settings = SearchSettings.changed(budget.changes())
        assert settings.seconds == budget.seconds
        assert settings.river.iterations == (budget.iterations or 10_000)
    with pytest.raises(ValueError, match="seconds"):
        StudyTable.of_record(table.record() | {"seconds": 0.0})
