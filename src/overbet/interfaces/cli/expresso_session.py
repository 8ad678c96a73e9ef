"""An Expresso at the terminal: a person and two agents, until the person is out or has all the chips."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from overbet.agents.any_stacks import AnyStacksAgent, sources_line, tournament_player
from overbet.agents.human import HumanAgent
from overbet.agents.protocol import Agent, Observation, play_for
from overbet.agents.registry import name_of
from overbet.evaluation.match_referee import Referee
from overbet.games.expresso import SEATS, ExpressoGame, ExpressoState, next_hand
from overbet.games.holdem_state import HoldemState
from overbet.interfaces.cli.table_view import in_blinds
from overbet.interfaces.cli.table_view_session import (
    HandAtTheTerminal,
    Leaving,
    ask_person,
    decision_line,
    showdown_lines,
)
from overbet.study.review import MOST_RUNS
from overbet.study.sitting import shipped_adviser
from overbet.study.tournament_review import review_tournament_hand
from overbet.study.tournaments import HERO, buy_ins_words, place_words, prize_words, result_buy_ins

if TYPE_CHECKING:
    from rich.console import Console


class ExpressoSession:
    """A tournament. opponents: two agents, or one who sits twice; read: returns the next line typed."""

    def __init__(
        self,
        opponents: Sequence[Agent],
        game: ExpressoGame,
        seed: int,
        console: Console,
        read: Callable[[str], str],
        runs: int = MOST_RUNS,
    ) -> None:
        """Take runs: how often an action is played on in the review of a hand; 0: no review."""
        self.game, self.seed, self.console, self.read, self.runs = game, seed, console, read, runs
        self.names: list[str] = []
        others = [tournament_player(opponents[place % len(opponents)]) for place in range(SEATS - 1)]
        play_for(others, game.prizes)
        self.seats: list[Agent] = [HumanAgent(self._ask), *others]
        called = [name_of(agent) for agent in others]
        same = called[0] == called[1]
        self.called = ["you", *(f"{name} {place}" if same else name for place, name in enumerate(called, 1))]
        self.state = game.first_hand(seed)
        self._told = 0  # groups of players whose going out was said

    def play(self) -> None:
        """Play until the person is out, has won, or leaves."""
        while self.state.places(HERO) is None:
            try:
                final = self._play_hand(self.state)
            except Leaving:
                return
            self.state = next_hand(replace(self.state, hand=final))
            self._tell_gone()

    def result(self) -> str:
        """Return how it ended, in one line."""
        won = result_buy_ins(self.state, HERO)
        if won is None:
            held = self.state.stacks[HERO] if self.state.hand.is_terminal() else self.state.chips[HERO]
            return f"you left after {self.state.number} hands with {held} chips; no result"
        hands = self.state.number + (1 if self.state.is_settled else 0)
        return f"{place_words(self.state, HERO)} after {hands} hands: {buy_ins_words(won)}"

    def sources(self) -> list[str]:
        """Return what the opponents' decisions came from, a line each."""
        known = [agent for agent in dict.fromkeys(self.seats) if isinstance(agent, AnyStacksAgent)]
        return [f"{agent.name}, {sources_line(agent.sources)}" for agent in known if agent.sources]

    def _play_hand(self, start: ExpressoState) -> HoldemState:
        """Play one hand and return how it ended."""
        state, order = start.hand, start.order
        self.names = [self.called[seat] for seat in order]
        agents = [self.seats[seat] for seat in order]
        referee = Referee(agents, self.names, "fold")
        me = order.index(HERO)
        blinds = "/".join(map(str, state.game.blinds))
        held = ", ".join(
            f"{self.called[seat]} {start.chips[seat]}" for seat in range(SEATS) if start.chips[seat]
        )
        self._say(
            f"\n[bold]hand {start.number + 1}[/], blinds {blinds}, you are {state.game.position(me)}; {held}"
        )
        dice = (self.seed, start.number)
        state = HandAtTheTerminal(self.names, me, agents[me], referee, dice, self._say).play(state)
        for line in showdown_lines(state, self.names):
            self._say(line)
        won = state.returns()[me]
        self._say(f"you {'win' if won >= 0 else 'lose'} [bold]{in_blinds(abs(won), state)}[/] bb")
        if self.runs:
            self._show_review(start, state)
        return state

    def _show_review(self, start: ExpressoState, final: HoldemState) -> None:
        """Judge the person's decisions, where something is known about the stacks."""
        adviser = shipped_adviser(final.game)
        found = review_tournament_hand(start, final, self.seats[1:], adviser, self.seed, self.runs)
        if not found:
            return
        how = "by exact push or fold"
        if adviser is not None:
            how = f"by {name_of(adviser)}, played on up to {self.runs:,} times"
        self._say(f"[dim]your decisions {how}, what each action was worth in bb:[/]")
        for verdict in found:
            self._say(decision_line(verdict))

    def _tell_gone(self) -> None:
        """Say who went out in the hand just played."""
        for group in self.state.out[self._told :]:
            for seat in group:
                if seat != HERO:
                    self._say(f"[yellow]{self.called[seat]} is out[/]")
        self._told = len(self.state.out)

    def _ask(self, observation: Observation) -> int:
        return ask_person(observation, self.names, self._say, self.read)

    def _say(self, text: str) -> None:
        self.console.print(text)


def opening(session: ExpressoSession, drawn: str) -> str:
    """Return the first line. drawn: how the multiplier came about, in words."""
    game = session.game
    level = game.level(0)
    return (
        f"Expresso against {session.called[1]} and {session.called[2]}: {game.stack} chips "
        f"({game.stack / level[1]:g} bb), blinds up every {game.hands_per_level} hands; "
        f"{prize_words(game)} ({drawn}); seed {session.seed}"
    )
