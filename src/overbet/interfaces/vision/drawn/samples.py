"""Pictures with their truth: a state of a played hand, drawn in a theme, then bent and worsened.

`worsened` is what the promises of docs/vision.md are measured with: a size of 0.75 to 1.5, corners moved by
up to 2 % of the width, blur, noise, other light, JPEG. `clicks_of` are the clicks a person would make on the
theme's reference picture, each a pixel or two off.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import numpy as np

from overbet.cards.cards import card_name
from overbet.interfaces.vision.calibration import Clicks, calibrated
from overbet.interfaces.vision.cutting import Bytes
from overbet.interfaces.vision.drawn.ornaments import Box
from overbet.interfaces.vision.drawn.recorded_states import recorded_states
from overbet.interfaces.vision.drawn.states import BACK, ShownState, played_states, shown
from overbet.interfaces.vision.drawn.tables import draw_table, layout
from overbet.interfaces.vision.drawn.theme import Theme
from overbet.interfaces.vision.networks.disturbing import bent, disturbed
from overbet.interfaces.vision.profile import TableProfile

SCALES, CORNERS = (0.75, 1.5), 0.02
_REFERENCE_SEED = 4_000_001


class Sample(NamedTuple):
    """A picture and what is in it, by the names of a reading's fields."""

    picture: Bytes
    truth: dict[str, int | str]
    state: ShownState


def truth_of(state: ShownState) -> dict[str, int | str]:
    """Return every field of a reading as it should be."""
    found: dict[str, int | str] = {}
    for place in range(5):
        found[f"board{place}"] = card_name(state.board[place]) if place < len(state.board) else "none"
    for seat in range(state.seats):
        held = state.hole[seat]
        for which in (0, 1):
            found[f"seat{seat}.card{which}"] = (
                "none" if held is None else "back" if held == BACK else card_name(held[which])
            )
    found["pot"] = state.pot
    for seat in range(state.seats):
        found[f"seat{seat}"] = "taken" if state.occupied[seat] else "empty"
        found[f"seat{seat}.stack"] = state.stacks[seat]
        found[f"seat{seat}.bet"] = state.bets[seat]
    found["button"] = state.button
    found["turn"] = "none" if state.turn is None else state.turn
    return found


def shown_states(theme: Theme, seed: int, hands: Path | None = None) -> Iterator[ShownState]:
    """Yield what a theme's table shows of played hands, its ways to write amounts in turn.

    hands: histories of real hands, which come to an end, in the place of hands that our agents play.
    """
    moments = played_states(seed, theme.seats) if hands is None else recorded_states(hands, seed, theme.seats)
    for number, (state, seats, showdown) in enumerate(moments):
        style = theme.styles[number % len(theme.styles)]
        yield shown(state, seats, showdown, theme.seats, style, theme.pot_with_bets)


def samples(theme: Theme, seed: int, *, clean: bool = False, hands: Path | None = None) -> Iterator[Sample]:
    """Yield pictures of a theme without end, or of all hands of a file of histories."""
    rng = np.random.default_rng([seed, 5])
    for number, state in enumerate(shown_states(theme, seed, hands)):
        picture: Bytes = np.asarray(draw_table(theme, state, seed + number))
        yield Sample(picture if clean else worsened(picture, rng), truth_of(state), state)


def worsened(picture: Bytes, rng: np.random.Generator) -> Bytes:
    """Return a picture in another size and perspective, and worse."""
    return disturbed(bent(picture, rng, scale=SCALES, corners=CORNERS)[0], rng, 0.6)


def reference(theme: Theme) -> Sample:
    """Return the picture that a theme is calibrated with: a flop or later, somebody to act; at a table of
    more than three, somebody's cards face down, and a seat that is empty.
    """
    for number, state in enumerate(shown_states(theme, _REFERENCE_SEED)):
        if (
            state.turn is not None
            and len(state.board) >= 3
            and all(state.occupied[s] for s in (state.turn, state.button))
            and (theme.seats <= 3 or (BACK in state.hole and not all(state.occupied)))
        ):
            drawn: Bytes = np.asarray(draw_table(theme, state, _REFERENCE_SEED + number))
            return Sample(drawn, truth_of(state), state)
    raise AssertionError("hands go on without end")


def clicks_of(theme: Theme, state: ShownState, seed: int = 0, *, off: float = 1.5) -> Clicks:
    """Return clicks on the reference picture, each up to `off` pixels beside; boxes for two seats,
    points for others."""
    rng = np.random.default_rng([seed, 9])
    places = layout(theme)

    def box(given: Box) -> tuple[float, ...]:
        return tuple(float(v) for v in np.round(np.array(given) + rng.uniform(-off, off, 4)))

    def middle(given: Box) -> tuple[float, ...]:
        point = np.array([(given[0] + given[2]) / 2, (given[1] + given[3]) / 2])
        return tuple(float(v) for v in np.round(point + rng.uniform(-off, off, 2)))

    seats = []
    for number, seat in enumerate(places.seats):
        own = number < 2  # the hero's cards are larger: the others' size comes from seat 1
        how = box if own else middle
        cards = [box(card) for card in seat.cards] if own else middle(seat.cards[0])
        seats.append(
            {
                "cards": cards,
                **{what: how(getattr(seat, what)) for what in ("stack", "bet", "button", "turn")},
            }
        )
    assert state.turn is not None
    values = {
        "board": [box(places.board[0]), box(places.board[4])],
        "pot": box(places.pot),
        "seats": seats,
        "button_seat": state.button,
        "turn": {"seat": state.turn, "point": turn_point(theme, places.seats[state.turn].plate)},
        "pot_with_bets": theme.pot_with_bets,
        "backs": [number for number, held in enumerate(state.hole) if held == BACK],
        "empty": [number for number, taken in enumerate(state.occupied) if not taken],
    }
    return Clicks.parse(values, "clicks")


def turn_point(theme: Theme, plate: Box) -> tuple[float, float]:
    """Return a point on the mark of the turn, where cards do not hide it."""
    left, top, right, bottom = plate
    return {
        "glow": (left - 3, (top + bottom) / 2),
        "bar": (left + 20, bottom + 4.5),
        "dot": (left + 3, top + 3),
        "fill": (left + 7, (top + bottom) / 2),
        "corner": (left - 3, top + 4),
        "arrow": (left + 1, (top + bottom) / 2),
        "brackets": (left - 3, (top + bottom) / 2),
        "ribbon": (left + 16, top + 1),
        "under": ((left + right) / 2, bottom + 2.5),
        "halo": ((left + right) / 2, bottom + 4.5),
        "chevron": ((left + right) / 2, bottom + 1.5),
        "rails": (left + 16, bottom + 3),
        "crownlet": (right - 1, (top + bottom) / 2 + 4),
        "pins": (left + 2, bottom + 0.5),
        "stripe": (right - 4.5, (top + bottom) / 2),
        "frame": (left + 1, (top + bottom) / 2),
    }[theme.turn]


def profile_of(theme: Theme, seed: int = 0) -> TableProfile:
    """Return the profile that the clicks on a theme's reference picture make."""
    sample = reference(theme)
    return calibrated(theme.name, sample.picture, clicks_of(theme, sample.state, seed))
