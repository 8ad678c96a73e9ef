"""PyTorch, loaded on first use, and the device that a config names."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from overbet.errors import ConfigError, unknown

if TYPE_CHECKING:
    import torch

DEVICES = ("cpu", "cuda")
_HOW = "pip install 'overbet[deep]'"


def the_torch() -> Any:
    """Return the module `torch`; one line says how to get it where it is missing."""
    try:
        import torch
    except ImportError as error:
        raise ConfigError(f"networks need PyTorch, which is not installed: {_HOW}") from error
    return torch


def device_called(name: str) -> torch.device:
    """Return `cpu` or `cuda`, which has to be there."""
    if name not in DEVICES:
        raise ConfigError(unknown("device", name, DEVICES))
    torch = the_torch()
    if name == "cuda" and not torch.cuda.is_available():
        raise ConfigError("device cuda: PyTorch finds no GPU here; use device=cpu")
    return torch.device(name)
