"""Games of OpenSpiel as games of ours: what each call says, what is refused and how."""

from __future__ import annotations

import sys

import pytest

from overbet.errors import ConfigError, IllegalActionError, RulesError, TooLargeError
from overbet.games.openspiel import OpenSpielGame, OpenSpielState, openspiel_entries
from overbet.games.protocol import CHANCE, Game, State
from overbet.games.registry import make_game
from overbet.solvers.tabular import TabularSolver
from overbet.tree.flat import estimated_nodes, flatten

pytest.importorskip("pyspiel")


def test_a_game_with_parameters_follows_the_protocol() -> None:
    game = make_game("openspiel:leduc_poker(players=3)")
    assert isinstance(game, OpenSpielGame)
    assert isinstance(game, Game)
    assert game.name == "openspiel:leduc_poker(players=3)"
    assert game.num_players == 3
    state = game.initial_state()
    assert isinstance(state, State)
    assert state.current_player() == CHANCE
    assert sum(chance for _, chance in state.chance_outcomes()) == pytest.approx(1.0)
    for card in (0, 2, 4):
        state = state.apply(card)
    assert state.current_player() == 0
    assert state.action_name(2) == "Raise"
    assert state.apply(2).information_state(1) != state.apply(1).information_state(1)
    with pytest.raises(IllegalActionError, match=r"action 7 is not legal here; legal: \[1, 2\]"):
        state.apply(7)
    with pytest.raises(IllegalActionError, match="only once the game is over"):
        state.returns()


def test_default_parameters_are_left_out_of_the_name() -> None:
    assert make_game("openspiel:kuhn_poker").name == "openspiel:kuhn_poker"
    assert make_game("openspiel: kuhn_poker(players=2) ").name == "openspiel:kuhn_poker(players=2)"


def test_players_who_move_at_once_move_in_turns_unseen() -> None:
    solver = TabularSolver("openspiel:matrix_rps", "dcfr")
    assert solver.flat.name == "openspiel:matrix_rps"
    assert solver.flat.num_infosets == 2
    solver.run(500)
    assert solver.exploitability() < 1e-3
    assert solver.average_strategy() == pytest.approx(1.0 / 3.0, abs=1e-2)


def test_rewards_on_the_way_are_added_up() -> None:
    """Cliff walking pays -1 a step and is played by one: round the cliff in four steps."""
    solver = TabularSolver("openspiel:cliff_walking(height=2,width=3,horizon=6)", "cfr+")
    solver.run(200)
    assert solver.values() == pytest.approx([-4.0], abs=0.05)  # up, right, right, down


def test_a_game_of_perfect_information_without_strings() -> None:
    flat = flatten(make_game("openspiel:pig(winscore=3,horizon=4,diceoutcomes=2)"))
    assert flat.perfect_recall
    assert flat.num_infosets == int((flat.tree.infoset >= 0).sum())


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("liar_dice", r"no game 'liar_dice' \(did you mean 'liars_dice'\?\); `overbet games --openspiel`"),
        ("liars_dice(foo=3)", r"Unknown parameter 'foo'\. Available parameters are: bidding_rule"),
        ("liars_dice(numdice=", "Missing closing bracket"),
        ("kuhn_poker(players=99)", "cannot make 'kuhn_poker"),
        ("kuhn_poker(players=banana)", "cannot make 'kuhn_poker"),
        ("", "write name or name"),
        ("(x)", "write name or name"),
        ("x" * 5000, "write name or name"),
        ("mfg_garnet", "mean-field"),
        ("negotiation", "draws its chance inside the game"),
        ("goofspiel(num_cards=-1)", "num_cards is -1, below 0"),
        ("skat", "does not say what a player knows"),
        ("nfg_game", "cannot make 'nfg_game': it needs a parameter that is not given"),
    ],
)
def test_what_cannot_be_made_is_told_in_one_line(
    name: str, told: str, capfd: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(RulesError, match=told) as raised:
        make_game(f"openspiel:{name}")
    assert "\n" not in str(raised.value)
    assert capfd.readouterr().err == ""


def test_a_fault_of_openspiels_own_is_told_as_that() -> None:
    class Broken:
        def legal_actions(self) -> list[int]:
            return [4]

        def child(self, action: int) -> None:
            raise MemoryError("std::bad_array_new_length")

    with pytest.raises(RulesError, match=r"own code fails after action 4: std::bad_array_new_length"):
        OpenSpielState(Broken(), by_history=True).apply(4)


def test_too_large_a_game_says_its_size_and_what_to_do() -> None:
    go = make_game("openspiel:go")
    assert estimated_nodes(go) > 10**300  # more than a float holds
    with pytest.raises(TooLargeError, match=r"about 10\^\d+ histories .* smaller parameters, .*: board_size"):
        flatten(go)
    with pytest.raises(TooLargeError, match=r"mancala has no parameters"):
        flatten(make_game("openspiel:mancala"))
    with pytest.raises(TooLargeError, match=r"more than 1,000 histories.*raise the limit"):
        flatten(make_game("openspiel:leduc_poker"), limit=1000)


def test_the_list_of_games() -> None:
    found = {entry.name: entry for entry in openspiel_entries()}
    assert found["liars_dice"].solvable
    assert found["kuhn_poker"].players == "2-10"
    assert found["goofspiel"].dynamics == "simultaneous"
    assert not found["mfg_garnet"].solvable
    assert not found["skat"].solvable


def test_without_openspiel_one_line_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pyspiel", None)
    with pytest.raises(ConfigError, match="pip install open_spiel"):
        make_game("openspiel:kuhn_poker")
