"""A recorded hand as the moments a page steps through: the deal, every action, every street."""

from __future__ import annotations

from itertools import pairwise

from overbet.cards.cards import card_name
from overbet.games.holdem_state import HoldemState
from overbet.interfaces.hands.database import StoredHand
from overbet.interfaces.history.replay import states
from overbet.interfaces.web.models import hands as models
from overbet.kernels.holdem.layout import CALL, FOLD, HIDDEN_CARD
from overbet.study.decision_lines import kind_of

_STREETS = {0: "preflop", 3: "flop", 4: "turn", 5: "river"}


def replay_shown(hand: StoredHand, verdicts: list[models.VerdictShown]) -> models.HandReplay:
    """Return a hand with all its moments."""
    record = hand.record
    walk = list(states(record))
    game, final, other = walk[0].game, walk[-1], record.other
    hole = final.hole
    players = [
        models.ReplayPlayer(
            name=name,
            position=game.position(player),
            stack=record.starting_stacks[player],
            cards=_cards(hole[player]),
            net=hand.net[player],
        )
        for player, name in enumerate(record.players)
    ]
    day = [other.get(part) for part in ("year", "month", "day")]
    clock = str(other["time"])[:5] if other.get("time") is not None else ""
    played = f"{day[0]:04}-{day[1]:02}-{day[2]:02} {clock}".strip() if all(day) else None
    return models.HandReplay(
        id=hand.id,
        site=hand.site,
        number=hand.number,
        format=hand.format,
        played=played,
        currency=str(other.get("currency", "")),
        unit=record.unit,
        small_blind=min(game.blinds[:2]),
        big_blind=game.big_blind,
        hero=hand.hero,
        button=len(players) - 1,  # players are counted from its left
        rake=hand.rake,
        notes=hand.notes,
        players=players,
        steps=_steps(walk),
        verdicts=verdicts,
    )


def _steps(walk: list[HoldemState]) -> list[models.ReplayMoment]:
    steps, decisions = [_step(walk[0], None)], 0
    for before, after in pairwise(walk):
        player = before.current_player()
        if player >= 0:
            legal = before.legal_actions()
            number = decisions if legal.fold or legal.raise_min is not None else None  # else a forced check
            decisions += number is not None
            steps.append(_step(after, _action(before, player, after.history[-1][2], number)))
        elif len(after.board) in (3, 4, 5) and len(after.board) > len(before.board):
            steps.append(_step(after, None))
    return steps


def _action(state: HoldemState, player: int, action: int, decision: int | None) -> models.ReplayAction:
    stack = state.stacks[player]
    added = 0 if action == FOLD else state.to_call if action == CALL else action - state.bets[player]
    return models.ReplayAction(
        player=player,
        kind=kind_of(action, state.to_call > 0, len(state.board)),
        to=state.bets[player] + added,
        added=added,
        all_in=0 < added == stack,
        decision=decision,
    )


def _step(state: HoldemState, action: models.ReplayAction | None) -> models.ReplayMoment:
    """Return a moment; the street goes by the cards that lie, which the rules are ahead of after all-ins."""
    player = state.current_player()
    stacks, over = state.stacks, state.is_terminal()
    return models.ReplayMoment(
        street=_STREETS.get(len(state.board), "river"),
        board=[card_name(card) for card in state.board],
        pot=state.pot,
        seats=[
            models.ReplaySeat(
                stack=stacks[seat],
                bet=state.bets[seat],
                folded=not state.in_hand[seat],
                all_in=state.in_hand[seat] and not stacks[seat] and not over,
            )
            for seat in range(state.num_players)
        ],
        to_act=player if player >= 0 else None,
        action=action,
    )


def _cards(cards: tuple[int, ...]) -> list[str] | None:
    if len(cards) != 2 or HIDDEN_CARD in cards:
        return None
    return [card_name(card) for card in cards]
