"""A short heads-up hand seen at a deeper table, and what comes back from it."""

from __future__ import annotations

import numpy as np
import pytest

from overbet.agents.any_stacks import AnyStacksAgent
from overbet.agents.deeper import brought_back, deep_table, deeper
from overbet.agents.protocol import PublicState
from overbet.agents.registry import make_agent
from overbet.games.holdem import HoldemGame

MADE_FOR = HoldemGame(2, stacks=10_000, blinds=(50, 100))
SHORT = HoldemGame(2, stacks=(400, 900), blinds=(10, 20), full_blind=True)
DEEP = deep_table(SHORT, MADE_FOR)


def test_the_deeper_table() -> None:
    assert (DEEP.start, DEEP.blinds) == ((2000, 2000), (10, 20))


@pytest.mark.parametrize(
    ("actions", "wanted"),
    [([], []), ([50], [50]), ([900], [400]), ([400], [400]), ([0, 0], [0, 0]), ([50, 0, 60], [50, 0, 60])],
)
def test_the_same_hand_with_bets_that_can_be_called(actions: list[int], wanted: list[int]) -> None:
    state = SHORT.deal(5)
    for action in actions:
        state = state.apply(action)
    deep = deeper(state, DEEP)
    assert deep is not None
    assert [action for _, _, action in deep.history] == wanted
    assert (deep.current_player(), deep.street, deep.board) == (
        state.current_player(),
        state.street,
        state.board,
    )
    assert deep.hole == state.hole


def test_what_comes_back_is_legal_and_a_large_raise_is_all_in() -> None:
    state = SHORT.deal(5)
    assert [brought_back(state, action) for action in (-1, 0, 50, 150, 250, 1500)] == [
        -1,
        0,
        50,
        150,
        900,
        900,
    ]
    facing = state.apply(900)
    assert [brought_back(facing, action) for action in (-1, 0, 1000)] == [-1, 0, 0]
    unraised = state.apply(0)
    assert brought_back(unraised, -1) == 0


def test_an_all_in_for_little_is_not_always_answered_as_one_for_much() -> None:
    """The mapping draws between the tree's bets: followed directly all in stays all in."""
    table = HoldemGame(2, stacks=400, blinds=(10, 20))
    state = table.deal(1).apply(400)
    agent, direct = AnyStacksAgent(short_bb=0), make_agent("blueprint:heads-up")
    calls: dict[str, list[float]] = {"own": [], "direct": []}
    for hand in range(20):
        public = PublicState.of(state, 1, hand)
        for name, who in (("own", agent), ("direct", direct)):
            found = who.strategy_for_all_hands(public)
            assert found.actions == (-1, 0)
            calls[name].append(float(np.nanmean(found.shares[:, 1])))
    assert len(set(calls["direct"])) == 1
    assert np.mean(calls["own"]) > 2 * np.mean(calls["direct"])
