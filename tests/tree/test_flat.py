"""The flat tree: its order, its tables, and the games it refuses."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from overbet.errors import RulesError, TooLargeError
from overbet.games.kuhn import kuhn_game
from overbet.games.protocol import CHANCE, TERMINAL
from overbet.games.registry import make_game
from overbet.tree.flat import FlatGame, estimated_nodes, flatten
from tests.reference.random_games import RandomGame


@pytest.mark.parametrize(
    ("name", "nodes", "terminals", "infosets"),
    [("kuhn", 58, 30, 12), ("kuhn3", 617, 312, 48), ("leduc", 9457, 5520, 936)],
)
def test_sizes(name: str, nodes: int, terminals: int, infosets: int) -> None:
    flat = flatten(make_game(name))
    assert (flat.num_nodes, flat.num_terminals, flat.num_infosets) == (nodes, terminals, infosets)


def test_leduc_has_288_information_sets_by_rank() -> None:
    flat = flatten(make_game("leduc"))
    by_rank = {(p, name.replace("s:", ":").replace("h:", ":")) for p, name in flat.infoset_ids}
    assert len(by_rank) == 288


@given(st.integers(0, 10**6), st.integers(1, 4), st.integers(1, 5))
@settings(max_examples=60, deadline=None)
def test_the_arrays_describe_the_game(seed: int, players: int, depth: int) -> None:
    game = RandomGame(seed, players, depth)
    flat = flatten(game)
    tree = flat.tree
    assert flat.perfect_recall
    states = {0: game.initial_state()}
    for node in range(flat.num_nodes):
        state = states.pop(node)  # a parent stands before its children
        assert tree.player[node] == state.current_player()
        assert tree.num_children[node] == len(state.legal_actions())
        for a, action in enumerate(state.legal_actions()):
            child = int(tree.first_child[node]) + a
            states[child] = state.apply(action)
            assert tree.parent[child] == node
            assert tree.action[child] == action
            chance = dict(state.chance_outcomes())
            assert tree.probability[child] == chance.get(action, 1.0)
        if state.is_terminal():
            assert tuple(tree.returns[tree.terminal[node]]) == state.returns()
        player = int(tree.player[node])
        if player >= 0:
            infoset = flat.infoset_ids[(player, state.information_state(player))]
            assert tree.infoset[node] == infoset
            assert tree.infoset_player[infoset] == player
            children = range(tree.first_child[node], tree.first_child[node] + tree.num_children[node])
            slots = flat.slots(infoset)
            assert [tree.slot[c] for c in children] == list(range(slots.start, slots.stop))
            assert list(flat.slot_actions[slots]) == state.legal_actions()
        else:
            assert tree.infoset[node] == -1
    assert not states


@given(st.integers(0, 10**6), st.integers(1, 3), st.integers(1, 5))
@settings(max_examples=40, deadline=None)
def test_sets_come_after_the_sets_before_them(seed: int, players: int, depth: int) -> None:
    flat = flatten(RandomGame(seed, players, depth))
    tree = flat.tree
    assert (np.diff(tree.infoset_player) >= 0).all()
    for infoset, slot in enumerate(tree.infoset_parent.tolist()):
        if slot >= 0:
            assert tree.slot_infoset[slot] < infoset
            assert tree.infoset_player[tree.slot_infoset[slot]] == tree.infoset_player[infoset]
    for player in range(players):
        own = tree.infoset_player[tree.player_infosets[player] : tree.player_infosets[player + 1]]
        assert (own == player).all()
    assert tree.player_infosets[-1] == flat.num_infosets


def test_normalise_is_uniform_where_nothing_was_collected() -> None:
    flat = flatten(make_game("kuhn"))
    weights = np.zeros(flat.num_slots)
    weights[:2] = [3.0, 1.0]
    strategy = flat.normalise(weights)
    np.testing.assert_allclose(strategy[:4], [0.75, 0.25, 0.5, 0.5])


def test_a_game_over_the_limit_is_refused_with_its_size_and_a_way_out() -> None:
    with pytest.raises(TooLargeError, match=r"leduc has more than 9,000 histories .*raise the limit"):
        flatten(make_game("leduc"), limit=9000)
    assert flatten(make_game("leduc"), limit=9457).num_nodes == 9457


def test_a_hopeless_game_is_refused_without_walking_it() -> None:
    game = kuhn_game(10)
    assert estimated_nodes(game) > 1e9
    with pytest.raises(TooLargeError, match=r"kuhn10 has about 10\^\d+ histories"):
        flatten(game)


@dataclass(frozen=True)
class Scripted:
    """A tree by hand: path -> (player, what the player knows, number of actions), or returns, or chances."""

    script: dict[tuple[int, ...], object]
    path: tuple[int, ...] = ()
    name: str = "scripted"
    num_players: int = 1

    def initial_state(self) -> Scripted:
        return self

    @property
    def here(self) -> object:
        return self.script[self.path]

    def current_player(self) -> int:
        if isinstance(self.here, list):
            return CHANCE
        return self.here[0] if isinstance(self.here, tuple) else TERMINAL

    def is_terminal(self) -> bool:
        return self.current_player() == TERMINAL

    def legal_actions(self) -> list[int]:
        if isinstance(self.here, list):
            return list(range(len(self.here)))
        return list(range(self.here[2])) if isinstance(self.here, tuple) else []

    def chance_outcomes(self) -> list[tuple[int, float]]:
        return list(enumerate(self.here)) if isinstance(self.here, list) else []

    def apply(self, action: int) -> Scripted:
        return Scripted(self.script, (*self.path, action))

    def returns(self) -> tuple[float, ...]:
        return (float(self.here),)  # type: ignore[arg-type]

    def information_state(self, player: int) -> str:
        return str(self.here[1])  # type: ignore[index]

    def action_name(self, action: int) -> str:
        return str(action)


def flat_of(script: dict[tuple[int, ...], object]) -> FlatGame:
    return flatten(Scripted(script))


def test_a_player_who_forgets_is_noticed() -> None:
    forgets = {(): (0, "a", 2), (0,): (0, "b", 1), (1,): (0, "b", 1), (0, 0): 1.0, (1, 0): 2.0}
    assert not flat_of(forgets).perfect_recall


def test_a_game_that_is_over_at_once() -> None:
    flat = flat_of({(): 5.0})
    assert (flat.num_nodes, flat.num_infosets, flat.num_slots) == (1, 0, 0)


def test_broken_games_are_refused() -> None:
    with pytest.raises(RulesError, match="differ in actions"):
        flat_of({(): [0.5, 0.5], (0,): (0, "x", 1), (1,): (0, "x", 2), (0, 0): 0.0, (1, 0): 0.0, (1, 1): 0.0})
    with pytest.raises(RulesError, match="do not sum to 1"):
        flat_of({(): [0.5, 0.4], (0,): 1.0, (1,): 2.0})
    with pytest.raises(RulesError, match="no legal action"):
        flat_of({(): (0, "x", 0)})
    with pytest.raises(RulesError, match="not the returns"):
        flat_of({(): float("nan")})
