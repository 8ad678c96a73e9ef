"""What a hand is in the database: its facts, its seats and every decision, from the states of its replay.

This is the one place that says what a 3-bet, a continuation bet or an effective stack is. Amounts are chips
of the record; who asks divides them by the big blind.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import NamedTuple

from overbet.cards.cards import RANKS, cards_name
from overbet.cards.combos import combo_index
from overbet.games.holdem_state import HoldemState
from overbet.interfaces.hands.street_line import StreetLine
from overbet.interfaces.hands.words import ACTIONS, CONNECTEDNESS, PAIRING, POSITIONS, SUITS
from overbet.interfaces.history.played_hand import PlayedHand
from overbet.interfaces.history.record import HandFault, HistoryError
from overbet.interfaces.history.replay import states
from overbet.kernels.holdem.layout import CALL, FOLD, HIDDEN_CARD
from overbet.solvers.vector.batches.texture import texture
from overbet.study.decision_lines import kind_of

_BOARDS = ((3, "sawflop"), (4, "sawturn"), (5, "sawriver"))


class SeatRow(NamedTuple):
    """One player of a hand. depth: the most that can be lost to one opponent, by the stacks at the start.

    hole: the combo, None where nobody saw it. flags: bits of `LINE_WORDS`. net: chips won or lost, by the
    recorded stacks where there are any.
    """

    player: int
    position: int
    stack: int
    depth: int
    hole: int | None
    put_in: int
    net: int
    flags: int


class DecisionRow(NamedTuple):
    """One decision, chips of the record.

    number: its place in the hand. players: who have not folded, the actor too. facing: place in `FACING`.
    raises: bets and raises on this street so far, the blinds apart. preflop_raises: raises before the flop so
    far. initiative: whether the actor made the last bet or raise of the earlier streets. in_position: whether
    nobody still in acts later on the streets to come. pot: all chips in before the action. to_call: what a
    call adds. stack: what the actor can still lose to one opponent. added: what the action puts in.
    """

    number: int
    player: int
    street: int
    players: int
    facing: int
    raises: int
    preflop_raises: int
    initiative: int
    in_position: int
    pot: int
    to_call: int
    stack: int
    action: int
    all_in: int
    added: int


@dataclass(frozen=True, slots=True)
class PlayedHandFeatures:
    """What the database keeps of a hand besides its record; texture: None where there was no flop."""

    small_blind: int
    big_blind: int
    pot: int
    board: str
    texture: int | None
    flop_players: int
    preflop_raises: int
    seats: tuple[SeatRow, ...]
    decisions: tuple[DecisionRow, ...]


def features(hand: PlayedHand) -> PlayedHandFeatures:
    """Replay a hand and return what it is; `HistoryError` names the line where it cannot be replayed."""
    record = hand.record
    walk = list(states(record))
    final = walk[-1]
    if not final.is_terminal():
        raise HistoryError(HandFault(hand.place, "the record ends before the hand does"))
    line = StreetLine(len(record.starting_stacks))
    rows: list[DecisionRow] = []
    for state, after in pairwise(walk):
        player = state.current_player()
        if player < 0:
            continue
        line.go_to(state)
        if is_decision(state):
            rows.append(_decision(len(rows), player, state, line, after.history[-1][2]))
        line.take(state, after.history[-1][2])
    flop_players = 0
    for state in walk:
        for cards, word in _BOARDS:
            if len(state.board) == cards:
                line.mark(word, state.in_hand)
                flop_players = sum(state.in_hand) if cards == 3 and not flop_players else flop_players
    _mark_end(line, final)
    return PlayedHandFeatures(
        small_blind=min(final.game.blinds[:2]),
        big_blind=final.game.big_blind,
        pot=final.pot,
        board=cards_name(final.board),
        texture=texture_code(cards_name(final.board[:3])) if final.board else None,
        flop_players=flop_players,
        preflop_raises=line.preflop_raises,
        seats=_seats(hand, final, line.flags),
        decisions=tuple(rows),
    )


def is_decision(state: HoldemState) -> bool:
    """Return whether the player to act has a choice: where a check is all there is, there is none."""
    legal = state.legal_actions()
    return legal.fold or legal.raise_min is not None


def texture_code(flop: str) -> int:
    """Return suits + 3 * pairing + 9 * connectedness + 27 * rank of the high card."""
    look = texture(flop)
    code = SUITS.index(look.suits) + 3 * PAIRING.index(look.pairing)
    return code + 9 * CONNECTEDNESS.index(look.connectedness) + 27 * RANKS.index(look.high_card)


def _mark_end(line: StreetLine, final: HoldemState) -> None:
    if sum(final.in_hand) > 1:
        line.mark("showdown", final.in_hand)
    elif not final.board and not line.preflop_raises and not line.limps:
        line.mark("walk", final.in_hand)


def _seats(hand: PlayedHand, final: HoldemState, flags: Sequence[int]) -> tuple[SeatRow, ...]:
    rows = []
    start, end = hand.record.starting_stacks, hand.record.finishing_stacks
    for player, cards in enumerate(final.hole):
        others = max(chips for other, chips in enumerate(start) if other != player)
        known = len(cards) == 2 and HIDDEN_CARD not in cards
        put_in = final.put_in[player]
        rows.append(
            SeatRow(
                player=player,
                position=POSITIONS.index(final.game.position(player)),
                stack=start[player],
                depth=min(start[player], others),
                hole=combo_index(*cards) if known else None,
                put_in=put_in,
                net=end[player] - start[player] if end else hand.won[player] - put_in,
                flags=flags[player],
            )
        )
    return tuple(rows)


def _decision(number: int, player: int, state: HoldemState, line: StreetLine, action: int) -> DecisionRow:
    stacks, bets, in_hand = state.stacks, state.bets, state.in_hand
    others = [seat for seat, still in enumerate(in_hand) if still and seat != player]
    reach = max(stacks[seat] + bets[seat] for seat in others) - bets[player]
    added = 0 if action == FOLD else state.to_call if action == CALL else action - bets[player]
    kind = kind_of(action, state.to_call > 0, line.street)
    return DecisionRow(
        number=number,
        player=player,
        street=line.street,
        players=len(others) + 1,
        facing=line.facing(),
        raises=line.raises,
        preflop_raises=line.preflop_raises,
        initiative=int(line.street > 0 and line.leader == player),
        in_position=int(player > max(others)),
        pot=state.pot,
        to_call=state.to_call,
        stack=max(min(stacks[player], reach), 0),
        action=ACTIONS.index(kind),
        all_in=int(0 < added == stacks[player]),
        added=added,
    )


def action_kind(state: HoldemState, action: int) -> str:
    """Return fold, check, call, bet or raise."""
    return kind_of(action, state.to_call > 0, len(state.board))
