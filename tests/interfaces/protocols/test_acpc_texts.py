"""Game files and match states of the ACPC, against its examples, its dealer's logs and its server's code."""

from __future__ import annotations

import random
import re

import pytest

from overbet.errors import OverbetError
from overbet.games.holdem import HoldemGame
from overbet.interfaces.protocols.acpc.game_file import (
    acpc_game_text,
    competition_game,
    find_game,
    read_acpc_game,
)
from overbet.interfaces.protocols.acpc.match_state import (
    betting_of,
    cards_of,
    checked_view,
    move_of,
    read_view,
    state_of,
)
from tests.interfaces.protocols.recorded import DIALOGUE, THREE_PLAYERS, TWO_PLAYERS, WON

REVERSE = """GAMEDEF
# the competition's heads-up table
NoLimit
numPlayers = 2
numRounds = 4
stack = 20000 20000
blind = 100 50
firstPlayer = 2 1 1 1
numSuits = 4
numRanks = 13
numHoleCards = 2
numBoardCards = 0 3 1 1
END GAMEDEF
"""


def test_reverse_blinds_are_the_house_heads_up() -> None:
    game = read_acpc_game(REVERSE, "holdem.nolimit.2p.reverse_blinds.game")
    assert game == competition_game(2)
    state = game.initial_state().with_cards([None, None])
    assert state.bets == (100, 50)  # position 0 is the big blind
    assert state.current_player() == 1  # the button begins
    assert state.apply(0).apply(0).with_cards(None, "8c8d5c").current_player() == 0


@pytest.mark.parametrize("players", range(2, 11))
def test_game_files_read_back(players: int) -> None:
    game = competition_game(players)
    assert read_acpc_game(acpc_game_text(game), game.name) == game
    assert find_game(f"{players}p") == game


def test_a_straddle_moves_the_opener() -> None:
    game = HoldemGame(4, 1000, (5, 10, 20))
    assert "firstPlayer = 4 1 1 1" in acpc_game_text(game)
    assert read_acpc_game(acpc_game_text(game)).blinds == (5, 10, 20)


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (("NoLimit", "limit"), "cannot be played here"),
        (("numPlayers = 2", "numPlayers = 11"), "2 to 10 players"),
        (("numPlayers = 2", "numPlayers = two"), "whole numbers"),
        (("blind = 100 50", "blind = 50 100"), "button posts the small blind"),
        (("firstPlayer = 2 1 1 1", "firstPlayer = 1 1 1 1"), "firstPlayer = 2 1 1 1"),
        (("numHoleCards = 2", "numHoleCards = 4"), "not hold'em"),
        (("numBoardCards = 0 3 1 1", "numBoardCards = 0 3 1"), "0 3 1 1"),
        (("stack =", "stacks ="), "did you mean 'stack'"),
        (("END GAMEDEF", ""), "END GAMEDEF"),
        (("stack = 20000 20000", "stack = 20000"), "needs 2 numbers"),
    ],
)
def test_what_cannot_be_played_is_named(change: tuple[str, str], said: str) -> None:
    with pytest.raises(OverbetError, match=re.escape(said)):
        read_acpc_game(REVERSE.replace(*change))


@pytest.mark.parametrize(("log", "players"), [(TWO_PLAYERS, 2), (THREE_PLAYERS, 3)])
def test_the_competitions_logs_come_out_of_our_rules(log: str, players: int) -> None:
    game = competition_game(players)
    for line in log.splitlines()[1:-1]:
        _, _, betting, cards, won, _ = line.split(":")
        state = state_of(game, betting, cards)
        assert [f"{chips:.0f}" for chips in state.returns()] == won.split("|"), line
        assert (betting_of(state), cards_of(state)) == (betting, cards)


def test_the_documents_dialogue() -> None:
    game, told, won = competition_game(2), dict[tuple[int, str], str](), {}
    for line in DIALOGUE.splitlines():
        way, text = line.split(" ", 1)
        if way == "<-C":
            state_text, move = text.rsplit(":", 1)
            view = read_view(state_text)
            state = checked_view(game, view)
            assert state.current_player() == view.viewer
            told[view.hand, view.betting] = move
            continue
        view = read_view(text)
        state = checked_view(game, view)
        assert cards_of(state, view.viewer) == view.cards
        if state.is_terminal():
            won[view.hand] = state.returns()[view.viewer]
        earlier = [b for hand, b in told if hand == view.hand and b != view.betting]
        for betting in earlier:
            assert view.betting.startswith(betting + told[view.hand, betting])
    assert won == WON


@pytest.mark.parametrize(
    "line",
    [
        "MATCHSTATE:0:0::AhKh",
        "MATCHSTATE:0:0::AhKh|QsQd|",
        "MATCHSTATE:2:0::AhKh|",
        "MATCHSTATE:1:0::AhKh|",
        "MATCHSTATE:0:x::AhKh|",
        "MATCHSTATE:0:0:r150:AhKh|",
        "MATCHSTATE:0:0:ccc:AhKh|",
        "MATCHSTATE:0:0:cc/:AhKh|",
        "MATCHSTATE:0:0:cc/:AhKh|/AhTd2c",
        "MATCHSTATE:0:0:c/c:AhKh|/Td9d2c",
        "MATCHSTATE:0:0:cc/r50:AhKh|/Td9d2c",
        "MATCHSTATE:0:0::AhKh|/Td9d2c",
        "MATCHSTATE:0:0::AhAh|",
        "MATCHSTATE:0:0:f/:AhKh|/Td9d2c",
        "MATCHSTATE:0:0:r:AhKh|",
        "MATCHSTATE:0:0:" + "c/" * 9 + ":AhKh|",
        "",
        "hello",
    ],
)
def test_no_match_state_is_made_up(line: str) -> None:
    with pytest.raises(OverbetError):
        checked_view(competition_game(2), read_view(line))


@pytest.mark.parametrize("players", [2, 3, 6])
def test_random_hands_are_those_of_the_competitions_own_code(players: int) -> None:
    """OpenSpiel's universal_poker is the competition's C code: it reads our game files and plays as we do."""
    pyspiel = pytest.importorskip("pyspiel")
    game = competition_game(players, 2_000)
    loaded = pyspiel.universal_poker.load_universal_poker_from_acpc_gamedef(acpc_game_text(game))
    theirs = pyspiel.load_game(str(loaded)[:-1] + ",bettingAbstraction=fullgame)")
    rng, decisions = random.Random(players), 0
    for _ in range(60):
        state = theirs.new_initial_state()
        while not state.is_terminal():
            legal = state.legal_actions()
            if state.is_chance_node():
                state.apply_action(rng.choice(legal))
                continue
            raises = [action for action in legal if action > 1]
            if "|" in str(state):
                ours = _ours(game, str(state))
                least, most = ours.legal_actions().raise_min, ours.legal_actions().raise_max
                assert ours.current_player() == state.current_player()
                assert (0 in legal) == ours.legal_actions().fold
                if raises:
                    assert least is not None
                    assert most is not None
                    assert move_of(ours, least) == f"r{raises[0]}"
                    assert move_of(ours, most) == f"r{raises[-1]}"
                else:
                    assert least is None
                decisions += 1
            small = [action for action in legal if action < 2]
            state.apply_action(rng.choice(small * 2 + ([rng.choice(raises)] if raises else [])))
        ours = _ours(game, str(state))
        assert ours.is_terminal()
        # their split pots have halves of chips, ours go whole to one player
        assert max(abs(a - b) for a, b in zip(ours.returns(), state.returns(), strict=True)) < 1
    assert decisions > 200


def _ours(game: HoldemGame, text: str):  # type: ignore[no-untyped-def]
    """Return our state of the `ACPC State: STATE:0:betting:cards` that OpenSpiel prints."""
    found = re.search(r"ACPC State: STATE:\d+:([^:\s]*):(\S+)", text)
    assert found is not None, text
    return state_of(game, found[1], found[2])
