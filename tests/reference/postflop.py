"""A postflop spot solved with no cleverness: every board and every pair of hands is written out.

The betting is a recursion; every turn and river card that can come is a row of its own (axis `board`); a
fold or a showdown is a matrix product over all pairs of hands; strengths come from the plain evaluator of
this folder. No suit symmetry, no sorting, no sweep, float64 throughout. Only the spot's fields and the
scalars of a regret rule are shared with the package.

Arrays: reach and values [board, hand], regrets and averages [board, action, hand], pairs [board, hand of
player 0, hand of player 1].
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache
from itertools import combinations

import numpy as np
import numpy.typing as npt

from overbet.kernels.regret import RuleStep
from overbet.tree.spot import Spot
from tests.reference.evaluator import strength

Array = npt.NDArray[np.float64]
FOLD, SHOWDOWN, DEAL = "fold", "showdown", "deal"


@dataclass
class Point:
    """A point of the betting, cards left out. what: 0 or 1 to act, or fold, showdown, deal."""

    line: str
    street: int
    what: int | str
    put: tuple[int, int]
    folder: int = -1
    after: dict[str, Point] = field(default_factory=dict)

    def walk(self) -> Iterator[Point]:
        yield self
        for point in self.after.values():
            yield from point.walk()


def round_half_up(x: float) -> int:
    return math.floor(x + 0.5)


def amounts(
    text: str, spot: Spot, street: int, start: int, own: int, faced: int, last_raise: int
) -> list[int]:
    """Return the totals (since the root) a player may bet or raise to. start: each one's total before."""
    stack = spot.effective_stack
    if stack <= faced or not text.strip():
        return []
    pot = spot.pot + 2 * faced  # once the player has called
    bet, behind = faced - start, stack - faced
    found = set()
    for size in (part.strip() for part in text.split(",")):
        number = float(re.match(r"[\d.]*", size)[0] or 0)  # type: ignore[index]
        kind = size[-1]
        if kind == "a":
            more = behind
        elif kind == "%":
            more = round_half_up(pot * number / 100)
        elif kind == "x":
            more = round_half_up(bet * number) - bet
        elif kind == "c":
            more = int(number)
        else:
            streets = number or 3 - street
            more = round_half_up(pot * ((1 + 2 * behind / pot) ** (1 / streets) - 1) / 2)
        least = max(last_raise, spot.min_bet)
        found.add(faced + min(max(more, least), behind))
    limits = spot.thresholds
    if limits.add_all_in and behind <= round_half_up(pot * limits.add_all_in):
        found.add(stack)
    if limits.force_all_in:
        found = {
            stack if stack - total <= limits.force_all_in * (pot + 2 * (total - faced)) else total
            for total in found
        }
    kept: list[int] = []
    for total in sorted(found, reverse=True):
        if limits.merge and kept:
            ratio = (pot + kept[-1] - faced) / (pot + total - faced)
            if ratio < 1 + limits.merge:
                continue
        kept.append(total)
    return kept[::-1]


def betting(spot: Spot) -> Point:
    """Return the root of the betting."""
    return _street(spot, "", spot.first_street, (0, 0), None)


def _street(spot: Spot, line: str, street: int, put: tuple[int, int], aggressor: int | None) -> Point:
    if put[0] == spot.effective_stack:
        return _over(spot, line, street, put, None)
    return _decision(spot, line, street, put, 0, put[0], 0, 0, aggressor, None)


def _over(spot: Spot, line: str, street: int, put: tuple[int, int], aggressor: int | None) -> Point:
    """Return what follows when the betting of a street is over and nobody folded."""
    if street == 2:
        return Point(line, street, SHOWDOWN, put)
    point = Point(line, street, DEAL, put)
    point.after["card"] = _street(spot, line + "/", street + 1, put, aggressor)
    return point


def _decision(
    spot: Spot,
    line: str,
    street: int,
    put: tuple[int, int],
    player: int,
    start: int,
    raises: int,
    last_raise: int,
    before: int | None,
    aggressor: int | None,
) -> Point:
    """before: who bet last on the street before; aggressor: who did on this one."""
    other = 1 - player
    point = Point(line, street, player, put)
    own, faced = put[player], put[other]
    matched = (faced, faced)
    if faced > own:
        point.after["f"] = Point(line + "f", street, FOLD, put, folder=player)
    if faced > own or player == 1:
        point.after["c"] = _over(spot, line + "c", street, matched, aggressor)
    else:
        point.after["c"] = _decision(
            spot, line + "c", street, put, other, start, raises, last_raise, before, aggressor
        )
    menu = spot.bets.menu(street, player)
    if raises:
        levels = menu.raise_levels
        text = levels[min(raises, len(levels)) - 1] if levels else ""
    elif player == 0 and before == 1 and menu.donk is not None:
        text = menu.donk
    else:
        text = menu.bet
    for total in amounts(text, spot, street, start, own, faced, last_raise):
        after = (total, faced) if player == 0 else (faced, total)
        name = f"b{total}"
        point.after[name] = _decision(
            spot, line + name, street, after, other, start, raises + 1, total - faced, before, player
        )
    return point


@cache
def _strength(cards: frozenset[int]) -> tuple[int, tuple[int, ...]]:
    return strength(sorted(cards))


class Deals:
    """Every board of every street and every pair of hands on it."""

    def __init__(self, spot: Spot) -> None:
        self.hands: list[list[tuple[int, int]]] = []
        self.weights: list[Array] = []
        every = sorted(combinations(range(52), 2), key=lambda pair: (pair[1], pair[0]))
        for player in (0, 1):
            given = spot.range_of(player).weights
            held = [
                (hand, float(w)) for hand, w in zip(every, given) if w > 0 and not set(hand) & set(spot.cards)
            ]
            self.hands.append([hand for hand, _ in held])
            self.weights.append(np.array([w for _, w in held]))
        self.boards: dict[int, list[tuple[int, ...]]] = {spot.first_street: [spot.cards]}
        self.parent: dict[int, npt.NDArray[np.int64]] = {}
        for street in range(spot.first_street + 1, 3):
            before = self.boards[street - 1]
            dealt = [
                (i, (*board, card))
                for i, board in enumerate(before)
                for card in range(52)
                if card not in board
            ]
            self.boards[street] = [board for _, board in dealt]
            self.parent[street] = np.array([i for i, _ in dealt])
        self.live: dict[int, list[Array]] = {}
        self.pairs: dict[int, Array] = {}
        apart = np.array([[not set(a) & set(b) for b in self.hands[1]] for a in self.hands[0]], float)
        for street, boards in self.boards.items():
            self.live[street] = [
                np.array([[not set(hand) & set(board) for hand in self.hands[p]] for board in boards], float)
                for p in (0, 1)
            ]
            one, two = self.live[street]
            self.pairs[street] = one[:, :, None] * two[:, None, :] * apart
        strengths = [
            [
                [None if set(h) & set(b) else _strength(frozenset(h + b)) for h in self.hands[p]]
                for b in self.boards[2]
            ]
            for p in (0, 1)
        ]
        order = {s: i for i, s in enumerate(sorted({s for t in strengths for row in t for s in row if s}))}
        first, second = (np.array([[order.get(s, -1) for s in row] for row in t]) for t in strengths)
        self.sign = np.sign(first[:, :, None] - second[:, None, :])


class PlainSolver:
    """CFR on one spot, alternating updates. Tables by the line that leads to a decision.

    regret, play, average: [board, action, hand]. locks: by line, [board, action, hand] probabilities, NaN
    where the hand is free. order: which player is updated first. told: by line, strategies that are played
    instead of those the regrets say; a solver that has to be compared where regrets are all zero up to
    rounding, and anything may be played, gives its own.
    """

    def __init__(self, spot: Spot, order: tuple[int, int] = (0, 1), locks: dict[str, Array] | None = None):
        self.spot, self.order, self.locks = spot, order, locks or {}
        self.root = betting(spot)
        self.deals = Deals(spot)
        self.regret: dict[str, Array] = {}
        self.play: dict[str, Array] = {}
        self.average: dict[str, Array] = {}
        self.told: dict[str, Array] = {}
        self.decisions = {point.line: point for point in self.root.walk() if isinstance(point.what, int)}
        for line, point in self.decisions.items():
            assert isinstance(point.what, int)
            boards, hands = len(self.deals.boards[point.street]), len(self.deals.hands[point.what])
            for table in (self.regret, self.play, self.average):
                table[line] = np.zeros((boards, len(point.after), hands))

    def run(self, steps: list[RuleStep]) -> None:
        """Do one iteration for each step."""
        for step in steps:
            for player in self.order:
                self.update(player, step)

    def update(self, player: int, step: RuleStep) -> None:
        """Update the tables of one player."""
        first = self.spot.first_street
        reach = [w * self.deals.live[first][p] for p, w in enumerate(self.deals.weights)]
        self._update(self.root, player, reach, step)

    def strategy(self, line: str) -> Array:
        """Return what the regrets say is played at a decision: [board, action, hand]."""
        return self._locked(line, matched(self.play[line]))

    def average_strategy(self, line: str) -> Array:
        """Return the average strategy at a decision: [board, action, hand]."""
        return self._locked(line, _normalised(self.average[line]))

    def _locked(self, line: str, strategy: Array) -> Array:
        lock = self.locks.get(line)
        return strategy if lock is None else np.where(np.isnan(lock), strategy, lock)

    def _update(self, point: Point, me: int, reach: list[Array], step: RuleStep) -> Array:
        """Update the tables of `me` below a point and return its values: [board, hand]."""
        if not isinstance(point.what, int):
            if point.what == DEAL:
                below = [self._dealt(point.street, p, reach[p]) for p in (0, 1)]
                return self._gathered(point.street, self._update(point.after["card"], me, below, step))
            return self._terminal(point, me, reach[1 - me])
        line, actor = point.line, point.what
        sigma = self.told[line] if line in self.told else self.strategy(line)
        values = []
        for action, child in enumerate(point.after.values()):
            after = list(reach)
            after[actor] = reach[actor] * sigma[:, action]
            values.append(self._update(child, me, after, step))
        if actor != me:
            return np.sum(values, axis=0)
        each = np.stack(values, axis=1)
        mean = (sigma * each).sum(1)
        instant = each - mean[:, None]
        old = self.regret[line]
        factor = np.where(old > 0, step.positive, step.negative)
        self.regret[line] = np.maximum(old * factor + step.weight * instant, step.floor)
        self.play[line] = self.regret[line] * step.carry + step.prediction * instant
        share = reach[me][:, None] * sigma
        self.average[line] = self.average[line] * step.average_discount + step.average_weight * share
        return mean

    def values(self, me: int, best: bool, obey: bool = False) -> dict[str, Array]:
        """Return the values of `me` against the other's average strategy at every point, by line.

        By best response (one that keeps to its own locks, if it has to obey), or by its own average strategy:
        [board, hand], weighted by what the other holds.
        """
        found: dict[str, Array] = {}
        first = self.spot.first_street
        other = self.deals.weights[1 - me] * self.deals.live[first][1 - me]
        self._judge(self.root, me, other, (best, obey), found)
        return found

    def _judge(
        self, point: Point, me: int, other: Array, mode: tuple[bool, bool], found: dict[str, Array]
    ) -> Array:
        if not isinstance(point.what, int):
            if point.what == DEAL:
                below = self._dealt(point.street, 1 - me, other)
                value = self._gathered(point.street, self._judge(point.after["card"], me, below, mode, found))
            else:
                value = self._terminal(point, me, other)
        else:
            sigma = self.average_strategy(point.line)
            mine = point.what == me
            children = list(point.after.values())
            values = [
                self._judge(child, me, other if mine else other * sigma[:, a], mode, found)
                for a, child in enumerate(children)
            ]
            each = np.stack(values, axis=1)
            if not mine:
                value = each.sum(1)
            else:
                best, obey = mode
                value = each.max(1) if best else (sigma * each).sum(1)
                if obey and point.line in self.locks:
                    fixed = ~np.isnan(self.locks[point.line]).any(1)
                    value = np.where(fixed, (sigma * each).sum(1), value)
        found[point.line] = value
        return value

    def expected(self, me: int, best: bool = False, obey: bool = False) -> float:
        """Return the expected pot share of `me`, in chips."""
        pairs = self.deals.pairs[self.spot.first_street][0]
        one, two = self.deals.weights
        return float(self.deals.weights[me] @ self.values(me, best, obey)[""][0] / (one @ pairs @ two))

    def exploitability(self) -> float:
        """Return half of what both could gain by best responses that keep to their own locks, in chips."""
        return sum(self.expected(p, best=True, obey=True) - self.expected(p) for p in (0, 1)) / 2

    def _terminal(self, point: Point, me: int, other: Array) -> Array:
        """Return pot shares, weighted by the other's compatible reach: [board, hand]."""
        pairs = self.deals.pairs[point.street]
        spot, mine = self.spot, point.put[me]
        called = min(point.put)  # what was not called goes back to whoever bet it
        pot = spot.pot + 2 * called
        rake = spot.rake.share * pot
        paid = pot - (min(rake, spot.rake.cap) if spot.rake.cap else rake)
        if point.what == FOLD:
            payoff = pairs * (-mine if point.folder == me else paid - called)
        else:
            sign = self.deals.sign if me == 0 else -self.deals.sign
            payoff = pairs * (np.select([sign > 0, sign == 0], [paid, paid / 2], 0.0) - mine)
        if me == 0:
            return np.einsum("bij,bj->bi", payoff, other)
        return np.einsum("bij,bi->bj", payoff, other)

    def _dealt(self, street: int, player: int, reach: Array) -> Array:
        """Return a reach after the next card: hands that hold it are gone."""
        return reach[self.deals.parent[street + 1]] * self.deals.live[street + 1][player]

    def _gathered(self, street: int, values: Array) -> Array:
        """Return the mean over the next card: one of 52 less the board and the two hands."""
        total = np.zeros((len(self.deals.boards[street]), values.shape[1]))
        np.add.at(total, self.deals.parent[street + 1], values)
        return total / (52 - 4 - len(self.deals.boards[street][0]))


def matched(regrets: Array) -> Array:
    """Return regret matching: [board, action, hand]."""
    return _normalised(np.maximum(regrets, 0))


def _normalised(weights: Array) -> Array:
    total = weights.sum(1, keepdims=True)
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.where(total > 0, weights / total, 1 / weights.shape[1])
