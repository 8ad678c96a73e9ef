"""Values of classes of hands when the flop is dealt: against the play-out of the same board."""

import numpy as np
import pytest

from overbet.blueprint.catalogue import find_blueprint
from overbet.blueprint.class_values import ClassValues, class_pairs, drawn_full_boards
from overbet.blueprint.dense_query import DenseBlueprint
from overbet.blueprint.hand_values import CONTINUATIONS, LEAN, BlueprintValues, _room
from overbet.blueprint.query import Blueprint
from overbet.cards.combos import class_of_combos, combo_table
from overbet.cards.preflop import equity_169
from overbet.kernels.playout.follow import PLAIN, Leaning, decisions_below, follow

LINE = "r:0:b200:b800:b2400:c:Td9d6h"  # little is left to bet: a small tree
SEED = 3


@pytest.fixture(scope="module")
def values() -> ClassValues:
    found = Blueprint.load(find_blueprint("heads-up"))
    assert isinstance(found, DenseBlueprint)
    return ClassValues(found)


@pytest.mark.parametrize("chooser", [0, 1])
def test_classes_are_worth_what_their_hands_are(values: ClassValues, chooser: int) -> None:
    state = values.blueprint.game.initial_state().with_cards([None, None]).follow(LINE)
    inner = values.stands_for(state)
    assert inner is not None
    number = 3
    found = values.after(inner, chooser, 1, SEED)[number].astype(np.float64)
    [board] = drawn_full_boards(1, SEED)
    alone = BlueprintValues(values.blueprint)
    combos, hands = alone._hands(board)
    node = values.blueprint.tree.after(inner)
    leaning = np.array([PLAIN, PLAIN])
    leaning[chooser] = CONTINUATIONS[number]
    classes, table = class_of_combos()[combos], combo_table()[combos]
    apart = ~(table[:, None, :, None] == table[None, :, None, :]).any((2, 3))
    won = (hands.rank[:, None] > hands.rank) + (hands.rank[:, None] == hands.rank) / 2
    checked = 0
    for column in (0, 14, 60, 100):
        theirs = classes == column
        work = _room(int(decisions_below(alone._tree.record, node)) + 1, len(combos))
        work.reach[0, 0], work.reach[0, 1] = 1.0, theirs
        follow(alone._tree, hands, Leaning(leaning, LEAN), node, work)
        for row in (1, 15, 61, 100):
            mine = classes == row
            pairs = apart[np.ix_(mine, theirs)]
            if pairs.sum() == 0:
                continue
            mean = work.value[0, 0, mine].sum() / pairs.sum()
            equity = won[np.ix_(mine, theirs)][pairs].mean()
            expected = (mean + inner.put_in[0]) / inner.pot + equity_169()[row, column] - equity
            assert found[row, column] == pytest.approx(expected, abs=1e-3)
            checked += 1
    assert checked > 8


def test_every_pair_of_hands_is_counted() -> None:
    assert class_pairs().sum() == 1326 * 1225
    assert class_pairs()[0, 0] == 6  # a pair against itself: AcAd against AhAs, and so on


def test_the_shipped_table_is_what_would_be_worked_out(values: ClassValues) -> None:
    ends = values.ends()
    assert len(ends) == 41
    deep = ends["r:0:b200:b800:b2400:c"]
    assert np.array_equal(values.known(deep, 1, 24), values.after(deep, 1, 24))  # to the last bit
    assert all(values.known(state, chooser, 24) is not None for state in ends.values() for chooser in (0, 1))
    assert values.are_known(24)
    assert not values.are_known(25)
    assert values.known(deep, 1, 25) is None


def test_another_blueprint_has_no_table() -> None:
    found = Blueprint.load(find_blueprint("heads-up-8bb"))
    assert isinstance(found, DenseBlueprint)
    short = ClassValues(found)
    assert not short.are_known(24)
    assert all(short.known(state, 0, 24) is None for state in short.ends().values())
