from __future__ import annotations

import numpy as np
import pytest

from overbet.blueprint.network.config import HoldemNetworkConfig
from overbet.blueprint.network.files import encoder_of
from overbet.cards.combos import combo_table
from overbet.errors import ConfigError, RulesError
from tests.blueprint.networks import STREETS, encoder_called
from tests.reference.network_rows import betting_row, card_row

BOARDS = np.array([[50, 2, 37, 11, 23], [0, 4, 8, 12, 16], [3, 2, 1, 7, 51], [51, 47, 43, 39, 35]], np.int8)


def test_cards_are_those_of_the_oracle() -> None:
    rows = encoder_called("streets").rows(BOARDS)
    table = combo_table()
    for number, board in enumerate(BOARDS.tolist()):
        for street, lying in enumerate((0, 3, 4, 5)):
            for combo in range(number, 1326, 61):
                hole = tuple(int(card) for card in table[combo])
                dead = bool({*hole} & {*board[:lying]})
                assert (rows.bucket[number, street, combo] < 0) == dead
                if not dead:
                    wanted = card_row(hole, tuple(board[:lying]))
                    assert rows.card[number, street, combo].tolist() == wanted, (board, hole, street)


def test_names_of_suits_do_not_matter() -> None:
    rows = encoder_called("streets").rows(BOARDS)
    turned = encoder_called("streets").rows(BOARDS // 4 * 4 + (BOARDS % 4 + 1) % 4)
    table = combo_table().astype(np.int64)
    moved = np.sort(table // 4 * 4 + (table % 4 + 1) % 4, axis=1)
    place = moved[:, 1] * (moved[:, 1] - 1) // 2 + moved[:, 0]
    for street in range(4):
        for array, other in (
            (rows.card, turned.card),
            (rows.bucket, turned.bucket),
            (rows.strength, turned.strength),
        ):
            assert np.array_equal(array[:, street], other[:, street][:, place])


def test_buckets_and_order_of_hands_are_the_houses() -> None:
    encoder = encoder_called("streets")
    rows = encoder.rows(BOARDS)
    for number, board in enumerate(BOARDS.tolist()):
        for street, lying in enumerate((0, 3, 4, 5)):
            assert np.array_equal(rows.bucket[number, street], encoder.cards.of_board(tuple(board[:lying])))
    assert (rows.shown[:, :] >= 0).sum() == 4 * 1081
    later = encoder.rows(BOARDS, [False, False, True, False])
    assert np.array_equal(later.strength[:, 2], rows.strength[:, 2])
    assert (later.bucket[:, 3] == -1).all()


def test_betting_is_that_of_the_oracle_and_is_read_back() -> None:
    encoder = encoder_called("streets")
    tree = encoder.tree
    decisions = np.flatnonzero(tree.nodes.player >= 0)
    for node in decisions[::7].tolist():
        line = tree.line(node)
        state = tree.game.deal(3).follow(line)
        wanted = betting_row(state, tree.actions(node), int(tree.nodes.level[node]))
        np.testing.assert_allclose(encoder.betting[node], wanted, rtol=1e-6, atol=1e-6, err_msg=line)
    for node in decisions.tolist():
        assert encoder.line(encoder.betting[node]) == tree.line(node)


def test_slots_are_the_children_in_order() -> None:
    encoder = encoder_called("streets")
    for node in range(encoder.tree.size.nodes):
        slots = encoder.slots[node]
        assert slots[slots >= 0].tolist() == list(encoder.tree.children(node))


def test_what_does_not_fit_is_said() -> None:
    encoder = encoder_called("streets")
    with pytest.raises(RulesError, match="92 numbers"):
        encoder.line(np.zeros(5))
    row = encoder.betting[0].copy()
    row[20 + 3 * 18] = 1.0
    with pytest.raises(RulesError, match="not reached"):
        encoder.line(row)
    many = {**STREETS, "menu": {**STREETS["menu"], "flop": {"sizes": ["20%, 40%, 60%, 80%, a"]}}}  # type: ignore[dict-item]
    with pytest.raises(ConfigError, match="at most 3 raises and all-in"):
        encoder_of(HoldemNetworkConfig.parse(many))
    three = {**STREETS, "game": {"players": 3, "stack_bb": 5}, "cards": {"kind": "preflop"}}
    with pytest.raises(ConfigError, match="heads up"):
        encoder_of(HoldemNetworkConfig.parse(three))
