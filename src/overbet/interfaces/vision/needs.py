"""OpenCV, loaded on first use, with one line where it is missing."""

from __future__ import annotations

import importlib.util
from typing import Any

from overbet.errors import ConfigError

MISSING = "reading pictures needs the vision extra: pip install 'overbet[vision]'"


class _Late:
    """The module cv2 once something of it is asked for; one thread, so that a picture takes one core."""

    _module: Any = None

    def __getattr__(self, name: str) -> Any:
        if self._module is None:
            try:
                module = importlib.import_module("cv2")
            except ImportError as error:
                raise ConfigError(MISSING) from error
            module.setNumThreads(1)
            _Late._module = module
        return getattr(self._module, name)


cv2: Any = _Late()


def has_vision() -> bool:
    """Return whether pictures can be read here."""
    return importlib.util.find_spec("cv2") is not None
