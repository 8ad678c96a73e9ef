"""AIVAT on small games, over every hand: unbiased for any value function, constant for the true one."""

from itertools import chain, combinations

import numpy as np
import pytest

from overbet.errors import ConfigError
from overbet.evaluation.aivat_tabular import TabularAivat, spread, true_values
from overbet.games.registry import make_game
from overbet.tree.flat import flatten

GAMES = {name: flatten(make_game(name)) for name in ("kuhn", "leduc-one-bet", "leduc", "kuhn3")}


def random_strategy(flat, seed):
    return flat.normalise(np.random.default_rng(seed).exponential(size=flat.num_slots))


def subsets(players):
    return chain.from_iterable(combinations(range(players), size) for size in range(players + 1))


CASES = [(name, known) for name, flat in GAMES.items() for known in subsets(flat.num_players)]


@pytest.mark.parametrize(("name", "known"), CASES)
def test_any_value_function_leaves_the_mean_alone(name, known):
    flat = GAMES[name]
    for seed in range(1 if name == "leduc" else 4):
        strategy = random_strategy(flat, seed)
        values = 10.0 * np.random.default_rng(100 + seed).standard_normal((flat.num_nodes, flat.num_players))
        found = TabularAivat(name, strategy, known, values, flat=flat)
        np.testing.assert_allclose(
            found.spread(strategy).mean, spread(flat, strategy).mean, rtol=0, atol=1e-12
        )


@pytest.mark.parametrize("name", ["kuhn", "leduc", "kuhn3"])
def test_the_true_value_with_all_known_does_not_vary(name):
    flat = GAMES[name]
    strategy = random_strategy(flat, 7)
    values = true_values(flat, strategy)
    for viewers in (None, [0], [1]):
        found = TabularAivat(name, strategy, range(flat.num_players), values, viewers, flat)
        played = found.spread(strategy)
        np.testing.assert_allclose(played.mean, values[0], rtol=0, atol=1e-12)
        np.testing.assert_allclose(found.estimates, values[0][None] + 0 * found.estimates, rtol=0, atol=1e-12)


def test_knowing_more_reduces_the_deviation():
    flat = GAMES["leduc"]
    strategy = random_strategy(flat, 3)
    values = true_values(flat, flat.uniform())  # not the true one, but related
    raw = spread(flat, strategy).sd[0]
    deviation = [
        TabularAivat("leduc", strategy, known, values, flat=flat).spread(strategy).sd[0]
        for known in ((), (0,), (0, 1))
    ]
    assert deviation[2] < deviation[1] < deviation[0] < raw


def test_averaging_over_own_hands_helps_without_any_values():
    flat = GAMES["leduc"]
    strategy = random_strategy(flat, 4)
    nothing = np.zeros((flat.num_nodes, 2))
    found = TabularAivat("leduc", strategy, [0], nothing, flat=flat).spread(strategy)
    assert found.sd[0] < 0.9 * spread(flat, strategy).sd[0]


def test_a_wrong_strategy_would_show():
    """The test above can fail: told a strategy the player did not play, the estimate is off."""
    flat = GAMES["kuhn"]
    strategy, other = random_strategy(flat, 5), random_strategy(flat, 6)
    values = np.random.default_rng(8).standard_normal((flat.num_nodes, 2))
    found = TabularAivat("kuhn", other, [0], values, flat=flat)
    assert abs(found.spread(strategy).mean - spread(flat, strategy).mean).max() > 1e-3


def test_one_hand_by_its_actions():
    flat = GAMES["kuhn"]
    strategy = flat.uniform()
    found = TabularAivat("kuhn", strategy, [0, 1], true_values(flat, strategy), flat=flat)
    np.testing.assert_allclose(found.of([0, 1, 0, 0]), found.estimates[0], atol=1e-12)


def test_what_is_refused():
    flat = GAMES["kuhn"]
    values = np.zeros((flat.num_nodes, 2))
    with pytest.raises(ConfigError, match="known players are 0 to 1"):
        TabularAivat("kuhn", flat.uniform(), [2], values, flat=flat)
    with pytest.raises(ConfigError, match="an unknown player tells apart"):
        TabularAivat("kuhn", flat.uniform(), [0], values, viewers=[0], flat=flat)
