"""The review of a hand of an Expresso: opponents play for the prizes of its own tournament."""

from __future__ import annotations

from dataclasses import replace

from overbet.agents.any_stacks import AnyStacksAgent
from overbet.agents.blueprint import BlueprintAgent
from overbet.games.expresso import expresso_game
from overbet.games.holdem import HoldemGame
from overbet.study.tournament_review import review_tournament_hand

SHORT = HoldemGame(3, [160, 160, 160], (10, 20), full_blind=True)


def test_opponents_who_sit_at_several_tables_play_for_the_one_that_is_reviewed() -> None:
    shared = AnyStacksAgent()
    shared.play_for((8.0, 2.0, 0.0))  # another table's
    for multiplier, name in ((3.0, "expresso-8bb"), (10.0, "expresso-8bb-two-paid")):
        start = replace(expresso_game(multiplier=multiplier), stack=160).first_hand(5)
        final = start.hand
        while not final.is_terminal():
            final = final.apply(-1)
        review_tournament_hand(start, final, [shared, shared], None, 5)
        seated = shared.seated(SHORT).agent
        assert isinstance(seated, BlueprintAgent)
        assert seated.name == f"blueprint:{name}"
