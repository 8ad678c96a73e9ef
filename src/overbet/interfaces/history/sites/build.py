"""From what the lines tell to a record that can be replayed: seats, blinds, actions, final stacks."""

from __future__ import annotations

from overbet.interfaces.history.played_hand import PlayedHand
from overbet.interfaces.history.record import AsPlayed, HandRecord, Place
from overbet.interfaces.history.sites.sums import Sums, sums_of
from overbet.interfaces.history.sites.told import HandError, ToldHand, ToldStep
from overbet.kernels.holdem.layout import MAX_PLAYERS

_MOST_CHIPS = 2_000_000_000


def build(hand: ToldHand, source: str) -> PlayedHand:
    """Return the hand; `HandError` says what is wrong with it. It has not been replayed yet."""
    if hand.button is None or len(hand.seats) < 2:
        raise HandError("the table, its button or its seats are missing", hand.line)
    if len(hand.names) < len(hand.seats):
        raise HandError("two seats have the same name", hand.line)
    sums = sums_of(hand)
    if hand.boards:
        hand.note("run it twice" if len(hand.boards) == 1 else f"run it {len(hand.boards) + 1} times")
    order = _order(hand, sums)
    number = {name: player for player, name in enumerate(order)}
    blinds, antes, even = _forced(hand, order, sums)
    unit = _unit(hand, sums)
    scale = 100 // unit
    stacks = [sums.stacks[name] for name in order]
    ending = [stacks[number[name]] - sums.put[name] + sums.back[name] for name in order]
    gave_up = _gave_up(hand, sums)
    hand.steps = [step for step in hand.steps if step.verb != "fold" or step.name not in gave_up]
    actions, lines = _actions(hand, order, sums, unit, gave_up)
    opener = next((step.name for step in hand.steps if step.verb and step.name in number), None)
    beside = tuple(sums.beside.get(name, 0) // scale for name in order)
    place = Place(source, hand.number, hand.line)
    record = HandRecord(
        starting_stacks=tuple(chips // scale for chips in stacks),
        blinds=tuple(chips // scale for chips in blinds),
        antes=tuple(chips // scale for chips in antes),
        min_bet=max(hand.big, scale) // scale,
        actions=tuple(actions),
        ante_trimming=even,
        finishing_stacks=tuple(chips // scale for chips in ending),
        unit=unit,
        as_played=AsPlayed(
            opener=None if opener is None else number[opener],
            odd=1 if hand.format == "cash" else max(unit, 1),
            rake=sums.rake // scale,
            beside=beside if any(beside) else (),
            boards=tuple(hand.boards[run] for run in sorted(hand.boards)),
            gave_up=tuple(number[name] for name in order if name in gave_up),
        ),
        other={"players": order},
        place=place,
        action_lines=tuple(lines),
    )
    return PlayedHand(
        record=record,
        site=hand.site,
        number=hand.number,
        place=place,
        played=hand.played,
        format=hand.format,
        table=hand.table,
        tournament=hand.tournament,
        currency=hand.currency,
        unit=unit,
        players=tuple(order),
        hero=_hero(hand, number),
        won=tuple(sums.won.get(name, 0) // scale for name in order),
        rake=sums.rake // scale,
        notes=tuple(hand.notes),
    )


def _order(hand: ToldHand, sums: Sums) -> list[str]:
    """Return the players from the left of the button; heads up the small blind is last, as the button."""
    button = hand.button or 0
    seats = sorted(hand.seats, key=lambda seat: (seat <= button, seat))
    order = [hand.seats[seat][0] for seat in seats if hand.seats[seat][0] in sums.put]
    if len(order) < 2:
        raise HandError("fewer than two players take part", hand.line)
    if len(order) > MAX_PLAYERS:
        raise HandError(f"{len(order)} players are in the hand, the rules know {MAX_PLAYERS}", hand.line)
    if len(order) == 2:
        small = next((name for name, kind, _, _ in hand.posts if kind == "small"), None)
        if small is None:
            big = next((name for name, kind, _, _ in hand.posts if kind == "big"), order[0])
            small = next(name for name in order if name != big)
        order.sort(key=lambda name: name == small)
    return order


def _forced(hand: ToldHand, order: list[str], sums: Sums) -> tuple[list[int], list[int], bool]:
    """Return blinds and antes in the order of a record, and whether the antes are the same for all."""
    live, dead = dict.fromkeys(order, 0), dict.fromkeys(order, 0)
    antes = dict.fromkeys(order, 0)
    seen_big = False
    for name, kind, chips, _ in hand.posts:
        if name not in live:
            continue
        if kind == "ante":
            antes[name] += chips
        elif kind == "dead":
            dead[name] += chips
        elif kind == "both":
            live[name] += min(chips, hand.big)
            dead[name] += max(chips - hand.big, 0)
        else:
            if kind == "big" and not seen_big and chips == sums.stacks[name] - antes[name]:
                chips = max(chips, hand.big)  # all in for less: the others still have to call a full blind
            seen_big = seen_big or kind == "big"
            if kind == "straddle" or chips > hand.big > 0:
                hand.note("straddle")
            live[name] += chips
    if not seen_big:
        # a big blind whose last chips went into the ante posts none, and the others call a full one
        broke = [name for name in order if antes[name] and antes[name] >= sums.stacks[name]]
        if broke:
            live[order[1] if order[1] in broke and len(order) > 2 else broke[0]] = hand.big
    if any(dead.values()):
        hand.note("dead blind")
    most = max(antes.values())
    even = most > 0 and not any(dead.values())
    even = even and all(antes[name] == min(most, sums.stacks[name]) for name in order)
    if even:
        antes = dict.fromkeys(order, most)
    blinds = [live[name] for name in order]
    forced = [antes[name] + dead[name] for name in order]
    if len(order) == 2:  # records write the small blind first, which heads up is the second player's
        blinds.reverse()
        forced.reverse()
    return blinds, forced, even or not any(forced)


def _gave_up(hand: ToldHand, sums: Sums) -> set[str]:
    """Return the players who were all in by what they posted and folded all the same."""
    posted: dict[str, int] = {}
    for name, _, chips, _ in hand.posts:
        posted[name] = posted.get(name, 0) + chips
    folded = {step.name for step in hand.steps if step.verb == "fold"}
    return {name for name, chips in posted.items() if name in folded and chips >= sums.stacks[name]}


def _actions(
    hand: ToldHand, order: list[str], sums: Sums, unit: int, gone: set[str]
) -> tuple[list[str], list[int]]:
    """Return the actions of the record and the line of the file each stands on."""
    number = {name: player for player, name in enumerate(order, 1)}
    actions, lines = list[str](), list[int]()

    def add(action: str, line: int) -> None:
        actions.append(action)
        lines.append(line)

    for name in order:
        add(f"d dh p{number[name]} {hand.shown.get(name, '').ljust(4, '?')}", hand.line)
    bets = dict(sums.blinds)
    folded = set(gone)
    for step in hand.steps:
        if step.cards:
            bets = dict.fromkeys(bets, 0)
            add(f"d db {step.cards}", step.line)
        elif step.name in number:
            add(f"p{number[step.name]} {_action(step, bets, unit)}", step.line)
            if step.verb == "fold":
                folded.add(step.name)
    staying = [name for name in order if name not in folded]
    if len(staying) > 1:
        unseen = [name for name in staying if len(hand.shown.get(name, "")) < 4]
        hidden_winner = any(sums.pots.get(name, 0) for name in unseen)
        last = lines[-1]
        for name in staying:
            if name in unseen and not sums.pots.get(name, 0):
                add(f"p{number[name]} sm", last)
            elif name not in unseen:
                # somebody won with cards that nobody saw: who got nothing has been beaten by them
                beaten = hidden_winner and not sums.pots.get(name, 0)
                add(f"p{number[name]} sm" + ("" if beaten else f" {hand.shown[name]}"), last)
    return actions, lines


def _action(step: ToldStep, bets: dict[str, int], unit: int) -> str:
    if step.verb == "fold":
        return "f"
    if step.verb == "check":
        return "cc"
    if step.verb == "call":
        bets[step.name] = bets.get(step.name, 0) + step.chips
        return "cc"
    bets[step.name] = step.chips + (bets.get(step.name, 0) if step.verb == "bet" else 0)
    chips = bets[step.name]
    return f"cbr {chips // 100}" if unit == 1 else f"cbr {chips // 100}.{chips % 100:02d}"


def _unit(hand: ToldHand, sums: Sums) -> int:
    """Return how many chips of the record make one of the file: hundreds of money, whole tournament chips."""
    amounts = [
        *sums.stacks.values(),
        *sums.put.values(),
        *sums.back.values(),
        hand.big,
        hand.small,
        sums.rake,
    ]
    amounts += [step.chips for step in hand.steps]
    whole = not any(chips % 100 for chips in amounts)
    money = bool(hand.currency) and hand.format == "cash"
    return 1 if whole and (not money or sum(sums.stacks.values()) > _MOST_CHIPS) else 100


def _hero_name(hand: ToldHand) -> str | None:
    """Return who looked on: the one player whose cards were dealt open, or the one called Hero."""
    seen = [name for name in hand.dealt if len(hand.shown.get(name, "")) == 4]
    if "Hero" in seen:
        return "Hero"
    return seen[0] if len(seen) == 1 else None


def _hero(hand: ToldHand, number: dict[str, int]) -> int | None:
    name = _hero_name(hand)
    return None if name is None else number.get(name)
