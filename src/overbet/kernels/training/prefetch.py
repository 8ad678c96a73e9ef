"""Ask the processor to fetch a cache line that will be needed soon, without waiting for it.

A line that will be written to is asked for as one's own: with several threads on one table the line often
lies in another core's cache, and reading it first and claiming it later would be two messages instead of one.
Lines that nobody writes to are asked for as they are, so that all cores keep their copies.
"""

from __future__ import annotations

from typing import Any

from llvmlite import ir
from numba.core import types
from numba.extending import intrinsic

_READ, _WRITE, _ALL_LEVELS, _DATA = 0, 1, 3, 1


@intrinsic
def prefetch_to_write(typingctx: Any, array: Any, index: Any = None) -> Any:
    """Begin to fetch number `index` of a contiguous array, counted flat, to be read and written."""
    return types.void(array, types.intp), _fetching(_WRITE)


@intrinsic
def prefetch_to_read(typingctx: Any, array: Any, index: Any = None) -> Any:
    """Begin to fetch number `index` of a contiguous array, counted flat, to be read."""
    return types.void(array, types.intp), _fetching(_READ)


def _fetching(why: int) -> Any:
    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        view = context.make_array(signature.args[0])(context, builder, arguments[0])
        place = builder.gep(view.data, [arguments[1]])
        byte = ir.IntType(8).as_pointer()
        number = ir.IntType(32)
        function = ir.FunctionType(ir.VoidType(), [byte, number, number, number])
        name = "llvm.prefetch.p0i8"
        declared = builder.module.globals.get(name) or ir.Function(builder.module, function, name)
        how = [number(why), number(_ALL_LEVELS), number(_DATA)]
        builder.call(declared, [builder.bitcast(place, byte), *how])
        return context.get_dummy_value()

    return generate
