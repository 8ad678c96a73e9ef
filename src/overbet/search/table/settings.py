"""How search thinks at a table of three and more, where more than two are in the hand."""

from __future__ import annotations

from typing import Literal

import pydantic

from overbet.betting.menu import Menu
from overbet.config import Config
from overbet.tree.spot import STREETS, Street


class TableStreetSettings(Config):
    """A search that begins on a street. to: the last street that is searched; iterations: walks of each
    player, fewer where the time of a decision is over before.
    """

    to: Street
    iterations: int = pydantic.Field(gt=0, le=10_000_000)


class TableSettings(Config):
    """Searches at a table of three and more.

    exact: streets on which two players who are left are solved exactly, as heads up; all others are sampled.
    flop, turn, river: how sampled searches that begin there are made. ways: to go on after a leaf, among
    which everybody chooses; lean: the factor on the chances that a way leans to. trust: strategies begin as
    the blueprint's, as if it had been found by that share of the iterations. menu: bets beside those really
    made; the blueprint's own unless given. plays: the average of all iterations by their weight, or
    the strategy of the last one; beliefs follow the average.
    """

    exact: tuple[Street, ...] = ("turn", "river")
    flop: TableStreetSettings = TableStreetSettings(to="flop", iterations=1000)
    turn: TableStreetSettings = TableStreetSettings(to="river", iterations=3000)
    river: TableStreetSettings = TableStreetSettings(to="river", iterations=6000)
    ways: int = pydantic.Field(default=4, ge=1, le=4)
    lean: float = pydantic.Field(default=5.0, ge=1.0, le=1000.0)
    trust: float = pydantic.Field(default=0.3, ge=0.0, le=100.0)
    menu: Menu | None = None
    plays: Literal["average", "last"] = "average"

    @pydantic.model_validator(mode="after")
    def _forwards(self) -> TableSettings:
        for street in STREETS:
            on: TableStreetSettings = getattr(self, street)
            if STREETS.index(on.to) < STREETS.index(street):
                raise ValueError(
                    f"a search of the {street} cannot go to the {on.to}; name the {street} or later"
                )
        return self

    def on(self, street: int) -> TableStreetSettings:
        """Return how street 0 (flop) to 2 (river) is searched."""
        found: TableStreetSettings = getattr(self, STREETS[street])
        return found
