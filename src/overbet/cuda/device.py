"""The GPU as the engine sees it: is there one, how much of its memory is free, how kernels are compiled.

Everything that touches numba-cuda's own interface is here and in `graph`. The same kernels run under numba's
simulator (`NUMBA_ENABLE_CUDASIM=1`), which knows barriers but no exchange between the lanes of a warp.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Any

import numba
import numpy as np
import numpy.typing as npt

from overbet.kernels.cache import keep

# numba-cuda up to 0.30.4 asks for names that NumPy 2.4 and 2.5 took away
for _name, _instead in (("row_stack", "vstack"), ("in1d", "isin"), ("trapz", "trapezoid")):
    if not hasattr(np, _name) and hasattr(np, _instead):
        setattr(np, _name, getattr(np, _instead))

cuda: Any
core: Any
try:
    cuda, core = import_module("numba.cuda"), import_module("cuda.core")
except ImportError:  # numba without numba-cuda
    cuda = core = None

SIMULATED = bool(getattr(numba.config, "ENABLE_CUDASIM", False))
WARP = 32
MOST_SHARED = 48 * 1024  # bytes a block gets without asking for more

_SOURCES = (*sorted(Path(__file__).parent.glob("*.py")), Path(__file__).parent.parent / "kernels/regret.py")


def available() -> tuple[bool, str]:
    """Return whether a GPU can be used, and its name, or one line that says why not."""
    if cuda is None:
        return False, "numba-cuda is not installed; pip install 'overbet[cuda]'"
    if SIMULATED:
        return True, "numba's CUDA simulator"
    try:
        if cuda.is_available():
            name = cuda.get_current_device().name
            return True, name.decode() if isinstance(name, bytes) else str(name)
        fault = str(cuda.cuda_error() or "the CUDA compiler NVVM cannot be found")
    except Exception as error:  # the driver's own errors have no common base
        fault = str(error)
    lines = [line.strip(" .:") for line in fault.splitlines()]
    told = [line for line in lines if line and not line.startswith("Error at driver init")]
    return False, f"no usable NVIDIA GPU on this machine ({told[0] if told else 'unknown fault'})"


def free_bytes() -> float:
    """Return the free memory of the GPU in bytes."""
    return float(cuda.current_context().get_memory_info().free)


def upload(array: npt.NDArray[Any]) -> Any:
    """Return a copy of an array on the GPU."""
    return cuda.to_device(np.ascontiguousarray(array))


def zeros(size: int, dtype: type[np.generic]) -> Any:
    """Return a flat array of zeros on the GPU."""
    if SIMULATED:
        return cuda.to_device(np.zeros(size, dtype))
    array = cuda.device_array(size, dtype)
    array.gpu_data.memset(0)
    return array


class Launcher:
    """Launches kernels on one stream: launcher(kernel, (blocks, threads of a block, shared bytes), ...).

    Our kernels are compiled for one signature each and take bundles of arrays that live as long as an engine.
    So the search for the signature is left out once it is there, and what a bundle comes to as arguments is
    remembered: through numba's own way a launch takes several times as long.
    """

    def __init__(self, stream: Any) -> None:
        self.stream = stream
        self._known: dict[int, tuple[Any, list[Any]]] = {}

    def __call__(self, kernel: Any, shape: tuple[int | tuple[int, ...], int, int], *arguments: Any) -> None:
        """Queue one launch."""
        blocks, threads, shared = shape
        configured = kernel[blocks, threads, self.stream, shared]
        if shared > MOST_SHARED and not SIMULATED:
            configured.pre_launch_callbacks.append(lambda compiled, _: _allow_shared(compiled, shared))
        ready = None if SIMULATED else next(iter(kernel.overloads.values()), None)
        if ready is None or not hasattr(ready, "_prepare_args"):
            configured(*arguments)
            return
        flat: list[Any] = []
        for kind, value in zip(ready.argument_types, arguments):
            flat += self._flat(ready, kind, value)
        config = core.LaunchConfig(
            grid=configured.griddim, block=configured.blockdim, shmem_size=configured.sharedmem
        )
        if shared > MOST_SHARED:
            _allow_shared(ready, shared)
        core.launch(configured.stream, config, ready._codelibrary.get_cufunc().kernel, *flat)

    def _flat(self, ready: Any, kind: Any, value: Any) -> list[Any]:
        """Return the plain arguments that an array, a bundle or a number is passed as."""
        if id(value) not in self._known:
            made: list[Any] = []
            ready._prepare_args(kind, value, self.stream, [], made)
            if isinstance(value, int):
                return made
            self._known[id(value)] = (value, made)  # with the value, so that no other takes its identity
        return self._known[id(value)][1]


_ALLOWED: dict[int, tuple[Any, int]] = {}  # kernels by identity, and the shared memory they may have


def _allow_shared(compiled: Any, size: int) -> None:
    """Let a kernel's blocks have so many bytes of shared memory; once for each kernel and size."""
    kernel = compiled._codelibrary.get_cufunc().kernel
    if _ALLOWED.get(id(kernel), (None, 0))[1] < size:
        driver = import_module("cuda.bindings.driver")
        most = driver.CUfunction_attribute.CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES
        checked(driver.cuKernelSetAttribute(most, size, kernel.handle, _device(driver)))
        _ALLOWED[id(kernel)] = (kernel, size)


def most_shared() -> int:
    """Return the bytes of shared memory that a block can have at most."""
    if SIMULATED:
        return 2 * MOST_SHARED
    driver = import_module("cuda.bindings.driver")
    most = driver.CUdevice_attribute.CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN
    return int(checked(driver.cuDeviceGetAttribute(most, _device(driver))))


def checked(answer: tuple[Any, ...]) -> Any:
    """Return what a call of the driver returned; raise if it failed."""
    if int(answer[0]) != 0:
        raise RuntimeError(f"CUDA driver: {answer[0]}")
    return answer[1] if len(answer) > 1 else None


def _device(driver: Any) -> Any:
    cuda.current_context()
    return checked(driver.cuCtxGetDevice())


def gpu_kernel(function: Callable[..., None], registers: int | None = None) -> Any:
    """Compile a kernel. registers: the most a thread may use, so that more of them fit at a time."""
    if cuda is None:
        raise ImportError(available()[1])
    if SIMULATED:
        return cuda.jit(function)
    dispatcher = cuda.jit(max_registers=registers)(function)
    keep(dispatcher)
    file = getattr(getattr(dispatcher, "_cache", None), "_cache_file", None)
    if file is not None and hasattr(file, "_source_stamp"):  # an edited function in another file counts too
        changed = tuple((path.stat().st_size, path.stat().st_mtime_ns) for path in _SOURCES)
        file._source_stamp = (file._source_stamp, changed)
    return dispatcher


def gpu_function(function: Callable[..., Any]) -> Any:
    """Compile a function that kernels call, always inlined."""
    if SIMULATED:
        return cuda.jit(device=True)(function)
    return cuda.jit(device=True, forceinline=True)(function)


if cuda is not None:  # a river spot has few hands: a grid that does not fill the GPU is no fault
    warnings.filterwarnings("ignore", message=".*Grid size")
