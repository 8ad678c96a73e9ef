"""Playing: tables, hands, the running result, and the review of every hand."""

from __future__ import annotations

import secrets

from fastapi import APIRouter, Request, Response

from overbet.agents.registry import name_of
from overbet.cards.cards import card_name
from overbet.errors import OverbetError
from overbet.games.holdem_state import STREETS, HoldemState
from overbet.interfaces.history.phh_writer import record_of, write_hand
from overbet.interfaces.web.faults import Fault
from overbet.interfaces.web.folder import checked_id, new_id, now
from overbet.interfaces.web.models import play as models
from overbet.interfaces.web.state import State, state_of
from overbet.kernels.holdem.layout import HIDDEN_CARD
from overbet.study.review import total_loss
from overbet.study.sitting import HERO
from overbet.study.tables import GAMES, SCRIPTED, Table, result_of

router = APIRouter(prefix="/api/play", tags=["play"])
_SIZES = (0.33, 0.5, 0.75, 1.0, 1.5)


@router.get("/opponents")
def opponents(request: Request) -> models.Opponents:
    """Return who can be played against, and where."""
    state = state_of(request)
    found = []
    for book in state.books.all():
        if book.error is not None:
            continue
        kinds = state.opponents.kinds(book.id)
        depth = f"{book.facts['stack_bb'][0]:g} bb" if book.facts.get("stack_bb") else ""
        hours = book.facts["manifest"].get("core_hours")
        note = f"trained blueprint, {depth}" + (f", {hours:g} core hours" if hours else "")
        found.append(
            models.Opponent(
                id=book.id, name=book.facts["name"], kind="blueprint", tables=list(kinds), note=note
            )
        )
    found += [
        models.Opponent(id=name, name=name, kind="scripted", tables=list(GAMES), note=note)
        for name, note in SCRIPTED.items()
    ]
    return models.Opponents(opponents=[one for one in found if one.tables])


@router.get("/tables")
def tables(request: Request) -> models.Tables:
    """Return all tables, newest first."""
    found = sorted(state_of(request).shelf.tables.values(), key=lambda table: table.created, reverse=True)
    return models.Tables(
        tables=[
            models.TableShort(
                id=table.id,
                kind=table.kind,
                opponent=table.opponent,
                created=table.created,
                hands=len(table.hands),
            )
            for table in found
        ]
    )


@router.post("/tables", status_code=201)
def new_table(request: Request, body: models.NewTable) -> models.TableShown:
    """Sit down at a table."""
    state = state_of(request)
    if body.opponent not in SCRIPTED:
        try:
            checked_id(body.opponent)
            state.books.get(body.opponent)
        except Fault as fault:
            raise Fault(422, f"there is no opponent {body.opponent[:60]!r}", "opponent") from fault
    state.opponents.agent(body.opponent, body.kind)
    seed = secrets.randbelow(2**40) if body.seed is None else body.seed
    table = Table(new_id("t"), body.kind, body.opponent, now(), seed)
    state.shelf.add(table)
    for part in ("play", "review"):
        state.warming.begin(part)
    state.adjuster.later(table)
    return table_shown(state, table)


@router.get("/tables/{id}")
def one_table(request: Request, id: str) -> models.TableShown:
    """Return a table as it stands."""
    state = state_of(request)
    table = state.shelf.get(id)
    if any(hand.adjusted is None for hand in table.hands):
        state.adjuster.later(table)
    with table.lock:
        return table_shown(state, table)


@router.delete("/tables/{id}", status_code=204, response_class=Response)
def leave_table(request: Request, id: str) -> Response:
    """Leave a table; its hands are deleted."""
    state = state_of(request)
    state.shelf.remove(state.shelf.get(id))
    return Response(status_code=204)


@router.post("/tables/{id}/deal")
def deal(request: Request, id: str) -> models.TableShown:
    """Deal the next hand."""
    state = state_of(request)
    table = state.shelf.get(id)
    state.warming.wait("play")
    with table.lock, state.play_lock:
        state.play.deal(table)
        state.shelf.save(table)
        if table.actions is None:
            state.adjuster.later(table)
        return table_shown(state, table)


@router.post("/tables/{id}/act")
def act(request: Request, id: str, body: models.Act) -> models.TableShown:
    """Act: -1 fold, 0 check or call, n bet or raise to n chips on this street."""
    state = state_of(request)
    table = state.shelf.get(id)
    state.warming.wait("play")
    with table.lock, state.play_lock:
        state.play.act(table, body.action)
        state.shelf.save(table)
        if table.actions is None:
            state.adjuster.later(table)
        return table_shown(state, table)


@router.get("/tables/{id}/hands")
def hands(request: Request, id: str) -> models.Hands:
    """Return the finished hands, newest first, at most 500."""
    table = state_of(request).shelf.get(id)
    shown = []
    for number in range(len(table.hands))[::-1][:500]:
        final = table.state(number, table.hands[number].actions)
        decisions = table.reviews.get(number)
        shown.append(
            models.HandShort(
                number=number,
                hole=[card_name(c) for c in final.hole[table.player_of(HERO, number)]],
                board=[card_name(c) for c in final.board],
                won_chips=table.hands[number].won,
                loss_bb=total_loss(decisions)[0] if decisions is not None else None,
            )
        )
    return models.Hands(hands=shown)


@router.get("/tables/{id}/hands/{number}")
def one_hand(request: Request, id: str, number: int) -> models.HandReview:
    """Return a finished hand, its history, and what the strategy would have done."""
    state = state_of(request)
    table = state.shelf.get(id)
    if not 0 <= number < len(table.hands):
        raise Fault(404, "that hand has not been finished here")
    hand = table.hands[number]
    final = table.state(number, hand.actions)
    if not final.is_terminal():
        raise Fault(409, "the record of this hand is damaged: it does not end; leave the table")
    state.warming.wait("review")
    with table.lock, state.play_lock:
        decisions, adviser = state.play.review(table, number)
    entries = []
    for verdict in decisions:
        decision, action = verdict.decision, verdict.decision.taken
        index = len(decision.state.history)
        note = f"± {verdict.accuracy_bb:.2f} bb, by playing on many times as {adviser}"
        entries.append(
            models.ReviewEntry(
                street=decision.state.street,
                board=[card_name(c) for c in decision.state.board],
                log_index=_log_index(final, index),
                action=action,
                label=decision.state.action_name(action),
                strategy=[
                    models.ReviewChoice(
                        action=choice.action, label=choice.name, share=choice.share, ev_bb=choice.ev_bb
                    )
                    for choice in decision.choices
                ],
                ev_loss_bb=verdict.loss_bb,
                grade="within solver error" if verdict.within else verdict.grade,
                note=note,
            )
        )
    shown = hand_shown(table, number, final, reveal=True)
    return models.HandReview(hand=shown, phh=_phh(table, number, final), review=entries)


def _phh(table: Table, number: int, final: HoldemState) -> str:
    """Return the hand in PHH; tables with a full blind cannot be written in it, and say so as a comment."""
    names = [_name(table, table.seat_of(player, number)) for player in range(table.game.num_players)]
    try:
        return write_hand(record_of(final, {"hand": number + 1, "players": names}))
    except OverbetError as error:
        return f"# {error}\n"


def table_shown(state: State, table: Table) -> models.TableShown:
    """Return a table as the person sees it."""
    hand = None
    if table.actions is not None:
        hand = hand_shown(table, table.number, table.state(table.number, table.actions))
    elif table.hands:
        number = len(table.hands) - 1
        hand = hand_shown(table, number, table.state(number, table.hands[number].actions))
    agent = state.opponents.agent(table.opponent, table.kind)
    return models.TableShown(
        id=table.id,
        kind=table.kind,
        opponent=table.opponent,
        opponent_name=name_of(agent),
        created=table.created,
        big_blind=table.game.big_blind,
        small_blind=table.game.blinds[0],
        hand=hand,
        result=_result(table),
        finished=False,
        note="stacks are the same at the start of every hand; the button moves on by one seat",
    )


def _result(table: Table) -> models.ResultShown:
    raw, better = result_of(table, adjusted=False), result_of(table, adjusted=True)
    unknown = sum(hand.adjusted is None for hand in table.hands)
    note = f"{unknown} of {len(table.hands)} hands have no AIVAT estimate" if unknown else ""
    return models.ResultShown(
        hands=len(table.hands),
        won_chips=sum(hand.won for hand in table.hands),
        raw_mbb_per_hand=raw.mean if raw else None,
        raw_interval=[raw.low, raw.high] if raw and raw.groups > 1 else None,
        aivat_mbb_per_hand=better.mean if better else None,
        aivat_interval=[better.low, better.high] if better and better.groups > 1 else None,
        confidence=0.95,
        note=note,
    )


def hand_shown(table: Table, number: int, state: HoldemState, *, reveal: bool = False) -> models.HandShown:
    """Return a hand: the others' cards only at a showdown, or where `reveal` says so."""
    players = table.game.num_players
    over = state.is_terminal()
    showdown = over and sum(state.in_hand) > 1
    seats = []
    for seat in range(players):
        player = table.player_of(seat, number)
        seen = seat == HERO or reveal or (showdown and state.in_hand[player])
        cards = [card_name(c) for c in state.hole[player] if c < HIDDEN_CARD]
        seats.append(
            models.SeatAtTable(
                seat=seat,
                name=_name(table, seat),
                position=table.game.position(player),
                stack_chips=state.stacks[player],
                bet_chips=0 if over else state.bets[player],
                folded=not state.in_hand[player],
                all_in=not over and state.in_hand[player] and state.stacks[player] == 0,
                out=False,
                cards=cards if seen else None,
            )
        )
    actor = None if over else table.seat_of(state.current_player(), number)
    return models.HandShown(
        number=number,
        button=table.seat_of(players - 1, number),
        hero=HERO,
        street=state.street,
        board=[card_name(c) for c in state.board],
        pot_chips=state.pot,
        seats=seats,
        to_act=actor,
        hero_acts=actor == HERO,
        legal=_legal(state) if actor == HERO else None,
        log=_log(table, number, state),
        over=over,
        won_chips=[int(state.returns()[table.player_of(s, number)]) for s in range(players)]
        if over
        else None,
    )


def _name(table: Table, seat: int) -> str:
    if seat == HERO:
        return "you"
    return table.opponent if table.game.num_players == 2 else f"{table.opponent} {seat}"


def _legal(state: HoldemState) -> models.LegalShown:
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
    shown = [models.PresetBet(label=label, to_chips=amount) for amount, label in sorted(presets.items())]
    return models.LegalShown(
        fold=legal.fold,
        check=not legal.call,
        call_chips=legal.call or 0,
        raise_min=least,
        raise_max=most,
        presets=shown,
    )


def _log(table: Table, number: int, final: HoldemState) -> list[models.LogEntry]:
    """Return what happened: blinds, cards, actions."""
    players = range(table.game.num_players)
    state = table.game.deal(table.seed, number)
    log = [
        models.LogEntry(
            street="preflop",
            seat=table.seat_of(player, number),
            text=f"posts {state.put_in[player]}",
            action=None,
        )
        for player in players
        if state.put_in[player]
    ]
    for _, player, action in final.history:
        text = state.action_name(action)
        log.append(
            models.LogEntry(street=state.street, seat=table.seat_of(player, number), text=text, action=action)
        )
        after = state.apply(action)
        log += [
            models.LogEntry(
                street=STREETS[place], seat=None, text=" ".join(map(card_name, dealt)), action=None
            )
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
                    models.LogEntry(
                        street=state.street, seat=table.seat_of(player, number), text=text, action=None
                    )
                )
    return log


def _log_index(final: HoldemState, index: int) -> int:
    """Return the place in the log of the action number `index` of the history."""
    posts = sum(1 for chips in final.game.initial_state().put_in if chips)
    return posts + index + final.history[index][0]  # a line for the cards of every street before it
