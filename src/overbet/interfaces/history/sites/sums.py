"""Adding up a hand as its lines tell it: who put in what, who had what back, what the house kept.

This is the file's own account, made without the rules; the replay has to come to the same.
"""

from __future__ import annotations

from dataclasses import dataclass

from overbet.interfaces.history.sites.told import HandError, ToldHand


@dataclass(frozen=True, slots=True)
class Sums:
    """All by name, in hundredths. put: into the pots; blinds: live before the first action; back: uncalled
    bets, winnings and pay-outs of the house; pots: won from the pots; won: winnings as the player had them;
    beside: from the house beside the pots. rake: chips that went in and came back to nobody."""

    stacks: dict[str, int]
    put: dict[str, int]
    blinds: dict[str, int]
    back: dict[str, int]
    pots: dict[str, int]
    won: dict[str, int]
    beside: dict[str, int]
    rake: int


def sums_of(hand: ToldHand) -> Sums:
    """Return the account of a hand; `HandError` where its amounts do not add up."""
    stacks = dict(hand.seats.values())
    put, blinds, excess = _put_in(hand)
    for name in (*hand.won, *hand.returned, *hand.dealt):
        put.setdefault(name, 0)
    total, returned = sum(put.values()), dict(hand.returned)
    pots = _winnings(hand, total - sum(returned.values()))
    if not sum(pots.values()):
        if not hand.ended:
            raise HandError("the hand breaks off before its end", _last_line(hand))
        raise HandError("the file does not say who won", _last_line(hand))
    rake = total - sum(returned.values()) - sum(pots.values())
    told = (hand.fees or 0) - hand.added
    if not returned and excess and rake - told == excess[1]:
        returned[excess[0]] = excess[1]  # the uncalled bet went back without a word
        rake -= excess[1]
    most_odd = 100 if hand.currency == "" else 2  # one chip of a tournament, two cents
    if hand.fees is not None and abs(rake - told) > most_odd:
        raise HandError(
            f"{_shown(total)} were put in, {_shown(sum(returned.values()))} returned, "
            f"{_shown(sum(pots.values()))} won and {_shown(told)} raked: these do not add up",
            _last_line(hand),
        )
    if not hand.ended and rake != told:  # a pot may have gone to somebody whose line is cut off
        raise HandError("the hand breaks off before its end", _last_line(hand))
    most = 0 if hand.format != "cash" else total // 5
    if hand.fees is None and rake - told > most + most_odd:
        raise HandError(f"{_shown(rake)} that were put in are won by nobody", _last_line(hand))
    if rake < -hand.added - most_odd:
        raise HandError(f"{_shown(-rake)} more were won than put in", _last_line(hand))
    beside = dict(hand.beside)
    for name, chips in hand.cashed.items():
        beside[name] = beside.get(name, 0) + chips - pots.get(name, 0)
    won = {name: pots.get(name, 0) + beside.get(name, 0) for name in put}
    back = {name: won[name] + returned.get(name, 0) for name in put}
    return Sums(stacks, put, blinds, back, pots, won, beside, rake)


def _put_in(hand: ToldHand) -> tuple[dict[str, int], dict[str, int], tuple[str, int] | None]:
    """Return what each put in, the live blinds, and the uncalled part of the last bet with its owner."""
    put: dict[str, int] = {}
    bets: dict[str, int] = {}
    for name, kind, chips, _ in hand.posts:
        put[name] = put.get(name, 0) + chips
        if kind in ("small", "big", "straddle"):
            bets[name] = bets.get(name, 0) + chips
        elif kind == "both":
            bets[name] = bets.get(name, 0) + min(chips, hand.big)
    blinds = dict(bets)
    for step in hand.steps:
        if step.cards:
            if any(bets.values()) and _uncalled(bets) is None:
                bets = {}
            elif any(other.verb for other in hand.steps[hand.steps.index(step) :]):
                bets = {}  # betting goes on, so what was uncalled has been called for less or returned
            continue
        before = bets.get(step.name, 0)
        after = step.chips if step.verb == "raise" else before + step.chips
        bets[step.name] = after
        put[step.name] = put.get(step.name, 0) + after - before
    return put, blinds, _uncalled(bets)


def _uncalled(bets: dict[str, int]) -> tuple[str, int] | None:
    """Return who bet most and by how much more than the next; None where two bet the same."""
    ranked = sorted(bets.items(), key=lambda bet: bet[1], reverse=True)
    if not ranked:
        return None
    excess = ranked[0][1] - (ranked[1][1] if len(ranked) > 1 else 0)
    return (ranked[0][0], excess) if excess > 0 else None


def _winnings(hand: ToldHand, most: int) -> dict[str, int]:
    """Return what each won from the pots: by the lines of the hand, or by seat in the summary.

    A line whose name is nobody's at the table leaves the summary; where both tell, that which adds up counts.
    """
    by_seat = {hand.seats[seat][0]: chips for seat, chips in hand.summed.items()}
    if not by_seat:
        return dict(hand.won)
    by_line = dict(hand.won)
    if hand.unnamed or hand.cashed or not by_line:
        return by_seat
    expected = most - (hand.fees or 0) + hand.added
    lines_off, seats_off = (abs(sum(chips.values()) - expected) for chips in (by_line, by_seat))
    return by_seat if seats_off < lines_off else by_line


def _last_line(hand: ToldHand) -> int:
    return hand.steps[-1].line if hand.steps else hand.line


def _shown(chips: int) -> str:
    return f"{chips // 100:,}" if chips % 100 == 0 else f"{chips / 100:,.2f}"
