"""Numpy's products on one thread, for commands that read pictures: the networks are small.

More threads wait for each other longer than they work: on two busy cores a picture takes three times the
processor time and the time by the clock. The libraries read these names once, when numpy is first imported.
"""

from __future__ import annotations

import os
import sys

_NAMES = ("OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "VECLIB_MAXIMUM_THREADS")


def one_thread() -> None:
    """Ask for one thread, unless numpy is there already or somebody has asked for another number."""
    if "numpy" not in sys.modules:
        for name in _NAMES:
            os.environ.setdefault(name, "1")
