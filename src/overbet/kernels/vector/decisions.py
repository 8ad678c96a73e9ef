"""Decisions of two to five actions, hand after hand in sixteens: which code of `nodes` is for which."""

from __future__ import annotations

from typing import Any

from overbet.kernels.jit import lean
from overbet.kernels.regret import RuleStep
from overbet.kernels.vector.nodes import MANY, adding, learning, sharing
from overbet.kernels.vector.vectors import any_of, load, plus, spread, store

Index = Any  # an int: constants, numbers out of arrays and int64 alike
Floats = Any  # [.] float32 or float64, flat; all of one kind


def _down_of(actions: int, adds: bool) -> Any:
    """Return what shares all hands' reach out at a decision of `actions`."""
    share, one = sharing(actions, adds), 1.0 / actions

    @lean
    def down(
        skips: bool,
        play: Floats,
        row: Index,
        stride: Index,
        hands: Index,
        reach: Floats,
        source: Index,
        target: Index,
        room: Index,
        average: Floats,
        step: RuleStep,
    ) -> None:
        kind = type(play[0])
        none = spread(play, 0.0)
        for h in range(0, hands, 16):
            if skips and not any_of(load(reach, source + h)):
                for a in range(actions):
                    store(reach, target + a * room + h, none)
                continue
            share(
                play, row + h, stride, reach, source + h, target + h, room, average,
                kind(one), kind(step.average_discount), kind(step.average_weight),
            )  # fmt: skip

    return down


_down2, _down3, _down4, _down5 = (_down_of(actions, False) for actions in range(2, MANY + 1))
_adds2, _adds3, _adds4, _adds5 = (_down_of(actions, True) for actions in range(2, MANY + 1))


@lean
def share_out(
    actions: Index,
    adds: bool,
    skips: bool,
    play: Floats,
    row: Index,
    stride: Index,
    hands: Index,
    reach: Floats,
    source: Index,
    target: Index,
    room: Index,
    average: Floats,
    step: RuleStep,
) -> None:
    """Share all hands' reach out at a decision of two to MANY actions.

    adds: what is played goes into the average, by `step`. skips: where no hand gets, that is nothing.
    """
    if actions == 2:
        if adds:
            _adds2(skips, play, row, stride, hands, reach, source, target, room, average, step)
        else:
            _down2(skips, play, row, stride, hands, reach, source, target, room, average, step)
    elif actions == 3:
        if adds:
            _adds3(skips, play, row, stride, hands, reach, source, target, room, average, step)
        else:
            _down3(skips, play, row, stride, hands, reach, source, target, room, average, step)
    elif actions == 4:
        if adds:
            _adds4(skips, play, row, stride, hands, reach, source, target, room, average, step)
        else:
            _down4(skips, play, row, stride, hands, reach, source, target, room, average, step)
    elif adds:
        _adds5(skips, play, row, stride, hands, reach, source, target, room, average, step)
    else:
        _down5(skips, play, row, stride, hands, reach, source, target, room, average, step)


def _up_of(actions: int) -> Any:
    """Return what carries values of some hands up a decision of `actions`, and learns."""
    learn_one, one = learning(actions), 1.0 / actions

    @lean
    def up(
        regret: Floats,
        row: Index,
        stride: Index,
        count: Index,
        value: Floats,
        out: Index,
        child: Index,
        room: Index,
        step: RuleStep,
    ) -> None:
        kind = type(regret[0])
        for g in range(0, count, 16):
            learn_one(
                regret, row + g, stride, value, out + g, child + g, room, kind(one),
                kind(step.positive), kind(step.negative), kind(step.weight), kind(step.floor),
            )  # fmt: skip

    return up


_up2, _up3, _up4, _up5 = (_up_of(actions) for actions in range(2, MANY + 1))


@lean
def learn(
    actions: Index,
    regret: Floats,
    row: Index,
    stride: Index,
    count: Index,
    value: Floats,
    out: Index,
    child: Index,
    room: Index,
    step: RuleStep,
) -> None:
    """Carry values of some hands up a decision of two to MANY actions, and learn."""
    if actions == 2:
        _up2(regret, row, stride, count, value, out, child, room, step)
    elif actions == 3:
        _up3(regret, row, stride, count, value, out, child, room, step)
    elif actions == 4:
        _up4(regret, row, stride, count, value, out, child, room, step)
    else:
        _up5(regret, row, stride, count, value, out, child, room, step)


_add2, _add3, _add4, _add5 = (adding(actions) for actions in range(2, MANY + 1))


@lean
def sum_up(actions: Index, count: Index, value: Floats, out: Index, child: Index, room: Index) -> None:
    """Carry values of some hands up a decision of the other player: their sum."""
    for g in range(0, count, 16):
        if actions == 2:
            _add2(value, out + g, child + g, room)
        elif actions == 3:
            _add3(value, out + g, child + g, room)
        elif actions == 4:
            _add4(value, out + g, child + g, room)
        elif actions == 5:
            _add5(value, out + g, child + g, room)
        else:
            total = load(value, child + g)
            for a in range(1, actions):
                total = plus(total, load(value, child + a * room + g))
            store(value, out + g, total)
