"""Looking at buckets: one hand's bucket with its histogram and neighbours, and sample hands of a bucket."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from overbet.abstraction.bucket_config import STREETS
from overbet.abstraction.buckets import Buckets
from overbet.abstraction.features import distance_unit, features_of_hand
from overbet.cards.cards import board as read_board
from overbet.cards.cards import cards as read_cards
from overbet.cards.cards import cards_name, check_distinct
from overbet.cards.combos import combo_name
from overbet.cards.isomorphism import hand_isomorphism
from overbet.errors import CardError, ConfigError, unknown

_BARS = 16
_NEIGHBOURS = 4
_RIVER_BOARDS = 40  # are looked through for hands of a river bucket


@dataclass(frozen=True)
class BucketRow:
    """One bucket: mean equity, share of all real hands, spread of equity, distance from the one shown."""

    bucket: int
    mean_equity: float
    share: float
    spread: float
    distance: float
    hands: tuple[str, ...]


@dataclass(frozen=True)
class HandView:
    """A hand, its bucket, how its equity is spread (shares of 16 equal parts of 0..1), and the neighbours."""

    hand: str
    board: str
    street: str
    bucket: int
    buckets: int
    equity: float
    histograms: dict[str, list[float]]
    neighbours: tuple[BucketRow, ...]

    def to_dict(self) -> dict[str, Any]:
        """Return plain values."""
        return asdict(self)


def view_hand(buckets: Buckets, hand: str, board: str) -> HandView:
    """Return the view of a hand on a flop, turn or river."""
    hole, lying = read_cards(hand), read_board(board)
    if len(hole) != 2:
        raise CardError(f"{hand!r} is not two hole cards, such as AhKh")
    if not lying:
        raise CardError("before the flop a bucket is one of the 169 classes; give --board 3, 4 or 5 cards")
    check_distinct(hole + lying)
    street = STREETS[len(lying) - 2]
    number = int(buckets.lookup(np.array([hole]), np.array([lying]))[0])
    features = features_of_hand(hole, lying, _BARS)
    histograms = {}
    if len(lying) < 5:
        histograms["equity on the river, over the run-outs"] = features.river.tolist()
    if len(lying) == 3:
        histograms["equity on the turn, over the turn cards"] = features.turn.tolist()
    return HandView(
        cards_name(hole),
        cards_name(lying),
        street,
        number,
        buckets.counts[STREETS.index(street)],
        features.equity,
        histograms,
        _neighbours(buckets, street, number),
    )


def sample_hands(buckets: Buckets, street: str, bucket: int, count: int) -> list[str]:
    """Return hands of a bucket such as `AhKd on Td9d6h`, spread evenly over its canonical indices."""
    if street not in STREETS[1:]:
        raise ConfigError(unknown("street", street, STREETS[1:]))
    board_cards = STREETS.index(street) + 2
    if street == "river" and not buckets.has_river_table:
        return _river_hands(buckets, bucket, count)
    index = hand_isomorphism(board_cards)
    places = np.flatnonzero(buckets.table(board_cards) == bucket)
    chosen = (
        places[np.linspace(0, len(places) - 1, count + 2).astype(np.int64)[1:-1]] if len(places) else places
    )
    boards, holes = index.representatives(np.unique(chosen))
    return [f"{cards_name(h)} on {cards_name(b)}" for b, h in zip(boards.tolist(), holes.tolist())]


def centre_distances(buckets: Buckets, street: str, bucket: int) -> npt.NDArray[np.float64]:
    """Return how far the middles of all buckets of a street are from one: [buckets] float64, in equity.

    Earth mover's distance where buckets are by histogram, else the difference of mean equities.
    """
    means = np.array(buckets.report[street]["mean_equity"])
    if street == "river" or buckets.centres is None:
        apart: npt.NDArray[np.float64] = np.abs(means - means[bucket])
        return apart
    centres = buckets.centres[0 if street == "flop" else 1].astype(np.int64)
    unit = distance_unit(buckets.config.bins, 3 if street == "flop" else 4)
    apart = np.abs(centres - centres[bucket % len(centres)]).sum(1) / unit
    return np.tile(apart, buckets.config.classes_of(street))  # the same groups in every class of boards


def _neighbours(buckets: Buckets, street: str, bucket: int) -> tuple[BucketRow, ...]:
    """Return the bucket and the nearest others, in order of their numbers."""
    distances = centre_distances(buckets, street, bucket)
    nearest = np.argsort(distances, kind="stable")[: _NEIGHBOURS + 1]
    report = buckets.report[street]
    return tuple(
        BucketRow(
            int(number),
            float(report["mean_equity"][number]),
            float(report["share"][number]),
            float(report["spread"][number]),
            float(distances[number]),
            tuple(sample_hands(buckets, street, int(number), 3)),
        )
        for number in sorted({bucket, *nearest.tolist()})
    )


def _river_hands(buckets: Buckets, bucket: int, count: int) -> list[str]:
    """Return hands of a river bucket found on a few boards, one a board; no table is needed."""
    index = hand_isomorphism(5)
    boards, _ = index.representatives(np.linspace(0, index.size - 1, _RIVER_BOARDS).astype(np.int64))
    found: list[str] = []
    for board in boards.tolist():
        alike = np.flatnonzero(buckets.of_board(board) == bucket)
        if len(alike) and len(found) < count:
            found.append(f"{combo_name(int(alike[len(alike) // 2]))} on {cards_name(board)}")
    return found
