"""Push or fold as a game of states: deals, lines, payoffs."""

from __future__ import annotations

import numpy as np
import pytest

from overbet.cards.combos import CLASSES, class_index
from overbet.cards.preflop import equity_169
from overbet.errors import IllegalActionError, RulesError
from overbet.games.protocol import CHANCE, TERMINAL, Game, State
from overbet.games.pushfold import ALL_IN, FOLD, PushFoldGame, PushFoldState, pushfold_game


def dealt(small: str, big: str, stack: float = 10, ante: float = 0) -> PushFoldState:
    root = pushfold_game(stack, ante).initial_state()
    return root.apply(class_index(small)).apply(class_index(big))


def test_the_protocol() -> None:
    game = pushfold_game()
    state = game.initial_state()
    assert isinstance(game, Game)
    assert isinstance(state, State)
    assert state.current_player() == CHANCE
    assert len(state.legal_actions()) == CLASSES
    assert sum(p for _, p in state.chance_outcomes()) == pytest.approx(1, abs=1e-12)
    state = state.apply(class_index("AA"))
    outcomes = dict(state.chance_outcomes())
    assert sum(outcomes.values()) == pytest.approx(1, abs=1e-12)
    assert outcomes[class_index("AA")] == pytest.approx(1 / 1225)
    assert state.action_name(class_index("KK")) == "deal KK to player 1"
    state = state.apply(class_index("KK"))
    assert state.current_player() == 0
    assert list(state.legal_actions()) == [FOLD, ALL_IN]
    assert state.action_name(ALL_IN) == "push"
    assert state.information_state(0) == "AA:"
    assert state.information_state(1) == "KK:"
    state = state.apply(ALL_IN)
    assert state.current_player() == 1
    assert state.action_name(ALL_IN) == "call"
    assert state.information_state(1) == "KK:p"
    state = state.apply(ALL_IN)
    assert state.current_player() == TERMINAL
    assert not state.legal_actions()
    assert not state.chance_outcomes()


@pytest.mark.parametrize("ante", [0.0, 0.125])
def test_payoffs(ante: float) -> None:
    state = dealt("AA", "KK", 10, ante)
    assert state.apply(FOLD).returns() == (-0.5 - ante, 0.5 + ante)
    assert state.apply(ALL_IN).apply(FOLD).returns() == (1 + ante, -1 - ante)
    equity = equity_169()[class_index("AA"), class_index("KK")]
    won = state.apply(ALL_IN).apply(ALL_IN).returns()
    assert won[0] == pytest.approx(10 * (2 * equity - 1))
    assert won[0] == pytest.approx(10 * (2 * 0.819461 - 1), abs=1e-4)
    assert sum(won) == 0


def test_the_matrix_is_the_tree() -> None:
    """The matrix form gives the same value as walking every line of every deal."""
    game = PushFoldGame(7, 0.1)
    rng = np.random.default_rng(0)
    push, call = rng.random(CLASSES), rng.random(CLASSES)
    value = game.small_blind_fold_bb + push @ (game.gain + game.matrix @ call)
    total = 0.0
    for small, first in game.initial_state().chance_outcomes():
        after = game.initial_state().apply(small)
        for big, second in after.chance_outcomes():
            state = PushFoldState(game, (small, big), "p")
            pushed = (1 - call[big]) * state.apply(FOLD).returns()[0] + call[big] * state.apply(
                ALL_IN
            ).returns()[0]
            folded = game.small_blind_fold_bb
            total += first * second * (push[small] * pushed + (1 - push[small]) * folded)
    assert value == pytest.approx(total, abs=1e-12)


def test_illegal_actions_name_what_is_legal() -> None:
    with pytest.raises(IllegalActionError, match=r"legal: 0 \(fold\), 1 \(push\)"):
        dealt("AA", "KK").apply(2)
    with pytest.raises(IllegalActionError, match="the game is over"):
        dealt("AA", "KK").apply(FOLD).apply(FOLD)
    with pytest.raises(IllegalActionError, match="168"):
        pushfold_game().initial_state().apply(169)
    with pytest.raises(IllegalActionError, match="once the game is over"):
        dealt("AA", "KK").returns()
    with pytest.raises(RulesError):
        pushfold_game(1)
