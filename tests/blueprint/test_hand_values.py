"""Values of hands by a blueprint, against a plain walk over every pair of hands."""

import numpy as np
import pytest

from overbet.blueprint.catalogue import find_blueprint
from overbet.blueprint.dense_query import DenseBlueprint
from overbet.blueprint.hand_values import LEAN, BlueprintValues
from overbet.blueprint.query import Blueprint
from overbet.cards.cards import card_name, cards
from overbet.cards.combos import COMBOS, combo_index, combo_table
from overbet.games.holdem_state import HoldemState
from overbet.kernels.playout.follow import PLAIN, TO_RAISE

RIVER = "r:0:b200:c:Td9d6h:c:c:2c:c:c:As"
HANDS = ("AhKh", "Ts9s", "7c8c", "3s3d", "QdJd", "AcTc", "5h4h")


@pytest.fixture(scope="module")
def blueprint() -> DenseBlueprint:
    found = Blueprint.load(find_blueprint("heads-up"))
    assert isinstance(found, DenseBlueprint)
    return found


def walked(blueprint: Blueprint, state: HoldemState, pair: tuple[str, str], lean: tuple[int, int]) -> float:
    """What player 0 wins on average when both hold these cards and follow the blueprint; no kernel."""
    if state.is_terminal():
        return state.returns()[0]
    player = state.current_player()
    chances = blueprint.strategy(state.line, pair[player])
    actions = blueprint.actions(state.line)
    if lean[player] == TO_RAISE:
        chances = chances * np.where(np.array(actions) > 0, LEAN, 1.0)
        chances = chances / chances.sum()
    parts = (c * walked(blueprint, state.apply(a), pair, lean) for c, a in zip(chances, actions) if c > 0)
    return float(sum(parts))


def dealt(blueprint: Blueprint, pair: tuple[str, str], line: str, board: str) -> HoldemState:
    return blueprint.game.initial_state().with_cards(list(pair), board).follow(line)


@pytest.mark.parametrize("lean", [(PLAIN, PLAIN), (PLAIN, TO_RAISE)])
def test_the_river_is_summed_over_all_pairs_of_hands(
    blueprint: DenseBlueprint, lean: tuple[int, int]
) -> None:
    state = blueprint.game.initial_state().with_cards([None, None]).follow(RIVER)
    combos = [combo_index(*cards(hand)) for hand in HANDS]
    ranges = np.zeros((2, COMBOS))
    ranges[:, combos] = np.linspace(0.3, 1.0, 2 * len(combos)).reshape(2, -1)
    found = BlueprintValues(blueprint).at(state, state.board, ranges, leaning=lean)
    table = combo_table()
    for mine, hand in zip(combos, HANDS):
        total = met = 0.0
        for other, against in zip(combos, HANDS):
            if not set(table[mine]) & set(table[other]):
                weight = ranges[1, other]
                both = dealt(blueprint, (hand, against), RIVER, "Td9d6h2cAs")
                total += weight * walked(blueprint, both, (hand, against), lean)
                met += weight
        assert found.values[0, mine] == pytest.approx(total, rel=1e-9, abs=1e-6)
        assert found.met[0, mine] == pytest.approx(met)


def test_the_turn_is_the_mean_over_all_rivers(blueprint: DenseBlueprint) -> None:
    """Facing a bet of all chips: a decision, then every river that neither hand holds."""
    line = "r:0:b200:c:Td9d6h:c:c:2c:c:b10000"
    turn = blueprint.game.initial_state().with_cards([None, None]).follow(line)
    pair = ("QdJd", "AcTc")
    mine, other = (combo_index(*cards(hand)) for hand in pair)
    ranges = np.zeros((2, COMBOS))
    ranges[0, mine] = ranges[1, other] = 1.0
    found = BlueprintValues(blueprint).at(turn, turn.board, ranges)
    assert found.boards == 48
    gone = {*turn.board, *cards("".join(pair))}
    rivers = [card for card in range(52) if card not in gone]
    wins = [
        walked(blueprint, dealt(blueprint, pair, line, f"Td9d6h2c{card_name(card)}"), pair, (PLAIN, PLAIN))
        for card in rivers
    ]
    assert found.values[0, mine] == pytest.approx(float(np.mean(wins)), rel=1e-9)
    assert found.values[1, other] == pytest.approx(-float(np.mean(wins)), rel=1e-9)
