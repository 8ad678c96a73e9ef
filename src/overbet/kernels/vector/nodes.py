"""Decisions of two to MANY actions, written out for their number: reach shared out, values and regrets.

A loop over the actions of sixteen hands reads their regrets twice and has little to do in between. Written
out, a decision's regrets stay in registers: sixteen hands at once with AVX-512, eight and eight with AVX2. On
the way down a chunk's rows are read in order, so that those a little further on are asked for.
"""

from __future__ import annotations

from typing import Any

from llvmlite import ir
from numba import types

from overbet.kernels.vector.tiles import side_of
from overbet.kernels.vector.vectors import LANES, asked, fused, intrinsic, place_of, splat

MANY = 5  # more actions than this are walked in a loop
AHEAD = 4  # rows of a table
_index = types.intp


class _Hands:
    """Arithmetic on some neighbouring hands of sixteen; arrays by their number among the arguments."""

    def __init__(
        self, context: Any, builder: Any, signature: Any, values: Any, first: int, lanes: int
    ) -> None:
        self.context, self.builder, self.kinds, self.values = context, builder, signature.args, values
        self.first, self.lanes = first, lanes

    def _place(self, array: int, at: Any) -> Any:
        at = self.builder.add(at, ir.Constant(at.type, self.first)) if self.first else at
        return place_of(self.context, self.builder, self.kinds[array], self.values[array], at, self.lanes)

    def load(self, array: int, at: Any) -> Any:
        return self.builder.load(self._place(array, at), align=4)

    def store(self, array: int, at: Any, value: Any) -> None:
        self.builder.store(value, self._place(array, at), align=4)

    def all(self, number: Any) -> Any:
        return splat(self.builder, number, self.lanes)

    def plus(self, x: Any, y: Any) -> Any:
        return self.builder.fadd(x, y, flags=("contract", "nsz", "arcp"))

    def minus(self, x: Any, y: Any) -> Any:
        return self.builder.fsub(x, y, flags=("contract", "nsz", "arcp"))

    def times(self, x: Any, y: Any) -> Any:
        return self.builder.fmul(x, y, flags=("contract", "nsz", "arcp"))

    def over(self, x: Any, y: Any) -> Any:
        return self.builder.fdiv(x, y, flags=("contract", "nsz", "arcp"))

    def none(self, like: Any) -> Any:
        return ir.Constant(like.type, [0.0] * self.lanes)

    def is_positive(self, x: Any) -> Any:
        return self.builder.fcmp_ordered(">", x, self.none(x))

    def larger(self, x: Any, y: Any) -> Any:
        return self.builder.select(self.builder.fcmp_ordered(">", x, y), x, y)

    def sum(self, found: list[Any]) -> Any:
        total = found[0]
        for x in found[1:]:
            total = self.plus(total, x)
        return total


def _steps(builder: Any, at: Any, stride: Any, count: int) -> list[Any]:
    """Return the places of `count` rows that follow each other."""
    found = [at]
    for _ in range(count - 1):
        found.append(builder.add(found[-1], stride))
    return found


def sharing(actions: int, adds: bool) -> Any:
    """Return the operation that shares the reach of sixteen hands out by regret matching.

    It reads regrets at `place`, rows `stride` apart, and reach at `source`, and puts the reach behind each
    action at `target`, rows `room` apart; if `adds`, also, by fade and weight, into the average.
    """

    @intrinsic
    def share_out(
        typing: Any,
        play: Any,
        place: Any,
        stride: Any,
        reach: Any,
        source: Any,
        target: Any,
        room: Any,
        average: Any,
        equal: Any,
        fade: Any,
        weight: Any,
    ) -> Any:
        def code(context: Any, builder: Any, signature: Any, values: Any) -> Any:
            rows = _steps(builder, values[1], values[2], actions)
            targets = _steps(builder, values[5], values[6], actions)
            ahead = builder.mul(values[2], ir.Constant(values[2].type, AHEAD))
            for row in rows:
                for array in (0, 7) if adds else (0,):
                    asked(context, builder, signature.args[array], values[array], builder.add(row, ahead))
            side = side_of(context)
            for first in range(0, LANES, side):
                use = _Hands(context, builder, signature, values, first, side)
                met, found = use.load(3, values[4]), [use.load(0, row) for row in rows]
                none = use.none(met)
                found = [use.larger(x, none) for x in found]
                total = use.sum(found)
                some = use.is_positive(total)
                scale = builder.select(some, use.over(met, total), none)
                rest = builder.select(some, none, use.times(met, use.all(values[8])))
                for x, row, to in zip(found, rows, targets):
                    share = fused(builder, x, scale, rest)
                    use.store(3, to, share)
                    if adds:
                        more = use.times(share, use.all(values[10]))
                        use.store(7, row, fused(builder, use.load(7, row), use.all(values[9]), more))
            return context.get_dummy_value()

        number = play.dtype
        return types.void(
            play, _index, _index, reach, _index, _index, _index, average, number, number, number
        ), code

    return share_out


def learning(actions: int) -> Any:
    """Return the operation that takes values of sixteen hands from the actions to the decision, and learns.

    Regrets lie from `place` on, rows `stride` apart; values of the actions from `child` on, rows `room`
    apart, and the decision's goes to `out`.
    """

    @intrinsic
    def learn(
        typing: Any,
        regret: Any,
        place: Any,
        stride: Any,
        value: Any,
        out: Any,
        child: Any,
        room: Any,
        equal: Any,
        positive: Any,
        negative: Any,
        weight: Any,
        floor: Any,
    ) -> Any:
        def code(context: Any, builder: Any, signature: Any, values: Any) -> Any:
            rows = _steps(builder, values[1], values[2], actions)
            children = _steps(builder, values[5], values[6], actions)
            side = side_of(context)
            for first in range(0, LANES, side):
                use = _Hands(context, builder, signature, values, first, side)
                old, each = [use.load(0, row) for row in rows], [use.load(3, child) for child in children]
                none = use.none(old[0])
                shares = [use.larger(x, none) for x in old]
                total = use.sum(shares)
                worth = use.times(shares[0], each[0])
                for share, one in zip(shares[1:], each[1:]):
                    worth = fused(builder, share, one, worth)
                flat = use.times(use.sum(each), use.all(values[7]))
                worth = builder.select(use.is_positive(total), use.over(worth, total), flat)
                use.store(3, values[4], worth)
                for x, one, row in zip(old, each, rows):
                    factor = builder.select(use.is_positive(x), use.all(values[8]), use.all(values[9]))
                    instant = use.times(use.minus(one, worth), use.all(values[10]))
                    new = use.larger(fused(builder, x, factor, instant), use.all(values[11]))
                    use.store(0, row, new)
            return context.get_dummy_value()

        number = regret.dtype
        return types.void(
            regret, _index, _index, value, _index, _index, _index, number, number, number, number, number
        ), code

    return learn


def adding(actions: int) -> Any:
    """Return the operation that adds up the values behind the other player's actions, for sixteen hands."""

    @intrinsic
    def add_up(typing: Any, value: Any, out: Any, child: Any, room: Any) -> Any:
        def code(context: Any, builder: Any, signature: Any, values: Any) -> Any:
            use = _Hands(context, builder, signature, values, 0, LANES)
            children = _steps(builder, values[2], values[3], actions)
            use.store(0, values[1], use.sum([use.load(0, child) for child in children]))
            return context.get_dummy_value()

        return types.void(value, _index, _index, _index), code

    return add_up
