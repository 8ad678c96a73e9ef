"""A recorded hand on the terminal: street by street on paper, step by step on keys."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING

from overbet.games.holdem_state import HoldemState
from overbet.interfaces.cli.review_view import verdict_words
from overbet.interfaces.cli.table_view import action_line, cards_markup, in_blinds, table_lines
from overbet.interfaces.hands.features import is_decision
from overbet.interfaces.history.replay import states

if TYPE_CHECKING:
    from rich.console import Console

    from overbet.interfaces.hands.database import StoredHand
    from overbet.interfaces.hands.reviews import PricedDecision

NEXT, BACK, STREET, FIRST, LAST, QUIT = "next", "back", "street", "first", "last", "quit"
_KEYS = {
    NEXT: ("n", " ", "\r", "\n", "\x1b[C", "\x1b[B", "\x1bOC", "\x1bOB"),
    BACK: ("b", "p", "\x7f", "\x08", "\x1b[D", "\x1b[A", "\x1bOD", "\x1bOA"),
    STREET: ("s", "\t"),
    FIRST: ("g", "\x1b[H", "\x1bOH"),
    LAST: ("e", "G", "\x1b[F", "\x1bOF"),
    QUIT: ("q", "\x1b", "\x03", "\x04", ""),
}
_LEGEND = "n next  b back  s next street  g start  e end  q quit"


@dataclass(frozen=True, slots=True)
class ReplayStep:
    """A moment of the hand and what led to it, in words; new_street: whether cards of the board did.

    verdict: on the decision that led to it, where it was reviewed, as markup.
    """

    state: HoldemState
    said: str
    new_street: bool = False
    verdict: str = ""


def replay_steps(
    hand: StoredHand, names: Sequence[str], priced: Sequence[PricedDecision] = ()
) -> list[ReplayStep]:
    """Return the moments of a hand worth showing: the deal, every action, every street and the end.

    names: by player, as rich's markup has them. priced: the verdicts on its decisions.
    """
    walk, number = list(states(hand.record)), 0
    verdicts = {one.number: _verdict(one) for one in priced if one.method != "none"}
    steps = [ReplayStep(walk[0], "the cards are dealt", True)]
    for before, after in pairwise(walk):
        player = before.current_player()
        if player >= 0:
            said = action_line(before, names[player], after.history[-1][2])
            chosen = is_decision(before)
            steps.append(ReplayStep(after, said, verdict=verdicts.get(number, "") if chosen else ""))
            number += chosen
        elif len(after.board) in (3, 4, 5) and len(after.board) > len(before.board):
            dealt = after.board[0 if len(after.board) == 3 else -1 :]
            steps.append(ReplayStep(after, f"the {_street(after)}: {cards_markup(dealt)}", True))
    return steps


def _verdict(found: PricedDecision) -> str:
    from rich.markup import escape

    return f"[dim]{escape(verdict_words(found))}[/]"


def _street(state: HoldemState) -> str:
    """Return the street by the cards that lie: the rules are ahead of them where all are all in."""
    return {0: "preflop", 3: "flop", 4: "turn"}.get(len(state.board), "river")


def _table(state: HoldemState, names: Sequence[str]) -> list[str]:
    """Return the table with its street by the cards that lie."""
    board = cards_markup(state.board) or "no board yet"
    head = f"[bold]{_street(state)}[/]  {board}   pot [bold]{in_blinds(state.pot, state)}[/] bb"
    return [head, *table_lines(state, names, None)[1:]]


def headline(hand: StoredHand) -> str:
    """Return what is played, in one line of markup."""
    from rich.markup import escape

    record = hand.record
    blinds = "/".join(f"{record.amount(chips):,}" for chips in record.blinds if chips)
    other = record.other
    day = "-".join(
        f"{other[part]:02}" for part in ("year", "month", "day") if isinstance(other.get(part), int)
    )
    words = [
        hand.format,
        f"{len(record.starting_stacks)} players",
        blinds,
        str(other.get("currency", "")),
        day,
    ]
    notes = f"  ({hand.notes})" if hand.notes else ""
    told = escape(f"{hand.site} {hand.number}  {', '.join(filter(None, words))}{notes}")
    return f"[bold]hand {hand.id}[/]  {told}"


def result_lines(hand: StoredHand, names: Sequence[str]) -> Iterator[str]:
    """Yield who won and lost, in big blinds."""
    blind = hand.record.blinds[1] or hand.record.min_bet
    for name, net in zip(names, hand.net):
        if net:
            yield f"{name} {'wins' if net > 0 else 'loses'} {abs(net) / blind:.2f} bb"
    if hand.rake:
        yield f"rake {hand.rake / blind:.2f} bb"


def print_hand(console: Console, hand: StoredHand, priced: Sequence[PricedDecision] = ()) -> None:
    """Print all of a hand: the table at every street, the actions with their verdicts, the result."""
    names = marked_names(hand)
    console.print(headline(hand))
    for step in replay_steps(hand, names, priced):
        if step.new_street:
            console.print()
            table = _table(step.state, names)
            for line in table if step.state.current_player() >= 0 else table[:1]:  # all in: the cards alone
                console.print(line)
        else:
            console.print(f"  {step.said}" + (f"   {step.verdict}" if step.verdict else ""))
    console.print()
    for line in result_lines(hand, names):
        console.print(line)


def browse_hand(
    console: Console,
    hand: StoredHand,
    read_key: Callable[[], str],
    priced: Sequence[PricedDecision] = (),
) -> None:
    """Show a hand step by step; keys go on and back until one quits."""
    names = marked_names(hand)
    steps = replay_steps(hand, names, priced)
    place = 0
    while True:
        step = steps[place]
        console.clear()
        console.print(headline(hand))
        for line in _table(step.state, names):
            console.print(line)
        console.print(f"\n{step.said}   [dim]{place + 1} of {len(steps)}[/]")
        if step.verdict:
            console.print(step.verdict)
        if place + 1 == len(steps):
            for line in result_lines(hand, names):
                console.print(line)
        console.print(f"[dim]{_LEGEND}[/]")
        wish = meaning(read_key())
        if wish == QUIT:
            return
        place = _moved(steps, place, wish)


def meaning(key: str) -> str:
    """Return what a key asks for; "" for any other key."""
    return next((wish for wish, keys in _KEYS.items() if key in keys), "")


def _moved(steps: Sequence[ReplayStep], place: int, wish: str) -> int:
    last = len(steps) - 1
    if wish == STREET:
        return next((at for at in range(place + 1, last) if steps[at].new_street), last)
    return {
        NEXT: min(place + 1, last),
        BACK: max(place - 1, 0),
        FIRST: 0,
        LAST: last,
    }.get(wish, place)


def marked_names(hand: StoredHand) -> list[str]:
    """Return the players' names as markup, cut to a length that fits a table."""
    from rich.markup import escape

    from overbet.errors import short

    return [escape(short(name, 20)) for name in hand.record.players]
