"""The independent chip model, against the formula written out and published examples."""

from itertools import permutations

import pytest

from overbet.errors import RulesError
from overbet.games.icm import prize_ev


def by_permutations(stacks, prizes):
    """Return the same by walking over every finishing order."""
    values = [0.0] * len(stacks)
    for order in permutations(range(len(stacks))):
        chance, rest = 1.0, sum(stacks)
        for player in order:
            chance *= stacks[player] / rest if rest else 1.0
            rest -= stacks[player]
        for player, prize in zip(order, prizes):
            values[player] += chance * prize
    return values


def test_all_finishing_orders():
    stacks, prizes = (1500, 900, 400, 200), (50.0, 30.0, 15.0, 5.0)
    assert prize_ev(stacks, prizes) == pytest.approx(by_permutations(stacks, prizes))
    assert sum(prize_ev(stacks, prizes)) == pytest.approx(100)


def test_a_textbook_example():
    # three players with 50, 30 and 20 per cent of the chips play for 70 and 30
    values = prize_ev((5000, 3000, 2000), (70.0, 30.0))
    assert values == pytest.approx((45.17857, 32.25, 22.57143), abs=1e-4)


def test_winner_takes_all_is_the_share_of_the_chips():
    assert prize_ev((600, 300, 100), (100.0,)) == pytest.approx((60, 30, 10))


def test_players_without_chips_hold_the_last_places():
    assert prize_ev((500, 500, 0), (80.0, 12.0, 8.0)) == pytest.approx((46, 46, 8))
    assert prize_ev((1000, 0, 0), (80.0, 12.0, 8.0)) == pytest.approx((80, 10, 10))


@pytest.mark.parametrize("stacks", [(), (0, 0), (5, -1)])
def test_impossible_stacks(stacks):
    with pytest.raises(RulesError, match="not a tournament"):
        prize_ev(stacks, (1.0,))
