"""Blueprints: strategies for a whole game, how they are trained, asked, measured and exchanged."""

from __future__ import annotations

from typing import TYPE_CHECKING

from overbet.lazy import lazy

if TYPE_CHECKING:
    from overbet.blueprint.catalogue import ShippedBlueprint as ShippedBlueprint
    from overbet.blueprint.catalogue import find_blueprint as find_blueprint
    from overbet.blueprint.catalogue import nearest as nearest
    from overbet.blueprint.catalogue import shipped_blueprints as shipped_blueprints
    from overbet.blueprint.catalogue import shipped_names as shipped_names
    from overbet.blueprint.config import BlueprintConfig as BlueprintConfig
    from overbet.blueprint.exchange import export_json as export_json
    from overbet.blueprint.exchange import import_json as import_json
    from overbet.blueprint.loop import Training as Training
    from overbet.blueprint.measure import Measurement as Measurement
    from overbet.blueprint.measure import measure_blueprint as measure_blueprint
    from overbet.blueprint.measure import measured_tables as measured_tables
    from overbet.blueprint.network.config import HoldemNetworkConfig as HoldemNetworkConfig
    from overbet.blueprint.network.distil import DistilConfig as DistilConfig
    from overbet.blueprint.network.distil import Distillation as Distillation
    from overbet.blueprint.network.encoder import HoldemEncoder as HoldemEncoder
    from overbet.blueprint.network.files import find_network as find_network
    from overbet.blueprint.network.files import load_network as load_network
    from overbet.blueprint.network.net import HoldemNet as HoldemNet
    from overbet.blueprint.network.self_play import SelfPlay as SelfPlay
    from overbet.blueprint.network.self_play import SelfPlayConfig as SelfPlayConfig
    from overbet.blueprint.query import Blueprint as Blueprint
    from overbet.blueprint.run import Pace as Pace
    from overbet.blueprint.run import Run as Run
    from overbet.blueprint.training import train as train
else:
    _TABLE = {
        "overbet.blueprint.catalogue": (
            "ShippedBlueprint",
            "find_blueprint",
            "nearest",
            "shipped_blueprints",
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
        "overbet.blueprint.network.config": ("HoldemNetworkConfig",),
        "overbet.blueprint.network.distil": (
            "Distillation",
            "DistilConfig",
        ),
        "overbet.blueprint.network.encoder": ("HoldemEncoder",),
        "overbet.blueprint.network.files": (
            "find_network",
            "load_network",
        ),
        "overbet.blueprint.network.net": ("HoldemNet",),
        "overbet.blueprint.network.self_play": (
            "SelfPlay",
            "SelfPlayConfig",
        ),
        "overbet.blueprint.query": ("Blueprint",),
        "overbet.blueprint.run": (
            "Pace",
            "Run",
        ),
        "overbet.blueprint.training": ("train",),
    }
    __getattr__, __dir__, __all__ = lazy(__name__, _TABLE)
