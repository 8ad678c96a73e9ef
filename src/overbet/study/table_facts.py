"""A table, its hands and their review as plain values: what the person may see, and nothing else."""

from __future__ import annotations

from typing import Any

from overbet.agents.any_stacks import sources_line
from overbet.cards.cards import card_name
from overbet.games.holdem_state import STREETS, HoldemState
from overbet.games.multipliers import DRAWN_WORDS
from overbet.kernels.holdem.layout import HIDDEN_CARD
from overbet.study.review import ReviewedDecision, how_known, is_push_or_fold
from overbet.study.search_budget import SEARCH
from overbet.study.sitting import HERO
from overbet.study.tables import StudyTable, result_of
from overbet.study.thoughts import Thought
from overbet.study.tournaments import buy_ins_words, prize_words

_SIZES = (0.33, 0.5, 0.75, 1.0, 1.5)


def table_values(table: StudyTable, opponent_name: str) -> dict[str, Any]:
    """Return a table as the person sees it."""
    hand = None
    if table.actions is not None:
        hand = hand_values(table, table.number, table.state(table.number, table.actions))
    elif table.hands:
        number = len(table.hands) - 1
        hand = hand_values(table, number, table.state(number, table.hands[number].actions))
    return {
        "id": table.id,
        "kind": table.kind,
        "opponent": table.opponent,
        "opponent_name": opponent_name,
        "searches": table.opponent.startswith(SEARCH),
        "seconds": table.budget.seconds,
        "created": table.created,
        "big_blind": table.game.big_blind,
        "small_blind": table.game.blinds[0],
        "hand": hand,
        "result": result_values(table),
        "finished": table.finished,
        "tournament": tournament_values(table) if table.tournament is not None else None,
        "note": ""
        if table.tournament is not None
        else "stacks are the same at the start of every hand; the button moves on by one seat",
    }


def tournament_values(table: StudyTable) -> dict[str, Any]:
    """Return an Expresso: its prizes, its level, what became of the person and what the others play by."""
    kept = table.tournament
    assert kept is not None
    rules, number = kept.rules, table.number
    level, last = number // rules.hands_per_level, len(rules.levels) - 1
    return {
        "multiplier": kept.multiplier,
        "drawn": DRAWN_WORDS if kept.drawn else "chosen",
        "prizes": prize_words(rules),
        "level": min(level, last) + 1,
        "hands_left_at_level": None if level >= last else rules.hands_per_level * (level + 1) - number,
        "next_blinds": None if level >= last else list(rules.levels[level + 1][:2]),
        "place": kept.place,
        "buy_ins": kept.buy_ins,
        "outcome": f"{kept.place}, {buy_ins_words(kept.buy_ins)}" if kept.buy_ins is not None else "",
        "sources": sources_line(kept.sources) if kept.sources else "",
    }


def result_values(table: StudyTable) -> dict[str, Any]:
    """Return the running result, raw and by AIVAT, with intervals where there are two hands."""
    raw, better = result_of(table, adjusted=False), result_of(table, adjusted=True)
    unknown = 0 if table.tournament else sum(hand.adjusted is None for hand in table.hands)
    note = f"{unknown} of {len(table.hands)} hands have no luck-adjusted result yet" if unknown else ""
    return {
        "hands": len(table.hands),
        "won_chips": sum(hand.won for hand in table.hands),
        "raw_mbb_per_hand": raw.mean if raw else None,
        "raw_interval": [raw.low, raw.high] if raw and raw.groups > 1 else None,
        "aivat_mbb_per_hand": better.mean if better else None,
        "aivat_interval": [better.low, better.high] if better and better.groups > 1 else None,
        "confidence": 0.95,
        "note": note,
    }


def hand_values(
    table: StudyTable, number: int, state: HoldemState, *, reveal: bool = False
) -> dict[str, Any]:
    """Return a hand: the others' cards only at a showdown, or where `reveal` says so."""
    over = state.is_terminal()
    showdown = over and sum(state.in_hand) > 1
    seats = []
    for seat in range(table.seats):
        player = table.player_of(seat, number)
        if player < 0:
            seats.append(_empty_seat(table, seat))
            continue
        seen = seat == HERO or reveal or (showdown and state.in_hand[player])
        cards = [card_name(c) for c in state.hole[player] if c < HIDDEN_CARD]
        seats.append(
            {
                "seat": seat,
                "name": seat_name(table, seat),
                "position": state.game.position(player),
                "stack_chips": state.stacks[player],
                "bet_chips": 0 if over else state.bets[player],
                "folded": not state.in_hand[player],
                "all_in": not over and state.in_hand[player] and state.stacks[player] == 0,
                "out": False,
                "cards": cards if seen else None,
            }
        )
    actor = None if over else table.seat_of(state.current_player(), number)
    return {
        "number": number,
        "button": table.seat_of(state.num_players - 1, number),
        "hero": HERO,
        "street": state.street,
        "board": [card_name(c) for c in state.board],
        "pot_chips": state.pot,
        "seats": seats,
        "to_act": actor,
        "hero_acts": actor == HERO,
        "legal": _legal(state) if actor == HERO else None,
        "log": _log(table, number, state),
        "over": over,
        "won_chips": _won(table, number, state) if over else None,
        "big_blind": state.game.big_blind,
    }


def _empty_seat(table: StudyTable, seat: int) -> dict[str, Any]:
    """Return the seat of a player who is out of the tournament."""
    return {
        "seat": seat,
        "name": seat_name(table, seat),
        "position": "",
        "stack_chips": 0,
        "bet_chips": 0,
        "folded": True,
        "all_in": False,
        "out": True,
        "cards": None,
    }


def _won(table: StudyTable, number: int, final: HoldemState) -> list[int]:
    """Return what each seat won in a finished hand, 0 for players who were out before it."""
    won = final.returns()
    players = [table.player_of(seat, number) for seat in range(table.seats)]
    return [int(won[player]) if player >= 0 else 0 for player in players]


def verdict_values(verdict: ReviewedDecision, final: HoldemState, adviser: str) -> dict[str, Any]:
    """Return the verdict on one decision of a finished hand. adviser: the name of who gave it."""
    decision = verdict.decision
    return {
        "street": decision.state.street,
        "board": [card_name(c) for c in decision.state.board],
        "log_index": _log_index(final, len(decision.state.history)),
        "action": decision.taken,
        "label": decision.state.action_name(decision.taken),
        "strategy": [
            {"action": choice.action, "label": choice.name, "share": choice.share, "ev_bb": choice.ev_bb}
            for choice in decision.choices
        ],
        "ev_loss_bb": verdict.loss_bb,
        "grade": verdict.grade,
        "accuracy_bb": verdict.accuracy_bb,
        "note": how_known(decision) + ("" if is_push_or_fold(decision) else f"; you play on like {adviser}"),
    }


def thought_values(thought: Thought, final: HoldemState) -> dict[str, Any]:
    """Return what an opponent thought at one decision of a finished hand."""
    names = ("place", "street", "iterations", "seconds", "exploitability", "new", "fault")
    shown = {name: getattr(thought, name) for name in names}
    return {**shown, "openable": bool(thought.line), "log_index": _log_index(final, thought.place)}


def seat_name(table: StudyTable, seat: int) -> str:
    """Return what a seat is called."""
    if seat == HERO:
        return "you"
    return table.opponent if table.seats == 2 else f"{table.opponent} {seat}"


def _legal(state: HoldemState) -> dict[str, Any]:
    legal = state.legal_actions()
    least, most = legal.raise_min, legal.raise_max
    presets: dict[int, str] = {}
    if least is not None and most is not None:
        pot = state.pot + state.to_call
        unit = state.game.big_blind
        if state.street == "preflop":
            sizes = [(f"{size:g}bb", round(size * unit)) for size in (2.0, 2.5, 3.0, 4.0)]
            sizes += [(f"{100 * share:.0f}%", max(state.bets) + round(share * pot)) for share in (0.75, 1.0)]
        else:
            sizes = [(f"{100 * share:.0f}%", max(state.bets) + round(share * pot)) for share in _SIZES]
        for label, amount in sizes:
            if least <= amount < most:
                presets.setdefault(amount, label)
        presets[most] = "all-in"
    shown = [
        {
            "label": label,
            "to_chips": amount,
        }
        for amount, label in sorted(presets.items())
    ]
    return {
        "fold": legal.fold,
        "check": not legal.call,
        "call_chips": legal.call or 0,
        "raise_min": least,
        "raise_max": most,
        "presets": shown,
    }


def _log(table: StudyTable, number: int, final: HoldemState) -> list[dict[str, Any]]:
    """Return what happened: blinds, cards, actions."""
    players = range(final.num_players)
    state = table.state(number, [])
    log = [
        {
            "street": "preflop",
            "seat": table.seat_of(player, number),
            "text": f"posts {state.put_in[player]}",
            "action": None,
        }
        for player in players
        if state.put_in[player]
    ]
    for _, player, action in final.history:
        text = state.action_name(action)
        log.append(
            {
                "street": state.street,
                "seat": table.seat_of(player, number),
                "text": text,
                "action": action,
            }
        )
        after = state.apply(action)
        log += [
            {
                "street": STREETS[place],
                "seat": None,
                "text": " ".join(map(card_name, dealt)),
                "action": None,
            }
            for place, dealt in enumerate((after.board[:3], after.board[3:4], after.board[4:5]), 1)
            if dealt and len(state.board) < (0, 3, 4, 5)[place]
        ]
        state = after
    if state.is_terminal():
        for player in players:
            won = int(state.returns()[player])
            if won > 0:
                text = f"wins {won}"
                log.append(
                    {
                        "street": state.street,
                        "seat": table.seat_of(player, number),
                        "text": text,
                        "action": None,
                    }
                )
    return log


def _log_index(final: HoldemState, index: int) -> int:
    """Return the place in the log of the action number `index` of the history."""
    posts = sum(1 for chips in final.game.initial_state().put_in if chips)
    return posts + index + final.history[index][0]  # a line for the cards of every street before it
