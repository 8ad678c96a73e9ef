"""The shapes of what training leaves behind: manifests, configs, metrics, measurements.

Files of a data folder may be anybody's: what of a manifest does not fit its shape is left out (`known`).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Literal, TypeVar

import pydantic
from pydantic import Field, JsonValue, TypeAdapter, WithJsonSchema

from overbet.blueprint.config import BlueprintConfig
from overbet.interfaces.web.models.solving import Model, Number

_SCHEMA = BlueprintConfig.model_json_schema(ref_template="#/components/schemas/{model}")
# a config as JSON has it, and what the document has to hold for it
DEFINITIONS: dict[str, Any] = {**_SCHEMA.pop("$defs"), "BlueprintConfig": _SCHEMA}
BlueprintConfigJson = Annotated[
    dict[str, Any], WithJsonSchema({"allOf": [{"$ref": "#/components/schemas/BlueprintConfig"}]})
]


class Measured(Model):
    """What a blueprint was measured at: a match, LBR, or a best response in its own abstraction.

    half_of_95: half the interval at 95 %; which: the responder that won most. A best response has the other
    fields, in big blinds a hand, by player.
    """

    mbb_per_hand: Number = None
    half_of_95: Number = None
    hands: int | None = None
    which: str | None = None
    kind: str | None = None
    values_bb: list[Number] | None = None
    gains_bb: list[Number] | None = None
    gain_intervals_bb: list[Number] | None = None
    nash_conv_bb: Number = None
    nash_conv_interval_bb: Number = None
    deals: int | None = None
    iterations: int | None = None
    checked_gain_bb: Number = None


class Manifest(Model):
    """How a blueprint came about. decisions: of dense tables, by street; actions: of a row of keyed ones."""

    name: str | None = None
    iterations: int | None = None
    hours: Number = None
    cores: Number = None
    core_hours: Number = None
    gpu: str | None = None
    levels: int | None = None
    rule: str | None = None
    method: str | None = None
    mode: str | None = None
    seed: int | None = None
    buckets: list[int] | None = None
    decisions: list[int] | None = None
    entries: int | None = None
    rows: int | None = None
    actions: int | None = None
    rows_never_reached: int | None = None
    measured: dict[str, Measured] = Field(default_factory=dict)


class RunConfigShown(Model):
    """What a run was asked for; error: why its config cannot be read. deep: that of a run of networks."""

    values: BlueprintConfigJson | None = None
    deep: dict[str, JsonValue] | None = None
    error: str | None = None


class RunMetrics(Model):
    """The course of a run, a value a report; null where its kind of run does not measure it.

    exploitability: of a run of networks, the median of its seeds, in chips
    """

    iterations: list[Number]
    seconds: list[Number]
    iterations_per_second: list[Number]
    touched: list[Number]
    mean_positive_regret_bb: list[Number]
    exploitability: list[Number]


class MetricsRow(Model):
    """The event `metrics`: one report of a run."""

    iterations: Number
    seconds: Number
    iterations_per_second: Number
    touched: Number
    mean_positive_regret_bb: Number
    exploitability: Number


class LedgerRow(Model):
    """A measurement. half: of the interval at 95 %; extra: what its kind says beside."""

    number: int
    time: str
    kind: str
    subject: str
    against: str
    mean: Number
    half: Number
    sd: Number
    unit: str
    groups: int
    game: str
    settings: str
    seed: int | None
    version: str
    code: str
    command: str
    config: str
    abstraction: str
    has_values: bool
    extra: dict[str, JsonValue]


LedgerColumn = Literal[
    "number",
    "time",
    "kind",
    "subject",
    "against",
    "mean",
    "half",
    "unit",
    "groups",
    "game",
    "settings",
    "seed",
    "version",
    "code",
    "command",
]


class Ledger(Model):
    """Every measurement, newest first. columns: those to show."""

    columns: list[LedgerColumn]
    rows: list[LedgerRow]
    note: str


Shape = TypeVar("Shape", bound=Model)


def known(shape: type[Shape], values: Mapping[str, Any]) -> Shape:
    """Return what of somebody's values fits a shape all of whose fields may be missing."""
    found: dict[str, Any] = {}
    for name, field in shape.model_fields.items():
        try:
            adapter: TypeAdapter[Any] = TypeAdapter(Any if field.annotation is None else field.annotation)
            found[name] = adapter.validate_python(values[name])
        except (KeyError, pydantic.ValidationError):
            continue
    return shape(**found)


def manifest_shown(values: Mapping[str, Any]) -> Manifest:
    """Return a manifest as the page sees it."""
    measured = values.get("measured")
    every = measured.items() if isinstance(measured, Mapping) else ()
    fitting = {name: known(Measured, one) for name, one in every if isinstance(one, Mapping)}
    return known(Manifest, {**values, "measured": fitting})
