"""A picture read by a profile: cards, amounts, button, turn, each with a confidence.

A field is `known` where its confidence reaches the threshold of its kind; otherwise its value is None
and what
was most likely stands beside it, to be asked. Fields of one picture are weighed together: no card lies on the
table twice, all amounts have one unit, both cards of a hand lie the same way up.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from overbet.cards.cards import card_name
from overbet.interfaces.vision.amounts import Amount, is_all_in, likely_amount
from overbet.interfaces.vision.calibration import TURN_SIZE, marked
from overbet.interfaces.vision.card_places import cards_seen
from overbet.interfaces.vision.cutting import Bytes, Floats, cut, square
from overbet.interfaces.vision.likeness import (
    has_words,
    like_empty,
    plate_piece,
    turn_shares,
    unlike_back,
    words_piece,
)
from overbet.interfaces.vision.looking import (
    COVER,
    NOTHING,
    averaged,
    mixed,
    see_cards,
    see_texts,
)
from overbet.interfaces.vision.needs import cv2
from overbet.interfaces.vision.networks.layers import CARD_SIZE, MOST_COLUMNS, TEXT_ROWS
from overbet.interfaces.vision.networks.text_pictures import levelled
from overbet.interfaces.vision.profile import PATCH, TableProfile
from overbet.interfaces.vision.registration import FoundTable, find_table

THRESHOLDS = {"card": 0.4, "amount": 0.35, "seat": 0.4, "button": 0.5, "turn": 0.5}
FACE_DOWN, NO_CARD, EMPTY, ALL_IN = "back", "none", "empty", "all-in"
Value = int | str | None
# a box is looked at several times, moved and grown by these shares of its sides, and the answers are averaged
_CARD_LOOKS = (
    (0.0, 0.0, 0.0),
    (0.03, 0.02, 0.02),
    (-0.03, 0.02, 0.0),
    (0.0, -0.03, 0.03),
    (0.0, 0.02, -0.03),
)
_TEXT_LOOKS = (
    (0.0, 0.0, 0.0),
    (0.01, -0.06, 0.1),
    (-0.01, 0.05, -0.06),
    (0.004, 0.03, -0.08),
    (-0.004, -0.03, 0.03),
)


def _moved(box: tuple[float, float, float, float], look: tuple[float, float, float]) -> Floats:
    """Return the corners of a box moved right and down and grown; across, a text's box grows little."""
    left, top, right, bottom = box
    wide, high = right - left, bottom - top
    corners: Floats = square((left, top, right, bottom), look[2]) + np.array([look[0] * wide, look[1] * high])
    return corners


@dataclass(frozen=True)
class ReadField:
    """One thing on the table. value: what counts; guess: what was most likely; kind: one of `THRESHOLDS`.

    A card is `Ah`, `back` or `none`; an amount is hundredths of the unit; a seat is `taken` or `empty`;
    button
    and turn are seats, `none` where nobody has it.
    """

    name: str
    kind: str
    guess: int | str
    confidence: float

    @property
    def known(self) -> bool:
        """Whether it is sure enough to be taken."""
        return self.confidence >= THRESHOLDS[self.kind]

    @property
    def value(self) -> Value:
        """What was read, None where it has to be asked."""
        return self.guess if self.known else None


@dataclass(frozen=True)
class TableReading:
    """All that was read. unit: of the amounts (`bb`, a currency, or nothing: chips); fit: of the table."""

    profile: str
    seats: int
    hero: int | None
    pot_with_bets: bool
    unit: str
    fit: float
    fields: Mapping[str, ReadField]
    corners: tuple[tuple[float, float], ...] = field(default=(), compare=False)

    @property
    def unknown(self) -> list[ReadField]:
        """The fields that have to be asked."""
        return [one for one in self.fields.values() if not one.known]

    def with_values(self, values: Mapping[str, int | str]) -> TableReading:
        """Return the reading with fields that somebody answered; those are sure."""
        new = dict(self.fields)
        for name, value in values.items():
            new[name] = ReadField(name, new[name].kind, value, 1.0)
        return TableReading(
            self.profile, self.seats, self.hero, self.pot_with_bets, self.unit, self.fit, new, self.corners
        )

    def as_json(self) -> dict[str, Any]:
        """Return the reading as JSON: null where a field has to be asked, with the reason."""
        told = []
        for one in self.fields.values():
            row: dict[str, Any] = {"name": one.name, "kind": one.kind, "value": shown_value(one, one.value)}
            row["confidence"] = round(one.confidence, 4)
            if not one.known:
                row["guess"] = shown_value(one, one.guess)
                row["reason"] = f"confidence {one.confidence:.2f} is below {THRESHOLDS[one.kind]}"
            told.append(row)
        return {
            "profile": self.profile,
            "seats": self.seats,
            "hero": self.hero,
            "pot_with_bets": self.pot_with_bets,
            "unit": self.unit,
            "fit": round(self.fit, 4),
            "complete": not self.unknown,
            "fields": told,
        }


def shown_value(one: ReadField, value: Value) -> float | int | str | None:
    """Return a value as people see it: amounts in units instead of hundredths."""
    if one.kind == "amount" and isinstance(value, int):
        return value / 100
    return value


def read_table(picture: Bytes, profile: TableProfile) -> TableReading:
    """Read a picture: [row, column, red green blue]."""
    place = find_table(profile, picture)
    fields: dict[str, ReadField] = {}
    stacks, bets, pot, unit = _amounts(profile, picture, place)
    empty = [seat.confidence if seat.guess == EMPTY else 0.0 for seat, _ in stacks]
    cards = _cards(profile, picture, place, empty)
    for one in (*cards, pot):
        fields[one.name] = one
    for seat in range(len(profile.seats)):
        for one in (*stacks[seat], bets[seat]):
            fields[one.name] = one
    fields["button"] = _button(profile, picture, place)
    others = [
        f"seat{seat}.card{c}" for seat in range(len(profile.seats)) for c in (0, 1) if seat != profile.hero
    ]
    over = any(fields[name].guess not in (FACE_DOWN, NO_CARD) and fields[name].known for name in others)
    fields["turn"] = _turn(profile, picture, place, empty, over=over)
    corners = cv2.perspectiveTransform(np.array([[[0.0, 0], [1, 0], [1, 1], [0, 1]]]), place.matrix)[0]
    return TableReading(
        profile.name,
        len(profile.seats),
        profile.hero,
        profile.pot_with_bets,
        unit,
        place.score,
        _in_accord(fields, profile),
        tuple((float(x), float(y)) for x, y in corners),
    )


def _cards(profile: TableProfile, picture: Bytes, place: FoundTable, empty: list[float]) -> list[ReadField]:
    names = [f"board{n}" for n in range(5)] + [
        f"seat{s}.card{c}" for s in range(len(profile.seats)) for c in (0, 1)
    ]
    boxes = [*profile.board, *(box for seat in profile.seats for box in seat.cards)]
    pieces = [
        cut(picture, place.matrix, _moved(box, move), CARD_SIZE) for box in boxes for move in _CARD_LOOKS
    ]
    looks = len(_CARD_LOOKS)
    visible = [(b[2] - b[0]) / (d[2] - d[0]) for b, d in (seat.cards for seat in profile.seats)]
    first, back = pieces[::looks], profile.back_picture
    from_back = [] if back is None else [unlike_back(first[n : n + 2], back) for n in range(5, len(first), 2)]
    seen = cards_seen(averaged(see_cards(pieces), looks), first, visible, empty, from_back)
    return [
        ReadField(
            name,
            "card",
            {COVER: FACE_DOWN, NOTHING: NO_CARD}.get(one.kind) or card_name(one.card),
            one.confidence,
        )
        for name, one in zip(names, seen)
    ]


def _amounts(
    profile: TableProfile, picture: Bytes, place: FoundTable
) -> tuple[list[tuple[ReadField, ReadField]], list[ReadField], ReadField, str]:
    grey = cv2.cvtColor(np.ascontiguousarray(picture), cv2.COLOR_RGB2GRAY)
    boxes = [profile.pot, *(seat.stack for seat in profile.seats), *(seat.bet for seat in profile.seats)]
    width, height = profile.size
    lines = []
    for left, top, right, bottom in boxes:
        for across, down, grow in _TEXT_LOOKS:
            tall = (1 + 2 * grow) * (bottom - top)
            wide = (right - left) * width * TEXT_ROWS / (tall * height)
            size = (TEXT_ROWS, int(np.clip(round(wide), 16, MOST_COLUMNS)))
            shift, middle = across * (right - left), (top + bottom) / 2 + down * (bottom - top)
            corners = square((left + shift, middle - tall / 2, right + shift, middle + tall / 2))
            lines.append(levelled(cut(grey, place.matrix, corners, size)))
    said = mixed(see_texts(lines), len(_TEXT_LOOKS))
    read = [[_said(text, share) for text, share in texts] for texts in said]
    votes: Counter[str] = Counter()
    for texts in read:
        best = texts[0][0] if texts else None
        if best is not None:
            votes[best.unit] += 1
    unit = votes.most_common(1)[0][0] if votes else ""
    seats = len(profile.seats)
    pot = _amount_field("pot", read[0], unit)
    stacks = [
        _stack_fields(f"seat{number}", read[1 + number], unit, _like_empty(profile, picture, place, number))
        for number in range(seats)
    ]
    bets = [_amount_field(f"seat{number}.bet", read[1 + seats + number], unit) for number in range(seats)]
    return stacks, bets, pot, unit


Texts = list[tuple[Amount | None, str, float]]


def _said(text: str, share: float) -> tuple[Amount | None, str, float]:
    worded = sum(letter.isdigit() for letter in text) <= 2 and is_all_in(text)  # "tapi5"
    found = None if worded else likely_amount(text)
    return (None, text, share) if found is None else (found[0], text, share * found[1])


_LEAST_FOLLOWED = 0.4
_EMPTY_LIKE = 0.9  # correlation with the empty seat; of the themes to tune with, taken ones stay below 0.85
_LIT, _OVER = (
    0.12,
    0.5,
)  # of the mark of the turn: less is nobody's turn; where hands are shown, much is asked for


def _amount_field(name: str, texts: Texts, unit: str) -> ReadField:
    """Return an amount; nothing at all, or words alone, is 0."""
    shares: Counter[int] = Counter()
    for amount, text, share in texts:
        if amount is not None:
            shares[amount.hundredths] += share * (1.0 if amount.unit == unit else 0.6)  # type: ignore[assignment]
        elif not any(letter.isdigit() for letter in text):
            shares[0] += share  # type: ignore[assignment]
    return _likeliest(name, shares, texts)


def _likeliest(name: str, shares: Counter[int], texts: Texts) -> ReadField:
    """Return the likeliest amount. Texts too unlikely to be followed are taken to share the rest alike,
    unless
    what was followed is little.
    """
    if not shares:
        return ReadField(name, "amount", 0, 0.0)
    best, share = shares.most_common(1)[0]
    return ReadField(
        name, "amount", best, min(1.0, float(share) / max(sum(one[2] for one in texts), _LEAST_FOLLOWED))
    )


def _like_empty(profile: TableProfile, picture: Bytes, place: FoundTable, seat: int) -> float | None:
    """Return how sure it is that a seat looks like the empty one of the profile; None where that has no
    words.
    """
    known = profile.empty_picture
    if known is None or not has_words(known):
        return None
    like = like_empty(words_piece(picture, place.matrix, profile.seats[seat]), known)
    return 1.0 / (1.0 + float(np.exp((_EMPTY_LIKE - like) / 0.013)))


def _stack_fields(name: str, texts: Texts, unit: str, looks: float | None) -> tuple[ReadField, ReadField]:
    """Return whether a seat is taken, and its stack; a player who is all in has 0. looks: like the empty
    seat.
    """
    taken = sum(share for amount, text, share in texts if amount is not None or is_all_in(text))
    empty = sum(
        share
        for amount, text, share in texts
        if amount is None and not is_all_in(text) and not any(letter.isdigit() for letter in text)
    )
    known = max(sum(share for _, _, share in texts), 1e-9)
    if (
        looks is not None
    ):  # what the site shows says more than what is spelled, but no amount at all does count
        looks = max(looks, 0.3 * empty / known)
        taken, empty = (taken / known + 0.03) * (1.0 - looks), (empty / known + 0.03) * looks
        known = taken + empty
    who = "taken" if taken >= empty else "empty"
    seat = ReadField(name, "seat", who, min(1.0, max(taken, empty) / max(known, 0.05)))
    if who == "empty":
        return seat, ReadField(f"{name}.stack", "amount", 0, seat.confidence)
    shares: Counter[int] = Counter()
    for amount, text, share in texts:
        if amount is not None:
            shares[amount.hundredths] += share * (1.0 if amount.unit == unit else 0.6)  # type: ignore[assignment]
        elif is_all_in(text):
            shares[0] += share  # type: ignore[assignment]
    return seat, _likeliest(f"{name}.stack", shares, texts)


def _button(profile: TableProfile, picture: Bytes, place: FoundTable) -> ReadField:
    """Return the seat where the button's patch is found best."""
    fits = []
    grow = 0.28
    side = round(PATCH * (1 + 2 * grow))
    for seat in profile.seats:
        piece = cut(picture, place.matrix, square(seat.button, grow), (side, side))
        found = cv2.matchTemplate(piece, profile.button_patch, cv2.TM_CCOEFF_NORMED)
        fits.append(float(np.nan_to_num(found).max()))
    best = int(np.argmax(fits))
    second = max(fit for number, fit in enumerate(fits) if number != best)
    if fits[best] < 0.35:
        return ReadField("button", "button", NO_CARD, 0.3)
    confidence = 1.0 / (1.0 + float(np.exp(-14.0 * (fits[best] - second - 0.04))))
    return ReadField("button", "button", best, confidence)


def _turn(
    profile: TableProfile, picture: Bytes, place: FoundTable, empty: list[float], *, over: bool
) -> ReadField:
    """Return the seat that has the mark. over: hands of others lie face up, so nobody is likely to act."""
    known = profile.plate_pictures
    if known is None:
        return _turn_by_colour(profile, picture, place)
    plates = [plate_piece(picture, place.matrix, seat) for seat in profile.seats]
    shares = turn_shares(plates, known[-1], known[:-1], profile.turn_colour) * (1.0 - np.array(empty))
    best = int(shares.argmax())
    second, least = max(float(np.delete(shares, best).max()), 0.01), _OVER if over else _LIT
    if shares[best] < least:
        return ReadField("turn", "turn", NO_CARD, float(np.clip(1.25 - shares[best] / least, 0.0, 1.0)))
    return ReadField("turn", "turn", best, float(np.clip(1.4 * (1.0 - second / shares[best]), 0.0, 1.0)))


def _turn_by_colour(profile: TableProfile, picture: Bytes, place: FoundTable) -> ReadField:
    """Return the seat that has more of the mark's colour than it has when idle: profiles without plates."""
    colour = np.array(profile.turn_colour, np.float64)
    lit = np.array(
        [marked(cut(picture, place.matrix, square(seat.turn), TURN_SIZE), colour) for seat in profile.seats]
    )
    usual = float(np.median(lit - np.array(profile.turn_idle)))
    gain = lit - np.array(profile.turn_idle) - min(usual, 0.0)
    full = max(profile.turn_active - float(np.median(profile.turn_idle)), 0.004)
    best = int(gain.argmax())
    second = float(np.delete(gain, best).max())
    share = gain[best] / full
    if share < 0.3:
        return ReadField("turn", "turn", NO_CARD, float(np.clip(1.0 - 1.6 * max(share, 0.0), 0.0, 1.0)))
    sure = (
        1.0
        / (1.0 + np.exp(-12.0 * (share - 0.35)))
        * np.clip((gain[best] - second) / max(gain[best], 1e-6) * 1.5, 0, 1)
    )
    return ReadField("turn", "turn", best, float(sure))


def _in_accord(fields: dict[str, ReadField], profile: TableProfile) -> dict[str, ReadField]:
    """An empty seat has no cards, no bet and no stack: where they disagree, nobody is sure."""
    for seat in range(len(profile.seats)):
        who = fields[f"seat{seat}"]
        if who.guess != "empty":
            continue
        held = [fields[f"seat{seat}.card{c}"] for c in (0, 1)]
        bet = fields[f"seat{seat}.bet"]
        if any(card.guess != NO_CARD and card.known for card in held) or (bet.guess and bet.known):
            fields[who.name] = ReadField(who.name, who.kind, who.guess, min(who.confidence, 0.3))
    return fields
