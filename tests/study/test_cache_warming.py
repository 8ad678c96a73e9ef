"""Which searches a cache is warmed with: common lines, in every reading."""

from __future__ import annotations

from overbet.agents.registry import make_agent
from overbet.agents.searcher import SearchAgent
from overbet.evaluation.pluribus import PluribusDecision
from overbet.games.holdem import HoldemGame
from overbet.study.advice import state_at
from overbet.study.cache_warming import common_lines, readings


def test_the_most_frequent_lines_of_hands_come_first() -> None:
    played = ["b225:c", "b200:c", "b225:c", "b250:b900:c", "b200:c", "b225:c"]
    asked = []
    for hand, line in enumerate(played):
        for later in ("", ":c"):  # two decisions of a hand are one line
            state = state_at(HoldemGame(), f"r:0:{line}:Td9d6h{later}")
            asked.append(PluribusDecision(hand, "ann", state, 1))
    assert common_lines(asked, 2) == ["r:0:b225:c", "r:0:b200:c"]
    assert common_lines(asked, 9)[2] == "r:0:b250:b900:c"


def test_a_bet_that_the_blueprint_does_not_have_is_read_both_ways() -> None:
    agent = make_agent("search:heads-up,streets=[flop,turn,river],cache=false")
    assert isinstance(agent, SearchAgent)
    table = agent.own_table
    assert len(readings(agent, state_at(table, "r:0:b200:c:Td9d6h"))) == 1  # a bet of its own
    odd = readings(agent, state_at(table, "r:0:b250:c:Td9d6h"))
    assert len(odd) == 1  # searched, and not taken for another
    agent = make_agent("search:heads-up,streets=[flop,turn,river],preflop.search=false,cache=false")
    assert isinstance(agent, SearchAgent)
    odd = readings(agent, state_at(table, "r:0:b250:c:Td9d6h"))
    assert len(odd) == 2
    assert odd[0].hand != odd[1].hand
