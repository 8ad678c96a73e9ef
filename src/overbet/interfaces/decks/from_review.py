"""Cards of the decisions that a review of played hands called inaccuracies, mistakes and blunders."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby, pairwise
from typing import TYPE_CHECKING, Any

from overbet.cards.cards import cards_name
from overbet.errors import OverbetError
from overbet.games.holdem_state import HoldemState
from overbet.interfaces.history.replay import states
from overbet.kernels.holdem.layout import HIDDEN_CARD
from overbet.study.deck_cards import CardAnswer, CardSeat, DeckCard
from overbet.study.mistakes import FAULTS, MistakeAction, MistakeStep

if TYPE_CHECKING:
    from overbet.interfaces.hands.database import HandDatabase, StoredHand
    from overbet.interfaces.hands.reviews import PricedDecision


def cards_of_review(
    hands: HandDatabase, filter: str = "", *, player: str | None = None, least_bb: float = 0.0
) -> Iterator[DeckCard | None]:
    """Yield a card for every fault of the hands a filter chooses, None for one that cannot be shown.

    player: whose; by default the hero, and in hands without one every player. least_bb: what it cost at
    least, in big blinds.
    """
    frame = hands.reviews(filter, player=player)
    rows = [
        (int(row["hand"]), int(row["number"]))
        for row in frame.select("hand", "number", "grade", "loss_bb").iter_rows(named=True)
        if row["grade"] in FAULTS and row["loss_bb"] is not None and row["loss_bb"] >= least_bb
    ]
    for number, group in groupby(sorted(rows), key=lambda row: row[0]):
        wanted = {decision for _, decision in group}
        try:
            hand = hands.hand(number)
            priced = [one for one in hands.priced(number) if one.number in wanted]
            yield from (_card(hand, one) for one in priced)
        except OverbetError:  # a record or a verdict that is damaged
            yield from (None for _ in wanted)


def _card(hand: StoredHand, priced: PricedDecision) -> DeckCard | None:
    """Return the card of a priced decision, None where its cards or values are not known."""
    found = _place(hand, priced.number)
    if found is None or priced.taken is None or priced.best is None or not priced.actions:
        return None
    state, history = found
    player = state.current_player()
    hole = sorted(state.hole[player], reverse=True)
    if len(hole) != 2 or HIDDEN_CARD in hole or priced.loss_bb is None or priced.grade not in FAULTS:
        return None
    if not any(action.token == priced.best for action in priced.actions):
        return None
    blind = state.game.big_blind
    words: dict[str, Any] = {"street": state.street}  # what the record checks
    given: dict[str, Any] = {"token": priced.taken, "grade": priced.grade}
    return DeckCard(
        key=f"{hand.site}:{hand.number}/{priced.number}"[:300],
        origin="hand",
        source=f"hand {hand.site}:{hand.number}"[:200],
        note=priced.source,
        line=state.line[:400],
        board=cards_name(state.board),
        hand=cards_name(hole),
        player=state.game.position(player),
        pot_chips=state.pot,
        to_call_chips=state.to_call,
        behind_chips=state.stacks[player],
        big_blind=blind,
        seats=[
            CardSeat(
                position=state.game.position(seat),
                behind_chips=state.stacks[seat],
                bet_chips=state.bets[seat],
                folded=not state.in_hand[seat],
            )
            for seat in range(state.num_players)
        ],
        history=history,
        actions=[
            MistakeAction(
                token=action.token,
                label=_label(action.name),
                frequency=float(action.share),
                ev_chips=None if action.ev_bb is None else float(action.ev_bb) * blind,
            )
            for action in priced.actions
        ],
        best=priced.best,
        given=CardAnswer(**given, loss_chips=priced.loss_bb * blind),
        accuracy_chips=float(priced.accuracy_bb or 0.0) * blind,
        estimated=priced.method != "solve",
        **words,
    )


def _place(hand: StoredHand, number: int) -> tuple[HoldemState, list[MistakeStep]] | None:
    """Return the state before a decision, counted as `features` counts them, and what led to it."""
    history: list[MistakeStep] = []
    decisions = 0
    for state, after in pairwise(states(hand.record)):
        player = state.current_player()
        if player < 0:
            if len(after.board) in (3, 4, 5) and len(after.board) > len(state.board):
                dealt = after.board[0 if len(after.board) == 3 else -1 :]
                history.append(MistakeStep(who="", label=cards_name(dealt)))
            continue
        legal = state.legal_actions()
        if legal.fold or legal.raise_min is not None:
            if decisions == number:
                return state, history
            decisions += 1
        action = after.history[-1][2]
        history.append(MistakeStep(who=state.game.position(player), label=state.action_name(action)))
    return None


def _label(name: str) -> str:
    """Return the name of an action, its amount marked as big blinds: `raise 2.5` is `raise 2.5bb`."""
    last = name.rpartition(" ")[2]
    return f"{name}bb" if last.replace(".", "", 1).isdigit() else name
