"""Rows of 16 to 64 floats as single vector operations, and 16 x 16 transposes, written as LLVM vectors.

LLVM can vectorise the loops these replace, but guards each short run with checks that the rows do not
overlap, which cost as much as the work. Written as vectors there is nothing to check; LLVM splits a row of 64
into the registers the machine has (4 of AVX-512, 8 of AVX, 16 of SSE or NEON).

Arguments named `*_at` are offsets in floats into flat or 2-d C-contiguous arrays, all float32 or all float64.
As everywhere, callers validate; where numba's bounds checking is on, these operations check theirs too.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numba
from llvmlite import ir
from numba import extending, types
from numba.core import cgutils as _cgutils

_BLOCK = 16
_NOISE = 1e-12  # of a total: a difference below it is rounding, where sums are float64

# Numba's code generation is untyped: `Any` stands for its contexts, builders and values.
cgutils: Any = _cgutils


def intrinsic(function: Callable[..., Any]) -> Any:
    """Register an intrinsic; `Any`, because callers leave out its first parameter, the typing context."""
    return extending.intrinsic(function)


def _is_double(kind: Any) -> bool:
    return bool(kind.dtype == types.float64)


def data_of(context: Any, builder: Any, kind: Any, array: Any, at: Any, count: int = 1) -> Any:
    """Return a pointer to an array's data, of which `count` entries from offset `at` on are to be used."""
    held = context.make_array(kind)(context, builder, array)
    if getattr(numba.config, "BOUNDSCHECK", None):
        for place in (at, builder.add(at, ir.Constant(at.type, count - 1))):
            cgutils.do_boundscheck(context, builder, place, held.nitems)
    return held.data


def _pointer(context: Any, builder: Any, kind: Any, array: Any, at: Any, lanes: int) -> Any:
    """Return a pointer to a vector at offset `at` of an array's data."""
    data = data_of(context, builder, kind, array, at, lanes)
    vector = ir.VectorType(ir.DoubleType() if _is_double(kind) else ir.FloatType(), lanes)
    return builder.bitcast(builder.gep(data, [at]), ir.PointerType(vector))


class _Emitter:
    """Loads and stores vectors of one intrinsic's arguments: array k and its offset in the next argument."""

    def __init__(self, context: Any, builder: Any, kinds: Any, values: Any, lanes: int) -> None:
        self.context, self.builder, self.kinds, self.values = context, builder, kinds, values
        self.lanes = lanes

    def pointer(self, array: int, at: Any) -> Any:
        return _pointer(self.context, self.builder, self.kinds[array], self.values[array], at, self.lanes)

    def load(self, array: int, at: Any) -> Any:
        return self.builder.load(self.pointer(array, at), align=4)

    def store(self, value: Any, array: int, at: Any) -> None:
        self.builder.store(value, self.pointer(array, at), align=4)

    def constant(self, number: float) -> Any:
        """Return a vector of one number, in float64."""
        return ir.Constant(ir.VectorType(ir.DoubleType(), self.lanes), [number] * self.lanes)

    def add(self, x: Any, y: Any) -> Any:
        return self.builder.fadd(x, y, flags=("contract",))

    def sub(self, x: Any, y: Any) -> Any:
        return self.builder.fsub(x, y, flags=("contract",))

    def mul(self, x: Any, y: Any) -> Any:
        return self.builder.fmul(x, y, flags=("contract",))


class RowOperations(NamedTuple):
    """The operations of one row length. `sums` has 53 rows: one a card, then the total."""

    add: Any
    below: Any
    upto: Any
    last: Any
    fold: Any


def row_operations(lanes: int) -> RowOperations:
    """Return the vector operations on rows of `lanes` floats; rows and cards are uint64."""

    def offset(emit: _Emitter, row: Any) -> Any:
        return emit.builder.mul(row, ir.Constant(row.type, lanes))

    def compatible(emit: _Emitter, sums: int, a: Any, b: Any) -> Any:
        """sums[52] - sums[a] - sums[b]."""
        total = emit.load(sums, ir.Constant(a.type, 52 * lanes))
        return emit.sub(emit.sub(total, emit.load(sums, offset(emit, a))), emit.load(sums, offset(emit, b)))

    def settled(emit: _Emitter, sums: int, value: Any, factors: list[Any]) -> Any:
        """In float64, a value that is rounding beside total x factors becomes 0: where no compatible hand of
        the opponent is left, all values are 0, and what is played must not hang on their rounding."""
        if not _is_double(emit.kinds[sums]):
            return value
        builder = emit.builder
        most = emit.constant(0.0)
        for factor in factors:
            less = builder.fcmp_ordered("<", factor, emit.constant(0.0))
            most = emit.add(most, builder.select(less, builder.fneg(factor), factor))
        total = emit.load(sums, ir.Constant(ir.IntType(64), 52 * lanes))
        limit = emit.mul(emit.mul(total, most), emit.constant(_NOISE))
        above = builder.fcmp_ordered("<=", value, limit)
        below = builder.fcmp_ordered(">=", value, builder.fneg(limit))
        return builder.select(builder.and_(above, below), emit.constant(0.0), value)

    @intrinsic
    def add(typing: Any, reach: Any, row: Any, sums: Any, a: Any, b: Any) -> Any:
        """sums[52], sums[a] and sums[b] += reach[row]."""
        signature = types.void(reach, types.uint64, sums, types.uint64, types.uint64)

        def code(context: Any, builder: Any, signature: Any, values: Any) -> Any:
            emit = _Emitter(context, builder, signature.args, values, lanes)
            added = emit.load(0, offset(emit, values[1]))
            for target in (ir.Constant(values[1].type, 52), values[3], values[4]):
                at = offset(emit, target)
                emit.store(emit.add(emit.load(2, at), added), 2, at)
            return context.get_dummy_value()

        return signature, code

    @intrinsic
    def below(typing: Any, out: Any, row: Any, sums: Any, a: Any, b: Any, factor: Any, at: Any) -> Any:
        """out[row] = factor[at:] * (sums[52] - sums[a] - sums[b])."""
        signature = types.void(out, types.uint64, sums, types.uint64, types.uint64, factor, types.uint64)

        def code(context: Any, builder: Any, signature: Any, values: Any) -> Any:
            emit = _Emitter(context, builder, signature.args, values, lanes)
            value = emit.mul(emit.load(5, values[6]), compatible(emit, 2, values[3], values[4]))
            emit.store(value, 0, offset(emit, values[1]))
            return context.get_dummy_value()

        return signature, code

    @intrinsic
    def upto(typing: Any, out: Any, row: Any, sums: Any, a: Any, b: Any, factor: Any, at: Any) -> Any:
        """out[row] += factor[at:] * (sums[52] - sums[a] - sums[b])."""
        signature = types.void(out, types.uint64, sums, types.uint64, types.uint64, factor, types.uint64)

        def code(context: Any, builder: Any, signature: Any, values: Any) -> Any:
            emit = _Emitter(context, builder, signature.args, values, lanes)
            value = emit.mul(emit.load(5, values[6]), compatible(emit, 2, values[3], values[4]))
            place = offset(emit, values[1])
            emit.store(emit.add(emit.load(0, place), value), 0, place)
            return context.get_dummy_value()

        return signature, code

    @intrinsic
    def last(
        typing: Any,
        out: Any,
        row: Any,
        sums: Any,
        a: Any,
        b: Any,
        reach: Any,
        twin: Any,
        factors: Any,
        at: Any,
        fold: Any,
    ) -> Any:
        """every = sums[52] - sums[a] - sums[b] + reach[twin]; out[row] += upto * reach[twin] + all * every;
        fold[row] = fold factor * every. factors: Payoffs; twin: a row of zeros where there is none."""
        signature = types.void(
            out,
            types.uint64,
            sums,
            types.uint64,
            types.uint64,
            reach,
            types.uint64,
            factors,
            types.uint64,
            fold,
        )

        def code(context: Any, builder: Any, signature: Any, values: Any) -> Any:
            kinds = signature.args[7].types
            parts = cgutils.unpack_tuple(builder, values[7], len(kinds))
            emit = _Emitter(context, builder, [*signature.args, *kinds], [*values, *parts], lanes)
            first = len(signature.args)
            same = emit.load(5, offset(emit, values[6]))
            every = emit.add(compatible(emit, 2, values[3], values[4]), same)
            place = offset(emit, values[1])
            value = emit.add(emit.load(0, place), emit.mul(emit.load(first + 1, values[8]), same))
            value = emit.add(value, emit.mul(emit.load(first + 2, values[8]), every))
            factors = [emit.load(first + k, values[8]) for k in range(4)]
            emit.store(settled(emit, 2, value, factors[:3]), 0, place)
            emit.store(settled(emit, 2, emit.mul(factors[3], every), factors[3:]), 9, place)
            return context.get_dummy_value()

        return signature, code

    @intrinsic
    def fold(
        typing: Any,
        out: Any,
        row: Any,
        sums: Any,
        a: Any,
        b: Any,
        reach: Any,
        twin: Any,
        factor: Any,
        at: Any,
    ) -> Any:
        """out[row] = factor[at:] * (sums[52] - sums[a] - sums[b] + reach[twin])."""
        signature = types.void(
            out, types.uint64, sums, types.uint64, types.uint64, reach, types.uint64, factor, types.uint64
        )

        def code(context: Any, builder: Any, signature: Any, values: Any) -> Any:
            emit = _Emitter(context, builder, signature.args, values, lanes)
            same = emit.load(5, offset(emit, values[6]))
            every = emit.add(compatible(emit, 2, values[3], values[4]), same)
            factor = emit.load(7, values[8])
            value = settled(emit, 2, emit.mul(factor, every), [factor])
            emit.store(value, 0, offset(emit, values[1]))
            return context.get_dummy_value()

        return signature, code

    return RowOperations(add, below, upto, last, fold)


def _transposed(builder: Any, rows: list[Any]) -> list[Any]:
    """Return the 16 columns of 16 vectors of 16: four rounds of interleaving halves."""
    low = ir.Constant(ir.VectorType(ir.IntType(32), _BLOCK), [k // 2 + (k % 2) * 16 for k in range(16)])
    high = ir.Constant(ir.VectorType(ir.IntType(32), _BLOCK), [k // 2 + 8 + (k % 2) * 16 for k in range(16)])
    for _ in range(4):
        after: list[Any] = []
        for k in range(8):
            after.append(builder.shuffle_vector(rows[k], rows[k + 8], low))
            after.append(builder.shuffle_vector(rows[k], rows[k + 8], high))
        rows = after
    return rows


@intrinsic
def gather_tile(
    typing: Any, out: Any, out_at: Any, stride: Any, source: Any, starts: Any, first: Any, h: Any
) -> Any:
    """Transpose in: out[out_at + stride * i + j] = source[starts[first + j] + h + i] for i, j below 16."""
    unsigned = types.uint64
    signature = types.void(out, unsigned, unsigned, source, starts, unsigned, unsigned)

    def code(context: Any, builder: Any, signature: Any, values: Any) -> Any:
        emit = _Emitter(context, builder, signature.args, values, _BLOCK)
        rows = []
        for j in range(_BLOCK):
            at = _start(context, builder, signature.args[4], values[4], values[5], j)
            rows.append(emit.load(3, builder.add(at, values[6])))
        at = values[1]
        for column in _transposed(builder, rows):
            emit.store(column, 0, at)
            at = builder.add(at, values[2])
        return context.get_dummy_value()

    return signature, code


@intrinsic
def scatter_tile(
    typing: Any, out: Any, starts: Any, first: Any, h: Any, source: Any, source_at: Any, stride: Any
) -> Any:
    """Transpose out: out[starts[first + j] + h + i] = source[source_at + stride * i + j], i, j below 16."""
    unsigned = types.uint64
    signature = types.void(out, starts, unsigned, unsigned, source, unsigned, unsigned)

    def code(context: Any, builder: Any, signature: Any, values: Any) -> Any:
        emit = _Emitter(context, builder, signature.args, values, _BLOCK)
        rows = []
        at = values[5]
        for _ in range(_BLOCK):
            rows.append(emit.load(4, at))
            at = builder.add(at, values[6])
        for j, column in enumerate(_transposed(builder, rows)):
            at = _start(context, builder, signature.args[1], values[1], values[2], j)
            emit.store(column, 0, builder.add(at, values[3]))
        return context.get_dummy_value()

    return signature, code


@intrinsic
def take_tile(
    typing: Any, out: Any, starts: Any, first: Any, h: Any, source: Any, rows: Any, stride: Any, column: Any
) -> Any:
    """Transpose chosen rows: out[starts[first + j] + h + i] = source[rows[h + i] * stride + column + j]."""
    unsigned = types.uint64
    signature = types.void(out, starts, unsigned, unsigned, source, rows, unsigned, unsigned)

    def code(context: Any, builder: Any, signature: Any, values: Any) -> Any:
        emit = _Emitter(context, builder, signature.args, values, _BLOCK)
        numbers = data_of(context, builder, signature.args[5], values[5], values[3], _BLOCK)
        found = []
        for i in range(_BLOCK):
            at = builder.add(values[3], ir.Constant(values[3].type, i))
            row = builder.zext(builder.load(cgutils.gep(builder, numbers, at)), values[3].type)
            found.append(emit.load(4, builder.add(builder.mul(row, values[6]), values[7])))
        for j, column in enumerate(_transposed(builder, found)):
            at = _start(context, builder, signature.args[1], values[1], values[2], j)
            emit.store(column, 0, builder.add(at, values[3]))
        return context.get_dummy_value()

    return signature, code


def _start(context: Any, builder: Any, kind: Any, starts: Any, first: Any, j: int) -> Any:
    """Return starts[first + j], a uint64."""
    at = builder.add(first, ir.Constant(first.type, j))
    return builder.load(cgutils.gep(builder, data_of(context, builder, kind, starts, at), at))
