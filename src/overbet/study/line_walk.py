"""Lines of any blueprint, with a tree or without: its decisions, and the hands that follow them.

Every step asks the blueprint by its line, so keyed tables, which have no tree, are walked as dense ones are.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from overbet.blueprint.query import BOARD_CARDS, Blueprint
from overbet.cards.cards import cards_name
from overbet.cards.combos import COMBOS
from overbet.cards.range import Range
from overbet.errors import ConfigError, IllegalActionError, unknown
from overbet.games import lines
from overbet.games.holdem_state import HoldemState
from overbet.study.blueprint_lines import dealt

Floats = npt.NDArray[np.float64]
_DECIMALS = 2


class LineStep(NamedTuple):
    """A decision on the way. line: without cards; taken: the token of the next action, empty at the end."""

    line: str
    street: int
    player: int
    tokens: tuple[str, ...]
    taken: str


class ActionRange(NamedTuple):
    """What a player does with all hands. held: how much of every hand gets there and takes the action."""

    position: str
    token: str
    name: str
    held: Range


def state_after(blueprint: Blueprint, line: str) -> HoldemState:
    """Return the hand after a line of a blueprint; cards mean nothing."""
    return blueprint.game.deal(0).follow(lines.text(lines.parse(line)))


def ends(blueprint: Blueprint, line: str) -> str:
    """Return what comes after a line: `over`, `card` or `decision`."""
    state = state_after(blueprint, line)
    if state.current_player() < 0:
        return "over"
    return "decision" if state.street == "preflop" else "card"


def steps(blueprint: Blueprint, line: str) -> list[LineStep]:
    """Return the decisions from the first one to that of the line."""
    tokens = [str(token) for token in lines.moves(lines.parse(line))]
    found, here = [], "r:0"
    for taken in (*tokens, ""):
        street, player = blueprint.street(here), blueprint.player(here)
        found.append(LineStep(here, street, player, blueprint.tokens(here), taken))
        here = f"{here}:{taken}"
    return found


def with_cards(walked: list[LineStep], board: tuple[int, ...], longer: str = "", street: int = 0) -> str:
    """Return the line of the last step with the cards of every street in it that are known.

    longer: a token that goes on from there, to a decision on `street`.
    """
    found, ends = "r:0", [*(step.street for step in walked[1:]), max(street, walked[-1].street)]
    for step, after in zip(walked, ends):
        token = step.taken or longer
        found += f":{token}" if token else ""
        for dealt_street in range(step.street + 1, after + 1):
            cards = dealt(board, dealt_street)
            found += f":{cards_name(cards)}" if cards else ""
    return found


def walked_reach(
    blueprint: Blueprint, walked: list[LineStep], player: int, board: tuple[int, ...] = ()
) -> Floats:
    """Return how much of every hand of a player takes a walk: [1326] float64; the board blocks none."""
    found: Floats = np.ones(COMBOS)
    for step in walked:
        if step.player == player and step.taken:
            lying = board[: BOARD_CARDS[step.street]]
            shares = blueprint.strategy_for_all_hands(step.line, lying, allow_missing=True)
            found *= np.nan_to_num(shares[:, step.tokens.index(step.taken)])
    return found


def first_in(blueprint: Blueprint) -> list[tuple[str, str]]:
    """Return every position with the line to its first decision, in the order in which they act.

    Everybody before has folded; the big blind has the small blind's first action before it that is no fold.
    """
    found, line = [], "r:0"
    for _ in range(blueprint.game.num_players):
        if ends(blueprint, line) != "decision":
            break
        found.append((blueprint.game.position(blueprint.player(line)), line))
        last = len(found) == blueprint.game.num_players - 1
        onward = [token for token in blueprint.tokens(line) if last == (token != "f")]
        line = f"{line}:{onward[0] if onward else 'f'}"
    return found


def action_ranges(blueprint: Blueprint, line: str = "r:0", token: str = "") -> list[ActionRange]:
    """Return the range of every action before the flop after a line, or of one that is named.

        blueprint = overbet.load(overbet.find_blueprint("heads-up-25bb"))
        [opens] = overbet.study.action_ranges(blueprint, "r:0", "b200")
        opens.held.text("pio")

    A range holds every hand as often as the player gets there with it and takes the action, in percents.
    """
    walked = steps(blueprint, line)
    last = walked[-1]
    if last.street > 0:
        raise IllegalActionError(f"the flop is dealt before {line}: these ranges are those before it")
    if token and token not in last.tokens:
        raise ConfigError(unknown("action", token, last.tokens))
    held = walked_reach(blueprint, walked, last.player)
    shares = np.nan_to_num(blueprint.strategy_for_all_hands(last.line, (), allow_missing=True))
    position, names = blueprint.game.position(last.player), blueprint.action_names(last.line)
    return [
        ActionRange(position, one, name, Range(np.clip(np.round(held * shares[:, place], _DECIMALS), 0, 1)))
        for place, (one, name) in enumerate(zip(last.tokens, names))
        if token in ("", one)
    ]
