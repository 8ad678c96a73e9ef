"""Replaying a record through the rules, and comparing the stacks it ends with.

Cards that a record hides (`????`) are dealt face down; a hand shown at the end (`p1 sm AhKh`) is dealt open
from the start; a hand thrown away at the showdown (`p1 sm`) cannot win. A record may leave out checks that
are forced.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from decimal import Decimal
from typing import NoReturn

from overbet.cards.cards import cards as parse_cards
from overbet.cards.cards import cards_name
from overbet.errors import OverbetError, RulesError, quoted
from overbet.games.holdem import HoldemGame
from overbet.games.holdem_state import HoldemState
from overbet.interfaces.history.payouts import check_payouts
from overbet.interfaces.history.record import HandFault, HandRecord, HistoryError, Place
from overbet.interfaces.history.table import RecordedTable, opened_by, played
from overbet.kernels.holdem.layout import CALL, CHANCE, FOLD, HIDDEN_CARD

_ACTION = re.compile(
    r"d\s+db\s+(?P<board>\S+)"
    r"|d\s+dh\s+p(?P<dealt>\d{1,3})\s+(?P<hole>\S+)"
    r"|p(?P<player>\d{1,3})\s+(?:(?P<plain>f|cc)|cbr\s+(?P<amount>\d+(?:\.\d+)?)|sm(?:\s+(?P<shown>\S+))?)",
    re.ASCII,
)


@dataclass(frozen=True, slots=True)
class Replay:
    """A record and the state it leads to; with several boards the state of the first."""

    record: HandRecord
    final: HoldemState
    paid: tuple[int, ...]  # stacks at the end: by the rules, less the house's part where a site took one

    @property
    def stacks(self) -> tuple[int, ...]:
        """The stacks the rules lead to."""
        return self.paid

    @property
    def agrees(self) -> bool | None:
        """Whether these are the recorded finishing stacks; None where none are recorded."""
        recorded = self.record.finishing_stacks
        return None if recorded is None else recorded == self.stacks


def game_of(record: HandRecord) -> HoldemGame:
    """Return the table a record was played at."""
    if record.as_played is not None:
        return RecordedTable(
            len(record.starting_stacks),
            record.starting_stacks,
            record.blinds,
            record.antes,
            min_bet=record.min_bet,
            dead_antes=not record.ante_trimming,
            full_blind=True,
        )
    return HoldemGame(
        len(record.starting_stacks),
        record.starting_stacks,
        record.blinds,
        record.antes,
        min_bet=record.min_bet,
        dead_antes=not record.ante_trimming,
    )


def replay(record: HandRecord) -> Replay:
    """Replay a whole hand; `HistoryError` says which hand and line where it is impossible or incomplete."""
    *_, final = states(record)
    last = len(record.actions) - 1
    if not final.is_terminal():
        _fail(record, last, f"the record ends before the hand does: {final}")
    if record.as_played is not None:
        further = [_last(record, board) for board in record.as_played.boards]
        try:
            return Replay(record, final, check_payouts(record, [final, *further]))
        except RulesError as error:
            _fail(record, last, str(error))
    _, mucked = _cards(record)
    unseen = [
        f"p{player + 1}"
        for player, cards in enumerate(final.hole)
        if final.in_hand[player] and HIDDEN_CARD in cards and player not in mucked
    ]
    if unseen and sum(final.in_hand) > 1:
        _fail(record, last, f"the cards of {', '.join(unseen)} at the showdown are not recorded")
    return Replay(record, final, final.stacks)


def _last(record: HandRecord, board: str) -> HoldemState:
    """Return the state that the actions of a record lead to with another board."""
    cards = [board[place : place + 2] for place in range(0, len(board), 2)]
    actions, dealt = list[str](), 0
    for action in record.actions:
        if action.startswith("d db "):
            count = len(action.removeprefix("d db ")) // 2
            action, dealt = f"d db {''.join(cards[dealt : dealt + count])}", dealt + count
        actions.append(action)
    *_, final = states(replace(record, actions=tuple(actions)))
    if not final.is_terminal():
        _fail(record, len(actions) - 1, f"the board {board} does not end the hand: {final}")
    return final


def try_replay(record: HandRecord) -> Replay | HandFault:
    """Replay a hand, or say why not."""
    try:
        return replay(record)
    except HistoryError as error:
        return error.fault


def replay_all(hands: Iterable[HandRecord | HandFault]) -> Iterator[Replay | HandFault]:
    """Replay hands one by one; faults pass through and stop nothing."""
    for hand in hands:
        yield hand if isinstance(hand, HandFault) else try_replay(hand)


def states(record: HandRecord) -> Iterator[HoldemState]:
    """Yield the state after the deal and after every betting action and every card of the board."""
    hole, mucked = _cards(record)
    try:
        state = game_of(record).initial_state().with_cards(hole).with_mucked(mucked)
        if record.as_played is not None:
            state = opened_by(state, record.as_played.opener, record.as_played.gave_up)
    except OverbetError as error:
        raise HistoryError(HandFault(record.place, str(error))) from error
    yield state
    for number in range(len(record.actions)):
        match = _parse(record, number)
        if match is None or match["hole"] or not (match["board"] or match["plain"] or match["amount"]):
            continue
        try:
            for action in _actions(state, match, record.unit):
                state = state.apply(action) if record.as_played is None else played(state, action)
                yield state
        except OverbetError as error:
            _fail(record, number, f"{quoted(record.actions[number])}: {error}")


def _fail(record: HandRecord, action: int, reason: str) -> NoReturn:
    place = Place(record.place.source, record.place.hand, record.line_of(max(action, 0)))
    raise HistoryError(HandFault(place, reason))


def _parse(record: HandRecord, number: int) -> re.Match[str] | None:
    """Return the parts of an action, or None where it is only a comment."""
    text = record.actions[number].partition("#")[0].strip()
    if not text:
        return None
    match = _ACTION.fullmatch(text)
    if match is None:
        _fail(record, number, f"{quoted(record.actions[number])} is not an action of no-limit hold'em")
    player = match["player"] or match["dealt"]
    if player and not 1 <= int(player) <= len(record.starting_stacks):
        _fail(record, number, f"{quoted(record.actions[number])}: there is no p{player} at this table")
    return match


def _cards(record: HandRecord) -> tuple[list[str | None], set[int]]:
    """Return each player's hole cards, None where they are not known, and who mucked at the showdown."""
    dealt = [""] * len(record.starting_stacks)
    shown: dict[int, str] = {}
    mucked: set[int] = set()
    for number in range(len(record.actions)):
        match = _parse(record, number)
        if match is None:
            continue
        if match["hole"]:
            dealt[int(match["dealt"]) - 1] += match["hole"]
            try:
                parse_cards("".join(dealt).replace("??", ""))
            except OverbetError as error:
                _fail(record, number, f"{quoted(record.actions[number])}: {error}")
        elif match["player"] and not match["plain"] and not match["amount"]:
            player = int(match["player"]) - 1
            if match["shown"] is None:
                mucked.add(player)
            elif match["shown"] != "-":
                shown[player] = match["shown"]
    hole: list[str | None] = []
    for player, cards in enumerate(dealt):
        known = shown.get(player, cards) if "?" in cards or not cards else cards
        hole.append(None if "?" in known or not known else known)
    return hole, mucked


def _actions(state: HoldemState, match: re.Match[str], unit: int) -> Iterator[int]:
    """Yield our actions for one of the record's: several cards, or forced checks and a bet."""
    if match["board"]:
        cards = parse_cards(match["board"])
        while state.current_player() >= 0:
            yield _forced_check(state, f"board cards {cards_name(cards)} come")
            state = state.apply(CALL)
        if state.current_player() != CHANCE:
            raise RulesError("the hand is over")
        yield from cards
        return
    player = int(match["player"]) - 1
    while state.current_player() != player:
        if state.current_player() < 0:
            raise RulesError("the hand is over" if state.is_terminal() else "the board has to be dealt first")
        yield _forced_check(state, f"p{player + 1} acts")
        state = state.apply(CALL)
    if match["amount"]:
        yield int(Decimal(match["amount"]) * unit)
    else:
        yield FOLD if match["plain"] == "f" else CALL


def _forced_check(state: HoldemState, instead: str) -> int:
    """Return a check where the player to act has nothing else to do; the record may leave it out."""
    legal = state.legal_actions()
    if len(legal) != 1:
        raise RulesError(f"{instead} while p{state.current_player() + 1} is to act: {legal}")
    return CALL
