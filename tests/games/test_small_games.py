"""Kuhn and Leduc: the rules by example."""

from __future__ import annotations

import pytest

from overbet.errors import IllegalActionError, RulesError
from overbet.games.kuhn import BET, PASS, KuhnState, kuhn_game
from overbet.games.leduc import CALL, FOLD, RAISE, LeducState, leduc_game
from overbet.tree.flat import flatten


def kuhn(cards: str, line: str) -> KuhnState:
    players = len(cards)
    deck = "23456789TJQK"[-players - 1 :]
    state = kuhn_game(players).initial_state()
    for card in cards:
        state = state.apply(deck.index(card))
    for letter in line:
        state = state.apply("pb".index(letter))
    return state


def leduc(deal: list[int], line: str, max_raises: int = 2) -> LeducState:
    state = leduc_game(max_raises).initial_state()
    cards = iter(deal)
    for letter in line:
        while state.current_player() < 0:
            state = state.apply(next(cards))
        state = state.apply("fcr".index(letter))
    while state.current_player() == -1:
        state = state.apply(next(cards))
    return state


@pytest.mark.parametrize(
    ("cards", "line", "returns"),
    [
        ("KQ", "pp", (1, -1)),
        ("JQ", "pp", (-1, 1)),
        ("JK", "bp", (1, -1)),
        ("JK", "bb", (-2, 2)),
        ("QJ", "pbp", (-1, 1)),
        ("QJ", "pbb", (2, -2)),
        ("KQJ", "ppp", (2, -1, -1)),
        ("KQJ", "pbpp", (-1, 2, -1)),
        ("TQJ", "bbb", (-2, 4, -2)),
        ("KTJ", "ppbbp", (3, -1, -2)),
    ],
)
def test_kuhn_returns(cards: str, line: str, returns: tuple[int, ...]) -> None:
    state = kuhn(cards, line)
    assert state.is_terminal()
    assert state.returns() == returns


def test_kuhn_words() -> None:
    state = kuhn("KQ", "")
    assert [state.action_name(a) for a in (PASS, BET)] == ["check", "bet"]
    facing = state.apply(BET)
    assert [facing.action_name(a) for a in (PASS, BET)] == ["fold", "call"]
    assert facing.information_state(1) == "Q:b"
    assert facing.information_state(0) == "K:b"
    with pytest.raises(IllegalActionError, match=r"legal: 0 \(fold\), 1 \(call\)"):
        facing.apply(2)
    with pytest.raises(RulesError, match="2 to 10 players, not 1"):
        kuhn_game(1)


@pytest.mark.parametrize(
    ("deal", "line", "returns"),
    [
        ([0, 4], "rf", (1, -1)),  # a bet takes the antes
        ([0, 4], "crf", (-1, 1)),
        ([0, 4], "rrf", (-3, 3)),
        ([0, 4, 5], "cccc", (-1, 1)),  # K pairs K
        ([0, 4, 1], "cccc", (1, -1)),  # J pairs J
        ([2, 3, 0], "rcrc", (0, 0)),  # both hold a queen
        ([0, 4, 2], "rrcrrc", (-13, 13)),  # everything in: 1 + 2*2 + 2*4
        ([0, 4, 2], "ccrrf", (-5, 5)),
    ],
)
def test_leduc_returns(deal: list[int], line: str, returns: tuple[int, ...]) -> None:
    state = leduc(deal, line)
    assert state.is_terminal()
    assert state.returns() == returns


def test_leduc_legal_actions() -> None:
    start = leduc([0, 4], "")
    assert start.legal_actions() == [CALL, RAISE]
    assert leduc([0, 4], "r").legal_actions() == [FOLD, CALL, RAISE]
    assert leduc([0, 4], "rr").legal_actions() == [FOLD, CALL]
    assert leduc([0, 4], "r", max_raises=1).legal_actions() == [FOLD, CALL]
    assert leduc_game().initial_state().apply(2).legal_actions() == [0, 1, 3, 4, 5]
    with pytest.raises(
        IllegalActionError, match=r"action 0 is not legal here; legal: 1 \(check\), 2 \(bet\)"
    ):
        start.apply(FOLD)
    with pytest.raises(RulesError, match="at least one bet"):
        leduc_game(0)


def test_leduc_words() -> None:
    state = leduc([0, 4, 3], "rcc")
    assert state.information_state(0) == "Js:rc/Qh:c"
    assert state.information_state(1) == "Ks:rc/Qh:c"
    assert [state.action_name(a) for a in state.legal_actions()] == ["check", "bet"]
    assert leduc([0, 4], "r").action_name(RAISE) == "raise"


def test_the_one_bet_form_is_a_game_of_its_own() -> None:
    flat = flatten(leduc_game(1))
    assert flat.name == "leduc-one-bet"
    assert (flat.num_nodes, flat.num_infosets) == (3517, 384)
