"""The lines that hold'em sites share: seats, posts, actions, boards, shown cards, winnings, the summary.

PokerStars and the sites that write its form say `Ann: calls $2`, Winamax says `Ann calls 2€`. Names can hold
anything, so a line counts only where the words before its verb are the name of a player at the table; every
other line (chat, people coming and going) is passed over.
"""

from __future__ import annotations

import re

from overbet.interfaces.history.sites.money import MONEY, MoneyError, hundredths
from overbet.interfaces.history.sites.told import HandError, Post, ToldHand, ToldStep

_TABLE = re.compile(r"Table(?: ID)?:? '?(?P<name>.*?)'? .*?Seat #?0*(?P<button>\d+) is the button")
_SEAT = re.compile(rf"Seat #?(\d+): (.+?) \(({MONEY}) in chips(?:,[^)]*)?\)\s*(.*)")
_SHORT_SEAT = re.compile(rf"Seat #?(\d+): (.+) \(({MONEY})(?:,[^)]*)?\)()$")
_VERB = re.compile(
    r":? (folds|checks|calls|bets|raises|posts|straddles?|shows|showed|mucks|mucked|cashed out|collected"
    r"|collects|wins|won|[Rr]eceives|[Pp]ays)\b"
)
_ALL = re.compile(MONEY)
_TO = re.compile(rf"\bto ({MONEY})")
_BRACKETS = re.compile(r"\[([^\[\]]*)\]")
_CARD = re.compile(r"(10|[2-9TJQKA])([cdhs])")
_STREET = re.compile(
    r"\*\*\* ?(?:(FIRST|SECOND|THIRD|1ST|2ND|3RD) )?"
    r"(PRE-?FLOP|HOLE CARDS|FLOP|TURN|RIVER|SHOW ?DOWN|SUMMARY)\b[^\[*]*\*\*\*\s*((?:\[.*)?)$"
)
_RUNS = {None: 1, "FIRST": 1, "1ST": 1, "SECOND": 2, "2ND": 2, "THIRD": 3, "3RD": 3}
_FROM_POT = re.compile(rf"(?P<who>.+) (?P<chips>{MONEY}) from (?:the )?(?:main |side )?pot(?:[- ]?\d+)?\b.*")
_UNCALLED = re.compile(rf"Uncalled bet \(({MONEY})\) returned to (.+)")
_DEALT = re.compile(r"Dealt to (.+?)(?: \[([^\]]*)\])?\s*")
_WON = re.compile(rf"\(({MONEY})\)|\b(?:won|collected|wins) ({MONEY})")
_SUMMARY_SEAT = re.compile(r"Seat #?(\d+): (.*)")
_FEE = re.compile(rf"\b(Rake|Jackpot|Bingo|Fortune|Tax|Fee|Drop|STP|Splash)[^|\d]*?({MONEY})", re.IGNORECASE)
_ADDED = re.compile(rf"(?:STP added|Cash Drop to Pot|Splash)[^\d]*?({MONEY})", re.IGNORECASE)


def cards_of(text: str) -> str:
    """Return the cards in a text such as `Ah Kd`; an empty text where there is anything else in it."""
    words = text.replace(",", " ").split()
    found = [_CARD.fullmatch(word) for word in words]
    if not words or None in found:
        return ""
    return "".join(f"{'T' if one[1] == '10' else one[1]}{one[2]}" for one in found if one)


def read_lines(hand: ToldHand, lines: list[str], first: int) -> None:
    """Fill `hand` from the lines below its header. first: the number of the first of them in the file."""
    summary, preflop = False, True
    told: set[str] = set()  # seats in the summary
    for number, raw in enumerate(lines, first):
        line = raw.strip()
        if not line:
            continue
        if summary and _begins_another(line, told):
            break
        try:
            street = _STREET.match(line) if line.startswith("***") else None
            if street:
                summary = summary or street[2] == "SUMMARY"
                preflop = not _lay_board(hand, street, number) and preflop
            elif summary:
                _summary_line(hand, line)
            elif line.startswith(("Seat ", "Table")) and not hand.posts and not hand.steps:
                _table_line(hand, line)
            else:
                _hand_line(hand, line, number, preflop)
        except MoneyError as error:
            raise HandError(str(error), number) from None
    hand.ended = summary


def _begins_another(line: str, told: set[str]) -> bool:
    """Return whether a line below a summary belongs to another hand, whose header is lost."""
    if line.startswith(("***", "Table")):
        return True
    seat = _SUMMARY_SEAT.match(line)
    if seat is None:
        return False
    again = seat[1] in told
    told.add(seat[1])
    return again


def _table_line(hand: ToldHand, line: str) -> None:
    seat = _SEAT.match(line) or _SHORT_SEAT.match(line)
    if seat:
        if not seat[4].startswith("out of hand"):
            hand.seats[int(seat[1])] = seat[2], hundredths(seat[3])
            hand.names.add(seat[2])
        return
    table = _TABLE.match(line)
    if table:
        hand.table, hand.button = table["name"], int(table["button"])


def _lay_board(hand: ToldHand, street: re.Match[str], number: int) -> bool:
    """Put down the cards of a street's line; return whether there are any."""
    cards = cards_of(" ".join(_BRACKETS.findall(street[3])))
    if not cards or street[2] not in ("FLOP", "TURN", "RIVER"):
        return False
    run = _RUNS[street[1]]
    if run > 1:
        hand.boards[run] = cards
    elif len(cards) > len(hand.board):
        hand.steps.append(ToldStep(number, cards=cards[len(hand.board) :]))
        hand.board = cards
    return True


def _hand_line(hand: ToldHand, line: str, number: int, preflop: bool) -> None:
    if line.startswith("Dealt to "):
        _dealt(hand, line)
        return
    if line.startswith("Uncalled bet"):
        back = _UNCALLED.match(line)
        if back and back[2] in hand.names:
            hand.returned[back[2]] = hand.returned.get(back[2], 0) + hundredths(back[1])
        return
    # the longest name counts: one may be the beginning of another
    verbs = [verb for verb in _VERB.finditer(line) if line[: verb.start()] in hand.names]
    if verbs:
        name = line[: verbs[-1].start()]
        _act(hand, name, verbs[-1][1].lower(), line[verbs[-1].end() :], number, preflop)
        return
    pot = _FROM_POT.fullmatch(line)
    if pot and '"' not in line:
        hand.unnamed += hundredths(pot["chips"])
        return
    added = _ADDED.match(line)
    if added:
        hand.added += hundredths(added[1])
        hand.note("the house added to the pot")


def _dealt(hand: ToldHand, line: str) -> None:
    found = _DEALT.fullmatch(line)
    if found and found[1] in hand.names:
        hand.dealt.append(found[1])
        cards = cards_of(found[2] or "")
        if cards:
            hand.shown[found[1]] = cards


def _act(hand: ToldHand, name: str, verb: str, rest: str, number: int, preflop: bool) -> None:
    chips = [hundredths(found) for found in _ALL.findall(_BRACKETS.sub("", rest))]
    if verb in ("folds", "checks"):
        hand.steps.append(ToldStep(number, name, "fold" if verb == "folds" else "check", preflop=preflop))
        _show(hand, name, rest)
    elif verb in ("shows", "showed", "mucks", "mucked"):
        _show(hand, name, rest)
    elif verb in ("calls", "bets") and chips:
        hand.steps.append(
            ToldStep(number, name, "call" if verb == "calls" else "bet", chips[0], preflop=preflop)
        )
    elif verb == "raises" and chips:
        to = _TO.search(rest)
        target = hundredths(to[1]) if to else max(_street_bets(hand).values(), default=0) + chips[0]
        hand.steps.append(ToldStep(number, name, "raise", target, preflop=preflop))
    elif verb in ("posts", "straddle", "straddles") and chips:
        _post(hand, name, rest.lower() if verb == "posts" else "straddle", chips)
    elif verb == "cashed out" and chips:
        hand.cashed[name] = hand.cashed.get(name, 0) + chips[0]
        hand.note("cashed out")
    elif verb in ("collected", "collects") and chips:
        hand.won[name] = hand.won.get(name, 0) + chips[0]
    elif verb in ("won", "wins") and chips and "bounty" not in rest and "tournament" not in rest:
        if _FROM_POT.match(f"{name} {rest.strip()}"):
            hand.won[name] = hand.won.get(name, 0) + chips[0]
    elif verb in ("receives", "pays") and chips and re.search(r"insur|cash-?\s?out", rest, re.IGNORECASE):
        insured = "insur" in rest.lower()
        if verb == "receives" and not insured:
            hand.cashed[name] = hand.cashed.get(name, 0) + chips[0]
        else:
            sign = 1 if verb == "receives" else -1
            hand.beside[name] = hand.beside.get(name, 0) + sign * chips[0]
        hand.note("insured" if insured else "cashed out")


def _show(hand: ToldHand, name: str, rest: str) -> None:
    found = _BRACKETS.search(rest)
    cards = cards_of(found[1]) if found else ""
    if len(cards) in (2, 4) and len(cards) > len(hand.shown.get(name, "")):
        hand.shown[name] = cards


def _post(hand: ToldHand, name: str, words: str, chips: list[int]) -> None:
    kind: Post
    if "ante" in words:
        kind = "ante"
    elif "small & big" in words or "small and big" in words or len(chips) > 1:
        kind = "both"
        chips = [sum(chips)]
    elif "straddle" in words:
        kind = "straddle"
    elif "dead" in words or ("missed" in words and chips[0] < hand.big):
        kind = "dead"
    elif "small" in words:
        first = not any(post == "small" for _, post, _, _ in hand.posts)
        kind = "small" if first and "out of position" not in words else "dead"
    else:
        kind = "big"
    hand.posts.append((name, kind, chips[0], len(hand.posts)))


def _street_bets(hand: ToldHand) -> dict[str, int]:
    """Return the bets of the street so far, by name, for a raise whose line does not say what it is to."""
    bets: dict[str, int] = {}
    preflop = not any(step.cards for step in hand.steps)
    if preflop:
        for name, kind, chips, _ in hand.posts:
            if kind in ("small", "big", "straddle"):
                bets[name] = bets.get(name, 0) + chips
    for step in hand.steps:
        if step.cards:
            bets = {}
        elif step.verb in ("call", "bet"):
            bets[step.name] = bets.get(step.name, 0) + step.chips
        elif step.verb == "raise":
            bets[step.name] = step.chips
    return bets


def _summary_line(hand: ToldHand, line: str) -> None:
    seat = _SUMMARY_SEAT.match(line)
    if seat:
        number = int(seat[1])
        if number not in hand.seats:
            return
        name = hand.seats[number][0]
        text = _BRACKETS.sub("", seat[2].removeprefix(name))
        for found in _WON.finditer(text):
            hand.summed[number] = hand.summed.get(number, 0) + hundredths(found[1] or found[2])
        if "mucked" in line or "showed" in line:
            _show(hand, name, line)
    elif line.startswith("Total pot"):
        if "no rake" in line.lower():
            hand.fees = 0
        for kind, chips in _FEE.findall(line):
            if kind.upper() in ("STP", "SPLASH"):
                hand.added = hundredths(chips)
            else:
                hand.fees = (hand.fees or 0) + hundredths(chips)
