"""What buckets are asked for: how many on each street, by which feature, from which seed."""

from __future__ import annotations

from typing import Annotated, Literal, Self

import pydantic

from overbet.config import Config, digest_of
from overbet.errors import ConfigError, unknown

MOST = 65_535  # a bucket is a uint16, and its last value says that there is none
STREETS = ("preflop", "flop", "turn", "river")
_SCORES = {"flop": 2 * 1081 + 1, "turn": 2 * 1035 + 1, "river": 2 * 990 + 1}  # 2 * wins + ties of 0 .. both


class BucketsConfig(Config):
    """How many buckets a street has and what makes hands alike. Before the flop there are always 169.

    feature: `histogram` groups flop and turn hands by how their equity is spread over the cards to come;
    `strength` by the share of opponents beaten now, without a look ahead (built in seconds). opponents: 0
    groups river hands by equity against all hands, else by equities against so many kinds of hands (OCHS).
    flop_classes, turn_classes, river_classes: classes of boards that buckets tell apart; of 1,000 river
    buckets with 25 classes, 40 are of each class. 1: buckets do not know the board.
    """

    flop: int = 50
    turn: int = 100
    river: int = 200
    feature: Literal["histogram", "strength"] = "histogram"
    opponents: Annotated[int, pydantic.Field(ge=0, le=16)] = 0
    flop_classes: Annotated[int, pydantic.Field(ge=1, le=256)] = 1
    turn_classes: Annotated[int, pydantic.Field(ge=1, le=256)] = 1
    river_classes: Annotated[int, pydantic.Field(ge=1, le=256)] = 1
    bins: Annotated[int, pydantic.Field(ge=8, le=128)] = 64
    seed: Annotated[int, pydantic.Field(ge=0)] = 0
    restarts: Annotated[int, pydantic.Field(ge=1)] = 4
    sample: Annotated[int, pydantic.Field(ge=1_000)] = 200_000
    iterations: Annotated[int, pydantic.Field(ge=1)] = 50

    @pydantic.model_validator(mode="after")
    def _check_counts(self) -> Self:
        for street in STREETS[1:]:
            asked, classes = int(getattr(self, street)), self.classes_of(street)
            if asked < 1:
                raise ValueError(f"{street}: {asked} buckets; a street needs at least one")
            if asked % classes:
                raise ValueError(
                    f"{street}: {asked:,} buckets cannot be shared out evenly among {classes} classes of "
                    "boards"
                )
            by_score = self.feature == "strength" if street != "river" else self.opponents == 0
            most = min(MOST, _SCORES[street] * classes) if by_score else MOST
            if asked > most:
                why = "strengths that can differ" if by_score else "buckets that fit the tables"
                raise ValueError(
                    f"{street}: {asked:,} buckets are more than the {most:,} {why}; ask for fewer"
                )
        if self.opponents and self.river_classes > 1:
            raise ValueError(
                "river_classes: buckets by kinds of opponents know the board; leave one of them out"
            )
        if self.feature == "histogram" and max(self.flop, self.turn) > self.sample:
            raise ValueError(
                f"sample: {self.sample:,} hands cannot make {max(self.flop, self.turn):,} buckets; raise it"
            )
        return self

    def classes_of(self, street: str) -> int:
        """Return how many classes of boards the buckets of flop, turn or river tell apart."""
        return int(getattr(self, f"{street}_classes"))

    def digest(self) -> str:
        """Return the sha256 of the resolved values; classes of boards count where there are any.

        So buckets that were built before there were classes keep their hash.
        """
        values = self.model_dump(mode="json")
        for street in STREETS[1:]:
            if self.classes_of(street) == 1:
                del values[f"{street}_classes"]
        return digest_of(values)

    def same_before_river(self, other: BucketsConfig) -> bool:
        """Return whether flop and turn hands are grouped as another config asks."""
        river = {"river": self.river, "river_classes": self.river_classes, "opponents": self.opponents}
        return other.model_copy(update=river) == self

    @property
    def counts(self) -> tuple[int, int, int, int]:
        """Buckets on the four streets."""
        return (169, self.flop, self.turn, self.river)


PRESETS = {
    "tiny": BucketsConfig(flop=10, turn=10, river=10, feature="strength"),
    "standard": BucketsConfig(),
    "large": BucketsConfig(flop=200, turn=200, river=200),
    "play": BucketsConfig(flop=500, turn=1000, river=1000, restarts=1),  # those of the shipped blueprints
    # those of the heads-up blueprint of 100 big blinds: river buckets know the board
    "play-boards": BucketsConfig(flop=500, turn=1000, river=2500, river_classes=100, restarts=1),
    "fine": BucketsConfig(flop=2000, turn=2000, river=1000, restarts=1),
}


def preset(name: str) -> BucketsConfig:
    """Return the config of a preset: tiny, standard, large, play, play-boards or fine."""
    if name not in PRESETS:
        raise ConfigError(unknown("preset", name, PRESETS))
    return PRESETS[name]
