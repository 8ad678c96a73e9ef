"""Tiles of 16 x 16 floats turned over between [row, hand] and [hand, column], and terminals settled so.

A tile is turned in registers: whole where the processor has 32 registers of 16 floats (AVX-512), else in
quarters of 8 x 8, which need half of AVX2's sixteen.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from llvmlite import ir
from numba import types

from overbet.kernels.vector.lanes import data_of
from overbet.kernels.vector.vectors import (
    LANES,
    WHOLE,
    intrinsic,
    place_of,
    row_of,
    vector_type,
)

TOTAL, NOTHING, LEAST, SUMS = 52, 53, 54, 55  # rows of sums after those of the cards
ROUNDING, ROUNDING_DOUBLE = 1e-6, 1e-12  # of a sum of reaches: what is left where it cancels is no more
_WIDE = ("avx512", "x86-64-v4", "znver4", "znver5", "icelake", "sapphirerapids", "graniterapids")
_index = types.intp


def side_of(context: Any) -> int:
    """Return the side of the tiles that registers hold, by the processor that code is made for."""
    codegen = context.codegen()
    name, features = codegen._get_host_cpu_name(), codegen._get_host_cpu_features()
    wide = "+avx512f" in features or ("-avx512f" not in features and any(part in name for part in _WIDE))
    return 16 if wide else 8


def _shuffled(builder: Any, x: Any, y: Any, places: Sequence[int]) -> Any:
    return builder.shuffle_vector(x, y, ir.Constant(ir.VectorType(ir.IntType(32), len(places)), list(places)))


def turned(builder: Any, rows: list[Any]) -> list[Any]:
    """Return the columns of 8 or 16 vectors of as many floats.

    First 4 x 4 blocks are turned within each four lanes, then the fours are exchanged.
    """
    side = len(rows)
    fours = range(0, side, 4)
    blocks = []  # [group of four rows][k]: in lanes 4 l .. 4 l + 3 the column 4 l + k of these rows
    for g in fours:
        low = [
            _shuffled(
                builder,
                rows[g + k],
                rows[g + k + 1],
                [x for f in fours for x in (f, f + side, f + 1, f + 1 + side)],
            )
            for k in (0, 2)
        ]
        high = [
            _shuffled(
                builder,
                rows[g + k],
                rows[g + k + 1],
                [x for f in fours for x in (f + 2, f + 2 + side, f + 3, f + 3 + side)],
            )
            for k in (0, 2)
        ]
        first = [x for f in fours for x in (f, f + 1, f + side, f + 1 + side)]
        second = [x for f in fours for x in (f + 2, f + 3, f + 2 + side, f + 3 + side)]
        blocks.append(
            [
                _shuffled(builder, pair[0], pair[1], places)
                for pair in (low, high)
                for places in (first, second)
            ]
        )

    def lanes(x: Any, y: Any, chosen: Sequence[int]) -> Any:
        """Pick groups of four lanes, numbered over both vectors."""
        return _shuffled(builder, x, y, [4 * c + i for c in chosen for i in range(4)])

    columns: list[Any] = [None] * side
    for k in range(4):
        part = [block[k] for block in blocks]
        if side == 8:
            columns[k], columns[4 + k] = lanes(part[0], part[1], (0, 2)), lanes(part[0], part[1], (1, 3))
            continue
        halves = [
            (lanes(part[p], part[p + 1], (0, 1, 4, 5)), lanes(part[p], part[p + 1], (2, 3, 6, 7)))
            for p in (0, 2)
        ]
        for upper in range(2):
            x, y = halves[0][upper], halves[1][upper]
            columns[8 * upper + k] = lanes(x, y, (0, 2, 4, 6))
            columns[8 * upper + 4 + k] = lanes(x, y, (1, 3, 5, 7))
    return columns


def _turn(
    context: Any,
    builder: Any,
    fetch: Callable[[int, int, int], Any],
    put: Callable[[int, int, int, Any], None],
) -> None:
    """Turn a tile: fetch(i, j, side) gives row i from column j on, put(j, i, side, v) takes column j."""
    side = side_of(context)
    for first in range(0, LANES, side):
        for second in range(0, LANES, side):
            rows = [fetch(first + k, second, side) for k in range(side)]
            for k, column in enumerate(turned(builder, rows)):
                put(second + k, first, side, column)


class _Code:
    """Reads and writes of one intrinsic's arguments, by their number."""

    def __init__(self, context: Any, builder: Any, signature: Any, values: Any) -> None:
        self.context, self.builder, self.kinds, self.values = context, builder, signature.args, values

    def plus(self, at: Any, number: int) -> Any:
        return self.builder.add(at, ir.Constant(at.type, number)) if number else at

    def times(self, at: Any, number: int) -> Any:
        return self.builder.mul(at, ir.Constant(at.type, number))

    def load(self, array: int, at: Any, lanes: int) -> Any:
        place = place_of(self.context, self.builder, self.kinds[array], self.values[array], at, lanes)
        return self.builder.load(place, align=4)

    def store(self, value: Any, array: int, at: Any, lanes: int) -> None:
        place = place_of(self.context, self.builder, self.kinds[array], self.values[array], at, lanes)
        self.builder.store(value, place, align=4)

    def number(self, array: int, at: Any, further: int = 0) -> Any:
        """Return entry at + further of an array of whole numbers as int64; `further` costs no instruction."""
        here = self.plus(at, further)
        data = data_of(self.context, self.builder, self.kinds[array], self.values[array], here)
        place = self.builder.gep(self.builder.gep(data, [at]), [ir.Constant(at.type, further)])
        found = self.builder.load(place)
        wide = ir.IntType(64)
        if found.type == wide:
            return found
        signed = self.kinds[array].dtype.signed
        return self.builder.sext(found, wide) if signed else self.builder.zext(found, wide)


@intrinsic
def rows_to_columns(
    typing: Any, out: Any, at: Any, stride: Any, source: Any, starts: Any, first: Any, h: Any
) -> Any:
    """out[at + stride * i + j] = source[starts[first + j] + h + i] for i, j below 16."""

    def code(context: Any, builder: Any, signature: Any, values: Any) -> Any:
        use = _Code(context, builder, signature, values)
        begins = [use.builder.add(use.number(4, use.plus(values[5], j)), values[6]) for j in range(LANES)]

        def fetch(j: int, i: int, side: int) -> Any:
            return use.load(3, use.plus(begins[j], i), side)

        def put(i: int, j: int, side: int, value: Any) -> None:
            use.store(value, 0, use.plus(builder.add(values[1], use.times(values[2], i)), j), side)

        _turn(context, builder, fetch, put)
        return context.get_dummy_value()

    return types.void(out, _index, _index, source, starts, _index, _index), code


@intrinsic
def columns_to_rows(
    typing: Any, out: Any, starts: Any, first: Any, h: Any, source: Any, at: Any, stride: Any
) -> Any:
    """out[starts[first + j] + h + i] = source[at + stride * i + j] for i, j below 16."""

    def code(context: Any, builder: Any, signature: Any, values: Any) -> Any:
        use = _Code(context, builder, signature, values)

        def fetch(i: int, j: int, side: int) -> Any:
            return use.load(4, use.plus(builder.add(values[5], use.times(values[6], i)), j), side)

        def put(j: int, i: int, side: int, value: Any) -> None:
            begin = builder.add(use.number(1, use.plus(values[2], j)), values[3])
            use.store(value, 0, use.plus(begin, i), side)

        _turn(context, builder, fetch, put)
        return context.get_dummy_value()

    return types.void(out, starts, _index, _index, source, _index, _index), code


@intrinsic
def chosen_to_rows(
    typing: Any, out: Any, starts: Any, first: Any, h: Any, source: Any, chosen: Any, stride: Any, column: Any
) -> Any:
    """out[starts[first + j] + h + i] = source[chosen[h + i] * stride + column + j] for i, j below 16."""

    def code(context: Any, builder: Any, signature: Any, values: Any) -> Any:
        use = _Code(context, builder, signature, values)

        def fetch(i: int, j: int, side: int) -> Any:
            row = use.number(5, use.plus(values[3], i))
            at = builder.add(builder.mul(row, values[6]), values[7])
            return use.load(4, use.plus(at, j), side)

        def put(j: int, i: int, side: int, value: Any) -> None:
            begin = builder.add(use.number(1, use.plus(values[2], j)), values[3])
            use.store(value, 0, use.plus(begin, i), side)

        _turn(context, builder, fetch, put)
        return context.get_dummy_value()

    return types.void(out, starts, _index, _index, source, chosen, _index, _index), code


def settling(showdowns: bool, folds: bool, width: int) -> Any:
    """Return the operation that settles showdowns, folds or both of 16 hands at 16 leaves of `width`."""

    @intrinsic
    def settle(
        typing: Any,
        value: Any,
        shown: Any,
        folded: Any,
        h: Any,
        shift: Any,
        column: Any,
        sums: Any,
        reach: Any,
        beaten: Any,
        seats: Any,
        pays: Any,
    ) -> Any:
        """every = total - sums of both cards + reach of the same hand, for hands h .. h + 15 and leaves
        column .. column + 15 of a batch [., width]. value[folded[column + j] + shift + h + i] = every *
        pays[fold], and in place of shown[column + j] every * pays[all] + (beaten + reach of the same hand) *
        pays[half]. Where `every` is no more than rounding, both are 0: what a hand plays that nobody can meet
        must not hang on it.

        sums: [SUMS, width]; reach: [m + 1, width]; beaten: [n, width]; seats: [n, 4] int32, WHOLE times two
        cards and the row of reach; pays: [3, width]: half, all, fold.
        """

        def code(context: Any, builder: Any, signature: Any, values: Any) -> Any:
            use = _Code(context, builder, signature, values)
            h, shift, column = values[3:6]

            def row(array: int, begin: Any, j: int, side: int, rows: int = 0) -> Any:
                """Load from the row `rows` after the one that begins there."""
                kind = use.kinds[array]
                found = row_of(context, builder, kind, use.values[array], begin, width, rows)
                found = builder.gep(builder.gep(found, [column]), [ir.Constant(h.type, rows * width + j)])
                found = builder.bitcast(found, ir.PointerType(vector_type(kind.dtype, side)))
                return builder.load(found, align=4)

            def numbered(number: int) -> Any:
                return ir.Constant(h.type, number * WHOLE)

            def add(x: Any, y: Any) -> Any:
                return builder.fadd(x, y, flags=("contract",))

            def sub(x: Any, y: Any) -> Any:
                return builder.fsub(x, y, flags=("contract",))

            def mul(x: Any, y: Any) -> Any:
                return builder.fmul(x, y, flags=("contract",))

            def unless(small: Any, x: Any) -> Any:
                return builder.select(small, ir.Constant(x.type, [0.0] * x.type.count), x)

            def fetch(i: int, j: int, side: int) -> list[Any]:
                a, b, twin = (use.number(9, use.times(h, 4), 4 * i + k) for k in range(3))
                same = row(7, twin, j, side)
                every = sub(sub(row(6, numbered(TOTAL), j, side), row(6, a, j, side)), row(6, b, j, side))
                every = add(every, same)
                nobody = builder.fcmp_ordered("<=", every, row(6, numbered(LEAST), j, side))
                every = unless(nobody, every)
                half, all_, fold = (row(10, numbered(k), j, side) for k in range(3))
                found = []
                if showdowns:
                    won = unless(nobody, add(row(8, use.times(h, WHOLE), j, side, i), same))
                    found.append(add(mul(every, all_), mul(won, half)))
                if folds:
                    found.append(mul(every, fold))
                return found

            side = side_of(context)
            for i in range(0, LANES, side):
                for j in range(0, LANES, side):
                    rows = [fetch(i + k, j, side) for k in range(side)]
                    for starts, kind in zip([1] * showdowns + [2] * folds, zip(*rows)):
                        for k, leaf in enumerate(turned(builder, list(kind))):
                            begin = builder.add(use.number(starts, column, j + k), builder.add(h, shift))
                            use.store(leaf, 0, use.plus(begin, i), side)
            return context.get_dummy_value()

        return types.void(
            value, shown, folded, _index, _index, _index, sums, reach, beaten, seats, pays
        ), code

    return settle
