"""The sit-and-go: structure, blinds that go up, a big blind that moves on, eliminations, prizes."""

from __future__ import annotations

import random
from itertools import pairwise

import pytest

from overbet.errors import IllegalActionError, RulesError
from overbet.games.expresso import ExpressoGame, ExpressoState, expresso_game
from overbet.games.protocol import CHANCE, Game, State


def play(state: ExpressoState, seed: int) -> list[ExpressoState]:
    rng, seen = random.Random(seed), [state]
    while not state.is_terminal():
        if state.current_player() == CHANCE:
            state = state.apply(rng.choice(state.chance_outcomes())[0])
        else:
            legal = state.legal_actions()
            sizes = [legal.raise_min, legal.raise_max] if legal.raise_min else []
            kinds = [0, *([-1] * 2 if legal.fold else []), *sizes]
            state = state.apply(rng.choice(kinds))
        seen.append(state)
    return seen


def test_starting_stacks_are_25_or_15_big_blinds():
    assert expresso_game().initial_state().chips == (500, 500, 500)
    state = expresso_game(15).initial_state()
    assert state.chips == (300, 300, 300)
    assert state.stacks == (290, 280, 300)
    assert isinstance(expresso_game(), Game)
    assert isinstance(state, State)


@pytest.mark.parametrize("seed", range(12))
def test_played_until_one_has_everything(seed):
    game = ExpressoGame(stack=300, hands_per_level=3)
    states = play(game.initial_state() if seed % 2 else game.deal(seed), seed)
    end = states[-1]
    assert sorted(end.stacks) == [0, 0, 900]
    assert sorted(end.returns()) == [-300.0, -300.0, 600.0]
    assert sorted(seat for group in end.out for seat in group) == sorted(
        seat for seat in range(3) if not end.stacks[seat]
    )
    for before, after in pairwise(states):
        assert sum(after.chips) == 900
        if after.number == before.number:
            assert after.chips == before.chips
        if after.number != before.number + 1:  # a hand with everybody all in on the blinds plays itself
            continue
        small, big = game.level(after.number)
        assert after.hand.game.blinds == (small, big)
        # the big blind is the next seat with chips, heads up the other player has the button
        seats = [(before.big_blind + step) % 3 for step in (1, 2, 3)]
        assert after.big_blind == next(seat for seat in seats if after.chips[seat])
        assert after.order[0 if len(after.order) == 2 else 1] == after.big_blind
        assert {seat for seat in range(3) if after.chips[seat]} == set(after.order)
    if seed % 2 == 0:
        assert all(state.current_player() != CHANCE for state in states)


def test_the_button_and_the_first_hands():
    state = expresso_game().deal(1)
    assert (state.button, state.big_blind, state.current_player()) == (2, 1, 2)
    state = state.apply(-1).apply(-1)
    assert state.number == 1
    assert (state.button, state.big_blind, state.current_player()) == (0, 2, 0)
    assert state.chips == (490, 510, 500)


def test_levels_go_up_by_hands():
    game = ExpressoGame(levels=((10, 20), (20, 40, 5)), hands_per_level=2)
    assert [tuple(game.level(hand)) for hand in (0, 1, 2, 99)] == [
        (10, 20),
        (10, 20),
        (20, 40, 5),
        (20, 40, 5),
    ]
    state = game.deal(4)
    while state.number < 2:
        state = state.apply(-1 if -1 in state.legal_actions() else 0)
    assert state.hand.game.blinds == (20, 40)
    assert state.hand.game.antes == (5, 5, 5)


@pytest.mark.parametrize(
    ("multiplier", "prizes"),
    [
        (2, (2.0, 0, 0)),
        (5, (5.0, 0, 0)),
        (10, (8.0, 2.0, 0)),
        (25, (20.0, 3.0, 2.0)),
        (240, (192.0, 24.0, 24.0)),
    ],
)
def test_prizes_by_multiplier(multiplier, prizes):
    game = expresso_game(multiplier=multiplier, pays="prize")
    assert game.prizes == pytest.approx(prizes)
    end = play(game.deal(3), 3)[-1]
    winner = end.stacks.index(1500)
    assert end.returns()[winner] == pytest.approx(prizes[0] - 1)
    assert sum(end.returns()) == pytest.approx(multiplier - 3)


def test_prize_ev_is_a_fair_share_at_the_start_and_always_adds_up():
    game = expresso_game(multiplier=25, pays="prize")
    states = play(game.deal(8), 8)
    assert states[0].prize_ev() == pytest.approx([25 / 3] * 3)
    for state in states:
        assert sum(state.prize_ev()) == pytest.approx(25)


def test_two_out_in_one_hand_share_or_are_ranked_by_their_stacks():
    game = ExpressoGame(multiplier=25, pays="prize")
    shared = None
    for seed in range(200):  # everybody all in on the first hand with equal stacks until one wins it all
        state = game.deal(seed).apply(500).apply(0).apply(0)
        if state.is_terminal() and sum(stack > 0 for stack in state.stacks) == 1:
            shared = state
            break
    assert shared is not None
    assert len(shared.out) == 1
    assert sorted(shared.returns()) == pytest.approx([1.5, 1.5, 19.0])


def test_unequal_stacks_that_go_together_are_ranked():
    game = ExpressoGame(multiplier=25, pays="prize")
    for seed in range(300):
        state = game.deal(seed).apply(-1).apply(-1)  # seat 1 wins the blinds: 490, 510, 500
        state = state.apply(490).apply(0).apply(500).apply(0)
        if state.is_terminal():
            assert state.out == ((0,), (2,))
            assert state.returns() == pytest.approx((1.0, 19.0, 2.0))
            return
    pytest.fail("no deal in which seat 1 wins everything")


def test_information_and_refusals():
    state = expresso_game().deal(5)
    assert state.information_state(2).startswith("hand 0 bb 1 stacks 500 500 500 | seat 2 p2 ")
    assert state.action_name(-1) == "fold"
    assert "expresso hand 0" in repr(state)
    with pytest.raises(IllegalActionError, match="legal: fold, call 20, raise to 40-500"):
        state.apply(39)
    with pytest.raises(IllegalActionError, match="all the chips"):
        state.returns()


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"num_players": 4}, "3 players"),
        ({"pays": "euros"}, "'chips' or 'prize'"),
        ({"multiplier": 0}, "multiplier"),
        ({"levels": ()}, "at least one blind level"),
        ({"levels": ((10,),)}, "a blind level is"),
        ({"levels": ((20, 10),)}, "small blind 20 is larger"),
        ({"hands_per_level": 0}, "at least one hand"),
        ({"stack": 0}, "no chips"),
        ({"payouts": ((0, (0.8, 0.1)),)}, "add up to 1"),
        ({"payouts": ((10, (1.0,)),)}, "no row for multiplier 2"),
    ],
)
def test_impossible_structures(options, message):
    with pytest.raises(RulesError, match=message):
        ExpressoGame(**options)
    with pytest.raises(RulesError, match="too small"):
        expresso_game(0)
