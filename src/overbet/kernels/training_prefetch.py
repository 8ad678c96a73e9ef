"""Ask the processor to fetch a cache line that will be needed soon, without waiting for it."""

from __future__ import annotations

from typing import Any

from llvmlite import ir
from numba.core import types
from numba.extending import intrinsic


@intrinsic
def prefetch(typingctx: Any, array: Any, index: Any = None) -> Any:
    """Begin to fetch array[index] (a contiguous vector) for reading and writing."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        view = context.make_array(signature.args[0])(context, builder, arguments[0])
        place = builder.gep(view.data, [arguments[1]])
        byte = ir.IntType(8).as_pointer()
        number = ir.IntType(32)
        function = ir.FunctionType(ir.VoidType(), [byte, number, number, number])
        name = "llvm.prefetch.p0i8"
        declared = builder.module.globals.get(name) or ir.Function(builder.module, function, name)
        # for writing, keep in all cache levels, data
        builder.call(declared, [builder.bitcast(place, byte), number(0), number(3), number(1)])
        return context.get_dummy_value()

    return types.void(array, types.intp), generate
