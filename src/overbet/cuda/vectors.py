"""Several neighbouring numbers moved at once: a wide load has more bytes under way than as many narrow ones.

`moves(width)` returns `fetch(into, first, array, base, at)`, which copies `width` numbers from array[base +
at] on to into[first ...], and `put(array, base, at, source, first)`, the way back. `into` and `source` are a
thread's own (local) arrays, used with constant places; base + at must be a multiple of the width, and the
array aligned to it, as those of the driver and dynamic shared memory are. base: uint64, worked out once; at:
uint32, which saves half of the arithmetic of 64 bits; first: uint64. `ask(array, base, at)` has a place
brought near that will be read soon.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any

from overbet.cuda.device import SIMULATED, cuda

if not SIMULATED and cuda is not None:
    from llvmlite import ir
    from numba.cuda.cgutils import gep
    from numba.cuda.extending import intrinsic

    types: Any = import_module("numba.cuda.types")


def _pointer(context: Any, builder: Any, kind: Any, array: Any, places: Any, width: int) -> Any:
    """Return where an element of an array is, as a pointer to `width` of its kind. places: to be added."""
    found = context.make_array(kind)(context, builder, array).data
    for place in places:
        wide = place if place.type.width == 64 else builder.zext(place, ir.IntType(64))
        found = gep(builder, found, wide)
    vector = ir.VectorType(context.get_value_type(kind.dtype), width)
    return builder.bitcast(found, vector.as_pointer(found.type.addrspace))


def _read(width: int) -> Any:
    """Return `fetch` as one load."""

    @intrinsic
    def fetch(typing: Any, into: Any, first: Any, array: Any, base: Any, at: Any) -> Any:
        def generate(context: Any, builder: Any, signature: Any, given: Any) -> Any:
            kinds = signature.args
            loaded = builder.load(_pointer(context, builder, kinds[2], given[2], given[3:], width))
            loaded.align = width * kinds[2].dtype.bitwidth // 8
            stored = builder.store(loaded, _pointer(context, builder, kinds[0], given[0], given[1:2], width))
            stored.align = kinds[0].dtype.bitwidth // 8
            return context.get_dummy_value()

        return types.void(into, types.uint64, array, types.uint64, types.uint32), generate

    return fetch


def _write(width: int) -> Any:
    """Return `put` as one store."""

    @intrinsic
    def put(typing: Any, array: Any, base: Any, at: Any, source: Any, first: Any) -> Any:
        def generate(context: Any, builder: Any, signature: Any, given: Any) -> Any:
            kinds = signature.args
            loaded = builder.load(_pointer(context, builder, kinds[3], given[3], given[4:], width))
            loaded.align = kinds[3].dtype.bitwidth // 8
            stored = builder.store(loaded, _pointer(context, builder, kinds[0], given[0], given[1:3], width))
            stored.align = width * kinds[0].dtype.bitwidth // 8
            return context.get_dummy_value()

        return types.void(array, types.uint64, types.uint32, source, types.uint64), generate

    return put


def _ask() -> Any:
    """Return `ask(array, base, at)`: what is there is brought to the second-level cache, and nobody waits."""

    @intrinsic
    def ask(typing: Any, array: Any, base: Any, at: Any) -> Any:
        def generate(context: Any, builder: Any, signature: Any, given: Any) -> Any:
            place = _pointer(context, builder, signature.args[0], given[0], given[1:], 1)
            kind = ir.FunctionType(ir.VoidType(), [ir.IntType(64)])
            call = ir.InlineAsm(kind, "prefetch.global.L2 [$0];", "l", side_effect=True)
            builder.call(call, [builder.ptrtoint(place, ir.IntType(64))])
            return context.get_dummy_value()

        return types.void(array, types.uint64, types.uint32), generate

    return ask


def _nothing(array: Any, base: Any, at: Any) -> None:
    """Stand for `ask` in the simulator, which has no caches."""


ask = _nothing if SIMULATED or cuda is None else _ask()


def _loops(width: int) -> tuple[Any, Any]:
    """Return the same for the simulator."""

    def fetch(into: Any, first: Any, array: Any, base: Any, at: Any) -> None:
        for k in range(width):
            into[int(first) + k] = array[int(base) + int(at) + k]

    def put(array: Any, base: Any, at: Any, source: Any, first: Any) -> None:
        for k in range(width):
            array[int(base) + int(at) + k] = source[int(first) + k]

    return fetch, put


def moves(width: int) -> tuple[Any, Any]:
    """Return `fetch` and `put` of so many numbers."""
    if SIMULATED or cuda is None:
        return _loops(width)
    return _read(width), _write(width)
