"""Our agents in OpenSpiel's universal_poker: the same hands, action by action and chip by chip."""

from __future__ import annotations

import random
from typing import Any

import pytest

from overbet.agents.protocol import Observation
from overbet.bridges import UniversalTable, openspiel_bot, universal_poker_game
from overbet.errors import IllegalActionError, OverbetError, RulesError
from overbet.games.holdem import HoldemGame

pyspiel = pytest.importorskip("pyspiel")

HEADS_UP = HoldemGame(2, stacks=2_000, blinds=(50, 100))
THREE = HoldemGame(3, stacks=1_500, blinds=(50, 100))
SIX = HoldemGame(6, stacks=1_000, blinds=(25, 50, 100))
UNEQUAL = HoldemGame(2, stacks=(700, 1_900), blinds=(50, 100))


def same_stacks(table: UniversalTable, state: Any) -> None:
    """Whoever won what there won it here: but for odd chips, which are divided there and not here."""
    ours, theirs = table.state(state), state.returns()
    assert ours.is_terminal()
    players = table.game.num_players
    for player in range(players):
        assert abs(ours.returns()[table.seat(player)] - theirs[player]) < (1e-9 if players == 2 else players)
    assert sum(ours.returns()) == pytest.approx(sum(theirs), abs=1e-9)


def random_hands(table: UniversalTable, spiel: Any, hands: int, seed: int) -> int:
    """Play at random and compare all that is legal at every decision; return the number of decisions."""
    draw, decisions = random.Random(seed), 0
    for _ in range(hands):
        state = spiel.new_initial_state()
        while not state.is_terminal():
            legal = state.legal_actions()
            if state.is_chance_node():
                state.apply_action(draw.choice(legal))
                continue
            ours = table.state(state)
            decisions += 1
            assert table.seat(state.current_player()) == ours.current_player()
            assert [table.spiel_action(ours, action) for action in ours.legal_actions()] == legal
            raises = legal[2:] or [1]
            state.apply_action(draw.choice([1, 1, 1, legal[0], raises[0], draw.choice(raises), legal[-1]]))
        same_stacks(table, state)
    return decisions


@pytest.mark.parametrize("game", [HEADS_UP, THREE, SIX, UNEQUAL], ids=["two", "three", "six", "unequal"])
def test_random_hands_are_the_same_hands(game: HoldemGame) -> None:
    spiel = universal_poker_game(game)
    assert UniversalTable.of(spiel) == UniversalTable(game, 0)
    assert random_hands(UniversalTable.of(spiel), spiel, 20, 5) > 60


def test_seats_may_be_turned() -> None:
    spiel = pyspiel.load_game(
        "universal_poker(betting=nolimit,bettingAbstraction=fullgame,numPlayers=3,numRounds=4,blind=0 50 100,"
        "firstPlayer=1 2 2 2,numSuits=4,numRanks=13,numHoleCards=2,numBoardCards=0 3 1 1,stack=900 800 1000)"
    )
    table = UniversalTable.of(spiel)
    assert table.game.start == (800, 1000, 900)
    assert table.turned == 1
    state = spiel.new_initial_state()
    for card in range(6):
        state.apply_action(card)
    ours = table.state(state)
    assert ours.hole == ((3, 2), (5, 4), (1, 0)) or ours.hole == ((2, 3), (4, 5), (0, 1))
    assert ours.game.position(ours.current_player()) == "BTN"


def test_a_bot_is_told_only_what_its_player_sees() -> None:
    seen: list[Observation] = []

    class Watcher:
        def act(self, observation: Observation) -> int:
            seen.append(observation)
            return 0

    spiel = universal_poker_game(HEADS_UP)
    bots = [openspiel_bot(Watcher(), spiel, player, seed=4) for player in (0, 1)]
    for _ in range(2):
        pyspiel.evaluate_bots(spiel.new_initial_state(), bots, 1)
    assert {observation.hand for observation in seen} == {1, 2}
    for observation in seen:
        other = 1 - observation.player
        assert all(card == 52 for card in observation.state.hole[other])
        assert all(card < 52 for card in observation.hole)


def bot_hands(game: HoldemGame, agents: list[str], hands: int) -> list[float]:
    """Play our bots against each other and random ones of theirs; stacks are compared after every hand."""
    spiel = universal_poker_game(game)
    table = UniversalTable.of(spiel)
    bots = [
        pyspiel.make_uniform_random_bot(player, 11 + player)
        if agent == "theirs"
        else openspiel_bot(agent, spiel, player, seed=player)
        for player, agent in enumerate(agents)
    ]
    draw, totals = random.Random(3), [0.0] * len(agents)
    for _ in range(hands):
        state = spiel.new_initial_state()
        for bot in bots:
            bot.restart_at(state)
        while not state.is_terminal():
            if state.is_chance_node():
                state.apply_action(draw.choice(state.legal_actions()))
            else:
                state.apply_action(bots[state.current_player()].step(state))
        same_stacks(table, state)
        totals = [total + won for total, won in zip(totals, state.returns(), strict=True)]
    return totals


def test_stacks_agree_against_bots_of_theirs() -> None:
    assert bot_hands(HEADS_UP, ["tag", "theirs"], 150)[0] > 0
    assert sum(bot_hands(THREE, ["equity:0.6", "theirs", "lag"], 60)) == pytest.approx(0.0, abs=1e-6)


@pytest.mark.slow
def test_stacks_agree_over_thousands_of_hands() -> None:
    assert bot_hands(HoldemGame(), ["tag", "theirs"], 2_000)[0] > 0
    assert bot_hands(HoldemGame(), ["blueprint:heads-up", "theirs"], 1_000)[0] > 0
    bot_hands(SIX, ["tag", "theirs", "lag", "equity:0.6", "theirs", "random"], 1_000)
    for seed, game in enumerate((HEADS_UP, THREE, SIX, UNEQUAL)):
        spiel = universal_poker_game(game)
        random_hands(UniversalTable.of(spiel), spiel, 1_000, seed)


def test_what_is_not_our_game_is_refused() -> None:
    with pytest.raises(RulesError, match="universal_poker, not leduc_poker"):
        openspiel_bot("tag", "leduc_poker", 0)
    with pytest.raises(RulesError, match="with betting=nolimit, not betting=limit"):
        openspiel_bot("tag", "universal_poker(betting=limit)", 0)
    plain = universal_poker_game(HEADS_UP)
    text = str(plain)
    with pytest.raises(RulesError, match="bettingAbstraction=fullgame, not bettingAbstraction=fcpa"):
        openspiel_bot("tag", text.replace("fullgame", "fcpa"), 0)
    with pytest.raises(RulesError, match="player 2 acts first in hold'em, and firstPlayer=1 1 1 1 says 1"):
        openspiel_bot("tag", text.replace("firstPlayer=2 1 1 1", "firstPlayer=1 1 1 1"), 0)
    with pytest.raises(IllegalActionError, match="player 2 is not at this table of 2"):
        openspiel_bot("tag", plain, 2)
    with pytest.raises(OverbetError, match="unknown agent 'tagg'"):
        openspiel_bot("tagg", plain, 0)
    for game in (HoldemGame(ante=10), HoldemGame(rake=0.05), HoldemGame(min_bet=10)):
        with pytest.raises(RulesError, match="no antes, no rake"):
            universal_poker_game(game)
    bot = openspiel_bot("tag", plain, 0)
    state = plain.new_initial_state()
    for card in range(4):
        state.apply_action(card)
    with pytest.raises(IllegalActionError, match="player 1 is to act, and this bot is player 0"):
        bot.step(state)
