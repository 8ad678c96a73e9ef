"""Which few flops stand for all 1,755, and with what weights: kernel quadrature, greedy with exchanges.

A subset with weights v is good when it gives the mean of every function of flops that changes little between
flops alike. In the reproducing kernel space of k that worst error is

    E(S, v)^2 = v' K v - 2 v' z + w' K w,      z = K w,  w: weights of all flops

(Huszar & Duvenaud 2012; Chen, Welling & Smola 2010). k is a Gaussian in the features (`flop_features`) plus a
linear part, which makes the means of the features themselves nearly exact. Flops are added one at a time by
the largest fall of E, then exchanged one at a time while E falls; weights are the minimiser under v >= 0 and
sum v = 1.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from overbet.cards.cards import cards_name
from overbet.solvers.vector.batches.flop_features import (
    PAIRS,
    FlopEquities,
    class_features,
    flop_equities,
    pair_features,
    textures,
)

Doubles = npt.NDArray[np.float64]
Ints = npt.NDArray[np.intp]
Progress = Callable[[int, int], None]

_LINEAR = 1.0  # weight of the linear part beside the Gaussian
_PAIRS, _CLASSES, _TEXTURE = 0.35, 0.35, 0.3  # shares of the squared distance
_RIDGE = 1e-8
_ROUNDS = 6


class FlopChoice(NamedTuple):
    """A subset of flops: their numbers, ascending, and weights that sum to 1."""

    flops: Ints
    weights: Doubles


def standardised(features: Doubles, weights: Doubles) -> Doubles:
    """Return columns with weighted mean 0 and variance 1; constant ones are left out."""
    mean = weights @ features
    spread = np.sqrt(weights @ (features - mean) ** 2)
    kept = spread > 1e-12
    found: Doubles = (features[:, kept] - mean[kept]) / spread[kept]
    return found


def flop_kernel(groups: Sequence[tuple[Doubles, float]], weights: Doubles) -> Doubles:
    """Return k between all flops: [F, F].

    groups: features [F, n] of one kind, and the share of the squared distance that they make together.
    """
    columns = [(standardised(features, weights), share) for features, share in groups]
    points = np.concatenate([part * math.sqrt(share / part.shape[1]) for part, share in columns], axis=1)
    inner = points @ points.T
    square = np.diag(inner)
    apart = np.maximum(square[:, None] + square[None, :] - 2 * inner, 0)
    width = np.median(apart[np.triu_indices(len(points), 1)])
    found: Doubles = np.exp(-apart / width) + _LINEAR * inner
    return found


def choose(kernel: Doubles, weights: Doubles, count: int, progress: Progress | None = None) -> FlopChoice:
    """Return `count` flops that stand for all. kernel: [F, F]; weights: [F], sum 1."""
    target = kernel @ weights
    chosen: list[int] = []
    while len(chosen) < count:
        chosen.append(_best_to_add(kernel, target, chosen))
    for turn in range(_ROUNDS):
        changed = False
        for place in range(count):
            rest = chosen[:place] + chosen[place + 1 :]
            found = _best_to_add(kernel, target, rest)
            if found != chosen[place]:
                if _error(kernel, target, [*rest, found]) >= _error(kernel, target, chosen) - 1e-12:
                    continue
                chosen[place] = found
                changed = True
            if progress is not None:
                progress(turn * count + place + 1, _ROUNDS * count)
        if not changed:
            break
    flops = np.array(sorted(chosen), np.intp)
    return FlopChoice(flops, fitted(kernel, target, flops))


def fitted(kernel: Doubles, target: Doubles, flops: Ints) -> Doubles:
    """Return the weights of chosen flops: least E under v >= 0 and sum 1, by dropping what goes negative."""
    part = kernel[np.ix_(flops, flops)] + _RIDGE * np.eye(len(flops))
    live = np.ones(len(flops), np.bool_)
    while True:
        inner = part[np.ix_(live, live)]
        one = np.ones(int(live.sum()))
        free, even = np.linalg.solve(inner, np.stack([target[flops][live], one], 1)).T
        weights = np.zeros(len(flops))
        weights[live] = free + even * (1 - free.sum()) / even.sum()
        if (weights[live] > 0).all():
            return weights
        live &= weights > 0


def error(kernel: Doubles, weights: Doubles, choice: FlopChoice) -> float:
    """Return E of a choice."""
    full = np.zeros(len(weights))
    full[choice.flops] = choice.weights
    gap = full - weights
    return math.sqrt(max(float(gap @ kernel @ gap), 0.0))


def _best_to_add(kernel: Doubles, target: Doubles, chosen: list[int]) -> int:
    """Return the flop whose addition lowers E most, weights free."""
    rest, variance = target, np.diag(kernel).copy()
    if chosen:
        root = np.linalg.cholesky(kernel[np.ix_(chosen, chosen)] + _RIDGE * np.eye(len(chosen)))
        half = np.linalg.solve(root, kernel[chosen])
        rest = target - half.T @ np.linalg.solve(root, target[chosen])
        variance -= (half**2).sum(0)
    gain = rest**2 / np.maximum(variance, 1e-9)
    gain[chosen] = -1.0
    return int(np.argmax(gain))


def _error(kernel: Doubles, target: Doubles, chosen: list[int]) -> float:
    """Return E^2 of chosen flops with free weights, up to a constant."""
    part = kernel[np.ix_(chosen, chosen)] + _RIDGE * np.eye(len(chosen))
    return -float(target[chosen] @ np.linalg.solve(part, target[chosen]))


def build_subsets(
    sizes: tuple[int, ...], progress: Progress | None = None
) -> tuple[dict[int, dict[str, float]], FlopEquities]:
    """Return the subsets from nothing, size -> flop -> weight, and the equities they were chosen by."""
    data = flop_equities(progress)
    groups = (
        (pair_features(data, PAIRS).reshape(len(data.boards), -1), _PAIRS),
        (class_features(data), _CLASSES),
        (textures(data.boards), _TEXTURE),
    )
    kernel = flop_kernel(groups, data.weights)
    found = {}
    for size in sizes:
        choice = choose(kernel, data.weights, size)
        names = [cards_name(board) for board in data.boards[choice.flops].tolist()]
        found[size] = {name: round(float(v), 6) for name, v in zip(names, choice.weights)}
    return found, data
