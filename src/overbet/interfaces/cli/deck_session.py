"""A drill on the terminal: what is due is asked one by one, with the verdict and when it comes again."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from overbet.interfaces.cli.deck_view import action_lines, ahead, card_lines, verdict_lines
from overbet.interfaces.cli.hands_view import counted
from overbet.interfaces.decks.store import DeckStore, DrillDeck, KeptCard
from overbet.study.mistakes import RIGHT

if TYPE_CHECKING:
    from rich.console import Console

_QUIT = ("q", "quit", "exit")


@dataclass
class DeckSession:
    """A drill. read: returns the next line typed, `EOFError` at the end of input."""

    store: DeckStore
    decks: Sequence[DrillDeck]
    console: Console
    read: Callable[[str], str]
    asked: int = 0
    right: int = 0
    given_up_bb: float = 0.0

    def drill(self, limit: int | None = None) -> None:
        """Ask until nothing is due, so many were asked, or the person has had enough."""
        while limit is None or self.asked < limit:
            drawn = self.store.draw(self.decks)
            if drawn is None:
                return
            waiting = sum(self.store.standing(deck).now for deck in self.decks)
            if not self._ask(drawn, waiting):
                return

    def _ask(self, drawn: KeptCard, waiting: int) -> bool:
        """Ask a card; return whether it was answered."""
        card, say = drawn.card, self.console.print
        again = "new" if drawn.schedule.is_new else f"asked {counted(drawn.asked, 'time')} before"
        say(f"\n[dim]{waiting} due, this one {again}[/]")
        for line in (*card_lines(card), *action_lines(card)):
            say(line)
        while True:
            try:
                text = self.read(f"your answer, 1 to {len(card.actions)} (q quits): ").strip().lower()
            except EOFError:
                say()
                return False
            if text in _QUIT:
                return False
            if text.isascii() and text.isdigit() and len(text) < 4 and 1 <= int(text) <= len(card.actions):
                break
            say(f"write a number from 1 to {len(card.actions)}, or q", style="yellow")
        told = self.store.answer(drawn.deck, card, card.actions[int(text) - 1].token)
        self.asked += 1
        self.right += told.found["grade"] in RIGHT
        self.given_up_bb += told.loss_bb
        for line in verdict_lines(card, told, self.store.now()):
            say(line)
        return True

    def summary(self) -> str:
        """Return how it went, and what is next."""
        standings = [self.store.standing(deck) for deck in self.decks]
        waiting = sum(one.now for one in standings)
        times = [one.next_due for one in standings if one.next_due is not None]
        if waiting:
            left = f"{waiting} due now"
        elif times:
            left = f"next due {ahead(min(times), self.store.now())}"
        else:  # no cards, or new ones only and none a day
            left = "no card comes again: add some, or let in new ones, with overbet decks make"
        if not self.asked:
            return left if waiting else f"nothing is due; {left}"
        return f"{self.asked} asked, {self.right} right, {self.given_up_bb:.2f} bb given up; {left}"
