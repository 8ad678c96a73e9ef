"""Cards and decks on the terminal: the table, the verdict, lists; plain text with rich markup."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from overbet.cards.cards import cards as read_cards
from overbet.interfaces.cli.table_view import cards_markup
from overbet.study.deck_cards import DeckCard, label_in_blinds

if TYPE_CHECKING:
    from rich.console import Console

    from overbet.interfaces.decks.store import DeckAnswer, DeckStanding, KeptCard

_COLOURS = {"best": "green", "correct": "green", "inaccuracy": "yellow", "mistake": "red", "blunder": "red"}


def amount(card: DeckCard, chips: float, digits: int = 2) -> str:
    """Return chips as big blinds, or as chips where a spot has no blind."""
    value, unit = (chips / card.big_blind, "bb") if card.big_blind else (chips, "chips")
    return f"{round(value, digits) + 0.0:.{digits}f} {unit}"  # no "-0.00"


def _size(card: DeckCard, chips: int) -> str:
    value = chips / card.big_blind if card.big_blind else chips
    return f"{value:.2f}".rstrip("0").rstrip(".")


def card_lines(card: DeckCard) -> Iterator[str]:
    """Yield the decision of a card: the table, and what led to it."""
    board = cards_markup(read_cards(card.board)) or "no board yet"
    unit = "bb" if card.big_blind else "chips"
    yield f"[bold]{card.street}[/]  {board}   pot [bold]{_size(card, card.pot_chips)}[/] {unit}"
    held = cards_markup(read_cards(card.hand))
    if card.seats:
        for seat in card.seats:
            mine = seat.position == card.player
            cards = held if mine else "     " if seat.folded else "-- --"
            bet = f"  in for {_size(card, seat.bet_chips)}" if seat.bet_chips else ""
            chips = f"{_size(card, seat.behind_chips):>7} {unit}{bet}{'  folded' if seat.folded else ''}"
            yield f"{'>' if mine else ' '} {seat.position:<5} {cards}  {chips}"
    else:
        yield f"> {card.player.upper():<5} {held}  {_size(card, card.behind_chips):>7} {unit} behind"
    yield from _history(card)
    if card.to_call_chips:
        odds = card.to_call_chips / (card.pot_chips + card.to_call_chips)
        yield f"  {_size(card, card.to_call_chips)} {unit} to call (odds {100 * odds:.1f} %)"


def _history(card: DeckCard) -> Iterator[str]:
    """Yield what was done, a line a street."""
    said: list[str] = []
    for step in card.history:
        if step.who:
            said.append(f"{step.who.upper()} {label_in_blinds(step.label, card.big_blind)}")
            continue
        if said:
            yield "  " + ", ".join(said)
        said = [cards_markup(read_cards(step.label))]
    if said:
        yield "  " + ", ".join(said)


def action_lines(card: DeckCard) -> Iterator[str]:
    """Yield the actions with their numbers."""
    for number, action in enumerate(card.actions, 1):
        yield f"  [bold]{number}[/]  {label_in_blinds(action.label, card.big_blind)}"


def verdict_lines(card: DeckCard, told: DeckAnswer, now: int) -> Iterator[str]:
    """Yield the verdict on an answer, what every action is worth, and when it is asked again."""
    from rich.markup import escape

    found = told.found
    word = found["grade"]
    labels = [label_in_blinds(action.label, card.big_blind) for action in card.actions]
    if word == "unclear":
        cost = "how good this is cannot be told"
    elif word == "best":
        cost = "nothing is given up"
    elif found["within_solver_error"]:
        cost = "as good as the best action, as far as the solve can tell"
    else:
        cost = f"costs {amount(card, found['loss_chips'])} ({found['loss_percent_of_pot']:.1f} % of the pot)"
    yield f"[bold {_COLOURS.get(word, 'white')}]{word}[/]: {cost}"
    width = max(map(len, labels))
    for label, action in zip(labels, card.actions):
        share = "      -" if action.frequency is None else f"{100 * action.frequency:>5.1f} %"
        worth = "-" if action.ev_chips is None else amount(card, action.ev_chips)
        marks = ["best"] if action.token == found["best"] else []
        marks += ["your answer"] if action.token == found["chosen"] else []
        marks += ["what you did"] if action.token == card.given.token != found["chosen"] else []
        told_by = f"  [dim]{', '.join(marks)}[/]" if marks else ""
        yield f"  {label:<{width}}  {share}  EV {worth:>9}{told_by}"
    known = f"accurate to {found['accuracy_percent_of_pot']:.1f} % of the pot"
    yield f"[dim]{escape('; '.join(filter(None, (card.source, card.note))))}, {known}[/]"
    if told.due is not None:
        yield f"asked again {ahead(told.due, now)}"


def ahead(due: int, now: int) -> str:
    """Return when something is due, in words: `now`, `in 10 minutes`, `in 4 days (2026-03-01)`."""
    left = due - now
    if left <= 0:
        return "now"
    for size, name in ((86_400, "day"), (3_600, "hour"), (60, "minute")):
        count = round(left / size)
        if left >= size or name == "minute":
            count = max(count, 1)
            day = f" ({datetime.fromtimestamp(due, UTC):%Y-%m-%d})" if name == "day" else ""
            return f"in {count} {name}{'' if count == 1 else 's'}{day}"
    raise AssertionError("minutes end the list")


def print_decks(console: Console, standings: Sequence[DeckStanding], now: int) -> None:
    """Print decks as a table."""
    from rich.markup import escape
    from rich.table import Table

    table = Table(box=None)
    table.add_column("deck")
    for name in ("cards", "never asked", "due now", "retention", "new a day"):
        table.add_column(name, justify="right")
    table.add_column("next")
    for one in standings:
        numbers = (one.cards, one.new, one.now)
        cells = (*(f"{number:,}" for number in numbers), f"{one.deck.retention:g}", f"{one.deck.new_a_day:,}")
        table.add_row(
            escape(one.deck.name), *cells, "-" if one.next_due is None else ahead(one.next_due, now)
        )
    console.print(table)
    damaged = sum(one.damaged for one in standings)
    if damaged:
        console.print(f"{damaged:,} cards are damaged and passed over; making the deck again mends them")


def print_cards(console: Console, cards: Iterable[KeptCard], now: int) -> None:
    """Print cards as a table."""
    from rich.markup import escape
    from rich.table import Table

    table = Table(box=None)
    for name in ("card", "pos", "hand", "board", "you did", "best"):
        table.add_column(name, no_wrap=name != "card")
    for name in ("cost", "asked", "right"):
        table.add_column(name, justify="right", no_wrap=True)
    table.add_column("next", no_wrap=True)
    for one in cards:
        card = one.card
        names = {action.token: label_in_blinds(action.label, card.big_blind) for action in card.actions}
        table.add_row(
            escape(one.key),
            *(card.player.upper(), card.hand, card.board or "-"),
            *(names.get(card.given.token, card.given.token), names.get(card.best, card.best)),
            *(amount(card, card.given.loss_chips), str(one.asked), str(one.correct)),
            "new" if one.schedule.is_new else ahead(one.due, now),
        )
    console.print(table)


def standing_values(one: DeckStanding) -> dict[str, Any]:
    """Return how a deck stands as plain values; times in ISO 8601, UTC."""
    return {
        "id": one.deck.id,
        "name": one.deck.name,
        "cards": one.cards,
        "new": one.new,
        "due": one.now,
        "next_due": None if one.next_due is None else stamp(one.next_due),
        "retention": one.deck.retention,
        "new_a_day": one.deck.new_a_day,
        "damaged": one.damaged,
    }


def stamp(seconds: int) -> str:
    """Return a time as ISO 8601 in UTC."""
    return datetime.fromtimestamp(seconds, UTC).isoformat()
