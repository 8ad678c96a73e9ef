"""One test of the state protocol that every registered game passes: random playouts, promises checked."""

from __future__ import annotations

import copy
import math
import random

import pytest

from overbet.errors import IllegalActionError, OverbetError, RulesError
from overbet.games.protocol import CHANCE, TERMINAL, Game, State
from overbet.games.registry import entries, game_names, make_game

PLAYOUTS = {"kuhn": 50, "kuhn3": 50, "leduc": 50, "leduc-one-bet": 50, "holdem": 15, "expresso": 3}


@pytest.fixture(params=game_names())
def game(request: pytest.FixtureRequest) -> Game:
    return make_game(request.param)


def test_a_game_says_what_it_is(game: Game) -> None:
    assert isinstance(game, Game)
    assert game.name in game_names()
    assert game.num_players >= 2


def test_random_playouts_keep_every_promise(game: Game) -> None:
    draw = random.Random(1)
    for _ in range(PLAYOUTS[game.name]):
        state = game.initial_state()
        assert isinstance(state, State)
        moves = 0
        while not state.is_terminal():
            state = _checked_move(game, state, draw)
            moves += 1
            assert moves < 100_000, "the game does not end"
        _check_end(game, state)


def _checked_move(game: Game, state: State, draw: random.Random) -> State:
    player = state.current_player()
    assert player == CHANCE or 0 <= player < game.num_players
    actions = list(state.legal_actions())
    assert actions, "a game that is not over has a move"
    assert actions == sorted(set(actions))
    outcomes = list(state.chance_outcomes())
    if player == CHANCE:
        assert [a for a, _ in outcomes] == actions
        assert all(p > 0 for _, p in outcomes)
        assert math.isclose(sum(p for _, p in outcomes), 1.0, abs_tol=1e-9)
    else:
        assert not outcomes
        assert state.information_state(player) == state.information_state(player)
        assert isinstance(state.information_state(player), str)
    with pytest.raises(IllegalActionError):
        state.apply(10**9)
    action = draw.choice(actions)
    assert isinstance(state.action_name(action), str)
    assert state.action_name(action)
    before = (player, actions, [state.information_state(p) for p in range(game.num_players)])
    after = state.apply(action)
    now = (
        state.current_player(),
        list(state.legal_actions()),
        [state.information_state(p) for p in range(game.num_players)],
    )
    assert now == before, "apply must not change the state it is called on"
    return after


def _check_end(game: Game, state: State) -> None:
    assert state.current_player() == TERMINAL
    assert not list(state.legal_actions())
    assert not list(state.chance_outcomes())
    returns = state.returns()
    assert len(returns) == game.num_players
    assert sum(returns) == pytest.approx(0.0, abs=1e-9)
    with pytest.raises(IllegalActionError):
        state.apply(0)
    assert copy.deepcopy(state).returns() == returns


def test_returns_before_the_end_are_an_error(game: Game) -> None:
    with pytest.raises(OverbetError):
        game.initial_state().returns()


def test_an_unknown_game_suggests_the_nearest() -> None:
    with pytest.raises(RulesError, match=r"unknown game 'khun' \(did you mean 'kuhn'\?\); known: kuhn, "):
        make_game("khun")


def test_every_entry_describes_its_game() -> None:
    for entry in entries():
        assert entry.summary
        low, _, high = entry.players.partition("-")
        assert int(low) <= make_game(entry.name).num_players <= int(high or low)
