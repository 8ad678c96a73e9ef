"""Configs: frozen, strict, hashed.

A config is a pydantic model that refuses unknown keys (and suggests the nearest), is read from YAML,
takes dotted overrides (`solver.rule=linear`) and has a content hash that goes into every artefact.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, Self

import pydantic

from overbet.errors import ConfigError, nearest, quoted, reason, short
from overbet.yaml_text import MOST_BYTES, MOST_DEPTH, parse_yaml

_MESSAGE, _FAULTS = 600, 10  # characters of one fault, and how many faults are told


class Config(pydantic.BaseModel):
    """Base of every config. Immutable; unknown keys are an error."""

    model_config = pydantic.ConfigDict(frozen=True, extra="forbid")

    @classmethod
    def parse(cls, values: Mapping[str, Any], source: str = "config") -> Self:
        """Validate `values`; every fault becomes one line of a `ConfigError` that starts with `source`."""
        try:
            return cls.model_validate(values)
        except pydantic.ValidationError as error:
            raise ConfigError(f"{source}: {_describe(cls, error)}") from error

    @classmethod
    def load(cls, path: str | Path, overrides: Iterable[str] = ()) -> Self:
        """Read a YAML file, apply dotted overrides such as `tree.rake=0.05`, validate."""
        try:
            with open(path, encoding="utf-8") as file:
                text = file.read(MOST_BYTES + 1)  # one more than is taken: the reader then says so
        except OSError as error:
            raise ConfigError(f"cannot read {short(path)}: {reason(error)}") from error
        except ValueError as error:  # not UTF-8, or a name that no file can have
            raise ConfigError(f"cannot read {short(path)}: it is not a text file") from error
        return cls.parse(_override(_yaml(text, str(path)), overrides), str(path))

    @classmethod
    def changed(cls, overrides: Iterable[str], source: str = "config") -> Self:
        """Return the standard values with dotted overrides such as `turn.target=1` applied."""
        return cls.overridden(cls().model_dump(by_alias=True), overrides, source)

    @classmethod
    def overridden(cls, values: Mapping[str, Any], overrides: Iterable[str], source: str = "config") -> Self:
        """Return what `values` say with dotted overrides such as `turn.target=1` applied."""
        return cls.parse(_override(dict(values), overrides), source)

    def digest(self) -> str:
        """Return the sha256 of the resolved values, independent of key order."""
        return digest_of(self.model_dump(mode="json"))


def digest_of(values: dict[str, Any]) -> str:
    """Return the sha256 of plain values, independent of key order."""
    return hashlib.sha256(json.dumps(values, sort_keys=True).encode()).hexdigest()


def _yaml(text: str, source: str) -> dict[str, Any]:
    values = parse_yaml(text, source)
    if values is None:
        return {}
    if not isinstance(values, dict):
        raise ConfigError(f"{source}: expected 'key: value' lines, found {type(values).__name__}")
    return values


def read_override(text: str) -> tuple[list[str], Any]:
    """Return the keys and the value of an override such as `tree.rake=0.05`."""
    path, equals, value = text.partition("=")
    if not equals:
        raise ConfigError(f"override {quoted(text)} is not of the form key.path=value")
    return path.strip().split("."), parse_yaml(value, f"override {quoted(text)}")


def _override(values: dict[str, Any], overrides: Iterable[str]) -> dict[str, Any]:
    for text in overrides:
        keys, value = read_override(text)
        if len(keys) > MOST_DEPTH:
            raise ConfigError(f"override {quoted(text)}: nested more than {MOST_DEPTH} deep")
        place = values
        for key in keys[:-1]:
            place = place.setdefault(key, {})
            if not isinstance(place, dict):
                raise ConfigError(f"override {quoted(text)}: {quoted(key)} is a value, not a section")
        place[keys[-1]] = value
    return values


def _describe(model: type[pydantic.BaseModel], error: pydantic.ValidationError) -> str:
    faults = []
    for fault in error.errors():
        path = [short(part) for part in fault["loc"]]
        if fault["type"] == "extra_forbidden":
            known = _known_keys(model, fault["loc"][:-1])
            hint = nearest(path[-1], known)
            faults.append(f"unknown key {'.'.join(path)!r}{hint}; known: {', '.join(known)}")
        else:
            message = short(fault["msg"].removeprefix("Value error, "), _MESSAGE)
            faults.append(f"{'.'.join(path)}: {message}" if path else message)
    shown, left = faults[:_FAULTS], len(faults) - _FAULTS
    return "; ".join([*shown, f"and {left} more"] if left > 0 else shown)


def _known_keys(model: type[pydantic.BaseModel], path: tuple[int | str, ...]) -> list[str]:
    """Follow `path` through nested models and return the names of the fields there, as a file writes them.

    A part that is no field is a list index or the tag of a union; a tag narrows the models down.
    """
    here = [model]
    for part in path:
        fields = [
            found for m in here for name, found in m.model_fields.items() if part in (name, found.alias)
        ]
        if fields:
            here = [inner for field in fields for inner in _models_in(field.annotation)]
        else:
            tagged = [m for m in here if any(field.default == part for field in m.model_fields.values())]
            here = tagged or here
    return [field.alias or name for m in here[:1] for name, field in m.model_fields.items()]


def _models_in(annotation: Any) -> list[type[pydantic.BaseModel]]:
    """Return the models an annotation may hold, containers and unions opened."""
    if isinstance(annotation, type) and issubclass(annotation, pydantic.BaseModel):
        return [annotation]
    return [model for inner in getattr(annotation, "__args__", ()) for model in _models_in(inner)]
