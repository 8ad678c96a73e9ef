"""Which machine solves: the CPU, or a GPU where there is one and the settings allow it."""

from __future__ import annotations

import ctypes
import os
import sys
from importlib.util import find_spec
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from overbet.errors import TooLargeError
from overbet.solvers.rules import Rule
from overbet.solvers.vector.engine import VectorEngine
from overbet.solvers.vector.layout import Layout
from overbet.solvers.vector.response import Judge
from overbet.solvers.vector.settings import SolveSettings
from overbet.solvers.vector.subgame import AS_GIVEN, BucketMaps, Leaves, MaxMargin, Root
from overbet.tree.public import PublicTree

Floats = npt.NDArray[np.float32]
Mask = npt.NDArray[np.uint8]


class Engine(Protocol):
    """What a solver needs of an engine, on whatever device: see `VectorEngine`."""

    iteration: int
    packed: bool

    @property
    def tree(self) -> PublicTree:
        """The public tree."""

    @property
    def layout(self) -> Layout:
        """How tables are laid out."""

    @property
    def rule(self) -> Rule:
        """The regret rule."""

    @property
    def regret(self) -> list[Any]:
        """One table a player, in memory."""

    @property
    def average(self) -> list[Any]:
        """One table a player, in memory."""

    def first_averages(self) -> list[Any]:
        """Return tables in memory that hold at least the averages of the first street, where they lie."""

    @property
    def play(self) -> list[Any]:
        """What regret matching reads."""

    @property
    def locked(self) -> list[Mask] | None:
        """Which entries are fixed."""

    @property
    def judge(self) -> Judge:
        """The judge of the averages as they are now."""

    def run(self, iterations: int) -> None:
        """Run some iterations."""

    def exploitability(self) -> float:
        """Return half of what both players could gain by best responses, in chips."""

    def restore(
        self, iteration: int, regret: Any, average: Any, play: Any = None, locked: Any = None
    ) -> None:
        """Take over tables, as if so many iterations had been run here."""

    def lock(self, node: int, board: int, strategy: Floats, hands: npt.NDArray[np.bool_]) -> None:
        """Fix the strategy of some hands at a node."""


def engine_for(
    tree: PublicTree,
    settings: SolveSettings,
    root: Root = AS_GIVEN,
    leaves: Leaves | None = None,
    buckets: BucketMaps | None = None,
) -> tuple[Engine, str]:
    """Return an engine for the settings' device, and a line to show where it is not the one asked for.

    `auto` takes a GPU where one can be used and the tree fits, but for trees with a depth limit or buckets,
    which talk to the host; with `cuda` a tree that does not fit is an error. Packed and 64-bit
    tables and maxmargin are the CPU's alone.
    """
    rule, packed, double = settings.the_rule(), settings.precision == "int16", settings.precision == "float64"
    cpu_only = [
        text
        for text, asked in (
            ("16-bit tables are", packed),
            ("64-bit tables are", double),
            ("maxmargin gadgets are", isinstance(root.gadget, MaxMargin)),
        )
        if asked
    ]
    note = ""
    if settings.device != "cpu":
        there, reason = _gpu()
        searched = leaves or buckets
        if there and not cpu_only and (settings.device == "cuda" or not searched):
            try:
                engine = _gpu_engine(tree, rule, root, leaves, buckets, settings.worker_count())
                return engine, ""
            except TooLargeError as error:
                if settings.device == "cuda":
                    raise
                # one clause: what would help on the GPU is not what is needed here
                note = f"device auto: {str(error).split('; ')[0]}; the CPU serves"
        elif settings.device == "cuda":
            why = f"{cpu_only[0]} solved on the CPU" if there else reason
            note = f"device cuda: {why}; the CPU serves"
    threads = settings.worker_count()
    engine = VectorEngine(
        tree, rule, threads, packed=packed, double=double, root=root, leaves=leaves, buckets=buckets
    )
    return engine, note


def _gpu_engine(
    tree: PublicTree,
    rule: Rule,
    root: Root,
    leaves: Leaves | None,
    buckets: BucketMaps | None,
    threads: int,
) -> Engine:
    """Return an engine on the GPU; a `TooLargeError` where the tree does not fit."""
    from overbet.solvers.vector.gpu.engine import CudaEngine

    return CudaEngine(tree, rule, root=root, leaves=leaves, buckets=buckets, threads=threads)


def has_gpu() -> bool:
    """Return whether a GPU can be used here."""
    return _gpu()[0]


def why_no_gpu() -> str:
    """Return why no GPU can be used here; nothing where one can."""
    usable, why = _gpu()
    return "" if usable else why


def _gpu() -> tuple[bool, str]:
    """Return whether a GPU can be used, and if not, why."""
    if find_spec("numba_cuda") is None:
        return False, "numba-cuda is not installed (pip install 'overbet[cuda]')"
    if not _driver():
        return False, "no usable NVIDIA GPU on this machine (no driver)"
    from overbet.cuda.device import available

    return available()


def _driver() -> bool:
    """Tell whether there is a driver at all: asking numba-cuda takes half a second."""
    if os.environ.get("NUMBA_ENABLE_CUDASIM", "0") != "0":
        return True
    try:
        ctypes.CDLL("nvcuda.dll" if sys.platform == "win32" else "libcuda.so.1")
    except OSError:
        return False
    return True
