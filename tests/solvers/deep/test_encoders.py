"""Encoders: their sizes, that rows differ and can be read back, and what a history's row is made of."""

from __future__ import annotations

import numpy as np
import pytest

from overbet.errors import ConfigError
from overbet.games.registry import make_game
from overbet.solvers.deep.encoders import (
    TextEncoder,
    encoded_histories,
    encoded_sets,
    encoder_of,
    history_encoder,
)
from overbet.tree.flat import FlatGame, flatten

GAMES = ("kuhn", "kuhn3", "leduc", "leduc-one-bet")


def own(flat: FlatGame) -> list[tuple[int, str]]:
    return list(zip(flat.tree.infoset_player.tolist(), flat.infoset_names))


@pytest.mark.parametrize(("name", "size"), [("kuhn", 10), ("leduc", 26)])
def test_sizes_are_the_published_ones(name: str, size: int) -> None:
    assert encoder_of(flatten(make_game(name))).size == size


@pytest.mark.parametrize("name", GAMES)
def test_every_set_can_be_read_back(name: str) -> None:
    flat = flatten(make_game(name))
    encoder = encoder_of(flat)
    rows = encoded_sets(flat, encoder)
    assert rows.shape == (flat.num_infosets, encoder.size)
    assert rows.dtype == np.float32
    assert [encoder.decoded(row) for row in rows] == own(flat)
    assert len(np.unique(rows, axis=0)) == flat.num_infosets


def test_a_game_without_an_encoder_gets_one_of_its_texts() -> None:
    kuhn = flatten(make_game("kuhn"))
    other = FlatGame(**{**vars(kuhn), "name": "somebody's game"})
    encoder = encoder_of(other)
    assert isinstance(encoder, TextEncoder)
    assert [encoder.decoded(row) for row in encoded_sets(other, encoder)] == own(other)
    with pytest.raises(ConfigError, match="no information set of the game"):
        encoder.encoded(0, "Q:zzz")


def test_suits_and_ranks_stand_apart() -> None:
    encoder = encoder_of(flatten(make_game("leduc")))
    spade, heart = encoder.encoded(0, "Ks:cc/Qs:"), encoder.encoded(0, "Kh:cc/Qs:")
    assert np.flatnonzero(spade != heart).tolist() == [4]
    assert encoder.encoded(1, "Ks:cc/Kh:")[9] == 1.0  # a pair
    assert spade[9] == 0.0


def test_a_history_is_what_all_players_know() -> None:
    game = make_game("leduc-one-bet")
    flat = flatten(game)
    encoder = history_encoder(flat, game, encoder_of(flat))
    rows = encoded_histories(flat, game, encoder)
    decisions = np.flatnonzero(flat.tree.player >= 0)
    assert rows.shape == (flat.num_nodes, 2 * encoder.size)
    assert len(np.unique(rows[decisions], axis=0)) == len(decisions)  # every history of its own
    for node in decisions[::37].tolist():
        whose, name = own(flat)[flat.tree.infoset[node]]
        part = rows[node, whose * encoder.size : (whose + 1) * encoder.size]
        assert encoder.decoded(part) == (whose, name)


def test_histories_of_a_game_that_is_only_arrays_are_refused() -> None:
    flat = FlatGame(**{**vars(flatten(make_game("kuhn"))), "name": "somebody's game"})
    with pytest.raises(ConfigError, match="give the game, not its arrays"):
        encoded_histories(flat, None, encoder_of(flat))
