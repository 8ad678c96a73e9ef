"""Random hands of 2 to 10 players with unequal stacks and antes end as they do in pokerkit."""

from __future__ import annotations

import os
import random
from collections.abc import Iterable
from dataclasses import replace
from functools import lru_cache

import pytest
from pokerkit import Card, Hand, StandardHighHand

from overbet.cards.cards import cards_name
from overbet.games.holdem import HoldemGame
from tests.parity.pokerkit_table import Tally, play_both, random_table
from tests.parity.pokerkit_table import theirs as pokerkits


@pytest.fixture(autouse=True)
def _remembered_hands(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let pokerkit rank a hand once: it asks for the same one dozens of times at a showdown."""
    rank = lru_cache(maxsize=64)(StandardHighHand.from_game)

    def from_game(hole: Iterable[Card], board: Iterable[Card] = ()) -> Hand:
        return rank(tuple(hole), tuple(board))

    monkeypatch.setattr(StandardHighHand, "from_game", from_game)


def play_many(seed: int, hands: int) -> Tally:
    tally = Tally()
    for hand in range(hands):
        rng = random.Random(f"{seed}:{hand}")
        play_both(random_table(rng), seed, hand, rng, tally)
    return tally


def test_two_thousand_random_hands_end_with_pokerkits_stacks():
    tally = play_many(seed=2, hands=2000)
    assert tally.hands == 2000
    assert tally.seen_players == set(range(2, 11))
    assert tally.showdowns > 500
    assert tally.side_pots > 300
    assert 0 < tally.we_forbid + tally.we_allow < 0.02 * tally.decisions


def test_equal_blinds_and_straddles():
    tally = Tally()
    for hand in range(200):
        rng = random.Random(hand)
        game = random_table(rng)
        _, big = game.blinds
        blinds = rng.choice([(big, big), (0, big, 2 * big), (1, big, 0, 0, 3 * big)])
        game = replace(game, blinds=blinds[: game.num_players], min_bet=None)
        play_both(game, 9, hand, rng, tally)
    assert tally.hands == 200


@pytest.mark.parametrize(
    ("stacks", "line", "ours", "theirs"),
    [
        # a limper faces an all-in of half a raise: TDA rule 47 (example 3) says call or fold
        ((10_000, 10_000, 10_000, 150), "c:b150:f:c", None, 250),
        # short all-ins of 120, 120 and 40 on a raise of 200: 280 more is a full raise, pokerkit counts the 40
        ((580, 10_000, 10_000, 420, 540), "b300:b420:b540:b580:c", 780, None),
    ],
)
def test_the_two_documented_differences_in_who_may_raise_again(stacks, line, ours, theirs):
    game = HoldemGame(len(stacks), stacks)
    mine, other = game.deal(1).follow(line), pokerkits(game)
    for pair in mine.hole:
        other.deal_hole(cards_name(pair))
    for _, _, action in mine.history:
        if action > 0:
            other.complete_bet_or_raise_to(action)
        else:
            (other.fold if action else other.check_or_call)()
    assert mine.current_player() == other.actor_index
    assert mine.legal_actions().raise_min == ours
    assert other.min_completion_betting_or_raising_to_amount == theirs


@pytest.mark.slow
def test_a_hundred_thousand_random_hands_end_with_pokerkits_stacks():
    hands = int(os.environ.get("OVERBET_PARITY_HANDS", "100000"))
    tally = play_many(seed=5, hands=hands)
    print(tally)
    assert tally.hands == hands
