"""A session at the terminal: hands against agents, a running result, and every hand looked at again.

Who sits where, the random numbers and the verdicts are those of `overbet.study.sitting`. The person moves one
seat a hand, like everybody. Nothing is dealt twice, so the raw result has all the luck in it; AIVAT's, where
it can be had, stands beside it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, NamedTuple

from overbet.agents.human import HumanAgent
from overbet.agents.protocol import Agent, Observation
from overbet.agents.registry import name_of
from overbet.errors import IllegalActionError
from overbet.evaluation.match_blocks import Estimator
from overbet.evaluation.match_referee import Referee
from overbet.evaluation.statistics import Estimate, interval_of
from overbet.games.holdem import HoldemGame
from overbet.games.holdem_state import HoldemState
from overbet.interfaces.cli.table_view import (
    HELP,
    QUIT,
    action_line,
    cards_markup,
    help_lines,
    in_blinds,
    keys_line,
    read_action,
    table_lines,
)
from overbet.study.review import MOST_RUNS, ReviewedDecision, total_loss, why_unclear
from overbet.study.sitting import Sitting

if TYPE_CHECKING:
    from rich.console import Console


class Leaving(Exception):  # noqa: N818  # not an error: the person has had enough
    """The person ends the session."""


class HandAtTheTerminal(NamedTuple):
    """A hand at the terminal. names: by player; me: the person's; dice: seed and number of the hand; say:
    prints a line."""

    names: Sequence[str]
    me: int
    human: Agent
    referee: Referee
    dice: tuple[int, int]
    say: Callable[[str], None]

    def play(
        self, state: HoldemState, noted: Callable[[int, HoldemState], None] = lambda player, state: None
    ) -> HoldemState:
        """Play to the end, telling every action; noted: is told of every decision of the others."""
        street = state.street
        while not state.is_terminal():
            player = state.current_player()
            if state.street != street:
                street = state.street
                self.say(f"[dim]{street}[/] {cards_markup(state.board)}")
            if player == self.me:
                action = self.human.act(Observation.of(state, *self.dice))
            else:
                action = self.referee.action(player, state, *self.dice)
                noted(player, state)
            self.say("  " + action_line(state, self.names[player], action))
            state = state.apply(action)
        for fault in self.referee.faults:
            self.say(f"[yellow]{fault}: check or fold instead[/]")
        return state


class Session:
    """A person against agents. opponents fill the other seats in turn; read: returns the next line typed."""

    def __init__(
        self,
        opponents: Sequence[Agent],
        game: HoldemGame,
        seed: int,
        console: Console,
        read: Callable[[str], str],
        runs: int = MOST_RUNS,
    ) -> None:
        self.game, self.seed, self.console, self.read, self.runs = game, seed, console, read, runs
        self.human = HumanAgent(self._ask)
        self.sitting = Sitting(game, seed, opponents, self.human)
        self.slots = self.sitting.slots
        self.names = [name_of(agent) for agent in self.slots]
        self.estimator: Estimator | None = None
        self.won_bb: list[float] = []
        self.adjusted_bb: list[float] = []
        self.reviewed: list[ReviewedDecision] = []

    def play(self, hands: int | None = None) -> None:
        """Play until the person leaves, or so many hands."""
        number = 0
        while hands is None or number < hands:
            try:
                self.play_hand(number)
            except Leaving:
                return
            number += 1

    def play_hand(self, deal: int) -> None:
        """Play one hand and tell how it went."""
        number, agents, me = self.sitting.dice(deal), self.sitting.agents(deal), self.sitting.hero(deal)
        names = [self.names[slot] for slot in self.sitting.players(deal)]
        referee = Referee(agents, names, "fold")
        state = self.game.deal(self.seed, deal)
        self._say(f"\n[bold]hand {deal + 1}[/], you are {self.game.position(me)}")
        self._names = names
        self.sitting.begin()
        told = HandAtTheTerminal(names, me, self.human, referee, (self.seed, number), self._say)
        state = told.play(state, lambda player, there: self.sitting.note(agents[player], there))
        self._finish(state, me, names, deal)

    def _ask(self, observation: Observation) -> int:
        return ask_person(observation, self._names, self._say, self.read)

    def _finish(self, state: HoldemState, me: int, names: Sequence[str], deal: int) -> None:
        for line in showdown_lines(state, names):
            self._say(line)
        won = state.returns()[me]
        self.won_bb.append(won / self.game.big_blind)
        verb = "win" if won >= 0 else "lose"
        self._say(f"you {verb} [bold]{in_blinds(abs(won), state)}[/] bb")
        self._show_thoughts(state, names)
        if self.estimator is not None:
            adjusted = self.sitting.adjusted(self.estimator, state, deal)
            if adjusted is not None:
                self.adjusted_bb.append(adjusted / self.game.big_blind)
        adviser = self.sitting.adviser if self.runs else None
        if adviser is not None:
            self._show_review(self.sitting.review(state, deal, adviser, self.runs), name_of(adviser))
        self._say(self.standing())

    def _show_thoughts(self, final: HoldemState, names: Sequence[str]) -> None:
        """Say what opponents who search thought at each of their decisions."""
        state = final.game.initial_state().with_cards(final.hole, final.board)
        thoughts = {thought.place: thought for thought in self.sitting.thoughts}
        for place, (_, player, action) in enumerate(final.history):
            if place in thoughts:
                if place == self.sitting.thoughts[0].place:
                    self._say(f"[dim]what {names[player]} thought:[/]")
                done = short_action(state, action)
                self._say(f"  {state.street:<7} {done}: {thoughts[place].words()}")
            state = state.apply(action)

    def _show_review(self, found: Sequence[ReviewedDecision], adviser: str) -> None:
        if not found:
            return
        how = f"exact, or from up to {self.runs:,} simulated hands" + (
            ", the blueprint in place of search" if self.sitting.stands_in else ""
        )
        self._say(f"[dim]{adviser} in your seat, and what each action was worth in bb ({how}):[/]")
        self.reviewed += found
        for verdict in found:
            self._say(decision_line(verdict))

    def standing(self) -> str:
        """Return the running result in one line."""
        hands = len(self.won_bb)
        if not hands:
            return "no hand was finished"
        parts = [f"after {hands} hand{'s' * (hands > 1)} {sum(self.won_bb):+.2f} bb"]
        if hands > 1:
            parts.append(f"raw {_per_hand(interval_of(self.won_bb))}")
        if len(self.adjusted_bb) > 1:
            parts.append(f"AIVAT {_per_hand(interval_of(self.adjusted_bb))}")
        if self.reviewed:
            loss, accuracy = total_loss(self.reviewed)
            parts.append(f"given up {loss:.2f} ± {accuracy:.2f} bb in all")
        return ", ".join(parts)

    def _say(self, text: str) -> None:
        self.console.print(text)


def ask_person(
    observation: Observation, names: Sequence[str], say: Callable[[str], None], read: Callable[[str], str]
) -> int:
    """Show the table and return the action typed; `Leaving` where the person has had enough."""
    state = observation.state
    for line in table_lines(state, names, observation.player):
        say(line)
    while True:
        say(keys_line(state))
        try:
            answer = read_action(read("> "), state)
        except IllegalActionError as error:
            say(f"[red]{error}[/]")
            continue
        except EOFError:
            raise Leaving from None
        if answer == QUIT:
            raise Leaving
        if answer == HELP:
            for line in help_lines():
                say(f"  {line}")
            continue
        assert isinstance(answer, int)
        return answer


def showdown_lines(state: HoldemState, names: Sequence[str]) -> list[str]:
    """Return the hands shown at the end of a hand; nothing where all but one folded."""
    if sum(state.in_hand) < 2:
        return []
    shown = [
        f"  {name} ({state.game.position(player)}) shows {cards_markup(state.hole[player])}"
        for player, name in enumerate(names)
        if state.in_hand[player]
    ]
    return [f"[dim]showdown[/] {cards_markup(state.board)}", *shown]


def short_action(state: HoldemState, action: int) -> str:
    """Return an action in a word or two: `fold`, `check`, `to 7.5`, `all-in 25`."""
    if action < 0:
        return "fold"
    if action == 0:
        return "call" if state.to_call else "check"
    player = state.current_player()
    word = "all-in" if action == state.bets[player] + state.stacks[player] else "to"
    return f"{word} {in_blinds(action, state)}"


def decision_line(verdict: ReviewedDecision) -> str:
    """Return a decision with what each action was worth, a star before the one taken, and the verdict."""
    decision, state = verdict.decision, verdict.decision.state
    words = []
    for choice in decision.choices:
        text = f"{short_action(state, choice.action)} {choice.share:.0%} ({choice.ev_bb:+.2f})"
        words.append(f"[bold]*{text}[/]" if choice.action == decision.taken else text)
    return f"  {state.street:<7} {', '.join(words)}: {verdict_line(verdict)}"


def verdict_line(verdict: ReviewedDecision) -> str:
    """Return a verdict in words: its grade, and what was given up."""
    lost = f"gave up {verdict.loss_bb:.2f} ± {verdict.accuracy_bb:.2f}"
    if verdict.grade == "best":
        return "[green]best[/]"
    if verdict.grade == "unclear":
        return f"[yellow]unclear[/]: {why_unclear(verdict.decision)} ({lost})"
    if verdict.grade == "correct" and verdict.loss_bb == 0.0:
        return "[green]correct[/], as the strategy plays; what it never does seems worth more"
    colour = "green" if verdict.grade == "correct" else "red"
    return f"[{colour}]{verdict.grade}[/], {lost}"


def _per_hand(estimate: Estimate) -> str:
    hundred = f"{100 * estimate.mean:+,.1f} bb/100"
    return f"{1000 * estimate.mean:+,.0f} ± {1000 * estimate.half:,.0f} mbb/hand ({hundred})"
