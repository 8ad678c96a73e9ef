"""Values of pairs of hands after the flop: against the play-out of one reach, and against counted boards."""

from itertools import combinations

import numpy as np
import pytest

from overbet.blueprint.catalogue import find_blueprint
from overbet.blueprint.dense_query import DenseBlueprint
from overbet.blueprint.hand_values import CONTINUATIONS, LEAN, BlueprintValues
from overbet.blueprint.pair_values import PairValues, drawn_boards, exact_pairs
from overbet.blueprint.query import Blueprint
from overbet.cards.cards import cards
from overbet.cards.combos import COMBOS, combo_index, live_combos
from overbet.cards.evaluator import evaluate_batch
from overbet.games.holdem_state import HoldemState
from overbet.kernels.playout.follow import PLAIN, Leaning, decisions_below, follow

FLOP = cards("Td9d6h")
LINE = "r:0:b200:b500:c:Td9d6h:c:b1000:b2500:c:2c"  # little is left to bet: a small tree


@pytest.fixture(scope="module")
def values() -> PairValues:
    found = Blueprint.load(find_blueprint("heads-up"))
    assert isinstance(found, DenseBlueprint)
    return PairValues(found)


@pytest.fixture(scope="module")
def inner(values: PairValues) -> HoldemState:
    state = values.blueprint.game.initial_state().with_cards([None, None]).follow(LINE)
    return values.blueprint.followed(state).checked()


def place(hand: str) -> int:
    live = np.cumsum(live_combos(FLOP)) - 1
    return int(live[combo_index(*cards(hand))])


@pytest.mark.parametrize("chooser", [0, 1])
@pytest.mark.parametrize("number", [0, 3])
def test_pairs_against_a_reach_are_the_play_out_of_that_reach(
    values: PairValues, inner: HoldemState, chooser: int, number: int
) -> None:
    """On one board, what the exact equity changed taken off again."""
    [board] = drawn_boards(FLOP, 1, 0)
    table = values.after(inner, FLOP, chooser, boards=1)[number].astype(np.float64)
    table = table if chooser == 0 else table.T
    alone = BlueprintValues(values.blueprint)
    combos, hands = alone._hands(board)
    live = (np.cumsum(live_combos(FLOP)) - 1)[combos]
    rng = np.random.default_rng(3)
    reach = rng.random((2, COMBOS))
    leaning = np.array([PLAIN, PLAIN])
    leaning[chooser] = CONTINUATIONS[number]
    node = values.blueprint.tree.after(inner)
    from overbet.blueprint.hand_values import _room

    work = _room(int(decisions_below(alone._tree.record, node)) + 1, len(combos))
    work.reach[0] = reach[:, combos]
    follow(alone._tree, hands, Leaning(leaning, LEAN), node, work)
    won = (hands.rank[:, None] > hands.rank) + (hands.rank[:, None] == hands.rank) / 2
    met = exact_pairs(FLOP)[np.ix_(live, live)]
    drawn_off = (values.equity(FLOP)[np.ix_(live, live)] - won) * met
    pairs = (table[np.ix_(live, live)] - drawn_off) * inner.pot - inner.put_in[0] * met
    expected = work.value[0, 0]
    assert np.allclose(pairs @ reach[1, combos], expected, rtol=1e-3, atol=1e-3 * np.abs(expected).max())


def test_equity_is_that_of_all_boards(values: PairValues) -> None:
    mine, other = "AhKh", "Ts9s"
    gone = {*FLOP, *cards(mine + other)}
    runs = list(combinations([card for card in range(52) if card not in gone], 2))
    seven = [np.array([(*cards(hand), *FLOP, *run) for run in runs], np.int8) for hand in (mine, other)]
    ranks = [evaluate_batch(each) for each in seven]
    share = ((ranks[0] > ranks[1]) + (ranks[0] == ranks[1]) / 2).mean()
    equity = values.equity(FLOP)
    assert equity[place(mine), place(other)] == pytest.approx(share, abs=1e-5)
    assert np.allclose(equity + equity.T, exact_pairs(FLOP), atol=1e-5)
    assert equity[place("AhKh"), place("AhQh")] == 0


def test_boards_are_drawn_with_another_turn_card_each() -> None:
    boards = drawn_boards(FLOP, 49, 0)
    assert len({board[3] for board in boards}) == 49
    assert all(len(set(board)) == 5 and board[:3] == FLOP for board in boards)
    assert boards[:10] == drawn_boards(FLOP, 10, 0)
    assert boards != drawn_boards(FLOP, 49, 1)


def test_who_leans_to_folding_is_worth_less_with_good_hands(values: PairValues, inner: HoldemState) -> None:
    """Player 0's share is larger where player 1, who holds a set, folds more often."""
    found = values.after(inner, FLOP, 1, boards=12)
    assert found.shape == (4, 1176, 1176)
    row = found[:, place("9s9c")] @ np.ones(1176)
    assert row[1] > row[0]
    assert values.after(inner, FLOP, 1, boards=12) is found  # kept


def test_a_line_that_cannot_be_followed_has_no_values(values: PairValues) -> None:
    game = values.blueprint.game
    all_in = game.initial_state().with_cards([None, None]).follow("r:0:b10000:c:Td9d6h")
    assert values.at(all_in, 0, 4) is None
