"""Sixteen floats as one value: kernels write vector arithmetic out, and LLVM has nothing to guess.

LLVM can vectorise plain loops, but guards each with checks that its rows do not overlap, which cost more than
a short row's work. A `row` here is sixteen neighbouring float32 or float64 in registers (one of AVX-512, two
of AVX2). Places are int64 offsets into contiguous arrays; as everywhere, callers validate, and where numba's
bounds checking is on, these operations check theirs too.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from llvmlite import ir
from numba import extending, types
from numba.core import cgutils as _cgutils
from numba.core.datamodel import models
from numba.extending import register_model

from overbet.kernels.vector.lanes import data_of

LANES = 16
WHOLE = 32  # what rows of leaves are counted in: see `row_of`

# Numba's code generation is untyped: `Any` stands for its contexts, builders and values.
cgutils: Any = _cgutils
_FLAGS = ("contract", "nsz", "arcp")


def intrinsic(function: Callable[..., Any]) -> Any:
    """Register an intrinsic; `Any`, because callers leave out its first parameter, the typing context."""
    return extending.intrinsic(function)


class Row(types.Type):
    """Sixteen floats of one kind, or more, in registers."""

    def __init__(self, number: Any, lanes: int = LANES) -> None:
        self.number, self.lanes = number, lanes
        super().__init__(name=f"Row({number}, {lanes})")


def vector_type(number: Any, lanes: int = LANES) -> Any:
    """Return LLVM's type of some floats in registers."""
    return ir.VectorType(ir.DoubleType() if number == types.float64 else ir.FloatType(), lanes)


@register_model(Row)
class _RowModel(models.PrimitiveModel):
    def __init__(self, manager: Any, kind: Any) -> None:
        super().__init__(manager, kind, vector_type(kind.number, kind.lanes))  # type: ignore[no-untyped-call]


def place_of(context: Any, builder: Any, kind: Any, array: Any, at: Any, lanes: int = LANES) -> Any:
    """Return a pointer to `lanes` floats from offset `at` of an array on."""
    data = data_of(context, builder, kind, array, at, lanes)
    return builder.bitcast(builder.gep(data, [at]), ir.PointerType(vector_type(kind.dtype, lanes)))


def loading(lanes: int) -> Any:
    """Return the operation that loads rows of `lanes` floats."""

    @intrinsic
    def load(typing: Any, array: Any, at: Any) -> Any:
        """Return array[at : at + lanes], counted flat."""

        def code(context: Any, builder: Any, signature: Any, values: Any) -> Any:
            place = place_of(context, builder, signature.args[0], values[0], values[1], lanes)
            return builder.load(place, align=4)

        return Row(array.dtype, lanes)(array, types.intp), code

    return load


load = loading(LANES)


def row_of(
    context: Any, builder: Any, kind: Any, array: Any, begin: Any, width: int, further: int = 0
) -> Any:
    """Return a pointer to the row of an array [., width] that `begin`, WHOLE times its number, says.

    Processors multiply by 2, 4 or 8 in the address of a load: rows of 16, 32 and 64 floats are found by the
    same number without a further instruction. further: how many rows after that one will be used.
    """
    number = builder.add(
        builder.sdiv(begin, ir.Constant(begin.type, WHOLE)), ir.Constant(begin.type, further)
    )
    data = data_of(context, builder, kind, array, builder.mul(number, ir.Constant(begin.type, width)), width)
    size = width * kind.dtype.bitwidth // 8 // WHOLE
    parts = builder.bitcast(data, ir.PointerType(ir.ArrayType(ir.IntType(8), size)))
    return builder.bitcast(builder.gep(parts, [begin]), data.type)


def row_access(width: int) -> tuple[Any, Any]:
    """Return the operations that load and store a row of an array [., width]: see `row_of`."""

    def place(context: Any, builder: Any, signature: Any, values: Any) -> Any:
        found = row_of(context, builder, signature.args[0], values[0], values[1], width)
        return builder.bitcast(found, ir.PointerType(vector_type(signature.args[0].dtype, width)))

    @intrinsic
    def load_row(typing: Any, array: Any, begin: Any) -> Any:
        def code(context: Any, builder: Any, signature: Any, values: Any) -> Any:
            return builder.load(place(context, builder, signature, values), align=4)

        return Row(array.dtype, width)(array, types.intp), code

    @intrinsic
    def store_row(typing: Any, array: Any, begin: Any, row: Any) -> Any:
        def code(context: Any, builder: Any, signature: Any, values: Any) -> Any:
            builder.store(values[2], place(context, builder, signature, values), align=4)
            return context.get_dummy_value()

        return types.void(array, types.intp, row), code

    return load_row, store_row


@intrinsic
def store(typing: Any, array: Any, at: Any, row: Any) -> Any:
    """array[at : at + lanes of row] = row, counted flat."""

    def code(context: Any, builder: Any, signature: Any, values: Any) -> Any:
        lanes = signature.args[2].lanes
        place = place_of(context, builder, signature.args[0], values[0], values[1], lanes)
        builder.store(values[2], place, align=4)
        return context.get_dummy_value()

    return types.void(array, types.intp, row), code


@intrinsic
def whole(typing: Any, array: Any, at: Any) -> Any:
    """Return one of an array of whole numbers, counted flat, as int64; no sign of `at` is looked at."""

    def code(context: Any, builder: Any, signature: Any, values: Any) -> Any:
        data = data_of(context, builder, signature.args[0], values[0], values[1])
        found = builder.load(builder.gep(data, [values[1]]))
        wide = ir.IntType(64)
        if found.type == wide:
            return found
        return (builder.sext if signature.args[0].dtype.signed else builder.zext)(found, wide)

    return types.int64(array, types.intp), code


def splat(builder: Any, number: Any, lanes: int) -> Any:
    """Return `lanes` times the same number."""
    kind = ir.VectorType(number.type, lanes)
    one = builder.insert_element(ir.Constant(kind, ir.Undefined), number, ir.IntType(32)(0))
    zeros = ir.Constant(ir.VectorType(ir.IntType(32), lanes), [0] * lanes)
    return builder.shuffle_vector(one, ir.Constant(kind, ir.Undefined), zeros)


@intrinsic
def spread(typing: Any, array: Any, number: Any) -> Any:
    """Return a row of one number, of the kind an array holds."""

    def code(context: Any, builder: Any, signature: Any, values: Any) -> Any:
        return splat(builder, values[1], LANES)

    return Row(array.dtype)(array, array.dtype), code


def _binary(operation: str) -> Any:
    @intrinsic
    def two(typing: Any, x: Any, y: Any) -> Any:
        def code(context: Any, builder: Any, signature: Any, values: Any) -> Any:
            return getattr(builder, operation)(*values, flags=_FLAGS)

        return x(x, y), code

    return two


plus, minus, times, over = (_binary(name) for name in ("fadd", "fsub", "fmul", "fdiv"))


def fused(builder: Any, x: Any, y: Any, z: Any) -> Any:
    """Return x * y + z of vectors: see `times_plus`."""
    kind = x.type
    letter = "f64" if kind.element == ir.DoubleType() else "f32"
    name = f"llvm.fmuladd.v{kind.count}{letter}"
    declared = builder.module.globals.get(name) or ir.Function(
        builder.module, ir.FunctionType(kind, [kind] * 3), name
    )
    return builder.call(declared, [x, y, z])


@intrinsic
def times_plus(typing: Any, x: Any, y: Any, z: Any) -> Any:
    """Return x * y + z, rounded once where the processor can, wherever it stands in the code.

    What `plus` and `times` become is LLVM's choice, which may differ between two places that do the same.
    """

    def code(context: Any, builder: Any, signature: Any, values: Any) -> Any:
        return fused(builder, *values)

    return x(x, y, z), code


@intrinsic
def larger(typing: Any, x: Any, y: Any) -> Any:
    """Return the larger of two rows, lane by lane."""

    def code(context: Any, builder: Any, signature: Any, values: Any) -> Any:
        return builder.select(builder.fcmp_ordered(">", *values), *values)

    return x(x, y), code


@intrinsic
def where_positive(typing: Any, x: Any, yes: Any, no: Any) -> Any:
    """Return `yes` where x > 0 and `no` elsewhere."""

    def code(context: Any, builder: Any, signature: Any, values: Any) -> Any:
        zero = ir.Constant(values[0].type, [0.0] * LANES)
        return builder.select(builder.fcmp_ordered(">", values[0], zero), values[1], values[2])

    return x(x, yes, no), code


@intrinsic
def any_of(typing: Any, x: Any) -> Any:
    """Return whether a row holds a number other than 0."""

    def code(context: Any, builder: Any, signature: Any, values: Any) -> Any:
        zero = ir.Constant(values[0].type, [0.0] * LANES)
        bits = builder.bitcast(builder.fcmp_unordered("!=", values[0], zero), ir.IntType(LANES))
        return builder.icmp_unsigned("!=", bits, ir.IntType(LANES)(0))

    return types.boolean(x), code


def asked(context: Any, builder: Any, kind: Any, array: Any, at: Any) -> None:
    """Write the code of `fetch`."""
    held = context.make_array(kind)(context, builder, array)
    byte, number = ir.IntType(8).as_pointer(), ir.IntType(32)
    name = "llvm.prefetch.p0i8"
    declared = builder.module.globals.get(name) or ir.Function(
        builder.module, ir.FunctionType(ir.VoidType(), [byte, number, number, number]), name
    )
    place = builder.bitcast(builder.gep(held.data, [at]), byte)
    builder.call(declared, [place, number(0), number(3), number(1)])


@intrinsic
def fetch(typing: Any, array: Any, at: Any) -> Any:
    """Begin to bring the cache line of array[at] into the caches; no harm beyond the array's end."""

    def code(context: Any, builder: Any, signature: Any, values: Any) -> Any:
        asked(context, builder, signature.args[0], values[0], values[1])
        return context.get_dummy_value()

    return types.void(array, types.intp), code
