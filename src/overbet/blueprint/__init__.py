"""Blueprints: strategies for a whole game, how they are trained, asked, measured and exchanged."""

from __future__ import annotations

from typing import TYPE_CHECKING

from overbet.lazy import lazy

if TYPE_CHECKING:
    from overbet.blueprint.catalogue import find_blueprint as find_blueprint
    from overbet.blueprint.catalogue import shipped_names as shipped_names
    from overbet.blueprint.config import BlueprintConfig as BlueprintConfig
    from overbet.blueprint.exchange import export_json as export_json
    from overbet.blueprint.exchange import import_json as import_json
    from overbet.blueprint.loop import Training as Training
    from overbet.blueprint.measure import Measurement as Measurement
    from overbet.blueprint.measure import measure_blueprint as measure_blueprint
    from overbet.blueprint.measure import measured_tables as measured_tables
    from overbet.blueprint.query import Blueprint as Blueprint
    from overbet.blueprint.run import Pace as Pace
    from overbet.blueprint.run import Run as Run
    from overbet.blueprint.training import train as train
else:
    _TABLE = {
        "overbet.blueprint.catalogue": (
            "find_blueprint",
            "shipped_names",
        ),
        "overbet.blueprint.config": ("BlueprintConfig",),
        "overbet.blueprint.exchange": (
            "export_json",
            "import_json",
        ),
        "overbet.blueprint.loop": ("Training",),
        "overbet.blueprint.measure": (
            "Measurement",
            "measure_blueprint",
            "measured_tables",
        ),
        "overbet.blueprint.query": ("Blueprint",),
        "overbet.blueprint.run": (
            "Pace",
            "Run",
        ),
        "overbet.blueprint.training": ("train",),
    }
    __getattr__, __dir__, __all__ = lazy(__name__, _TABLE)
