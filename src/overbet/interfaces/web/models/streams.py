"""The shapes of what FastAPI cannot read off a route: heads of binary answers and data of events.

They are part of the OpenAPI document, so that the page's types are made of them. The head of every binary
answer also holds `arrays`, the places of its numbers (`overbet.study.packing`).
"""

from __future__ import annotations

from typing import Any, Literal

from pydantic.json_schema import models_json_schema

from overbet.interfaces.web.models.play import HandShown
from overbet.interfaces.web.models.solving import Model, NodeAction, Number, Option, SeatShown
from overbet.interfaces.web.models.training import MetricsRow
from overbet.interfaces.web.work.jobs import Status

Player = Literal["oop", "ip"]


class Look(Model):
    """The event `look`: how far a solve is. seconds_left: None where it cannot be told yet."""

    iteration: int
    exploitability: Number
    seconds: float
    iterations_per_second: Number
    seconds_left: Number


class JobBeat(Model):
    """The event `beat`: how far a solve is between two looks; none before it begins."""

    iteration: int
    seconds: float


class JobEnd(Model):
    """The event `end`: how a solve or a set of flops ended."""

    status: Status
    error: str | None


class ThinkingShown(Model):
    """The event `thinking` of a table: a look at the search under way.

    decision: counts the searched decisions; busy: false when it has decided. hand: as it stands meanwhile, in
    the first event of a decision. The rest is None before the first look; exploitability: in % of the pot at
    the beginning of the street.
    """

    decision: int
    busy: bool
    hand: HandShown | None
    street: str | None
    iteration: int | None
    exploitability: Number
    seconds: Number


class ComparedAction(Model):
    """One of two actions: what it is worth to the range, and how often it is taken."""

    token: str
    label: str
    ev_chips: Number
    frequency: Number


class ComparedActions(Model):
    """The head of compare.bin. prefers_first, prefers_second: shares of the range."""

    line: str
    player: Player
    first: ComparedAction
    second: ComparedAction
    difference_chips: Number
    prefers_first: float
    prefers_second: float


class ComparedNode(Model):
    """One of two nodes."""

    line: str
    board: str
    player: Player | None
    pot_chips: int
    starting_pot_chips: int
    big_blind: int
    players: dict[str, SeatShown]
    actions: list[NodeAction]
    exploitability: Number


class ComparedMix(Model):
    """How often either node takes an action; 0 where it does not have it."""

    token: str
    label: str
    left: Number
    right: Number


class ComparedNodes(Model):
    """The head of compare-solves.bin.

    mix: the actions of either node, none where not the same player acts in both. changed: how much of the
    play differs, 0 to 1, None where nothing can be compared.
    """

    left: ComparedNode
    right: ComparedNode
    mix: list[ComparedMix]
    changed: Number


class Exploit(Model):
    """The head of exploit.bin: a best response and what it gains."""

    line: str
    player: Player
    actions: list[Option]
    ev_chips: Number
    best_ev_chips: Number
    gain_chips: Number
    gain_percent_of_pot: Number
    exploitability: Number


class BlockerCard(Model):
    """What holding one card does. frequencies: of every action."""

    card: str
    number: int
    combos_removed: float
    frequencies: list[Number]


class Blockers(Model):
    """The head of blockers.bin. holder: who holds the cards; frequencies: without any of them."""

    line: str
    player: Player
    holder: Player
    actions: list[Option]
    frequencies: list[Number]
    cards: list[BlockerCard]


class LockedStrategy(Model):
    """The head of lock-preview.bin. hands: how many are fixed; frequencies: the totals with the lock."""

    line: str
    actions: list[Option]
    hands: int
    frequencies: list[Number]


class BlueprintAction(Model):
    """An action of a blueprint. line: where it leads, None where the hand is over."""

    amount: int
    token: str
    label: str
    line: str | None
    ends: Literal["decision", "card", "over"]
    frequency: Number


class BlueprintStep(Model):
    """A decision on the way to a node of a blueprint, or cards that fell (no player, no options)."""

    line: str
    position: str | None
    street: str
    options: list[Option]
    chosen: str


class BlueprintSeat(Model):
    """A position and the line to its first decision before the flop."""

    position: str
    line: str


class BlueprintNode(Model):
    """The head of a blueprint's node.bin.

    seats: in the order in which they act. reached: share of the hand groups that training saw, null where it
    takes the board to say. needs_board: how many cards of the board are missing.
    """

    line: str
    board: str
    street: str
    player: int
    position: str
    pot_chips: int
    to_call_chips: int
    stacks_chips: list[int]
    big_blind: int
    actions: list[BlueprintAction]
    seats: list[BlueprintSeat]
    steps: list[BlueprintStep]
    buckets: int
    reached: float | None
    needs_board: int


def definitions() -> dict[str, Any]:
    """Return the JSON schemas of all of them by name, and of the shapes they hold."""
    models = (
        Look,
        JobBeat,
        JobEnd,
        ThinkingShown,
        MetricsRow,
        ComparedActions,
        ComparedNodes,
        Exploit,
        Blockers,
        LockedStrategy,
        BlueprintNode,
    )
    _, found = models_json_schema(
        [(model, "serialization") for model in models], ref_template="#/components/schemas/{model}"
    )
    schemas: dict[str, Any] = found["$defs"]
    return schemas
