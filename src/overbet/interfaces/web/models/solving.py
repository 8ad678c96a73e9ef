"""The shapes of answers and requests, for the OpenAPI document and its checks."""

from __future__ import annotations

from typing import Annotated, Literal

import pydantic
from pydantic import Field

from overbet.interfaces.web.spots import LockJson, SpotJson
from overbet.interfaces.web.work.jobs import Status

Name = Annotated[str, Field(max_length=120)]
Line = Annotated[str, Field(max_length=400)]
Number = float | None


class Model(pydantic.BaseModel):
    """Base of all shapes."""


class Unit(Model):
    """A unit to show amounts in: divide chips by the big blind, by one, or by the starting pot."""

    key: Literal["bb", "chips", "pot"]
    label: str
    decimals: int


class Meta(Model):
    """What the page needs to know once."""

    version: str
    units: list[Unit]
    limits: dict[str, int]
    palettes: dict[str, dict[str, str]]
    suit_colours: list[str]
    rules: list[str]
    ranks: str
    suits: str
    cores: int
    free_bytes: int | None


class ExampleSpot(Model):
    """A spot to start from."""

    name: str
    title: str
    spot: SpotJson


class Guide(Model):
    """The first visit: the solved example, two lines, spots to try."""

    solve: str | None
    line: str
    lines: list[str]
    examples: list[ExampleSpot]


class RangeText(Model):
    """A range in the range language."""

    text: str = Field(max_length=60_000)
    board: str = Field("", max_length=20)


class RangeWeights(Model):
    """A range as numbers: of all combos, or of the 169 classes."""

    weights: list[float] | None = Field(None, max_length=1326)
    classes: list[float] | None = Field(None, max_length=169)


class RangeShown(Model):
    """A range, every way."""

    text: str
    gto_plus: str
    combos: float
    share: float
    weights: list[float]
    classes: list[float]


class PresetShown(Model):
    """A range to start from."""

    name: str
    group: str
    text: str
    combos: float


class Presets(Model):
    """All of them."""

    presets: list[PresetShown]


class BoardShown(Model):
    """A board."""

    board: str
    cards: list[int]
    street: Literal["preflop", "flop", "turn", "river"]


class Labelled(Model):
    """A key and its words."""

    key: str
    label: str


class CategoriesShown(Model):
    """Made hands and draws of all combos."""

    board: str
    made: list[Labelled]
    draws: list[Labelled]
    made_of: list[int]
    draws_of: list[int]


class StreetShown(Model):
    """One street of a tree."""

    street: str
    betting_nodes: int
    boards: int
    nodes: int
    decisions: int
    action_hands: int


class ActionShown(Model):
    """An action."""

    token: str
    label: str
    chips: int
    pot_share: float


class ExpectedShown(Model):
    """About how long a solve takes. low, high: most end between them; solves: how many the rate is of.

    basis: whether the rate comes from solves of this machine, from a short trial on it, or from elsewhere.
    limited: a limit of iterations or of time ends it before the accuracy is usually reached.
    """

    seconds: float
    low: float
    high: float
    iterations: int
    seconds_per_iteration: float
    basis: Literal["solves", "trial", "elsewhere"]
    solves: int
    limited: bool


class SavedShown(Model):
    """The state of a solve that its file holds: what Study shows of one under way."""

    iteration: int
    exploitability: Number
    seconds: Number


class Preview(Model):
    """A tree before it is solved."""

    board: str
    streets: list[StreetShown]
    nodes: int
    decisions: int
    action_hands: int
    bytes: dict[str, int]
    free_bytes: int | None
    limit_bytes: int
    fits: bool
    reason: str | None
    seconds_per_iteration: float
    expected: ExpectedShown
    hands: dict[str, int]
    root: list[ActionShown]
    spr: float


class NewSolve(Model):
    """A spot to solve."""

    name: Name = ""
    spot: SpotJson
    parent: str | None = Field(None, max_length=60)


class Rename(Model):
    """Another name."""

    name: Name


class Resume(Model):
    """How to go on."""

    target: float | None = Field(None, ge=0, le=100)
    iterations: int | None = Field(None, gt=0, le=1_000_000)
    seconds: float | None = Field(None, gt=0, le=1_000_000)


class Solve(Model):
    """A solve: queued, running, or saved.

    stage: what it does before it iterates, and then `iterating`; now: the iterations of this moment; about:
    the seconds it was expected to take; saved: the state in its file.
    """

    id: str
    name: str
    board: str
    created: str
    status: Status
    error: str | None
    note: str
    stopping: bool
    queue_place: int | None
    stage: str
    now: int | None
    about: Number
    saved: SavedShown | None
    spot: SpotJson
    locks: list[LockJson]
    parent: str | None
    target: float
    iterations: int | None
    exploitability: Number
    seconds: Number
    ev_chips: dict[str, Number] | None
    file_bytes: int | None
    resumable: bool
    openable: bool
    example: bool
    history: list[list[Number]] | None = None


class Solves(Model):
    """All solves, newest first."""

    solves: list[Solve]


class SeatShown(Model):
    """A range's means at a node."""

    ev_chips: Number
    equity: Number
    realisation: Number
    combos: Number
    played: bool
    ev_share_of_pot: Number


class NodeAction(Model):
    """An action at a node with what the range does."""

    token: str
    label: str
    chips: int
    pot_share: float
    frequency: Number
    combos: Number
    ev_chips: Number
    line: str


class Option(Model):
    """An action by its part of the line."""

    token: str
    label: str


class Step(Model):
    """A step of the strip."""

    line: str
    kind: str
    player: str | None
    street: str
    pot_chips: int
    options: list[Option]
    chosen: str


class NodeShown(Model):
    """A node without the numbers of its hands."""

    line: str
    board: str
    street: str
    kind: Literal["oop", "ip", "card", "fold", "showdown"]
    player: Literal["oop", "ip"] | None
    pot_chips: int
    starting_pot_chips: int
    to_call_chips: int
    behind_chips: list[int]
    big_blind: int
    spr: float
    pot_odds: Number
    exploitability: Number
    note: str
    actions: list[NodeAction]
    cards: list[int]
    steps: list[Step]
    players: dict[str, SeatShown]
    locks: list[LockJson]


class Means(Model):
    """A player's means."""

    ev_chips: Number
    equity: Number
    realisation: Number


class RunoutRow(Model):
    """One card that can come."""

    card: str
    number: int
    like: str
    probability: float
    pot_chips: int
    acts: str | None
    oop: Means
    ip: Means
    frequencies: dict[str, Number]


class Runouts(Model):
    """All cards that can come."""

    line: str
    then: str
    street: str
    labels: list[str]
    rows: list[RunoutRow]


class CategoryRow(Model):
    """A made hand or a draw. frequencies: of each action, empty where the player does not act."""

    key: str
    label: str
    combos: float
    share: float
    frequencies: list[float]
    ev_chips: Number
    equity: Number
    realisation: Number


class CategoryBreakdown(Model):
    """A range by made hands, which add up to it, and by draws, which do not."""

    line: str
    board: str
    player: str
    actions: list[Option]
    made: list[CategoryRow]
    draws: list[CategoryRow]


class Distribution(Model):
    """A range from its weakest hand to its strongest; equity and EV each in their own order."""

    share: list[float]
    equity: list[Number]
    ev_chips: list[Number]
    combos: float


class EquityDistribution(Model):
    """Both ranges."""

    line: str
    oop: Distribution
    ip: Distribution


class LockPreview(Model):
    """A lock to look at before solving with it."""

    lock: LockJson
