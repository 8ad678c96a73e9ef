"""Made hands and draws by name."""

import numpy as np
import pytest

from overbet.cards.cards import cards
from overbet.cards.categories import DRAWS, MADE, categories
from overbet.cards.combos import COMBOS, combo, combo_cards, live_combos
from overbet.errors import CardError
from tests.reference.evaluator import strength


def made(hand: str, board: str) -> str:
    return list(MADE)[categories(board).made[combo(hand)]]


def draws(hand: str, board: str) -> set[str]:
    bits = categories(board).draws[combo(hand)]
    return {name for place, name in enumerate(DRAWS) if bits >> place & 1}


@pytest.mark.parametrize(
    ("hand", "board", "name"),
    [
        ("JdTd", "QdKd9d", "straight-flush"),
        ("5d4d", "Ad2d3d", "straight-flush"),
        ("7h7d", "7s7c2d", "quads"),
        ("7h2d", "7s7c2h", "full-house"),
        ("Ad2d", "Kd7d3d", "flush"),
        ("JsTd", "QdKd9s", "straight"),
        ("As2d", "3s4h5c", "straight"),
        ("9s9d", "9hKd2c", "set"),
        ("9s8d", "9h9d2c", "trips"),
        ("Ks7d", "Kd7h2c", "two-pair"),
        ("Ks7d", "Kd4h4c", "top-pair"),  # the fours are everybody's
        ("AsAd", "KdKh4c", "overpair"),
        ("AsAd", "Kd7h4c", "overpair"),
        ("KsQd", "Kd7h4c", "top-pair"),
        ("QsQd", "Kd7h4c", "pocket-pair"),
        ("As7d", "Kd7h4c", "second-pair"),
        ("As4d", "Kd7h4h", "low-pair"),
        ("2s2d", "Kd7h4h", "pocket-pair"),
        ("AsQd", "Kd7h4h", "ace-high"),
        ("Ks5d", "Qd7h4h", "king-high"),
        ("9s5d", "Qd7h4h", "nothing"),
        ("9s5d", "8d8h8c", "nothing"),  # trips on the board are everybody's
        ("9s5d", "TdJdQdKdAd", "straight-flush"),
    ],
)
def test_made_hands_have_the_names_players_use(hand: str, board: str, name: str) -> None:
    assert made(hand, board) == name


@pytest.mark.parametrize(
    ("hand", "board", "names"),
    [
        ("AdTd", "Kd7d2c", {"nut-flush-draw", "flush-draw"}),
        ("QdTd", "Kd7d2c", {"flush-draw"}),
        ("KdQc", "Ad7d2d", {"nut-flush-draw", "flush-draw"}),
        ("Js9d", "Td8h2c", {"open-ended"}),
        ("Js7d", "Td8h2c", {"gutshot"}),
        ("Js9s", "8d7h5c", {"open-ended", "overcards"}),  # T and 6: a double gutshot
        ("AsKs", "9s6d2h", {"backdoor-flush", "overcards"}),
        ("AcKh", "9s6s2s", {"overcards"}),
        ("AsKs", "9s6s2h3d", {"nut-flush-draw", "flush-draw", "overcards"}),
        ("2c2d", "KsQdJhTc", {"none"}),  # the board's own straight draw is everybody's
        ("Td9d", "Kd7d2dAs", {"none"}),  # already a flush
        ("AdTd", "Kd7d2c3h4s", {"none"}),  # nothing comes after the river
    ],
)
def test_draws(hand: str, board: str, names: set[str]) -> None:
    assert draws(hand, board) == names


@pytest.mark.parametrize("board", ["Td9d6h", "8s8d3c2h", "AhKhQh2h5d", "2c3d4h5s9c", "KsKhKd2c2d"])
def test_from_a_straight_up_the_names_are_those_of_the_evaluator(board: str) -> None:
    found = categories(board)
    live = live_combos(cards(board))
    assert ((found.made >= 0) == live).all()
    assert ((found.draws >= 0) == live).all()
    strong = {8: "straight-flush", 7: "quads", 6: "full-house", 5: "flush", 4: "straight"}
    names = list(MADE)
    for number in np.flatnonzero(live)[:: 7 if len(board) < 10 else 3]:
        kind = strength([*combo_cards(int(number)), *cards(board)])[0]
        name = names[found.made[number]]
        assert (name if name in strong.values() else None) == strong.get(kind), combo_cards(int(number))


def test_every_live_combo_has_one_made_hand_and_a_draw_or_none() -> None:
    found = categories("Td9d6h")
    live = found.made >= 0
    assert found.made.shape == (COMBOS,)
    assert (found.draws[live] > 0).all()
    none = 1 << (len(DRAWS) - 1)
    assert not ((found.draws[live] & none > 0) & (found.draws[live] != none)).any()


def test_a_board_is_needed() -> None:
    with pytest.raises(CardError, match="board of 3, 4 or 5"):
        categories("")
