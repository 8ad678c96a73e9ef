"""Writing PHH: a record, or a hand just played, as text that reads back to the same record."""

from __future__ import annotations

import datetime
import json
from collections.abc import Iterable, Mapping
from decimal import Decimal

from overbet.cards.cards import cards_name
from overbet.errors import RulesError
from overbet.games.holdem_state import HoldemState
from overbet.interfaces.history.record import HOLDEM, HandRecord, fields_of
from overbet.kernels.holdem.layout import CALL, FOLD, HIDDEN_CARD


def write_hand(record: HandRecord) -> str:
    """Return the text of a `.phh` file with one hand."""
    money = record.amount
    fields: dict[str, object] = {
        "variant": HOLDEM,
        "ante_trimming_status": record.ante_trimming,
        "antes": [money(chips) for chips in record.antes],
        "blinds_or_straddles": [money(chips) for chips in record.blinds],
        "min_bet": money(record.min_bet),
        "starting_stacks": [money(chips) for chips in record.starting_stacks],
        "actions": list(record.actions),
    }
    if record.finishing_stacks is not None:
        fields["finishing_stacks"] = [money(chips) for chips in record.finishing_stacks]
    if record.as_played is not None:
        fields["_as_played"] = {"unit": record.unit, **fields_of(record.as_played)}
    fields.update(record.other)
    return "".join(f"{_key(name)} = {_value(value)}\n" for name, value in fields.items())


def write_hands(records: Iterable[HandRecord]) -> str:
    """Return the text of a `.phhs` file: the hands under [1], [2], ... ."""
    return "\n".join(f"[{number}]\n{write_hand(record)}" for number, record in enumerate(records, 1))


def record_of(state: HoldemState, other: Mapping[str, object] | None = None) -> HandRecord:
    """Return the record of a hand: cards, betting and, once it is over, showdown and finishing stacks."""
    game = state.game
    if game.rake or game.full_blind:
        raise RulesError("PHH has no field for rake or full blinds; such a hand cannot be written")
    actions = []
    for player, cards in enumerate(state.hole):
        if cards:
            shown = "".join("??" if card == HIDDEN_CARD else cards_name([card]) for card in cards)
            actions.append(f"d dh p{player + 1} {shown}")
    board = [state.board[:3], state.board[3:4], state.board[4:5]]
    dealt = 0
    for street, player, action in state.history:
        actions.extend(f"d db {cards_name(cards)}" for cards in board[dealt:street])
        dealt = max(dealt, street)
        word = "f" if action == FOLD else "cc" if action == CALL else f"cbr {action}"
        actions.append(f"p{player + 1} {word}")
    actions.extend(f"d db {cards_name(cards)}" for cards in board[dealt:] if cards)
    if state.is_terminal() and sum(state.in_hand) > 1:
        for player, cards in enumerate(state.hole):
            if state.in_hand[player] and HIDDEN_CARD not in cards:
                actions.append(f"p{player + 1} sm {cards_name(cards)}")
    blinds = (*game.blinds, *(0,) * (game.num_players - len(game.blinds)))
    return HandRecord(
        starting_stacks=game.start,
        blinds=tuple(blinds),
        antes=tuple(game.antes),
        min_bet=game.least_bet,
        actions=tuple(actions),
        ante_trimming=not game.dead_antes,
        finishing_stacks=state.stacks if state.is_terminal() else None,
        other=dict(other or {}),
    )


def _key(name: str) -> str:
    bare = name.replace("_", "").replace("-", "")
    return name if bare.isascii() and bare.isalnum() else _text(name)


def _text(text: str) -> str:
    """Return a TOML basic string: JSON's escapes are TOML's, but for the DEL character."""
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")


def _value(value: object) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return _text(value)
    if isinstance(value, list | tuple):
        return "[" + ", ".join(_value(one) for one in value) + "]"
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{_key(str(name))} = {_value(one)}" for name, one in value.items()) + "}"
    if isinstance(value, Decimal):
        return _decimal(value)
    if isinstance(value, datetime.datetime | datetime.date | datetime.time):
        return value.isoformat()
    return repr(value)


def _decimal(value: Decimal) -> str:
    """Return a TOML float that reads back to the same number; whole amounts stay whole."""
    if not value.is_finite():
        return str(value).lower().replace("infinity", "inf")
    text = f"{value:f}"
    return text if "." in text else f"{text}.0"
