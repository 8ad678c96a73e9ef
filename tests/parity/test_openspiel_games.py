"""OpenSpiel's games flattened here: NashConv and values are OpenSpiel's own, and so are CFR's averages."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from typer.testing import CliRunner

from overbet.errors import ArtefactError, ConfigError
from overbet.games.openspiel import OpenSpielGame
from overbet.games.registry import make_game
from overbet.interfaces.cli.app import build
from overbet.solvers.policy import TabularPolicy
from overbet.solvers.sampling import SamplingSolver
from overbet.solvers.tabular import TabularSolver
from overbet.tree.flat import flatten

pyspiel = pytest.importorskip("pyspiel")

GAMES = (
    "kuhn_poker(players=3)",
    "liars_dice(dice_sides=3)",
    "goofspiel(num_cards=3,imp_info=True)",  # both move at once
    "goofspiel(num_cards=3,players=3,points_order=descending)",
    "tiny_hanabi",  # both want the same
    "first_sealed_auction(max_value=3)",
    "dark_hex(board_size=2)",
    "oshi_zumo(coins=3,horizon=4)",
    "battleship(board_width=2,board_height=2,ship_sizes=[1],ship_values=[1],num_shots=2)",
    "trade_comm(num_items=2)",
    "nim(pile_sizes=1;2;3)",
    "matching_pennies_3p",
)
LARGE = (
    "leduc_poker(players=3,suit_isomorphism=True)",
    "liars_dice",
    "tiny_bridge_2p",
    "kuhn_poker(players=5)",
    "goofspiel(num_cards=4,imp_info=True)",
    "sheriff(num_rounds=1,max_items=4,max_bribe=4)",
    "universal_poker(numPlayers=2,numRounds=2,blind=1 2,firstPlayer=1 1,numSuits=2,numRanks=3,numHoleCards=1,"
    "numBoardCards=0 1,stack=5 5,bettingAbstraction=fullgame)",
    "tic_tac_toe",
)


def check(name: str) -> None:
    game = make_game(f"openspiel:{name}")
    assert isinstance(game, OpenSpielGame)
    flat = flatten(game)
    weights = np.random.default_rng(len(name)).random(flat.num_slots) ** 3
    policy = TabularPolicy.from_weights(flat, weights)
    theirs = policy.to_openspiel()
    response = policy.best_response()
    expected = pyspiel.nash_conv(game.spiel, theirs, False)
    assert expected > 1e-3
    assert response.nash_conv == pytest.approx(expected, abs=1e-9)
    values = pyspiel.expected_returns(game.spiel.new_initial_state(), theirs, -1, True)
    np.testing.assert_allclose(response.values, values, atol=1e-9)
    back = TabularPolicy.from_openspiel(flat, theirs)
    assert back.probabilities.tobytes() == policy.probabilities.tobytes()


@pytest.mark.parametrize("name", GAMES)
def test_nash_conv_is_openspiels(name: str) -> None:
    check(name)


@pytest.mark.slow
@pytest.mark.parametrize("name", LARGE)
def test_nash_conv_is_openspiels_on_large_games(name: str) -> None:
    check(name)


@pytest.mark.parametrize(("rule", "peer"), [("cfr", "CFRSolver"), ("cfr+", "CFRPlusSolver")])
def test_cfr_is_openspiels(rule: str, peer: str) -> None:
    game = make_game("openspiel:liars_dice(dice_sides=3)")
    assert isinstance(game, OpenSpielGame)
    ours, theirs = TabularSolver(game, rule), getattr(pyspiel, peer)(game.spiel)
    for _ in range(20):
        theirs.evaluate_and_update_policy()
    ours.run(20)
    expected = pyspiel.nash_conv(game.spiel, theirs.average_policy(), True)
    assert ours.nash_conv() == pytest.approx(expected, abs=1e-9)


def test_sampling_takes_them_too() -> None:
    solver = SamplingSolver("openspiel:kuhn_poker", seed=1)
    solver.run(50_000)
    assert solver.exploitability() < 0.02


def test_from_the_command_line(tmp_path: Path) -> None:
    name, file = "openspiel:liars_dice(dice_sides=3)", tmp_path / "dice.parquet"
    made = CliRunner().invoke(build(), ["tabular", name, "--rule", "dcfr", "-n", "50", "--save", str(file)])
    assert made.exit_code == 0, made.output
    assert "192 information sets" in made.stdout
    refused = CliRunner().invoke(build(), ["policy", str(file)])
    assert isinstance(refused.exception, ArtefactError)
    assert "a file does not load a game of another library by itself" in str(refused.exception)
    shown = CliRunner().invoke(build(), ["policy", str(file), "--game", name, "--rows", "2"])
    assert shown.exit_code == 0, shown.output
    listed = CliRunner().invoke(build(), ["games", "--openspiel"])
    assert "overbet tabular openspiel:liars_dice" in " ".join(listed.stdout.split())


def test_a_game_without_strings_has_no_policies_there() -> None:
    policy = TabularPolicy.uniform("openspiel:pig(winscore=3,horizon=4,diceoutcomes=2)")
    with pytest.raises(ConfigError, match="has no information state strings"):
        policy.to_openspiel()
