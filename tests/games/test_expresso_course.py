"""Whole tournaments hand by hand against a plain count of chips, seats, levels, places and prizes."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

from overbet.errors import IllegalActionError
from overbet.games.expresso import ExpressoGame, next_hand
from overbet.games.multipliers import MULTIPLIERS, OUT_OF, draw_multiplier, mean_multiplier
from overbet.study.tournaments import buy_ins_words, course_of, place_words, prize_words, result_buy_ins

MULTIPLES = (2, 10, 25, 100)


def played_out(hand, rng: random.Random) -> tuple[object, list[int]]:
    """Play a hand to its end at random, all in more often than not."""
    actions = []
    while not hand.is_terminal():
        legal = hand.legal_actions()
        kinds = [
            0,
            *([-1] if legal.fold else []),
            *([legal.raise_min, legal.raise_max] if legal.raise_max else []),
        ]
        actions.append(rng.choice(kinds))
        hand = hand.apply(actions[-1])
    return hand, actions


def test_a_thousand_tournaments_keep_their_chips() -> None:
    """Everything is counted again by plain sums: who sits where, who pays, who is out and what is won."""
    shared = 0
    for seed in range(1000):
        rng = random.Random(seed)
        game = ExpressoGame(stack=300, hands_per_level=3, multiplier=MULTIPLES[seed % 4], pays="prize")
        state = game.first_hand(seed)
        chips, big, hand, gone = [300, 300, 300], 1, 0, []
        while True:
            assert (list(state.chips), state.big_blind, state.number) == (chips, big, hand)
            assert sum(chips) == 900
            assert state.hand.game.blinds == tuple(game.levels[min(hand // 3, 8)])
            assert set(state.order) == {seat for seat in range(3) if chips[seat]}
            assert state.order[0 if len(state.order) == 2 else 1] == big
            final, _ = played_out(state.hand, rng)
            before = list(chips)
            for player, won in enumerate(final.returns()):
                chips[state.order[player]] += int(won)
            out = sorted(
                (seat for seat in range(3) if before[seat] and not chips[seat]), key=before.__getitem__
            )
            gone += [(seat, before[seat], hand) for seat in out]
            state = next_hand(replace(state, hand=final))
            if sum(stack > 0 for stack in chips) == 1:
                break
            big = next(seat for step in (1, 2, 3) if chips[seat := (big + step) % 3])
            hand += 1
        assert sum(chips) == 900
        assert state.is_settled
        assert next_hand(state) is state
        winner = chips.index(900)
        (third, *low), (second, *high) = gone
        paid = dict(zip((winner, second, third), game.prizes, strict=True))
        if low == high:  # out in the same hand with the same stack
            shared += 1
            paid[second] = paid[third] = (paid[second] + paid[third]) / 2
            assert state.places(second) == state.places(third) == (2, 3)
        else:
            assert (state.places(second), state.places(third)) == ((2,), (3,))
        assert state.places(winner) == (1,)
        assert state.returns() == pytest.approx([paid[seat] - 1 for seat in range(3)])
    assert shared > 0


def test_the_course_follows_from_the_actions() -> None:
    game = ExpressoGame(stack=300, hands_per_level=3, multiplier=25, pays="prize")
    rng = random.Random(4)
    state, hands = game.first_hand(4), []
    starts = [state]
    while not state.is_settled:
        final, actions = played_out(state.hand, rng)
        hands.append(actions)
        state = next_hand(replace(state, hand=final))
        starts.append(state)
    found = course_of(game, 4, hands)
    assert [(one.number, one.chips, one.out) for one in found] == [(s.number, s.chips, s.out) for s in starts]
    assert sum(result_buy_ins(found[-1], seat) for seat in range(3)) == pytest.approx(22)
    assert [result_buy_ins(found[0], seat) for seat in range(3)] == [None] * 3
    assert {place_words(found[-1], seat) for seat in range(3)} <= {"1st place", "2nd place", "3rd place"}
    with pytest.raises(IllegalActionError, match="not over"):
        next_hand(found[0])


def test_prizes_in_words() -> None:
    assert prize_words(ExpressoGame(multiplier=4)) == "x4, the winner takes 4 buy-ins"
    assert prize_words(ExpressoGame(multiplier=25)) == "x25, paid in buy-ins: 1st 20, 2nd 3, 3rd 2"
    assert [buy_ins_words(one) for one in (1.0, -1.0, 0.5)] == ["+1 buy-in", "-1 buy-in", "+0.5 buy-ins"]


def test_multipliers_are_drawn_as_often_as_published() -> None:
    assert sum(count for _, count in MULTIPLIERS) == OUT_OF
    assert mean_multiplier() == pytest.approx(2.773)
    drawn = [draw_multiplier(seed) for seed in range(20_000)]
    for multiplier, count in MULTIPLIERS:
        share = count / OUT_OF
        assert drawn.count(multiplier) / 20_000 == pytest.approx(share, abs=4 * (share / 20_000) ** 0.5)
    assert draw_multiplier(7) == draw_multiplier(7)
